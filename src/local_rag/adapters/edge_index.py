"""The search index in Qdrant Edge, Qdrant's engine inside this process.

One shard holds a dense and a sparse vector for each chunk and the document id as an indexed
payload; texts stay in the catalogue. Searches are exact while the shard is not optimised.
"""

from __future__ import annotations

import logging
import shutil
import threading
from itertools import islice, pairwise
from typing import TYPE_CHECKING, Any
from uuid import UUID

from local_rag.errors import StoreFault, StoreLocked
from local_rag.model.evidence import Hit
from local_rag.text.bm25 import dimension, document_weights

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from local_rag.model.evidence import Scope
    from local_rag.ports import Point, Vectors

_log = logging.getLogger(__name__)
_DENSE = "dense"
_SPARSE = "bm25"
_DOCUMENT = "document_id"
_BATCH = 1000
_TIE_MARGIN = 2  # read further than asked, so that equal values at the end are cut by id
_EVERYTHING = 2**31 - 1


class EdgeSearchIndex:
    """``ports.SearchIndex`` on a Qdrant Edge shard.

    A shard that cannot be read is replaced by an empty one: all of it can be rebuilt.

    Args:
        folder: where the shard lies; created if it is not there.
        dimensions: width of the dense vectors.

    Raises:
        StoreLocked: another process has the shard open.
        StoreFault: no shard can be made in the folder.
    """

    def __init__(self, folder: Path, dimensions: int) -> None:
        import qdrant_edge

        self._q: Any = qdrant_edge
        self._folder = folder
        self._dimensions = dimensions
        self._write_lock = threading.Lock()
        self._shard: Any = self._open()

    def _config(self) -> Any:
        q = self._q
        return q.EdgeConfig(
            vectors={_DENSE: q.EdgeVectorParams(self._dimensions, q.Distance.Dot)},
            sparse_vectors={_SPARSE: q.EdgeSparseVectorParams(modifier=q.Modifier.Idf)},
            max_search_threads=1,  # one segment: more threads only add hand-overs (0.1 ms a query)
        )

    def _open(self) -> Any:
        try:
            if self._folder.exists() and any(self._folder.iterdir()):
                try:
                    shard = self._q.EdgeShard.load(str(self._folder), self._config())
                    self._facet(shard)  # fails where segments or their payload index are missing
                except Exception as exc:  # noqa: BLE001 - the engine raises nothing narrower
                    _refuse_if_locked(exc)
                    _log.warning("the search index is damaged and is made anew")
                    shutil.rmtree(self._folder)
                else:
                    return shard
            return self._create()
        except StoreLocked:
            raise
        except Exception as exc:
            _refuse_if_locked(exc)
            raise StoreFault(
                f"The search index cannot be opened ({type(exc).__name__}).",
                fix="Check that the data folder can be written to and has space.",
            ) from exc

    def _create(self) -> Any:
        q = self._q
        self._folder.mkdir(parents=True, exist_ok=True)
        shard = q.EdgeShard.create(str(self._folder), self._config())
        shard.update(q.UpdateOperation.create_field_index(_DOCUMENT, q.PayloadSchemaType.Keyword))
        return shard

    def upsert(self, points: Iterable[Point]) -> None:
        """See ``ports.SearchIndex.upsert``."""
        q = self._q
        with self._write_lock:
            for batch in _batches(points, _BATCH):
                self._shard.update(q.UpdateOperation.upsert_points([self._point(p) for p in batch]))
            self._shard.flush()

    def _point(self, point: Point) -> Any:
        return self._q.Point(
            str(UUID(hex=point.chunk_id)),
            {_DENSE: point.vector.tolist(), _SPARSE: self._sparse(document_weights(point.tokens))},
            {_DOCUMENT: point.document_id},
        )

    def _sparse(self, terms: dict[str, float]) -> Any:
        weights: dict[int, float] = {}
        for token, weight in terms.items():
            key = dimension(token)
            weights[key] = weights.get(key, 0.0) + weight
        return self._q.SparseVector(list(weights), list(weights.values()))

    def delete_document(self, document_id: str) -> None:
        """See ``ports.SearchIndex.delete_document``."""
        q = self._q
        only = q.Filter(must=[q.FieldCondition(_DOCUMENT, match=q.MatchValue(document_id))])
        with self._write_lock:
            self._shard.update(q.UpdateOperation.delete_points_by_filter(only))
            self._shard.flush()

    def dense(self, vector: Vectors, limit: int, scope: Scope) -> list[Hit]:
        """See ``ports.SearchIndex.dense``."""
        return self._search(self._q.Query.Nearest(vector.tolist(), using=_DENSE), limit, scope)

    def lexical(self, terms: dict[str, float], limit: int, scope: Scope) -> list[Hit]:
        """See ``ports.SearchIndex.lexical``."""
        if not terms:
            return []
        return self._search(self._q.Query.Nearest(self._sparse(terms), using=_SPARSE), limit, scope)

    def _search(self, query: Any, limit: int, scope: Scope) -> list[Hit]:
        if scope.document_ids is not None and not scope.document_ids:
            return []
        read = limit + _TIE_MARGIN
        while True:
            scored = self._shard.query(
                self._q.QueryRequest(
                    limit=read, query=query, filter=self._filter(scope), with_payload=False
                )
            )
            if len(scored) < read or scored[limit - 1].score > scored[-1].score:
                break
            read *= 4
        hits = [Hit(point.id.hex, point.score) for point in scored]
        if any(first.value == second.value for first, second in pairwise(hits)):
            hits.sort(key=lambda hit: (-hit.value, hit.chunk_id))
        return hits[:limit]

    def _filter(self, scope: Scope) -> Any:
        q = self._q
        must = must_not = None
        if scope.document_ids is not None:
            only = q.MatchAny(sorted(scope.document_ids))
            must = [q.FieldCondition(_DOCUMENT, match=only)]
        if scope.hidden_ids:
            hidden = q.MatchAny(sorted(scope.hidden_ids))
            must_not = [q.FieldCondition(_DOCUMENT, match=hidden)]
        return q.Filter(must=must, must_not=must_not) if must or must_not else None

    def point_counts(self) -> dict[str, int]:
        """See ``ports.SearchIndex.point_counts``."""
        # Deleted values stay in the facet, with 0.
        return {str(hit.value): hit.count for hit in self._facet(self._shard) if hit.count}

    def _facet(self, shard: Any) -> Any:
        request = self._q.FacetRequest(key=_DOCUMENT, limit=_EVERYTHING, exact=True)
        return shard.facet(request).hits

    def count(self) -> int:
        """See ``ports.SearchIndex.count``."""
        return int(self._shard.count(self._q.CountRequest(exact=True)))

    def clear(self) -> None:
        """See ``ports.SearchIndex.clear``."""
        q = self._q
        with self._write_lock:
            self._shard.update(q.UpdateOperation.delete_points_by_filter(q.Filter()))
            self._shard.flush()

    def close(self) -> None:
        """See ``ports.SearchIndex.close``."""
        with self._write_lock:
            if self._shard is not None:
                self._shard.close()
                self._shard = None


def _refuse_if_locked(exc: Exception) -> None:
    if "WouldBlock" in str(exc):
        raise StoreLocked("Another local-rag has this data folder open.") from exc


def _batches(points: Iterable[Point], size: int) -> Iterator[list[Point]]:
    iterator = iter(points)
    while batch := list(islice(iterator, size)):
        yield batch
