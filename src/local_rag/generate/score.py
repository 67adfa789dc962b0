"""How well a sentence answers a question: a weighted sum of what can be seen in it."""

from __future__ import annotations

import math
import re
from typing import TYPE_CHECKING, NamedTuple

from local_rag.generate.cues import Kind, answers_kind, defines
from local_rag.generate.terms import Term, terms_of, weigh

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from local_rag.generate.units import Unit

_LONG_TOKENS = 45
_NEAR_TOKENS = 6
_BORROWED_WEIGHT = 0.4  # of words that a part of a question takes from the part before it

POINTS_BACK = re.compile(
    r"(?:it|its|he|she|they|this|these|that|those|his|her|their|such|er|sie|es|dies|diese|dieser|dieses|"
    r"diesem|diesen|dessen|deren|il|elle|ils|elles|ce|cela|cette|ces|celui-ci|él|ella|ellos|ellas|esto|este|esta|"
    r"estos|estas|ello|ele|ela|eles|elas|isso|isto|essa|esse|egli|esso|essa|questo|questa|questi)\b"
    r"|[它他她这该其此]|(?:هو|هي|هذا|هذه)\b",
    re.IGNORECASE,
)


class Features(NamedTuple):
    """What is seen in one sentence. Shares are of the question's weight, in [0, 1].

    Attributes:
        own: share of the words that the sentence holds.
        before: further share that the sentence before it holds.
        linked: the same, where the sentence begins with a pronoun that points there.
        passage: further share that the rest of the passage and its headings hold.
        pairs: share of the neighbouring pairs of words that stand near each other.
        countable: whether it has the number or the date that the question asks for.
        nameable: whether it has the person, place, reason or definition asked for.
        first: 1 / rank of the passage.
        place: whether it begins its passage.
        length: how far it is above a usual length.
        short: whether it has next to no words but the question's.
        points_back: whether it begins with a pronoun.
        unfit: whether it is a heading, a question, a cut sentence, a row or code.
        cosine: cosine of sentence and question less that of the best; 0 without an embedder.
    """

    own: float
    before: float
    linked: float
    passage: float
    pairs: float
    countable: float
    nameable: float
    first: float
    place: float
    length: float
    short: float
    points_back: float
    unfit: float
    cosine: float


WEIGHTS = Features(
    own=4.0, before=2.1, linked=1.0, passage=1.2, pairs=0.3, countable=0.7, nameable=0.5, first=1.1,
    place=0.0, length=-0.2, short=-0.7, points_back=-0.1, unfit=-0.6, cosine=0.0,
)  # fmt: skip
"""Fitted by listwise softmax regression on the odd questions of XQuAD en, de and zh, scaled to
``own=4``; ``unfit`` is by judgement, as those paragraphs have no headings."""

WEIGHTS_WITH_COSINE = Features(
    own=4.0, before=2.5, linked=1.4, passage=1.2, pairs=0.2, countable=0.9, nameable=0.5, first=1.0,
    place=0.0, length=-0.5, short=-1.0, points_back=-0.1, unfit=-0.6, cosine=2.9,
)  # fmt: skip
"""The same on XQuAD en with all-MiniLM-L6-v2."""


class Query(NamedTuple):
    """A part of a question, ready to be held against sentences.

    Attributes:
        total: weight of its words.
        found: weight of those that stand anywhere in the evidence.
    """

    text: str
    language: str
    kind: Kind
    terms: tuple[Term, ...]
    total: float
    found: float


def prepare(
    text: str,
    context: str,
    language: str,
    kind: Kind,
    units: Sequence[Unit],
    languages: Sequence[str],
) -> Query:
    """Finds the words of a part and weighs them by the evidence."""
    terms = terms_of(text, language, languages)
    known = {term.forms[0] for term in terms}
    for term in terms_of(context, language, languages):
        if term.forms[0] not in known:
            term.weight *= _BORROWED_WEIGHT
            terms.append(term)
    weigh(terms, [frozenset(unit.tokens) for unit in units])
    found = sum(term.weight for term in terms if term.strengths or term.given)
    return Query(text, language, kind, tuple(terms), sum(term.weight for term in terms), found)


