"""Candidates for a golden set: facts of documents that stand once, with a question for each."""

from __future__ import annotations

import hashlib
from collections import Counter
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING

from local_rag.cite.locate import rectangles
from local_rag.evaluation.cases import Case, ExpectedEvidence, evidence_hash, normalised
from local_rag.evaluation.silver_absent import altered
from local_rag.evaluation.silver_facts import LANGUAGES, Fact, Piece, joined
from local_rag.evaluation.silver_sentences import sentence_facts
from local_rag.evaluation.silver_structure import (
    heading_above,
    heading_counts,
    structure_facts,
)
from local_rag.evaluation.silver_wording import worded
from local_rag.evaluation.silver_words import telling
from local_rag.model.answer import Span
from local_rag.text.calendar import dates_in
from local_rag.text.quantities import quantities_in
from local_rag.text.sentences import sentences
from local_rag.text.tokens import tokenize

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from local_rag.evaluation.cases import Split
    from local_rag.evaluation.sources import SourceText
    from local_rag.model.chat import ChatLimits
    from local_rag.model.document import Extraction
    from local_rag.ports import ChatModel

_ANSWERED_FOR_EACH_ABSENT = 5
_HOLDOUT_OF_TEN = 3
_BY_TEMPLATE, _BY_MODEL = "template", "template, worded by a model"


@dataclass(frozen=True, slots=True)
class Made:
    """What a run of the generator says of every case.

    Attributes:
        most: cases of one document, those without an answer included.
        chat: words the questions; ``None``: templates do.
    """

    dataset_version: str
    corpus_id: str
    corpus_version: str
    most: int = 20
    chat: ChatModel | None = None
    limits: ChatLimits | None = None


