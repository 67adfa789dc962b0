"""Whether a number of a claim stands in the row and the column of a table that the claim names."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from local_rag.text.held import content_words, holds_word, vocabulary
from local_rag.text.quantities import quantities_in

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from local_rag.text.quantities import Quantity

_BAR = re.compile(r"(?<!\\)\|")
_RULE = re.compile(r"[\s|:-]*-{3}[\s|:-]*")
_CLAUSE = re.compile(r"[;；]\s*|,\s|\s(?:and|und|et|y|e)\s")
_PLAIN_NUMBER = re.compile(r"[\d\s.,%€$£¥+−-]*")


class _Row(NamedTuple):
    """A row of a table with the cells of its header, ``()`` where it has none."""

    cells: tuple[str, ...]
    header: tuple[str, ...]


def misplaced(claim: str, cited: str, languages: tuple[str, str]) -> list[Quantity]:
    """The numbers that the table has in another row or column than those that the claim names.

    A row is named by all words of its first cell or of a code in it; where the words of two rows
    are said, that with more of them is meant. Numbers that stand outside the tables are left alone.

    Args:
        languages: of the claim and of the text.
    """
    rows = list(_rows(cited))
    if not rows:
        return []
    prose = "\n".join(line for line in cited.splitlines() if not line.lstrip().startswith("|"))
    free = {v for q in quantities_in(prose, languages[1]) for v in q.values}
    found = []
    for clause in _clauses(claim, rows, languages):
        named = _named(clause, rows, languages)
        if not named:
            continue
        for number in quantities_in(clause, languages[0]):
            if not number.sure or free.intersection(number.values):
                continue
            everywhere = [(row, _columns(row, number, languages)) for row in rows]
            own = [(row, columns) for row, columns in everywhere if row in named and columns]
            if any(columns for _, columns in everywhere) and (
                not own or all(_is_other(clause, *one, languages) for one in own)
            ):
                found.append(number)
    return found


def _rows(cited: str) -> Iterator[_Row]:
    header: tuple[str, ...] = ()
    before: tuple[str, ...] = ()
    for line in cited.splitlines():
        bare = line.strip()
        if not bare.startswith("|"):
            if bare:
                header = before = ()
            continue
        if _RULE.fullmatch(bare):
            header = before
            continue
        if before and before != header:  # that comes again before a further part of the table
            yield _Row(before, header if len(header) == len(before) else ())
        before = tuple(cell.strip() for cell in _BAR.split(bare.strip("|")))
    if before and before != header:
        yield _Row(before, header if len(header) == len(before) else ())


def _clauses(claim: str, rows: Sequence[_Row], languages: tuple[str, str]) -> list[str]:
    """The clauses of a claim, if each names a row of its own; else all of it."""
    clauses = [clause for clause in _CLAUSE.split(claim) if clause.strip()]
    return clauses if all(_named(c, rows, languages) for c in clauses) else [claim]


def _named(claim: str, rows: Sequence[_Row], languages: tuple[str, str]) -> list[_Row]:
    said = vocabulary(claim, languages)
    sizes = [max(_size(cell, said, languages[1]) for cell in _labels(row)) for row in rows]
    most = max(sizes, default=0)
    return [row for row, size in zip(rows, sizes, strict=True) if size == most] if most else []


def _labels(row: _Row) -> list[str]:
    """The first cell of a row and the codes in it."""
    return [row.cells[0], *(c for c in row.cells[1:] if re.search(r"[^\W\d_]-?\d", c))]


def _size(label: str, said: frozenset[str], language: str) -> int:
    """How many words a label has, if a claim says all of them."""
    words = content_words(label, language)
    held = all(holds_word(said, word, tokens, language) for word, tokens in words.items())
    lettered = any(map(str.isalpha, label))
    return len(words) if words and held and lettered else 0


def _columns(row: _Row, number: Quantity, languages: tuple[str, str]) -> list[int]:
    return [
        column
        for column, cell in enumerate(row.cells)
        if any(set(q.values).intersection(number.values) for q in quantities_in(cell, languages[1]))
    ]


def _is_other(claim: str, row: _Row, columns: Sequence[int], languages: tuple[str, str]) -> bool:
    """Whether the claim names another column with a number, and none that has this one."""
    if not row.header or 0 in columns:
        return False
    said = vocabulary(claim, languages)
    named = [
        column
        for column, title in enumerate(row.header)
        if column
        and _PLAIN_NUMBER.fullmatch(row.cells[column])
        and any(
            holds_word(said, word, tokens, languages[1])
            for word, tokens in content_words(title, languages[1]).items()
        )
    ]
    return bool(named) and not set(named).intersection(columns)
