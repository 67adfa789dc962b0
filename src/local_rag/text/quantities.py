"""Numbers in a text, in one form however they are written, each with the unit it counts.

``42.50`` and ``42,5``, ``5 million`` and ``5,000,000``, ``three`` and ``drei``, ``50 %`` and
``50 percent``, ``7 pm`` and ``19:00`` are equal here. Nothing is converted: 60 minutes are not one
hour.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from typing import TYPE_CHECKING

from local_rag.text.calendar import dates_in
from local_rag.text.measures import NUMBER_WORDS, RATES, SCALES, TIMES, UNITS, UNSURE_WORDS
from local_rag.text.tokens import tokenize

if TYPE_CHECKING:
    from collections.abc import Iterator

_NUMBER = (
    r"(?P<number>(?<![\w.,])[-−]?\d{1,3}(?:[\u00a0\u202f ]\d{3})+(?!\d)(?:,\d+)?"
    r"|(?:(?<![\w\d.,)])[-−](?=\d)|(?<![A-Za-z_\d]))\d+(?:[.,'’]\d+)*)"
)
_AT = re.compile(
    r"(?P<time>(?<![\d:.,])(?P<hour>[01]?\d|2[0-3])"
    r"(?::(?P<m1>[0-5]\d)(?::[0-5]\d)?|\.(?P<m2>[0-5]\d)(?=\s?(?:uhr|[ap]\.?m)\b)|h(?P<m3>[0-5]\d)"
    r"|(?=\s?(?:uhr|[ap]\.?m)\b))(?:\s?(?:(?P<half>[ap])\.?m\b|uhr\b))?)(?![\d:])"
    rf"|(?:(?P<before>[$€£¥]|\b(?:EUR|USD|GBP|CHF|US\$)(?=[\s\d]))\s?)?{_NUMBER}"
    r"(?P<suffix>st|nd|rd|th|er|ème|e|º|ª|s)?(?![\d])"
    r"|(?<![^\W_])(?P<word>[^\W\d_]{2,10})(?![^\W_])",
    re.IGNORECASE,
)
_AFTER = re.compile(
    r"(?:[-\u00a0\u202f\s]{0,2})(?P<unit>km/h|US\$|[%％€$£¥℃℉]|°\s?[CF]\b|[^\W\d_]+²?"
    r"|[万亿个百分点公里千米厘毫斤克吨升秒分钟小时天周月年元日]{1,4})\.?"
)
_RATE = re.compile(
    r"(?<![^\W\d_])(?P<per>(?:an?|per|each|every|pro|je|jede[nrs]?|par|por|al|cada|ao|im)\s|/\s?)?"
    r"(?P<word>[^\W\d_]{4,})(?![^\W_])",
    re.IGNORECASE,
)
_SHORT_YEAR = re.compile(r"\d\d")
_SPAN_BEGINS = re.compile(r"(?<!\d)([12]\d)\d\d\s?[-–/]\s?$")
_CODE_BEFORE = re.compile(r"[^\W\d_]-$")
_YEAR = re.compile(r"[12]\d{3}")
_GROUPS_BY_COMMA = frozenset(["en", "zh", "ja", "ko", "und", "th", "he"])


@dataclass(frozen=True, slots=True)
class Quantity:
    """A number of a text.

    Attributes:
        surface: as it is written, with its unit.
        values: canonical; two where a separator can mean either thing, the likelier one first.
        unit: canonical name of the unit, ``""`` where none is known.
        counted: the word after the number where that is no known unit.
        sure: whether the text surely speaks of a number; "one" need not.
    """

    start: int
    end: int
    surface: str
    values: tuple[str, ...]
    unit: str = ""
    counted: str = ""
    sure: bool = True


def quantities_in(text: str, language: str) -> list[Quantity]:
    """The numbers of a text in order, those of dates but for their years left out.

    Args:
        language: ISO 639-1 code; decides whether 1.000 is one or a thousand.
    """
    dates = dates_in(text)
    found = []
    for match in _AT.finditer(text):
        if any(d.start <= match.start() < d.end for d in dates):
            year = re.match(r"(?:.*[./-])?([12]\d{3})$", match["number"] or "")
            if year:
                found.append(Quantity(match.start(), match.end(), year[1], (year[1],)))
            continue
        found += _quantity(match, text, language)
    return found


def rates_in(text: str) -> dict[str, str]:
    """Per which times the text says something is ("a month", "weekly"), with the words for each."""
    found: dict[str, str] = {}
    for match in _RATE.finditer(text):
        word = match["word"].casefold()
        unit = RATES.get(word, "") or (UNITS.get(word, "") if match["per"] else "")
        if unit in TIMES:
            found.setdefault(unit, match.group())
    return found


def _quantity(match: re.Match[str], text: str, language: str) -> Iterator[Quantity]:
    if match["time"]:
        yield Quantity(match.start(), match.end(), match["time"], (_time(match),), "time")
        return
    if match["word"]:
        word = match["word"].casefold()
        if word in NUMBER_WORDS:
            values: tuple[str, ...] = (NUMBER_WORDS[word],)
            yield _with_unit(match, text, values, sure=word not in UNSURE_WORDS)
        return
    following = text[match.end() : match.end() + 1]
    number = match["number"]
    if following.isalpha() and following < "\u2e80" and not _unit_follows(text, match.end()):
        return  # a code such as 4x4 or 12b: a name, not a number
    values = _values(number, language)
    at = match.start("number")
    if _SHORT_YEAR.fullmatch(number) and (begin := _SPAN_BEGINS.search(text, 0, at)):
        values = (begin[1] + number, *values)
    coded = _CODE_BEFORE.search(text, 0, at) is not None and not _YEAR.fullmatch(number)
    yield _with_unit(match, text, values, sure=not coded)


def _unit_follows(text: str, at: int) -> bool:
    after = _AFTER.match(text, at)
    return after is not None and (
        after["unit"].casefold() in UNITS or after["unit"].casefold() in SCALES
    )


def _values(number: str, language: str) -> tuple[str, ...]:
    sign = "-" if number[0] in "-−" else ""
    plain = re.sub(r"[\u00a0\u202f ]", "", number.lstrip("-−"))
    readings = tokenize(plain)
    if len(readings) > 1:
        mark = next(char for char in plain if char in ".,")
        grouped = (mark == ",") == (language in _GROUPS_BY_COMMA)
        readings = readings if grouped else readings[::-1]
    return tuple(sign + reading for reading in readings)


def _with_unit(match: re.Match[str], text: str, values: tuple[str, ...], *, sure: bool) -> Quantity:
    end = match.end()
    unit = UNITS.get((match["before"] or "").strip().casefold(), "")
    after = _AFTER.match(text, end)
    if after and (scale := SCALES.get(after["unit"].casefold())):
        values = tuple(_times(value, scale) for value in values)
        end = after.end()
        after = _AFTER.match(text, end)
    counted = ""
    if after and not unit:
        name = re.sub(r"\s", "", after["unit"].casefold())
        unit = UNITS.get(name, "") or _wide_unit(name)
        if unit:
            end = after.end("unit")
        elif text[end : after.start("unit")].strip() == "":
            counted = after["unit"]
    if not unit and (
        apart := re.match(r"\s?(?:pour cent|por ciento|per cento|por cento|per cent)\b", text[end:])
    ):
        unit, end, counted = "%", end + apart.end(), ""
    return Quantity(
        match.start(), end, text[match.start() : end].strip(), values, unit, counted, sure
    )


def _wide_unit(name: str) -> str:
    for length in (3, 2, 1):
        if name[0] > "\u2e80" and name[:length] in UNITS:
            return UNITS[name[:length]]
    return ""


def _times(value: str, scale: int) -> str:
    try:
        product = Decimal(value) * scale
    except InvalidOperation:
        return value
    return format(product.normalize(), "f")


def _time(match: re.Match[str]) -> str:
    hour, half = int(match["hour"]), (match["half"] or "").casefold()
    if half == "p" and hour < 12:
        hour += 12
    elif half == "a" and hour == 12:
        hour = 0
    return f"{hour:02}:{match['m1'] or match['m2'] or match['m3'] or '00'}"
