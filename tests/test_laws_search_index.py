"""The laws of ``ports.SearchIndex``: in memory, on real Qdrant Edge, and on the server's client.

The client runs in its local mode, and over HTTP and gRPC against stand-ins for a server.
"""

from __future__ import annotations

import pickle
import random
import shutil
import subprocess
import sys
import threading
from contextlib import ExitStack

import numpy as np
import pytest
from qdrant_grpc_stand_in import serving_grpc_stand_in
from qdrant_stand_in import local_client, serving_stand_in

from local_rag.adapters.edge_index import EdgeSearchIndex
from local_rag.adapters.edge_served import ServedShard
from local_rag.adapters.memory_index import MemorySearchIndex
from local_rag.adapters.places import Place
from local_rag.adapters.qdrant_calls import connect_qdrant
from local_rag.adapters.qdrant_index import QdrantSearchIndex
from local_rag.errors import StoreFault
from local_rag.model.evidence import Scope
from local_rag.ports import Point
from local_rag.text.bm25 import AVERAGE_TOKENS

ALL = Scope()


def server_index(client=None) -> QdrantSearchIndex:
    return QdrantSearchIndex(
        client or local_client(),
        Place("qdrant"),
        alias="documents",
        space="abcdefabcdef",
        library="5" * 32,
        dimensions=3,
    )


def over_http(stack) -> QdrantSearchIndex:
    stand_in = stack.enter_context(serving_stand_in())
    return server_index(connect_qdrant(stand_in.url, api_key="", grpc_port=0, timeout_s=30))


def over_grpc(stack) -> QdrantSearchIndex:
    port = stack.enter_context(serving_grpc_stand_in())
    url = "http://127.0.0.1:1"  # nobody listens there: all goes over gRPC
    return server_index(connect_qdrant(url, api_key="", grpc_port=port, timeout_s=30))


@pytest.fixture(params=["memory", "edge", "server", "http", "grpc"])
def index(request, tmp_path):
    with ExitStack() as stack:
        makers = {
            "memory": MemorySearchIndex,
            "edge": lambda: EdgeSearchIndex(tmp_path / "i", 3),
            "server": server_index,
            "http": lambda: over_http(stack),
            "grpc": lambda: over_grpc(stack),
        }
        made = makers[request.param]()
        yield made
        made.close()


def point(n: int, vector=(1, 0, 0), tokens=("word",), document: str = "a") -> Point:
    unit = np.array(vector, np.float32)
    return Point(f"{n:032x}", document * 32, unit / np.linalg.norm(unit), tokens)


def ids(hits) -> list[int]:
    return [int(hit.chunk_id, 16) for hit in hits]


QUERY = np.array([1, 0, 0], np.float32)


def test_the_dense_ranking_is_by_cosine(index):
    index.upsert(
        [point(1, (0, 1, 0)), point(2, (1, 1, 0)), point(3, (1, 0, 0)), point(4, (-1, 0, 0))]
    )
    hits = index.dense(QUERY, 10, ALL)
    assert ids(hits) == [3, 2, 1, 4]
    assert [round(hit.value, 4) for hit in hits] == [1.0, 0.7071, 0.0, -1.0]


def test_the_lexical_ranking_prefers_rare_and_repeated_terms_and_leaves_out_the_rest(index):
    index.upsert(
        [
            point(1, tokens=["common", "rare"]),
            point(2, tokens=["common", "common"]),
            point(3, tokens=["common", "filler"]),
            point(4, tokens=["filler", "filler"]),
        ]
    )
    hits = index.lexical({"rare": 1.0, "common": 1.0}, 10, ALL)
    assert ids(hits) == [1, 2, 3]
    assert all(hit.value > 0 for hit in hits)


def test_equal_values_are_ordered_by_id_even_where_the_list_is_cut(index):
    numbers = list(range(1, 120))
    random.Random(7).shuffle(numbers)
    index.upsert([point(n) for n in numbers])
    assert ids(index.dense(QUERY, 5, ALL)) == [1, 2, 3, 4, 5]
    assert ids(index.lexical({"word": 1.0}, 5, ALL)) == [1, 2, 3, 4, 5]


def test_a_scope_narrows_both_rankings(index):
    index.upsert([point(1, document="a"), point(2, document="b"), point(3, document="c")])
    narrow = Scope(document_ids=frozenset({"b" * 32, "c" * 32}), hidden_ids=frozenset({"c" * 32}))
    for scope, expected in (
        (narrow, [2]),
        (Scope(hidden_ids=frozenset({"a" * 32})), [2, 3]),
        (Scope(document_ids=frozenset()), []),
    ):
        assert ids(index.dense(QUERY, 10, scope)) == expected
        assert ids(index.lexical({"word": 1.0}, 10, scope)) == expected


def test_an_empty_index_and_an_empty_question_find_nothing(index):
    assert index.dense(QUERY, 5, ALL) == []
    assert index.lexical({"word": 1.0}, 5, ALL) == []
    index.upsert([point(1, tokens=())])
    assert index.lexical({}, 5, ALL) == []
    assert index.lexical({"word": 1.0}, 5, ALL) == []
    assert ids(index.dense(QUERY, 5, ALL)) == [1]


def test_upserting_an_id_again_replaces_it(index):
    index.upsert([point(1, tokens=["old"])])
    index.upsert([point(1, tokens=["new"])])
    assert index.count() == 1
    assert index.lexical({"old": 1.0}, 5, ALL) == []
    assert ids(index.lexical({"new": 1.0}, 5, ALL)) == [1]


