"""The laws of ``ports.ConversationStore``, on the fake, SQLite and a real PostgreSQL."""

from __future__ import annotations

import sqlite3
import threading
from dataclasses import replace

import pytest
import sqlalchemy as sa
from fakes import FakeConversationStore

from local_rag.adapters.database import open_database
from local_rag.adapters.postgres import postgres_url as as_url
from local_rag.adapters.sql_conversations import SqlConversationStore
from local_rag.errors import UnknownConversation, UnknownTurn
from local_rag.model.answer import Answer, Citation, Rectangle, Span
from local_rag.model.conversation import Conversation, Turn
from local_rag.model.document import Chunk, Document
from local_rag.model.evidence import Evidence, Fused, Ledger, LedgerRow, Weights
from local_rag.model.question import Part

UNKNOWN = ["f" * 32, "", "x' OR 1=1 --", "a\0b", "\ud800", "é" * 64]


@pytest.fixture(params=["fake", "sqlite", "postgres"])
def store(request, tmp_path):
    if request.param == "fake":
        yield FakeConversationStore()
        return
    postgres = request.param == "postgres"
    url = as_url(request.getfixturevalue("postgres_url")) if postgres else None
    engine = open_database(url or f"sqlite:///{tmp_path}/c.db")
    yield SqlConversationStore(engine)
    engine.dispose()


def at(second: int) -> str:
    return f"2026-01-01T00:00:{second:02d}.000000+00:00"


def begun(store, n: int = 1, title: str = "", second: int | None = None) -> Conversation:
    when = at(n if second is None else second)
    made = Conversation(f"{n:032x}", title, when, when)
    store.create(made)
    return made


def an_answer(n: int = 1) -> Answer:
    chunk = Chunk("c" * 32, "d" * 32, 0, 6, 2, 9, "A\nword.", "1", ("Top", "Below"), "| a |")
    document = Document("d" * 32, "a.pdf", "application/pdf", "0" * 64, 9, 9, 1, "T", at(1))
    fused = Fused(chunk.chunk_id, 0.03, 1, None, 0.5, None)
    citation = Citation(
        1,
        chunk,
        document,
        fused,
        "word",
        (Span(2, 6),),
        (Rectangle(1, 2, 3.25, 4),),
        "iv",
        595,
        842,
    )
    row = LedgerRow(Evidence(chunk, document, fused, -1.5), True, "first")
    ledger = Ledger(Part("What?", "Before?", True, ("a",)), (row,), Weights(1.0, 0.5, "why"))
    return Answer(
        f"Word {n}. [1]", (citation,), False, ("the rest",), "w", "hybrid", {"total": 1.5},
        (ledger,), ("Note.",),
    )  # fmt: skip


def a_turn(n: int = 1, **changes) -> Turn:
    return replace(Turn(n, at(n), f"What is {n}?", "", None, an_answer(n)), **changes)


def add(store, conversation, *turns):
    return [store.append(conversation.conversation_id, turn, title="T") for turn in turns]


def test_turns_come_back_in_order_and_equal_to_what_was_added(store):
    one, other = begun(store, 1), begun(store, 2)
    turns = [
        a_turn(1),
        a_turn(2, understood_as="What is 1? 2?", document_ids=("d" * 32,), still_reading=3),
        a_turn(3, document_ids=()),
    ]
    assert add(store, one, *turns) == turns
    add(store, other, a_turn(1))
    assert store.turns(one.conversation_id) == turns
    assert store.turns(one.conversation_id, last=2) == turns[1:]
    assert store.turns(one.conversation_id, last=9) == turns
    assert store.turn(one.conversation_id, 2) == turns[1]
    assert store.conversation(one.conversation_id).turn_count == 3


def test_a_turn_gets_the_next_number_whatever_it_came_with(store):
    one = begun(store)
    added = add(store, one, a_turn(7), a_turn(7), a_turn(0))
    assert [turn.number for turn in added] == [1, 2, 3]
    assert store.turns(one.conversation_id) == added


