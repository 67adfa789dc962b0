"""Pictures on a page with text of its own: those that hold lines of text are read."""

from __future__ import annotations

import logging
import time
from dataclasses import replace
from statistics import median
from typing import TYPE_CHECKING, Any, Literal

from local_rag.adapters.pdf.scanned import FromPicture, least_confidence_met, new_lines
from local_rag.adapters.pdf.sheet import facing, sheet_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from local_rag.adapters.pdf.lines import Line, PageLines
    from local_rag.adapters.pdf.sheet import Box

_LOG = logging.getLogger(__name__)

_DRAWN = frozenset({"fill-image", "fill-imgmask"})
_MOST_DRAWN = 200  # more are the tiles of a drawing, or letters
# A smaller picture is an icon: 100 by 40 pixels as it is read.
_MIN_WIDTH_PT, _MIN_HEIGHT_PT = 36.0, 14.4
_LEAST_SHARE = 0.02
_MOST_WORDS_SHARE = 0.1  # of a picture's area: more words over it are its text
_MOST_READ = 8
_GLIMPSE_DPI = 100
_DPI = 200
_BUDGET_S = 60.0
_MARGIN_PT = 2.0


def pictures_of(page: Any, lines: PageLines) -> list[Box]:
    """The pictures of a ``pymupdf.Page`` that are worth a look, the largest first.

    Boxes are those of the page as displayed. Parts of one picture that touch are one.
    """
    content = lines.content
    if content is None or not content.may_fill:
        return []
    sheet, (width, height) = sheet_of(page), (lines.width_pt, lines.height_pt)
    drawn = [sheet.shown(box) for kind, box in content.log if kind in _DRAWN][:_MOST_DRAWN]
    within = [
        (max(x0, 0.0), max(y0, 0.0), min(x1, width), min(y1, height)) for x0, y0, x1, y1 in drawn
    ]
    found = [
        box
        for box in _joined([box for box in within if box[0] < box[2] and box[1] < box[3]])
        if box[2] - box[0] >= _MIN_WIDTH_PT
        and box[3] - box[1] >= _MIN_HEIGHT_PT
        and _area(box) >= _LEAST_SHARE * width * height
        and sum(map(_area, _words_in(lines, box))) < _MOST_WORDS_SHARE * _area(box)
    ]
    return sorted(found, key=_area, reverse=True)


def with_pictures(page: Any, lines: PageLines, pictures: Sequence[Box]) -> FromPicture:
    """Adds the text of pictures to the lines of a ``pymupdf.Page``.

    A failure leaves the page as its text layer has it, and says that a picture was not read.
    """
    ends = time.monotonic() + _BUDGET_S
    usual = median(line.size for line in lines.lines) if lines.lines else None
    result, confidences = FromPicture(lines), []
    for number, box in enumerate(pictures):
        if number >= _MOST_READ or time.monotonic() > ends:
            result = replace(result, unread=True)
            break
        try:
            found = _read(page, result.lines, box, ends)
        except Exception as exc:  # noqa: BLE001 - OCR must never lose a page
            _LOG.warning("OCR failed on page %d: %s", page.number + 1, type(exc).__name__)
            result = replace(result, unread=True)
            continue
        if found == "none":
            continue
        if found == "labels":
            result = replace(result, unread=True)
            continue
        read, confidence = found
        if not least_confidence_met(confidence):
            result = replace(result, unread=True)
        elif read:
            # What is set large in a picture is no heading of the page.
            small = [line if usual is None else _no_larger(line, usual) for line in read]
            confidences.append(confidence)
            placed = _placed(result.lines.lines, small, box)
            result = replace(result, lines=replace(result.lines, lines=placed), read=True)
    if confidences:
        result = replace(result, confidence=sum(confidences) / len(confidences))
    return result


