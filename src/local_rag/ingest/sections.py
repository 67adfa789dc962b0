"""From headings to the tree of sections that covers a document's text."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from local_rag.model.document import Section

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from local_rag.model.document import Page


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


def build_sections(headings: Iterable[HeadingFound], pages: Sequence[Page]) -> tuple[Section, ...]:
    """The sections, in document order; together they cover every page's text.

    A heading deeper than its parent by several levels counts as one level deeper. Two headings at
    one place are one. Section ``0`` is there only if text stands before the first heading.

    Args:
        headings: in any order; those on unknown pages are left out.
        pages: in order, numbered upwards.
    """
    if not pages:
        return ()
    known = {page.page_number: len(page.text) for page in pages}
    places: dict[tuple[int, int], HeadingFound] = {}
    for heading in sorted(headings, key=lambda h: (h.page_number, h.start)):
        if heading.page_number in known and 0 <= heading.start < known[heading.page_number]:
            places.setdefault((heading.page_number, heading.start), heading)
    found = list(places.values())
    last = (pages[-1].page_number, len(pages[-1].text))
    ends = [_place_before(h, pages) for h in found[1:]] + [last]
    sections = []
    if _text_before(found[0] if found else None, pages):
        first_end = _place_before(found[0], pages) if found else last
        sections.append(Section("0", "", 0, (), pages[0].page_number, 0, *first_end))
    elif found:
        # Blank text before the first heading belongs to its section.
        found[0] = found[0]._replace(page_number=pages[0].page_number, start=0)
    counters: list[int] = []
    levels: list[int] = []
    titles: list[str] = []
    for heading, end in zip(found, ends, strict=True):
        _descend(heading, counters, levels, titles)
        sections.append(
            Section(
                ".".join(map(str, counters)),
                titles[-1],
                len(counters),
                tuple(titles),
                heading.page_number,
                heading.start,
                *end,
            )
        )
    return tuple(sections)


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


def _place_before(heading: HeadingFound, pages: Sequence[Page]) -> tuple[int, int]:
    """Where the section before this heading ends: (page number, offset)."""
    if heading.start > 0:
        return heading.page_number, heading.start
    before = [page for page in pages if page.page_number < heading.page_number]
    if not before:
        return heading.page_number, 0
    return before[-1].page_number, len(before[-1].text)


def _text_before(heading: HeadingFound | None, pages: Sequence[Page]) -> bool:
    for page in pages:
        if heading is None or page.page_number < heading.page_number:
            if page.text.strip():
                return True
        elif page.page_number == heading.page_number:
            return bool(page.text[: heading.start].strip())
    return False