def test_turns_added_at_once_have_numbers_of_their_own(store):
    one, barrier = begun(store), threading.Barrier(6)

    def ask() -> None:
        barrier.wait()
        add(store, one, *[a_turn() for _ in range(5)])

    threads = [threading.Thread(target=ask) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [t.number for t in store.turns(one.conversation_id)] == list(range(1, 31))
    assert store.conversation(one.conversation_id).turn_count == 30


def test_the_first_turn_gives_the_title_where_there_is_none(store):
    one, other = begun(store, 1), begun(store, 2, "Mine")
    for conversation in (one, other):
        store.append(conversation.conversation_id, a_turn(), title="First")
        store.append(conversation.conversation_id, a_turn(), title="Second")
    assert store.conversation(one.conversation_id).title == "First"
    assert store.conversation(other.conversation_id).title == "Mine"


def test_those_asked_in_last_come_first_ties_by_falling_id_page_by_page(store):
    for n, second in ((1, 5), (2, 9), (3, 5), (4, 1)):
        begun(store, n, second=second)
    add(store, store.conversation(f"{4:032x}"), a_turn(30))
    whole = store.conversations(10)
    assert [int(c.conversation_id, 16) for c in whole] == [4, 2, 3, 1]
    assert whole[0] == Conversation(f"{4:032x}", "T", at(1), at(30), 1)
    paged, before = [], None
    while page := store.conversations(1, before):
        paged += page
        before = page[-1].updated_at, page[-1].conversation_id
    assert paged == whole


def test_an_answer_that_was_begun_earlier_turns_no_time_back(store):
    one = begun(store, 1, second=9)
    add(store, one, a_turn(3))
    assert store.conversation(one.conversation_id).updated_at == at(9)


def test_a_new_title_changes_nothing_else(store):
    one = begun(store, 1, "Old")
    assert store.rename(one.conversation_id, "שלום </script>") == replace(
        one, title="שלום </script>"
    )
    assert store.conversations(2) == [replace(one, title="שלום </script>")]


def test_a_deleted_conversation_is_gone_with_its_turns(store):
    one, other = begun(store, 1), begun(store, 2)
    add(store, one, a_turn())
    add(store, other, a_turn())
    store.delete(one.conversation_id)
    assert [c.conversation_id for c in store.conversations(9)] == [other.conversation_id]
    begun(store, 1)
    assert store.turns(one.conversation_id) == []
    assert len(store.turns(other.conversation_id)) == 1
    assert store.delete_all() == 2
    assert store.conversations(9) == []
    assert store.delete_all() == 0


@pytest.mark.parametrize("unknown", UNKNOWN)
def test_what_is_not_there_is_said(store, unknown):
    begun(store)
    for call in (
        store.conversation,
        store.turns,
        store.delete,
        lambda i: store.turn(i, 1),
        lambda i: store.rename(i, "T"),
        lambda i: store.append(i, a_turn(), title="T"),
    ):
        with pytest.raises(UnknownConversation):
            call(unknown)


@pytest.mark.parametrize("number", [-1, 0, 2, 2**70])
def test_a_turn_that_is_not_there_is_said(store, number):
    one = begun(store)
    add(store, one, a_turn())
    with pytest.raises(UnknownTurn):
        store.turn(one.conversation_id, number)


def test_the_list_reads_no_answer(tmp_path):
    engine = open_database(f"sqlite:///{tmp_path}/c.db")
    store = SqlConversationStore(engine)
    add(store, begun(store), a_turn())
    with engine.begin() as connection:
        connection.execute(sa.text("UPDATE conversation_turns SET answer = 'damaged'"))
    assert store.conversations(9)[0].turn_count == 1
    engine.dispose()


def test_a_catalogue_of_before_conversations_gets_their_tables(tmp_path):
    path = tmp_path / "c.db"
    open_database(f"sqlite:///{path}").dispose()
    with sqlite3.connect(path) as old:
        old.execute("DROP TABLE conversation_turns")
        old.execute("DROP TABLE conversations")
        old.execute("DROP TABLE document_tags")
        old.execute("DROP TABLE cases")
        old.execute("UPDATE alembic_version SET version_num = '0005'")
        old.execute("INSERT INTO index_settings VALUES ('library', 'mine')")
    old.close()
    engine = open_database(f"sqlite:///{path}")
    store = SqlConversationStore(engine)
    add(store, begun(store), a_turn())
    with engine.connect() as connection:
        assert connection.scalar(sa.text("SELECT value FROM index_settings")) == "mine"
    engine.dispose()
