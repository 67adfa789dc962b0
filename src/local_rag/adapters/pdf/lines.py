"""The lines of one page, as MuPDF finds them, in coordinates of the page as displayed."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import groupby
from operator import itemgetter
from typing import TYPE_CHECKING, Any, NamedTuple

from local_rag.adapters.pdf.bidi import RIGHT_TO_LEFT, is_right_to_left, logical_words
from local_rag.adapters.pdf.content import Content
from local_rag.adapters.pdf.glyphs import (
    SOFT_HYPHEN,
    bullet_for_unmapped,
    clean_word,
    is_garbled,
)
from local_rag.adapters.pdf.sheet import Sheet, facing, sheet_of
from local_rag.adapters.pdf.superscripts import with_exponents
from local_rag.adapters.pdf.unshown import text_page_of, unshown_words
from local_rag.adapters.pdf.visibility import Unseen

if TYPE_CHECKING:
    RawWord = tuple[float, float, float, float, str, int, int, int]

_BOLD_FLAG, _MONOSPACED_FLAG = 16, 8
_BOLD_FONT = re.compile(r"bold|black|heavy|demi|cmbx|[-_,]medi(?!um)|\.b$", re.IGNORECASE)
# A gap of this many font sizes is no space between words but the border of a table cell or column.
_CELL_GAP_EM = 1.5
_WORD_CHARS = 3
# A line that is drawn again this near to itself is one line.
_SAME_PLACE_EM = 0.12


class Piece(NamedTuple):
    """A word or a part of one.

    Attributes:
        glued: no space stands between it and the piece before it on the line.
        soft: it ended with a soft hyphen, so the word goes on with the next piece.
    """

    text: str
    x0: float
    y0: float
    x1: float
    y1: float
    glued: bool = False
    soft: bool = False


@dataclass(slots=True)
class Line:
    """Pieces on one base line without a gap of a cell's width.

    Attributes:
        x0, y0, x1, y1: box in the reading frame: turned so that the text runs to the right.
        direction: of the text on the displayed page; 0 right, 1 down, 2 left, 3 up, 4 oblique.
        size: font size of most of its characters, in points.
        tallest: largest font size that a word of it has; small capitals stand beside such.
        bold: whether most of its characters are bold.
        monospaced: whether most of its characters are.
        wholly_bold: whether all are bold.
        field: number of the form's field whose value it is; 0 for the page's own text.
    """

    pieces: list[Piece]
    x0: float
    y0: float
    x1: float
    y1: float
    size: float
    tallest: float
    bold: bool
    direction: int = 0
    field: int = 0
    monospaced: bool = False
    wholly_bold: bool = False

    def part(self, start: int, end: int) -> Line:
        """Some of its pieces as a line."""
        pieces = self.pieces[start:end]
        boxes = [facing(piece[1:5], self.direction) for piece in pieces]
        x0s, y0s, x1s, y1s = zip(*boxes, strict=True)
        return replace(self, pieces=pieces, x0=min(x0s), y0=min(y0s), x1=max(x1s), y1=max(y1s))

    @property
    def text(self) -> str:
        """The words with spaces between."""
        return "".join(p.text if p.glued else " " + p.text for p in self.pieces).strip()

    @property
    def piece_width(self) -> float:
        """Sum of the widths of its words, in points."""
        turned = self.direction in (1, 3)
        return sum(p.y1 - p.y0 if turned else p.x1 - p.x0 for p in self.pieces)

    @property
    def chars(self) -> int:
        """How many characters it has, spaces left out."""
        return sum(len(p.text) for p in self.pieces)


@dataclass(slots=True)
class PageLines:
    """What was read from one page.

    Attributes:
        lines: in MuPDF's order.
        hidden_words: how many words were left out because they cannot be seen.
        scan: the lines are what OCR found in a picture of the page; font sizes are guesses.
        garbled: the text layer is unreadable; ``lines`` is empty then.
        content: what the lines were read from; ``None`` where that was a picture.
    """

    width_pt: float
    height_pt: float
    lines: list[Line]
    hidden_words: int = 0
    scan: bool = False
    garbled: bool = False
    content: Content | None = None


def read_lines(page: Any) -> PageLines:
    """The visible lines of a ``pymupdf.Page``, without what a form's fields show.

    One text page serves both for the boxes of the words and for fonts, sizes and visibility.
    """
    import pymupdf

    width, height = page.rect.width, page.rect.height
    text_page = text_page_of(page, pymupdf.TEXT_MEDIABOX_CLIP)
    words: list[RawWord] = text_page.extractWORDS()
    content = Content(page)
    sheet = sheet_of(page)
    result = PageLines(width, height, [], content=content)
    result.hidden_words = unshown_words(page, sheet, content, words)
    if not words:
        return result
    if is_garbled([w[4] for w in words]):
        result.garbled = True
        return result
    blocks = _blocks(text_page, words)
    to_left = is_right_to_left("".join(word[4] for word in words))
    spans_of = {b["number"]: b["lines"] for b in blocks if b["type"] == 0}
    unseen = Unseen(page, sheet, content, spans_of)
    result.scan = unseen.is_scan
    for block_number, in_block in groupby(words, key=itemgetter(5)):
        candidates = spans_of.get(block_number, [])
        at = 0
        for _, in_line in groupby(in_block, key=itemgetter(6)):
            raw = list(in_line)
            # MuPDF's two listings may number lines differently where one is empty in the other.
            while at + 1 < len(candidates) and raw[0][4] not in _text(candidates[at]):
                at += 1
            if not candidates:
                continue
            raw = _reordered(raw, candidates[at], to_left=to_left)
            shown = [w for w in raw if sheet.holds(w[:4])]
            shown, hidden = unseen.drop(shown, candidates[at]["spans"])
            result.hidden_words += hidden
            if not hidden:
                shown = with_exponents(shown, candidates[at]["spans"])
            result.lines += _lines_from(shown, candidates[at], sheet)
            at = min(at + 1, len(candidates) - 1)
    result.lines = _drawn_once(result.lines)
    return result


def _drawn_once(lines: list[Line]) -> list[Line]:
    """The lines without those drawn again in their place, as bold letters and shadows are made."""
    kept: list[Line] = []
    drawn: dict[tuple[str, int], list[Line]] = {}
    for line in lines:
        same = drawn.setdefault((line.text, line.direction), [])
        near = _SAME_PLACE_EM * line.size
        if any(abs(o.x0 - line.x0) <= near and abs(o.y0 - line.y0) <= near for o in same):
            continue
        same.append(line)
        kept.append(line)
    return kept


def _blocks(text_page: Any, words: list[RawWord]) -> list[dict[str, Any]]:
    """The listing with fonts; with the place of every character where that is needed."""
    if not any(RIGHT_TO_LEFT.search(word[4]) for word in words if not word[4].isascii()):
        return list(text_page.extractDICT()["blocks"])
    blocks = list(text_page.extractRAWDICT()["blocks"])
    for block in blocks:
        for line in block.get("lines", ()):
            for span in line["spans"]:
                span["text"] = "".join(c["c"] for c in span["chars"])
    return blocks


def _reordered(words: list[RawWord], line: dict[str, Any], *, to_left: bool) -> list[RawWord]:
    """The words of a line in logical order."""
    if "chars" not in line["spans"][0] or not RIGHT_TO_LEFT.search(_text(line)):
        return words
    logical = logical_words(line, on_such_page=to_left)
    if logical is None:
        return words
    line["text"] = " ".join(text for text, _ in logical)
    numbers = words[0][5:7]
    return [(*box, text, *numbers, i) for i, (text, box) in enumerate(logical)]


def _text(line: dict[str, Any]) -> str:
    return line.get("text") or "".join(span["text"] for span in line["spans"])


def _lines_from(words: list[RawWord], line: dict[str, Any], sheet: Sheet) -> list[Line]:
    """One line, or several where a gap as wide as a cell's border parts the words."""
    pieces = _pieces(words, _text(line), sheet) if words else []
    if not pieces:
        return []
    size, tallest, bold, monospaced, wholly_bold = _style(line["spans"])
    direction = _direction(line["dir"], sheet.turn)
    boxes = [facing(piece[1:5], direction) for piece in pieces]
    gap = _CELL_GAP_EM * size
    starts = [0]
    right = boxes[0][2]
    for i, box in enumerate(boxes):
        if box[0] - right > gap:
            starts.append(i)
            right = box[2]
        elif box[2] > right:
            right = box[2]
    made = []
    for start, end in zip(starts, [*starts[1:], len(pieces)], strict=True):
        x0s, y0s, x1s, y1s = zip(*boxes[start:end], strict=True)
        whole = min(x0s), min(y0s), max(x1s), max(y1s)
        one = Line(pieces[start:end], *whole, size, tallest, bold, direction)
        one.monospaced, one.wholly_bold = monospaced, wholly_bold
        made.append(one)
    return made


