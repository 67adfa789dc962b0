"""Small PDF files for tests, made with PyMuPDF."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from local_rag.adapters.pdf_reader import read_pdf

if TYPE_CHECKING:
    from pathlib import Path

    from local_rag.model.document import Extraction

BODY = (
    "The committee met on Monday and agreed that the new rules apply from the first day of "
    "the year. Members who could not attend were told of the outcome in writing. "
)


def saved(document: Any, folder: Path, **options: Any) -> Path:
    path = folder / "file.pdf"
    document.save(path, **options)
    document.close()
    return path


def read(document: Any, folder: Path) -> Extraction:
    return read_pdf(saved(document, folder))


def write_lines(page: Any, lines: list[str], x: float = 72, y: float = 72, **style: Any) -> float:
    """Writes lines 14 points apart; returns where the next one would stand."""
    for line in lines:
        page.insert_text((x, y), line, **style)
        y += 14
    return y


def wrapped(text: str, width: int) -> list[str]:
    lines, line = [], ""
    for word in text.split():
        if len(line) + len(word) > width:
            lines.append(line.strip())
            line = ""
        line += word + " "
    return [*lines, line.strip()]


def map_characters(document: Any, mapping: str) -> None:
    """Gives the fonts of a document a ToUnicode map of its own."""
    for xref in range(1, document.xref_length()):
        if document.xref_get_key(xref, "Type")[1] == "/Font":
            cmap = document.get_new_xref()
            document.update_object(cmap, "<<>>")
            document.update_stream(
                cmap,
                b"/CIDInit /ProcSet findresource begin begincmap "
                b"1 begincodespacerange <00> <ff> endcodespacerange "
                + mapping.encode()
                + b" endcmap end",
            )
            document.xref_set_key(xref, "ToUnicode", f"{cmap} 0 R")
