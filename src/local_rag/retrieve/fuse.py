"""Reciprocal rank fusion of the two rankings."""

from __future__ import annotations

from typing import TYPE_CHECKING

from local_rag.model.evidence import Fused

if TYPE_CHECKING:
    from collections.abc import Sequence

    from local_rag.model.evidence import Hit

RRF_K = 60
"""Cormack, Clarke and Büttcher, "Reciprocal Rank Fusion outperforms Condorcet" (SIGIR 2009)."""


def fuse(
    dense: Sequence[Hit],
    lexical: Sequence[Hit],
    exact: Sequence[Hit] = (),
    *,
    dense_weight: float = 1.0,
    lexical_weight: float = 1.0,
    k: int = RRF_K,
) -> list[Fused]:
    """Fuses rankings by ``sum(weight / (k + rank))``; ties by chunk id.

    Args:
        dense, lexical: best first, each chunk at most once in each.
        exact: passages that hold a code which the question names; counts as the lexical ranking
            does. What holds the code and is first in both comes before all that does not.

    Returns:
        Every chunk of a ranking whose weight is above 0, best first.
    """
    dense_at = {hit.chunk_id: (rank, hit.value) for rank, hit in enumerate(dense, 1)}
    lexical_at = {hit.chunk_id: (rank, hit.value) for rank, hit in enumerate(lexical, 1)}
    exact_at = {hit.chunk_id: rank for rank, hit in enumerate(exact, 1)}
    fused = []
    for chunk_id in dense_at.keys() | lexical_at.keys() | exact_at.keys():
        dense_rank, cosine = dense_at.get(chunk_id, (None, None))
        lexical_rank, bm25 = lexical_at.get(chunk_id, (None, None))
        rrf = (dense_weight / (k + dense_rank) if dense_rank else 0.0) + (
            lexical_weight / (k + lexical_rank) if lexical_rank else 0.0
        )
        if chunk_id in exact_at:
            rrf += lexical_weight / (k + exact_at[chunk_id])
        if rrf > 0:
            fused.append(Fused(chunk_id, rrf, dense_rank, lexical_rank, cosine, bm25))
    fused.sort(key=lambda row: (-row.rrf, row.chunk_id))
    return fused
