"""Writes the tree of an HTML page as blocks of text: what a reader of the page sees, all of it."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from selectolax.lexbor import LexborHTMLParser, LexborNode

    from local_rag.adapters.office.builder import PageBuilder

_BLOCKS_LISTED = (
    "address article aside blockquote body button caption center dd details dialog dir div dl dt "
    "fieldset figcaption figure footer form header hgroup hr html legend li main menu nav ol "
    "optgroup option p pre search section summary table tbody td textarea tfoot th thead title tr "
    "ul"
)
_BLOCKS = frozenset(_BLOCKS_LISTED.split())
_HEADINGS = {f"h{level}": level for level in range(1, 7)}
_LISTS = frozenset(("ul", "ol", "menu", "dir"))
_NEVER_SHOWN_LISTED = (
    "head script style template noscript iframe noembed noframes object audio video canvas "
    "datalist annotation annotation-xml rp"
)
_NEVER_SHOWN = frozenset(_NEVER_SHOWN_LISTED.split())
_HIDING = re.compile(
    r"display\s*:\s*none|visibility\s*:\s*(?:hidden|collapse)"
    r"|(?:font-size|opacity)\s*:\s*0*\.?0+(?:px|pt|em|rem|%)?\s*(?:[;!]|$)",
    re.IGNORECASE,
)
_SPACE = re.compile(r"[ \t\n\r\f\v]+")
_MAX_SPAN = 1000
_LETTERS = 26


@dataclass(slots=True)
class Written:
    """What a page says of itself.

    Attributes:
        anchors: offset of the block in which each id stands.
    """

    title: str | None = None
    anchors: dict[str, int] = field(default_factory=dict)


def write_page(tree: LexborHTMLParser, builder: PageBuilder) -> Written:
    """Writes the page's text into the builder."""
    written = Written()
    root = tree.root
    if root is None:
        return written
    if tree.head is not None:
        title = tree.head.css_first("title")
        written.title = title.text(deep=True) if title is not None else None
    _Writer(builder, written, _data_tables(root)).write(root)
    return written


def _steps(root: LexborNode) -> Iterator[tuple[LexborNode, bool, list[bool]]]:
    """Each node on entering and each element on leaving; the list takes ``True`` to skip it.

    Without recursion: pages nest as deep as they like.
    """
    open_nodes: list[LexborNode] = []
    node: LexborNode | None = root
    while node is not None:
        skip = [False]
        yield node, True, skip
        child = None if skip[0] else node.first_child
        if child is not None:
            open_nodes.append(node)
            node = child
            continue
        if not skip[0]:
            yield node, False, skip
        while open_nodes and node.next is None:
            node = open_nodes.pop()
            yield node, False, skip
        node = node.next if open_nodes else None


def _data_tables(root: LexborNode) -> set[int]:
    """The tables that are tables, and not a way to arrange blocks on the page."""
    data: set[int] = set()
    open_tables: list[list[int]] = []  # cells, signs of a table, signs of an arrangement
    for node, entering, _ in _steps(root):
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
            elif tag in _HEADINGS or tag == "pre":
                open_tables[-1][2] += 1
    return data


