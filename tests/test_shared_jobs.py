"""Two processes on one queue: each file is worked on once, and what one leaves the other ends."""

from __future__ import annotations

import threading
import time
import uuid
from dataclasses import replace

import pytest
from fakes import FakeEmbedder, make_library
from test_jobs import GatedExtractor

from local_rag.adapters.database import open_database
from local_rag.adapters.fsspec_sources import FsspecInbox, FsspecSourceStore, RemoteFolder
from local_rag.adapters.memory_index import MemorySearchIndex
from local_rag.adapters.postgres import postgres_url as as_url
from local_rag.adapters.splitter import recursive_splitter
from local_rag.adapters.sql_catalog import SqlCatalog
from local_rag.adapters.sql_job_queue import SqlJobQueue
from local_rag.errors import (
    Cancelled,
    EmptyFile,
    Interrupted,
    JobUnfinished,
    LocalRagError,
    NotRetryable,
    UnknownDocument,
    UnknownJob,
    error_of,
)
from local_rag.model.job import Job
from local_rag.usecases.job_board import JobBoard
from local_rag.usecases.shared_jobs import SharedJobs
from local_rag.usecases.shared_work import _Run

LEASE_S = 60.0
WAIT_S = 60


class Process:
    """One of several programs on one library; ``worked`` counts the files that it began."""

    def __init__(self, name, world, *, lease_s=LEASE_S, workers=2) -> None:
        self.name = name
        self.engine = open_database(world.database_url)
        self.catalog = SqlCatalog(self.engine, shared=True)
        self.folder = world.folder / name
        self.extractor = GatedExtractor()
        remote = RemoteFolder(world.sources_url)
        self.inbox = FsspecInbox(remote)
        library = make_library(
            catalog=self.catalog,
            sources=FsspecSourceStore(remote, self.folder / "copies", 10**9),
            index=world.index,
            embedder=FakeEmbedder(),
            extractor=self.extractor,
            split=recursive_splitter(300, 50),
            max_file_bytes=100_000,
            free_bytes=lambda: 10**12,
            write_lock=world.write_lock,
        )
        self.library = library
        self.queue = SqlJobQueue(self.engine, lease_s=lease_s)
        self.jobs = SharedJobs(
            library,
            self.queue,
            self.inbox,
            self.folder / "incoming",
            document=self.catalog.document,
            process=name,
            lease_s=lease_s,
            workers=workers,
        )
        self.jobs._look_every_s = 0.02
        self.jobs.start()

    def submit(self, text, name="notes.txt", **options):
        return self.jobs.submit(lambda path: path.write_bytes(text.encode()), name, **options)

    def die(self):
        """Nothing is heard of it any more: it neither beats nor ends its work."""
        self.jobs._work._queue = _Silent()
        self.jobs._queue = _Silent()

    def names(self):
        return {document.name for document in self.catalog.documents()}

    def close(self):
        self.extractor.gate.set()
        self.jobs.close()
        self.catalog.close()


class _Silent:
    def __getattr__(self, name):
        raise OSError("this process is dead")


class World:
    def __init__(self, folder, database_url) -> None:
        self.folder = folder
        self.database_url = database_url
        self.sources_url = f"memory://{uuid.uuid4().hex}"
        self.index = MemorySearchIndex()
        self.write_lock = threading.Lock()
        self.processes = []

    def start(self, name, **options):
        made = Process(name, self, **options)
        self.processes.append(made)
        return made


@pytest.fixture(params=["sqlite", "postgres"])
def world(request, tmp_path):
    if request.param == "sqlite":
        url = f"sqlite:///{tmp_path}/c.db"
    else:
        url = as_url(request.getfixturevalue("postgres_url"))
    made = World(tmp_path, url)
    yield made
    for process in made.processes:
        process.close()


def until(condition):
    end = time.monotonic() + WAIT_S
    while not condition():
        assert time.monotonic() < end, "it did not happen"
        time.sleep(0.005)


def ended(process, job):
    until(lambda: process.jobs.job(job.job_id).is_finished)
    return process.jobs.job(job.job_id)


