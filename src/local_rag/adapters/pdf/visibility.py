"""Which text of a page a reader cannot see."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from local_rag.adapters.pdf.covers import covers_of
from local_rag.adapters.pdf.grounds import grounds_of
from local_rag.adapters.pdf.looks import Looks

if TYPE_CHECKING:
    from local_rag.adapters.pdf.content import Content
    from local_rag.adapters.pdf.lines import RawWord
    from local_rag.adapters.pdf.sheet import Box, Sheet

# Below this, as displayed, text cannot be read; it is there for machines only. Small pages are
# looked at enlarged: there it is a share of their shorter side.
_READABLE_PT = 2.0
_READABLE_SHARE = 1 / 200
# Below this the layer of a scan has no boxes that could be looked at.
_TINY_PT = 1.0
_TRANSPARENT = 12  # of 255: a twentieth
_WHITE = 0xF4  # least of red, green and blue of what cannot be told from white
# White text can be read where the page around it is darker than white by this much of 255.
_CONTRAST = 16
_SCAN_COVER = 0.6
_UNIFORM = 24  # levels of grey: what varies by less shows no text


class Unseen:
    """Tells which spans of a page cannot be seen.

    Transparent text (render mode 3 among it) over a picture of the page is the layer that OCR
    put there, and stays. Text is hidden that is too small to be read, that something covers, or
    that is of the very colour of what it stands on: the drawn page tells, where a box, a picture
    or the paper gives reason to look.
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
        self._least_size = min(_READABLE_PT, _READABLE_SHARE * min(sheet.width, sheet.height))
        self.is_scan = any(map(_is_transparent, spans)) and _covered_by_images(page, sheet)
        self._any = any(self._suspect(s) for s in spans)
        self._covers = covers_of(page, sheet, content)
        drawn = {s["color"] for s in spans if not _is_transparent(s)}
        self._grounds = grounds_of(page, sheet, content, drawn)
        self._picture: Any = None
        self._looks = Looks(page, sheet)
        white = [s["bbox"] for s in spans if _is_white(s["color"]) or _is_transparent(s)]
        white = white or [(0, 0, 0, 0)]
        lows, highs = [w[:2] for w in white], [w[2:] for w in white]
        self._white_area = (*map(min, *lows, lows[0]), *map(max, *highs, highs[0]))

    def _suspect(self, span: dict[str, Any]) -> bool:
        small = span["size"] < self._least_size
        return small or _is_transparent(span) or _is_white(span["color"])

    def _hidden(self, span: dict[str, Any]) -> bool:
        if not self._suspect(span):
            return False
        if _is_transparent(span):
            # The layer of a scan lies over letters; over a plain ground it is for machines only.
            return not (self.is_scan and self._ink(span["bbox"], span["size"]))
        return span["size"] < self._least_size or not self._contrast(span["bbox"])

    def _ink(self, box: Box, size: float) -> bool:
        """Whether the drawn page varies below the box as it does below letters."""
        if size < _TINY_PT:
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
        if not (self._covers or self._grounds):
            return kept, count
        owners = _owners(kept, spans) if len(spans) > 1 else [0] * len(kept)
        shown = [
            word
            for word, owner in zip(kept, owners, strict=True)
            if not self._is_lost(word[:4], spans[owner or 0])
        ]
        return shown, count + len(kept) - len(shown)

    def _is_lost(self, box: Box, span: dict[str, Any]) -> bool:
        """Whether the word is covered, or of the colour of what it stands on."""
        hiding = [cover for cover in self._covers if cover.hides(box)]
        by_picture = all(cover.picture for cover in hiding)
        colour = span["color"]
        if hiding and self._looks.covered(box, colour, by_picture=by_picture):
            return True
        if _is_transparent(span):
            return False  # the layer of a scan: its colour is not drawn
        swallows = any(ground.may_swallow(box, colour) for ground in self._grounds)
        return swallows and not self._looks.shows(box, colour)

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
        owners = _owners(words, spans)
        kept = [
            word
            for word, owner in zip(words, owners, strict=True)
            if owner is None or not hidden[owner]
        ]
        return kept, len(words) - len(kept)


def _owners(words: list[RawWord], spans: list[dict[str, Any]]) -> list[int | None]:
    """For each word of a line the number of its span, where it is found."""
    text = "".join(span["text"] for span in spans)
    owner = [i for i, span in enumerate(spans) for _ in span["text"]]
    owners, at = [], 0
    for word in words:
        found = text.find(word[4], at)
        if found >= 0:
            at = found + len(word[4])
        owners.append(owner[found] if found >= 0 else None)
    return owners


def _covered_by_images(page: Any, sheet: Sheet) -> bool:
    area = 0.0
    for image in page.get_image_info():
        x0, y0, x1, y1 = image["bbox"]
        wide = min(x1, sheet.width) - max(x0, 0)
        high = min(y1, sheet.height) - max(y0, 0)
        area += max(wide, 0) * max(high, 0)
    return area >= _SCAN_COVER * sheet.area


def _is_white(color: int) -> bool:
    return min(color >> 16, color >> 8 & 0xFF, color & 0xFF) >= _WHITE


def _is_transparent(span: dict[str, Any]) -> bool:
    return bool(span["alpha"] <= _TRANSPARENT)
