"""Lists in the evidence: a procedure is answered with all its steps, in order."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from local_rag.generate.units import display

if TYPE_CHECKING:
    from collections.abc import Sequence

    from local_rag.generate.units import Unit
    from local_rag.model.evidence import Evidence

_NUMBERED = re.compile(r"\(?\w{1,3}[.)]\s")
_LEAST_ITEMS = 2
_MOST_ITEMS = 20


@dataclass(frozen=True, slots=True)
class Item:
    """One item: ``evidence.chunk.text[start:end]`` and how it is shown."""

    start: int
    end: int
    text: str


@dataclass(frozen=True, slots=True)
class ItemList:
    """A run of list items of one passage.

    Attributes:
        lead: the unit that stands right before it, or ``None`` at the passage's start.
    """

    evidence_index: int
    lead: Unit | None
    units: tuple[Unit, ...]
    items: tuple[Item, ...]
    numbered: bool


def lists_of(units: Sequence[Unit], evidence: Sequence[Evidence]) -> list[ItemList]:
    """Every list of at least two items. Code that follows an item belongs to it."""
    found = []
    i = 0
    while i < len(units):
        if units[i].kind != "item":
            i += 1
            continue
        first = i
        while i < len(units) and _goes_on(units, first, i):
            i += 1
        run = list(units[first:i])
        while run and run[-1].kind not in ("item", "code"):
            run.pop()
        lead = units[first - 1] if first and _same(units[first - 1], units[first]) else None
        listed = _list(run, lead, evidence)
        if listed is not None:
            found.append(listed)
    return found


def _same(left: Unit, right: Unit) -> bool:
    return left.evidence_index == right.evidence_index


def _goes_on(units: Sequence[Unit], first: int, i: int) -> bool:
    unit = units[i]
    return _same(units[first], unit) and (
        unit.kind in ("item", "code") or (unit.kind == "prose" and _begins_inside(unit, units[i - 1]))
    )


def _begins_inside(unit: Unit, before: Unit) -> bool:
    """A further sentence of a long item: it stands on the line where the one before it ends."""
    return before.kind == "item" and unit.start - before.end == 1


def _list(run: list[Unit], lead: Unit | None, evidence: Sequence[Evidence]) -> ItemList | None:
    items: list[Item] = []
    text = evidence[run[0].evidence_index].chunk.text
    for unit in run:
        start = unit.start if unit.kind == "item" or not items else items.pop().start
        items.append(Item(start, unit.end, display(text[start : unit.end])))
    if not _LEAST_ITEMS <= len(items) <= _MOST_ITEMS:
        return None
    numbered = all(_NUMBERED.match(text[item.start : item.end]) for item in items)
    return ItemList(run[0].evidence_index, lead, tuple(run), tuple(items), numbered)
