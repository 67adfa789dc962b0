"""Model servers that fail, over real HTTP: each fault is an error in words, and none hangs."""

from __future__ import annotations

import json
import logging
import socket
import threading

import pytest
from model_server import REPLY, ModelServer

from local_rag.adapters.servers.ollama_chat import OllamaChat
from local_rag.adapters.servers.openai import OpenAiServer
from local_rag.adapters.servers.openai_chat import OpenAiChat
from local_rag.errors import (
    InvalidRequest,
    ModelMissing,
    ModelServerBusy,
    ModelServerFault,
    ModelServerUnreachable,
    PromptTooLong,
)
from local_rag.model.chat import ChatLimits, ChatMessage

MODEL = "llama3.2:3b"
LIMITS = ChatLimits(max_tokens=300, max_bytes=20_000, max_seconds=20)
PROMPT = [ChatMessage("user", "When was the lighthouse built?")]
SCHEMA = {"type": "object", "properties": {"answer": {"type": "array"}}}


@pytest.fixture
def server():
    with ModelServer() as running:
        yield running


def ollama(server):
    return OllamaChat(server.url, MODEL)


def openai(server, key=""):
    base_url = f"{server.url}/v1"
    return OpenAiChat(OpenAiServer(base_url, MODEL, key=key), base_url)


@pytest.fixture(params=[ollama, openai], ids=["ollama", "openai-compatible"])
def chat(request, server):
    return request.param(server)


def free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


@pytest.mark.parametrize(
    "deltas",
    [
        ('{"answer": "a string"}',),
        ("Sure! Here is the JSON:\n", '{"answer": []}', "\nHope this helps."),
        ('{"answer": ["the light',),
    ],
    ids=["a string for a list", "prose around it", "cut short"],
)
def test_a_reply_of_another_form_is_handed_on_as_it_is(server, chat, deltas):
    server.does.deltas = deltas
    reply = chat.complete(PROMPT, SCHEMA, LIMITS)
    assert (reply.text, reply.done_reason) == ("".join(deltas), "stop")


def test_ten_megabytes_in_stretches_are_cut_at_the_limit(server, chat):
    server.does.deltas = (" ".join(map(str, range(n, n + 170))) for n in range(1000, 11_000))
    reply = chat.complete(PROMPT, SCHEMA, ChatLimits(max_tokens=10**6, max_bytes=20_000))
    assert reply.done_reason == "bytes"
    assert len(reply.text.encode()) == 20_000


def test_ten_megabytes_in_one_line_are_refused_before_they_are_read(server, chat):
    server.does.deltas = ("x" * 10_000_000,)
    with pytest.raises(ModelServerFault, match=r"sent more than [0-9,]+ bytes"):
        chat.complete(PROMPT, SCHEMA, LIMITS)


def test_a_connection_that_drops_within_the_reply_is_said(server, chat):
    server.does.drop_after = 2
    with pytest.raises(ModelServerFault, match="broke off"):
        chat.complete(PROMPT, SCHEMA, LIMITS)


def test_a_stream_that_ends_without_an_end_is_said(server, chat):
    streams = {
        "/api/chat": ("application/x-ndjson", b'{"message": {"content": "half"}}\n'),
        "/v1/chat/completions": (
            "text/event-stream",
            b'data: {"choices": [{"delta": {"content": "half"}}]}\n\n',
        ),
    }
    path = "/api/chat" if isinstance(chat, OllamaChat) else "/v1/chat/completions"
    chat.complete(PROMPT, SCHEMA, LIMITS)
    server.does.raw = streams[path]
    with pytest.raises(ModelServerFault, match="broke off its reply"):
        chat.complete(PROMPT, SCHEMA, LIMITS)


def test_an_error_within_the_reply_is_said_without_its_words(server, chat):
    server.does.fail_midway = True
    with pytest.raises(ModelServerFault, match="failed within its reply") as caught:
        chat.complete(PROMPT, SCHEMA, LIMITS)
    assert "SECRET" not in caught.value.message + caught.value.fix


def test_a_redirect_is_not_followed(server, chat):
    with ModelServer() as other:
        server.does.redirect = f"{other.url}/elsewhere"
        with pytest.raises(ModelServerFault, match="redirect"):
            chat.complete(PROMPT, SCHEMA, LIMITS)
        assert other.calls == []