def candidates(
    texts: Sequence[SourceText], made: Made, watch: Callable[[str], None] = lambda _: None
) -> list[Case]:
    """The candidates of all documents. The same documents give the same cases.

    A fact is left out where its question could be asked of another place, in any of the documents.

    Args:
        watch: told the name of each document that is begun.
    """
    found = [(text, _facts(text)) for text in texts]
    everything = "\n".join(normalised(_whole(text)) for text in texts)
    asked = Counter(normalised(fact.question) for _, facts in found for fact in facts)
    cases: list[Case] = []
    for text, facts in found:
        watch(text.source.name)
        alone = [fact for fact in facts if asked[normalised(fact.question)] == 1]
        absent = made.most // (_ANSWERED_FOR_EACH_ABSENT + 1)
        kept = _spread(alone, made.most - absent)
        cases += [_case(text, fact, made) for fact in kept]
        wanted = min(absent, len(kept) // _ANSWERED_FOR_EACH_ABSENT + (len(kept) > 1))
        cases += _absent(text, kept, made, everything, wanted)
    return list({case.case_id: case for case in cases}.values())


def merged(old: Sequence[Case], new: Sequence[Case]) -> list[Case]:
    """The old cases that a person has touched, and the new ones that are not among them."""
    kept = [case for case in old if case.review_status != "synthetic_silver"]
    known = {case.case_id for case in kept}
    return kept + [case for case in new if case.case_id not in known]


def corpus_version(texts: Iterable[SourceText]) -> str:
    """Twelve hexadecimal digits of the documents' hashes."""
    joined_hashes = "\n".join(sorted(text.source.sha256 for text in texts))
    return hashlib.sha256(joined_hashes.encode()).hexdigest()[:12]


def _whole(text: SourceText) -> str:
    return "\n".join(page.text for page in text.extraction.pages)


def _facts(text: SourceText) -> list[Fact]:
    if text.language not in LANGUAGES:
        return []
    whole = joined(_whole(text))
    found = list(structure_facts(text.extraction, text.language, text.source.name))
    headings = heading_counts(text.extraction)
    by_sentence = [
        fact
        for page in text.extraction.pages
        for fact in sentence_facts(
            page,
            text.language,
            whole,
            partial(_above, text.extraction, headings, page.page_number),
        )
    ]
    others = _Sentences(text)
    found += [fact for fact in by_sentence if others.only_one(fact)]
    plain = normalised(whole)
    return [
        fact
        for fact in found
        if all(plain.count(normalised(piece.words)) == 1 for piece in fact.pieces)
    ]


def _above(extraction: Extraction, headings: dict[str, int], page_number: int, offset: int) -> str:
    return heading_above(extraction, page_number, offset, headings)


class _Sentences:
    """The sentences of a document by their words, to see whether a fact is told twice."""

    def __init__(self, text: SourceText) -> None:
        self._language = text.language
        self._told = [
            (set(tokenize(one, text.language)), one)
            for page in text.extraction.pages
            for start, end in sentences(page.text, text.language)
            for one in (joined(page.text[start:end]),)
        ]

    def only_one(self, fact: Fact) -> bool:
        """Whether no other sentence says a value of the same kind about the same subject."""
        subject = {
            token
            for word in telling(fact.subject, self._language)
            for token in tokenize(word, self._language)
        }
        about = [one for words, one in self._told if subject <= words]
        if fact.kind == "definition":
            return True
        wanted = self._kinds(fact.answers[0])
        holding = [one for one in about if wanted & self._kinds(one)]
        return len(holding) <= 1

    def _kinds(self, text: str) -> set[str]:
        """Its units and ``date``; a number without a unit is of the kind of what it counts."""
        kinds = {
            q.unit or q.counted.casefold() or "number" for q in quantities_in(text, self._language)
        }
        return kinds | ({"date"} if dates_in(text) else set())


def _spread(facts: Sequence[Fact], most: int) -> list[Fact]:
    """At most so many, of each kind in turn, and of each kind spread over the document."""
    by_kind: dict[str, list[Fact]] = {}
    for fact in facts:
        by_kind.setdefault(fact.kind, []).append(fact)
    queues = [_apart(of_kind, most) for _, of_kind in sorted(by_kind.items())]
    taken: list[Fact] = []
    while len(taken) < most and any(queues):
        for queue in queues:
            if queue and len(taken) < most:
                taken.append(queue.pop(0))
    return sorted(taken, key=lambda fact: (fact.pieces[0].page_number, fact.pieces[0].start))


def _apart(facts: Sequence[Fact], most: int) -> list[Fact]:
    if len(facts) <= most:
        return list(facts)
    return [facts[i * len(facts) // most] for i in range(most)]


def _case(text: SourceText, fact: Fact, made: Made) -> Case:
    case_id = _id(text, fact)
    question, method = fact.question, _BY_TEMPLATE
    if made.chat is not None and made.limits is not None:
        other = worded(fact, text.language, made.chat, made.limits)
        if other is not None:
            question, method = other, _BY_MODEL
    several = len(fact.pieces) > 1
    return Case(
        case_id=case_id,
        dataset_version=made.dataset_version,
        split=_split(case_id),
        corpus_id=made.corpus_id,
        corpus_version=made.corpus_version,
        question=question,
        question_type=fact.kind,
        answerable=True,
        expected_evidence=[
            _evidence(text, piece, str(number) if several else "1")
            for number, piece in enumerate(fact.pieces, 1)
        ],
        required_facts=list(fact.answers),
        reference_answer=fact.reference,
        generation_method=method,
        review_status="synthetic_silver",
        tags=[text.language],
    )


def _absent(
    text: SourceText, facts: Sequence[Fact], made: Made, everything: str, wanted: int
) -> list[Case]:
    cases: list[Case] = []
    seen: set[tuple[str, int]] = set()
    for fact in facts:
        of_page = fact.kind, fact.pieces[0].page_number  # rows of a table are much the same
        if len(cases) >= wanted or of_page in seen:
            continue
        other = altered(fact, text.language, everything)
        if other is None:
            continue
        seen.add(of_page)
        question, subject = other
        of = replace(fact, kind="unanswerable", subject=subject, answers=(subject,))
        case_id = _id(text, of)
        cases.append(
            Case(
                case_id=case_id,
                dataset_version=made.dataset_version,
                split=_split(case_id),
                corpus_id=made.corpus_id,
                corpus_version=made.corpus_version,
                question=question,
                question_type="unanswerable",
                answerable=False,
                generation_method="template, subject altered",
                review_status="synthetic_silver",
                tags=[text.language],
            )
        )
    return cases


def _evidence(text: SourceText, piece: Piece, group: str) -> ExpectedEvidence:
    page = text.page(piece.page_number)
    boxes = rectangles(page.words, 0, [Span(piece.start, piece.end)]) if page else ()
    box = None
    if boxes:
        x0, y0 = min(b.x0 for b in boxes), min(b.y0 for b in boxes)
        x1, y1 = max(b.x1 for b in boxes), max(b.y1 for b in boxes)
        box = [round(x, 2) for x in (x0, y0, x1, y1)] if x0 < x1 and y0 < y1 else None
    one = ExpectedEvidence(
        source=text.source.name,
        source_sha256=text.source.sha256,
        page=piece.page_number if text.has_pages else None,
        contains=[piece.words],
        evidence_group=group,
        bbox=box,
    )
    return one.model_copy(update={"evidence_hash": evidence_hash(one)})


def _id(text: SourceText, fact: Fact) -> str:
    """Of the file's bytes, the place and the fact: however the question is worded."""
    first = fact.pieces[0]
    place = f"{first.page_number}:{first.start}:{first.end}"
    told = "\n".join((text.source.sha256, place, fact.kind, *fact.answers))
    return f"silver-{hashlib.sha256(told.encode('utf-8', 'replace')).hexdigest()[:16]}"


def _split(case_id: str) -> Split:
    """By its id, so that a case stays where it is when others come and go."""
    return "holdout" if int(case_id[-8:], 16) % 10 < _HOLDOUT_OF_TEN else "dev"