class _Writer:
    """The state of a walk over a page."""

    def __init__(self, builder: PageBuilder, written: Written, data_tables: set[int]) -> None:
        self._builder = builder
        self._written = written
        self._data_tables = data_tables
        self._inline: list[str] = []
        self._ids: list[str] = []
        self._lists: list[_List] = []
        self._marker: str | None = None
        self._level = 0
        self._pre = 0
        self._table: _Grid | None = None

    def write(self, root: LexborNode) -> None:
        for node, entering, skip in _steps(root):
            if node.is_text_node:
                if entering:
                    self._text(node.text_content or "")
            elif node.is_element_node:
                if entering:
                    skip[0] = self._enter(node)
                else:
                    self._leave(node)
        self._flush()

    def _text(self, text: str) -> None:
        self._inline.append(text if self._pre else _SPACE.sub(" ", text))

    def _enter(self, node: LexborNode) -> bool:
        """Whether the element and all in it is left out."""
        tag = node.tag or ""
        attributes = node.attributes
        if tag in _NEVER_SHOWN:
            return True
        if attributes and _is_hidden(attributes):
            if node.text(deep=True, strip=True):
                self._builder.hidden = True
            return True
        if self._table is not None:
            self._table.enter(tag, attributes, self._take)
            if tag in _BLOCKS:
                self._inline.append(" ")
        elif tag in _BLOCKS or tag in _HEADINGS:
            self._end_block()
            self._enter_block(tag, node)
        if attributes.get("id"):
            self._ids.append(attributes["id"] or "")
        if tag == "br":
            self._inline.append("\n")
        elif tag == "img" and attributes.get("alt"):
            self._inline.append(f" {attributes['alt']} ")
        return False

    def _enter_block(self, tag: str, node: LexborNode) -> None:
        if tag in _HEADINGS:
            self._level = _HEADINGS[tag]
        elif tag in _LISTS:
            self._lists.append(_List.of(tag, node.attributes))
        elif tag == "li":
            self._marker = self._lists[-1].next_marker(node.attributes) if self._lists else "-"
        elif tag == "pre":
            self._pre += 1
        elif tag == "table" and node.mem_id in self._data_tables:
            self._table = _Grid(node.mem_id)

    def _leave(self, node: LexborNode) -> None:
        tag = node.tag or ""
        if self._table is not None:
            self._leave_in_table(self._table, node)
            return
        if tag == "pre":
            self._flush()
        elif tag in _BLOCKS or tag in _HEADINGS:
            self._end_block()
        if tag in _HEADINGS:
            self._level = 0
        elif tag in _LISTS and self._lists:
            self._lists.pop()
            self._marker = None
        elif tag == "li":
            self._marker = None
        elif tag == "pre":
            self._pre -= 1

    def _leave_in_table(self, table: _Grid, node: LexborNode) -> None:
        if node.mem_id == table.mem_id:
            rows = table.finished(self._take)
            self._table = None
            self._mark_ids()
            self._builder.table(rows)
        elif node.tag == "table":
            table.leave_nested()
        elif node.tag == "caption" and not table.is_nested:
            self._builder.paragraph(self._take())
        elif node.tag in _BLOCKS or node.tag in _HEADINGS:
            self._inline.append(" ")

    def _end_block(self) -> None:
        if not self._pre:
            self._flush()
        elif self._inline and not self._inline[-1].endswith("\n"):
            self._inline.append("\n")  # lines of code that are elements of their own

    def _take(self) -> str:
        text = "".join(self._inline)
        self._inline.clear()
        return text

    def _mark_ids(self) -> None:
        for name in self._ids:
            self._written.anchors.setdefault(name, self._builder.next_start)
        self._ids.clear()

    def _flush(self) -> None:
        text = self._take()
        if not text.strip():
            return
        self._mark_ids()
        depth = max(0, len(self._lists) - 1)
        if self._pre:
            self._builder.code(text)
        elif self._level:
            self._builder.heading(text, self._level)
        elif self._marker is not None:
            self._builder.item(text, depth, self._marker)
            self._marker = None
        elif self._lists:
            self._builder.item_continued(text, depth)
        else:
            self._builder.paragraph(text)


@dataclass(slots=True)
class _List:
    """An open list and the number of its next item; ``None``: without numbers."""

    number: int | None
    kind: str
    step: int

    @classmethod
    def of(cls, tag: str, attributes: dict[str, str | None]) -> _List:
        if tag != "ol":
            return cls(None, "", 0)
        step = -1 if "reversed" in attributes else 1
        return cls(_integer(attributes.get("start"), 1), attributes.get("type") or "1", step)

    def next_marker(self, attributes: dict[str, str | None]) -> str:
        if self.number is None:
            return "-"
        number = _integer(attributes.get("value"), self.number)
        self.number = number + self.step
        if self.kind in "aA" and 1 <= number <= _LETTERS:
            return f"{chr(ord(self.kind) + number - 1)}."
        return f"{number}."


class _Grid:
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


def _is_hidden(attributes: dict[str, str | None]) -> bool:
    if "hidden" in attributes or (attributes.get("aria-hidden") or "").lower() == "true":
        return True
    style = attributes.get("style")
    return bool(style and _HIDING.search(style))


def _integer(text: str | None, default: int) -> int:
    try:
        return int(text) if text and len(text) < 10 else default
    except ValueError:
        return default
