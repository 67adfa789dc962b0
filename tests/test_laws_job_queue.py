"""The laws of ``ports.JobQueue``, on SQLite and on a real PostgreSQL."""

from __future__ import annotations

import threading
import time
from dataclasses import replace

import pytest

from local_rag.adapters.database import open_database
from local_rag.adapters.postgres import postgres_url as as_url
from local_rag.adapters.sql_job_queue import SqlJobQueue
from local_rag.adapters.sql_jobs import SqlJobStore
from local_rag.model.job import Job, JobError

LEASE_S = 1000.0
SHORT_S = 0.05
pytestmark = pytest.mark.parametrize("database_url", ["sqlite", "postgres"], indirect=True)


@pytest.fixture
def engine(database_url):
    url = as_url(database_url) if database_url.startswith("postgres") else database_url
    made = open_database(url)
    yield made
    made.dispose()


@pytest.fixture
def queue(engine):
    return SqlJobQueue(engine, lease_s=LEASE_S)


def a_job(n: int = 1, name: str | None = None, **changes) -> Job:
    when = f"2026-01-01T00:00:{n:02d}"
    return replace(Job(f"{n:032x}", name or f"{n}.txt", 3, "queued", when, when), **changes)


def add(queue, job, only=None):
    queue.add(job, "sender")
    queue.open(job.job_id, only)
    return job


def ids(jobs) -> set[int]:
    return {int(job.job_id, 16) for job in jobs}


def cancelled(job):
    return replace(job, state="cancelled", error=JobError("cancelled", "m", "f"))


def test_the_oldest_job_is_claimed_first_and_by_one_only(queue):
    for n in (2, 1, 3):
        add(queue, a_job(n))
    first = queue.claim("a")
    assert first == a_job(1, state="extracting", attempts=1)
    assert queue.job(first.job_id) == first
    assert queue.claim("b").job_id == a_job(2).job_id
    assert queue.claim("a").job_id == a_job(3).job_id
    assert queue.claim("b") is None
    assert ids(queue.jobs()) == {1, 2, 3}


def test_many_who_claim_at_once_get_each_job_once(queue):
    for n in range(1, 41):
        add(queue, a_job(n))
    claimed, barrier = [], threading.Barrier(8)

    def claim(process: str) -> None:
        barrier.wait()
        misses = 0
        while misses < 3:  # a claim may meet locks of others and find nothing
            job = queue.claim(process)
            misses = misses + 1 if job is None else 0
            if job is not None:
                claimed.append(job.job_id)

    threads = [threading.Thread(target=claim, args=(f"p{n}",)) for n in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(claimed) == len(set(claimed))
    while (job := queue.claim("last")) is not None:
        claimed.append(job.job_id)
    assert sorted(claimed) == [f"{n:032x}" for n in range(1, 41)]


def test_a_job_that_is_still_being_sent_is_not_begun(queue):
    queue.add(a_job(), "a")
    assert queue.claim("b") is None
    assert queue.claim("a") is None
    queue.open(a_job().job_id, None)
    assert queue.claim("b") is not None


def test_a_job_opened_for_one_process_waits_for_it(queue):
    add(queue, a_job(), only="a")
    assert queue.claim("b") is None
    assert queue.claim("a") is not None
    assert queue.claim("a") is None


def test_jobs_of_one_name_are_begun_in_their_order(queue):
    add(queue, a_job(1, "n.txt"))
    add(queue, a_job(2, "n.txt"))
    first = queue.claim("a")
    assert queue.claim("b") is None
    assert queue.save("a", replace(first, state="searchable"))
    assert queue.claim("b").job_id == a_job(2).job_id


def test_a_silent_holder_loses_its_jobs_and_a_beating_one_keeps_them(engine):
    patient = SqlJobQueue(engine, lease_s=LEASE_S)
    for n in (1, 2, 3):
        add(patient, a_job(n))
    silent, beating, dropped = (patient.claim("a") for _ in range(3))
    short = SqlJobQueue(engine, lease_s=SHORT_S)
    short.beat("a", dict.fromkeys([silent.job_id, beating.job_id, dropped.job_id], (0, 0)))
    assert patient.beat("a", {beating.job_id: (4, 9)}) == {beating.job_id: "held"}
    time.sleep(2 * SHORT_S)
    taken = [patient.claim("b"), patient.claim("b"), patient.claim("b")]
    assert taken == [replace(silent, attempts=2), replace(dropped, attempts=2), None]
    read = patient.job(beating.job_id)
    assert (read.done, read.total) == (4, 9)
    assert patient.check("a", beating.job_id) == "held"
    assert patient.check("a", silent.job_id) == "lost"
    assert patient.beat("a", dict.fromkeys([silent.job_id], (0, 0))) == {}
    assert not patient.save("a", replace(silent, state="searchable"))
    assert patient.job(silent.job_id).state == "extracting"


def test_a_job_whose_sending_was_cut_short_is_handed_out_in_the_end(engine):
    queue = SqlJobQueue(engine, lease_s=SHORT_S)
    queue.add(a_job(), "dead")
    time.sleep(2 * SHORT_S)
    assert queue.claim("a").job_id == a_job().job_id


def test_what_becomes_of_a_job_is_recorded_whole(queue):
    add(queue, a_job())
    held = queue.claim("a")
    failed = replace(
        held, state="failed", done=2, total=9, error=JobError("c", "m", "f"), can_retry=True
    )
    assert queue.save("a", failed)
    assert queue.job(held.job_id) == failed
    assert queue.check("a", held.job_id) == "lost"  # a finished job is nobody's
    assert queue.claim("b") is None
    again = replace(held, state="queued", attempts=0)
    queue.put(again, "b")
    assert queue.claim("a") is None
    assert queue.claim("b") == replace(again, state="extracting", attempts=1)


def test_a_job_given_back_is_claimed_anew(queue):
    add(queue, a_job())
    held = queue.claim("a")
    assert queue.save("a", replace(held, state="queued", attempts=0))
    assert queue.claim("b") == held


def test_what_a_process_leaves_is_claimed_by_others(queue):
    add(queue, a_job(), only="a")
    queue.leave("a")
    assert queue.claim("b") is not None


def test_a_job_that_nobody_holds_is_cancelled_at_once(queue):
    job = add(queue, a_job())
    ended = cancelled(job)
    assert queue.withdraw(job.job_id, ended) == ended
    assert queue.claim("a") is None
    assert queue.withdraw("f" * 32, ended) is None


def test_the_holder_of_a_cancelled_job_is_told(queue):
    add(queue, a_job())
    held = queue.claim("a")
    assert queue.withdraw(held.job_id, cancelled(held)) == held
    assert queue.check("a", held.job_id) == "withdrawn"
    assert queue.beat("a", {held.job_id: (0, 0)}) == {held.job_id: "withdrawn"}


def test_cancelling_never_undoes_an_end(queue):
    add(queue, a_job())
    done = replace(queue.claim("a"), state="searchable")
    queue.save("a", done)
    assert queue.withdraw(done.job_id, cancelled(done)) == done


def test_a_deleted_job_is_gone(queue):
    add(queue, a_job())
    queue.delete(a_job().job_id)
    queue.delete(a_job().job_id)
    assert queue.jobs() == []
    assert queue.claim("a") is None


def test_jobs_of_a_process_that_had_the_database_alone_are_taken_over(engine):
    SqlJobStore(engine).put(a_job(1, state="embedding", attempts=1))
    SqlJobStore(engine).put(a_job(2, state="failed"))
    assert SqlJobQueue(engine, lease_s=LEASE_S).claim("a") == a_job(
        1, state="extracting", attempts=2
    )
