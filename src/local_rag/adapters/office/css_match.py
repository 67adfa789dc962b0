"""Which elements of a page a selector is for.

Each simple selector gives the set of its elements, as one bit for each of the page; a compound one
is their intersection, and combinators pass from set to set over arrays of parents, of siblings and
of where a subtree ends. So the time grows with the size of the page and not with its depth to the
power of the selector's length, as it does where ancestors are tried one after another (lexbor's own
search: 390 s for ``.a div div div`` in a tree of 1,000 levels).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from local_rag.adapters.office.css_index import PageIndex

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray
    from selectolax.lexbor import LexborHTMLParser

    Elements = NDArray[np.bool_]

_STATES_LISTED = (
    "hover focus focus-within focus-visible active target target-within checked open "
    "popover-open user-valid user-invalid"
)
_STATES = frozenset(_STATES_LISTED.split())
_ASKED_LISTED = "root empty link any-link disabled enabled required optional"
_ASKED = frozenset(_ASKED_LISTED.split())
_COUNTING = frozenset(("nth-child", "nth-last-child", "nth-of-type", "nth-last-of-type"))
_ENDS = {
    "first-child": ("nth-child",),
    "last-child": ("nth-last-child",),
    "only-child": ("nth-child", "nth-last-child"),
    "first-of-type": ("nth-of-type",),
    "last-of-type": ("nth-last-of-type",),
    "only-of-type": ("nth-of-type", "nth-last-of-type"),
}
_GENERATED = frozenset(("before", "after"))
_MAX_DEPTH = 8
_MOST_STEPS = 400_000_000  # elements looked at in arrays: 2 s
_STEPS_OF_CALL = 2_000
_STEPS_OF_SEARCH = 50  # what lexbor's search costs, in the same measure


class Matched(NamedTuple):
    """What one of a rule's selectors is for.

    Attributes:
        elements: shape (n,), whether the selector is for each of the page's elements, in document
            order.
        specificity: ids; classes, attributes and pseudo-classes; names.
        in_a_state: only while the pointer is there, a box is ticked, and so on.
        generated: not they, but what the sheet writes before or after them.
    """

    elements: Elements
    specificity: tuple[int, int, int]
    in_a_state: bool
    generated: bool


class _UnknownSelectorError(ValueError):
    """Of no kind that is known here; the rule is for nothing."""


class _SpentError(ValueError):
    """So much was looked at already that this is not any more."""


class Matcher:
    """The elements of a page by all that simple selectors name.

    Attributes:
        place: of each element in document order, by its node's ``mem_id``.
        is_whole: whether all selectors so far were looked at; those that came after too many
            were not.
    """

    def __init__(self, tree: LexborHTMLParser) -> None:
        self._tree = tree
        self._page = PageIndex(tree)
        self.place = self._page.place
        self.is_whole = True
        self._searched: dict[str, Elements] = {}
        self._steps = 0
        self._all = np.ones(self._page.size, dtype=np.bool_)

    @property
    def size(self) -> int:
        """How many elements the page has."""
        return self._page.size

    def matched(self, prelude: list[Any]) -> Iterator[Matched]:
        """For each selector of a list; those that are not understood are left out."""
        for selector in _split(prelude):
            try:
                yield self._complex(selector, 0)
            except _UnknownSelectorError:
                continue
            except _SpentError:
                return

    def _complex(self, tokens: list[Any], depth: int) -> Matched:
        if depth > _MAX_DEPTH:
            raise _UnknownSelectorError
        found: Elements | None = None
        total, in_a_state, generated = (0, 0, 0), False, False
        for combinator, compound in _compounds(tokens):
            if generated:
                raise _UnknownSelectorError  # nothing stands inside what is generated
            part = self._compound(compound, depth)
            elements = part.elements
            if found is not None:
                elements = self._related(found, combinator, elements)
            found = elements
            total = _plus(total, part.specificity)
            in_a_state, generated = in_a_state or part.in_a_state, part.generated
        if found is None:
            raise _UnknownSelectorError
        return Matched(found, total, in_a_state, generated)

    def _related(self, left: Elements, combinator: str, right: Elements) -> Elements:
        self._spend(4)
        found = np.zeros_like(right)
        if combinator == " ":
            # Inside one of them: after it, and before its subtree ends.
            reach = np.maximum.accumulate(np.where(left, self._page.ends, 0))
            found[1:] = right[1:] & (reach[:-1] > np.arange(1, len(right)))
            return found
        at = np.flatnonzero(right)
        if combinator == "~":
            first = np.full(len(left) + 1, len(left))  # of them, for each parent; -1 is the last
            ones = np.flatnonzero(left)
            np.minimum.at(first, self._page.parents[ones], ones)
            kept = first[self._page.parents[at]] < at
        else:
            chain = self._page.parents if combinator == ">" else self._page.before
            kept = np.append(left, False)[chain[at]]
        found[at[kept]] = True
        return found

    def _compound(self, tokens: list[Any], depth: int) -> Matched:
        found = self._all
        specificity, in_a_state, generated = (0, 0, 0), False, False
        at = 0
        while at < len(tokens):
            token = tokens[at]
            follower = tokens[at + 1] if at + 1 < len(tokens) else None
            at += 1
            weight = (0, 1, 0)
            if token.type == "hash":
                found, weight = self._both(found, "id", token.value), (1, 0, 0)
            elif token.type == "ident":
                found, weight = self._both(found, "tag", token.lower_value), (0, 0, 1)
            elif token.type == "[] block":
                found = found & self._searched_for(token.serialize())
            elif token.type != "literal":
                raise _UnknownSelectorError
            elif token.value == "*":
                weight = (0, 0, 0)
            elif token.value == "." and follower is not None and follower.type == "ident":
                found = self._both(found, "class", follower.value)
                at += 1
            elif token.value == ":" and follower is not None:
                doubled = follower.type == "literal" and follower.value == ":"
                follower = tokens[at + 1] if doubled and at + 1 < len(tokens) else follower
                at += 1 + doubled
                name = follower.lower_value if follower.type == "ident" else ""
                generated = generated or name in _GENERATED
                in_a_state = in_a_state or name in _STATES
                if name not in _GENERATED and name not in _STATES:
                    chosen, weight = self._pseudo(follower, depth)
                    found = found & chosen
            else:
                raise _UnknownSelectorError
            specificity = _plus(specificity, weight)
        return Matched(found, specificity, in_a_state, generated)

    def _both(self, found: Elements, kind: str, name: str) -> Elements:
        """Those of them that have the tag, class or id."""
        self._spend(1)
        named = self._page.named(kind, name)
        both = np.zeros_like(found)
        both[named] = found[named]
        return both

    def _pseudo(self, token: Any, depth: int) -> tuple[Elements, tuple[int, int, int]]:
        if token.type == "ident":
            return self._structural(token.lower_value), (0, 1, 0)
        if token.type != "function":
            raise _UnknownSelectorError
        name = token.lower_name
        if name in _COUNTING:
            return self._nth(name, token.arguments), (0, 1, 0)
        if name not in ("not", "is", "where"):
            raise _UnknownSelectorError
        inner = [self._complex(part, depth + 1) for part in _split(token.arguments)]
        if not inner or any(part.in_a_state or part.generated for part in inner):
            raise _UnknownSelectorError
        self._spend(len(inner))
        union = np.zeros_like(self._all)
        for part in inner:
            union |= part.elements
        weight = (0, 0, 0) if name == "where" else max(part.specificity for part in inner)
        return (~union if name == "not" else union), weight

    def _structural(self, name: str) -> Elements:
        if name in _ASKED:
            return self._searched_for(f":{name}")
        if name not in _ENDS:
            raise _UnknownSelectorError
        self._spend(2)
        found = self._all
        for counted in _ENDS[name]:
            found = found & (self._page.positions(counted) == 1)
        return found

    def _nth(self, name: str, arguments: list[Any]) -> Elements:
        import tinycss2.nth

        parsed = tinycss2.nth.parse_nth(arguments)
        if parsed is None:
            raise _UnknownSelectorError
        step, offset = (max(-(1 << 31), min(1 << 31, number)) for number in parsed)
        self._spend(4)
        above = self._page.positions(name) - offset
        if step == 0:
            return np.asarray(above == 0)
        return np.asarray((above % step == 0) & (above // step >= 0))

    def _searched_for(self, selector: str) -> Elements:
        """What lexbor finds for what depends on one element alone."""
        from selectolax.lexbor import SelectolaxError

        if selector not in self._searched:
            self._spend(_STEPS_OF_SEARCH)
            try:
                nodes = self._tree.css(selector)
            except SelectolaxError as exc:
                raise _UnknownSelectorError from exc
            places = [self.place.get(node.mem_id, -1) for node in nodes]
            found = np.zeros(self._page.size + 1, dtype=np.bool_)
            found[places] = True
            self._searched[selector] = found[:-1]
        return self._searched[selector]

    def is_spent_on(self, steps: int) -> bool:
        """Counts what is done with what was found; whether it is too much."""
        self._steps += steps
        self.is_whole = self.is_whole and self._steps <= _MOST_STEPS
        return self._steps > _MOST_STEPS

    def _spend(self, times: int) -> None:
        """Counts how often all elements are looked at."""
        if self.is_spent_on(times * (self._page.size + _STEPS_OF_CALL)):
            raise _SpentError


def _plus(one: tuple[int, int, int], two: tuple[int, int, int]) -> tuple[int, int, int]:
    return one[0] + two[0], one[1] + two[1], one[2] + two[2]


def _split(tokens: list[Any]) -> Iterator[list[Any]]:
    """The selectors between commas."""
    part: list[Any] = []
    for token in tokens:
        if token.type == "literal" and token.value == ",":
            yield part
            part = []
        elif token.type != "comment":
            part.append(token)
    yield part


def _compounds(tokens: list[Any]) -> Iterator[tuple[str, list[Any]]]:
    """Each compound selector after the combinator that leads to it."""
    combinator, compound = " ", []
    for token in tokens:
        is_sign = token.type == "literal" and token.value in ">+~"
        if token.type != "whitespace" and not is_sign:
            compound.append(token)
            continue
        if compound:
            yield combinator, compound
            combinator, compound = " ", []
        if is_sign:
            combinator = token.value
    if compound:
        yield combinator, compound
