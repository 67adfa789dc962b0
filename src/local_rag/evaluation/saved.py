"""A golden case from an answer that was kept, and what a person says of it."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from local_rag.cite.locate import rectangles
from local_rag.errors import InvalidRequest, LocalRagError
from local_rag.evaluation.cases import ExpectedEvidence, evidence_hash, normalised
from local_rag.evaluation.checked import checked_case
from local_rag.evaluation.claims import stated, without_markers
from local_rag.evaluation.places import NamedPlace, box_around, evidence_at
from local_rag.evaluation.saved_facts import chosen_facts
from local_rag.text.tokens import tokenize
from local_rag.usecases.answer import LONGEST_QUESTION_CHARS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from local_rag.evaluation.cases import Case
    from local_rag.model.answer import Answer, Citation, Span
    from local_rag.model.conversation import Turn
    from local_rag.model.document import Page
    from local_rag.ports import Catalog

Verdict = Literal["right", "wrong", "should_have_been_refused", "should_have_been_answered"]

METHOD = "saved-answer"
_VERDICT_TAG = "verdict:"


@dataclass(frozen=True, slots=True)
class Said:
    """What a person says of an answer; ``None``: as the answer has it.

    Attributes:
        question: by itself, without the questions before it.
        citations: numbers of the citations that prove the right answer; ``None``: all.
        places: more places that prove it.
    """

    verdict: Verdict
    question: str | None = None
    reference_answer: str | None = None
    required_facts: Sequence[str] | None = None
    citations: Sequence[int] | None = None
    places: Sequence[NamedPlace] = ()
    tags: Sequence[str] = ()
    split: Literal["dev", "holdout", "smoke"] = "dev"


def saved_case(turn: Turn, said: Said, catalog: Catalog) -> Case:
    """The case, to be reviewed.

    Raises:
        InvalidRequest: the verdict does not fit the answer, a place is not there, or what comes of
            it breaks a rule of golden cases; every one is named.
    """
    answer = turn.answer
    _check_fit(answer, said.verdict)
    answerable = _answerable(answer, said.verdict)
    question = standalone_question(turn) if said.question is None else said.question.strip()
    evidence = _evidence(answer, said, catalog) if answerable else []
    reference = _reference(answer, said) if answerable else ""
    facts = said.required_facts
    if facts is None:
        quoted = "\n".join(text for one in evidence for text in one.contains)
        facts = chosen_facts(question, reference, quoted)
    names = [] if turn.document_ids is None else _names(turn.document_ids, catalog)
    return checked_case(
        {
            "case_id": f"saved-{sameness(question, names)[:12]}",
            "dataset_version": "1",
            "split": said.split,
            "corpus_id": catalog.setting("library") or "library",
            "corpus_version": _corpus_version(evidence),
            "question": question,
            "question_type": _type(answer, answerable=answerable),
            "answerable": answerable,
            "expected_evidence": [one.model_dump() for one in evidence],
            "required_facts": list(facts) if answerable else [],
            "reference_answer": reference,
            "document_ids": names,
            "generation_method": METHOD,
            "review_status": "needs_review",
            "tags": [f"{_VERDICT_TAG}{said.verdict}", *said.tags],
        }
    )


def sameness(question: str, documents: Iterable[str]) -> str:
    """SHA-256, lower hex, equal for cases that ask the same of the same documents."""
    of = [normalised(question), sorted(set(documents))]
    return hashlib.sha256(json.dumps(of).encode()).hexdigest()


def standalone_question(turn: Turn) -> str:
    """The question so that it can be asked alone; as it was asked, where that is too long."""
    understood = turn.understood_as
    return understood if 0 < len(understood) <= LONGEST_QUESTION_CHARS else turn.question


def _check_fit(answer: Answer, verdict: Verdict) -> None:
    fitting = (
        ("right", "should_have_been_answered")
        if answer.refused
        else ("right", "wrong", "should_have_been_refused")
    )
    if verdict not in fitting:
        what = "a refusal" if answer.refused else "no refusal"
        raise InvalidRequest(
            f"The answer is {what}, so it cannot be {verdict.replace('_', ' ')}.",
            fix=f"Say one of: {', '.join(fitting)}.",
        )


def _answerable(answer: Answer, verdict: Verdict) -> bool:
    return not answer.refused if verdict == "right" else verdict != "should_have_been_refused"


def _reference(answer: Answer, said: Said) -> str:
    if said.reference_answer is not None:
        return said.reference_answer.strip()
    return without_markers(answer.text).strip() if said.verdict == "right" else ""


def _names(document_ids: Sequence[str], catalog: Catalog) -> list[str]:
    """The documents that were asked, by names: a new version of one keeps its name."""
    names = []
    for document_id in document_ids:
        try:
            names.append(catalog.document(document_id).name)
        except LocalRagError:  # it has left the library
            names.append(document_id)
    return sorted(set(names))


def _type(answer: Answer, *, answerable: bool) -> str:
    if not answerable:
        return "unanswerable"
    if len(answer.ledgers) > 1:
        return "multi_part"
    return "list" if any(ledger.part.exhaustive for ledger in answer.ledgers) else "fact"


def _corpus_version(evidence: Sequence[ExpectedEvidence]) -> str:
    """Names the bytes that the evidence is of."""
    hashes = sorted({one.source_sha256 for one in evidence})
    return hashlib.sha256("\n".join(hashes).encode()).hexdigest()[:12] if hashes else "any"


def _evidence(answer: Answer, said: Said, catalog: Catalog) -> list[ExpectedEvidence]:
    """One group for each claim of the answer, and one for each place that a person names."""
    cited = {one.number: one for one in answer.citations}
    wanted = set(cited if said.citations is None else said.citations)
    if unknown := sorted(wanted - set(cited)):
        raise InvalidRequest(
            f"citations: the answer has no citation {unknown[0]}.", fix="Name numbers that it has."
        )
    claims = [
        (claim.text, [cited[n] for n in claim.numbers if n in wanted])
        for claim in stated(answer.text)
    ]
    groups: list[list[ExpectedEvidence]] = []
    for text, citations in claims:
        group = [_of_citation(one, _spans_of(one, text, claims), catalog.page) for one in citations]
        if group and group not in groups:
            groups.append(group)
    groups += [[evidence_at(place, catalog)] for place in said.places]
    return [
        one.model_copy(update={"evidence_group": str(number)})
        for number, group in enumerate(groups, 1)
        for one in group
    ]


def _spans_of(
    citation: Citation, claim: str, claims: Sequence[tuple[str, list[Citation]]]
) -> tuple[Span, ...]:
    """The quoted stretches that this claim rests on: of several claims the one that is nearest."""
    sharing = [text for text, citations in claims if citation in citations]
    if len(sharing) < 2 or len(citation.spans) < 2:
        return citation.spans
    words = [set(tokenize(text)) for text in sharing]

    def nearest(span: Span) -> str:
        quoted = set(tokenize(citation.chunk.text[span.start : span.end]))
        shared = [len(quoted & known) / max(1, len(known)) for known in words]
        return sharing[shared.index(max(shared))]

    return tuple(s for s in citation.spans if nearest(s) == claim) or citation.spans


def _of_citation(
    citation: Citation, spans: tuple[Span, ...], page_of: Callable[[str, int], Page]
) -> ExpectedEvidence:
    chunk, document = citation.chunk, citation.document
    boxes = citation.rectangles
    if boxes and spans != citation.spans:
        try:
            page = page_of(chunk.document_id, chunk.page_number)
        except LocalRagError:  # it has left the library
            boxes = ()
        else:
            boxes = rectangles(page.words, chunk.start, spans)
    has_pages = citation.page_width_pt > 0 or document.page_count > 1
    made = ExpectedEvidence(
        source=document.name,
        source_sha256=document.source_sha256,
        page=chunk.page_number if has_pages else None,
        contains=[chunk.text[span.start : span.end] for span in spans],
        bbox=box_around(boxes),
    )
    return made.model_copy(update={"evidence_hash": evidence_hash(made)})


def verdict_of(tags: Sequence[str]) -> str | None:
    """What the person said of the answer that a case was made of."""
    return next((t.removeprefix(_VERDICT_TAG) for t in tags if t.startswith(_VERDICT_TAG)), None)


def without_verdict(tags: Sequence[str]) -> list[str]:
    """The tags that a reviewer may see before the proposed answer."""
    return [tag for tag in tags if not tag.startswith(_VERDICT_TAG)]
