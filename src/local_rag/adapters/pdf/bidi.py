"""Logical order of lines written from right to left.

MuPDF turns the drawn order of such a line round, but it puts the spaces, numbers and punctuation
beside a change of direction in the wrong place, and the parts of a ligature (lam-alef) in drawn
order. The places of the characters say what is right: a reader goes from the right to the left,
and through what is written from left to right the other way. That is the rule of Unicode's
bidirectional algorithm (UAX 9), read backwards.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from local_rag.adapters.pdf.sheet import Box

RIGHT_TO_LEFT = re.compile("[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefe]")
_ARABIC = re.compile("[\u0600-\u08ff\ufb50-\ufdff\ufe70-\ufefe]")
_ZERO_PT = 0.05
# White of this share of the font size parts words even where no space is drawn.
_GAP_EM = 0.25
_SEPARATORS = frozenset(".,:/٫٬")
_AFFIXES = frozenset("%$€£¥₪°+-−#")
_PAIRS = dict(zip("([{<«‹", ")]}>»›", strict=True))
_CLOSING = frozenset(_PAIRS.values())
_MIRRORED = str.maketrans({**_PAIRS, **{right: left for left, right in _PAIRS.items()}})


@dataclass(slots=True)
class _Glyph:
    """What one glyph shows: a letter, a ligature's letters, a letter with its marks."""

    text: str
    box: Box

    @property
    def is_space(self) -> bool:
        return self.text.isspace()

    @property
    def is_digit(self) -> bool:
        return self.text[0].isdigit()

    @property
    def is_left_to_right(self) -> bool:
        return unicodedata.bidirectional(self.text[0]) == "L"

    @property
    def is_right_to_left(self) -> bool:
        return bool(RIGHT_TO_LEFT.match(self.text)) and self.text[0].isalpha()


def is_right_to_left(text: str) -> bool:
    """Whether at least half of the letters belong to scripts written from right to left."""
    letters = sum(map(str.isalpha, text))
    return 2 * len(RIGHT_TO_LEFT.findall(text)) >= letters > 0


def logical_words(
    line: dict[str, Any], *, on_such_page: bool = True
) -> list[tuple[str, Box]] | None:
    """The words of a line in the order in which they are read.

    Args:
        line: of ``pymupdf.TextPage.extractRAWDICT``.
        on_such_page: whether most of the page is written from right to left.

    Returns:
        ``None`` where the line does not run from right to left.
    """
    if line["dir"][0] < 0.99:
        return None
    size = max((span["size"] for span in line["spans"]), default=0.0)
    chars = [(c["c"], c["bbox"]) for span in line["spans"] for c in span["chars"]]
    if not _runs_to_the_left(chars):
        return None
    if not (on_such_page or is_right_to_left("".join(c for c, _ in chars))):
        return None
    glyphs = sorted(_glyphs(chars), key=lambda g: g.box[0] + g.box[2])
    is_arabic = any(_ARABIC.match(glyph.text) for glyph in glyphs)
    ordered: list[_Glyph] = []
    backward: list[_Glyph] = []
    was_forward = False
    for run, forward in _runs(_with_gaps(glyphs, _GAP_EM * size), is_arabic=is_arabic):
        if ordered and (forward or was_forward) and _touch(run[-1], ordered[0]):
            ordered.insert(0, _Glyph(" ", ordered[0].box))
        ordered[:0] = run
        was_forward = forward
        if not forward:
            backward += run
    _turn_brackets(backward[::-1])
    return list(_words(ordered))


def _touch(left: _Glyph, right: _Glyph) -> bool:
    """Whether two words meet, one of each direction, without a space between."""
    return left.text.isalnum() and right.text.isalnum()


def _turn_brackets(glyphs: Sequence[_Glyph]) -> None:
    """Opening and closing brackets change places where a file names them by their looks.

    Args:
        glyphs: in the order of reading.
    """
    brackets = [glyph for glyph in glyphs if glyph.text in _PAIRS or glyph.text in _CLOSING]
    as_they_are = "".join(glyph.text for glyph in brackets)
    if _unpaired(as_they_are.translate(_MIRRORED)) < _unpaired(as_they_are):
        for glyph in brackets:
            glyph.text = glyph.text.translate(_MIRRORED)


