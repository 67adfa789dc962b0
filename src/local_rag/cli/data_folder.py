"""Whether the data folder can be used, found out before anything is opened in it."""

from __future__ import annotations

import os
import tempfile
from typing import TYPE_CHECKING

from local_rag.errors import StoreFault

if TYPE_CHECKING:
    from pathlib import Path

_KEPT = ("catalog.sqlite3", "originals", "index")
_ELSEWHERE = "or name another folder with --data-dir or RAG_DATA_DIR."


def check_data_folder(folder: Path) -> None:
    """Creates it if need be and writes in it once.

    Raises:
        StoreFault: it is no folder, or cannot be created, read or written.
    """
    shown = f"The data folder {str(folder)!r}"
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except (FileExistsError, NotADirectoryError) as exc:
        raise StoreFault(
            f"{shown} is a file, or lies below one.", fix=f"Move that file away, {_ELSEWHERE}"
        ) from exc
    except OSError as exc:
        raise StoreFault(
            f"{shown} cannot be created ({exc.strerror}).",
            fix=f"Create it and give yourself the right to write in it, {_ELSEWHERE}",
        ) from exc
    try:
        with tempfile.TemporaryFile(dir=folder):
            pass
        closed = next((name for name in _KEPT if _is_closed(folder / name)), None)
    except OSError as exc:
        raise StoreFault(
            f"{shown} cannot be written ({exc.strerror}).",
            fix=f"Make room on its disk, give yourself the right to write in it, {_ELSEWHERE}",
        ) from exc
    if closed:
        raise StoreFault(
            f"{shown} holds {closed}, which you may not read and write.",
            fix=f"Give yourself the right to, {_ELSEWHERE}",
        )


def _is_closed(path: Path) -> bool:
    needed = os.R_OK | os.W_OK | (os.X_OK if path.is_dir() else 0)
    return path.exists() and not os.access(path, needed)
