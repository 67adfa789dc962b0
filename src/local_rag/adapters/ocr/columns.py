"""Columns of what was found in a picture, which has no order of drawing to go by.

``pdf.order`` trusts the order in which a file draws its text. A picture's lines are given row by
row, so that columns must be told apart before: where a strip of white parts lines on both sides
that look like running text, for as long as no line crosses it.
"""

from __future__ import annotations

from itertools import pairwise
from statistics import median
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from local_rag.adapters.pdf.lines import Line

_MIN_LINES = 4
_MIN_WORDS = 3
_MIN_SUPPORT = 3
_MIN_FILLED = 0.5
_MIN_BESIDE = 0.5
_DEEPEST = 3
_PARTED = 0.6  # of a line's height: white above what follows the columns

T = TypeVar("T")


def in_columns(
    rows: Sequence[Sequence[T]], line_of: Callable[[T], Line], depth: int = 0
) -> list[T]:
    """The items of the rows, columns one after the other.

    Args:
        rows: from top to bottom, each from left to right, boxes of one reading frame.
        line_of: the line of an item.
    """
    items = [item for row in rows for item in row]
    if depth >= _DEEPEST:
        return items
    for gutter in _gutters([[line_of(item) for item in row] for row in rows]):
        for start, end in _uncrossed(rows, gutter, line_of):
            band = [item for row in rows[start:end] for item in row]
            sides = [[i for i in band if _is_right(line_of(i), gutter) == s] for s in (False, True)]
            if not _beside([line_of(i) for i in sides[0]], [line_of(i) for i in sides[1]]):
                continue
            ordered = in_columns(rows[:start], line_of, depth)
            for side in (False, True):
                part = [
                    [i for i in r if _is_right(line_of(i), gutter) == side] for r in rows[start:end]
                ]
                ordered += in_columns([row for row in part if row], line_of, depth + 1)
            return ordered + in_columns(rows[end:], line_of, depth)
    return items


def _gutters(rows: Sequence[Sequence[Line]]) -> list[float]:
    """Places between neighbours of a row, those that part most rows first."""
    gaps = [(a.x1, b.x0) for row in rows for a, b in pairwise(row) if b.x0 > a.x1]
    support = {
        (left + right) / 2: sum(a < (left + right) / 2 < b for a, b in gaps) for left, right in gaps
    }
    places = sorted((x for x in support if support[x] >= _MIN_SUPPORT), key=lambda x: -support[x])
    chosen: list[float] = []
    for place in places:
        if all(abs(place - other) > 10 for other in chosen):
            chosen.append(place)
    return chosen[:4]


def _is_right(line: Line, gutter: float) -> bool:
    return line.x0 + line.x1 > 2 * gutter


def _uncrossed(
    rows: Sequence[Sequence[T]], gutter: float, line_of: Callable[[T], Line]
) -> list[tuple[int, int]]:
    """Stretches of rows that leave the gutter free, without what only follows them."""
    found: list[tuple[int, int]] = []
    start = 0
    for at in range(len(rows) + 1):
        if at < len(rows) and not any(_crosses(line_of(i), gutter) for i in rows[at]):
            continue
        if at - start >= _MIN_LINES:
            stretch = [[line_of(i) for i in row] for row in rows[start:at]]
            found.append((start, start + _joint(stretch, gutter)))
        start = at + 1
    return found


def _crosses(line: Line, gutter: float) -> bool:
    margin = line.size / 2
    return line.x0 < gutter - margin and line.x1 > gutter + margin


def _joint(rows: Sequence[Sequence[Line]], gutter: float) -> int:
    """How many rows until only one side goes on, and that after more white than between lines."""
    last = dict.fromkeys((False, True), -1)
    for at, row in enumerate(rows):
        for line in row:
            last[_is_right(line, gutter)] = at
    for at in range(max(0, min(last.values())) + 1, len(rows)):
        above = max(line.y1 for row in rows[:at] for line in row)
        if min(line.y0 for line in rows[at]) - above > _PARTED * (rows[at][0].y1 - rows[at][0].y0):
            return at
    return len(rows)


def _beside(left: Sequence[Line], right: Sequence[Line]) -> bool:
    """Whether both are running text, one beside the other."""
    if not (_is_running_text(left) and _is_running_text(right)):
        return False
    tops = [min(line.y0 for line in side) for side in (left, right)]
    feet = [max(line.y1 for line in side) for side in (left, right)]
    shorter = min(feet[0] - tops[0], feet[1] - tops[1])
    return min(feet) - max(tops) >= _MIN_BESIDE * shorter


def _is_running_text(lines: Sequence[Line]) -> bool:
    if len(lines) < _MIN_LINES or median(len(line.pieces) for line in lines) < _MIN_WORDS:
        return False
    full = max(line.x1 for line in lines) - min(line.x0 for line in lines)
    return median(line.x1 - line.x0 for line in lines) >= _MIN_FILLED * full