def test_what_one_is_sent_another_one_sees_works_on_and_finds(world):
    a, b = world.start("a", workers=0), world.start("b")
    job, result = a.submit("The lighthouse was built in 1873.")
    added = result.result(WAIT_S)  # told by the database
    assert added.outcome == "created"
    assert ended(b, job).document_id == added.document.document_id
    assert a.names() == b.names() == {"notes.txt"}
    until(lambda: a.jobs.jobs() == b.jobs.jobs() == [b.jobs.job(job.job_id)])
    assert a.inbox.ids() == set()
    for process in (a, b):  # its copy goes after it has told that the job is finished
        until(lambda folder=process.folder: not list((folder / "incoming").iterdir()))


def test_what_one_removes_the_other_never_cites(world):
    a, b = world.start("a"), world.start("b")
    document = a.submit("The lighthouse was built in 1873.")[1].result(WAIT_S).document
    (chunk,) = b.catalog.document_chunks(document.document_id)
    assert b.catalog.chunks([chunk.chunk_id])
    assert b.catalog.unfinished() == frozenset()
    a.library.remove(document.document_id)
    assert b.catalog.chunks([chunk.chunk_id]) == {}
    a.catalog.stage(document, _nothing(), [chunk])
    assert b.catalog.unfinished() == {document.document_id}


def _nothing():
    from local_rag.model.document import Extraction

    return Extraction((), ())


def test_many_files_are_shared_out_and_each_is_read_once(world):
    a, b = world.start("a"), world.start("b")
    senders = [(a if n % 2 else b).submit(f"Words {n}.", f"{n}.txt") for n in range(12)]
    assert {result.result(WAIT_S).outcome for _, result in senders} == {"created"}
    assert a.names() == {f"{n}.txt" for n in range(12)}
    assert {ended(a, job).attempts for job, _ in senders} == {1}


def test_a_beat_does_not_lose_a_job_that_was_begun_meanwhile(world, monkeypatch):
    a = world.start("a")
    work = a.jobs._work
    sent, _ = a.submit("The lighthouse was built in 1873.")
    assert ended(a, sent).state == "searchable"
    run = _Run(sent)

    def begun_meanwhile(_process, known):
        if not run.withdrawn:
            run.withdrawn = True  # marks that this beat has been told
            work._runs["x"] = run
            return {}  # what was asked for before the job was claimed
        return dict.fromkeys(known, "held")

    monkeypatch.setattr(a.queue, "beat", begun_meanwhile)
    work.reserve("x", None)
    work.beat()
    until(lambda: run.withdrawn)
    work.beat()
    assert not run.lost
    work._runs.clear()
    work.free("x")


def test_a_dead_processes_job_is_taken_over_and_ends(world):
    a = world.start("a", lease_s=3.0)
    a.extractor.gate.clear()
    job, _ = a.submit("The lighthouse was built in 1873.")
    until(lambda: a.jobs.job(job.job_id).total == 3)
    a.die()
    b = world.start("b", lease_s=3.0)
    done = ended(b, job)
    assert (done.state, done.outcome, done.attempts) == ("searchable", "created", 2)
    a.extractor.gate.set()
    assert b.names() == {"notes.txt"}
    assert len(b.catalog.documents()) == 1
    assert b.inbox.ids() == set()


def test_a_process_that_was_taken_for_dead_stops_its_work(world):
    a = world.start("a", lease_s=3.0)
    a.extractor.gate.clear()
    job, _ = a.submit("The lighthouse was built in 1873.")
    until(lambda: a.jobs.job(job.job_id).total == 3)
    other = SqlJobQueue(a.engine, lease_s=LEASE_S)
    a.jobs._work.beat = lambda: None  # it is paused for longer than its lease
    until(lambda: other.claim("b") is not None)
    del a.jobs._work.beat
    until(lambda: a.jobs._work.running() == {})
    assert other.check("b", job.job_id) == "held"
    assert a.names() == set()


