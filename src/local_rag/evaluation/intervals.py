"""Means with their confidence intervals, by bootstrap over questions."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from local_rag.evaluation.results import Figure

if TYPE_CHECKING:
    from collections.abc import Sequence

_DRAWS = 2000
_SEED = 20_240_229
_AT_ONCE = 1_000_000


def figure(scores: Sequence[float], of: int) -> Figure:
    """The mean of the scores and its 95 % interval: the same for the same scores.

    Args:
        of: questions to which the score applies, those without a score among them.
    """
    if not scores:
        return Figure(None, None, None, 0, of)
    low, high = np.percentile(_means(np.asarray(scores, float)), (2.5, 97.5))
    return Figure(float(np.mean(scores)), float(low), float(high), len(scores), of)


def _means(scores: np.ndarray[tuple[int], np.dtype[np.float64]]) -> list[float]:
    """Of samples of the scores, each as large as they are, drawn with putting back."""
    drawn = np.random.default_rng(_SEED)
    at_once = max(1, _AT_ONCE // len(scores))
    means: list[float] = []
    while len(means) < _DRAWS:
        rows = min(at_once, _DRAWS - len(means))
        picked = drawn.integers(0, len(scores), (rows, len(scores)))
        means += scores[picked].mean(axis=1).tolist()
    return means


def percentile(values: Sequence[float], share: float) -> float:
    """The value below which ``share`` percent lie, between neighbours linearly."""
    return float(np.percentile(values, share))
