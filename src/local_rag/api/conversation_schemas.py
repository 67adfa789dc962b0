"""The shapes of conversations in requests and replies."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from pydantic import BaseModel, ConfigDict, Field

from local_rag.api.schemas import answer_json
from local_rag.usecases.kept import documents_shown

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from local_rag.model.conversation import Conversation, Turn


class NewConversation(BaseModel):
    """Body of ``POST /api/conversations``; without a title the first question becomes it."""

    model_config = ConfigDict(extra="forbid", strict=True)

    title: str = Field(default="", max_length=200)


class Renaming(BaseModel):
    """Body of ``PATCH /api/conversations/{id}``."""

    model_config = ConfigDict(extra="forbid", strict=True)

    title: str = Field(min_length=1, max_length=200)


def conversation_json(conversation: Conversation) -> dict[str, Any]:
    """A conversation without its turns."""
    return asdict(conversation)


def turn_json(turn: Turn, gone: Collection[str]) -> dict[str, Any]:
    """A turn: the answer as it was first sent, with its question.

    Args:
        gone: ids of documents that have left the library; those that the answer shows are named.
    """
    return _reply(turn) | {
        "number": turn.number,
        "document_ids": None if turn.document_ids is None else list(turn.document_ids),
        "gone_documents": sorted(documents_shown(turn) & frozenset(gone)),
    }


def reply_json(conversation_id: str, turn: Turn) -> dict[str, Any]:
    """A turn that was just answered."""
    return _reply(turn) | {"conversation_id": conversation_id, "turn": turn.number}


def whole_json(
    conversation: Conversation, turns: Sequence[Turn], gone: Collection[str]
) -> dict[str, Any]:
    """A conversation with turns of it."""
    shown = [turn_json(turn, gone) for turn in turns]
    return conversation_json(conversation) | {"turns": shown}


def _reply(turn: Turn) -> dict[str, Any]:
    return answer_json(turn.answer, still_reading=turn.still_reading) | {
        "question": turn.question,
        "understood_as": turn.understood_as,
        "asked_at": turn.asked_at,
    }
