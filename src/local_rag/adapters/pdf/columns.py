"""Rows and columns that the text of a region shows by itself."""

from __future__ import annotations

from itertools import pairwise
from statistics import median
from typing import TYPE_CHECKING

from local_rag.adapters.pdf.grid import Cell, around, is_numeric
from local_rag.adapters.pdf.sheet import facing

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from local_rag.adapters.pdf.lines import Line

# A gap of this many font sizes is more than a space between words.
SPACE_EM = 0.5
_CENTRE = 0.4
# Share of the rows that may cross the white between two columns: cells that span both.
_CROSSING = 0.2
_HEADER = 4


def rows_by_height(lines: Iterable[Line]) -> list[list[Line]]:
    """Lines that stand at one height, from top to bottom; those in a row from left to right."""
    rows: list[list[Line]] = []
    for line in sorted(lines, key=lambda i: i.y0 + i.y1):
        if rows:
            last = max(rows[-1], key=lambda i: i.chars)
            apart = abs(line.y0 + line.y1 - last.y0 - last.y1) / 2
            if apart < _CENTRE * min(line.y1 - line.y0, last.y1 - last.y0):
                rows[-1].append(line)
                continue
        rows.append([line])
    for row in rows:
        row.sort(key=lambda i: i.x0)
    return rows


def text_borders(rows: Sequence[Sequence[Line]]) -> list[float]:
    """Upright strips of white that hold for (nearly) all rows: where columns meet.

    Returns:
        Left edge, borders between columns, right edge; empty where there is one column only.
    """
    if not rows:
        return []
    x0, _, x1, _ = around(i for row in rows for i in row)
    size = median(i.size for row in rows for i in row)
    spans = [_spans(row) for row in rows]
    head = next((i for i, row in enumerate(rows[:_HEADER]) if _has_figures(row)), 0)
    if len(rows) - head >= 4:
        spans = spans[head:]
    counted = [s for s in spans if len(s) > 1 or s[0][1] - s[0][0] < 0.5 * (x1 - x0)]
    if len(counted) < 2:
        return []
    width = {2: 1.5, 3: 1.0, 4: 1.0, 5: 0.8}.get(len(counted), 0.6) * max(size, 4.0)
    found = _strips(counted, width, int(_CROSSING * len(counted)))
    return [x0 - 1, *found, x1 + 1] if found else []


def _has_figures(row: Sequence[Line]) -> bool:
    return len(row) > 1 and any(is_numeric(line.text) for line in row)


def _spans(row: Sequence[Line]) -> list[tuple[float, float]]:
    """From where to where a row has text; spaces between words count as text."""
    boxes = sorted((facing(p[1:5], line.direction), line.size) for line in row for p in line.pieces)
    spans: list[tuple[float, float]] = []
    for (x0, _, x1, _), size in boxes:
        if spans and x0 - spans[-1][1] < SPACE_EM * size:
            spans[-1] = spans[-1][0], max(x1, spans[-1][1])
        else:
            spans.append((x0, x1))
    return spans


def _strips(rows: list[list[tuple[float, float]]], width: float, crossing: int) -> list[float]:
    """The middle of each strip of at least this width that at most ``crossing`` rows cross."""
    events = sorted(event for row in rows for a, b in row for event in ((a, 1), (b, -1)))
    covered, strips = 0, []
    start: float | None = None
    inside: list[tuple[int, float, float]] = []
    for (x, step), (following, _) in pairwise(events):
        covered += step
        if covered > crossing:
            if start is not None and x - start >= width and inside:
                strips.append(inside)
            start, inside = None, []
            continue
        if start is None:
            start = x
        inside.append((covered, x, following))
    middles = []
    for strip in strips:
        least = min(count for count, _, _ in strip)
        a, b = max(((a, b) for n, a, b in strip if n == least), key=lambda s: s[1] - s[0])
        middles.append((a + b) / 2)
    return middles


def without_sparse_columns(borders: list[float], rows: Sequence[Sequence[Cell]]) -> list[float]:
    """The borders without those of columns in which hardly a row has text."""
    least = max(2.0, 0.15 * len(rows)) if len(rows) >= 4 else 1.0
    used = [sum(bool(row[c]) for row in rows) for c in range(len(borders) - 1)]
    kept = [
        borders[column]
        for column in range(1, len(borders) - 1)
        if used[column] >= least and used[column - 1] >= least
    ]
    return [borders[0], *kept, borders[-1]]
