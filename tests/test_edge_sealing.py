"""Points of the embedded index are sealed beside the searches, and nothing is lost by it."""

from __future__ import annotations

import multiprocessing
import random
import signal
import subprocess
import sys
import threading

import numpy as np
import pytest

from local_rag.adapters import edge_served
from local_rag.adapters.edge_index import EdgeSearchIndex
from local_rag.adapters.edge_sealing import seal
from local_rag.model.evidence import Scope
from local_rag.ports import Point

ALL = Scope()
DIMENSIONS = 16
FRESH_MOST = 300
WORDS = [f"w{i}" for i in range(50)]


def points(begin: int, end: int) -> list[Point]:
    """Ten to a document."""
    made = []
    for n in range(begin, end):
        rng = np.random.default_rng(n)
        vector = rng.normal(size=DIMENSIONS)
        unit = (vector / np.linalg.norm(vector)).astype(np.float32)
        tokens = [*rng.choice(WORDS, 8), f"only{n}"]
        made.append(Point(f"{n:032x}", f"{n // 10:032x}", unit, tokens))
    return made


def ids(hits) -> list[int]:
    return [int(hit.chunk_id, 16) for hit in hits]


def opened(tmp_path, fresh_most: int = FRESH_MOST) -> EdgeSearchIndex:
    return EdgeSearchIndex(tmp_path / "i", DIMENSIONS, fresh_most=fresh_most)


@pytest.fixture
def index(tmp_path):
    made = opened(tmp_path)
    yield made
    made.close()


def shards(tmp_path) -> list[str]:
    return [place.name for place in (tmp_path / "i").glob("shard-*")]


def holds_just(index: EdgeSearchIndex, expected: list[Point]) -> None:
    """Counts, both rankings and the filter by document agree with the points."""
    assert index.count() == len(expected)
    assert sum(index.point_counts().values()) == len(expected)
    for point in random.Random(1).sample(expected, 20):
        number = int(point.chunk_id, 16)
        assert ids(index.dense(point.vector, 1, ALL)) == [number]
        assert ids(index.lexical({f"only{number}": 1.0}, 5, ALL)) == [number]
        of_document = index.dense(point.vector, 50, Scope(frozenset({point.document_id})))
        same = [p for p in expected if p.document_id == point.document_id]
        assert sorted(ids(of_document)) == [int(p.chunk_id, 16) for p in same]


def test_many_points_are_sealed_and_found_as_before(index, tmp_path):
    before = shards(tmp_path)
    index.upsert(points(0, 1000))
    exact = {p.chunk_id: p for p in points(0, 1000)}
    index.settle()
    assert shards(tmp_path) != before
    assert len(shards(tmp_path)) == 1
    holds_just(index, points(0, 1000))
    hits = 0
    for query in points(2000, 2050):
        best = sorted(exact.values(), key=lambda p: -float(p.vector @ query.vector))[:10]
        found = index.dense(query.vector, 10, ALL)
        hits += len({p.chunk_id for p in best} & {hit.chunk_id for hit in found})
        for hit in found:  # rescored: values are those of the vectors, not of their codes
            cosine = float(exact[hit.chunk_id].vector @ query.vector)
            assert hit.value == pytest.approx(cosine, abs=1e-5)
    assert hits >= 490


def test_few_points_are_left_as_they_are(index, tmp_path):
    before = shards(tmp_path)
    index.upsert(points(0, FRESH_MOST - 1))
    index.settle()
    assert shards(tmp_path) == before


def test_what_is_sealed_is_there_after_a_restart(tmp_path):
    index = opened(tmp_path)
    index.upsert(points(0, 500))
    index.settle()
    index.upsert(points(500, 550))
    index.close()
    index = opened(tmp_path)
    holds_just(index, points(0, 550))
    index.close()