def test_another_media_type_is_refused(server, chat):
    server.does.raw = ("text/html", b"<html>Welcome to the router</html>")
    with pytest.raises(ModelServerFault, match="text/html") as caught:
        chat.complete(PROMPT, SCHEMA, LIMITS)
    assert "BASE_URL" in caught.value.fix
    assert chat.state().kind == "unreachable"


@pytest.mark.parametrize(
    "line", [b"not JSON", b"[1, 2]", b'{"message": {"content": 7}, "choices": 7}', b"null"]
)
def test_lines_of_another_shape_are_refused(server, chat, line):
    chat.complete(PROMPT, SCHEMA, LIMITS)
    openai_chat = isinstance(chat, OpenAiChat)
    server.does.raw = (
        ("text/event-stream", b"data: " + line + b"\n\n")
        if openai_chat
        else ("application/x-ndjson", line + b"\n")
    )
    with pytest.raises(ModelServerFault, match="another shape"):
        chat.complete(PROMPT, SCHEMA, LIMITS)


def test_a_busy_server_is_said(server, chat):
    for path in ("/api/show", "/v1/chat/completions"):
        server.does.statuses[path] = [503]
    with pytest.raises(ModelServerBusy, match="HTTP 503"):
        chat.complete(PROMPT, SCHEMA, LIMITS)


def test_a_server_that_hangs_up_is_said(server, chat):
    for path in ("/api/show", "/v1/chat/completions"):
        server.does.statuses[path] = [-1]
    with pytest.raises(ModelServerFault, match="broke off the connection"):
        chat.complete(PROMPT, SCHEMA, LIMITS)


def test_nothing_at_the_address_is_unreachable_and_says_what_to_set():
    url = f"http://127.0.0.1:{free_port()}"
    for chat in (OllamaChat(url, MODEL), OpenAiChat(OpenAiServer(f"{url}/v1", MODEL), url)):
        state = chat.state()
        assert state.kind == "unreachable"
        assert "_BASE_URL" in state.fix
        with pytest.raises(ModelServerUnreachable, match=r"127\.0\.0\.1"):
            chat.complete(PROMPT, SCHEMA, LIMITS)


@pytest.mark.parametrize("address", ["http://", "http://[::1", "http://256.256.256.256:99999/v1"])
def test_an_address_that_is_none_is_unreachable(address):
    with pytest.raises((ModelServerUnreachable, InvalidRequest), match=r"address|answer"):
        OpenAiChat(OpenAiServer(address, MODEL), address).complete(PROMPT, None, LIMITS)


def test_a_prompt_that_was_cut_is_an_error(server, chat):
    server.does.cut_prompt = 100
    long = [ChatMessage("system", "Quote only. " * 100), *PROMPT]
    with pytest.raises(PromptTooLong, match="read only 100 tokens"):
        chat.complete(long, SCHEMA, LIMITS)


def test_a_server_that_gives_no_counts_is_believed(server, chat):
    server.does.says_counts = False
    reply = chat.complete(PROMPT, SCHEMA, LIMITS)
    assert (reply.prompt_tokens, reply.completion_tokens, reply.complete) == (None, None, True)


def test_a_key_is_sent_and_shown_nowhere(server, caplog):
    caplog.set_level(logging.DEBUG)
    server.does.key = "sk-very-secret-0123456789"
    assert openai(server, " sk-very-secret-0123456789\n").complete(PROMPT, None, LIMITS).complete
    with pytest.raises(ModelServerUnreachable, match="does not let us in") as caught:
        openai(server, "sk-very-wrong-key").complete(PROMPT, None, LIMITS)
    state = openai(server).state()
    assert (state.kind, "RAG_OPENAI_API_KEY" in state.fix) == ("unreachable", True)
    shown = caplog.text + repr(caught.value) + caught.value.fix + state.message + state.fix
    assert "very" not in shown


def test_a_key_that_is_none_is_refused_without_being_shown():
    with pytest.raises(InvalidRequest) as caught:
        OpenAiServer("http://127.0.0.1:1/v1", MODEL, key="sécret key")
    assert "cret" not in caught.value.message + caught.value.fix


