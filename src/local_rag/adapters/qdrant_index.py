"""The search index in a Qdrant server or cluster, for several machines and processes.

One collection holds a dense and a sparse vector for each chunk and the document id as an indexed
payload; texts stay in the catalogue. The collection is named after the vector space and the
library that it belongs to. An *alias*, the name that is set, points at it: whoever looks from
outside finds the collection in use under one name, and a library finds out that another one has
taken the name.
"""

from __future__ import annotations

import logging
from itertools import pairwise
from typing import TYPE_CHECKING, Any
from uuid import UUID

from local_rag.adapters.batches import batches
from local_rag.adapters.qdrant_calls import QdrantCalls
from local_rag.errors import StoreFault
from local_rag.model.evidence import Hit
from local_rag.text.bm25 import by_dimension, document_weights

if TYPE_CHECKING:
    from collections.abc import Iterable

    from local_rag.adapters.places import Place
    from local_rag.model.evidence import Scope
    from local_rag.ports import Point, Vectors

_log = logging.getLogger(__name__)
_DENSE = "dense"
_SPARSE = "bm25"
_DOCUMENT = "document_id"
_BATCH = 256  # points of one request: about 3 MB of JSON at 384 dimensions
_TIE_MARGIN = 2  # read further than asked, so that equal values at the end are cut by id
_FACETS = 10_000
_TAKEN = (400, 409)  # what servers of different versions say of a name that is taken


