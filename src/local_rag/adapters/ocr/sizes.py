"""How large letters are, told from how wide words come out."""

from __future__ import annotations

import unicodedata
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

# Widths in em: the means of Helvetica's and Times' (Adobe's AFM files), by class.
_WIDTHS = {
    **dict.fromkeys("iljI|.,:;'!’‘`", 0.25),
    **dict.fromkeys('ftr()[]-/\\{}"“”', 0.32),
    **dict.fromkeys("sczJkvxy", 0.47),
    **dict.fromkeys("FLTZ", 0.60),
    **dict.fromkeys("OQGm", 0.77),
    **dict.fromkeys("MW@%—…&", 0.88),
    "w": 0.72,
}
_LETTER = 0.52
_CAPITAL = 0.66
_BEARING = 0.06  # white beside a word's first and last letter, together
_ALIKE = 1.12
_ENOUGH = 8


def letter_size(words: Iterable[tuple[str, float]]) -> float:
    """The font size, in the unit of the widths, good to about 7 %.

    Args:
        words: each with the width of its ink.
    """
    ink = advance = 0.0
    for text, width in words:
        ink += width
        advance += sum(_width(c) for c in text) - _BEARING
    return ink / advance if advance > 0 else 0.0


def _width(character: str) -> float:
    known = _WIDTHS.get(character)
    if known is not None:
        return known
    if unicodedata.east_asian_width(character) in ("W", "F"):
        return 1.0
    plain = unicodedata.normalize("NFD", character)[0]
    return _WIDTHS.get(plain, _CAPITAL if plain.isupper() else _LETTER)


def settled(sizes: Sequence[float], weights: Sequence[int]) -> list[float]:
    """The sizes, those that differ only by how they were found made equal, in half points.

    Args:
        sizes: in points, one for each line.
        weights: characters of each line; those with few follow the others.
    """
    left = {i for i, weight in enumerate(weights) if weight >= _ENOUGH and sizes[i] > 0}
    usual: list[float] = []
    while left:
        # The size that most characters have within reach, then what it draws to itself.
        reach = {i: [k for k in left if 1 / _ALIKE < sizes[k] / sizes[i] < _ALIKE] for i in left}
        drawn = max(reach.values(), key=lambda ks: (sum(weights[k] for k in ks), -min(ks)))
        weight = sum(weights[k] for k in drawn)
        usual.append(sum(sizes[k] * weights[k] for k in drawn) / weight)
        left.difference_update(drawn)
    found = []
    for size, weight in zip(sizes, weights, strict=True):
        near = min(usual, key=lambda u: max(u / size, size / u)) if usual and size else size
        reach_of = _ALIKE if weight >= _ENOUGH else _ALIKE**2
        close = size > 0 and max(near / size, size / near) < reach_of
        found.append(max(1.0, round((near if close else size) * 2) / 2))
    return found
