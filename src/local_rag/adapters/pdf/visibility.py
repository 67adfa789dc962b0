"""Which text of a page a reader cannot see."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from local_rag.adapters.pdf.covers import covers_of

if TYPE_CHECKING:
    from local_rag.adapters.pdf.content import Content
    from local_rag.adapters.pdf.lines import RawWord
    from local_rag.adapters.pdf.sheet import Box, Sheet

# Below this a glyph cannot be seen; such text is there for machines only.
_VISIBLE_SIZE_PT = 1.0
_WHITE = 0xF4  # least of red, green and blue of what cannot be told from white
# White text can be read where the page around it is darker than white by this much of 255.
_CONTRAST = 16
_SCAN_COVER = 0.6
_PIXELS_A_POINT = 2.0
_MOST_PIXELS = 4_000_000
# Levels of grey. What varies by less shows no text; a letter's pixels are as near its colour.
_UNIFORM = 24
_NEAR = 96


class Unseen:
    """Tells which spans of a page cannot be seen.

    Transparent text (render mode 3 among it) over a picture of the page is the layer that OCR
    put there, and stays. White text is hidden where the drawn page shows no contrast, text below
    a box or a picture where the drawn page shows nothing of it.
    """

    def __init__(
        self,
        page: Any,
        sheet: Sheet,
        content: Content,
        spans_of: dict[int, list[dict[str, Any]]],
    ) -> None:
        self._page = page
        self._sheet = sheet
        spans = [s for lines in spans_of.values() for line in lines for s in line["spans"]]
        self.is_scan = any(s["alpha"] == 0 for s in spans) and _covered_by_images(page, sheet)
        self._any = any(self._suspect(s) for s in spans)
        self._covers = covers_of(page, sheet, content)
        self._picture: Any = None
        self._covered: Any = None
        white = [s["bbox"] for s in spans if _is_white(s["color"]) or s["alpha"] == 0]
        white = white or [(0, 0, 0, 0)]
        lows, highs = [w[:2] for w in white], [w[2:] for w in white]
        self._white_area = (*map(min, *lows, lows[0]), *map(max, *highs, highs[0]))

    def _suspect(self, span: dict[str, Any]) -> bool:
        transparent = span["alpha"] == 0
        return bool(transparent or _is_white(span["color"]) or span["size"] < _VISIBLE_SIZE_PT)

    def _hidden(self, span: dict[str, Any]) -> bool:
        if not self._suspect(span):
            return False
        if span["alpha"] == 0:
            # The layer of a scan lies over letters; over a plain ground it is for machines only.
            return not (self.is_scan and self._ink(span["bbox"], span["size"]))
        return not _is_white(span["color"]) or not self._contrast(span["bbox"])

    def _ink(self, box: Box, size: float) -> bool:
        """Whether the drawn page varies below the box as it does below letters."""
        if size < _VISIBLE_SIZE_PT:
            return True  # some programs write their layer tiny and stretch it
        samples = self._samples(box)
        return not samples or max(samples) - min(samples) >= _UNIFORM

    def _contrast(self, box: Box) -> bool:
        samples = self._samples(box)
        return bool(samples) and int(min(samples)) < 255 - _CONTRAST

    def _samples(self, box: Box) -> bytes:
        """The grey levels of the drawn page in the box; none where it is too small to tell."""
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
            return b""
        part = pymupdf.Pixmap(pymupdf.csGRAY, area)
        part.copy(self._picture, area)
        return bytes(part.samples)

    def drop(self, words: list[RawWord], spans: list[dict[str, Any]]) -> tuple[list[RawWord], int]:
        """The words that can be seen, and how many cannot."""
        kept, count = self._drop_suspects(words, spans)
        if not self._covers:
            return kept, count
        grey = _grey(spans[0]["color"])
        shown = [word for word in kept if not self._is_covered(word[:4], grey)]
        return shown, count + len(kept) - len(shown)

    def _is_covered(self, box: Box, grey: int) -> bool:
        hiding = [cover for cover in self._covers if cover.hides(box)]
        if not hiding:
            return False
        low, high, nearest = self._looks(box, grey)
        return high - low < _UNIFORM or (all(cover.picture for cover in hiding) and nearest > _NEAR)

    def _looks(self, box: Box, grey: int) -> tuple[int, int, int]:
        """Darkest and lightest grey of the page there, and the distance to the nearest one."""
        import pymupdf

        scale = min(_PIXELS_A_POINT, (_MOST_PIXELS / max(self._sheet.area, 1)) ** 0.5)
        matrix = pymupdf.Matrix(scale, scale)
        if self._covered is None:
            self._covered = self._page.get_pixmap(matrix=matrix, colorspace=pymupdf.csGRAY)
        area = pymupdf.Rect(self._sheet.shown(_inner(box))) * matrix
        area = area.irect & self._covered.irect
        if area.is_empty:
            return 0, 0, 255
        part = pymupdf.Pixmap(pymupdf.csGRAY, area)
        part.copy(self._covered, area)
        seen = set(part.samples)
        return min(seen), max(seen), min(abs(level - grey) for level in seen)

    def _drop_suspects(
        self, words: list[RawWord], spans: list[dict[str, Any]]
    ) -> tuple[list[RawWord], int]:
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


def _grey(colour: int) -> int:
    red, green, blue = colour >> 16 & 255, colour >> 8 & 255, colour & 255
    return (299 * red + 587 * green + 114 * blue) // 1000


def _inner(box: Box) -> Box:
    """The part of a word's box that its letters fill, without what touches it from outside."""
    x0, y0, x1, y1 = box
    margin = 0.2 * (y1 - y0)
    return x0, y0 + margin, x1, y1 - margin


def _is_white(color: int) -> bool:
    return min(color >> 16, color >> 8 & 0xFF, color & 0xFF) >= _WHITE
