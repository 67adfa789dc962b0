"""Which sentences speak of the very thing that a question names by a code."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING

from local_rag.text.identifiers import identifiers_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from local_rag.generate.parts import Part
    from local_rag.generate.units import Unit
    from local_rag.model.evidence import Evidence
    from local_rag.text.identifiers import Identifier


def about_what_is_named(
    part: Part, units: Sequence[Unit], evidence: Sequence[Evidence]
) -> Sequence[Unit]:
    """The units that speak of a code that this part of the question names; all, if it names none.

    A unit speaks of the code that it holds itself, else of the one that was named last before it
    in its passage, else of the one in the passage's headings or in its document's title or name.

    Args:
        units: ordered by passage and place.
    """
    named = identifiers_of(part.text) or identifiers_of(part.context)
    if not named:
        return units
    kept: dict[tuple[int, int], Unit] = {}
    for index, group in groupby(units, key=lambda unit: unit.evidence_index):
        passage = list(group)
        for identifier in named:
            for unit in _about(identifier, passage, evidence[index]):
                kept[index, unit.place] = unit
    return [kept[key] for key in sorted(kept)]


def _about(identifier: Identifier, units: Iterable[Unit], row: Evidence) -> Iterator[Unit]:
    chunk, document = row.chunk, row.document
    around = "\n".join([document.name, document.title or "", *chunk.heading_path])
    speaks = identifier.is_in(around)
    end = 0
    for unit in units:
        # What stands in between is headings, and units that another passage has as well.
        last = identifier.last_in(chunk.text[end : unit.start])
        own = chunk.text[unit.start : unit.end]
        end = unit.end
        speaks = speaks if last is None else last
        speaks = identifier.is_in(own) or (speaks and identifier.last_in(own) is None)
        if speaks:
            yield unit
