"""The search index on a Qdrant server: the requests that are sent, and what is made of replies.

No server can be had here. The requests are compared with the form that the server's REST
description gives, and answered by qdrant-client's local mode behind HTTP.
"""

from __future__ import annotations

import builtins
import socket
import sys

import numpy as np
import pytest
from qdrant_stand_in import serving_stand_in

from local_rag.adapters.places import Place, is_loopback
from local_rag.adapters.qdrant_calls import QdrantCalls, connect_qdrant, qdrant_place
from local_rag.adapters.qdrant_index import QdrantSearchIndex
from local_rag.errors import InvalidRequest, StoreFault
from local_rag.model.evidence import Hit, Scope
from local_rag.ports import Point
from local_rag.text.bm25 import dimension

ALL = Scope()
LIBRARY = "5" * 32
NAME = "documents-55555555-abcdefabcdef"


@pytest.fixture
def server():
    with serving_stand_in() as made:
        yield made


def opened(url, *, key="", space="abcdefabcdef", library=LIBRARY, **options):
    client = connect_qdrant(url, api_key=key, grpc_port=0, timeout_s=5)
    index = QdrantSearchIndex(
        client,
        qdrant_place(url),
        alias="documents",
        space=space,
        library=library,
        dimensions=2,
        **options,
    )
    index._call._pause = lambda _seconds: None
    return index


def a_point(n=1, document="a"):
    return Point(f"{n:032x}", document * 32, np.array([1, 0], np.float32), ["word"])


def test_the_requests_have_the_documented_form(server):
    index = opened(server.url, shards=3, replication=2)
    index.upsert([a_point()])
    index.delete_document("b" * 32)
    scope = Scope(frozenset({"a" * 32}), frozenset({"c" * 32}))
    assert index.dense(np.array([1, 0], np.float32), 5, scope) == [Hit(f"{1:032x}", 1.0)]
    assert [hit.chunk_id for hit in index.lexical({"word": 1.0}, 5, ALL)] == [f"{1:032x}"]
    assert index.point_counts() == {"a" * 32: 1}
    assert index.count() == 1
    index.clear()
    index.close()
    word = dimension("word")
    weight = server.requests[7][2]["points"][0]["vector"]["bm25"]["values"][0]
    assert weight == pytest.approx(2.5 / (1 + 1.5 * (0.25 + 0.75 / 90)))
    collection = f"/collections/{NAME}"
    is_a = {"key": "document_id", "match": {"any": ["a" * 32]}}
    is_c = {"key": "document_id", "match": {"any": ["c" * 32]}}
    assert [_without_nulls(request) for request in server.requests] == [
        ("GET", "/aliases", None),
        ("GET", f"{collection}/exists", None),
        (
            "PUT",
            collection,
            {
                "vectors": {"dense": {"size": 2, "distance": "Dot"}},
                "sparse_vectors": {"bm25": {"modifier": "idf"}},
                "shard_number": 3,
                "replication_factor": 2,
                "write_consistency_factor": 2,
            },
        ),
        (
            "PUT",
            f"{collection}/index?wait=true",
            {"field_name": "document_id", "field_schema": {"type": "keyword"}},
        ),
        ("GET", "/aliases", None),
        ("GET", "/aliases", None),
        (
            "POST",
            "/collections/aliases",
            {"actions": [{"create_alias": {"collection_name": NAME, "alias_name": "documents"}}]},
        ),
        (
            "PUT",
            f"{collection}/points?wait=true",
            {
                "points": [
                    {
                        "id": "00000000-0000-0000-0000-000000000001",
                        "vector": {
                            "dense": [1.0, 0.0],
                            "bm25": {"indices": [word], "values": [weight]},
                        },
                        "payload": {"document_id": "a" * 32},
                    }
                ]
            },
        ),
        (
            "POST",
            f"{collection}/points/delete?wait=true",
            {"filter": {"must": [{"key": "document_id", "match": {"value": "b" * 32}}]}},
        ),
        (
            "POST",
            f"{collection}/points/query",
            {
                "query": {"nearest": [1.0, 0.0]},
                "using": "dense",
                "limit": 7,
                "filter": {"must": [is_a], "must_not": [is_c]},
                "with_payload": False,
                "with_vector": False,
            },
        ),
        (
            "POST",
            f"{collection}/points/query",
            {
                "query": {"nearest": {"indices": [word], "values": [1.0]}},
                "using": "bm25",
                "limit": 7,
                "with_payload": False,
                "with_vector": False,
            },
        ),
        (
            "POST",
            f"{collection}/facet",
            {"key": "document_id", "limit": 10_000, "exact": True},
        ),
        ("POST", f"{collection}/points/count", {"exact": True}),
        ("POST", f"{collection}/points/delete?wait=true", {"filter": {}}),
    ]


def _without_nulls(request):
    method, path, body = request
    return method, path, _stripped(body)


def _stripped(value):
    if isinstance(value, dict):
        return {key: _stripped(inner) for key, inner in value.items() if inner is not None}
    return [_stripped(inner) for inner in value] if isinstance(value, list) else value


