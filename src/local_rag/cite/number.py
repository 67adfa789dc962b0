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


def number_citations(
    draft: Draft, evidence: Sequence[Evidence], page_of: Callable[[str, int], Page]
) -> tuple[str, tuple[Citation, ...]]:
    """The answer's text with ``[1]`` markers, and the citations they name.

    Numbers follow the order of first use; one passage has one number, and every number stands in
    the text. A claim without support in the evidence is left out.

    Args:
        page_of: reads a page by document id and page number.
    """
    by_id = {row.chunk.chunk_id: row for row in evidence}
    claims = [claim for claim in draft.claims if _supported(claim, by_id)]
    numbers: dict[str, int] = {}
    spans: dict[str, set[Span]] = {}
    for claim in claims:
        for support in claim.supports:
            numbers.setdefault(support.chunk_id, len(numbers) + 1)
            spans.setdefault(support.chunk_id, set()).add(Span(support.start, support.end))
    citations = tuple(
        _citation(number, by_id[chunk_id], _merge(spans[chunk_id]), page_of)
        for chunk_id, number in numbers.items()
    )
    return _lay_out(draft.style, claims, numbers), citations


def _supported(claim: Claim, by_id: Mapping[str, Evidence]) -> bool:
    return bool(claim.supports) and all(
        support.chunk_id in by_id
        and 0 <= support.start < support.end <= len(by_id[support.chunk_id].chunk.text)
        for support in claim.supports
    )


def _lay_out(style: str, claims: Sequence[Claim], numbers: Mapping[str, int]) -> str:
    lines = []
    for claim in claims:
        cited = dict.fromkeys(numbers[support.chunk_id] for support in claim.supports)
        markers = "".join(f"[{number}]" for number in cited)
        lines.append(f"{without_reference_marks(claim.text)} {markers}")
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
