"""Lists in the evidence: a procedure is answered with all its steps, in order."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from local_rag.generate.units import display
from local_rag.model.answer import Claim, Support

if TYPE_CHECKING:
    from collections.abc import Sequence

    from local_rag.generate.units import Unit
    from local_rag.model.evidence import Evidence

_NUMBERED = re.compile(r"\(?\w{1,3}[.)]\s")
_ANNOUNCES = re.compile(
    r"\b(?:following|below|as follows|folgend\w*|nachstehend\w*|suivant\w*|ci-dessous|siguientes?"
    r"|seguintes?|seguent[ei])\b|以下|下列|如下",
    re.IGNORECASE,
)
_ENDED = re.compile(r"[.!?。！？؟۔][\"'”’»)\]]*$")
_LEAST_ITEMS = 2
_MOST_ITEMS = 20
_GAP_CHARS = 3  # line ends between two items


@dataclass(frozen=True, slots=True)
class Item:
    """One item: ``evidence.chunk.text[start:end]`` and how it is shown."""

    evidence_index: int
    start: int
    end: int
    text: str


@dataclass(frozen=True, slots=True)
class ItemList:
    """A run of list items of one passage.

    Attributes:
        lead: the unit right before it, if it leads up to a list; ``None`` where nothing does.
        heading: the last heading before it in its passage.
    """

    evidence_index: int
    lead: Unit | None
    heading: Unit | None
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
        before = units[first - 1] if first and _same(units[first - 1], units[first]) else None
        lead = before if before is not None and _leads(before) else None
        heading = next(
            (u for u in reversed(units[:first]) if _same(u, units[first]) and u.kind == "heading"),
            None,
        )
        found.append(_list(run, lead, heading, evidence))
    return [
        listed
        for listed in _joined(found, evidence)
        if _LEAST_ITEMS <= len(listed.items) <= _MOST_ITEMS
    ]


def _joined(lists: list[ItemList], evidence: Sequence[Evidence]) -> list[ItemList]:
    """Puts together the halves of a list that two passages share."""

    def stretch(listed: ItemList) -> tuple[str, int, int, int]:
        first = evidence[listed.items[0].evidence_index].chunk
        last = evidence[listed.items[-1].evidence_index].chunk
        start = first.start + listed.items[0].start
        return first.document_id, first.page_number, start, last.start + listed.items[-1].end

    joined: list[ItemList] = []
    for listed in sorted(lists, key=stretch):
        if joined and listed.lead is None and listed.numbered == joined[-1].numbered:
            document, page, start, _ = stretch(listed)
            before = stretch(joined[-1])
            if before[:2] == (document, page) and 0 <= start - before[3] <= _GAP_CHARS:
                units, items = joined[-1].units + listed.units, joined[-1].items + listed.items
                joined[-1] = replace(joined[-1], units=units, items=items)
                continue
        joined.append(listed)
    return sorted(joined, key=lambda listed: listed.evidence_index)


def _leads(unit: Unit) -> bool:
    """Whether it is open at its end, or says that a list follows; else it only stands there."""
    return _ENDED.search(unit.text) is None or _ANNOUNCES.search(unit.text) is not None


def _same(left: Unit, right: Unit) -> bool:
    return left.evidence_index == right.evidence_index


def _goes_on(units: Sequence[Unit], first: int, i: int) -> bool:
    unit = units[i]
    return _same(units[first], unit) and (
        unit.kind in ("item", "code")
        or (unit.kind == "prose" and _begins_inside(unit, units[i - 1]))
    )


def _begins_inside(unit: Unit, before: Unit) -> bool:
    """A further sentence of a long item: it stands on the line where the one before it ends."""
    return before.kind == "item" and unit.start - before.end == 1


def _list(
    run: list[Unit], lead: Unit | None, heading: Unit | None, evidence: Sequence[Evidence]
) -> ItemList:
    items: list[Item] = []
    index = run[0].evidence_index
    text = evidence[index].chunk.text
    for unit in run:
        start = unit.start if unit.kind == "item" or not items else items.pop().start
        items.append(Item(index, start, unit.end, display(text[start : unit.end])))
    numbered = all(_NUMBERED.match(text[item.start : item.end]) for item in items)
    return ItemList(index, lead, heading, tuple(run), tuple(items), numbered)


def with_what_leads(
    claims: Sequence[Claim], lists: Sequence[ItemList], evidence: Sequence[Evidence]
) -> tuple[Claim, ...]:
    """The claims, those that are an item which is no sentence told with what stands over its list.

    "Dogs off the lead" says one thing under "Forbidden" and another one under "Allowed".
    """
    items = {
        (evidence[unit.evidence_index].chunk.chunk_id, unit.start): listed
        for listed in lists
        for unit in listed.units
        if unit.kind == "item" and _ENDED.search(unit.text) is None
    }

    def told(claim: Claim) -> Claim:
        at = claim.supports[0]
        listed = items.get((at.chunk_id, at.start))
        if listed is None:
            return claim
        above = listed.lead or listed.heading
        if above is not None:
            support = Support(at.chunk_id, above.start, above.end)
            over, supports = above.text, (support, *claim.supports)
        else:
            path = evidence[listed.evidence_index].chunk.heading_path
            over, supports = path[-1] if path else "", claim.supports
        over = over.rstrip(" :：")
        return Claim(f"{over}: {claim.text}", supports, claim.part) if over else claim

    return tuple(told(claim) for claim in claims)
