"""Which stores are opened, by the settings alone, and what is said of them."""

from __future__ import annotations

from dataclasses import replace

import pytest
from fakes import FakeEmbedder

from local_rag import providers, stores
from local_rag.adapters.places import Place
from local_rag.api.app import _health
from local_rag.beside import open_catalog
from local_rag.composition import open_services
from local_rag.errors import InvalidRequest, StoreFault
from local_rag.settings import Settings


def settings(tmp_path, **changes):
    return Settings(data_dir=tmp_path / "data", _env_file=None, **changes)


def test_a_store_on_another_machine_is_said_to_be_one(tmp_path):
    with open_services(settings(tmp_path)) as services:
        assert _health(services)["leaves_machine"] is False
        for name in ("database", "index", "sources"):
            place = Place("anything", "db.example", local=False)
            health = _health(replace(services, places={**services.places, name: place}))
            assert health["leaves_machine"] is True
            assert health[name] == {"provider": "anything", "address": "db.example", "local": False}


def test_originals_can_be_shared_by_themselves(tmp_path):
    (tmp_path / "share").mkdir()
    given = settings(tmp_path, sources_url=f"file://{tmp_path}/share")
    file = tmp_path / "x.txt"
    file.write_text("The lighthouse was built in 1873.")
    with open_services(given) as services:
        document = services.library.add(file, "x.txt").document
        assert services.library.original(document.document_id)[1].read_text() == file.read_text()
    (kept,) = (tmp_path / "share").rglob("originals/*/*")
    assert kept.name == document.source_sha256
    with open_services(given) as services:  # the same library, after a restart
        assert services.library.original(document.document_id)[1].exists()
        assert services.places["sources"] == Place("file", f"file://{tmp_path}/share", local=True)


@pytest.mark.parametrize(
    ("variable", "value", "error"),
    [
        ("database_url", "mysql://u:s3cret@h/x", InvalidRequest),
        ("qdrant_url", "s3cret", InvalidRequest),
        ("sources_url", "/s3cret", InvalidRequest),
        ("sources_url", "file:///s3cret/nowhere", StoreFault),
    ],
)
def test_a_store_that_cannot_be_opened_is_said_at_the_start(tmp_path, variable, value, error):
    given = settings(tmp_path, **{variable: value})
    with pytest.raises(error, match=f"RAG_{variable.upper()}") as caught, open_services(given):
        pass
    assert "s3cret" not in caught.value.message + caught.value.fix
    assert "s3cret" not in repr(given)
    with open_services(settings(tmp_path)):  # everything was released
        pass


def test_the_library_in_a_database_is_listed_beside_a_running_program(tmp_path, postgres_url):
    given = settings(tmp_path, database_url=postgres_url)
    file = tmp_path / "x.txt"
    file.write_text("The lighthouse was built in 1873.")
    with open_services(given) as services:
        services.library.add(file, "x.txt")
        elsewhere = settings(tmp_path / "other", database_url=postgres_url)
        with open_catalog(elsewhere) as catalog:
            assert [document.name for document in catalog.documents()] == ["x.txt"]
        assert "1873" in services.desk.answer("When was the lighthouse built?").text
        services.jobs.start()
        sent = services.jobs.submit(lambda path: path.write_bytes(b"Other words."), "y.txt")[1]
        assert sent.result(60).outcome == "created"


class _OtherEmbedder(FakeEmbedder):
    def __init__(self) -> None:
        super().__init__()
        self.info = replace(self.info, model="other", digest="1" * 64)


@pytest.mark.parametrize("old_model_answers", [True, False])
def test_another_embedding_model_takes_over_beside_the_old_index(
    tmp_path, monkeypatch, old_model_answers
):
    given = settings(tmp_path)
    file = tmp_path / "x.txt"
    file.write_text("The lighthouse was built in 1873.")
    indexes = given.data_dir / "index"
    monkeypatch.setattr(providers, "embedder", lambda _settings: FakeEmbedder())
    with open_services(given) as services:
        services.library.add(file, "x.txt")
        (old,) = indexes.iterdir()
    monkeypatch.setattr(providers, "embedder", lambda _settings: _OtherEmbedder())
    known = FakeEmbedder() if old_model_answers else None
    monkeypatch.setattr(providers, "embedder_of", lambda _settings, _info: known)
    with open_services(given) as services:
        told = _health(services)["reindex"]
        assert (told["state"], told["made_with"], told["wanted"]) == (
            "running",
            "bag-of-words",
            "other",
        )
        assert told["by_words_only"] is not old_model_answers
        assert "1873" in services.desk.answer("When was the lighthouse built?").text
        assert old in indexes.iterdir()
        services.reindex.run()
        assert _health(services)["reindex"]["state"] == "done"
        assert services.spaces.serving.info.model == "other"
        assert "1873" in services.desk.answer("When was the lighthouse built?").text
        (new,) = indexes.iterdir()
        assert new != old
    with open_services(given) as services:
        assert _health(services)["reindex"]["state"] == "none"
        assert services.spaces.serving.index.count() == 1


def test_a_reindexing_that_was_not_finished_goes_on_at_the_next_start(tmp_path, monkeypatch):
    given = settings(tmp_path)
    file = tmp_path / "x.txt"
    file.write_text("The lighthouse was built in 1873.")
    with open_services(given) as services:
        services.library.add(file, "x.txt")
    monkeypatch.setattr(stores, "TOKENIZER_VERSION", "next")
    monkeypatch.setattr(stores._space_name, "__defaults__", ("next",))
    for _ in range(2):  # the second start finds what the first one left
        with open_services(given) as services:
            assert services.reindex.progress.state == "running"
            assert not services.reindex.progress.by_words_only
            assert "1873" in services.desk.answer("When was the lighthouse built?").text
    with open_services(given) as services:
        services.reindex.start()
        services.reindex._thread.join(60)
        assert services.reindex.progress.state == "done"
