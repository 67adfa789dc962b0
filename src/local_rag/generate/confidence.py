"""Whether the best sentence answers the question at all."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence

    from local_rag.generate.score import Features, Query
    from local_rag.generate.terms import Term


class Signs(NamedTuple):
    """What speaks for an answer. Shares are of the weight of all words of the question.

    Attributes:
        own: share that the sentence holds.
        before: further share that the sentence before it holds.
        passage: further share that the rest of its passage holds.
        named_missing: share of names and numbers that the passage does not hold.
        pairs: see ``score.Features.pairs``.
        words: logarithm of 1 + the number of words: the more, the less a share is chance.
        cosine: of question and sentence; 0 without an embedder.
    """

    own: float
    before: float
    passage: float
    named_missing: float
    pairs: float
    words: float
    cosine: float


class _Judge(NamedTuple):
    weights: Signs
    bias: float
    least: float  # log odds below which an answer is refused


# Logistic regressions on the odd questions of XQuAD, with their own paragraph and without it; the
# thresholds refuse about 8 in 100 of those that have it. Spaced: en and de. Unspaced: zh, where
# most neighbouring characters of a question are no word, so that shares are far lower.
_SPACED = _Judge(Signs(7.0, 7.0, 2.4, -3.6, 2.5, 1.3, 0.0), -5.7, -1.0)
_UNSPACED = _Judge(Signs(21.6, 15.7, 10.4, -8.0, -4.4, 0.8, 0.0), -7.3, -1.1)
_WITH_COSINE = _Judge(Signs(7.3, 6.5, 3.3, -1.8, 0.1, 0.5, 8.6), -8.7, -0.5)
"""The cosines are those of all-MiniLM-L6-v2; other models have another scale."""

_HELD = 0.5


def is_answered(
    query: Query, best: Features, passage_tokens: frozenset[str], cosine: float | None
) -> bool:
    """Whether the best sentence supports an answer.

    Args:
        passage_tokens: of the sentence's passage and its headings.
        cosine: of question and sentence, or ``None``.
    """
    return log_odds(query, best, passage_tokens, cosine) >= _judge(query, cosine).least


def log_odds(
    query: Query, best: Features, passage_tokens: frozenset[str], cosine: float | None
) -> float:
    """The judge's log odds that the sentence answers the question."""
    judge = _judge(query, cosine)
    signs = signs_of(query, best, passage_tokens, cosine)
    return judge.bias + sum(w * s for w, s in zip(judge.weights, signs, strict=True))


def signs_of(
    query: Query, best: Features, passage_tokens: frozenset[str], cosine: float | None
) -> Signs:
    """See :class:`Signs`."""
    total = query.total or 1.0
    held = query.found / total
    return Signs(
        own=best.own * held,
        before=best.before * held,
        passage=best.passage * held,
        named_missing=_missing(query.terms, passage_tokens) / total,
        pairs=best.pairs,
        words=math.log(1 + len(query.terms)),
        cosine=cosine or 0.0,
    )


def _judge(query: Query, cosine: float | None) -> _Judge:
    if cosine is not None:
        return _WITH_COSINE
    wide = sum(term.wide for term in query.terms)
    return _UNSPACED if 2 * wide > len(query.terms) else _SPACED


def _missing(terms: Sequence[Term], tokens: frozenset[str]) -> float:
    return sum(term.weight for term in terms if term.named and term.strength(tokens) < _HELD)
