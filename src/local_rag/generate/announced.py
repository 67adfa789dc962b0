"""A sentence that only announces others: "Three limitations should be kept in mind."."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from local_rag.generate.series import series_in

if TYPE_CHECKING:
    from collections.abc import Sequence

    from local_rag.generate.score import Query
    from local_rag.generate.units import Unit
    from local_rag.model.evidence import Evidence

_COUNTS = {
    "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "zwei": 2, "drei": 3, "vier": 4,
    "fünf": 5, "sechs": 6, "deux": 2, "trois": 3, "quatre": 4, "cinq": 5, "dos": 2, "tres": 3,
    "cuatro": 4, "cinco": 5, "dois": 2, "duas": 2, "três": 3, "quatro": 4, "due": 2, "tre": 3,
    "quattro": 4, "cinque": 5, "several": 4, "mehrere": 4, "plusieurs": 4, "varios": 4,
    "varias": 4, "vários": 4, "várias": 4, "diversi": 4, "diverse": 4,
    **{str(n): n for n in range(2, 7)},
}  # fmt: skip
_WORD = re.compile(r"[^\W_]+")
_NOUN_WITHIN = 3  # words after the count: "three further known limitations"
_LONGEST_WORDS = 16


def announced_by(
    unit: Unit, query: Query, units: Sequence[Unit], evidence: Sequence[Evidence]
) -> list[Unit]:
    """The sentences after one that counts what is asked for and says none of it, in order.

    They are of its paragraph, and no more than it counts; empty where it announces nothing.
    """
    if unit.kind != "prose" or query.kind in ("number", "when"):
        return []
    text = evidence[unit.evidence_index].chunk.text
    most = _announced_count(text[unit.start : unit.end], query)
    found: list[Unit] = []
    if not most:
        return found
    end, place = unit.end, unit.place
    for other in units:
        if (other.evidence_index, other.place) != (unit.evidence_index, place + 1):
            continue
        between = text[end : other.start]
        if len(found) == most or other.kind != "prose" or other.cut or "\n\n" in between:
            break
        found.append(other)
        end, place = other.end, other.place
    return found


def _announced_count(sentence: str, query: Query) -> int:
    """How many of what the question asks for the sentence says that there are; 0 for none."""
    words = [word.casefold() for word in _WORD.findall(sentence)]
    if len(words) > _LONGEST_WORDS or series_in(sentence) or ":" in sentence:
        return 0
    for i, word in enumerate(words):
        nouns = words[i + 1 : i + 1 + _NOUN_WITHIN]
        if word in _COUNTS and any(_is_asked(noun, query) for noun in nouns):
            return _COUNTS[word]
    return 0


def _is_asked(noun: str, query: Query) -> bool:
    return any(noun == term.surface.casefold() for term in query.terms if not term.named)
