"""From ranked sentences to the claims of an answer: few sentences, or one whole list."""

from __future__ import annotations

import math
import re
from typing import TYPE_CHECKING

from local_rag.generate.announced import announced_by
from local_rag.generate.commands import claims_of_code
from local_rag.generate.rows_asked import best_rows
from local_rag.generate.score import POINTS_BACK
from local_rag.generate.tables import shown
from local_rag.generate.units import display
from local_rag.model.answer import Claim, Support

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from local_rag.generate.extremes import Found
    from local_rag.generate.lists import ItemList
    from local_rag.generate.ranking import Ranked, Ranking
    from local_rag.generate.score import Query
    from local_rag.generate.tables import Grid, Row
    from local_rag.generate.terms import Term
    from local_rag.generate.units import Unit
    from local_rag.model.evidence import Evidence

_MOST_SENTENCES = 2  # quoted for one part of a question
_MOST_RECORDS = 3
_MOST_IN_SECTION = 3
_ENOUGH = 0.9  # of the probability that one of the quoted sentences answers
_LEAST_SHARE = 0.06
_SAME_STATEMENT = 0.9
_ALL_OF_IT = 0.9
_MUCH = 0.5
_LONGEST_ANTECEDENT_CHARS = 320
_DEMONSTRATIVE = re.compile(
    r"(?!that is)(?:\S+ ){0,3}?(?:this|these|those|such|dies(?:e[rsmn]?)?|solche[rsnm]?|cette|ces"
    r"|cela|esto|esta|este|estos|estas|isso|isto|essa|esse|questo|questa|questi|queste)\b",
    re.IGNORECASE,
)
_HEADING_SHARE = 0.6
_LEAD_SHARE = 0.5
_LEAD_SHARE_ALONE = 0.75  # where the lead-in alone must prove that the list answers
_HOW_MANY = re.compile(
    r"\b(?:how many|wie ?viele|combien de|cuánt[oa]s|quant[oaie]s?)\b.{1,60}\b(?:are there|exist"
    r"|listed|gibt es|y a-t-il|hay|há|existem|ci sono)\b",
    re.IGNORECASE,
)
_NOT_LISTED = ("number", "when", "who", "where")


def claims_from_sentences(
    ranking: Ranking,
    units: Sequence[Unit],
    evidence: Sequence[Evidence],
    may_follow: Callable[[Ranked], bool],
) -> tuple[Claim, ...]:
    """The best sentence, and further ones as long as it is open which one answers.

    One that only announces others brings those.

    Args:
        ranking: with one row or more, none of them a heading.
        may_follow: whether a sentence other than the best one may be quoted.
    """
    rows, terms = ranking.rows, ranking.query.terms
    announced = announced_by(rows[0].unit, ranking.query, units, evidence)
    if announced:
        return tuple(_claim(unit, units, evidence) for unit in (rows[0].unit, *announced))
    odds = [math.exp(row.value - rows[0].value) for row in rows]
    total = sum(odds)
    chosen: list[Unit] = []
    covered = 0.0
    most = 1 if rows[0].unit.kind in ("field", "row") else _MOST_SENTENCES
    for row, odd in zip(rows, odds, strict=True):
        if len(chosen) == most or (chosen and odd < _LEAST_SHARE * total):
            break
        if chosen and (row.features.unfit or any(_alike(row.unit, unit) for unit in chosen)):
            continue
        if chosen and not (_adds(rows[0], row) and may_follow(row)):
            continue
        chosen.append(row.unit)
        covered += odd
        if covered >= _ENOUGH * total:
            break
    first = _with_antecedent(rows[0], terms, units, evidence)
    if first is None:
        return tuple(_claim(unit, units, evidence) for unit in chosen)
    inside = first.supports[0]
    rest = [u for u in chosen[1:] if not _lies_within(u, inside, evidence)]
    return (first, *(_claim(unit, units, evidence) for unit in rest[: _MOST_SENTENCES - 1]))


