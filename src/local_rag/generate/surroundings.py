"""What stands around a sentence: the heading above it, and its passage's places in the rankings."""

from __future__ import annotations

from typing import TYPE_CHECKING

from local_rag.generate.units import language_of
from local_rag.text.tokens import tokenize

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from local_rag.generate.units import Unit
    from local_rag.model.evidence import Evidence

_SAID_BY_HEADING = 0.8  # how far a word of the heading is said by the first sentence below it
SAID_LATER = 0.65
"""The same for a later one, and for what the passage's headings and title say of each of them."""


def headings_above(units: Sequence[Unit]) -> list[tuple[int | None, float]]:
    """For each unit the position of the last heading before it in its passage, and how far the
    unit says what the heading says: its first sentence most. ``None`` for headings as well.
    """
    found: list[tuple[int | None, float]] = []
    heading: int | None = None
    said = _SAID_BY_HEADING
    for i, unit in enumerate(units):
        if i == 0 or units[i - 1].evidence_index != unit.evidence_index:
            heading = None
        if unit.kind == "heading":
            heading, said = i, _SAID_BY_HEADING
            found.append((None, 0.0))
            continue
        found.append((heading, said if heading is not None else 0.0))
        said = SAID_LATER
    return found


def shares_below(shares: Sequence[float], above: Sequence[tuple[int | None, float]]) -> list[float]:
    """Each unit's share, with what its heading holds beyond it counted as far as it says that."""
    return [
        share if at is None else max(share, share * (1 - said) + said * shares[at])
        for share, (at, said) in zip(shares, above, strict=True)
    ]


def ranks_of(evidence: Sequence[Evidence]) -> list[tuple[float, float]]:
    """Of each passage its BM25 as a share of the best one's, and its cosine less the best one's."""
    bm25 = [row.fused.bm25 or 0.0 for row in evidence]
    known = [row.fused.cosine for row in evidence if row.fused.cosine is not None]
    most, nearest, farthest = (
        max(bm25, default=0.0),
        max(known, default=0.0),
        min(known, default=0.0),
    )
    return [
        (
            value / most if most else 1.0,
            (farthest if row.fused.cosine is None else row.fused.cosine) - nearest,
        )
        for value, row in zip(bm25, evidence, strict=True)
    ]


def passage_tokens(
    index: int, units: Sequence[Unit], headings: Mapping[int, frozenset[str]]
) -> frozenset[str]:
    """Tokens of a passage and of its headings."""
    return headings[index].union(*(unit.tokens for unit in units if unit.evidence_index == index))


def headings_of(evidence: Sequence[Evidence]) -> dict[int, frozenset[str]]:
    """Tokens of each passage's headings and of its document's title."""
    return {
        i: frozenset(
            tokenize(
                " ".join([*row.chunk.heading_path, row.document.title or ""]), language_of(row)
            )
        )
        for i, row in enumerate(evidence)
    }
