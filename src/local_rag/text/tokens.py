"""From text to the tokens of the lexical index.

One tokenizer for passages and questions, versioned: an index made with another version must be
rebuilt. What it does: NFKC; words casefolded, stripped of accents and reduced to their stem in
the text's language; Han, kana, Hangul and Thai as single characters and pairs; identifiers
(``getUserName``, ``snake_case``, ``ERR-4042``) whole, in parts and in neighbouring pairs of
parts; numbers in one normal form (``42.50`` and ``42,5`` are ``42.5``).
"""

from __future__ import annotations

import re
import threading
import unicodedata
from functools import lru_cache
from itertools import pairwise
from typing import Any, NamedTuple

from local_rag.text.language import STOP_WORDS, UNDETERMINED

TOKENIZER_VERSION = "2"
"""Of the tokens and of the text they are made from: titles and headings stand before a passage."""

_UNSPACED = (
    r"\u3005-\u3007\u3040-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
    r"\u1100-\u11ff\uac00-\ud7af\u0e01-\u0e3a\u0e40-\u0e4e\u0e80-\u0eff\u1000-\u109f\u1780-\u17ff"
    r"\U00020000-\U0003ffff"
)
_MARKS = (
    r"\u0300-\u036f\u0483-\u0487\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a"
    r"\u0640\u064b-\u065f\u0670\u06d6-\u06dc\u06df-\u06e4\u06e7\u06e8\u06ea-\u06ed"
    r"\u0900-\u0903\u093a-\u094f\u0951-\u0957\u0962\u0963\u0981-\u0983\u09bc-\u09cd\u0a01-\u0a4d"
    r"\u0a81-\u0acd\u0b01-\u0b4d\u0b82-\u0bcd\u0c00-\u0c4d\u0c81-\u0ccd\u0d00-\u0d4d"
)
_LETTER = rf"(?:(?![{_UNSPACED}])[^\W_]|[{_MARKS}])"
_RUN = re.compile(
    rf"(?P<unspaced>[{_UNSPACED}]+)"
    rf"|(?P<word>{_LETTER}+(?:[-_.,'’/:@+#&‐‑]+{_LETTER}+)*(?:\+\+|\#(?!\w))?)"
)
_ASCII_WORD = re.compile(  # what ``_RUN`` finds in ASCII text, in a quarter of the time
    r"[A-Za-z0-9]+(?:[-_.,'/:@+#&]+[A-Za-z0-9]+)*(?:\+\+|\#(?!\w))?"
)
_GRAM = re.compile(f"[{_UNSPACED}]+")
_NUMBER = re.compile(r"\d+(?:[.,'’]\d+)*")
_SPLIT = re.compile(rf"{_LETTER}+")
_HUMP = re.compile(
    r"[^\W\d_]*?(?<=[^\W\d_])(?=\d)|\d+(?=\D)|[^\W\d_]+?(?<=[a-zß-ÿ])(?=[A-Z])|[^\W\d_]+?(?=[A-Z][a-z])|.+",
    re.DOTALL,
)
_KEEPS_MARKS = re.compile(r"[\u0900-\u0dff]")  # Indic scripts: marks are vowels
_POINTS = re.compile(r"[\u0640\u064b-\u065f\u0670]")  # Arabic vowels are not written as a rule
_SHORTEST_STEMMED = 3
_LONGEST_TOKEN = 64
_SNOWBALL = {
    "ar": "arabic", "da": "danish", "de": "german", "el": "greek", "en": "english",
    "es": "spanish", "fi": "finnish", "fr": "french", "hi": "hindi", "it": "italian",
    "nl": "dutch", "no": "norwegian", "pt": "portuguese", "ru": "russian", "sv": "swedish",
    "tr": "turkish",
}  # fmt: skip
_stemmers: dict[str, Any] = {}
_stemmer_lock = threading.Lock()


class WordAt(NamedTuple):
    """A word of a text: ``text[start:end] == surface``."""

    start: int
    end: int
    surface: str


def words(text: str) -> list[WordAt]:
    """The words of the text as they stand, in order; runs of unspaced scripts are one word."""
    return [WordAt(m.start(), m.end(), m.group()) for m in _RUN.finditer(text)]


def count_words(text: str) -> int:
    """How many words stand between spaces; bars, dashes and the like are none."""
    return sum(any(map(str.isalnum, word)) for word in text.split())


def tokenize(text: str, language: str = UNDETERMINED) -> list[str]:
    """The index tokens of a text, in order, with repetitions.

    Args:
        language: ISO 639-1 code; decides the stemmer and which function words are dropped.
            For ``und`` words are stemmed as English and none is dropped.
    """
    stop_words = STOP_WORDS.get(language, frozenset())
    tokens: list[str] = []
    if text.isascii():
        for run in _ASCII_WORD.findall(text):
            tokens += _word_tokens(run, language, stop_words)
        return tokens
    for match in _RUN.finditer(unicodedata.normalize("NFKC", text)):
        run = match.group()
        if match.lastgroup == "unspaced":
            tokens.extend(_grams(run, stop_words))
        else:
            tokens.extend(_word_tokens(run, language, stop_words))
    return tokens


