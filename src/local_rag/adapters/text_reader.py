"""Reads plain text and Markdown files. The text is kept as it is, but for newlines and controls."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from local_rag.adapters.decoding import decode_text
from local_rag.errors import NoText
from local_rag.ingest.sections import HeadingFound, build_sections
from local_rag.ingest.tables import find_tables
from local_rag.model.document import Extraction, Page, PageReading
from local_rag.text.tokens import count_words

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from markdown_it.token import Token

    from local_rag.model.document import PageFlag, Table

_FRONT_MATTER = re.compile(r"---[ \t]*\n(?:.*\n)*?(?:---|\.\.\.)[ \t]*(?:\n|$)")
_TITLE = re.compile(r"^title:[ \t]*(\S.*?)[ \t]*$", re.MULTILINE | re.IGNORECASE)
_TITLE_CHARS = 300
_MAYBE_HEADING = re.compile(
    r"^ {0,3}#{1,6}(?:[ \t]|$)|(?<=[^\n]\n) {0,3}(?:=+|-+)[ \t]*$", re.MULTILINE
)
_LONGEST_HEADING_CHARS = 1000  # a paragraph above a rule is a heading to Markdown


def read_text(path: Path) -> Extraction:
    """A text file: one page, or as many as form feeds part; one section.

    Raises:
        EmptyFile, WrongContent, NoText.
    """
    text = _read(path)
    pages = tuple(
        Page(number, part) for number, part in enumerate(text.removesuffix("\f").split("\f"), 1)
    )
    return Extraction(pages, build_sections((), pages), readings=_readings(pages))


def read_markdown(path: Path) -> Extraction:
    """A Markdown file: one page, a section for each of its headings.

    Front matter stays in the page's text but belongs to no section; its title is the document's,
    else the first heading of the first level is.

    Raises:
        EmptyFile, WrongContent, NoText.
    """
    text = _read(path).replace("\f", "\n")
    front = _FRONT_MATTER.match(text)
    begin = front.end() if front else 0
    headings = _headings(text, begin)
    pages = (Page(1, text),)
    title = _front_title(front[0]) if front else None
    if title is None:
        title = next((h.title for h in headings if h.level == 1), None)
    sections = build_sections(headings, pages, begin)
    tables = find_tables(text)
    return Extraction(pages, sections, title or None, tables, _readings(pages, tables))


def _readings(pages: Sequence[Page], tables: Sequence[Table] = ()) -> tuple[PageReading, ...]:
    found: list[PageReading] = []
    for page in pages:
        words = count_words(page.text)
        flags: tuple[PageFlag, ...] = () if words else ("no-text",)
        if any(table.page_number == page.page_number for table in tables):
            flags = (*flags, "table")
        found.append(PageReading(page.page_number, "text", flags, words, words))
    return tuple(found)


def _read(path: Path) -> str:
    text = decode_text(path.read_bytes())
    if not text.strip():
        raise NoText("The file holds nothing but white space.", fix="Send a file with text in it.")
    return text


def _front_title(block: str) -> str | None:
    found = _TITLE.search(block)
    return found[1].strip("\"'")[:_TITLE_CHARS] if found else None


def _headings(text: str, begin: int) -> list[HeadingFound]:
    if _MAYBE_HEADING.search(text, begin) is None:
        return []
    from markdown_it import MarkdownIt

    markdown = MarkdownIt("commonmark").disable("inline")  # but for headings, below
    starts = [0, *(match.end() for match in re.finditer("\n", text))]
    # Blank lines in the place of the front matter keep the numbers of the lines.
    body = "\n" * text.count("\n", 0, begin) + text[begin:]
    references: dict[str, Any] = {}
    headings = []
    for opening, inline in pairwise(markdown.parse(body, references)):
        if opening.type == "heading_open" and opening.level == 0 and opening.map:
            parts: list[Token] = []
            content = inline.content[:_LONGEST_HEADING_CHARS]
            markdown.inline.parse(content, markdown, references, parts)
            title = " ".join(_plain(parts).split())
            start = starts[opening.map[0]]
            headings.append(HeadingFound(int(opening.tag[1:]), title, 1, start))
    return headings


def _plain(tokens: list[Token]) -> str:
    """The text of inline tokens without their markup."""
    parts = []
    for token in tokens:
        if token.type == "image":
            parts.append(_plain(token.children or []))
        elif token.type in ("softbreak", "hardbreak"):
            parts.append(" ")
        elif token.type != "html_inline":
            parts.append(token.content)
    return "".join(parts)
