"""Whether the invisible text over a scan is what the scan says."""

from __future__ import annotations

import re
from collections import Counter
from difflib import SequenceMatcher
from typing import TYPE_CHECKING, Any

from local_rag.adapters.pdf.glyphs import letters_and_digits

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from local_rag.adapters.pdf.lines import Line, PageLines

# Layers of one file come from one program: the first ones stand for the rest, with samples of it.
_CHECKED_FIRST = 3
_CHECKED_EVERY = 10
# Strips looked at, and how many of them must agree: one may be a stamp that can be seen.
_STRIPS = 3
_BORNE_OUT = 2
_STRIP_DPI = 150
_LEAST_CHARS = 8
# Likeness of what a strip of the picture says to the layer's line. Good layers have 0.9, texts
# that have nothing to do with each other 0.2 to 0.4.
_ALIKE = 0.6
_LEAST_CONFIDENCE = 0.7
# Share of the words that OCR reads below which the layer is of another text.
_SHARED = 0.4
_MOST_REPEATED = 0.5
_LEAST_LINES = 4
_LEAST_LETTERS = 0.5
_LATIN = re.compile(r"[a-z]{4,}")
_VOWEL = re.compile(r"[aeiouy]")
_MOST_VOWELLESS = 0.4


class LayerChecks:
    """Which layers of a document are worth a look; one for each document."""

    def __init__(self) -> None:
        self._scans = 0
        self._distrusted = False

    def doubts(self, page: Any, lines: PageLines) -> bool:
        """Whether the layer of a scan may be of another text than its ``pymupdf.Page`` shows."""
        self._scans += 1
        sampled = self._scans <= _CHECKED_FIRST or self._scans % _CHECKED_EVERY == 0
        if not (sampled or self._distrusted or _is_implausible(lines.lines)):
            return False
        return not _is_borne_out(page, lines.lines)

    def refute(self) -> None:
        """A layer was found false: all that follow are looked at."""
        self._distrusted = True


def is_of_another_text(layer: Sequence[Line], read: Sequence[Line], confidence: float) -> bool:
    """Whether OCR read, with confidence, words that the layer does not have."""
    if confidence < _LEAST_CONFIDENCE:
        return False
    there, seen = _bag(layer), _bag(read)
    return seen.total() > 0 and (there & seen).total() < _SHARED * seen.total()


def _bag(lines: Iterable[Line]) -> Counter[str]:
    words = (letters_and_digits(piece.text).casefold() for line in lines for piece in line.pieces)
    return Counter(word for word in words if len(word) > 2)


def _is_implausible(lines: Sequence[Line]) -> bool:
    """Whether the text is none that a page would have: repeated, not of letters, no syllables."""
    texts = [line.text.casefold() for line in lines]
    if len(texts) >= _LEAST_LINES:
        (_, most), *_ = Counter(texts).most_common(1)
        if most > _MOST_REPEATED * len(texts):
            return True
    whole = "".join(texts).replace(" ", "")
    if sum(map(str.isalnum, whole)) < _LEAST_LETTERS * len(whole):
        return True
    words = _LATIN.findall(" ".join(texts))
    vowelless = sum(not _VOWEL.search(word) for word in words)
    return vowelless > _MOST_VOWELLESS * len(words)


def _is_borne_out(page: Any, lines: Sequence[Line]) -> bool:
    """Whether strips of the page say what the layer says there; so too where it says too little."""
    eligible = [line for line in lines if line.direction == 0 and line.chars >= _LEAST_CHARS]
    if not eligible:
        return True
    places = {len(eligible) * (2 * i + 1) // (2 * _STRIPS) for i in range(_STRIPS)}
    borne_out = 0
    for place in sorted(places):
        borne_out += _says(page, eligible[place])
        if borne_out >= min(_BORNE_OUT, len(places)):
            return True
    return False


def _says(page: Any, line: Line) -> bool:
    import numpy as np
    import pymupdf

    from local_rag.adapters.ocr.glimpses import say

    strip = pymupdf.Rect(line.x0, line.y0, line.x1, line.y1) & page.rect
    drawn = page.get_pixmap(dpi=_STRIP_DPI, clip=strip, alpha=False)
    if min(drawn.w, drawn.h) < 4:
        return False
    picture = np.frombuffer(drawn.samples, np.uint8).reshape(drawn.h, drawn.w, drawn.n)
    text, _ = say(picture)
    found, written = (letters_and_digits(t).casefold() for t in (text, line.text))
    return SequenceMatcher(None, found, written, autojunk=False).ratio() >= _ALIKE
