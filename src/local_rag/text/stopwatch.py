"""Milliseconds of named steps."""

from __future__ import annotations

import time
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator


class Stopwatch:
    """Collects how long each step took.

    Attributes:
        timings_ms: milliseconds by step; a step entered twice is summed.
    """

    def __init__(self) -> None:
        self.timings_ms: dict[str, float] = {}

    @contextmanager
    def __call__(self, step: str) -> Iterator[None]:
        """Times the body as ``step``."""
        begun = time.perf_counter()
        try:
            yield
        finally:
            elapsed_ms = (time.perf_counter() - begun) * 1000
            self.timings_ms[step] = self.timings_ms.get(step, 0.0) + elapsed_ms
