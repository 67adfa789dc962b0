"""From a question to an answer with citations: retrieve, write, number."""

from __future__ import annotations

import contextlib
import logging
import time
from collections import Counter
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from local_rag.audit.flags import flags_of
from local_rag.cite.number import Numbering, borne_out, kept_order, number_citations
from local_rag.errors import Cancelled, InvalidQuestion, InvalidRequest, UnknownDocument
from local_rag.generate.grounded.writer import GroundedWriter
from local_rag.model.answer import NO_DOCUMENTS, NO_SELECTION, REFUSAL, Answer
from local_rag.model.audit import renumbered
from local_rag.model.chat import ChatLimits
from local_rag.model.evidence import Retrieval, Scope
from local_rag.model.told import Audited, Begun, Found, Stated
from local_rag.retrieve.understand import understand
from local_rag.text.stopwatch import Stopwatch
from local_rag.usecases.audit import repaired_claims, unrepaired

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from local_rag.model.answer import Citation, Claim, Draft
    from local_rag.model.audit import Audit
    from local_rag.model.question import Question
    from local_rag.model.told import Told
    from local_rag.ports import Cancel, Catalog, Writer
    from local_rag.retrieve.hybrid import Hybrid, HybridOptions
    from local_rag.usecases.audit import Auditor
    from local_rag.usecases.chat_choice import ChatChoice

_log = logging.getLogger(__name__)

LONGEST_QUESTION_CHARS = 2000
MOST_DOCUMENT_IDS = 50
_ATTEMPTS = 5


@dataclass(frozen=True, slots=True)
class Desk:
    """Where questions are answered.

    Attributes:
        writer: the one that needs no chat model.
        chat: the chat model of the settings, which phrases the answers where it can be used.
        limits: caps of each of its replies.
        auditor: checks the claims of each answer; ``None``: they are not sent anywhere.
    """

    catalog: Catalog
    hybrid: Hybrid
    writer: Writer
    chat: ChatChoice | None = None
    limits: ChatLimits = field(default_factory=ChatLimits)
    auditor: Auditor | None = None

    def answer(
        self,
        question: str,
        document_ids: Sequence[str] | None = None,
        *,
        asked: Question | None = None,
        cancel: Cancel | None = None,
        listener: Callable[[Told], None] | None = None,
    ) -> Answer:
        """Answers from the documents named, or from all of them.

        Args:
            document_ids: ``None`` for all; an empty selection is refused in words.
            asked: the question as it is understood, where more than its own words tell.
            listener: called on this thread with each step, the evidence, and each claim once it
                is certain; never before the question was found to be one.

        Raises:
            InvalidQuestion: empty, or longer than 2,000 characters.
            InvalidRequest: more than 50 document ids.
            UnknownDocument: no document has one of the ids.
            Cancelled: ``cancel`` was set.
        """
        begun = time.perf_counter()
        asked = asked or understand(checked_question(question))
        languages = self._languages(document_ids)
        watch = Stopwatch()
        writer = self._writer() if languages else self.writer
        telling = _Telling(listener, self.catalog)
        for attempt in range(1, _ATTEMPTS + 1):
            telling.tell(Begun("search", attempt))
            retrieval = self._retrieve(asked, languages, document_ids)
            telling.found(retrieval)
            if cancel is not None and cancel.is_set():
                raise Cancelled("The question was cancelled.", fix="Ask again.")
            with watch("generate"):
                telling.tell(Begun("write", attempt, writer.name))
                kept = [ledger.kept for ledger in retrieval.ledgers]
                draft = writer.write(asked, kept, cancel=cancel, on_claim=telling.claim)
            try:
                with watch("cite"):
                    telling.tell(Begun("cite", attempt))
                    text, citations = number_citations(draft, retrieval.evidence, self.catalog.page)
                break
            except UnknownDocument:  # replaced or removed since it was found: find again
                if attempt == _ATTEMPTS:
                    raise
        cited = _Cited(text, citations, borne_out(draft.claims, retrieval.evidence))
        if self.auditor is not None and citations:
            with watch("audit"):
                telling.tell(Begun("audit", attempt))
                cited = self._audited(draft, cited, retrieval, cancel, telling)
        with watch("flag"):
            by_id = {one.chunk.chunk_id: one for one in cited.citations}
            flags = flags_of(cited.claims, by_id, asked.language)
        timings_ms = retrieval.timings_ms | watch.timings_ms
        timings_ms["total"] = (time.perf_counter() - begun) * 1000
        answer = Answer(
            text=cited.text if citations else _refusal(languages, document_ids),
            citations=cited.citations,
            refused=not citations,
            unsupported_parts=draft.unsupported_parts if citations else (),
            writer=draft.writer or writer.name,
            timings_ms=timings_ms,
            ledgers=retrieval.ledgers,
            notes=draft.notes,
            flags=flags,
            audit_mode="off" if self.auditor is None else self.auditor.mode,
            audits=cited.audits,
        )
        _log.info(
            "answered documents=%d evidence=%d citations=%d refused=%s %s",
            sum(languages.values()),
            len(retrieval.evidence),
            len(citations),
            answer.refused,
            " ".join(f"{step}_ms={value:.1f}" for step, value in timings_ms.items()),
        )
        return answer

    def _audited(
        self,
        draft: Draft,
        cited: _Cited,
        retrieval: Retrieval,
        cancel: Cancel | None,
        telling: _Telling,
    ) -> _Cited:
        """The answer after its claims were checked, with other citations where one was repaired."""
        assert self.auditor is not None  # noqa: S101 - the caller has looked
        by_id = {citation.chunk.chunk_id: citation for citation in cited.citations}
        audits = self.auditor.audit(
            cited.claims,
            cited.citations,
            retrieval.ledgers,
            cancel=cancel,
            on_part=lambda part, done: telling.tell(Audited(part, done)),
        )
        language = retrieval.question.language
        repaired, rows = repaired_claims(cited.claims, audits, retrieval.ledgers, language)
        if not rows:
            return _Cited(cited.text, cited.citations, cited.claims, audits)
        try:
            text, citations = number_citations(
                replace(draft, claims=repaired),
                [*retrieval.evidence, *rows],
                self.catalog.page,
                kept_order(list(by_id), repaired),
            )
        except UnknownDocument:  # it has left the library meanwhile
            return _Cited(cited.text, cited.citations, cited.claims, unrepaired(audits))
        numbers = {citation.chunk.chunk_id: citation.number for citation in citations}
        return _Cited(text, citations, repaired, renumbered(audits, numbers))

    def _writer(self) -> Writer:
        """The writer for a question asked now."""
        model = self.chat.model() if self.chat is not None else None
        return self.writer if model is None else GroundedWriter(model, self.writer, self.limits)

    def retrieve(
        self, question: str, document_ids: Sequence[str] | None = None, top_k: int | None = None
    ) -> Retrieval:
        """The evidence alone; raises as ``answer`` does."""
        asked = understand(checked_question(question))
        options = replace(self.hybrid.options, top_k=top_k or self.hybrid.options.top_k)
        return self._retrieve(asked, self._languages(document_ids), document_ids, options)

    def _retrieve(
        self,
        question: Question,
        languages: Mapping[str, int],
        document_ids: Sequence[str] | None,
        options: HybridOptions | None = None,
    ) -> Retrieval:
        if not languages:
            return Retrieval(question, (), {})
        only = None if document_ids is None else frozenset(document_ids)
        for _attempt in range(_ATTEMPTS):
            hidden = self.catalog.unfinished()
            retrieval = self.hybrid(question, Scope(only, hidden), languages, options)
            # Else a document was replaced meanwhile, and neither version of it was to be seen.
            if not retrieval.outdated and (not hidden or hidden <= self.catalog.unfinished()):
                break
        return retrieval

    def _languages(self, document_ids: Sequence[str] | None) -> dict[str, int]:
        """How many of the documents asked for are in each language; checks their ids."""
        if document_ids is None:
            return self.catalog.languages()
        if len(document_ids) > MOST_DOCUMENT_IDS:
            raise InvalidRequest(
                f"{len(document_ids)} document ids were sent; at most {MOST_DOCUMENT_IDS} can be.",
                fix="Select fewer documents, or send none to search all of them.",
            )
        return Counter(self.catalog.document(known).language for known in set(document_ids))


