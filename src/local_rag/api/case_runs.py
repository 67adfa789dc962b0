"""Routes that run the tests and give the report of the last run."""

from __future__ import annotations

import time
from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated, Any

from fastapi import APIRouter, Depends, Request, Response

from local_rag.api.asking import Asking, next_told, replied
from local_rag.api.case_schemas import Running
from local_rag.api.documents import Program
from local_rag.api.event_stream import MEDIA_TYPE, event, last_event
from local_rag.composition import Services
from local_rag.evaluation.library_cases import LibraryCases
from local_rag.evaluation.library_runs import LibraryRuns

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Mapping
    from threading import Event

    from local_rag.evaluation.library_runs import Done
    from local_rag.evaluation.results import Figure, Run

case_runs_router = APIRouter(prefix="/api/tests")

REPORT_PATH = "/api/tests/runs/last.html"
_REPORT_POLICY = (
    "default-src 'none'; style-src 'unsafe-inline'; img-src data:; form-action 'none'; "
    "base-uri 'none'; frame-ancestors 'none'; sandbox"
)
_BEAT_EVERY_S = 1.0


def _runs_of(request: Request) -> LibraryRuns:
    runs: LibraryRuns = request.app.state.case_runs
    return runs


Runs = Annotated[LibraryRuns, Depends(_runs_of)]


@case_runs_router.post(
    "/run", responses={200: {"content": {"application/json": {}, MEDIA_TYPE: {}}}}
)
async def run_tests(request: Request, program: Program, runs: Runs, body: Running) -> Response:
    """Asks the tests, one by one, and says what came of them; one run at a time.

    With ``Accept: text/event-stream`` it tells how far it is: events ``progress`` (after each test
    and each second), then ``done`` with the same content as the plain reply, or ``error``. Going
    away stops the run.
    """

    def work(cancel: Event, tell: Callable[[Done], None]) -> dict[str, Any]:
        only_approved = body.which == "approved"
        cases = LibraryCases(program.cases).to_run(only_approved=only_approved)
        return summary_json(runs.run(cases, cancel, tell))

    asking: Asking[Done] = Asking(work)
    return await replied(request, program, asking, _events)


async def _events(
    request: Request, program: Services, asking: Asking[Done], first: Done
) -> AsyncIterator[str]:
    """The events of a run that has told ``first``."""
    begun = time.monotonic()
    here: Done = first
    told: Done | None = first
    try:
        while told is not None:
            here = told
            elapsed_ms = round((time.monotonic() - begun) * 1000)
            yield event("progress", asdict(here) | {"elapsed_ms": elapsed_ms})
            try:
                told = await next_told(request, program, asking, _BEAT_EVERY_S)
            except TimeoutError:
                told = here  # said again, with the seconds that went by
        yield last_event(asking.reply)
    finally:
        asking.stop()


@case_runs_router.get("/runs/last")
def last_run(runs: Runs, *, summary: bool = False) -> dict[str, Any]:
    """The last run, whole, or its figures alone."""
    found = runs.last()
    return summary_json(found) if summary else found.to_json()


@case_runs_router.get("/runs/last.html", response_class=Response)
def last_report(runs: Runs) -> Response:
    """The report of the last run: a page that runs nothing and loads nothing."""
    headers = {"Content-Security-Policy": _REPORT_POLICY, "Cache-Control": "no-store"}
    return Response(runs.last_report(), media_type="text/html; charset=utf-8", headers=headers)


def summary_json(found: Run) -> dict[str, Any]:
    """What came of a run, without the answers.

    ``passed`` is null where no test was approved: then there is nothing to be kept.
    """
    variant = found.variants[0]
    return {
        "begun_at": found.begun_at,
        "cases": found.data_set["cases"],
        "approved": found.data_set["approved"],
        "figures": _figures_json(variant.figures),
        "not_approved": _figures_json(variant.not_approved),
        "latency_ms": variant.latency_ms.get("total"),
        "failed": [
            {"case_id": one.case_id, "question": one.question, "reason": one.failure}
            for one in variant.results
            if one.failure
        ],
        "gates": [asdict(gate) for gate in found.gates],
        "passed": all(gate.kept for gate in found.gates) if found.gates else None,
        "report": REPORT_PATH,
    }


def _figures_json(figures: Mapping[str, Figure]) -> dict[str, Any]:
    return {name: asdict(figure) for name, figure in figures.items()}
