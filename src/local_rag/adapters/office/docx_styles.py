"""What a Word document's styles and numbering say of a paragraph."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from local_rag.adapters.office.opc import child, is_on, local, value

if TYPE_CHECKING:
    from collections.abc import Iterator

_HEADING_NAME = re.compile(r"heading\s*([1-9])", re.IGNORECASE)
_BODY_LEVEL = 9
_MAX_LEVELS = 9
_PLACE = re.compile(r"%([1-9])")
_ROMAN = (
    (1000, "m"), (900, "cm"), (500, "d"), (400, "cd"), (100, "c"), (90, "xc"), (50, "l"),
    (40, "xl"), (10, "x"), (9, "ix"), (5, "v"), (4, "iv"), (1, "i"),
)  # fmt: skip
_MAX_ROMAN = 4000


class Styles:
    """The styles by their id; each with the chain of those that it is based on."""

    def __init__(self, root: Any) -> None:
        self._by_id: dict[str, Any] = {}
        self.default: str | None = None
        for style in root if root is not None else ():
            if local(style) == "style":
                style_id = value(style, "styleId") or ""
                self._by_id[style_id] = style
                if value(style, "type") == "paragraph" and value(style, "default") in ("1", "true"):
                    self.default = style_id
        self._levels: dict[str | None, int | None] = {}
        self._hidden: dict[str | None, bool] = {}

    def _chain(self, style_id: str | None) -> Iterator[Any]:
        seen: set[str] = set()
        while style_id and style_id not in seen and style_id in self._by_id:
            seen.add(style_id)
            style = self._by_id[style_id]
            yield style
            style_id = value(child(style, "basedOn"))

    def element(self, style_id: str | None) -> Any:
        """The style itself, or ``None``."""
        return self._by_id.get(style_id or "")

    def first(self, style_id: str | None, *names: str) -> Any:
        """What a style says under these names, or the nearest that it is based on."""
        found = (child(style, *names) for style in self._chain(style_id))
        return next((element for element in found if element is not None), None)

    def is_title(self, style_id: str | None) -> bool:
        """Whether it is the style of the document's title, by Word's own name of it."""
        names = (value(child(style, "name")) or "" for style in self._chain(style_id))
        return any(name.lower() == "title" for name in names)

    def heading_level(self, style_id: str | None) -> int | None:
        """From 1; ``None``: body text."""
        if style_id not in self._levels:
            self._levels[style_id] = self._heading_level(style_id)
        return self._levels[style_id]

    def _heading_level(self, style_id: str | None) -> int | None:
        for style in self._chain(style_id):
            outline = value(child(style, "pPr", "outlineLvl"))
            if outline is not None and outline.isdecimal():
                return int(outline) + 1 if int(outline) < _BODY_LEVEL else None
            named = _HEADING_NAME.fullmatch(value(child(style, "name")) or "")
            if named:
                return int(named[1])
        if style_id is not None and style_id not in self._by_id:
            named = _HEADING_NAME.fullmatch(style_id)
            return int(named[1]) if named else None
        return None

    def is_hidden(self, style_id: str | None) -> bool:
        """Whether text of this style is not shown."""
        if style_id not in self._hidden:
            self._hidden[style_id] = is_on(self.first(style_id, "rPr", "vanish"))
        return self._hidden[style_id]

    def numbering(self, style_id: str | None) -> tuple[str | None, str | None]:
        """Id of the list and level that the style gives, each from the nearest that has one."""
        number = level = None
        for style in self._chain(style_id):
            properties = child(style, "pPr", "numPr")
            number = number or value(child(properties, "numId"))
            level = level or value(child(properties, "ilvl"))
        return number, level


@dataclass(slots=True)
class _Level:
    kind: str
    start: int
    pattern: str
    legal: bool
    restarts_after: int | None


@dataclass(slots=True)
class _Num:
    abstract_id: str
    starts: dict[int, int] = field(default_factory=dict)
    levels: dict[int, _Level] = field(default_factory=dict)


class Numbering:
    """Counts the items of the document's lists, in document order."""

    def __init__(self, root: Any, styles: Styles) -> None:
        self._abstract: dict[str, dict[int, _Level]] = {}
        self._nums: dict[str, _Num] = {}
        self._counters: dict[str, list[int | None]] = {}
        self._started: set[tuple[str, int]] = set()
        links: dict[str, str] = {}
        for element in root if root is not None else ():
            if local(element) == "abstractNum":
                abstract_id = value(element, "abstractNumId") or ""
                self._abstract[abstract_id] = _levels(element)
                link = value(child(element, "numStyleLink"))
                if link:
                    links[abstract_id] = link
            elif local(element) == "num":
                self._nums[value(element, "numId") or ""] = _num(element)
        for abstract_id, style_id in links.items():
            number = self._nums.get(styles.numbering(style_id)[0] or "")
            if number is not None:
                self._abstract[abstract_id] = self._abstract.get(number.abstract_id, {})

    def marker(self, num_id: str, level: int) -> str | None:
        """Counts one item on; its number as shown, ``-`` for a bullet, ``None`` for no list."""
        num = self._nums.get(num_id)
        if num is None or not 0 <= level < _MAX_LEVELS:
            return None
        levels = {**self._abstract.get(num.abstract_id, {}), **num.levels}
        mine = levels.get(level)
        if mine is None:
            return None
        counters = self._counters.setdefault(num.abstract_id, [None] * _MAX_LEVELS)
        for upper in range(level):
            if counters[upper] is None:
                counters[upper] = levels[upper].start if upper in levels else 1
        if level in num.starts and (num_id, level) not in self._started:
            counters[level] = num.starts[level]
        else:
            before = counters[level]
            counters[level] = mine.start if before is None else before + 1
        self._started.add((num_id, level))
        for lower in range(level + 1, _MAX_LEVELS):
            after = levels[lower].restarts_after if lower in levels else None
            if after is None or (after and level < after):
                counters[lower] = None
        return _shown(mine, levels, counters)


