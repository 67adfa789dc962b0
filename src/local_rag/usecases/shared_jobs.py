"""Files on their way into a library that several processes share.

The queue lies in the database: whichever process is free takes the oldest job, and the jobs of one
that died are taken over. What ``usecases.jobs.Jobs`` promises for one process holds here too.
"""

from __future__ import annotations

import logging
import threading
import uuid
from concurrent.futures import Future
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, cast

from local_rag.errors import (
    Cancelled,
    Interrupted,
    JobUnfinished,
    LocalRagError,
    NotRetryable,
    UnknownDocument,
    UnknownJob,
    error_of,
)
from local_rag.model.job import Job
from local_rag.text.names import display_name
from local_rag.usecases.job_board import JobBoard
from local_rag.usecases.library import Added
from local_rag.usecases.shared_work import SharedWork, failed_job, now

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from local_rag.model.document import Document
    from local_rag.ports import Inbox, JobQueue
    from local_rag.usecases.library import Library, Outcome

_log = logging.getLogger(__name__)
_MOST_KEPT = 500
_LOOK_EVERY_S = 0.5


@dataclass(slots=True)
class _Sender:
    """Somebody who waits for the end of a job."""

    keep: bool
    result: Future[Added] = field(default_factory=Future)


class SharedJobs:
    """The queue in front of ``Library.add``, for one process of several.

    Args:
        queue: the jobs, in the database.
        inbox: their files, where each process reaches them.
        incoming: folder of this process for files that it is sent or works on.
        document: a document by its id.
        process: names this process, and no other one ever.
        lease_s: seconds after which the queue takes a silent process for dead.
        workers: files worked on at once.
    """

    def __init__(
        self,
        library: Library,
        queue: JobQueue,
        inbox: Inbox,
        incoming: Path,
        *,
        document: Callable[[str], Document],
        process: str,
        lease_s: float,
        workers: int = 2,
    ) -> None:
        self._queue = queue
        self._inbox = inbox
        self._incoming = incoming
        self._document = document
        self._process = process
        self._look_every_s = min(_LOOK_EVERY_S, lease_s / 6)
        self._board = JobBoard()
        self._work = SharedWork(
            library,
            queue,
            inbox,
            incoming,
            board=self._board,
            ended=self._tell_sender,
            process=process,
            lease_s=lease_s,
            workers=workers,
        )
        self._changed = self._board.changed  # guards all below
        self._senders: dict[str, _Sender] = {}
        self._stopping = False
        self._look_now = threading.Event()
        self._looker = threading.Thread(target=self._look, name="jobs", daemon=True)

    def start(self) -> None:
        """Begins to work, on what this process is sent and on what others left or are busy for."""
        self._incoming.mkdir(parents=True, exist_ok=True)
        for leftover in self._incoming.iterdir():
            if leftover.is_file():
                leftover.unlink(missing_ok=True)
        known = sorted(self._queue.jobs(), key=lambda job: job.created_at)
        for job in known[: max(0, len(known) - _MOST_KEPT)]:
            if job.is_finished:
                self._queue.delete(job.job_id)
        # A job is recorded before its file is kept: a file without a job is nobody's.
        kept = self._inbox.ids()
        jobs = self._queue.jobs()
        self._board.replace(jobs, self._board.version, ())
        needed = {job.job_id for job in jobs if job.can_retry or not job.is_finished}
        for job_id in kept - needed:
            self._inbox.delete(job_id)
        self._work.start()
        self._looker.start()

    def submit(
        self,
        fill: Callable[[Path], int],
        name: str,
        *,
        password: str | None = None,
        keep: bool = True,
    ) -> tuple[Job, Future[Added]]:
        """Queues a file; see ``Jobs.submit``. One with a password is worked on here."""
        if self._stopping:
            raise Interrupted("The program is stopping.")
        job_id = uuid.uuid4().hex
        path = self._incoming / job_id
        try:
            size_bytes = fill(path)
            moment = now()
            job = Job(job_id, display_name(name), size_bytes, "queued", moment, moment)
            sender = _Sender(keep)
            with self._changed:
                self._senders[job_id] = sender
            self._work.reserve(job_id, password)
            try:
                self._queue.add(job, self._process)
                self._inbox.put(job_id, path)
                self._queue.open(job_id, self._process if password else None)
            except BaseException:
                self._forget(job_id)
                raise
        finally:
            path.unlink(missing_ok=True)
        if not password:
            self._work.free(job_id)
        self._board.put(job)
        self._work.hurry()
        return job, sender.result

    def job(self, job_id: str) -> Job:
        """One job. Raises UnknownJob."""
        job = self._queue.job(job_id)
        if job is None:
            raise UnknownJob(f"No job has the id {job_id[:64]!r}.")
        return job if job.is_finished else self._work.running().get(job_id, job)

    def jobs(self) -> list[Job]:
        """All jobs, newest first, as they were half a second ago at most."""
        return self._board.jobs()

    def changed_since(self, version: int) -> tuple[int, list[Job]]:
        """See ``Jobs.changed_since``."""
        return self._board.changed_since(version)

    def unfinished(self) -> int:
        """How many files are still to be read, by whichever process."""
        return sum(not job.is_finished for job in self._queue.jobs())

    @property
    def is_stopping(self) -> bool:
        """Whether the program is about to end."""
        return self._stopping

    def cancel(self, job_id: str) -> Job:
        """See ``Jobs.cancel``. One that another process works on ends within a moment too."""
        job = self.job(job_id)
        if job.is_finished:
            self._forget(job_id)
            return job
        return self._withdraw(job)

    def _withdraw(self, job: Job) -> Job:
        error = Cancelled("The upload was cancelled.")
        ended = failed_job(job, error, can_retry=False)
        self._work.withdraw(job.job_id)
        left = self._queue.withdraw(job.job_id, ended)
        if left is None:
            raise UnknownJob(f"No job has the id {job.job_id!r}.")
        if left.state == "cancelled":
            self._inbox.delete(job.job_id)
            self._board.put(left)
            self._tell_sender(left, error)
        return left

    def cancel_for(self, name: str | None = None) -> None:
        """See ``Jobs.cancel_for``."""
        for job in self._queue.jobs():
            if not job.is_finished and name in (None, job.name):
                self._withdraw(job)

    def retry(self, job_id: str, password: str | None = None) -> Job:
        """See ``Jobs.retry``. With a password it is worked on here."""
        job = self.job(job_id)
        if not job.is_finished:
            raise JobUnfinished("The job has not ended yet.")
        if not job.can_retry:
            raise NotRetryable("The file of this job is not kept.")
        moment = now()
        again = replace(
            job,
            state="queued",
            error=None,
            can_retry=False,
            done=0,
            total=0,
            attempts=0,
            created_at=moment,
            updated_at=moment,
        )
        if password:
            self._work.reserve(job_id, password)
        self._queue.put(again, self._process if password else None)
        self._board.put(again)
        self._work.hurry()
        return again

    def stop_soon(self) -> None:
        """Ends event streams and waiting senders; called when the program is told to end."""
        with self._changed:
            self._stopping = True
            for sender in self._senders.values():
                if not sender.result.done():
                    sender.result.set_exception(Interrupted("The program is stopping."))
        self._work.stop()
        self._look_now.set()

    def close(self) -> None:
        """Stops working; what is unfinished is left to the other processes."""
        self.stop_soon()
        self._work.join()
        if self._looker.is_alive():
            self._looker.join()
        try:
            self._queue.leave(self._process)
        except Exception as exc:  # noqa: BLE001 - it ends anyway, and its leases run out
            _log.warning("leases could not be given up: %s", type(exc).__name__)

    def _look(self) -> None:
        """Tells at intervals that this process lives, and sees what the others did."""
        while not self._stopping or self._work.running():
            self._look_now.wait(self._look_every_s)
            self._look_now.clear()
            try:
                self._work.beat()
                self._see()
            except Exception as exc:  # noqa: BLE001 - the next look may succeed
                _log.warning("the jobs cannot be looked at: %s", type(exc).__name__)
                self._work.give_up_late_runs()

    def _see(self) -> None:
        mark = self._board.version
        jobs = self._queue.jobs()
        own = self._work.running()
        self._board.replace(jobs, mark, own)
        by_id = {job.job_id: job for job in jobs}
        if any(not job.is_finished and job.job_id not in own for job in jobs):
            self._work.hurry()
        with self._changed:
            senders = list(self._senders)
        for job_id in senders:
            job = by_id.get(job_id)
            if job is not None and job.is_finished:
                self._answer_sender(job)

    def _answer_sender(self, job: Job) -> None:
        """Of a job that another process has ended."""
        if job.error is not None:
            self._tell_sender(job, error_of(job.error.code, job.error.message, job.error.fix))
        elif job.document_id is not None:
            try:
                document = self._document(job.document_id)
            except UnknownDocument:
                gone = "The file was added, and replaced or removed before its sender was told."
                self._tell_sender(job, UnknownDocument(gone))
            except LocalRagError as error:
                self._tell_sender(job, error)
            else:
                self._tell_sender(job, Added(document, cast("Outcome", job.outcome)))

    def _tell_sender(self, job: Job, end: Added | LocalRagError) -> None:
        with self._changed:
            sender = self._senders.pop(job.job_id, None)
        if sender is None:
            return
        if not sender.result.done():
            if isinstance(end, Added):
                sender.result.set_result(end)
            else:
                sender.result.set_exception(end)
        if not sender.keep:
            self._forget(job.job_id)

    def _forget(self, job_id: str) -> None:
        self._inbox.delete(job_id)
        self._queue.delete(job_id)
        self._board.remove(job_id)
        with self._changed:
            self._senders.pop(job_id, None)
        self._work.free(job_id)
