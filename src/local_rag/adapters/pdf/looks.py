"""How a page looks when it is drawn: the colours in a box."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from local_rag.adapters.pdf.sheet import Box, Sheet

_PIXELS_A_POINT = 2.0
_MOST_PIXELS = 4_000_000
# Steps of 255. What varies by less shows no text; a letter's pixels are as near its colour.
_UNIFORM = 24
_NEAR = 96
# Letters over a picture stand out if some of it differs from their colour by this much.
_APART = 32


class Looks:
    """The drawn page, drawn once and only if it is asked for."""

    def __init__(self, page: Any, sheet: Sheet) -> None:
        self._page = page
        self._sheet = sheet
        self._scale = min(_PIXELS_A_POINT, (_MOST_PIXELS / max(sheet.area, 1)) ** 0.5)
        self._drawn: Any = None

    def shows(self, word: Box, colour: int) -> bool:
        """Whether a word of that colour (0xRRGGBB) stands out from what is around its letters."""
        pixels = self._pixels(word)
        if not len(pixels):
            return True
        if int((pixels.max(axis=0) - pixels.min(axis=0)).max()) < _UNIFORM:
            return False
        away = abs(pixels - _parts(colour)).max(axis=1)
        return int(away.max()) >= _APART

    def covered(self, word: Box, colour: int, *, by_picture: bool) -> bool:
        """Whether nothing of a word can be seen that lies below something."""
        pixels = self._pixels(word)
        if not len(pixels):
            return True
        grey = _grey(pixels)
        if int(grey.max()) - int(grey.min()) < _UNIFORM:
            return True
        return by_picture and int(abs(grey - _grey(_parts(colour))).min()) > _NEAR

    def _pixels(self, word: Box) -> Any:
        """(n, 3) int, red first: what is drawn where the word's letters are."""
        import numpy as np
        import pymupdf

        if self._drawn is None:
            matrix = pymupdf.Matrix(self._scale, self._scale)
            drawn = self._page.get_pixmap(matrix=matrix, colorspace=pymupdf.csRGB, alpha=False)
            self._drawn = np.frombuffer(drawn.samples, np.uint8).reshape(drawn.h, drawn.w, 3)
        x0, y0, x1, y1 = (max(v * self._scale, 0) for v in self._sheet.shown(_inner(word)))
        part = self._drawn[int(y0) : int(-(-y1 // 1)), int(x0) : int(-(-x1 // 1))]
        return part.reshape(-1, 3).astype(np.int16)


def _inner(box: Box) -> Box:
    """The part of a word's box that its letters fill, without what touches it from outside."""
    x0, y0, x1, y1 = box
    margin = 0.2 * (y1 - y0)
    return x0, y0 + margin, x1, y1 - margin


def _parts(colour: int) -> Any:
    import numpy as np

    return np.array([colour >> 16 & 255, colour >> 8 & 255, colour & 255], np.int16)


def _grey(colours: Any) -> Any:
    import numpy as np

    return (colours.astype(np.int32) @ np.array([299, 587, 114])) // 1000
