"""Which text of a page a reader cannot see."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from local_rag.adapters.pdf.lines import RawWord
    from local_rag.adapters.pdf.sheet import Box, Sheet

# Below this a glyph cannot be seen; such text is there for machines only.
_VISIBLE_SIZE_PT = 1.0
_WHITE = 0xFFFFFF
# White text can be read where the page around it is darker than white by this much of 255.
_CONTRAST = 16
_SCAN_COVER = 0.6


class Unseen:
    """Tells which spans of a page cannot be seen.

    Transparent text (render mode 3 among it) over a picture of the page is the layer that OCR
    put there, and stays. White text is hidden where the drawn page shows no contrast.
    """

    def __init__(self, page: Any, sheet: Sheet, spans_of: dict[int, list[dict[str, Any]]]) -> None:
        self._page = page
        self._sheet = sheet
        spans = [s for lines in spans_of.values() for line in lines for s in line["spans"]]
        self.is_scan = any(s["alpha"] == 0 for s in spans) and _covered_by_images(page, sheet)
        self._any = any(self._suspect(s) for s in spans)
        self._picture: Any = None
        white = [s["bbox"] for s in spans if s["color"] == _WHITE] or [(0, 0, 0, 0)]
        lows, highs = [w[:2] for w in white], [w[2:] for w in white]
        self._white_area = (*map(min, *lows, lows[0]), *map(max, *highs, highs[0]))

    def _suspect(self, span: dict[str, Any]) -> bool:
        if span["alpha"] == 0:
            return not self.is_scan
        return bool(span["color"] == _WHITE or span["size"] < _VISIBLE_SIZE_PT)

    def _hidden(self, span: dict[str, Any]) -> bool:
        if not self._suspect(span):
            return False
        return span["color"] != _WHITE or span["alpha"] == 0 or not self._contrast(span["bbox"])

    def _contrast(self, box: Box) -> bool:
        import pymupdf

        if self._picture is None:
            clip = pymupdf.Rect(self._sheet.shown(self._white_area))
            # Half of screen resolution is enough to see whether anything is drawn.
            self._picture = self._page.get_pixmap(
                matrix=pymupdf.Matrix(0.5, 0.5), colorspace=pymupdf.csGRAY, clip=clip
            )
        area = pymupdf.Rect(self._sheet.shown(box)) * pymupdf.Matrix(0.5, 0.5)
        area = area.irect & self._picture.irect
        if area.is_empty:
            return False
        part = pymupdf.Pixmap(pymupdf.csGRAY, area)
        part.copy(self._picture, area)
        samples = part.samples
        return int(min(samples)) < 255 - _CONTRAST

    def drop(self, words: list[RawWord], spans: list[dict[str, Any]]) -> tuple[list[RawWord], int]:
        """The words that can be seen, and how many cannot."""
        if not self._any or not any(map(self._suspect, spans)):
            return words, 0
        hidden = [self._hidden(span) for span in spans]
        if not any(hidden):
            return words, 0
        if all(hidden):
            return [], len(words)
        text = "".join(span["text"] for span in spans)
        owner = [i for i, span in enumerate(spans) for _ in span["text"]]
        kept, at = [], 0
        for word in words:
            found = text.find(word[4], at)
            if found >= 0:
                at = found + len(word[4])
            if found < 0 or not hidden[owner[found]]:
                kept.append(word)
        return kept, len(words) - len(kept)


def _covered_by_images(page: Any, sheet: Sheet) -> bool:
    area = 0.0
    for image in page.get_image_info():
        x0, y0, x1, y1 = image["bbox"]
        wide = min(x1, sheet.width) - max(x0, 0)
        high = min(y1, sheet.height) - max(y0, 0)
        area += max(wide, 0) * max(high, 0)
    return area >= _SCAN_COVER * sheet.area
