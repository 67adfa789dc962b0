"""The outlines and strokes that a page draws, as the parts of a diagram."""

from __future__ import annotations

from itertools import pairwise, product
from math import dist
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from local_rag.adapters.pdf.sheet import Box

    Point = tuple[float, float]
    Path = list[Point]

Item = TypeVar("Item")

_SAME_PT = 0.5
_CELL_PT = 16.0
# Drawn as a filled area no wider than this, a line is still a line.
_THIN_PT = 2.5
_MIN_STROKE_PT = 3.0
# Corners of a curve's polygon; where on the curve they lie.
_ON_CURVE = (0.25, 0.5, 0.75, 1.0)
_MAX_HEAD_PT = 24.0
_MIN_HEAD_PT = 1.5
# Drawn in one go, more than this is a plot or writing.
_MAX_ITEMS = 200
_MAX_CORNERS = 60
# How far the centre of gravity of a box may lie from its middle, as a share of its sides.
_LOPSIDED = 0.08
MIN_WIDTH_PT, _MIN_HEIGHT_PT = 12.0, 8.0
# Share of its box that a shape fills: 0.5 a diamond, 0.79 an ellipse.
_FULL = 0.45


class Area(NamedTuple):
    """A closed outline: a polygon, without its first corner at the end."""

    corners: list[Point]
    box: Box


class Drawn(NamedTuple):
    """What of a page may be part of a diagram.

    Attributes:
        shapes: closed outlines large enough for a word.
        strokes: open paths, from end to end.
        heads: small filled areas.
    """

    shapes: list[Area]
    strokes: list[Path]
    heads: list[Area]


def drawn_parts(drawings: Iterable[dict[str, Any]], place: Callable[[Point], Point]) -> Drawn:
    """Sorts what ``pymupdf.Page.get_cdrawings`` lists.

    Args:
        place: from the drawing's coordinates to those wanted.
    """
    drawn = Drawn([], [], [])
    for drawing in drawings:
        filled = "f" in drawing["type"]
        if len(drawing["items"]) > _MAX_ITEMS:
            continue
        paths = _paths(drawing["items"])
        for path in paths:
            points = [place(point) for point in path]
            closes = bool(drawing.get("closePath")) and len(paths) == 1
            _sort_in(drawn, points, filled=filled, closes=closes)
    return drawn


def _sort_in(drawn: Drawn, points: Path, *, filled: bool, closes: bool) -> None:
    closed = filled or closes or dist(points[0], points[-1]) <= _SAME_PT
    corners = points[:-1] if dist(points[0], points[-1]) <= _SAME_PT else points
    if not closed or len(corners) < 3:
        if len(corners) <= _MAX_CORNERS and _length(corners) >= _MIN_STROKE_PT:
            drawn.strokes.append(corners)
        return
    middle = _middle_line(corners)
    if middle is not None:
        drawn.strokes.append(middle)
        return
    box = box_around(corners)
    wide, high = box[2] - box[0], box[3] - box[1]
    if filled and _MIN_HEAD_PT <= max(wide, high) <= _MAX_HEAD_PT:
        drawn.heads.append(Area(corners, box))
    if wide < MIN_WIDTH_PT or high < _MIN_HEIGHT_PT:
        return
    x, y = centroid(corners)
    even = (
        abs(x - (box[0] + box[2]) / 2) <= _LOPSIDED * wide
        and abs(y - (box[1] + box[3]) / 2) <= _LOPSIDED * high
    )
    if even and abs(_signed_area(corners)) >= _FULL * wide * high:
        drawn.shapes.append(Area(corners, box))


def _paths(items: Iterable[tuple[Any, ...]]) -> list[Path]:
    """The parts of a drawing that are drawn without lifting the pen; curves as polygons."""
    paths: list[Path] = []
    for kind, *points in items:
        if kind == "re":
            x0, y0, x1, y1 = points[0]
            paths.append([(x0, y0), (x1, y0), (x1, y1), (x0, y1), (x0, y0)])
            continue
        if kind == "qu":
            a, b, d, c = points[0]
            paths.append([a, b, c, d, a])
            continue
        steps = [points[1]] if kind == "l" else [_on_curve(points, t) for t in _ON_CURVE]
        if paths and dist(paths[-1][-1], points[0]) <= _SAME_PT:
            paths[-1] += steps
        else:
            paths.append([points[0], *steps])
    return paths


