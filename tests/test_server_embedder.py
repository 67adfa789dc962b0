"""Embeddings from model servers, over real HTTP."""

from __future__ import annotations

import numpy as np
import pytest
from model_server import WIDTH, ModelServer, embedding

from local_rag.adapters.servers.embedder import ServerEmbedder
from local_rag.adapters.servers.embedding_calls import OllamaEmbedding, OpenAiEmbedding
from local_rag.adapters.servers.known_spaces import KnownSpaces
from local_rag.adapters.servers.openai import OpenAiServer
from local_rag.adapters.servers.prefixes import prefixes_of
from local_rag.errors import (
    IndexMismatch,
    ModelMissing,
    ModelServerBusy,
    ModelServerFault,
    ModelServerUnreachable,
    ModelTimeout,
)

MODEL = "embeddinggemma"
PLAIN = "some-model:latest"


@pytest.fixture
def server():
    with ModelServer() as running:
        running.does.models = (f"{MODEL}:latest", PLAIN, "text-embedding-nomic-embed-text-v1.5")
        yield running


def ollama(server, folder, model=MODEL, **options):
    call = OllamaEmbedding(server.url, model, timeout_s=20)
    return ServerEmbedder(call, KnownSpaces(folder / "known.json"), **options)


def openai(server, folder, model=PLAIN, **options):
    call = OpenAiEmbedding(OpenAiServer(f"{server.url}/v1", model), timeout_s=20)
    return ServerEmbedder(call, KnownSpaces(folder / "known.json"), **options)


def unit(text):
    vector = np.array(embedding(text))
    return vector / np.linalg.norm(vector)


def test_it_says_what_it_is(server, tmp_path):
    server.does.digests[f"{MODEL}:latest"] = "cd" * 32
    info = ollama(server, tmp_path).info
    assert (info.provider, info.model, info.dimensions) == ("ollama", MODEL, WIDTH)
    assert len(info.digest) == 64
    assert info.languages is None
    assert openai(server, tmp_path).info.provider == "openai-compatible"


def test_the_digest_follows_the_model_and_its_prefixes(server, tmp_path):
    first = ollama(server, tmp_path).info.digest
    assert ollama(server, tmp_path).info.digest == first
    server.does.digests[f"{MODEL}:latest"] = "cd" * 32
    assert ollama(server, tmp_path).info.digest != first
    other = ollama(server, tmp_path, PLAIN)
    server.does.digests[PLAIN] = server.does.digests[f"{MODEL}:latest"]
    assert other.info.digest != ollama(server, tmp_path).info.digest


def test_questions_and_passages_get_the_prefixes_of_the_model(server, tmp_path):
    embedder = ollama(server, tmp_path)
    embedder.embed_passages(["A passage."])
    embedder.embed_query("A question?")
    assert [body["input"] for body in server.bodies("/api/embed")][1:] == [
        ["title: none | text: A passage."],
        ["task: search result | query: A question?"],
    ]
    assert {body["truncate"] for body in server.bodies("/api/embed")} == {False}


@pytest.mark.parametrize(
    ("model", "query", "passage", "english"),
    [
        ("embeddinggemma:300m", "task: search result | query: ", "title: none | text: ", False),
        ("text-embedding-nomic-embed-text-v1.5", "search_query: ", "search_document: ", True),
        ("nomic-embed-text-v2-moe", "search_query: ", "search_document: ", False),
        ("jeffh/intfloat-multilingual-e5-large:f16", "query: ", "passage: ", False),
        ("intfloat/e5-base-v2", "query: ", "passage: ", True),
        ("bge-m3", "", "", False),
        ("mxbai-embed-large", "Represent this sentence for searching relevant passages: ", "", 1),
        (
            "BAAI/bge-large-en-v1.5",
            "Represent this sentence for searching relevant passages: ",
            "",
            1,
        ),
        ("snowflake-arctic-embed2", "query: ", "", False),
        (
            "snowflake-arctic-embed:335m",
            "Represent this sentence for searching relevant passages: ",
            "",
            1,
        ),
        ("granite-embedding:278m", "", "", False),
    ],
)
def test_a_models_prefixes_are_found_however_it_is_spelled(model, query, passage, english):
    found = prefixes_of(model)
    assert (found.query, found.passage) == (query, passage)
    assert (found.languages == {"en"}) is bool(english)


