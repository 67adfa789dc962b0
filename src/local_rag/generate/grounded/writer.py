"""Answers that a chat model phrases and code checks, claim by claim."""

from __future__ import annotations

import logging
import time
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING

from local_rag.errors import ModelFault, PromptTooLong
from local_rag.generate.grounded.check import check
from local_rag.generate.grounded.first_draft import FirstDraft
from local_rag.generate.grounded.parse import parse
from local_rag.generate.grounded.prompt import SCHEMA, messages_for
from local_rag.generate.grounded.written import Written, kept, note, passed, repairs
from local_rag.model.answer import Claim, Draft
from local_rag.model.question import Question

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from local_rag.generate.grounded.check import Checked
    from local_rag.generate.grounded.parse import ModelDraft
    from local_rag.model.chat import ChatLimits, ChatReply
    from local_rag.model.evidence import Evidence
    from local_rag.model.question import Part
    from local_rag.ports import Cancel, ChatModel, Writer

_log = logging.getLogger(__name__)

_ATTEMPTS = 2
_LEAST_SECONDS = 1.0
_CUT = {
    "length": "was longer than allowed",
    "bytes": "was longer than allowed",
    "seconds": "took too long",
    "runaway": "went on without end",
    "other": "was broken off by its server",
}
_NO_DRAFT = "The reply was not one JSON object of the form that was asked for."


@dataclass(slots=True)
class _Call:
    """What the calls for one question share.

    Attributes:
        deadline: on the clock of ``time.monotonic``.
        on_claim: what is told of each claim.
        part: which part of the question is being answered, from 0.
        published: the claims so far, by their texts.
        fault: what made the model unfit for the rest of the question, or ``""``.
    """

    cancel: Cancel | None
    deadline: float
    on_claim: Callable[[Claim], None] | None
    part: int = 0
    published: dict[str, Claim] = field(default_factory=dict)
    fault: str = ""

    def publish(self, claim: Claim) -> None:
        """Makes it part of the answer, unless another part has it."""
        if claim.text in self.published:
            return
        claim = replace(claim, part=self.part)
        self.published[claim.text] = claim
        if self.on_claim is not None:
            self.on_claim(claim)


