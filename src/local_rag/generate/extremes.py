"""Superlatives over a table: the row with the highest or the lowest value, never any other."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import TYPE_CHECKING

from local_rag.generate.terms import strengths_of
from local_rag.generate.units import language_of
from local_rag.text.quantities import quantities_in
from local_rag.text.tokens import tokenize

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from local_rag.generate.score import Query
    from local_rag.generate.tables import Grid, Row
    from local_rag.generate.terms import Term
    from local_rag.model.evidence import Evidence

_DEAR = (
    r"most expensive|costliest|dearest|priciest|teuerste\w*|plus ch[eè]re?s?|más car[oa]s?"
    r"|più car[oaie]|mais car[oa]s?"
)
_CHEAP = (
    r"cheapest|least expensive|least costly|(?:billigste|günstigste|preiswerteste)\w*"
    r"|moins ch[eè]re?s?|más barat[oa]s?|meno car[oaie]|più economic\w+|mais barat[oa]s?"
)
_MOST = (
    r"largest|biggest|highest|greatest|longest|tallest|heaviest|widest|deepest|fastest|maximum"
    r"|most|(?:größte|höchste|längste|schwerste|breiteste|tiefste|schnellste|stärkste|meiste)\w*"
    r"|plus (?:grande?s?|haute?s?|élevée?s?|longu?e?s?|lourde?s?)|le plus de"
    r"|más (?:alt|larg|pesad|elevad)[oa]s?|más grandes?|mayor(?:es)?"
    r"|più (?:grand|alt|lung|pesant|elevat)\w|maggiore?|mais (?:alt|long|pesad)[oa]s?|maior(?:es)?"
)
_LEAST = (
    r"smallest|lowest|shortest|lightest|narrowest|shallowest|slowest|minimum|fewest|least"
    r"|(?:kleinste|niedrigste|geringste|kürzeste|leichteste|langsamste|wenigste)\w*"
    r"|plus (?:petite?s?|basse?s?|faibles?|courte?s?|lége?è?re?s?)|le moins de"
    r"|más (?:baj|pequeñ|cort|liger)[oa]s?|menor(?:es)?|minore?"
    r"|più (?:piccol|bass|cort|legger)\w|mais (?:baix|curt|lev)[oae]s?"
)
_FIRST_IN_TIME = (
    r"oldest|newest|latest|earliest|most recent|(?:älteste|neueste|jüngste|früheste|späteste)\w*"
    r"|plus (?:ancien|récent|vieux|vieille)\w*|más (?:antigu|nuev|reciente)\w*"
)
_ANY = re.compile(
    rf"(?<![^\W_])(?:(?P<dear>{_DEAR})|(?P<cheap>{_CHEAP})|(?P<time>{_FIRST_IN_TIME})"
    rf"|(?P<least>{_LEAST})|(?P<most>{_MOST}))(?![^\W_])"
    r"|最(?:(?P<wide_dear>贵)|(?P<wide_cheap>便宜)|(?P<wide_most>[大高多长重宽深快])"
    r"|(?P<wide_least>[小低少短轻窄浅慢])|(?P<wide_time>[新早晚老旧]))",
    re.IGNORECASE,
)
_NOT_SUPERLATIVE = re.compile(
    r"\b(?:at (?:least|most)|most (?:of|people|likely|common)|au (?:moins|plus)|al menos)\b",
    re.IGNORECASE,
)
_PRICE_STEMS = "price|cost|fee|preis|kosten|gebühr|prix|co[uû]t|tarif|precio|prezz|preço|custo"
_PRICE = re.compile(rf"{_PRICE_STEMS}|价|费", re.IGNORECASE)
_OF_PRICES = re.compile(rf"{_PRICE_STEMS}|rate|charge|eur|usd|dollar|pound", re.IGNORECASE)
_NONE_OF = re.compile(
    r"^\W*(?:list|show|name|which|what|welche[rsn]?|nenne?|zeige?|quel(?:le)?s?|qué|cuáles|quais"
    r"|quali)\b.{1,80}\b(?:out of|without(?: any)?|(?:have|has|with) no|ohne|keine?n? (?:mehr )?"
    r"|nicht (?:mehr )?(?:auf|am|im)|sans|sin|sem|senza)\s+(?P<noun>\w+)",
    re.IGNORECASE,
)
_BARE = re.compile(r"most|least", re.IGNORECASE)
_LEAST_FILLED = 0.8
_MOST_TIED = 3
_LEAST_SHARE = 0.5  # of the question without the superlative, that the table must hold


@dataclass(frozen=True, slots=True)
class Extreme:
    """What is asked for: the highest or the lowest value.

    Attributes:
        highest: ``None`` where rows are to be compared by something that is no number.
        price: whether the word itself says that prices are meant.
        surface: the words of the question.
    """

    highest: bool | None
    price: bool
    surface: str

    def is_said_in(self, text: str) -> bool:
        """Whether the text itself says of something that it is that."""
        other = extreme_of(text)
        return other is not None and (other.highest, other.price) == (self.highest, self.price)


@dataclass(frozen=True, slots=True)
class Found:
    """The rows with the value asked for, the columns that say it, and how many were compared."""

    grid: Grid
    rows: tuple[Row, ...]
    column: int
    compared: int


def extreme_of(question: str) -> Extreme | None:
    """The superlative of a question, if it has one."""
    match = _ANY.search(_NOT_SUPERLATIVE.sub(" ", question))
    if match is None:
        return None
    named = {name.removeprefix("wide_") for name, value in match.groupdict().items() if value}
    if "time" in named:
        return Extreme(None, price=False, surface=match.group())
    return Extreme(
        bool(named & {"dear", "most"}), price=bool(named & {"dear", "cheap"}), surface=match.group()
    )


def row_of(
    extreme: Extreme, query: Query, grids: Sequence[Grid], evidence: Sequence[Evidence]
) -> Found | None:
    """The row that the superlative means, from the table that holds most of the question.

    ``None`` where no table tells by which of its columns rows are to be compared.
    """
    if extreme.highest is None:
        return None
    inside = frozenset(tokenize(extreme.surface, query.language))
    terms = [term for term in query.terms if not inside.intersection(term.forms)]
    found = [_in_grid(extreme, terms, grid, evidence) for grid in _whole(grids, evidence)]
    best = max((one for one in found if one), key=lambda one: one[0], default=None)
    return best[1] if best else None


def rows_of_none(query: Query, grids: Sequence[Grid], evidence: Sequence[Evidence]) -> Found | None:
    """For "which articles are out of stock?": the rows with 0 in the column that is named.

    Without rows where there is such a column and none has 0 in it; ``None`` if nothing is asked so.
    """
    match = _NONE_OF.search(query.text)
    if match is None:
        return None
    empty = None
    for grid in _whole(grids, evidence):
        language = language_of(evidence[grid.evidence_index])
        noun = {*tokenize(match["noun"], language), *tokenize(match["noun"], query.language)}
        columns = [at for at, tokens in enumerate(grid.column_tokens) if noun & tokens]
        said = grid.around.union(*grid.column_tokens)
        free = [term for term in query.terms if not said.intersection(term.strengths)]
        values = [sum(term.strength(row.all_tokens) for term in free) for row in grid.rows]
        numbers = _numbers(grid.rows, columns[0], language) if len(columns) == 1 else None
        if numbers is None:
            continue
        asked = [value == max(values) for value in values]
        counted = zip(grid.rows, numbers, asked, strict=True)
        chosen = tuple(row for row, number, is_asked in counted if is_asked and number == 0)
        empty = Found(grid, chosen, columns[0], sum(asked))
        if chosen:
            return empty
    return empty


def _whole(grids: Sequence[Grid], evidence: Sequence[Evidence]) -> list[Grid]:
    """Parts of one table, from several passages of a document, as one."""
    joined: dict[tuple[str, tuple[str, ...]], Grid] = {}
    for grid in grids:
        key = (evidence[grid.evidence_index].document.document_id, grid.columns)
        known = joined.get(key)
        if known is None:
            joined[key] = grid
        else:
            new = [row for row in grid.rows if all(row.cells != k.cells for k in known.rows)]
            joined[key] = replace(known, rows=(*known.rows, *new))
    return list(joined.values())


def _in_grid(
    extreme: Extreme, terms: Sequence[Term], grid: Grid, evidence: Sequence[Evidence]
) -> tuple[float, Found] | None:
    said = grid.around.union(*grid.column_tokens)
    vocabulary = said.union(*(row.all_tokens for row in grid.rows))
    met = [(term.plain_weight, strengths_of(term.forms, vocabulary)) for term in terms]

    def held(tokens: frozenset[str]) -> float:
        return sum(
            weight * max((v for token, v in found.items() if token in tokens), default=0.0)
            for weight, found in met
        )

    total = sum(weight for weight, _ in met)
    share = held(vocabulary) / total if total else 0.0
    if not held(said) or share < _LEAST_SHARE:
        return None
    # Rows of what the question names beside the columns: "the most expensive product in Kiel".
    open_met = [(w, f) for w, f in met if not said.intersection(f)]
    values = [
        sum(w for w, found in open_met if row.all_tokens.intersection(found)) for row in grid.rows
    ]
    most = max(values, default=0.0)
    if any(term.named for term in terms if not vocabulary.intersection(term.forms)):
        return None
    rows = [row for row, value in zip(grid.rows, values, strict=True) if value == most]
    language = language_of(evidence[grid.evidence_index])
    numbers = {
        at: compared
        for at in range(len(grid.columns))
        if (compared := _numbers(rows, at, language)) is not None
    }
    column = _column(extreme, grid, numbers, held)
    if column is None:
        return None
    pick = max if extreme.highest else min
    best = pick(value for value in numbers[column] if value is not None)
    chosen = tuple(r for r, value in zip(rows, numbers[column], strict=True) if value == best)
    if len(chosen) > _MOST_TIED:
        return None
    return share, Found(grid, chosen, column, len(rows))


def _column(
    extreme: Extreme,
    grid: Grid,
    numbers: Mapping[int, object],
    held: Callable[[frozenset[str]], float],
) -> int | None:
    """The column to compare by: one of prices, the one that the question names, or the only one."""
    named = {at: held(grid.column_tokens[at]) for at in numbers}
    most = max(named.values(), default=0.0)
    if extreme.price:
        priced = [at for at in numbers if _PRICE.search(grid.columns[at])]
        if not priced and most and any(map(_OF_PRICES.match, grid.around)):
            priced = [
                at for at, value in named.items() if value == most
            ]  # rates, one year a column
        return priced[0] if len(priced) == 1 else None
    if not most and _BARE.fullmatch(extreme.surface):
        return None  # "the most important …" compares by what no table says
    best = [at for at, value in named.items() if value == most]  # none is named: all of them
    return best[0] if len(best) == 1 else None


def _numbers(rows: Sequence[Row], at: int, language: str) -> list[Decimal | None] | None:
    """The number of each row's cell; ``None`` where they are none, or of several units."""
    found: list[Decimal | None] = []
    units: set[str] = set()
    for row in rows:
        cell = row.cells[at] if at < len(row.cells) and at != row.label_at else ""
        told = [quantity for quantity in quantities_in(cell, language) if quantity.sure]
        counts = len(told) == 1 and told[0].unit != "time"
        found.append(Decimal(told[0].values[0]) if counts else None)
        units.update(quantity.unit for quantity in told)
    filled = sum(value is not None for value in found)
    return found if filled >= max(2, _LEAST_FILLED * len(rows)) and len(units) == 1 else None
