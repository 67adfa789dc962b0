"""What a box of text says: characters with their places along it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from local_rag.adapters.ocr.boxes import corners
from local_rag.adapters.ocr.models import COLUMN, ROWS

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from local_rag.adapters.ocr.boxes import Box
    from local_rag.adapters.ocr.models import Models

_NARROWEST_PX = 48
_WIDEST_PX = 6400
_BLANK = 0


class Character(NamedTuple):
    """One character.

    Attributes:
        at: where the recogniser saw it, in pixels from the left of the strip.
        confidence: how likely the recogniser finds it.
    """

    text: str
    at: float
    confidence: float


@dataclass(slots=True, eq=False)
class Reading:
    """What one box says, read in the direction of its angle.

    Attributes:
        strip: the picture of the box, level, ``ROWS`` pixels high.
        confidence: mean over the characters; 0 where there is none.
    """

    box: Box
    strip: NDArray[np.uint8]
    characters: list[Character]

    @property
    def confidence(self) -> float:
        """How likely a character is right, as the recogniser believes."""
        return float(np.mean([c.confidence for c in self.characters])) if self.characters else 0.0


def recognise(picture: NDArray[np.uint8], box: Box, models: Models) -> Reading:
    """Reads the box.

    Args:
        picture: (h, w, 3), blue first.
    """
    strip = cut(picture, box)
    classes, likely = models.guesses(strip)
    # Connectionist temporal classification: one character for each run of a class that is not
    # the blank (https://doi.org/10.1145/1143844.1143891).
    starts = np.flatnonzero(np.r_[True, classes[1:] != classes[:-1]])
    ends = np.r_[starts[1:], len(classes)]
    characters = [
        Character(
            models.alphabet[classes[start]],
            (start + end) / 2 * COLUMN,
            float(likely[start:end].max()),
        )
        for start, end in zip(starts.tolist(), ends.tolist(), strict=True)
        if classes[start] != _BLANK
    ]
    return Reading(box, strip, characters)


def cut(picture: NDArray[np.uint8], box: Box) -> NDArray[np.uint8]:
    """The box made level, (``ROWS``, w, 3)."""
    import cv2

    scale = ROWS / box.height
    width = round(box.length * scale / COLUMN) * COLUMN
    width = min(max(width, _NARROWEST_PX), _WIDEST_PX)
    # What is more than half as high again is cut at its size and reduced then: sampled at once,
    # fine strokes would vanish between the samples.
    high = ROWS if scale > 2 / 3 else round(box.height)
    wide = width if scale > 2 / 3 else max(1, round(width * high / ROWS))
    begin, end, _, below = corners(box)
    target = np.array([[0, 0], [wide, 0], [0, high]], np.float32)
    matrix = cv2.getAffineTransform(np.array([begin, end, below], np.float32), target)
    way = cv2.INTER_CUBIC if scale > 1 else cv2.INTER_LINEAR
    strip = cv2.warpAffine(
        picture, matrix, (wide, high), flags=way, borderMode=cv2.BORDER_REPLICATE
    )
    if (wide, high) != (width, ROWS):
        strip = cv2.resize(strip, (width, ROWS), interpolation=cv2.INTER_AREA)
    return np.asarray(strip, np.uint8)
