"""Diagrams among the rows of a page."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from local_rag.adapters.pdf.lines import Line
from local_rag.adapters.pdf.rows import Row

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from local_rag.adapters.pdf.diagrams import Diagram
    from local_rag.adapters.pdf.lines import Piece


@dataclass(slots=True)
class DiagramLine(Line):
    """Stands for all the lines of a diagram until the reading order is known."""

    diagram: Diagram | None = None


@dataclass(slots=True)
class DiagramRow(Row):
    """A whole diagram, in the place of a row."""

    diagram: Diagram | None = None

    @property
    def pieces(self) -> list[Piece]:
        """All words, box by box."""
        return [piece for part in self.parts for row in part for piece in row.pieces]

    @property
    def text(self) -> str:
        """Boxes with bars between, so that it is never taken for a heading."""
        return "| " + " | ".join(" ".join(row.text for row in part) for part in self.parts) + " |"

    @property
    def parts(self) -> list[list[Row]]:
        """Its paragraphs."""
        return self.diagram.parts if self.diagram is not None else []


def with_diagrams(lines: Sequence[Line], diagrams: Sequence[Diagram]) -> list[Line]:
    """The lines, each diagram's replaced by one that stands where the first of them stood."""
    return with_stand_ins(lines, [(diagram.lines, _diagram_line(diagram)) for diagram in diagrams])


def with_stand_ins(
    lines: Sequence[Line], wholes: Iterable[tuple[Iterable[Line], Line]]
) -> list[Line]:
    """The lines, those of each whole replaced by its stand-in, where the first of them stood."""
    owner = {id(line): stand_in for parts, stand_in in wholes for line in parts}
    made: list[Line] = []
    placed: set[int] = set()
    for line in lines:
        stand_in = owner.get(id(line))
        if stand_in is None:
            made.append(line)
        elif id(stand_in) not in placed:
            placed.add(id(stand_in))
            made.append(stand_in)
    return made


def _diagram_line(diagram: Diagram) -> DiagramLine:
    rows = [row for part in diagram.parts for row in part]
    pieces = [piece for row in rows for piece in row.pieces]
    size = max(row.size for row in rows)
    return DiagramLine(
        pieces, *diagram.box, size, size, bold=False, direction=rows[0].direction, diagram=diagram
    )


def diagram_row(line: DiagramLine) -> DiagramRow:
    """The row that a stand-in becomes."""
    box = line.x0, line.y0, line.x1, line.y1
    row = DiagramRow([line], *box, line.size, line.tallest, line.bold, line.direction)
    row.tabular = True
    row.diagram = line.diagram
    return row
