"""The flags of ``text.facts`` that are shown beside a claim: those that are seldom wrong.

``text.facts`` decides whether a model's statement is published, where a sentence of the document
stands in for one that is doubted without need. A flag that a reader sees must be right nearly
always; so each kind asks for more here.
"""

from __future__ import annotations

import re
from itertools import pairwise
from typing import TYPE_CHECKING

from local_rag.text import polarity
from local_rag.text.entities import fold
from local_rag.text.facts import Flag, flags, without_figures
from local_rag.text.held import share_held, vocabulary
from local_rag.text.language import UNDETERMINED, detect
from local_rag.text.quantities import quantities_in
from local_rag.text.sentences import sentences

if TYPE_CHECKING:
    from collections.abc import Sequence

LEAST_SHARE = 0.25
"""Share of a claim's words below which the text is held not to speak of it."""

_FOR_A_CODE = 0.4  # share of the words held, from which a missing short form is another spelling
_FOR_A_DENIAL = 0.5
_OF_ANY_LANGUAGE = frozenset(["number", "date", "unit"])
_NOT_SHOWN = frozenset(["bound", "permission", "reason", "place"])
_NEAR = 6  # letters of a word from which one may differ
_DIGITS = re.compile(r"\d+")
_FRACTION = re.compile(r"\d\s?/\s?\d")
_CONVERTED = re.compile(r"\([^()]*\d[^()]*\)")
_UNIT_WORDS = re.compile(r"(?:\s?[^\W\d]{1,12}){0,2}\.?\s?")
_NAME_WORD = re.compile(r"[^\W_]+")


def doubts(claim: str, cited: str, language: str) -> list[Flag]:
    """What of the claim the cited text surely does not hold.

    Args:
        cited: all that is cited for it, headings included.
        language: of the claim, ISO 639-1 or ``und``.
    """
    found = [flag for flag in flags(claim, cited, language) if flag.kind not in _NOT_SHOWN]
    if not found:
        return []
    language = language if language != UNDETERMINED else detect(claim)
    languages = (language, detect(cited))
    if UNDETERMINED not in languages and languages[0] != languages[1]:
        found = [flag for flag in found if flag.kind in _OF_ANY_LANGUAGE]
    known = vocabulary(cited, languages)
    share = share_held(without_figures(claim, language), known, language)
    written = _words(cited)
    kept = []
    for flag in found:
        if flag.kind in ("number", "unit"):
            sure = _is_unwritten(flag, claim, cited, language)
        elif flag.kind == "entity":
            sure = _is_unnamed(flag.surface, written, share)
        elif flag.kind == "negation":
            sure = _is_undenied(claim, cited, languages)
        elif flag.kind == "overlap":
            sure = share < LEAST_SHARE
        else:
            sure = True
        if sure:
            kept.append(flag)
    return kept


def _is_unwritten(flag: Flag, claim: str, cited: str, language: str) -> bool:
    """Whether the digits stand nowhere in the text, and can be no conversion of others."""
    if _FRACTION.search(claim):
        return False
    at = claim.find(flag.surface)
    for pair in _CONVERTED.finditer(claim):
        before = quantities_in(claim[: pair.start()], language)
        between = claim[before[-1].end : pair.start()] if before else ""
        if before and before[-1].start <= at < pair.end() and _UNIT_WORDS.fullmatch(between):
            return False
    if flag.kind == "unit":
        return True
    written = set(_DIGITS.findall(cited))
    return not set(_DIGITS.findall(flag.surface)) <= written


def _is_unnamed(name: str, written: frozenset[str], share: float) -> bool:
    """Whether most words of a name stand nowhere in the text, in no other spelling either."""
    if re.sub(r"[\W_]", "", fold(name)) in written:
        return False
    parts = [fold(word) for word in _NAME_WORD.findall(name)]
    is_code = any(any(map(str.isdigit, p)) for p in parts) or any(
        sum(map(str.isupper, word)) > 1 for word in _NAME_WORD.findall(name)
    )
    if is_code and share >= _FOR_A_CODE:
        return False
    missing = [part for part in parts if not any(_is_like(part, word) for word in written)]
    return 2 * len(missing) > len(parts)


def _words(text: str) -> frozenset[str]:
    """The words of a text, folded, and those joined by a sign also without it."""
    found = {fold(word) for word in _NAME_WORD.findall(text)}
    joined = re.findall(r"[^\W_]+(?:[-./+'’ ][^\W_]+)+", text)
    for run in joined:
        parts = re.split(r"[-./+'’ ]", run)
        found.update(fold(a + b) for a, b in pairwise(parts))
    return frozenset(found)


def _is_like(part: str, word: str) -> bool:
    if part == word:
        return True
    if min(len(part), len(word)) < _NEAR or abs(len(part) - len(word)) > 1:
        return False
    shorter, longer = sorted((part, word), key=len)
    at = next(
        (i for i, (a, b) in enumerate(zip(shorter, longer, strict=False)) if a != b), len(shorter)
    )
    return shorter[at + (len(shorter) == len(longer)) :] == longer[at + 1 :]


def _is_undenied(claim: str, cited: str, languages: tuple[str, str]) -> bool:
    """Whether the claim denies, and no sentence that speaks of the same does in any form."""
    language, other = languages
    if not polarity.denials(claim, language):
        return False
    about = [cited[s:e] for s, e in sentences(cited, other)]
    near = [s for s in about if _speaks_of(claim, s, languages) >= _FOR_A_DENIAL]
    return not any(polarity.denials(s, other) or polarity.soft_denials(s, other) for s in near)


def _speaks_of(claim: str, sentence: str, languages: Sequence[str]) -> float:
    return share_held(claim, vocabulary(sentence, languages), languages[0])
