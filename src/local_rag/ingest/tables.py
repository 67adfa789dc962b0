"""Finds the pipe tables of a Markdown text (GitHub's extension of CommonMark)."""

from __future__ import annotations

import re

from local_rag.model.document import Table

_DELIMITERS = re.compile(r" {0,3}\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*")
_FENCE = re.compile(r" {0,3}(`{3,}(?=[^`]*$)|~{3,})")
_OTHER_BLOCK = re.compile(
    r" {0,3}(?:#{1,6}(?:[ \t]|$)|>|`{3,}|~{3,}|[-+*][ \t]|\d{1,9}[.)][ \t]"
    r"|(?:[-*_][ \t]*){3,}$|</?[a-zA-Z!?])"
)
_ESCAPED = re.compile(r"\\.")
_CODE_INDENT = re.compile(r" {4}| {0,3}\t")
_HEADER_CHARS = 1_000


def find_tables(text: str, page_number: int = 1) -> tuple[Table, ...]:
    """The tables in order, each from its header to its last row, without the line feed.

    A header too long to lead every passage of the table is recorded as none.
    """
    tables = []
    fence = ""
    starts_at = 0
    before: str | None = None  # the line above, where it may be a header
    before_at = 0
    open_at: int | None = None  # where the table begins that is going on
    header = ""
    end = 0
    for line in text.split("\n"):
        if open_at is not None:
            if line.strip() and not _OTHER_BLOCK.match(line) and not _CODE_INDENT.match(line):
                end = starts_at + len(line)
            else:
                tables.append(Table(page_number, open_at, end, header))
                open_at = None
        if open_at is None:
            fence, in_code = _fenced(line, fence)
            if in_code:
                before = None
            elif before is not None and _is_header(before, line):
                open_at, end = before_at, starts_at + len(line)
                header = text[open_at:end] if end - open_at <= _HEADER_CHARS else ""
                before = None
            else:
                usable = "|" in line and not _OTHER_BLOCK.match(line)
                before = None if not usable or _CODE_INDENT.match(line) else line
                before_at = starts_at
        starts_at += len(line) + 1
    if open_at is not None:
        tables.append(Table(page_number, open_at, end, header))
    return tuple(tables)


def _fenced(line: str, fence: str) -> tuple[str, bool]:
    """The fence that is open after the line, and whether the line belongs to fenced code."""
    found = _FENCE.match(line)
    if not fence:
        return (found[1], True) if found else ("", False)
    closes = line.strip()
    if len(closes) >= len(fence) and set(closes) == {fence[0]}:
        return "", True
    return fence, True


def _is_header(line: str, below: str) -> bool:
    return bool(_DELIMITERS.fullmatch(below)) and "-" in below and _width(line) == _width(below)


def _width(line: str) -> int:
    """How many cells a row has."""
    row = _ESCAPED.sub("xx", line.strip()).removeprefix("|")
    return row.removesuffix("|").count("|") + 1