class GroundedWriter:
    """Has a chat model draft statements with citations, and keeps those that are borne out.

    Each part of the question is one call with the passages found for it. The statements of a draft
    are published as they come in, up to the first that fails. A draft that fails is asked for once
    more, with the reasons. What fails again is replaced by the cited sentence that comes nearest,
    or dropped; where nothing is left, and where the model does not answer, the other writer does,
    and a note says why.

    Args:
        quoting: the writer that needs no model.
        limits: caps of each reply; the time is also that of one part's calls together.
    """

    def __init__(self, chat: ChatModel, quoting: Writer, limits: ChatLimits) -> None:
        self._chat = chat
        self._quoting = quoting
        self._limits = limits

    @property
    def name(self) -> str:
        """See ``ports.Writer``."""
        return f"{self._chat.info.provider} {self._chat.info.model}"

    def write(
        self,
        question: Question,
        evidence: Sequence[Sequence[Evidence]],
        *,
        cancel: Cancel | None = None,
        on_claim: Callable[[Claim], None] | None = None,
    ) -> Draft:
        """See ``ports.Writer``. Faults of the model are no errors here, but notes.

        Raises:
            Cancelled: ``cancel`` was set.
        """
        asked = [(p, rows) for p, rows in zip(question.parts, evidence, strict=False)]
        seconds = self._limits.max_seconds * max(1, len(asked))
        call = _Call(cancel, time.monotonic() + seconds, on_claim)
        parts = []
        for call.part, (part, rows) in enumerate(asked):
            written = self._part(question, part, rows, call)
            parts.append(written)
            for claim in written.claims:
                call.publish(claim)
        return self._draft(parts, tuple(call.published.values()))

    def _draft(self, parts: Sequence[Written], claims: tuple[Claim, ...]) -> Draft:
        notes = dict.fromkeys(note(written) for written in parts if written.why)
        by_model = sum(written.by_model for written in parts)
        _log.info(
            "wrote claims=%d by_model=%d replaced=%d dropped=%d quoted_parts=%d",
            len(claims),
            by_model,
            sum(written.replaced for written in parts),
            sum(written.dropped for written in parts),
            sum(written.quoted for written in parts),
        )
        if by_model:
            notes.update(dict.fromkeys(repairs(parts)))
        styles = {written.style for written in parts if written.claims}
        return Draft(
            claims,
            styles.pop() if len(styles) == 1 else "bullets" if styles else "paragraph",
            tuple(one for written in parts for one in written.unsupported) if claims else (),
            writer=self.name if by_model else self._quoting.name,
            notes=tuple(notes),
        )

    def _part(
        self, question: Question, part: Part, rows: Sequence[Evidence], call: _Call
    ) -> Written:
        if not rows:
            return Written(unsupported=[part.text])
        written = Written()
        if not call.fault:
            written = self._by_model(question, part, rows, call)
        if not written.claims:
            self._quote(question, part, rows, written, call)
        return written

    def _by_model(
        self, question: Question, part: Part, rows: Sequence[Evidence], call: _Call
    ) -> Written:
        """The model's statements that are borne out, or no claims and a note."""
        first = FirstDraft(part, question.language, call.publish)
        best: tuple[ModelDraft, list[Checked]] | None = None
        faults: tuple[str, ...] = ()
        why = ""
        for attempt in range(_ATTEMPTS):
            listener = first.hear if attempt == 0 else None
            try:
                reply, shown = self._ask(question, part, rows, faults, call, listener)
            except ModelFault as error:
                call.fault = error.message
                break
            draft = parse(reply.text) if reply.complete else None
            if draft is None:
                why = _CUT.get(reply.done_reason, "had not the form that was asked for")
                faults = (_NO_DRAFT,)
                continue
            known = first.checked if attempt == 0 else {}
            checked = [
                known.get(said) or check(said, shown, part, question.language)
                for said in draft.said
            ]
            if best is None or passed(checked) >= passed(best[1]):
                best = draft, checked
            faults = tuple(fault for one in checked for fault in one.faults)
            if not faults:
                break
        if best is not None:
            return kept(*best, part, first.claims)
        why = call.fault or f"The reply of {self.name} {why}."
        return Written(first.claims, by_model=len(first.claims), why=why)

    def _ask(
        self,
        question: Question,
        part: Part,
        rows: Sequence[Evidence],
        faults: Sequence[str],
        call: _Call,
        listener: Callable[[Sequence[Evidence], str], None] | None,
    ) -> tuple[ChatReply, Sequence[Evidence]]:
        """The model's reply, and the passages that it was shown: as many as its window takes."""
        while True:
            left = max(_LEAST_SECONDS, call.deadline - time.monotonic())
            limits = replace(self._limits, max_seconds=min(self._limits.max_seconds, left))
            messages = messages_for(part, question.language, rows, faults)
            on_text = partial(listener, rows) if listener is not None else None
            try:
                reply = self._chat.complete(
                    messages, SCHEMA, limits, cancel=call.cancel, on_text=on_text
                )
            except PromptTooLong:
                if len(rows) == 1:
                    raise
                rows = rows[:-1]
            else:
                return reply, rows

    def _quote(
        self,
        question: Question,
        part: Part,
        rows: Sequence[Evidence],
        written: Written,
        call: _Call,
    ) -> None:
        """Has the other writer answer the part."""
        alone = Question(question.text, question.language, (part,))
        quoted = self._quoting.write(alone, [rows], cancel=call.cancel)
        written.claims = list(quoted.claims)
        written.style = quoted.style
        written.unsupported = list(quoted.unsupported_parts) if quoted.claims else [part.text]
        written.quoted = bool(quoted.claims)
        if not written.why and (call.fault or quoted.claims or written.dropped):
            written.why = call.fault or (
                f"No statement of {self.name} was borne out by the documents."
                if written.dropped
                else f"{self.name} found no answer."
            )
