"""How much of a question a sentence holds letter by letter.

Sees what stemming does not: the parts of a German compound, irregular inflection, names spelled in
two ways, words of a script that is written without spaces.
"""

from __future__ import annotations

import math
import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

_WORD = re.compile(r"\w+")
_WIDE = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\u0e00-\u0e7f]+")
_ASKING = re.compile(
    r"什么时候|什么|多少|哪[个些一位里儿年种]*|谁|何[时处地人]?|为什么|如何|怎[么样]*|几|是|的|了|在|吗|呢"
)
_SPACED_LENGTH = 4
_WIDE_LENGTH = 2


def gram_shares(question: str, sentences: Sequence[str]) -> list[float]:
    """For each sentence the share of the question's runs of letters that it holds, in [0, 1].

    A run counts by its IDF among the sentences. Runs are four characters of a word with its edges,
    or two of a script without spaces, question words left out.
    """
    grams = _grams(question)
    padded = [f" {' '.join(_WORD.findall(text.casefold()))} " for text in sentences]
    held = [{gram for gram in grams if gram in text} for text in padded]
    weights = {}
    for gram in grams:
        count = sum(gram in found for found in held)
        weights[gram] = math.log(1 + (len(sentences) - count + 0.5) / (count + 0.5))
    total = sum(weights.values()) or 1.0
    return [sum(weights[gram] for gram in found) / total for found in held]


def _grams(question: str) -> frozenset[str]:
    found: set[str] = set()
    folded = question.casefold()
    for run in _WIDE.findall(folded):
        for piece in _ASKING.split(run):
            found.update(_runs(piece, _WIDE_LENGTH))
    for word in _WORD.findall(_WIDE.sub(" ", folded)):
        found.update(_runs(f" {word} ", _SPACED_LENGTH) or [f" {word} "])
    return frozenset(found)


def _runs(text: str, length: int) -> list[str]:
    return [text[i : i + length] for i in range(len(text) - length + 1)]
