"""Answers that a chat model phrases and code checks, claim by claim."""

from __future__ import annotations

import logging
import time
from collections import Counter
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from local_rag.errors import ModelFault, PromptTooLong
from local_rag.generate.grounded.check import Checked, check
from local_rag.generate.grounded.parse import ModelDraft, parse
from local_rag.generate.grounded.prompt import SCHEMA, messages_for
from local_rag.model.answer import Claim, Draft
from local_rag.model.question import Question

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from local_rag.generate.grounded.parse import Style
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
QUOTED_INSTEAD = "Sentences of the documents are quoted instead."


@dataclass(slots=True)
class _Written:
    """What one part of the question got.

    Attributes:
        by_model: how many of the claims are the model's.
        dropped, replaced: how many of its statements were not borne out, by what became of them.
        why: what kept the model from answering, one sentence.
        quoted: whether the writer without a model had to answer, and did.
    """

    claims: list[Claim] = field(default_factory=list)
    style: Style = "paragraph"
    unsupported: list[str] = field(default_factory=list)
    by_model: int = 0
    dropped: int = 0
    replaced: int = 0
    why: str = ""
    quoted: bool = False


@dataclass(slots=True)
class _Call:
    """What the calls for one question share.

    Attributes:
        deadline: on the clock of ``time.monotonic``.
        fault: what made the model unfit for the rest of the question, or ``""``.
    """

    cancel: Cancel | None
    deadline: float
    fault: str = ""


class GroundedWriter:
    """Has a chat model draft statements with citations, and keeps those that are borne out.

    Each part of the question is one call with the passages found for it. A draft that fails is
    asked for once more, with the reasons. What fails again is replaced by the cited sentence that
    comes nearest, or dropped; where nothing is left, and where the model does not answer, the
    other writer does, and a note says why.

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
        call = _Call(cancel, time.monotonic() + seconds)
        parts = []
        published: dict[str, Claim] = {}
        for part, rows in asked:
            written = self._part(question, part, rows, call)
            parts.append(written)
            for claim in written.claims:
                if claim.text not in published:
                    published[claim.text] = claim
                    if on_claim is not None:
                        on_claim(claim)
        return self._draft(parts, tuple(published.values()))

    def _draft(self, parts: Sequence[_Written], claims: tuple[Claim, ...]) -> Draft:
        notes = dict.fromkeys(_note(written) for written in parts if written.why)
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
            notes.update(dict.fromkeys(_repairs(parts)))
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
    ) -> _Written:
        if not rows:
            return _Written(unsupported=[part.text])
        written = _Written()
        if not call.fault:
            written = self._by_model(question, part, rows, call)
        if not written.claims:
            self._quote(question, part, rows, written, call)
        return written

    def _by_model(
        self, question: Question, part: Part, rows: Sequence[Evidence], call: _Call
    ) -> _Written:
        """The model's statements that are borne out, or no claims and a note."""
        best: tuple[ModelDraft, list[Checked]] | None = None
        faults: tuple[str, ...] = ()
        why = ""
        for _ in range(_ATTEMPTS):
            try:
                reply, shown = self._ask(question, part, rows, faults, call)
            except ModelFault as error:
                call.fault = error.message
                break
            draft = parse(reply.text) if reply.complete else None
            if draft is None:
                why = _CUT.get(reply.done_reason, "had not the form that was asked for")
                faults = (_NO_DRAFT,)
                continue
            checked = [check(said, shown, part, question.language) for said in draft.said]
            if best is None or _passed(checked) >= _passed(best[1]):
                best = draft, checked
            faults = tuple(fault for one in checked for fault in one.faults)
            if not faults:
                break
        if best is not None:
            return _kept(*best, part)
        return _Written(why=call.fault or f"The reply of {self.name} {why}.")

    def _ask(
        self,
        question: Question,
        part: Part,
        rows: Sequence[Evidence],
        faults: Sequence[str],
        call: _Call,
    ) -> tuple[ChatReply, Sequence[Evidence]]:
        """The model's reply, and the passages that it was shown: as many as its window takes."""
        while True:
            left = max(_LEAST_SECONDS, call.deadline - time.monotonic())
            limits = replace(self._limits, max_seconds=min(self._limits.max_seconds, left))
            messages = messages_for(part, question.language, rows, faults)
            try:
                return self._chat.complete(messages, SCHEMA, limits, cancel=call.cancel), rows
            except PromptTooLong:
                if len(rows) == 1:
                    raise
                rows = rows[:-1]

    def _quote(
        self,
        question: Question,
        part: Part,
        rows: Sequence[Evidence],
        written: _Written,
        call: _Call,
    ) -> None:
        """Has the other writer answer the part."""
        alone = Question(question.text, question.language, (part,))
        quoted = self._quoting.write(alone, [rows], cancel=call.cancel)
        written.claims = list(quoted.claims)
        written.style = quoted.style
        written.unsupported = list(quoted.unsupported_parts) if quoted.claims else [part.text]
        written.quoted = bool(quoted.claims)
        if not written.why and (call.fault or quoted.claims):
            written.why = call.fault or (
                f"No statement of {self.name} was borne out by the documents."
                if written.dropped
                else f"{self.name} found no answer."
            )


def _note(written: _Written) -> str:
    return f"{written.why} {QUOTED_INSTEAD}" if written.quoted else written.why


def _passed(checked: Sequence[Checked]) -> int:
    return sum(one.claim is not None for one in checked)


def _kept(draft: ModelDraft, checked: Sequence[Checked], part: Part) -> _Written:
    """What of a draft may be published: what passed, and sentences in place of the rest."""
    written = _Written(style=draft.style)
    claims: dict[str, Claim] = {}
    passed = {one.claim.text: one.claim for one in checked if one.claim is not None}
    held = {support for claim in passed.values() for support in claim.supports}
    for one in checked:
        if one.claim is not None:
            claims.setdefault(one.claim.text, one.claim)
        elif passed and one.instead is not None and not held.intersection(one.instead.supports):
            claims.setdefault(one.instead.text, one.instead)
            written.replaced += 1
        else:
            written.dropped += 1
    written.claims = list(claims.values())
    written.by_model = len(passed)
    if passed:
        written.unsupported = [text for text in draft.unsupported if _is_asked(text, part)]
    return written


def _is_asked(text: str, part: Part) -> bool:
    """Whether it is a piece of the question and not a text of the model's own."""
    said, asked = text.strip(" .?!").casefold(), part.text.casefold()
    return bool(said) and said in asked and len(said) < len(asked.strip(" .?!"))


def _repairs(parts: Sequence[_Written]) -> list[str]:
    done = Counter[str]()
    for written in parts:
        done["replaced"] += written.replaced
        done["dropped"] += 0 if written.quoted else written.dropped
    notes = []
    if done["replaced"]:
        said = _statements(done["replaced"])
        notes.append(f"{said} not borne out by the documents: a sentence of theirs stands instead.")
    if done["dropped"]:
        said = _statements(done["dropped"])
        notes.append(f"{said} not borne out by the documents, and left out.")
    return notes


def _statements(count: int) -> str:
    if count == 1:
        return "1 statement of the model was"
    return f"{count} statements of the model were"
