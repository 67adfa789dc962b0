"""Whether the best sentence answers the question at all: a calibrated probability."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence

    from local_rag.generate.ranking import Ranked, Ranking
    from local_rag.generate.terms import Term
    from local_rag.model.evidence import Evidence


class Signs(NamedTuple):
    """What speaks for an answer. Shares are of the weight of all words of the question.

    Attributes:
        own: share that the sentence holds.
        before: further share that the sentence before it holds.
        passage: further share that the rest of its passage holds.
        held: share that passage and headings hold, each word alike however rare it is.
        named_missing: share of names and numbers that the passage does not hold.
        grams: share of the question that the sentence holds letter by letter.
        margin: probability of the sentence among all of them.
        passage_margin: the same of all the sentences of its passage.
        gap: how far the best passage's BM25 is above the next one's, as a share of it.
        count_missing: 1 if the question asks for a date and the sentence has none; 2 for a number,
            which is seldom told in other words.
        name_missing: the same of a person or a place.
        cosine, context: of the question with the sentence, alone and with the one before it.
        stands_out: how far the nearest sentence's cosine is above that of the fourth.
        passage_out: how far the nearest passage's cosine is above that of the next one.
    """

    own: float
    before: float
    passage: float
    held: float
    named_missing: float
    grams: float
    margin: float
    passage_margin: float
    gap: float
    count_missing: float
    name_missing: float
    cosine: float = 0.0
    context: float = 0.0
    stands_out: float = 0.0
    passage_out: float = 0.0


class Judge(NamedTuple):
    """A logistic model of whether a sentence answers."""

    weights: Signs
    bias: float
    least: float  # log odds below which an answer is refused


# See evaluation/fit_extractive.py: ``least`` refuses 3 to 7 in 100 of the questions that have their
# paragraph.
SPACED = Judge(
    Signs(
        own=0.0, before=2.5, passage=0.0, held=4.1, named_missing=-3.2, grams=6.4, margin=0.0,
        passage_margin=4.0, gap=0.3, count_missing=-1.4, name_missing=-0.3,
    ), bias=-7.75, least=-1.75,
)  # fmt: skip
UNSPACED = Judge(
    Signs(
        own=1.7, before=0.9, passage=0.2, held=7.8, named_missing=-2.7, grams=1.8, margin=0.3,
        passage_margin=1.7, gap=3.5, count_missing=-0.8, name_missing=-0.2,
    ), bias=-6.8, least=-1.45,
)  # fmt: skip
WITH_COSINE = Judge(
    Signs(
        own=0.9, before=1.1, passage=0.2, held=3.9, named_missing=-2.1, grams=4.8, margin=0.1,
        passage_margin=2.6, gap=0.8, count_missing=-2.8, name_missing=-1.0, cosine=2.5,
        context=3.3, stands_out=2.4, passage_out=1.3,
    ), bias=-10.15, least=-0.2,
)  # fmt: skip
"""The cosines are those of all-MiniLM-L6-v2; other models have another scale."""

_HELD = 0.5
_FOURTH = 3
_MISSING_COUNT = {"when": 1.0, "number": 2.0}


def log_odds(
    ranking: Ranking, row: Ranked, tokens: frozenset[str], evidence: Sequence[Evidence]
) -> float:
    """The judge's log odds that the sentence supports an answer.

    Args:
        row: one of the ranking's.
        tokens: of the sentence's passage and its headings.
    """
    judge = judge_of(ranking)
    signs = signs_of(ranking, row, tokens, evidence)
    return judge.bias + sum(w * s for w, s in zip(judge.weights, signs, strict=True))


def judge_of(ranking: Ranking) -> Judge:
    """The model for a question of this script, with or without an embedder."""
    if ranking.is_embedded:
        return WITH_COSINE
    return UNSPACED if ranking.query.is_wide else SPACED


def signs_of(
    ranking: Ranking, row: Ranked, tokens: frozenset[str], evidence: Sequence[Evidence]
) -> Signs:
    """See :class:`Signs` and :func:`log_odds`."""
    query, best = ranking.query, row.features
    total = query.total or 1.0
    found = query.found / total
    has = best.countable or best.nameable
    odds = [math.exp(other.value - row.value) for other in ranking.rows]
    index = row.unit.evidence_index
    own = (o for o, r in zip(odds, ranking.rows, strict=True) if r.unit.evidence_index == index)
    return Signs(
        own=best.own * found,
        before=best.before * found,
        passage=best.passage * found,
        held=_held(query.terms, tokens),
        named_missing=_missing(query.terms, tokens) / total,
        grams=best.grams,
        margin=1.0 / sum(odds),
        passage_margin=sum(own) / sum(odds),
        gap=_gap([one.fused.bm25 or 0.0 for one in evidence]),
        count_missing=0.0 if has else _MISSING_COUNT.get(query.kind, 0.0),
        name_missing=float(query.kind in ("who", "where") and not has),
        cosine=best.cosine,
        context=best.context,
        stands_out=_above([r.features.cosine for r in ranking.rows], _FOURTH),
        passage_out=_above([c for one in evidence if (c := one.fused.cosine) is not None], 1)
        if ranking.is_embedded
        else 0.0,
    )


def _gap(values: Sequence[float]) -> float:
    best = sorted(values, reverse=True)
    return 1.0 - best[1] / best[0] if len(best) > 1 and best[0] > 0 else 0.0


def _above(values: Sequence[float], place: int) -> float:
    """How far the highest value is above the one at this place, or above the last one."""
    best = sorted(values, reverse=True)
    return best[0] - best[min(place, len(best) - 1)] if best else 0.0


def _held(terms: Sequence[Term], tokens: frozenset[str]) -> float:
    total = sum(term.plain_weight for term in terms)
    held = sum(term.plain_weight * term.strength(tokens) for term in terms)
    return held / total if total else 0.0


def _missing(terms: Sequence[Term], tokens: frozenset[str]) -> float:
    return sum(term.weight for term in terms if term.named and term.strength(tokens) < _HELD)
