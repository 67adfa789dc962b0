"""Files on their way into the library: queued, worked off, cancelled, tried again."""

from __future__ import annotations

import logging
import threading
import uuid
from concurrent.futures import InvalidStateError
from contextlib import suppress
from typing import TYPE_CHECKING

from local_rag.errors import (
    Cancelled,
    EnvironmentFault,
    Interrupted,
    JobUnfinished,
    LocalRagError,
    NotRetryable,
)
from local_rag.model.job import Job
from local_rag.text.names import display_name
from local_rag.usecases.job_list import JobList, LiveJob, now

if TYPE_CHECKING:
    from collections.abc import Callable
    from concurrent.futures import Future
    from pathlib import Path

    from local_rag.ports import JobStore
    from local_rag.usecases.library import Added, Library
    from local_rag.usecases.watch import Stage

_log = logging.getLogger(__name__)
_MOST_ATTEMPTS = 2  # a file that ended the program twice is not tried a third time


class Jobs:
    """The queue in front of ``Library.add``.

    A few files are worked on at once, those of one name one after the other in the order in which
    they came. What is unfinished when the program ends is begun anew at the next start.

    Args:
        incoming: folder of the files; each lies there under its job's id until it is searchable,
            or failed for good, or its job is removed.
        workers: files worked on at once.
    """

    def __init__(
        self, library: Library, store: JobStore, incoming: Path, *, workers: int = 2
    ) -> None:
        self._library = library
        self._list = JobList(store, incoming)
        self._changed = self._list.changed  # guards all below, too
        self._waiting: list[LiveJob] = []
        self._busy_names: set[str] = set()
        self._stopping = False
        self._workers = [
            threading.Thread(target=self._work, name=f"job-{n}", daemon=True)
            for n in range(workers)
        ]

    def start(self) -> None:
        """Takes up what an earlier run left, and begins to work."""
        with self._changed:
            for live in self._list.load():
                self._adopt(live)
        for worker in self._workers:
            worker.start()

    def _adopt(self, live: LiveJob) -> None:
        job = live.job
        if job.attempts >= _MOST_ATTEMPTS or not self._list.has_file(live):
            error = Interrupted("The program ended while it worked on this file.")
            self._list.fail(live, error)
        else:
            self._list.update(live, state="queued", done=0, total=0)
            self._waiting.append(live)

    def submit(
        self,
        fill: Callable[[Path], int],
        name: str,
        *,
        password: str | None = None,
        keep: bool = True,
    ) -> tuple[Job, Future[Added]]:
        """Queues a file.

        Returns:
            The job, and what will come out of it or the error that it will fail with.

        Args:
            fill: writes the file to the path it is given and returns its size in bytes.
            password: opens the file; kept in memory only, until the job is finished.
            keep: whether the job stays listed when it has ended; else only who sent the
                file is told.
        """
        job_id = uuid.uuid4().hex
        path = self._list.file(job_id)
        try:
            size_bytes = fill(path)
            sent_at = now()
            job = Job(job_id, display_name(name), size_bytes, "queued", sent_at, sent_at)
            live = LiveJob(job, password=password, keep=keep)
            self._enqueue(live)
        except BaseException:
            path.unlink(missing_ok=True)
            raise
        return job, live.result

    def _enqueue(self, live: LiveJob) -> None:
        with self._changed:
            if self._stopping:
                raise Interrupted("The program is stopping.")
            self._list.put_new(live)
            self._waiting.append(live)

    def job(self, job_id: str) -> Job:
        """One job. Raises UnknownJob."""
        with self._changed:
            return self._list.known(job_id).job

    def jobs(self) -> list[Job]:
        """All jobs, newest first."""
        with self._changed:
            return self._list.jobs()

    def changed_since(self, version: int) -> tuple[int, list[Job]]:
        """The version now, and the jobs that changed after the given one, oldest change first.

        A job that was removed is not among them.
        """
        with self._changed:
            return self._list.changed_since(version)

    def unfinished(self) -> int:
        """How many files are still to be read; before the start: how many an earlier run left."""
        with self._changed:
            return self._list.count_unfinished()

    @property
    def is_stopping(self) -> bool:
        """Whether the program is about to end."""
        return self._stopping

    def cancel(self, job_id: str) -> Job:
        """Stops a job, or takes a finished one off the list; its file is deleted.

        Returns:
            The job as it was left. One that is being worked on ends within a moment.
        """
        with self._changed:
            live = self._list.known(job_id)
            if live.job.is_finished:
                self._list.drop(live)
            else:
                self._withdraw(live)
            return live.job

    def cancel_for(self, name: str | None = None) -> None:
        """Stops the unfinished jobs of this name, or all: their document has been removed."""
        with self._changed:
            for live in self._list.unfinished():
                if name in (None, live.job.name):
                    self._withdraw(live)

    def retry(self, job_id: str, password: str | None = None) -> Job:
        """Queues a failed job again.

        Raises:
            UnknownJob: there is no such job.
            JobUnfinished: it has not ended yet.
            NotRetryable: its file is not kept.
        """
        with self._changed:
            live = self._list.known(job_id)
            if not live.job.is_finished:
                raise JobUnfinished("The job has not ended yet.")
            if live.job.can_retry and not self._list.has_file(live):
                self._list.update(live, can_retry=False)
            if not live.job.can_retry:
                raise NotRetryable("The file of this job is not kept.")
            again = self._list.requeue(live, password)
            self._waiting.append(again)
            return again.job

    def stop_soon(self) -> None:
        """Ends event streams and waiting senders; called when the program is told to end."""
        with self._changed:
            self._stopping = True
            for live in self._list.unfinished():
                with suppress(InvalidStateError):
                    live.result.set_exception(Interrupted("The program is stopping."))
            self._changed.notify_all()

    def close(self) -> None:
        """Stops working; what is unfinished stays queued for the next start."""
        self.stop_soon()
        for worker in self._workers:
            if worker.is_alive():
                worker.join()

    def _work(self) -> None:
        while True:
            with self._changed:
                live = self._next()
                while live is None and not self._stopping:
                    self._changed.wait()
                    live = self._next()
                if self._stopping or live is None:
                    return
                self._busy_names.add(live.job.name)
                self._list.update(live, state="extracting", attempts=live.job.attempts + 1)
            self._run(live)
            with self._changed:
                self._busy_names.discard(live.job.name)
                self._changed.notify_all()

    def _next(self) -> LiveJob | None:
        for live in self._waiting:
            if live.job.name not in self._busy_names:
                self._waiting.remove(live)
                return live
        return None

    def _run(self, live: LiveJob) -> None:
        def watch(stage: Stage, done: int, total: int) -> None:
            with self._changed:
                if live.withdrawn:
                    raise Cancelled("The upload was cancelled.")
                if self._stopping:
                    raise _Stopped
                reached = (stage, done, total)
                if (live.job.state, live.job.done, live.job.total) != reached:
                    moved_on = live.job.state != stage
                    self._list.update(live, store=moved_on, state=stage, done=done, total=total)

        path = self._list.file(live.job.job_id)
        try:
            added = self._library.add(path, live.job.name, watch, password=live.password)
        except _Stopped:
            with self._changed:
                self._put_back(live)
        except Exception as exc:  # noqa: BLE001 - whatever it is, the sender must be told
            with self._changed:
                # While the program stops the readers are being ended: not the file's fault.
                if self._stopping and not live.withdrawn:
                    self._put_back(live)
                else:
                    self._list.fail(live, _expected(exc))
        else:
            with self._changed:
                self._list.finish(live, added)

    def _put_back(self, live: LiveJob) -> None:
        self._list.update(live, state="queued", attempts=live.job.attempts - 1)

    def _withdraw(self, live: LiveJob) -> None:
        live.withdrawn = True
        if live in self._waiting:
            self._waiting.remove(live)
            self._list.fail(live, Cancelled("The upload was cancelled."))
        else:
            self._list.record_cancelled(live)


class _Stopped(BaseException):
    """The program ends: not an error of the job."""


def _expected(error: Exception) -> LocalRagError:
    if isinstance(error, LocalRagError):
        return error
    _log.error("a job ended in an unexpected %s", type(error).__name__)
    return EnvironmentFault(f"Something went wrong ({type(error).__name__}).")
