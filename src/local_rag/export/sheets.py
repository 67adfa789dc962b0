"""The pages that are cited, each once, with all that is marked on it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from local_rag.export.wording import page_words

if TYPE_CHECKING:
    from collections.abc import Sequence

    from local_rag.model.answer import Citation, Rectangle
    from local_rag.model.conversation import Turn


@dataclass(frozen=True, slots=True)
class Sheet:
    """A page that answers cite.

    Attributes:
        name: of its document.
        words: which page it is, for the reader.
        width_pt, height_pt: its size; the rectangles count from its top left.
        cited_by: number of the turn and of the citation, in order.
        png: its picture; ``None`` where it could not be drawn.
        reason: why not, in a sentence.
    """

    document_id: str
    page_number: int
    name: str
    words: str
    width_pt: float
    height_pt: float
    rectangles: tuple[Rectangle, ...]
    cited_by: tuple[tuple[int, int], ...]
    png: bytes | None = None
    reason: str = ""


def cited_sheets(turns: Sequence[Turn]) -> list[Sheet]:
    """The pages in order of first citation; those of files without pages are left out."""
    found: dict[tuple[str, int], list[tuple[int, Citation]]] = {}
    for turn in turns:
        for citation in turn.answer.citations:
            if citation.page_width_pt > 0 and citation.page_height_pt > 0:
                key = citation.document.document_id, citation.chunk.page_number
                found.setdefault(key, []).append((turn.number, citation))
    return [_sheet(cited) for cited in found.values()]


def _sheet(cited: Sequence[tuple[int, Citation]]) -> Sheet:
    _, first = cited[0]
    return Sheet(
        document_id=first.document.document_id,
        page_number=first.chunk.page_number,
        name=first.document.name,
        words=page_words(first),
        width_pt=first.page_width_pt,
        height_pt=first.page_height_pt,
        rectangles=tuple(dict.fromkeys(box for _, one in cited for box in one.rectangles)),
        cited_by=tuple((turn, one.number) for turn, one in cited),
    )
