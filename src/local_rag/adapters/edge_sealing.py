"""Builds the graph of a shard in a process of its own.

The engine's ``optimize()`` holds the interpreter's lock for minutes, so it runs on a copy, where
neither its pauses nor its death touch the shard that serves.
"""

from __future__ import annotations

import ctypes
import multiprocessing
import os
import signal
import sys
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from local_rag.adapters.edge_shard import load_shard, shard_config

if TYPE_CHECKING:
    import threading

_NICENESS = 5
_LOOK_S = 0.1
_PR_SET_PDEATHSIG = 1  # linux/prctl.h


def seal(place: Path, dimensions: int, fresh_most: int, points: int, stop: threading.Event) -> bool:
    """Optimises the shard at ``place`` in another process; returns whether it is done.

    Args:
        points: how many it holds.
        stop: ends the process early; the shard is of no use then.
    """
    process = multiprocessing.get_context("spawn").Process(
        target=_seal,
        args=(str(place), dimensions, fresh_most, points, os.getpid()),
        name="local-rag-sealer",
        daemon=True,
    )
    process.start()
    try:
        while process.is_alive() and not stop.is_set():
            process.join(_LOOK_S)
        return process.exitcode == 0
    finally:
        process.kill()
        process.join()
        process.close()


def _seal(place: str, dimensions: int, fresh_most: int, points: int, parent: int) -> None:
    _end_with(parent)
    if hasattr(os, "nice"):
        os.nice(_NICENESS)
    shard = load_shard(Path(place), shard_config(dimensions, fresh_most, points))
    shard.optimize()
    shard.flush()
    shard.close()


def _end_with(parent: int) -> None:
    """Dies with the parent, where the system can see to it; elsewhere the work is just lost."""
    if sys.platform == "linux":
        with suppress(OSError, AttributeError):
            ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent:
        os._exit(1)
