"""Which rows of a table say what its columns are."""

from __future__ import annotations

from typing import TYPE_CHECKING

from local_rag.adapters.pdf.cells import Filling
from local_rag.adapters.pdf.columns import rows_by_height
from local_rag.adapters.pdf.grid import Cell, Grid, is_figures, is_numeric

if TYPE_CHECKING:
    from collections.abc import Sequence

    from local_rag.adapters.pdf.lines import Line

MAX_HEADER = 4


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
        return
    filling = Filling(grid.borders, [top, top], False, lambda *_: False, lambda *_: True)
    rows, _ = filling.fill(taken)
    grid.rows = rows + grid.rows
    grid.header = len(rows)
    grid.lines = taken + grid.lines
