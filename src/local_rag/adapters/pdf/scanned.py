"""Pages whose text is in their picture: which they are, and how the picture is read."""

from __future__ import annotations

import logging
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from local_rag.adapters.pdf.lines import PageLines

if TYPE_CHECKING:
    from collections.abc import Sequence

    from local_rag.adapters.pdf.lines import Line

_LOG = logging.getLogger(__name__)

# A page with as many words of its own is no scan, whatever pictures it has. With few words,
# pictures that cover less of the page are looked into.
_MANY_WORDS = 300
_FEW_WORDS = 120
_FEW_WORDS_COVER = 0.2
_NO_WORDS = 3
_LETTERS = 100  # as many shapes may be the letters of a text
# Share of the page that pictures without text over them cover at least where a page is half a scan.
_SCANNED_COVER = 0.4
_OCR_DPI = 200
_LONGEST_PX = 4000
_BUDGET_S = 60.0
# Mean confidence of a page below which what was read is noise: Arabic gives 0.55, dim scans 0.9.
_LEAST_CONFIDENCE = 0.7
_GRID = 24


@dataclass(frozen=True, slots=True)
class FromPicture:
    """What OCR made of a page.

    Attributes:
        lines: its own lines and those of the picture that do not repeat them.
        read: whether the picture gave any line.
        confidence: mean over the picture's lines, or ``None``.
        turned: the picture's text does not stand upright.
        complete: False if time ran out before all was read, or reading failed.
        unread: a picture that may hold text was not read.
    """

    lines: PageLines
    read: bool = False
    confidence: float | None = None
    turned: bool = False
    complete: bool = True
    unread: bool = False


def needs_ocr(page: Any, lines: PageLines) -> bool:
    """Whether the picture of a ``pymupdf.Page`` says what its text layer does not."""
    if lines.garbled:
        return True
    words = sum(len(line.pieces) for line in lines.lines)
    if words > _MANY_WORDS or (lines.scan and words > _NO_WORDS):
        return False
    if page.first_widget is not None:
        return False  # a form's words are its fields'
    if words <= _NO_WORDS:
        drawn = [kind for kind, _ in page.get_bboxlog()]
        if (drawn and not words) or drawn.count("fill-path") >= _LETTERS:
            return True  # pictures, letters as shapes, or letters that stand for nothing
    least = _FEW_WORDS_COVER if words <= _FEW_WORDS else _SCANNED_COVER
    return _cover_without_text(page, lines.lines) >= least


def _cover_without_text(page: Any, lines: Sequence[Line]) -> float:
    """Share of the page's squares that lie in a picture and hold no word."""
    import pymupdf

    boxes = [pymupdf.Rect(info["bbox"]) * page.rotation_matrix for info in page.get_image_info()]
    boxes = [box & page.rect for box in boxes]
    if not any(box.get_area() for box in boxes):
        return 0.0
    width, height = page.rect.width / _GRID, page.rect.height / _GRID
    covered = {
        (column, row)
        for box in boxes
        for column in range(int(box.x0 / width), min(_GRID, int(box.x1 / width) + 1))
        for row in range(int(box.y0 / height), min(_GRID, int(box.y1 / height) + 1))
    }
    for line in lines:
        for piece in line.pieces:
            x, y = (piece.x0 + piece.x1) / 2, (piece.y0 + piece.y1) / 2
            covered.discard((int(x / width), int(y / height)))
    return len(covered) / _GRID**2


def with_picture(page: Any, lines: PageLines) -> FromPicture:
    """Adds what the picture of a ``pymupdf.Page`` says to its own lines.

    A failure of OCR leaves the page as its text layer has it.
    """
    try:
        return _with_picture(page, lines)
    except Exception as exc:  # noqa: BLE001 - OCR must never lose a page
        _LOG.warning("OCR failed on page %d: %s", page.number + 1, type(exc).__name__)
        return FromPicture(lines, complete=False)


def _with_picture(page: Any, lines: PageLines) -> FromPicture:
    import numpy as np

    from local_rag.adapters.ocr.reading import read_picture

    longest_pt = max(page.rect.width, page.rect.height, 1.0)
    dpi = min(_OCR_DPI, _LONGEST_PX * 72 / longest_pt)
    pixmap = page.get_pixmap(dpi=max(1, int(dpi)), alpha=False)
    picture = np.frombuffer(pixmap.samples, np.uint8).reshape(pixmap.h, pixmap.w, pixmap.n)
    found = read_picture(picture, 72 * pixmap.w / max(page.rect.width, 1.0), budget_s=_BUDGET_S)
    new = new_lines(found.lines.lines, lines)
    unread = bool(new) and not least_confidence_met(found.confidence)
    if unread:
        new = []  # a script that the networks do not know, or no text at all
    merged = PageLines(
        lines.width_pt,
        lines.height_pt,
        _placed(lines.lines, new),
        hidden_words=lines.hidden_words,
        scan=True,
        garbled=lines.garbled,
        content=lines.content,
    )
    return FromPicture(
        merged,
        read=bool(new),
        confidence=found.confidence if new else None,
        turned=found.turn_deg != 0,
        complete=found.complete,
        unread=unread,
    )


def least_confidence_met(confidence: float) -> bool:
    """Whether what was read from a picture with this mean confidence is taken for its text."""
    return confidence >= _LEAST_CONFIDENCE


def new_lines(read: Sequence[Line], lines: PageLines) -> list[Line]:
    """The lines read from a picture that do not repeat those of the page."""
    own = [piece[1:5] for line in lines.lines for piece in line.pieces]
    return [line for line in read if not _repeats(line, own)]


def _placed(own: Sequence[Line], new: Sequence[Line]) -> list[Line]:
    """The lines of the picture in their order, each own line before the first one below it."""
    placed = list(new)
    for line in own:
        at = next(
            (
                i
                for i, other in enumerate(placed)
                if other.y0 > line.y0 and other.x0 < line.x1 and line.x0 < other.x1
            ),
            len(placed),
        )
        placed.insert(at, line)
    return placed


def _repeats(line: Line, own: Sequence[tuple[float, ...]]) -> bool:
    """Whether most words of a line lie where the page has words of its own."""
    repeated = sum(any(_inside(piece[1:5], box) for box in own) for piece in line.pieces)
    return repeated * 2 >= len(line.pieces)


def _inside(box: tuple[float, ...], other: tuple[float, ...]) -> bool:
    x, y = (box[0] + box[2]) / 2, (box[1] + box[3]) / 2
    between = other[0] <= x <= other[2] and other[1] <= y <= other[3]
    ox, oy = (other[0] + other[2]) / 2, (other[1] + other[3]) / 2
    return between or (box[0] <= ox <= box[2] and box[1] <= oy <= box[3])
