"""The original files in a folder, named by the hash of their bytes."""

from __future__ import annotations

import os
import re
import shutil
import tempfile
from pathlib import Path

from local_rag.errors import StoreFault

_HASH = re.compile(r"[0-9a-f]{64}")


class FileSourceStore:
    """``ports.SourceStore`` in a folder: ``ab/abcdef…``, whole or not there at all."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def put(self, source: Path, source_sha256: str) -> Path:
        """See ``ports.SourceStore.put``."""
        target = self._place(source_sha256)
        if not target.exists() or target.stat().st_size != source.stat().st_size:
            target.parent.mkdir(parents=True, exist_ok=True)
            handle, temporary = tempfile.mkstemp(dir=target.parent, prefix=".part-")
            try:
                with os.fdopen(handle, "wb") as out, source.open("rb") as read:
                    shutil.copyfileobj(read, out)
                    out.flush()
                    os.fsync(out.fileno())
                Path(temporary).replace(target)
            except BaseException:
                Path(temporary).unlink(missing_ok=True)
                raise
        return target

    def path(self, source_sha256: str) -> Path:
        """See ``ports.SourceStore.path``."""
        target = self._place(source_sha256)
        if not target.is_file():
            raise StoreFault(
                "The original file is gone from the data folder.",
                fix="Add the document again, or remove it.",
            )
        return target

    def delete(self, source_sha256: str) -> None:
        """See ``ports.SourceStore.delete``."""
        self._place(source_sha256).unlink(missing_ok=True)

    def hashes(self) -> set[str]:
        """See ``ports.SourceStore.hashes``."""
        return {p.name for p in self._folder.glob("??/*") if _HASH.fullmatch(p.name)}

    def _place(self, source_sha256: str) -> Path:
        if not _HASH.fullmatch(source_sha256):
            raise ValueError(f"not a sha256: {source_sha256!r}")
        return self._folder / source_sha256[:2] / source_sha256
