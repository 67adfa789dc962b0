"""How much each ranking may say, by what it can know of the question's language.

A model trained on English ranks Chinese passages at random; fused with equal weight it takes a
lexical nDCG@10 of 0.98 down to 0.64. So its weight follows the language.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from local_rag.model.evidence import EQUAL, Weights
from local_rag.text.language import UNDETERMINED, script_of

if TYPE_CHECKING:
    from collections.abc import Collection

SAME_SCRIPT_WEIGHT = 0.05
"""Of a dense ranking in a language that the model does not cover but whose letters it knows: enough
to add passages that share no word with the question, too little to reorder those that do."""

_LATIN_LANGUAGES = frozenset(
    {"en", "de", "fr", "es", "pt", "it", "nl", "sv", "da", "no", "fi", "pl", "tr"}
)


def weights_for(
    question: str, language: str, languages: Collection[str], covered: frozenset[str] | None
) -> Weights:
    """Weights of the two rankings in the fusion.

    Args:
        language: the question's, ISO 639-1 or ``und``.
        languages: those of the passages as far as they are known.
        covered: the languages that the embedding model was trained for; ``None``: any.
    """
    if covered is None:
        return EQUAL
    if language not in covered and not _shares_letters(question, covered):
        return Weights(0.0, 1.0, "The embedding model does not know the question's letters.")
    if language not in covered and language != UNDETERMINED:
        reason = f"The embedding model was not trained for the question's language ({language})."
        return Weights(SAME_SCRIPT_WEIGHT, 1.0, reason)
    if languages and not covered.intersection(languages):
        reason = "The embedding model was not trained for the documents' language."
        return Weights(SAME_SCRIPT_WEIGHT, 1.0, reason)
    return EQUAL


def chosen(derived: Weights, dense: float | None, lexical: float | None) -> Weights:
    """The derived weights, or those that the settings name.

    A model that cannot read the question's letters gets no say by a setting either.
    """
    if (dense is None and lexical is None) or derived.dense == 0:
        return derived
    return Weights(
        derived.dense if dense is None else dense,
        derived.lexical if lexical is None else lexical,
        "The settings name these weights.",
    )


def _shares_letters(question: str, covered: frozenset[str]) -> bool:
    return script_of(question) in ("latin", "none") and bool(covered & _LATIN_LANGUAGES)
