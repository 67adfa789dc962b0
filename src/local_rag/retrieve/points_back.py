"""Whether a question points back to what was asked before it."""

from __future__ import annotations

import re

_BEFORE_THAT = (  # else "that" begins a clause: "the rule that applies to dogs"
    r"is|was|are|were|does|do|did|has|had|can|will|would|should|and|of|for|about|with|in|on|at|by"
    r"|to|from|after|before|than|like"
)
_PRONOUNS = {
    "en": r"\b(?:it|its|they|them|their|this|these|those|he|she|his|her"
    rf"|(?:{_BEFORE_THAT})\s+that)\b|^\W*that\b",
    # Small letters: "Sie" and "Ihr" are the person spoken to. "Gibt es" points to nothing.
    "de": r"(?-i:\b(?:er|sie|(?<!gibt )es(?! gibt)|ihr|ihre[rmns]?|sein|seine[rmns]?"
    r"|diese?[rmns]?|dies|dessen|deren|davon|dafür|darin|dazu|damit)\b)",
    # "est-ce que" and "y a-t-il" point to nothing.
    "fr": r"\b(?:elle|ils|elles|(?<!est-)ce|cela|ça|son|sa|ses|leurs?)\b"
    r"|\b(?<!a-t-)(?<!faut-)il\b(?!\s+(?:y|faut)\b)",
    "es": r"\b(?:esto|eso|él|ello|ella|ellos|ellas|su|sus)\b",
    "pt": r"\b(?:isto|isso|ela|ele|elas|eles|seu|seus|sua|suas)\b",
    "it": r"\b(?:questo|ciò|esso|essa|suo|suoi|sua|sue)\b",
    "zh": "它|他|她|这|其(?!他|它|余|中|实)",
}
_POINTS_BACK = {
    language: re.compile(pattern, re.IGNORECASE) for language, pattern in _PRONOUNS.items()
}
_GOES_ON = re.compile(
    r"^\W*(?:and|what about|how about|but|und|aber|was ist mit|wie ist es mit|et|mais|qu'en est-il"
    r"|y|pero|qué hay de|e|mas|ma)\b|^(?:那么|那|还有)",
    re.IGNORECASE,
)


def points_back(question: str, language: str) -> bool:
    """Whether it has a word that stands for something named before.

    Args:
        language: ISO 639-1; where it is not clear, the words of all languages count.
    """
    pattern = _POINTS_BACK.get(language)
    patterns = _POINTS_BACK.values() if pattern is None else (pattern,)
    return any(one.search(question) for one in patterns)


def goes_on(question: str) -> bool:
    """Whether it begins as a follow-up does: "and in 2021?"."""
    return _GOES_ON.match(question) is not None
