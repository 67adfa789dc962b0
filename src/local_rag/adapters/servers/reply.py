"""Streams a reply of a model server onto a tape."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

from local_rag.adapters.servers.tape import most_wire_bytes
from local_rag.errors import ModelServerBrokeOff, ModelTimeout

if TYPE_CHECKING:
    from collections.abc import Callable

    from local_rag.adapters.servers.tape import Tape
    from local_rag.adapters.servers.waiting import Waiting
    from local_rag.model.chat import ChatLimits
    from local_rag.ports import Cancel


class _ChatServer(Protocol):
    model: str
    shown: str

    def chat(
        self,
        body: dict[str, Any],
        on_line: Callable[[bytes], bool],
        *,
        seconds: float,
        cancel: Cancel | None,
        max_bytes: int,
    ) -> None: ...


def stream_reply(
    server: _ChatServer,
    body: dict[str, Any],
    take: Callable[[bytes], bool],
    tape: Tape,
    limits: ChatLimits,
    *,
    waiting: Waiting,
    cancel: Cancel | None,
    begins: Callable[[bytes], bool] = lambda _line: True,
) -> None:
    """Hands the lines of the reply to ``take``, which fills the tape, until it wants no more.

    Args:
        waiting: told when the first word has come.
        begins: whether a line shows that the model has begun.

    Raises:
        ModelTimeout: nothing of the reply came in time; one that is cut by it is no error.
        ModelServerBrokeOff: it ended before its end.
        Others as the server's ``chat``.
    """
    with waiting as held:

        def on_line(line: bytes) -> bool:
            if begins(line):
                held.over()
            return take(line)

        try:
            server.chat(
                body,
                on_line,
                seconds=limits.max_seconds,
                cancel=cancel,
                max_bytes=most_wire_bytes(limits),
            )
        except ModelTimeout as exc:
            if not tape.begun:
                raise ModelTimeout(
                    f"{server.shown} did not begin to reply with {server.model} "
                    f"within {limits.max_seconds:g} s."
                ) from exc
            tape.out_of_time()
    if not tape.ended:
        raise ModelServerBrokeOff(f"{server.shown} broke off its reply.")
