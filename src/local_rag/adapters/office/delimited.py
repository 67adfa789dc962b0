"""Reads CSV and TSV files: one page, one table."""

from __future__ import annotations

import csv
import re
from itertools import pairwise
from typing import TYPE_CHECKING

from local_rag.adapters.decoding import decode_text
from local_rag.adapters.office.builder import PageBuilder, extraction_of
from local_rag.errors import TooLarge

if TYPE_CHECKING:
    from pathlib import Path

    from local_rag.model.document import Extraction
    from local_rag.ports import Progress

_DELIMITERS = ",;\t|^"
_SAMPLE_LINES = 200
_SAMPLE_CHARS = 64_000
_SEPARATOR_LINE = re.compile(r"(?i)sep=(.)\r?\n")
_DECIMAL_COMMAS = re.compile(r"(?:[^,]|(?<=\d),(?=\d))*")
_NUMBER = re.compile(r"[-+(]?[^\w\s]{0,2}\d[\d.,:/’' -]*(?:[eE][-+]?\d+)?[^\w\s]{0,2}\)?")
_YEARS = range(1800, 2200)
_MAX_CELLS = 2_000_000
_MAX_CELL_CHARS = 1_000_000


def read_csv(path: Path, progress: Progress | None = None) -> Extraction:
    """A file of values parted by commas, semicolons, tabs, bars or carets, whichever it is.

    Where the first row has numbers as the others do, it is no header, and the table has none.

    Raises:
        EmptyFile, WrongContent, TooLarge, NoText.
    """
    return _read(path, progress, ",")


def read_tsv(path: Path, progress: Progress | None = None) -> Extraction:
    """A file of values parted by tabs, unless it has none. Raises as ``read_csv``."""
    return _read(path, progress, "\t")


def _read(path: Path, progress: Progress | None, usual: str) -> Extraction:
    text = decode_text(path.read_bytes()).replace("\f", " ")
    said = _SEPARATOR_LINE.match(text)  # how Excel is told; no row of the table
    delimiter = said[1] if said else _delimiter(text, usual)
    text = text[said.end() :] if said else text
    builder = PageBuilder(1)
    rows = [row for row in _rows(text, delimiter) if any(map(str.strip, row))]
    builder.table(rows, has_header=_has_header(rows))
    extraction = extraction_of([builder])
    if progress is not None:
        progress(1, 1)
    return extraction


def _rows(text: str, delimiter: str) -> list[list[str]]:
    rows = []
    cells = 0
    before = csv.field_size_limit(_MAX_CELL_CHARS)
    try:
        lines = (line + "\n" for line in text.split("\n"))
        for row in csv.reader(lines, delimiter=delimiter):
            cells += len(row)
            if cells > _MAX_CELLS:
                raise TooLarge(
                    f"The table has more than {_MAX_CELLS:,} cells.",
                    fix="Split the table and send its parts.",
                )
            rows.append(row)
    except csv.Error as exc:
        raise TooLarge(
            f"A cell of the table holds more than {_MAX_CELL_CHARS:,} characters.",
            fix="Look for a quotation mark that is never closed.",
        ) from exc
    finally:
        csv.field_size_limit(before)
    return rows


def _delimiter(text: str, usual: str) -> str:
    """The character that parts the lines of the beginning into equal numbers of cells.

    ``csv.Sniffer`` takes letters for delimiters and stumbles over quoted newlines.
    """
    head = text[:_SAMPLE_CHARS]
    if len(head) < len(text):
        head = head[: head.rfind("\n") + 1] or head
    best, best_key = usual, (0.0, 0, -2, 0)
    is_decimal = _DECIMAL_COMMAS.fullmatch(head) is not None
    for delimiter in _DELIMITERS:
        try:
            lines = (line + "\n" for line in head.split("\n")[:_SAMPLE_LINES])
            widths = [len(row) for row in csv.reader(lines, delimiter=delimiter) if row]
        except csv.Error:
            continue
        if not widths:
            continue
        common = max(set(widths), key=lambda width: (widths.count(width), width))
        if common < 2:
            continue
        share = widths.count(common) / len(widths)
        # A comma that only ever stands between digits is a decimal sign, if all else agrees.
        is_usual = -1 if delimiter == "," and is_decimal else int(delimiter == usual)
        key = (round(share, 1), int(widths[0] == common), is_usual, common)
        if key > best_key:
            best, best_key = delimiter, key
    return best


def _has_header(rows: list[list[str]]) -> bool:
    """Whether the first row names the columns: unless it holds numbers where the others do.

    Years, and numbers that count the columns, are names too.
    """
    if len(rows) < 2:
        return True
    first, others = rows[0], rows[1:_SAMPLE_LINES]
    numbers = [at for at, cell in enumerate(first) if _NUMBER.fullmatch(cell.strip())]
    told = [first[at].strip() for at in numbers]
    whole = [int(text) for text in told if text.isdecimal() and len(text) < 10]
    counts = len(whole) == len(told) and all(b - a == 1 for a, b in pairwise(whole))
    if not numbers or (counts and (len(whole) > 1 or whole[0] in _YEARS)):
        return True
    if len(whole) == len(told) and all(number in _YEARS for number in whole):
        return True
    return not all(
        any(len(row) > at and _NUMBER.fullmatch(row[at].strip()) for row in others)
        for at in numbers
    )
