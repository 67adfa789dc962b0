"""The scores of one case. Every score is in [0, 1]; what does not apply is absent, never 0."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from local_rag.evaluation import ranking
from local_rag.evaluation.bearing import is_borne_out, says_fact
from local_rag.evaluation.claims import stated, without_markers
from local_rag.evaluation.proof import gains_of, ideal_gains, proven_groups, proves
from local_rag.evaluation.results import CaseResult, CitedPassage, FoundPassage
from local_rag.model.answer import NO_DOCUMENTS, NO_SELECTION
from local_rag.text.language import detect

if TYPE_CHECKING:
    from collections.abc import Sequence

    from local_rag.evaluation.cases import Case
    from local_rag.evaluation.claims import Stated
    from local_rag.evaluation.observed import Cited, Observed, Passage

DEPTH = 10
"""How many of the passages found count by default: more than are handed to the writer by default,
so that all of these count."""

_OF_ANSWERS = ("citation_precision", "claim_support")
_NOTHING_ASKED = (NO_DOCUMENTS, NO_SELECTION)
_REFUSED = "The answer is a refusal: it says nothing that could be held against a citation."
_UNCITED = "The answer cites nothing."
_SILENT = "The answer says nothing."


def applicable(case: Case) -> tuple[str, ...]:
    """The names of the scores that a case ought to have."""
    if not case.answerable:
        return ("abstention",)
    facts = ("fact_coverage",) if case.required_facts else ()
    found = ("hit", "mrr", "ndcg", "recall", "coverage")
    return (*found, *_OF_ANSWERS, *facts, "false_abstention")


def failed(case: Case, why: str) -> CaseResult:
    """The result of a case that has no answer: no score, and the reason for each that applies."""
    return _result(case, failure=why, unscored=dict.fromkeys(applicable(case), why))


def scored(case: Case, observed: Observed, k: int = DEPTH) -> CaseResult:
    """The result of a case that has an answer.

    Args:
        k: how many of the passages found count.
    """
    if observed.answer in _NOTHING_ASKED:
        return failed(case, observed.answer)
    groups = proven_groups(observed.ranked, case)
    scores: dict[str, float] = {}
    unscored: dict[str, str] = {}
    if case.answerable:
        scores |= _of_ranking(case, observed.ranked, groups, k)
        scores["false_abstention"] = float(observed.refused)
        if case.required_facts:
            scores["fact_coverage"] = _fact_coverage(case, observed)
    else:
        scores["abstention"] = float(observed.refused)
    if not observed.refused:
        _score_claims(stated(observed.answer), observed.cited, case, scores, unscored)
    elif case.answerable:
        unscored |= dict.fromkeys(_OF_ANSWERS, _REFUSED)
    return _result(case, observed=observed, groups=groups, scores=scores, unscored=unscored)


def _of_ranking(
    case: Case, ranked: Sequence[Passage], groups: Sequence[Sequence[str]], k: int
) -> dict[str, float]:
    gains = gains_of(groups)
    first = ranked[:k]
    places = case.expected_evidence
    found = sum(any(proves(passage, place) for passage in first) for place in places)
    proven = {group for row in groups[:k] for group in row}
    return {
        "hit": ranking.hit(gains, k),
        "mrr": ranking.reciprocal_rank(gains, k),
        "ndcg": min(1.0, ranking.ndcg(gains, ideal_gains(groups, case.groups), k)),
        "recall": found / len(places),
        "coverage": len(proven) / len(case.groups),
    }


def _fact_coverage(case: Case, observed: Observed) -> float:
    if observed.refused:
        return 0.0
    answer = without_markers(observed.answer)
    shown = [case.reference_answer, *(t for one in case.expected_evidence for t in one.contains)]
    said = [says_fact(f, answer, shown, detect(case.question)) for f in case.required_facts]
    return sum(said) / len(said)


def _score_claims(
    claims: Sequence[Stated],
    cited: Sequence[Cited],
    case: Case,
    scores: dict[str, float],
    unscored: dict[str, str],
) -> None:
    """Holds each statement against what it cites itself."""
    by_number = {one.number: one for one in cited}
    language = detect(case.question)
    if claims:
        supported = [
            is_borne_out(one.text, _named(one.numbers, by_number), language) for one in claims
        ]
        scores["claim_support"] = sum(supported) / len(supported)
    else:
        unscored["claim_support"] = _SILENT
    pairs = [
        _is_precise(one, number, by_number, language) for one in claims for number in one.numbers
    ]
    if pairs:
        scores["citation_precision"] = sum(pairs) / len(pairs)
    else:
        unscored["citation_precision"] = _UNCITED


def _is_precise(claim: Stated, number: int, cited: dict[int, Cited], language: str) -> bool:
    """Whether a citation bears its statement out, alone or as a part that is needed of all.

    As in Gao et al., "Enabling Large Language Models to Generate Text with Citations" (EMNLP
    2023), with rules in the place of a model.
    """
    if number not in cited:
        return False
    if is_borne_out(claim.text, [cited[number]], language):
        return True
    whole = _named(claim.numbers, cited)
    rest = [one for one in whole if one.number != number]
    return (
        bool(rest)
        and is_borne_out(claim.text, whole, language)
        and not is_borne_out(claim.text, rest, language)
    )


def _named(numbers: Sequence[int], cited: dict[int, Cited]) -> list[Cited]:
    return [cited[number] for number in numbers if number in cited]


def _result(
    case: Case,
    *,
    failure: str = "",
    observed: Observed | None = None,
    groups: Sequence[tuple[str, ...]] = (),
    scores: dict[str, float] | None = None,
    unscored: dict[str, str] | None = None,
) -> CaseResult:
    known = CaseResult(
        case_id=case.case_id,
        question=case.question,
        question_type=case.question_type,
        split=case.split,
        answerable=case.answerable,
        reference_answer=case.reference_answer,
        review_status=case.review_status,
        failure=failure,
        scores=scores or {},
        unscored=unscored or {},
    )
    return known if observed is None else _seen(known, observed, groups)


def _seen(known: CaseResult, observed: Observed, groups: Sequence[tuple[str, ...]]) -> CaseResult:
    found = tuple(
        FoundPassage(rank, p.document_id, p.source, p.page, p.text, proven)
        for rank, (p, proven) in enumerate(zip(observed.ranked, groups, strict=True), 1)
    )
    cited = tuple(
        CitedPassage(
            c.number, c.passage.document_id, c.passage.source, c.passage.page, c.quote,
            c.passage.text,
        )
        for c in observed.cited
    )  # fmt: skip
    return replace(
        known,
        answer=observed.answer,
        refused=observed.refused,
        unsupported_parts=observed.unsupported_parts,
        writer=observed.writer,
        contexts=observed.contexts,
        found=found,
        cited=cited,
        timings_ms=observed.timings_ms,
        tokens=observed.tokens,
    )