def _unpaired(brackets: str) -> int:
    closing = opened = 0
    for bracket in brackets:
        if bracket in _PAIRS:
            opened += 1
        elif opened:
            opened -= 1
        else:
            closing += 1
    return closing + opened


def _runs_to_the_left(chars: Sequence[tuple[str, Box]]) -> bool:
    leftwards = rightwards = 0
    for (a, before), (b, box) in pairwise(chars):
        if RIGHT_TO_LEFT.match(a) and RIGHT_TO_LEFT.match(b) and box[2] - box[0] > _ZERO_PT:
            leftwards += box[0] < before[0]
            rightwards += box[0] > before[0]
    return leftwards > 4 * rightwards


def _glyphs(chars: Sequence[tuple[str, Box]]) -> list[_Glyph]:
    """Characters without a width of their own belong to the glyph that has it.

    Of a ligature MuPDF lists the last letter first and gives the width to the first letter.
    """
    glyphs: list[_Glyph] = []
    waiting = ""
    for char, box in chars:
        if char < " ":
            continue
        if box[2] - box[0] > _ZERO_PT:
            glyphs.append(_Glyph(char + waiting[::-1], box))
            waiting = ""
        elif char.isalpha():
            waiting += char
        elif glyphs and unicodedata.combining(char):
            glyphs[-1].text += char
    if waiting and glyphs:
        glyphs[-1].text += waiting
    return glyphs


def _with_gaps(glyphs: Sequence[_Glyph], gap: float) -> list[_Glyph]:
    spaced: list[_Glyph] = []
    for glyph in glyphs:
        if spaced and glyph.box[0] - spaced[-1].box[2] > gap:
            spaced.append(_Glyph(" ", glyph.box))
        spaced.append(glyph)
    return spaced


def _runs(glyphs: Sequence[_Glyph], *, is_arabic: bool) -> Iterator[tuple[list[_Glyph], bool]]:
    """Parts of the line from left to right as drawn, and whether each is read in that order."""
    at = 0
    while at < len(glyphs):
        end = _end_of_forward_run(glyphs, at, is_arabic=is_arabic)
        yield list(glyphs[at : max(end, at + 1)]), end > at
        at = max(end, at + 1)


def _end_of_forward_run(glyphs: Sequence[_Glyph], at: int, *, is_arabic: bool) -> int:
    """Where what is read from left to right ends; ``at`` where it does not begin there."""
    end = at
    has_letter = False
    for i in range(at, len(glyphs)):
        glyph = glyphs[i]
        if glyph.is_right_to_left:
            break
        if glyph.is_left_to_right or glyph.is_digit:
            between = glyphs[end:i] if end > at else []
            if between and not has_letter and not _joins_digits(between, is_arabic=is_arabic):
                break
            if end == at and i > at:
                break
            has_letter = has_letter or glyph.is_left_to_right
            end = i + 1
        elif not is_arabic and glyph.text in _AFFIXES and i in (at, end) and not has_letter:
            # "10%", "-5": signs beside a number go with it, in Hebrew.
            if i == at and not (i + 1 < len(glyphs) and glyphs[i + 1].is_digit):
                break
            end = i + 1
    return end


def _joins_digits(between: Sequence[_Glyph], *, is_arabic: bool) -> bool:
    text = "".join(glyph.text for glyph in between)
    return len(text) == 1 and (text in _SEPARATORS or (not is_arabic and text in "-−"))


def _words(glyphs: Sequence[_Glyph]) -> Iterator[tuple[str, Box]]:
    word: list[_Glyph] = []
    for glyph in [*glyphs, None]:
        if glyph is not None and not glyph.is_space:
            word.append(glyph)
        elif word:
            x0s, y0s, x1s, y1s = zip(*(part.box for part in word), strict=True)
            yield "".join(p.text for p in word), (min(x0s), min(y0s), max(x1s), max(y1s))
            word = []
