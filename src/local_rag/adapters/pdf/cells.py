"""Words in a region of a page are put into cells."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from statistics import median
from typing import TYPE_CHECKING, NamedTuple

from local_rag.adapters.pdf.columns import SPACE_EM, rows_by_height
from local_rag.adapters.pdf.grid import Cell, Fragment, cell_text, is_numeric
from local_rag.adapters.pdf.rules import slot
from local_rag.adapters.pdf.sheet import facing

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from local_rag.adapters.pdf.lines import Line, Piece
    from local_rag.adapters.pdf.rules import Box


def _fragments(
    line: Line, borders: Sequence[float], is_drawn: Callable[[int, float], bool]
) -> list[tuple[int, Fragment]]:
    """A line cut where it goes from one column to the next, each part with its column."""
    parts: list[list[tuple[Piece, Box]]] = []
    column = -1
    middle = (line.y0 + line.y1) / 2
    for piece in line.pieces:
        box = facing(piece[1:5], line.direction)
        at = slot(borders, (box[0] + box[2]) / 2)
        if not parts:
            parts.append([])
        elif at != column and not piece.glued:
            gap = max(box[0] - parts[-1][-1][1][2], parts[-1][-1][1][0] - box[2])
            if gap > SPACE_EM * line.size or is_drawn(max(at, column), middle):
                parts.append([])
        parts[-1].append((piece, box))
        column = at
    return [_placed(part, borders, line.size) for part in parts]


def _placed(
    part: list[tuple[Piece, Box]], borders: Sequence[float], size: float
) -> tuple[int, Fragment]:
    x0s, y0s, x1s, y1s = zip(*(box for _, box in part), strict=True)
    x0, x1 = min(x0s), max(x1s)
    made = Fragment([p for p, _ in part], x0, min(y0s), x1, max(y1s), size)
    for column, (a, b) in enumerate(pairwise(borders)):
        overlap = min(b, x1) - max(a, x0)
        if overlap >= 0.5 * min(b - a, x1 - x0):
            return column, made
    return slot(borders, (x0 + x1) / 2), made


class _Row(NamedTuple):
    """What stands at one height, by column."""

    cells: dict[int, Cell]

    @property
    def middle(self) -> float:
        return median(f.middle for cell in self.cells.values() for f in cell)


@dataclass(slots=True)
class Filling:
    """How the words of a region are put into cells.

    Attributes:
        borders: of the columns.
        bands: places of the level borders, outer ones included.
        is_dense: each band is one row, unless figures in it say otherwise; else each line of
            text is a row, unless it goes on from the line above.
        is_drawn: whether an upright rule is drawn at the border of this number, at this height.
        is_parted: whether a level rule is drawn at the band of this number, over this column.
    """

    borders: list[float]
    bands: list[float]
    is_dense: bool
    is_drawn: Callable[[int, float], bool]
    is_parted: Callable[[int, int], bool]

    def fill(self, lines: Sequence[Line]) -> tuple[list[list[Cell]], list[int]]:
        """The rows of cells, and the band that each row lies in."""
        by_band: dict[int, list[_Row]] = {}
        placed = [self._row(row) for row in rows_by_height(lines)]
        banded = self._anchored(placed) if self.is_dense else _banded(placed, self.bands)
        for at, row in banded:
            by_band.setdefault(at, []).append(row)
        edges = self._text_edges(placed)
        rows: list[list[Cell]] = []
        bands: list[int] = []
        for band in sorted(by_band):
            groups: list[list[_Row]] = []
            for row in by_band[band]:
                if groups and not self._parts(groups[-1], row, edges):
                    groups[-1].append(row)
                else:
                    groups.append([row])
            for group in groups:
                rows.append(
                    [[f for r in group for f in r.cells.get(c, [])] for c in range(self.columns)]
                )
                bands.append(band)
        return rows, bands

    @property
    def columns(self) -> int:
        """How many there are."""
        return len(self.borders) - 1

    def _row(self, lines: Sequence[Line]) -> _Row:
        cells: dict[int, Cell] = {}
        for line in lines:
            for column, fragment in _fragments(line, self.borders, self.is_drawn):
                cells.setdefault(column, []).append(fragment)
        for cell in cells.values():
            cell.sort(key=lambda f: f.x0)
        return _Row(cells)

    def _anchored(self, rows: list[_Row]) -> list[tuple[int, _Row]]:
        """Rows by band; what stands in a cell over several bands belongs to the first."""
        used: dict[int, set[int]] = {}
        for row in rows:
            for column, cell in row.cells.items():
                used.setdefault(column, set()).add(slot(self.bands, cell[0].middle))
        made: list[tuple[int, _Row]] = []
        for row in rows:
            parts: dict[int, dict[int, Cell]] = {}
            for column, cell in row.cells.items():
                band = slot(self.bands, cell[0].middle)
                top, bottom = self.run(column, band)
                if not any(b in used[column] for b in range(top, bottom + 1) if b != band):
                    band = top
                parts.setdefault(band, {})[column] = cell
            made += [(band, _Row(cells)) for band, cells in parts.items()]
        return made

    def run(self, column: int, band: int) -> tuple[int, int]:
        """First and last band of the cell that holds this column and band."""
        top = bottom = band
        while top > 0 and not self.is_parted(top, column):
            top -= 1
        while bottom + 2 < len(self.bands) and not self.is_parted(bottom + 1, column):
            bottom += 1
        return top, bottom

    def _text_edges(self, rows: list[_Row]) -> list[tuple[float, float]]:
        """From where to where each column's text goes at the most."""
        found = []
        for column, (left, right) in enumerate(pairwise(self.borders)):
            cells = [f for row in rows for f in row.cells.get(column, ())]
            inside = [f for f in cells if f.x1 <= right + 2] or cells
            if inside:
                found.append((min(f.x0 for f in inside), max(f.x1 for f in inside)))
            else:
                found.append((left, right))
        return found

    def _parts(self, group: list[_Row], row: _Row, edges: list[tuple[float, float]]) -> bool:
        """Whether ``row`` begins a new row of the table."""
        above: dict[int, Fragment] = {}
        for earlier in group:
            for column, cell in earlier.cells.items():
                above[column] = cell[-1]
        shared = [c for c in row.cells if c in above]
        figures = [
            c for c in shared if is_numeric(cell_text(row.cells[c])) and is_numeric(above[c].text)
        ]
        if self.is_dense:
            whole = row.cells.keys() == above.keys() or len(figures) == len(shared)
            return len(figures) >= 2 or (bool(figures) and whole)
        if not shared:
            # A cell of another number of lines, beside the row rather than below it.
            last = max(f.y1 for f in above.values())
            return all(f.y0 > last - 0.25 * (f.y1 - f.y0) for c in row.cells.values() for f in c)
        if len(shared) < len(row.cells) or len(row.cells) >= len(above):
            return True
        return not all(
            _goes_on(above[c], row.cells[c][0], edges[c][1] - edges[c][0]) for c in shared
        )


def _banded(rows: list[_Row], bands: Sequence[float]) -> list[tuple[int, _Row]]:
    return [(slot(bands, row.middle), row) for row in rows]


def _goes_on(above: Fragment, below: Fragment, room: float) -> bool:
    """Whether the line above had no room for the first word of the line below."""
    if is_numeric(below.text) or below.y0 - above.y1 > 0.7 * (above.y1 - above.y0):
        return False
    first = below.pieces[0]
    wide = (below.x1 - below.x0) * len(first.text) / max(1, sum(len(p.text) for p in below.pieces))
    if not first.text[0].isascii() and not above.text[-1:].isascii():
        wide = below.size
    return room - (above.x1 - above.x0) < wide + 0.5 * below.size
