"""Which elements of a page a selector is for.

Each simple selector gives the set of its elements, found once; a compound one is their
intersection, and combinators pass from set to set. So the time grows with the size of the page and
not with its depth to the power of the selector's length, as it does where ancestors are tried one
after another (lexbor's own search: 390 s for ``.a div div div`` in a tree of 1,000 levels).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from local_rag.adapters.office.html_steps import steps

if TYPE_CHECKING:
    from collections.abc import Iterator

    from selectolax.lexbor import LexborHTMLParser

_STATES_LISTED = (
    "hover focus focus-within focus-visible active target target-within checked open "
    "popover-open user-valid user-invalid"
)
_STATES = frozenset(_STATES_LISTED.split())
_STRUCTURE_LISTED = (
    "root empty first-child last-child only-child first-of-type last-of-type only-of-type link "
    "any-link disabled enabled required optional"
)
_STRUCTURE = frozenset(_STRUCTURE_LISTED.split())
_COUNTING = frozenset(("nth-child", "nth-last-child", "nth-of-type", "nth-last-of-type"))
_COUNTED_SIBLINGS = 2_000  # lexbor counts them anew for each of them
_GENERATED = frozenset(("before", "after"))
_MAX_DEPTH = 8
_MOST_STEPS = 20_000_000


class Matched(NamedTuple):
    """What one of a rule's selectors is for.

    Attributes:
        elements: their places in document order.
        specificity: ids; classes, attributes and pseudo-classes; names.
        in_a_state: only while the pointer is there, a box is ticked, and so on.
        generated: not they, but what the sheet writes before or after them.
    """

    elements: set[int]
    specificity: tuple[int, int, int]
    in_a_state: bool
    generated: bool


class _UnknownSelectorError(ValueError):
    """Of no kind that is known here; the rule is for nothing."""


class Matcher:
    """The elements of a page by all that simple selectors name."""

    def __init__(self, tree: LexborHTMLParser) -> None:
        self._tree = tree
        self.place: dict[int, int] = {}
        self._parents: list[int] = []
        self._before: list[int] = []  # the element before it among its siblings, or -1
        self._by_class: dict[str, set[int]] = {}
        self._by_id: dict[str, set[int]] = {}
        self._by_tag: dict[str, set[int]] = {}
        self._by_rest: dict[str, set[int]] = {}
        self._most_siblings = 0
        self._steps = 0
        if tree.root is not None:
            self._index(tree.root)
        self._all = set(range(len(self._parents)))

    def _index(self, root: Any) -> None:
        parents, last, counts = [-1], [-1], [0]
        for node, entering, _ in steps(root):
            if not node.is_element_node:
                continue
            if not entering:
                for stack in (parents, last, counts):
                    stack.pop()
                continue
            at = self.place[node.mem_id] = len(self._parents)
            self._parents.append(parents[-1])
            self._before.append(last[-1])
            last[-1] = at
            counts[-1] += 1
            self._most_siblings = max(self._most_siblings, counts[-1])
            parents.append(at)
            last.append(-1)
            counts.append(0)
            self._by_tag.setdefault(node.tag or "", set()).add(at)
            attributes = node.attributes
            for name in (attributes.get("class") or "").split():
                self._by_class.setdefault(name, set()).add(at)
            if attributes.get("id"):
                self._by_id.setdefault(attributes["id"] or "", set()).add(at)

    def matched(self, prelude: list[Any]) -> Iterator[Matched]:
        """For each selector of a list; those that are not understood are left out."""
        for selector in _split(prelude):
            try:
                yield self._complex(selector, 0)
            except _UnknownSelectorError:
                continue

    def _complex(self, tokens: list[Any], depth: int) -> Matched:
        if depth > _MAX_DEPTH:
            raise _UnknownSelectorError
        found: set[int] | None = None
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

    def _related(self, left: set[int], combinator: str, right: set[int]) -> set[int]:
        if not left or not right:
            return set()
        self._spend(len(right))
        if combinator == ">":
            return {at for at in right if self._parents[at] in left}
        if combinator == "+":
            return {at for at in right if self._before[at] in left}
        chain = self._before if combinator == "~" else self._parents
        known: dict[int, bool] = {-1: False}
        found = set()
        for at in right:
            passed = []
            above = chain[at]
            while above not in known and above not in left:
                passed.append(above)
                above = chain[above]
            holds = known.get(above, True)  # else it is in ``left``
            known.update(dict.fromkeys(passed, holds))
            if holds:
                found.add(at)
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
                found, weight = self._both(found, self._by_id.get(token.value, set())), (1, 0, 0)
            elif token.type == "ident":
                named = self._by_tag.get(token.lower_value, set())
                found, weight = self._both(found, named), (0, 0, 1)
            elif token.type == "[] block":
                found = found & self._by_lexbor(token.serialize())
            elif token.type != "literal":
                raise _UnknownSelectorError
            elif token.value == "*":
                weight = (0, 0, 0)
            elif token.value == "." and follower is not None and follower.type == "ident":
                found = self._both(found, self._by_class.get(follower.value, set()))
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

    def _both(self, found: set[int], more: set[int]) -> set[int]:
        if found is self._all:
            return more
        self._spend(min(len(found), len(more)))
        return found & more

    def _pseudo(self, token: Any, depth: int) -> tuple[set[int], tuple[int, int, int]]:
        if token.type == "ident" and token.lower_value in _STRUCTURE:
            return self._by_lexbor(f":{token.lower_value}"), (0, 1, 0)
        if token.type != "function":
            raise _UnknownSelectorError
        name = token.lower_name
        if name in _COUNTING and self._most_siblings <= _COUNTED_SIBLINGS:
            return self._by_lexbor(f":{token.serialize()}"), (0, 1, 0)
        if name not in ("not", "is", "where"):
            raise _UnknownSelectorError
        inner = [self._complex(part, depth + 1) for part in _split(token.arguments)]
        if not inner or any(part.in_a_state or part.generated for part in inner):
            raise _UnknownSelectorError
        self._spend(len(self._all))
        union = set().union(*(part.elements for part in inner))
        weight = (0, 0, 0) if name == "where" else max(part.specificity for part in inner)
        return (self._all - union if name == "not" else union), weight

    def _by_lexbor(self, selector: str) -> set[int]:
        from selectolax.lexbor import SelectolaxError

        if selector not in self._by_rest:
            self._spend(len(self._all))
            try:
                nodes = self._tree.css(selector)
            except SelectolaxError as exc:
                raise _UnknownSelectorError from exc
            places = (self.place.get(node.mem_id) for node in nodes)
            self._by_rest[selector] = {at for at in places if at is not None}
        return self._by_rest[selector]

    def _spend(self, steps: int) -> None:
        """Counts what was looked at; the last rules of a sheet without end are for nothing."""
        self._steps += steps
        if self._steps > _MOST_STEPS:
            raise _UnknownSelectorError


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
