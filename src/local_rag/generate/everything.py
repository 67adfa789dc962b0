"""For "list all …": everything of the kind that the passages list, in the documents' order."""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING

from local_rag.generate import tables
from local_rag.generate.units import display, language_of
from local_rag.model.answer import Claim, Support
from local_rag.text.tokens import tokenize

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from local_rag.generate.lists import ItemList
    from local_rag.generate.score import Query
    from local_rag.generate.tables import Grid
    from local_rag.generate.terms import Term
    from local_rag.generate.units import Unit
    from local_rag.model.evidence import Evidence

MOST_ITEMS = 60
_ANNOUNCED = 0.6  # share of the question that a heading, a lead-in or column names must hold
_STATED = 0.8  # share that a sentence outside of any list must hold itself
_MOST_SENTENCES = 12  # under one heading
_ASKING_WORDS = """
    list enumerate name give show find tell mention all every each complete full entire there
    liste nenne nennen zähle zeige gib finde alle allen aller sämtliche sämtlicher auf gibt
    énumère énumérer cite donne montre trouve tous toutes toute tout enumera nombra muestra dime
    todos todas enumere mostre cite elenca mostra tutti tutte
"""
_GENERIC_WORDS = """
    table tables tabelle tabellen tableau tableaux tabla tablas tabela
    thing things item items point points entry entries element elements kind kinds type types sort
    sorts method methods technique techniques example examples step steps schritt schritte étape
    étapes paso pasos passo passos ding dinge punkt punkte eintrag einträge element elemente art
    arten methode methoden beispiel beispiele chose choses élément éléments méthode méthodes cosa
    cosas elemento elementos método métodos coisa coisas
"""
_ASKING_WIDE = re.compile(r"请|列出|列举|列舉|所有|全部|都?有?哪些|都有什么|有什么|[的都]")
_LABEL = re.compile(r"([A-Z][A-Za-z]{2,})[-_ ]?\d+\b")
_SERIES = re.compile(
    r"(?:[:：]\s*|\b(?:includes?|comprises?|contains?|consists? of|are|umfasst|umfassen|enthält"
    r"|enthalten|sind|comprend|comprennent|sont|incluye|incluyen|son|inclui|incluem|são|包括|包含)\s+)"
    r"(?P<items>[^:：.!?。！？]{2,160}?(?:(?:,|、)[^:：.!?。！？]{1,160})+)(?=[.!?。！？;；]|$)",
    re.IGNORECASE,
)
_SEPARATOR = re.compile(
    r"\s*(?:,|、|，)\s*(?:(?:and|or|und|oder|et|ou|y|o|e)\s+)?|\s+(?:and|or|und|oder|et|ou|y|e)\s+"
    r"|[和与及](?=\S)",
    re.IGNORECASE,
)
_LONGEST_ENTRY_WORDS = 8
_LEAST_ENTRIES = 3


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
    terms = _asked_for(query)
    if not terms:
        return ()
    entries: list[_Entry] = []
    for index in _document_order(units, evidence):
        own = [unit for unit in units if unit.evidence_index == index]
        path = evidence[index].chunk.heading_path
        above = _tokens_above(path[-1:], own, evidence[index])
        found = _from_passage(terms, own, lists, grids, above, evidence[index])
        entries += sorted(found, key=lambda entry: entry.start)
    return _distinct(entries, evidence)


def reach(evidence: Iterable[Evidence], shown: int) -> tuple[str, ...]:
    """How far the search reached, in words for the reader.

    Args:
        shown: items that the answer holds.
    """
    rows = {row.chunk.chunk_id: row.document.document_id for row in evidence}
    documents = len(set(rows.values()))
    passages, files = _count(len(rows), "passage"), _count(documents, "document")
    notes = [f"Searched {passages} of {files}; there may be more."]
    if shown >= MOST_ITEMS:
        notes.append(f"Only the first {MOST_ITEMS} items are shown.")
    return tuple(notes)


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def _tokens_above(titles: Sequence[str], units: Sequence[Unit], row: Evidence) -> frozenset[str]:
    """Tokens of the headings above a passage that begins below them."""
    if units and units[0].kind == "heading":
        return frozenset()
    return frozenset(tokenize(" ".join(titles), language_of(row)))


