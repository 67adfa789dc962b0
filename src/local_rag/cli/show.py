"""How the commands put counts, errors and progress on a terminal or into a pipe."""

from __future__ import annotations

import shutil
import sys
import textwrap
import unicodedata
from typing import TYPE_CHECKING, TextIO

if TYPE_CHECKING:
    from collections.abc import Sequence

    from local_rag.errors import LocalRagError
    from local_rag.usecases.watch import Stage

_BAR_CHARS = 20
_NAME_COLUMN_CHARS = 40


def counted(number: int, noun: str) -> str:
    """``1 page``, ``2 pages``."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def one_line(error: LocalRagError) -> str:
    """What happened, what to do about it, and the code."""
    return f"{error.message} fix: {error.fix} [{error.code}]"


class Board:
    """Says how far a command is with its files: a bar on a terminal, plain lines elsewhere."""

    def __init__(self, total: int, out: TextIO | None = None) -> None:
        self._out = out or sys.stdout
        self._total = total
        self._number = 0
        self._name = ""
        self._live = self._out.isatty()

    def begin(self, name: str) -> None:
        """Names the next file."""
        self._number += 1
        self._name = name
        if self._live:
            self._draw(0, "")
        else:
            print(f"[{self._number}/{self._total}] {name}", end=" … ", file=self._out, flush=True)

    def watch(self, stage: Stage, done: int, total: int) -> None:
        """``usecases.watch.Watch`` of the file that was begun."""
        if not self._live or not total:
            return
        share = done / total
        if stage == "extracting":
            self._draw(share * 0.5, f", page {done} of {total}")
        elif stage == "embedding":
            self._draw(0.5 + share * 0.5, f", passage {done} of {total}")

    def end(self, result: str) -> None:
        """Says what became of it."""
        if self._live:
            self.clear()
            print(f"[{self._number}/{self._total}] {self._name} … {result}", file=self._out)
        else:
            print(result, file=self._out)

    def clear(self) -> None:
        """Takes the bar off the terminal."""
        if self._live:
            width = shutil.get_terminal_size().columns - 1
            print("\r" + " " * width, end="\r", file=self._out, flush=True)

    def _draw(self, share: float, detail: str) -> None:
        filled = round(_BAR_CHARS * (self._number - 1 + share) / self._total)
        bar = f"[{'#' * filled}{'-' * (_BAR_CHARS - filled)}] {self._number}/{self._total} "
        room = shutil.get_terminal_size().columns - 1
        line = _fitted(bar + self._name + detail, room)
        self.clear()
        print(line, end="", file=self._out, flush=True)


def _fitted(text: str, columns: int) -> str:
    """As much of it as fits; East Asian characters take two columns."""
    for end, character in enumerate(text):
        columns -= 2 if unicodedata.east_asian_width(character) in "WF" else 1
        if columns < 0:
            return text[:end]
    return text


def failures(failed: Sequence[tuple[str, LocalRagError]], total: int) -> str:
    """A table of what was not added and why."""
    were = "was" if len(failed) == 1 else "were"
    column = min(_NAME_COLUMN_CHARS, max(len(name) for name, _ in failed))
    width = shutil.get_terminal_size().columns if sys.stdout.isatty() else 10_000
    indent = " " * (column + 4)
    lines = [
        f"{len(failed)} of {counted(total, 'file')} {were} not added:",
        f"  {'FILE':<{column}}  WHY",
    ]
    for name, error in failed:
        why = textwrap.fill(
            one_line(error),
            max(width, 2 * len(indent)),
            initial_indent=indent,
            subsequent_indent=indent,
            break_long_words=False,
            break_on_hyphens=False,
        )
        if len(name) > column:
            lines += [f"  {name}", why]
        else:
            lines.append(f"  {name:<{column}}  {why.lstrip()}")
    return "\n".join(lines)
