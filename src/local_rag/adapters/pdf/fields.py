"""What is filled into the fields of a form, at its place beside the fields' labels.

The page's text is read without the fields' looks (``read_lines``): a tick is a letter of a font of
symbols there, a value has no place in the order of drawing, and a look may be missing or old.
"""

from __future__ import annotations

import re
from collections import Counter
from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple

from local_rag.adapters.pdf.glyphs import clean_title, letters_and_digits
from local_rag.adapters.pdf.lines import Line, Piece
from local_rag.adapters.pdf.sheet import facing

if TYPE_CHECKING:
    from collections.abc import Sequence

    from local_rag.adapters.pdf.sheet import Box

_HIDDEN, _NO_VIEW = 2, 32
_PASSWORD = 1 << 13
_SIZE_PT = 10.0
_PITCH_EM = 1.2
# How far a label may stand from its field.
_LEFT_PT, _TICK_PT, _ABOVE_EM = 250.0, 60.0, 2.0
_SPOKEN_NAME = re.compile(r"[^\W\d_]+(?:[ _-][^\W\d_]+)*")


class _Field(NamedTuple):
    """A field that shows something.

    Attributes:
        texts: lines of the value.
        box: on the page as displayed.
        facing: the box in the reading frame of the page's text.
        tick: it is a box to be ticked; its label stands to its right as a rule.
    """

    number: int
    texts: list[str]
    name: str
    box: Box
    facing: Box
    tick: bool


class _Place(NamedTuple):
    label: int
    before: bool
    on_row: bool


def with_values(page: Any, lines: Sequence[Line]) -> list[Line]:
    """The lines with those of the fields' values between them.

    Hidden fields, passwords, buttons and signatures are left out, and values that the page's own
    text shows at that place already.

    Args:
        page: a ``pymupdf.Page``.
        lines: of the page without its fields, in reading order.
    """
    weight = Counter[int]()
    for line in lines:
        weight[line.direction] += line.chars
    direction = max(weight, key=lambda d: weight[d]) if weight else 0
    fields = _fields(page, direction % 4)
    lines = _parted(lines, fields, direction)
    before: dict[int, list[Line]] = {}
    after: dict[int, list[Line]] = {}
    for field in sorted(fields, key=lambda f: (f.facing[1], f.facing[0])):
        if _is_shown(field, lines):
            continue
        place = _label(field, lines, direction)
        if place is None:
            at, side = _below_what(field, lines, direction), after
        else:
            at, side = place.label, before if place.before else after
        side.setdefault(at, []).extend(_value_lines(field, place, lines, direction))
    merged = after.get(-1, [])
    for i, line in enumerate(lines):
        merged += [*before.get(i, []), line, *after.get(i, [])]
    return merged


def _fields(page: Any, direction: int) -> list[_Field]:
    fields = []
    for number, widget in enumerate(page.widgets(), start=1):
        flags = page.parent.xref_get_key(widget.xref, "F")
        if flags[0] == "int" and int(flags[1]) & (_HIDDEN | _NO_VIEW):
            continue
        tick = widget.field_type_string in ("CheckBox", "RadioButton")
        texts = [("[x]" if _is_ticked(page, widget) else "[ ]")] if tick else _value(page, widget)
        if not texts:
            continue
        x0, y0, x1, y1 = (widget.rect * page.rotation_matrix).normalize()
        box = float(x0), float(y0), float(x1), float(y1)
        fields.append(_Field(number, texts, _name(widget), box, facing(box, direction), tick))
    return fields


def _is_ticked(page: Any, widget: Any) -> bool:
    kind, state = page.parent.xref_get_key(widget.xref, "AS")
    if kind == "name":
        return bool(state != "/Off")
    return str(widget.field_value) not in ("", "Off", "None")


def _value(page: Any, widget: Any) -> list[str]:
    """Lines of what was written or chosen."""
    kind = widget.field_type_string
    if kind not in ("Text", "ComboBox", "ListBox") or (
        kind == "Text" and widget.field_flags & _PASSWORD
    ):
        return []
    values = [str(widget.field_value or "")]
    if kind != "Text":
        choices = [c if isinstance(c, tuple) else (c, c) for c in widget.choice_values or ()]
        chosen = page.parent.xref_get_key(widget.xref, "I")
        if kind == "ListBox" and chosen[0] == "array":
            at = [int(i) for i in re.findall(r"\d+", chosen[1])]
            values = [choices[i][0] for i in at if i < len(choices)] or values
        shown: dict[str, str] = dict(choices)
        values = [str(shown.get(value, value)) for value in values]
    return [text for value in values for line in value.splitlines() if (text := clean_title(line))]


