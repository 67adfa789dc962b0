"""Routes of the conversations."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Query, Response

from local_rag.api.conversation_schemas import (
    NewConversation,
    Renaming,
    conversation_json,
    reply_json,
    whole_json,
)
from local_rag.api.documents import Program
from local_rag.api.schemas import QueryRequest, answer_json
from local_rag.composition import Services

conversations_router = APIRouter(prefix="/api/conversations")


def reply_to(program: Services, body: QueryRequest, **watching: Any) -> dict[str, Any]:
    """The reply to a question, kept where it is asked in a conversation.

    Args:
        watching: what ``Desk.answer`` takes beside the question, such as ``cancel``.
    """
    still_reading = program.jobs.unfinished()
    if body.conversation_id is None:
        answer = program.desk.answer(body.question, body.document_ids, **watching)
        return answer_json(answer, still_reading=still_reading)
    turn = program.conversations.ask(
        body.conversation_id,
        body.question,
        body.document_ids,
        still_reading=still_reading,
        **watching,
    )
    return reply_json(body.conversation_id, turn)


@conversations_router.post("", status_code=201)
def begin(
    program: Program, response: Response, body: NewConversation | None = None
) -> dict[str, Any]:
    """Begins a conversation; ask in it through ``POST /api/query``."""
    begun = program.kept.begin(body.title if body else "")
    response.headers["Location"] = f"/api/conversations/{begun.conversation_id}"
    return conversation_json(begun)


@conversations_router.get("")
def list_page(
    program: Program,
    limit: Annotated[int, Query(ge=1, le=200)] = 50,
    before: Annotated[str, Query(max_length=100)] = "",
) -> dict[str, Any]:
    """Conversations, those asked in last first; ``next`` is the ``before`` of the next page."""
    shown, further = program.kept.page(limit, before)
    return {
        "conversations": [conversation_json(conversation) for conversation in shown],
        "next": further or None,
    }


@conversations_router.delete("")
def delete_all(program: Program) -> dict[str, int]:
    """Deletes every conversation."""
    return {"deleted": program.kept.store.delete_all()}


@conversations_router.get("/{conversation_id}")
def show(
    program: Program,
    conversation_id: str,
    last: Annotated[int | None, Query(ge=1, le=10_000)] = None,
) -> dict[str, Any]:
    """A conversation with its turns, or only the ``last`` so many of them."""
    store = program.kept.store
    conversation = store.conversation(conversation_id)
    turns = store.turns(conversation_id, last=last)
    return whole_json(conversation, turns, program.kept.gone(turns))


@conversations_router.patch("/{conversation_id}")
def rename(program: Program, conversation_id: str, body: Renaming) -> dict[str, Any]:
    """Gives it another title."""
    return conversation_json(program.kept.rename(conversation_id, body.title))


@conversations_router.delete("/{conversation_id}", status_code=204)
def delete(program: Program, conversation_id: str) -> Response:
    """Deletes it with its questions and answers."""
    program.kept.store.delete(conversation_id)
    return Response(status_code=204)
