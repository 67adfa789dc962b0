"""Tables in the evidence: a row answers with the names of its columns."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from local_rag.generate.units import language_of
from local_rag.text.tokens import tokenize

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from local_rag.generate.units import Unit
    from local_rag.model.evidence import Evidence

_DASHES = re.compile(r"[ \t]*\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*")
_BAR = re.compile(r"(?<!\\)\|")
_BREAK = re.compile(r"<br\s*/?>", re.IGNORECASE)
MARK = re.compile(r"\s*\[\d{1,3}\]")
_COUNT = re.compile(r"#|№|n[°ºro]\.?|num\.?|pos\.?|lfd\.? ?nr\.?|id|序号|编号", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Row:
    """A row: ``evidence.chunk.text[start:end]``.

    Attributes:
        cells: as they are shown, one for each column.
        tokens: of each cell.
        label_at: the column that names the row: the first that is filled and not just a count.
    """

    evidence_index: int
    start: int
    end: int
    cells: tuple[str, ...]
    tokens: tuple[frozenset[str], ...]
    label_at: int

    @property
    def all_tokens(self) -> frozenset[str]:
        """Of all its cells."""
        return frozenset().union(*self.tokens)


@dataclass(frozen=True, slots=True)
class Grid:
    """A table, or the part of it that a passage holds.

    Attributes:
        columns: their names; empty where nothing names them.
        caption: tokens of the paragraph or heading right above it.
        around: tokens of that and of the passage's headings and its document's title.
    """

    evidence_index: int
    document_id: str
    columns: tuple[str, ...]
    column_tokens: tuple[frozenset[str], ...]
    caption: frozenset[str]
    around: frozenset[str]
    rows: tuple[Row, ...]


def grids_of(
    units: Sequence[Unit], evidence: Sequence[Evidence], headings: Mapping[int, frozenset[str]]
) -> list[Grid]:
    """The tables that the units are rows of.

    Args:
        headings: tokens of each passage's headings and title, by its index.
    """
    found = []
    for index, row in enumerate(evidence):
        allowed = {u.start for u in units if u.evidence_index == index and u.kind == "row"}
        if not allowed:
            continue
        language = language_of(row)
        for lines, above in _runs(row.chunk.text):
            header, body = _parted([text for _, text in lines])
            if not header:
                header = _header_of(row.chunk.lead)
            columns = _names(header)
            rows = tuple(
                _row(index, start, text, language, columns)
                for start, text in lines[body:]
                if start in allowed
            )
            if rows:
                tokens = tuple(frozenset(tokenize(name, language)) for name in columns)
                caption = frozenset(tokenize(above, language))
                around = headings.get(index, frozenset()) | caption
                document_id = row.chunk.document_id
                found.append(Grid(index, document_id, columns, tokens, caption, around, rows))
    return found


def _runs(text: str) -> Iterator[tuple[list[tuple[int, str]], str]]:
    """Neighbouring lines that begin with a bar, with their offsets; and the paragraph above."""
    at = 0
    run: list[tuple[int, str]] = []
    above = before = ""
    for line in text.split("\n"):
        stripped = line.strip()
        if stripped.startswith("|"):
            if not run:
                before = above
            run.append((at + line.index("|"), stripped))
        else:
            if run:
                yield run, before
                run, above = [], ""
            above = stripped or above
        at += len(line) + 1
    if run:
        yield run, before


def _parted(lines: Sequence[str]) -> tuple[list[str], int]:
    """The lines above the line of dashes, and the index of the first one below it."""
    for i, line in enumerate(lines):
        if _DASHES.fullmatch(line):
            return list(lines[:i]), i + 1
    return [], 0


def _header_of(lead: str) -> list[str]:
    lines = [line.strip() for line in lead.split("\n") if "|" in line]
    return _parted(lines)[0]


def cells_of(line: str) -> tuple[str, ...]:
    """The cells of a row of a Markdown table, as they are shown."""
    inner = line.strip().removeprefix("|")
    if inner.endswith("|") and not inner.endswith("\\|"):
        inner = inner[:-1]
    return tuple(
        " ".join(_BREAK.sub(" ", cell).replace("\\|", "|").replace("**", "").split())
        for cell in _BAR.split(inner)
    )


def _names(header: Sequence[str]) -> tuple[str, ...]:
    """One name for each column; a name that spans columns is given to each of them."""
    rows = [list(cells_of(line)) for line in header]
    for row in rows[:-1]:
        if row[0]:
            continue
        for i in range(1, len(row)):
            row[i] = row[i] or row[i - 1]
    width = max(map(len, rows), default=0)
    columns = [[row[i] for row in rows if i < len(row) and row[i]] for i in range(width)]
    return tuple(" ".join(dict.fromkeys(parts)) for parts in columns)


def _row(index: int, start: int, text: str, language: str, columns: Sequence[str]) -> Row:
    cells = cells_of(text)
    tokens = tuple(frozenset(tokenize(cell, language)) for cell in cells)
    filled = [i for i, cell in enumerate(cells) if cell]
    naming = [i for i in filled if i >= len(columns) or not _COUNT.fullmatch(columns[i])]
    label_at = next(iter(naming or filled), 0)
    return Row(index, start, start + len(text), cells, tokens, label_at)


def shown(row: Row, grid: Grid, columns: Sequence[int] = ()) -> str:
    """The row in words: ``row: column = value; column = value``.

    Args:
        columns: those to show; all of them where it is empty or they hold nothing in this row.
    """
    label = row.label_at
    others = [i for i, cell in enumerate(row.cells) if cell and i != label]
    chosen = [i for i in others if i in columns] or others
    if not _has_letters(row.cells[label]) and not any(map(_has_letters, _cells(row, chosen))):
        chosen = sorted({*chosen, *[i for i in others if _has_letters(row.cells[i])][:1]})
    if not any(grid.columns):
        return "; ".join(row.cells[i] for i in sorted([label, *others]))
    pairs = []
    for i in chosen:
        name = grid.columns[i] if i < len(grid.columns) else ""
        pairs.append(f"{name} = {row.cells[i]}" if name else row.cells[i])
    name = MARK.sub("", row.cells[label])
    return f"{name}: {'; '.join(pairs)}" if pairs else name


def _cells(row: Row, columns: Iterable[int]) -> Iterator[str]:
    return (row.cells[i] for i in columns)


def _has_letters(cell: str) -> bool:
    """Whether it can name something: a mere number does not say what the row is of."""
    return any(map(str.isalpha, cell))
