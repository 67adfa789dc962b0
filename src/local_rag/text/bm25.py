"""BM25 as two sparse vectors: passages hold saturated term frequencies, the index holds IDF.

The inner product of a question's weights, the index's IDF and a passage's weights is the score.
Robertson and Zaragoza, "The Probabilistic Relevance Framework: BM25 and Beyond" (2009).
"""

from __future__ import annotations

import unicodedata
from collections import Counter
from functools import lru_cache
from hashlib import blake2b
from typing import TYPE_CHECKING

from local_rag.text.identifiers import identifiers_of
from local_rag.text.language import STOP_WORDS
from local_rag.text.tokens import is_gram, tokenize

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

K1 = 1.5
B = 0.75
AVERAGE_TOKENS = 90.0
"""Assumed mean length of a passage in tokens. A constant, so that adding a document never changes
the weights of those already indexed; passages are of about one length by construction."""
_SHORTEST_NUMBER = 5
_WORD_AMONG_GRAMS = 2.0
_PAIR_WITH_FUNCTION_WORD = 0.5
_GRAM_LENGTH = 0.25  # a Chinese word of two characters gives two single ones and about two pairs


def document_weights(
    tokens: Sequence[str], average_tokens: float = AVERAGE_TOKENS
) -> dict[str, float]:
    """``(k1 + 1) tf / (tf + k1 (1 - b + b |d| / avgdl))`` for each token."""
    counts = Counter(tokens)
    grams = sum(count for token, count in counts.items() if len(token) <= 2 and is_gram(token))
    length = len(tokens) - grams * (1 - _GRAM_LENGTH)
    norm = K1 * (1 - B + B * length / average_tokens)
    return {token: count * (K1 + 1) / (count + norm) for token, count in counts.items()}


def query_terms(
    question: str, language: str, other_languages: Iterable[str] = ()
) -> dict[str, float]:
    """Weight of each content token of the question.

    1 in languages with spaces. Where words are written without them, each gives several tokens, two
    characters and their pair as a rule: a Latin word or a number beside them counts double, a pair
    with the character of a function word in it half.

    Args:
        language: the question's; its function words are dropped.
        other_languages: languages of the library; stems of these are asked for as well, so that
            a name stemmed in another language still meets.
    """
    terms = dict.fromkeys(tokenize(question, language), 1.0)
    if not terms:
        return {}
    dropped = set(tokenize(question)) - set(terms)
    for other in other_languages:
        if other != language:
            for token in tokenize(question, other):
                if token not in dropped:
                    terms.setdefault(token, 1.0)
    if question.isascii() or not any(map(is_gram, terms)):
        return terms
    function_words = STOP_WORDS.get(language, frozenset())
    return {token: _weight_among_grams(token, function_words) for token in terms}


def _weight_among_grams(token: str, function_words: frozenset[str]) -> float:
    if not is_gram(token):
        return _WORD_AMONG_GRAMS
    return _PAIR_WITH_FUNCTION_WORD if not function_words.isdisjoint(token) else 1.0


def code_terms(question: str, language: str) -> dict[str, float]:
    """The tokens of the codes that the question names, without the parts that others share."""
    return {
        token: 1.0
        for code in identifiers_of(unicodedata.normalize("NFKC", question))
        for token in tokenize(code.surface, language)
        if not token.isalpha() and not (token.isdigit() and len(token) < _SHORTEST_NUMBER)
    }


@lru_cache(maxsize=200_000)
def dimension(token: str) -> int:
    """The token's dimension in a sparse vector: 32 bits of its hash."""
    return int.from_bytes(blake2b(token.encode(), digest_size=4).digest(), "big")


def by_dimension(terms: dict[str, float]) -> tuple[list[int], list[float]]:
    """The dimensions of the tokens, each once, and their weights; those of one are added up."""
    dimensions = [dimension(token) for token in terms]
    if len(set(dimensions)) == len(dimensions):
        return dimensions, list(terms.values())
    weights: dict[int, float] = {}
    for at, weight in zip(dimensions, terms.values(), strict=True):
        weights[at] = weights.get(at, 0.0) + weight
    return list(weights), list(weights.values())
