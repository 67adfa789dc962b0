"""Which sentences speak of the very thing that a question names by a code or a number."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import groupby
from typing import TYPE_CHECKING

from local_rag.generate.units import display, language_of
from local_rag.text.identifiers import are_listed, identifiers_of, numbered_of, plain_names_of
from local_rag.text.tokens import tokenize

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from local_rag.generate.tables import Grid
    from local_rag.generate.units import Unit
    from local_rag.model.evidence import Evidence
    from local_rag.model.question import Part
    from local_rag.text.identifiers import Identifier

MOST_NAMED = 6
_MOST_AFTER_LABEL = 3
_SAID_OF_CODES = """
    appears appear shows show shown displays display displayed blinks flashes happens happen occurs
    occur comes means mean error code fault alarm message help fix cause solve screen when if
    erscheint angezeigt anzeigt blinkt kommt auftritt bedeutet fehler fehlercode störung meldung tun
    machen hilft wenn bei mache tue
"""


def each_named(part: Part) -> list[tuple[Part, str]]:
    """The part once for each code that it names, the others taken out; and the code.

    One that names fewer than two codes comes back as it is.
    """
    named = identifiers_of(part.text)[:MOST_NAMED]
    plain = plain_names_of(part.text)[:MOST_NAMED]
    if not named and are_listed(plain, part.text):
        named = plain
    if len(named) < 2:
        return [(part, part.text)]
    parts = []
    for one in named:
        text = part.text
        for other in named:
            if other is not one:
                text = text.replace(other.surface, " ")
        parts.append((replace(part, text=" ".join(text.split())), one.surface))
    return parts


def about_what_is_named(
    part: Part, units: Sequence[Unit], evidence: Sequence[Evidence]
) -> Sequence[Unit]:
    """The units that can answer a part of the question; all of them, if it names nothing.

    A unit speaks of the code that it holds itself, else of the one that was named last before it
    in its passage, else of the one in the passage's headings or in its document's title or name.
    One that speaks of another year or of another of a numbered series (``Windows 7``) is left out.

    Args:
        units: ordered by passage and place.
    """
    units = _of_plain_names(part, units, evidence)
    named = identifiers_of(part.text) or identifiers_of(part.context)
    numbered = numbered_of(part.text)
    if numbered:
        units = [
            unit
            for unit in units
            if not any(one.has_rival_in(_raw(unit, evidence)) for one in numbered)
        ]
    if not named:
        return units
    kept: dict[tuple[int, int], Unit] = {}
    for index, group in groupby(units, key=lambda unit: unit.evidence_index):
        passage = list(group)
        for identifier in named:
            for unit in _about(identifier, passage, evidence[index]):
                kept[index, unit.place] = unit
    return [kept[key] for key in sorted(kept)]


def _of_plain_names(
    part: Part, units: Sequence[Unit], evidence: Sequence[Evidence]
) -> Sequence[Unit]:
    """The units of the passages that have one of the names; none if a name stands in no passage."""
    named = plain_names_of(part.text) or plain_names_of(part.context)
    if not named:
        return units
    texts = ["\n".join([_around(row), row.chunk.text]) for row in evidence]
    if not all(any(one.is_in(text) for text in texts) for one in named):
        return []
    speaking = {i for i, text in enumerate(texts) if any(one.is_in(text) for one in named)}
    return [unit for unit in units if unit.evidence_index in speaking]


def of_other_years(part: Part, grids: Iterable[Grid]) -> list[Grid]:
    """The tables with a column for each of some years, that of the question not among them.

    One that has the year in another place, such as a cell or what stands above it, is none.
    """
    years = [one for one in numbered_of(part.text) if one.surface.isdigit()]
    found = []
    for grid in grids:
        columns = " | ".join(grid.columns)
        cells = " | ".join(cell for row in grid.rows for cell in row.cells)
        if any(one.has_rival_in(columns) and not one.is_in(cells) for one in years):
            found.append(grid)
    return found


def _raw(unit: Unit, evidence: Sequence[Evidence]) -> str:
    return evidence[unit.evidence_index].chunk.text[unit.start : unit.end]


def _around(row: Evidence) -> str:
    return "\n".join([row.document.name, row.document.title or "", *row.chunk.heading_path])


def _about(identifier: Identifier, units: Iterable[Unit], row: Evidence) -> Iterator[Unit]:
    chunk = row.chunk
    speaks = identifier.is_in(_around(row))
    end = 0
    for unit in units:
        # What stands in between is headings, and units that another passage has as well.
        last = identifier.last_in(chunk.text[end : unit.start])
        own = chunk.text[unit.start : unit.end]
        end = unit.end
        speaks = speaks if last is None else last
        holds = identifier.is_in(own)
        speaks = holds or (speaks and identifier.last_in(own) is None)
        if speaks:
            yield _its_lines(identifier, unit, row) if holds else unit


def _its_lines(identifier: Identifier, unit: Unit, row: Evidence) -> Unit:
    """Of records, one a line, that were taken for one sentence, the line of this one."""
    text = row.chunk.text
    if "\n" not in text[unit.start : unit.end]:
        return unit
    start = unit.start
    for line in text[unit.start : unit.end].split("\n"):
        others = text[unit.start : start] + text[start + len(line) : unit.end]
        if identifier.is_in(line) and identifier.last_in(others) is False:
            tokens = tuple(tokenize(line, language_of(row)))
            end = start + len(line.rstrip())
            return replace(
                unit, start=start, end=end, text=display(line), tokens=tokens, kind="row", cut=False
            )
        start += len(line) + 1
    return unit


def labelled_of(part: Part, units: Sequence[Unit], language: str) -> list[Unit]:
    """What follows the code asked for as a label, ``E05: The sensor is defective. …``.

    Only where the question has no other word of its own than what one says of any code.
    """
    named = identifiers_of(part.text)
    words = tokenize(part.text, language)
    own = {token for one in named for token in tokenize(one.surface, language)}
    said = frozenset(tokenize(_SAID_OF_CODES, language))
    if not named or not own.union(said).issuperset(words):
        return []
    for i, unit in enumerate(units):
        if any(re.match(rf"{re.escape(one.surface)}\s*[:：–—=-]", unit.text) for one in named):
            rest = units[i + 1 : i + _MOST_AFTER_LABEL]
            follow = zip(units[i:], rest, strict=False)
            broken = (n for n, (a, b) in enumerate(follow) if not _goes_on(a, b))
            return [unit, *rest[: next(broken, len(rest))]]
    return []


def _goes_on(before: Unit, unit: Unit) -> bool:
    """Whether it is the next sentence of the same line."""
    there = (before.evidence_index, before.place + 1)
    return there == (unit.evidence_index, unit.place) and unit.start - before.end == 1


def records_of(part: Part, units: Iterable[Unit], evidence: Sequence[Evidence]) -> list[Unit]:
    """The records, such as lines of a table or a CSV file, that begin with the code asked for.

    A record says what its columns are nowhere, so nothing but the code can match the question.
    """
    named = identifiers_of(part.text)
    found = []
    for unit in units:
        raw = _raw(unit, evidence)
        if any(one.is_in(raw) for one in named) and sum(raw.count(c) for c in ",;|\t") >= 2:
            found.append(unit)
    return found
