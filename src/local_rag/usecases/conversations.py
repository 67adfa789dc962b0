"""Questions asked in a conversation: understood by what came before, answered, and kept."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from local_rag.model.conversation import Turn
from local_rag.model.told import Begun
from local_rag.usecases.answer import checked_question
from local_rag.usecases.kept import now, title_of
from local_rag.usecases.standalone import standalone

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from local_rag.model.question import Question
    from local_rag.model.told import Told
    from local_rag.ports import Cancel, ConversationStore
    from local_rag.usecases.answer import Desk

_TURNS_LOOKED_BACK = 12


@dataclass(frozen=True, slots=True)
class Conversations:
    """Where questions are asked in conversations."""

    desk: Desk
    store: ConversationStore

    def ask(
        self,
        conversation_id: str,
        question: str,
        document_ids: Sequence[str] | None = None,
        *,
        still_reading: int = 0,
        cancel: Cancel | None = None,
        listener: Callable[[Told], None] | None = None,
    ) -> Turn:
        """Answers a question with the conversation in mind; kept once the answer is complete.

        Args:
            still_reading: files on their way into the library, kept with the answer.
            cancel, listener: as of ``Desk.answer``.

        Raises:
            UnknownConversation: there is none of this id, or it was deleted meanwhile.
            LocalRagError: as of ``Desk.answer``; then nothing is kept.
        """
        asked_at = now()
        said = checked_question(question)
        before = self.store.turns(conversation_id, last=_TURNS_LOOKED_BACK)
        chat = self.desk.chat.model() if before and self.desk.chat is not None else None
        if chat is not None and listener is not None:
            listener(Begun("understand", 1))
        asked = standalone(said, _history(before), chat, cancel=cancel)
        answer = self.desk.answer(said, document_ids, asked=asked, cancel=cancel, listener=listener)
        turn = Turn(
            number=0,
            asked_at=asked_at,
            question=said,
            understood_as=_understood(said, asked),
            document_ids=None if document_ids is None else tuple(document_ids),
            answer=answer,
            still_reading=still_reading,
        )
        return self.store.append(conversation_id, turn, title=title_of(said))


def _history(turns: Sequence[Turn]) -> list[tuple[str, str]]:
    """Questions and answers, oldest first, the last question such that one can point back to it.

    That is the question itself, or, where it needed those before it ("and in 2021?"), the one
    that this run of questions began with, and then itself.
    """
    history = [(turn.question, turn.answer.text) for turn in turns]
    if not turns:
        return history
    last = turns[-1]
    first = next((turn for turn in reversed(turns) if not _points_back(turn)), turns[0])
    first_question = first.understood_as or first.question
    said = first_question if first is last else f"{first_question} {last.question}"
    return [*history[:-1], (said, last.answer.text)]


def _points_back(turn: Turn) -> bool:
    """Whether its question was searched for together with what came before it."""
    return turn.understood_as != turn.question and turn.understood_as.endswith(turn.question)


def _understood(said: str, asked: Question) -> str:
    if asked.text != said:
        return asked.text
    context = asked.parts[0].context  # a first part has one only from the turn before
    return f"{context} {said}" if context else ""
