"""Whether a run's letters stand out from what they are printed on."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from local_rag.adapters.office.opc import child, local, value

if TYPE_CHECKING:
    from collections.abc import Iterator

    from local_rag.adapters.office.docx_styles import Styles

_PAPER = "ffffff"
_SAME_COLOR = 10  # of 255, in each channel
_LEAST_HALF_POINTS = 3


class Backdrop:
    """What is behind the text that is being read: a colour, or ``None`` where it is not known.

    It is not known where pictures, boxes or a table's style may paint it.
    """

    def __init__(self, root: Any, styles: Styles) -> None:
        self._styles = styles
        page = child(root, "background")
        self._behind = _PAPER if page is None else _hex(value(page, "color"))
        self._paragraph_style: str | None = None
        self._in_paragraph = self._behind

    @contextmanager
    def within(self, properties: Any, *, unknown: bool = False) -> Iterator[None]:
        """Inside a table, a cell or a box of these properties."""
        before = self._behind
        style = self._styles.element(value(child(properties, "tblStyle")))
        if unknown or (style is not None and any(local(e) == "shd" for e in style.iter())):
            self._behind = None
        self._behind = _shade(properties, self._behind)
        try:
            yield
        finally:
            self._behind = before

    def enter_paragraph(self, properties: Any, style_id: str | None) -> None:
        """A paragraph begins."""
        self._paragraph_style = style_id
        from_style = self._styles.first(style_id, "pPr", "shd")
        self._in_paragraph = _shade(properties, _filled(from_style, self._behind))

    def swallows(self, run_properties: Any) -> bool:
        """Whether a run of the paragraph has the colour of what is behind it, or no size."""
        size = value(child(run_properties, "sz"))
        if size is not None and size.isdecimal() and int(size) < _LEAST_HALF_POINTS:
            return True
        letters = self._letters(run_properties)
        behind = _shade(run_properties, self._in_paragraph)
        marked = value(child(run_properties, "highlight")) not in (None, "none", "white")
        if letters is None or behind is None or marked:
            return False
        pairs = zip(bytes.fromhex(letters), bytes.fromhex(behind), strict=True)
        return all(abs(one - two) <= _SAME_COLOR for one, two in pairs)

    def _letters(self, run_properties: Any) -> str | None:
        own = child(run_properties, "color")
        for style_id in (value(child(run_properties, "rStyle")), self._paragraph_style):
            if own is None:
                own = self._styles.first(style_id, "rPr", "color")
        return _hex(value(own))


def _shade(properties: Any, behind: str | None) -> str | None:
    return _filled(child(properties, "shd"), behind)


def _filled(shade: Any, behind: str | None) -> str | None:
    """The colour that a shading gives; patterns and colours of the theme are not known."""
    if shade is None:
        return behind
    if value(shade, "val") not in (None, "clear", "nil"):
        return None
    fill = value(shade, "fill")
    return behind if fill in (None, "auto") else _hex(fill)


def _hex(text: str | None) -> str | None:
    text = (text or "").lower()
    is_color = len(text) == 6 and all(digit in "0123456789abcdef" for digit in text)
    return text if is_color else None
