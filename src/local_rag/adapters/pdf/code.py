"""Program code and other text set in a monospaced font: its lines and indents carry meaning."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from local_rag.adapters.pdf.rows import Row

_MIN_ROWS = 2
_PITCH_EM = 1.9


def mark_code(pages: Sequence[Sequence[Row]]) -> None:
    """Marks runs of monospaced rows, unless the document's body is set so (a typescript)."""
    spaced = total = 0
    for row in (row for rows in pages for row in rows):
        chars = sum(line.chars for line in row.lines)
        total += chars
        spaced += chars if _is_monospaced(row) else 0
    if 2 * spaced > total:
        return
    for rows in pages:
        run: list[Row] = []
        for row in rows:
            if not _is_monospaced(row) or (run and not goes_on(run[-1], row)):
                _mark(run)
                run = []
            if _is_monospaced(row):
                run.append(row)
        _mark(run)


def goes_on(last: Row, row: Row) -> bool:
    """Whether a monospaced row is the line below another."""
    return (
        row.direction == last.direction
        and abs(row.size - last.size) < 0.6
        and 0 < row.y1 - last.y1 <= _PITCH_EM * row.size
    )


def indents(rows: Sequence[Row]) -> tuple[list[int], float]:
    """Characters that each row is indented by, and the width of one in points."""
    chars = sum(len(piece.text) for row in rows for piece in row.pieces)
    width = sum(line.piece_width for row in rows for line in row.lines) / max(chars, 1)
    left = min(row.x0 for row in rows)
    return [round((row.x0 - left) / width) if width else 0 for row in rows], width


def _is_monospaced(row: Row) -> bool:
    return all(line.monospaced for line in row.lines)


def _mark(run: Sequence[Row]) -> None:
    if len(run) >= _MIN_ROWS:
        for row in run:
            row.code = True
