"""The three stores of a library as one: what is in one is in all, whenever the program ends."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from local_rag.errors import DiskFull
from local_rag.usecases.spaces import points_of
from local_rag.usecases.watch import unwatched

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from contextlib import AbstractContextManager
    from pathlib import Path

    from local_rag.model.document import Chunk, Document, Extraction
    from local_rag.ports import Catalog, Point, SourceStore
    from local_rag.retrieve.space import Space
    from local_rag.usecases.spaces import Spaces
    from local_rag.usecases.watch import Watch

_log = logging.getLogger(__name__)
_BYTES_A_CHUNK = 12_000  # vector, postings, their log, the text and its row in the catalogue
RESERVE_BYTES = 200_000_000
"""Free space that is never used up: the search index allocates in blocks of up to 32 MB."""


class Shelf:
    """Puts documents where they can be found, and takes them away.

    Attributes:
        write_lock: held by the caller of ``put`` and ``take_away``.
    """

    def __init__(
        self,
        *,
        catalog: Catalog,
        sources: SourceStore,
        spaces: Spaces,
        free_bytes: Callable[[], int],
        write_lock: AbstractContextManager[object],
    ) -> None:
        self.write_lock = write_lock
        self._catalog = catalog
        self._sources = sources
        self._spaces = spaces
        self._free_bytes = free_bytes

    def prepare(
        self, chunks: Sequence[Chunk], document: Document, watch: Watch = unwatched
    ) -> dict[Space, list[Point]]:
        """What each index will hold of the passages."""
        return {space: points_of(space, chunks, document, watch) for space in self._spaces.all()}

    def put(
        self,
        original: Path,
        document: Document,
        extraction: Extraction,
        chunks: Sequence[Chunk],
        prepared: Mapping[Space, Sequence[Point]],
        watch: Watch,
    ) -> bool:
        """Writes all of the new, switches in one transaction, then removes the old.

        Returns:
            Whether an earlier document of this name was replaced.
        """
        watch("committing", 0, len(chunks))
        self.require_space(document.size_bytes, chunks)
        self._catalog.stage(document, extraction, chunks)
        try:
            self._sources.put(original, document.source_sha256)
            for space in self._spaces.all():  # one may have taken over since it was prepared
                space.index.upsert(prepared[space])
            watch("committing", len(chunks), len(chunks))
            replaced = self._catalog.publish(document.document_id)
        except BaseException:
            self._sweep(document.document_id)
            raise
        for old_id in replaced:
            self._sweep(old_id)
        return bool(replaced)

    def take_away(self, document_id: str) -> Document:
        """Removes a document; raises UnknownDocument."""
        document = self._catalog.document(document_id)
        self._catalog.retire(document_id)
        self._sweep(document_id)
        return document

    def _sweep(self, unfinished_id: str) -> None:
        """Removes what a staged or retired document left: points, its original, then its rows.

        No other original is touched: a catalogue that was lost and made anew knows none of those
        that lie beside it.
        """
        for space in self._spaces.all():
            space.index.delete_document(unfinished_id)
        unused = self._catalog.own_source(unfinished_id)
        if unused is not None:
            self._sources.delete(unused)
        self._catalog.forget(unfinished_id)

    def require_space(self, size_bytes: int, chunks: Sequence[Chunk]) -> None:
        """Raises DiskFull: the index is mapped into memory, and a full disk ends the process."""
        needed = size_bytes + len(chunks) * _BYTES_A_CHUNK
        require_space(self._free_bytes(), needed)

    def reconcile(self) -> None:
        """Finishes what a crash interrupted, and rebuilds what is derived where it is missing."""
        with self.write_lock:
            for leftover in self._catalog.unfinished():
                self._sweep(leftover)
            expected = {document.document_id: document for document in self._catalog.documents()}
            for space in self._spaces.all():
                for orphan in space.index.point_counts().keys() - expected.keys():
                    space.index.delete_document(orphan)
            counts = self._spaces.serving.index.point_counts()
            for document_id, document in expected.items():
                if counts.get(document_id, 0) != document.chunk_count:
                    self._rebuild(document)

    def _rebuild(self, document: Document) -> None:
        _log.info("rebuilding document_id=%s", document.document_id)
        serving = self._spaces.serving
        chunks = self._catalog.document_chunks(document.document_id)
        self.require_space(0, chunks)
        serving.index.delete_document(document.document_id)
        serving.index.upsert(points_of(serving, chunks, document))


def require_space(
    free_bytes: int, needed_bytes: int, *, reserve_bytes: int = RESERVE_BYTES
) -> None:
    """Raises DiskFull where writing would leave the disk with less than a reserve."""
    if free_bytes < needed_bytes + reserve_bytes:
        missing = (needed_bytes + reserve_bytes - free_bytes) / 1e6
        raise DiskFull(f"The disk of the data folder is full: about {missing:,.0f} MB are missing.")
