"""From the text of style sheets to the rules that may hide something.

tinycss2 takes the text apart as the standard says (comments, escapes, errors, at-rules). Kept are
only the properties that decide whether text is seen; what a screen does not show (``@media
print``) is left out.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache
from itertools import islice
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

Load = Callable[[str], "str | None"]
"""The text of another sheet by its address; ``None``: not at hand."""

_PROPERTIES_LISTED = (
    "display visibility opacity content-visibility font font-size color -webkit-text-fill-color "
    "background background-color background-image background-clip -webkit-background-clip "
    "position left top right text-indent margin margin-left margin-top z-index grid-area clip "
    "clip-path width height max-width max-height overflow overflow-x overflow-y transform "
    "animation animation-name transition transition-property text-shadow"
)
_PROPERTIES = frozenset(_PROPERTIES_LISTED.split())
_MAX_RULES = 20_000
_MAX_DEPTH = 12
_MAX_CHARS = 1_000_000
_SCREEN_WIDTH_PX = 1280  # a window on a desk
_WIDTH = re.compile(r"\(\s*(min|max)-width\s*:\s*([\d.]+)(px|r?em)\s*\)")
_RANGE = re.compile(r"\(\s*width\s*([<>])=?\s*([\d.]+)(px|r?em)\s*\)")
_EM_PX = 16
_PLAIN_GROUPS = frozenset(("supports", "layer", "scope", "starting-style"))


class Declared(NamedTuple):
    """One declaration.

    Attributes:
        text: the value in lower case.
    """

    name: str
    text: str
    important: bool


class Rule(NamedTuple):
    """Declarations and the selector of what they are for.

    Attributes:
        prelude: the selector's component values, as tinycss2 has them.
        layered: inside ``@layer``: weaker than what stands outside.
    """

    prelude: list[Any]
    declared: tuple[Declared, ...]
    layered: bool


def rules_of(sheets: Iterable[str], load: Load | None = None) -> tuple[list[Rule], bool]:
    """The rules of sheets and of those that they import, in the order of the cascade.

    Returns:
        The rules, and whether these are all.
    """
    source = _Source(load)
    every = (rule for sheet in sheets for rule in _from_sheet(sheet, source, 0))
    rules = list(islice(every, _MAX_RULES))
    return rules, next(every, None) is None and not source.is_spent


class _Source:
    """The texts of sheets, as many characters of them as may be read."""

    def __init__(self, load: Load | None) -> None:
        self._load = load
        self._left = _MAX_CHARS
        self.is_spent = False

    def imported(self, address: str) -> str | None:
        """Another sheet."""
        return self._load(address) if self._load is not None else None

    def taken(self, sheet: str) -> str:
        """As much of the sheet as may still be read."""
        self.is_spent = self.is_spent or len(sheet) > self._left
        part = sheet[: self._left]
        self._left -= len(part)
        return part


def declarations_of(style: str) -> tuple[Declared, ...]:
    """What a ``style`` attribute says."""
    return _declarations_of(style) if len(style) < _MAX_CHARS else ()


@lru_cache(maxsize=4096)
def _declarations_of(style: str) -> tuple[Declared, ...]:
    import tinycss2

    try:
        return tuple(_declared(tinycss2.parse_blocks_contents(style)))
    except RecursionError:
        return ()


def is_for_screens(query: str) -> bool:
    """Whether a list of media queries holds for a window on a desk."""
    return not query.strip() or any(map(_holds, query.lower().split(",")))


def _holds(query: str) -> bool:
    turned = query.strip().startswith("not ")
    words = query.strip().removeprefix("not ").removeprefix("only ")
    medium = re.match(r"[a-z]+", words)
    holds = medium is None or medium[0] in ("all", "screen")
    for condition in re.findall(r"\([^()]*\)", words):
        holds = holds and _is_met(condition)
    return holds != turned


def _is_met(condition: str) -> bool:
    if width := _WIDTH.fullmatch(condition):
        kind, number, unit = width.groups()
    elif width := _RANGE.fullmatch(condition):
        kind, number, unit = "max" if width[1] == "<" else "min", width[2], width[3]
    else:
        return False  # of another window, as far as is known
    try:
        limit = float(number) * (1 if unit == "px" else _EM_PX)
    except ValueError:
        return False
    return limit <= _SCREEN_WIDTH_PX if kind == "min" else limit >= _SCREEN_WIDTH_PX


def _from_sheet(sheet: str, source: _Source, depth: int) -> Iterator[Rule]:
    import tinycss2

    try:
        nodes = tinycss2.parse_stylesheet(
            source.taken(sheet), skip_comments=True, skip_whitespace=True
        )
        yield from _from_nodes(nodes, source, depth, layered=False)
    except RecursionError:  # values in a thousand brackets: no sheet that a browser would keep
        return


def _from_nodes(
    nodes: Iterable[Any], source: _Source, depth: int, *, layered: bool
) -> Iterator[Rule]:
    if depth > _MAX_DEPTH:
        return
    for node in nodes:
        if node.type == "qualified-rule":
            yield from _from_rule(node.prelude, node.content, source, depth, layered=layered)
        elif node.type == "at-rule":
            yield from _from_at_rule(node, source, depth, layered=layered)


def _from_rule(
    prelude: list[Any], content: list[Any], source: _Source, depth: int, *, layered: bool
) -> Iterator[Rule]:
    import tinycss2

    inner = tinycss2.parse_blocks_contents(content, skip_comments=True, skip_whitespace=True)
    declared = tuple(_declared(inner))
    if declared:
        yield Rule(prelude, declared, layered)
    for node in inner if depth < _MAX_DEPTH else ():
        if node.type == "qualified-rule":
            nested = _nested(prelude, node.prelude)
            yield from _from_rule(nested, node.content, source, depth + 1, layered=layered)
        elif (
            node.type == "at-rule"
            and node.lower_at_keyword == "media"
            and node.content
            and is_for_screens(tinycss2.serialize(node.prelude))
        ):
            yield from _from_rule(prelude, node.content, source, depth + 1, layered=layered)


def _nested(outer: list[Any], inner: list[Any]) -> list[Any]:
    """The selector of a rule inside a rule: ``&`` is the outer one, and is before all without."""
    import tinycss2

    text, above = tinycss2.serialize(inner).strip(), tinycss2.serialize(outer).strip()
    whole = f":is({above})"
    text = text.replace("&", whole) if "&" in text else f"{whole} {text}"
    return tinycss2.parse_component_value_list(text) if len(text) < 10_000 else []


def _from_at_rule(rule: Any, source: _Source, depth: int, *, layered: bool) -> Iterator[Rule]:
    import tinycss2

    keyword = rule.lower_at_keyword
    prelude = tinycss2.serialize(rule.prelude)
    if keyword == "import" and depth < _MAX_DEPTH:
        address = _imported(rule.prelude)
        media = re.sub(
            r"^\s*(?:url\([^)]*\)|\"[^\"]*\"|'[^']*')|\b(?:layer|supports)\b.*", "", prelude
        )
        sheet = source.imported(address) if address and is_for_screens(media) else None
        if sheet is not None:
            yield from _from_sheet(sheet, source, depth + 1)
    if rule.content is None:
        return
    holds = keyword == "media" and is_for_screens(prelude)
    if holds or (keyword in _PLAIN_GROUPS and not prelude.strip().lower().startswith("not")):
        nodes = tinycss2.parse_rule_list(rule.content, skip_comments=True, skip_whitespace=True)
        inner_layer = layered or keyword == "layer"
        yield from _from_nodes(nodes, source, depth + 1, layered=inner_layer)


def _imported(prelude: Iterable[Any]) -> str | None:
    for token in prelude:
        if token.type in ("url", "string"):
            return str(token.value)
        if token.type == "function" and token.lower_name == "url":
            return _imported(token.arguments)
    return None


def _declared(nodes: Iterable[Any]) -> Iterator[Declared]:
    import tinycss2

    for node in nodes:
        if node.type == "declaration" and node.lower_name in _PROPERTIES:
            text = tinycss2.serialize(node.value).strip().lower()
            yield Declared(node.lower_name, text, bool(node.important))
