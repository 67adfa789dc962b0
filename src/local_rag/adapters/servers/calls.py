"""Runs one asynchronous call to its end, its deadline or its cancellation, from plain threads.

A thread that waits in a socket's ``recv`` cannot be woken by another one; a coroutine can. So
every call to a model server is one, on an event loop of its own.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any, TypeVar

from local_rag.errors import Cancelled

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine

    from local_rag.ports import Cancel

_LOOK_EVERY_S = 0.05

T = TypeVar("T")


class DeadlineOver(Exception):
    """The call's time is over."""


def call(work: Callable[[], Coroutine[Any, Any, T]], *, seconds: float, cancel: Cancel | None) -> T:
    """What ``work`` returns or raises.

    Raises:
        Cancelled: ``cancel`` was set; the work was stopped, or never begun.
        DeadlineOver: the work took longer than ``seconds`` and was stopped.
        RuntimeError: this thread runs an event loop already.
    """
    if cancel is not None and cancel.is_set():
        raise _cancelled()
    with asyncio.Runner() as runner:
        return runner.run(_watched(work, seconds, cancel))


async def _watched(
    work: Callable[[], Coroutine[Any, Any, T]], seconds: float, cancel: Cancel | None
) -> T:
    loop = asyncio.get_running_loop()
    end = loop.time() + seconds
    task = asyncio.ensure_future(work())
    try:
        while True:
            left = end - loop.time()
            pause = left if cancel is None else min(left, _LOOK_EVERY_S)
            done, _ = await asyncio.wait({task}, timeout=max(pause, 0))
            if done:
                return task.result()
            if cancel is not None and cancel.is_set():
                raise _cancelled()
            if loop.time() >= end:
                raise DeadlineOver
    finally:
        if not task.done():
            task.cancel()
            await asyncio.wait({task})


def _cancelled() -> Cancelled:
    return Cancelled("The call was cancelled.", fix="Ask again if it is wanted after all.")
