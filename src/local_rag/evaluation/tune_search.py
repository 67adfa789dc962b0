"""Which settings to try: from coarse steps to fine ones, within a number of trials."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from local_rag.retrieve.fuse import Fusion

LEAST_GAIN = 0.005
"""A change of one setting that gains less on the cases that were searched by is taken back."""
MOST = 1.0
"""No mean of scores is above it: the search ends there."""
_HAIR = 1e-9
_FUSIONS: tuple[Fusion, ...] = ("rrf", "rank", "minmax")
_COARSE_WEIGHTS = ((0.0, 1.0), (1.0, 0.01), (1.0, 1.0), (0.25, 1.0), (4.0, 1.0))
"""Words alone; meaning alone, or nearly: the settings give the ranking by words some weight."""
_COARSE_TOP_K = (2, 8)
_MOST_TOP_K = 10
_COARSE_CHUNKS = ((300, 50), (600, 100), (1400, 200), (2000, 300))
_LEAST_CHUNK, _MOST_CHUNK = 200, 8000
_TURNS = 3
_TO_PRUNE = 4
"""Trials that are kept for taking changes back."""


class Point(NamedTuple):
    """Settings of the search, under their names in ``Settings``."""

    chunk_size: int
    chunk_overlap: int
    fusion: Fusion
    dense_weight: float | None
    lexical_weight: float | None
    top_k: int

    @property
    def chunking(self) -> tuple[int, int]:
        """What another index is needed for."""
        return self.chunk_size, self.chunk_overlap

    def changes(self, own: Point) -> dict[str, object]:
        """What differs from another one, by name."""
        return {
            name: value
            for name, value, theirs in zip(self._fields, self, own, strict=True)
            if value != theirs
        }


@dataclass(slots=True)
class Search:
    """A search that goes from the program's own settings to better ones.

    Deterministic, and greedy: one setting is varied at a time, and a step is made where the
    objective grows. Trials that share an index follow each other.

    Attributes:
        objective: what is to grow; ``None`` where a point cannot be compared.
        budget: how many points it may try, the first one among them.
        tried: the points that were, in order, with their objective.
    """

    own: Point
    objective: Callable[[Point], float | None]
    budget: int
    tried: dict[Point, float | None] = field(default_factory=dict)
    _limit: int = 0

    def best(self) -> Point:
        """The best point that was tried, with no more changes than it needs.

        Raises:
            ValueError: the program's own settings cannot be measured.
        """
        self._limit = max(2, self.budget - _TO_PRUNE)
        if self._value(self.own) is None:
            raise ValueError("the first point has no value")
        at = self._best_of(self.own, self._weights(self.own))
        at = self._best_of(at, self._fusions(at))
        at = self._best_of(at, (at._replace(top_k=k) for k in _COARSE_TOP_K))
        at = self._best_of(at, (_chunked(at, *pair) for pair in _COARSE_CHUNKS))
        for _ in range(_TURNS):
            before = at
            at = self._best_of(at, _finer_weights(at))
            at = self._best_of(at, self._fusions(at))
            at = self._best_of(at, _finer_top_k(at))
            at = self._best_of(at, _finer_chunks(at))
            if at == before or len(self.tried) >= self._limit:
                break
        self._limit = self.budget
        return self._pruned(at)

    def _weights(self, at: Point) -> Iterable[Point]:
        return (_weighted(at, *pair) for pair in _COARSE_WEIGHTS)

    def _fusions(self, at: Point) -> Iterable[Point]:
        return (at._replace(fusion=fusion) for fusion in _FUSIONS)

    def _value(self, point: Point) -> float | None:
        """The objective of a point; ``None`` too where the budget is spent."""
        if point not in self.tried:
            if len(self.tried) >= self._limit:
                return None
            self.tried[point] = self.objective(point)
        return self.tried[point]

    def _best_of(self, at: Point, others: Iterable[Point]) -> Point:
        best, most = at, self._value(at)
        for point in others:
            if most is not None and most >= MOST - _HAIR:
                break
            value = self._value(point)
            if value is not None and (most is None or value > most + _HAIR):
                best, most = point, value
        return best

    def _pruned(self, at: Point) -> Point:
        """Without the changes that hardly gain anything, or of which that was not tried."""
        while True:
            worth = self._value(at) or 0.0
            plainer = [
                point
                for point in _with_one_change_less(at, self.own)
                if (value := self._value(point)) is not None and value >= worth - LEAST_GAIN
            ]
            if not plainer:
                return at
            at = max(plainer, key=lambda point: self.tried[point] or 0.0)


def _with_one_change_less(at: Point, own: Point) -> list[Point]:
    plainer = [
        _weighted(at, own.dense_weight, own.lexical_weight),
        at._replace(fusion=own.fusion),
        at._replace(top_k=own.top_k),
        _chunked(at, *own.chunking),
    ]
    return [point for point in plainer if point != at]


def _weighted(at: Point, dense: float | None, lexical: float | None) -> Point:
    return at._replace(dense_weight=dense, lexical_weight=lexical)


def _chunked(at: Point, size: int, overlap: int) -> Point:
    return at._replace(chunk_size=size, chunk_overlap=overlap)


def _finer_weights(at: Point) -> list[Point]:
    """Half and twice the share of the ranking by meaning, where both have one."""
    dense, lexical = at.dense_weight, at.lexical_weight
    ratio = 1.0 if dense is None or lexical is None else dense / lexical
    if not 0.1 <= ratio <= 10:
        return []
    return [_weighted(at, round(ratio * step, 3), 1.0) for step in (0.5, 2.0) if ratio * step <= 10]


def _finer_top_k(at: Point) -> list[Point]:
    steps = (-2, -1, 1, 2)
    return [at._replace(top_k=at.top_k + s) for s in steps if 1 <= at.top_k + s <= _MOST_TOP_K]


def _finer_chunks(at: Point) -> list[Point]:
    """Passages a third longer and a quarter shorter, and others that share less or more."""
    size, overlap = at.chunking
    pairs = [
        (_rounded(size * 3 / 4), _rounded(overlap * 3 / 4)),
        (_rounded(size * 4 / 3), _rounded(overlap * 4 / 3)),
        (size, 0),
        (size, _rounded(size / 3)),
    ]
    return [_chunked(at, s, o) for s, o in pairs if _LEAST_CHUNK <= s <= _MOST_CHUNK and 2 * o < s]


def _rounded(chars: float) -> int:
    return round(chars / 10) * 10
