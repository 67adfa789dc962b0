"""What a page draws that may be a diagram, listed only where that may be worth its time.

Listing what is drawn runs the page once more. Most pages are let off by a quick look into their
content, most of the others by the boxes around what is drawn.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from itertools import islice
from typing import TYPE_CHECKING, Any, Literal

from local_rag.adapters.pdf.shapes import MIN_WIDTH_PT, drawn_parts
from local_rag.adapters.pdf.sheet import facing, sheet_of

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from local_rag.adapters.pdf.content import Content
    from local_rag.adapters.pdf.lines import Line
    from local_rag.adapters.pdf.shapes import Drawn, Point
    from local_rag.adapters.pdf.sheet import Box

# Three boxes, two arrows.
_MIN_PATHS = 5
_MIN_FRAMED = 3
# More is a map or a plot.
_MAX_PATHS = 800
_MAX_CONTENT_BYTES = 300_000
# Share of the page that a box may take.
_MAX_SHARE = 0.4
# Two strokes, two heads of two strokes or sides.
_MIN_STEPS = 6
# Operators that fill or stroke a path; those that draw a line or a curve.
_PAINTS = re.compile(rb"\s(?:S|s|f\*?|F|[bB]\*?)(?=\s)")
_STEPS = re.compile(rb"\d\s+[lcvy](?=\s)")


def drawn_around(page: Any, content: Content, lines: Sequence[Line]) -> Drawn | None:
    """What a ``pymupdf.Page`` draws, turned as the lines are; ``None`` where it is no diagram.

    Args:
        lines: of the page; all run in one direction.
    """
    look = _first_look(content)
    if look == "nothing" or page.first_widget is not None:
        return None
    direction = lines[0].direction
    turn = sheet_of(page).turn

    def place(point: Point) -> Point:
        x, y = point
        if turn is not None:
            x, y = x * turn.a + y * turn.c + turn.e, x * turn.b + y * turn.d + turn.f
        a, b, _, _ = facing((x, y, x, y), direction)
        return a, b

    most = _MAX_SHARE * page.rect.width * page.rect.height
    if look == "forms":
        boxes = [box for kind, box in content.log if kind in ("fill-path", "stroke-path")]
        if not _frame_lines(boxes, lines, place, most):
            return None
    drawings = page.get_cdrawings()
    if not _frame_lines([drawing["rect"] for drawing in drawings], lines, place, most):
        return None
    drawn = drawn_parts(drawings, place)
    shapes = [shape for shape in drawn.shapes if _area(*shape.box) <= most]
    return drawn._replace(shapes=shapes)


def _first_look(content: Content) -> Literal["nothing", "enough", "forms"]:
    """Whether the page's own content draws enough, or may do so in content that it refers to."""
    operators = content.operators
    if operators is None or len(operators) > _MAX_CONTENT_BYTES:
        return "nothing"
    if content.has_small_forms:
        return "forms"
    enough = _has(operators, _PAINTS, _MIN_PATHS) and _has(operators, _STEPS, _MIN_STEPS)
    return "enough" if enough and not _has(operators, _PAINTS, _MAX_PATHS) else "nothing"


def _has(operators: bytes, operator: re.Pattern[bytes], least: int) -> bool:
    return sum(1 for _ in islice(operator.finditer(operators), least)) == least


def _frame_lines(
    paths: Sequence[Box], lines: Sequence[Line], place: Callable[[Point], Point], most: float
) -> bool:
    """Whether paths are drawn around enough lines of text, and not too many for a diagram.

    Args:
        paths: the boxes around what is drawn, before the page's rotation.
        most: area of the largest box that is looked at.
    """
    if not _MIN_PATHS <= len(paths) <= _MAX_PATHS:
        return False
    places = sorted(((line.y0 + line.y1) / 2, line.x0, line.x1) for line in lines)
    framed: set[tuple[int, int, int, int]] = set()
    for x0, y0, x1, y1 in paths:
        (a, b), (c, d) = place((x0, y0)), place((x1, y1))
        left, right, top, foot = min(a, c), max(a, c), min(b, d), max(b, d)
        if right - left < MIN_WIDTH_PT or _area(left, top, right, foot) > most:
            continue
        for y, start, end in places[bisect_left(places, (top,)) :]:
            if y > foot:
                break
            if left < end and start < right:
                framed.add((round(left), round(top), round(right), round(foot)))
                break
    return len(framed) >= _MIN_FRAMED


def _area(x0: float, y0: float, x1: float, y1: float) -> float:
    return (x1 - x0) * (y1 - y0)
