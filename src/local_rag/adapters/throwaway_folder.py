"""Folders for one question in the temporary folder, and what killed owners left of them."""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

from local_rag.errors import EnvironmentFault

if TYPE_CHECKING:
    from collections.abc import Iterator

_PREFIX = "local-rag-"
_LOCK = ".local-rag-owner"
_ENDED = b"ended"
_TRIES = 10


@contextmanager
def throwaway_folder() -> Iterator[Path]:
    """A new folder, removed afterwards. Those whose owner was killed are removed first.

    An owner holds a lock on a file in its folder; the system lets go of it however the owner
    ends. A process id would say less: it may be another program's by now.

    Raises:
        EnvironmentFault: there is no temporary folder that can be written.
    """
    remove_ownerless()
    folder, lock = _new()
    try:
        yield folder
    finally:
        lock.close()  # first: some systems remove no file that is open
        shutil.rmtree(folder, ignore_errors=True)


def remove_ownerless() -> None:
    """Removes the folders of this kind whose owner has ended. Other people's are left alone."""
    for folder in _root().glob(f"{_PREFIX}*"):
        if not _is_ours(folder):
            continue
        try:
            lock = (folder / _LOCK).open("r+b")
        except OSError:  # no such file: it is not one of these folders, or not yet
            continue
        with lock:
            ownerless = _try_lock(lock)
            if ownerless:
                lock.write(_ENDED)  # should its owner be about to lock it, that one sees this
        if ownerless:
            shutil.rmtree(folder, ignore_errors=True)


def _new() -> tuple[Path, BinaryIO]:
    try:
        for _ in range(_TRIES):
            folder = Path(tempfile.mkdtemp(prefix=_PREFIX, dir=_root()))
            lock = (folder / _LOCK).open("x+b")
            # Before it was locked, another start may have taken the folder for an ownerless one.
            if _try_lock(lock) and os.fstat(lock.fileno()).st_size == 0:
                return folder, lock
            lock.close()
            shutil.rmtree(folder, ignore_errors=True)
    except OSError as exc:
        raise EnvironmentFault(
            f"No temporary folder can be written ({exc.strerror or type(exc).__name__}).",
            fix="Make room on its disk, or name another one by the variable TMPDIR.",
        ) from exc
    raise EnvironmentFault("No temporary folder could be kept.", fix="Try again.")


def _root() -> Path:
    try:
        return Path(tempfile.gettempdir())
    except FileNotFoundError as exc:
        raise EnvironmentFault(
            "No temporary folder can be written.",
            fix="Make room on its disk, or name another one by the variable TMPDIR.",
        ) from exc


def _is_ours(folder: Path) -> bool:
    if sys.platform == "win32":
        return folder.is_dir() and not folder.is_symlink()
    try:
        status = folder.lstat()
    except OSError:
        return False
    return folder.is_dir() and not folder.is_symlink() and status.st_uid == os.getuid()


if sys.platform == "win32":
    import msvcrt

    def _try_lock(file: BinaryIO) -> bool:
        try:
            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        return True

else:
    import fcntl

    def _try_lock(file: BinaryIO) -> bool:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            return False
        return True
