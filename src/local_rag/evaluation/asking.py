"""Putting a question to the program in this process, within a time, and seeing what comes of it."""

from __future__ import annotations

import threading
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Protocol

from local_rag import composition, providers
from local_rag.errors import LocalRagError
from local_rag.evaluation.observed import observed_answer
from local_rag.usecases.chat_choice import ChatChoice

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from local_rag.composition import Services
    from local_rag.evaluation.observed import Observed
    from local_rag.model.answer import Answer
    from local_rag.model.chat import ChatInfo, ChatLimits, ChatMessage, ChatReply, ChatState
    from local_rag.ports import Cancel, ChatModel
    from local_rag.settings import Settings
    from local_rag.usecases.answer import Desk

_TO_STOP_S = 5.0


@dataclass(frozen=True, slots=True)
class Known:
    """A document that can be asked."""

    document_id: str
    name: str
    source_sha256: str


class NoAnswer(Exception):
    """Why there is no answer, in words for a report."""


class Asker(Protocol):
    """What is asked."""

    @property
    def documents(self) -> Sequence[Known]:
        """What it has."""
        ...

    def ask(self, question: str, document_ids: Sequence[str] | None, timeout_s: float) -> Observed:
        """What comes of a question.

        Args:
            document_ids: the documents to ask; ``None``: all.

        Raises:
            NoAnswer: nothing does, whatever the cause.
        """
        ...


def known_documents(services: Services) -> list[Known]:
    """The documents of a program."""
    return [Known(d.document_id, d.name, d.source_sha256) for d in services.catalog.documents()]


class DeskAsker:
    """The program in this process under the settings of a variant.

    Args:
        services: the program on the documents, its index made as the settings say.
        strategy: ``hybrid``, ``dense`` or ``lexical``.
    """

    def __init__(self, services: Services, settings: Settings, strategy: str = "hybrid") -> None:
        self._counted: _Counted | None = None
        self._named = settings.chat_provider != "auto"
        chat = providers.configured_chat(settings)
        if chat is not None:
            self._counted = _Counted(chat)
        self._chat = ChatChoice(self._counted, optional=settings.chat_provider == "auto")
        desk = composition.desk_under(services, settings)
        self._desk: Desk = replace(desk, chat=self._chat, hybrid=_by(desk.hybrid, strategy))
        self.documents = known_documents(services)

    def ask(self, question: str, document_ids: Sequence[str] | None, timeout_s: float) -> Observed:
        """See ``Asker.ask``."""
        counted = self._counted
        if counted is not None:
            counted.begin()
        cancel = threading.Event()
        answer = within(
            timeout_s, lambda: self._desk.answer(question, document_ids, cancel=cancel), cancel
        )
        if counted is not None and counted.fault and self._named:
            raise NoAnswer(f"The model that was to answer did not: {counted.fault}")
        return observed_answer(answer, counted.tokens if counted is not None else None)

    def close(self) -> None:
        """Releases the chat model."""
        self._chat.close()


def within(timeout_s: float, work: Callable[[], Answer], cancel: threading.Event) -> Answer:
    """What the work returns.

    It runs on a thread of its own, told to stop when the time is over; one that goes on for more
    than a few seconds is left to itself.

    Raises:
        NoAnswer: it failed, or took longer.
    """
    done: dict[str, Any] = {}

    def run() -> None:
        try:
            done["answer"] = work()
        except LocalRagError as error:
            done["why"] = f"{error.message} [{error.code}]"
        except Exception as error:  # noqa: BLE001 - one case must not end the run
            done["why"] = f"Unexpected {type(error).__name__}."

    thread = threading.Thread(target=run, name="case", daemon=True)
    thread.start()
    thread.join(timeout_s)
    if thread.is_alive():
        cancel.set()
        thread.join(_TO_STOP_S)
        raise NoAnswer(f"No answer within {timeout_s:g} s.")
    if "why" in done:
        raise NoAnswer(done["why"])
    answer: Answer = done["answer"]
    return answer


def _by(hybrid: Any, strategy: str) -> Any:
    """The retrieval with both rankings as the settings say, or with one of them alone."""
    if strategy == "hybrid":
        return hybrid
    dense = strategy == "dense"
    weights = {"dense_weight": float(dense), "lexical_weight": float(not dense)}
    return replace(hybrid, options=replace(hybrid.options, **weights))


class _Counted:
    """A chat model whose tokens are counted and whose faults are known."""

    def __init__(self, model: ChatModel) -> None:
        self._model = model
        self.tokens: dict[str, int] = {}
        self.fault = ""

    def begin(self) -> None:
        """Counts anew."""
        self.tokens, self.fault = {}, ""

    @property
    def info(self) -> ChatInfo:
        """See ``ports.ChatModel``."""
        return self._model.info

    def complete(
        self,
        messages: Sequence[ChatMessage],
        schema: Mapping[str, Any] | None,
        limits: ChatLimits,
        *,
        cancel: Cancel | None = None,
        on_text: Callable[[str], None] | None = None,
    ) -> ChatReply:
        """See ``ports.ChatModel``."""
        try:
            reply = self._model.complete(messages, schema, limits, cancel=cancel, on_text=on_text)
        except LocalRagError as error:
            self.fault = f"{error.message} [{error.code}]"
            raise
        told = {"prompt": reply.prompt_tokens, "completion": reply.completion_tokens}
        for name, count in told.items():
            if count is not None:
                self.tokens[name] = self.tokens.get(name, 0) + count
        return reply

    def state(self) -> ChatState:
        """See ``ports.ChatModel``."""
        return self._model.state()

    def warm_up(self, cancel: Cancel | None = None) -> None:
        """See ``ports.ChatModel``."""
        self._model.warm_up(cancel)

    def close(self) -> None:
        """See ``ports.ChatModel``."""
        self._model.close()
