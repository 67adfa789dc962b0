"""What a text names: people, places, products, codes; found by their capitals and digits."""

from __future__ import annotations

import re
import unicodedata
from itertools import pairwise
from typing import NamedTuple

from local_rag.text.calendar import MONTH_WORDS, dates_in
from local_rag.text.identifiers import identifiers_of
from local_rag.text.language import STOP_WORDS
from local_rag.text.tokens import tokenize

_WORD = re.compile(r"[^\W_]+(?:[-'’.&][^\W_]+)*")
_OPENS = re.compile(r"(?:^|[.!?:;\n。！？：；•|]|\s[-–—])\s*[\"'“‘«„(\[*]*$|[\"“«„(\[*]$")
_JOINS = re.compile(
    r"\s+(?:(?:of|the|de|du|des|del|della|di|da|von|van|der|den|and|&)\s+){0,2}|\s*&\s*|-"
)
_NAME_FOLLOWS = re.compile(
    r"\b(?:von|in|aus|nach|bei|durch|Herrn?|Frau|Dr\.?|Prof\.?|Firma|namens|Stadt|und|an)\s$"
)
_LETTER_NAME = re.compile(r"(?<![^\W_])([^\W\d_]{3,})\s([A-Z])(?![^\W_]|[.'’])")
_VERB_FOLLOWS = re.compile(
    r"\s(?:is|was|has|had|will|did|does|wrote|built|made|won|led|became|took|gave|said|founded|[a-z]{3,}ed"
    r"|ist|war|hat|hatte|wird|wurde|[a-zäöüß]{3,}te|baute|schrieb|est|était|fut|a|es|fue|era|ha|tiene|è|fu|foi|é"
    r"|tem)\b"
)
_PLURAL = re.compile(r"^([A-Z]{2,})s$")
_GENITIVE = re.compile(r"['’]s?$")
_PARTS = re.compile(r"[-'’.&]")
_SHORTEST_FUZZY = 4
_NEAR_WORDS = 3
_NOUN_CAPITALS = frozenset(["de"])
_PLAIN = frozenset(["i", "ok", "mr", "mrs", "ms", "dr", "prof", "sir", "yes", "no", "herr", "frau"])


class Name(NamedTuple):
    """A name of a text, with its words folded; ``code``: of letters and digits."""

    surface: str
    words: tuple[str, ...]
    opens: bool = False
    code: bool = False


def names_in(text: str, language: str) -> list[Name]:
    """The names of a text.

    A single capitalised word at the start of a sentence is one only perhaps (``opens``). In
    German, where all nouns have capitals, a single word is one where only names stand, such as
    after "von" without an article.
    """
    found = [Name(code.surface, (fold(code.surface),), code=True) for code in identifiers_of(text)]
    stop_words = STOP_WORDS.get(language, frozenset())
    found += [
        Name(letter.group(), tuple(fold(letter.group()).split()), code=True)
        for letter in _LETTER_NAME.finditer(text)
        if letter[1].casefold() not in stop_words and (letter[2] != "I" or language != "en")
    ]
    run: list[re.Match[str]] = []
    for word in _WORD.finditer(text):
        if run and (
            not _is_capital(word.group()) or not _JOINS.fullmatch(text, run[-1].end(), word.start())
        ):
            found += _named(run, text, language)
            run = []
        if _is_capital(word.group()):
            run.append(word)
    found += _named(run, text, language)
    return [name for name in found if name.words and not dates_in(name.surface)]


def holds_name(text: str, name: Name, language: str) -> bool:
    """Whether a text has the name: its words near each other, in any order and inflected.

    A short form such as WHO is held by words with these initials, too.
    """
    if name.code:
        codes = identifiers_of(name.surface)
        if codes:
            return all(code.is_in(text) for code in codes)
        own = rf"(?<![^\W_]){re.escape(name.surface)}(?![^\W_])"
        return re.search(own, text, re.IGNORECASE) is not None
    folded = [
        fold(_GENITIVE.sub("", part)) for w in _WORD.findall(text) for part in _PARTS.split(w)
    ]
    parts = [part for word in name.words for part in _PARTS.split(word) if part]
    places = [[i for i, word in enumerate(folded) if _same(part, word)] for part in parts]
    if all(places) and (
        len(parts) == 1 or any(abs(i - j) <= _NEAR_WORDS for i in places[-1] for j in places[-2])
    ):
        return True
    if name.opens and set(tokenize(text, language)).intersection(tokenize(name.surface, language)):
        return True
    return has_initials(text, name.surface)


def fold(word: str) -> str:
    """Small letters without accents."""
    decomposed = unicodedata.normalize("NFD", word.casefold())
    return "".join(char for char in decomposed if unicodedata.category(char) != "Mn")


def _is_capital(word: str) -> bool:
    return word[0].isupper() or (word[0].islower() and any(map(str.isupper, word[1:])))


def _named(run: list[re.Match[str]], text: str, language: str) -> list[Name]:
    """The name that a run of capitalised words is, without the small words at its ends."""
    stop_words = STOP_WORDS.get(language, frozenset())

    def is_small(word: str) -> bool:
        return word.casefold() in stop_words and not (word.isupper() and len(word) > 1)

    opens = False
    while run:
        opens = _OPENS.search(text, 0, run[0].start()) is not None
        first = run[0].group()
        if not (is_small(first) or fold(first) in MONTH_WORDS or fold(first) in _PLAIN):
            break
        run = run[1:]
    while run and is_small(run[-1].group()):
        run = run[:-1]
    if not run:
        return []
    surface = text[run[0].start() : run[-1].end()]
    words = tuple(
        fold(_PLURAL.sub(r"\1", _GENITIVE.sub("", part)))
        for word in run
        if not is_small(word.group())
        for part in word.group().split("-")
        if _is_capital(part)
    )
    if len(run) > 1:
        return (
            [Name(surface, words)] if language not in _NOUN_CAPITALS or _side_by_side(run) else []
        )
    word = run[0].group()
    if len(word) == 1:
        return []
    if word.isupper() or any(map(str.isupper, word[1:])):
        return [Name(surface, words)]
    if opens:
        follows = _VERB_FOLLOWS.match(text, run[0].end())
        return [Name(surface, words, opens=True)] if follows else []
    if language in _NOUN_CAPITALS and not _NAME_FOLLOWS.search(text, 0, run[0].start()):
        return []
    return [Name(surface, words)]


def _side_by_side(run: list[re.Match[str]]) -> bool:
    """Whether nothing but a space is between the words: two German nouns so are mostly a name."""
    return all(a.end() + 1 == b.start() for a, b in pairwise(run))


def _same(part: str, word: str) -> bool:
    if part == word:
        return True
    shorter, longer = sorted((part, word), key=len)
    return (
        len(shorter) >= _SHORTEST_FUZZY
        and longer.startswith(shorter)
        and len(longer) - len(shorter) <= 2
    )


def has_initials(text: str, short: str) -> bool:
    """Whether words of the text begin with the letters of a short form such as WHO."""
    letters = _PLURAL.sub(r"\1", short.replace(".", ""))
    if not (letters.isupper() and letters.isalpha() and 2 <= len(letters) <= 6):
        return False
    between = r"[^\W_]*(?:[\s-]+(?:of|the|for|and|de|du|des|la|für|der|und))*[\s-]+"
    return re.search(rf"\b{between.join(letters)}[^\W_]*", text, re.IGNORECASE) is not None