def test_rows_that_come_in_another_order_find_their_texts(server, tmp_path):
    texts = [f"word{n}" for n in range(7)]
    vectors = openai(server, tmp_path).embed_passages(texts)
    assert vectors == pytest.approx(np.array([unit(text) for text in texts]), abs=1e-6)


def test_batches_are_bounded_by_number_and_by_characters(server, tmp_path):
    server.does.window = 10**6
    embedder = openai(server, tmp_path, batch_size=3)
    embedder.embed_passages([*["a b"] * 7, "c" * 15_000, "d" * 15_000, "e"])
    sizes = [len(body["input"]) for body in server.bodies("/v1/embeddings")][1:]
    assert sizes == [3, 3, 2, 2]
    for body in server.bodies("/v1/embeddings"):
        assert len(body["input"]) <= 3
        assert sum(map(len, body["input"])) <= 16_000


@pytest.mark.parametrize("make", [ollama, openai], ids=["ollama", "openai-compatible"])
@pytest.mark.parametrize("cuts", [False, True], ids=["refuses long texts", "cuts in silence"])
def test_a_long_text_is_the_mean_of_its_parts_and_its_neighbours_are_whole(
    server, tmp_path, make, cuts
):
    server.does.window, server.does.cuts_embeddings = 8, cuts
    start, end = "light house tower stone", "bread yeast flour dough"
    embedder = make(server, tmp_path, PLAIN)
    vectors = embedder.embed_passages(["short", f"{start} salt {end}", "brief"])
    assert vectors[0] == pytest.approx(unit("short"), abs=1e-6)
    assert vectors[2] == pytest.approx(unit("brief"), abs=1e-6)
    (changed,) = embedder.embed_passages([f"{start} salt {end.replace('dough', 'keeper')}"])
    assert float(changed @ vectors[1]) < 0.999
    assert float(vectors[1] @ unit(start)) > 0.3
    assert float(vectors[1] @ unit(end)) > 0.3


def test_a_window_that_takes_nothing_is_a_fault_and_no_endless_splitting(server, tmp_path):
    embedder = openai(server, tmp_path)
    assert embedder.info
    server.does.window = 0
    with pytest.raises(ModelServerFault, match="not even"):
        embedder.embed_passages(["word " * 100])


def test_texts_without_words_have_a_vector(server, tmp_path):
    vectors = openai(server, tmp_path).embed_passages(["", " \n\t ", "word"])
    assert np.linalg.norm(vectors, axis=1) == pytest.approx(1, abs=1e-5)


@pytest.mark.parametrize("fault", [503, 429, -1])
def test_a_busy_server_is_asked_again_with_growing_pauses(server, tmp_path, fault):
    pauses = []
    embedder = ollama(server, tmp_path, sleep=pauses.append, batch_size=1)
    assert embedder.info
    server.does.statuses["/api/embed"] = [0, 0, fault, fault, 0]
    vectors = embedder.embed_passages(["one", "two", "three", "four"])
    assert vectors[2] == pytest.approx(unit("title: none | text: three"), abs=1e-6)
    assert len(pauses) == 2
    assert 0.25 <= pauses[0] <= 0.75
    assert 0.5 <= pauses[1] <= 1.5


