"""Routes of the jobs: files on their way into the library."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

import anyio
from anyio import to_thread
from fastapi import APIRouter, Request
from fastapi.responses import StreamingResponse
from pydantic import BaseModel, ConfigDict, Field

from local_rag.api.documents import Program
from local_rag.api.event_stream import event, event_stream
from local_rag.api.schemas import job_json

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from local_rag.usecases.jobs import Jobs
    from local_rag.usecases.shared_jobs import SharedJobs

jobs_router = APIRouter(prefix="/api/jobs")

_LOOK_EVERY_S = 0.2
_BEAT_EVERY_S = 1.0


class Retry(BaseModel):
    """Body of ``POST /api/jobs/{id}/retry``."""

    model_config = ConfigDict(extra="forbid", strict=True)

    password: str | None = Field(default=None, max_length=1000)


@jobs_router.get("")
def list_all(program: Program) -> dict[str, Any]:
    """All jobs, newest first."""
    return {"jobs": [job_json(job) for job in program.jobs.jobs()]}


@jobs_router.get("/events")
async def events(request: Request, program: Program) -> StreamingResponse:
    """Server-sent events ``job``, one for each change, and each second while one is worked on.

    The first events give the jobs that are unfinished or failed, as they are.
    """
    return event_stream(_events(request, program.jobs))


async def _events(request: Request, jobs: Jobs | SharedJobs) -> AsyncIterator[str]:
    # In a thread: while a job is being recorded, the list has to be waited for.
    version, changed = await to_thread.run_sync(jobs.changed_since, -1)
    changed = [job for job in changed if job.state not in ("searchable", "cancelled")]
    beat = time.monotonic()
    yield "retry: 2000\n\n"
    while not jobs.is_stopping and not await request.is_disconnected():
        if not changed and time.monotonic() - beat >= _BEAT_EVERY_S:
            changed = [job for job in await to_thread.run_sync(jobs.jobs) if job.is_worked_on]
            if not changed:
                yield ": still here\n\n"
                beat = time.monotonic()
        for job in changed:
            yield event("job", job_json(job))
            beat = time.monotonic()
        await anyio.sleep(_LOOK_EVERY_S)
        version, changed = await to_thread.run_sync(jobs.changed_since, version)


@jobs_router.get("/{job_id}")
def show(program: Program, job_id: str) -> dict[str, Any]:
    """One job."""
    return job_json(program.jobs.job(job_id))


@jobs_router.delete("/{job_id}")
def cancel(program: Program, job_id: str) -> dict[str, Any]:
    """Stops a job, or takes one that has ended off the list."""
    return job_json(program.jobs.cancel(job_id))


@jobs_router.post("/{job_id}/retry", status_code=202)
def retry(program: Program, job_id: str, body: Retry | None = None) -> dict[str, Any]:
    """Queues a failed job again, with a password if its file needs one."""
    return job_json(program.jobs.retry(job_id, body.password if body else None))
