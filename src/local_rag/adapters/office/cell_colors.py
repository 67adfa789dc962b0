"""Whether a cell's text stands out from what it is written on."""

from __future__ import annotations

from typing import Any

_SAME_COLOR = 10  # of 255, in each channel
_WHITE, _BLACK = (255, 255, 255), (0, 0, 0)
_SYSTEM = {64: _BLACK, 65: _WHITE}
_THEME = {0: _WHITE, 1: _BLACK}

_Color = tuple[Any, ...]


class CellColors:
    """The styles of a workbook, each looked at once.

    Args:
        painted: whether a table's style or a condition may colour cells without a fill.
    """

    def __init__(self, *, painted: bool) -> None:
        self._painted = painted
        self._known: dict[tuple[int, int], bool] = {}

    def hide(self, cell: Any) -> bool:
        """Whether the letters have the colour of what is behind them."""
        if not cell.has_style:
            return False
        style = cell.style_array
        key = style.fontId, style.fillId
        if key not in self._known:
            letters = _color(cell.font.color, _BLACK)
            behind = self._behind(cell.fill)
            self._known[key] = (
                letters is not None and behind is not None and _are_one(letters, behind)
            )
        return self._known[key]

    def _behind(self, fill: Any) -> _Color | None:
        kind = getattr(fill, "patternType", "")  # gradients have none
        if kind == "solid":
            return _color(fill.fgColor, _WHITE)
        return None if kind or kind == "" or self._painted else _WHITE


def _color(color: Any, default: _Color) -> _Color | None:
    """Red, green and blue to 255; a theme's colour as its number and tint; ``None``: not known."""
    from openpyxl.styles.colors import COLOR_INDEX

    if color is None:
        return default
    if color.type == "theme":
        plain = None if color.tint else _THEME.get(color.theme)
        return plain or ("theme", color.theme, color.tint)
    code = color.rgb
    if color.type == "indexed":
        if color.indexed in _SYSTEM:
            return _SYSTEM[color.indexed]
        code = COLOR_INDEX[color.indexed] if color.indexed < len(COLOR_INDEX) else None
    if not isinstance(code, str) or len(code) < 6 or color.type == "auto":
        return None
    try:
        return tuple(bytes.fromhex(code[-6:]))
    except ValueError:
        return None


def _are_one(letters: _Color, behind: _Color) -> bool:
    if "theme" in (letters[0], behind[0]):
        return letters == behind
    return all(abs(one - two) <= _SAME_COLOR for one, two in zip(letters, behind, strict=True))
