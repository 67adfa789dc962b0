"""The grid of a table: cells that hold parts of a page's lines."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable

    from local_rag.adapters.pdf.lines import Line, Piece
    from local_rag.adapters.pdf.rules import Box

# Letters that a figure may have: a unit, a mark for a footnote.
_UNIT_CHARS = 2
_DASHES = frozenset({"-", "–", "—", "−", "*", "n/a", "na", "✓", "✗", "x"})


class Fragment(NamedTuple):
    """The part of a line that stands in one cell; the box is in the reading frame."""

    pieces: list[Piece]
    x0: float
    y0: float
    x1: float
    y1: float
    size: float

    @property
    def text(self) -> str:
        """The words with spaces between."""
        return "".join(p.text if p.glued else " " + p.text for p in self.pieces).strip()

    @property
    def middle(self) -> float:
        """Half way between top and bottom."""
        return (self.y0 + self.y1) / 2


Cell = list[Fragment]


@dataclass(slots=True)
class Grid:
    """A table before it is written.

    Attributes:
        borders: places of the upright borders, outer ones included, in the reading frame.
        rows: each with one cell a column; a cell that spans columns stands in its first.
        header: how many rows say what the columns are.
        lines: the page's lines that it is made of.
    """

    borders: list[float]
    rows: list[list[Cell]]
    header: int
    lines: list[Line]

    @property
    def box(self) -> Box:
        """Around its text, in the reading frame."""
        return around(self.lines)


def around(lines: Iterable[Line]) -> Box:
    """The box around lines, in their reading frame."""
    x0s, y0s, x1s, y1s = zip(*((i.x0, i.y0, i.x1, i.y1) for i in lines), strict=True)
    return min(x0s), min(y0s), max(x1s), max(y1s)


def holds(box: Box, line: Line, margin: float = 2.0) -> bool:
    """Whether the middle of a line lies in a box, or at most ``margin`` points outside."""
    x, y = (line.x0 + line.x1) / 2, (line.y0 + line.y1) / 2
    return box[0] - margin <= x <= box[2] + margin and box[1] - margin <= y <= box[3] + margin


def without(lines: list[Line], taken: Iterable[Line]) -> list[Line]:
    """The lines that are not taken; lines are told apart by identity, since they may be equal."""
    gone = {id(line) for line in taken}
    return [line for line in lines if id(line) not in gone]


def cell_text(cell: Cell) -> str:
    """The words of a cell with spaces between."""
    return " ".join(part.text for part in cell)


def is_numeric(text: str) -> bool:
    """Whether a cell holds a figure, an amount, a date of digits, or a dash in place of one."""
    signs = [c for c in text if c.isalnum()]
    if not signs or not signs[0].isdecimal():
        return text.casefold() in _DASHES
    return sum(map(str.isalpha, signs)) <= _UNIT_CHARS


def is_figures(row: list[Cell]) -> bool:
    """Whether at least half of the cells beside the first are figures."""
    beside = [cell_text(cell) for cell in row[1:] if cell]
    return bool(beside) and 2 * sum(map(is_numeric, beside)) >= len(beside)
