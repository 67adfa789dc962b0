"""Lengths and colours of style sheets, as far as they decide what is seen."""

from __future__ import annotations

import re
from functools import lru_cache

Color = tuple[float, float, float]
"""Red, green and blue, 0 to 1."""

NORMAL_PX = 16.0
_UNITS_PX = {"px": 1.0, "pt": 4 / 3, "pc": 16.0, "mm": 3.78, "cm": 37.8, "in": 96.0, "rem": 16.0,
             "em": 16.0, "ex": 8.0, "ch": 8.0, "vw": 12.8, "vh": 8.0, "": 1.0}  # fmt: skip
_LENGTH = re.compile(r"([+-]?\d*\.?\d+(?:e[+-]?\d+)?)([a-z]*|%)")
_SIZE_WORDS = frozenset(
    ["xx-small", "x-small", "small", "medium", "large", "x-large", "xx-large", "smaller", "larger"]
)  # fmt: skip


def mixed(color: tuple[float, ...], below: Color) -> Color:
    """What a colour that lets others through looks like above another."""
    alpha = color[3]
    red, green, blue = (
        alpha * top + (1 - alpha) * under for top, under in zip(color, below, strict=False)
    )
    return red, green, blue


@lru_cache(maxsize=1024)
def parsed_color(text: str) -> tuple[float, float, float, float] | None:
    """Red, green, blue and opacity."""
    import tinycss2.color4

    if re.fullmatch("[0-9a-f]{6}|[0-9a-f]{3}", text):
        text = f"#{text}"  # as attributes may have it
    try:
        color = tinycss2.color4.parse_color(text)
        if color is None or color == "currentcolor":
            return None
        red, green, blue = color.to("srgb").coordinates
        return float(red or 0), float(green or 0), float(blue or 0), float(color.alpha)
    except (AttributeError, NotImplementedError, RecursionError, TypeError, ValueError):
        return None


def color_word(background: str) -> str:
    """The colour in the ``background`` shorthand."""
    for word in re.findall(r"[\w#-]+\([^()]*\)|[^\s/]+", background):
        if word in ("transparent", "inherit", "none", "initial", "unset") or parsed_color(word):
            return str(word)
    return "transparent" if background else "unknown"


def size_px(text: str | None, above_px: float) -> float:
    """The size of letters in an element whose surroundings have ``above_px``."""
    if text is None or text == "inherit":
        return above_px
    found = _LENGTH.fullmatch(text)
    if found is None:
        return NORMAL_PX if text in _SIZE_WORDS else max(above_px, NORMAL_PX)
    number, unit = float(found[1]), found[2]
    if unit in ("em", "%"):
        return above_px * number * (1 if unit == "em" else 0.01)
    return number * _UNITS_PX.get(unit, 1.0)


def pixels(text: str | None) -> float | None:
    """A length in pixels; ``None`` where it is none, or depends on what is not known."""
    found = _LENGTH.fullmatch(text) if text else None
    if found is None or found[2] not in (*_UNITS_PX, "%"):
        return None
    number = float(found[1])
    return number * _UNITS_PX.get(found[2], 10.0)  # a per cent of what holds it


def number_of(text: str) -> float | None:
    """A number or a share."""
    found = _LENGTH.fullmatch(text)
    return float(found[1]) * (0.01 if found[2] == "%" else 1) if found else None
