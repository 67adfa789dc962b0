"""One process at a time in a data folder."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from filelock import FileLock, Timeout

from local_rag.errors import StoreFault, StoreLocked

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

_NAME = "lock"


@contextmanager
def locked_folder(folder: Path) -> Iterator[None]:
    """Creates the folder where it is missing and keeps other processes out of it.

    The system releases the lock when the process ends, however it ends.

    Raises:
        StoreLocked: another process has it.
        StoreFault: the folder cannot be made or written to.
    """
    lock = FileLock(folder / _NAME)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        lock.acquire(timeout=0)
    except Timeout as exc:
        raise StoreLocked("Another local-rag has this data folder open.") from exc
    except OSError as exc:
        raise StoreFault(
            f"The data folder cannot be used ({exc.strerror or type(exc).__name__}).",
            fix="Set RAG_DATA_DIR to a folder that can be written to.",
        ) from exc
    try:
        yield
    finally:
        lock.release()
