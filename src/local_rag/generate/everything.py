"""For "list all …": everything of the kind that the passages list, in the documents' order."""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING

from local_rag.generate import tables
from local_rag.generate.asked import Asked, asked_for, says_the_kind
from local_rag.generate.series import series_in
from local_rag.generate.units import display, language_of
from local_rag.model.answer import Claim, Support
from local_rag.text.tokens import tokenize

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from local_rag.generate.lists import Item, ItemList
    from local_rag.generate.score import Query
    from local_rag.generate.tables import Grid
    from local_rag.generate.terms import Term
    from local_rag.generate.units import Unit
    from local_rag.model.evidence import Evidence

MOST_ITEMS = 60
_ANNOUNCED = 0.6  # share of the question that a heading, a lead-in or column names must hold
_STATED = 0.8  # share that a sentence outside of any list must hold itself
_MOST_SENTENCES = 12  # under one heading
_LABEL = re.compile(r"([A-Z][A-Za-z]{2,})[-_ ]?\d+\b")


@dataclass(frozen=True, slots=True)
class _Entry:
    index: int
    start: int
    end: int
    text: str


def claims_of_everything(
    query: Query,
    units: Sequence[Unit],
    lists: Sequence[ItemList],
    grids: Sequence[Grid],
    evidence: Sequence[Evidence],
) -> tuple[Claim, ...]:
    """Each item of the matching lists, tables and series, and each matching sentence, a claim.

    Args:
        query: of the part; the words that only ask for a list do not count.
        units: ordered by passage and place.
    """
    asked = asked_for(query)
    if not asked.terms:
        return ()
    entries: list[_Entry] = []
    for index in _document_order(units, evidence):
        own = [unit for unit in units if unit.evidence_index == index]
        path = evidence[index].chunk.heading_path
        above = _tokens_above(path[-1:], own, evidence[index])
        found = _from_passage(asked, own, lists, grids, above, evidence[index])
        entries += sorted(found, key=lambda entry: entry.start)
    return _distinct(entries, evidence)


def reach(evidence: Iterable[Evidence], shown: int) -> tuple[str, ...]:
    """How far the search reached, in words for the reader.

    Args:
        shown: items that the answer holds.
    """
    rows = {row.chunk.chunk_id: row.document.document_id for row in evidence}
    documents = len(set(rows.values()))
    files = "one document" if documents == 1 else f"{documents} documents"
    read = f"the {len(rows)} passages that fit best were read, from {files}"
    if len(rows) == 1:
        read = "the one passage that fits best was read"
    notes = [f"Only {read}. Other passages may hold more."]
    if shown >= MOST_ITEMS:
        notes.append(f"Only the first {MOST_ITEMS} items are shown.")
    return tuple(notes)


def _tokens_above(titles: Sequence[str], units: Sequence[Unit], row: Evidence) -> frozenset[str]:
    """Tokens of the headings above a passage that begins below them."""
    if units and units[0].kind == "heading":
        return frozenset()
    return frozenset(tokenize(" ".join(titles), language_of(row)))


def _document_order(units: Sequence[Unit], evidence: Sequence[Evidence]) -> list[int]:
    """The passages that have units: documents by their best passage, then page and place."""
    indexes = [index for index, _ in groupby(units, key=lambda unit: unit.evidence_index)]
    first: dict[str, int] = {}
    for index in indexes:
        first.setdefault(evidence[index].chunk.document_id, index)

    def place(index: int) -> tuple[int, int, int]:
        chunk = evidence[index].chunk
        return first[chunk.document_id], chunk.page_number, chunk.start

    return sorted(indexes, key=place)


def _share(terms: Sequence[Term], tokens: Iterable[str]) -> float:
    tokens = frozenset(tokens)
    total = sum(term.weight for term in terms)
    return sum(term.weight * term.strength(tokens) for term in terms) / total if total else 0.0


def _from_passage(
    asked: Asked,
    units: Sequence[Unit],
    lists: Sequence[ItemList],
    grids: Sequence[Grid],
    above: frozenset[str],
    row: Evidence,
) -> Iterator[_Entry]:
    taken: set[int] = set()  # starts of the units that a list or a table holds or leads to
    index, terms = units[0].evidence_index, asked.terms
    valued = list(_valued(asked, units, grids, above, row))
    if valued:
        yield from valued
        return
    title = tokenize(
        " ".join([*row.chunk.heading_path, row.document.title or ""]), language_of(row)
    )
    for listed in lists:
        if not set(listed.units) & set(units):
            continue
        over = frozenset(listed.heading.tokens) if listed.heading else above
        lead = frozenset(listed.lead.tokens) if listed.lead else frozenset()
        taken.update(unit.start for unit in listed.units)
        named = _of_what_is_named(terms, listed, over.union(lead, title), language_of(row))
        said = over.union(lead, title, *(tokens for _, tokens in named))
        if _share(terms, over | lead) and _share(terms, said) >= _ANNOUNCED:
            taken.update([listed.lead.start] if listed.lead else [])
            for item in [item for item, _ in named] or listed.items:
                yield _Entry(item.evidence_index, item.start, item.end, item.text)
    for grid in grids:
        if grid.evidence_index == index:
            taken.update(line.start for line in grid.rows)
            yield from _rows(asked, grid, above)
    yield from _sentences(terms, units, taken, above, row)


