"""Which way up a page's text stands, and how far it lies askew."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from local_rag.adapters.ocr.boxes import Box
    from local_rag.adapters.ocr.recognition import Reading

_ELONGATED = 2.0
_LONG = 5.0
_SAMPLE = 6
# Mean confidence: upright lines of clean and of poor scans 0.95 to 1.00, upside down 0.69 to 0.80.
_SURE = 0.9
_LINE_SURE = 0.8
_STRAIGHT_DEG = 20.0
_BY_CHANCE = 0.4  # of the height, from one end to the other


class Turn(NamedTuple):
    """How the text of a page lies.

    Attributes:
        degrees: 0, 90, 180 or 270, clockwise: the direction of reading on the given picture.
        skew_deg: what is left to the usual direction of a line, clockwise, -45 to 45.
    """

    degrees: int
    skew_deg: float


def find_turn(boxes: Sequence[Box], read: Callable[[Box], Reading]) -> Turn:
    """Looks at the boxes' sides, then reads a few both ways if it must."""
    long = sorted((b for b in boxes if b.length >= _ELONGATED * b.height), key=_size, reverse=True)
    if not long:
        return Turn(0, 0.0)
    upright = sum(b.length for b in long if _quarter(b) == 0)
    main = 0 if 2 * upright >= sum(b.length for b in long) else 1
    along = [b for b in long if _quarter(b) == main]
    skew = _skew(along, 90 * main)
    sample = along[:_SAMPLE]
    forward = _confidence(sample, read)
    if forward >= _SURE and main == 0:
        return Turn(0, skew)
    backward = _confidence([b.turned(180) for b in sample], read)
    return Turn(90 * main + (180 if backward > forward else 0), skew)


def _size(box: Box) -> float:
    return box.length


def _quarter(box: Box) -> int:
    return round(box.angle / 90) % 2


def _skew(along: Sequence[Box], degrees: int) -> float:
    """The median over the lengths: one line counts as much as it is long."""
    lines = [b for b in along if b.length >= _LONG * b.height] or along
    angles = sorted(((b.angle - degrees + 90) % 180 - 90, b.length) for b in lines)
    half, passed = sum(length for _, length in angles) / 2, 0.0
    for angle, length in angles:
        passed += length
        if passed >= half:
            return angle
    return 0.0


def _confidence(sample: Sequence[Box], read: Callable[[Box], Reading]) -> float:
    readings = [read(box) for box in sample]
    characters = sum(len(r.characters) for r in readings)
    if not characters:
        return 0.0
    return sum(r.confidence * len(r.characters) for r in readings) / characters


def read_upright(box: Box, turn: Turn, read: Callable[[Box], Reading]) -> Reading:
    """Reads the box as the page lies, and other ways where that gives no sure text."""
    first, *others = _ways(box, turn)
    best = read(first)
    for way in others:
        if best.confidence >= _LINE_SURE:
            break
        other = read(way)
        if other.confidence > best.confidence:
            best = other
    return best


def _ways(box: Box, turn: Turn) -> list[Box]:
    """The directions in which to try it, the most likely first."""
    main = turn.degrees + turn.skew_deg
    off = round(_difference(box.angle, main) / 90) * 90
    as_page = box.turned(-off)
    elongation = box.length / box.height
    off_page = abs(_difference(as_page.angle, main))
    short = elongation < _LONG and off_page < _STRAIGHT_DEG
    if short or elongation * math.sin(math.radians(off_page)) < _BY_CHANCE:
        as_page = as_page._replace(angle=main)  # a box's angle is good to a pixel at its ends
    along = [as_page, as_page.turned(180)]
    across = [as_page.turned(90), as_page.turned(-90)]
    if elongation >= _ELONGATED and off % 180 == 0:
        return along
    # A box that is long across the page's lines: text in the margin, or a letter like l.
    return across if elongation >= _LONG else along + across


def _difference(a: float, b: float) -> float:
    return (a - b + 180) % 360 - 180
