"""Measures of one ranking. ``gains`` are the grades of what was found, best rank first; 0: useless.

Means over questions are the caller's: a question that failed has no measure.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence


def hit(gains: Sequence[float], k: int) -> float:
    """1.0 if any of the first ``k`` is of use, else 0.0 (Hit@k, also called success at k)."""
    return float(any(gain > 0 for gain in gains[:k]))


def reciprocal_rank(gains: Sequence[float], k: int | None = None) -> float:
    """1 / rank of the first of use among the first ``k`` (all where ``None``); 0.0 without one."""
    return next((1.0 / rank for rank, gain in enumerate(gains[:k], 1) if gain > 0), 0.0)


def recall(gains: Sequence[float], relevant: int, k: int | None = None) -> float:
    """Share of the ``relevant`` (at least 1) that the first ``k`` hold.

    Raises:
        ValueError: nothing is relevant.
    """
    if relevant < 1:
        raise ValueError("recall needs something relevant")
    return sum(gain > 0 for gain in gains[:k]) / relevant


def ndcg(gains: Sequence[float], all_gains: Sequence[float], k: int) -> float:
    """Normalised discounted cumulative gain at ``k``, with linear gains.

    DCG is the sum of gain / log2(rank + 1), as in Järvelin and Kekäläinen (2002) and trec_eval;
    the ideal ranks ``all_gains``, the grades of everything relevant, from the highest down.

    Raises:
        ValueError: nothing is relevant.
    """
    ideal = _dcg(sorted(all_gains, reverse=True)[:k])
    if ideal <= 0:
        raise ValueError("nDCG needs something relevant")
    return _dcg(gains[:k]) / ideal


def _dcg(gains: Sequence[float]) -> float:
    return sum(gain / math.log2(rank + 1) for rank, gain in enumerate(gains, 1))
