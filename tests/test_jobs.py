"""Files on their way into the library: each ends searchable, failed in words, or cancelled."""

from __future__ import annotations

import threading
import time

import pytest
from fakes import FakeEmbedder, FakeExtractor, FakeJobStore, FakeSourceStore, make_library

from local_rag.adapters.database import open_database
from local_rag.adapters.memory_index import MemorySearchIndex
from local_rag.adapters.splitter import recursive_splitter
from local_rag.adapters.sql_catalog import SqlCatalog
from local_rag.adapters.sql_jobs import SqlJobStore
from local_rag.errors import (
    Cancelled,
    EmptyFile,
    Interrupted,
    JobUnfinished,
    NotRetryable,
    PasswordRequired,
    UnknownJob,
)
from local_rag.model.job import JobError
from local_rag.usecases import job_list
from local_rag.usecases.jobs import Jobs

WAIT_S = 10


class GatedExtractor(FakeExtractor):
    """Reads when it is let to; beats meanwhile, as the real one does."""

    def __init__(self) -> None:
        self.gate = threading.Event()
        self.gate.set()
        self.begun = threading.Semaphore(0)
        self.password = None

    def extract(self, path, media_type, progress=None, *, password=None):
        self.begun.release()
        while not self.gate.wait(0.01):
            progress(1, 3)
        if self.password and password != self.password:
            raise PasswordRequired("needs a password")
        return super().extract(path, media_type, progress)


class World:
    def __init__(self, folder) -> None:
        self.folder = folder
        self.engine = open_database(f"sqlite:///{folder}/c.db")
        self.catalog = SqlCatalog(self.engine)
        self.store = SqlJobStore(self.engine)
        (folder / "kept").mkdir(exist_ok=True)
        self.extractor = GatedExtractor()
        self.library = make_library(
            catalog=self.catalog,
            sources=FakeSourceStore(folder / "kept"),
            index=MemorySearchIndex(),
            embedder=FakeEmbedder(),
            extractor=self.extractor,
            split=recursive_splitter(300, 50),
            max_file_bytes=100_000,
            free_bytes=lambda: 10**12,
        )
        self.jobs = self.fresh_jobs()

    def fresh_jobs(self):
        return Jobs(self.library, self.store, self.folder / "incoming")

    def submit(self, text, name="notes.txt", **options):
        return self.jobs.submit(lambda path: path.write_bytes(text.encode()), name, **options)

    def restart(self):
        """Another process finds what this one left."""
        self.jobs.close()
        self.extractor.gate.set()
        self.jobs = self.fresh_jobs()
        self.jobs.start()

    def names(self):
        return {document.name for document in self.catalog.documents()}

    def files(self):
        return list((self.folder / "incoming").iterdir())


@pytest.fixture
def world(tmp_path):
    made = World(tmp_path)
    made.jobs.start()
    yield made
    made.jobs.close()
    made.catalog.close()


def until(condition):
    end = time.monotonic() + WAIT_S
    while not condition():
        assert time.monotonic() < end, "it did not happen"
        time.sleep(0.005)


def ended(world, job):
    until(lambda: world.jobs.job(job.job_id).is_finished)
    return world.jobs.job(job.job_id)


def test_a_job_passes_its_stages_and_ends_searchable(world):
    seen = []
    world.extractor.gate.clear()
    job, result = world.submit("The lighthouse was built in 1873.")
    assert (job.state, job.name, job.size_bytes) == ("queued", "notes.txt", 33)
    until(lambda: world.jobs.job(job.job_id).total == 3)
    version = 0
    world.extractor.gate.set()
    while "searchable" not in seen:
        version, changed = world.jobs.changed_since(version)
        seen += [changed_job.state for changed_job in changed]
    added = result.result(WAIT_S)
    done = world.jobs.job(job.job_id)
    assert (done.outcome, done.document_id) == ("created", added.document.document_id)
    assert seen[-1] == "searchable"
    assert world.files() == []


def test_a_failed_job_says_why_and_keeps_no_file_that_cannot_end_otherwise(world):
    job, result = world.submit("")
    failed = ended(world, job)
    assert failed.error == JobError("empty-file", "The file is empty.", EmptyFile.default_fix)
    assert (failed.state, failed.can_retry) == ("failed", False)
    with pytest.raises(EmptyFile):
        result.result(WAIT_S)
    assert world.files() == []
    with pytest.raises(NotRetryable):
        world.jobs.retry(job.job_id)


