"""Which rows the entries of a file's outline name."""

from __future__ import annotations

from typing import TYPE_CHECKING

from local_rag.adapters.pdf.glyphs import letters_and_digits
from local_rag.adapters.pdf.heading_labels import NUMBER

if TYPE_CHECKING:
    from collections.abc import Sequence

    from local_rag.adapters.pdf.rows import Row

_MAX_ROWS = 3


def mark_by_outline(pages: Sequence[Sequence[Row]], outline: Sequence[Sequence[object]]) -> bool:
    """Marks the rows that the outline's titles name.

    Args:
        outline: entries (level, title, page number), as ``pymupdf.Document.get_toc`` has them.

    Returns:
        Whether the outline describes this document: at least two of its titles, and half of
        them, were found on their pages. Nothing is marked otherwise.
    """
    found: list[tuple[int, str, list[Row]]] = []
    taken: set[int] = set()
    keys: dict[int, list[tuple[str, str]]] = {}
    for level, title, page_number, *_ in outline:
        title = str(title)
        rows = _locate(pages, keys, title, int(str(page_number)) - 1, taken)
        if rows:
            taken.update(id(row) for row in rows)
            found.append((int(str(level)), title, rows))
    if len(found) < 2 or 2 * len(found) < len(outline):
        return False
    for number, (level, title, rows) in enumerate(found):
        for row in rows:
            row.heading, row.heading_id, row.title = level, number, title
    return True


def _locate(
    pages: Sequence[Sequence[Row]],
    keys: dict[int, list[tuple[str, str]]],
    title: str,
    page: int,
    taken: set[int],
) -> list[Row]:
    wanted = set(_keys(title)) - {""}
    for at in (page, page + 1, page - 1):
        if not 0 <= at < len(pages):
            continue
        rows = pages[at]
        if at not in keys:
            keys[at] = [_keys(row.text) for row in rows]
        places = [
            place
            for i in range(len(rows))
            if id(rows[i]) not in taken and (place := _matches(rows, keys[at], i, wanted))
        ]
        if not places:
            places = [
                [row]
                for row in rows
                if row.tabular and id(row) not in taken and wanted & {*_keys(row.lines[0].text)}
            ]
        if places:
            # The title may also stand in a running head or a table of contents: the largest wins.
            return max(places, key=lambda place: (place[0].size, place[0].bold))
    return []


def _keys(text: str) -> tuple[str, str]:
    """What to compare titles by: with their numbering, and without."""
    key = letters_and_digits(text)
    number = NUMBER.match(text)
    return key, letters_and_digits(text[number.end() :]) if number else key


def _matches(
    rows: Sequence[Row], keys: list[tuple[str, str]], i: int, wanted: set[str]
) -> list[Row]:
    """The rows from the i-th on that together read as the title, or none."""
    for joined in set(keys[i]):
        if not joined or not any(title.startswith(joined) for title in wanted):
            continue
        for k in range(i, min(i + _MAX_ROWS, len(rows))):
            if k > i:
                joined += keys[k][0]
            if joined in wanted:
                return list(rows[i : k + 1])
    return []
