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


def rectangles(words: Sequence[Word], offset: int, spans: Iterable[Span]) -> tuple[Rectangle, ...]:
    """The boxes of the spans' words, one for each line, in reading order.

    Args:
        words: the page's words.
        offset: where the text that the spans count from begins in the page's text.
    """
    boxes: list[Rectangle] = []
    for span in spans:
        start, end = span.start + offset, span.end + offset
        line: Rectangle | None = None
        for word in words:
            if word.start >= end or word.end <= start:
                continue
            box = Rectangle(*word[2:])
            if line is not None and _continues(line, box):
                line = Rectangle(
                    min(line.x0, box.x0), min(line.y0, box.y0),
                    max(line.x1, box.x1), max(line.y1, box.y1),
                )  # fmt: skip
                boxes[-1] = line
            else:
                line = box
                boxes.append(box)
    return tuple(boxes)


def _continues(line: Rectangle, box: Rectangle) -> bool:
    overlap = min(line.y1, box.y1) - max(line.y0, box.y0)
    lower = min(line.y1 - line.y0, box.y1 - box.y0)
    gap = max(box.x0 - line.x1, line.x0 - box.x1)
    return overlap > _SAME_LINE * lower and gap < _WIDEST_GAP * max(lower, 1.0)
