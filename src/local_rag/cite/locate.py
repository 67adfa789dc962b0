"""Where a quote stands on its page: from characters to rectangles."""

from __future__ import annotations

from typing import TYPE_CHECKING

from local_rag.model.answer import Rectangle

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from local_rag.model.answer import Span
    from local_rag.model.document import Word

_SAME_LINE = 0.5  # share of the lower box's height that two boxes of one line overlap by
_WIDEST_GAP = 3.0  # in heights of the line; further apart is another column
_TELLING_CHARS = 3  # words of fewer are about as wide as they are high


def rectangles(words: Sequence[Word], offset: int, spans: Iterable[Span]) -> tuple[Rectangle, ...]:
    """The boxes of the spans' words, one for each line, in reading order.

    Lines may run down or up the page as displayed, as those of a turned page do.

    Args:
        words: the page's words.
        offset: where the text that the spans count from begins in the page's text.
    """
    boxes: list[Rectangle] = []
    for span in spans:
        start, end = span.start + offset, span.end + offset
        marked = [word for word in words if word.start < end and word.end > start]
        sideways = _runs_sideways(marked)
        line: Rectangle | None = None
        for word in marked:
            box = Rectangle(*word[2:])
            if line is not None and _continues(line, box, sideways=sideways):
                line = Rectangle(
                    min(line.x0, box.x0), min(line.y0, box.y0),
                    max(line.x1, box.x1), max(line.y1, box.y1),
                )  # fmt: skip
                boxes[-1] = line
            else:
                line = box
                boxes.append(box)
    return tuple(boxes)


def _runs_sideways(words: Iterable[Word]) -> bool:
    """Whether most characters stand in boxes that are higher than wide."""
    balance = 0
    for start, end, x0, y0, x1, y1 in words:
        if end - start >= _TELLING_CHARS:
            balance += (end - start) * (1 if y1 - y0 > x1 - x0 else -1)
    return balance > 0


def _continues(line: Rectangle, box: Rectangle, *, sideways: bool) -> bool:
    if sideways:
        line, box = (Rectangle(r.y0, r.x0, r.y1, r.x1) for r in (line, box))
    overlap = min(line.y1, box.y1) - max(line.y0, box.y0)
    lower = min(line.y1 - line.y0, box.y1 - box.y0)
    gap = max(box.x0 - line.x1, line.x0 - box.x1)
    return overlap > _SAME_LINE * lower and gap < _WIDEST_GAP * max(lower, 1.0)
