"""Whether a text has a name: words that stand for one company, maker or the like."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from local_rag.text.language import STOP_WORDS
from local_rag.text.measures import UNITS

if TYPE_CHECKING:
    from collections.abc import Iterable

_WORD = re.compile(r"[^\W\d_][\w'’&.-]*[^\W_]|[^\W\d_]")
_BEGINNING = re.compile(r"(?:^|[.!?:;•]\s+|\n\s*)[\"'“„«(*\[]*$")
_SUFFIXES = (
    "er in innen ung ungen heit heiten keit keiten schaft schaften tion tionen tät täten ment"
    " ismus chen lein nis e en"
)
_COMMON_NOUN = re.compile(rf"(?:{'|'.join(_SUFFIXES.split())})s?$")
_ARTICLE = re.compile(  # before a name as before a noun, unlike "ein", "sein" and numbers
    r"\b(?:der|die|das|den|dem|des|zum|zur|vom|beim|an|mit|für)\s+(?:[a-zäöüß]+\s+)?$",
    re.IGNORECASE,
)
_INTRODUCES = re.compile(
    r"\b(?:von|bei|durch|firma|marke|hersteller|unternehmen|modell)\s+[\"„“«]?$", re.IGNORECASE
)
_NO_NAME = re.compile(  # days, months, codes such as SN-4471
    r"[a-z]{1,4}(?:[-/]\w*\d\w*|\d{2,}\w*)|(?:(?:mon|tues|wednes|thurs|fri|satur|sun)days?|january|february|march|april|may|june|july"
    r"|august|september|october|november|december|januar|februar|märz|mai|juni|juli|oktober"
    r"|dezember|(?:mon|diens|donners|frei|sams|sonn)tags?|mittwochs?|i)",
    re.IGNORECASE,
)
_ORDERS = re.compile(  # "Scan the tag": the first word is a verb
    r"\s+(?:the|an?|your|our|its|their|his|her|all|each|every|any|no|this|that|these|those|it|them|up"
    r"|down|out|what|whether|how|if|is there|are there)\b"
)
_NO_ENGLISH_NAME = re.compile(
    r".{3,}(?:ing|ly|tion|sion|ness|ment|ity|ance|ence|ism|ship)s?", re.IGNORECASE
)
_SHORTEST_INFLECTED = 6
_SMALL = re.compile(r"(?<![^\W_])[^\W\d_A-ZÄÖÜ][^\W\d_]+")


def words_in_small_letters(texts: Iterable[str]) -> frozenset[str]:
    """The words that begin with a small letter somewhere, without a plural's s."""
    return frozenset(_singular(word) for text in texts for word in _SMALL.findall(text))


def has_name(text: str, question: str, language: str, small: frozenset[str]) -> bool:
    """Whether the text has a name that the question does not hold.

    Args:
        small: see :func:`words_in_small_letters`; at the beginning of a sentence these are none.
    """
    asked = question.casefold()
    stop_words = STOP_WORDS.get(language, frozenset())
    before: re.Match[str] | None = None
    before_is_new = False
    for match in _WORD.finditer(text):
        word, folded = match.group(), match.group().casefold()
        inner = any(map(str.isupper, word[1:]))
        plain = folded in stop_words or folded in UNITS or _NO_NAME.fullmatch(word)
        if plain or not (inner or word[0].isupper()):
            before = None
            continue
        follows = before is not None and text[before.end() : match.start()] == " "
        new = not any(form in asked for form in _forms(folded))
        if new and inner:
            return True
        if language == "de":
            # All nouns have a capital here: a name is two in a row, or what no noun looks like.
            if (follows and (new or before_is_new)) or (new and _is_german_name(text, match)):
                return True
        elif new and not (_begins(text, match) and _is_plain(text, match, small)):
            return True
        before, before_is_new = match, new
    return False


def _forms(word: str) -> tuple[str, ...]:
    """The word, and what is left of it without an ending of one or two letters."""
    return (word, word[:-1], word[:-2]) if len(word) >= _SHORTEST_INFLECTED else (word,)


def _begins(text: str, match: re.Match[str]) -> bool:
    return _BEGINNING.search(text, 0, match.start()) is not None


def _is_plain(text: str, match: re.Match[str], small: frozenset[str]) -> bool:
    word = _singular(match.group().casefold())
    common = word in small or _NO_ENGLISH_NAME.fullmatch(word) is not None
    return common or _ORDERS.match(text, match.end()) is not None


def _singular(word: str) -> str:
    return word[:-1] if word.endswith("s") and not word.endswith("ss") else word


def _is_german_name(text: str, match: re.Match[str]) -> bool:
    lead = text[: match.start()]
    if _INTRODUCES.search(lead):
        return True
    common = _COMMON_NOUN.search(match.group()) is not None
    return not common and (_ARTICLE.search(lead) is not None or _begins(text, match))
