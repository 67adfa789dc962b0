"""Whether a reader sees the text of an element, by the page's style sheets and attributes.

In doubt text is seen: what shows while the pointer is over it, what
an animation brings in, colours on a picture or beside a sheet that is not at hand.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from local_rag.adapters.office.css_values import (
    NORMAL_PX,
    mixed,
    number_of,
    parsed_color,
    pixels,
    size_px,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

    from local_rag.adapters.office.css_values import Color

_BLACK, WHITE, _LINK = (0.0, 0.0, 0.0), (1.0, 1.0, 1.0), (0.0, 0.0, 0.93)
_SAME_COLOR = 0.04  # of a channel's range
_LEAST_PX = 1.5
_FAR_PX = 900.0
_CLIPPED_OUT = re.compile(
    r"rect\((?:\s*,?\s*[01](?:px|em)?\b){4}\s*\)|inset\(\s*(?:[5-9]\d|100)(?:\.\d+)?%\s*\)"
    r"|circle\(\s*0"
)
_TO_NOTHING = re.compile(r"scale(?:x|y|3d)?\(\s*0?\.?0*\s*[,)]")
OWN_COLORS = frozenset(("button", "select", "textarea", "input", "mark", "option", "dialog"))


class Look(NamedTuple):
    """How text stands in an element, as its children inherit it.

    Attributes:
        is_there: neither it nor what it holds can be seen, if not.
        size_px: of its letters.
        color, background: red, green and blue, 0 to 1; ``None`` where they are not known.
    """

    is_there: bool = True
    is_visible: bool = True
    size_px: float = NORMAL_PX
    color: Color | None = _BLACK
    background: Color | None = WHITE

    @property
    def is_seen(self) -> bool:
        """Whether text that stands right here is seen."""
        if not (self.is_there and self.is_visible and self.size_px >= _LEAST_PX):
            return False
        if self.color is None or self.background is None:
            return True
        pairs = zip(self.color, self.background, strict=True)
        return any(abs(one - two) > _SAME_COLOR for one, two in pairs)


def look_of(
    tag: str, told: Mapping[str, str], attributes: Mapping[str, str | None], above: Look
) -> Look:
    """The look of an element for which the cascade has ``told`` values, in one of ``above``."""
    is_root = tag in ("html", "body")  # a script shows them once all is loaded
    visibility = told.get("visibility")
    moves = _moves(told)
    visible = above.is_visible
    if visibility in ("hidden", "collapse"):
        visible = is_root or moves
    elif visibility in ("visible", "initial"):
        visible = True
    size = size_px(told.get("font-size"), above.size_px)
    return Look(
        above.is_there and (is_root or not _is_gone(tag, told, attributes, moves=moves)),
        visible,
        size,
        _text_color(tag, told, attributes, above),
        _background(tag, told, attributes, above),
    )


def _moves(told: Mapping[str, str]) -> bool:
    """Whether it comes in by and by."""
    names = ("animation", "animation-name", "transition", "transition-property")
    return any(told.get(name, "none") not in ("none", "initial", "unset", "") for name in names)


def _is_gone(
    tag: str, told: Mapping[str, str], attributes: Mapping[str, str | None], *, moves: bool
) -> bool:
    closed = tag == "dialog" and "open" not in attributes
    display = told.get("display")
    if display == "none" or (
        display is None and (closed or "hidden" in attributes or "popover" in attributes)
    ):
        return True
    if told.get("content-visibility") == "hidden":
        return True
    if not moves and _is_faded(told):
        return True
    return _is_clipped(told, moves=moves) or _is_far_off(told)


def _is_faded(told: Mapping[str, str]) -> bool:
    opacity = number_of(told.get("opacity", "1"))
    return (opacity is not None and opacity < 0.02) or bool(
        _TO_NOTHING.search(told.get("transform", ""))
    )


def _is_clipped(told: Mapping[str, str], *, moves: bool) -> bool:
    absolute = told.get("position") in ("absolute", "fixed")
    if _CLIPPED_OUT.search(told.get("clip-path", "")):
        return not moves
    if absolute and _CLIPPED_OUT.search(told.get("clip", "")):
        return True
    if moves or not any(
        told.get(name, "visible").split()[:1] in (["hidden"], ["clip"])
        for name in ("overflow", "overflow-x", "overflow-y")
    ):
        return False
    sizes = [pixels(told.get(name)) for name in ("width", "height", "max-width", "max-height")]
    return any(size is not None and size <= 1 for size in sizes)


def _is_far_off(told: Mapping[str, str]) -> bool:
    names = ["text-indent", "margin-left", "margin-top"]
    if told.get("position") in ("absolute", "fixed", "relative", "sticky"):
        names += ["left", "top"]
        right = pixels(told.get("right"))
        if right is not None and abs(right) > _FAR_PX:
            return True
    for name in names:
        offset = pixels(told.get(name))
        if offset is not None and offset < -_FAR_PX:
            return True
    moved = re.search(r"translate(?:x|y|3d)?\(([^)]*)\)", told.get("transform", ""))
    parts = [pixels(part.strip()) for part in moved[1].split(",")] if moved else []
    return any(part is not None and part < -_FAR_PX for part in parts)


def _text_color(
    tag: str, told: Mapping[str, str], attributes: Mapping[str, str | None], above: Look
) -> Color | None:
    if told.get("background-clip") == "text" or told.get("text-shadow", "none") != "none":
        return None
    text = told.get("fill-color") or told.get("color")
    if text is None:
        text = attributes.get("text") if tag == "body" else None
        text = attributes.get("color") if tag == "font" else text
    if text is None:
        if tag in OWN_COLORS:
            return None
        return _LINK if tag == "a" and "href" in attributes else above.color
    if text in ("inherit", "unset", "currentcolor"):
        return above.color
    color = parsed_color(text)
    if color is None or color[3] >= 1:
        return color[:3] if color else None
    return mixed(color, above.background) if above.background else None


def _background(
    tag: str, told: Mapping[str, str], attributes: Mapping[str, str | None], above: Look
) -> Color | None:
    image = told.get("background-image", "none")
    text = told.get("background-color") or attributes.get("bgcolor")
    if "covered" in told or attributes.get("background") or image not in ("none", "initial"):
        return None
    if text is None or text in ("transparent", "initial", "unset", "none"):
        return None if tag in OWN_COLORS or _is_placed(told) else above.background
    if text == "inherit":
        return above.background
    color = parsed_color(text)
    if color is None or color[3] >= 1:
        return color[:3] if color else None
    return mixed(color, above.background) if above.background and not _is_placed(told) else None


def _is_placed(told: Mapping[str, str]) -> bool:
    """Whether it may stand on something else than what holds it."""
    position = told.get("position", "static")
    return (
        position in ("absolute", "fixed", "sticky")
        or (position == "relative" and told.get("z-index", "auto") != "auto")
        or "grid-area" in told
        or any(told.get(name, "").startswith("-") for name in ("margin-left", "margin-top"))
    )
