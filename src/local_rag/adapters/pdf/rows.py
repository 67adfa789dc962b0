"""Rows of a page: what stands side by side on one base line, in reading order."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from local_rag.adapters.pdf.glyphs import letters_and_digits

if TYPE_CHECKING:
    from collections.abc import Sequence

    from local_rag.adapters.pdf.lines import Line, Piece

# White of this many font sizes between two parts of a row makes it a row of a table.
_TABULAR_GAP_EM = 1.5


@dataclass(slots=True)
class Row:
    """Lines that share a base line and follow each other in reading order.

    Attributes:
        x0, y0, x1, y1: box in the reading frame of ``lines.Line``.
        size: font size of most of its characters, in points.
        tallest: largest font size that a word of it has.
        tabular: parts of it stand apart as the cells of a table do.
        code: a line of code, which keeps its spaces.
        heading: level of the heading it belongs to; 0 for body text.
        heading_id: rows of one heading share it.
        title: the heading's title where an outline gives it.
    """

    lines: list[Line]
    x0: float
    y0: float
    x1: float
    y1: float
    size: float
    tallest: float
    bold: bool
    direction: int
    tabular: bool = False
    code: bool = False
    heading: int = 0
    heading_id: int = -1
    title: str | None = None

    @property
    def pieces(self) -> list[Piece]:
        """All words, from left to right as drawn."""
        return [piece for line in self.lines for piece in line.pieces]

    @property
    def text(self) -> str:
        """The words with spaces between."""
        return " ".join(line.text for line in self.lines)

    @property
    def wholly_bold(self) -> bool:
        """Whether no word of it is lighter than the others."""
        return all(line.wholly_bold for line in self.lines)

    @property
    def fields(self) -> set[int]:
        """Numbers of the form's fields whose values stand in it."""
        return {line.field for line in self.lines} - {0}

    @property
    def key(self) -> str:
        """Its letters and digits, casefolded."""
        return letters_and_digits(self.text)


def rows_of(lines: Sequence[Line]) -> list[Row]:
    """Joins neighbours in reading order that stand on one base line."""
    rows: list[Row] = []
    for line in lines:
        row = rows[-1] if rows else None
        if row is not None and _continues(row, line):
            gap = line.x0 - row.x1
            row.tabular = row.tabular or gap > _TABULAR_GAP_EM * max(row.size, line.size)
            row.lines.append(line)
            row.x1 = max(row.x1, line.x1)
            row.tallest = max(row.tallest, line.tallest)
            if line.chars > sum(part.chars for part in row.lines[:-1]):
                row.size, row.bold = line.size, line.bold
            if line.size >= row.size:
                row.y0, row.y1 = min(row.y0, line.y0), max(row.y1, line.y1)
        else:
            box = line.x0, line.y0, line.x1, line.y1
            rows.append(Row([line], *box, line.size, line.tallest, line.bold, line.direction))
    return rows


def _continues(row: Row, line: Line) -> bool:
    if line.direction != row.direction or line.x0 < row.x1 - 0.5 * line.size:
        return False
    overlap = min(row.y1, line.y1) - max(row.y0, line.y0)
    return overlap > 0.5 * min(row.y1 - row.y0, line.y1 - line.y0)
