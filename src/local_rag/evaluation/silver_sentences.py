"""Facts of single sentences: numbers with units, dates, counts, definitions.

A form names the sentence as ``subject``, ``verb``, then the value; what follows the value goes into
the question. Anything that a form does not cover wholly is left alone.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from local_rag.evaluation.silver_facts import Fact, joined, piece_of
from local_rag.evaluation.silver_forms import FORMS, Form
from local_rag.evaluation.silver_words import can_be_asked, inside, is_specific, telling, words_of
from local_rag.text.calendar import dates_in
from local_rag.text.quantities import quantities_in
from local_rag.text.sentences import sentences
from local_rag.text.stop_words import STOP_WORDS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from local_rag.model.document import Page

_LONGEST_SENTENCE_CHARS = 240
_LONGEST_REST_WORDS = 8
_TIMES = frozenset(["s", "min", "h", "d", "week", "month", "year", "wk", "mo", "yr", "w", "a"])
_MARKER = re.compile(r"^(?:[-*+•–]|\d{1,2}[.)])\s+")
_UNFIT = re.compile(r"[|*_`#<>{}\[\]\\•]|https?:|www\.|\.\.\.|…")
_YEAR = re.compile(r"\s*((?:1[5-9]|20)\d\d)(?![\d./–-])")
_ABOUT = {
    "en": (
        r"(?:(?:about|around|approximately|roughly|only|exactly|nearly|almost|just|at least|at most"
        r"|up to|no more than|not more than|over|more than|less than|a total of)\s+)?"
    ),
    "de": (
        r"(?:(?:etwa|ca\.|rund|ungefähr|nur|genau|fast|mindestens|höchstens|bis zu|über|mehr als"
        r"|weniger als|maximal|insgesamt)\s+)?"
    ),
}
_LEADS_ON = {
    "en": r"(?:for|per|of|in|at|on|from|to|with|by|a|an|each|every|before|after|during|within)",
    "de": r"(?:für|pro|je|von|in|im|bei|beim|am|an|auf|ab|aus|mit|vor|nach|zum|zur|unter|über)",
}
_UNITLESS = re.compile(
    r"\b(?:number|count|total|score|age|limit|maximum|minimum|version|Anzahl|Zahl|Gesamtzahl"
    r"|Alter|Höchstzahl|Version)\b",
    re.IGNORECASE,
)


_MEASURED_BY = {
    "en": (re.compile(r"^ (long|wide|high|tall|deep|old|thick|heavy)$"), "How {m} {h} {s}?"),
    "de": (re.compile(r"^ (lang|breit|hoch|tief|alt|dick|schwer)$"), "Wie {m} {h} {s}?"),
}
_IS = {"en": re.compile(r" (?P<h>is|was) "), "de": re.compile(r" (?P<h>ist|war) ")}
_DEFINES = {
    "en": re.compile(
        r"(?P<d>(?:an?) (?:[^\W_][\w'’-]*,? ){1,6}?(?:that|which|who|of|for|used|to|with|in|where"
        r"|designed|based|between|from) .+)"
    ),
    "de": re.compile(r"(?P<d>(?:ein|eine|einen|einer) .+)"),
}
_CLAUSE_ENDS = re.compile(
    r"\s*(?:[;(–—]| - |, (?:which|who|where|and|but|so|wobei|und|aber|sodass)\b)"
)
_NEXT_CLAUSE = re.compile(
    r";|,? (?:and|but) (?:it|they)\b|, (?:which|but|wobei|aber|sofern)\b"
    r"|,? und (?:er|sie|es|gilt|endet|beginnt|kostet|dauert|beträgt|ist|wird)\b"
)
_JUDGES = re.compile(
    r"\w+ (?:\w+ )?(?:good|great|poor|bad|big|major|problem|challenge|substitute|reason|sign|step"
    r"|matter|result|way|shame|must|question|guter?|gutes|schlechter?|große[rs]?|frage|grund"
    r"|zeichen|schritt|weg)\b",
    re.IGNORECASE,
)
_LEAST_DEFINITION_WORDS, _MOST_DEFINITION_WORDS = 5, 30


def sentence_facts(
    page: Page, language: str, whole_text: str, about: Callable[[int], str]
) -> Iterator[Fact]:
    """The facts of a page's sentences; whether they are unique is for the caller to see.

    Args:
        whole_text: of the document; a term counts as its own only where it is used again.
        about: the heading above a place of the page, for a subject that does not say enough.
    """
    for start, end in sentences(page.text, language):
        sentence = _MARKER.sub("", joined(page.text[start:end]))
        if not 20 <= len(sentence) <= _LONGEST_SENTENCE_CHARS or sentence[-1] != ".":
            continue
        if _UNFIT.search(sentence):
            continue
        body = sentence[:-1]
        for made in _asked(body, language, whole_text, about(start)):
            piece = piece_of(page.page_number, page.text, start, end, made.proof)
            if piece is not None:
                yield Fact(
                    made.kind, made.question, made.subject, (made.answer,), sentence, (piece,)
                )
                break


@dataclass(frozen=True, slots=True)
class _Asked:
    kind: str
    question: str
    subject: str
    answer: str
    proof: str


def _asked(body: str, language: str, whole_text: str, about: str) -> Iterator[_Asked]:
    if measured := _measured(body, language):
        yield measured
    for form in FORMS:
        if form.language != language:
            continue
        match = re.match(rf"(?P<s>.+?) {form.verb}(?: |$)", body)
        if match is not None and can_be_asked(match["s"], language):
            subject = _within_text(match["s"], language, whole_text)
            value = _value(form, body, match.end(), subject, whole_text)
            if value is not None:
                yield from _formed(form, match, subject, value, whole_text, about)


def _formed(
    form: Form,
    match: re.Match[str],
    subject: str,
    value: tuple[str, str, int],
    whole_text: str,
    about: str,
) -> Iterator[_Asked]:
    """The question of a form, where what follows the value fits into it."""
    answer, counted, end = value
    body, of_words = match.string, form.value == "words"
    rest = "" if of_words else _rest(body[end:], form)
    if rest is None:
        return
    parts = {"r": rest, "s": subject, "n": counted, "v": "", "h": ""}
    parts |= {name: found for name, found in match.groupdict().items() if found and name != "s"}
    if parts["v"] == "ha":
        parts["v"] = "have"
    question = form.question.format(**parts)
    if of_words:
        question = _who_or_what(question, subject, whole_text)
    elif not is_specific(subject + rest, form.language):
        if not about:
            return
        question = _within(question, about, form.language)
    yield _Asked(form.kind, question, subject, answer, body[:end])


def _measured(body: str, language: str) -> _Asked | None:
    """``X is 3 metres long``."""
    match = _IS[language].search(body)
    if match is None or not can_be_asked(body[: match.start()], language):
        return None
    about = re.compile(_ABOUT[language]).match(body, match.end())
    at = about.end() if about else match.end()
    found = [q for q in quantities_in(body, language) if q.start == at and q.unit]
    pattern, question = _MEASURED_BY[language]
    if not found or (how := pattern.match(body[found[0].end :])) is None:
        return None
    subject = inside(body[: match.start()], language)
    if not is_specific(subject, language):
        return None
    asked = question.format(m=how[1], h=match["h"], s=subject)
    return _Asked("number", asked, subject, body[at : found[0].end], body)


def _value(
    form: Form, body: str, start: int, subject: str, whole_text: str
) -> tuple[str, str, int] | None:
    """The answer, what is counted, and where the value ends."""
    about = re.compile(_ABOUT[form.language]).match(body, start)
    at = about.end() if about else start
    if form.value == "words":
        return _definition(form, body, start, subject, whole_text)
    if form.value == "date":
        if year := _YEAR.match(body, at):
            return year[1], "", year.end()
        days = [day for day in dates_in(body) if at <= day.start <= at + 1]
        return (body[days[0].start : days[0].end], "", days[0].end) if days else None
    found = [q for q in quantities_in(body, form.language) if q.start == at and q.sure]
    if not found:
        return None
    clause = _NEXT_CLAUSE.search(body, found[0].end)
    ends = clause.start() if clause else len(body)
    if any(found[0].end <= q.start < ends for q in quantities_in(body, form.language)):
        return None
    one = found[0]
    if form.value == "count":
        return _counted(form.language, body, one.start, one.end) if not one.unit else None
    if form.value == "time" and one.unit not in _TIMES:
        return None
    if not one.unit and not _UNITLESS.search(subject):
        return None
    return body[one.start : one.end], "", one.end


def _counted(language: str, body: str, start: int, end: int) -> tuple[str, str, int] | None:
    """The number with the words that it counts, to the next function word."""
    number = body[start:end].split()[0]
    at = start + len(number)
    nouns: list[str] = []
    for match in re.finditer(r" ([^\W\d_][\w-]*)", body[at:]):
        word = match[1]
        if word.casefold() in STOP_WORDS[language] or match.start() != sum(
            len(noun) + 1 for noun in nouns
        ):
            break
        nouns.append(word)
    if not 1 <= len(nouns) <= 3 or not re.search(r"s$|en$|er$|e$|children$|people$", nouns[-1]):
        return None
    counted = " ".join(nouns)
    return f"{number} {counted}", counted, at + len(counted) + 1


def _definition(
    form: Form, body: str, start: int, subject: str, whole_text: str
) -> tuple[str, str, int] | None:
    first = words_of(subject)[0].casefold()
    has_article = first in ("the", "a", "an", "der", "die", "das", "ein", "eine")
    found = _DEFINES[form.language].match(body, start)
    if found is None or (has_article and len(telling(subject, form.language)) < 1):
        return None
    if first in ("the", "der", "die", "das") or len(words_of(subject)) > 5:
        return None  # "the study is a …" says what one study was, not what the words mean
    if {"and", "or", "und", "oder"} & set(subject.split()) or _JUDGES.match(found["d"]):
        return None
    term = subject.split(" ", 1)[1] if has_article else subject
    if len(re.findall(re.escape(term), whole_text, re.IGNORECASE)) < 2:
        return None
    cut = _CLAUSE_ENDS.search(body, found.start("d"))
    end = cut.start() if cut else len(body)
    words = body[found.start("d") : end]
    if not _LEAST_DEFINITION_WORDS <= len(words.split()) <= _MOST_DEFINITION_WORDS:
        return None
    return words, "", end


def _rest(rest: str, form: Form) -> str | None:
    """What follows the value, as it goes into the question; ``None``: it does not fit there."""
    if clause := _NEXT_CLAUSE.search(rest):
        rest = rest[: clause.start()]
    if not rest:
        return "" if not (form.language == "de" and form.verb.startswith("(?P<h>wurde")) else None
    if len(rest.split()) > _LONGEST_REST_WORDS or re.search(r"[,;:()–—\"“”„]", rest):
        return None
    if form.language == "de" and form.verb.startswith("(?P<h>wurde"):
        return rest if re.search(r"\w(?:t|en)$", rest) else None
    if re.match(rf" {_LEADS_ON[form.language]}\b", rest) is None:
        return None
    held = words_of(rest.casefold())
    if {"and", "or", "und", "oder", "if", "wenn", "which", "that", "this", "it"} & set(held):
        return None
    return rest if not any(map(str.isdigit, rest)) else None


def _within_text(subject: str, language: str, whole_text: str) -> str:
    """The subject without the capital that it has only because it begins the sentence."""
    subject = inside(subject, language)
    small = subject[0].casefold() + subject[1:]
    if language == "en" and re.search(rf"\b{re.escape(small)}\b", whole_text):
        return small
    return subject


def _who_or_what(question: str, subject: str, whole_text: str) -> str:
    """Capitalised words may name a person, unless they stand with small letters elsewhere."""
    words = subject.split()
    is_name = all(word[0].isupper() and not word.isupper() for word in words)
    if not is_name or re.search(rf"\b{re.escape(subject.lower())}\b", whole_text):
        return question
    return question.replace("What is", "Who or what is").replace("Was ist", "Wer oder was ist")


def _within(question: str, about: str, language: str) -> str:
    if language == "de":
        return f"{question[:-1]} laut „{about}“?"
    return f"According to “{about}”, {question[0].casefold()}{question[1:]}"
