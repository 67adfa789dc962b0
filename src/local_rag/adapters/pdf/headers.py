"""Which rows of a table say what its columns are."""

from __future__ import annotations

from typing import TYPE_CHECKING

from local_rag.adapters.pdf.cells import Filling
from local_rag.adapters.pdf.columns import rows_by_height
from local_rag.adapters.pdf.grid import Cell, Fragment, Grid, is_figures, is_numeric
from local_rag.adapters.pdf.rules import slot

if TYPE_CHECKING:
    from collections.abc import Sequence

    from local_rag.adapters.pdf.lines import Line

MAX_HEADER = 4
_LEAST_ROWS = 3
_MOST_WORDS = 4  # of a line of a wrapped cell
_MOST_APART_EM = 2.0
_OUTER_EM = 4.0
_LEAST_NAMED = 0.8


def header_by_figures(rows: list[list[Cell]]) -> int:
    """How many rows at the top have no figures, where those below have."""
    for i, row in enumerate(rows[:MAX_HEADER]):
        if is_figures(row):
            return max(i, 1)
    return 1


def extend_header(grid: Grid) -> None:
    """A row that spans the table, such as its title, is not yet all of the header."""
    columns = len(grid.borders) - 1
    grid.header = min(grid.header, len(grid.rows) - 1)
    if grid.header == 1 and len(grid.rows) > 2 and columns > 2:
        first, second = (sum(map(bool, row)) for row in grid.rows[:2])
        if first < 0.4 * columns and second >= 0.6 * columns and not is_figures(grid.rows[1]):
            grid.header = 2


def take_header_above(grid: Grid, lines: Sequence[Line]) -> None:
    """Adds rows above the rules that name the columns, where the grid begins with figures; else
    only such as have a text for every column.
    """
    needed = 2 if is_figures(grid.rows[0]) else len(grid.borders) - 1
    x0, top, x1, _ = grid.box
    near = [i for i in lines if i.y1 <= top + 2 and i.x0 >= x0 - 6 and i.x1 <= x1 + 6]
    taken: list[Line] = []
    for row in reversed(rows_by_height(near)):
        figures = sum(is_numeric(line.text) for line in row)
        words = sum(len(line.pieces) for line in row)
        apart = top - max(line.y1 for line in row)
        if (
            len(row) < needed
            or 2 * figures >= len(row)
            or words > 3 * (len(grid.borders) - 1)
            or apart > 0.8 * row[0].size
        ):
            break
        taken += row
        top = min(line.y0 for line in row)
    if not taken:
        _take_wrapped_header(grid, lines)
        return
    filling = Filling(grid.borders, [top, top], False, lambda *_: False, lambda *_: True)
    rows, _ = filling.fill(taken)
    grid.rows = rows + grid.rows
    grid.header = len(rows)
    grid.lines = taken + grid.lines


def _take_wrapped_header(grid: Grid, lines: Sequence[Line]) -> None:
    """Adds one row of the lines above, joined column by column, where cells are wrapped.

    Such cells stand at heights of their own, so that their lines share no rows.
    """
    columns = len(grid.borders) - 1
    if len(grid.rows) < _LEAST_ROWS or columns < 3 or not is_figures(grid.rows[0]):
        return
    x0, top, x1, _ = grid.box
    near = [i for i in lines if i.y1 <= top + 2 and i.x0 < x1 and x0 < i.x1]
    taken: list[Line] = []
    for line in sorted(near, key=lambda line: -line.y1):
        reach = _MOST_APART_EM if not taken else 1.0
        if top - line.y1 > reach * line.size or not _fits_a_column(grid, line):
            break
        taken.append(line)
        top = min(top, line.y0)
    cells: list[Cell] = [[] for _ in range(columns)]
    for line in sorted(taken, key=lambda line: line.y0):
        box = line.x0, line.y0, line.x1, line.y1
        cells[slot(grid.borders, (line.x0 + line.x1) / 2)].append(
            Fragment(line.pieces, *box, line.size)
        )
    if sum(map(bool, cells)) < _LEAST_NAMED * columns or max(map(len, cells)) > MAX_HEADER:
        return
    grid.rows = [cells, *grid.rows]
    grid.header = 1
    grid.lines = taken + grid.lines


def _fits_a_column(grid: Grid, line: Line) -> bool:
    """Whether it is a few words, no figure, no wider than the column that it stands in."""
    at = slot(grid.borders, (line.x0 + line.x1) / 2)
    width = grid.borders[at + 1] - grid.borders[at]
    if at in (0, len(grid.borders) - 2):
        width += _OUTER_EM * line.size  # the outer borders are those of what stands below
    return (
        len(line.pieces) <= _MOST_WORDS
        and not is_numeric(line.text)
        and line.x1 - line.x0 <= width + line.size / 2
    )
