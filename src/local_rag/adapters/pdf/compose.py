"""Writes the paragraphs of a page as one text, and notes where each word of it is drawn."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from itertools import groupby
from typing import TYPE_CHECKING, NamedTuple

from local_rag.adapters.pdf.code import indents
from local_rag.adapters.pdf.diagram_rows import DiagramRow
from local_rag.adapters.pdf.glyphs import written_without_spaces
from local_rag.adapters.pdf.sheet import facing
from local_rag.adapters.pdf.table_rows import TableRow
from local_rag.model.document import Word

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from local_rag.adapters.pdf.grid import Cell
    from local_rag.adapters.pdf.lines import Piece
    from local_rag.adapters.pdf.rows import Row

LEADER = re.compile(r"[.·]{4,}|…{2,}")
_DOTS = ".·…"
_LEADER_DOTS = 4
_HYPHENS = ("-", "\u2010")
_TRIM = re.compile(r"^\W+|\W+$")
_LAST_PART = re.compile(r"[^\W\d_]+$")
_FIRST_PART = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)*")


class Vocabulary:
    """The words that occur whole in a document: what decides about a hyphen at a line end."""

    def __init__(self) -> None:
        self._words: set[str] = set()

    def learn(self, rows: Iterable[Row]) -> None:
        """Adds the words of a page, leaving out those that a line end cuts in two."""
        cut = False
        for row in rows:
            texts = [piece.text for piece in row.pieces]
            if cut:
                texts = texts[1:]
            cut = bool(texts) and texts[-1].endswith(_HYPHENS)
            if cut:
                texts.pop()
            self._words.update(texts)

    def seal(self) -> None:
        """Called once everything has been learnt: folds case and drops punctuation."""
        folded = {_TRIM.sub("", word).replace("\u2010", "-").casefold() for word in self._words}
        self._words = folded

    def keeps_hyphen(self, left: str, right: str, *, compound: bool = False) -> bool:
        """Whether ``left`` + "-" + ``right``, parted by a line end, is written with its hyphen.

        Args:
            left: the letters before the hyphen, at least one.
            right: the letters with which the next line begins.
            compound: another hyphen stands before ``left``, as in ``state-of-the-`` / ``art``.
        """
        a, b = left.casefold(), right.casefold()
        if a + b in self._words:
            return False
        if f"{a}-{b}" in self._words or (compound and a in self._words):
            return True
        return len(a) > 1 and a in self._words and b in self._words

    def has_joined(self, left: str, right: str) -> bool:
        """Whether the two occur as one word, and never with a hyphen."""
        a, b = left.casefold(), right.casefold()
        return a + b in self._words and f"{a}-{b}" not in self._words


class Heading(NamedTuple):
    """A heading on a page; ``start`` is an offset into the page's text."""

    level: int
    title: str
    start: int


class WrittenTable(NamedTuple):
    """A table on a page: its slice of the page's text, and the header that holds for it."""

    start: int
    end: int
    header: str


class WrittenDiagram(NamedTuple):
    """A diagram on a page: its slice of the page's text, and its arrows as sentences."""

    start: int
    end: int
    steps: str


@dataclass(slots=True)
class ComposedPage:
    """A page's text with what refers to it."""

    text: str
    words: list[Word]
    headings: list[Heading]
    tables: list[WrittenTable] = field(default_factory=list)
    diagrams: list[WrittenDiagram] = field(default_factory=list)


@dataclass(slots=True)
class _Writer:
    parts: list[str] = field(default_factory=list)
    words: list[Word] = field(default_factory=list)
    length: int = 0

    def put(self, text: str) -> None:
        self.parts.append(text)
        self.length += len(text)

    def put_piece(self, text: str, piece: Piece) -> None:
        _, x0, y0, x1, y1, *_ = piece
        start = self.length
        self.parts.append(text)
        self.length = end = start + len(text)
        self.words.append(Word(start, end, x0, y0, x1, y1))


def compose(paragraphs: Sequence[Sequence[Row]], vocabulary: Vocabulary) -> ComposedPage:
    """The page's text: one blank line between paragraphs, hyphenation at line ends undone."""
    writer = _Writer()
    headings: list[Heading] = []
    tables: list[WrittenTable] = []
    diagrams: list[WrittenDiagram] = []
    for rows in paragraphs:
        if writer.length:
            writer.put("\n\n")
        start = writer.length
        if isinstance(rows[0], TableRow):
            tables.append(_write_table(writer, rows[0], vocabulary))
            continue
        if isinstance(rows[0], DiagramRow):
            diagrams.append(_write_diagram(writer, rows[0], vocabulary))
            continue
        _write_paragraph(writer, rows, vocabulary)
        if rows[0].heading:
            title = rows[0].title or "".join(writer.parts)[start:]
            headings.append(Heading(rows[0].heading, title, start))
    return ComposedPage("".join(writer.parts), writer.words, headings, tables, diagrams)


