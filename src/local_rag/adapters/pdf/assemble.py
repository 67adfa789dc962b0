"""From the rows of all pages to the document: what only the whole of it can tell."""

from __future__ import annotations

from typing import TYPE_CHECKING

from local_rag.adapters.pdf.code import mark_code
from local_rag.adapters.pdf.compose import Vocabulary, compose
from local_rag.adapters.pdf.furniture import without_furniture
from local_rag.adapters.pdf.heading_rows import body_style
from local_rag.adapters.pdf.headings import mark_below_outline, mark_by_fonts
from local_rag.adapters.pdf.outline import mark_by_outline
from local_rag.adapters.pdf.paragraphs import paragraphs_of
from local_rag.adapters.pdf.table_rows import join_over_pages
from local_rag.ingest.sections import HeadingFound, build_sections
from local_rag.model.document import Diagram, Extraction, Page, PageReading, Table

if TYPE_CHECKING:
    from collections.abc import Sequence

    from local_rag.adapters.pdf.page import ReadPage
    from local_rag.adapters.pdf.rows import Row


def assembled(
    pages: Sequence[ReadPage], outline: Sequence[list[object]], title: str | None
) -> Extraction:
    """The document of these pages. Their rows are marked on the way.

    Args:
        outline: as ``pymupdf.Document.get_toc`` has it; may be empty.
        title: the one that the file gives; else what looks like one is taken.
    """
    vocabulary = Vocabulary()
    for page in pages:
        vocabulary.learn(page.rows)
    vocabulary.seal()
    left_out = _drop_furniture(pages)
    mark_code([page.rows for page in pages if not page.is_scan])
    shown_title = None
    typeset = [[] if page.is_scan else page.rows for page in pages]
    if outline and mark_by_outline([page.rows for page in pages], outline):
        mark_below_outline(typeset)
    else:
        shown_title = mark_by_fonts(typeset)
    join_over_pages([(page.rows, page.width_pt, page.height_pt) for page in pages])
    made: list[Page] = []
    tables: list[Table] = []
    diagrams: list[Diagram] = []
    headings: list[HeadingFound] = []
    readings: list[PageReading] = []
    for number, (page, furniture) in enumerate(zip(pages, left_out, strict=True), 1):
        composed = compose(paragraphs_of(page.rows), vocabulary)
        size = page.width_pt, page.height_pt
        made.append(Page(number, composed.text, page.label, *size, tuple(composed.words)))
        headings += [HeadingFound(h.level, h.title, number, h.start) for h in composed.headings]
        readings.append(page.reading(number, composed.text, furniture))
        tables += [Table(number, *table) for table in composed.tables]
        diagrams += [Diagram(number, *diagram) for diagram in composed.diagrams]
    return Extraction(
        tuple(made),
        build_sections(headings, made),
        title or shown_title,
        tuple(tables),
        tuple(readings),
        tuple(diagrams),
    )


def _drop_furniture(pages: Sequence[ReadPage]) -> list[list[Row]]:
    """Takes page numbers, running heads and feet off the pages; returns them, page by page."""
    size, _ = body_style([page.rows for page in pages])
    kept = without_furniture([page.rows for page in pages], [p.height_pt for p in pages], size)
    left_out = []
    for page, rows in zip(pages, kept, strict=True):
        staying = set(map(id, rows))
        left_out.append([row for row in page.rows if id(row) not in staying])
        page.rows = rows
    return left_out
