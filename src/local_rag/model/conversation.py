"""Questions and answers that belong together, as they are kept."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from local_rag.model.answer import Answer

LONGEST_TITLE_CHARS = 200


@dataclass(frozen=True, slots=True)
class Conversation:
    """A conversation without its turns.

    Attributes:
        conversation_id: 32 lower hex digits that cannot be guessed.
        title: one line; empty until the first question, where none was given.
        created_at: UTC, ISO 8601 with microseconds.
        updated_at: when its last question was asked, or it was begun; of the same form.
        turn_count: how many questions were answered.
    """

    conversation_id: str
    title: str
    created_at: str
    updated_at: str
    turn_count: int = 0


@dataclass(frozen=True, slots=True)
class Turn:
    """A question of a conversation and the answer that it got, exactly as it was shown.

    Attributes:
        number: position in the conversation, from 1, without a gap.
        asked_at: UTC, ISO 8601 with microseconds.
        question: as it was asked.
        understood_as: what was searched for, where the question needed the ones before it to be
            understood; else empty.
        document_ids: the documents that were asked; ``None``: all.
        answer: with everything that it cites and that was found for it, as of then.
        still_reading: files that were on their way into the library.
    """

    number: int
    asked_at: str
    question: str
    understood_as: str
    document_ids: tuple[str, ...] | None
    answer: Answer
    still_reading: int = 0