class QdrantSearchIndex:
    """``ports.SearchIndex`` on a Qdrant server.

    The sparse ranking is exact. The dense one is exact while the server scans, and approximate for
    segments that it has indexed (its ``indexing_threshold``, about 20 MB of vectors).

    With replicas, a write succeeds where a majority of them has it. The server takes a replica that
    missed one out of reading until it is mended.

    Args:
        client: a ``QdrantClient``; closed with the index.
        place: where the server is.
        alias: the name that is set.
        space: names the vector and token space, 12 hex digits.
        library: names the library, 32 hex digits.
        dimensions: width of the dense vectors.
        shards, replication: of a collection that is made now; one that is there keeps its own.

    Raises:
        StoreFault: the server cannot be used, or the alias belongs to another library.
    """

    def __init__(
        self,
        client: Any,
        place: Place,
        *,
        alias: str,
        space: str,
        library: str,
        dimensions: int,
        shards: int = 1,
        replication: int = 1,
    ) -> None:
        from qdrant_client import models

        self._m: Any = models
        self._client = client
        self._call = QdrantCalls(place)
        self._alias = alias
        self._library = library[:8]
        self._name = f"{alias}-{self._library}-{space}"
        try:
            self._refuse_foreign(self._target())
            self._create(dimensions, shards, replication)
            if self._target() is None:
                self.adopt()
        except BaseException:
            self.close()
            raise

    def _target(self) -> str | None:
        """The collection that the alias points at."""
        aliases = self._call(self._client.get_aliases).aliases
        return next((a.collection_name for a in aliases if a.alias_name == self._alias), None)

    def _refuse_foreign(self, target: str | None) -> None:
        if target is not None and not target.startswith(f"{self._alias}-{self._library}-"):
            raise StoreFault(
                f"The name {self._alias} belongs to another library on this Qdrant server.",
                fix="Set RAG_COLLECTION to another name, or delete the alias if it is not used.",
            )

    def _create(self, dimensions: int, shards: int, replication: int) -> None:
        m = self._m
        if not self._call(self._client.collection_exists, self._name):
            try:
                self._call(
                    self._client.create_collection,
                    self._name,
                    vectors_config={
                        _DENSE: m.VectorParams(size=dimensions, distance=m.Distance.DOT)
                    },
                    sparse_vectors_config={_SPARSE: m.SparseVectorParams(modifier=m.Modifier.IDF)},
                    shard_number=shards,
                    replication_factor=replication,
                    write_consistency_factor=replication // 2 + 1,
                )
            except StoreFault:
                if not self._call(self._client.collection_exists, self._name):
                    raise  # else another process was quicker
        # Asked for again at every start: a process may have died in between.
        self._call(
            self._client.create_payload_index,
            self._name,
            _DOCUMENT,
            m.KeywordIndexParams(type=m.KeywordIndexType.KEYWORD),
            wait=True,
        )

    def adopted_space(self) -> str | None:
        """The space of the collection in use, if it is one of this library."""
        target = self._target()
        return target.rsplit("-", 1)[-1] if target else None

    def adopt(self) -> None:
        """Points the alias at this collection, in one step; to be called when it is complete.

        The collection that it pointed at before stays on the server, since processes of another
        version may still ask it.
        """
        m = self._m
        before = self._target()
        self._refuse_foreign(before)
        if before == self._name:
            return
        changes: list[Any] = []
        if before is not None:
            drop = m.DeleteAlias(alias_name=self._alias)
            changes.append(m.DeleteAliasOperation(delete_alias=drop))
            _log.info("the collection %s is no longer used", before)
        point_here = m.CreateAlias(alias_name=self._alias, collection_name=self._name)
        changes.append(m.CreateAliasOperation(create_alias=point_here))
        try:
            self._call(self._client.update_collection_aliases, changes)
        except StoreFault as fault:
            if getattr(fault.__cause__, "status_code", None) not in _TAKEN:
                raise
            raise StoreFault(
                f"The Qdrant server has a collection of the name {self._alias}.",
                fix="Set RAG_COLLECTION to a name that is free on the server.",
            ) from fault

    def upsert(self, points: Iterable[Point]) -> None:
        """See ``ports.SearchIndex.upsert``."""
        for batch in batches(points, _BATCH):
            self._call(self._client.upsert, self._name, [self._point(p) for p in batch], wait=True)

    def _point(self, point: Point) -> Any:
        return self._m.PointStruct(
            id=str(UUID(hex=point.chunk_id)),
            vector={
                _DENSE: point.vector.tolist(),
                _SPARSE: self._sparse(document_weights(point.tokens)),
            },
            payload={_DOCUMENT: point.document_id},
        )

    def _sparse(self, terms: dict[str, float]) -> Any:
        dimensions, weights = by_dimension(terms)
        return self._m.SparseVector(indices=dimensions, values=weights)

    def delete_document(self, document_id: str) -> None:
        """See ``ports.SearchIndex.delete_document``."""
        self._delete(self._m.Filter(must=[self._is(self._m.MatchValue(value=document_id))]))

    def clear(self) -> None:
        """See ``ports.SearchIndex.clear``."""
        self._delete(self._m.Filter())

    def _delete(self, which: Any) -> None:
        selector = self._m.FilterSelector(filter=which)
        self._call(self._client.delete, self._name, points_selector=selector, wait=True)

    def dense(self, vector: Vectors, limit: int, scope: Scope) -> list[Hit]:
        """See ``ports.SearchIndex.dense``."""
        return self._search(vector.tolist(), _DENSE, limit, scope)

    def lexical(self, terms: dict[str, float], limit: int, scope: Scope) -> list[Hit]:
        """See ``ports.SearchIndex.lexical``."""
        return self._search(self._sparse(terms), _SPARSE, limit, scope) if terms else []

    def _search(self, query: Any, using: str, limit: int, scope: Scope) -> list[Hit]:
        if scope.document_ids is not None and not scope.document_ids:
            return []
        read = limit + _TIE_MARGIN
        while True:
            scored = self._call(
                self._client.query_points,
                self._name,
                query=query,
                using=using,
                limit=read,
                query_filter=self._filter(scope),
                with_payload=False,
            ).points
            if len(scored) < read or scored[limit - 1].score > scored[-1].score:
                break
            read *= 4
        hits = [Hit(UUID(str(point.id)).hex, point.score) for point in scored]
        if any(first.value == second.value for first, second in pairwise(hits)):
            hits.sort(key=lambda hit: (-hit.value, hit.chunk_id))
        return hits[:limit]

    def _is(self, match: Any) -> Any:
        return self._m.FieldCondition(key=_DOCUMENT, match=match)

    def _filter(self, scope: Scope) -> Any:
        m = self._m
        must = must_not = None
        if scope.document_ids is not None:
            must = [self._is(m.MatchAny(any=sorted(scope.document_ids)))]
        if scope.hidden_ids:
            must_not = [self._is(m.MatchAny(any=sorted(scope.hidden_ids)))]
        return m.Filter(must=must, must_not=must_not) if must or must_not else None

    def point_counts(self) -> dict[str, int]:
        """See ``ports.SearchIndex.point_counts``."""
        limit = _FACETS
        while True:
            hits = self._call(
                self._client.facet,
                self._name,
                key=_DOCUMENT,
                limit=limit,
                exact=True,
            ).hits
            if len(hits) < limit:
                # 32 hex digits may come back in the form of a UUID.
                return {str(h.value).replace("-", ""): h.count for h in hits if h.count}
            limit *= 10

    def count(self) -> int:
        """See ``ports.SearchIndex.count``."""
        return int(self._call(self._client.count, self._name, exact=True).count)

    def close(self) -> None:
        """See ``ports.SearchIndex.close``."""
        self._client.close()
