"""The cascade: which values the style sheets of a page give to its elements.

It is that of the standard for the few properties that hide: importance, layers, ``style``
attributes, specificity, order.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, NamedTuple

from local_rag.adapters.office.css_look import OWN_COLORS, WHITE, Look, look_of
from local_rag.adapters.office.css_match import Matcher
from local_rag.adapters.office.css_rules import declarations_of, is_for_screens, rules_of
from local_rag.adapters.office.css_values import color_word, number_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from selectolax.lexbor import LexborHTMLParser, LexborNode

    from local_rag.adapters.office.css_rules import Declared, Load

_SHORTHAND_SIZE = re.compile(r"(?:^|\s)([+-]?\d*\.?\d+(?:[a-z]+|%)|0)(?=\s|/|$)")
_NO_SCRIPT = frozenset(("noscript", "template"))


class _Weighed(NamedTuple):
    """A value in the cascade: the greatest ``weight`` wins."""

    weight: tuple[Any, ...]
    text: str


class Looks:
    """The looks of a page's elements.

    Args:
        load: gives other sheets by their address; ``None``: none is at hand.
    """

    def __init__(self, tree: LexborHTMLParser, load: Load | None = None) -> None:
        self._values: dict[int, dict[str, _Weighed]] = {}
        self._place: Mapping[int, int] = {}
        sheets, some_missing = _sheets(tree, load)
        self.first = Look(background=None if some_missing else WHITE)
        if sheets:
            self._cascade(tree, sheets, load)

    def _cascade(self, tree: LexborHTMLParser, sheets: list[str], load: Load | None) -> None:
        rules = [rule for sheet in sheets for rule in rules_of(sheet, load)]
        if not rules:
            return
        matcher = Matcher(tree)
        self._place = matcher.place
        for order, rule in enumerate(rules):
            for matched in matcher.matched(rule.prelude):
                declared = rule.declared
                if matched.generated:
                    declared = tuple(d._replace(name="covered") for d in declared if _paints(d))
                elif matched.in_a_state:
                    # What the pointer brings up can be seen; what it takes away, too.
                    declared = tuple(d for d in declared if _brings_up(d))
                weight = (matched.in_a_state, not rule.layered, matched.specificity, order)
                for at in matched.elements if declared else ():
                    _weigh(self._values.setdefault(at, {}), declared, weight)

    def of(self, node: LexborNode, above: Look) -> Look:
        """The look of an element in one of the look ``above``."""
        tag, attributes = node.tag or "", node.attributes
        own = self._values.get(self._place.get(node.mem_id, -1))
        style = attributes.get("style")
        if own is None and not style and not (attributes.keys() & _HINTS) and tag not in _STYLED:
            return above
        values = dict(own or {})
        if style:
            _weigh(values, declarations_of(style), (False, True, (1 << 20, 0, 0), 0))
        told = {name: value.text for name, value in values.items()}
        return look_of(tag, told, attributes, above)


_HINTS = frozenset(("hidden", "popover", "bgcolor", "background", "color", "text"))
_STYLED = frozenset((*OWN_COLORS, "a"))


def _sheets(tree: LexborHTMLParser, load: Load | None) -> tuple[list[str], bool]:
    """The page's sheets in order, and whether one is not at hand."""
    texts, some_missing = [], False
    for node in tree.css("style, link[rel]"):
        attributes = node.attributes
        kinds = (attributes.get("rel") or "").lower().split()
        is_link = node.tag == "link"
        if is_link and ("stylesheet" not in kinds or "alternate" in kinds):
            continue
        if not is_for_screens(attributes.get("media") or "") or _is_within(node, _NO_SCRIPT):
            continue
        if is_link:
            text = load(attributes.get("href") or "") if load is not None else None
            some_missing = some_missing or text is None
            texts.append(text or "")
        else:
            texts.append(node.text(deep=True))
            some_missing = some_missing or (load is None and "@import" in texts[-1])
    return [text for text in texts if text.strip()], some_missing


def _is_within(node: LexborNode, tags: frozenset[str]) -> bool:
    above = node.parent
    while above is not None:
        if above.tag in tags:
            return True
        above = above.parent
    return False


def _weigh(
    values: dict[str, _Weighed], declared: tuple[Declared, ...], weight: tuple[Any, ...]
) -> None:
    for name, text, important in declared:
        full = (weight[0], important, *weight[1:])
        for part, its_text in _parts(name, text):
            before = values.get(part)
            if before is None or full >= before.weight:
                values[part] = _Weighed(full, its_text)


def _parts(name: str, text: str) -> Iterator[tuple[str, str]]:
    """The plain properties that one property sets."""
    if name == "font":
        size = _SHORTHAND_SIZE.search(text)
        yield "font-size", size[1] if size else "medium"
    elif name == "background":
        pictured = "(" in text and any(w in text for w in ("url(", "gradient(", "image(", "var("))
        yield "background-image", text if pictured else "none"
        yield "background-color", "unknown" if pictured else color_word(text)
        if re.search(r"\btext\b", text):
            yield "background-clip", "text"
    elif name == "margin":
        sides = text.split()
        if 1 <= len(sides) <= 4:
            yield "margin-top", sides[0]
            yield "margin-left", sides[(0, 1, 1, 3)[len(sides) - 1]]
    else:
        yield name.removeprefix("-webkit-").replace("text-fill-color", "fill-color"), text


def _paints(declared: Declared) -> bool:
    return declared.name.startswith("background")


def _brings_up(declared: Declared) -> bool:
    name, text = declared.name, declared.text
    if name in ("display", "visibility"):
        return text not in ("none", "hidden", "collapse")
    if name == "opacity":
        return number_of(text) != 0
    return name in ("left", "top", "clip", "clip-path", "max-height", "height", "transform")
