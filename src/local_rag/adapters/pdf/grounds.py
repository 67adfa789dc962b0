"""What lies below text: areas of its own colour, and pictures."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Collection

    from local_rag.adapters.pdf.content import Content
    from local_rag.adapters.pdf.sheet import Box, Sheet

_TEXT = frozenset({"fill-text", "stroke-text"})
_PICTURES = frozenset({"fill-image", "fill-imgmask", "fill-shade"})
# What is smaller than a short word is no ground of one.
_MIN_WIDTH_PT, _MIN_HEIGHT_PT = 8.0, 4.0
_MOST = 200
# Colours whose parts differ by less cannot be told apart by the eye.
_ALIKE = 32
_PAPER = 0xFFFFFF
_VECTOR = 3


class Ground(NamedTuple):
    """An area that text may be drawn on.

    Attributes:
        colour: 0xRRGGBB; ``None`` for a picture or a gradient, which may have any.
    """

    box: Box
    colour: int | None

    def may_swallow(self, word: Box, colour: int) -> bool:
        """Whether the word stands on it, and may be of its colour."""
        x, y = (word[0] + word[2]) / 2, (word[1] + word[3]) / 2
        x0, y0, x1, y1 = self.box
        return x0 <= x <= x1 and y0 <= y <= y1 and alike(self.colour, colour)


def grounds_of(page: Any, sheet: Sheet, content: Content, colours: Collection[int]) -> list[Ground]:
    """The grounds on which text of one of the colours may not stand out.

    White paper is one for colours next to white. Boxes are those of the page before its rotation.
    """
    found = []
    if any(alike(_PAPER, colour) for colour in colours):
        found.append(Ground((0.0, 0.0, sheet.width, sheet.height), _PAPER))
    if not content.may_fill:
        return found
    last_text = max((i for i, (kind, _) in enumerate(content.log) if kind in _TEXT), default=0)
    below = [(kind, box) for kind, box in content.log[:last_text] if _is_large(box)]
    if any(kind == "fill-path" for kind, _ in below):
        filled = [g for g in _filled(page) if any(alike(g.colour, colour) for colour in colours)]
        found += sorted(filled, key=lambda ground: -_area(ground.box))[:_MOST]
    pictures = [Ground(box, None) for kind, box in below if kind in _PICTURES]
    return found + sorted(pictures, key=lambda ground: -_area(ground.box))[:_MOST]


def alike(a: int | None, b: int) -> bool:
    """Whether two colours can hardly be told apart; one that is not known is like any."""
    if a is None:
        return True
    return all(abs((a >> shift & 255) - (b >> shift & 255)) < _ALIKE for shift in (16, 8, 0))


def _filled(page: Any) -> list[Ground]:
    import pymupdf

    flags = pymupdf.TEXT_MEDIABOX_CLIP | pymupdf.TEXT_COLLECT_VECTORS
    blocks = page.get_textpage(flags=flags).extractDICT()["blocks"]
    return [
        Ground(block["bbox"], block["color"])
        for block in blocks
        if block["type"] == _VECTOR and not block["stroked"] and _is_large(block["bbox"])
    ]


def _is_large(box: Box) -> bool:
    return box[2] - box[0] >= _MIN_WIDTH_PT and box[3] - box[1] >= _MIN_HEIGHT_PT


def _area(box: Box) -> float:
    return max(box[2] - box[0], 0.0) * max(box[3] - box[1], 0.0)
