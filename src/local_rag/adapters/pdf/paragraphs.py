"""Which rows of a page belong to one paragraph."""

from __future__ import annotations

import re
from collections import Counter
from itertools import pairwise
from typing import TYPE_CHECKING

from local_rag.adapters.pdf.code import goes_on

if TYPE_CHECKING:
    from collections.abc import Sequence

    from local_rag.adapters.pdf.rows import Row

_BULLET = re.compile(r"[•‣◦▪■●○–➢✓∙·*-](\s|$)|•")
_NUMBERED = re.compile(r"(\[\d{1,3}\]|\(?\d{1,3}[.)]|\(?[a-zA-Z][.)]|\([ivx]{1,4}\))\s")
_LEADER = re.compile(r"(\.\s*){4,}[\divxlcIVXLC]+$")
_ENDED = re.compile(r"[.!?:;。！？：；][\"'”’)\]]*$")
_INDENT_EM = 0.8
_DEFAULT_PITCH_EM = 1.2


def paragraphs_of(rows: Sequence[Row]) -> list[list[Row]]:
    """Groups the rows of a page, in order, into paragraphs."""
    pitches = _usual_pitches(rows)
    paragraphs: list[list[Row]] = []
    for i, row in enumerate(rows):
        following = rows[i + 1] if i + 1 < len(rows) else None
        if paragraphs and not _breaks(paragraphs[-1], row, following, pitches):
            paragraphs[-1].append(row)
        else:
            paragraphs.append([row])
    return paragraphs


def _usual_pitches(rows: Sequence[Row]) -> dict[float, float]:
    """Distance from one row to the next, in points, for each font size on the page."""
    seen: dict[float, Counter[float]] = {}
    for above, below in pairwise(rows):
        if above.tabular or below.tabular:
            continue  # cells of several lines stand between the rows
        pitch = below.y1 - above.y1
        if above.tallest == below.tallest and 0.8 < pitch / (above.tallest or 1) < 2.5:
            seen.setdefault(above.tallest, Counter())[round(pitch * 4) / 4] += 1
    usual: dict[float, float] = {}
    for size, counted in seen.items():
        most = max(counted.values())
        # Of several frequent distances the smallest is the one inside paragraphs.
        usual[size] = min(pitch for pitch, count in counted.items() if count * 3 >= most)
    return usual


def _breaks(
    paragraph: list[Row], row: Row, following: Row | None, pitches: dict[float, float]
) -> bool:
    last = paragraph[-1]
    if row.heading or last.heading:
        return row.heading_id != last.heading_id
    if row.code or last.code:
        return not (row.code and last.code and goes_on(last, row))
    if row.fields or last.lines[-1].field:
        return not row.fields & last.fields
    if row.direction != last.direction or row.tabular or last.tabular:
        return True
    if _LEADER.search(last.text):
        return True
    if abs(row.tallest - last.tallest) > 0.13 * max(row.tallest, last.tallest):
        return True
    pitch = row.y1 - last.y1
    if pitch < -0.5 * row.size:
        return not _flows_on(last, row)
    usual = pitches.get(row.tallest, _DEFAULT_PITCH_EM * row.tallest)
    if pitch > 1.25 * usual + 1:
        return True
    if row.bold and not last.bold and _ENDED.search(last.text):
        return True
    return (
        _starts_item(last, row)
        or _is_indented(paragraph, row, following)
        or _is_short(paragraph, row)
    )


def _flows_on(last: Row, row: Row) -> bool:
    """Whether a sentence goes on from the foot of one column to the head of the next."""
    if row.x0 < last.x1 and row.x0 <= last.x0 + row.size:
        return False
    text = row.text
    return not _ENDED.search(last.text) and text[:1].islower()


def _starts_item(last: Row, row: Row) -> bool:
    text = row.text
    if _BULLET.match(text):
        return not text.startswith(("-", "–", "*", "·")) or row.x0 >= last.x0 - 1
    return bool(_NUMBERED.match(text)) and bool(_ENDED.search(last.text))


def _is_indented(paragraph: list[Row], row: Row, following: Row | None) -> bool:
    indent = _INDENT_EM * row.size
    left = min(r.x0 for r in paragraph)
    if len(paragraph) > 1 and all(r.x0 > paragraph[0].x0 + indent for r in paragraph[1:]):
        # Hanging indent, as in a list of references: the next entry begins at the margin.
        return row.x0 < paragraph[-1].x0 - indent
    if row.x0 < left + indent or row.x0 > left + 6 * row.size:
        return False
    first = paragraph[0].text
    if len(paragraph) == 1 and (_BULLET.match(first) or _NUMBERED.match(first)):
        return False  # the second row of a list's item
    if not _ENDED.search(paragraph[-1].text):
        return False
    return following is None or following.y1 < row.y1 or following.x0 < row.x0 - indent


def _is_short(paragraph: list[Row], row: Row) -> bool:
    """Whether the row before ends a sentence well before the right edge."""
    last = paragraph[-1]
    right = max(row.x1, *(r.x1 for r in paragraph))
    left = min(row.x0, *(r.x0 for r in paragraph))
    return last.x1 < right - 0.15 * (right - left) and bool(_ENDED.search(last.text))
