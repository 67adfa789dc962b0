"""How a Qdrant Edge shard of the search index is set up, opened, and filled.

The engine's calls hold the interpreter's lock, and its exceptions have no narrower type than
``Exception``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from local_rag.text.bm25 import by_dimension, document_weights

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from local_rag.ports import Point

DENSE = "dense"
SPARSE = "bm25"
DOCUMENT = "document_id"
# HNSW's m and ef_construct. With 24 and 128 parts of a graph of a million points cannot be reached
# (recall@10 0.92 to 0.94 at any depth of search); with more, a graph takes twice as long to make.
_LINKS, _BUILD_DEPTH = 24, 128
_MANY = 300_000
_LINKS_OF_MANY, _BUILD_DEPTH_OF_MANY = 32, 256
_SCAN_SHARE = 0.5  # of the sealing threshold: what a filter leaves is scanned up to this
_SEGMENTS = 5  # each costs a search of its own, fewer are merged, so rewritten, more often


def shard_config(dimensions: int, fresh_most: int, points: int = 0) -> Any:
    """The engine's configuration.

    Small segments are plain: searched exactly, vectors as float32 in mapped files. From
    ``fresh_most`` points on, ``optimize()`` makes segments with an HNSW graph over int8 codes. All
    of it stays in mapped files: nothing of it is read when a shard is opened.

    Args:
        fresh_most: points that may stay in a plain segment.
        points: how many there are, where graphs are to be made.
    """
    import qdrant_edge as q

    links, depth = _LINKS, _BUILD_DEPTH
    if points >= _MANY:
        links, depth = _LINKS_OF_MANY, _BUILD_DEPTH_OF_MANY

    kilobytes = fresh_most * dimensions * 4 / 1024
    codes = q.ScalarQuantizationConfig(q.ScalarType.Int8, memory=q.Memory.Cold)
    return q.EdgeConfig(
        vectors={
            DENSE: q.EdgeVectorParams(
                dimensions, q.Distance.Dot, memory=q.Memory.Cold, quantization_config=codes
            )
        },
        sparse_vectors={
            SPARSE: q.EdgeSparseVectorParams(modifier=q.Modifier.Idf, memory=q.Memory.Cold)
        },
        hnsw_config=q.HnswIndexConfig(
            links, depth, int(kilobytes * _SCAN_SHARE), memory=q.Memory.Cold
        ),
        optimizers=q.EdgeOptimizersConfig(
            # A little below: the engine counts bytes, and must not refuse what it is asked to do.
            indexing_threshold=max(1, int(kilobytes * 0.8)),
            default_segment_number=_SEGMENTS,
            max_segment_size=2**40,
        ),
        max_search_threads=1,  # more only add hand-overs (0.1 ms a query)
    )


def create_shard(folder: Path, config: Any) -> Any:
    """A new empty shard in ``folder``, which is made."""
    import qdrant_edge as q

    folder.mkdir(parents=True)
    shard = q.EdgeShard.create(str(folder), config)
    shard.update(q.UpdateOperation.create_field_index(DOCUMENT, q.PayloadSchemaType.Keyword))
    shard.flush()
    return shard


def load_shard(folder: Path, config: Any) -> Any:
    """The shard in ``folder``. Raises Exception where segments or the payload index are missing."""
    import qdrant_edge as q

    shard = q.EdgeShard.load(str(folder), config)
    shard.facet(q.FacetRequest(key=DOCUMENT, limit=1, exact=False))
    return shard


def edge_point(point: Point) -> Any:
    """The engine's form of a point."""
    import qdrant_edge as q

    return q.Point(
        point.chunk_id,
        {DENSE: point.vector.tolist(), SPARSE: sparse_vector(document_weights(point.tokens))},
        {DOCUMENT: point.document_id},
    )


def sparse_vector(terms: dict[str, float]) -> Any:
    """Weights by token as a sparse vector; tokens of one dimension are added up."""
    import qdrant_edge as q

    return q.SparseVector(*by_dimension(terms))


def of_documents(document_ids: Iterable[str]) -> Any:
    """A condition: the point belongs to one of the documents."""
    import qdrant_edge as q

    return q.FieldCondition(DOCUMENT, match=q.MatchAny(sorted(document_ids)))


def delete_documents(shard: Any, document_ids: Iterable[str]) -> None:
    """Deletes the documents' points; not flushed."""
    import qdrant_edge as q

    only = q.Filter(must=[of_documents(document_ids)])
    shard.update(q.UpdateOperation.delete_points_by_filter(only))


def copy_documents(source: Any, target: Any, document_ids: Iterable[str]) -> None:
    """Makes the documents' points in ``target`` those of ``source``; not flushed."""
    import qdrant_edge as q

    document_ids = sorted(document_ids)
    delete_documents(target, document_ids)
    only = q.Filter(must=[of_documents(document_ids)])
    offset = None
    while True:
        records, offset = source.scroll(
            q.ScrollRequest(
                offset=offset, limit=100, filter=only, with_payload=True, with_vector=True
            )
        )
        points = [q.Point(record.id, record.vector, record.payload) for record in records]
        if points:
            target.update(q.UpdateOperation.upsert_points(points))
        if offset is None:
            return
