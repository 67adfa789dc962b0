"""Tables between drawn rules."""

from __future__ import annotations

from itertools import pairwise
from statistics import median
from typing import TYPE_CHECKING

from local_rag.adapters.pdf.cells import Filling
from local_rag.adapters.pdf.columns import rows_by_height, text_borders
from local_rag.adapters.pdf.grid import Grid, holds, without
from local_rag.adapters.pdf.headers import MAX_HEADER
from local_rag.adapters.pdf.not_tables import checked
from local_rag.adapters.pdf.rules import covers, edges, frames_of
from local_rag.adapters.pdf.sheet import facing
from local_rag.adapters.pdf.unframed import filled

if TYPE_CHECKING:
    from collections.abc import Callable

    from local_rag.adapters.pdf.lines import Line
    from local_rag.adapters.pdf.rules import Box, Frame

_TITLE = 1.25


def framed_tables(boxes: list[Box], lines: list[Line]) -> list[Grid]:
    """The tables between rules.

    Args:
        boxes: drawn boxes and straight lines, in the reading frame of the lines.
        lines: of one direction.

    Raises:
        TooMuchDrawn
    """
    grids: list[Grid] = []
    rest = lines
    frames = frames_of(boxes)
    for frame in sorted(frames, key=lambda f: (f.x1 - f.x0) * (f.y1 - f.y0)):
        inside = [line for line in rest if holds((frame.x0, frame.y0, frame.x1, frame.y1), line)]
        if len(inside) < 2:
            continue
        borders = edges((rule.at for rule in frame.down), frame.x0, frame.x1)
        if len(borders) > 2:
            grid = _from_frame(frame, borders, inside)
            made = [grid] if grid is not None else []
        else:
            made = _from_level_rules(frame, inside)
        for grid in made:
            grids.append(grid)
            rest = without(rest, grid.lines)
    return grids


def _from_frame(frame: Frame, borders: list[float], lines: list[Line]) -> Grid | None:
    """A grid whose columns are parted by upright rules."""
    lines = _without_title(lines)
    bands = edges((rule.at for rule in frame.across), frame.y0, frame.y1)
    text_rows = len(rows_by_height(lines))
    is_dense = len(bands) > 4 or len(bands) - 1 >= 0.4 * text_rows
    drawn = list(borders)
    borders = _with_text_borders(borders, lines)

    def is_drawn(border: int, y: float) -> bool:
        at = borders[border]
        return at in drawn and covers(frame.down, at, y - 1, y + 1)

    def is_parted(band: int, column: int) -> bool:
        return covers(frame.across, bands[band], borders[column], borders[column + 1])

    if _crossed(lines, borders, is_drawn):
        return None
    filling = Filling(borders, bands, is_dense, is_drawn, is_parted)
    rows, row_bands = filling.fill(lines)
    reach = row_bands[0]
    if is_dense:
        # Cells of the first row that are several bands high: the header is as deep as they are.
        depths = [filling.run(column, reach)[1] for column in range(filling.columns)]
        limit = min(reach + MAX_HEADER, len(bands) - 2)
        reach = max([reach, *(band for band in depths if band < limit)])
    header = sum(band <= reach for band in row_bands)
    return checked(Grid(borders, rows, header, lines), least_full=0.3, ruled=True)


def _without_title(lines: list[Line]) -> list[Line]:
    """The lines without those at the top that are set larger than the rest."""
    usual = median(line.size for line in lines)
    for row in rows_by_height(lines):
        if min(line.size for line in row) < _TITLE * usual:
            break
        lines = without(lines, row)
    return lines


def _with_text_borders(borders: list[float], lines: list[Line]) -> list[float]:
    """Adds borders within a ruled column where most of its rows stand apart as cells do."""
    made = borders[:1]
    for left, right in pairwise(borders):
        rows = rows_by_height(i for i in lines if i.x0 >= left - 2 and i.x1 <= right + 2)
        if len(rows) >= 3 and sum(len(row) > 1 for row in rows) >= 0.6 * len(rows):
            made += text_borders(rows)[1:-1]
        made.append(right)
    return made


def _crossed(
    lines: list[Line], borders: list[float], is_drawn: Callable[[int, float], bool]
) -> bool:
    """Whether rules run through words: a drawing, no table."""
    words = crossed = 0
    for line in lines:
        for piece in line.pieces:
            x0, y0, x1, y1 = facing(piece[1:5], line.direction)
            words += 1
            crossed += any(
                x0 + 2 < at < x1 - 2 and is_drawn(i, (y0 + y1) / 2)
                for i, at in enumerate(borders[1:-1], 1)
            )
    return crossed > 1 + 0.03 * words


def _from_level_rules(frame: Frame, lines: list[Line]) -> list[Grid]:
    """Tables between level rules without upright ones, as in scientific papers."""
    width = frame.x1 - frame.x0
    full = [rule for rule in frame.across if rule.end - rule.start > 0.9 * width]
    bands = edges((rule.at for rule in full), full[0].at, full[-1].at) if len(full) > 1 else []
    grids: list[Grid] = []
    run: list[tuple[float, float]] = []
    for top, bottom in [*pairwise(bands), (0.0, 0.0)]:
        inside = [line for line in lines if top <= (line.y0 + line.y1) / 2 < bottom]
        rows = rows_by_height(inside)
        beside = sum(len(row) > 1 for row in rows)
        is_header = not run and beside > 0 and len(rows) <= MAX_HEADER
        if bottom > top and (2 * beside >= len(rows) or is_header):
            run.append((top, bottom))
            continue
        if run:
            grid = _from_run(run, lines)
            if grid is not None:
                grids.append(grid)
        run = []
    return grids


def _from_run(run: list[tuple[float, float]], lines: list[Line]) -> Grid | None:
    top, bottom = run[0][0], run[-1][1]
    inside = [line for line in lines if top <= (line.y0 + line.y1) / 2 < bottom]
    text_rows = rows_by_height(inside)
    borders = text_borders(text_rows)
    if not borders:
        return None
    bands = [run[0][0], *(b for _, b in run)]
    is_dense = len(run) >= 0.6 * len(text_rows)
    grid = filled(borders, bands, inside, is_dense=is_dense)
    if grid is None:
        return None
    return checked(grid, least_full=0.4, prose=1 if len(run) > 1 else 0, ruled=len(run) > 1)
