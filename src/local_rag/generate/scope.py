"""Which sentences are of the range that a question asks about: "above 250", "all other repairs"."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from local_rag.generate.units import display

if TYPE_CHECKING:
    from collections.abc import Sequence

    from local_rag.generate.units import Unit
    from local_rag.model.evidence import Evidence

_NUMBER = r"\s+(?:(?:a|the|an) (?:total|maximum|amount|value) of\s+)?[€$£]?\s?(\d+(?:[.,]\d+)*)"
_ABOVE = re.compile(
    r"\b(?<!not )(?<!no )(?<!nicht )(?<!pas )(?<!no más de )"
    r"(?:above|over|exceeding|beyond|more than|greater than|higher than|in excess of|über|mehr als"
    r"|oberhalb von|au-delà de|plus de|supérieure?s? à|más de|superior(?:es)? a|mais de|più di"
    rf"|oltre){_NUMBER}",
    re.IGNORECASE,
)
_UP_TO = re.compile(
    r"\b(?:up to|at most|no more than|not more than|not over|not exceeding|below|under|less than"
    r"|a maximum of|bis zu|höchstens|maximal|nicht mehr als|unter|weniger als|jusqu'à|au plus"
    r"|moins de|pas plus de|hasta|como máximo|menos de|até|no máximo|fino a|al massimo|meno di)"
    rf"{_NUMBER}",
    re.IGNORECASE,
)
_ALL_OTHERS = re.compile(
    r"(?:(?:all|any|every)\s+(?:the\s+)?(?:others?|remaining|further)|other|others|otherwise"
    r"|anything else|everything else|beyond|above|alle\s+(?:anderen|übrigen|sonstigen|weiteren)"
    r"|darüber|andernfalls|sonst|tou(?:te)?s les autres|au-delà|tod[oa]s l[oa]s demás"
    r"|tutt[ei] (?:le|gli) altr[ei]|tod[oa]s (?:os|as) outr[oa]s)\b",
    re.IGNORECASE,
)
_OTHER = re.compile(
    r"\b(?:other|remaining|anderen?|übrigen?|sonstigen?|autres|demás|altr[ei]|outr[oa]s)\s+(\w+)",
    re.IGNORECASE,
)


def within_scope(
    question: str, units: Sequence[Unit], evidence: Sequence[Evidence]
) -> Sequence[Unit]:
    """The units without those that speak of the opposite range.

    Where one of them is followed by what holds for all others, the two stay as one unit: only
    together they say it.

    Args:
        units: ordered by passage and place.
    """
    above, up_to = _numbers(_ABOVE, question), _numbers(_UP_TO, question)
    other = {match[1].casefold() for match in _OTHER.finditer(question)}
    if not (above or up_to or other):
        return units
    kept: list[Unit] = []
    for unit in units:
        before = kept[-1] if kept else None
        if before is not None and _completes(before, unit) and _is_opposite(before, above, up_to):
            kept[-1] = _together(before, unit, evidence)
        else:
            kept.append(unit)
    kept = [unit for unit in kept if not _is_opposite(unit, above, up_to)]
    return _of_the_others(other, kept) if other else kept


def _numbers(pattern: re.Pattern[str], text: str) -> frozenset[str]:
    return frozenset(pattern.findall(text))


def _is_opposite(unit: Unit, above: frozenset[str], up_to: frozenset[str]) -> bool:
    """Whether it bounds the number that is asked about from the other side alone."""
    if _has_rest(unit):
        return False
    says_above, says_up_to = _numbers(_ABOVE, unit.text), _numbers(_UP_TO, unit.text)
    return bool((above & says_up_to) - says_above or (up_to & says_above) - says_up_to)


def _has_rest(unit: Unit) -> bool:
    return any(_ALL_OTHERS.match(unit.text, m.end()) for m in re.finditer(r"[.;]\s+", unit.text))


def _completes(before: Unit, unit: Unit) -> bool:
    return (
        (before.evidence_index, before.place + 1) == (unit.evidence_index, unit.place)
        and before.kind == unit.kind == "prose"
        and _ALL_OTHERS.match(unit.text) is not None
    )


def _together(before: Unit, unit: Unit, evidence: Sequence[Evidence]) -> Unit:
    text = evidence[unit.evidence_index].chunk.text[before.start : unit.end]
    tokens, cut = before.tokens + unit.tokens, before.cut or unit.cut
    return replace(before, end=unit.end, text=display(text), tokens=tokens, cut=cut)


def _of_the_others(nouns: set[str], units: list[Unit]) -> list[Unit]:
    """Where a unit says what holds for "all other repairs": without what it says of some repairs.

    That are the units of its passage that hold the noun and not the other word.
    """
    saying = {
        (unit.evidence_index, match[1].casefold())
        for unit in units
        for match in _OTHER.finditer(unit.text)
        if match[1].casefold() in nouns
    }

    def is_of_some(unit: Unit) -> bool:
        held = unit.text.casefold()
        said = {match[1].casefold() for match in _OTHER.finditer(unit.text)}
        return any(
            index == unit.evidence_index and noun in held and noun not in said
            for index, noun in saying
        )

    return [unit for unit in units if not is_of_some(unit)]
