"""The three stores of a library as one: what is in one is in all, whenever the program ends."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from local_rag.errors import DiskFull
from local_rag.ports import Point
from local_rag.text.tokens import tokenize
from local_rag.usecases.watch import unwatched

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from contextlib import AbstractContextManager
    from pathlib import Path

    from local_rag.model.document import Chunk, Document, Extraction
    from local_rag.ports import Catalog, Embedder, SearchIndex, SourceStore
    from local_rag.usecases.watch import Watch

_log = logging.getLogger(__name__)
_EMBED_AT_ONCE = 32  # few enough to be cancelled between within a second
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
        index: SearchIndex,
        embedder: Embedder,
        free_bytes: Callable[[], int],
        write_lock: AbstractContextManager[object],
    ) -> None:
        self.write_lock = write_lock
        self._catalog = catalog
        self._sources = sources
        self._index = index
        self._embedder = embedder
        self._free_bytes = free_bytes

    def points(
        self, chunks: Sequence[Chunk], document: Document, watch: Watch = unwatched
    ) -> Iterator[Point]:
        """What the index holds of the passages, embedded a few at a time."""
        for begin in range(0, len(chunks), _EMBED_AT_ONCE):
            watch("embedding", begin, len(chunks))
            batch = chunks[begin : begin + _EMBED_AT_ONCE]
            texts = [chunk.indexed_text(document.title) for chunk in batch]
            vectors = self._embedder.embed_passages(texts)
            for chunk, text, vector in zip(batch, texts, vectors, strict=True):
                tokens = tokenize(text, document.language)
                yield Point(chunk.chunk_id, chunk.document_id, vector, tokens)

    def put(
        self,
        original: Path,
        document: Document,
        extraction: Extraction,
        chunks: Sequence[Chunk],
        points: Sequence[Point],
        watch: Watch,
    ) -> bool:
        """Writes all of the new, switches in one transaction, then removes the old.

        Returns:
            Whether an earlier document of this name was replaced.
        """
        watch("committing", 0, len(chunks))
        self._require_space(document.size_bytes, chunks)
        self._catalog.stage(document, extraction, chunks)
        try:
            self._sources.put(original, document.source_sha256)
            self._index.upsert(points)
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
        self._index.delete_document(unfinished_id)
        unused = self._catalog.own_source(unfinished_id)
        if unused is not None:
            self._sources.delete(unused)
        self._catalog.forget(unfinished_id)

    def _require_space(self, size_bytes: int, chunks: Sequence[Chunk]) -> None:
        """The index is mapped into memory: a disk that fills up would end the whole process."""
        needed = size_bytes + len(chunks) * _BYTES_A_CHUNK
        require_space(self._free_bytes(), needed)

    def reconcile(self) -> None:
        """Finishes what a crash interrupted, and rebuilds what is derived where it is missing."""
        with self.write_lock:
            for leftover in self._catalog.unfinished():
                self._sweep(leftover)
            expected = {document.document_id: document for document in self._catalog.documents()}
            counts = self._index.point_counts()
            for orphan in counts.keys() - expected.keys():
                self._index.delete_document(orphan)
            for document_id, document in expected.items():
                if counts.get(document_id, 0) != document.chunk_count:
                    self._rebuild(document)

    def _rebuild(self, document: Document) -> None:
        _log.info("rebuilding document_id=%s", document.document_id)
        chunks = self._catalog.document_chunks(document.document_id)
        self._require_space(0, chunks)
        self._index.delete_document(document.document_id)
        self._index.upsert(self.points(chunks, document))


def require_space(
    free_bytes: int, needed_bytes: int, *, reserve_bytes: int = RESERVE_BYTES
) -> None:
    """Raises DiskFull where writing would leave the disk with less than a reserve."""
    if free_bytes < needed_bytes + reserve_bytes:
        missing = (needed_bytes + reserve_bytes - free_bytes) / 1e6
        raise DiskFull(f"The disk of the data folder is full: about {missing:,.0f} MB are missing.")