def _adds(best: Ranked, row: Ranked) -> bool:
    """Whether a further sentence can be what is asked for.

    The best one lacks some of the question, or it says much of the same; and it has a number, a
    date or a name where one is asked for and the best one has it.
    """
    if best.features.countable > row.features.countable or (
        best.features.nameable > 0.0 == row.features.nameable
    ):
        return False
    own = row.features.own + row.features.linked
    return best.features.own < _ALL_OF_IT or own >= _MUCH * best.features.own


def _lies_within(unit: Unit, support: Support, evidence: Sequence[Evidence]) -> bool:
    chunk_id = evidence[unit.evidence_index].chunk.chunk_id
    return chunk_id == support.chunk_id and support.start <= unit.start < support.end


def claims_from_section(
    ranking: Ranking, units: Sequence[Unit], evidence: Sequence[Evidence]
) -> tuple[Claim, ...]:
    """For "how do I …": the sentences under the heading that says it, in order; else nothing."""
    if ranking.query.kind != "how-to":
        return ()
    shares = [
        _share(ranking.query, frozenset(unit.tokens)) if unit.kind == "heading" else 0.0
        for unit in units
    ]
    share = max(shares, default=0.0)
    if share < _HEADING_SHARE:
        return ()
    first = shares.index(share) + 1
    under = [u for u in units[first:] if u.evidence_index == units[first - 1].evidence_index]
    chosen: list[Unit] = []
    for unit in under:
        if unit.kind == "heading" or unit.cut or len(chosen) == _MOST_IN_SECTION:
            break
        if unit.kind != "noise":
            chosen.append(unit)
    if len(chosen) == 1 and chosen[0].kind == "code":
        return claims_of_code(chosen[0], evidence)
    return tuple(_claim(unit, units, evidence) for unit in chosen)


def claims_from_table(
    ranking: Ranking, grids: Sequence[Grid], evidence: Sequence[Evidence], *, answered: bool
) -> tuple[Claim, ...]:
    """The rows asked for, if a table holds more of the question than the best sentence does.

    Args:
        answered: whether the best sentence supports an answer by itself.
    """
    found = best_rows(ranking.query, grids) if grids else None
    if found is None:
        return ()
    best = ranking.rows[0]
    is_row = best.unit.kind == "row"
    said = (best.features.own + best.features.before) * ranking.query.found / ranking.query.total
    if answered and not is_row and said >= found.covered:
        return ()

    def place(row: Row) -> tuple[int, int]:
        chunk = evidence[row.evidence_index].chunk
        return chunk.page_number, chunk.start + row.start

    return tuple(
        Claim(
            shown(row, found.grid, found.columns),
            (_support(row.evidence_index, row.start, row.end, evidence),),
        )
        for row in sorted(found.rows, key=place)
    )


def claims_from_extreme(found: Found, evidence: Sequence[Evidence]) -> tuple[Claim, ...]:
    """The rows with the value asked for, each with that value."""
    return tuple(
        Claim(
            shown(row, found.grid, (found.column,)),
            (_support(row.evidence_index, row.start, row.end, evidence),),
        )
        for row in found.rows
    )


def with_columns(
    claims: Sequence[Claim], grids: Sequence[Grid], evidence: Sequence[Evidence]
) -> tuple[Claim, ...]:
    """The claims, those that are rows of a table told with the names of their columns."""
    rows = {
        (evidence[row.evidence_index].chunk.chunk_id, row.start, row.end): shown(row, grid)
        for grid in grids
        for row in grid.rows
    }

    def told(claim: Claim) -> Claim:
        at = claim.supports[0]
        text = rows.get((at.chunk_id, at.start, at.end))
        return claim if text is None else Claim(text, claim.supports)

    return tuple(told(claim) for claim in claims)


def claims_from_records(records: Sequence[Unit], evidence: Sequence[Evidence]) -> tuple[Claim, ...]:
    """Records as they stand, the best passage's first."""
    return tuple(_claim(unit, records, evidence) for unit in records[:_MOST_RECORDS])