def test_a_server_that_stays_busy_fails_visibly_after_four_attempts(server, tmp_path):
    pauses = []
    embedder = ollama(server, tmp_path, sleep=pauses.append)
    assert embedder.info
    before = len(server.bodies("/api/embed"))
    server.does.statuses["/api/embed"] = [503] * 9
    with pytest.raises(ModelServerBusy):
        embedder.embed_passages(["one"])
    assert (len(server.bodies("/api/embed")) - before, len(pauses)) == (4, 3)


def test_an_error_of_ours_is_not_tried_again(server, tmp_path):
    pauses = []
    embedder = ollama(server, tmp_path, sleep=pauses.append)
    assert embedder.info
    server.does.statuses["/api/embed"] = [400]
    with pytest.raises(ModelServerFault, match="HTTP 400"):
        embedder.embed_passages(["one"])
    assert pauses == []


def test_a_call_that_takes_too_long_ends(server, tmp_path):
    embedder = ServerEmbedder(
        OllamaEmbedding(server.url, MODEL, timeout_s=20), KnownSpaces(tmp_path / "known.json")
    )
    assert embedder.info
    slow = ServerEmbedder(
        OllamaEmbedding(server.url, MODEL, timeout_s=0.3), KnownSpaces(tmp_path / "known.json")
    )
    server.does.embed_delay_s = 3
    with pytest.raises(ModelTimeout):
        slow.embed_query("word")


@pytest.mark.parametrize(
    "said",
    [
        b'{"embeddings": []}',
        b'{"embeddings": [[1, 2, 3]]}',
        b'{"embeddings": [["a"]]}',
        b'{"embeddings": [[%s]]}' % b", ".join([b"0"] * WIDTH),
        b'{"embeddings": [[%s]]}' % b", ".join([b"1e999"] * WIDTH),
        b'{"embeddings": [null]}',
        b'{"embeddings": 7}',
        b"[]",
        b"{",
    ],
)
def test_vectors_that_are_none_are_refused(server, tmp_path, said):
    embedder = ollama(server, tmp_path)
    embedder.embed_query("word")
    server.does.raw = ("application/json", said)
    with pytest.raises(ModelServerFault):
        embedder.embed_query("word")


def test_a_missing_model_names_the_command(server, tmp_path):
    server.does.models = ()
    with pytest.raises(ModelMissing) as caught:
        assert ollama(server, tmp_path).info
    assert "ollama pull embeddinggemma" in caught.value.fix
    with pytest.raises(ModelMissing):
        assert openai(server, tmp_path).info


def test_a_server_that_was_seen_once_need_not_run_for_a_start(server, tmp_path):
    seen = ollama(server, tmp_path).info
    server.does.statuses = {"/api/tags": [503], "/api/embed": [503] * 4}
    embedder = ollama(server, tmp_path, sleep=lambda _: None)
    assert embedder.info == seen
    with pytest.raises(ModelServerBusy):
        embedder.embed_query("word")
    assert embedder.embed_query("word").shape == (WIDTH,)


def test_a_server_never_seen_must_run_for_a_start(tmp_path):
    with ModelServer() as stopped:
        pass
    with pytest.raises(ModelServerUnreachable):
        assert ollama(stopped, tmp_path).info


def test_a_model_that_changed_behind_its_name_is_not_mixed_with_the_old_one(server, tmp_path):
    assert ollama(server, tmp_path).info
    server.does.statuses["/api/tags"] = [503]
    embedder = ollama(server, tmp_path)
    assert embedder.info
    server.does.digests[f"{MODEL}:latest"] = "cd" * 32
    with pytest.raises(IndexMismatch, match="another one"):
        embedder.embed_query("word")


def test_a_file_of_known_spaces_that_is_damaged_is_as_none(server, tmp_path):
    for damaged in ("{", "[]", '{"ollama embeddinggemma": [[1]]}'):
        (tmp_path / "known.json").write_text(damaged)
        assert ollama(server, tmp_path).info.dimensions == WIDTH
    assert KnownSpaces(tmp_path / "known.json").last("ollama", MODEL) == ("ab" * 32, WIDTH)
