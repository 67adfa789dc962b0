"""Routes that ask."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

from fastapi import APIRouter, Request, Response

from local_rag.api.asking import Asking, next_told, replied
from local_rag.api.conversations import reply_to
from local_rag.api.documents import Program
from local_rag.api.event_stream import MEDIA_TYPE, event, last_event
from local_rag.api.schemas import (
    QueryRequest,
    RetrieveRequest,
    audited_json,
    retrieval_json,
    stated_json,
)
from local_rag.model.told import Audited, Begun, Found

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable
    from threading import Event

    from local_rag.composition import Services
    from local_rag.model.told import Told

questions_router = APIRouter(prefix="/api")

_BEAT_EVERY_S = 1.0


@questions_router.post(
    "/query",
    responses={
        200: {"content": {"application/json": {}, MEDIA_TYPE: {}}},
    },
)
async def query(request: Request, program: Program, body: QueryRequest) -> Response:
    """Answers a question with citations; says how many files could not be searched yet.

    With ``Accept: text/event-stream`` it tells how far it is: events ``stage`` (at each step, and
    each second), ``evidence``, ``claim`` (once it has passed its checks), ``audit`` (once the
    decision model, where one checks, has checked the claims of a part), then ``done`` with the
    same content as the plain reply, or ``error``. A second ``stage`` ``search`` makes the claims
    before it void: a document left the library meanwhile. Going away stops the work.
    """

    def work(cancel: Event, tell: Callable[[Told], None]) -> dict[str, Any]:
        return reply_to(program, body, cancel=cancel, listener=tell)

    asking: Asking[Told] = Asking(work)
    return await replied(request, program, asking, _events)


async def _events(
    request: Request, program: Services, asking: Asking[Told], first: Told
) -> AsyncIterator[str]:
    """The events of a question whose work has told ``first``."""
    begun = time.monotonic()
    stage = Begun("search", 1)
    told: Told | None = first
    try:
        while told is not None:
            if isinstance(told, Begun):
                stage = told
                yield event("stage", _stage(program, stage, begun))
            elif isinstance(told, Found):
                yield event("evidence", retrieval_json(told.retrieval))
            elif isinstance(told, Audited):
                yield event("audit", audited_json(told))
            else:
                yield event("claim", stated_json(told))
            try:
                told = await next_told(request, program, asking, _BEAT_EVERY_S)
            except TimeoutError:
                told = stage  # said again, with the seconds that went by
        yield last_event(asking.reply)
    finally:
        asking.stop()


def _stage(program: Services, stage: Begun, begun: float) -> dict[str, Any]:
    """How far it is; ``model_state`` is that of the chat model, null where none writes."""
    writes = stage.step == "write" and stage.writer != program.writer.name
    state = program.chat.state() if writes else None
    return {
        "stage": stage.step,
        "attempt": stage.attempt,
        "writer": stage.writer or None,
        "model_state": None if state is None else state.kind,
        "elapsed_ms": round((time.monotonic() - begun) * 1000),
    }


@questions_router.post("/retrieve")
def retrieve(program: Program, body: RetrieveRequest) -> dict[str, Any]:
    """The passages for a question, without an answer."""
    return retrieval_json(program.desk.retrieve(body.question, body.document_ids, body.top_k))
