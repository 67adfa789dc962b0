"""Codes and numbers that name one thing among many alike: ``INV-2054``, ``Windows 7``, 2023.

A sentence about another invoice is no answer, however alike it is, so these are compared by their
characters, not by likeness.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

DASHES = dict.fromkeys(map(ord, "\u2010\u2011\u2012\u2013\u2014\u2212\ufe63\uff0d\u00ad"), "-")
"""For ``str.translate``: all kinds of dashes as the one of ASCII."""
_CODE = re.compile(
    r"(?<![^\W_])(?=[A-Za-z0-9._/#-]*\d)(?:[A-Za-z0-9]+(?:[-_./#][A-Za-z0-9]+)*)(?![^\W_])",
    re.ASCII,
)
_SPACED = re.compile(r"(?<![^\W_])([A-Z]{2,6}) (\d{3,})(?![\w.,/-]*\d)", re.ASCII)
_NAMED = re.compile(r"(?<![^\W_])([A-Za-z]*[A-Z][A-Za-z]+) (\d{1,4})(?![\w.,/:-]*\d)(?!\s?%)")
_RUN = re.compile(r"[A-Za-z]+|\d+")
_QUANTITY = re.compile(
    r"\d+(?:[.,/-]\d+)*(?:[a-z%]{1,4}|[KMG]?B|[A-Z])?"  # 10kg, 1980s, 20th, 4K, 3.5, 1/2
    r"|[A-Za-z]\d{1,2}|\d[A-Za-z]\d?"  # A4, Q3, B2B
    r"|\d+[a-z]{0,2}(?:-[A-Za-z]+)+|\d+er-[A-Za-z]+"  # 24-yard, 3rd-and-long, 1970er-Jahre
)
_LETTER_AND_DIGITS = re.compile(r"[A-Za-z]\d{1,3}")
_CODE_WORD = (
    r"codes?|errors?|faults?|alarms?|warnings?|fehler(?:code|nummer|meldung)?s?|störung(?:scode)?"
    r"|meldung|erreurs?|pannes?|errore|erro|avería|falha|guasto|código|codice"
)
_CALLED_A_CODE = re.compile(
    rf"\b(?:{_CODE_WORD})(?:\s+(?:codes?|no\.?|number|nr\.?|nummer))?\s*[:\"'“„]?\s*$",
    re.IGNORECASE,
)
_ASKED_FOR_MEANING = re.compile(
    r"\b(?:what (?:does|do|did)|was (?:bedeutet|heißt)|que signifie|qué significa"
    r"|o que significa|(?:che )?cosa significa)\s+[\"'“„]?$",
    re.IGNORECASE,
)
_LONG_NUMBER = re.compile(r"\d{5,}|\d{3,}[-/]\d{2,}")
_YEARS = re.compile(r"(?:1[5-9]|20)\d\d[-/](?:1[5-9]|20)?\d\d")
_DOMAIN = re.compile(r"[a-z0-9-]+(?:\.[a-z0-9-]+)*\.[a-z]{2,}(?:/.*)?", re.IGNORECASE)
_YEAR = re.compile(r"(?<![\w.,/-])(?:19|20)\d\d(?![\w/-]|[.,]\d)")
_SPAN = re.compile(r"\b((?:1[5-9]|20)\d\d)\b[^.!?\d]{1,12}\b((?:1[5-9]|20)?\d\d)\b")
_RELATIVE = re.compile(
    r"\b(?:after|before|since|until|till|by|between|from|to|than|nach|vor|seit|bis|zwischen|von"
    r"|depuis|avant|après|jusqu\w*|entre|desde|hasta|antes|después)\s+(?:the\s+)?(?:19|20)\d\d",
    re.IGNORECASE,
)
_PLAIN_NAME = re.compile(
    r"`(?P<quoted>[^`\s]{2,60})`"
    r"|(?<![\w-])(?P<option>--[A-Za-z][\w-]*)"
    r"|(?<![\w@./-])(?P<joined>[A-Za-z0-9]*(?:_[A-Za-z0-9]+)+_?)(?![\w@])"
    r"|(?<![\w@./-])(?P<capitals>[A-Z]{2,}(?:-[A-Z]{2,})+)(?![\w@-])"
    r"|(?<![\w@])(?P<called>[A-Za-z_][\w.]*)(?=\(\))"
)
_BETWEEN_NAMES = re.compile(
    r"[\s,;/&`'\"()]*(?:and|or|und|oder|et|ou|y|o|e|vs\.?|versus)?(?:\s+the|\s+die|\s+der)?[\s`'\"]*",
    re.IGNORECASE,
)
_LEFT = r"(?<![A-Za-z0-9])"
_RIGHT = r"(?![-_./]?\d)(?![A-Za-z])"
_NO_MORE = r"(?![A-Za-z0-9]|[-_][A-Za-z0-9])"


@dataclass(frozen=True, slots=True)
class Identifier:
    """What a question names by a code or a number.

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
        return self._own.search(text.translate(DASHES)) is not None

    def last_in(self, text: str) -> bool | None:
        """Whether the last code of its make in the text is this one; ``None`` if there is none.

        Of its make are those with the same first letters, or with letters and digits alike.
        """
        last = None
        for match in self._like.finditer(text.translate(DASHES)):
            last = self._own.fullmatch(match.group()) is not None
        return last

    def has_rival_in(self, text: str) -> bool:
        """Whether the text names another of its make and not this one."""
        if self.is_in(text) or self.last_in(text) is None:
            return False
        return not (self.surface.isdigit() and _within_a_span(int(self.surface), text))


