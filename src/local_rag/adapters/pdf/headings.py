"""Which rows are headings: by the file's outline, else by size, weight and numbering."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from itertools import groupby
from typing import TYPE_CHECKING, NamedTuple

from local_rag.adapters.pdf.glyphs import letters_and_digits

if TYPE_CHECKING:
    from collections.abc import Sequence

    from local_rag.adapters.pdf.rows import Row

NUMBER = re.compile(
    r"(?:(?:chapter|section|part|appendix|kapitel|teil)\s+)?"
    r"(?P<number>\d{1,2}(?:\.\d{1,3}){0,4}|[A-Z](?:\.\d{1,3}){1,4}|[A-Z](?=\.?\s)|[IVX]{1,5}(?=\.))"
    r"[.:)]?\s+(?=\S)",
    re.IGNORECASE,
)
_STANDING_NAMES = frozenset(
    {
        "abstract",
        "introduction",
        "background",
        "conclusion",
        "conclusions",
        "references",
        "bibliography",
        "acknowledgments",
        "acknowledgements",
        "acknowledgment",
        "acknowledgement",
        "appendix",
        "summary",
        "discussion",
        "results",
        "methods",
        "relatedwork",
        "tableofcontents",
        "contents",
        "zusammenfassung",
        "einleitung",
        "literaturverzeichnis",
        "inhaltsverzeichnis",
        "anhang",
        "resume",
        "bibliographie",
    }
)
_LEADER = re.compile(r"(\.\s*){4,}|…")
_LARGE = 1.12
_MAX_ROWS = 3
_MAX_CHARS = 200
# A line that ends with a full stop and is longer than this is a sentence.
_SENTENCE_CHARS = 40
# A heading at the same height on this many pages is a running head.
_RUNNING = 3
_LABELS = 3
# A row this long between two headings is text below the first.
_BODY_CHARS = 12


class _Run(NamedTuple):
    """Rows that together may be one heading."""

    page: int
    rows: list[Row]

    @property
    def text(self) -> str:
        return " ".join(row.text for row in self.rows)

    @property
    def style(self) -> tuple[float, bool]:
        return self.rows[0].size, self.rows[0].bold


def mark_by_fonts(pages: Sequence[Sequence[Row]]) -> str | None:
    """Marks the rows that stand out from the body as headings.

    Returns:
        The document's own title, if the first page shows one. It is no heading: nothing stands
        beside it.
    """
    body, bold_body = body_style(pages)
    runs = [run for i, rows in enumerate(pages) for run in _runs(i, rows, body, bold_body)]
    runs = _without_figure_labels(_without_running_heads(runs), pages)
    title = _title_run(runs)
    runs = _without_front_matter([run for run in runs if run is not title])
    levels = _levels(runs)
    for number, run in enumerate(runs):
        depth = _depth(run.text)
        for row in run.rows:
            row.heading = depth or levels[run.style]
            row.heading_id = number
    return title.text if title is not None else None


def mark_by_outline(pages: Sequence[Sequence[Row]], outline: Sequence[Sequence[object]]) -> bool:
    """Marks the rows that the outline's titles name.

    Args:
        outline: entries (level, title, page number), as ``pymupdf.Document.get_toc`` has them.

    Returns:
        Whether the outline describes this document: at least two of its titles, and half of
        them, were found on their pages. Nothing is marked otherwise.
    """
    found: list[tuple[int, str, list[Row]]] = []
    taken: set[int] = set()
    keys: dict[int, list[tuple[str, str]]] = {}
    for level, title, page_number, *_ in outline:
        title = str(title)
        rows = _locate(pages, keys, title, int(str(page_number)) - 1, taken)
        if rows:
            taken.update(id(row) for row in rows)
            found.append((int(str(level)), title, rows))
    if len(found) < 2 or 2 * len(found) < len(outline):
        return False
    for number, (level, title, rows) in enumerate(found):
        for row in rows:
            row.heading, row.heading_id, row.title = level, number, title
    return True


def _locate(
    pages: Sequence[Sequence[Row]],
    keys: dict[int, list[tuple[str, str]]],
    title: str,
    page: int,
    taken: set[int],
) -> list[Row]:
    wanted = set(_keys(title)) - {""}
    for at in (page, page + 1, page - 1):
        if not 0 <= at < len(pages):
            continue
        rows = pages[at]
        if at not in keys:
            keys[at] = [_keys(row.text) for row in rows]
        places = [
            place
            for i in range(len(rows))
            if id(rows[i]) not in taken and (place := _matches(rows, keys[at], i, wanted))
        ]
        if places:
            # The title may also stand in a running head or a table of contents: the largest wins.
            return max(places, key=lambda place: (place[0].size, place[0].bold))
    return []


def _keys(text: str) -> tuple[str, str]:
    """What to compare titles by: with their numbering, and without."""
    key = letters_and_digits(text)
    number = NUMBER.match(text)
    return key, letters_and_digits(text[number.end() :]) if number else key


def _matches(
    rows: Sequence[Row], keys: list[tuple[str, str]], i: int, wanted: set[str]
) -> list[Row]:
    """The rows from the i-th on that together read as the title, or none."""
    for joined in set(keys[i]):
        if not joined or not any(title.startswith(joined) for title in wanted):
            continue
        for k in range(i, min(i + _MAX_ROWS, len(rows))):
            if k > i:
                joined += keys[k][0]
            if joined in wanted:
                return list(rows[i : k + 1])
    return []


def body_style(pages: Sequence[Sequence[Row]]) -> tuple[float, bool]:
    """Font size of most characters, and whether a third of them are bold."""
    sizes: Counter[float] = Counter()
    bold = total = 0
    for rows in pages:
        for row in rows:
            chars = sum(line.chars for line in row.lines)
            sizes[row.size] += chars
            total += chars
            bold += chars if row.bold else 0
    size = sizes.most_common(1)[0][0] if sizes else 0.0
    return size, bold * 3 > total


def _runs(page: int, rows: Sequence[Row], body: float, bold_body: bool) -> list[_Run]:
    """Runs of neighbouring rows in one style that look like headings."""
    runs: list[list[Row]] = []
    last: Row | None = None
    for row in rows:
        if not _stands_out(row, body, bold_body):
            last = None
            continue
        if last is not None and _goes_on(last, row):
            runs[-1].append(row)
        else:
            runs.append([row])
        last = row
    made = [_Run(page, run) for run in runs]
    return [run for run in made if _is_heading(run, body)]


def _stands_out(row: Row, body: float, bold_body: bool) -> bool:
    if row.fields or row.code or (row.tabular and not NUMBER.match(row.text)):
        return False
    if row.size >= max(_LARGE * body, body + 1):
        return True
    emphatic = row.bold and not bold_body
    if not emphatic and row.size < body * 1.04:
        return False
    text = row.text
    if row.key in _STANDING_NAMES:
        return True
    number = NUMBER.match(text)
    if not emphatic:
        return False
    return bool(number and text[number.end()].isupper()) or bool(
        row.size >= body * 1.04 and len(text) < 80 and not text.endswith((".", ",", ";", ":"))
    )


def _goes_on(last: Row, row: Row) -> bool:
    if (last.size, last.bold, last.direction) != (row.size, row.bold, row.direction):
        return False
    if NUMBER.match(row.text) and _depth(row.text):
        return False
    return 0 < row.y1 - last.y1 < 1.6 * row.size


def _is_heading(run: _Run, body: float) -> bool:
    text = run.text
    if len(run.rows) > _MAX_ROWS or len(text) > _MAX_CHARS or _LEADER.search(text):
        return False
    if (
        run.rows[0].direction == 4
        or "://" in text
        or not any(c.isalnum() for c in text[:1] + text[-1:])
    ):
        return False
    if text.endswith(".") and not NUMBER.match(text) and len(text) > _SENTENCE_CHARS:
        return False
    letters = sum(c.isalpha() for c in text)
    return letters >= 2 and letters * 2 > len(text.replace(" ", "")) and body > 0


def _without_running_heads(runs: list[_Run]) -> list[_Run]:
    places: dict[tuple[str, int], set[int]] = defaultdict(set)
    for run in runs:
        place = round(run.rows[0].y0 / 8)
        for near in (place - 1, place, place + 1):
            places[letters_and_digits(run.text), near].add(run.page)
    return [
        run
        for run in runs
        if len(places[letters_and_digits(run.text), round(run.rows[0].y0 / 8)]) < _RUNNING
    ]


def _without_figure_labels(runs: list[_Run], pages: Sequence[Sequence[Row]]) -> list[_Run]:
    """Leaves out large text of which three pieces or more follow each other without body text."""
    kept: list[_Run] = []
    for page, of_page in groupby(runs, key=lambda run: run.page):
        owner = {id(row): run for run in of_page for row in run.rows}
        group: list[_Run] = []
        for row in [*pages[page], None]:
            run = owner.get(id(row)) if row is not None else None
            if run is None and row is not None and len(row.text) < _BODY_CHARS:
                continue
            if run is None:
                kept += [r for r in group if len(group) < _LABELS or _depth(r.text)]
                group = []
            elif not group or group[-1] is not run:
                group.append(run)
    return kept


def _without_front_matter(runs: list[_Run]) -> list[_Run]:
    """Leaves out names and places that stand above the abstract of a paper."""
    known = [bool(_depth(run.text)) or run.rows[0].key in _STANDING_NAMES for run in runs]
    if sum(known) < 3 or True not in known or runs[known.index(True)].page != 0:
        return runs
    return runs[known.index(True) :]


def _title_run(runs: list[_Run]) -> _Run | None:
    """The largest text of all, if it stands once, on the first page, and is not numbered."""
    if len(runs) < 2 or runs[0].page != 0:
        return None
    largest = max(run.rows[0].size for run in runs)
    top = [run for run in runs if run.rows[0].size == largest]
    if len(top) != 1 or top[0].page != 0 or _depth(top[0].text):
        return None
    return top[0]


def _depth(text: str) -> int:
    number = NUMBER.match(text)
    if number is None:
        return 0
    digits = number["number"]
    if digits.isalpha() and not digits.isupper():
        return 0
    if digits in ("A", "I") and text[number.end("number")] == " ":
        return 0  # an article or a pronoun as likely as a number
    return digits.count(".") + 1


def _levels(runs: list[_Run]) -> dict[tuple[float, bool], int]:
    """Depth of each style: that of its numbered headings, else by falling size."""
    depths: dict[tuple[float, bool], Counter[int]] = defaultdict(Counter)
    for run in runs:
        depths[run.style][_depth(run.text)] += 1
    levels: dict[tuple[float, bool], int] = {}
    level, last = 0, None
    for style in sorted(depths, reverse=True):
        numbered = [(n, -depth) for depth, n in depths[style].items() if depth]
        if numbered:
            level = -max(numbered)[1]
        elif last is None or style[0] < last[0] or style[1] < last[1]:
            level += 1
        levels[style], last = level, style
    return levels