def _on_curve(points: list[Point], t: float) -> Point:
    """A point of a cubic Bézier curve."""
    (ax, ay), (bx, by), (cx, cy), (dx, dy) = points
    a, b, c, d = (1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t * t * (1 - t), t**3
    return a * ax + b * bx + c * cx + d * dx, a * ay + b * by + c * cy + d * dy


def _middle_line(corners: Path) -> Path | None:
    """The line that a thin area of four corners is meant to be."""
    if len(corners) != 4:
        return None
    a, b, c, d = corners
    if dist(a, b) > dist(b, c):
        a, b, c, d = b, c, d, a
    short, long = dist(a, b), dist(b, c)
    if short > _THIN_PT or long < max(_MIN_STROKE_PT, 3 * short):
        return None
    return [_between(a, b), _between(c, d)]


def _between(a: Point, b: Point) -> Point:
    return (a[0] + b[0]) / 2, (a[1] + b[1]) / 2


def _length(path: Path) -> float:
    return sum(dist(a, b) for a, b in pairwise(path))


def box_around(points: Iterable[Point]) -> Box:
    """The least upright box that holds the points."""
    xs, ys = zip(*points, strict=True)
    return min(xs), min(ys), max(xs), max(ys)


def _signed_area(corners: Path) -> float:
    around = pairwise([*corners, corners[0]])
    return sum(a[0] * b[1] - b[0] * a[1] for a, b in around) / 2


def centroid(corners: Path) -> Point:
    """The centre of gravity of a polygon; of its corners, where it has no area."""
    area = _signed_area(corners)
    if abs(area) < 0.01:
        xs, ys = zip(*corners, strict=True)
        return sum(xs) / len(xs), sum(ys) / len(ys)
    x = y = 0.0
    for a, b in pairwise([*corners, corners[0]]):
        cross = a[0] * b[1] - b[0] * a[1]
        x += (a[0] + b[0]) * cross
        y += (a[1] + b[1]) * cross
    return x / (6 * area), y / (6 * area)


class Near(Generic[Item]):
    """Finds what lies at a point without a look at everything."""

    def __init__(self, items: Iterable[tuple[Box, Item]], reach: float) -> None:
        self._cells: dict[tuple[int, int], list[Item]] = {}
        for (x0, y0, x1, y1), item in items:
            columns = range(int((x0 - reach) // _CELL_PT), int((x1 + reach) // _CELL_PT) + 1)
            rows = range(int((y0 - reach) // _CELL_PT), int((y1 + reach) // _CELL_PT) + 1)
            for cell in product(columns, rows):
                self._cells.setdefault(cell, []).append(item)

    def at(self, point: Point) -> list[Item]:
        """What may lie no farther than ``reach`` from the point."""
        return self._cells.get((int(point[0] // _CELL_PT), int(point[1] // _CELL_PT)), [])


def distance_to_box(point: Point, box: Box) -> float:
    """0 inside."""
    x, y = point
    return dist((max(box[0] - x, 0, x - box[2]), max(box[1] - y, 0, y - box[3])), (0, 0))


def distance_to_path(point: Point, path: Path) -> float:
    """To its nearest segment."""
    return min((_to_segment(point, a, b) for a, b in pairwise(path)), default=dist(point, path[0]))


def _to_segment(p: Point, a: Point, b: Point) -> float:
    dx, dy = b[0] - a[0], b[1] - a[1]
    square = dx * dx + dy * dy
    t = ((p[0] - a[0]) * dx + (p[1] - a[1]) * dy) / square if square else 0.0
    t = min(max(t, 0.0), 1.0)
    return dist(p, (a[0] + t * dx, a[1] + t * dy))
