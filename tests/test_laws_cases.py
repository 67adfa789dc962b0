"""The laws of ``ports.CaseStore``, on the fake, SQLite and a real PostgreSQL."""

from __future__ import annotations

import sqlite3
import threading
from dataclasses import replace

import pytest
import sqlalchemy as sa
from fakes import FakeCaseStore

from local_rag.adapters.database import open_database
from local_rag.adapters.postgres import postgres_url as as_url
from local_rag.adapters.sql_cases import SqlCaseStore
from local_rag.errors import CaseChanged, UnknownCase
from local_rag.model.kept_case import KeptCase


@pytest.fixture(params=["fake", "sqlite", "postgres"])
def store(request, tmp_path):
    if request.param == "fake":
        yield FakeCaseStore()
        return
    postgres = request.param == "postgres"
    url = as_url(request.getfixturevalue("postgres_url")) if postgres else None
    engine = open_database(url or f"sqlite:///{tmp_path}/c.db")
    yield SqlCaseStore(engine)
    engine.dispose()


def at(second: int) -> str:
    return f"2026-01-01T00:00:{second:02d}.000000+00:00"


def a_case(n: int = 1, **changes) -> KeptCase:
    line = f'{{"question": "שלום {n} </script> \\u0000"}}'
    made = KeptCase(f"saved-{n}", f"{n:064x}", "needs_review", line, at(n), at(n))
    return replace(made, **changes)


def test_what_is_kept_comes_back_equal_newest_first_ties_by_id(store):
    cases = [a_case(1), a_case(2), a_case(3, created_at=at(1)), a_case(4, created_at=at(9))]
    assert [store.add(case) for case in cases] == cases
    assert store.cases() == [cases[3], cases[1], cases[0], cases[2]]
    assert [store.case(case.case_id) for case in cases] == cases


def test_those_of_a_status_are_listed_alone(store):
    store.add(a_case(1))
    gold = store.add(a_case(2, review_status="approved_gold"))
    assert store.cases("approved_gold") == [gold]
    assert store.cases("rejected") == []
    assert store.cases("\0") == []


@pytest.mark.parametrize("other", [{"sameness": f"{7:064x}"}, {"case_id": "saved-7"}])
def test_of_two_that_are_the_same_the_first_stays_and_is_said(store, other):
    first = store.add(a_case(1))
    assert store.add(a_case(1, line="{}", **other)) == first
    assert store.cases() == [first]


def test_of_two_that_are_added_at_once_one_is_kept(store):
    barrier, kept = threading.Barrier(6), []

    def add(n: int) -> None:
        barrier.wait()
        kept.append(store.add(a_case(n, sameness="0" * 64)))

    threads = [threading.Thread(target=add, args=(n,)) for n in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert kept == store.cases() * 6


def test_a_change_replaces_all_but_the_time_of_its_making(store):
    store.add(a_case(1))
    other = store.add(a_case(2))
    changed = a_case(1, sameness="a" * 64, review_status="rejected", line="{}", updated_at=at(30))
    assert store.replace(replace(changed, created_at=at(50)), read_at=at(1)) == changed
    assert store.cases() == [other, changed]


def test_a_change_of_what_is_not_there_any_more_is_refused(store):
    first = store.add(a_case(1))
    store.replace(replace(first, updated_at=at(5)), read_at=at(1))
    with pytest.raises(CaseChanged):
        store.replace(replace(first, line="{}", updated_at=at(6)), read_at=at(1))
    with pytest.raises(UnknownCase):
        store.replace(a_case(9), read_at=at(9))
    assert store.cases() == [replace(first, updated_at=at(5))]


def test_a_change_to_what_another_asks_is_refused(store):
    one, two = store.add(a_case(1)), store.add(a_case(2))
    with pytest.raises(CaseChanged):
        store.replace(replace(one, sameness=two.sameness), read_at=one.updated_at)
    assert store.cases() == [two, one]


def test_a_deleted_case_is_gone_and_may_be_added_again(store):
    one, two = store.add(a_case(1)), store.add(a_case(2))
    store.delete(one.case_id)
    assert store.cases() == [two]
    assert store.add(one) == one
    assert store.delete_all() == 2
    assert store.cases() == []
    assert store.delete_all() == 0


@pytest.mark.parametrize("unknown", ["saved-9", "", "x' OR 1=1 --", "a\0b", "\ud800", "é" * 64])
def test_what_is_not_there_is_said(store, unknown):
    store.add(a_case())
    for call in (store.case, store.delete):
        with pytest.raises(UnknownCase):
            call(unknown)


def test_a_catalogue_of_before_the_cases_gets_their_table(tmp_path):
    path = tmp_path / "c.db"
    open_database(f"sqlite:///{path}").dispose()
    with sqlite3.connect(path) as old:
        old.execute("DROP TABLE cases")
        old.execute("UPDATE alembic_version SET version_num = '0007'")
        old.execute("INSERT INTO index_settings VALUES ('library', 'mine')")
    old.close()
    engine = open_database(f"sqlite:///{path}")
    store = SqlCaseStore(engine)
    assert store.add(a_case()) == store.case("saved-1")
    with engine.connect() as connection:
        assert connection.scalar(sa.text("SELECT value FROM index_settings")) == "mine"
    engine.dispose()
