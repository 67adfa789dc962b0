"""Which rows of a page look like headings: larger than the body, or apart from it."""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

from local_rag.adapters.pdf.diagram_rows import DiagramRow
from local_rag.adapters.pdf.heading_labels import (
    NUMBER,
    STANDING_NAMES,
    depth_of,
    is_caption,
    is_counted,
)
from local_rag.adapters.pdf.table_rows import TableRow

if TYPE_CHECKING:
    from collections.abc import Sequence

    from local_rag.adapters.pdf.rows import Row

_LEADER = re.compile(r"(\.\s*){4,}|…")
_LARGE = 1.12
_MAX_ROWS = 3
_MAX_CHARS = 200
# What stands apart by its weight or its label alone is shorter.
_MAX_CHARS_APART = 120
# A line that ends with a full stop and is longer than this is a sentence.
_SENTENCE_CHARS = 40
# A row this long below a heading is text.
BODY_CHARS = 12
_OPENING = "([{\"'“‘«„§¿¡"
# As before a letter of a list: (a) or iv) or b.
_LETTERED = re.compile(r"\(?(?:[a-z]{1,2}|[ivx]{1,4}|\d{1,2})[.)]\s+", re.IGNORECASE)
_ENDED = re.compile(r"[.!?:;。！？：；][\"'”’)\]]*$")
_UNFINISHED = (".", ",", ";", "。", "，", "；", "、")
# White above a heading, and at most below it, in font sizes.
_WHITE_EM = 0.45
_FAR_EM = 2.5
_OUTDENT_EM = 0.8
_CAPITALS = 6
_BETWEEN_CAPITALS = " -–—'’,:&/()"
_WORD_AND_NUMBER = re.compile(r"[^\W\d_]{3,}\s+\d{1,3}(?:\.\d{1,3})*(?=\W|$)")


class Run(NamedTuple):
    """Rows that together may be one heading.

    Attributes:
        apart: found by how it stands, not by its size or its number.
        white: there is white above it.
    """

    page: int
    rows: list[Row]
    apart: bool = False
    white: bool = True

    @property
    def text(self) -> str:
        """Its words with spaces between."""
        return " ".join(row.text for row in self.rows)

    @property
    def style(self) -> tuple[float, bool]:
        """Font size in points, and whether it is bold."""
        return self.rows[0].size, self.rows[0].bold


class Body(NamedTuple):
    """The style of the running text: font size in points; whether a third of it is bold."""

    size: float
    bold: bool


def body_style(pages: Sequence[Sequence[Row]]) -> Body:
    """Font size of most characters outside tables, and whether a third of those are bold."""
    counted: dict[bool, Counter[tuple[float, bool]]] = {False: Counter(), True: Counter()}
    for rows in pages:
        for row in rows:
            chars = sum(line.chars for line in row.lines)
            counted[isinstance(row, TableRow)][row.size, row.bold] += chars
    outside, inside = counted[False], counted[True]
    # Of a page that is one table the cells are the text.
    if outside.total() * 8 < inside.total():
        outside = outside + inside
    sizes: Counter[float] = Counter()
    for (size, _), chars in outside.items():
        sizes[size] += chars
    bold = sum(chars for (_, is_bold), chars in outside.items() if is_bold)
    size = sizes.most_common(1)[0][0] if sizes else 0.0
    return Body(size, bold * 3 > outside.total())


def runs_of(page: int, rows: Sequence[Row], body: Body) -> list[Run]:
    """Runs of neighbouring rows in one style that look like headings, in order."""
    found: list[Run] = []
    end = len(rows)
    below_is_heading = False
    # Upwards: whether a line is a heading may hang on what stands below it.
    while end:
        start = _begin(rows, end, body)
        made = _run(page, rows, start, end, body, below_is_heading) if start < end else None
        below_is_heading = made is not None
        if made is not None:
            found.append(made)
        end = min(start, end - 1)
    return found[::-1]


def _begin(rows: Sequence[Row], end: int, body: Body) -> int:
    """Where the run begins whose last row stands before ``end``; ``end`` if there is none."""
    start = end
    while start and _may_be(rows[start - 1], body):
        row = rows[start - 1]
        if start < end and not _goes_on(row, rows[start], body):
            break
        start -= 1
    return start


def _may_be(row: Row, body: Body) -> bool:
    return not row.heading and (_stands_out(row, body) or _is_emphatic(row, body))


def _run(
    page: int, rows: Sequence[Row], start: int, end: int, body: Body, below_is_heading: bool
) -> Run | None:
    run = Run(page, list(rows[start:end]))
    if not _reads_as_heading(run, body):
        return None
    if _stands_out(run.rows[0], body):
        return run
    above = rows[start - 1] if start else None
    below = rows[end] if end < len(rows) else None
    white = _has_white_above(run, above)
    if not _reads_as_label(run):
        return None
    if not (white or _is_after_an_end(above) or _is_set_off(run, above)):
        return None
    if below is None or not (below_is_heading or _is_text_below(run, below)):
        return None
    if not run.rows[0].wholly_bold and not (white and _is_short(run, below)):
        return None
    return run._replace(apart=True, white=white)


