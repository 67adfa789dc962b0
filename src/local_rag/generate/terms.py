"""The words of a question, and how well a sentence holds them."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from functools import lru_cache
from itertools import zip_longest
from typing import TYPE_CHECKING

from local_rag.generate.cues import is_soft
from local_rag.text.identifiers import identifiers_of
from local_rag.text.tokens import tokenize, words

if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Sequence

_SHORTEST_FUZZY = 5
_PREFIX = 0.6  # strength of "verteidig" for "verteidigung"
_WITHIN = 0.5  # strength of "konsum" within "pro-kopf-konsum"
_COMPOUND_PART = 0.9
_SOFT_WEIGHT = 0.3
_NAME_WEIGHT = 1.3
_SINGLE_WIDE_WEIGHT = 0.35
_IRREGULAR = """
be was were been is are; bear bore borne born; become became; begin began begun; break broke
broken; bring brought; build built; buy bought; catch caught; choose chose chosen; come came;
cost costs; deal dealt; die died death dead; do did done; draw drew drawn; drive drove driven;
eat ate eaten; fall fell fallen; feel felt; fight fought; find found; flee fled; fly flew flown
flight; forbid forbade forbidden; freeze froze frozen; get got gotten; give gave given; go went
gone; grow grew grown growth; have had has; hear heard; hide hid hidden; hold held; keep kept;
know knew known; lead led; lend lent;
leave left; lie lay lain; lose lost loss; make made; mean
meant; meet met; old older oldest age aged; pay paid payable; rise rose risen; run ran; say said;
see saw seen; seek sought; sell sold sale; send sent; shoot shot; sing sang sung; sink sank sunk;
sit sat; speak spoke spoken; spend spent; spread spreads; stand stood; steal stole stolen; strike
struck; swim swam; take took taken; teach taught; tell told; think thought; throw threw thrown;
wear wore worn; win won winner; write wrote written; large larger largest; big bigger biggest;
good better best; bad worse worst; high higher highest; long longer longest; many more most;
early earlier earliest; late later latest
"""
"""English words that the stemmer keeps apart though they are one."""

_MEASURED_BY = {
    "heavy": "weight weigh",
    "large": "area size square hectares",
    "big": "area size square hectares",
    "tall": "height",
    "high": "height",
    "wide": "width",
    "deep": "depth",
    "long": "length duration lasts",
    "fast": "speed",
    "expensive": "price cost fee",
}
"""What "how heavy" is answered with, though it is another word."""
_HOW = re.compile(rf"\bhow ({'|'.join(_MEASURED_BY)})\b", re.IGNORECASE)
_COSTS = re.compile(r"\b(?:what|how much) (?:does|do|did|will|would)\b.*\bcost\b", re.IGNORECASE)
_COSTED_BY = "price fee charge rate"
_LEFT = re.compile(
    r"\bhow (?:many|much)\b.*\b(?:left|remain|remains|remaining|available)\b", re.IGNORECASE
)
_BORROWED = re.compile(r"\bhow (?:many|long)\b.*\bborrow\b", re.IGNORECASE)
_LEFT_WORDS = frozenset(["left", "remain", "remains", "remaining", "available"])
_LEFT_BY = "stock remaining available left"

_NOUN_CAPITALS = frozenset(["de"])


@dataclass(slots=True)
class Term:
    """A content word of a question.

    Attributes:
        forms: its index tokens in the languages at hand, the whole word first.
        weight: how much it says; times the IDF within the evidence.
        named: whether it is a name or a number, which an answer cannot do without.
        wide: whether it is in a script without spaces, where tokens are characters and pairs.
        strengths: for each token of the evidence that it meets, how well, in (0, 1].
        given: whether it is a code that all the sentences at hand speak of, be it in their own
            words or not.
        plain_weight: ``weight`` before IDF.
    """

    surface: str
    start: int
    forms: tuple[str, ...]
    weight: float
    named: bool
    wide: bool
    strengths: dict[str, float]
    given: bool = False
    plain_weight: float = 1.0

    def strength(self, tokens: Container[str]) -> float:
        """How well a text of these tokens holds the word, in [0, 1]."""
        if self.given:
            return 1.0
        found = (value for token, value in self.strengths.items() if token in tokens)
        return max(found, default=0.0)


def terms_of(question: str, language: str, other_languages: Iterable[str]) -> list[Term]:
    """The content words of the question in order, each once; IDF is not yet in the weights."""
    terms: dict[str, Term] = {}
    codes = identifiers_of(question)
    others = [other for other in dict.fromkeys(other_languages) if other != language]
    found = words(question)
    for word, following in zip_longest(found, found[1:]):
        own = tokenize(word.surface, language)
        if not own:
            continue
        if word.surface[0] > "\u2e80":
            for token in own:
                weight = 1.0 if len(token) > 1 else _SINGLE_WIDE_WEIGHT
                terms.setdefault(
                    token,
                    Term(token, word.start, (token,), weight, named=False, wide=True, strengths={}),
                )
            continue
        forms = dict.fromkeys(own)
        for other in others:
            forms.update(dict.fromkeys(tokenize(word.surface, other)))
        for related in _related(word.surface.casefold(), question) if language == "en" else ():
            forms.update(dict.fromkeys(tokenize(related, language)))
        has_digit = any(char.isdigit() for char in word.surface)
        inside = question[: word.start].strip() != "" and not question[
            : word.start
        ].rstrip().endswith((".", "?", ":"))
        capital = word.surface[0].isupper() and inside and language not in _NOUN_CAPITALS
        named = has_digit or capital or (word.surface.isupper() and len(word.surface) > 1)
        weight = _SOFT_WEIGHT if is_soft(word.surface) else _NAME_WEIGHT if named else 1.0
        terms.setdefault(
            own[0],
            Term(
                word.surface,
                word.start,
                tuple(forms),
                weight,
                named,
                wide=False,
                strengths={},
                given=any(
                    code.is_in(word.surface)
                    or (following is not None and code.is_in(following.surface))  # "invoice INV-7"
                    for code in codes
                ),
            ),
        )
    return list(terms.values())


@lru_cache(maxsize=1)
def _irregular() -> dict[str, tuple[str, ...]]:
    groups = [tuple(group.split()) for group in _IRREGULAR.split(";")]
    return {word: group for group in groups for word in group}


def _related(word: str, question: str) -> tuple[str, ...]:
    related = _irregular().get(word, ())
    if any(match[1].casefold() == word for match in _HOW.finditer(question)):
        return (*related, *_MEASURED_BY[word].split())
    if word == "cost" and _COSTS.search(question):
        return (*related, *_COSTED_BY.split())
    if word == "borrow" and _BORROWED.search(question):
        return (*related, "loan")
    if word in _LEFT_WORDS and _LEFT.search(question):
        return (*related, *_LEFT_BY.split())
    return related


def weigh(
    terms: Sequence[Term], token_sets: Sequence[frozenset[str]], around: Iterable[frozenset[str]]
) -> None:
    """Fills in the strengths and multiplies the weights by IDF over the sentences.

    Args:
        token_sets: of each sentence.
        around: of what stands over them.
    """
    vocabulary = frozenset[str]().union(*token_sets, *around)
    for term in terms:
        term.strengths = strengths_of(term.forms, vocabulary)
        count = sum(term.given or not tokens.isdisjoint(term.strengths) for tokens in token_sets)
        term.plain_weight = term.weight
        term.weight *= math.log(1 + (len(token_sets) - count + 0.5) / (count + 0.5))


def strengths_of(forms: tuple[str, ...], vocabulary: frozenset[str]) -> dict[str, float]:
    """The tokens that a word of these forms meets, and how well, in (0, 1]."""
    found = {
        form: 1.0 if form == forms[0] or len(form) > 3 else _COMPOUND_PART
        for form in forms
        if form in vocabulary
    }
    whole = forms[0]
    if len(whole) < _SHORTEST_FUZZY or not whole[0].isalpha():
        return found
    for token in vocabulary:
        if token in found or len(token) < _SHORTEST_FUZZY:
            continue
        shared = _shared_prefix(whole, token)
        if shared >= _SHORTEST_FUZZY and shared * 10 >= 7 * min(len(whole), len(token)):
            found[token] = _PREFIX
        elif whole in token or token in whole:
            found[token] = _WITHIN
    return found


def _shared_prefix(left: str, right: str) -> int:
    length = 0
    for a, b in zip(left, right, strict=False):
        if a != b:
            break
        length += 1
    return length