def test_deleting_a_document_removes_its_points_only(index):
    index.upsert([point(1, document="a"), point(2, document="a"), point(3, document="b")])
    index.delete_document("a" * 32)
    index.delete_document("f" * 32)
    assert index.point_counts() == {"b" * 32: 1}
    assert ids(index.dense(QUERY, 5, ALL)) == [3]
    index.clear()
    assert index.count() == 0


def test_eight_threads_writing_lose_nothing(index):
    def write(start: int) -> None:
        for n in range(start, start + 10):
            index.upsert([point(n)])
            index.dense(QUERY, 3, ALL)

    threads = [threading.Thread(target=write, args=(1000 * i,)) for i in range(1, 9)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert index.count() == 80
    assert len(index.dense(QUERY, 500, ALL)) == 80


@pytest.mark.parametrize("kind", ["edge", "server"])
def test_the_sparse_leg_ranks_as_rank_bm25_does(tmp_path, kind):
    """Passages of the assumed mean length, so that both normalise lengths alike."""
    rng = random.Random(3)
    vocabulary = [f"w{i}" for i in range(60)]
    weights = [1 / (i + 1) for i in range(60)]
    length = int(AVERAGE_TOKENS)
    points = [point(n, tokens=rng.choices(vocabulary, weights, k=length)) for n in range(1, 300)]
    ranked = EdgeSearchIndex(tmp_path / "i", 3) if kind == "edge" else server_index()
    reference = MemorySearchIndex()
    ranked.upsert(points)
    reference.upsert(points)
    for _ in range(25):
        terms = dict.fromkeys(rng.sample(vocabulary, 4), 1.0)
        ours, theirs = ranked.lexical(terms, 10, ALL), reference.lexical(terms, 10, ALL)
        assert len(set(ids(ours)) & set(ids(theirs))) >= 9
        by_id = {hit.chunk_id: hit.value for hit in theirs}
        for hit in ours:
            assert hit.value == pytest.approx(by_id.get(hit.chunk_id, hit.value), rel=0.03)
    ranked.close()


def test_a_shard_keeps_its_points_over_a_restart(tmp_path):
    index = EdgeSearchIndex(tmp_path / "i", 3)
    index.upsert([point(1), point(2, document="b")])
    index.close()
    index.close()
    index = EdgeSearchIndex(tmp_path / "i", 3)
    assert ids(index.dense(QUERY, 5, ALL)) == [1, 2]
    assert index.point_counts() == {"a" * 32: 1, "b" * 32: 1}
    index.close()


def test_nothing_in_the_folder_is_ever_unpickled(tmp_path, monkeypatch):
    def refuse(*_args, **_options):
        raise AssertionError("a pickle would run what it says")

    for name in ("load", "loads", "Unpickler"):
        monkeypatch.setattr(pickle, name, refuse)
    test_a_shard_keeps_its_points_over_a_restart(tmp_path)


def test_many_points_are_made_durable_once_not_each(tmp_path, monkeypatch):
    flushed = []
    flush = ServedShard.flush
    monkeypatch.setattr(ServedShard, "flush", lambda shard: flushed.append(1) or flush(shard))
    index = EdgeSearchIndex(tmp_path / "i", 3)
    index.upsert([point(n) for n in range(350)])
    assert (len(flushed), index.count()) == (1, 350)
    index.close()


def test_a_second_process_is_refused_with_a_reason(tmp_path):
    index = EdgeSearchIndex(tmp_path / "i", 3)
    code = (
        "import sys\nfrom pathlib import Path\n"
        "from local_rag.adapters.edge_index import EdgeSearchIndex\n"
        "from local_rag.errors import StoreLocked\n"
        "try: EdgeSearchIndex(Path(sys.argv[1]), 3)\n"
        "except StoreLocked as e: print(e.code, e.fix)"
    )
    run = subprocess.run(
        [sys.executable, "-c", code, str(tmp_path / "i")],
        capture_output=True,
        text=True,
        check=True,
    )
    assert run.stdout.startswith("store-locked Stop the other local-rag")
    index.close()


def _without_segments(folder):
    shutil.rmtree(folder / "segments")
    (folder / "segments").mkdir()


def _with_cut_segments(folder):
    for path in (folder / "segments").rglob("*"):
        if path.is_file():
            path.write_bytes(path.read_bytes()[:10])


def _with_a_broken_configuration(folder):
    (folder / "edge_config.json").write_text("{")


@pytest.mark.parametrize(
    "damage", [_without_segments, _with_cut_segments, _with_a_broken_configuration]
)
def test_a_damaged_shard_is_made_anew(tmp_path, damage):
    index = EdgeSearchIndex(tmp_path / "i", 3)
    index.upsert([point(1)])
    index.close()
    damage(next((tmp_path / "i").glob("shard-*")))
    index = EdgeSearchIndex(tmp_path / "i", 3)
    assert index.point_counts() == {}
    index.upsert([point(2)])
    assert index.point_counts() == {"a" * 32: 1}
    index.close()


def test_a_folder_that_cannot_hold_a_shard_is_an_error_with_a_way_out(tmp_path):
    (tmp_path / "file").touch()
    with pytest.raises(StoreFault, match="cannot be opened") as caught:
        EdgeSearchIndex(tmp_path / "file" / "i", 3)
    assert "data folder" in caught.value.fix
