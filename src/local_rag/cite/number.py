"""From a draft to an answer with numbered citations. Code writes the numbers, never a writer."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from local_rag.cite.locate import rectangles
from local_rag.model.answer import Citation, Span

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from local_rag.model.answer import Claim, Draft
    from local_rag.model.document import Page
    from local_rag.model.evidence import Evidence

_REFERENCE_MARK = re.compile(r"\s+\[\d+(?:\s*[-–,;]\s*\d+)*\](?=[\s.,;:)]|$)")
_BRACKETED_NUMBER = re.compile(r"\[(\d+)\]")


class Numbering:
    """Numbers the passages that claims rest on, in the order of first use.

    One passage has one number, and every number stands in the text of a claim.

    Args:
        page_of: reads a page by document id and page number.
        order: chunk ids that have the first numbers, whatever is used first; each of them is to
            be used.
    """

    def __init__(
        self,
        evidence: Sequence[Evidence],
        page_of: Callable[[str, int], Page],
        order: Sequence[str] = (),
    ) -> None:
        self._by_id = {row.chunk.chunk_id: row for row in evidence}
        self._page_of = page_of
        self._spans: dict[str, set[Span]] = {chunk_id: set() for chunk_id in order}

    def add(self, claim: Claim) -> str | None:
        """The claim's text with its ``[1]`` markers; ``None`` where the evidence bears it not."""
        if not _is_borne_out(claim, self._by_id):
            return None
        for support in claim.supports:
            spans = self._spans.setdefault(support.chunk_id, set())
            spans.add(Span(support.start, support.end))
        numbers = {chunk_id: n for n, chunk_id in enumerate(self._spans, 1)}
        cited = dict.fromkeys(numbers[support.chunk_id] for support in claim.supports)
        markers = "".join(f"[{number}]" for number in cited)
        return f"{without_reference_marks(claim.text)} {markers}"

    def citations(self, of: Claim | None = None) -> tuple[Citation, ...]:
        """What the markers name, by rising number: of one added claim, or of all.

        The quotes hold what all claims so far rest on.

        Raises:
            UnknownDocument: one of the documents is not searchable any more.
        """
        asked = self._spans if of is None else {support.chunk_id for support in of.supports}
        return tuple(
            _citation(number, self._by_id[chunk_id], _merge(spans), self._page_of)
            for number, (chunk_id, spans) in enumerate(self._spans.items(), 1)
            if chunk_id in asked
        )


def borne_out(claims: Sequence[Claim], evidence: Sequence[Evidence]) -> tuple[Claim, ...]:
    """The claims that an answer has: those that rest on stretches of the evidence."""
    by_id = {row.chunk.chunk_id: row for row in evidence}
    return tuple(claim for claim in claims if _is_borne_out(claim, by_id))


def _is_borne_out(claim: Claim, by_id: Mapping[str, Evidence]) -> bool:
    return bool(claim.supports) and all(
        support.chunk_id in by_id
        and 0 <= support.start < support.end <= len(by_id[support.chunk_id].chunk.text)
        for support in claim.supports
    )


def number_citations(
    draft: Draft,
    evidence: Sequence[Evidence],
    page_of: Callable[[str, int], Page],
    order: Sequence[str] = (),
) -> tuple[str, tuple[Citation, ...]]:
    """The answer's text with ``[1]`` markers, and the citations they name.

    A claim without support in the evidence is left out.

    Args:
        page_of, order: as of ``Numbering``.
    """
    numbering = Numbering(evidence, page_of, order)
    lines = [line for line in map(numbering.add, draft.claims) if line is not None]
    return _lay_out(draft.style, lines), numbering.citations()


def kept_order(before: Sequence[str], claims: Sequence[Claim]) -> list[str]:
    """The numbers of what claims cite now, as chunk ids in order, moved only where they must be.

    What was cited before keeps its number. What is new takes a number that is free, else the
    next one. A number that stays free is closed up by those after it.

    Args:
        before: the chunk ids by their numbers so far.
    """
    cited = dict.fromkeys(s.chunk_id for claim in claims for s in claim.supports)
    known = frozenset(before)
    new = [chunk_id for chunk_id in cited if chunk_id not in known]
    order = []
    for chunk_id in before:
        if chunk_id in cited:
            order.append(chunk_id)
        elif new:
            order.append(new.pop(0))
    return order + new


def _lay_out(style: str, lines: Sequence[str]) -> str:
    if style == "steps":
        return "\n".join(f"{i}. {line}" for i, line in enumerate(lines, 1))
    if style == "bullets":
        return "\n".join(f"- {line}" for line in lines)
    return " ".join(lines)


def without_reference_marks(text: str) -> str:
    """The text without what a reader would take for this answer's own markers.

    A paper's ``[13]`` is dropped; the index in ``row[1]`` is kept as ``row[ 1 ]``.
    """
    return _BRACKETED_NUMBER.sub(r"[ \1 ]", _REFERENCE_MARK.sub("", " ".join(text.split())))


def _merge(spans: set[Span]) -> tuple[Span, ...]:
    merged: list[Span] = []
    for span in sorted(spans, key=lambda s: (s.start, s.end)):
        if merged and span.start <= merged[-1].end:
            merged[-1] = Span(merged[-1].start, max(merged[-1].end, span.end))
        else:
            merged.append(span)
    return tuple(merged)


def _citation(
    number: int, row: Evidence, spans: tuple[Span, ...], page_of: Callable[[str, int], Page]
) -> Citation:
    chunk = row.chunk
    page = page_of(chunk.document_id, chunk.page_number)
    return Citation(
        number=number,
        chunk=chunk,
        document=row.document,
        fused=row.fused,
        quote=" … ".join(chunk.text[span.start : span.end] for span in spans),
        spans=spans,
        rectangles=rectangles(page.words, chunk.start, spans),
        page_label=page.label,
        page_width_pt=page.width_pt,
        page_height_pt=page.height_pt,
    )
