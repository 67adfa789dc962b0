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
        named_missing: share of names and numbers that the passage does not hold.
        grams: share of the question that the sentence holds letter by letter.
        margin: probability of the sentence among all of them.
        gap: how far the best passage's BM25 is above the next one's, as a share of it.
        kind_missing: whether the question asks for a number, date, person or place that the
            sentence does not have.
        cosine, context: of the question with the sentence, alone and with the one before it.
    """

    own: float
    before: float
    passage: float
    named_missing: float
    grams: float
    margin: float
    gap: float
    kind_missing: float
    cosine: float
    context: float


class Judge(NamedTuple):
    """A logistic model of whether a sentence answers."""

    weights: Signs
    bias: float
    least: float  # log odds below which an answer is refused


# See evaluation/fit_extractive.py: ``least`` refuses 5 or 6 in 100 of the questions that have their
# paragraph.
SPACED = Judge(Signs(2.6, 6.2, 2.8, -3.0, 6.5, 2.0, 1.2, -1.0, 0.0, 0.0), -4.7, -1.4)
UNSPACED = Judge(Signs(6.4, 3.8, 3.5, -2.8, 3.5, 1.0, 3.6, -0.3, 0.0, 0.0), -4.1, -1.4)
WITH_COSINE = Judge(Signs(3.2, 3.3, 2.9, -2.3, 5.0, 1.4, 1.4, -1.7, 3.6, 4.5), -8.25, -0.45)
"""The cosines are those of all-MiniLM-L6-v2; other models have another scale."""

_HELD = 0.5


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
    held = query.found / total
    bm25 = sorted((found.fused.bm25 or 0.0 for found in evidence), reverse=True)
    asks = query.kind in ("number", "when", "who", "where")
    return Signs(
        own=best.own * held,
        before=best.before * held,
        passage=best.passage * held,
        named_missing=_missing(query.terms, tokens) / total,
        grams=best.grams,
        margin=1.0 / sum(math.exp(other.value - row.value) for other in ranking.rows),
        gap=1.0 - bm25[1] / bm25[0] if len(bm25) > 1 and bm25[0] > 0 else 0.0,
        kind_missing=float(asks and not best.countable and not best.nameable),
        cosine=best.cosine,
        context=best.context,
    )


def _missing(terms: Sequence[Term], tokens: frozenset[str]) -> float:
    return sum(term.weight for term in terms if term.named and term.strength(tokens) < _HELD)