def _read(
    page: Any, lines: PageLines, box: Box, ends: float
) -> tuple[list[Line], float] | Literal["none", "labels"]:
    """The lines of one picture that the page does not have, or why it is not read.

    The labels of a drawing are not: they cost seconds and make no sentence.
    """
    from local_rag.adapters.ocr.glimpses import GLIMPSE_PX, look
    from local_rag.adapters.ocr.reading import read_picture

    x0, y0, x1, y1 = box
    area = x0 - _MARGIN_PT, y0 - _MARGIN_PT, x1 + _MARGIN_PT, y1 + _MARGIN_PT
    dpi = min(_GLIMPSE_DPI, GLIMPSE_PX * 72 / max(x1 - x0, y1 - y0))
    glimpse, left, top = _drawn(page, area, dpi)
    scale = dpi / 72
    own = [
        ((a - left) * scale, (b - top) * scale, (c - left) * scale, (d - top) * scale)
        for a, b, c, d in _words_in(lines, box)
    ]
    seen = look(glimpse, own)
    if seen != "text":
        return seen
    picture, left, top = _drawn(page, area, _DPI)
    found = read_picture(picture, _DPI, budget_s=max(ends - time.monotonic(), 0.0))
    read = [_moved(line, left, top) for line in found.lines.lines]
    return new_lines(read, lines), found.confidence if found.complete else 0.0


def _drawn(page: Any, area: Box, dpi: float) -> tuple[Any, float, float]:
    """(h, w, 3) pixels of a part of the page, and the point at its upper left corner."""
    import numpy as np
    import pymupdf

    scale = dpi / 72
    pixmap = page.get_pixmap(
        matrix=pymupdf.Matrix(scale, scale), clip=pymupdf.Rect(area) & page.rect, alpha=False
    )
    picture = np.frombuffer(pixmap.samples, np.uint8).reshape(pixmap.h, pixmap.w, pixmap.n)
    return picture, pixmap.x / scale, pixmap.y / scale


def _moved(line: Line, right: float, down: float) -> Line:
    """The line, that many points further right and down on the displayed page."""
    across, along, *_ = facing((right, down, right, down), line.direction)
    pieces = [
        p._replace(x0=p.x0 + right, y0=p.y0 + down, x1=p.x1 + right, y1=p.y1 + down)
        for p in line.pieces
    ]
    return replace(
        line,
        pieces=pieces,
        x0=line.x0 + across,
        y0=line.y0 + along,
        x1=line.x1 + across,
        y1=line.y1 + along,
    )


def _no_larger(line: Line, size: float) -> Line:
    return replace(line, size=min(line.size, size), tallest=min(line.tallest, size))


def _placed(own: Sequence[Line], new: Sequence[Line], box: Box) -> list[Line]:
    """The page's lines in their order, the picture's after the last one that stands above it."""
    above = [
        i
        for i, line in enumerate(own)
        if line.direction == 0 and line.x0 < box[2] and box[0] < line.x1 and line.y1 <= box[1] + 2
    ]
    at = above[-1] + 1 if above else 0
    return [*own[:at], *new, *own[at:]]


def _joined(boxes: Sequence[Box]) -> list[Box]:
    """The boxes, those that touch replaced by the one around them."""
    apart: list[Box] = []
    for box in boxes:
        grown = box
        while touching := [other for other in apart if _touch(grown, other)]:
            apart = [other for other in apart if other not in touching]
            x0s, y0s, x1s, y1s = zip(grown, *touching, strict=True)
            grown = min(x0s), min(y0s), max(x1s), max(y1s)
        apart.append(grown)
    return apart


def _touch(a: Box, b: Box) -> bool:
    return a[0] <= b[2] + 1 and b[0] <= a[2] + 1 and a[1] <= b[3] + 1 and b[1] <= a[3] + 1


def _words_in(lines: PageLines, box: Box) -> list[Box]:
    x0, y0, x1, y1 = box
    return [
        (piece.x0, piece.y0, piece.x1, piece.y1)
        for line in lines.lines
        for piece in line.pieces
        if x0 <= (piece.x0 + piece.x1) / 2 <= x1 and y0 <= (piece.y0 + piece.y1) / 2 <= y1
    ]


def _area(box: Box) -> float:
    return (box[2] - box[0]) * (box[3] - box[1])
