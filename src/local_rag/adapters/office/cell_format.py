"""A cell's value as its sheet shows it, as far as a number format says so in a few rules.

Dates are shown by explicit formats and ISO 8601 by those that follow the reader's country (see
``date_format``).
"""

from __future__ import annotations

import datetime as dt
import re
from decimal import ROUND_HALF_UP, Decimal
from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple

from local_rag.adapters.office.date_format import date_shown

_SECTION = re.compile(r'((?:"[^"]*"|\\.|\[[^\]]*\]|[^;])*)(?:;|$)')
_TOKEN = re.compile(
    r'"(?P<quoted>[^"]*)"|\\(?P<escaped>.)|[_*].|\[\$(?P<currency>[^\]-]*)[^\]]*\]|\[[^\]]*\]'
    r"|(?P<general>General)|(?P<number>[#0?][#0?,.]*)|(?P<other>.)",
    re.DOTALL,
)
_FRACTION = re.compile(r"(?:(?P<whole>[#0?]+)\s+)?[#?0]+\s*/\s*(?P<below>[?#0]+|[1-9]\d{0,4})\s*")
_POWER = re.compile(r"(?P<whole>[#0?]+)(?:\.(?P<behind>[#0?]+))?E[+-](?P<power>0+)", re.IGNORECASE)
_SIGNIFICANT_DIGITS = 15


class _Pattern(NamedTuple):
    """One section of a number format.

    Attributes:
        before, after: what stands around the number.
        decimals: most and least digits behind the point; ``None`` for any number of them.
        least_whole: least digits before the point.
        scale: how many times it is divided by a thousand.
        literal: whether the number itself is not shown.
        power: least digits of the power of ten, and of how many it is a multiple.
        fraction: digits of the denominator, or the denominator itself as a negative number.
        mixed: whether the whole part stands before the fraction.
    """

    before: str = ""
    after: str = ""
    decimals: tuple[int, int] | None = None
    least_whole: int = 1
    thousands: bool = False
    scale: int = 0
    percent: bool = False
    literal: bool = False
    power: tuple[int, int] | None = None
    fraction: int = 0
    mixed: bool = True


def shown(cell: object, number_format: str) -> str:
    """The text of a cell's value."""
    if cell is None:
        return ""
    if isinstance(cell, bool):
        return "TRUE" if cell else "FALSE"
    if isinstance(cell, (int, float)):
        return _number(cell, number_format)
    if isinstance(cell, (dt.date, dt.time, dt.timedelta)):
        return date_shown(cell, number_format)
    return str(cell)


def hides(number_format: str) -> bool:
    """Whether the format shows nothing at all, as ``;;;`` does."""
    return number_format.count(";") >= 2 and not number_format.strip("; ")


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
    if pattern.fraction:
        return f"{sign}{pattern.before}{_fraction(abs(number), pattern)}{pattern.after}".strip()
    if pattern.decimals is None:
        return f"{sign}{pattern.before}{_general(abs(number))}{pattern.after}".strip()
    exact = Decimal(repr(abs(number))) * (100 if pattern.percent else 1)
    if not exact.is_finite():
        return _general(number)
    if pattern.power:
        digits = _with_power(exact, pattern, *pattern.power)
        return f"{sign}{pattern.before}{digits}{pattern.after}".strip()
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


def _fraction(number: float, pattern: _Pattern) -> str:
    exact = Fraction(Decimal(repr(number)))
    if pattern.fraction < 0:
        below = -pattern.fraction
        above = int(exact * below + Fraction(1, 2))
    else:
        near = exact.limit_denominator(10**pattern.fraction - 1)
        above, below = near.numerator, near.denominator
    if not pattern.mixed:
        return f"{above}/{below}"
    whole, above = divmod(above, below)
    if not above:
        return str(whole)
    return f"{whole} {above}/{below}" if whole else f"{above}/{below}"


def _with_power(exact: Decimal, pattern: _Pattern, least_digits: int, multiple: int) -> str:
    most, least = pattern.decimals or (0, 0)
    power = exact.adjusted() if exact else 0
    for _ in range(2):  # rounding may add a digit: 9.99 to 10.0
        power -= power % multiple
        mantissa = exact.scaleb(-power).quantize(Decimal(1).scaleb(-most), ROUND_HALF_UP)
        if not mantissa or mantissa.adjusted() < multiple:
            break
        power += multiple
    whole, _, behind = f"{mantissa:f}".partition(".")
    behind = behind[:least] + behind[least:].rstrip("0")
    digits = f"{whole}.{behind}" if behind else whole
    return f"{digits}E{'-' if power < 0 else '+'}{abs(power):0{least_digits}d}"


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
    fraction = _FRACTION.fullmatch(section)
    if fraction:
        below = fraction["below"]
        size = -int(below) if below.strip("0") and below.isdecimal() else min(4, len(below))
        return _Pattern(fraction=size, mixed=fraction["whole"] is not None)
    power = _POWER.fullmatch(section)
    if power:
        multiple = max(1, sum(digit in "0?#" for digit in power["whole"]))
        behind = power["behind"] or ""
        decimals = min(_SIGNIFICANT_DIGITS, len(behind)), behind.count("0")
        return _Pattern(decimals=decimals, power=(len(power["power"]), multiple))
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
