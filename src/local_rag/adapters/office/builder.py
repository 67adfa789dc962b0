"""Writes a page's stored text block by block and remembers where headings and tables stand.

The text is Markdown-like but escapes nothing outside tables: paragraphs are parted by one blank
line, list items stand on lines of their own, a table is a Markdown table.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from local_rag.errors import NoText
from local_rag.ingest.sections import HeadingFound, build_sections
from local_rag.model.document import Extraction, Page, PageReading, Table
from local_rag.text.tokens import count_words

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from local_rag.model.document import PageFlag

_CONTROLS = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u00ad\u200b\u2060\ud800-\udfff\ufeff\ufffe\uffff]"
)
_INDENT = "  "
_MAX_DEPTH = 20
_TITLE_CHARS = 300
_HEADER_CHARS = 1_000


class PageBuilder:
    """One page in the making.

    Attributes:
        headings, tables: where they stand in the text so far.
        hidden: whether text was left out because nobody who opens the file sees it.
        lossy: whether something that is seen could not be read.
        slow: whether not all was looked at that decides what is seen, lest it take too long.
        has_body: whether it has other text than headings.
    """

    def __init__(self, page_number: int, label: str | None = None) -> None:
        self.headings: list[HeadingFound] = []
        self.tables: list[Table] = []
        self.hidden = False
        self.lossy = False
        self.slow = False
        self.has_body = False
        self._number = page_number
        self._label = label
        self._parts: list[str] = []
        self._length = 0
        self._in_list = False

    @property
    def next_start(self) -> int:
        """The offset at which the next block will stand, if it belongs to no list."""
        return self._length + 2 if self._length else 0

    def paragraph(self, text: str) -> None:
        """A paragraph; its line feeds are kept, other runs of white space become one space."""
        self._append(tidy(text))

    def heading(self, text: str, level: int) -> None:
        """A heading on a line of its own; ``level`` from 1."""
        title = " ".join(tidy(text).split())
        if title:
            start = self._append(title, is_body=False)
            self.headings.append(HeadingFound(level, title, self._number, start))

    def item(self, text: str, depth: int = 0, marker: str = "-") -> None:
        """An item of a list, ``depth`` levels below the outermost."""
        lines = tidy(text).split("\n")
        indent = _INDENT * min(depth, _MAX_DEPTH)
        if lines != [""]:
            block = f"\n{indent}{_INDENT}".join(lines)
            self._append(f"{indent}{marker} {block}", in_list=True)

    def item_continued(self, text: str, depth: int = 0) -> None:
        """A further paragraph of an item."""
        lines = tidy(text).split("\n")
        indent = _INDENT * (min(depth, _MAX_DEPTH) + 1)
        if lines != [""]:
            self._append(indent + f"\n{indent}".join(lines), in_list=True)

    def code(self, text: str) -> None:
        """Text whose spaces and line feeds mean something."""
        lines = clean(text.replace("\r\n", "\n").replace("\r", "\n")).split("\n")
        while lines and not lines[0].strip():
            del lines[0]
        self._append("\n".join(line.rstrip() for line in lines).rstrip())

    def table(self, rows: Iterable[Sequence[str]], *, has_header: bool = True) -> None:
        """A table; the first row that is not empty is its header, unless it has none.

        Empty rows and columns are left out. A header too long to lead every passage of the table
        is recorded as none.
        """
        cells = [[clean_cell(cell) for cell in row] for row in rows]
        cells = [row for row in cells if any(row)]
        width = max(map(len, cells), default=0)
        used = sorted({i for row in cells for i, cell in enumerate(row) if cell})
        if not used:
            return
        if len(used) < width:
            cells = [[row[i] if i < len(row) else "" for i in used] for row in cells]
            width = len(used)
        lines = [f"| {' | '.join(row + [''] * (width - len(row)))} |" for row in cells]
        if not has_header:
            lines.insert(0, "|" + "  |" * width)
        header = f"{lines[0]}\n|{' --- |' * width}"
        start = self._append("\n".join([header, *lines[1:]]))
        lead = header if has_header and len(header) <= _HEADER_CHARS else ""
        self.tables.append(Table(self._number, start, self._length, lead))

    def page(self) -> Page:
        """The page as it is stored."""
        return Page(self._number, "".join(self._parts), self._label)

    def reading(self) -> PageReading:
        """How it was read."""
        flags: list[PageFlag] = []
        if self.hidden:
            flags.append("hidden-text")
        if self.lossy:
            flags.append("low-coverage")
        if not self._length:
            flags.append("no-text")
        if self.slow:
            flags.append("slow")
        if self.tables:
            flags.append("table")
        words = sum(map(count_words, self._parts))
        return PageReading(self._number, "text", tuple(flags), words=words)

    def _append(self, block: str, *, in_list: bool = False, is_body: bool = True) -> int:
        """Where the block stands."""
        if not block:
            return self._length
        if self._length:
            gap = "\n" if in_list and self._in_list else "\n\n"
            self._parts.append(gap)
            self._length += len(gap)
        start = self._length
        self._parts.append(block)
        self._length += len(block)
        self._in_list = in_list
        self.has_body = self.has_body or is_body
        return start


def clean(text: str) -> str:
    """Without control characters and soft hyphens; tabs and line feeds stay."""
    return _CONTROLS.sub("", text)


def tidy(text: str) -> str:
    """White space in order: one space between words, no empty lines; controls are gone."""
    if "\n" not in text:
        return " ".join(clean(text).split())
    lines = (" ".join(line.split()) for line in clean(text).split("\n"))
    return "\n".join(filter(None, lines))


def clean_cell(text: str) -> str:
    """The text on one line, fit for a cell of a Markdown table."""
    return " ".join(clean(text).split()).replace("|", "\\|") if text else ""


def extraction_of(
    builders: Sequence[PageBuilder],
    title: str | None = None,
    outline: Iterable[HeadingFound] = (),
) -> Extraction:
    """The finished document.

    Args:
        outline: headings that are not in the text.

    Raises:
        NoText: no page has any.
    """
    pages = tuple(builder.page() for builder in builders)
    if not any(page.text for page in pages):
        raise NoText("The file holds no text that could be read.", fix="Send a file with text.")
    headings = [heading for builder in builders for heading in builder.headings]
    return Extraction(
        pages,
        build_sections([*headings, *outline], pages),
        " ".join(tidy(title or "").split())[:_TITLE_CHARS] or None,
        tuple(table for builder in builders for table in builder.tables),
        tuple(builder.reading() for builder in builders),
    )
