"""Raised figures: 10 and a raised 20 are not 1020."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Sequence

    from local_rag.adapters.pdf.lines import RawWord

_RAISED_FLAG = 1
_RAISED = str.maketrans("0123456789+-\u2212\u2013", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁻")
_EXPONENT = re.compile("[-+\u2212\u2013]?\\d+")
# What carries an exponent: a figure, a bracket, or a unit or variable of one or two letters. Behind
# a longer word a raised figure is the mark of a note.
_BASE = re.compile(r"(?:\d|\)|(?<![^\W\d_])[^\W\d_]{1,2})$")


def with_exponents(words: list[RawWord], spans: Sequence[dict[str, Any]]) -> list[RawWord]:
    """The words of a line, exponents written as raised figures."""
    if not any(
        span["flags"] & _RAISED_FLAG and _EXPONENT.fullmatch(span["text"].strip()) for span in spans
    ):
        return words
    letters = [
        (letter, bool(span["flags"] & _RAISED_FLAG))
        for span in spans
        for letter in span["text"]
        if not letter.isspace()
    ]
    if "".join(letter for letter, _ in letters) != "".join(word[4] for word in words):
        return words  # the two listings differ: nothing says which letters are raised
    made = []
    at = 0
    for word in words:
        part = letters[at : at + len(word[4])]
        at += len(word[4])
        made.append((*word[:4], _written(part), *word[5:]))
    return made


def _written(letters: Sequence[tuple[str, bool]]) -> str:
    text = ""
    i = 0
    while i < len(letters):
        j = i
        while j < len(letters) and letters[j][1]:
            j += 1
        raised = "".join(letter for letter, _ in letters[i:j])
        if raised and _EXPONENT.fullmatch(raised) and _BASE.search(text):
            text += raised.translate(_RAISED)
        else:
            text += raised
        if j < len(letters):
            text += letters[j][0]
        i = j + 1
    return text
