"""The jobs that are known, in memory and in their store, each with its file."""

from __future__ import annotations

import logging
import threading
from concurrent.futures import Future, InvalidStateError
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from local_rag.errors import Cancelled, InputError, LocalRagError, PasswordRequired, UnknownJob
from local_rag.model.job import Job, JobError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from local_rag.ports import JobStore
    from local_rag.usecases.library import Added

_log = logging.getLogger(__name__)
_MOST_ENDED = 500


@dataclass(slots=True, eq=False)
class LiveJob:
    """A job in memory: its record, and what no store keeps."""

    job: Job
    version: int = 0
    password: str | None = None
    keep: bool = True
    withdrawn: bool = False
    result: Future[Added] = field(default_factory=Future)


class JobList:
    """Keeps the jobs and numbers their changes.

    Args:
        incoming: folder of the files; each lies there under its job's id.

    Attributes:
        changed: guards the list and everything in it; notified of each change. Held by the caller
            of whatever is not said to take it.
    """

    def __init__(self, store: JobStore, incoming: Path) -> None:
        self.changed = threading.Condition()
        self._store = store
        self._incoming = incoming
        self._live: dict[str, LiveJob] = {}
        self._version = 0
        self._is_loaded = False

    def load(self) -> list[LiveJob]:
        """Takes up what an earlier run left, and deletes the files that no job needs.

        Returns:
            The unfinished jobs, oldest first.
        """
        self._incoming.mkdir(parents=True, exist_ok=True)
        for job in sorted(self._store.jobs(), key=lambda job: job.created_at):
            self._live[job.job_id] = LiveJob(job)
        self._is_loaded = True
        self.trim()
        needed = {job.job_id for job in self.jobs() if job.can_retry or not job.is_finished}
        for path in self._incoming.iterdir():
            if path.name not in needed and path.is_file():
                path.unlink(missing_ok=True)
        return self.unfinished()

    def put_new(self, live: LiveJob) -> None:
        """Puts a job on the list."""
        self._store.put(live.job)
        self._live[live.job.job_id] = live
        self._touch(live)

    def known(self, job_id: str) -> LiveJob:
        """One job. Raises UnknownJob."""
        live = self._live.get(job_id)
        if live is None:
            raise UnknownJob(f"No job has the id {job_id[:64]!r}.")
        return live

    def unfinished(self) -> list[LiveJob]:
        """The jobs that have not ended."""
        return [live for live in self._live.values() if not live.job.is_finished]

    def count_unfinished(self) -> int:
        """How many have not ended; before ``load``: how many an earlier run left."""
        jobs = self.jobs() if self._is_loaded else self._store.jobs()
        return sum(not job.is_finished for job in jobs)

    def jobs(self) -> list[Job]:
        """All jobs, newest first."""
        found = [live.job for live in self._live.values()]
        return sorted(found, key=lambda job: (job.created_at, job.job_id), reverse=True)

    def changed_since(self, version: int) -> tuple[int, list[Job]]:
        """See ``Jobs.changed_since``."""
        found = [live for live in self._live.values() if live.version > version]
        found.sort(key=lambda live: live.version)
        return self._version, [live.job for live in found]

    def update(self, live: LiveJob, *, store: bool = True, **changes: object) -> None:
        """Changes fields of the record, in the store too if it is to survive a restart.

        A store that refuses changes nothing else: the file would be worked on anew after a
        restart, and be found unchanged.
        """
        live.job = replace(live.job, updated_at=now(), **changes)  # type: ignore[arg-type]
        if store:
            with self._logged():
                self._store.put(live.job)
        self._touch(live)

    def requeue(self, live: LiveJob, password: str | None) -> LiveJob:
        """Puts a finished job on the list anew, as if it had just been sent."""
        again = LiveJob(
            replace(live.job, error=None, can_retry=False, created_at=now()), password=password
        )
        self._live[live.job.job_id] = again
        self.update(again, state="queued", done=0, total=0, attempts=0)
        return again

    def finish(self, live: LiveJob, added: Added) -> None:
        """The file is searchable; its sender is told."""
        self.delete_file(live)
        self.update(
            live,
            state="searchable",
            outcome=added.outcome,
            document_id=added.document.document_id,
        )
        with suppress(InvalidStateError):  # the sender has been told something else, or has left
            live.result.set_result(added)
        self._let_go(live)

    def fail(self, live: LiveJob, error: LocalRagError) -> None:
        """The file is not searchable; its sender is told."""
        cancelled = isinstance(error, Cancelled)
        can_retry = live.keep and _may_end_otherwise(error) and self.has_file(live)
        if not can_retry:
            self.delete_file(live)
        self.update(
            live,
            state="cancelled" if cancelled else "failed",
            error=JobError(error.code, error.message, error.fix),
            can_retry=can_retry,
        )
        with suppress(InvalidStateError):
            live.result.set_exception(error)
        self._let_go(live)

    def _let_go(self, live: LiveJob) -> None:
        live.password = None
        if not live.keep:
            self.drop(live)
        self.trim()

    def record_cancelled(self, live: LiveJob) -> None:
        """Sees to it that a job which is about to end is not begun anew after a crash."""
        with self._logged():
            self._store.put(replace(live.job, state="cancelled"))

    def drop(self, live: LiveJob) -> None:
        """Takes a job off the list; its file is deleted."""
        self.delete_file(live)
        with self._logged():
            self._store.delete(live.job.job_id)
        self._live.pop(live.job.job_id, None)
        self.changed.notify_all()

    def trim(self) -> None:
        """Drops the oldest of very many jobs that have ended, failed ones last."""
        ended = [live for live in self._live.values() if live.job.is_finished]
        ended.sort(key=lambda live: (live.job.state == "failed", live.job.updated_at))
        for live in ended[: max(0, len(ended) - _MOST_ENDED)]:
            self.drop(live)

    def file(self, job_id: str) -> Path:
        """Where the file of a job lies, if it is there."""
        return self._incoming / job_id

    def has_file(self, live: LiveJob) -> bool:
        """Whether the file of a job is there."""
        return self.file(live.job.job_id).is_file()

    def delete_file(self, live: LiveJob) -> None:
        """Deletes the file of a job, if it is there."""
        with suppress(OSError):
            self.file(live.job.job_id).unlink(missing_ok=True)

    @staticmethod
    @contextmanager
    def _logged() -> Iterator[None]:
        try:
            yield
        except Exception as exc:  # noqa: BLE001 - whatever it is, the job goes on in memory
            _log.error("a job could not be recorded: %s", type(exc).__name__)

    def _touch(self, live: LiveJob) -> None:
        self._version += 1
        live.version = self._version
        self.changed.notify_all()


def _may_end_otherwise(error: LocalRagError) -> bool:
    return isinstance(error, PasswordRequired) or not isinstance(error, InputError)


def now() -> str:
    """UTC, ISO 8601 with microseconds."""
    return datetime.now(UTC).isoformat(timespec="microseconds")