def is_gram(token: str) -> bool:
    """Whether the token is a character or a pair of a script that is written without spaces."""
    return len(token) <= 2 and _GRAM.fullmatch(token) is not None


@lru_cache(maxsize=100_000)
def _word_tokens(run: str, language: str, stop_words: frozenset[str]) -> tuple[str, ...]:
    folded = run.casefold().replace("’", "'")
    if folded in stop_words:
        return ()
    if _NUMBER.fullmatch(run):
        return _number_forms(run)
    pieces = _SPLIT.findall(run)
    humps = [hump for piece in pieces for hump in _HUMP.findall(piece) if hump]
    if len(humps) == 1 and humps[0] == run:
        return (_stem(folded, language),)
    return tuple(_compound_tokens(run, folded, pieces, humps, language, stop_words))


def _compound_tokens(
    run: str,
    folded: str,
    pieces: list[str],
    humps: list[str],
    language: str,
    stop_words: frozenset[str],
) -> list[str]:
    """Whole, pieces, humps and neighbouring pairs of humps, each once."""
    whole = folded.removesuffix("'s") if "'" in folded else folded
    tokens = dict.fromkeys([_stem(whole, language)])
    for number in _NUMBER.findall(run):
        tokens.update(dict.fromkeys(_number_forms(number)))
    for part in (*pieces, *humps):
        part_folded = part.casefold()
        if part_folded in stop_words or (len(part) == 1 and not part.isdigit()):
            continue
        tokens[_stem(part_folded, language)] = None
    if "'" not in folded:
        for left, right in pairwise(humps):
            pair = (left.casefold(), right.casefold())
            if (left[-1].isalpha() or right[0].isalpha()) and not stop_words.intersection(pair):
                tokens[_stem("".join(pair), language)] = None
    return list(tokens)


def _number_forms(number: str) -> tuple[str, ...]:
    """The number's normal form; two of them where a separator could mean either thing."""
    plain = number.replace("'", "").replace("’", "")
    separators = [char for char in plain if char in ".,"]
    if not separators:
        return (
            (plain.lstrip("0") or "0",)
            if len(plain) < _LONGEST_TOKEN
            else (plain[:_LONGEST_TOKEN],)
        )
    groups = re.split(r"[.,]", plain)
    grouped = all(len(group) == 3 for group in groups[1:]) and 1 <= len(groups[0]) <= 3
    if len(set(separators)) == 2 and separators.count(separators[-1]) == 1:
        return (_decimal("".join(groups[:-1]), groups[-1]),)
    if len(separators) > 1:
        return ("".join(groups),) if grouped else (plain.replace(",", "."),)
    decimal = _decimal(groups[0], groups[1])
    if grouped and groups[0] != "0":
        return ("".join(groups), decimal)
    return (decimal,)


def _decimal(whole: str, fraction: str) -> str:
    fraction = fraction.rstrip("0")
    whole = whole.lstrip("0") or "0"
    return f"{whole}.{fraction}" if fraction else whole


def _grams(run: str, stop_words: frozenset[str]) -> list[str]:
    """Single characters, but for function words, and all neighbouring pairs."""
    singles = [char for char in run if char not in stop_words]
    pairs = [run[i : i + 2] for i in range(len(run) - 1)]
    return singles + [pair for pair in pairs if pair not in stop_words]


def _stem(word: str, language: str) -> str:
    """The stem without accents; words with anything but letters stay whole."""
    word = _POINTS.sub("", word)
    if len(word) < _SHORTEST_STEMMED or not word.isalpha():
        stemmed = _fold(word)
        return stemmed[:_LONGEST_TOKEN]
    name = _SNOWBALL.get(language, "english" if language == UNDETERMINED else "")
    if not name:
        return _fold(word)[:_LONGEST_TOKEN]
    with _stemmer_lock:  # a Snowball stemmer keeps state between calls
        stemmer = _stemmers.get(name)
        if stemmer is None:
            import Stemmer

            stemmer = _stemmers[name] = Stemmer.Stemmer(name)
        stem: str = stemmer.stemWord(word)
    return _fold(stem)[:_LONGEST_TOKEN]


def _fold(word: str) -> str:
    """The word without accents, vowel points and tatweel."""
    if word.isascii() or _KEEPS_MARKS.search(word):
        return word
    decomposed = unicodedata.normalize("NFD", word)
    kept = "".join(c for c in decomposed if unicodedata.category(c) != "Mn" and c != "\u0640")
    return unicodedata.normalize("NFC", kept) or word
