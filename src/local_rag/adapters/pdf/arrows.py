"""Which boxes of a diagram are joined by its strokes, and which way the arrows point."""

from __future__ import annotations

from itertools import pairwise
from math import dist, hypot
from typing import TYPE_CHECKING, NamedTuple

from local_rag.adapters.pdf.shapes import (
    Near,
    box_around,
    centroid,
    distance_to_box,
    distance_to_path,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from local_rag.adapters.pdf.shapes import Area, Path, Point
    from local_rag.adapters.pdf.sheet import Box

# White between a box and the arrow that belongs to it.
_REACH_PT = 8.0
# White between the strokes of one connector, between a stroke and its head.
_JOINT_PT = 1.5
_HEAD_PT = 3.0
_MAX_BARB_PT = 20.0
# Cosine between a barb and the stroke: 15 to 75 degrees.
_BARB = (0.25, 0.97)
# How far the centre of a head lies from its middle, as a share of its length: 1/6 in a triangle.
_UNEVEN = 0.04


class Join(NamedTuple):
    """A connector between two boxes, each named by its number.

    Attributes:
        heads: 0 a plain line, 1 an arrow from ``start`` to ``end``, 2 one with two heads.
        paths: the strokes it is made of.
    """

    start: int
    end: int
    heads: int
    paths: tuple[Path, ...]


class _End(NamedTuple):
    stroke: int
    tip: Point
    headed: bool
    box: int | None


def joins_of(boxes: Sequence[Box], strokes: Sequence[Path], heads: Sequence[Area]) -> list[Join]:
    """The connectors between different boxes; what is ambiguous is left out.

    Strokes whose free ends lie on each other are one connector: from one box to many, or from many
    to one.
    """
    barbs = [barb for stroke in strokes for barb in _barbs_in(stroke)]
    if len(heads) + len(barbs) < 2:
        return []
    bodies = [_without_barbs(stroke) for stroke in strokes]
    near_heads = Near(((head.box, head) for head in heads), _HEAD_PT)
    near_barbs = Near(((box_around(barb[:1]), barb) for barb in barbs), _HEAD_PT)
    ends: list[_End] = []
    for number, body in enumerate(bodies):
        for path in (body, body[::-1]):
            tip, headed = _tip(path, near_heads, near_barbs)
            ends.append(_End(number, tip, headed, _box_at(tip, boxes)))
    if sum(end.headed and end.box is not None for end in ends) < 2:
        return []
    joins = []
    for net in _nets(bodies, ends):
        paths = tuple(bodies[i] for i in sorted({end.stroke for end in net}))
        joins += _joins_in([end for end in net if end.box is not None], paths)
    return joins


def _joins_in(ends: Sequence[_End], paths: tuple[Path, ...]) -> list[Join]:
    sources = sorted({end.box for end in ends if end.box is not None and not end.headed})
    targets = sorted({end.box for end in ends if end.box is not None and end.headed})
    if not targets:
        return [Join(sources[0], sources[1], 0, paths)] if len(sources) == 2 else []
    if not sources:
        return [Join(targets[0], targets[1], 2, paths)] if len(targets) == 2 else []
    if len(sources) > 1 and len(targets) > 1:
        return []
    return [Join(a, b, 1, paths) for a in sources for b in targets if a != b]


def _nets(bodies: Sequence[Path], ends: Sequence[_End]) -> list[list[_End]]:
    """The ends of the strokes, those of joined strokes together."""
    owner = list(range(len(bodies)))

    def root(i: int) -> int:
        while owner[i] != i:
            i = owner[i]
        return i

    around = [box_around(body) for body in bodies]
    for end in ends:
        if end.box is not None:
            continue
        for other, body in enumerate(bodies):
            if other == end.stroke or distance_to_box(end.tip, around[other]) > _JOINT_PT:
                continue
            if distance_to_path(end.tip, body) <= _JOINT_PT:
                owner[root(other)] = root(end.stroke)
    nets: dict[int, list[_End]] = {}
    for end in ends:
        nets.setdefault(root(end.stroke), []).append(end)
    return list(nets.values())


def _box_at(point: Point, boxes: Sequence[Box]) -> int | None:
    near = [(distance_to_box(point, box), i) for i, box in enumerate(boxes)]
    distance, nearest = min(near, default=(_REACH_PT + 1, 0))
    return nearest if distance <= _REACH_PT else None


def _tip(path: Path, heads: Near[Area], barbs: Near[Path]) -> tuple[Point, bool]:
    """Where the path ends, a head included, and whether it has one."""
    end = path[-1]
    back = next((p for p in reversed(path) if dist(p, end) > _JOINT_PT), path[0])
    length = dist(back, end)
    if not length:
        return end, False
    ahead = (end[0] - back[0]) / length, (end[1] - back[1]) / length
    for head in heads.at(end):
        if distance_to_box(end, head.box) <= _HEAD_PT:
            tip = _tip_of(head, ahead, end)
            if tip is not None:
                return tip, True
    sides = {_barb_side(barb, ahead, end) for barb in barbs.at(end)}
    return end, {-1, 1} <= sides


def _tip_of(head: Area, ahead: Point, end: Point) -> Point | None:
    """The foremost corner of a filled head, unless it points elsewhere or is even, like a dot."""
    along = [x * ahead[0] + y * ahead[1] for x, y in head.corners]
    x, y = centroid(head.corners)
    first, last = min(along), max(along)
    if (first + last) / 2 - (x * ahead[0] + y * ahead[1]) < _UNEVEN * (last - first):
        return None
    tip = head.corners[along.index(last)]
    # Beside the stroke: the head of another one.
    off = abs((tip[0] - end[0]) * ahead[1] - (tip[1] - end[1]) * ahead[0])
    return tip if off <= _HEAD_PT else None


def _barb_side(barb: Path, ahead: Point, end: Point) -> int:
    """On which side of the stroke a short stroke runs back from its end; 0 if it does not."""
    if dist(barb[0], end) > _HEAD_PT:
        return 0
    x, y = barb[1][0] - barb[0][0], barb[1][1] - barb[0][1]
    length = hypot(x, y)
    if not _BARB[0] <= -(x * ahead[0] + y * ahead[1]) / length <= _BARB[1]:
        return 0
    return 1 if ahead[0] * y - ahead[1] * x > 0 else -1


def _barbs_in(stroke: Path) -> list[Path]:
    """What may be half of a head, from its tip to its tail."""
    a, b = stroke[0], stroke[-1]
    straight = dist(a, b)
    length = sum(dist(p, q) for p, q in pairwise(stroke))
    if length <= _MAX_BARB_PT and length - straight < 0.05 * length:
        return [[a, b], [b, a]]
    if len(stroke) > 2 and length <= 2 * _MAX_BARB_PT:
        tip = max(stroke[1:-1], key=lambda p: distance_to_path(p, [a, b]))
        left, right = dist(tip, a), dist(tip, b)
        if left and right and abs(left - right) < 0.25 * max(left, right):
            return [[tip, a], [tip, b]]
    last = (
        stroke[-2:] if _turns_back(stroke) else stroke[1::-1] if _turns_back(stroke[::-1]) else []
    )
    return [last] if last else []


def _without_barbs(stroke: Path) -> Path:
    """A stroke that was drawn on into the first half of its head, without that."""
    if _turns_back(stroke):
        stroke = stroke[:-1]
    return stroke[1:] if _turns_back(stroke[::-1]) else stroke


def _turns_back(path: Path) -> bool:
    if len(path) < 3:
        return False
    a, b, c = path[-3:]
    short, long = dist(b, c), dist(a, b)
    if not 0 < short <= _MAX_BARB_PT or long <= short:
        return False
    along = (b[0] - a[0]) * (c[0] - b[0]) + (b[1] - a[1]) * (c[1] - b[1])
    return along < -_BARB[0] * short * long
