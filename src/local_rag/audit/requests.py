"""Requests to the decision model, within a time, each fault told as an unavailable check."""

from __future__ import annotations

import hashlib
import logging
import time
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from local_rag.audit.question import action_for, assessment_of, questions_of, state_of
from local_rag.errors import (
    Cancelled,
    ModelFault,
    ModelMissing,
    ModelServerUnreachable,
    ModelTimeout,
)
from local_rag.model.audit import AuditCheck, Excerpt
from local_rag.model.decision import ChoiceAnswer

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from local_rag.ports import Cancel, DecisionModel

_log = logging.getLogger(__name__)

OUT_OF_TIME = "The time for checks was over."
NOT_ASKED = "It was not asked again, for the server could not be used before."
_SHORTEST_S = 0.01


@dataclass(frozen=True, slots=True)
class Passage:
    """A passage that claims are held against.

    Attributes:
        citation: its number in the answer, or ``None``.
        text: what is sent of it: text of the document, no name of a file.
    """

    citation: int | None
    chunk_id: str
    text: str

    @property
    def excerpt(self) -> Excerpt:
        """What the record says of it."""
        digest = hashlib.sha256(self.text.encode("utf-8", "replace")).hexdigest()
        return Excerpt(self.citation, self.chunk_id, digest)


class Requests:
    """The requests for one answer, counted.

    Args:
        threshold: of the policy.
        clock: seconds that never go back.
    """

    def __init__(
        self,
        model: DecisionModel,
        threshold: float,
        cancel: Cancel | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._model = model
        self._threshold = threshold
        self._cancel = cancel
        self._clock = clock
        self._sent = 0
        self._useless = ""

    @property
    def sent(self) -> int:
        """How many there were."""
        return self._sent

    def check(
        self, claims: Sequence[str], passages: Sequence[Passage], deadline: float
    ) -> tuple[AuditCheck, ...]:
        """Holds each of the claims against all of the passages, in one request.

        Nothing is sent without a claim, without a passage, after ``deadline``, or once the server
        could not be used at all.

        Args:
            deadline: on the clock.

        Raises:
            Cancelled: the question was.
        """
        blank = AuditCheck(
            tuple(passage.excerpt for passage in passages),
            "unavailable",
            None,
            None,
            self._model.info.model,
        )
        left = deadline - self._clock()
        if not claims:
            return ()
        error = self._useless or ("" if left > _SHORTEST_S else OUT_OF_TIME)
        if not passages:
            error = "No passage is cited."
        if error:
            return (replace(blank, error=error),) * len(claims)
        self._sent += 1
        blank = replace(blank, request=self._sent)
        begun = self._clock()
        request_id = None
        try:
            return self._ask(claims, passages, left, blank)
        except Cancelled:
            raise
        except ModelFault as fault:
            _log.info("audit request failed code=%s", fault.code)
            error = OUT_OF_TIME if isinstance(fault, ModelTimeout) else fault.message
            request_id = getattr(fault, "request_id", None)
            if isinstance(fault, ModelServerUnreachable | ModelMissing):
                self._useless = f"{fault.message} {NOT_ASKED}"
        except Exception as bug:  # noqa: BLE001 - no check may cost anybody the answer
            _log.error("unexpected %s in an audit", type(bug).__name__)
            error = "The check failed."
        elapsed_s = self._clock() - begun
        failed = replace(blank, error=error, elapsed_s=elapsed_s, request_id=request_id)
        return (failed,) * len(claims)

    def _ask(
        self, claims: Sequence[str], passages: Sequence[Passage], seconds: float, blank: AuditCheck
    ) -> tuple[AuditCheck, ...]:
        excerpts = {_id(place, one): one.text for place, one in enumerate(passages)}
        questions = questions_of(len(claims))
        decision = self._model.decide(
            state_of(claims, excerpts), questions, seconds=seconds, cancel=self._cancel
        )
        done = replace(
            blank,
            status="completed",
            returned_model=decision.model,
            request_id=decision.request_id,
            elapsed_s=decision.elapsed_s,
            input_tokens=decision.input_tokens,
            output_tokens=decision.output_tokens,
        )
        checks = []
        for name in questions:
            answer = decision.answers[name]
            assert isinstance(answer, ChoiceAnswer)  # noqa: S101 - as it was asked
            found = assessment_of(answer)
            action = action_for(found, self._threshold)
            checks.append(replace(done, assessment=found, action=action))
        return tuple(checks)


def _id(place: int, passage: Passage) -> str:
    """What the model knows a passage by; one that the answer does not cite gets a letter."""
    return f"alternative_{place + 1}" if passage.citation is None else str(passage.citation)