def features_of(
    query: Query,
    units: Sequence[Unit],
    headings: Mapping[int, frozenset[str]],
    cosines: Mapping[int, float],
) -> list[Features]:
    """The features of every unit.

    Args:
        headings: tokens of each passage's headings and title, by its index.
        cosines: cosine with the question by the unit's position in ``units``; may be empty.
    """
    held = [[term.strength(unit.tokens) for term in query.terms] for unit in units]
    passages: dict[int, list[float]] = {}
    for unit, strengths in zip(units, held, strict=True):
        known = passages.get(unit.evidence_index)
        if known is None:
            tokens = headings.get(unit.evidence_index, frozenset())
            known = [0.8 * term.strength(tokens) for term in query.terms]
        passages[unit.evidence_index] = [max(a, b) for a, b in zip(known, strengths, strict=True)]
    headed = _headed(units, held)
    best_cosine = max(cosines.values(), default=0.0)
    none = [0.0] * len(query.terms)
    found = []
    for i, unit in enumerate(units):
        follows = i > 0 and units[i - 1].evidence_index == unit.evidence_index
        before = [
            max(a, b) for a, b in zip(headed[i], held[i - 1] if follows else none, strict=True)
        ]
        found.append(
            _features(query, unit, held[i], before, passages[unit.evidence_index])._replace(
                cosine=cosines.get(i, best_cosine - 0.5) - best_cosine if cosines else 0.0
            )
        )
    return found


def _headed(units: Sequence[Unit], held: list[list[float]]) -> list[list[float]]:
    """For each unit, what the heading above it within its passage holds of the question."""
    found: list[list[float]] = []
    current: list[float] = []
    for i, unit in enumerate(units):
        if unit.place == 0 or i == 0 or units[i - 1].evidence_index != unit.evidence_index:
            current = [0.0] * len(held[i])
        found.append(current)
        if unit.kind == "heading":
            current = held[i]
    return found


def _features(
    query: Query, unit: Unit, held: list[float], before: list[float], passage: list[float]
) -> Features:
    def share(values: list[float]) -> float:
        total = sum(t.weight * value for t, value in zip(query.terms, values, strict=True))
        return total / query.found if query.found else 0.0

    near = [max(a, b) for a, b in zip(held, before, strict=True)]
    own, with_before, all_of_it = (
        share(held),
        share(near),
        share([max(a, b) for a, b in zip(near, passage, strict=True)]),
    )
    kind = _kind(query, unit)
    points_back = POINTS_BACK.match(unit.text) is not None
    new = sum(token_is_new(token, query.terms) for token in set(unit.tokens))
    return Features(
        own=own,
        before=with_before - own,
        linked=(with_before - own) * points_back,
        passage=all_of_it - with_before,
        pairs=_pairs(query.terms, unit.tokens),
        countable=kind if query.kind in ("number", "when") else 0.0,
        nameable=kind if query.kind not in ("number", "when") else 0.0,
        first=1.0 / (1 + unit.evidence_index),
        place=float(unit.place == 0),
        length=max(0.0, math.log(max(1, len(unit.tokens)) / _LONG_TOKENS)),
        short=float(new < 2),
        points_back=float(points_back),
        unfit=_unfit(unit),
        cosine=0.0,
    )


def token_is_new(token: str, terms: Sequence[Term]) -> bool:
    """Whether no word of the question meets the token."""
    return not any(token in term.strengths for term in terms)


def _pairs(terms: Sequence[Term], tokens: Sequence[str]) -> float:
    """Share of neighbouring words of the question that stand within a few words in the sentence."""
    at: list[list[int]] = [[] for _ in terms]
    for position, token in enumerate(tokens):
        for i, term in enumerate(terms):
            if token in term.strengths:
                at[i].append(position)
    total = met = 0.0
    for i in range(len(terms) - 1):
        weight = min(terms[i].weight, terms[i + 1].weight)
        total += weight
        if any(abs(a - b) <= _NEAR_TOKENS for a in at[i] for b in at[i + 1]):
            met += weight
    return met / total if total else 0.0


def _kind(query: Query, unit: Unit) -> float:
    if query.kind != "define":
        return answers_kind(query.kind, unit.text, query.text)
    ends = [
        unit.text.casefold().find(t.surface.casefold()) + len(t.surface)
        for t in query.terms
        if t.surface.casefold() in unit.text[:60].casefold()
    ]
    return 2.0 * (bool(ends) and defines(unit.text, max(ends)))


def _unfit(unit: Unit) -> float:
    """By judgement: the texts that the weights were fitted on have nothing of the kind."""
    if unit.kind in ("noise", "heading"):
        return 3.0
    if unit.cut or unit.text.endswith(("?", "？", "؟")):
        return 1.5
    if unit.kind in ("row", "code", "caption") or unit.text.endswith((":", "：")):
        return 1.0
    return 0.0
