"""Dates and times by a number format of a workbook.

Text that a person chose (``dd.mm.yyyy``, ``d mmmm yyyy``) is written as it is shown. Formats that
follow the country of whoever opens the file (the built-in short dates, those of the system) are
ISO 8601, because day and month change places between countries; so is what is not understood, such
as eras or names of months in other languages.
"""

from __future__ import annotations

import datetime as dt
import re

_OF_THE_COUNTRY = frozenset(("mm-dd-yy", "m/d/yy h:mm", "m/d/yy", "m/d/yy hh:mm"))
_SYSTEM = re.compile(r"\[\$-[Ff][48]00\]|\[\$-x-sys(?:date|time)\]", re.IGNORECASE)
_LANGUAGE = re.compile(r"\[\$[^\]-]*-([0-9A-Fa-f]+|[a-zA-Z-]+)[^\]]*\]")
_TOKEN = re.compile(
    r'"(?P<quoted>[^"]*)"|\\(?P<escaped>.)|[_*].|\[(?P<elapsed>h+|m+|s+)\]|\[[^\]]*\]'
    r"|(?P<half>am/pm|a/p)|(?P<part>y+|m+|d+|h+|s+)|\.(?P<fraction>0+)|(?P<other>.)",
    re.DOTALL | re.IGNORECASE,
)
_ENGLISH_ID = 0x09
_MONTHS_LISTED = (
    "January February March April May June July August September October November December"
)
_MONTHS = _MONTHS_LISTED.split()
_DAYS_LISTED = "Monday Tuesday Wednesday Thursday Friday Saturday Sunday"
_DAYS = _DAYS_LISTED.split()
_SIGNS = frozenset(" -/.,:;()'–—年月日時分秒시월년일時分秒@T")


def date_shown(moment: dt.datetime | dt.date | dt.time | dt.timedelta, number_format: str) -> str:
    """The text of a date, a time or a length of time."""
    return _by_format(moment, number_format) or _iso(moment)


def _iso(moment: dt.datetime | dt.date | dt.time | dt.timedelta) -> str:
    if isinstance(moment, dt.timedelta):
        seconds = round(moment.total_seconds())
        minutes, rest = divmod(abs(seconds), 60)
        return f"{'-' * (seconds < 0)}{minutes // 60}:{minutes % 60:02d}:{rest:02d}"
    if isinstance(moment, dt.datetime):
        if moment.time() == dt.time():
            return moment.date().isoformat()
        text = moment.replace(microsecond=0).isoformat(" ")
    elif isinstance(moment, dt.time):
        text = moment.replace(microsecond=0).isoformat()
    else:
        return moment.isoformat()
    return text.removesuffix(":00") if text.count(":") == 2 else text


def _by_format(
    moment: dt.datetime | dt.date | dt.time | dt.timedelta, number_format: str
) -> str | None:
    pattern = number_format.split(";")[0]
    if pattern.lower() in _OF_THE_COUNTRY or _SYSTEM.search(pattern):
        return None
    tokens = [(m.lastgroup or "", m[m.lastgroup or 0]) for m in _TOKEN.finditer(pattern)]
    names = any(kind == "part" and text[0] in "mMdD" and len(text) > 2 for kind, text in tokens)
    if names and not _is_english(pattern):
        return None
    if not any(kind in ("part", "elapsed") for kind, _ in tokens):
        return None
    shown = []
    twelve = any(kind == "half" for kind, _ in tokens)
    for at, (kind, text) in enumerate(tokens):
        piece = _piece(moment, kind, text.lower(), is_minute=_is_minute(tokens, at), twelve=twelve)
        if piece is None:
            return None
        shown.append(text if kind in ("quoted", "escaped", "other") else piece)
    return "".join(shown).strip()


def _is_english(pattern: str) -> bool:
    language = _LANGUAGE.search(pattern)
    if language is None:
        return True
    try:
        return int(language[1], 16) & 0x3FF == _ENGLISH_ID
    except ValueError:
        return language[1].lower().startswith("en")


def _is_minute(tokens: list[tuple[str, str]], at: int) -> bool:
    """``m`` is a minute behind hours or before seconds."""
    if tokens[at][1].lower() not in ("m", "mm"):
        return False
    around = [
        next((text for kind, text in side if kind in ("part", "elapsed")), "")
        for side in (tokens[:at][::-1], tokens[at + 1 :])
    ]
    return around[0][:1].lower() == "h" or around[1][:1].lower() == "s"


def _piece(
    moment: dt.datetime | dt.date | dt.time | dt.timedelta,
    kind: str,
    text: str,
    *,
    is_minute: bool,
    twelve: bool,
) -> str | None:
    """``None``: not understood, or the moment has no such part."""
    if kind == "other":
        return text if text in _SIGNS else None
    if kind in ("", "quoted", "escaped"):
        return ""
    if kind == "elapsed":
        return _elapsed(moment, text)
    if kind == "half" or text[0] in "hs" or is_minute or kind == "fraction":
        return _of_the_day(moment, kind, text, twelve=twelve)
    if not isinstance(moment, dt.date):
        return None
    size = len(text)
    if text[0] == "y":
        return f"{moment.year % 100:02d}" if size <= 2 else f"{moment.year:04d}"
    number = moment.month if text[0] == "m" else moment.day
    if size <= 2:
        return f"{number:0{size}d}"
    name = _MONTHS[number - 1] if text[0] == "m" else _DAYS[moment.weekday()]
    return {3: name[:3], 5: name[:1]}.get(size, name)


def _elapsed(moment: dt.datetime | dt.date | dt.time | dt.timedelta, text: str) -> str | None:
    if isinstance(moment, dt.timedelta):
        seconds = round(moment.total_seconds())
    elif isinstance(moment, dt.time):
        seconds = moment.hour * 3600 + moment.minute * 60 + moment.second
    else:
        return None
    if seconds < 0:
        return None
    unit = {"h": 3600, "m": 60, "s": 1}[text[0]]
    return f"{seconds // unit:0{len(text)}d}"


def _of_the_day(
    moment: dt.datetime | dt.date | dt.time | dt.timedelta, kind: str, text: str, *, twelve: bool
) -> str | None:
    if isinstance(moment, dt.timedelta):
        if moment < dt.timedelta():
            return None
        left = moment % dt.timedelta(days=1)
        minutes, second = divmod(left.seconds, 60)
        moment = dt.time(minutes // 60, minutes % 60, second, left.microseconds)
    elif not isinstance(moment, (dt.datetime, dt.time)):
        moment = dt.time()
    if kind == "fraction":
        return f".{moment.microsecond:06d}"[: len(text) + 1]
    if kind == "half":
        half = "AM" if moment.hour < 12 else "PM"
        return half if text == "am/pm" else half[0]
    number = {"h": moment.hour, "m": moment.minute, "s": moment.second}[text[0]]
    if text[0] == "h" and twelve:
        number = number % 12 or 12
    return f"{number:0{min(2, len(text))}d}"