def _of_what_is_named(
    terms: Sequence[Term], listed: ItemList, said: frozenset[str], language: str
) -> list[tuple[Item, frozenset[str]]]:
    """The items, with their tokens, that hold what the question names and nothing above them does:
    "all tasks of Priya". None where no item holds it.
    """
    named = [term for term in terms if term.named and not term.strength(said)]
    held = [(item, frozenset(tokenize(item.text, language))) for item in listed.items]
    values = [sum(term.weight * term.strength(tokens) for term in named) for _, tokens in held]
    best = max(values, default=0.0)
    return [one for one, value in zip(held, values, strict=True) if best and value >= best - 1e-9]


def _valued(
    asked: Asked,
    units: Sequence[Unit],
    grids: Sequence[Grid],
    above: frozenset[str],
    row: Evidence,
) -> Iterator[_Entry]:
    """What has a value known by its looks, where the passage speaks of the rest of the question."""
    if asked.has_value is None:
        return
    if asked.beside and _share(asked.beside, above.union(*(u.tokens for u in units))) < _ANNOUNCED:
        return
    told = {(r.evidence_index, r.start): tables.shown(r, grid) for grid in grids for r in grid.rows}
    for unit in units:
        if asked.has_value(row.chunk.text[unit.start : unit.end]):
            text = told.get((unit.evidence_index, unit.start), unit.text)
            yield _Entry(unit.evidence_index, unit.start, unit.end, text)


def _rows(asked: Asked, grid: Grid, above: frozenset[str]) -> Iterator[_Entry]:
    """All rows where the table is of the kind, or those of what the question names."""
    terms = asked.terms
    said = above.union(grid.around, *grid.column_tokens)
    open_terms = [term for term in terms if not term.strength(said)]
    found = [
        sum(t.plain_weight * t.strength(row.all_tokens) for t in open_terms) for row in grid.rows
    ]
    best = max(found, default=0.0)
    if _of_table(asked, said.union(*(row.all_tokens for row in grid.rows))) < _ANNOUNCED:
        return
    if not best and _of_table(asked, said) < _ANNOUNCED:
        return
    if not _share(terms, grid.caption.union(*grid.column_tokens)) and not best:
        return  # it only stands somewhere under a heading of the kind
    label = grid.rows[0].label_at
    columns = [i for i, names in enumerate(grid.column_tokens) if _share(terms, names)]
    for row, value in zip(grid.rows, found, strict=True):
        if value >= best - 1e-9:
            text = tables.shown(row, grid, () if best or label in columns else columns)
            yield _Entry(row.evidence_index, row.start, row.end, text)


def _of_table(asked: Asked, tokens: frozenset[str]) -> float:
    """Share of the question that a table holds; its words are few, so IDF would say too much."""
    held = sum(term.plain_weight * term.strength(tokens) for term in asked.terms)
    total = sum(term.plain_weight for term in asked.terms)
    return (held + asked.generic * bool(held)) / (total + asked.generic)


def _sentences(
    terms: Sequence[Term],
    units: Sequence[Unit],
    taken: set[int],
    above: frozenset[str],
    row: Evidence,
) -> Iterator[_Entry]:
    """What stands under a heading of the kind, and sentences that state one of the kind."""
    headed = _share(terms, above) >= _ANNOUNCED
    under = 0
    for i, unit in enumerate(units):
        if unit.kind == "heading":
            headed, under = _share(terms, unit.tokens) >= _ANNOUNCED, 0
            rest = units[i + 1 :]
            section = [u.start for u in rest[: _section_length(rest)]]
            headed = headed and not taken.intersection(section)
            continue
        if unit.start in taken or unit.kind in ("noise", "row", "code", "caption") or unit.cut:
            continue
        series = list(_series(unit, row.chunk.text))
        # Not the items' own words: who is one of those present is not what is asked for.
        before = row.chunk.text[unit.start : series[0].start] if series else ""
        lead = frozenset(tokenize(before, language_of(row))) | (above if headed else frozenset())
        if series and (headed or _share(terms, lead) >= _ANNOUNCED):
            yield from series
        elif unit.text.endswith((":", "：", "?", "？")):
            continue
        elif (
            (headed and under < _MOST_SENTENCES)
            or (
                _share(terms, unit.tokens) >= _STATED
                and says_the_kind(terms, above.union(unit.tokens))
            )
            or _is_labelled(terms, unit)
        ):
            under += 1
            yield _Entry(unit.evidence_index, unit.start, unit.end, unit.text)


def _is_labelled(terms: Sequence[Term], unit: Unit) -> bool:
    """Whether it begins with a code short for what is asked: ``REQ-12`` of a requirement."""
    label = _LABEL.match(unit.text)
    return label is not None and any(
        term.surface.casefold().startswith(label[1].casefold()) for term in terms
    )


def _section_length(units: Sequence[Unit]) -> int:
    return next((i for i, unit in enumerate(units) if unit.kind == "heading"), len(units))


def _series(unit: Unit, text: str) -> Iterator[_Entry]:
    """The items of "fields: a, b and c", each where it stands."""
    for start, end in series_in(text[unit.start : unit.end]):
        a, b = unit.start + start, unit.start + end
        yield _Entry(unit.evidence_index, a, b, display(text[a:b]))


def _distinct(entries: Iterable[_Entry], evidence: Sequence[Evidence]) -> tuple[Claim, ...]:
    claims: dict[str, Claim] = {}
    for entry in entries:
        support = Support(evidence[entry.index].chunk.chunk_id, entry.start, entry.end)
        key = entry.text.casefold().rstrip(" .;,。；，")
        if not key:
            continue
        known = claims.get(key)
        if known is None:
            claims[key] = Claim(entry.text, (support,))
        elif all(support.chunk_id != other.chunk_id for other in known.supports):
            claims[key] = Claim(known.text, (*known.supports, support))
    return tuple(claims.values())[:MOST_ITEMS]
