"""The laws of ``ports.Embedder``, on the fake, on the real model, and over servers' HTTP."""

from __future__ import annotations

import numpy as np
import pytest
from fakes import FakeEmbedder
from model_server import ModelServer

from local_rag.adapters.minilm import MiniLmEmbedder
from local_rag.adapters.servers.embedder import ServerEmbedder
from local_rag.adapters.servers.embedding_calls import OllamaEmbedding, OpenAiEmbedding
from local_rag.adapters.servers.known_spaces import KnownSpaces
from local_rag.adapters.servers.openai import OpenAiServer

TEXTS = [
    "The lighthouse was built in 1873.",
    "Bread rises because yeast makes gas.",
    "A keeper lived beside the light for forty years.",
]


@pytest.fixture(scope="module", params=["fake", "minilm", "ollama", "openai-compatible"])
def embedder(request, tmp_path_factory):
    folder = tmp_path_factory.mktemp("models")
    if request.param == "fake":
        yield FakeEmbedder()
        return
    if request.param == "minilm":
        yield MiniLmEmbedder(folder)
        return
    with ModelServer() as server:
        known = KnownSpaces(folder / "known.json")
        if request.param == "ollama":
            yield ServerEmbedder(OllamaEmbedding(server.url, "embeddinggemma", timeout_s=30), known)
        else:
            api = OpenAiServer(f"{server.url}/v1", "embeddinggemma:latest")
            yield ServerEmbedder(OpenAiEmbedding(api, timeout_s=30), known)


def test_rows_have_unit_length_and_the_stated_width(embedder):
    vectors = embedder.embed_passages(TEXTS)
    assert vectors.shape == (3, embedder.info.dimensions)
    assert vectors.dtype == np.float32
    assert np.linalg.norm(vectors, axis=1) == pytest.approx(1, abs=1e-5)


def test_no_text_gives_no_row_and_an_empty_text_a_finite_one(embedder):
    assert embedder.embed_passages([]).shape == (0, embedder.info.dimensions)
    (row,) = embedder.embed_passages([""])
    assert np.linalg.norm(row) == pytest.approx(1, abs=1e-5)


def test_order_and_company_do_not_matter(embedder):
    together = embedder.embed_passages(TEXTS)
    for text, row in zip(TEXTS, together, strict=True):
        (alone,) = embedder.embed_passages([text])
        assert float(alone @ row) > 0.999
    backwards = embedder.embed_passages(TEXTS[::-1])[::-1]
    assert (np.sum(backwards * together, axis=1) > 0.999).all()


def test_a_question_is_nearest_to_the_passage_about_it(embedder):
    query = embedder.embed_query("When was the lighthouse built?")
    assert query.shape == (embedder.info.dimensions,)
    assert int(np.argmax(embedder.embed_passages(TEXTS) @ query)) == 0


def test_the_end_of_a_long_text_counts(embedder):
    start = "word " * 3000
    one, other = embedder.embed_passages([start + "lighthouse " * 300, start + "yeast " * 300])
    assert float(one @ other) < 0.9999
