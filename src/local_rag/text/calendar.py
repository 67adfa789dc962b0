"""Dates and days of the week in a text, whatever language and form they are written in."""

from __future__ import annotations

import re
import unicodedata
from typing import NamedTuple

_MONTH_NAMES = (
    "january jan januar jänner janvier janv enero ene gennaio janeiro januari",
    "february feb februar febr février févr febrero febbraio fevereiro fev februari",
    "march mar märz maerz mars marzo março maart",
    "april apr avril avr abril aprile",
    "may mai mayo maggio maio mei",
    "june jun juni juin junio giugno junho",
    "july jul juli juillet juil julio luglio julho",
    "august aug août aout agosto ago augustus",
    "september sep sept septembre septiembre settembre setembro",
    "october oct oktober okt octobre octubre ottobre outubro",
    "november nov novembre noviembre novembro",
    "december dec dezember dez décembre déc diciembre dic dicembre dezembro",
)
_DAY_NAMES = (
    "monday mondays montag montags lundi lundis lunes lunedì segunda-feira 星期一 周一",
    "tuesday tuesdays dienstag dienstags mardi mardis martes martedì terça-feira 星期二 周二",
    "wednesday wednesdays mittwoch mittwochs mercredi mercredis miércoles mercoledì 星期三 周三",
    "thursday thursdays donnerstag donnerstags jeudi jeudis jueves giovedì 星期四 周四",
    "friday fridays freitag freitags vendredi vendredis viernes venerdì 星期五 周五",
    "saturday saturdays samstag samstags sonnabend samedi samedis sábado sábados sabato 周六",
    "sunday sundays sonntag sonntags dimanche dimanches domingo domingos domenica 星期日 周日",
)


def _fold(word: str) -> str:
    decomposed = unicodedata.normalize("NFD", word.casefold())
    return "".join(char for char in decomposed if unicodedata.category(char) != "Mn")


_MONTHS = {_fold(name): n for n, names in enumerate(_MONTH_NAMES, 1) for name in names.split()}
_DAYS = {_fold(name): n for n, names in enumerate(_DAY_NAMES, 1) for name in names.split()}
MONTH_WORDS = frozenset(_MONTHS)
"""Names of months, without accents, in small letters."""

_MONTH = "|".join(sorted(_MONTHS, key=len, reverse=True))
_DAY = r"(?P<d{0}>0?[1-9]|[12]\d|3[01])"
_OF = r"(?:of\s|de\s|del\s|di\s)?"
_RANGE_BEFORE = r"(?:(?P<r2>\d{1,2})\.?\s?[-–]\s?)?"
_RANGE_AFTER = r"(?:\s?[-–]\s?(?P<r3>\d{1,2})(?!\d))?"
_YEAR = r"(?P<y{0}>[12]\d{{3}})"
_FORMS = (
    r"(?<!\d)(?P<y0>[12]\d{3})[-/.](?P<m0>0?[1-9]|1[0-2])[-/.](?P<d0>0?[1-9]|[12]\d|3[01])(?!\d)",
    r"(?<![\d.,])(?P<a1>\d{1,2})(?P<sep>[/.-])\s?(?P<b1>\d{1,2})(?P=sep)\s?(?P<y1>[12]\d{3})(?!\d)",
    (
        rf"(?<!\d){_RANGE_BEFORE}{_DAY.format(2)}(?:st|nd|rd|th|er|º|°|\.)?\s?{_OF}"
        rf"(?P<m2>{_MONTH})\b\.?,?(?:\s?{_OF}{_YEAR.format(2)}(?!\d))?"
    ),
    (
        rf"\b(?P<m3>{_MONTH})\b\.?\s?{_DAY.format(3)}(?:st|nd|rd|th)?(?!\d|[.,]\d){_RANGE_AFTER}"
        rf"(?:,?\s{_YEAR.format(3)}(?!\d))?"
    ),
    rf"\b(?P<m4>{_MONTH})\b\.?,?\s{_OF}{_YEAR.format(4)}(?!\d)",
    (
        r"(?P<y5>[12]\d{3})\s?年\s?(?P<m5>1[0-2]|0?[1-9])\s?月"
        r"(?:\s?(?P<d5>[12]\d|3[01]|0?[1-9])\s?日)?"
    ),
    r"(?P<m6>1[0-2]|0?[1-9])\s?月\s?(?P<d6>[12]\d|3[01]|0?[1-9])\s?日",
)
_WRITTEN = re.compile("|".join(_FORMS))
_DAY_WORD = re.compile(
    "|".join(
        name if name[0] > "\u2e80" else rf"\b{name}\b"
        for name in sorted(_DAYS, key=len, reverse=True)
    )
)
_MOST_MONTHS = 12


class Day(NamedTuple):
    """A date, as far as it is given."""

    year: int | None
    month: int
    day: int | None


class DateAt(NamedTuple):
    """A date of a text: ``text[start:end]``.

    Attributes:
        readings: what it can mean; two where 4/5/2021 leaves open which is the month.
    """

    start: int
    end: int
    readings: frozenset[Day]


def dates_in(text: str) -> list[DateAt]:
    """The dates of a text, in order. A year alone is none: it is a number."""
    folded = _folded_in_place(text)
    found = []
    for match in _WRITTEN.finditer(folded):
        readings = _readings({k: v for k, v in match.groupdict().items() if v})
        if readings:
            found.append(DateAt(match.start(), match.end(), readings))
        if other := match["r2"] or match["r3"]:  # the other end of "6-7 March"
            also = frozenset(day._replace(day=int(other)) for day in readings)
            found.append(DateAt(match.start(), match.end(), also))
    return found


def weekdays_in(text: str) -> dict[int, str]:
    """The days of the week that are named, Monday is 1, with the first word that names each."""
    folded = _folded_in_place(text)
    found: dict[int, str] = {}
    for match in _DAY_WORD.finditer(folded):
        found.setdefault(_DAYS[match.group()], text[match.start() : match.end()])
    return found


def agrees(claimed: Day, known: Day) -> bool:
    """Whether all that is claimed of a date is known of it."""
    return all(c is None or c == k for c, k in zip(claimed, known, strict=True))


def _readings(groups: dict[str, str]) -> frozenset[Day]:
    if "a1" in groups:
        first, second, year = int(groups["a1"]), int(groups["b1"]), int(groups["y1"])
        both = {(first, second), (second, first)}
        if groups["sep"] == ".":
            both = {(first, second)}
        return frozenset(
            Day(year, month, day)
            for day, month in both
            if 1 <= month <= _MOST_MONTHS and 1 <= day <= 31
        )
    named = {key[0]: value for key, value in groups.items() if key[0] in "ymd"}
    month = named["m"]
    return frozenset(
        [
            Day(
                int(named["y"]) if "y" in named else None,
                int(month) if month.isdigit() else _MONTHS[month],
                int(named["d"]) if "d" in named else None,
            )
        ]
    )


def _folded_in_place(text: str) -> str:
    """Small letters without accents; every character stays where it is."""
    return "".join(_one(char) for char in text)


def _one(char: str) -> str:
    folded = _fold(char)
    return folded if len(folded) == 1 else char
