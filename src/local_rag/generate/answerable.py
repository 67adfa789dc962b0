"""Which of the ranked sentences can answer the question at all, whatever their value."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from local_rag.generate.asked import asked_for, says_the_kind
from local_rag.generate.attributes import attribute_of, lacks_the_count, marked_in
from local_rag.generate.score import POINTS_BACK, prepare
from local_rag.generate.units import language_of
from local_rag.text.language import UNDETERMINED
from local_rag.text.tokens import tokenize

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from local_rag.generate.ranking import Ranked, Ranking
    from local_rag.generate.score import Query
    from local_rag.generate.tables import Grid
    from local_rag.generate.units import Unit
    from local_rag.model.answer import Claim
    from local_rag.model.evidence import Evidence
    from local_rag.model.question import Part


def telling(ranking: Ranking, part: Part, evidence: Sequence[Evidence]) -> tuple[Ranked, ...]:
    """Without sentences that cannot answer, be they ever so near.

    "Why?" alone is answered by a reason. In a text of another language a single word that is met
    may mean something else there: a sentence of it must hold a name, or more than half of the
    question.
    """
    query, rows = ranking.query, ranking.rows
    if asks_why_alone(query, part):
        rows = tuple(row for row in rows if row.features.nameable)
    rows = tuple(row for row in rows if _is_read(query, row, evidence))
    rows = _stating(query, part, rows, evidence)
    nearer = _nearer_than_a_field(query, rows)
    return rows if nearer is None else (nearer, *(r for r in rows[1:] if r is not nearer))


def _stating(
    query: Query, part: Part, rows: Sequence[Ranked], evidence: Sequence[Evidence]
) -> tuple[Ranked, ...]:
    """Those that say what is asked for of the subject; rows of tables need their columns' names."""
    asked = attribute_of(part.text, query.language, [row.chunk.text for row in evidence])
    if asked is None:
        return _without_rivals(part, rows)
    places = {(row.unit.evidence_index, row.unit.place): row.unit for row in rows}
    subject = [term for term in query.terms if not asked.words.fullmatch(term.surface)]

    def states(unit: Unit) -> bool:
        before = places.get((unit.evidence_index, unit.place - 1))
        near = frozenset([*unit.tokens, *(before.tokens if before is not None else ())])
        if subject and not any(term.strength(near) for term in subject):
            return False
        points_back = before is not None and POINTS_BACK.match(unit.text)
        return asked.is_in(f"{before.text} {unit.text}" if before and points_back else unit.text)

    return tuple(row for row in rows if row.unit.kind == "row" or states(row.unit))


def _without_rivals(part: Part, rows: Sequence[Ranked]) -> tuple[Ranked, ...]:
    """Without the model number where the serial number is asked for.

    Where that one is the nearest, nothing is an answer but what has the word that tells them apart.
    """
    marked = marked_in(part.text)
    if marked is None or not rows:
        return tuple(rows)
    is_near = rows[0].unit.kind != "row" and marked.has_rival_in(rows[0].unit.text)
    return tuple(
        row
        for row in rows
        if row.unit.kind == "row"
        or not (marked.has_rival_in(row.unit.text) or (is_near and not marked.is_in(row.unit.text)))
    )


def lacks_what_is_asked(
    part: Part, language: str, answered: Sequence[Claim], evidence: Sequence[Evidence]
) -> bool:
    """Whether no claim says what the question asks for of its subject, such as a price."""
    texts = [claim.text for claim in answered]
    asked = attribute_of(part.text, language, [row.chunk.text for row in evidence])
    if lacks_the_count(part.text, texts) or (asked and not any(map(asked.is_in, texts))):
        return True
    marked = None if asked is not None else marked_in(part.text)
    return marked is not None and all(map(marked.has_rival_in, texts))


def _nearer_than_a_field(query: Query, rows: Sequence[Ranked]) -> Ranked | None:
    """A sentence of the same passage that goes before the best one: that is a line such as
    "Date: 9 May", which holds no word of the question, while the sentence holds one and has a
    date or a number as well.
    """
    if not rows or rows[0].unit.kind != "field" or _holds(query, rows[0]):
        return None
    best = rows[0]
    for row in rows[1:]:
        same = row.unit.evidence_index == best.unit.evidence_index
        if same and _holds(query, row) and row.features.countable and best.features.countable:
            return row
    return None


def _holds(query: Query, row: Ranked) -> bool:
    return any(not term.given and term.strength(row.unit.tokens) for term in query.terms)


def of_the_kind(ranking: Ranking, headings: Mapping[int, frozenset[str]]) -> tuple[Ranked, ...]:
    """Those that have a word for what everything is wanted of, or stand below one.

    Args:
        headings: tokens of each passage's headings and title, by its index.
    """
    terms = asked_for(ranking.query).terms
    return tuple(
        row
        for row in ranking.rows
        if says_the_kind(terms, headings[row.unit.evidence_index].union(row.unit.tokens))
    )


def asks_why_alone(query: Query, part: Part) -> bool:
    """Whether it is no more than "why?" after another question."""
    return query.kind == "why" and bool(part.context) and not tokenize(part.text, query.language)


def _is_read(query: Query, row: Ranked, evidence: Sequence[Evidence]) -> bool:
    own = language_of(evidence[row.unit.evidence_index])
    if query.is_wide or UNDETERMINED in (own, query.language) or own == query.language:
        return True
    strengths = [term.strength(row.unit.tokens) for term in query.terms]
    if any(term.named and value for term, value in zip(query.terms, strengths, strict=True)):
        return True
    total = sum(term.plain_weight for term in query.terms)
    held = sum(t.plain_weight * v for t, v in zip(query.terms, strengths, strict=True))
    return 2 * held > total


def without_rows(ranking: Ranking, grids: Sequence[Grid]) -> Ranking:
    """The ranking without the rows of these tables."""
    dropped = {(row.evidence_index, row.start) for grid in grids for row in grid.rows}
    rows = ranking.rows
    kept = tuple(r for r in rows if (r.unit.evidence_index, r.unit.start) not in dropped)
    return replace(ranking, rows=kept)


def quotable(ranking: Ranking, *, with_rows: bool) -> tuple[Ranked, ...]:
    """Without rows of tables that hold nothing of the question themselves: any row would do."""
    terms = ranking.query.terms
    return tuple(
        row
        for row in ranking.rows
        if row.unit.kind != "row"
        or (with_rows and any(term.strength(row.unit.tokens) for term in terms))
    )


def only_repeats(
    part: Part, language: str, answered: Sequence[Claim], claims: Mapping[str, Claim]
) -> bool:
    """Whether a part that points back to another got that one's answer, and none for itself."""
    if not part.context or any(claim.text not in claims for claim in answered):
        return False
    own = prepare(part.text, "", language, "other", (), [language]).terms
    said = frozenset(tokenize(" ".join(claim.text for claim in answered), language))
    return not any(said.intersection(term.forms) for term in own)


def is_none(
    part: Part,
    language: str,
    answered: Sequence[Claim],
    claims: Mapping[str, Claim],
    evidence: Sequence[Evidence],
) -> bool:
    """Whether what was found for a part is no answer to it.

    Args:
        claims: of the parts before it, by their text.
    """
    return (
        not answered
        or lacks_what_is_asked(part, language, answered, evidence)
        or only_repeats(part, language, answered, claims)
    )
