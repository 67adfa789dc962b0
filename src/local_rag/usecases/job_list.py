"""The jobs that are known, in memory and in their store, each with its file."""

from __future__ import annotations

import threading
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from local_rag.errors import UnknownJob

if TYPE_CHECKING:
    from pathlib import Path

    from local_rag.model.job import Job
    from local_rag.ports import JobStore
    from local_rag.usecases.library import Added

_MOST_KEPT = 500


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

    def load(self) -> list[LiveJob]:
        """Takes up what an earlier run left, and deletes the files that no job needs.

        Returns:
            The unfinished jobs, oldest first.
        """
        self._incoming.mkdir(parents=True, exist_ok=True)
        known = sorted(self._store.jobs(), key=lambda job: job.created_at)
        for job in known[: max(0, len(known) - _MOST_KEPT)]:
            if job.is_finished:
                self._store.delete(job.job_id)
        for job in known[-_MOST_KEPT:]:
            self._live[job.job_id] = LiveJob(job, self._version)
        needed = {job.job_id for job in self.jobs() if job.can_retry or not job.is_finished}
        for path in self._incoming.iterdir():
            if path.name not in needed and path.is_file():
                path.unlink(missing_ok=True)
        return [live for live in self._live.values() if not live.job.is_finished]

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
        """Changes fields of the record; ``store``: also those that survive a restart."""
        live.job = replace(live.job, updated_at=now(), **changes)  # type: ignore[arg-type]
        if store:
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

    def drop(self, live: LiveJob) -> None:
        """Takes a job off the list; its file is deleted."""
        self.delete_file(live)
        self._store.delete(live.job.job_id)
        self._live.pop(live.job.job_id, None)
        self.changed.notify_all()

    def file(self, job_id: str) -> Path:
        """Where the file of a job lies, if it is there."""
        return self._incoming / job_id

    def delete_file(self, live: LiveJob) -> None:
        """Deletes the file of a job, if it is there."""
        with suppress(OSError):
            self.file(live.job.job_id).unlink(missing_ok=True)

    def _touch(self, live: LiveJob) -> None:
        self._version += 1
        live.version = self._version
        self.changed.notify_all()


def now() -> str:
    """UTC, ISO 8601 with microseconds."""
    return datetime.now(UTC).isoformat(timespec="microseconds")
