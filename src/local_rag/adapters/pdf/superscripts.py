"""Raised figures of a page's listing."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from local_rag.adapters.raised import is_figure, with_exponent

if TYPE_CHECKING:
    from collections.abc import Sequence

    from local_rag.adapters.pdf.lines import RawWord

_RAISED_FLAG = 1


def with_exponents(words: list[RawWord], spans: Sequence[dict[str, Any]]) -> list[RawWord]:
    """The words of a line, exponents written as raised figures."""
    if not any(span["flags"] & _RAISED_FLAG and is_figure(span["text"].strip()) for span in spans):
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
        text += with_exponent(text, raised)
        if j < len(letters):
            text += letters[j][0]
        i = j + 1
    return text