def test_a_new_space_is_built_beside_the_old_one_and_the_alias_moves_in_one_request(server):
    old = opened(server.url)
    old.upsert([a_point()])
    new = opened(server.url, space="123456123456")
    assert target_of(server) == NAME  # the new one is not complete yet
    assert new.count() == 0
    new.upsert([a_point(), a_point(2)])
    server.requests.clear()
    new.adopt()
    new.adopt()
    (change,) = [body for _, path, body in server.requests if path == "/collections/aliases"]
    assert change == {
        "actions": [
            {"delete_alias": {"alias_name": "documents"}},
            {
                "create_alias": {
                    "collection_name": "documents-55555555-123456123456",
                    "alias_name": "documents",
                }
            },
        ]
    }
    assert target_of(server) == "documents-55555555-123456123456"
    assert (old.count(), new.count()) == (1, 2)  # who still runs the old one is not disturbed


def target_of(server):
    (alias,) = server.client.get_aliases().aliases
    return alias.collection_name


def test_a_name_that_another_library_uses_is_refused(server):
    opened(server.url).upsert([a_point()])
    with pytest.raises(StoreFault, match="belongs to another library") as caught:
        opened(server.url, library="6" * 32)
    assert "RAG_COLLECTION" in caught.value.fix


def test_two_processes_that_make_the_collection_at_once_both_succeed(server):
    opened(server.url)
    exists = server.client.collection_exists
    answers = iter([False, True])  # it comes into being right after the question
    server.client.collection_exists = lambda name: next(answers, exists(name))
    assert opened(server.url).count() == 0


def test_a_collection_that_cannot_be_made_is_an_error(server):
    server.faults = [0, 0, 409]
    with pytest.raises(StoreFault, match="status 409"):
        opened(server.url)


def test_a_busy_server_is_asked_again_and_a_broken_one_three_times_only(server):
    index = opened(server.url)
    server.faults = [503, 429]
    assert index.count() == 0
    server.requests.clear()
    server.faults = [500, 502, 503]
    with pytest.raises(StoreFault, match="status 503"):
        index.count()
    assert len(server.requests) == 3


def test_what_cannot_succeed_is_not_tried_again(server):
    index = opened(server.url)
    server.requests.clear()
    server.faults = [400]
    with pytest.raises(StoreFault, match="status 400"):
        index.count()
    assert len(server.requests) == 1


def test_a_wrong_key_is_said_and_never_shown():
    with serving_stand_in("right") as server:
        assert opened(server.url, key="right").count() == 0
        with pytest.raises(StoreFault, match="refused the key") as caught:
            opened(server.url, key="wr0ng")
    assert "RAG_QDRANT_API_KEY" in caught.value.fix
    assert "wr0ng" not in caught.value.message


def test_a_server_that_is_not_there_is_an_error_with_a_way_out(monkeypatch):
    monkeypatch.setattr("local_rag.adapters.qdrant_calls._FIRST_PAUSE_S", 0.001)
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
    with pytest.raises(StoreFault, match=f"127.0.0.1:{port} cannot be used") as caught:
        opened(f"http://127.0.0.1:{port}")
    assert "RAG_QDRANT_URL" in caught.value.fix


def test_faults_of_grpc_are_told_apart():
    class Fault(Exception):
        def __init__(self, name):
            self.name = name

        def code(self):
            return self

    pauses = []
    calls = QdrantCalls(Place("qdrant", "http://host:6333"), pause=pauses.append)
    for name, expected in (("UNAVAILABLE", 2), ("INVALID_ARGUMENT", 0)):
        pauses.clear()
        with pytest.raises(StoreFault, match=name):
            calls(_raising(Fault(name)))
        assert len(pauses) == expected
    with pytest.raises(StoreFault, match="refused the key"):
        calls(_raising(Fault("UNAUTHENTICATED")))


def _raising(fault):
    def call():
        raise fault

    return call


def test_the_missing_package_is_named_with_the_command_that_installs_it(monkeypatch):
    monkeypatch.delitem(sys.modules, "qdrant_client", raising=False)
    real = builtins.__import__
    monkeypatch.setattr(
        "local_rag.adapters.optional.import_module",
        lambda name: _raising(ImportError(name))() if name == "qdrant_client" else real(name),
    )
    with pytest.raises(StoreFault, match="needs the package qdrant_client") as caught:
        connect_qdrant("http://127.0.0.1:1", api_key="", grpc_port=0, timeout_s=1)
    assert "uv sync --extra server" in caught.value.fix


@pytest.mark.parametrize(
    ("url", "address", "local"),
    [
        ("http://127.0.0.1:6333", "http://127.0.0.1:6333", True),
        ("http://localhost", "http://localhost:6333", True),
        ("http://[::1]:7000/prefix", "http://[::1]:7000", True),
        ("https://name:s3cret@qdrant.example:443/x?api-key=k", "https://qdrant.example:443", False),
        ("http://10.0.0.7:6333", "http://10.0.0.7:6333", False),
    ],
)
def test_a_servers_place_is_shown_without_secrets(url, address, local):
    assert qdrant_place(url) == Place("qdrant", address, local)


@pytest.mark.parametrize("url", ["qdrant", ":memory:", "ftp://host", "http://", "http://h:x"])
def test_what_is_no_url_of_a_server_is_refused_without_repeating_it(url):
    with pytest.raises(InvalidRequest, match="RAG_QDRANT_URL") as caught:
        qdrant_place(url)
    assert url not in caught.value.message.replace("RAG_QDRANT_URL", "")


def test_loopback_is_told_from_other_hosts():
    for host in (None, "", "/run/postgresql", "localhost", "127.0.0.5", "::1", "[::1]"):
        assert is_loopback(host)
    for host in ("0.0.0.0", "postgres", "192.168.1.2", "localhost.example"):
        assert not is_loopback(host)