def _name(widget: Any) -> str:
    """What a person calls the field; empty where the file has a program's name only."""
    label = clean_title(str(widget.field_label or "")).rstrip(": ")
    if label:
        return label
    name = str(widget.field_name or "").rsplit(".", 1)[-1]
    return name.replace("_", " ") if _SPOKEN_NAME.fullmatch(name) else ""


def _is_shown(field: _Field, lines: Sequence[Line]) -> bool:
    x0, y0, x1, y1 = field.box
    inside = [
        piece.text
        for line in lines
        for piece in line.pieces
        if x0 <= (piece.x0 + piece.x1) / 2 <= x1 and y0 <= (piece.y0 + piece.y1) / 2 <= y1
    ]
    value = letters_and_digits("".join(field.texts))
    return not field.tick and bool(inside) and value in letters_and_digits("".join(inside))


def _parted(lines: Sequence[Line], fields: Sequence[_Field], direction: int) -> list[Line]:
    """The lines, cut where a field stands between two words."""
    parted: list[Line] = []
    for line in lines:
        cuts = {0, len(line.pieces)}
        if line.direction == direction:
            boxes = [facing(piece[1:5], direction % 4) for piece in line.pieces]
            for field in fields:
                x0, y0, x1, y1 = field.facing
                middle = (x0 + x1) / 2
                if line.x0 < middle < line.x1 and y0 < (line.y0 + line.y1) / 2 < y1:
                    cuts |= {
                        i
                        for i, (a, b) in enumerate(pairwise(boxes), start=1)
                        if a[2] <= middle <= b[0]
                    }
        for start, end in pairwise(sorted(cuts)):
            parted.append(line if len(cuts) == 2 else line.part(start, end))
    return parted


def _label(field: _Field, lines: Sequence[Line], direction: int) -> _Place | None:
    """The text that says what the field is for: beside it, else above it."""
    x0, y0, x1, y1 = field.facing
    left: tuple[float, int] | None = None
    right: tuple[float, int] | None = None
    above: tuple[float, int] | None = None
    for i, line in enumerate(lines):
        if line.direction != direction:
            continue
        overlap = min(y1, line.y1) - max(y0, line.y0)
        if overlap > 0.4 * min(y1 - y0, line.y1 - line.y0):
            if (gap := x0 - line.x1) > -4:
                left = min(left or (gap, i), (gap, i))
            if (gap := line.x0 - x1) > -4:
                right = min(right or (gap, i), (gap, i))
        elif min(x1, line.x1) > max(x0, line.x0) and (line.y0 + line.y1) / 2 < (y0 + y1) / 2:
            em = (y0 - line.y1) / (line.size or _SIZE_PT)
            above = min(above or (em, i), (em, i))
    if field.tick:
        if right and right[0] < _TICK_PT and not (left and left[0] < right[0] / 3):
            return _Place(right[1], before=True, on_row=True)
        return _Place(left[1], before=False, on_row=True) if left and left[0] < _TICK_PT else None
    close_above = above is not None and above[0] < _ABOVE_EM
    if left and left[0] < _LEFT_PT and not (close_above and left[0] > 4 * _SIZE_PT):
        return _Place(left[1], before=False, on_row=True)
    return _Place(above[1], before=False, on_row=False) if above and close_above else None


def _below_what(field: _Field, lines: Sequence[Line], direction: int) -> int:
    """Index of the last line above the field; -1 where there is none."""
    middle = (field.facing[1] + field.facing[3]) / 2
    above = [
        i
        for i, line in enumerate(lines)
        if line.direction == direction and (line.y0 + line.y1) / 2 < middle
    ]
    return max(above, key=lambda i: (lines[i].y1, i), default=-1)


def _value_lines(
    field: _Field, place: _Place | None, lines: Sequence[Line], direction: int
) -> list[Line]:
    x0, y0, x1, _ = field.facing
    label = lines[place.label] if place else None
    size = label.size if label else _SIZE_PT
    top = label.y0 if label and place and place.on_row else y0
    height = label.y1 - label.y0 if label else _PITCH_EM * size
    texts = field.texts
    if label is None and field.name:
        texts = [f"{texts[0]} {field.name}" if field.tick else f"{field.name}: {texts[0]}"]
        texts += field.texts[1:]
    made = []
    for i, text in enumerate(texts):
        pieces = [Piece(word, *field.box) for word in text.split()]
        y = top + i * _PITCH_EM * size
        made.append(Line(pieces, x0, y, x1, y + height, size, size, False, direction, field.number))
    return made
