"""Page numbers, running heads and feet: what repeats at one place over the pages of a document."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence

    from local_rag.adapters.pdf.rows import Row

# Left and right pages have heads of their own: each stands on somewhat less than half of them.
_SHARE_OF_PAGES = 0.4
_MIN_PAGES = 3
_TWO = 2
_EDGE = 0.15
_PLACE_PT = 4.0
# White between furniture and the text, in font sizes; less, and it is the head of a table.
_WHITE_EM = 0.7
_LARGE = 1.12
_NUMBER = re.compile(r"\d+")
_APART_EM = 1.5
_PAGE_WORD = re.compile(
    r"\b(?:page|pages|pg|p|pag|página|pagina|seite|s|blatt|sheet|slide|folie|folio|strana|стр|sida|side)\b\.?"
    r"[\s:#]*\d|第\s*\d+\s*[页頁]|\d\s*(?:/|of|von|de|sur|di|из)\s*\d",
    re.IGNORECASE,
)
_NUMBER_APART = re.compile(r"^\W*\d+\s*[|·•–—-]\s|\s[|·•–—-]\s*\d+\W*$")  # "17 | Contents"


class _Candidate(NamedTuple):
    """A row near the upper or lower edge.

    Attributes:
        text: the row's.
        key: the text without spaces and case, any number in it being 0.
        inner, outer: the rows beside it, towards the middle of the page and towards the edge.
    """

    page: int
    row: Row
    inner: Row | None
    outer: Row | None
    text: str
    key: str

    @property
    def place(self) -> tuple[str, int]:
        """The same for rows that are alike in all but their numbers, and stand at one height."""
        return self.key, round(self.row.y0 / _PLACE_PT)


def without_furniture(
    pages: Sequence[Sequence[Row]], heights_pt: Sequence[float], body_size: float
) -> list[list[Row]]:
    """The rows of each page without page numbers, running heads and feet.

    What is said in words stays where it stands first: it may be said nowhere else.
    Text at the edge of a page, a heading or a table at the top of each page are none: a heading
    is larger than the body, a table's header stands close to the table.
    """
    places: dict[tuple[str, int], list[_Candidate]] = defaultdict(list)
    candidates = [
        candidate
        for number, (rows, height) in enumerate(zip(pages, heights_pt, strict=True))
        for candidate in _at_the_edges(number, rows, height)
        if candidate.row.size < _LARGE * body_size and not candidate.row.fields
    ]
    for candidate in candidates:
        key, place = candidate.place
        for near in (place - 1, place, place + 1):
            places[key, near].append(candidate)
    taken = {candidate.place for candidate in candidates}
    repeating = {place for place in taken if _repeats(places[place], len(pages))}
    repeated = [candidate for candidate in candidates if candidate.place in repeating]
    first = {c.key: id(c.row) for c in reversed(repeated) if any(map(str.isalpha, c.key))}
    dropped = {id(c.row) for c in repeated}
    while text := {id(c.row) for c in repeated if id(c.row) in dropped and _is_text(c, dropped)}:
        dropped -= text
    dropped -= set(first.values())
    return [[row for row in rows if id(row) not in dropped] for rows in pages]


def _at_the_edges(number: int, rows: Sequence[Row], height: float) -> list[_Candidate]:
    upright = sorted((row for row in rows if row.direction == 0), key=lambda row: row.y0)
    found = []
    for above, row, below in zip([None, *upright], upright, [*upright[1:], None], strict=False):
        if row.y1 < _EDGE * height:
            found.append(_candidate(number, row, below, above))
        elif row.y0 > (1 - _EDGE) * height:
            found.append(_candidate(number, row, above, below))
    return found


def _candidate(number: int, row: Row, inner: Row | None, outer: Row | None) -> _Candidate:
    text = row.text
    key = "".join(_NUMBER.sub("0", text).casefold().split())
    return _Candidate(number, row, inner, outer, text, key)


def _repeats(alike: Sequence[_Candidate], page_count: int) -> bool:
    on_pages = {candidate.page for candidate in alike}
    least = _TWO if page_count == _TWO else max(_MIN_PAGES, _SHARE_OF_PAGES * page_count)
    if len(on_pages) < least:
        return False
    if len({candidate.text for candidate in alike}) == 1:
        # A number that is the same on both of two pages numbers neither, and would be lost.
        return page_count > _TWO or any(map(str.isalpha, alike[0].key))
    if any(map(str.isalpha, alike[0].key)) and not all(_numbers_a_page(c) for c in alike):
        return False  # "Case 3" on page 3 is said nowhere else
    # Numbers in it must count the pages, or stay the same ("page 3 of 9").
    numbers = [[int(n) for n in _NUMBER.findall(c.text)] for c in alike]
    for i in range(len(numbers[0])):
        steps = Counter(found[i] - c.page for found, c in zip(numbers, alike, strict=True))
        same = Counter(found[i] for found in numbers)
        if max(steps.most_common(1)[0][1], same.most_common(1)[0][1]) < 0.6 * len(alike):
            return False
    return True


def _numbers_a_page(candidate: _Candidate) -> bool:
    """Whether a number in words is a page's: it says so, or stands apart from them."""
    if _PAGE_WORD.search(candidate.text) or _NUMBER_APART.search(candidate.text):
        return True
    lines = [line.text.strip() for line in candidate.row.lines]
    return any(map(str.isdecimal, lines)) or _far_from_words(candidate.row)


def _far_from_words(row: Row) -> bool:
    """Whether a number at the begin or end of the row has a wide gap to the rest."""
    pieces = row.pieces
    wide = _APART_EM * row.size
    ends = [(pieces[0], pieces[1]), (pieces[-1], pieces[-2])] if len(pieces) > 1 else []
    return any(
        piece.text.isdecimal() and max(other.x0 - piece.x1, piece.x0 - other.x1) >= wide
        for piece, other in ends
    )


def _is_text(candidate: _Candidate, dropped: set[int]) -> bool:
    """Whether it belongs to the text: other text is farther out, or close to it."""
    row, inner, outer = candidate.row, candidate.inner, candidate.outer
    if inner is None or (outer is not None and id(outer) not in dropped):
        return True
    if id(inner) in dropped:
        return False
    white = max(inner.y0 - row.y1, row.y0 - inner.y1)
    return white < _WHITE_EM * row.size or (row.tabular and inner.tabular and white < 3 * row.size)
