"""Reading order: columns one after the other where there are columns, else as MuPDF has it.

MuPDF keeps the order in which a file draws its text, which is right for nearly every program that
writes columns. So the order is changed only on strong evidence: a strip of white between two
sides that both look like running text. A table is left alone.
"""

from __future__ import annotations

from itertools import groupby, pairwise
from statistics import median
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from local_rag.adapters.pdf.lines import Line

_MIN_LINES = 5
_MIN_GUTTER_PT = 6.0
_OBLIQUE = 4


def reading_order(lines: Sequence[Line], is_ruled: Callable[[], bool]) -> list[Line]:
    """The lines of a page in reading order.

    Lines that run in another direction than most of the page's text come last (a stamp in the
    margin); those that lie oblique (a watermark) after them.

    Args:
        lines: of one page, as MuPDF has them.
        is_ruled: whether the page shows the rules of a table; asked only where it matters.
    """
    weight: dict[int, int] = {}
    for line in lines:
        weight[line.direction] = weight.get(line.direction, 0) + line.chars
    directions = sorted(weight, key=lambda d: (d == _OBLIQUE, -weight[d], d))
    ordered: list[Line] = []
    for direction in directions:
        alike = [line for line in lines if line.direction == direction]
        ordered += _by_columns(alike, is_ruled)
    return ordered


def _by_columns(lines: list[Line], is_ruled: Callable[[], bool], depth: int = 0) -> list[Line]:
    if len(lines) < 2 * _MIN_LINES or depth > 3:
        return lines
    for left, right in _gutters(lines):
        sides = [_side(line, left, right) for line in lines]
        if _is_two_columns(lines, sides, is_ruled):
            break
    else:
        return lines
    ordered: list[Line] = []
    for spanning, band in _bands(lines, sides):
        if spanning or _keeps_order(band):
            ordered += [line for line, _ in band]
        else:
            for wanted in (-1, 1):
                column = [line for line, side in band if side == wanted]
                ordered += _by_columns(column, is_ruled, depth + 1)
    return ordered


def _gutters(lines: list[Line]) -> list[tuple[float, float]]:
    """Upright strips that few lines cross, the most central first."""
    x_min = min(line.x0 for line in lines)
    x_max = max(line.x1 for line in lines)
    width = int(x_max - x_min) + 1
    if width > 5000:
        return []
    steps = [0] * (width + 1)
    for line in lines:
        steps[int(line.x0 - x_min)] += 1
        steps[min(int(line.x1 - x_min) + 1, width)] -= 1
    crossing, cover = 0, []
    for step in steps[:-1]:
        crossing += step
        cover.append(crossing)
    limit = max(cover) * 0.2
    found = []
    at = 0
    for low, strip in groupby(cover, key=lambda count: count <= limit):
        length = len(list(strip))
        if low and length >= _MIN_GUTTER_PT and width * 0.15 < at + length / 2 < width * 0.85:
            # The strip is as wide as the white of its least crossed part.
            found.append((x_min + at, x_min + at + length))
        at += length
    centre = x_min + width / 2
    return sorted(found, key=lambda g: abs((g[0] + g[1]) / 2 - centre))


def _side(line: Line, left: float, right: float) -> int:
    """-1 left of the gutter, 1 right of it, 0 across it."""
    margin = max(10.0, line.size)
    if line.x0 < left - margin and line.x1 > right + margin:
        return 0
    return -1 if line.x0 + line.x1 < left + right else 1


def _is_two_columns(lines: list[Line], sides: list[int], is_ruled: Callable[[], bool]) -> bool:
    left = [line for line, side in zip(lines, sides, strict=True) if side < 0]
    right = [line for line, side in zip(lines, sides, strict=True) if side > 0]
    if not (_is_running_text(left) and _is_running_text(right)):
        return False
    top, bottom = max(_top(left), _top(right)), min(_bottom(left), _bottom(right))
    shorter = min(_bottom(left) - _top(left), _bottom(right) - _top(right))
    if bottom - top < 0.4 * shorter:
        return False
    # How often the drawing goes from one side to the other, as a share of the most it could.
    share = _switches(sides) / (2 * min(len(left), len(right)))
    if share <= 0.2:
        return True  # drawn column by column
    # With nearly every line: columns drawn across, unless rules say that it is a table. In
    # between: a table's cells of several lines, one after the other.
    return share >= 0.8 and not is_ruled()


def _is_running_text(lines: list[Line]) -> bool:
    if len(lines) < _MIN_LINES:
        return False
    words = median(len(line.pieces) for line in lines)
    if words < (2 if len(lines) >= 2 * _MIN_LINES else 3):
        return False
    widths = sorted(line.x1 - line.x0 for line in lines)
    full = widths[int(len(widths) * 0.95)] or 1.0
    if median(widths) < 0.55 * full:
        return False
    figures = sum(not any(c.isalpha() for c in line.text) for line in lines)
    return figures <= 0.2 * len(lines)


def _top(lines: list[Line]) -> float:
    return min(line.y0 for line in lines)


def _bottom(lines: list[Line]) -> float:
    return max(line.y1 for line in lines)


def _switches(sides: Iterable[int]) -> int:
    seen = [side for side in sides if side]
    return sum(a != b for a, b in pairwise(seen))


def _bands(lines: list[Line], sides: list[int]) -> list[tuple[bool, list[tuple[Line, int]]]]:
    """Parts of the page from top to bottom: what spans the columns, what lies between.

    Within a band the order of drawing is kept.
    """
    number = {id(line): i for i, line in enumerate(lines)}
    spans = sorted((line.y0 + line.y1) / 2 for line, s in zip(lines, sides, strict=True) if not s)

    def level(line: Line, side: int) -> float:
        middle = (line.y0 + line.y1) / 2
        above = sum(y < middle for y in spans)
        return above if not side else above - 0.5

    levels: dict[float, list[tuple[Line, int]]] = {}
    for line, side in zip(lines, sides, strict=True):
        levels.setdefault(level(line, side), []).append((line, side))
    bands: list[tuple[bool, list[tuple[Line, int]]]] = []
    for key in sorted(levels):
        spanning = key == int(key)
        if bands and spanning and bands[-1][0]:
            bands[-1][1].extend(levels[key])
        else:
            bands.append((spanning, levels[key]))
    for spanning, band in bands:
        if spanning:
            band.sort(key=lambda pair: number[id(pair[0])])
    return bands


def _keeps_order(band: list[tuple[Line, int]]) -> bool:
    """Whether this part of the page shows too little evidence of columns."""
    left = [line for line, side in band if side < 0]
    right = [line for line, side in band if side > 0]
    return not (_is_running_text(left) and _is_running_text(right))
