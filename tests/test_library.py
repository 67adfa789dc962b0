"""The life of documents, over fakes and over the real stores."""

from __future__ import annotations

import threading

import pytest
from fakes import (
    FakeCatalog,
    FakeEmbedder,
    FakeExtractor,
    FakeSourceStore,
    FakeWriter,
    make_library,
)

from local_rag.adapters.database import open_database
from local_rag.adapters.edge_index import EdgeSearchIndex
from local_rag.adapters.file_sources import FileSourceStore
from local_rag.adapters.memory_index import MemorySearchIndex
from local_rag.adapters.splitter import recursive_splitter
from local_rag.adapters.sql_catalog import SqlCatalog
from local_rag.errors import (
    Cancelled,
    DiskFull,
    EmptyFile,
    ModelFault,
    NoText,
    TooLarge,
    UnknownDocument,
    UnsupportedType,
)
from local_rag.model.answer import NO_DOCUMENTS, NO_SELECTION, REFUSAL
from local_rag.model.evidence import Scope
from local_rag.retrieve.hybrid import Hybrid
from local_rag.retrieve.space import Space
from local_rag.usecases.answer import Desk

LIMIT_BYTES = 100_000


class World:
    """A library and a desk over one set of stores."""

    def __init__(self, catalog, sources, index, folder) -> None:
        self.catalog, self.sources, self.index, self.folder = catalog, sources, index, folder
        self.embedder = FakeEmbedder()
        self.free_bytes = 10**12
        self.library = make_library(
            catalog=catalog,
            sources=sources,
            index=index,
            embedder=self.embedder,
            extractor=FakeExtractor(),
            split=recursive_splitter(300, 50),
            max_file_bytes=LIMIT_BYTES,
            free_bytes=lambda: self.free_bytes,
        )
        space = Space(index, self.embedder.info, self.embedder)
        self.desk = Desk(catalog, Hybrid(catalog, lambda: space), FakeWriter())

    def add(self, text: str | bytes, name: str = "notes.txt"):
        path = self.folder / "upload"
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return self.library.add(path, name)

    def is_empty(self) -> bool:
        return (
            self.catalog.documents() == []
            and not self.catalog.unfinished()
            and self.index.count() == 0
            and self.sources.hashes() == set()
        )


@pytest.fixture(params=["fakes", "real stores"])
def world(request, tmp_path):
    kept = tmp_path / "kept"
    kept.mkdir()
    if request.param == "fakes":
        made = World(FakeCatalog(), FakeSourceStore(kept), MemorySearchIndex(), tmp_path)
    else:
        made = World(
            SqlCatalog(open_database(f"sqlite:///{tmp_path}/c.db")),
            FileSourceStore(kept),
            EdgeSearchIndex(tmp_path / "index", FakeEmbedder.DIMENSIONS),
            tmp_path,
        )
    yield made
    made.index.close()
    made.catalog.close()


def test_an_added_document_answers_at_once(world):
    added = world.add("The lighthouse was built in 1873 on the northern cape.")
    assert added.outcome == "created"
    assert (added.document.name, added.document.media_type) == ("notes.txt", "text/plain")
    assert (added.document.page_count, added.document.chunk_count) == (1, 1)
    assert added.document.language == "en"
    answer = world.desk.answer("When was the lighthouse built?")
    assert answer.text == "The lighthouse was built in 1873 on the northern cape. [1]"
    assert answer.citations[0].document == added.document
    assert {
        "embed",
        "dense",
        "lexical",
        "load",
        "select",
        "generate",
        "cite",
        "flag",
        "total",
    } == set(answer.timings_ms)


def test_the_same_bytes_under_the_same_name_are_one_document(world):
    first = world.add("Some words about lighthouses.")
    second = world.add("Some words about lighthouses.")
    assert (second.outcome, second.document) == ("unchanged", first.document)
    assert world.index.count() == 1


def test_the_same_bytes_under_another_name_are_already_here(world):
    first = world.add("Some words about lighthouses.")
    second = world.add("Some words about lighthouses.", "copy.txt")
    assert (second.outcome, second.document) == ("duplicate", first.document)
    assert len(world.catalog.documents()) == 1


