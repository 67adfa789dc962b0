"""Cuts a document into passages that are exact slices of its pages."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable
from typing import TYPE_CHECKING

from local_rag.model.document import Chunk

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from local_rag.model.document import Diagram, Extraction, Page, Section, Table

Splitter = Callable[[str], list[tuple[int, int]]]
"""Cuts a text into spans ``[start, end)`` in order; spans may overlap and skip white space."""

_SHORT_CHARS = 80
_MAX_HEADING_LINES = 4
_AFTER_LINE = re.compile(r"[^\n]*(\n\s*|$)")


def chunk_document(document_id: str, extraction: Extraction, split: Splitter) -> tuple[Chunk, ...]:
    """The passages of a document in order.

    Each lies within one page and one section, and neither begins nor ends with white space. A
    passage that would be a heading and nothing else is left out (its text is in the heading path
    of the passages below it), unless the document has no other text. A passage that begins inside
    a table, below its header, has the header as its lead; one that holds any of a diagram has the
    diagram's steps.
    """
    tables: dict[int, list[Table]] = {}
    for table in extraction.tables:
        tables.setdefault(table.page_number, []).append(table)
    diagrams: dict[int, list[Diagram]] = {}
    for diagram in extraction.diagrams:
        diagrams.setdefault(diagram.page_number, []).append(diagram)
    chunks: list[Chunk] = []
    headings_alone: list[Chunk] = []
    for page, section, start, end in _parts(extraction):
        starts_here = (section.page_number, section.start) == (page.page_number, start)
        body = _heading_end(page.text, start, end, section.title) if starts_here else start
        spans = _spans(page.text, start, end, body, split)
        for a, b in _from_rows(spans, page.text, tables.get(page.page_number, ())):
            heading_alone = starts_here and b <= body
            made = headings_alone if heading_alone else chunks
            header = _header(tables.get(page.page_number, ()), page.text, a)
            steps = [
                d.steps for d in diagrams.get(page.page_number, ()) if d.start < b and a < d.end
            ]
            lead = "\n".join(filter(None, [header, *steps]))
            made.append(_chunk(document_id, page, section, (a, b), len(made), lead))
    return tuple(chunks or headings_alone)


def _parts(extraction: Extraction) -> Iterator[tuple[Page, Section, int, int]]:
    """Each section's share of each page: (page, section, start, end)."""
    pages = extraction.pages
    index = {page.page_number: i for i, page in enumerate(pages)}
    for section in extraction.sections:
        for page in pages[index[section.page_number] : index[section.end_page_number] + 1]:
            start = section.start if page.page_number == section.page_number else 0
            last = page.page_number == section.end_page_number
            end = section.end if last else len(page.text)
            if page.text[start:end].strip():
                yield page, section, start, end


def _heading_end(text: str, start: int, end: int, title: str) -> int:
    """Offset behind the heading's line or lines and the white space after them."""
    wanted = _letters(title)
    if not wanted:
        return start
    at = start
    for _ in range(_MAX_HEADING_LINES):
        line = _AFTER_LINE.match(text, at, end)
        if line is None or line.end() == at:
            break
        at = line.end()
        seen = _letters(text[start:at])
        if seen.endswith(wanted):
            underline = re.compile(r"(=+|-+)[ \t]*(\n\s*|$)").match(text, at, end)
            return underline.end() if underline else at
        if len(seen) > len(wanted) + 20:
            break
    return start


def _letters(text: str) -> str:
    return "".join(filter(str.isalnum, text.casefold()))


def _spans(text: str, start: int, end: int, body: int, split: Splitter) -> list[tuple[int, int]]:
    """Spans within ``[start, end)``, trimmed, none empty."""
    # The blank line below the heading is hidden from the splitter, so that it does not cut there.
    heading = text[start:body].replace("\n", " ")
    spans: list[tuple[int, int]] = []
    for a, b in split(heading + text[body:end]):
        piece = text[start + a : start + b]
        left = start + a + len(piece) - len(piece.lstrip())
        right = start + a + len(piece.rstrip())
        if left < right:
            spans.append((left, right))
    if len(spans) > 1 and spans[-1][1] - spans[-1][0] < _SHORT_CHARS:
        merged = spans[-2][0], spans[-1][1]
        if len(split(text[merged[0] : merged[1]])) == 1:
            spans[-2:] = [merged]
    return spans


def _from_rows(
    spans: Sequence[tuple[int, int]], text: str, tables: Sequence[Table]
) -> Iterator[tuple[int, int]]:
    """The spans, one that overlaps the one before it in a table beginning with a whole row."""
    covered = 0
    for start, end in spans:
        inside = any(table.start < start < table.end for table in tables)
        if inside and start < covered and text[start - 1] != "\n":
            row = text.find("\n", start, min(covered + 1, end))
            next_row = start if row < 0 else row + 1
            start = next_row if text[next_row:end].strip() else start
        yield start, end
        covered = end


def _header(tables: Sequence[Table], text: str, start: int) -> str:
    """The header of the table that goes on at ``start``, unless it begins just there."""
    for table in tables:
        if table.start <= start < table.end:
            begins = text.startswith(table.header, table.start) and start == table.start
            return "" if begins else table.header
    return ""


def _chunk(
    document_id: str, page: Page, section: Section, span: tuple[int, int], ordinal: int, lead: str
) -> Chunk:
    start, end = span
    text = page.text[start:end]
    place = (document_id, str(page.page_number), str(start), str(end), text)
    digest = hashlib.sha256("\0".join(place).encode("utf-8", "surrogatepass")).hexdigest()
    return Chunk(
        chunk_id=digest[:32],
        document_id=document_id,
        ordinal=ordinal,
        page_number=page.page_number,
        start=start,
        end=end,
        text=text,
        section_id=section.section_id,
        heading_path=section.path,
        lead=lead,
    )
