"""The writer that needs no model: it quotes the sentences that answer the question."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal

import numpy as np

from local_rag.errors import Cancelled
from local_rag.generate import (
    answerable,
    choose,
    commands,
    cues,
    everything,
    extremes,
    rows_asked,
    scope,
    score,
    steps,
    subject,
    tables,
    versions,
)
from local_rag.generate.confidence import judge_of, log_odds
from local_rag.generate.lists import ItemList, lists_of, with_what_leads
from local_rag.generate.ranking import Ranked, Ranking, ranked
from local_rag.generate.surroundings import headings_of, passage_tokens
from local_rag.generate.units import Unit, distinct, language_of, units_of
from local_rag.model.answer import Claim, Draft

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from local_rag.generate.score import Features
    from local_rag.model.evidence import Evidence
    from local_rag.model.question import Part, Question
    from local_rag.ports import Cancel, Vectors

Style = Literal["paragraph", "bullets", "steps"]

_MOST_EMBEDDED = 8
_SLACK = 1.0  # of log odds below the least that one needs, for a second sentence
_FALL = 3.0  # of log odds below the best sentence, for a second one
_FAR = 0.1  # of cosine below the farthest sentence that was embedded


@dataclass(frozen=True, slots=True)
class _Answered:
    """What one part of the question got."""

    claims: tuple[Claim, ...]
    style: Style = "paragraph"
    notes: tuple[str, ...] = ()


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

    def write(
        self,
        question: Question,
        evidence: Sequence[Sequence[Evidence]],
        *,
        cancel: Cancel | None = None,
        on_claim: Callable[[Claim], None] | None = None,
    ) -> Draft:
        """Quotes up to two sentences, or a whole list, for each part of the question."""
        claims: dict[str, Claim] = {}
        styles: list[Style] = []
        unsupported = []
        notes: dict[str, None] = {}
        for place, (part, rows) in enumerate(zip(question.parts, evidence, strict=False)):
            if cancel is not None and cancel.is_set():
                raise Cancelled("The question was cancelled.", fix="Ask again.")
            found = [unit for i, row in enumerate(rows) for unit in units_of(i, row)]
            units = distinct(found, rows)
            lists = lists_of(units, rows)
            named = subject.each_named(part)
            for one, said in [v for n in named for v in versions.each_version(*n, rows)]:
                answered = self._answer(one, question.language, units, lists, rows)
                if answerable.is_none(one, question.language, answered.claims, claims, rows):
                    unsupported.append(said)
                    continue
                styles.append(answered.style)
                notes |= dict.fromkeys(answered.notes)
                if part.exhaustive:
                    notes |= dict.fromkeys(everything.reach(rows, len(answered.claims)))
                for quoted in answered.claims:
                    claim = replace(quoted, part=place)
                    if claims.setdefault(claim.text, claim) is claim and on_claim is not None:
                        on_claim(claim)
        if not claims:
            return Draft(())
        style: Style = styles[0] if len(set(styles)) == 1 else "bullets"
        return Draft(tuple(claims.values()), style, tuple(unsupported), notes=tuple(notes))

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
        part = replace(part, text=cues.without_stress(part.text))
        kind = cues.kind_of(part.text, language)
        headings = headings_of(evidence)
        query = score.prepare(
            part.text, part.context, language, kind, units, languages, headings.values()
        )
        found = score.features_of(query, units, headings, evidence)
        rows = ranked(units, found, score.weights_for(query))
        if not rows or self._embed is None or not self._knows(language):
            return Ranking(query, rows, is_embedded=False)
        chosen = [row.unit for row in rows[:_MOST_EMBEDDED]]
        found = self._with_cosines(part, chosen, units, found)
        rows = ranked(units, found, score.WEIGHTS_WITH_COSINE)
        return Ranking(query, rows, is_embedded=True)

    def _knows(self, language: str) -> bool:
        return self._embed_languages is None or language in self._embed_languages

    def _with_cosines(
        self, part: Part, chosen: Sequence[Unit], units: Sequence[Unit], found: Sequence[Features]
    ) -> list[Features]:
        """The features with the cosines of the chosen units; the others are held to be far off."""
        assert self._embed is not None  # noqa: S101 - the caller has looked
        places = {(unit.evidence_index, unit.place): unit for unit in units}
        befores = [places.get((unit.evidence_index, unit.place - 1)) for unit in chosen]
        together = [
            f"{before.text} {unit.text}" if before else unit.text
            for before, unit in zip(befores, chosen, strict=True)
        ]
        texts = dict.fromkeys([part.search_text, *(unit.text for unit in chosen), *together])
        vectors = self._embed(list(texts))
        row_of = {text: i for i, text in enumerate(texts)}
        cosines = np.asarray(vectors @ vectors[0])
        known = {
            (unit.evidence_index, unit.place): (
                float(cosines[row_of[unit.text]]),
                float(cosines[row_of[both]]),
            )
            for unit, both in zip(chosen, together, strict=True)
        }
        far = tuple(min(values) - _FAR for values in zip(*known.values(), strict=True))
        made = []
        for unit, features in zip(units, found, strict=True):
            alone, both = known.get((unit.evidence_index, unit.place), far)
            made.append(features._replace(cosine=alone, context=both))
        return made

    def _answer(
        self,
        part: Part,
        language: str,
        units: Sequence[Unit],
        lists: Sequence[ItemList],
        evidence: Sequence[Evidence],
    ) -> _Answered:
        named = subject.about_what_is_named(part, units, evidence)
        about = scope.within_scope(part.text, named, evidence)
        if about != units:
            units, lists = about, [one for one in lists if set(one.units) <= set(about)]
        versioned = versions.of_the_version(part, units, evidence)
        if versioned is not None and versioned[0] != part:
            bare, own = versioned
            own_lists = [one for one in lists if set(one.units) <= set(own)]
            if (found := self._claims(bare, language, own, own_lists, evidence)).claims:
                return found
        records = subject.labelled_of(part, units, language)
        if not records or cues.kind_of(part.text, language) != "how-to":
            if (found := self._claims(part, language, units, lists, evidence)).claims:
                return found
            records = records or subject.records_of(part, units, evidence)
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
        ranking = replace(ranking, rows=answerable.telling(ranking, part, evidence))
        if not ranking.query.terms or not ranking.rows:
            return _Answered(())
        headings = headings_of(evidence)
        if code := commands.claims_from_code(ranking.query, units, headings, evidence):
            return _Answered(code, "steps" if len(code) > 1 else "paragraph")
        reason = answerable.asks_why_alone(ranking.query, part)  # a row gives none
        grids = [] if reason else tables.grids_of(units, evidence, headings)
        rivals = subject.of_other_years(part, grids)
        rivals += rows_asked.beside_the_point(ranking.query, grids)
        grids = [grid for grid in grids if grid not in rivals]
        ranking = answerable.without_rows(ranking, rivals)
        if part.exhaustive:
            listed = everything.claims_of_everything(ranking.query, units, lists, grids, evidence)
            if listed:
                texts = [claim.text for claim in listed]
                ordered = any(
                    one.numbered and [item.text for item in one.items] == texts for one in lists
                )
                return _Answered(listed, "steps" if ordered else "bullets")
            ranking = replace(ranking, rows=answerable.of_the_kind(ranking, headings))
        if not ranking.rows:
            return _Answered(())
        best = ranking.rows[0]
        tokens = passage_tokens(best.unit.evidence_index, units, headings)
        answered = (
            best.features.own + best.features.linked > 0.0
            and log_odds(ranking, best, tokens, evidence) >= judge_of(ranking).least
        )
        none = extremes.rows_of_none(ranking.query, grids, evidence)
        if none is not None and not none.rows:
            grids = []  # a row that has some is no answer
        elif none is not None:
            claims = choose.claims_from_extreme(none, evidence)
            return _Answered(claims, "bullets", (f"Compared {none.compared} rows of the table.",))
        extreme = extremes.extreme_of(part.text)
        if extreme is not None and not (answered and extreme.is_said_in(best.unit.text)):
            most = extremes.row_of(extreme, ranking.query, grids, evidence)
            if most is not None:
                claims = choose.claims_from_extreme(most, evidence)
                return _Answered(claims, notes=(f"Compared {most.compared} rows of the table.",))
            grids = []  # a row that is not known to be the one asked for is no answer
        of_table = choose.claims_from_table(ranking, grids, evidence, answered=answered)
        if of_table:
            return _Answered(of_table, "bullets" if len(of_table) > 1 else "paragraph")
        with_rows = bool(grids) and not part.exhaustive
        ranking = replace(ranking, rows=answerable.quotable(ranking, with_rows=with_rows))
        if not ranking.rows:
            return _Answered(())
        answered = answered and ranking.rows[0] is best
        found = _from_text(ranking, units, lists, evidence, answered=answered)
        return replace(found, claims=choose.with_columns(found.claims, grids, evidence))


def _from_text(
    ranking: Ranking,
    units: Sequence[Unit],
    lists: Sequence[ItemList],
    evidence: Sequence[Evidence],
    *,
    answered: bool,
) -> _Answered:
    """A list that answers, else a section of steps, else the best sentences."""
    headings = headings_of(evidence)
    listed = choose.fitting_list(
        ranking, lists, headings, answered=answered
    ) or steps.nearest_steps(ranking, lists, headings, evidence)
    if listed is not None:
        style: Style = "steps" if listed.numbered else "bullets"
        return _Answered(choose.claims_from_list(listed, evidence), style)
    section = choose.claims_from_section(ranking, units, evidence)
    if section or not answered:
        is_code = len(section) > 1 and all(claim.text.startswith("`") for claim in section)
        return _Answered(section, "steps" if is_code else "paragraph")

    def odds(row: Ranked) -> float:
        tokens = passage_tokens(row.unit.evidence_index, units, headings)
        return log_odds(ranking, row, tokens, evidence)

    least = max(judge_of(ranking).least - _SLACK, odds(ranking.rows[0]) - _FALL)
    claims = choose.claims_from_sentences(
        ranking, units, evidence, may_follow=lambda row: odds(row) >= least
    )
    return _Answered(with_what_leads(claims, lists, evidence))
