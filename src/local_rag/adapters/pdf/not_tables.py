"""What looks like a table and is none."""

from __future__ import annotations

import re
from itertools import pairwise
from statistics import median
from typing import TYPE_CHECKING

from local_rag.adapters.pdf.grid import Grid, cell_text
from local_rag.adapters.pdf.headers import extend_header
from local_rag.adapters.pdf.sheet import facing

if TYPE_CHECKING:
    from local_rag.adapters.pdf.rules import Box

_LEADER = re.compile(r"(\.\s?){4,}|…")
_ENUMERATOR = re.compile(r"([•‣◦▪■●○–➢✓∙·*-]|\[?\(?\w{1,4}[.)\]]|\[\w+\])$")
_EQUATION = re.compile(r"\(\d+(\.\d+)*[a-z]?\)$")
_CODE = re.compile(r"[;{}]$|^(def|class|return|import|if|for|while)\b|^(//|#include)")
_MAX_CELL_CHARS = 1_500
_PROSE_WORDS = 4
_MAX_CURVES = 4
_LABEL_CHARS = 2.5


def checked(
    grid: Grid, *, least_full: float, prose: int | None = None, ruled: bool = False
) -> Grid | None:
    """The grid, unless it looks like something else.

    Args:
        least_full: share of its cells that have text at the least.
        prose: how many of its columns may be running text; ``None`` for any number.
        ruled: rules show its columns or its header.
    """
    grid.rows = [row for row in grid.rows if any(row)]
    used = [any(row[c] for row in grid.rows) for c in range(len(grid.borders) - 1)]
    if not all(used):
        grid.rows = [[cell for cell, u in zip(row, used, strict=True) if u] for row in grid.rows]
        grid.borders = [
            grid.borders[0],
            *(b for b, u in zip(grid.borders[1:], used, strict=True) if u),
        ]
    columns = len(grid.borders) - 1
    if columns < 2 or len(grid.rows) < 2:
        return None
    full = [sum(map(bool, row)) for row in grid.rows]
    if sum(full) < least_full * columns * len(grid.rows):
        return None
    beside = sum(count > 1 for count in full)
    if beside < 2 or beside < 0.5 * len(full):
        return None
    if _is_scatter(grid, sum(full)):
        return None
    lengths = [len(cell_text(cell)) for row in grid.rows for cell in row]
    longest = max(lengths)
    if longest > _MAX_CELL_CHARS or (sum(lengths) > 300 and longest > 0.7 * sum(lengths)):
        return None
    extend_header(grid)
    if _is_listing(grid, ruled=ruled) or (prose is not None and _prose_columns(grid) > prose):
        return None
    return grid


def _is_scatter(grid: Grid, full: int) -> bool:
    """Signs of one or two letters with much white between: the labels of a drawing."""
    texts = [cell_text(cell) for row in grid.rows for cell in row if cell]
    if 2 * sum(any(map(str.isalnum, text)) for text in texts) < full:
        return True
    sparse = full < 0.85 * len(grid.rows) * (len(grid.borders) - 1)
    return sparse and sum(map(len, texts)) < _LABEL_CHARS * full


def _is_listing(grid: Grid, *, ruled: bool) -> bool:
    """A table of contents, a list, numbered equations, or code."""
    texts = [[cell_text(cell) for cell in row] for row in grid.rows]
    count = len(texts)
    dotted = sum(bool(_LEADER.search(" ".join(filter(None, row)))) for row in texts)
    if ruled:
        return dotted >= 0.3 * count and len(grid.borders) == 3
    if dotted >= 0.3 * count:
        return True
    if sum(bool(_CODE.search(" ".join(row).strip())) for row in texts) >= 0.3 * count:
        return True
    first = [row[0] for row in texts if row[0]]
    last = [row[-1] for row in texts if row[-1]]
    if len(grid.borders) == 3 and sum(map(bool, map(_ENUMERATOR.match, first))) >= 0.6 * len(first):
        return True
    if sum(map(bool, map(_EQUATION.match, last))) >= 0.6 * len(last):
        return True
    pages = [int(text) for text in last if text.isdecimal()]
    rising = all(a <= b for a, b in pairwise(pages))
    return (
        len(grid.borders) <= 4
        and len(pages) >= max(3, 0.8 * count)
        and rising
        and pages[0] < pages[-1]
    )


def _prose_columns(grid: Grid) -> int:
    """How many columns are running text: several words a line, most lines full."""
    found = 0
    for column in range(len(grid.borders) - 1):
        parts = [f for row in grid.rows for f in row[column]]
        if len(parts) < 3 or median(len(f.pieces) for f in parts) < _PROSE_WORDS:
            continue
        widths = [f.x1 - f.x0 for f in parts]
        found += median(widths) > 0.6 * max(widths)
    return found


def is_figure(grid: Grid, direction: int, others: list[Box]) -> bool:
    """Whether curves and slanted lines are drawn all over it."""
    x0, y0, x1, y1 = grid.box
    inside = 0
    for box in others:
        a, b, c, d = facing(box, direction)
        inside += x0 < (a + c) / 2 < x1 and y0 < (b + d) / 2 < y1
    return inside > _MAX_CURVES + 0.05 * len(grid.rows) * (len(grid.borders) - 1)
