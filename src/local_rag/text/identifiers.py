"""Codes that name one thing among many alike: ``INV-2054``, ``XK999B``, a long number.

A sentence about another invoice is no answer, however alike it is, so these are compared whole and
by their characters, not by likeness.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

_CODE = re.compile(
    r"(?<![^\W_])(?=[A-Za-z0-9._/-]*\d)(?:[A-Za-z0-9]+(?:[-_./][A-Za-z0-9]+)*)(?![^\W_])", re.ASCII
)
_RUN = re.compile(r"[A-Za-z]+|\d+")
_QUANTITY = re.compile(
    r"\d+(?:[.,/-]\d+)*(?:[a-z%]{1,4}|[KMG]?B|[A-Z])?"  # 10kg, 1980s, 20th, 4K, 3.5, 1/2
    r"|[A-Za-z]\d{1,2}|\d[A-Za-z]\d?"  # A4, Q3, B2B
)
_LONG_NUMBER = re.compile(r"\d{5,}")
_DOMAIN = re.compile(r"[a-z0-9-]+(?:\.[a-z0-9-]+)*\.[a-z]{2,}(?:/.*)?", re.IGNORECASE)
_LEFT = r"(?<![A-Za-z0-9])"
_RIGHT = r"(?![-_./]?\d)(?![A-Za-z])"


@dataclass(frozen=True, slots=True)
class Identifier:
    """A code that a question names.

    Attributes:
        surface: as the question has it.
        _own: matches it in a text, however its parts are joined: ``inv 2054``, ``INV2054``.
        _like: matches codes of the same make, itself among them.
    """

    surface: str
    _own: re.Pattern[str]
    _like: re.Pattern[str]

    def is_in(self, text: str) -> bool:
        """Whether the text names it."""
        return self._own.search(text) is not None

    def last_in(self, text: str) -> bool | None:
        """Whether the last code of its make in the text is this one; ``None`` if there is none.

        Of its make are those with the same first letters, or with letters and digits alike.
        """
        last = None
        for match in self._like.finditer(text):
            last = self._own.fullmatch(match.group()) is not None
        return last


def identifiers_of(question: str) -> tuple[Identifier, ...]:
    """The codes that the question names, each once.

    Quantities (``10kg``), years, ordinals and other short numbers are none: many sentences that
    answer do not repeat them.
    """
    found: dict[str, Identifier] = {}
    for match in _CODE.finditer(question):
        surface = match.group()
        if _is_code(surface):
            found.setdefault(surface.casefold(), _identifier(surface))
    return tuple(found.values())


def _is_code(surface: str) -> bool:
    if _LONG_NUMBER.fullmatch(surface):
        return True
    if _QUANTITY.fullmatch(surface) or _DOMAIN.fullmatch(surface):
        return False
    return bool(re.search(r"\d", surface) and re.search(r"[A-Za-z]", surface))


def _identifier(surface: str) -> Identifier:
    runs = _RUN.findall(surface)
    own = r"[\W_]{0,2}".join(map(re.escape, runs))
    kinds = [rf"\d{{{len(r)}}}" if r.isdigit() else rf"[A-Za-z]{{{len(r)}}}" for r in runs]
    like = r"[\W_]?".join(kinds)
    if runs[0].isalpha():
        like += "|" + re.escape(runs[0]) + r"[-_./]?\d[A-Za-z0-9]*"
    return Identifier(
        surface,
        re.compile(f"{_LEFT}{own}{_RIGHT}", re.IGNORECASE),
        re.compile(f"{_LEFT}(?:{like}){_RIGHT}", re.IGNORECASE),
    )