def test_a_file_that_ended_processes_twice_fails_visibly(world):
    a = world.start("a", workers=0)
    job, _ = a.submit("Words.")
    for process, attempts in (("x", 1), ("y", 2)):
        held = SqlJobQueue(a.engine, lease_s=0.01).claim(process)
        assert held.attempts == attempts
        time.sleep(0.05)
    b = world.start("b")
    failed = ended(b, job)
    assert (failed.state, failed.error.code, failed.can_retry) == ("failed", "interrupted", True)
    b.jobs.retry(job.job_id)
    assert ended(a, job).state == "searchable"


def test_a_file_that_never_arrived_fails_and_cannot_be_tried_again(world):
    a = world.start("a")
    now = "2026-01-01T00:00:00"
    lost = Job("c" * 32, "n.txt", 3, "queued", now, now)
    SqlJobQueue(a.engine, lease_s=0.01).add(lost, "x")
    failed = ended(a, lost)
    assert (failed.error.code, failed.can_retry) == ("interrupted", False)
    with pytest.raises(NotRetryable):
        a.jobs.retry(lost.job_id)


def test_a_job_that_another_process_works_on_can_be_cancelled(world):
    a, b = world.start("a"), world.start("b", workers=0)
    a.extractor.gate.clear()
    job, result = b.submit("The lighthouse was built in 1873.")
    until(lambda: a.jobs._work.running())
    assert a.jobs.unfinished() == b.jobs.unfinished() == 1
    with pytest.raises(JobUnfinished):
        b.jobs.retry(job.job_id)
    b.jobs.cancel(job.job_id)
    assert ended(b, job).state == "cancelled"
    with pytest.raises(Cancelled):
        result.result(WAIT_S)
    assert a.names() == set()
    until(lambda: a.inbox.ids() == set())
    b.jobs.cancel(job.job_id)  # takes it off the list
    with pytest.raises(UnknownJob):
        a.jobs.job(job.job_id)
    until(lambda: a.jobs.jobs() == [])


def test_what_is_removed_while_another_one_reads_its_new_version_stays_removed(world):
    a, b = world.start("a"), world.start("b", workers=0)
    old = a.submit("Old words.")[1].result(WAIT_S).document
    a.extractor.gate.clear()
    job, _ = a.submit("New words.")
    until(lambda: a.jobs.job(job.job_id).total == 3)
    a.jobs._work.beat = lambda: None  # only the last look can tell
    b.jobs.cancel_for(old.name)
    b.library.remove(old.document_id)
    a.extractor.gate.set()
    assert ended(b, job).state == "cancelled"
    assert a.names() == set()


def test_versions_of_one_name_become_searchable_in_the_order_in_which_they_came(world):
    a, b = world.start("a"), world.start("b")
    a.extractor.gate.clear()
    b.extractor.gate.clear()
    jobs = [(a if n % 2 else b).submit(f"Version {n}.")[0] for n in range(4)]
    a.extractor.gate.set()
    b.extractor.gate.set()
    outcomes = [ended(a, job).outcome for job in jobs]
    assert outcomes == ["created", "replaced", "replaced", "replaced"]
    (document,) = a.catalog.documents()
    assert a.catalog.document_chunks(document.document_id)[0].text == "Version 3."


def test_a_password_stays_in_the_process_that_was_given_it(world):
    a, b = world.start("a"), world.start("b")
    for process in (a, b):
        process.extractor.password = "open sesame"
    job, _ = a.submit("Secret words.")
    failed = ended(b, job)
    assert (failed.error.code, failed.can_retry) == ("password-required", True)
    b.jobs.retry(job.job_id, "wrong")
    assert ended(a, job).error.code == "password-required"
    for _ in range(5):  # whoever claims it else would fail
        b.jobs.retry(job.job_id, "wrong")
        assert ended(a, job).error.code == "password-required"
    b.jobs.retry(job.job_id, "open sesame")
    assert ended(a, job).state == "searchable"
    assert a.submit("Other words.", password="open sesame")[1].result(WAIT_S)
    assert b"sesame" not in _all_bytes(world)


def _secret(world):
    path = world.folder / "secret"
    path.write_text("Secret words.")
    return path


def _all_bytes(world):
    return b"".join(p.read_bytes() for p in world.folder.rglob("*") if p.is_file())


