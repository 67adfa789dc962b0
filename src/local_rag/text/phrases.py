"""Phrases that a question quotes: what holds them word for word, and what does not."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

from local_rag.text.identifiers import DASHES

_QUOTED = re.compile(
    r'(?<![^\W_])"([^"“”]+)"|“([^“”]+)”|“([^“”"]+)"|„([^“”„]+)[“”]|„([^“”"„]+)"|”([^“”"]+)”'
    r"|＂([^＂]+)＂|«\s*([^«»]+?)\s*»|»\s*([^«»]+?)\s*«|「([^「」]+)」|『([^『』]+)』"
)
_TRIVIAL = (
    DASHES | dict.fromkeys(map(ord, "‘’‚‛`´"), "'") | dict.fromkeys(map(ord, "“”„«»「」『』"), '"')
)
_MOST = 3
_SPACED = re.compile(r"[^\W_]", re.UNICODE)
_UNSPACED = re.compile(r"[\u3005-\u30ff\u3400-\u9fff\uac00-\ud7af\u0e00-\u0eff]")


def phrases_of(question: str) -> tuple[str, ...]:
    """What stands in quotation marks, at most three phrases; marks around no letter are none."""
    found = (next(filter(None, match)) for match in _QUOTED.findall(question))
    stripped = (phrase.strip().rstrip(".,;:!?。，") for phrase in found)
    return tuple(dict.fromkeys(p for p in stripped if any(map(str.isalnum, p))))[:_MOST]


def is_quoted(text: str, at: int) -> bool:
    """Whether the place lies between quotation marks."""
    return any(start < at < end for start, end in _quoted_spans(text))


@lru_cache(maxsize=16)
def _quoted_spans(text: str) -> tuple[tuple[int, int], ...]:
    return tuple(match.span() for match in _QUOTED.finditer(text))


def holds(text: str, phrase: str) -> bool:
    """Whether the text has the phrase word for word: case, spacing, kinds of dashes aside."""
    return _pattern(phrase).search(_folded(text)) is not None


@lru_cache(maxsize=64)
def _pattern(phrase: str) -> re.Pattern[str]:
    folded = _folded(phrase)
    left = r"(?<![^\W_])" if _bounded(folded[:1]) else ""
    right = r"(?![^\W_])" if _bounded(folded[-1:]) else ""
    return re.compile(left + re.escape(folded) + right)


def _bounded(char: str) -> bool:
    return bool(_SPACED.match(char)) and not _UNSPACED.match(char)


def _folded(text: str) -> str:
    normal = unicodedata.normalize("NFKC", text.translate(_TRIVIAL)).casefold()
    return " ".join(normal.split())
