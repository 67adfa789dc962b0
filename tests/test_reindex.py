"""Another embedding model: a new index is made beside the old one, which answers meanwhile."""

import threading

import pytest
from fakes import FakeCatalog, FakeEmbedder, FakeExtractor, FakeSourceStore, FakeWriter

from local_rag.adapters.edge_index import EdgeSearchIndex
from local_rag.adapters.memory_index import MemorySearchIndex
from local_rag.adapters.splitter import recursive_splitter
from local_rag.errors import Cancelled, ModelServerUnreachable
from local_rag.ports import EmbedderInfo
from local_rag.retrieve.hybrid import Hybrid
from local_rag.retrieve.space import Space
from local_rag.usecases.answer import Desk
from local_rag.usecases.library import Library
from local_rag.usecases.reindex import Reindex
from local_rag.usecases.shelf import Shelf
from local_rag.usecases.spaces import Spaces


class OtherEmbedder(FakeEmbedder):
    """Another model of the same width: its vectors point elsewhere."""

    def __init__(self) -> None:
        super().__init__()
        self.info = EmbedderInfo("fake", "backwards", "1" * 64, self.DIMENSIONS, None)
        self.asked: list[str] = []

    def _vector(self, text):
        return super()._vector(text)[::-1].copy()

    def embed_query(self, text):
        self.asked.append(text)
        return super().embed_query(text)


class World:
    def __init__(self, folder, *, old_model_here=True, old_index=None) -> None:
        self.folder, self.catalog = folder, FakeCatalog()
        self.old, self.new = FakeEmbedder(), OtherEmbedder()
        self.old_index, self.new_index = old_index or MemorySearchIndex(), MemorySearchIndex()
        sources = FakeSourceStore(folder / "kept")
        (folder / "kept").mkdir()
        self.settled, self.finished = [], []
        serving = Space(self.old_index, self.old.info, self.old)
        self._library(Spaces(serving), sources)
        for number in range(3):
            self.add(f"The lighthouse number {number} was built in 187{number}.", f"{number}.txt")
        left = Space(self.old_index, self.old.info, self.old if old_model_here else None)
        building = Space(self.new_index, self.new.info, self.new)
        self._library(Spaces(left, building, settle=lambda: self.settled.append(True)), sources)

    def _library(self, spaces, sources):
        self.spaces = spaces
        self.shelf = Shelf(
            catalog=self.catalog, sources=sources, spaces=spaces,
            free_bytes=lambda: 10**12, write_lock=threading.Lock(),
        )  # fmt: skip
        self.library = Library(
            catalog=self.catalog, sources=sources, shelf=self.shelf, extractor=FakeExtractor(),
            split=recursive_splitter(300, 50), max_file_bytes=10**6,
        )  # fmt: skip
        self.reindex = Reindex(
            catalog=self.catalog, spaces=spaces, shelf=self.shelf,
            finished=lambda: self.finished.append(True), retry_s=0.01,
        )  # fmt: skip
        self.desk = Desk(self.catalog, Hybrid(self.catalog, lambda: spaces.serving), FakeWriter())

    def add(self, text, name):
        path = self.folder / "upload"
        path.write_text(text)
        return self.library.add(path, name)

    def found(self, question="When was lighthouse number 2 built?"):
        (ledger,) = self.desk.retrieve(question).ledgers
        return ledger


@pytest.fixture
def world(tmp_path):
    return World(tmp_path)


def test_the_old_index_answers_with_its_own_model_until_the_new_one_is_done(world):
    before = world.found()
    assert before.rows[0].evidence.chunk.text.startswith("The lighthouse number 2")
    assert world.new.asked == []
    assert world.reindex.progress.state == "running"
    assert (world.reindex.progress.done, world.reindex.progress.total) == (0, 3)
    seen = []
    world.reindex.run(lambda done, total: seen.append((done, total)))
    assert seen[-1] == (3, 3)
    assert seen == sorted(seen)
    assert world.reindex.progress.state == "done"
    assert (world.finished, world.settled) == ([True], [True])
    after = world.found()
    assert world.new.asked == ["When was lighthouse number 2 built?"]
    assert [r.evidence.chunk.chunk_id for r in after.rows] == [
        r.evidence.chunk.chunk_id for r in before.rows
    ]


def test_without_the_old_model_words_alone_answer_and_say_so(tmp_path):
    world = World(tmp_path, old_model_here=False)
    assert world.reindex.progress.by_words_only
    found = world.found()
    assert found.rows[0].evidence.chunk.text.startswith("The lighthouse number 2")
    assert (found.weights.dense, found.rows[0].evidence.fused.cosine) == (0.0, None)
    assert "bag-of-words" in found.weights.reason
    world.add("The windmill was built in 1850.", "mill.txt")
    assert world.found("When was the windmill built?").rows[0].evidence.document.name == "mill.txt"
    world.reindex.run()
    assert world.found("When was the windmill built?").weights.dense == 1.0


