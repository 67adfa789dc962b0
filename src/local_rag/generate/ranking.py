"""The sentences of the evidence in the order in which they answer a part of a question."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from local_rag.generate.score import Features, Query
    from local_rag.generate.units import Unit


@dataclass(frozen=True, slots=True)
class Ranked:
    """A unit with its features and their weighted sum."""

    unit: Unit
    features: Features
    value: float


@dataclass(frozen=True, slots=True)
class Ranking:
    """The units for one part of a question, best first.

    Attributes:
        is_embedded: whether the features hold cosines.
    """

    query: Query
    rows: tuple[Ranked, ...]
    is_embedded: bool


def ranked(
    units: Sequence[Unit], found: Sequence[Features], weights: Features
) -> tuple[Ranked, ...]:
    """The units that can be quoted, by falling value; ties by the passage's rank, then by place."""
    rows = [
        Ranked(unit, features, sum(w * f for w, f in zip(weights, features, strict=True)))
        for unit, features in zip(units, found, strict=True)
        if unit.kind not in ("heading", "noise")
    ]
    rows.sort(key=lambda row: (-row.value, row.unit.evidence_index, row.unit.place))
    return tuple(rows)
