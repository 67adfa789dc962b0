"""The work on jobs that several processes share: begun, watched, ended by one of them."""

from __future__ import annotations

import logging
import threading
import time
import uuid
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from local_rag.errors import (
    Cancelled,
    EnvironmentFault,
    InputError,
    Interrupted,
    LocalRagError,
    PasswordRequired,
)
from local_rag.model.job import Job, JobError

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from local_rag.ports import Inbox, JobQueue
    from local_rag.usecases.job_board import JobBoard
    from local_rag.usecases.library import Added, Library
    from local_rag.usecases.watch import Stage

_log = logging.getLogger(__name__)
_MOST_ATTEMPTS = 2  # a file that ended a process twice is not tried a third time


@dataclass(slots=True)
class _Run:
    """A job that this process works on."""

    job: Job
    withdrawn: bool = False
    lost: bool = False


class SharedWork:
    """Takes jobs from the queue, as many at once as it has threads.

    Args:
        board: is told each change; its lock guards what is here.
        ended: is told each end, after it is recorded.
        lease_s: seconds after which the queue takes a silent process for dead.
    """

    def __init__(
        self,
        library: Library,
        queue: JobQueue,
        inbox: Inbox,
        incoming: Path,
        *,
        board: JobBoard,
        ended: Callable[[Job, Added | LocalRagError], None],
        process: str,
        lease_s: float,
        workers: int,
    ) -> None:
        self._library = library
        self._queue = queue
        self._inbox = inbox
        self._incoming = incoming
        self._board = board
        self._changed = board.changed  # guards all below
        self._ended = ended
        self._process = process
        self._lease_s = lease_s
        self._runs: dict[str, _Run] = {}
        self._passwords: dict[str, str] = {}
        self._reserved: set[str] = set()  # not begun, and for this process alone
        self._may_find = True
        self._stopping = False
        self._last_beat_s = time.monotonic()
        self._threads = [
            threading.Thread(target=self._work, name=f"job-{n}", daemon=True)
            for n in range(workers)
        ]

    def start(self) -> None:
        """Begins to work."""
        for thread in self._threads:
            thread.start()

    def stop(self) -> None:
        """Has what runs end within a moment; it goes back into the queue."""
        with self._changed:
            self._stopping = True
            self._changed.notify_all()

    def join(self) -> None:
        """Waits for the end."""
        for thread in self._threads:
            if thread.is_alive():
                thread.join()

    def reserve(self, job_id: str, password: str | None) -> None:
        """Keeps the job from being taken over while it is sent, or waits for its password here."""
        with self._changed:
            self._reserved.add(job_id)
            if password:
                self._passwords[job_id] = password

    def free(self, job_id: str) -> None:
        """Undoes ``reserve``."""
        with self._changed:
            self._reserved.discard(job_id)
            self._passwords.pop(job_id, None)

    def running(self) -> dict[str, Job]:
        """What is worked on here."""
        with self._changed:
            return {job_id: run.job for job_id, run in self._runs.items()}

    def withdraw(self, job_id: str) -> None:
        """Stops the job if it is worked on here."""
        with self._changed:
            run = self._runs.get(job_id)
            if run is not None:
                run.withdrawn = True

    def hurry(self) -> None:
        """There may be a job to begin."""
        with self._changed:
            self._may_find = True
            self._changed.notify_all()

    def beat(self) -> None:
        """Tells that this process lives, and hears what is to stop."""
        with self._changed:
            runs = dict(self._runs)
            known = dict.fromkeys(self._reserved, (0, 0))
            known |= {job_id: (run.job.done, run.job.total) for job_id, run in runs.items()}
        begun_s = time.monotonic()
        verdicts = self._queue.beat(self._process, known)
        with self._changed:
            self._last_beat_s = begun_s
            # Not what was reserved then and is run by now: that was claimed after the beat.
            for job_id, run in runs.items():
                verdict = verdicts.get(job_id, "lost")
                run.lost |= verdict == "lost"
                run.withdrawn |= verdict == "withdrawn"

    def give_up_late_runs(self) -> None:
        """Whoever is silent for a lease is taken for dead, and its jobs are begun elsewhere."""
        with self._changed:
            if time.monotonic() - self._last_beat_s > self._lease_s:
                for run in self._runs.values():
                    run.lost = True

    def _work(self) -> None:
        while True:
            with self._changed:
                self._changed.wait_for(lambda: self._stopping or self._may_find)
                if self._stopping:
                    return
                self._may_find = False
            try:
                job = self._queue.claim(self._process)
                if job is not None:
                    self.hurry()  # there may be more
                    self._run(job)
                    self.hurry()  # one of its name may have waited for it
            except Exception as exc:  # noqa: BLE001 - the thread must go on with the next file
                _log.error("a job could not be recorded: %s", type(exc).__name__)

    def _run(self, job: Job) -> None:
        run = _Run(replace(job, updated_at=now()))
        with self._changed:
            self._runs[job.job_id] = run
            self._reserved.discard(job.job_id)
        path = self._incoming / uuid.uuid4().hex  # an earlier run may still be clearing up
        try:
            self._board.put(run.job)
            added = self._add(run, path)
        except _Stopped:
            self._end(replace(run.job, state="queued", attempts=run.job.attempts - 1))
        except _Lost:
            _log.warning("a job was taken over by another process")
        except LocalRagError as error:
            self._fail(run, error)
        except Exception as exc:  # noqa: BLE001 - whatever it is, the sender must be told
            _log.error("a job ended in an unexpected %s", type(exc).__name__)
            self._fail(run, EnvironmentFault(f"Something went wrong ({type(exc).__name__})."))
        else:
            document_id = added.document.document_id
            done = replace(
                run.job, state="searchable", outcome=added.outcome, document_id=document_id
            )
            if self._end(done):
                self._inbox.delete(job.job_id)
                self._ended(done, added)
        finally:
            path.unlink(missing_ok=True)
            with self._changed:
                if self._runs.get(job.job_id) is run:
                    del self._runs[job.job_id]
                self._changed.notify_all()

    def _add(self, run: _Run, path: Path) -> Added:
        if run.job.attempts > _MOST_ATTEMPTS:
            raise Interrupted("The program ended while it worked on this file.")
        if not self._inbox.fetch(run.job.job_id, path):
            raise _NeverArrived("The program ended while this file was sent.")

        def watch(stage: Stage, done: int, total: int) -> None:
            moved_on = run.job.state != stage
            if moved_on or stage == "committing":
                self._ask(run)
            if run.lost:
                raise _Lost
            if run.withdrawn:
                raise Cancelled("The upload was cancelled.")
            if self._stopping:
                raise _Stopped
            if (run.job.state, run.job.done, run.job.total) != (stage, done, total):
                run.job = replace(run.job, state=stage, done=done, total=total, updated_at=now())
                self._board.put(run.job)
                if moved_on and not self._queue.save(self._process, run.job):
                    raise _Lost

        with self._changed:
            password = self._passwords.get(run.job.job_id)
        return self._library.add(path, run.job.name, watch, password=password)

    def _ask(self, run: _Run) -> None:
        verdict = self._queue.check(self._process, run.job.job_id)
        run.lost |= verdict == "lost"
        run.withdrawn |= verdict == "withdrawn"

    def _fail(self, run: _Run, error: LocalRagError) -> None:
        # While the program stops the readers are being ended: not the file's fault.
        if self._stopping and not run.withdrawn:
            self._end(replace(run.job, state="queued", attempts=run.job.attempts - 1))
            return
        can_retry = _may_end_otherwise(error)
        failed = failed_job(run.job, error, can_retry=can_retry)
        if self._end(failed):
            if not can_retry:
                self._inbox.delete(failed.job_id)
            self._ended(failed, error)

    def _end(self, job: Job) -> bool:
        """Records the end; returns whether the job was still this process's."""
        job = replace(job, updated_at=now())
        if not self._queue.save(self._process, job):
            return False
        self._board.put(job)
        with self._changed:
            if job.is_finished:
                self._passwords.pop(job.job_id, None)
        return True


class _NeverArrived(Interrupted):
    """The file of a job is not there, so that it cannot be tried again."""


class _Stopped(BaseException):
    """The program ends: not an error of the job."""


class _Lost(BaseException):
    """Another process works on the job."""


def failed_job(job: Job, error: LocalRagError, *, can_retry: bool) -> Job:
    """The job, ended by this error."""
    return replace(
        job,
        state="cancelled" if isinstance(error, Cancelled) else "failed",
        error=JobError(error.code, error.message, error.fix),
        can_retry=can_retry,
        updated_at=now(),
    )


def _may_end_otherwise(error: LocalRagError) -> bool:
    return isinstance(error, PasswordRequired) or not isinstance(error, (InputError, _NeverArrived))


def now() -> str:
    """As jobs have it: UTC, ISO 8601 with microseconds."""
    return datetime.now(UTC).isoformat(timespec="microseconds")