def test_the_same_file_sent_twice_at_once_is_one_document(world):
    outcomes = []
    barrier = threading.Barrier(4)

    def send(number: int) -> None:
        path = world.folder / f"upload{number}"
        path.write_text("Sent four times within a moment.")
        barrier.wait()
        outcomes.append(world.library.add(path, "notes.txt").outcome)

    threads = [threading.Thread(target=send, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(outcomes) == ["created", "unchanged", "unchanged", "unchanged"]
    assert world.index.count() == 1


def test_a_new_version_replaces_the_old_one_wholly(world):
    old = world.add("The meeting takes place on Tuesday.").document
    added = world.add("The meeting takes place on Friday.")
    assert added.outcome == "replaced"
    assert world.catalog.documents() == [added.document]
    assert world.sources.hashes() == {added.document.source_sha256}
    assert world.index.point_counts() == {added.document.document_id: 1}
    answer = world.desk.answer("When does the meeting take place?")
    assert "Friday" in answer.text
    assert "Tuesday" not in answer.text
    with pytest.raises(UnknownDocument):
        world.catalog.document(old.document_id)


def test_a_removed_document_answers_nothing_and_can_come_back(world):
    document = world.add("The lighthouse was built in 1873.").document
    world.library.remove(document.document_id)
    assert world.is_empty()
    assert world.desk.answer("When was the lighthouse built?").text == NO_DOCUMENTS
    assert world.add("The lighthouse was built in 1873.").outcome == "created"
    assert "1873" in world.desk.answer("When was the lighthouse built?").text


def test_removing_what_is_not_there_is_an_error(world):
    with pytest.raises(UnknownDocument):
        world.library.remove("0" * 32)


def test_everything_can_be_removed(world):
    for number in range(3):
        world.add(f"Text number {number}.", f"{number}.txt")
    assert world.library.remove_all() == 3
    assert world.is_empty()


@pytest.mark.parametrize(
    ("content", "name", "error"),
    [
        (b"", "a.txt", EmptyFile),
        (b"x", "a.exe", UnsupportedType),
        (b"x", "noending", UnsupportedType),
        (b"x" * (LIMIT_BYTES + 1), "a.txt", TooLarge),
        (b"  \n \f ", "a.txt", NoText),
    ],
)
def test_a_file_that_cannot_be_used_leaves_nothing(world, content, name, error):
    with pytest.raises(error):
        world.add(content, name)
    assert world.is_empty()


def test_a_limit_is_named_and_is_itself_allowed(world):
    assert world.add(b"word " * (LIMIT_BYTES // 5)).outcome == "created"
    with pytest.raises(TooLarge, match=r"0\.1 MB"):
        world.add(b"x" * (LIMIT_BYTES + 1))


def test_a_failing_embedder_leaves_nothing_and_the_file_can_be_sent_again(world, monkeypatch):
    def fail(texts):
        raise ModelFault("broken")

    with monkeypatch.context() as patched:
        patched.setattr(world.embedder, "embed_passages", fail)
        with pytest.raises(ModelFault):
            world.add("Some words.")
    assert world.is_empty()
    assert world.add("Some words.").outcome == "created"


def test_a_failing_index_leaves_the_earlier_version_answering(world, monkeypatch):
    world.add("The meeting takes place on Tuesday.")

    def fail(points):
        raise RuntimeError("disk full")

    with monkeypatch.context() as patched:
        patched.setattr(world.index, "upsert", fail)
        with pytest.raises(RuntimeError):
            world.add("The meeting takes place on Friday.")
    assert world.catalog.unfinished() == frozenset()
    assert "Tuesday" in world.desk.answer("When does the meeting take place?").text


@pytest.mark.parametrize("step", ["upsert", "publish", "sweep"])
def test_a_crash_while_replacing_leaves_exactly_one_version_answering(world, monkeypatch, step):
    """The process dies before the named step: nothing after it runs, not even clean-up."""
    world.add("The meeting takes place on Tuesday.")

    class Died(BaseException):
        pass

    def die(*_args):
        raise Died

    with monkeypatch.context() as patched:
        if step == "upsert":
            patched.setattr(world.index, "upsert", die)
        elif step == "publish":
            patched.setattr(world.catalog, "publish", die)
        patched.setattr(world.library._shelf, "_sweep", die)
        with pytest.raises(Died):
            world.add("The meeting takes place on Friday.")
    expected = "Friday" if step == "sweep" else "Tuesday"
    other = "Tuesday" if step == "sweep" else "Friday"
    for _ in range(2):  # before and after the next start has reconciled
        text = world.desk.answer("When does the meeting take place?").text
        assert expected in text
        assert other not in text
        world.library.reconcile()
    assert world.catalog.unfinished() == frozenset()
    assert world.index.count() == 1
    assert len(world.sources.hashes()) == 1


def test_a_lost_index_is_rebuilt_from_the_catalogue(world):
    document = world.add("The lighthouse was built in 1873.").document
    world.index.clear()
    world.library.reconcile()
    assert world.index.point_counts() == {document.document_id: 1}
    assert "1873" in world.desk.answer("When was the lighthouse built?").text


def test_an_index_whose_rebuilding_was_stopped_is_completed(world):
    text = " ".join(f"Lighthouse number {n} was built in {1800 + n}." for n in range(60))
    document = world.add(text).document
    world.index.clear()
    chunks = world.catalog.document_chunks(document.document_id)
    half = next(iter(world.library._shelf.prepare(chunks, document).values()))
    world.index.upsert(half[: len(half) // 2])
    world.library.reconcile()
    assert world.index.point_counts() == {document.document_id: document.chunk_count}


def test_a_full_disk_is_said_before_anything_is_written(world):
    world.free_bytes = 1000
    with pytest.raises(DiskFull, match="200 MB"):
        world.add("The lighthouse was built in 1873.")
    assert world.is_empty()
    world.free_bytes = 10**12
    assert world.add("The lighthouse was built in 1873.").outcome == "created"


@pytest.mark.parametrize(("name", "outcome"), [("notes.txt", "unchanged"), ("b.txt", "duplicate")])
def test_sending_a_document_again_brings_back_its_missing_original(world, name, outcome):
    document = world.add("The lighthouse was built in 1873.").document
    world.sources.delete(document.source_sha256)
    assert world.add("The lighthouse was built in 1873.", name).outcome == outcome
    assert world.sources.hashes() == {document.source_sha256}


def test_an_original_that_two_documents_share_stays_until_both_are_gone(world):
    world.add("First.", "a.txt")
    b = world.add("Second.", "b.txt").document
    a = world.add("Second.", "a.txt").document
    assert a.source_sha256 == b.source_sha256
    world.library.remove(b.document_id)
    assert world.sources.hashes() == {a.source_sha256}
    world.library.remove(a.document_id)
    assert world.is_empty()


def test_what_was_sent_under_two_names_outlives_the_replacement_of_one(world):
    first = world.add("The ibex is grey.", "a.txt").document
    assert world.add("The ibex is grey.", "b.txt").outcome == "duplicate"
    assert world.add("The lighthouse was built in 1873.", "a.txt").outcome == "replaced"
    assert {d.name for d in world.catalog.documents()} == {"a.txt", "b.txt"}
    answer = world.desk.answer("What colour is the ibex?")
    assert answer.citations[0].document.name == "b.txt"
    assert world.sources.hashes() >= {first.source_sha256}
    assert world.catalog.twins(first.source_sha256) == []
    for document in world.catalog.documents():
        world.library.remove(document.document_id)
    assert world.is_empty()
    world.add("The ibex is grey.", "a.txt")
    assert world.catalog.twins(first.source_sha256) == []  # forgotten with the bytes


def test_points_of_no_document_are_removed_at_the_next_start(world):
    document = world.add("The lighthouse was built in 1873.").document
    world.catalog.retire(document.document_id)
    world.catalog.forget(document.document_id)
    world.library.reconcile()
    assert world.index.count() == 0


def test_a_new_catalogue_never_sweeps_the_originals_beside_it(world):
    document = world.add("The lighthouse was built in 1873.").document
    world.catalog.retire(document.document_id)
    world.catalog.forget(document.document_id)
    world.library.reconcile()
    other = world.add("Something else.", "other.txt").document
    world.library.remove(other.document_id)
    assert world.sources.hashes() == {document.source_sha256}


def test_a_document_replaced_while_its_answer_is_written_is_found_again(world, monkeypatch):
    world.add("The meeting takes place on Tuesday.")
    write = world.desk.writer.write

    def replace_then_write(*args, **options):
        monkeypatch.undo()
        world.add("The meeting takes place on Friday.")
        return write(*args, **options)

    monkeypatch.setattr(world.desk.writer, "write", replace_then_write)
    assert "Friday" in world.desk.answer("When does the meeting take place?").text


def test_names_that_are_equal_when_normalised_are_one_document(world):
    world.add("First text.", "Ha\u0308user.txt")
    added = world.add("Second text.", "../H\u00e4user.txt")
    assert (added.outcome, added.document.name) == ("replaced", "Häuser.txt")


def test_a_selection_limits_what_answers(world):
    first = world.add("The lighthouse was built in 1873.", "a.txt").document
    second = world.add("The lighthouse keeper likes tea.", "b.txt").document
    answer = world.desk.answer("When was the lighthouse built?", [second.document_id])
    assert {c.document for c in answer.citations} == {second}
    assert world.desk.answer("When was the lighthouse built?", []).text == NO_SELECTION
    with pytest.raises(UnknownDocument):
        world.desk.answer("When was the lighthouse built?", [first.document_id, "0" * 32])


@pytest.mark.parametrize("question", ["what is it and how do you do that", "?!", "the"])
def test_a_question_without_content_is_refused_in_words(world, question):
    world.add("The lighthouse was built in 1873. What is it and how do you do that.")
    answer = world.desk.answer(question)
    assert (answer.text, answer.refused, answer.citations) == (REFUSAL, True, ())


def test_identical_passages_answer_in_the_same_order_whatever_the_order_of_adding(world):
    rankings = []
    for order in ((1, 2, 3), (3, 1, 2)):
        for number in order:
            world.add(f"The lighthouse was built in 1873.\f{number}", f"{number}.txt")
        found = world.desk.retrieve("When was the lighthouse built?", top_k=3).evidence
        rankings.append([row.chunk.chunk_id for row in found])
        world.library.remove_all()
    assert rankings[0] == rankings[1]


def test_a_document_removed_between_search_and_read_is_not_cited(world, monkeypatch):
    gone = world.add("The lighthouse was built in 1873.", "a.txt").document
    stays = world.add("The lighthouse is 40 metres high.", "b.txt").document
    search = world.index.lexical

    def search_then_remove(*args):
        hits = search(*args)
        if gone in world.catalog.documents():
            world.library.remove(gone.document_id)
        return hits

    monkeypatch.setattr(world.index, "lexical", search_then_remove)
    found = world.desk.retrieve("lighthouse", top_k=1)
    assert [row.document for row in found.evidence] == [stays]


def test_a_document_replaced_between_search_and_read_is_found_in_its_new_version(
    world, monkeypatch
):
    world.add("The meeting takes place on Tuesday.")
    search = world.index.lexical

    def search_then_replace(*args):
        monkeypatch.undo()
        hits = search(*args)
        world.add("The meeting takes place on Friday.")
        return hits

    monkeypatch.setattr(world.index, "lexical", search_then_replace)
    found = world.desk.retrieve("When does the meeting take place?").evidence
    assert [row.chunk.text for row in found] == ["The meeting takes place on Friday."]


def test_a_version_that_takes_over_while_it_is_hidden_from_a_question_is_found(world, monkeypatch):
    world.add("The meeting takes place on Tuesday.")
    upload = world.folder / "new"
    upload.write_text("The meeting takes place on Friday.")
    staged, go_on = threading.Event(), threading.Event()

    def watch(stage, done, total):
        if stage == "committing" and done == total:
            staged.set()
            go_on.wait(30)

    adder = threading.Thread(target=world.library.add, args=(upload, "notes.txt", watch))
    adder.start()
    assert staged.wait(30)
    embed = world.embedder.embed_query

    def embed_when_it_has_taken_over(text):
        go_on.set()
        adder.join(30)
        return embed(text)

    monkeypatch.setattr(world.embedder, "embed_query", embed_when_it_has_taken_over)
    found = world.desk.retrieve("When does the meeting take place?").evidence
    assert [row.chunk.text for row in found] == ["The meeting takes place on Friday."]


def test_hidden_points_never_take_a_place_in_the_ranking(world):
    world.add("The lighthouse was built in 1873.", "a.txt")
    staged = frozenset(world.index.point_counts())
    assert len(world.index.lexical({"lighthous": 1.0}, 5, Scope())) == 1
    assert world.index.lexical({"lighthous": 1.0}, 5, Scope(hidden_ids=staged)) == []


def test_a_twin_of_what_is_being_replaced_does_not_outlive_a_cancelled_replacement(world):
    """The document is removed, and the work on its new version stopped, while its twin is kept."""
    world.add("The ibex is brown.", "a.txt")
    world.add("The ibex is brown.", "b.txt")
    upload = world.folder / "new"
    upload.write_text("The ibex is grey.")

    def stop(_stage, _done, _total):
        raise Cancelled("stopped")

    with pytest.raises(Cancelled):
        world.library.add(upload, "a.txt", stop)
    assert [document.name for document in world.catalog.documents()] == ["a.txt"]


def test_removing_all_waits_for_what_is_being_written(world):
    """What is past its last look at whether it was cancelled is removed too."""
    removed = []
    remover = threading.Thread(target=lambda: removed.append(world.library.remove_all()))

    def watch(stage, done, total):
        if stage == "committing" and done == total:
            remover.start()
            remover.join(0.2)

    path = world.folder / "upload"
    path.write_text("The lighthouse was built in 1873.")
    world.library.add(path, "notes.txt", watch)
    remover.join()
    assert removed == [1]
    assert world.is_empty()
