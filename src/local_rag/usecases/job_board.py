"""What this process knows of the jobs that several processes share, and what has changed."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from local_rag.model.job import Job


class JobBoard:
    """The jobs as they were seen last; each change gets a version.

    Attributes:
        changed: guards the board; notified of each change.
    """

    def __init__(self) -> None:
        self.changed = threading.Condition()
        self._seen: dict[str, tuple[int, Job]] = {}
        self._removed: dict[str, int] = {}
        self._version = 0

    @property
    def version(self) -> int:
        """Of the newest change."""
        with self.changed:
            return self._version

    def put(self, job: Job) -> None:
        """This process has changed the job."""
        with self.changed:
            self._version += 1
            self._seen[job.job_id] = (self._version, job)
            self.changed.notify_all()

    def remove(self, job_id: str) -> None:
        """This process has removed the job."""
        with self.changed:
            self._version += 1
            self._seen.pop(job_id, None)
            self._removed[job_id] = self._version
            self.changed.notify_all()

    def replace(self, jobs: Iterable[Job], mark: int, own: Collection[str]) -> None:
        """All jobs as the database has them.

        Args:
            mark: the version before they were read: what this process has changed since is newer.
            own: jobs that this process works on: it knows them better than the database.
        """
        with self.changed:
            read = {job.job_id: job for job in jobs}
            for job_id in [i for i, (v, _) in self._seen.items() if i not in read and v <= mark]:
                del self._seen[job_id]
            for job_id, job in read.items():
                version, known = self._seen.get(job_id, (0, None))
                newer_here = max(version, self._removed.get(job_id, 0)) > mark
                if known != job and not newer_here and job_id not in own:
                    self._version += 1
                    self._seen[job_id] = (self._version, job)
            self._removed = {i: v for i, v in self._removed.items() if v > mark}
            self.changed.notify_all()

    def jobs(self) -> list[Job]:
        """All jobs, newest first."""
        with self.changed:
            found = [job for _, job in self._seen.values()]
        return sorted(found, key=lambda job: (job.created_at, job.job_id), reverse=True)

    def changed_since(self, version: int) -> tuple[int, list[Job]]:
        """The version now, and the jobs that changed after the given one, oldest change first."""
        with self.changed:
            found = sorted(
                (pair for pair in self._seen.values() if pair[0] > version),
                key=lambda pair: pair[0],
            )
            return self._version, [job for _, job in found]
