"""The writer that needs no model: it quotes the sentences that answer the question."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import numpy as np

from local_rag.generate import cues, parts, score
from local_rag.generate.confidence import is_answered
from local_rag.generate.lists import ItemList, lists_of
from local_rag.generate.units import Unit, distinct, language_of, units_of
from local_rag.model.answer import Claim, Draft, Support
from local_rag.text.language import UNDETERMINED, detect
from local_rag.text.tokens import tokenize

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from local_rag.model.evidence import Evidence
    from local_rag.ports import Vectors

Style = Literal["paragraph", "bullets", "steps"]

_MOST_EMBEDDED = 10
_MOST_CLAIMS = 3
_SHARPNESS = 2.0  # of the softmax in which the weights were fitted
_ENOUGH = 0.75  # of the probability that one of the quoted sentences answers
_LEAST_SHARE = 0.12
_LIST_COVERAGE = 0.5
_SAME_STATEMENT = 0.9


@dataclass(frozen=True, slots=True)
class _Answered:
    """What one part of the question got."""

    claims: tuple[Claim, ...]
    style: Style = "paragraph"


@dataclass(frozen=True, slots=True)
class Ranked:
    """A unit with its features and their weighted sum."""

    unit: Unit
    features: score.Features
    value: float


@dataclass(frozen=True, slots=True)
class Ranking:
    """The units for one part of a question, best first.

    Attributes:
        cosine: of the best unit with the question; ``None`` without an embedder.
    """

    query: score.Query
    rows: tuple[Ranked, ...]
    cosine: float | None


class ExtractiveWriter:
    """Answers in the documents' own words.

    Args:
        embed: texts to rows of unit length; improves the choice of sentences.
        embed_languages: ISO 639-1 codes of the languages ``embed`` knows; ``None``: any.
    """

    def __init__(
        self,
        embed: Callable[[Sequence[str]], Vectors] | None = None,
        embed_languages: frozenset[str] | None = frozenset(["en"]),
    ) -> None:
        self._embed = embed
        self._embed_languages = embed_languages

    @property
    def name(self) -> str:
        """What ``Answer.writer`` shows."""
        return "extractive"

    def write(self, question: str, language: str, evidence: Sequence[Evidence]) -> Draft:
        """Quotes up to three sentences, or a whole list, for each part of the question."""
        if language == UNDETERMINED:
            language = detect(question)
        units = distinct([u for i, row in enumerate(evidence) for u in units_of(i, row)], evidence)
        if not units:
            return Draft(())
        claims: dict[str, Claim] = {}
        styles: list[Style] = []
        unsupported = []
        asked = parts.split(question, language)
        for part in asked:
            answered = self._answer(part, language, units, evidence)
            if not answered.claims:
                unsupported.append(part.text)
                continue
            styles.append(answered.style)
            for claim in answered.claims:
                claims.setdefault(claim.text, claim)
        if not claims:
            return Draft(())
        style: Style = styles[0] if len(set(styles)) == 1 else "bullets"
        return Draft(tuple(claims.values()), style, tuple(unsupported))

    def rank(
        self, part: parts.Part, language: str, units: Sequence[Unit], evidence: Sequence[Evidence]
    ) -> Ranking:
        """All units for one part of the question, best first."""
        languages = [language_of(row) for row in evidence]
        kind = cues.kind_of(part.text, language)
        query = score.prepare(part.text, part.context, language, kind, units, languages)
        headings = {
            i: frozenset(tokenize(" ".join([*row.chunk.heading_path, row.document.title or ""]), languages[i]))
            for i, row in enumerate(evidence)
        }
        found = score.features_of(query, units, evidence, headings, {})
        ranked = _ranked(units, found, score.WEIGHTS)
        if self._embed is not None and self._knows(language):
            cosines = self._cosines(part, [row.unit for row in ranked[:_MOST_EMBEDDED]], units)
            found = score.features_of(query, units, evidence, headings, cosines)
            ranked = _ranked(units, found, score.WEIGHTS_WITH_COSINE)
            top = max(cosines.values(), default=0.0) + ranked[0].features.cosine
            return Ranking(query, tuple(ranked), top)
        return Ranking(query, tuple(ranked), None)

    def _knows(self, language: str) -> bool:
        return self._embed_languages is None or language in self._embed_languages

    def _cosines(
        self, part: parts.Part, chosen: Sequence[Unit], units: Sequence[Unit]
    ) -> dict[int, float]:
        assert self._embed is not None  # noqa: S101 - the caller has looked
        question = f"{part.context} {part.text}".strip()
        vectors = self._embed([question, *(unit.text for unit in chosen)])
        position = {id(unit): i for i, unit in enumerate(units)}
        values = np.asarray(vectors[1:] @ vectors[0])
        return {position[id(unit)]: float(v) for unit, v in zip(chosen, values, strict=True)}

    def _answer(
        self, part: parts.Part, language: str, units: Sequence[Unit], evidence: Sequence[Evidence]
    ) -> _Answered:
        ranking = self.rank(part, language, units, evidence)
        query, ranked = ranking.query, ranking.rows
        if not _supports(ranking):
            return _Answered(())
        listed = _fitting_list(query, ranked, units, evidence)
        if listed is not None:
            return _from_list(listed, evidence)
        return _Answered(_from_sentences(ranked, units, evidence))


def _ranked(
    units: Sequence[Unit], found: Sequence[score.Features], weights: score.Features
) -> list[Ranked]:
    rows = [
        Ranked(unit, features, sum(w * f for w, f in zip(weights, features, strict=True)))
        for unit, features in zip(units, found, strict=True)
    ]
    return sorted(rows, key=lambda r: (-r.value, r.unit.evidence_index, r.unit.place))


def _supports(ranking: Ranking) -> bool:
    if not ranking.query.terms or not ranking.rows:
        return False
    best = ranking.rows[0]
    passage = [row for row in ranking.rows if row.unit.evidence_index == best.unit.evidence_index]
    tokens = frozenset().union(*(row.unit.tokens for row in passage))
    return is_answered(ranking.query, best.features, tokens, ranking.cosine)


def _from_sentences(
    ranked: Sequence[Ranked], units: Sequence[Unit], evidence: Sequence[Evidence]
) -> tuple[Claim, ...]:
    """The best sentence, and further ones as long as it is open which one answers."""
    odds = [math.exp(_SHARPNESS * (row.value - ranked[0].value)) for row in ranked]
    total = sum(odds)
    chosen: list[Ranked] = []
    covered = 0.0
    for row, odd in zip(ranked, odds, strict=True):
        if len(chosen) == _MOST_CLAIMS or (chosen and odd < _LEAST_SHARE * total):
            break
        if chosen and (row.features.unfit or any(_alike(row.unit, other.unit) for other in chosen)):
            continue
        chosen.append(row)
        covered += odd
        if covered >= _ENOUGH * total:
            break
    return tuple(_claim(row.unit, units, evidence) for row in chosen)


def _claim(unit: Unit, units: Sequence[Unit], evidence: Sequence[Evidence]) -> Claim:
    """The sentence, cited from its own passage and from another document that says the same."""
    supports = [Support(evidence[unit.evidence_index].chunk.chunk_id, unit.start, unit.end)]
    for other in units:
        if other.evidence_index != unit.evidence_index and other.text == unit.text:
            supports.append(
                Support(evidence[other.evidence_index].chunk.chunk_id, other.start, other.end)
            )
            break
    return Claim(unit.text, tuple(supports))


def _alike(left: Unit, right: Unit) -> bool:
    a, b = set(left.tokens), set(right.tokens)
    return len(a & b) >= _SAME_STATEMENT * min(len(a), len(b))


def _fitting_list(
    query: score.Query, ranked: Sequence[Ranked], units: Sequence[Unit], evidence: Sequence[Evidence]
) -> ItemList | None:
    return None


def _from_list(listed: ItemList, evidence: Sequence[Evidence]) -> _Answered:
    chunk_id = evidence[listed.evidence_index].chunk.chunk_id
    claims = tuple(
        Claim(item.text, (Support(chunk_id, item.start, item.end),)) for item in listed.items
    )
    return _Answered(claims, "steps" if listed.numbered else "bullets")