def _asked_for(query: Query) -> list[Term]:
    """The words that say of which kind everything is wanted."""
    asking = frozenset(_ASKING_WORDS.split())
    generic = frozenset(_GENERIC_WORDS.split())
    wide = _ASKING_WIDE.sub(" ", query.text)
    asked = [
        term
        for term in query.terms
        if (term.surface in wide if term.wide else term.surface.casefold() not in asking)
    ]
    return [term for term in asked if term.surface.casefold() not in generic] or asked


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
    terms: Sequence[Term],
    units: Sequence[Unit],
    lists: Sequence[ItemList],
    grids: Sequence[Grid],
    above: frozenset[str],
    row: Evidence,
) -> Iterator[_Entry]:
    taken: set[int] = set()  # starts of the units that a list or a table holds or leads to
    index = units[0].evidence_index
    for listed in lists:
        if not set(listed.units) & set(units):
            continue
        over = frozenset(listed.heading.tokens) if listed.heading else above
        lead = frozenset(listed.lead.tokens) if listed.lead else frozenset()
        taken.update(unit.start for unit in listed.units)
        if _share(terms, over | lead) >= _ANNOUNCED:
            taken.update([listed.lead.start] if listed.lead else [])
            for item in listed.items:
                yield _Entry(item.evidence_index, item.start, item.end, item.text)
    for grid in grids:
        if grid.evidence_index == index:
            taken.update(line.start for line in grid.rows)
            yield from _rows(terms, grid, above)
    yield from _sentences(terms, units, taken, above, row)


def _rows(terms: Sequence[Term], grid: Grid, above: frozenset[str]) -> Iterator[_Entry]:
    """All rows where the table is of the kind, or those of what the question names."""
    said = above.union(grid.around, *grid.column_tokens)
    open_terms = [term for term in terms if not term.strength(said)]
    values = [sum(t.weight * t.strength(row.all_tokens) for t in open_terms) for row in grid.rows]
    best = max(values, default=0.0)
    if _share(terms, said.union(*(row.all_tokens for row in grid.rows))) < _ANNOUNCED:
        return
    if not best and _share(terms, said) < _ANNOUNCED:
        return
    if not _share(terms, grid.caption.union(*grid.column_tokens)) and not best:
        return  # it only stands somewhere under a heading of the kind
    for row, value in zip(grid.rows, values, strict=True):
        if value >= best - 1e-9:
            yield _Entry(row.evidence_index, row.start, row.end, tables.shown(row, grid))


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
        lead = frozenset(unit.tokens) | (above if headed else frozenset())
        if series and (headed or _share(terms, lead) >= _ANNOUNCED):
            yield from series
        elif unit.text.endswith((":", "：", "?", "？")):
            continue
        elif (
            (headed and under < _MOST_SENTENCES)
            or _share(terms, unit.tokens) >= _STATED
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
    raw = text[unit.start : unit.end]
    found = _SERIES.search(raw)
    if found is None:
        return
    start, stop = found.span("items")
    spans = []
    at = start
    for separator in _SEPARATOR.finditer(raw, start, stop):
        spans.append((at, separator.start()))
        at = separator.end()
    spans.append((at, stop))
    pieces = [raw[a:b] for a, b in spans]
    if len(pieces) < _LEAST_ENTRIES or any(not p.strip() for p in pieces):
        return
    if any(len(piece.split()) > _LONGEST_ENTRY_WORDS for piece in pieces):
        return
    for (a, b), piece in zip(spans, pieces, strict=True):
        yield _Entry(unit.evidence_index, unit.start + a, unit.start + b, display(piece))


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
