"""The jobs that several processes share, in the catalogue's database.

A lease beside each job says who works on it and until when that is believed. Times are the
database's own: clocks of machines differ.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import sqlalchemy as sa

from local_rag.adapters.sql_jobs import job_from, row_of
from local_rag.adapters.tables import job_leases, jobs
from local_rag.model.job import UNFINISHED

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from local_rag.model.job import Job
    from local_rag.ports import Verdict

_CLOCKS = {
    "postgresql": "extract(epoch FROM clock_timestamp())",
    "sqlite": "(julianday('now') - 2440587.5) * 86400.0",
}
_UNFINISHED = jobs.c.state.in_(UNFINISHED)


class SqlJobQueue:
    """``ports.JobQueue`` in the database of the catalogue.

    Args:
        engine: of ``open_database``; the catalogue closes it.
        lease_s: seconds after which a process that does not tell that it lives is taken for dead.
    """

    def __init__(self, engine: sa.Engine, *, lease_s: float) -> None:
        self._engine = engine
        self._lease_s = lease_s
        self._now: sa.ColumnElement[float] = sa.literal_column(
            _CLOCKS[engine.dialect.name], sa.Float
        )
        self._adopt()

    def _adopt(self) -> None:
        """Jobs of a time in which one process had the database to itself have no lease yet."""
        known = sa.select(job_leases.c.job_id)
        free = sa.select(jobs.c.job_id, sa.null(), sa.literal(0.0), sa.true(), sa.false()).where(
            jobs.c.job_id.not_in(known)
        )
        columns = ["job_id", "holder", "until", "ready", "withdrawn"]
        with self._engine.begin() as connection:
            connection.execute(sa.insert(job_leases).from_select(columns, free))

    @property
    def _until(self) -> sa.ColumnElement[float]:
        return self._now + self._lease_s

    def add(self, job: Job, process: str) -> None:
        """See ``ports.JobQueue.add``."""
        with self._engine.begin() as connection:
            connection.execute(sa.insert(jobs), row_of(job))
            connection.execute(
                sa.insert(job_leases).values(
                    job_id=job.job_id,
                    holder=process,
                    until=self._until,
                    ready=False,
                    withdrawn=False,
                )
            )

    def open(self, job_id: str, process: str | None) -> None:
        """See ``ports.JobQueue.open``."""
        with self._engine.begin() as connection:
            connection.execute(_lease(job_id).values(ready=True, holder=process))

    def claim(self, process: str) -> Job | None:
        """See ``ports.JobQueue.claim``."""
        older = jobs.alias()
        name_is_taken = sa.exists().where(
            older.c.name == jobs.c.name,
            older.c.state.in_(UNFINISHED),
            sa.tuple_(older.c.created_at, older.c.job_id)
            < sa.tuple_(jobs.c.created_at, jobs.c.job_id),
        )
        free = sa.or_(
            job_leases.c.until < self._now,
            sa.and_(
                job_leases.c.ready,
                sa.or_(
                    job_leases.c.holder.is_(None),
                    sa.and_(job_leases.c.holder == process, jobs.c.state == "queued"),
                ),
            ),
        )
        oldest = (
            sa.select(jobs.c.job_id)
            .join(job_leases, job_leases.c.job_id == jobs.c.job_id)
            .where(_UNFINISHED, free, ~name_is_taken)
            .order_by(jobs.c.created_at, jobs.c.job_id)
            .limit(1)
            .with_for_update(of=job_leases, skip_locked=True)
        )
        with self._engine.begin() as connection:
            self._begin_writing(connection)
            job_id = connection.scalar(oldest)
            if job_id is None:
                return None
            # What was read may be older than the lock: the job may have ended in between.
            begun = connection.execute(
                sa.update(jobs)
                .where(jobs.c.job_id == job_id, _UNFINISHED)
                .values(state="extracting", done=0, total=0, attempts=jobs.c.attempts + 1)
                .returning(*jobs.c)
            ).mappings()
            row = begun.one_or_none()
            if row is None:
                return None
            connection.execute(_lease(job_id).values(holder=process, until=self._until, ready=True))
        return job_from(row)

    def _begin_writing(self, connection: sa.Connection) -> None:
        """SQLite knows no locks of rows: the whole database is locked before the first read."""
        if self._engine.dialect.name == "sqlite":
            connection.execute(sa.delete(job_leases).where(sa.false()))

    def beat(self, process: str, progress: Mapping[str, tuple[int, int]]) -> dict[str, Verdict]:
        """See ``ports.JobQueue.beat``."""
        if not progress:
            return {}
        with self._engine.begin() as connection:
            held = connection.execute(
                sa.update(job_leases)
                .where(job_leases.c.holder == process, job_leases.c.job_id.in_(list(progress)))
                .values(until=self._until)
                .returning(job_leases.c.job_id, job_leases.c.withdrawn)
            ).all()
            verdicts: dict[str, Verdict] = {
                job_id: "withdrawn" if withdrawn else "held" for job_id, withdrawn in held
            }
            for job_id in sorted(verdicts):
                done, total = progress[job_id]
                connection.execute(
                    sa.update(jobs).where(jobs.c.job_id == job_id).values(done=done, total=total)
                )
        return verdicts

    def check(self, process: str, job_id: str) -> Verdict:
        """See ``ports.JobQueue.check``."""
        held = _lease(job_id).where(job_leases.c.holder == process).values(until=self._until)
        with self._engine.begin() as connection:
            withdrawn = connection.scalar(held.returning(job_leases.c.withdrawn))
        if withdrawn is None:
            return "lost"
        return "withdrawn" if withdrawn else "held"

    def save(self, process: str, job: Job) -> bool:
        """See ``ports.JobQueue.save``."""
        ends = job.is_finished or job.state == "queued"
        held = _lease(job.job_id).where(job_leases.c.holder == process)
        changes = {"holder": None} if ends else {"until": self._until}
        with self._engine.begin() as connection:
            if connection.execute(held.values(**changes)).rowcount == 0:
                return False
            connection.execute(
                sa.update(jobs).where(jobs.c.job_id == job.job_id).values(**row_of(job))
            )
        return True

    def withdraw(self, job_id: str, cancelled: Job) -> Job | None:
        """See ``ports.JobQueue.withdraw``."""
        free = sa.or_(job_leases.c.holder.is_(None), job_leases.c.until < self._now)
        with self._engine.begin() as connection:
            # Marked first: this locks the lease against a claim.
            connection.execute(_lease(job_id).values(withdrawn=True))
            nobody = connection.scalar(
                sa.select(job_leases.c.job_id).where(job_leases.c.job_id == job_id, free)
            )
            if nobody is not None:
                connection.execute(
                    sa.update(jobs)
                    .where(jobs.c.job_id == job_id, _UNFINISHED)
                    .values(**row_of(cancelled))
                )
            return next(self._jobs(connection, jobs.c.job_id == job_id), None)

    def put(self, job: Job, process: str | None) -> None:
        """See ``ports.JobQueue.put``."""
        with self._engine.begin() as connection:
            connection.execute(
                _lease(job.job_id).values(
                    holder=process, until=self._until, ready=True, withdrawn=False
                )
            )
            connection.execute(
                sa.update(jobs).where(jobs.c.job_id == job.job_id).values(**row_of(job))
            )

    def leave(self, process: str) -> None:
        """See ``ports.JobQueue.leave``."""
        held = sa.update(job_leases).where(job_leases.c.holder == process)
        with self._engine.begin() as connection:
            connection.execute(held.values(holder=None))

    def job(self, job_id: str) -> Job | None:
        """See ``ports.JobQueue.job``."""
        with self._engine.connect() as connection:
            return next(self._jobs(connection, jobs.c.job_id == job_id), None)

    def jobs(self) -> list[Job]:
        """See ``ports.JobQueue.jobs``."""
        with self._engine.connect() as connection:
            return list(self._jobs(connection, sa.true()))

    def _jobs(self, connection: sa.Connection, condition: sa.ColumnElement[bool]) -> Iterator[Job]:
        rows: Any = connection.execute(sa.select(jobs).where(condition)).mappings()
        return (job_from(row) for row in rows)

    def delete(self, job_id: str) -> None:
        """See ``ports.JobQueue.delete``."""
        with self._engine.begin() as connection:
            connection.execute(sa.delete(jobs).where(jobs.c.job_id == job_id))


def _lease(job_id: str) -> sa.Update:
    return sa.update(job_leases).where(job_leases.c.job_id == job_id)
