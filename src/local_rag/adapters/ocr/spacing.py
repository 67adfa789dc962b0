"""From characters to words: where the white between characters is as wide as a space.

The recogniser gives spaces, but may leave out some. Over 25,000 pairs of characters of nine pages
at 200 dpi, the white between two of one word was in 99 % at most 0.38 of the usual step from
character to character, that of a space was in 95 % at least 0.50.
"""

from __future__ import annotations

import unicodedata
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from local_rag.adapters.ocr.models import ROWS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from local_rag.adapters.ocr.recognition import Character, Reading

_SPACE_STEPS = 0.5
_SPACE_STEPS_DIGITS = 0.65  # a 1 stands in the middle of a digit's width
_LEAST_STEPS = 0.8
_SPACE_OF_SPACE = 0.8  # and nearly that of the line's other spaces
_SPACE_OF_GAP = 2.0  # and twice the usual white of the line, for letters set far apart
_FEW = 6
_SLACK_PX = 3  # places are known to a column of 8
_DEFAULT_STEP_PX = ROWS / 2
_BASE_PX = round(0.78 * ROWS)
_NO_SPACE_BEFORE = frozenset(".,;:!?)]}»’”'\"%…-‐–·")
_NO_SPACE_AFTER = frozenset("([{«‘“'\"-‐–·/")


class Word(NamedTuple):
    """A word; where its ink begins and ends, in pixels of the picture along the box."""

    text: str
    left: float
    right: float
    confidence: float


class _Usual(NamedTuple):
    """What is usual on a line, in pixels of the strip.

    Attributes:
        step: from character to character within words.
        white: between characters within words.
        space: between words, as far as the recogniser told; 0 where it told none.
    """

    step: float
    white: float
    space: float


class Spaced(NamedTuple):
    """The words of a box.

    Attributes:
        base: on what the letters stand, in pixels of the picture from the box's upper edge.
    """

    words: list[Word]
    base: float


def spaced(reading: Reading) -> Spaced:
    """The words of what was read. Scripts that are written without spaces get none."""
    ink = _ink(reading.strip)
    band = ink.mean(axis=1)
    shown = ink[band < 0.7]  # rows of a rule under or through the text bridge all gaps
    empty = shown.sum(axis=0) <= 1 if len(shown) else np.zeros(ink.shape[1], bool)
    along = reading.box.length / reading.strip.shape[1]
    words = [
        word._replace(left=word.left * along, right=word.right * along)
        for word in _words(reading.characters, empty)
    ]
    return Spaced(words, _base(band) * reading.box.height / ROWS)