def test_the_environment_sends_no_call_elsewhere(server, chat, monkeypatch):
    with ModelServer() as proxy:
        for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"):
            monkeypatch.setenv(name, proxy.url)
        monkeypatch.delenv("NO_PROXY", raising=False)
        monkeypatch.delenv("no_proxy", raising=False)
        assert chat.complete(PROMPT, SCHEMA, LIMITS).complete
        assert proxy.calls == []


def test_a_lone_surrogate_in_a_prompt_stops_nothing(server, chat):
    assert chat.complete([ChatMessage("user", "broken \ud800 font")], None, LIMITS).complete


# Ollama alone


def test_ollama_is_asked_for_the_schema_and_a_window_that_fits(server):
    chat = ollama(server)
    chat.complete(PROMPT, SCHEMA, LIMITS)
    chat.complete([ChatMessage("user", "word " * 3500)], SCHEMA, LIMITS)
    chat.complete(PROMPT, None, LIMITS)
    bodies = server.bodies("/api/chat")
    assert [body["options"]["num_ctx"] for body in bodies] == [4096, 8192, 8192]
    assert [body.get("format") for body in bodies] == [SCHEMA, SCHEMA, None]
    assert {body["options"]["num_predict"] for body in bodies} == {300}
    assert all(body["stream"] and body["keep_alive"] for body in bodies)


def test_ollama_is_not_asked_for_more_than_the_model_has(server):
    server.does.context = 6000
    chat = ollama(server)
    chat.complete([ChatMessage("user", "word " * 5000)], None, LIMITS)
    assert server.bodies("/api/chat")[0]["options"]["num_ctx"] == 6000
    with pytest.raises(PromptTooLong, match="window of 6,000"):
        chat.complete([ChatMessage("user", "word " * 6000)], None, LIMITS)
    assert len(server.bodies("/api/chat")) == 1


def test_ollama_filling_its_window_with_the_prompt_is_an_error(server):
    server.does.context = 4096
    numbers = " ".join("7" for _ in range(3700))
    server.does.cut_prompt = None
    chat = ollama(server)
    assert chat.complete([ChatMessage("user", numbers)], None, LIMITS).prompt_tokens == 3700
    server.does.raw = (
        "application/x-ndjson",
        json.dumps({"message": {}, "done": True, "prompt_eval_count": 4096}).encode(),
    )
    with pytest.raises(PromptTooLong, match="filled its window"):
        chat.complete([ChatMessage("user", numbers)], None, LIMITS)


def test_ollama_without_the_model_names_the_command(server):
    server.does.models = ("qwen3:8b",)
    state = ollama(server).state()
    assert (state.kind, state.fix) == ("missing", "ollama pull llama3.2:3b")
    with pytest.raises(ModelMissing) as caught:
        ollama(server).complete(PROMPT, None, LIMITS)
    assert "ollama pull llama3.2:3b" in caught.value.fix


def test_ollama_knows_a_model_without_a_tag_as_its_latest(server):
    server.does.models = ("mistral:latest",)
    assert OllamaChat(server.url, "mistral").state().kind == "ready"
    assert OllamaChat(server.url, "mistral:7b").state().kind == "missing"


def test_ollama_loading_a_cold_model_is_a_state(server):
    server.does.first_delay_s = 1.5
    chat = ollama(server)
    assert chat.state().kind == "ready"
    asking = threading.Thread(target=chat.warm_up)
    asking.start()
    while not server.bodies("/api/chat"):
        asking.join(0.01)
    assert chat.state().kind == "loading"
    asking.join(20)
    assert chat.state().kind == "ready"
    (body,) = server.bodies("/api/chat")
    assert body["messages"] == []
    assert body["options"]["num_ctx"] == 4096  # another window would load it anew


def test_a_cold_model_is_loading_until_its_first_word(server):
    chat, kinds = ollama(server), []
    server.does.first_delay_s = 1.5

    def look():
        looking = threading.Thread(target=lambda: kinds.append(chat.state().kind))
        looking.start()
        looking.join(20)

    asking = threading.Thread(
        target=chat.complete, args=(PROMPT, None, LIMITS), kwargs={"on_text": lambda _: look()}
    )
    asking.start()
    while not server.bodies("/api/chat"):
        asking.join(0.01)
    look()
    asking.join(20)
    assert kinds == ["loading", *["ready"] * len(REPLY)]


