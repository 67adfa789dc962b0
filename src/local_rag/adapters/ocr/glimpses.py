"""Quick looks at a picture: whether it holds text, and what a few lines of it say."""

from __future__ import annotations

from typing import TYPE_CHECKING

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

# A letter is about half as wide as its line is high; a shorter text is that of a logo.
_LETTERS_PER_HEIGHT = 2.0
_LEAST_LETTERS = 12


def holds_text(picture: NDArray[np.uint8], ignored: Sequence[tuple[float, ...]] = ()) -> bool:
    """Whether the detector sees more than a word or two.

    Args:
        picture: (h, w, 3), red first; reduced where it is larger than ``GLIMPSE_PX``.
        ignored: boxes (x0, y0, x1, y1) in pixels; text whose middle lies in one does not count.
    """
    pixels, _ = prepared(picture)
    scale = min(1.0, GLIMPSE_PX / max(pixels.shape[:2]))
    found = [
        box
        for box in boxes_at(scale, pixels, models())
        if not any(x0 <= box.x <= x1 and y0 <= box.y <= y1 for x0, y0, x1, y1 in ignored)
    ]
    letters = sum(_LETTERS_PER_HEIGHT * box.length / max(box.height, 1.0) for box in found)
    return letters >= _LEAST_LETTERS


def say(picture: NDArray[np.uint8]) -> tuple[str, float]:
    """What a picture of one level line says, and the mean confidence, 0 to 1.

    Args:
        picture: (h, w, 3), red first, the line from edge to edge.
    """
    pixels, _ = prepared(picture)
    height, width = pixels.shape[:2]
    reading = recognise(pixels, Box(width / 2, height / 2, width, height, 0.0), models())
    return "".join(c.text for c in reading.characters), reading.confidence
