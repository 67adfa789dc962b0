"""Text that something drawn later covers: a box, a picture."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from local_rag.adapters.pdf.content import Content
    from local_rag.adapters.pdf.sheet import Box, Sheet

_TEXT = frozenset({"fill-text", "stroke-text"})
_COVERS = frozenset({"fill-path", "fill-image", "fill-shade"})
# A cover smaller than a short word hides none.
_MIN_WIDTH_PT, _MIN_HEIGHT_PT = 8.0, 4.0
_MOST = 200
_SHARE = 0.8
# A picture over this much of the page is a scan; text below it is what OCR found in it.
_SCAN_SHARE = 0.6


class Cover(NamedTuple):
    """Something drawn over text.

    Attributes:
        picture: it is an opaque picture.
        below: boxes of the text that was drawn before, where they meet.
        later: boxes of the text that was drawn on top of it.
    """

    box: Box
    picture: bool
    below: list[Box]
    later: list[Box]

    def hides(self, word: Box) -> bool:
        """Whether the word lies below it; whether it can be seen through is not known."""
        x, y = (word[0] + word[2]) / 2, (word[1] + word[3]) / 2
        if not _has(self.box, x, y) or _common(self.box, word) < _SHARE * _area(word):
            return False
        if not any(_has(text, x, y) for text in self.below):
            return False
        return not any(_has(text, x, y) for text in self.later)


def covers_of(page: Any, sheet: Sheet, content: Content) -> list[Cover]:
    """What may cover text on the page. Boxes are those of the page before its rotation."""
    if not _fills_after_text(page, content):
        return []
    texts: list[tuple[int, Box]] = []
    covers: list[tuple[int, Box, bool]] = []
    for number, (kind, box) in enumerate(content.log):
        if kind in _TEXT:
            texts.append((number, box))
        elif texts and kind in _COVERS and _is_large(box):
            picture = kind == "fill-image"
            if not (picture and _area(box) >= _SCAN_SHARE * sheet.area):
                covers.append((number, box, picture))
    if len(covers) > _MOST:
        covers = sorted(covers, key=lambda cover: -_area(cover[1]))[:_MOST]
    found = []
    for number, box, picture in covers:
        below = [text for n, text in texts if n < number and _is_large(_meet(box, text))]
        if below:
            found.append(Cover(box, picture, below, [text for n, text in texts if n > number]))
    if any(cover.picture for cover in found):
        masked = [info["bbox"] for info in page.get_image_info(xrefs=True) if info["has-mask"]]
        found = [c for c in found if not (c.picture and any(_alike(c.box, b) for b in masked))]
    return found


def _fills_after_text(page: Any, content: Content) -> bool:
    """Whether anything may be drawn after text; most pages are let off by this quick look."""
    from pymupdf import mupdf

    pdf_page = mupdf.pdf_page_from_fz_page(page.this)
    if mupdf.pdf_first_annot(pdf_page).m_internal or mupdf.pdf_first_widget(pdf_page).m_internal:
        return True
    return content.fills_after_text


def _alike(a: Box, b: Box) -> bool:
    return all(abs(x - y) < 1 for x, y in zip(a, b, strict=True))


def _has(box: Box, x: float, y: float) -> bool:
    return box[0] <= x <= box[2] and box[1] <= y <= box[3]


def _is_large(box: Box) -> bool:
    return box[2] - box[0] >= _MIN_WIDTH_PT and box[3] - box[1] >= _MIN_HEIGHT_PT


def _meet(a: Box, b: Box) -> Box:
    return max(a[0], b[0]), max(a[1], b[1]), min(a[2], b[2]), min(a[3], b[3])


def _area(box: Box) -> float:
    return max(box[2] - box[0], 0.0) * max(box[3] - box[1], 0.0)


def _common(a: Box, b: Box) -> float:
    return _area(_meet(a, b))
