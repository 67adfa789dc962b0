"""Which language a text is in, told from its script and its function words."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from functools import cache

from local_rag.text.stop_words import STOP_WORDS

__all__ = ["STOP_WORDS", "UNDETERMINED", "detect", "script_of"]

UNDETERMINED = "und"

_SAMPLE_CHARS = 4000
_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?")
_ASCII_LETTER = re.compile("[A-Za-z]")
_SCRIPTS = (
    ("kana", re.compile(r"[\u3040-\u30ff\u31f0-\u31ff]")),
    ("hangul", re.compile(r"[\u1100-\u11ff\uac00-\ud7af]")),
    ("han", re.compile(r"[\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]")),
    ("arabic", re.compile(r"[\u0600-\u06ff\u0750-\u077f\ufb50-\ufdff\ufe70-\ufeff]")),
    ("hebrew", re.compile(r"[\u0590-\u05ff]")),
    ("cyrillic", re.compile(r"[\u0400-\u052f]")),
    ("greek", re.compile(r"[\u0370-\u03ff\u1f00-\u1fff]")),
    ("devanagari", re.compile(r"[\u0900-\u097f]")),
    ("thai", re.compile(r"[\u0e00-\u0e7f]")),
    ("latin", re.compile(r"[A-Za-z\u00c0-\u024f\u1e00-\u1eff]")),
)
_LANGUAGE_OF_SCRIPT = {
    "kana": "ja",
    "hangul": "ko",
    "han": "zh",
    "arabic": "ar",
    "hebrew": "he",
    "cyrillic": "ru",
    "greek": "el",
    "devanagari": "hi",
    "thai": "th",
}
_LATIN = ("en", "de", "fr", "es", "pt", "it", "nl", "sv", "da", "no", "fi", "pl", "tr")
_TELLING_LETTERS = {
    "de": "ßäöü",
    "fr": "êœùèâçë",
    "es": "ñ¿¡áíóú",
    "pt": "ãõçâêáé",
    "sv": "åäö",
    "da": "æøå",
    "no": "æøå",
    "fi": "äö",
    "pl": "łżźśćńęą",
    "tr": "ğışçöü",
    "it": "èìòù",
}
_HAN_OUTWEIGHS_LATIN = 3  # a Han character says about as much as three Latin letters


def script_of(text: str) -> str:
    """The script that most of the text's letters are in, or ``none`` where it has no letters.

    A text with any kana to speak of counts as ``kana``, though most of its letters may be Han.
    """
    sample = text[:_SAMPLE_CHARS]
    if sample.isascii():
        return "latin" if _ASCII_LETTER.search(sample) else "none"
    counts = {name: len(pattern.findall(sample)) for name, pattern in _SCRIPTS}
    if counts["kana"] and counts["kana"] * 10 >= counts["han"]:
        counts["kana"] += counts["han"]
    for name in ("kana", "han", "hangul"):
        counts[name] *= _HAN_OUTWEIGHS_LATIN
    best = max(counts, key=lambda name: counts[name])
    return best if counts[best] else "none"


def detect(text: str) -> str:
    """ISO 639-1 code of the language, or ``und`` where function words do not tell.

    Only the first 4,000 characters are looked at. Scripts that several languages share (Arabic,
    Cyrillic, Han) stand for the most common one.
    """
    script = script_of(text)
    if script != "latin":
        return _LANGUAGE_OF_SCRIPT.get(script, UNDETERMINED)
    sample = text[:_SAMPLE_CHARS].casefold().replace("’", "'")
    scores: dict[str, float] = defaultdict(float)
    for word, count in Counter(_WORD.findall(sample)).items():
        for language in _latin_languages_of().get(word, ()):
            scores[language] += min(count, 20)
    for language in scores:
        letters = _TELLING_LETTERS.get(language, "")
        scores[language] += 0.5 * sum(letter in sample for letter in letters)
    if not scores:
        return UNDETERMINED
    return max(scores, key=lambda language: (scores[language], -_LATIN.index(language)))


@cache
def _latin_languages_of() -> dict[str, list[str]]:
    """The languages that have a word among their function words."""
    languages: dict[str, list[str]] = {}
    for language in _LATIN:
        for word in STOP_WORDS[language]:
            languages.setdefault(word, []).append(language)
    return languages