@pytest.fixture
def world_with_a_shard(tmp_path):
    """Its old index cannot be asked once it is closed."""
    return World(tmp_path, old_index=EdgeSearchIndex(tmp_path / "old", FakeEmbedder.DIMENSIONS))


def test_a_question_that_meets_the_switch_is_answered_by_the_new_index(
    world_with_a_shard, monkeypatch
):
    world, embed = world_with_a_shard, world_with_a_shard.old.embed_query

    def embed_after_the_switch(text):
        world.reindex.run()
        return embed(text)

    monkeypatch.setattr(world.old, "embed_query", embed_after_the_switch)
    assert world.found().rows[0].evidence.chunk.text.startswith("The lighthouse number 2")
    assert world.new.asked == ["When was lighthouse number 2 built?"]


def test_passages_can_be_counted_while_the_index_is_switched(world_with_a_shard, monkeypatch):
    world, count = world_with_a_shard, world_with_a_shard.old_index.count

    def count_after_the_switch():
        world.reindex.run()
        return count()

    monkeypatch.setattr(world.old_index, "count", count_after_the_switch)
    assert world.spaces.count() == 3


def test_a_fault_that_no_switch_explains_is_raised_at_once(world, monkeypatch):
    asked = []

    def fail(*args):
        asked.append(args)
        raise ModelServerUnreachable("Nothing answers.", fix="Start it.")

    monkeypatch.setattr(world.old, "embed_query", fail)
    with pytest.raises(ModelServerUnreachable):
        world.found()
    assert len(asked) == 1


def test_what_is_added_or_removed_meanwhile_is_so_in_both(world):
    gone = world.catalog.documents()[0]
    world.library.remove(gone.document_id)
    added = world.add("The windmill was built in 1850.", "mill.txt").document
    for index in (world.old_index, world.new_index):
        assert gone.document_id not in index.point_counts()
        assert index.point_counts()[added.document_id] == 1
    world.reindex.run()
    assert world.spaces.serving.index is world.new_index
    assert world.new_index.point_counts().keys() == {
        d.document_id for d in world.catalog.documents()
    }


def test_a_document_that_leaves_while_it_is_embedded_does_not_come_back(world, monkeypatch):
    embed = world.new.embed_passages
    leaving = world.catalog.documents()

    def remove_first(texts):
        if leaving:
            world.library.remove(leaving.pop().document_id)
        return embed(texts)

    monkeypatch.setattr(world.new, "embed_passages", remove_first)
    world.reindex.run()
    assert world.new_index.point_counts().keys() == {
        d.document_id for d in world.catalog.documents()
    }


def test_a_stopped_one_goes_on_where_it_was(world, monkeypatch):
    def stop(done, _total):
        if done == 1:
            world.reindex.close()

    with pytest.raises(Cancelled):
        world.reindex.run(stop)
    assert sum(world.new_index.point_counts().values()) == 1
    assert world.spaces.serving.index is world.old_index
    embedded = []
    embed = world.new.embed_passages
    monkeypatch.setattr(
        world.new, "embed_passages", lambda texts: embedded.extend(texts) or embed(texts)
    )
    again = Reindex(
        catalog=world.catalog, spaces=world.spaces, shelf=world.shelf, finished=lambda: None
    )
    assert again.progress.done == 1
    again.run()
    assert len(embedded) == 2


def test_a_model_that_does_not_answer_is_asked_again(world, monkeypatch):
    embed, failing = world.new.embed_passages, [True, True]

    def answer_the_third_time(texts):
        if failing:
            failing.pop()
            raise ModelServerUnreachable("Nothing answers.", fix="Start it.")
        return embed(texts)

    waits = []
    wait = world.reindex._stop.wait
    monkeypatch.setattr(world.new, "embed_passages", answer_the_third_time)
    monkeypatch.setattr(
        world.reindex._stop, "wait", lambda s: waits.append(world.reindex.progress) or wait(s)
    )
    world.reindex.start()
    world.reindex._thread.join(30)
    assert [(p.state, p.message) for p in waits] == [("waiting", "Nothing answers. Start it.")] * 2
    assert world.reindex.progress.state == "done"
    world.reindex.close()


def test_orphans_of_both_are_removed_and_nothing_to_do_is_no_error(world):
    for space in world.spaces.all():
        document = world.catalog.documents()[0]
        chunk = world.catalog.document_chunks(document.document_id)[0]
        from local_rag.ports import Point

        vector = world.old.embed_query("x")
        space.index.upsert([Point("f" * 32, "e" * 32, vector, ["x"])])
        assert chunk.chunk_id != "f" * 32
    world.library.reconcile()
    assert "e" * 32 not in world.old_index.point_counts()
    assert "e" * 32 not in world.new_index.point_counts()
    world.reindex.run()
    world.reindex.run()
    assert world.finished == [True]
