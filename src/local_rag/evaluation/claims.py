"""The statements of a published answer, as a reader sees them: text up to its markers."""

from __future__ import annotations

import re
from dataclasses import dataclass

_ITEM = re.compile(r"^\s*(?:[-*•]|\d+\.)\s+")
_MARKERS = re.compile(r"(?:\s*\[\d+\])+")
_NUMBER = re.compile(r"\[(\d+)\]")
_WORD = re.compile(r"[^\W_]")


@dataclass(frozen=True, slots=True)
class Stated:
    """A statement and the numbers of what it cites, each once; none where it cites nothing."""

    text: str
    numbers: tuple[int, ...]


def stated(answer: str) -> list[Stated]:
    """The statements of an answer's text, in order.

    Each runs to the markers after it. What no marker follows, up to the line's end, is a statement
    that cites nothing; what has no word is none.
    """
    found = []
    for line in answer.split("\n"):
        text = _ITEM.sub("", line, count=1)
        at = 0
        for markers in _MARKERS.finditer(text):
            numbers = tuple(dict.fromkeys(map(int, _NUMBER.findall(markers.group()))))
            found.append(Stated(_cleaned(text[at : markers.start()]), numbers))
            at = markers.end()
        found.append(Stated(_cleaned(text[at:]), ()))
    return [one for one in found if _WORD.search(one.text)]


def without_markers(answer: str) -> str:
    """The text of an answer without what numbers its sources."""
    return _MARKERS.sub("", answer)


def _cleaned(text: str) -> str:
    """Without the mark that ends the statement before, where the marker stood before it."""
    return re.sub(r"^[.,;:]+\s+", "", text.strip()).strip()
