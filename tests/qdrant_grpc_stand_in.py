"""A Qdrant server's gRPC interface for tests, over qdrant-client's local mode."""

# ruff: noqa: N802 - gRPC names the methods

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager

import grpc
from qdrant_client import grpc as q
from qdrant_client.conversions.conversion import GrpcToRest, RestToGrpc
from qdrant_client.grpc.collections_service_pb2_grpc import (
    CollectionsServicer,
    add_CollectionsServicer_to_server,
)
from qdrant_client.grpc.points_service_pb2_grpc import PointsServicer, add_PointsServicer_to_server
from qdrant_stand_in import local_client


class _Collections(CollectionsServicer):
    def __init__(self, client) -> None:
        self.client = client

    def CollectionExists(self, asked, context):
        exists = self.client.collection_exists(asked.collection_name)
        return q.CollectionExistsResponse(result=q.CollectionExists(exists=exists))

    def ListAliases(self, asked, context):
        found = [
            q.AliasDescription(alias_name=a.alias_name, collection_name=a.collection_name)
            for a in self.client.get_aliases().aliases
        ]
        return q.ListAliasesResponse(aliases=found)

    def UpdateAliases(self, asked, context):
        changes = [GrpcToRest.convert_alias_operations(action) for action in asked.actions]
        self.client.update_collection_aliases(changes)
        return q.CollectionOperationResponse(result=True)

    def Create(self, asked, context):
        sparse = GrpcToRest.convert_sparse_vector_config(asked.sparse_vectors_config)
        vectors = GrpcToRest.convert_vectors_config(asked.vectors_config)
        self.client.create_collection(
            asked.collection_name, vectors_config=vectors, sparse_vectors_config=sparse
        )
        return q.CollectionOperationResponse(result=True)


class _Points(PointsServicer):
    def __init__(self, client) -> None:
        self.client = client

    def CreateFieldIndex(self, asked, context):
        return _done()

    def Upsert(self, asked, context):
        points = [GrpcToRest.convert_point_struct(point) for point in asked.points]
        self.client.upsert(asked.collection_name, points)
        return _done()

    def Delete(self, asked, context):
        which = GrpcToRest.convert_points_selector(asked.points)
        self.client.delete(asked.collection_name, which)
        return _done()

    def Query(self, asked, context):
        found = self.client.query_points(
            asked.collection_name,
            query=GrpcToRest.convert_query(asked.query),
            using=asked.using,
            limit=asked.limit,
            query_filter=GrpcToRest.convert_filter(asked.filter)
            if asked.HasField("filter")
            else None,
            with_payload=False,
        ).points
        return q.QueryResponse(result=[RestToGrpc.convert_scored_point(point) for point in found])

    def Count(self, asked, context):
        count = self.client.count(asked.collection_name).count
        return q.CountResponse(result=q.CountResult(count=count))

    def Facet(self, asked, context):
        hits = self.client.facet(asked.collection_name, asked.key, limit=asked.limit).hits
        return q.FacetResponse(hits=[RestToGrpc.convert_facet_value_hit(hit) for hit in hits])


def _done():
    return q.PointsOperationResponse(
        result=q.UpdateResult(operation_id=0, status=q.UpdateStatus.Completed)
    )


@contextmanager
def serving_grpc_stand_in():
    """Yields its port on loopback."""
    client = local_client()
    server = grpc.server(ThreadPoolExecutor(4))
    add_CollectionsServicer_to_server(_Collections(client), server)
    add_PointsServicer_to_server(_Points(client), server)
    port = server.add_insecure_port("127.0.0.1:0")
    server.start()
    try:
        yield port
    finally:
        server.stop(None).wait()