def test_sealed_points_can_be_deleted_and_replaced(index):
    index.upsert(points(0, 500))
    index.settle()
    index.delete_document(f"{3:032x}")
    replaced = points(40, 41)[0]
    index.upsert([Point(replaced.chunk_id, replaced.document_id, replaced.vector, ["new"])])
    assert index.lexical({"only30": 1.0}, 5, ALL) == []
    assert index.lexical({"only40": 1.0}, 5, ALL) == []
    assert ids(index.lexical({"new": 1.0}, 5, ALL)) == [40]
    assert ids(index.dense(replaced.vector, 1, ALL)) == [40]
    assert index.dense(replaced.vector, 5, Scope(frozenset({f"{3:032x}"}))) == []
    assert index.count() == 490


def test_points_are_sealed_again_when_as_many_have_come_or_gone(index, tmp_path):
    index.upsert(points(0, 400))
    index.settle()
    first = shards(tmp_path)
    index.upsert(points(400, 800))
    index.settle()
    second = shards(tmp_path)
    for document in range(40):
        index.delete_document(f"{document:032x}")
    index.settle()
    assert len({*first, *second, *shards(tmp_path)}) == 3
    holds_just(index, points(400, 800))


def during_sealing(monkeypatch, act) -> None:
    """Has ``act`` done while the copy is being sealed for the first time."""
    todo = [act]

    def sealing(*arguments):
        if todo:
            todo.pop()()
        return seal(*arguments)

    monkeypatch.setattr(edge_served, "seal", sealing)


def test_what_is_written_and_deleted_while_points_are_sealed_counts(index, monkeypatch):
    def write() -> None:
        index.upsert(points(500, 900))
        index.delete_document(f"{7:032x}")
        index.delete_document(f"{60:032x}")
        index.upsert(points(200, 210))

    during_sealing(monkeypatch, write)
    index.upsert(points(0, 500))
    index.settle()
    kept = [p for p in points(0, 900) if p.document_id not in (f"{7:032x}", f"{60:032x}")]
    holds_just(index, kept)


def test_emptying_the_index_while_points_are_sealed_leaves_it_empty(index, monkeypatch, tmp_path):
    during_sealing(monkeypatch, index.clear)
    index.upsert(points(0, 500))
    index.settle()
    assert index.count() == 0
    assert len(shards(tmp_path)) == 1
    index.upsert(points(0, 50))
    holds_just(index, points(0, 50))


