"""The blocks of a Word document, out of whatever they are wrapped in."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from local_rag.adapters.office.opc import child, is_on, local

if TYPE_CHECKING:
    from collections.abc import Iterator

DROPPED = frozenset(("del", "moveFrom", "Fallback", "pPr", "rPr", "rt", "sdtPr", "tblPr", "trPr"))
_MAX_SPAN = 200


def blocks_of(container: Any) -> Iterator[Any]:
    """Paragraphs and tables in order, out of content controls and insertions too."""
    return within(container, "p", "tbl")


def within(container: Any, *names: str) -> Iterator[Any]:
    """The elements of these names in order, out of whatever they are wrapped in."""
    for element in container:
        name = local(element)
        if name in names:
            yield element
        elif name not in DROPPED:
            yield from within(element, *names)


def rows_of(table: Any) -> Iterator[Any]:
    """The rows of a table that are shown."""
    for row in within(table, "tr"):
        properties = child(row, "trPr")
        if child(properties, "del") is None and not is_on(child(properties, "hidden")):
            yield row


def cells_of(row: Any) -> Iterator[Any]:
    """The cells of a row."""
    return within(row, "tc")


def span(text: str | None, default: int) -> int:
    """A number of columns, within reason."""
    return min(_MAX_SPAN, int(text)) if text and text.isdecimal() else default
