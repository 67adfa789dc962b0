"""Asks a chat model for a verdict: one call, no second try, and a reply that is checked."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, TypeVar

from pydantic import BaseModel, ValidationError

from local_rag.errors import ModelServerFault
from local_rag.evaluation.ragas.task import Task, WrongReply, check_reply, messages_of, tightened

if TYPE_CHECKING:
    from local_rag.model.chat import ChatInfo, ChatLimits
    from local_rag.ports import ChatModel

Form = TypeVar("Form", bound=BaseModel)

MOST_TOKENS = 4096


class _Verdict(BaseModel):
    statement: str
    reason: str
    verdict: int


class _Verdicts(BaseModel):
    statements: list[_Verdict]


_SELF_TEST = Task(
    instruction="Judge each statement by the context alone: verdict 1 if it follows from the "
    "context, 0 if it does not. Repeat the statement and give a short reason.",
    examples=(),
    data={
        "context": "The lighthouse was built in 1873. It is 31 metres high.",
        "statements": ["The lighthouse was built in 1873.", "The lighthouse is made of wood."],
    },
)
_RIGHT = [1, 0]


class Judge:
    """Judges over a chat model.

    A reply that is wrong is not asked for again: with temperature 0 it would come again.

    Args:
        limits: of one reply.
    """

    def __init__(self, model: ChatModel, limits: ChatLimits) -> None:
        self._model = model
        self._limits = limits
        self._cancel = threading.Event()

    @property
    def info(self) -> ChatInfo:
        """What identifies the model."""
        return self._model.info

    def ask(self, task: Task, form: type[Form]) -> Form:
        """The reply to a task.

        Raises:
            WrongReply: the reply was cut, has another form, or does not judge all.
            LocalRagError: as ``ports.ChatModel.complete``.
        """
        schema = tightened(form.model_json_schema(), task)
        reply = self._model.complete(
            messages_of(task, schema), schema, self._limits, cancel=self._cancel
        )
        if not reply.complete:
            raise WrongReply(f"the judge's reply was cut ({reply.done_reason})")
        try:
            said = form.model_validate_json(reply.text.strip())
        except ValidationError as exc:
            kind = exc.errors(include_url=False, include_context=False, include_input=False)[0]
            what = "no JSON object" if kind["type"] == "json_invalid" else "of another form"
            raise WrongReply(f"the judge's reply is {what}") from exc
        check_reply(said.model_dump(), task)
        return said

    def stop(self) -> None:
        """Ends the call that runs, and all later ones, with ``Cancelled``."""
        self._cancel.set()

    def self_test(self) -> bool:
        """Loads the model and has it judge two plain statements; whether both were judged right.

        Raises:
            ModelServerFault: it cannot be asked, or does not keep to the form.
        """
        self._model.warm_up(self._cancel)
        try:
            said = self.ask(_SELF_TEST, _Verdicts)
        except WrongReply as exc:
            raise ModelServerFault(
                f"The model {self.info.model} is no judge: in the self-test {exc}.",
                fix="Set RAG_EVAL_MODEL to a model that keeps to a JSON schema.",
            ) from exc
        return [one.verdict for one in said.statements] == _RIGHT