def _with_antecedent(
    row: Ranked, terms: Sequence[Term], units: Sequence[Unit], evidence: Sequence[Evidence]
) -> Claim | None:
    """One claim of this sentence and the one before, where it says nothing without that.

    "It was built in 1889" needs the sentence that names the tower, "For this reason …" its reason,
    and "The total is 12 euros" the sentence that names the bill which the question asks about.
    """
    unit = row.unit
    before = next(
        (u for u in units if (u.evidence_index, u.place) == (unit.evidence_index, unit.place - 1)),
        None,
    )
    if before is None or before.cut or {before.kind, unit.kind} != {"prose"}:
        return None
    lost = _DEMONSTRATIVE.match(unit.text) or POINTS_BACK.match(unit.text)
    unnamed = any(
        term.given and term.forms[0] in before.tokens and term.forms[0] not in unit.tokens
        for term in terms
    )
    if not (lost or unnamed) or len(before.text) > _LONGEST_ANTECEDENT_CHARS:
        return None
    support = _support(unit.evidence_index, before.start, unit.end, evidence)
    text = evidence[unit.evidence_index].chunk.text[support.start : support.end]
    return Claim(display(text), (support,))


def _claim(unit: Unit, units: Sequence[Unit], evidence: Sequence[Evidence]) -> Claim:
    """The sentence, cited from its own passage and from another that says the same."""
    supports = [_support(unit.evidence_index, unit.start, unit.end, evidence)]
    for other in units:
        if other.evidence_index != unit.evidence_index and other.text == unit.text:
            supports.append(_support(other.evidence_index, other.start, other.end, evidence))
            break
    return Claim(unit.text, tuple(supports))


def _support(index: int, start: int, end: int, evidence: Sequence[Evidence]) -> Support:
    return Support(evidence[index].chunk.chunk_id, start, end)


def _alike(left: Unit, right: Unit) -> bool:
    a, b = set(left.tokens), set(right.tokens)
    return len(a & b) >= _SAME_STATEMENT * min(len(a), len(b))


def fitting_list(
    ranking: Ranking,
    lists: Sequence[ItemList],
    headings: Mapping[int, frozenset[str]],
    *,
    answered: bool,
) -> ItemList | None:
    """The list that answers, if one does: its lead-in or heading asks what the question asks.

    Args:
        headings: tokens of each passage's headings and title, by its index.
        answered: whether the best sentence supports an answer by itself.
    """
    query = ranking.query
    # Who reads the whole list can count its items.
    counts = query.kind == "number" and _HOW_MANY.search(query.text) is not None
    if not lists or not query.total or (query.kind in _NOT_LISTED and not counts):
        return None
    led, listed = max(
        ((_share(query, _announced(listed, headings)), listed) for listed in lists),
        key=lambda pair: pair[0],
    )
    if led < (_LEAD_SHARE if answered else _LEAD_SHARE_ALONE):
        return None
    top = ranking.rows[0].unit
    if counts and top not in listed.units and _share(query, frozenset(top.tokens)) >= led:
        return None
    if counts or query.kind in ("how-to", "list") or top is listed.lead:
        return listed
    alone = _share(query, frozenset(top.tokens))
    said = _share(query, frozenset(listed.lead.tokens)) if listed.lead is not None else 0.0
    fits = (top in listed.units and alone <= led) or (alone <= said and query.kind != "define")
    return listed if fits else None


def _announced(listed: ItemList, headings: Mapping[int, frozenset[str]]) -> frozenset[str]:
    """Tokens of what stands over the list: its lead-in and its nearest heading."""
    above = listed.heading
    over = frozenset(above.tokens) if above else headings.get(listed.evidence_index, frozenset())
    return over.union(listed.lead.tokens) if listed.lead is not None else over


def _share(query: Query, tokens: frozenset[str]) -> float:
    return sum(term.weight * term.strength(tokens) for term in query.terms) / query.total


def claims_from_list(listed: ItemList, evidence: Sequence[Evidence]) -> tuple[Claim, ...]:
    """Each item a claim, in order."""
    return tuple(
        Claim(item.text, (_support(item.evidence_index, item.start, item.end, evidence),))
        for item in listed.items
    )
