"""What several processes agree on over PostgreSQL, and what is said where it cannot be had."""

from __future__ import annotations

import threading

import pytest
import sqlalchemy as sa

from local_rag.adapters.database import open_database
from local_rag.adapters.places import Place
from local_rag.adapters.postgres import Presence, WriteLock, postgres_place
from local_rag.adapters.postgres import postgres_url as as_url
from local_rag.errors import InvalidRequest, StoreFault, StoreLocked


@pytest.fixture
def url(postgres_url):
    return as_url(postgres_url)


@pytest.fixture
def engine(url):
    made = open_database(url)
    yield made
    made.dispose()


def test_programs_that_start_at_once_migrate_one_at_a_time(url):
    engines, faults, barrier = [], [], threading.Barrier(6)

    def start() -> None:
        barrier.wait()
        try:
            engines.append(open_database(url))
        except Exception as fault:  # noqa: BLE001 - any is one too many
            faults.append(fault)

    threads = [threading.Thread(target=start) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert faults == []
    with engines[0].connect() as connection:
        assert connection.scalar(sa.text("SELECT count(*) FROM alembic_version")) == 1
    for engine in engines:
        engine.dispose()


def test_the_migrations_make_the_tables_that_the_code_declares(engine):
    from alembic.autogenerate import compare_metadata
    from alembic.migration import MigrationContext

    from local_rag.adapters.tables import metadata

    with engine.connect() as connection:
        assert compare_metadata(MigrationContext.configure(connection), metadata) == []


def test_the_write_lock_is_held_by_one_of_all_processes_and_threads(url, engine):
    other_engine = open_database(url)  # as another process has it
    presences = [Presence(e, alone=False) for e in (engine, other_engine)]
    locks = [WriteLock(e, p) for e, p in zip((engine, other_engine), presences, strict=True)]
    inside, most = 0, 0

    def write(lock) -> None:
        nonlocal inside, most
        for _ in range(20):
            with lock:
                inside += 1
                most = max(most, inside)
                inside -= 1

    threads = [threading.Thread(target=write, args=(locks[n % 2],)) for n in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert most == 1
    with pytest.raises(ZeroDivisionError), locks[0]:
        raise ZeroDivisionError
    with locks[1]:  # released by the error
        pass
    for presence in presences:
        presence.close()
    other_engine.dispose()


def test_who_waits_too_long_for_the_write_lock_is_told(url, engine, monkeypatch):
    monkeypatch.setattr("local_rag.adapters.postgres._LOCK_TIMEOUT_S", 0.1)
    other_engine = open_database(url)
    one, two = Presence(engine, alone=False), Presence(other_engine, alone=False)
    with WriteLock(engine, one), pytest.raises(StoreFault, match="writing"):  # noqa: SIM117
        with WriteLock(other_engine, two):
            pass
    with WriteLock(other_engine, two):
        pass
    for part in (one, two, other_engine):
        part.close() if hasattr(part, "close") else part.dispose()


def test_who_keeps_a_part_to_itself_is_alone(url, engine):
    other_engine = open_database(url)
    sharing = Presence(engine, alone=False)
    with pytest.raises(StoreLocked, match="in its own data folder") as caught:
        Presence(other_engine, alone=True)
    assert "RAG_QDRANT_URL and RAG_SOURCES_URL" in caught.value.fix
    Presence(other_engine, alone=False).close()
    sharing.close()
    sharing.close()
    alone = Presence(other_engine, alone=True)
    for kind in (True, False):
        with pytest.raises(StoreLocked):
            Presence(engine, alone=kind)
    alone.close()
    for _ in range(20):  # at once, whoever comes next
        Presence(engine, alone=True).close()
    other_engine.dispose()


def test_a_process_that_is_gone_without_a_word_is_waited_for(url, engine):
    other_engine = open_database(url)
    gone = Presence(other_engine, alone=True)
    gone._connection.detach()
    closing = threading.Timer(0.5, gone._connection.close)
    closing.start()
    Presence(engine, alone=True).close()
    closing.join()
    other_engine.dispose()


def test_a_presence_whose_session_broke_is_told_again_unless_another_one_came(url, engine):
    other_engine = open_database(url)
    alone = Presence(engine, alone=True)
    _end_other_sessions(other_engine)
    alone.confirm()
    with pytest.raises(StoreLocked):
        Presence(other_engine, alone=True)
    _end_other_sessions(other_engine)
    second = Presence(other_engine, alone=True)
    with pytest.raises(StoreLocked), WriteLock(engine, alone):
        pass
    second.close()
    with WriteLock(engine, alone):
        pass
    alone.close()
    other_engine.dispose()


def _end_other_sessions(engine):
    query = (
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
        "WHERE datname = current_database() AND pid <> pg_backend_pid()"
    )
    with engine.connect() as connection:
        assert connection.scalars(sa.text(query)).all()


def test_connections_that_the_server_closed_are_made_anew(url, engine):
    other_engine = open_database(url)
    with engine.connect() as connection:
        connection.execute(sa.text("SELECT 1"))
    _end_other_sessions(other_engine)
    with engine.connect() as connection:
        assert connection.scalar(sa.text("SELECT 1")) == 1
    other_engine.dispose()


def test_a_database_that_is_not_there_is_an_error_without_its_password(tmp_path):
    url = as_url(f"postgresql://someone:s3cret@/db?host={tmp_path}")
    with pytest.raises(StoreFault, match="cannot be reached") as caught:
        open_database(url)
    assert "s3cret" not in caught.value.message + caught.value.fix
    assert str(tmp_path) in caught.value.message
    assert "RAG_DATABASE_URL" in caught.value.fix


@pytest.mark.parametrize(
    "bad", ["sqlite:///x", "mysql://u:s3cret@h/db", "s3cret", "postgresql://h:p"]
)
def test_what_is_no_url_of_postgresql_is_refused_without_repeating_it(bad):
    with pytest.raises(InvalidRequest, match="RAG_DATABASE_URL") as caught:
        as_url(bad)
    assert "s3cret" not in caught.value.message + caught.value.fix


@pytest.mark.parametrize(
    ("text", "address", "local"),
    [
        ("postgresql://u:s3cret@127.0.0.1:5433/db", "127.0.0.1:5433/db", True),
        ("postgres://u:s3cret@db.example/rag?sslmode=require", "db.example/rag", False),
        ("postgresql+psycopg:///rag", "socket/rag", True),
        ("postgresql://u@/rag?host=/run/postgresql", "/run/postgresql/rag", True),
        ("postgresql://u@/rag?host=127.0.0.1,10.0.0.1", "127.0.0.1,10.0.0.1/rag", False),
        ("postgresql://u@/rag?host=a&host=localhost", "a,localhost/rag", False),
    ],
)
def test_a_databases_place_is_shown_without_secrets(text, address, local):
    assert postgres_place(as_url(text)) == Place("postgresql", address, local)


def test_the_missing_driver_is_named_with_the_command_that_installs_it(monkeypatch):
    def refuse(name):
        raise ImportError(name)

    monkeypatch.setattr("local_rag.adapters.optional.import_module", refuse)
    with pytest.raises(StoreFault, match="needs the package psycopg") as caught:
        open_database(as_url("postgresql://127.0.0.1:1/db"))
    assert "uv sync --extra postgres" in caught.value.fix
