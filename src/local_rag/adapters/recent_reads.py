"""What every question reads from the catalogue, remembered until a write changes it.

Right only where all writes go through one catalogue object, as they do where one process owns the
data folder. Where several processes share a database, nothing is kept: ``NothingKept``.
"""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from local_rag.model.document import Chunk, Document

_MOST_CHUNKS = 4096  # about 10 MB


class RecentReads:
    """Passages and unfinished ids, as they were read since the last write.

    Attributes:
        generation: counts writes. What was read in one generation is kept in that one only, so
            that a read which a write overtook is never remembered.
        unfinished: ids of unfinished documents, or ``None`` where they have to be read.
    """

    def __init__(self) -> None:
        self.generation = 0
        self.unfinished: frozenset[str] | None = None
        self._chunks: dict[str, tuple[Chunk, Document]] = {}
        self._lock = threading.Lock()

    def chunks(self, chunk_ids: Sequence[str]) -> dict[str, tuple[Chunk, Document]]:
        """Those that are remembered, in the order asked for."""
        with self._lock:
            known = self._chunks
            return {chunk_id: known[chunk_id] for chunk_id in chunk_ids if chunk_id in known}

    def keep_chunks(self, generation: int, read: Mapping[str, tuple[Chunk, Document]]) -> None:
        """Remembers what was read; begins anew where it would be too much."""
        with self._lock:
            if generation != self.generation:
                return
            if len(self._chunks) + len(read) > _MOST_CHUNKS:
                self._chunks.clear()
            self._chunks.update(read)

    def keep_unfinished(self, generation: int, unfinished: frozenset[str]) -> None:
        """Remembers what was read."""
        with self._lock:
            if generation == self.generation:
                self.unfinished = unfinished

    def forget(self, document_ids: Collection[str]) -> None:
        """A write has changed the state of these documents."""
        with self._lock:
            self.generation += 1
            self.unfinished = None
            self._chunks = {
                chunk_id: (chunk, document)
                for chunk_id, (chunk, document) in self._chunks.items()
                if document.document_id not in document_ids
            }


class NothingKept(RecentReads):
    """Remembers nothing: another process may have written since."""

    def keep_chunks(self, generation: int, read: Mapping[str, tuple[Chunk, Document]]) -> None:
        """Does nothing."""

    def keep_unfinished(self, generation: int, unfinished: frozenset[str]) -> None:
        """Does nothing."""