def identifiers_of(question: str) -> tuple[Identifier, ...]:
    """The codes that the question names and an answer must name too, each once.

    Quantities (``10kg``), years, ordinals and other short numbers are none: many sentences that
    answer do not repeat them.
    """
    folded = question.translate(DASHES)
    found: dict[str, Identifier] = {}
    for match in _SPACED.finditer(folded):
        if not _YEAR.fullmatch(match[2]):
            found.setdefault(match.group().casefold(), _identifier(match.group()))
    for match in _CODE.finditer(folded):
        surface = match.group()
        is_code = _is_code(surface) or _is_short_code(surface, folded[: match.start()])
        if is_code and not any(surface.casefold() in known for known in found):
            found.setdefault(surface.casefold(), _identifier(surface))
    return tuple(found.values())


def numbered_of(question: str) -> tuple[Identifier, ...]:
    """The years and numbered names (``Windows 7``) of the question, which have rivals.

    A year that something happened before or after has none.
    """
    folded = question.translate(DASHES)
    found: dict[str, Identifier] = {}
    for match in _NAMED.finditer(folded):
        name, number = re.escape(match[1]), match[2]
        own = re.compile(rf"{_LEFT}{name}[\s-]{{0,2}}{number}(?!\d)", re.IGNORECASE)
        like = re.compile(rf"{_LEFT}{name}[\s-]{{0,2}}\d{{1,4}}(?!\d)", re.IGNORECASE)
        if not _YEAR.fullmatch(number):
            found.setdefault(match.group(), Identifier(match.group(), own, like))
    if not _RELATIVE.search(folded):
        for match in _YEAR.finditer(folded):
            own = re.compile(rf"(?<!\d){match.group()}(?!\d)")
            found.setdefault(match.group(), Identifier(match.group(), own, _YEAR))
    return tuple(found.values())


def plain_names_of(question: str) -> tuple[Identifier, ...]:
    """The names of a program's parts, be they without digits: ``EXPORT_DIR``, ``--dry-run``.

    A text that has only words of such a name does not speak of it.
    """
    found: dict[str, Identifier] = {}
    for match in _PLAIN_NAME.finditer(question.translate(DASHES)):
        surface = next(group for group in match.groups() if group)
        parts = [part for part in re.split(r"[^A-Za-z0-9]+", surface) if part]
        if not parts:
            continue
        own = r"[\W_]{0,2}".join(map(re.escape, parts))
        if match["option"]:
            own = r"--?" + own
        pattern = re.compile(f"{'' if match['option'] else _LEFT}{own}{_NO_MORE}", re.IGNORECASE)
        found.setdefault(surface.casefold(), Identifier(surface, pattern, pattern))
    return tuple(found.values())


def are_listed(names: Sequence[Identifier], question: str) -> bool:
    """Whether the question names them in a row, "A, B and C", and so asks the same of each."""
    folded = question.translate(DASHES)
    places = [(folded.index(one.surface), len(one.surface)) for one in names]
    ends = [start + length for start, length in places[:-1]]
    return all(
        _BETWEEN_NAMES.fullmatch(folded[end:start])
        for end, (start, _) in zip(ends, places[1:], strict=True)
    )


def _within_a_span(year: int, text: str) -> bool:
    """Whether the text has a span of years, such as 1993 to 2001, that holds this one."""
    for begin, end in _SPAN.findall(text.translate(DASHES)):
        last = int(end) if len(end) == len(begin) else int(begin[:2] + end)
        if int(begin) <= year <= last:
            return True
    return False


def _is_code(surface: str) -> bool:
    if _YEARS.fullmatch(surface):
        return False
    if _LONG_NUMBER.fullmatch(surface):
        return True
    if _QUANTITY.fullmatch(surface) or _DOMAIN.fullmatch(surface):
        return False
    return bool(re.search(r"\d", surface) and re.search(r"[A-Za-z]", surface))


def _is_short_code(surface: str, before: str) -> bool:
    """Whether a letter with few digits is a code: ``E05`` always, ``F12`` where it is called one.

    Args:
        before: what the question says before it.
    """
    if not _LETTER_AND_DIGITS.fullmatch(surface):
        return False
    called = _CALLED_A_CODE.search(before) or _ASKED_FOR_MEANING.search(before)
    return surface[1] == "0" < surface[-1] or called is not None


def _identifier(surface: str) -> Identifier:
    runs = _RUN.findall(surface)
    own = r"[\W_]{0,2}".join(map(re.escape, runs))
    kinds = [rf"\d{{{len(r)}}}" if r.isdigit() else rf"[A-Za-z]{{{len(r)}}}" for r in runs]
    like = r"[\W_]?".join(kinds)
    if _LETTER_AND_DIGITS.fullmatch(surface):
        like = re.escape(runs[0]) + r"[\W_]?\d{1,3}"  # A4 and Q3 are no rivals of E05
    elif runs[0].isalpha():
        like += "|" + re.escape(runs[0]) + r"[-_./#]?\d[A-Za-z0-9]*"
    return Identifier(
        surface,
        re.compile(f"{_LEFT}{own}{_RIGHT}", re.IGNORECASE),
        re.compile(f"{_LEFT}(?:{like}){_RIGHT}", re.IGNORECASE),
    )