def _write_paragraph(writer: _Writer, rows: Sequence[Row], vocabulary: Vocabulary) -> None:
    if rows[0].code:
        _write_code(writer, rows)
        return
    before: Piece | None = None
    for row in rows:
        new_row = before is not None
        for i, piece in enumerate(_without_leaders(row.pieces)):
            if before is None:
                pass
            elif new_row and i == 0:
                _join_rows(writer, before, piece, vocabulary)
            elif not piece.glued:
                writer.put(" ")
            writer.put_piece(piece.text, piece)
            before = piece


def _write_code(writer: _Writer, rows: Sequence[Row]) -> None:
    """Line by line, with as many spaces as the white is wide."""
    depths, width = indents(rows)
    for i, (row, depth) in enumerate(zip(rows, depths, strict=True)):
        if i:
            writer.put("\n")
        if writer.length:
            writer.put(" " * depth)
        right: float | None = None
        for piece in row.pieces:
            x0, _, x1, _ = facing(piece[1:5], row.direction)
            if right is not None and not piece.glued:
                writer.put(" " * max(1, round((x0 - right) / width) if width else 1))
            writer.put_piece(piece.text, piece)
            right = x1


def _without_leaders(pieces: list[Piece]) -> list[Piece]:
    """The words without the dots that lead from an entry to its page number."""
    joined = "".join(piece.text for piece in pieces)
    if not LEADER.search(joined):
        return pieces
    kept: list[Piece] = []
    for run, of_run in groupby(pieces, key=lambda piece: not piece.text.strip(_DOTS)):
        group = list(of_run)
        if not run:
            kept += [part for piece in group for part in _around_leader(piece)]
        elif sum(len(piece.text) for piece in group) < _LEADER_DOTS and "…" not in group[0].text:
            kept += group
    return kept or pieces


def _around_leader(piece: Piece) -> list[Piece]:
    """A word that the dots touch: "Introduction.....7" is two."""
    found = LEADER.search(piece.text)
    if found is None:
        return [piece]
    each = (piece.x1 - piece.x0) / len(piece.text)
    parts = [(0, found.start()), (found.end(), len(piece.text))]
    return [
        piece._replace(
            text=piece.text[start:end], x0=piece.x0 + start * each, x1=piece.x0 + end * each
        )
        for start, end in parts
        if start < end
    ]


def _write_diagram(writer: _Writer, row: DiagramRow, vocabulary: Vocabulary) -> WrittenDiagram:
    """One paragraph a box."""
    start = writer.length
    for number, part in enumerate(row.parts):
        if number:
            writer.put("\n\n")
        _write_paragraph(writer, part, vocabulary)
    return WrittenDiagram(start, writer.length, row.diagram.steps if row.diagram else "")


def _write_table(writer: _Writer, table: TableRow, vocabulary: Vocabulary) -> WrittenTable:
    """One row a line; below the header, if the table has one here, a line of dashes."""
    start = writer.length
    model = table.first or table
    header_rows = model.grid.header if model.grid is not None and table.has_header else 0
    for number, row in enumerate(table.rows, 1):
        if number > 1:
            writer.put("\n")
        for cell in row:
            writer.put("| ")
            _write_cell(writer, cell, vocabulary)
            writer.put(" " if cell else "")
        writer.put("|")
        if number == header_rows:
            writer.put("\n|" + " --- |" * len(row))
            table.written_header = "".join(writer.parts)[start:]
    return WrittenTable(start, writer.length, table.written_header or model.written_header)


def _write_cell(writer: _Writer, cell: Cell, vocabulary: Vocabulary) -> None:
    before: Piece | None = None
    for fragment in cell:
        for i, piece in enumerate(fragment.pieces):
            if before is not None and i == 0:
                _join_rows(writer, before, piece, vocabulary)
            elif before is not None and not piece.glued:
                writer.put(" ")
            writer.put_piece(piece.text.replace("|", "\\|"), piece)
            before = piece


def _join_rows(writer: _Writer, last: Piece, first: Piece, vocabulary: Vocabulary) -> None:
    """Writes what belongs between the last word of a row and the first of the next."""
    if last.soft or written_without_spaces(last.text[-1], first.text[0]):
        return
    if not last.text.endswith(_HYPHENS) or not first.text[0].isalnum():
        writer.put(" ")
        return
    left = _LAST_PART.search(last.text[:-1])
    right = _FIRST_PART.match(first.text)
    if left is None or right is None:
        # "2019-" / "2020", "non-" / "3D": the hyphen belongs to it. "- " alone is a dash.
        if len(last.text) == 1:
            writer.put(" ")
        return
    if left[0][-1].islower() and first.text[0].islower():
        compound = last.text[: left.start()].endswith(_HYPHENS)
        joined = not vocabulary.keeps_hyphen(left[0], right[0], compound=compound)
    else:
        # "Trace-" / "Monkey": only a document that writes it in one word elsewhere says so.
        joined = vocabulary.has_joined(left[0], right[0])
    if joined:
        _drop_hyphen(writer)


def _drop_hyphen(writer: _Writer) -> None:
    word = writer.words[-1]
    if word.end - word.start < 2:
        return
    writer.parts[-1] = writer.parts[-1][:-1]
    writer.length -= 1
    writer.words[-1] = word._replace(end=word.end - 1)
