"""What of a claim the cited text does not bear out, told by rules: a named doubt, no verdict."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, NamedTuple

from local_rag.text import polarity
from local_rag.text.calendar import agrees, dates_in, weekdays_in
from local_rag.text.cells import misplaced
from local_rag.text.entities import has_initials, holds_name, names_in
from local_rag.text.force import changed_permission, invented_reason, overstated_bounds
from local_rag.text.held import holds_word, lettered_words, share_held, vocabulary
from local_rag.text.language import UNDETERMINED, detect
from local_rag.text.pairing import displaced, stretches
from local_rag.text.quantities import quantities_in, rates_in
from local_rag.text.roles import exchanged, invented_agents
from local_rag.text.sentences import sentences
from local_rag.text.tokens import tokenize

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from local_rag.text.quantities import Quantity

FlagKind = Literal[
    "number",
    "date",
    "unit",
    "entity",
    "negation",
    "hedge",
    "overlap",
    "bound",
    "permission",
    "reason",
    "place",
]

LEAST_OVERLAP = 0.5
"""Share of a claim's content words below which the text does not speak of what it says."""

_MOST_OF_IT = 0.7
_CLAUSE = re.compile(
    r"[;；]\s*|[,，]?\s+(?:but|while|whereas|although|though|however|aber|jedoch|sondern|während|obwohl|mais"
    r"|tandis que|bien que|pero|sino|mientras|aunque|mas|porém|embora|ma|mentre|sebbene)\s"
    r"|\s(?=(?:without|ohne|sans|sin|sem|senza)\s)"
    r"|\s(?=(?:and|und|et|y|e)\s(?:\S+\s){0,2}(?:not|never|no|nicht|keine?[nr]?|pas|ne|n['’]\w+|não|non)\s)"
    r"|[，,]\s*(?:但是?|而|然而)",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Flag:
    """A doubt about a claim.

    Attributes:
        kind: ``number``: not in the text, or given there to something else; ``date``, also a day
            of the week; ``unit``: the number counts something else there; ``entity``: a name;
            ``negation``: one of the two denies, or says the opposite; ``hedge``: the text leaves
            open what the claim does not; ``overlap``: most words are not in the text; ``bound``: a
            least where the text has a most, or the other way round; ``permission``: it forbids,
            allows or demands what the text does not; ``reason``: a reason that the text does not
            give; ``place``: the text says this of something else. The last four are no flags that
            a reader sees.
        surface: the words of the claim; of the text where the claim lacks them.
    """

    kind: FlagKind
    surface: str

    @property
    def message(self) -> str:
        """One sentence."""
        return _MESSAGES[self.kind].format(self.surface)


_MESSAGES: dict[FlagKind, str] = {
    "number": "The number {} is not in the cited text, or says something else there.",
    "date": "The date {} is not in the cited text.",
    "unit": "The cited text does not give {} in this unit.",
    "entity": "{} is not named in the cited text.",
    "negation": "“{}”: one of claim and cited text denies what the other says.",
    "hedge": "The cited text says “{}”; the claim leaves that out.",
    "overlap": "The cited text has too few of the words: {}.",
    "bound": "The cited text bounds {} the other way round.",
    "permission": "The cited text does not say “{}” of this without more.",
    "reason": "The cited text does not give this reason: {}.",
    "place": "The cited text says {} of something else.",
}


class _Clause(NamedTuple):
    text: str
    tokens: frozenset[str]


def flags(claim: str, cited: str, language: str) -> list[Flag]:
    """What of the claim the cited text does not bear out; nothing is no proof that it does.

    Args:
        cited: all that is cited for it, headings included.
        language: of the claim, ISO 639-1 or ``und``.
    """
    language = language if language != UNDETERMINED else detect(claim)
    languages = (language, detect(cited))
    parts = [cited[start:end] for start, end in sentences(cited, languages[1])]
    known = vocabulary(cited, languages)
    found: dict[Flag, None] = {}
    for start, end in sentences(claim, language):
        said = claim[start:end]
        found.update(dict.fromkeys(_numbers(said, cited, parts, language, languages)))
        found.update(dict.fromkeys([*_dates(said, cited), *_names(said, claim, cited, language)]))
        plain = without_figures(said, language)
        if share_held(plain, known, language) < LEAST_OVERLAP:
            found[Flag("overlap", ", ".join(_missing(plain, known, language)))] = None
        else:
            found.update(dict.fromkeys(_polarity(said, parts, language, languages)))
            found.update(dict.fromkeys(_force(said, parts, languages)))
            found.update(dict.fromkeys(_places(said, cited, parts, languages)))
    return list(found)


def _force(said: str, parts: Sequence[str], languages: tuple[str, str]) -> Iterator[Flag]:
    for number in overstated_bounds(said, parts, languages):
        yield Flag("bound", number.surface)
    if word := changed_permission(said, parts, languages):
        yield Flag("permission", word)
    if reason := invented_reason(said, parts, languages):
        yield Flag("reason", reason)


def _places(
    said: str, cited: str, parts: Sequence[str], languages: tuple[str, str]
) -> Iterator[Flag]:
    for number in misplaced(said, cited, languages):
        yield Flag("place", number.surface)
    for surface in exchanged(said, parts, languages):
        yield Flag("place", surface)
    for agent in invented_agents(said, cited, languages):
        yield Flag("place", agent)


def without_figures(text: str, language: str) -> str:
    """The text without its numbers and their units, and without its dates."""
    spans = [(q.start, q.end) for q in quantities_in(text, language) if q.sure]
    spans += [(date.start, date.end) for date in dates_in(text)]
    kept, at = [], 0
    for start, end in sorted(spans):  # the year of a date lies within it
        kept.append(text[at : max(at, start)])
        at = max(at, end)
    return " ".join([*kept, text[at:]])


def _missing(claim: str, known: frozenset[str], language: str) -> list[str]:
    content = lettered_words(claim, language)
    return [w for w, tokens in content.items() if not holds_word(known, w, tokens, language)][:8]


def _numbers(
    claim: str, cited: str, parts: Sequence[str], language: str, languages: tuple[str, str]
) -> Iterator[Flag]:
    for rate, words in rates_in(claim).items():
        if rate not in rates_in(cited) and not _names_unit(rate, cited):
            yield Flag("unit", words)
    claimed = [q for q in quantities_in(claim, language) if q.sure]
    if not claimed:
        return
    known = [q for one in dict.fromkeys(languages) for q in quantities_in(cited, one)]
    units = {q.unit for q in known if q.unit}
    for quantity in claimed:
        same = [q for q in known if _equal(quantity, q)]
        if not same:
            yield Flag("number", quantity.surface)
        elif quantity.unit and not any(
            q.unit == quantity.unit or (not q.unit and _unit_is_near(quantity, q, cited, units))
            for q in same
        ):
            yield Flag("unit", quantity.surface)
    for quantity in displaced(claim, language, stretches(parts, language, languages)):
        yield Flag("number", quantity.surface)


def _equal(claimed: Quantity, known: Quantity) -> bool:
    if (claimed.unit == "time") != (known.unit == "time"):
        return False
    return claimed.values[0] in known.values or claimed.surface == known.surface


def _unit_is_near(claimed: Quantity, known: Quantity, cited: str, units: set[str]) -> bool:
    """Whether the unit of a bare number can stand elsewhere: in a range, or over a column."""
    if known.counted and known.counted[0].islower() and cited[known.end : known.end + 1] == " ":
        return claimed.unit in units and "|" in cited
    return claimed.unit in units or _names_unit(claimed.unit, cited)


def _names_unit(unit: str, cited: str) -> bool:
    probe = re.findall(r"[^\W\d_]+|[%€$£¥]|°\s?[CF]", cited)
    return any(q.unit == unit for word in set(probe) for q in quantities_in(f"1 {word}", "en"))


def _dates(claim: str, cited: str) -> Iterator[Flag]:
    known = [day for date in dates_in(cited) for day in date.readings]
    years = set(re.findall(r"(?<!\d)[12]\d{3}(?!\d)", cited))
    for date in dates_in(claim):
        if not any(
            agrees(day, other)
            or (
                other.year is None
                and str(day.year) in years
                and agrees(day._replace(year=None), other)
            )
            for day in date.readings
            for other in known
        ):
            yield Flag("date", claim[date.start : date.end])
    named = weekdays_in(cited)
    for day, word in weekdays_in(claim).items():
        if day not in named and not _within_week(cited, day, named):
            yield Flag("date", word)


def _within_week(cited: str, day: int, named: dict[int, str]) -> bool:
    """Whether a span such as Monday to Friday holds the day."""
    return (
        len(named) >= 2
        and min(named) < day < max(named)
        and bool(re.search(r"\b(?:to|through|until|bis|à|au|a|al|hasta|até)\b|[-–至到]", cited))
    )


def _names(said: str, claim: str, cited: str, language: str) -> Iterator[Flag]:
    days = {word.casefold() for word in weekdays_in(said).values()}
    for name in names_in(said, language):
        if name.surface.casefold() in days or has_initials(claim, name.surface):
            continue  # the latter: a short form that the claim itself spells out
        if not holds_name(cited, name, language):
            yield Flag("entity", name.surface)


def _polarity(
    claim: str, parts: Sequence[str], language: str, languages: tuple[str, str]
) -> Iterator[Flag]:
    source = [clause for part in parts for clause in _with_subjects(part, languages)]
    if not source:
        return
    other = languages[1]
    for clause in _clauses(claim):
        content = lettered_words(clause, language)
        if not content:
            continue
        held = [
            sum(holds_word(s.tokens, w, t, language) for w, t in content.items()) for s in source
        ]
        best = [s for s, count in zip(source, held, strict=True) if count == max(held)]
        alike = max(held) >= LEAST_OVERLAP * len(content)
        denied = [_denial(clause, s.text, language, other, alike=alike) for s in best]
        if all(denied):
            yield Flag("negation", denied[0])
        if not alike:
            continue
        opposites = [polarity.opposite(clause, s.text, language) for s in best]
        if all(opposites):
            yield Flag("negation", opposites[0])
        if not polarity.hedge(clause, language):
            hedges = [polarity.hedge(s.text, other) for s in best]
            if all(hedges):
                yield Flag("hedge", hedges[0])


def _denial(claim: str, source: str, language: str, other: str, *, alike: bool) -> str:
    """A word by which one of the two denies what the other says, or ``""``.

    A claim need not say all that a clause does: where it denies something, a further denial of
    the clause counts only if the claim repeats most of its words.
    """
    said, known = polarity.denials(claim, language), polarity.denials(source, other)
    soft, known_soft = polarity.soft_denials(claim, language), polarity.soft_denials(source, other)
    if len(said) > len(known) and not known_soft - soft:
        return said[0]
    if len(known) > len(said) and not soft - known_soft and alike:
        own = lettered_words(source, other)
        repeated = sum(word in claim.casefold() for word in own)
        if not said or repeated >= _MOST_OF_IT * len(own):
            return known[0]
    return ""


def _with_subjects(sentence: str, languages: tuple[str, str]) -> list[_Clause]:
    """The clauses of a sentence, those after the first with its first words: "but not the cat"."""
    clauses = _clauses(sentence)
    first = clauses[0] if clauses else ""
    denied = polarity.denials(first, languages[1])
    opening = first.partition(f" {denied[0]}")[0] if denied else first
    subject = dict.fromkeys(t for language in languages for t in tokenize(opening, language)[:2])
    return [
        _Clause(clause, vocabulary(clause, languages).union(subject if place else ()))
        for place, clause in enumerate(clauses)
    ]


def _clauses(text: str) -> list[str]:
    return [clause for clause in _CLAUSE.split(text) if clause.strip()]
