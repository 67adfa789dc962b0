"""Searching one document for words as they stand in it."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from typing import TYPE_CHECKING

from local_rag.cite.locate import rectangles
from local_rag.errors import InvalidRequest
from local_rag.model.answer import Span

if TYPE_CHECKING:
    from collections.abc import Iterator

    from local_rag.model.answer import Rectangle
    from local_rag.model.document import Page
    from local_rag.ports import Catalog

LONGEST_SEARCH_CHARS = 200
MOST_PLACES = 200
_AROUND_CHARS = 60


@dataclass(frozen=True, slots=True)
class Place:
    """Where the words stand.

    Attributes:
        start, end: the slice of the page's text.
        before, after: some of the text around it.
        rectangles: its boxes on the page as displayed; empty for files without pages.
    """

    page_number: int
    label: str | None
    start: int
    end: int
    before: str
    match: str
    after: str
    rectangles: tuple[Rectangle, ...]


@dataclass(frozen=True, slots=True)
class Found:
    """The places in reading order, the first ``MOST_PLACES`` of ``total``."""

    places: tuple[Place, ...]
    total: int


def boxes_of(page: Page, start: int, end: int) -> tuple[Rectangle, ...]:
    """The boxes of ``page.text[start:end]``, one for each line; none for files without pages."""
    return rectangles(page.words, 0, [Span(start, end)])


def find_in_document(catalog: Catalog, document_id: str, sought: str) -> Found:
    """Every place of a document where the words stand, whatever their case, accents and spaces.

    Raises:
        UnknownDocument: no document has this id.
        InvalidRequest: there is nothing to look for, or it is too long.
    """
    needle, _ = _folded(sought.strip())
    if not needle or len(sought) > LONGEST_SEARCH_CHARS:
        raise InvalidRequest(
            f"The search has {len(sought)} characters.",
            fix=f"Search for 1 to {LONGEST_SEARCH_CHARS} characters.",
        )
    places: list[Place] = []
    total = 0
    for number, label, text in catalog.page_texts(document_id):
        spans = list(_occurrences(text, needle))
        total += len(spans)
        wanted = spans[: MOST_PLACES - len(places)]
        if not wanted:
            continue
        page = catalog.page(document_id, number)
        for start, end in wanted:
            before = text[max(0, start - _AROUND_CHARS) : start]
            after = text[end : end + _AROUND_CHARS]
            boxes = boxes_of(page, start, end)
            places.append(Place(number, label, start, end, before, text[start:end], after, boxes))
    return Found(tuple(places), total)


def _occurrences(text: str, needle: str) -> Iterator[tuple[int, int]]:
    haystack, origins = _folded(text)
    at = haystack.find(needle)
    while at >= 0:
        after = at + len(needle)
        end = origins[after - 1] + 1
        while end < len(text) and unicodedata.combining(text[end]):
            end += 1
        yield origins[at], end
        at = haystack.find(needle, after)


def _folded(text: str) -> tuple[str, list[int]]:
    """The text without case, accents and soft hyphens, white space as one space; and where each
    character of it comes from.
    """
    if text.isascii() and "  " not in text and not _has_breaks(text):
        return text.lower(), list(range(len(text)))
    letters: list[str] = []
    origins: list[int] = []
    for i, char in enumerate(text):
        if char.isspace():
            if letters and letters[-1] != " ":
                letters.append(" ")
                origins.append(i)
            continue
        for part in unicodedata.normalize("NFKD", char).casefold():
            if unicodedata.combining(part) or part == "\u00ad":
                continue
            letters.append(part)
            origins.append(i)
    return "".join(letters), origins


def _has_breaks(text: str) -> bool:
    return any(char in text for char in "\t\n\r\v\f\x1c\x1d\x1e\x1f")
