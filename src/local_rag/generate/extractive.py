"""The writer that needs no model: it quotes the sentences that answer the question."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import numpy as np

from local_rag.generate import choose, cues, score, subject
from local_rag.generate.confidence import is_answered
from local_rag.generate.lists import ItemList, lists_of
from local_rag.generate.ranking import Ranking, ranked
from local_rag.generate.units import Unit, distinct, language_of, units_of
from local_rag.model.answer import Claim, Draft
from local_rag.text.tokens import tokenize

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from local_rag.model.evidence import Evidence
    from local_rag.model.question import Part, Question
    from local_rag.ports import Vectors

Style = Literal["paragraph", "bullets", "steps"]

_MOST_EMBEDDED = 10


@dataclass(frozen=True, slots=True)
class _Answered:
    """What one part of the question got."""

    claims: tuple[Claim, ...]
    style: Style = "paragraph"


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

    def write(self, question: Question, evidence: Sequence[Sequence[Evidence]]) -> Draft:
        """Quotes up to three sentences, or a whole list, for each part of the question."""
        claims: dict[str, Claim] = {}
        styles: list[Style] = []
        unsupported = []
        for part, rows in zip(question.parts, evidence, strict=False):
            found = [unit for i, row in enumerate(rows) for unit in units_of(i, row)]
            units = distinct(found, rows)
            lists = lists_of(units, rows)
            for one, said in subject.each_named(part):
                answered = self._answer(one, question.language, units, lists, rows)
                if not answered.claims:
                    unsupported.append(said)
                    continue
                styles.append(answered.style)
                for claim in answered.claims:
                    claims.setdefault(claim.text, claim)
        if not claims:
            return Draft(())
        style: Style = styles[0] if len(set(styles)) == 1 else "bullets"
        return Draft(tuple(claims.values()), style, tuple(unsupported))

    def rank(
        self,
        part: Part,
        language: str,
        units: Sequence[Unit],
        evidence: Sequence[Evidence],
    ) -> Ranking:
        """The units for one part of the question, best first.

        Args:
            units: those that speak of what the part names by a code, if it names something so.
        """
        languages = [language_of(row) for row in evidence]
        kind = cues.kind_of(part.text, language)
        query = score.prepare(part.text, part.context, language, kind, units, languages)
        headings = _headings(evidence)
        found = score.features_of(query, units, headings, {})
        rows = ranked(units, found, score.WEIGHTS)
        if rows and self._embed is not None and self._knows(language):
            cosines = self._cosines(part, [row.unit for row in rows[:_MOST_EMBEDDED]], units)
            found = score.features_of(query, units, headings, cosines)
            rows = ranked(units, found, score.WEIGHTS_WITH_COSINE)
            return Ranking(query, rows, max(cosines.values()) + rows[0].features.cosine)
        return Ranking(query, rows, None)

    def _knows(self, language: str) -> bool:
        return self._embed_languages is None or language in self._embed_languages

    def _cosines(
        self, part: Part, chosen: Sequence[Unit], units: Sequence[Unit]
    ) -> dict[int, float]:
        assert self._embed is not None  # noqa: S101 - the caller has looked
        vectors = self._embed([part.search_text, *(unit.text for unit in chosen)])
        position = {id(unit): i for i, unit in enumerate(units)}
        values = np.asarray(vectors[1:] @ vectors[0])
        return {position[id(unit)]: float(v) for unit, v in zip(chosen, values, strict=True)}

    def _answer(
        self,
        part: Part,
        language: str,
        units: Sequence[Unit],
        lists: Sequence[ItemList],
        evidence: Sequence[Evidence],
    ) -> _Answered:
        about = subject.about_what_is_named(part, units, evidence)
        if about != units:
            units, lists = about, [one for one in lists if set(one.units) <= set(about)]
        claims = self._claims(part, language, units, lists, evidence)
        if claims.claims:
            return claims
        records = subject.records_of(part, units, evidence)
        return _Answered(choose.claims_from_records(records, evidence), "paragraph")

    def _claims(
        self,
        part: Part,
        language: str,
        units: Sequence[Unit],
        lists: Sequence[ItemList],
        evidence: Sequence[Evidence],
    ) -> _Answered:
        ranking = self.rank(part, language, units, evidence)
        if not ranking.query.terms or not ranking.rows:
            return _Answered(())
        headings = _headings(evidence)
        answered = _is_supported(ranking, units, headings)
        listed = choose.fitting_list(ranking, lists, headings, answered=answered)
        if listed is not None:
            style: Style = "steps" if listed.numbered else "bullets"
            return _Answered(choose.claims_from_list(listed, evidence), style)
        section = choose.claims_from_section(ranking, units, evidence)
        if section or not answered:
            return _Answered(section)
        return _Answered(choose.claims_from_sentences(ranking, units, evidence))


def _is_supported(
    ranking: Ranking, units: Sequence[Unit], headings: Mapping[int, frozenset[str]]
) -> bool:
    best = ranking.rows[0]
    index = best.unit.evidence_index
    tokens = headings[index].union(*(unit.tokens for unit in units if unit.evidence_index == index))
    return is_answered(ranking.query, best.features, tokens, ranking.cosine)


def _headings(evidence: Sequence[Evidence]) -> dict[int, frozenset[str]]:
    """Tokens of each passage's headings and of its document's title."""
    return {
        i: frozenset(
            tokenize(
                " ".join([*row.chunk.heading_path, row.document.title or ""]), language_of(row)
            )
        )
        for i, row in enumerate(evidence)
    }
