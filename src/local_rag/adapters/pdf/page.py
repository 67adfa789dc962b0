"""Reads one page: by its text layer, with the layout model, by OCR, or by several of them."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING, Any

from local_rag.adapters.pdf.diagram_rows import DiagramLine, DiagramRow, with_diagrams
from local_rag.adapters.pdf.diagrams import find_diagrams
from local_rag.adapters.pdf.fields import with_values
from local_rag.adapters.pdf.glyphs import letters_and_digits
from local_rag.adapters.pdf.layers import LayerChecks, is_of_another_text
from local_rag.adapters.pdf.layout import table_boxes
from local_rag.adapters.pdf.lines import read_lines
from local_rag.adapters.pdf.order import reading_order
from local_rag.adapters.pdf.pictures import pictures_of, with_pictures
from local_rag.adapters.pdf.rules import is_ruled
from local_rag.adapters.pdf.scanned import needs_ocr, with_picture
from local_rag.adapters.pdf.table_rows import TableRow, rows_with_tables, with_tables
from local_rag.adapters.pdf.tables import find_tables
from local_rag.model.document import PageReading
from local_rag.text.tokens import count_words

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from local_rag.adapters.pdf.lines import Line, PageLines
    from local_rag.adapters.pdf.rows import Row
    from local_rag.adapters.pdf.scanned import FromPicture
    from local_rag.model.document import PageFlag, PagePath

_FLOOR = 0.9
"""Share of a page's words below which its reading is not trusted."""


@dataclass(slots=True)
class ReadPage:
    """A page between reading and writing: rows, not yet text.

    Attributes:
        is_scan: the lines come from OCR, ours or the file's own; font sizes are guesses.
        native: the words of the text layer that can be seen.
        flags: what was noticed so far.
    """

    rows: list[Row] = field(default_factory=list)
    width_pt: float = 0.0
    height_pt: float = 0.0
    label: str | None = None
    is_scan: bool = False
    path: PagePath = "plain"
    native: list[str] = field(default_factory=list)
    ocr_confidence: float | None = None
    flags: set[PageFlag] = field(default_factory=set)

    @classmethod
    def of_failure(cls) -> ReadPage:
        """A page that could not be read."""
        return cls(path="failed", flags={"failed"})

    def reading(self, page_number: int, text: str, left_out: Iterable[Row]) -> PageReading:
        """How well the page was read.

        Args:
            text: as it is stored.
            left_out: rows that were left out on purpose, such as page numbers.
        """
        flags = set(self.flags)
        if any(isinstance(row, TableRow) for row in self.rows):
            flags.add("table")
        if any(isinstance(row, DiagramRow) for row in self.rows):
            flags.add("diagram")
        words = count_words(text)
        if not any(map(str.isalnum, text)):
            flags.add("no-text")
        expected = Counter(self.native)
        expected.subtract(piece.text for row in left_out for piece in row.pieces)
        coverage = _coverage(+expected, text) if self.native else None
        if coverage is not None and coverage < _FLOOR:
            flags.add("low-coverage")
        return PageReading(
            page_number,
            self.path,
            tuple(sorted(flags)),
            len(self.native),
            words,
            coverage,
            self.ocr_confidence,
        )


def read_page(
    document: Any,
    index: int,
    *,
    labelled: bool,
    is_form: bool,
    layers: LayerChecks | None = None,
) -> ReadPage:
    """The rows of one page of a ``pymupdf.Document`` in reading order, and how they were found.

    Args:
        layers: that of the document; by itself the page is looked at as a first one.
    """
    page = document.load_page(index)
    lines = read_lines(page)
    made = ReadPage(width_pt=lines.width_pt, height_pt=lines.height_pt)
    made.label = (page.get_label() or None) if labelled else None
    made.native = [piece.text for line in lines.lines for piece in line.pieces]
    if lines.hidden_words:
        made.flags.add("hidden-text")
    if lines.garbled:
        made.flags.add("garbled")
    if lines.scan and lines.lines:
        made.flags.add("ocr")
    if needs_ocr(page, lines):
        lines = _by_ocr(made, lines, with_picture(page, lines))
    elif lines.scan and lines.lines:
        lines = _layer_or_picture(page, lines, made, layers or LayerChecks())
    elif pictures := pictures_of(page, lines):
        lines = _by_ocr(made, lines, with_pictures(page, lines, pictures))
    made.is_scan = lines.scan
    if page.rotation or _runs_sideways(lines.lines):
        made.flags.add("rotated")
    made.rows = _rows(page, lines, made, is_form=is_form)
    return made


def _layer_or_picture(
    page: Any, lines: PageLines, made: ReadPage, layers: LayerChecks
) -> PageLines:
    """The layer of a scan, or what OCR reads where the layer is of another text."""
    if not layers.doubts(page, lines):
        return lines
    found = with_picture(page, replace(lines, lines=[]))
    if not is_of_another_text(lines.lines, found.lines.lines, found.confidence or 0.0):
        return lines
    layers.refute()
    made.native = []
    made.flags.add("hidden-text")
    return _by_ocr(made, replace(lines, lines=[]), found)


def _by_ocr(made: ReadPage, lines: PageLines, found: FromPicture) -> PageLines:
    if found.read:
        made.path = "mixed" if lines.lines else "ocr"
        made.ocr_confidence = found.confidence
        made.flags.add("ocr")
        if found.turned:
            made.flags.add("rotated")
    if not found.complete:
        made.flags.add("slow")
    if found.unread:
        made.flags.add("unread-picture")
    return found.lines


def _rows(page: Any, lines: PageLines, made: ReadPage, *, is_form: bool) -> list[Row]:
    shown = with_diagrams(*find_diagrams(page, lines.content, lines.lines))
    plain = [line for line in shown if not isinstance(line, DiagramLine)]
    tables = find_tables(page, plain, table_boxes)
    if tables.slow:
        made.flags.add("slow")
    if tables.by_model and made.path == "plain":
        made.path = "layout"
    shown = with_tables(shown, tables.grids)
    ordered = reading_order(shown, partial(is_ruled, page))
    if _words_in(ordered) < _FLOOR * _words_in(lines.lines):
        ordered = lines.lines  # something was lost: the plain order keeps every line
        made.path = "plain" if made.path == "layout" else made.path
    if is_form:
        ordered = with_values(page, ordered)
    return rows_with_tables(ordered)


def _runs_sideways(lines: Sequence[Line]) -> bool:
    upright = sum(line.chars for line in lines if line.direction in (0, 4))
    return bool(lines) and upright * 2 < sum(line.chars for line in lines)


def _words_in(lines: Iterable[Line]) -> int:
    return sum(len(line.pieces) for line in lines)


def _coverage(expected: Mapping[str, int], text: str) -> float:
    """Share of the words that the text holds; one that a hyphen joined to another counts."""
    stored = {letters_and_digits(word) for word in text.split()}
    joined = ""
    words = held = 0
    for word, count in expected.items():
        key = letters_and_digits(word)
        if not key:
            continue
        words += count
        if key in stored:
            held += count
        else:
            joined = joined or letters_and_digits(text)
            held += count * (key in joined)
    return held / words if words else 1.0
