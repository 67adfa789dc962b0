"""The conversations in the catalogue's database."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import sqlalchemy as sa

from local_rag.adapters.answer_codec import answer_bytes, answer_from
from local_rag.adapters.safe_text import storable
from local_rag.adapters.tables import conversation_turns as turns
from local_rag.adapters.tables import conversations
from local_rag.errors import UnknownConversation, UnknownTurn
from local_rag.model.conversation import Conversation, Turn

if TYPE_CHECKING:
    from collections.abc import Mapping


class SqlConversationStore:
    """``ports.ConversationStore`` in the database of the catalogue.

    Args:
        engine: of ``open_database``; the catalogue closes it.
    """

    def __init__(self, engine: sa.Engine) -> None:
        self._engine = engine

    def create(self, conversation: Conversation) -> None:
        """See ``ports.ConversationStore.create``."""
        row = {column.name: getattr(conversation, column.name) for column in conversations.c}
        with self._engine.begin() as connection:
            connection.execute(sa.insert(conversations), row)

    def conversations(
        self, limit: int, before: tuple[str, str] | None = None
    ) -> list[Conversation]:
        """See ``ports.ConversationStore.conversations``."""
        at, known = conversations.c.updated_at, conversations.c.conversation_id
        query = sa.select(conversations).order_by(at.desc(), known.desc()).limit(limit)
        if before is not None:
            query = query.where(sa.or_(at < before[0], sa.and_(at == before[0], known < before[1])))
        with self._engine.connect() as connection:
            return [Conversation(**row) for row in connection.execute(query).mappings()]

    def conversation(self, conversation_id: str) -> Conversation:
        """See ``ports.ConversationStore.conversation``."""
        with self._engine.connect() as connection:
            return _conversation(connection, conversation_id)

    def rename(self, conversation_id: str, title: str) -> Conversation:
        """See ``ports.ConversationStore.rename``."""
        with self._engine.begin() as connection:
            connection.execute(
                sa.update(conversations)
                .where(conversations.c.conversation_id == storable(conversation_id))
                .values(title=title)
            )
            return _conversation(connection, conversation_id)

    def delete(self, conversation_id: str) -> None:
        """See ``ports.ConversationStore.delete``."""
        with self._engine.begin() as connection:
            deleted = connection.execute(
                sa.delete(conversations).where(
                    conversations.c.conversation_id == storable(conversation_id)
                )
            )
            if not deleted.rowcount:
                raise _unknown()

    def delete_all(self) -> int:
        """See ``ports.ConversationStore.delete_all``."""
        with self._engine.begin() as connection:
            return int(connection.execute(sa.delete(conversations)).rowcount)

    def append(self, conversation_id: str, turn: Turn, *, title: str) -> Turn:
        """See ``ports.ConversationStore.append``."""
        mine = conversations.c.conversation_id == storable(conversation_id)
        answer = answer_bytes(turn.answer)
        with self._engine.begin() as connection:
            # The first statement writes: whoever appends next waits here until this one is done.
            connection.execute(
                sa.update(conversations)
                .where(mine)
                .values(
                    turn_count=conversations.c.turn_count + 1,
                    title=sa.case(
                        (conversations.c.title == "", title), else_=conversations.c.title
                    ),
                    updated_at=sa.case(
                        (conversations.c.updated_at < turn.asked_at, turn.asked_at),
                        else_=conversations.c.updated_at,
                    ),
                )
            )
            number = connection.scalar(sa.select(conversations.c.turn_count).where(mine))
            if number is None:
                raise _unknown()
            added = replace(turn, number=number)
            row = {
                column.name: getattr(added, column.name)
                for column in turns.c
                if column.name not in ("conversation_id", "document_ids", "answer")
            }
            ids = None if turn.document_ids is None else json.dumps(turn.document_ids)
            row |= {"conversation_id": conversation_id, "document_ids": ids, "answer": answer}
            connection.execute(sa.insert(turns), row)
        return added

    def turns(self, conversation_id: str, *, last: int | None = None) -> list[Turn]:
        """See ``ports.ConversationStore.turns``."""
        query = (
            sa.select(turns)
            .where(turns.c.conversation_id == storable(conversation_id))
            .order_by(turns.c.number.desc())
            .limit(last)
        )
        with self._engine.connect() as connection:
            _conversation(connection, conversation_id)
            rows = connection.execute(query).mappings().all()
        return [_turn(row) for row in reversed(rows)]

    def turn(self, conversation_id: str, number: int) -> Turn:
        """See ``ports.ConversationStore.turn``."""
        query = sa.select(turns).where(
            turns.c.conversation_id == storable(conversation_id), turns.c.number == number
        )
        with self._engine.connect() as connection:
            found = _conversation(connection, conversation_id)
            row = (
                connection.execute(query).mappings().first()
                if 1 <= number <= found.turn_count
                else None
            )
        if row is None:
            raise UnknownTurn(f"The conversation has {found.turn_count} turns, no number {number}.")
        return _turn(row)


def _conversation(connection: sa.Connection, conversation_id: str) -> Conversation:
    query = sa.select(conversations).where(
        conversations.c.conversation_id == storable(conversation_id)
    )
    row = connection.execute(query).mappings().first()
    if row is None:
        raise _unknown()
    return Conversation(**row)


def _unknown() -> UnknownConversation:
    return UnknownConversation("No conversation has this id.")


def _turn(row: Mapping[Any, Any]) -> Turn:
    known = {name: row[name] for name in row if name != "conversation_id"}
    ids = known["document_ids"]
    known["document_ids"] = None if ids is None else tuple(json.loads(ids))
    return Turn(**known | {"answer": answer_from(known["answer"])})
