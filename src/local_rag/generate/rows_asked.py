"""Which rows and columns of a table a question asks for."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from local_rag.generate.cues import is_soft
from local_rag.generate.tables import MARK
from local_rag.generate.terms import strengths_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from local_rag.generate.score import Query
    from local_rag.generate.tables import Grid, Row
    from local_rag.generate.terms import Term

_WORD = re.compile(r"\w+")
_COUNTED = re.compile(r"\bhow many (\w+)", re.IGNORECASE)
_YES_NO = re.compile(
    r"(?:can|could|may|must|should|do|does|did|will|would|is|are|was|were|has|have|am|darf|dürfen"
    r"|kann|können|muss|müssen|ist|sind|hat|haben|gibt|peut|puis|est-ce|puedo|puede|posso|può)\b",
    re.IGNORECASE,
)
_OF_TWO = re.compile(r"\s(?:or|oder|ou|o)\s", re.IGNORECASE)  # one of the two is asked for
_COUNTED_SHARE = 0.5  # "how many packs are left?" does not ask for the column "Pack of"
_LEAST_COVERED = 0.6
_HELD = 0.5
_MOST_ROWS = 12


@dataclass(frozen=True, slots=True)
class Matched:
    """The rows that a question asks for.

    Attributes:
        covered: share of the question that they hold together with the names of their columns.
        columns: those that the question names; empty for all.
    """

    grid: Grid
    rows: tuple[Row, ...]
    covered: float
    columns: tuple[int, ...]


def best_rows(query: Query, grids: Sequence[Grid]) -> Matched | None:
    """The rows of the table that holds most of the question, if one holds enough of it.

    Of a table that several passages hold parts of, the rows of all of them.
    """
    matches = [match for grid in grids if (match := _matched(query, grid))]
    best = max(matches, key=lambda match: match.covered, default=None)
    if best is None or not any(best.grid.columns):
        return best
    parts = [m for m in matches if _is_same_table(m, best) and m.covered > best.covered - 1e-9]
    rows = tuple(row for part in parts for row in part.rows)
    return best if len(rows) > _MOST_ROWS else replace(best, rows=rows)


def _is_same_table(left: Matched, right: Matched) -> bool:
    return (left.grid.columns, left.grid.document_id, left.columns) == (
        right.grid.columns,
        right.grid.document_id,
        right.columns,
    )


def beside_the_point(query: Query, grids: Sequence[Grid]) -> list[Grid]:
    """All tables, where a question for yes or no has a word that none of them has.

    "Can the loan of a saw be extended?" is not told by the saw's price.
    """
    if not _YES_NO.match(query.text.strip()) or _OF_TWO.search(query.text):
        return []
    for grid in grids:
        strength = _strengths(query.terms, grid)
        said = grid.around.union(*grid.column_tokens, *(row.all_tokens for row in grid.rows))
        if all(strength(i, said) for i in range(len(query.terms))):
            return []
    return list(grids)


def _matched(query: Query, grid: Grid) -> Matched | None:
    strength = _strengths(query.terms, grid)
    named = _rows_named(query.text, grid)
    scores = [
        sum(term.weight * strength(i, row.all_tokens) for i, term in enumerate(query.terms))
        for row in grid.rows
    ]
    best = max(scores, default=0.0)
    if named:
        best = max(scores[grid.rows.index(row)] for row in named)
    rows = named or tuple(
        row for row, score in zip(grid.rows, scores, strict=True) if best and score >= best - 1e-9
    )
    if not best or not rows or len(rows) > _MOST_ROWS:
        return None
    said = rows[0].all_tokens.union(grid.around, *grid.column_tokens)
    held = [strength(i, said) for i in range(len(query.terms))]
    if any(term.named and value < _HELD for term, value in zip(query.terms, held, strict=True)):
        return None
    # A table's words are few: IDF would say that a word which none of them is means everything.
    total = sum(term.plain_weight for term in query.terms) or 1.0
    covered = sum(t.plain_weight * h for t, h in zip(query.terms, held, strict=True)) / total
    if covered < _LEAST_COVERED:
        return None
    return Matched(grid, rows, covered, _columns_asked(query, strength, grid, rows))


def _columns_asked(
    query: Query, strength: _Strength, grid: Grid, rows: Sequence[Row]
) -> tuple[int, ...]:
    """The columns that hold most of what the rows' label does not; none where it is not known.

    That is so where what is counted is all that a column holds, or several columns share a word,
    and another word of the question is nowhere in the table: it may mean any column.
    """
    terms, label = query.terms, rows[0].tokens[rows[0].label_at]
    counted = _COUNTED.search(query.text)
    weights = [
        t.weight * (_COUNTED_SHARE if counted and t.surface == counted[1] else 1.0) for t in terms
    ]
    free = [i for i in range(len(terms)) if strength(i, label) < _HELD]
    values = [sum(weights[i] * strength(i, tokens) for i in free) for tokens in grid.column_tokens]
    best = max(values, default=0.0)
    asked = tuple(i for i, value in enumerate(values) if best and value >= best - 1e-9)
    said = rows[0].all_tokens.union(grid.around, *grid.column_tokens)
    missing = any(not strength(i, said) and not is_soft(terms[i].surface) for i in free)
    names = frozenset().union(*(grid.column_tokens[i] for i in asked))
    held = {terms[i].surface for i in free if strength(i, names)}
    only_counted = counted is not None and held == {counted[1]}
    return () if missing and (only_counted or len(asked) > len(held) == 1) else asked


def _rows_named(question: str, grid: Grid) -> tuple[Row, ...]:
    """The rows whose whole label stands in the question, the longest label's first of all."""
    asked = _WORD.findall(question.casefold())
    lengths = []
    for row in grid.rows:
        label = _WORD.findall(MARK.sub("", row.cells[row.label_at]).casefold())
        n = len(label)
        inside = n and any(asked[i : i + n] == label for i in range(len(asked) - n + 1))
        lengths.append(n if inside else 0)
    longest = max(lengths, default=0)
    return tuple(row for row, n in zip(grid.rows, lengths, strict=True) if longest and n == longest)


class _Strength:
    """How well tokens of a table hold a word of the question, by the word's position."""

    def __init__(self, found: Sequence[Mapping[str, float]]) -> None:
        self._found = found

    def __call__(self, position: int, tokens: frozenset[str]) -> float:
        found = self._found[position]
        return max((value for token, value in found.items() if token in tokens), default=0.0)


def _strengths(terms: Sequence[Term], grid: Grid) -> _Strength:
    vocabulary = grid.around.union(*grid.column_tokens, *(row.all_tokens for row in grid.rows))
    return _Strength([strengths_of(term.forms, vocabulary) for term in terms])