def _ink(strip: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """1 where there is ink: of two levels the one that is seen less."""
    import cv2

    grey = cv2.cvtColor(strip, cv2.COLOR_BGR2GRAY)
    _, light = cv2.threshold(grey, 0, 1, cv2.THRESH_BINARY + cv2.THRESH_OTSU)
    ink = light if light.mean() < 0.5 else 1 - light
    return np.asarray(ink, np.uint8)


def _base(band: NDArray[np.float64]) -> float:
    """The lowest row that is nearly as full as the fullest: below are only descenders."""
    full = np.where(band < 0.7, band, 0.0)
    most = full.max()
    if not most:
        return _BASE_PX
    base = int(np.flatnonzero(full >= 0.4 * most)[-1]) + 1
    return base if 0.55 * ROWS <= base <= 0.95 * ROWS else _BASE_PX


def _words(characters: Sequence[Character], empty: NDArray[np.bool_]) -> list[Word]:
    seen = [c for c in characters if not c.text.isspace()]
    if not seen:
        return []
    told = _told_spaces(characters)
    whites = [_widest_white(a.at, b.at, empty) for a, b in pairwise(seen)]
    usual = _usual(seen, whites, told)
    first, last = _ends(seen, empty)
    starts = [0, *_starts(seen, whites, told, usual)]
    words: list[Word] = []
    for start, end in zip(starts, [*starts[1:], len(seen)], strict=True):
        group = seen[start:end]
        left = whites[start - 1][1] if start else first
        right = whites[end - 1][0] if end < len(seen) else last
        confidence = sum(c.confidence for c in group) / len(group)
        text = "".join(c.text for c in group)
        words.append(Word(text, left, max(right, left + 1), confidence))
    return words


def _starts(
    seen: Sequence[Character],
    whites: Sequence[tuple[float, float]],
    told: Sequence[bool],
    usual: _Usual,
) -> list[int]:
    """Which characters begin a word, but for the first."""
    starts: list[int] = []
    inferred: set[int] = set()
    for i, ((before, after), (left, right)) in enumerate(zip(pairwise(seen), whites, strict=True)):
        if _is_unspaced(before.text) or _is_unspaced(after.text):
            # The recogniser sets a space where a line of Chinese is set wide.
            if told[i] and not (_is_unspaced(before.text) and _is_unspaced(after.text)):
                starts.append(i + 1)
        elif told[i]:
            starts.append(i + 1)
        elif _is_space(before, after, right - left, usual):
            starts.append(i + 1)
            inferred.add(i + 1)
    # A single small letter is part of a word rather than one.
    bounds = [0, *starts, len(seen)]
    lone = {
        edge
        for start, end in pairwise(bounds)
        if end - start == 1 and seen[start].text.islower()
        for edge in (start, end)
    }
    return [start for start in starts if start not in inferred & lone]


def _usual(
    seen: Sequence[Character], whites: Sequence[tuple[float, float]], told: Sequence[bool]
) -> _Usual:
    widths = [right - left for left, right in whites]
    spaces = [width for width, space in zip(widths, told, strict=True) if space and width]
    space = float(np.median(spaces)) if spaces else 0.0
    inside = [
        (b.at - a.at, width)
        for (a, b), width, space in zip(pairwise(seen), widths, told, strict=True)
        if not space
    ]
    if len(inside) < _FEW:
        return _Usual(_DEFAULT_STEP_PX, 0.0, space)
    steps, closes = zip(*inside, strict=True)
    return _Usual(float(np.median(steps)), float(np.median(closes)), space)


def _told_spaces(characters: Sequence[Character]) -> list[bool]:
    """For each character but the first that is none, whether the recogniser saw a space before."""
    told: list[bool] = []
    space = False
    for character in characters:
        if character.text.isspace():
            space = True
        else:
            told.append(space)
            space = False
    return told[1:]


def _is_space(before: Character, after: Character, white: float, usual: _Usual) -> bool:
    """Whether the recogniser left out a space."""
    if after.text in _NO_SPACE_BEFORE or before.text in _NO_SPACE_AFTER:
        return False
    if after.at - before.at < _LEAST_STEPS * usual.step:
        return False  # two narrow letters: ll
    digits = before.text.isdigit() or after.text.isdigit()
    least = (_SPACE_STEPS_DIGITS if digits else _SPACE_STEPS) * usual.step
    return white >= max(least, _SPACE_OF_GAP * usual.white, _SPACE_OF_SPACE * usual.space)


def _is_unspaced(character: str) -> bool:
    """Han, kana and what is set as wide as them."""
    return unicodedata.east_asian_width(character) in ("W", "F")


def _widest_white(start: float, end: float, empty: NDArray[np.bool_]) -> tuple[float, float]:
    """The widest run of empty columns between the places; the middle where all is inked."""
    low, high = max(0, int(start) - _SLACK_PX), min(len(empty), int(end) + _SLACK_PX)
    edges = np.flatnonzero(np.diff(np.r_[False, empty[low:high], False]))
    if not len(edges):
        middle = (start + end) / 2
        return middle, middle
    lengths = edges[1::2] - edges[::2]
    widest = int(lengths.argmax())
    return float(low + edges[2 * widest]), float(low + edges[2 * widest + 1])


def _ends(seen: Sequence[Character], empty: NDArray[np.bool_]) -> tuple[float, float]:
    """Where the ink of the first character begins and that of the last one ends."""
    inked = np.flatnonzero(~empty)
    if not len(inked):
        return seen[0].at, seen[-1].at
    first, last = float(inked[0]), float(inked[-1] + 1)
    return min(first, seen[0].at), max(last, seen[-1].at)
