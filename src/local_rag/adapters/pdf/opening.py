"""Opens a PDF, or says in the program's own errors why it cannot be read."""

from __future__ import annotations

import re
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from local_rag.adapters.pdf.glyphs import clean_title
from local_rag.errors import EmptyFile, PasswordRequired, TooLarge, UnreadableFile, WrongContent

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

MAX_PAGES = 5000
_NEEDS_PASSWORD = "The PDF opens with a password only."  # noqa: S105 - a message
_HEADER_WITHIN = 1024
_NO_TITLE = re.compile(
    r"untitled|title|document\d*|microsoft word|powerpoint presentation"
    r"|.*\.(docx?|pdf|tex|dvi|indd|pptx?|xlsx?|rtf|odt|qxd)",
    re.IGNORECASE,
)
# What the one page of a form says whose pages only Adobe's programs can make, in any language.
_XFA_NOTICE = re.compile(r"adobe\.com/go/|please wait\.\.\.", re.IGNORECASE)
_XFA_NOTICE_CHARS = 2000
_PRODUCER_PREFIX = re.compile(r"^microsoft (word|powerpoint|excel) - ", re.IGNORECASE)


def mupdf_errors() -> tuple[type[Exception], ...]:
    """What MuPDF raises for a damaged file."""
    import pymupdf

    return (RuntimeError, ValueError, pymupdf.mupdf.FzErrorBase)


@contextmanager
def opened(path: Path, password: str | None = None) -> Iterator[Any]:
    """The open ``pymupdf.Document``.

    Args:
        password: the user's or the owner's, where the file needs one.

    Raises:
        EmptyFile, WrongContent, PasswordRequired, UnreadableFile, TooLarge: as their names say.
    """
    _check_header(path)
    import pymupdf

    pymupdf.TOOLS.mupdf_display_errors(False)
    pymupdf.TOOLS.mupdf_display_warnings(False)
    try:
        document = pymupdf.open(path, filetype="pdf")
    except mupdf_errors() as exc:
        raise UnreadableFile("The PDF is damaged and cannot be opened.") from exc
    try:
        if document.needs_pass and not document.authenticate(password or ""):
            told = "The password does not open the PDF." if password else _NEEDS_PASSWORD
            raise PasswordRequired(told)
        _check_pages(document)
        yield document
    finally:
        document.close()


def _check_header(path: Path) -> None:
    with path.open("rb") as file:
        head = file.read(_HEADER_WITHIN)
    if not head:
        raise EmptyFile("The file is empty.")
    if b"%PDF-" not in head:
        raise WrongContent("The file is named .pdf, but its content is not a PDF.")


def _check_pages(document: Any) -> None:
    try:
        count = document.page_count
    except mupdf_errors() as exc:
        raise UnreadableFile("The PDF's list of pages is damaged.") from exc
    if count < 1:
        raise UnreadableFile("The PDF has no pages.")
    if count > MAX_PAGES:
        raise TooLarge(
            f"The PDF has {count:,} pages; {MAX_PAGES:,} is the most that are read.",
            fix="Split the document and send its parts.",
        )


def check_xfa(document: Any, text: str) -> None:
    """Refuses a form whose page says no more than that another program is needed.

    Args:
        text: of all pages.

    Raises:
        UnreadableFile: as said. A form in XFA that has pages of its own passes.
    """
    if document.page_count > 1 or len(text) > _XFA_NOTICE_CHARS:
        return
    try:
        catalog = document.pdf_catalog()
        has_xfa = document.xref_get_key(catalog, "AcroForm/XFA")[0] != "null"
        is_dynamic = document.xref_get_key(catalog, "NeedsRendering")[1] == "true"
    except mupdf_errors():
        return
    if has_xfa and (is_dynamic or _XFA_NOTICE.search(text)):
        raise UnreadableFile(
            "This is an XFA form: its pages are made by Adobe's programs and are not in the file.",
            fix="Open the form in Adobe Acrobat or Reader, print it to a new PDF, and send that.",
        )


def metadata_title(document: Any) -> str | None:
    """The title in the file's metadata, unless it is a placeholder or a file's name."""
    title = clean_title((document.metadata or {}).get("title") or "")
    title = _PRODUCER_PREFIX.sub("", title)
    if len(title) < 3 or _NO_TITLE.fullmatch(title) or not any(map(str.isalpha, title)):
        return None
    return title[:300]