def test_searches_and_writes_go_on_while_points_are_sealed(index):
    """Seen from eight threads, whatever shard serves at the moment."""
    index.upsert(points(0, FRESH_MOST - 1))
    failures: list[str] = []

    def work(start: int) -> None:
        for step in range(12):
            begin = start + 10 * step
            index.upsert(points(begin, begin + 10))
            for sought in (begin, 7):
                (point,) = points(sought, sought + 1)
                if ids(index.dense(point.vector, 1, ALL)) != [sought]:
                    failures.append(f"dense {sought}")
                if ids(index.lexical({f"only{sought}": 1.0}, 1, ALL)) != [sought]:
                    failures.append(f"lexical {sought}")

    threads = [threading.Thread(target=work, args=(1000 * (i + 1),)) for i in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    index.settle()
    assert failures == []
    assert index.count() == FRESH_MOST - 1 + 8 * 120


def test_the_death_of_the_sealing_process_costs_nothing(index, tmp_path, monkeypatch, caplog):
    def killed(*arguments):
        outcome: list[bool] = []
        thread = threading.Thread(target=lambda: outcome.append(seal(*arguments)))
        thread.start()
        while thread.is_alive():
            for child in multiprocessing.active_children():
                if child.name == "local-rag-sealer":
                    child.kill()
            thread.join(0.01)
        return outcome[0]

    before = shards(tmp_path)
    monkeypatch.setattr(edge_served, "seal", killed)
    index.upsert(points(0, 500))
    index.settle()
    assert "died" in caplog.text
    assert shards(tmp_path) == before
    holds_just(index, points(0, 500))


def test_too_little_space_puts_sealing_off(index, tmp_path, monkeypatch, caplog):
    before = shards(tmp_path)
    usage = type("Usage", (), {"free": 1_000_000})
    monkeypatch.setattr(edge_served.shutil, "disk_usage", lambda _: usage)
    index.upsert(points(0, 500))
    index.settle()
    assert "too little space" in caplog.text
    assert shards(tmp_path) == before
    holds_just(index, points(0, 500))


def test_closing_gives_sealing_up(tmp_path, monkeypatch):
    index = opened(tmp_path)

    def never_done(_place, _dimensions, _fresh_most, stop):
        assert stop.wait(60)
        return False

    monkeypatch.setattr(edge_served, "seal", never_done)
    index.upsert(points(0, 500))
    index.close()
    assert len(shards(tmp_path)) == 1
    monkeypatch.undo()
    index = opened(tmp_path)
    index.settle()
    holds_just(index, points(0, 500))
    index.close()


KILLED_WHILE_SEALING = """
import os, signal, sys
sys.path.insert(0, sys.argv[2])
from pathlib import Path
from test_edge_sealing import opened, points
from local_rag.adapters import edge_served
if __name__ == "__main__":
    real = edge_served.ShardPlaces.choose
    def die(*arguments):
        if sys.argv[3] == "after":
            real(*arguments)
        os.kill(os.getpid(), signal.SIGKILL)
    index = opened(Path(sys.argv[1]))
    edge_served.ShardPlaces.choose = die
    if sys.argv[3] == "while":
        edge_served.load_shard = die
    index.upsert(points(0, 500))
    index.settle()
"""


@pytest.mark.skipif(sys.platform == "win32", reason="there is no kill -9")
@pytest.mark.parametrize("moment", ["while", "before", "after"])
def test_kill_9_in_the_middle_of_sealing_loses_nothing(tmp_path, moment):
    script = tmp_path / "killed.py"
    script.write_text(KILLED_WHILE_SEALING)
    folder = str(next(p for p in sys.path if p.endswith("tests")))
    run = subprocess.run(
        [sys.executable, str(script), str(tmp_path), folder, moment], check=False, timeout=100
    )
    assert run.returncode == -signal.SIGKILL
    assert len(shards(tmp_path)) == 2
    index = opened(tmp_path)
    holds_just(index, points(0, 500))
    index.settle()
    holds_just(index, points(0, 500))
    assert len(shards(tmp_path)) == 1
    index.close()


def test_the_folder_of_an_earlier_version_is_taken_over(tmp_path):
    index = opened(tmp_path)
    index.upsert(points(0, 50))
    index.close()
    (shard,) = (tmp_path / "i").glob("shard-*")
    (tmp_path / "i" / "current").unlink()
    aside = tmp_path / "aside"
    shard.replace(aside)
    (tmp_path / "i").rmdir()
    aside.replace(tmp_path / "i")
    index = opened(tmp_path)
    holds_just(index, points(0, 50))
    index.close()


def test_small_indexes_of_equal_points_rank_alike_whatever_their_history(tmp_path):
    straight, other = opened(tmp_path / "a", 5000), opened(tmp_path / "b", 5000)
    straight.upsert(points(0, 200))
    shuffled = points(0, 400)
    random.Random(5).shuffle(shuffled)
    other.upsert(shuffled)
    for document in range(20, 40):
        other.delete_document(f"{document:032x}")
    other.upsert(points(50, 80))
    rng = random.Random(6)
    for query in points(900, 920):
        terms = dict.fromkeys(rng.sample(WORDS, 4), 1.0)
        assert straight.dense(query.vector, 50, ALL) == other.dense(query.vector, 50, ALL)
        assert straight.lexical(terms, 50, ALL) == other.lexical(terms, 50, ALL)
    straight.close()
    other.close()


def test_an_index_that_has_become_small_ranks_like_one_that_always_was(tmp_path):
    shrunk, small = opened(tmp_path / "a"), opened(tmp_path / "b")
    shrunk.upsert(points(0, 500))
    shrunk.settle()
    for document in range(25):
        shrunk.delete_document(f"{document:032x}")
    shrunk.settle()
    small.upsert(points(250, 500))
    rng = random.Random(6)
    for query in points(900, 920):
        terms = dict.fromkeys(rng.sample(WORDS, 4), 1.0)
        dense = small.dense(query.vector, 50, ALL)
        assert ids(shrunk.dense(query.vector, 50, ALL)) == ids(dense)
        assert shrunk.lexical(terms, 50, ALL) == small.lexical(terms, 50, ALL)
    shrunk.close()
    small.close()
