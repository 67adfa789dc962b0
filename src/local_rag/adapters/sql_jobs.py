"""The jobs in the catalogue's database."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import sqlalchemy as sa

from local_rag.adapters.tables import jobs
from local_rag.model.job import Job, JobError

if TYPE_CHECKING:
    from collections.abc import Mapping


class SqlJobStore:
    """``ports.JobStore`` in the database of the catalogue.

    Args:
        engine: of ``open_database``; the catalogue closes it.
    """

    def __init__(self, engine: sa.Engine) -> None:
        self._engine = engine

    def put(self, job: Job) -> None:
        """See ``ports.JobStore.put``."""
        with self._engine.begin() as connection:
            connection.execute(sa.delete(jobs).where(jobs.c.job_id == job.job_id))
            connection.execute(sa.insert(jobs), row_of(job))

    def jobs(self) -> list[Job]:
        """See ``ports.JobStore.jobs``."""
        with self._engine.connect() as connection:
            return [job_from(row) for row in connection.execute(sa.select(jobs)).mappings()]

    def delete(self, job_id: str) -> None:
        """See ``ports.JobStore.delete``."""
        with self._engine.begin() as connection:
            connection.execute(sa.delete(jobs).where(jobs.c.job_id == job_id))


def row_of(job: Job) -> dict[str, Any]:
    """The job as a row of ``tables.jobs``."""
    row: dict[str, Any] = {
        column.name: getattr(job, column.name)
        for column in jobs.c
        if not column.name.startswith("error_")
    }
    error = job.error
    return row | {
        "error_code": error and error.code,
        "error_message": error and error.message,
        "error_fix": error and error.fix,
    }


def job_from(row: Mapping[Any, Any]) -> Job:
    """The job of a row of ``tables.jobs``."""
    fields = dict(row)
    code, message, fix = (fields.pop(f"error_{part}") for part in ("code", "message", "fix"))
    return Job(**fields, error=None if code is None else JobError(code, message, fix))
