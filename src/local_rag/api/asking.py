"""A question that is being answered, while somebody waits for it at the other end of a line."""

from __future__ import annotations

import asyncio
import threading
from typing import TYPE_CHECKING, Any

from anyio import to_thread

if TYPE_CHECKING:
    from collections.abc import Callable

    from local_rag.model.told import Told

    Work = Callable[[threading.Event, Callable[[Told], None]], dict[str, Any]]


class Asking:
    """Runs the work on a thread, keeps what it tells, and stops it when nobody waits any more.

    To be made and used on the event loop.

    Args:
        work: called with what tells it to stop and with what it tells its progress to; returns
            the reply.
    """

    def __init__(self, work: Work) -> None:
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