def test_a_failed_file_is_told_to_who_waits_at_another_process(world):
    a, _ = world.start("a", workers=0), world.start("b")
    _, result = a.submit("", keep=False)
    assert type(result.exception(WAIT_S)) is EmptyFile
    until(lambda: a.queue.jobs() == [])
    assert a.inbox.ids() == set()


def test_a_sender_is_told_that_what_he_sent_was_replaced_meanwhile(world, monkeypatch):
    a, _ = world.start("a", workers=0), world.start("b")

    def replaced(document_id):
        raise UnknownDocument(document_id)

    monkeypatch.setattr(a.jobs, "_document", replaced)
    _, result = a.submit("The lighthouse was built in 1873.")
    assert "replaced or removed before" in str(result.exception(WAIT_S))


def test_a_sender_who_waits_leaves_no_job_behind(world):
    a, b = world.start("a"), world.start("b")
    for text, error in (("Words.", None), ("", EmptyFile)):
        _, result = a.submit(text, keep=False)
        assert type(result.exception(WAIT_S)) is (error or type(None))
        until(lambda: a.queue.jobs() == [])
    until(lambda: a.jobs.jobs() == b.jobs.jobs() == [])
    assert a.inbox.ids() == set()


def test_what_a_stop_interrupted_goes_on_in_another_process(world):
    a = world.start("a")
    a.extractor.gate.clear()
    job, result = a.submit("Words of the first.")
    waiting, _ = a.submit("Words of the second.")
    until(lambda: a.jobs.job(job.job_id).total == 3)
    a.jobs.close()
    with pytest.raises(Interrupted):
        result.result(WAIT_S)
    with pytest.raises(Interrupted):
        a.submit("Too late.")
    assert a.jobs.job(job.job_id).attempts == 0
    b = world.start("b")
    assert ended(b, job).outcome == "created"
    assert ended(b, waiting).outcome == "replaced"


def test_files_that_belong_to_no_job_are_deleted_at_the_start(world):
    a = world.start("a", workers=0)
    job, _ = a.submit("Words.")
    a.inbox.put("d" * 32, _secret(world))
    (a.folder / "incoming" / "leftover").write_text("half a file")
    a.jobs.close()
    b = world.start("a", workers=0)
    assert b.inbox.ids() == {job.job_id}
    assert not list((b.folder / "incoming").iterdir())


def test_changes_come_in_versions_also_those_of_other_processes(world):
    a, b = world.start("a"), world.start("b", workers=0)
    seen, version = [], 0
    job, _ = a.submit("The lighthouse was built in 1873.")
    end = time.monotonic() + WAIT_S
    while "searchable" not in seen:
        assert time.monotonic() < end
        version, changed = b.jobs.changed_since(version)
        seen += [other.state for other in changed if other.job_id == job.job_id]
        time.sleep(0.005)
    assert seen.count("searchable") == 1
    assert b.jobs.changed_since(version) == (version, [])


def test_a_board_never_falls_back_behind_what_this_process_knows():
    board = JobBoard()
    job = Job("a" * 32, "n.txt", 3, "queued", "2026", "2026")
    later, other = replace(job, state="searchable"), replace(job, job_id="b" * 32)
    board.put(job)
    mark = board.version  # then the jobs are read, and meanwhile:
    board.put(later)
    board.put(other)
    board.replace([job], mark, set())
    assert {j.job_id: j.state for j in board.jobs()} == {"a" * 32: "searchable", "b" * 32: "queued"}
    mark = board.version
    board.remove(other.job_id)
    board.replace([later, other], mark, set())
    assert board.jobs() == [later]
    board.replace([job], board.version, {job.job_id})
    assert board.jobs() == [later]
    board.replace([], board.version, set())
    assert board.jobs() == []


def test_every_error_comes_back_from_its_record():
    def all_below(kind):
        for sub in kind.__subclasses__():
            if sub.__module__ == "local_rag.errors":
                yield sub
                yield from all_below(sub)

    for kind in all_below(LocalRagError):
        again = error_of(kind.code, "message", "fix")
        assert (type(again), again.message, again.fix) == (kind, "message", "fix")
    assert error_of("of a newer program", "message", "fix").message == "message"
