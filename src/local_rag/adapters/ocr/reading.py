"""From a picture of a page to lines like those of a PDF's text layer."""

from __future__ import annotations

import math
import time
from dataclasses import dataclass
from operator import itemgetter
from typing import TYPE_CHECKING

import numpy as np

from local_rag.adapters.ocr.boxes import corners, find_boxes
from local_rag.adapters.ocr.columns import in_columns
from local_rag.adapters.ocr.models import models
from local_rag.adapters.ocr.recognition import recognise
from local_rag.adapters.ocr.sizes import letter_size, settled
from local_rag.adapters.ocr.spacing import spaced
from local_rag.adapters.ocr.turning import find_turn, read_upright
from local_rag.adapters.pdf.lines import Line, PageLines, Piece

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from local_rag.adapters.ocr.boxes import Box
    from local_rag.adapters.ocr.recognition import Reading
    from local_rag.adapters.ocr.spacing import Word
    from local_rag.adapters.ocr.turning import Turn

_LONGEST_PX = 4000
_SMALLEST_PX = 4
_LEAST_CONFIDENCE = 0.5
_LEAST_CONFIDENCE_ALONE = 0.8  # specks and drawings come out as single characters
_FAINTEST = 24  # of 255, as in pdf.looks: networks read what the eye cannot tell from its ground
_CELL_GAP_EM = 1.5  # as in pdf.lines
_ABOVE_EM = 0.95
_BELOW_EM = 0.25
_STRAIGHT_DEG = 20.0
_OBLIQUE = 4
_ROW_OVERLAP = 0.5


@dataclass(frozen=True, slots=True)
class OcrPage:
    """What a picture says.

    Attributes:
        lines: boxes of words in points of the picture as given, y downward. Each line's
            ``direction`` says which way it runs; its own box is in the reading frame, with the
            skew taken out, so that what stands on one base line shares its y. Column by column and
            row by row, lines of other directions last.
        confidences: for each line, from 0 to 1: the mean over its characters of how likely the
            recogniser believes itself right.
        confidence: the same over all characters; 0 where there are none.
        turn_deg: 0, 90, 180 or 270: how far the text is turned clockwise from upright.
        skew_deg: how far it lies askew besides, clockwise.
        complete: False if time ran out before all was read.
    """

    lines: PageLines
    confidences: tuple[float, ...] = ()
    confidence: float = 0.0
    turn_deg: int = 0
    skew_deg: float = 0.0
    complete: bool = True


def ocr_lines(picture: NDArray[np.uint8], dpi: float) -> PageLines:
    """The lines alone of ``read_picture``."""
    return read_picture(picture, dpi).lines


