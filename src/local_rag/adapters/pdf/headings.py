"""Which rows are headings by size, weight, numbering and place, and how deep they are."""

from __future__ import annotations

from collections import Counter, defaultdict
from itertools import groupby
from typing import TYPE_CHECKING

from local_rag.adapters.pdf.glyphs import letters_and_digits
from local_rag.adapters.pdf.heading_labels import STANDING_NAMES, depth_of
from local_rag.adapters.pdf.heading_rows import BODY_CHARS, Run, body_style, runs_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from local_rag.adapters.pdf.rows import Row

# A heading at the same height on this many pages is a running head.
_RUNNING = 3
_LABELS = 3
# So many lines in one style are no chance.
_OFTEN = 3


def mark_by_fonts(pages: Sequence[Sequence[Row]]) -> str | None:
    """Marks the rows that stand out from the body as headings.

    Returns:
        The document's own title, if the first page shows one. It is no heading: nothing stands
        beside it.
    """
    runs = _runs(pages)
    title = _title_run(runs)
    runs = _without_front_matter([run for run in runs if run is not title])
    levels = _levels(runs)
    for number, run in enumerate(runs):
        _mark(run, depth_of(run.text) or levels[run.style], number)
    return title.text if title is not None else None


def mark_below_outline(pages: Sequence[Sequence[Row]]) -> None:
    """Marks what stands out below the headings that the outline named, one level deeper.

    A style counts that occurs several times, and either is the style of named headings, whose
    level it has then, or is slighter than theirs. What is larger was left out on purpose.
    """
    levels = _named_levels(pages)
    if not levels:
        return
    first_page = next(i for i, rows in enumerate(pages) if any(row.heading for row in rows))
    # What stands before the first named heading is a cover and a table of contents.
    runs = [run for run in _runs(pages) if run.page >= first_page]
    styles = Counter(run.style for run in runs)
    often = {style for style, n in styles.items() if n >= _OFTEN}
    slighter = sorted((style for style in often if style < min(levels)), reverse=True)
    deepest = max(levels.values())
    levels.update({style: deepest + depth for depth, style in enumerate(slighter, 1)})
    first = 1 + max(row.heading_id for rows in pages for row in rows)
    for number, run in enumerate(runs, first):
        if run.style in levels:
            _mark(run, levels[run.style], number)


def _named_levels(pages: Sequence[Sequence[Row]]) -> dict[tuple[float, bool], int]:
    """Of each style in which several headings were named, the level that most of them have."""
    found: dict[tuple[float, bool], Counter[int]] = defaultdict(Counter)
    seen: set[int] = set()
    for rows in pages:
        for row in rows:
            if row.heading and row.heading_id not in seen:
                seen.add(row.heading_id)
                found[row.size, row.bold][row.heading] += 1
    often = min(_OFTEN, max((c.total() for c in found.values()), default=0))
    return {s: c.most_common(1)[0][0] for s, c in found.items() if c.total() >= often}


def _mark(run: Run, level: int, number: int) -> None:
    for row in run.rows:
        row.heading, row.heading_id = level, number


def _runs(pages: Sequence[Sequence[Row]]) -> list[Run]:
    body = body_style(pages)
    runs = [run for i, rows in enumerate(pages) for run in runs_of(i, rows, body)]
    return _without_figure_labels(_without_strays(_without_running_heads(runs)), pages)


def _without_strays(runs: list[Run]) -> list[Run]:
    """Leaves out what has no white above, unless its like often has: a sentence in bold."""
    styles = Counter(run.style for run in runs if run.apart and run.white)
    return [run for run in runs if not run.apart or run.white or styles[run.style] >= _OFTEN]


def _without_running_heads(runs: list[Run]) -> list[Run]:
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


def _without_figure_labels(runs: list[Run], pages: Sequence[Sequence[Row]]) -> list[Run]:
    """Leaves out large text of which three pieces or more follow each other without body text."""
    kept: list[Run] = []
    for page, of_page in groupby(runs, key=lambda run: run.page):
        owner = {id(row): run for run in of_page for row in run.rows}
        group: list[Run] = []
        for row in [*pages[page], None]:
            run = owner.get(id(row)) if row is not None else None
            if run is None and row is not None and len(row.text) < BODY_CHARS:
                continue
            if run is None:
                large = sum(not r.apart for r in group)
                kept += [r for r in group if large < _LABELS or r.apart or depth_of(r.text)]
                group = []
            elif not group or group[-1] is not run:
                group.append(run)
    return kept


def _without_front_matter(runs: list[Run]) -> list[Run]:
    """Leaves out names and places that stand above the abstract of a paper."""
    known = [bool(depth_of(run.text)) or run.rows[0].key in STANDING_NAMES for run in runs]
    if sum(known) < 3 or True not in known or runs[known.index(True)].page != 0:
        return runs
    return runs[known.index(True) :]


def _title_run(runs: list[Run]) -> Run | None:
    """The largest text of all, if it stands once, on the first page, and is not numbered."""
    if len(runs) < 2 or runs[0].page != 0:
        return None
    largest = max(run.rows[0].size for run in runs)
    top = [run for run in runs if run.rows[0].size == largest]
    if len(top) != 1 or top[0].page != 0 or depth_of(top[0].text):
        return None
    return top[0]


def _levels(runs: list[Run]) -> dict[tuple[float, bool], int]:
    """Depth of each style: that of its numbered headings, else by falling size."""
    depths: dict[tuple[float, bool], Counter[int]] = defaultdict(Counter)
    for run in runs:
        depths[run.style][depth_of(run.text)] += 1
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
