"""From headings to the tree of sections that covers a document's text."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from local_rag.model.document import Section

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from local_rag.model.document import Page


_MOST_SIBLINGS = 12
_GROUP = 10


class HeadingFound(NamedTuple):
    """A heading as a reader found it.

    Attributes:
        level: depth from 1 as the file has it; gaps are closed here.
        start: offset of the heading in its page's text.
    """

    level: int
    title: str
    page_number: int
    start: int


def build_sections(
    headings: Iterable[HeadingFound], pages: Sequence[Page], begin: int = 0
) -> tuple[Section, ...]:
    """The sections, in document order; together they cover every page's text.

    A document of several pages without a heading has a section for each page, in groups of ten
    where there are many.

    A heading deeper than its parent by several levels counts as one level deeper. Two headings at
    one place are one. Section ``0`` is there only if text stands before the first heading.

    Args:
        headings: in any order; those on unknown pages are left out.
        pages: in order, numbered upwards.
        begin: offset on the first page before which no section begins (a file's front matter).
    """
    if not pages:
        return ()
    first = pages[0].page_number, begin
    last = pages[-1].page_number, len(pages[-1].text)
    found = _distinct(headings, pages, first)
    if not found and len(pages) > 1 and begin == 0:
        return _by_pages(pages)
    page_before = {b.page_number: a for a, b in pairwise(pages)}
    sections = []
    starts = [(heading.page_number, heading.start) for heading in found]
    if _has_text(pages, first, starts[0] if starts else last):
        end = _end_before(starts[0], page_before) if starts else last
        sections.append(Section("0", "", 0, (), *first, *end))
    elif starts:
        # Blank text before the first heading belongs to its section.
        starts[0] = first
    ends = [_end_before(start, page_before) for start in starts[1:]] + [last]
    counters: list[int] = []
    levels: list[int] = []
    titles: list[str] = []
    for heading, start, end in zip(found, starts, ends, strict=False):
        _descend(heading, counters, levels, titles)
        number = ".".join(map(str, counters))
        sections.append(Section(number, titles[-1], len(counters), tuple(titles), *start, *end))
    return tuple(sections)


def _by_pages(pages: Sequence[Page]) -> tuple[Section, ...]:
    """They have no path: that a passage stands on page 7 says nothing about it."""
    sections = []
    grouped = len(pages) > _MOST_SIBLINGS
    for index, page in enumerate(pages):
        number = page.page_number
        if grouped and index % _GROUP == 0:
            last = pages[min(index + _GROUP, len(pages)) - 1].page_number
            title = f"Pages {number}–{last}" if last > number else f"Page {number}"
            group = str(index // _GROUP + 1)
            sections.append(Section(group, title, 1, (), number, 0, number, 0))
        section_id = f"{index // _GROUP + 1}.{index % _GROUP + 1}" if grouped else str(index + 1)
        level = 2 if grouped else 1
        end = number, len(page.text)
        sections.append(Section(section_id, f"Page {number}", level, (), number, 0, *end))
    return tuple(sections)


def _distinct(
    headings: Iterable[HeadingFound], pages: Sequence[Page], first: tuple[int, int]
) -> list[HeadingFound]:
    lengths = {page.page_number: len(page.text) for page in pages}
    places: dict[tuple[int, int], HeadingFound] = {}
    for heading in sorted(headings, key=lambda h: (h.page_number, h.start)):
        place = heading.page_number, heading.start
        if place >= first and 0 <= heading.start < lengths.get(heading.page_number, 0):
            places.setdefault(place, heading)
    return list(places.values())


def _end_before(start: tuple[int, int], page_before: dict[int, Page]) -> tuple[int, int]:
    """Where the section ends that is followed by one at ``start``: (page number, offset)."""
    number, offset = start
    before = page_before.get(number)
    if offset > 0 or before is None:
        return start
    return before.page_number, len(before.text)


def _has_text(pages: Sequence[Page], first: tuple[int, int], stop: tuple[int, int]) -> bool:
    for page in pages:
        if page.page_number > stop[0]:
            break
        begin = first[1] if page.page_number == first[0] else 0
        end = stop[1] if page.page_number == stop[0] else len(page.text)
        if page.text[begin:end].strip():
            return True
    return False


def _descend(
    heading: HeadingFound, counters: list[int], levels: list[int], titles: list[str]
) -> None:
    """Moves the position in the tree to this heading."""
    level = max(1, heading.level)
    dropped = 0
    while levels and levels[-1] >= level:
        levels.pop()
        titles.pop()
        dropped = counters.pop()
    levels.append(level)
    counters.append(dropped + 1)
    titles.append(" ".join(heading.title.split()))
