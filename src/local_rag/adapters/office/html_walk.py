"""Writes the tree of an HTML page as blocks of text: what a reader of the page sees, all of it."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from local_rag.adapters.office.css_cascade import Looks
from local_rag.adapters.office.html_steps import steps
from local_rag.adapters.office.html_tables import HEADINGS, Grid, OpenList, data_tables
from local_rag.adapters.raised import with_exponent

if TYPE_CHECKING:
    from selectolax.lexbor import LexborHTMLParser, LexborNode

    from local_rag.adapters.office.builder import PageBuilder
    from local_rag.adapters.office.css_look import Look
    from local_rag.adapters.office.css_rules import Load

_BLOCKS_LISTED = (
    "address article aside blockquote body button caption center dd details dialog dir div dl dt "
    "fieldset figcaption figure footer form header hgroup hr html legend li main menu nav ol "
    "optgroup option p pre search section summary table tbody td textarea tfoot th thead title tr "
    "ul"
)
_BLOCKS = frozenset(_BLOCKS_LISTED.split())
_LISTS = frozenset(("ul", "ol", "menu", "dir"))
_NEVER_SHOWN_LISTED = (
    "head script style template noscript iframe noembed noframes object audio video canvas "
    "datalist desc annotation annotation-xml rp"
)
_NEVER_SHOWN = frozenset(_NEVER_SHOWN_LISTED.split())
_BETWEEN = {"mfrac": "/", "msup": "^", "msub": "_"}  # the parts of a formula
_SHOWN_INPUTS_LISTED = (
    "text search email url tel number date month week time datetime-local submit button reset"
)
_SHOWN_INPUTS = frozenset(_SHOWN_INPUTS_LISTED.split())
_SPACE = re.compile(r"[ \t\n\r\f\v]+")


@dataclass(slots=True)
class Written:
    """What a page says of itself.

    Attributes:
        anchors: offset of the block in which each id stands.
    """

    title: str | None = None
    anchors: dict[str, int] = field(default_factory=dict)


def write_page(tree: LexborHTMLParser, builder: PageBuilder, load: Load | None = None) -> Written:
    """Writes the page's text into the builder.

    Args:
        load: gives style sheets by their address; ``None``: none but the page's own is at hand.
    """
    written = Written()
    root = tree.root
    if root is None:
        return written
    if tree.head is not None:
        title = tree.head.css_first("title")
        written.title = title.text(deep=True) if title is not None else None
    looks = Looks(tree, load)
    builder.slow = builder.slow or not looks.is_whole
    _Writer(builder, written, data_tables(root), looks).write(root)
    return written


class _Writer:
    """The state of a walk over a page."""

    def __init__(
        self, builder: PageBuilder, written: Written, data_tables: set[int], looks: Looks
    ) -> None:
        self._builder = builder
        self._written = written
        self._data_tables = data_tables
        self._inline: list[str] = []
        self._ids: list[str] = []
        self._lists: list[OpenList] = []
        self._marker: str | None = None
        self._level = 0
        self._pre = 0
        self._table: Grid | None = None
        self._looks = looks
        self._open: list[Look] = [looks.first]
        self._ruby: list[str] = []
        self._raised: list[int] = []  # where in the inline text each open superscript begins

    def write(self, root: LexborNode) -> None:
        for node, entering, skip in steps(root):
            if node.is_text_node:
                if entering:
                    self._text(node.text_content or "")
            elif node.is_element_node:
                if entering:
                    skip[0] = self._enter(node)
                else:
                    self._open.pop()
                    self._leave(node)
        self._flush()

    def _text(self, text: str) -> None:
        if self._open[-1].is_seen:
            self._inline.append(text if self._pre else _SPACE.sub(" ", text))
        elif text.strip():
            self._builder.hidden = True

    def _enter(self, node: LexborNode) -> bool:
        """Whether the element and all in it is left out."""
        tag = node.tag or ""
        attributes = node.attributes
        if tag in _NEVER_SHOWN:
            self._builder.lossy = self._builder.lossy or bool(attributes.get("srcdoc"))
            return True
        if self._is_unseen(node, tag):
            return True
        if self._table is not None:
            self._table.enter(tag, attributes, self._take)
            if tag in _BLOCKS:
                self._inline.append(" ")
        elif tag in _BLOCKS or tag in HEADINGS:
            self._end_block()
            self._enter_block(tag, node)
        if tag == "sup":
            self._raised.append(len(self._inline))
        if tag.startswith("m") and node.parent is not None and _is_second(node):
            self._inline.append(_BETWEEN.get(node.parent.tag or "", ""))
        if attributes.get("id"):
            self._ids.append(attributes["id"] or "")
        if tag == "br":
            self._inline.append("\n")
        elif tag == "img" and attributes.get("alt"):
            self._text(f" {attributes['alt']} ")
        elif tag == "input" and (attributes.get("type") or "text").lower() in _SHOWN_INPUTS:
            self._text(f" {attributes.get('value') or ''} ")
        return False

    def _is_unseen(self, node: LexborNode, tag: str) -> bool:
        """Whether nothing of the element is written here; else it is open now."""
        look = self._looks.of(node, self._open[-1])
        if not look.is_there:
            if node.text(deep=True, strip=True):
                self._builder.hidden = True
            return True
        if node.attributes.get("aria-hidden") == "true" and _is_said_twice(node):
            return True
        if tag == "rt":  # behind the word, lest its letters stand between those of the word
            self._ruby.append(node.text(deep=True, strip=True) if look.is_seen else "")
            return True
        self._open.append(look)
        return False

    def _enter_block(self, tag: str, node: LexborNode) -> None:
        if tag in HEADINGS:
            self._level = HEADINGS[tag]
        elif tag in _LISTS:
            self._lists.append(OpenList.of(tag, node.attributes))
        elif tag == "li":
            self._marker = self._lists[-1].next_marker(node.attributes) if self._lists else "-"
        elif tag == "pre":
            self._pre += 1
        elif tag == "table" and node.mem_id in self._data_tables:
            self._table = Grid(node.mem_id)

    def _leave(self, node: LexborNode) -> None:
        tag = node.tag or ""
        if tag == "sup" and self._raised:
            at = self._raised.pop()
            raised = "".join(self._inline[at:])
            if raised:
                self._inline[at:] = [with_exponent("".join(self._inline[:at]), raised)]
        if tag == "ruby" and any(self._ruby):
            self._inline.append(f"({''.join(self._ruby)})")
            self._ruby.clear()
        if self._table is not None:
            self._leave_in_table(self._table, node)
            return
        if tag == "pre":
            self._flush()
        elif tag in _BLOCKS or tag in HEADINGS:
            self._end_block()
        if tag in HEADINGS:
            self._level = 0
        elif tag in _LISTS and self._lists:
            self._lists.pop()
            self._marker = None
        elif tag == "li":
            self._marker = None
        elif tag == "pre":
            self._pre -= 1

    def _leave_in_table(self, table: Grid, node: LexborNode) -> None:
        if node.mem_id == table.mem_id:
            rows = table.finished(self._take)
            self._table = None
            self._mark_ids()
            self._builder.table(rows)
        elif node.tag == "table":
            table.leave_nested()
        elif node.tag == "caption" and not table.is_nested:
            self._builder.paragraph(self._take())
        elif node.tag in _BLOCKS or node.tag in HEADINGS:
            self._inline.append(" ")

    def _end_block(self) -> None:
        if not self._pre:
            self._flush()
        elif self._inline and not self._inline[-1].endswith("\n"):
            self._inline.append("\n")  # lines of code that are elements of their own

    def _take(self) -> str:
        text = "".join(self._inline)
        self._inline.clear()
        self._raised.clear()
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


def _is_said_twice(node: LexborNode) -> bool:
    """Whether it is the drawn twin of a formula that stands beside it as MathML."""
    return node.parent is not None and node.parent.css_first("math") is not None


def _is_second(node: LexborNode) -> bool:
    before = node.prev
    while before is not None and not before.is_element_node:
        before = before.prev
    return before is not None