def test_ollama_is_told_not_to_think_where_the_model_could(server):
    chat = ollama(server)
    chat.complete(PROMPT, None, LIMITS)
    server.does.capabilities = ("completion", "thinking")
    ollama(server).complete(PROMPT, None, LIMITS)
    assert [body.get("think") for body in server.bodies("/api/chat")] == [None, False]


def test_thoughts_are_left_out_and_count(server):
    line = b'{"message": {"content": "", "thinking": "hmm hm"}}\n'
    end = b'{"message": {"content": "1873"}, "done": true, "done_reason": "stop"}\n'
    chat = ollama(server)
    chat.complete(PROMPT, None, LIMITS)
    server.does.raw = ("application/x-ndjson", line * 10 + end)
    assert chat.complete(PROMPT, None, LIMITS).text == "1873"
    server.does.raw = ("application/x-ndjson", line * 10_000 + end)
    assert chat.complete(PROMPT, None, LIMITS).done_reason == "bytes"


def test_ollama_handing_prompts_on_is_not_local(server):
    chat = ollama(server)
    assert chat.info.local
    server.does.remote_host = "https://ollama.com"
    chat.state()
    assert not chat.info.local


# OpenAI-compatible alone


@pytest.mark.parametrize(
    ("takes", "used"),
    [
        (("json_schema", "json_object", "text"), ["json_schema", "json_schema"]),
        (("json_object", "text"), ["json_schema", "json_object", "json_object"]),
        (("text",), ["json_schema", "json_object", "text", "text"]),
    ],
)
def test_the_strictest_form_that_a_server_takes_is_used_and_remembered(server, takes, used):
    server.does.takes_forms = takes
    chat = openai(server)
    for _ in range(2):
        assert chat.complete(PROMPT, SCHEMA, LIMITS).complete
    bodies = server.bodies("/v1/chat/completions")
    forms = [body.get("response_format", {"type": "text"})["type"] for body in bodies]
    assert forms == used
    for form, body in zip(forms, bodies, strict=True):
        told = json.dumps(SCHEMA) in body["messages"][0]["content"]
        assert told == (form != "json_schema")
    if used[0] == used[-1]:
        assert bodies[0]["response_format"]["json_schema"]["schema"] == SCHEMA


def test_a_server_that_refuses_every_form_is_a_fault_and_no_form_is_remembered(server):
    server.does.takes_forms = ()
    chat = openai(server)
    with pytest.raises(ModelServerFault, match="HTTP 400"):
        chat.complete(PROMPT, SCHEMA, LIMITS)
    server.does.takes_forms = ("json_schema",)
    assert chat.complete(PROMPT, SCHEMA, LIMITS).complete


def test_an_address_without_its_end_is_said(server):
    chat = OpenAiChat(OpenAiServer(server.url, MODEL), server.url)
    state = chat.state()
    assert (state.kind, "RAG_OPENAI_BASE_URL" in state.fix) == ("unreachable", True)
    with pytest.raises(ModelServerFault, match="HTTP 404") as caught:
        chat.complete(PROMPT, SCHEMA, LIMITS)
    assert "RAG_OPENAI_BASE_URL" in caught.value.fix


def test_a_prompt_that_the_server_calls_too_long_is_tried_in_no_other_form(server):
    server.does.context = 3
    with pytest.raises(PromptTooLong):
        openai(server).complete(PROMPT, SCHEMA, LIMITS)
    assert len(server.bodies("/v1/chat/completions")) == 1


def test_a_model_that_is_not_served_is_missing_but_llama_cpp_serves_one_by_any_name(server):
    server.does.models = ("qwen3-8b",)
    state = openai(server).state()
    assert (state.kind, "qwen3-8b" in state.fix) == ("missing", True)
    server.does.owned_by = "llamacpp"
    assert openai(server).state().kind == "ready"


def test_a_server_that_is_busy_with_loading_is_loading(server):
    server.does.statuses["/v1/models"] = [503]
    assert openai(server).state().kind == "loading"
