"""Means with their uncertainty, and whether two variants differ by more than chance.

Cases are drawn, not scores: what is uncertain is which questions were asked.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from local_rag.evaluation.results import METRICS, Comparison, Figure, VariantResult

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from typing import Any

    from local_rag.evaluation.results import CaseResult

_ROUNDS = 5000
_DRAWN_AT_ONCE = 4_000_000  # values; sets of retrieval have thousands of questions
_PATTERNS = 10_000
_BLOCK_NUMBERS = 1_000_000
_EXACT_UP_TO = 14  # differences; 2 ** 14 sign patterns
_SEED = 20240607
_PERCENTILES = (2.5, 97.5)


def interval(values: Sequence[float]) -> tuple[float, float] | None:
    """The 95 % percentile bootstrap interval of the mean; ``None`` for fewer than two values.

    The same values give the same interval. Efron and Tibshirani, "An Introduction to the
    Bootstrap" (1993), chapter 13.
    """
    if len(values) < 2:
        return None
    drawn = np.asarray(values, dtype=np.float64)
    random = np.random.default_rng(_SEED)
    means = np.concatenate(
        [
            drawn[random.integers(0, len(drawn), (rounds, len(drawn)))].mean(axis=1)
            for rounds in _blocks(_ROUNDS, len(drawn))
        ]
    )
    low, high = np.percentile(means, _PERCENTILES)
    return float(low), float(high)


def sign_flip_p(differences: Sequence[float]) -> float:
    """Two-sided p of a paired permutation test: how often random signs give as large a mean.

    Exact for up to 14 differences other than 0, else from 10,000 drawn patterns, the seen one
    among them. 1.0 where nothing differs.
    """
    apart = np.asarray([d for d in differences if d != 0], dtype=np.float64)
    if not len(apart):
        return 1.0
    seen = abs(apart.sum()) - 1e-12
    if len(apart) <= _EXACT_UP_TO:
        patterns = np.arange(2 ** len(apart))[:, None] >> np.arange(len(apart)) & 1
        return float((abs((1 - 2 * patterns) @ apart) >= seen).mean())
    random = np.random.default_rng(_SEED)
    as_large = 1
    for rounds in _blocks(_PATTERNS - 1, len(apart)):
        signs = random.integers(0, 2, (rounds, len(apart)), dtype=np.int8) * 2 - 1
        as_large += int((abs(signs @ apart) >= seen).sum())
    return as_large / _PATTERNS


def _blocks(rounds: int, width: int) -> Iterator[int]:
    """The rounds in portions that take some megabytes each."""
    most = max(1, _BLOCK_NUMBERS // width)
    for begun in range(0, rounds, most):
        yield min(most, rounds - begun)


def figure(name: str, results: Iterable[CaseResult]) -> Figure | None:
    """The mean of a score; ``None`` where it applies to no case."""
    of = [one for one in results if name in one.scores or name in one.unscored]
    values = [one.scores[name] for one in of if name in one.scores]
    return mean_of(values, len(of)) if of else None


def mean_of(values: Sequence[float], of: int) -> Figure:
    """The mean of the values; ``of``: to how many the score applies."""
    low, high = interval(values) or (None, None)
    mean = sum(values) / len(values) if values else None
    return Figure(mean, low, high, len(values), of)


def figures(results: Sequence[CaseResult]) -> dict[str, Figure]:
    """The figures of the scores that apply to any of the cases, in the order of ``METRICS``."""
    found = {name: figure(name, results) for name in METRICS}
    return {name: one for name, one in found.items() if one is not None}


def latencies(results: Iterable[CaseResult]) -> dict[str, dict[str, float]]:
    """p50 and p95 of each stage over the cases that went through it, in milliseconds."""
    times: dict[str, list[float]] = defaultdict(list)
    for one in results:
        for stage, ms in one.timings_ms.items():
            times[stage].append(ms)
    return {
        stage: dict(zip(("p50", "p95"), map(float, np.percentile(ms, (50, 95))), strict=True))
        for stage, ms in times.items()
    }


def summarised(name: str, settings: dict[str, Any], results: Sequence[CaseResult]) -> VariantResult:
    """A variant with the figures of its approved cases; those of the others stand apart."""
    approved = [one for one in results if one.review_status == "approved_gold"]
    others = [one for one in results if one.review_status != "approved_gold"]
    types = dict.fromkeys(one.question_type for one in approved)
    return VariantResult(
        name=name,
        settings=settings,
        results=tuple(results),
        figures=figures(approved),
        by_type={
            kind: figures([one for one in approved if one.question_type == kind]) for kind in types
        },
        latency_ms=latencies(results),
        not_approved=figures(others),
    )


@dataclass(frozen=True, slots=True)
class Paired:
    """The scores of two variants on the approved cases that both have."""

    differences: tuple[float, ...]

    @property
    def mean(self) -> float:
        """Of the differences; there is at least one."""
        return sum(self.differences) / len(self.differences)


def paired(name: str, variant: VariantResult, against: VariantResult) -> Paired:
    """The differences of a score, case by case."""
    theirs = _scores(name, against)
    ours = _scores(name, variant)
    return Paired(tuple(ours[case] - theirs[case] for case in ours if case in theirs))


def compared(name: str, variant: VariantResult, against: VariantResult) -> Comparison | None:
    """The difference of a score between two variants; ``None`` where they share no case."""
    pairs = paired(name, variant, against)
    if not pairs.differences:
        return None
    mean = pairs.mean
    low, high = interval(pairs.differences) or (mean, mean)
    p = sign_flip_p(pairs.differences)
    return Comparison(name, variant.name, against.name, mean, low, high, p, len(pairs.differences))


def comparisons(variants: Sequence[VariantResult]) -> tuple[Comparison, ...]:
    """Every variant after the first against the first, score by score."""
    found = [compared(name, variant, variants[0]) for variant in variants[1:] for name in METRICS]
    return tuple(one for one in found if one is not None)


def _scores(name: str, variant: VariantResult) -> dict[str, float]:
    return {
        one.case_id: one.scores[name]
        for one in variant.results
        if name in one.scores and one.review_status == "approved_gold"
    }
