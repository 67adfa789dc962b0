"""A page's frame: MuPDF measures text before the page is rotated, this program after."""

from __future__ import annotations

from typing import Any, NamedTuple

Box = tuple[float, float, float, float]


class Sheet(NamedTuple):
    """A page before its rotation, in the units that it is displayed in.

    Attributes:
        width, height: before the rotation. ``/UserUnit`` is in them, unlike in
            ``pymupdf.Page.cropbox``.
        turn: the rotation as a ``pymupdf.Matrix``; ``None`` for an upright page.
    """

    width: float
    height: float
    turn: Any = None

    @property
    def area(self) -> float:
        """Of the page, in square units."""
        return self.width * self.height

    def shown(self, box: Box) -> Box:
        """The box on the page as displayed."""
        if self.turn is None:
            return box
        t, (x0, y0, x1, y1) = self.turn, box
        ax, ay = x0 * t.a + y0 * t.c + t.e, x0 * t.b + y0 * t.d + t.f
        bx, by = x1 * t.a + y1 * t.c + t.e, x1 * t.b + y1 * t.d + t.f
        return min(ax, bx), min(ay, by), max(ax, bx), max(ay, by)

    def holds(self, box: Box) -> bool:
        """Whether the middle of the box, before the rotation, lies on the page."""
        x0, y0, x1, y1 = box
        return 0 <= x0 + x1 <= 2 * self.width and 0 <= y0 + y1 <= 2 * self.height


def facing(box: Box, direction: int) -> Box:
    """A box of the displayed page, turned so that text of that direction runs to the right."""
    x0, y0, x1, y1 = box
    if direction == 1:
        return y0, -x1, y1, -x0
    if direction == 2:
        return -x1, -y1, -x0, -y0
    if direction == 3:
        return -y1, x0, -y0, x1
    return box


def sheet_of(page: Any) -> Sheet:
    """The frame of a ``pymupdf.Page``."""
    import pymupdf

    width, height = page.rect.width, page.rect.height
    if page.rotation == 0:
        return Sheet(width, height)
    turn = {
        90: pymupdf.Matrix(0, 1, -1, 0, width, 0),
        180: pymupdf.Matrix(-1, 0, 0, -1, width, height),
        270: pymupdf.Matrix(0, -1, 1, 0, 0, height),
    }[page.rotation]
    if page.rotation != 180:
        width, height = height, width
    return Sheet(width, height, turn)
