"""The cascade: which values the style sheets of a page give to its elements.

It is that of the standard for the few properties that hide: importance, layers, ``style``
attributes, specificity, order.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from local_rag.adapters.office.css_look import OWN_COLORS, WHITE, Look, look_of
from local_rag.adapters.office.css_match import Matcher
from local_rag.adapters.office.css_rules import declarations_of, is_for_screens, rules_of
from local_rag.adapters.office.css_values import color_word, number_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from numpy.typing import NDArray
    from selectolax.lexbor import LexborHTMLParser, LexborNode

    from local_rag.adapters.office.css_match import Matched
    from local_rag.adapters.office.css_rules import Declared, Load, Rule

_SHORTHAND_SIZE = re.compile(r"(?:^|\s)([+-]?\d*\.?\d+(?:[a-z]+|%)|0)(?=\s|/|$)")
_NO_SCRIPT = frozenset(("noscript", "template"))


_MOST_BYTES = 250_000_000
_STEPS_OF_VALUE = 20  # in the measure of the matcher
_MOST_NAMES = 1_023  # of each kind in a selector
_OF_STYLE = (_MOST_NAMES + 1, 0, 0)


class _Weighed(NamedTuple):
    """A value in the cascade: the greatest ``weight`` wins."""

    weight: int
    text: str


class Looks:
    """The looks of a page's elements.

    Args:
        load: gives other sheets by their address; ``None``: none is at hand.

    Attributes:
        is_whole: whether all rules were looked at. Where there are too many, the last are not, and
            what they hide counts as seen.
    """

    def __init__(self, tree: LexborHTMLParser, load: Load | None = None) -> None:
        self.is_whole = True
        self._place: Mapping[int, int] = {}
        self._columns: dict[str, int] = {}
        self._texts: list[dict[int, str]] = []
        self._weights: NDArray[np.int64] = np.zeros((0, 0), dtype=np.int64)
        self._is_told = b""
        sheets, some_missing = _sheets(tree, load)
        self.first = Look(background=None if some_missing else WHITE)
        if sheets:
            self._cascade(tree, sheets, load)

    def _cascade(self, tree: LexborHTMLParser, sheets: list[str], load: Load | None) -> None:
        rules, self.is_whole = rules_of(sheets, load)
        if not rules:
            return
        matcher = Matcher(tree)
        declared = {(d.name, d.text) for rule in rules for d in rule.declared}
        names = {"covered"} | {part for one in declared for part, _ in _parts(*one)}
        if 8 * matcher.size * len(names) > _MOST_BYTES:
            self.is_whole = False
            return
        self._columns = {name: at for at, name in enumerate(sorted(names))}
        self._texts = [{} for _ in names]
        self._weights = np.zeros((len(names), matcher.size), dtype=np.int64)
        for group in _by_selector(rules):
            for matched in matcher.matched(group[0][1].prelude):
                values = _values_of(matched, group)
                elements = np.flatnonzero(matched.elements) if values else ()
                if matcher.is_spent_on(_STEPS_OF_VALUE * len(elements) * len(values)):
                    break
                for name, (weight, text) in values.items():
                    self._texts[self._columns[name]][weight] = text
                    row = self._weights[self._columns[name]]
                    row[elements] = np.maximum(row[elements], weight)
        self._place = matcher.place
        self._is_told = self._weights.any(axis=0).tobytes()
        self.is_whole = self.is_whole and matcher.is_whole

    def of(self, node: LexborNode, above: Look) -> Look:
        """The look of an element in one of the look ``above``."""
        tag, attributes = node.tag or "", node.attributes
        at = self._place.get(node.mem_id, -1)
        is_told = at >= 0 and self._is_told[at]
        style = attributes.get("style")
        if not (is_told or style or attributes.keys() & _HINTS or tag in _STYLED):
            return above
        values = self._told(at) if is_told else {}
        if style:
            _weigh(values, declarations_of(style), _weight(_OF_STYLE, 0, layered=False))
        told = {name: value.text for name, value in values.items()}
        return look_of(tag, told, attributes, above)

    def _told(self, at: int) -> dict[str, _Weighed]:
        """What the sheets give to an element."""
        weights = self._weights[:, at].tolist()
        return {
            name: _Weighed(weights[column], self._texts[column][weights[column]])
            for name, column in self._columns.items()
            if weights[column]
        }


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


def _values_of(matched: Matched, group: list[tuple[int, Rule]]) -> dict[str, _Weighed]:
    """The values that the rules of one selector give to its elements."""
    values: dict[str, _Weighed] = {}
    for order, rule in group:
        declared = rule.declared
        if matched.generated:
            declared = tuple(d._replace(name="covered") for d in declared if _paints(d))
        elif matched.in_a_state:
            # What the pointer brings up can be seen; what it takes away, too.
            declared = tuple(d for d in declared if _brings_up(d))
        plain = _weight(matched.specificity, order, layered=rule.layered)
        _weigh(values, declared, plain + matched.in_a_state * _IN_A_STATE)
    return values


def _by_selector(rules: list[Rule]) -> list[list[tuple[int, Rule]]]:
    """Rules with their places in the order, those of one selector together."""
    import tinycss2

    groups: dict[str, list[tuple[int, Rule]]] = {}
    for order, rule in enumerate(rules, start=1):
        try:
            selectors = tinycss2.serialize(rule.prelude).strip()
        except RecursionError:  # in a thousand brackets
            continue
        groups.setdefault(selectors, []).append((order, rule))
    return list(groups.values())


def _weight(specificity: tuple[int, int, int], order: int, *, layered: bool) -> int:
    """What decides between two values, as one number: layers, specificity, order."""
    weight = int(not layered)
    for part in specificity:
        weight = weight << 11 | min(part, _MOST_NAMES + 1)
    return weight << 20 | order


_IMPORTANT, _IN_A_STATE = 1 << 55, 1 << 56


def _weigh(values: dict[str, _Weighed], declared: tuple[Declared, ...], weight: int) -> None:
    for name, text, important in declared:
        full = weight + important * _IMPORTANT
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
