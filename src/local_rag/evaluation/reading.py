"""The pages that a reviewer of a golden case reads before its proposed answer is shown."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from local_rag.errors import LocalRagError
from local_rag.evaluation.cases import normalised

if TYPE_CHECKING:
    from local_rag.evaluation.cases import Case, ExpectedEvidence
    from local_rag.model.document import Document
    from local_rag.ports import Catalog


@dataclass(frozen=True, slots=True)
class SourcePage:
    """A page that a case's evidence stands on, as it is in the library now.

    Attributes:
        page: of the case; ``None`` for files without pages.
        document_id, media_type: of the document; ``None`` where it is not in the library.
        is_same: whether the document has the bytes that the case was made of.
        passages: those that hold the evidence, in order, each once; all of the page's text where
            none does.
        width_pt, height_pt: 0 where there is no page to be drawn.
    """

    source: str
    page: int | None
    document_id: str | None = None
    media_type: str | None = None
    is_same: bool = False
    passages: tuple[str, ...] = ()
    width_pt: float = 0.0
    height_pt: float = 0.0


def source_pages(case: Case, catalog: Catalog) -> list[SourcePage]:
    """The pages in order of the evidence, each once."""
    by_page: dict[tuple[str, str, int | None], list[ExpectedEvidence]] = {}
    for one in case.expected_evidence:
        by_page.setdefault((one.source, one.source_sha256, one.page), []).append(one)
    return [_page(evidence, catalog) for evidence in by_page.values()]


def _page(evidence: list[ExpectedEvidence], catalog: Catalog) -> SourcePage:
    first = evidence[0]
    document = _document(first, catalog)
    if document is None:
        return SourcePage(first.source, first.page)
    number = first.page or 1
    try:
        page = catalog.page(document.document_id, number)
        chunks = [
            chunk
            for chunk in catalog.document_chunks(document.document_id)
            if chunk.page_number == number or first.page is None
        ]
    except LocalRagError:  # a version without this page, or it has just left the library
        return SourcePage(first.source, first.page)
    holding = [
        chunk.text
        for chunk in chunks
        if any(
            normalised(text) in normalised(chunk.read_text)
            for one in evidence
            for text in one.contains
        )
    ]
    return SourcePage(
        source=document.name,
        page=first.page,
        document_id=document.document_id,
        media_type=document.media_type,
        is_same=document.source_sha256 == first.source_sha256,
        passages=tuple(holding) or (page.text,),
        width_pt=page.width_pt,
        height_pt=page.height_pt,
    )


def _document(evidence: ExpectedEvidence, catalog: Catalog) -> Document | None:
    """The document of these bytes, else the one of this name."""
    return catalog.find_by_source(evidence.source_sha256) or catalog.find_by_name(evidence.source)
