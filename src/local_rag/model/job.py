"""A file on its way into the library."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

JobState = Literal[
    "queued", "extracting", "embedding", "committing", "searchable", "failed", "cancelled"
]
"""The first four are unfinished, in this order; the last three are ends."""

UNFINISHED: tuple[JobState, ...] = ("queued", "extracting", "embedding", "committing")


@dataclass(frozen=True, slots=True)
class JobError:
    """Why a job failed, as every error is shown."""

    code: str
    message: str
    fix: str


@dataclass(frozen=True, slots=True)
class Job:
    """What became of a file that was sent, so far.

    Attributes:
        job_id: 32 lower hex digits.
        name: as the document will be called.
        done, total: pages while extracting, passages while embedding; ``total`` 0: not known yet.
        attempts: how often its work was begun.
        created_at, updated_at: UTC, ISO 8601 with microseconds.
        outcome, document_id: what ``Library.add`` said, once searchable.
        can_retry: whether the file is kept, so that it can be tried again.
    """

    job_id: str
    name: str
    size_bytes: int
    state: JobState
    created_at: str
    updated_at: str
    done: int = 0
    total: int = 0
    attempts: int = 0
    outcome: str | None = None
    document_id: str | None = None
    error: JobError | None = None
    can_retry: bool = False

    @property
    def is_finished(self) -> bool:
        """Whether nothing more will happen to it by itself."""
        return self.state not in UNFINISHED

    @property
    def is_worked_on(self) -> bool:
        """Whether it is neither waiting nor finished."""
        return not self.is_finished and self.state != "queued"