def _levels(element: Any) -> dict[int, _Level]:
    found = {}
    for level in element:
        if local(level) == "lvl":
            found[_integer(value(level, "ilvl"), 0)] = _level(level)
    return found


def _level(element: Any) -> _Level:
    restart = value(child(element, "lvlRestart"))
    return _Level(
        value(child(element, "numFmt")) or "decimal",
        _integer(value(child(element, "start")), 1),
        value(child(element, "lvlText")) or "",
        is_on(child(element, "isLgl")),
        None if restart is None else _integer(restart, 0),
    )


def _num(element: Any) -> _Num:
    num = _Num(value(child(element, "abstractNumId")) or "")
    for override in element:
        if local(override) == "lvlOverride":
            at = _integer(value(override, "ilvl"), 0)
            start = value(child(override, "startOverride"))
            if start is not None:
                num.starts[at] = _integer(start, 1)
            level = child(override, "lvl")
            if level is not None:
                num.levels[at] = _level(level)
    return num


def _shown(mine: _Level, levels: dict[int, _Level], counters: list[int | None]) -> str | None:
    if mine.kind == "bullet":
        return "-"
    if mine.kind == "none" and "%" not in mine.pattern:
        return mine.pattern.strip() or None

    def number(found: re.Match[str]) -> str:
        at = int(found[1]) - 1
        kind = "decimal" if mine.legal or at not in levels else levels[at].kind
        return numeral(counters[at] or 0, kind)

    return _PLACE.sub(number, mine.pattern).strip() or None


def numeral(number: int, kind: str) -> str:
    """A number as Word writes it; decimal where the kind is of a script that is not known here."""
    if kind in ("lowerLetter", "upperLetter") and number > 0:
        letter = chr(ord("a") + (number - 1) % 26) * min(9, (number - 1) // 26 + 1)
        return letter.upper() if kind == "upperLetter" else letter
    if kind in ("lowerRoman", "upperRoman") and 0 < number < _MAX_ROMAN:
        text = ""
        for worth, letters in _ROMAN:
            while number >= worth:
                text += letters
                number -= worth
        return text.upper() if kind == "upperRoman" else text
    if kind == "decimalZero":
        return f"{number:02d}"
    return "" if kind in ("none", "bullet") else str(number)


def _integer(text: str | None, default: int) -> int:
    return int(text) if text and text.isdecimal() and len(text) < 10 else default
