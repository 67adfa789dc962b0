"""Cuts text into passages with LangChain's recursive splitter, and says exactly where."""

from __future__ import annotations

import re
import unicodedata
from functools import cache
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from local_rag.ingest.chunk import Splitter

_SENTENCE = (
    # Latin: a full stop that is not an initial's, and no digit or small letter after it, which
    # is what follows an abbreviation ("Fig. 3", "e.g. this").
    r"(?:(?<=[.!?…])|(?<=[.!?…][\"'”’)\]]))(?<!\b[A-Z]\.)\s+(?=[\"'“‘(\[]?[^\W\da-z_])"
    r"|(?<=[。！？；])"
)
_ABOVE_LINES = [
    r"\n(?=#{1,6} )",  # Markdown headings
    r"\n(?=(?:```|~~~)\w)",  # opening fences of code
    r"\n{2,}",
]
_WITHIN_LINES = [  # between the two: lines, such as rows of tables and items of lists
    _SENTENCE,
    r"(?<=[,;:])\s+|(?<=[，、：])",
    r"\s+",
]
_SENTENCE_BORDER = re.compile(_SENTENCE + r"|\n{2,}")
_WORD_BORDER = re.compile(r"\s+")
_UNSPACED = re.compile(
    "[\u0e00-\u0eff\u1780-\u17ff\u3000-\u30ff\u3400-\u9fff\uf900-\ufaff\uff00-\uffef]"
)
_JOINER = "\u200d"
_LONGEST_GRAPHEME = 32
_SHORT_SHARE = 6


def recursive_splitter(size: int, overlap: int) -> Splitter:
    """A splitter into spans of at most ``size`` characters.

    Neighbouring spans share up to ``overlap`` characters, beginning at a sentence where one
    begins within reach, else at a word. LangChain decides where to cut; the overlap is laid out
    here, since LangChain's own cannot be traced back to places where a text repeats itself.

    Args:
        size: longest span, in characters.
        overlap: in characters, less than ``size``.
    """
    if not 0 <= overlap < size:
        raise ValueError(f"overlap {overlap} must be from 0 to below size {size}")

    # A few characters are kept free for cuts that move to the border of a letter with its marks.
    step = size - max(overlap, min(_LONGEST_GRAPHEME, size // 10))

    def split(text: str) -> list[tuple[int, int]]:
        if len(text) <= size:
            return _trimmed(text, [(0, len(text))])
        cuts = _cuts(text, step, size)
        spans = [(cuts[0], cuts[1])]
        for before, start, end in zip(cuts, cuts[1:], cuts[2:], strict=False):
            reach = max(before + 1, start - overlap, end - size)
            spans.append((_overlap_start(text, reach, start), end))
        return _trimmed(text, spans)

    return split


@cache
def _langchain(size: int) -> Any:
    from langchain_text_splitters import RecursiveCharacterTextSplitter

    # A blank stretch that fills passages is one piece; apart from that, each line is one.
    line = rf"\n{{{size}}}|\n"
    # For what has no border at all LangChain offers the empty separator: one string for each
    # letter, merged again in time that grows with the square of ``size``. This gives its cuts.
    anywhere = f"(?s:.{{{size}}})"
    return RecursiveCharacterTextSplitter(
        chunk_size=size,
        chunk_overlap=0,
        separators=[*_ABOVE_LINES, line, *_WITHIN_LINES, anywhere],
        is_separator_regex=True,
        keep_separator="end",
        strip_whitespace=False,
    )


def _cuts(text: str, step: int, size: int) -> list[int]:
    """Offsets from 0 to the text's length; neighbours are at most ``size`` apart."""
    pieces = _langchain(step).split_text(text)
    if "".join(pieces) != text:
        raise RuntimeError("the splitter changed the text")  # would make citations inexact
    cuts = [0]
    for piece in pieces:
        cuts.append(cuts[-1] + len(piece))
    for i in range(1, len(cuts) - 1):
        moved = _grapheme_start(text, cuts[i])
        if moved > cuts[i - 1] and cuts[i + 1] - moved <= size:
            cuts[i] = moved
    tail = cuts[-1] - cuts[-2]
    if len(cuts) > 2 and tail * _SHORT_SHARE < size and cuts[-1] - cuts[-3] <= size:
        del cuts[-2]
    return cuts


def _grapheme_start(text: str, at: int) -> int:
    """The next place at or before ``at`` that does not part a letter from its marks."""
    lowest = max(0, at - _LONGEST_GRAPHEME)
    while at > lowest and _extends(text, at):
        at -= 1
    return at


def _extends(text: str, at: int) -> bool:
    char = text[at]
    return (
        char == _JOINER
        or text[at - 1] == _JOINER
        or unicodedata.category(char).startswith("M")
        or "\U0001f3fb" <= char <= "\U0001f3ff"
        or "\U000e0020" <= char <= "\U000e007f"
    )


def _overlap_start(text: str, reach: int, start: int) -> int:
    """Where a span that was cut at ``start`` begins: not before ``reach``."""
    if reach >= start:
        return start
    sentence = next(
        (
            m.end()
            for m in _SENTENCE_BORDER.finditer(text, max(reach - 4, 0), start)
            if m.end() >= reach
        ),
        start,
    )
    if sentence < start or text.endswith("\n\n", 0, start):
        return sentence
    word = _WORD_BORDER.search(text, reach - 1, start)
    if word is not None and word.end() < start:
        return word.end()
    if _UNSPACED.match(text, reach):
        return _grapheme_start(text, reach) if not _extends(text, reach) else start
    return start


def _trimmed(text: str, spans: list[tuple[int, int]]) -> list[tuple[int, int]]:
    kept = []
    for start, end in spans:
        piece = text[start:end]
        left = start + len(piece) - len(piece.lstrip())
        right = start + len(piece.rstrip())
        if left < right:
            kept.append((left, right))
    return kept
