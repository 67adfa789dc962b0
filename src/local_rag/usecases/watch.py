"""How a caller follows a file on its way into the library, and stops it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

Stage = Literal["extracting", "embedding", "committing"]

Watch = Callable[[Stage, int, int], None]
"""Called with the stage, and how much of it is done of how much: pages, then passages. What it
raises stops the work, the last time right before the document would become searchable."""


def unwatched(_stage: Stage, _done: int, _total: int) -> None:
    """For callers that do not watch."""
