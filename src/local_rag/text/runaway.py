"""Tells a reply that will not end: white space for ever, or one stretch over and over."""

from __future__ import annotations

_BLANK_CHARS = 200
"""Longer than the indentation of any sensible JSON."""

_LONGEST_PERIOD_CHARS = 200
_REPETITIONS = 8
_SHORTEST_TAIL_CHARS = 400


def runs_away(text: str) -> bool:
    """Whether the end of ``text`` is padding, or the same stretch at least eight times."""
    if len(text) - len(text.rstrip()) > _BLANK_CHARS:
        return True
    return any(_repeats(text, period) for period in range(1, _LONGEST_PERIOD_CHARS + 1))


def _repeats(text: str, period: int) -> bool:
    size = max(_SHORTEST_TAIL_CHARS, period * _REPETITIONS)
    if len(text) < size:
        return False
    tail = text[-size:]
    return tail[period:] == tail[:-period]
