"""Tables that aligned text alone shows."""

from __future__ import annotations

from typing import TYPE_CHECKING

from local_rag.adapters.pdf.cells import Filling
from local_rag.adapters.pdf.columns import rows_by_height, text_borders, without_sparse_columns
from local_rag.adapters.pdf.grid import Grid, around, cell_text, is_figures, is_numeric
from local_rag.adapters.pdf.headers import MAX_HEADER, header_by_figures, take_header_above
from local_rag.adapters.pdf.not_tables import checked
from local_rag.adapters.pdf.order import reading_order
from local_rag.adapters.pdf.rows import rows_of

if TYPE_CHECKING:
    from local_rag.adapters.pdf.lines import Line
    from local_rag.adapters.pdf.tables import FoundTables


def unframed_tables(lines: list[Line], found: FoundTables) -> bool:
    """Adds the tables that aligned figures show.

    Returns:
        Whether something else may be one, too.
    """
    doubt = False
    rows = rows_of(reading_order(lines, lambda: False))
    run: list[list[Line]] = []
    gap = 0
    for row in [*rows, None]:
        if row is not None and row.tabular and _near(run, row.y0, row.size):
            run.append(row.lines)
            gap = 0
            continue
        if row is not None and not row.tabular and run and not gap and _near(run, row.y0, row.size):
            run.append(row.lines)
            gap = 1
            continue
        if gap:
            run.pop()
        if len(run) >= 3:
            doubt = _from_rows(run, lines, found) or doubt
        run, gap = ([row.lines], 0) if row is not None and row.tabular else ([], 0)
    return doubt


def _near(run: list[list[Line]], y0: float, size: float) -> bool:
    if not run:
        return True
    bottom, top = max(i.y1 for i in run[-1]), min(i.y0 for i in run[-1])
    return top < y0 < bottom + 1.5 * size


def _from_rows(run: list[list[Line]], rest: list[Line], found: FoundTables) -> bool:
    lines = [line for row in run for line in row]
    grid = from_text(lines)
    if grid is None:
        return False
    if _is_certain(grid):
        take_header_above(grid, rest)
        found.grids.append(grid)
        return False
    return len(grid.rows) >= 3 and len(grid.borders) >= 4


def from_text(lines: list[Line]) -> Grid | None:
    """The table that all these lines are, by their alignment alone; ``None`` if they are none."""
    borders = text_borders(rows_by_height(lines))
    if not borders:
        return None
    _, y0, _, y1 = around(lines)
    grid = filled(borders, [y0, y1], lines, is_dense=False)
    if grid is None:
        return None
    return checked(grid, least_full=0.5, prose=0)


def _is_certain(grid: Grid) -> bool:
    """At least three rows, one column of figures beside the first, nearly no cell empty."""
    body = grid.rows[grid.header :]
    if len(body) < 2 or len(grid.rows) < 3:
        return False
    full = sum(map(bool, (cell for row in grid.rows for cell in row)))
    if full < 0.6 * len(grid.rows) * (len(grid.borders) - 1):
        return False
    for column in range(1, len(grid.borders) - 1):
        texts = [cell_text(row[column]) for row in body if row[column]]
        figures = sum(is_numeric(text) for text in texts)
        if figures >= 3 and figures >= 0.7 * len(texts):
            return True
    return False


def filled(
    borders: list[float], bands: list[float], lines: list[Line], *, is_dense: bool
) -> Grid | None:
    """A grid of columns that text alone shows."""
    for _ in range(2):
        filling = Filling(borders, bands, is_dense, lambda *_: False, lambda *_: True)
        rows, row_bands = filling.fill(lines)
        kept = without_sparse_columns(borders, rows)
        if kept == borders:
            break
        borders = kept
    if len(borders) < 3 or not rows:
        return None
    header = sum(band == row_bands[0] for band in row_bands) if len(bands) > 2 else 0
    if not 0 < header <= min(MAX_HEADER, (len(rows) + 1) // 2):
        header = header_by_figures(rows)
    if is_figures(rows[header - 1]):
        header = 1
    return Grid(borders, rows, header, lines)
