"""Whether a number of a claim stands where the source has it, or where the source has another."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from local_rag.text.calendar import dates_in
from local_rag.text.entities import fold, names_in
from local_rag.text.held import content_words, holds_word, lettered_words, vocabulary
from local_rag.text.measures import TIMES
from local_rag.text.quantities import Quantity, quantities_in

if TYPE_CHECKING:
    from collections.abc import Sequence

_BREAK = re.compile(
    r"[,;:，；、(|–—]\s*|\s(?=(?:and|but|while|whereas|und|aber|während|et|mais|tandis|y|pero|mientras"
    r"|e|mas|ma|mentre|or|oder|ou)\s|(?:to|bis|à|a|al|até)\s$)"
)
_ENOUGH_WORDS = 2
_MARGIN_SHARE = 0.2
_YEAR = re.compile(r"1[5-9]\d\d|20\d\d")
_POINTS_BACK = re.compile(
    r"(?:it|its|he|she|they|this|these|that|his|her|their|er|sie|es|dies\w*|il|elle|ils|elles|ce|cela"
    r"|cette|son|sa|este|esta|esto|su|ello|ella|ele|ela|isso|esso|essa|questo|questa)\b|[它他她这该其此]",
    re.IGNORECASE,
)


class Stretch(NamedTuple):
    """A part of a sentence with one number, and the words that go with it.

    Attributes:
        values: what the number can mean.
        kind: what it can be mixed up with: ``year``; its unit, of time ``span``; ``bare`` where
            nothing follows it, ``""`` where another word does.
        around: tokens of the whole sentence, and of the one that it points back to.
        lead: tokens that go with this number and with those after it.
        marks: the years, dates and names among the words.
        sentence: which sentence of the text.
        first: whether it is the sentence's first number, whose words may go with all of them.
    """

    values: frozenset[str]
    kind: str
    unit: str
    tokens: frozenset[str]
    around: frozenset[str]
    lead: frozenset[str]
    marks: frozenset[str]
    sentence: int
    first: bool


def stretches(sentences: Sequence[str], language: str, languages: Sequence[str]) -> list[Stretch]:
    """The sentences cut so that each number has its own words."""
    found = []
    for index, sentence in enumerate(sentences):
        before = sentences[index - 1] if index and _POINTS_BACK.match(sentence) else ""
        around = vocabulary(f"{before} {sentence}", languages)
        every = [q for q in quantities_in(sentence, language) if q.sure]
        found += [
            Stretch(
                frozenset(q.values),
                "year",
                "",
                around,
                around,
                frozenset(),
                frozenset(),
                index,
                first=False,
            )
            for q in every
            if _is_year(q)
        ]
        numbers = [q for q in every if not _is_year(q)]
        for place, number in enumerate(numbers):
            start, end = _around(sentence, numbers, place)
            follows = content_words(sentence[number.end : end], language)
            led = place == 0 and len(numbers) > 1 and bool(follows)
            lead = sentence[start : number.start] if led else ""
            own = sentence[number.start if led else start : end] + ("" if place else f" {before}")
            found.append(
                Stretch(
                    values=frozenset(number.values),
                    kind=_kind(number) or ("" if number.counted else "bare"),
                    unit=number.unit,
                    tokens=vocabulary(own, languages),
                    around=around,
                    lead=vocabulary(f"{lead} {before}", languages),
                    marks=_marks(sentence[start:end], language),
                    sentence=index,
                    first=not place,
                )
            )
    return found


def displaced(claim: str, language: str, source: Sequence[Stretch]) -> list[Quantity]:
    """The numbers of a claim that the source gives to something else.

    A number is displaced if nowhere in the source its own words are those of the claim, while
    another number of the kind has them.
    """
    every = [q for q in quantities_in(claim, language) if q.sure]
    years = [q for q in every if _is_year(q)]
    figures = [q for q in every if not _is_year(q)]
    found = []
    for numbers in (years, figures):
        for place, number in enumerate(numbers):
            start, end = _around(claim, numbers, place)
            start, end = _clause(claim, start, end, number, language)
            after = claim[number.end : end].lstrip().removeprefix(number.counted)
            said = f"{claim[start : number.start]} {after}"
            kinds = ("year",) if numbers is years else (_kind(number), "bare")
            alike = [s for s in source if s.kind in kinds]
            own = [s for s in alike if s.values.intersection(number.values)]
            rivals = [s for s in alike if not s.values.intersection(number.values)]
            judge = _said_elsewhere if numbers is years else _belongs_elsewhere
            if own and rivals and judge(said, language, own, rivals):
                found.append(number)
    return found


def _belongs_elsewhere(
    said: str, language: str, own: Sequence[Stretch], rivals: Sequence[Stretch]
) -> bool:
    words = lettered_words(said, language)
    marks = _marks(said, language)
    shared = frozenset().union(*(_held(s.lead, words, language) for s in own))
    best = max((_held(s.tokens, words, language) for s in own), key=len)
    for rival in rivals:
        theirs = _held(rival.tokens, words, language)
        in_own_sentence = any((s.sentence, s.unit) == (rival.sentence, rival.unit) for s in own)
        if in_own_sentence and not best - shared and theirs - shared:
            return True
    if _said_elsewhere(said, language, own, rivals):
        return True
    strayed = [mark for mark in marks if not any(mark in s.marks for s in own)]
    for mark in strayed:
        for rival in rivals:
            leads = rival.first and any(s.sentence == rival.sentence and not s.marks for s in own)
            if mark in rival.marks and not leads:
                return True
    return False


def _said_elsewhere(
    said: str, language: str, own: Sequence[Stretch], rivals: Sequence[Stretch]
) -> bool:
    """Whether a sentence with another number holds clearly more of what is said of this one."""
    words = lettered_words(said, language)
    mine = max(len(_held(s.around, words, language)) for s in own)
    others = max(len(_held(s.around, words, language)) for s in rivals)
    return others > mine + _MARGIN_SHARE * len(words) and 2 * others >= len(words)


def _held(
    tokens: frozenset[str], words: dict[str, tuple[str, ...]], language: str
) -> frozenset[str]:
    return frozenset(w for w, t in words.items() if holds_word(tokens, w, t, language))


def _marks(text: str, language: str) -> frozenset[str]:
    """Years, dates and names: what tells like numbers apart."""
    marks = {q.values[0] for q in quantities_in(text, language) if _is_year(q)}
    marks.update(f"{d.month}/{d.day}" for date in dates_in(text) for d in date.readings)
    for name in names_in(text, language):
        if not name.opens:
            marks.add(fold(name.surface))
    return frozenset(marks)


def _clause(text: str, start: int, end: int, number: Quantity, language: str) -> tuple[int, int]:
    """The clause of the stretch that the number stands in, if that says enough."""
    begins = [found.end() for found in _BREAK.finditer(text, start, number.start)]
    ends = _BREAK.search(text, number.end, end)
    inner = begins[-1] if begins else start, ends.start() if ends else end
    words = lettered_words(
        text[inner[0] : number.start] + " " + text[number.end : inner[1]], language
    )
    return inner if len(words) >= _ENOUGH_WORDS else (start, end)


def _around(text: str, numbers: Sequence[Quantity], place: int) -> tuple[int, int]:
    """From where to where the words of one of the numbers reach."""
    number = numbers[place]
    start = _cut(text, numbers[place - 1].end, number.start, last=False) if place else 0
    if place + 1 == len(numbers):
        return start, len(text)
    return start, _cut(text, number.end, numbers[place + 1].start, last=True)


def _cut(text: str, start: int, end: int, *, last: bool) -> int:
    """Where between two numbers the words of the one end and those of the other begin."""
    found = _BREAK.search(text, start, end)
    if found:
        return found.end()
    return end if last else start


def _kind(quantity: Quantity) -> str:
    """Its unit; all units of time are one, as ten seconds are no two minutes."""
    return "span" if quantity.unit in TIMES else quantity.unit


def _is_year(quantity: Quantity) -> bool:
    return not quantity.unit and _YEAR.fullmatch(quantity.values[0]) is not None
