"""Remembers the vector spaces of embedding servers, in a small file of the data folder."""

from __future__ import annotations

import json
import logging
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

_log = logging.getLogger(__name__)


class KnownSpaces:
    """Identity and width of each model that was used, the last used identity first.

    Args:
        path: the file; it and its folder are made when something is recorded.
    """

    def __init__(self, path: Path) -> None:
        self._path = path

    def last(self, provider: str, model: str) -> tuple[str, int] | None:
        """Identity and width of the model when it was last seen."""
        spaces = self._read().get(f"{provider} {model}")
        return spaces[0] if spaces else None

    def width(self, provider: str, model: str, identity: str) -> int | None:
        """The width of the model's vectors, if it was seen with this identity."""
        return dict(self._read().get(f"{provider} {model}", ())).get(identity)

    def record(self, provider: str, model: str, identity: str, width: int) -> None:
        """Notes what was seen. A disk that cannot be written costs the memory, not the call."""
        if self.last(provider, model) == (identity, width):
            return
        every = self._read()
        others = [s for s in every.get(f"{provider} {model}", []) if s[0] != identity]
        every[f"{provider} {model}"] = [(identity, width), *others][:8]
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            written = self._path.with_suffix(".tmp")
            written.write_text(json.dumps(every, indent=1, sort_keys=True), "utf-8")
            written.replace(self._path)
        except OSError:
            _log.warning("the file of known embedding models cannot be written")

    def _read(self) -> dict[str, list[tuple[str, int]]]:
        try:
            said = json.loads(self._path.read_text("utf-8"))
            return {
                str(key): [(str(identity), int(width)) for identity, width in spaces]
                for key, spaces in said.items()
            }
        except (OSError, ValueError, AttributeError, TypeError):
            return {}
