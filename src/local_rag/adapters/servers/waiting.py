"""How many calls wait for the first word of a model."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Self

if TYPE_CHECKING:
    from types import TracebackType


class Waiting:
    """True while a call is within its ``with`` block and has not called ``over``."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._count = 0
        self._here = threading.local()

    def __bool__(self) -> bool:
        return self._count > 0

    def __enter__(self) -> Self:
        self._add(1)
        self._here.waits = True
        return self

    def over(self) -> None:
        """This thread's call has its first word."""
        if self._here.waits:
            self._here.waits = False
            self._add(-1)

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.over()

    def _add(self, number: int) -> None:
        with self._lock:
            self._count += number