def _pieces(words: list[RawWord], line_text: str, sheet: Sheet) -> list[Piece]:
    pieces: list[Piece] = []
    # MuPDF parts words where the direction of writing changes, space or not.
    mixed = not line_text.isascii() and bool(RIGHT_TO_LEFT.search(line_text))
    at = -1
    for x0, y0, x1, y1, raw, *_ in words:
        glued = False
        if mixed:
            found = line_text.find(raw, max(at, 0))
            glued = found == at and found > 0
            at = found + len(raw) if found >= 0 else at
        text = raw
        if not (raw.isascii() and raw.isprintable()):
            text = clean_word(raw if pieces else bullet_for_unmapped(raw))
            if not text:
                continue
        box = sheet.shown((x0, y0, x1, y1))
        pieces.append(Piece(text, *box, glued, raw.endswith(SOFT_HYPHEN)))
    if len(pieces) == 1 and pieces[0].text == "•" and words[0][4] != "•":
        return []  # an unmapped character alone on its line is no bullet
    return pieces


def _direction(vector: tuple[float, float], turn: Any) -> int:
    x, y = vector
    if turn is not None:
        x, y = x * turn.a + y * turn.c, x * turn.b + y * turn.d
    if max(abs(x), abs(y)) < 0.94:  # more than 20 degrees off either axis
        return 4
    if abs(x) >= abs(y):
        return 0 if x >= 0 else 2
    return 1 if y > 0 else 3


def _style(spans: list[dict[str, Any]]) -> tuple[float, float, bool, bool, bool]:
    """Size of most characters, largest of a word's worth; whether most are bold, monospaced.

    The last says whether all are bold.
    """
    sizes: Counter[float] = Counter()
    bold = monospaced = total = 0
    for span in spans:
        weight = len(span["text"].strip())
        sizes[round(span["size"] * 2) / 2] += weight
        total += weight
        if span["flags"] & _BOLD_FLAG or _is_bold_font(span["font"]):
            bold += weight
        if span["flags"] & _MONOSPACED_FLAG:
            monospaced += weight
    size = sizes.most_common(1)[0][0]
    tallest = max((s for s, weight in sizes.items() if weight >= _WORD_CHARS), default=size)
    return size, tallest, bold * 2 > total, monospaced * 2 > total, 0 < bold == total


@lru_cache(maxsize=1024)
def _is_bold_font(name: str) -> bool:
    return bool(_BOLD_FONT.search(name))
