"""How far a long measurement is: a bar on a terminal, on the error stream; nothing elsewhere."""

from __future__ import annotations

import shutil
import sys
import time
from typing import TYPE_CHECKING, Self, TextIO

if TYPE_CHECKING:
    from types import TracebackType

_BAR_CHARS = 20
_LEAST_S = 0.1


class Meter:
    """A bar for each stage in turn; gone from the terminal when it is left."""

    def __init__(self, out: TextIO | None = None) -> None:
        self._out = out or sys.stderr
        self._live = self._out.isatty()
        self._drawn_at = 0.0

    def show(self, stage: str, done: int, total: int) -> None:
        """Says that ``done`` of ``total`` are through; draws at most ten times a second."""
        now = time.monotonic()
        if not self._live or now - self._drawn_at < _LEAST_S:
            return
        self._drawn_at = now
        filled = round(_BAR_CHARS * done / total) if total else 0
        bar = "#" * filled + "-" * (_BAR_CHARS - filled)
        self._write(f"[{bar}] {stage} {done}/{total}")

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._live and self._drawn_at:
            self._write("")

    def _write(self, line: str) -> None:
        width = shutil.get_terminal_size().columns - 1
        end = "" if line else "\r"
        print(f"\r{line[:width]:<{width}}", end=end, file=self._out, flush=True)
