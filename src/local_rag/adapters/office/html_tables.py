"""Tables and lists of an HTML page."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from local_rag.adapters.office.html_steps import steps

if TYPE_CHECKING:
    from collections.abc import Callable

    from selectolax.lexbor import LexborNode

HEADINGS = {f"h{level}": level for level in range(1, 7)}
_MAX_SPAN = 1000
_LETTERS = 26


def data_tables(root: LexborNode) -> set[int]:
    """The tables that are tables, and not a way to arrange blocks on the page."""
    data: set[int] = set()
    open_tables: list[list[int]] = []  # cells, signs of a table, signs of an arrangement
    for node, entering, _ in steps(root):
        tag = node.tag
        if tag == "table":
            if entering:
                if open_tables:
                    open_tables[-1][2] += 1
                arranged = (node.attributes.get("role") or "").lower() in ("presentation", "none")
                open_tables.append([0, 0, 100 if arranged else 0])
            else:
                cells, signs, against = open_tables.pop()
                if cells > 1 and against < 100 and (signs or not against):
                    data.add(node.mem_id)
        elif open_tables and entering:
            if tag in ("td", "th"):
                open_tables[-1][0] += 1
            if tag in ("th", "thead"):
                open_tables[-1][1] += 1
            elif tag in HEADINGS or tag == "pre":
                open_tables[-1][2] += 1
    return data


@dataclass(slots=True)
class OpenList:
    """An open list and the number of its next item; ``None``: without numbers."""

    number: int | None
    kind: str
    step: int

    @classmethod
    def of(cls, tag: str, attributes: dict[str, str | None]) -> OpenList:
        """The list that an element opens."""
        if tag != "ol":
            return cls(None, "", 0)
        step = -1 if "reversed" in attributes else 1
        return cls(_integer(attributes.get("start"), 1), attributes.get("type") or "1", step)

    def next_marker(self, attributes: dict[str, str | None]) -> str:
        """What stands before the next item."""
        if self.number is None:
            return "-"
        number = _integer(attributes.get("value"), self.number)
        self.number = number + self.step
        if self.kind in "aA" and 1 <= number <= _LETTERS:
            return f"{chr(ord(self.kind) + number - 1)}."
        return f"{number}."


class Grid:
    """The cells of the table that is being read; what is nested in a cell is flattened."""

    def __init__(self, mem_id: int) -> None:
        self.mem_id = mem_id
        self._rows: list[list[str]] = []
        self._below: dict[int, int] = {}  # column: rows that a cell above still covers
        self._open = False
        self._depth = 0
        self._span = 1, 1

    def enter(self, tag: str, attributes: dict[str, str | None], take: Callable[[], str]) -> None:
        """Counts on: a row or a cell begins."""
        if tag == "table":
            self._depth += 1
        if self._depth:
            return
        if tag == "tr":
            self._close(take)
            self._rows.append([])
            self._below = {c: left - 1 for c, left in self._below.items() if left > 1}
        elif tag in ("td", "th"):
            self._close(take)
            if not self._rows:
                self._rows.append([])
            self._open = True
            self._span = (
                min(_MAX_SPAN, max(1, _integer(attributes.get("colspan"), 1))),
                min(_MAX_SPAN, max(1, _integer(attributes.get("rowspan"), 1))),
            )

    def leave_nested(self) -> None:
        """A table inside a cell has ended."""
        self._depth = max(0, self._depth - 1)

    @property
    def is_nested(self) -> bool:
        """Whether a table inside a cell is open."""
        return self._depth > 0

    def finished(self, take: Callable[[], str]) -> list[list[str]]:
        """The rows, once the table has ended."""
        self._close(take)
        return self._rows

    def _close(self, take: Callable[[], str]) -> None:
        text = take()
        if not self._open:
            return
        self._open = False
        row = self._rows[-1]
        while self._below.get(len(row)):
            row.append("")
        columns, rows = self._span
        if rows > 1:
            # The row that follows takes one off.
            self._below.update(dict.fromkeys(range(len(row), len(row) + columns), rows))
        row.append(text)
        row.extend([""] * (columns - 1))


def _integer(text: str | None, default: int) -> int:
    try:
        return int(text) if text and len(text) < 10 else default
    except ValueError:
        return default
