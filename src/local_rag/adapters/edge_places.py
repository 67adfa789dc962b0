"""Where the shards of a search index lie: the current one, and the one that is being sealed.

``current`` names the shard that counts and how many of its points had been sealed; it is replaced
in one step. All other folders beside it are leftovers.
"""

from __future__ import annotations

import json
import os
import secrets
import shutil
from contextlib import suppress
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

_CURRENT = "current"
_READ_OFTEN = ("vector_index", "payload_index", "quantized", "id_tracker")
_OLD_MARK = "edge_config.json"  # lies in the folder itself where an earlier version made it


class ShardPlaces:
    """The folders of one index.

    Args:
        folder: the index's; made where it is not there.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        if (folder / _OLD_MARK).exists():
            self._adopt()
        folder.mkdir(parents=True, exist_ok=True)

    def _adopt(self) -> None:
        aside = self._folder.with_name(f"{self._folder.name}.moving")
        shutil.rmtree(aside, ignore_errors=True)
        self._folder.replace(aside)
        self._folder.mkdir()
        place = self.new()
        aside.replace(place)
        self.choose(place, 0)

    def current(self) -> tuple[Path, int] | None:
        """The current shard's folder and its sealed points; ``None`` where there is none."""
        try:
            record = json.loads((self._folder / _CURRENT).read_text("utf-8"))
            place, sealed = self._folder / str(record["shard"]), int(record["sealed"])
        except (OSError, ValueError, KeyError, TypeError):
            return None
        return (place, sealed) if place.is_dir() and place.parent == self._folder else None

    def new(self) -> Path:
        """A folder that is not there yet."""
        return self._folder / f"shard-{secrets.token_hex(4)}"

    def choose(self, place: Path, sealed: int) -> None:
        """Makes the shard at ``place`` the current one, durably and in one step."""
        draft = self._folder / f"{_CURRENT}.new"
        with draft.open("w", encoding="utf-8") as file:
            json.dump({"shard": place.name, "sealed": sealed}, file)
            file.flush()
            os.fsync(file.fileno())
        draft.replace(self._folder / _CURRENT)
        if os.name == "posix":  # elsewhere a folder cannot be opened
            folder = os.open(self._folder, os.O_RDONLY)
            try:
                os.fsync(folder)
            finally:
                os.close(folder)

    def clear(self, *, keep: Path | None = None) -> None:
        """Removes every shard but one."""
        for place in self._folder.iterdir():
            if place.is_dir() and place != keep:
                shutil.rmtree(place, ignore_errors=True)


def sync(folder: Path) -> None:
    """Sees to it that the folder's files outlast a power cut."""
    for path in folder.rglob("*"):
        if path.is_file():
            with suppress(PermissionError), path.open("r+b") as file:
                os.fsync(file.fileno())


def size_bytes(folder: Path) -> int:
    """What the folder's files hold."""
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())


def read_ahead(folder: Path) -> None:
    """Reads what every search in a sealed shard needs, so that it lies in the system's file cache.

    The engine maps files without reading them, which makes opening quick and first searches slow.
    By the engine's names for its files: codes, graphs, postings; a wrong guess costs speed only.
    """
    block = bytearray(4_000_000)
    for path in sorted(folder.rglob("*")):
        inside = path.relative_to(folder).parts
        if any(part.startswith(_READ_OFTEN) for part in inside):
            with suppress(OSError), path.open("rb", buffering=0) as file:
                while file.readinto(block):
                    pass
