"""The fusion of the rankings: by rank, scaled by score, or by score alone."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from local_rag.model.evidence import EQUAL, Fused

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from local_rag.model.evidence import Hit, Weights

RRF_K = 60
"""Cormack, Clarke and Büttcher, "Reciprocal Rank Fusion outperforms Condorcet" (SIGIR 2009)."""

Fusion = Literal["rrf", "rank", "minmax"]
"""``rrf``: ``weight / (k + rank)``, scaled by the row's score as a share of the best score of its
ranking, so that a first row far above the second counts for more, and a ranking that tells its rows
hardly apart reorders little. ``rank``: the same without the scale. ``minmax``: scores stretched to
[0, 1] within each ranking."""


def fuse(
    dense: Sequence[Hit],
    lexical: Sequence[Hit],
    exact: Sequence[Hit] = (),
    weights: Weights = EQUAL,
    *,
    fusion: Fusion = "rrf",
) -> Iterator[Fused]:
    """Fuses rankings by the sum of what a chunk gets in each; ties by chunk id.

    Args:
        dense, lexical: best first, each chunk at most once in each.
        exact: passages that hold a code which the question names; counts as the lexical ranking
            does. What holds the code and is first in both comes before all that does not.

    Yields:
        Every chunk of a ranking whose weight is above 0, best first; ``Fused.rrf`` is the sum.
    """
    points = _POINTS[fusion]
    totals: dict[str, float] = {}
    for hits, weight in (
        (dense, weights.dense),
        (lexical, weights.lexical),
        (exact, weights.lexical),
    ):
        if weight > 0:
            for (chunk_id, _), gained in zip(hits, points(hits), strict=True):
                totals[chunk_id] = totals.get(chunk_id, 0.0) + weight * gained
    dense_at = {chunk_id: (rank, value) for rank, (chunk_id, value) in enumerate(dense, 1)}
    lexical_at = {chunk_id: (rank, value) for rank, (chunk_id, value) in enumerate(lexical, 1)}
    best_first = sorted(sorted(totals), key=totals.__getitem__, reverse=True)
    for chunk_id in best_first:  # few of them are asked for
        dense_rank, cosine = dense_at.get(chunk_id, (None, None))
        lexical_rank, bm25 = lexical_at.get(chunk_id, (None, None))
        yield Fused(chunk_id, totals[chunk_id], dense_rank, lexical_rank, cosine, bm25)


def _by_rank(hits: Sequence[Hit]) -> list[float]:
    return [1 / (RRF_K + rank) for rank in range(1, len(hits) + 1)]


def _by_rank_and_score(hits: Sequence[Hit]) -> list[float]:
    best = hits[0].value if hits else 0.0
    if best <= 0:
        return _by_rank(hits)
    return [
        value / best / (RRF_K + rank) if value > 0 else 0.0
        for rank, (_, value) in enumerate(hits, 1)
    ]


def _by_score(hits: Sequence[Hit]) -> list[float]:
    if not hits:
        return []
    best, least = hits[0].value, hits[-1].value
    if best == least:
        return [1.0] * len(hits)
    return [(hit.value - least) / (best - least) for hit in hits]


_POINTS: dict[Fusion, Callable[[Sequence[Hit]], list[float]]] = {
    "rrf": _by_rank_and_score,
    "rank": _by_rank,
    "minmax": _by_score,
}
