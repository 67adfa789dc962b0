"""Whether a date, a name or an agent of a claim has there the part that the text gives to it.

Only where the text has another of the kind can the two have changed places, so only there is
anything doubted.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Literal, NamedTuple

from local_rag.text.calendar import agrees, dates_in
from local_rag.text.entities import fold, names_in
from local_rag.text.held import holds_word, lettered_words, vocabulary

if TYPE_CHECKING:
    from collections.abc import Sequence

    from local_rag.text.calendar import Day

Kind = Literal["date", "name", "agent"]

_BREAK = re.compile(
    r"[;；:：|•]\s*|,\s|\s[-–—]\s|\s(?=(?:and|but|while|whereas|or|und|aber|während|oder|et|mais|tandis|ou|y|pero"
    r"|mientras|o|e|mas|ma|mentre)\s)"
)
_AGENT = re.compile(
    r"\b(?:by|von|vom|durch|par|por|pelo|pela|da|dal|dalla)\s(?:the\s|der\s|dem\s|den\s|die\s|das\s|le\s|la"
    r"\s|l['’]|el\s|a\s|an\s)"
    r"(?P<who>[^\W\d_]+(?:\s(?:of\s(?:the\s)?|der\s|des\s|de\s)?[^\W\d_]+){0,2})"
)
_PASSIVE = re.compile(
    r"\b(?:is|are|was|were|be|been|being|wird|werden|wurde|wurden|worden|est|sont|être|es|son|ser|são|è|sono"
    r"|essere)\b",
    re.IGNORECASE,
)
_POINTS_BACK = re.compile(
    r"\b(?:it|its|he|she|they|this|these|his|her|their|er|sie|es|dies\w*|il|elle|ils|elles|su|este|esta)\b",
    re.IGNORECASE,
)
_OTHER = re.compile(
    r"\b(?:others?|remaining|rest|übrige[nrsm]?|andere[nrsm]?|sonstige[nrsm]?|autres?|restante?s?"
    r"|otr[oa]s?|demás|altr[ie]|outr[oa]s)\b",
    re.IGNORECASE,
)
_LABELLED = re.compile(r"[^:：.]{1,60}[:：]\s*\S")
_LINE_WORDS = 10
_BESIDE = 2  # content words of a claim on each side of a fact
_LEAST_WORDS = 2
_HALF = 0.5


class _Fact(NamedTuple):
    """One that could have been another.

    Attributes:
        readings: what a date can mean.
        words: of a name or an agent, folded.
        near: the content word next to it on each side in its clause, with its tokens.
        beside: the two next to it on each side.
        clause: the text of its clause without it.
        sentence: which sentence of the text.
    """

    kind: Kind
    surface: str
    readings: frozenset[Day]
    words: frozenset[str]
    near: dict[str, tuple[str, ...]]
    beside: dict[str, tuple[str, ...]]
    clause: str
    sentence: int


def exchanged(claim: str, parts: Sequence[str], languages: tuple[str, str]) -> list[str]:
    """The dates, names and agents of a claim of which the text says something else.

    One is doubted if the word that stands beside it nowhere in the text stands beside it in the
    claim, while that beside another of its kind, in the same sentence or in the next line, does;
    or if the claim speaks of "all other" and the sentence that does so has another name.

    Args:
        parts: the sentences of the cited text.
        languages: of the claim and of the text.
    """
    source = [
        fact
        for i, part in enumerate(parts)
        if not part.startswith("|")
        for fact in _facts(part, i, languages[1])
    ]
    found = []
    for fact in _facts(claim, 0, languages[0]):
        alike = [other for other in source if other.kind == fact.kind]
        own = [other for other in alike if _is_same(fact, other)]
        rivals = [o for o in alike if not _is_same(fact, o) and not _is_same(o, fact)]
        if (own and rivals) and (
            _stands_by_other(fact, own, rivals, parts, languages)
            or (fact.kind == "name" and _is_the_rest(claim, own, rivals, parts, languages))
            or (
                fact.kind == "name"
                and _is_done_by_other(fact, claim, own, rivals, parts, languages)
            )
        ):
            found.append(fact.surface)
    return found


def invented_agents(claim: str, cited: str, languages: tuple[str, str]) -> list[str]:
    """Who does something by a passive clause of the claim, and is not in the text."""
    known = vocabulary(cited, languages)
    found = []
    for match in _AGENT.finditer(claim):
        words = lettered_words(match["who"], languages[0])
        if not (words and _PASSIVE.search(claim[: match.start()])):
            continue
        if not any(holds_word(known, w, t, languages[0]) for w, t in words.items()):
            found.append(match["who"])
    return found


def _facts(text: str, sentence: int, language: str) -> list[_Fact]:
    spans: list[tuple[int, int, Kind, frozenset[Day], frozenset[str]]] = [
        (date.start, date.end, "date", date.readings, frozenset()) for date in dates_in(text)
    ]
    names = names_in(text, language)
    named = frozenset(w for name in names if len(name.words) > 1 for w in name.words)
    for name in names:
        if name.code or not name.words:
            continue
        spans += [
            (m.start(), m.end(), "name", frozenset(), frozenset(name.words))
            for m in re.finditer(rf"(?<!\w){re.escape(name.surface)}(?!\w)", text)
        ]
    for match in _AGENT.finditer(text):
        words = frozenset(fold(w) for w in lettered_words(match["who"], language))
        spans.append((match.start("who"), match.end("who"), "agent", frozenset(), words))
    found = []
    for start, end, kind, readings, words in dict.fromkeys(spans):
        begin, stop = _clause(text, start, end)
        before = _said(text[begin:start], language, named)
        after = _said(text[end:stop], language, named)
        found.append(
            _Fact(
                kind,
                text[start:end],
                readings,
                words,
                dict([*before[-1:], *after[:1]]),
                dict([*before[-_BESIDE:], *after[:_BESIDE]]),
                f"{text[begin:start]} {text[end:stop]}",
                sentence,
            )
        )
    return found


def _said(text: str, language: str, named: frozenset[str]) -> list[tuple[str, tuple[str, ...]]]:
    """The content words but for parts of names, with their tokens."""
    return [(w, t) for w, t in lettered_words(text, language).items() if fold(w) not in named]


def _clause(text: str, start: int, end: int) -> tuple[int, int]:
    """The clause that a stretch stands in; of a label what it labels, else what is before it."""
    begins = [0, *(m.end() for m in _BREAK.finditer(text, 0, start))]
    after = _BREAK.search(text, end)
    stop = after.start() if after else len(text)
    begin = begins.pop()
    if after and after.group().strip() in (":", "：") and not _has_word(text, begin, start):
        beyond = _BREAK.search(text, after.end())
        return begin, beyond.start() if beyond else len(text)
    while begins and not _has_word(text, begin, start) and not _has_word(text, end, stop):
        begin = begins.pop()
    return begin, stop


def _has_word(text: str, start: int, end: int) -> bool:
    return re.search(r"[^\W\d_]{3}", text[start:end]) is not None


def _is_same(fact: _Fact, other: _Fact) -> bool:
    if fact.kind == "date":
        return any(agrees(d, o) for d in fact.readings for o in other.readings)
    return bool(fact.words & other.words)


def _stands_by_other(
    fact: _Fact,
    own: Sequence[_Fact],
    rivals: Sequence[_Fact],
    parts: Sequence[str],
    languages: tuple[str, str],
) -> bool:
    said = frozenset().union(*fact.beside.values())

    def beside(one: _Fact) -> set[str]:
        return {w for w, t in one.near.items() if holds_word(said, w, t, languages[1])}

    if any(not o.near or beside(o) for o in own):
        return False
    clauses = vocabulary(" ".join(o.clause for o in own), languages)
    return any(
        not holds_word(clauses, word, rival.near[word], languages[1])
        for rival in rivals
        if any(_are_parallel(rival.sentence, o.sentence, parts) for o in own)
        for word in beside(rival)
    )


def _are_parallel(left: int, right: int, parts: Sequence[str]) -> bool:
    """Whether two facts stand in one sentence, or in two labelled lines next to each other."""
    if left == right:
        return True
    return abs(left - right) == 1 and all(
        _LABELLED.match(parts[i]) and len(parts[i].split()) <= _LINE_WORDS for i in (left, right)
    )


def _is_done_by_other(
    fact: _Fact,
    claim: str,
    own: Sequence[_Fact],
    rivals: Sequence[_Fact],
    parts: Sequence[str],
    languages: tuple[str, str],
) -> bool:
    """Whether a sentence that another begins, or is the agent of, has all words of the claim.

    It must not name the first nor point back, and no sentence that names the first has them all.
    """
    words = lettered_words(claim.replace(fact.surface, " "), languages[0])
    if len(words) < _LEAST_WORDS:
        return False

    def holds_all(sentence: int) -> bool:
        known = vocabulary(parts[sentence], languages)
        return all(holds_word(known, w, t, languages[0]) for w, t in words.items())

    named = {o.sentence for o in own}
    return any(
        rival.sentence not in named
        and rival.surface.casefold() not in claim.casefold()
        and _acts(rival.surface, parts[rival.sentence])
        and not _POINTS_BACK.search(parts[rival.sentence])
        and holds_all(rival.sentence)
        for rival in rivals
    ) and not any(holds_all(sentence) for sentence in named)


def _acts(name: str, sentence: str) -> bool:
    """Whether a name begins a sentence, or follows a "by"."""
    own = rf"(?:\w+\s)?{re.escape(name)}(?!\w)"
    return bool(
        re.match(rf"[\W_]*{own}", sentence)
        or re.search(rf"\b(?:by|von|vom|durch|par|por|pelo|pela|da|dal)\s{own}", sentence)
    )


def _is_the_rest(
    claim: str,
    own: Sequence[_Fact],
    rivals: Sequence[_Fact],
    parts: Sequence[str],
    languages: tuple[str, str],
) -> bool:
    """Whether a claim speaks of "all other" where the sentence that does so has a rival alone."""
    if not _OTHER.search(claim):
        return False
    words = lettered_words(claim, languages[0])
    known = {i: vocabulary(part, languages) for i, part in enumerate(parts) if _OTHER.search(part)}
    held = {
        i: sum(holds_word(k, w, t, languages[0]) for w, t in words.items())
        for i, k in known.items()
    }
    near = {i for i, count in held.items() if count >= _HALF * len(words)}
    backwards = any(_POINTS_BACK.match(parts[i]) for i in near)
    return (
        bool(near.intersection(r.sentence for r in rivals))
        and not near.intersection(o.sentence for o in own)
        and not backwards
    )