def read_picture(
    picture: NDArray[np.uint8], dpi: float, *, budget_s: float | None = None
) -> OcrPage:
    """Finds and reads the text of a picture, however it is turned.

    Args:
        picture: (h, w), (h, w, 3) red first, or (h, w, 4), whose alpha is ignored.
        dpi: pixels for each inch of the page; 200 is enough.
        budget_s: seconds after which no further line is begun.

    Raises:
        FileNotFoundError: the models are not installed.
    """
    started = time.monotonic()
    height, width = picture.shape[:2]
    empty = PageLines(width * 72 / dpi, height * 72 / dpi, [], scan=True)
    if min(height, width) < _SMALLEST_PX:
        return OcrPage(empty)
    pixels, scale = prepared(picture)
    networks = models()
    read_before: dict[Box, Reading] = {}

    def read(box: Box) -> Reading:
        if box not in read_before:
            read_before[box] = recognise(pixels, box, networks)
        return read_before[box]

    boxes = find_boxes(pixels, networks)
    turn = find_turn(boxes, read)
    readings, complete = [], True
    for box in boxes:
        if budget_s is not None and time.monotonic() - started > budget_s:
            complete = False
            break
        reading = read_upright(box, turn, read)
        if _is_text(reading):
            readings.append(reading)
    found = _Page(turn, 72 / (dpi * scale), (pixels.shape[1] / 2, pixels.shape[0] / 2))
    made = _in_order(found.lines(readings), turn.degrees // 90)
    characters = sum(line.chars for line, _ in made)
    weighed = sum(confidence * line.chars for line, confidence in made)
    empty.lines = [line for line, _ in made]
    return OcrPage(
        lines=empty,
        confidences=tuple(confidence for _, confidence in made),
        confidence=weighed / characters if characters else 0.0,
        turn_deg=turn.degrees,
        skew_deg=turn.skew_deg,
        complete=complete,
    )


def prepared(picture: NDArray[np.uint8]) -> tuple[NDArray[np.uint8], float]:
    """Three planes, blue first as the networks were trained, and how far it was reduced."""
    import cv2

    cv2.setNumThreads(1)
    if picture.ndim == 2:
        pixels = np.repeat(picture[:, :, None], 3, axis=2)
    elif picture.shape[2] < 3:
        pixels = np.repeat(picture[:, :, :1], 3, axis=2)
    else:
        pixels = np.ascontiguousarray(picture[:, :, 2::-1])
    height, width = pixels.shape[:2]
    scale = min(1.0, _LONGEST_PX / max(height, width))
    if scale == 1.0:
        return pixels, scale
    size = max(1, round(width * scale)), max(1, round(height * scale))
    reduced = cv2.resize(pixels, size, interpolation=cv2.INTER_AREA)
    return np.asarray(reduced, np.uint8), scale


def _is_text(reading: Reading) -> bool:
    if int(np.ptp(reading.strip, axis=(0, 1)).max()) < _FAINTEST:
        return False
    shown = sum(not c.text.isspace() for c in reading.characters)
    least = _LEAST_CONFIDENCE if shown > 1 else _LEAST_CONFIDENCE_ALONE
    return shown > 0 and reading.confidence >= least


class _Page:
    """Turns readings into lines, in points of the picture.

    Args:
        pt_per_px: of the pixels that were read.
        centre: of the picture, in those pixels; skew is taken out by turning about it.
    """

    def __init__(self, turn: Turn, pt_per_px: float, centre: tuple[float, float]) -> None:
        self._turn = turn
        self._pt = pt_per_px
        self._centre = np.array(centre) * pt_per_px
        self._limits = 2 * self._centre

    def lines(self, readings: Sequence[Reading]) -> list[tuple[Line, float]]:
        """Lines with their confidence; a reading with gaps of a cell's width gives several."""
        found = [spaced(reading) for reading in readings]
        sizes = settled(
            [letter_size((w.text, (w.right - w.left) * self._pt) for w in f.words) for f in found],
            [sum(len(w.text) for w in f.words) for f in found],
        )
        made = []
        for reading, (words, base), size in zip(readings, found, sizes, strict=True):
            for cell in _cells(words, _CELL_GAP_EM * size / self._pt):
                characters = sum(len(w.text) for w in cell)
                confidence = sum(w.confidence * len(w.text) for w in cell) / characters
                made.append((self._line(reading.box, cell, base, size), confidence))
        return made

    def _line(self, box: Box, words: Sequence[Word], base: float, size: float) -> Line:
        direction = _direction(box.angle - self._turn.skew_deg)
        skew = 0.0 if direction == _OBLIQUE else self._turn.skew_deg
        pieces, framed = [], []
        for word in words:
            shape = self._shape(box, word, base, size)
            x0, y0 = np.clip(shape.min(axis=0), 0, 2 * self._centre).tolist()
            x1, y1 = np.clip(shape.max(axis=0), 0, 2 * self._centre).tolist()
            pieces.append(Piece(word.text, x0, y0, x1, y1))
            level = _turned(shape - self._centre, -skew) + self._centre
            framed.append(_turned(level, -90.0 * (direction % _OBLIQUE)))
        ends = np.concatenate(framed)
        x0, y0 = ends.min(axis=0).tolist()
        x1, y1 = ends.max(axis=0).tolist()
        return Line(pieces, x0, y0, x1, y1, size, size, bold=False, direction=direction)

    def _shape(self, box: Box, word: Word, base: float, size: float) -> NDArray[np.float64]:
        """The word's four corners, in points."""
        begin, end, _, below = corners(box) * self._pt
        along = (end - begin) / box.length
        down = (below - begin) / box.height
        foot = base * self._pt
        tops = (foot - _ABOVE_EM * size) / self._pt, (foot + _BELOW_EM * size) / self._pt
        return np.array(
            [begin + along * x + down * y for x in (word.left, word.right) for y in tops]
        )


def _turned(points: NDArray[np.float64], degrees: float) -> NDArray[np.float64]:
    """The points turned clockwise, as seen with y downward, about the origin."""
    cos, sin = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    return np.asarray(points @ np.array([[cos, sin], [-sin, cos]]))


def _direction(angle: float) -> int:
    """As ``Line.direction`` has it."""
    quarters = round(angle / 90)
    return quarters % 4 if abs(angle - 90 * quarters) <= _STRAIGHT_DEG else _OBLIQUE


def _cells(words: Sequence[Word], gap: float) -> list[list[Word]]:
    cells: list[list[Word]] = []
    for word in words:
        if cells and word.left - cells[-1][-1].right <= gap:
            cells[-1].append(word)
        else:
            cells.append([word])
    return cells


def _in_order(lines: list[tuple[Line, float]], main: int) -> list[tuple[Line, float]]:
    """By columns and rows; lines of other directions after those of the main one."""
    ordered: list[tuple[Line, float]] = []
    for direction in sorted({line.direction for line, _ in lines}, key=lambda d: (d != main, d)):
        alike = [pair for pair in lines if pair[0].direction == direction]
        rows: list[list[tuple[Line, float]]] = []
        for pair in sorted(alike, key=lambda pair: pair[0].y1):
            if rows and _share_row(rows[-1][0][0], pair[0]):
                rows[-1].append(pair)
            else:
                rows.append([pair])
        for row in rows:
            row.sort(key=lambda pair: pair[0].x0)
        ordered += in_columns(rows, itemgetter(0))
    return ordered


def _share_row(a: Line, b: Line) -> bool:
    overlap = min(a.y1, b.y1) - max(a.y0, b.y0)
    return overlap > _ROW_OVERLAP * min(a.y1 - a.y0, b.y1 - b.y0)