@dataclass(frozen=True, slots=True)
class _Cited:
    """The text of an answer, what its markers name, and the claims that it was made of."""

    text: str
    citations: tuple[Citation, ...]
    claims: tuple[Claim, ...]
    audits: tuple[Audit, ...] = ()


class _Telling:
    """Tells a listener, if there is one, how far an answer is."""

    def __init__(self, listener: Callable[[Told], None] | None, catalog: Catalog) -> None:
        self._listener = listener
        self._catalog = catalog
        self._numbering = Numbering((), catalog.page)

    def tell(self, told: Told) -> None:
        if self._listener is not None:
            self._listener(told)

    def found(self, retrieval: Retrieval) -> None:
        self._numbering = Numbering(retrieval.evidence, self._catalog.page)
        self.tell(Found(retrieval))

    def claim(self, claim: Claim) -> None:
        if self._listener is None:
            return
        text = self._numbering.add(claim)
        if text is None:
            return
        with contextlib.suppress(UnknownDocument):  # it is found out when the answer is cited
            self.tell(Stated(text, self._numbering.citations(claim)))


def _refusal(languages: Mapping[str, int], document_ids: Sequence[str] | None) -> str:
    if languages:
        return REFUSAL
    return NO_DOCUMENTS if document_ids is None else NO_SELECTION


def checked_question(question: str) -> str:
    """The question without what no store can hold.

    Raises:
        InvalidQuestion: empty, or longer than 2,000 characters.
    """
    cleaned = "".join(
        " " if char == "\0" or "\ud800" <= char <= "\udfff" else char for char in question
    )
    cleaned = cleaned.strip()
    if not cleaned:
        raise InvalidQuestion("The question is empty.")
    if len(cleaned) > LONGEST_QUESTION_CHARS:
        raise InvalidQuestion(
            f"The question has {len(cleaned):,} characters; the limit is "
            f"{LONGEST_QUESTION_CHARS:,}.",
            fix=f"Shorten the question to at most {LONGEST_QUESTION_CHARS:,} characters.",
        )
    return cleaned
