"""Values of a form's fields that the page's text does not show."""

from __future__ import annotations

from typing import Any

from local_rag.adapters.pdf.glyphs import clean_title, letters_and_digits
from local_rag.adapters.pdf.lines import Line, Piece
from local_rag.adapters.pdf.rows import Row

_UNSET = frozenset({"", "off"})


def field_rows(page: Any, pieces: list[Piece]) -> list[Row]:
    """One row "label: value" for each filled field whose value is not among the page's words.

    Args:
        page: a ``pymupdf.Page``.
        pieces: the page's words in display coordinates.
    """
    rows = []
    for widget in page.widgets():
        value = widget.field_value
        if not isinstance(value, str) or value.strip().casefold() in _UNSET:
            continue
        box = tuple((widget.rect * page.rotation_matrix).normalize())
        shown = "".join(p.text for p in pieces if _inside(p, box))
        if letters_and_digits(value) in letters_and_digits(shown):
            continue
        text = clean_title(f"{_label(widget)}: {value}")
        rows.append(_row(text.split(), box))
    return rows


def _inside(piece: Piece, box: tuple[float, ...]) -> bool:
    x, y = (piece.x0 + piece.x1) / 2, (piece.y0 + piece.y1) / 2
    return box[0] <= x <= box[2] and box[1] <= y <= box[3]


def _label(widget: Any) -> str:
    name = str(widget.field_name or "field").rsplit(".", 1)[-1]
    return str(widget.field_label or "").strip().rstrip(":") or name


def _row(words: list[str], box: tuple[float, ...]) -> Row:
    x0, y0, x1, y1 = box
    pieces = [Piece(word, x0, y0, x1, y1) for word in words]
    line = Line(pieces, x0, y0, x1, y1, 0.0, 0.0, bold=False)
    return Row([line], x0, y0, x1, y1, 0.0, 0.0, bold=False, direction=0)
