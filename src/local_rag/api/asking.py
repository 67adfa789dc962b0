"""Work, such as on an answer, that somebody waits for at the other end of a line."""

from __future__ import annotations

import asyncio
import math
import threading
import time
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from anyio import to_thread
from fastapi.responses import JSONResponse

from local_rag.api.event_stream import event_stream, wants_events

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable

    from fastapi import Request, Response

    from local_rag.composition import Services

Told = TypeVar("Told")

_LOOK_EVERY_S = 0.2


class Asking(Generic[Told]):
    """Runs the work on a thread, keeps what it tells, and stops it when nobody waits any more.

    To be made and used on the event loop.

    Args:
        work: called with what tells it to stop and with what it tells its progress to; returns
            the reply.
    """

    def __init__(
        self, work: Callable[[threading.Event, Callable[[Told], None]], dict[str, Any]]
    ) -> None:
        self._cancel = threading.Event()
        self._told: asyncio.Queue[Told | None] = asyncio.Queue()
        loop = asyncio.get_running_loop()

        def tell(told: Told) -> None:
            loop.call_soon_threadsafe(self._told.put_nowait, told)

        self._task = asyncio.ensure_future(to_thread.run_sync(work, self._cancel, tell))
        self._task.add_done_callback(self._end)

    async def next(self, seconds: float) -> Told | None:
        """The next that is told, ``None`` once all is.

        Raises:
            TimeoutError: nothing was told in this time.
        """
        return await asyncio.wait_for(self._told.get(), seconds)

    def stop(self) -> None:
        """Tells the work that its reply is not wanted; calling it after the end is no error."""
        self._cancel.set()

    def reply(self) -> dict[str, Any]:
        """The reply, once ``next`` has returned ``None``. Raises what the work raised."""
        return self._task.result()

    def _end(self, task: asyncio.Future[dict[str, Any]]) -> None:
        if not task.cancelled():
            task.exception()  # looked at, also where nobody waits for it
        self._told.put_nowait(None)


async def next_told(
    request: Request, program: Services, asking: Asking[Told], seconds: float = math.inf
) -> Told | None:
    """What is told next; stops the work when the client is gone or the program ends.

    Raises:
        TimeoutError: nothing was told in this time.
    """
    end = time.monotonic() + seconds
    while True:
        try:
            return await asking.next(min(_LOOK_EVERY_S, max(0.0, end - time.monotonic())))
        except TimeoutError:
            if program.jobs.is_stopping or await request.is_disconnected():
                asking.stop()
            if time.monotonic() >= end:
                raise


async def replied(
    request: Request,
    program: Services,
    asking: Asking[Told],
    events: Callable[[Request, Services, Asking[Told], Told], AsyncIterator[str]],
) -> Response:
    """The reply of the work; as events for a client that accepts them, once it has told anything.

    Args:
        events: what is streamed, given what was told first.
    """
    try:
        told = await next_told(request, program, asking)
        if told is not None and wants_events(request.headers.get("accept", "")):
            return event_stream(events(request, program, asking, told))
        while told is not None:
            told = await next_told(request, program, asking)
        return JSONResponse(asking.reply())
    except asyncio.CancelledError:
        asking.stop()
        raise
