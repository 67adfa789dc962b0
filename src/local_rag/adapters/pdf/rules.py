"""The straight lines and filled boxes that a page draws, and the grids that they make."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    Box = tuple[float, float, float, float]

_THIN_PT = 3.0
_MIN_RULE_PT = 5.0
_SNAP_PT = 2.0
_GAP_PT = 3.0
_SAME_EDGE_PT = 4.0
_WHITE = 0xFFFFFF
# More drawing than this is a map or a plot; a grid of 60 by 30 single cells has 7,200 sides.
_MAX_VECTORS = 20_000
_MAX_RULES = 1_500
# What makes a page look ruled at a glance.
_LONG_PT = 30.0
_FEW_RULES = 4


class Rule(NamedTuple):
    """A straight line: where it lies, and from where to where it goes."""

    at: float
    start: float
    end: float


@dataclass(slots=True)
class Frame:
    """Rules that belong together.

    Attributes:
        across: level rules, from top to bottom.
        down: upright rules, from left to right; empty where only level ones are drawn.
    """

    x0: float
    y0: float
    x1: float
    y1: float
    across: list[Rule]
    down: list[Rule]


class TooMuchDrawn(Exception):
    """The page has more lines than can be looked at in time."""


class Drawing(NamedTuple):
    """What a page draws, in the page's own coordinates.

    Attributes:
        boxes: upright rectangles and level or upright lines.
        others: boxes around all else: curves, slanted lines.
    """

    boxes: list[Box]
    others: list[Box]


def read_drawing(page: Any) -> Drawing:
    """What a ``pymupdf.Page`` draws.

    Raises:
        TooMuchDrawn
    """
    import pymupdf

    flags = pymupdf.TEXT_COLLECT_VECTORS | pymupdf.TEXT_MEDIABOX_CLIP
    text_page = page.get_textpage(flags=flags)
    width, height = page.cropbox.width, page.cropbox.height
    drawing = Drawing([], [])
    for block in text_page.extractDICT()["blocks"]:
        if block["type"] != 3 or not block["alpha"]:
            continue
        x0, y0, x1, y1 = block["bbox"]
        if not block["isrect"]:
            drawing.others.append((x0, y0, x1, y1))
            continue
        thick = min(x1 - x0, y1 - y0) > _THIN_PT
        if thick and block["color"] == _WHITE and not block["stroked"]:
            continue  # paper, as word processors draw it under text
        if (x1 - x0) > 0.95 * width and (y1 - y0) > 0.95 * height:
            continue
        drawing.boxes.append((x0, y0, x1, y1))
        if len(drawing.boxes) > _MAX_VECTORS:
            raise TooMuchDrawn
    return drawing


def frames_of(boxes: Iterable[Box]) -> list[Frame]:
    """The frames that boxes and lines make, from top to bottom.

    Raises:
        TooMuchDrawn
    """
    across, down = [], []
    for x0, y0, x1, y1 in boxes:
        wide, high = x1 - x0, y1 - y0
        if high <= _THIN_PT:
            across.append(Rule((y0 + y1) / 2, x0, x1))
        elif wide <= _THIN_PT:
            down.append(Rule((x0 + x1) / 2, y0, y1))
        else:
            across += [Rule(y0, x0, x1), Rule(y1, x0, x1)]
            down += [Rule(x0, y0, y1), Rule(x1, y0, y1)]
    level, upright = _merged(across), _merged(down)
    if len(level) + len(upright) > _MAX_RULES:
        raise TooMuchDrawn
    frames = [_frame(hs, vs) for hs, vs in _connected(level, upright)]
    return sorted(frames, key=lambda frame: (frame.y0, frame.x0))


def _merged(rules: list[Rule]) -> list[Rule]:
    """Rules on one line that touch become one; what is too short then is dropped."""
    rules.sort()
    made: list[Rule] = []
    group: list[Rule] = []
    for rule in [*rules, Rule(float("inf"), 0, 0)]:
        if group and rule.at - group[0].at > _SNAP_PT:
            at = sum(r.at for r in group) / len(group)
            for start, end in _joined((r.start, r.end) for r in group):
                if end - start >= _MIN_RULE_PT:
                    made.append(Rule(at, start, end))
            group = []
        group.append(rule)
    return made


def _joined(spans: Iterable[tuple[float, float]]) -> list[tuple[float, float]]:
    joined: list[tuple[float, float]] = []
    for start, end in sorted(spans):
        if joined and start <= joined[-1][1] + _GAP_PT:
            joined[-1] = joined[-1][0], max(end, joined[-1][1])
        else:
            joined.append((start, end))
    return joined


def _connected(across: list[Rule], down: list[Rule]) -> list[tuple[list[Rule], list[Rule]]]:
    """Groups of rules that cross or meet; level rules alone are grouped by where they begin and
    end.
    """
    owner = list(range(len(across) + len(down)))

    def root(i: int) -> int:
        while owner[i] != i:
            owner[i] = owner[owner[i]]
            i = owner[i]
        return i

    places = [rule.at for rule in down]
    for i, rule in enumerate(across):
        first = bisect_left(places, rule.start - _GAP_PT)
        last = bisect_right(places, rule.end + _GAP_PT)
        for k in range(first, last):
            if down[k].start - _GAP_PT <= rule.at <= down[k].end + _GAP_PT:
                owner[root(i)] = root(len(across) + k)
    groups: dict[int, tuple[list[Rule], list[Rule]]] = {}
    for i, rule in enumerate(across):
        groups.setdefault(root(i), ([], []))[0].append(rule)
    for k, rule in enumerate(down):
        groups.setdefault(root(len(across) + k), ([], []))[1].append(rule)
    made = [group for group in groups.values() if group[1] and group[0]]
    alone: list[list[Rule]] = []
    for rule in sorted(h for hs, vs in groups.values() if not vs for h in hs):
        for other in alone:
            if abs(other[0].start - rule.start) < 6 and abs(other[0].end - rule.end) < 6:
                other.append(rule)
                break
        else:
            alone.append([rule])
    return made + [(hs, []) for hs in alone if len(hs) > 1]


def _frame(across: list[Rule], down: list[Rule]) -> Frame:
    across, down = sorted(across), sorted(down)
    x0 = min(*(r.start for r in across), *(r.at for r in down), across[0].start)
    x1 = max(*(r.end for r in across), *(r.at for r in down), across[0].end)
    y0 = min(*(r.at for r in across), *(r.start for r in down), across[0].at)
    y1 = max(*(r.at for r in across), *(r.end for r in down), across[0].at)
    return Frame(x0, y0, x1, y1, across, down)


def edges(places: Iterable[float], low: float, high: float) -> list[float]:
    """Borders between ``low`` and ``high``, both included; those too close together are one."""
    found = [low]
    for place in sorted(places):
        if place - found[-1] >= _SAME_EDGE_PT and high - place >= _SAME_EDGE_PT:
            found.append(place)
    return [*found, high]


def covers(rules: Sequence[Rule], at: float, start: float, end: float) -> bool:
    """Whether a rule is drawn along most of ``start`` to ``end`` at this place."""
    drawn = sum(
        max(0.0, min(rule.end, end) - max(rule.start, start))
        for rule in rules
        if abs(rule.at - at) < _SAME_EDGE_PT
    )
    return drawn > 0.6 * (end - start)


def slot(borders: Sequence[float], place: float) -> int:
    """Which of the spaces between borders holds the place; the nearest if none does."""
    return min(max(bisect_right(borders, place) - 1, 0), len(borders) - 2)


def narrowest(borders: Sequence[float]) -> float:
    """The least distance between neighbouring borders."""
    return min(b - a for a, b in pairwise(borders))


def is_ruled(page: Any) -> bool:
    """Whether straight lines or boxes are drawn on the page, as around the rows of a table."""
    rules = 0
    for drawing in page.get_cdrawings():
        for kind, *points in drawing.get("items", ()):
            if kind == "l":
                (x0, y0), (x1, y1) = points[:2]
            elif kind == "re":
                x0, y0, x1, y1 = points[0]
            else:
                continue
            long, short = max(abs(x1 - x0), abs(y1 - y0)), min(abs(x1 - x0), abs(y1 - y0))
            rules += long >= _LONG_PT and (kind == "re" or short < 2)
    return rules >= _FEW_RULES
