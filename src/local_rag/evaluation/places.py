"""Places in the library's documents that a person names as proof."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from local_rag.errors import InvalidRequest
from local_rag.evaluation.cases import ExpectedEvidence, evidence_hash, normalised
from local_rag.usecases.find import LONGEST_SEARCH_CHARS, find_in_document

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from local_rag.model.answer import Rectangle
    from local_rag.ports import Catalog


@dataclass(frozen=True, slots=True)
class NamedPlace:
    """Words on a page of a document; the first page where no number is given."""

    document_id: str
    page: int | None
    contains: Sequence[str]


def evidence_at(place: NamedPlace, catalog: Catalog) -> ExpectedEvidence:
    """The place as expected evidence.

    Raises:
        UnknownDocument, UnknownPage.
        InvalidRequest: the words do not stand there, or not in one passage: no search could find
            them.
    """
    document = catalog.document(place.document_id)
    page = catalog.page(place.document_id, place.page or 1)
    contains = [text.strip() for text in place.contains if text.strip()]
    wanted = [normalised(text) for text in contains]
    on_page = normalised(page.text)
    if not wanted or any(text not in on_page for text in wanted):
        raise InvalidRequest(
            f"These words are not on page {page.page_number} of that document.",
            fix="Copy them from the text of the page, as it was read.",
        )
    passages = [
        normalised(chunk.read_text)
        for chunk in catalog.document_chunks(place.document_id)
        if chunk.page_number == page.page_number
    ]
    if not any(all(text in passage for text in wanted) for passage in passages):
        raise InvalidRequest(
            "These words do not stand in one passage of that page.",
            fix="Give fewer words, such as the one sentence that matters.",
        )
    has_pages = page.width_pt > 0 or document.page_count > 1
    made = ExpectedEvidence(
        source=document.name,
        source_sha256=document.source_sha256,
        page=page.page_number if has_pages else None,
        contains=contains,
        bbox=_box(place.document_id, page.page_number, contains, catalog),
    )
    return made.model_copy(update={"evidence_hash": evidence_hash(made)})


def box_around(boxes: Iterable[Rectangle]) -> list[float] | None:
    """x0, y0, x1, y1 around all of them; ``None`` where there are none, or they are empty."""
    listed = list(boxes)
    if not listed:
        return None
    x0, y0 = min(one.x0 for one in listed), min(one.y0 for one in listed)
    x1, y1 = max(one.x1 for one in listed), max(one.y1 for one in listed)
    return [round(value, 2) for value in (x0, y0, x1, y1)] if x0 < x1 and y0 < y1 else None


def _box(
    document_id: str, page_number: int, contains: Sequence[str], catalog: Catalog
) -> list[float] | None:
    boxes: list[Rectangle] = []
    for text in contains:
        if len(text) > LONGEST_SEARCH_CHARS:
            continue
        found = find_in_document(catalog, document_id, text).places
        here = next((one for one in found if one.page_number == page_number), None)
        boxes += here.rectangles if here else ()
    return box_around(boxes)
