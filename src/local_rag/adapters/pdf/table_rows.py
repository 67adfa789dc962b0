"""Tables among the rows of a page: where they stand, how they go on, how they are written."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from itertools import groupby, pairwise
from typing import TYPE_CHECKING

from local_rag.adapters.pdf.diagram_rows import DiagramLine, diagram_row, with_stand_ins
from local_rag.adapters.pdf.glyphs import letters_and_digits
from local_rag.adapters.pdf.grid import cell_text, is_figures
from local_rag.adapters.pdf.lines import Line
from local_rag.adapters.pdf.rows import Row, rows_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from local_rag.adapters.pdf.grid import Cell, Grid
    from local_rag.adapters.pdf.lines import Piece

_COLUMN_PT = 6.0
# Share of the page in which running heads and feet stand.
_MARGIN = 0.12
# Where a table ends that goes on, and where its next part begins.
_LOWER_PART = 0.6
_UPPER_PART = 0.3


@dataclass(slots=True)
class TableLine(Line):
    """Stands for all the lines of a table until the reading order is known."""

    grid: Grid | None = None


@dataclass(slots=True)
class TableRow(Row):
    """A whole table, in the place of a row.

    Attributes:
        written_header: its header as it was written on its page; set by the writer.
        first: the table of the page before that it goes on from.
        has_header: its own rows begin with a header.
    """

    grid: Grid | None = None
    written_header: str = ""
    first: TableRow | None = None
    has_header: bool = True

    @property
    def pieces(self) -> list[Piece]:
        """All words, cell by cell."""
        return [piece for cell in self._cells for part in cell for piece in part.pieces]

    @property
    def text(self) -> str:
        """Cells with bars between, so that it is never taken for a heading."""
        return "| " + " | ".join(cell_text(cell) for cell in self._cells) + " |"

    @property
    def _cells(self) -> Iterable[Cell]:
        return (cell for row in self.rows for cell in row)

    @property
    def rows(self) -> list[list[Cell]]:
        """From top to bottom."""
        return self.grid.rows if self.grid is not None else []


def with_tables(lines: Sequence[Line], grids: Sequence[Grid]) -> list[Line]:
    """The lines, each table's replaced by one that stands where the first of them stood."""
    made = with_stand_ins(lines, [(grid.lines, _table_line(grid)) for grid in grids])
    for whole in [line for line in made if isinstance(line, (TableLine, DiagramLine))]:
        _move_below(made, whole)
    return made


def _move_below(lines: list[Line], table: Line) -> None:
    """Moves a table or a diagram that was drawn first behind the text that stands above it."""
    at = next(i for i, line in enumerate(lines) if line is table)
    last = at
    for i, line in enumerate(lines[at + 1 :], at + 1):
        if line.direction != table.direction or line.x1 < table.x0 or line.x0 > table.x1:
            continue
        if line.y1 > table.y0 + 0.5 * line.size:
            break
        last = i
    lines.insert(last, lines.pop(at))


def _table_line(grid: Grid) -> TableLine:
    pieces = [p for row in grid.rows for cell in row for part in cell for p in part.pieces]
    chars: Counter[float] = Counter()
    for line in grid.lines:
        chars[line.size] += line.chars
    size = chars.most_common(1)[0][0]
    bold = all(line.bold for line in grid.lines)
    return TableLine(pieces, *grid.box, size, size, bold, grid.lines[0].direction, grid=grid)


def rows_with_tables(lines: Iterable[Line]) -> list[Row]:
    """``rows_of``, with a row of its own for each table and each diagram."""
    made: list[Row] = []
    for whole, of_kind in groupby(lines, key=lambda i: isinstance(i, (TableLine, DiagramLine))):
        group = list(of_kind)
        if not whole:
            made += rows_of(group)
        for line in group:
            if isinstance(line, TableLine):
                made.append(_table_row(line))
            elif isinstance(line, DiagramLine):
                made.append(diagram_row(line))
    return made


def _table_row(line: TableLine) -> TableRow:
    box = line.x0, line.y0, line.x1, line.y1
    row = TableRow([line], *box, line.size, line.tallest, line.bold, line.direction)
    row.tabular = True
    row.grid = line.grid
    return row


def join_over_pages(pages: Sequence[tuple[Sequence[Row], float, float]]) -> None:
    """Finds the tables that go on from the foot of one page at the head of the next.

    Args:
        pages: rows, width and height of each page.
    """
    for above, below in pairwise(pages):
        last, first = _at_edge(*above, foot=True), _at_edge(*below, foot=False)
        if last is None or first is None or not _same_columns(last, first):
            continue
        model = last.first or last
        first.has_header = _header_key(first, model) == _header_key(model, model)
        if first.has_header or not _has_other_header(first):
            first.first = model
        else:
            first.has_header = True


def _at_edge(rows: Sequence[Row], width: float, height: float, *, foot: bool) -> TableRow | None:
    """The table with nothing below (above) it but a running foot (head)."""
    tables = [row for row in rows if isinstance(row, TableRow)]
    if not tables:
        return None
    table = max(tables, key=lambda row: row.y1) if foot else min(tables, key=lambda row: row.y0)
    # From 0 at the top of the page to 1 at its foot, as the table's text runs.
    low = {1: -width, 2: -height}.get(table.direction, 0.0)
    size = (width if table.direction in (1, 3) else height) or 1.0
    if (table.y1 - low) / size < _LOWER_PART if foot else (table.y0 - low) / size > _UPPER_PART:
        return None
    for row in rows:
        if row is table or row.direction != table.direction:
            continue
        if foot and row.y0 > table.y0 and (row.y0 - low) / size < 1 - _MARGIN:
            return None
        if not foot and row.y1 < table.y1 and (row.y1 - low) / size > _MARGIN:
            return None
    return table


def _same_columns(a: TableRow, b: TableRow) -> bool:
    if a.grid is None or b.grid is None or a.direction != b.direction:
        return False
    left, right = a.grid.borders, b.grid.borders
    if len(left) != len(right):
        return False
    inner = zip(left[1:-1], right[1:-1], strict=True)
    return all(abs(x - y) <= _COLUMN_PT for x, y in inner)


def _has_other_header(table: TableRow) -> bool:
    """Whether its first row names columns of figures: another table at the same place."""
    return not is_figures(table.rows[0]) and all(map(is_figures, table.rows[1:3]))


def _header_key(table: TableRow, model: TableRow) -> list[list[str]]:
    """The rows that would be the header, as they are compared."""
    count = model.grid.header if model.grid is not None else 0
    return [[letters_and_digits(cell_text(c)) for c in row] for row in table.rows[:count]]
