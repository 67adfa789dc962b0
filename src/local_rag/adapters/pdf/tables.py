"""Which lines of a page are a table, with the help of what is drawn around them.

Precision comes before recall: text that is wrongly cut into cells cannot be read any more, while a
table that is missed stays readable row by row.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from local_rag.adapters.pdf.framed import framed_tables
from local_rag.adapters.pdf.grid import Grid, holds, without
from local_rag.adapters.pdf.headers import take_header_above
from local_rag.adapters.pdf.not_tables import is_figure
from local_rag.adapters.pdf.rules import Drawing, TooMuchDrawn, read_drawing
from local_rag.adapters.pdf.sheet import facing
from local_rag.adapters.pdf.unframed import from_text, unframed_tables

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from local_rag.adapters.pdf.lines import Line
    from local_rag.adapters.pdf.rules import Box

    LayoutModel = Callable[[Any], list[Box]]
    """The boxes of the tables of a ``pymupdf.Page``, in its own coordinates."""

_CAPTION = re.compile(
    r"(?i:table|tab\.|tabelle|tableau|tabla|tabella|exhibit)\s*([\dIVX.]+|[A-Z][\d.]*)"
    r"(\W*$|[:.–—-]|\s+[A-Z])|表\s*\d"
)
_SAME_HEIGHT_PT = 2.0
_MAX_WORDS = 6_000
_MAX_WORDS_FOR_MODEL = 1_500


@dataclass(slots=True)
class FoundTables:
    """The tables of a page.

    Attributes:
        by_model: the layout model was asked.
        slow: the page has more than can be looked at in time; nothing was looked for.
    """

    grids: list[Grid] = field(default_factory=list)
    by_model: bool = False
    slow: bool = False


def find_tables(page: Any, lines: Sequence[Line], model: LayoutModel | None = None) -> FoundTables:
    """The tables among the lines of a ``pymupdf.Page``, from top to bottom.

    Args:
        lines: of the page, as ``lines.read_lines`` has them.
        model: asked where rules and columns leave it open whether something is a table.
    """
    found = FoundTables()
    if not _has_cells(lines) or page.first_widget is not None:
        return found
    words = sum(len(line.pieces) for line in lines)
    if words > _MAX_WORDS:
        return FoundTables(slow=True)
    try:
        drawing = read_drawing(page)
        if page.rotation:
            drawing = Drawing(*([_on_display(box, page) for box in boxes] for boxes in drawing))
        _search(lines, drawing, found, _asker(page, model, words))
    except TooMuchDrawn:
        return FoundTables(slow=True)
    found.grids.sort(key=lambda grid: (grid.lines[0].direction, grid.box[1], grid.box[0]))
    return found


def _on_display(box: Box, page: Any) -> Box:
    import pymupdf

    x0, y0, x1, y1 = (pymupdf.Rect(box) * page.rotation_matrix).normalize()
    return x0, y0, x1, y1


def _asker(page: Any, model: LayoutModel | None, words: int) -> LayoutModel | None:
    if model is None or words > _MAX_WORDS_FOR_MODEL:
        return None
    return lambda _: [_on_display(box, page) if page.rotation else box for box in model(page)]


def _has_cells(lines: Sequence[Line]) -> bool:
    """Whether at least two pairs of lines stand side by side."""
    if len(lines) < 4:
        return False
    places = sorted((line.direction, line.y1, line.x0) for line in lines)
    beside = 0
    for (direction, y1, _), (direction_b, y1_b, _) in pairwise(places):
        beside += direction == direction_b and y1_b - y1 < _SAME_HEIGHT_PT
        if beside >= 2:
            return True
    return False


def _search(
    lines: Sequence[Line], drawing: Drawing, found: FoundTables, model: LayoutModel | None
) -> None:
    rest = list(lines)
    for direction in sorted({line.direction for line in lines} - {4}):
        alike = [line for line in lines if line.direction == direction]
        if not _has_cells(alike):
            continue
        for grid in framed_tables([facing(box, direction) for box in drawing.boxes], alike):
            if not is_figure(grid, direction, drawing.others):
                take_header_above(grid, without(alike, (i for g in found.grids for i in g.lines)))
                found.grids.append(grid)
                rest = without(rest, grid.lines)
    if not _has_cells(rest):
        return
    doubt = unframed_tables(rest, found)
    if model is not None and (doubt or _has_bare_caption(lines, found.grids)):
        found.by_model = True
        taken = {id(line) for grid in found.grids for line in grid.lines}
        rest = [line for line in lines if id(line) not in taken and line.direction != 4]
        for box in model(None):
            _from_box(box, rest, found)


def _has_bare_caption(lines: Sequence[Line], grids: list[Grid]) -> bool:
    """Whether a caption names a table that was not found near it."""
    for line in lines:
        if not _CAPTION.match(line.text):
            continue
        reach = 6 * line.size
        if not any(
            grid.lines[0].direction == line.direction
            and grid.box[1] - reach < line.y1
            and line.y0 < grid.box[3] + reach
            for grid in grids
        ):
            return True
    return False


def _from_box(box: Box, lines: list[Line], found: FoundTables) -> None:
    for direction in sorted({line.direction for line in lines}):
        turned = facing(box, direction)
        taken = {id(line) for grid in found.grids for line in grid.lines}
        inside = [i for i in lines if i.direction == direction and holds(turned, i)]
        if len(inside) < 4 or any(id(line) in taken for line in inside):
            continue
        grid = from_text(inside)
        if grid is not None:
            found.grids.append(grid)
