"""How well a sentence answers a question: a weighted sum of what can be seen in it."""

from __future__ import annotations

import math
import re
from typing import TYPE_CHECKING, NamedTuple

from local_rag.generate.cues import Kind, answers_kind, defines
from local_rag.generate.grams import gram_shares
from local_rag.generate.surroundings import SAID_LATER, headings_above, ranks_of, shares_below
from local_rag.generate.terms import Term, terms_of, weigh

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from local_rag.generate.units import Unit
    from local_rag.model.evidence import Evidence

_LONG_TOKENS = 45
_NEAR_TOKENS = 6
_FIELD_ASKED = 2.5
_LETTERS = re.compile(r"[^\W\d_]+")
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
        own: share of the words that the sentence holds, or the heading that it stands under.
        before: further share that the sentence before it holds.
        linked: the same, where the sentence begins with a pronoun that points there.
        passage: further share that the rest of the passage and its headings hold.
        pairs: share of the neighbouring pairs of words that stand near each other.
        grams: share of the question that it holds letter by letter, see ``grams``.
        countable: whether it has the number or the date that the question asks for.
        nameable: whether it has the person, place, reason or definition asked for.
        first: 1 / rank of the passage.
        bm25: BM25 of the passage as a share of the best one's.
        near: cosine of passage and question less that of the nearest passage.
        length: how far it is above a usual length.
        short: whether it has next to no words but the question's.
        points_back: whether it begins with a pronoun.
        unfit: whether it is a heading, a question, a cut sentence, a row or code.
        cosine: cosine of sentence and question; 0 without an embedder.
        context: the same of the sentence together with the one before it.
    """

    own: float
    before: float
    linked: float
    passage: float
    pairs: float
    grams: float
    countable: float
    nameable: float
    first: float
    bm25: float
    near: float
    length: float
    short: float
    points_back: float
    unfit: float
    cosine: float
    context: float


# Softmax regressions over the sentences at hand, see evaluation/fit_extractive.py. ``unfit`` is by
# judgement, as those texts have no headings; what was of no use is 0.
WEIGHTS_SPACED = Features(
    own=3.6, before=1.6, linked=1.2, passage=0.0, pairs=0.7, grams=4.2, countable=1.5, nameable=0.4,
    first=1.7, bm25=1.6, near=0.0, length=0.0, short=-0.6, points_back=0.0, unfit=-1.2,
    cosine=0.0, context=0.0,
)  # fmt: skip
WEIGHTS_UNSPACED = Features(
    own=5.1, before=1.6, linked=0.9, passage=0.0, pairs=0.0, grams=2.2, countable=1.5, nameable=0.9,
    first=1.9, bm25=2.7, near=0.0, length=0.0, short=0.0, points_back=0.0, unfit=-1.2,
    cosine=0.0, context=0.0,
)  # fmt: skip
WEIGHTS_WITH_COSINE = Features(
    own=3.2, before=1.3, linked=1.1, passage=0.0, pairs=0.4, grams=2.8, countable=1.3, nameable=0.4,
    first=1.0, bm25=1.0, near=1.0, length=0.0, short=-0.5, points_back=0.0, unfit=-1.2,
    cosine=2.2, context=2.2,
)  # fmt: skip
"""The cosines are those of all-MiniLM-L6-v2; other models have another scale."""


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

    @property
    def is_wide(self) -> bool:
        """Whether most of it is in a script without spaces."""
        return 2 * sum(term.wide for term in self.terms) > len(self.terms)


def prepare(
    text: str,
    context: str,
    language: str,
    kind: Kind,
    units: Sequence[Unit],
    languages: Sequence[str],
    headings: Iterable[frozenset[str]] = (),
) -> Query:
    """Finds the words of a part and weighs them by the evidence."""
    terms = terms_of(text, language, languages)
    known = {term.forms[0] for term in terms}
    for term in terms_of(context, language, languages):
        if term.forms[0] not in known:
            term.weight *= _BORROWED_WEIGHT
            terms.append(term)
    weigh(terms, [frozenset(unit.tokens) for unit in units], headings)
    found = sum(term.weight for term in terms if term.strengths or term.given)
    return Query(text, language, kind, tuple(terms), sum(term.weight for term in terms), found)


def features_of(
    query: Query,
    units: Sequence[Unit],
    headings: Mapping[int, frozenset[str]],
    evidence: Sequence[Evidence],
) -> list[Features]:
    """The features of every unit, without those of an embedder.

    Args:
        headings: tokens of each passage's headings and title, by its index.
    """
    sets = [frozenset(unit.tokens) for unit in units]
    held = [[term.strength(tokens) for term in query.terms] for tokens in sets]
    asked = frozenset().union(*(term.strengths for term in query.terms))
    passages: dict[int, list[float]] = {}
    for unit, strengths in zip(units, held, strict=True):
        known = passages.get(unit.evidence_index)
        if known is None:
            tokens = headings.get(unit.evidence_index, frozenset())
            known = [0.8 * term.strength(tokens) for term in query.terms]
        passages[unit.evidence_index] = [max(a, b) for a, b in zip(known, strengths, strict=True)]
    above = headings_above(units)
    none = [0.0] * len(query.terms)
    grams = shares_below(gram_shares(query.text, [unit.text for unit in units]), above)
    over = {
        index: [SAID_LATER * term.strength(tokens) for term in query.terms]
        for index, tokens in headings.items()
    }
    own = [
        [max(a, b) for a, b in zip(held[i], over.get(units[i].evidence_index, none), strict=True)]
        if at is None
        else [max(a, said * b) for a, b in zip(held[i], held[at], strict=True)]
        for i, (at, said) in enumerate(above)
    ]
    ranks = ranks_of(evidence)
    found = []
    for i, unit in enumerate(units):
        follows = i > 0 and units[i - 1].evidence_index == unit.evidence_index
        before = held[i - 1] if follows else none
        bm25, near = ranks[unit.evidence_index]
        found.append(
            _features(query, unit, own[i], before, passages[unit.evidence_index])._replace(
                grams=grams[i], bm25=bm25, near=near, short=float(len(sets[i] - asked) < 2)
            )
        )
    return found


def weights_for(query: Query) -> Features:
    """The weights for a question of this script, without an embedder."""
    return WEIGHTS_UNSPACED if query.is_wide else WEIGHTS_SPACED


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
    return Features(
        own=own,
        before=with_before - own,
        linked=(with_before - own) * points_back,
        passage=all_of_it - with_before,
        pairs=_pairs(query.terms, unit.tokens),
        countable=kind if query.kind in ("number", "when") else 0.0,
        nameable=kind if query.kind not in ("number", "when") else 0.0,
        first=1.0 / (1 + unit.evidence_index),
        grams=0.0,
        bm25=0.0,
        near=0.0,
        length=max(0.0, math.log(max(1, len(unit.tokens)) / _LONG_TOKENS)),
        short=0.0,
        points_back=float(points_back),
        unfit=_unfit(unit),
        cosine=0.0,
        context=0.0,
    )


def _pairs(terms: Sequence[Term], tokens: Sequence[str]) -> float:
    """Share of neighbouring words of the question that stand within a few words in the sentence."""
    meant: dict[str, list[int]] = {}
    for i, term in enumerate(terms):
        for token in term.strengths:
            meant.setdefault(token, []).append(i)
    at: list[list[int]] = [[] for _ in terms]
    for position, token in enumerate(tokens):
        for i in meant.get(token, ()):
            at[i].append(position)
    total = met = 0.0
    for i in range(len(terms) - 1):
        weight = min(terms[i].weight, terms[i + 1].weight)
        total += weight
        if any(abs(a - b) <= _NEAR_TOKENS for a in at[i] for b in at[i + 1]):
            met += weight
    return met / total if total else 0.0


def _kind(query: Query, unit: Unit) -> float:
    if unit.kind == "field" and _is_asked(query, unit):
        return _FIELD_ASKED
    if query.kind != "define":
        return answers_kind(query.kind, unit.text, query.text)
    ends = [
        unit.text.casefold().find(t.surface.casefold()) + len(t.surface)
        for t in query.terms
        if t.surface.casefold() in unit.text[:60].casefold()
    ]
    return 2.0 * (bool(ends) and defines(unit.text, max(ends)))


def _is_asked(query: Query, unit: Unit) -> bool:
    """Whether the question holds all of the name that a line gives a value to: ``Date: 3 May``."""
    name, colon, _ = unit.text.replace("：", ":").partition(":")
    words = {word.casefold() for word in _LETTERS.findall(name)}
    return bool(colon and words) and words <= set(_LETTERS.findall(query.text.casefold()))


def _unfit(unit: Unit) -> float:
    """By judgement: the texts that the weights were fitted on have nothing of the kind."""
    if unit.kind in ("noise", "heading"):
        return 3.0
    if unit.cut or unit.text.endswith(("?", "？", "؟")):
        return 1.5
    if unit.kind in ("row", "code", "caption") or unit.text.endswith((":", "：")):
        return 1.0
    return 0.0