def test_a_sender_who_waits_leaves_no_job_behind(world):
    for text, error in (("Words.", None), ("", EmptyFile)):
        _, result = world.submit(text, keep=False)
        assert type(result.exception(WAIT_S)) is (error or type(None))
        until(lambda: world.jobs.jobs() == [])
    assert world.names() == {"notes.txt"}
    assert world.files() == []


def test_a_password_can_be_given_afterwards_and_is_never_stored(world):
    world.extractor.password = "open sesame"
    job, _ = world.submit("Secret words.")
    failed = ended(world, job)
    assert (failed.error.code, failed.can_retry) == ("password-required", True)
    world.jobs.retry(job.job_id, "wrong")
    assert ended(world, job).error.code == "password-required"
    world.jobs.retry(job.job_id, "open sesame")
    assert ended(world, job).state == "searchable"
    assert b"sesame" not in (world.folder / "c.db").read_bytes()


def test_a_job_that_is_worked_on_can_be_cancelled(world):
    world.extractor.gate.clear()
    job, result = world.submit("The lighthouse was built in 1873.")
    world.extractor.begun.acquire()
    begun = time.monotonic()
    world.jobs.cancel(job.job_id)
    assert ended(world, job).state == "cancelled"
    assert time.monotonic() - begun < WAIT_S
    with pytest.raises(Cancelled):
        result.result(WAIT_S)
    assert world.names() == set()
    assert world.files() == []
    world.jobs.cancel(job.job_id)  # takes it off the list
    with pytest.raises(UnknownJob):
        world.jobs.job(job.job_id)


def test_a_waiting_job_can_be_cancelled(world):
    world.extractor.gate.clear()
    world.submit("First.")
    waiting, _ = world.submit("Second.")  # of the same name: it waits
    assert world.jobs.cancel(waiting.job_id).state == "cancelled"
    with pytest.raises(JobUnfinished):
        world.jobs.retry(world.jobs.jobs()[-1].job_id)
    world.extractor.gate.set()


def test_versions_of_one_name_become_searchable_in_the_order_in_which_they_came(world):
    world.extractor.gate.clear()
    results = [world.submit(f"Version {n}.")[1] for n in range(4)]
    world.extractor.gate.set()
    outcomes = [result.result(WAIT_S).outcome for result in results]
    assert outcomes == ["created", "replaced", "replaced", "replaced"]
    (document,) = world.catalog.documents()
    assert world.catalog.document_chunks(document.document_id)[0].text == "Version 3."


def test_what_is_removed_while_its_new_version_is_read_stays_removed(world):
    _, result = world.submit("Old words.")
    old = result.result(WAIT_S).document
    world.extractor.gate.clear()
    job, _ = world.submit("New words.")
    until(lambda: world.jobs.job(job.job_id).total == 3)
    world.jobs.cancel_for(old.name)
    world.library.remove(old.document_id)
    world.extractor.gate.set()
    assert ended(world, job).state == "cancelled"
    assert world.names() == set()


def test_what_a_stop_interrupted_goes_on_at_the_next_start(world):
    world.extractor.gate.clear()
    running, result = world.submit("Words of the first.", "a.txt")
    waiting, _ = world.submit("Words of the second.", "a.txt")
    world.extractor.begun.acquire()
    world.restart()
    with pytest.raises(Interrupted):
        result.result(WAIT_S)
    assert ended(world, running).outcome == "created"
    assert ended(world, waiting).outcome == "replaced"
    assert world.files() == []


def test_a_file_that_ended_the_program_twice_fails_visibly(world):
    world.jobs.close()
    job, _ = World.submit(stopped := Stopped(world), "Words.")
    for state, expected in (("extracting", "queued"), ("embedding", "failed")):
        attempts = 1 if state == "extracting" else 2
        world.store.put(_changed(stopped.jobs.job(job.job_id), state=state, attempts=attempts))
        stopped.jobs = Jobs(world.library, world.store, world.folder / "incoming", workers=0)
        stopped.jobs.start()
        assert stopped.jobs.job(job.job_id).state == expected
    failed = stopped.jobs.job(job.job_id)
    assert (failed.error.code, failed.can_retry) == ("interrupted", True)


class Stopped:
    """Jobs that nobody works on."""

    def __init__(self, world) -> None:
        self.jobs = Jobs(world.library, world.store, world.folder / "incoming", workers=0)
        self.jobs.start()


def _changed(job, **changes):
    from dataclasses import replace

    return replace(job, **changes)


