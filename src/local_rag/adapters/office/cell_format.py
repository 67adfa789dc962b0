"""A cell's value as its sheet shows it, as far as a number format says so in a few rules.

Dates are ISO 8601 whatever the format, because day and month change places between countries.
"""

from __future__ import annotations

import datetime as dt
import re
from decimal import ROUND_HALF_UP, Decimal
from functools import lru_cache
from typing import NamedTuple

_SECTION = re.compile(r'((?:"[^"]*"|\\.|\[[^\]]*\]|[^;])*)(?:;|$)')
_TOKEN = re.compile(
    r'"(?P<quoted>[^"]*)"|\\(?P<escaped>.)|[_*].|\[\$(?P<currency>[^\]-]*)[^\]]*\]|\[[^\]]*\]'
    r"|(?P<general>General)|(?P<number>[#0?][#0?,.]*)|(?P<other>.)",
    re.DOTALL,
)
_SIGNIFICANT_DIGITS = 15


class _Pattern(NamedTuple):
    """One section of a number format.

    Attributes:
        before, after: what stands around the number.
        decimals: most and least digits behind the point; ``None`` for any number of them.
        least_whole: least digits before the point.
        scale: how many times it is divided by a thousand.
        literal: whether the number itself is not shown.
    """

    before: str = ""
    after: str = ""
    decimals: tuple[int, int] | None = None
    least_whole: int = 1
    thousands: bool = False
    scale: int = 0
    percent: bool = False
    literal: bool = False


def shown(cell: object, number_format: str) -> str:
    """The text of a cell's value."""
    if cell is None:
        return ""
    if isinstance(cell, bool):
        return "TRUE" if cell else "FALSE"
    if isinstance(cell, (int, float)):
        return _number(cell, number_format)
    if isinstance(cell, dt.datetime):
        if cell.time() == dt.time():
            return cell.date().isoformat()
        return _without_zero_seconds(cell.replace(microsecond=0).isoformat(" "))
    if isinstance(cell, dt.time):
        return _without_zero_seconds(cell.replace(microsecond=0).isoformat())
    if isinstance(cell, dt.timedelta):
        seconds = round(cell.total_seconds())
        minutes, rest = divmod(abs(seconds), 60)
        return f"{'-' * (seconds < 0)}{minutes // 60}:{minutes % 60:02d}:{rest:02d}"
    return str(cell)


def hides(number_format: str) -> bool:
    """Whether the format shows nothing at all, as ``;;;`` does."""
    return number_format.count(";") >= 2 and not number_format.strip("; ")


def _without_zero_seconds(text: str) -> str:
    return text.removesuffix(":00") if text.count(":") == 2 else text


def _number(number: float, number_format: str) -> str:
    if number_format in ("", "General", "@"):
        return _general(number)
    patterns = _patterns(number_format)
    pattern = patterns[0]
    sign = "-" if number < 0 else ""
    if number < 0 and len(patterns) > 1:
        pattern, sign = patterns[1], ""  # the section writes its own sign
    elif number == 0 and len(patterns) > 2:
        pattern = patterns[2]
    if pattern.literal:
        return pattern.before.strip()
    if pattern.decimals is None:
        return f"{sign}{pattern.before}{_general(abs(number))}{pattern.after}".strip()
    exact = Decimal(repr(abs(number))) * (100 if pattern.percent else 1)
    if not exact.is_finite():
        return _general(number)
    most, least = pattern.decimals
    exact = exact / Decimal(1000) ** pattern.scale
    rounded = exact.quantize(Decimal(1).scaleb(-most), ROUND_HALF_UP)
    whole, _, behind = (f"{rounded:,f}" if pattern.thousands else f"{rounded:f}").partition(".")
    behind = behind[:least] + behind[least:].rstrip("0")
    if whole == "0" and not pattern.least_whole:
        whole = ""
    whole = whole.rjust(pattern.least_whole, "0")
    digits = f"{whole}.{behind}" if behind else whole
    return f"{sign if rounded else ''}{pattern.before}{digits}{pattern.after}".strip()


def _general(number: float) -> str:
    if isinstance(number, int):
        return str(number)
    text = f"{number:.{_SIGNIFICANT_DIGITS}g}"
    return text if "e" not in text else text.replace("e+", "E+").replace("e-", "E-")


@lru_cache(maxsize=512)
def _patterns(number_format: str) -> tuple[_Pattern, ...]:
    sections = [found[1] for found in _SECTION.finditer(number_format)]
    if len(sections) > 1 and not sections[-1] and not number_format.endswith(";"):
        del sections[-1]  # the match behind the last character
    return tuple(map(_pattern, sections[:3])) or (_Pattern(),)


def _pattern(section: str) -> _Pattern:
    before, after, number = "", "", ""
    percent = False
    for found in _TOKEN.finditer(section):
        placeholder = found["number"] or found["general"]
        if placeholder and number:
            return _Pattern()  # digits among other signs, as 000-00-0000: the number as it is
        if placeholder:
            number = placeholder
            continue
        other = found["other"] or ""
        percent = percent or other == "%"
        text = found["quoted"] or found["escaped"] or found["currency"] or other
        if number:
            after += text
        else:
            before += text
    if not number:
        # Nothing but a colour or a condition says nothing of the number.
        return _Pattern(before, literal=bool(before) or not section)
    if number == "General":
        return _Pattern(before, after)
    if re.search(r"[eE][+-]|[?#0]\s*/", section):  # powers of ten and fractions
        return _Pattern()
    scale = len(number) - len(number.rstrip(","))
    whole, _, behind = number.partition(".")
    most = min(_SIGNIFICANT_DIGITS, sum(digit in "0?#" for digit in behind))
    least = min(most, behind.count("0"))
    least_whole = min(_SIGNIFICANT_DIGITS, whole.count("0"))
    grouped = "," in whole.rstrip(",")
    return _Pattern(before, after, (most, least), least_whole, grouped, scale, percent)
