"""Raised figures: 10 and a raised 20 are not 1020."""

from __future__ import annotations

import re

_RAISED = str.maketrans("0123456789+-\u2212\u2013", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁻")
_EXPONENT = re.compile("[-+\u2212\u2013]?\\d+")
# What carries an exponent: a figure, a bracket, or a unit or variable of one or two letters. Behind
# a longer word a raised figure is the mark of a note.
_BASE = re.compile(r"(?:\d|\)|(?<![^\W\d_])[^\W\d_]{1,2})$")


def is_figure(text: str) -> bool:
    """Whether it may be an exponent: a whole number, with its sign or without."""
    return _EXPONENT.fullmatch(text) is not None


def with_exponent(before: str, raised: str) -> str:
    """The raised letters, as an exponent where the text before can carry one."""
    if is_figure(raised) and _BASE.search(before):
        return raised.translate(_RAISED)
    return raised