def test_files_that_belong_to_no_job_are_deleted_at_the_start(world):
    (world.folder / "incoming" / "leftover").write_text("half a file")
    world.restart()
    assert world.files() == []


@pytest.mark.parametrize("kind", ["fake", "sqlite"])
def test_a_job_store_gives_back_what_was_put(kind, tmp_path):
    from local_rag.model.job import Job

    engine = open_database(f"sqlite:///{tmp_path}/c.db")
    store = FakeJobStore() if kind == "fake" else SqlJobStore(engine)
    job = Job("a" * 32, "n.txt", 3, "queued", "2026", "2026")
    failed = _changed(
        job, state="failed", done=2, total=9, error=JobError("c", "m", "f"), can_retry=True
    )
    store.put(job)
    assert store.jobs() == [job]
    store.put(failed)
    assert store.jobs() == [failed]
    store.delete(job.job_id)
    store.delete(job.job_id)
    assert store.jobs() == []
    engine.dispose()


def test_a_long_queue_is_whole_after_a_restart(world):
    world.jobs.close()
    stopped = Stopped(world)
    sent = {World.submit(stopped, "Words.", f"{n}.txt")[0].job_id for n in range(520)}
    assert stopped.jobs.unfinished() == 520
    again = Jobs(world.library, world.store, world.folder / "incoming", workers=0)
    assert again.unfinished() == 520
    again.start()
    assert {job.job_id for job in again.jobs() if job.state == "queued"} == sent
    assert {path.name for path in world.files()} == sent


def test_of_very_many_jobs_that_have_ended_the_newest_and_the_failed_are_kept(world, monkeypatch):
    monkeypatch.setattr(job_list, "_MOST_ENDED", 3)
    ended(world, world.submit("", "failed.txt")[0])
    for n in range(5):
        ended(world, world.submit(f"Words {n}.", f"{n}.txt")[0])
    names = {job.name for job in world.jobs.jobs()}
    assert names == {"failed.txt", "3.txt", "4.txt"}
    assert {job.name for job in world.store.jobs()} == names


def test_a_job_whose_file_is_gone_says_that_it_has_to_be_sent_again(world):
    world.extractor.password = "open sesame"
    job, _ = world.submit("Secret words.")
    assert ended(world, job).can_retry
    world.files()[0].unlink()
    with pytest.raises(NotRetryable):
        world.jobs.retry(job.job_id, "open sesame")
    assert not world.jobs.job(job.job_id).can_retry


def test_an_interrupted_job_whose_file_is_gone_cannot_be_tried_again(world):
    world.jobs.close()
    stopped = Stopped(world)
    job, _ = World.submit(stopped, "Words.")
    world.files()[0].unlink()
    again = Jobs(world.library, world.store, world.folder / "incoming", workers=0)
    again.start()
    lost = again.job(job.job_id)
    assert (lost.state, lost.error.code, lost.can_retry) == ("failed", "interrupted", False)


def test_a_store_that_refuses_to_record_loses_neither_the_file_nor_the_queue(world, monkeypatch):
    put = world.store.put

    def refuse(job):
        if job.state != "queued":
            raise OSError("no space")
        put(job)

    monkeypatch.setattr(world.store, "put", refuse)
    for n in range(3):
        _, result = world.submit(f"Words {n}.", f"{n}.txt")
        assert result.result(WAIT_S).outcome == "created"
    assert world.names() == {"0.txt", "1.txt", "2.txt"}


@pytest.mark.parametrize("end", ["stop", "crash"])
def test_what_was_cancelled_just_before_the_end_is_not_begun_anew(world, end):
    world.extractor.gate.clear()
    job, _ = world.submit("The lighthouse was built in 1873.")
    world.extractor.begun.acquire()
    with world.jobs._changed:  # the worker does not get to see it before the end
        world.jobs.cancel(job.job_id)
        if end == "stop":
            world.jobs.stop_soon()
        else:
            again = Jobs(world.library, world.store, world.folder / "incoming", workers=0)
            again.start()
    if end == "stop":
        world.restart()
        again = world.jobs
    assert again.job(job.job_id).state == "cancelled"
    assert world.names() == set()


def test_a_file_that_waits_is_not_called_worked_on(world):
    world.extractor.gate.clear()
    first, _ = world.submit("First.")
    second, _ = world.submit("Second.")
    world.extractor.begun.acquire()
    worked_on = [world.jobs.job(job.job_id).is_worked_on for job in (first, second)]
    assert worked_on == [True, False]
    world.extractor.gate.set()
    assert not ended(world, first).is_worked_on
