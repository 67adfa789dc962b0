"""Quick looks at a picture: how much text it holds, and what a few lines of it say."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from local_rag.adapters.ocr.boxes import Box, boxes_at
from local_rag.adapters.ocr.models import models
from local_rag.adapters.ocr.reading import prepared
from local_rag.adapters.ocr.recognition import recognise

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    from numpy.typing import NDArray

GLIMPSE_PX = 640
"""Longest side that is looked at for text: 0.2 s of CPU."""

# A letter is about half as wide as its line is high; the detector draws its boxes wide, so that
# these counts are about two thirds of the letters.
_LETTERS_PER_HEIGHT = 2.0
_A_WORD_OR_TWO = 12  # of a logo
_A_LINE = 14
_SOME_LINES = 40
_MANY_LABELS = 300

Look = Literal["none", "labels", "text"]
"""What a picture holds: no more than a word or two; words here and there, as in a drawing; lines of
text, or as many words as a table has."""


def look(picture: NDArray[np.uint8], ignored: Sequence[tuple[float, ...]] = ()) -> Look:
    """What the detector sees in a picture.

    Args:
        picture: (h, w, 3), red first; reduced where it is larger than ``GLIMPSE_PX``.
        ignored: boxes (x0, y0, x1, y1) in pixels; text whose middle lies in one does not count.
    """
    pixels, _ = prepared(picture)
    scale = min(1.0, GLIMPSE_PX / max(pixels.shape[:2]))
    letters = [
        _LETTERS_PER_HEIGHT * box.length / max(box.height, 1.0)
        for box in boxes_at(scale, pixels, models())
        if not any(x0 <= box.x <= x1 and y0 <= box.y <= y1 for x0, y0, x1, y1 in ignored)
    ]
    if sum(count for count in letters if count >= _A_LINE) >= _SOME_LINES:
        return "text"
    if sum(letters) >= _MANY_LABELS:
        return "text"
    return "labels" if sum(letters) >= _A_WORD_OR_TWO else "none"


def say(picture: NDArray[np.uint8]) -> tuple[str, float]:
    """What a picture of one level line says, and the mean confidence, 0 to 1.

    Args:
        picture: (h, w, 3), red first, the line from edge to edge.
    """
    pixels, _ = prepared(picture)
    height, width = pixels.shape[:2]
    reading = recognise(pixels, Box(width / 2, height / 2, width, height, 0.0), models())
    return "".join(c.text for c in reading.characters), reading.confidence