def _stands_out(row: Row, body: Body) -> bool:
    if row.fields or row.code or (row.tabular and not NUMBER.match(row.text)):
        return False
    if row.size >= max(_LARGE * body.size, body.size + 1):
        return True
    emphatic = row.bold and not body.bold
    if not emphatic and row.size < body.size * 1.04:
        return False
    text = row.text
    if row.key in STANDING_NAMES:
        return True
    number = NUMBER.match(text)
    if not emphatic:
        return False
    return bool(number and text[number.end()].isupper()) or bool(
        row.size >= body.size * 1.04 and len(text) < 80 and not text.endswith((".", ",", ";", ":"))
    )


def _is_emphatic(row: Row, body: Body) -> bool:
    """Whether a row of the body's size is bold throughout, in capitals, or has a label."""
    if row.fields or row.code or row.tabular or isinstance(row, (TableRow, DiagramRow)):
        return False
    if body.bold:
        return False
    if row.wholly_bold:
        return row.size >= 0.75 * body.size
    if row.size < 0.95 * body.size:
        return False
    text = row.text
    return is_counted(text) or _is_in_capitals(text)


def _is_in_capitals(text: str) -> bool:
    if not text.isupper() or not all(c.isalpha() or c in _BETWEEN_CAPITALS for c in text):
        return False
    return sum(c.isalpha() and c.lower() != c for c in text) >= _CAPITALS


def _goes_on(last: Row, row: Row, body: Body) -> bool:
    """Whether the heading goes on from one row to the next."""
    if (last.size, last.bold, last.direction) != (row.size, row.bold, row.direction):
        return False
    if NUMBER.match(row.text) and depth_of(row.text):
        return False
    if is_counted(row.text) or (not row.wholly_bold and not _stands_out(row, body)):
        return False
    return 0 < row.y1 - last.y1 < 1.6 * row.size


def _reads_as_heading(run: Run, body: Body) -> bool:
    text = run.text
    if len(run.rows) > _MAX_ROWS or len(text) > _MAX_CHARS or _LEADER.search(text):
        return False
    if run.rows[0].direction == 4 or "://" in text:
        return False
    counted = is_counted(text)
    if not (counted or _LETTERED.match(text) or any(c.isalnum() for c in text[:1] + text[-1:])):
        return False
    if text.endswith(".") and not NUMBER.match(text) and len(text) > _SENTENCE_CHARS:
        return False
    letters = sum(c.isalpha() for c in text)
    return letters >= 2 and (counted or letters * 2 > len(text.replace(" ", ""))) and body.size > 0


def _reads_as_label(run: Run) -> bool:
    text = run.text
    if len(text) > _MAX_CHARS_APART or text.endswith(_UNFINISHED) or is_caption(text):
        return False
    first = _LETTERED.sub("", text).lstrip(_OPENING)[:1]
    return bool(first) and not first.islower() and (text[0].isalnum() or text[0] in _OPENING)


def _has_white_above(run: Run, above: Row | None) -> bool:
    """Also at the head of a page or of a column."""
    first = run.rows[0]
    return above is None or above.y0 > first.y0 or first.y0 - above.y1 > _WHITE_EM * first.size


def _is_after_an_end(above: Row | None) -> bool:
    """Whether the paragraph above has ended, so that this begins one of its own."""
    if above is None or above.bold:
        return False
    return bool(_ENDED.search(above.text)) or isinstance(above, (TableRow, DiagramRow))


def _is_set_off(run: Run, above: Row | None) -> bool:
    """Whether it begins to the left of the paragraph above, or is counted: "Lemma 3"."""
    first = run.rows[0]
    outdented = above is not None and above.x0 - first.x0 > _OUTDENT_EM * first.size
    return outdented or bool(_WORD_AND_NUMBER.match(run.text))


def _is_text_below(run: Run, below: Row) -> bool:
    """Whether what follows is a paragraph that the run can be the heading of."""
    last = run.rows[-1]
    if below.bold == last.bold and last.wholly_bold:
        return False
    if below.tabular or below.code or below.fields or isinstance(below, (TableRow, DiagramRow)):
        return False
    if below.direction != last.direction or not 0.75 <= below.size / last.size <= 1.3:
        return False
    text = below.text
    if len(text) < BODY_CHARS and not _ENDED.search(text):
        return False
    if text[0].islower() or below.y1 < last.y1 or below.y0 - last.y1 > _FAR_EM * last.size:
        return False
    return below.x0 < last.x1 and below.x1 > last.x0


def _is_short(run: Run, below: Row) -> bool:
    """Whether it leaves room in its row, as a row of a paragraph does not."""
    return max(row.x1 for row in run.rows) < below.x1 - 0.1 * (below.x1 - below.x0)
