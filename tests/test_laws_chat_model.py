"""The laws of ``ports.ChatModel``, on the fake and on the adapters over real HTTP."""

from __future__ import annotations

import itertools
import threading
import time
from dataclasses import dataclass
from typing import Any

import pytest
from fakes import FakeChatModel
from model_server import REPLY, ModelServer

from local_rag.adapters.servers.ollama_chat import OllamaChat
from local_rag.adapters.servers.openai import OpenAiServer
from local_rag.adapters.servers.openai_chat import OpenAiChat
from local_rag.errors import Cancelled, ModelTimeout
from local_rag.model.chat import ChatLimits, ChatMessage

SCHEMA = {
    "type": "object",
    "properties": {"answer": {"type": "string"}},
    "required": ["answer"],
    "additionalProperties": False,
}
MESSAGES = [
    ChatMessage("system", "Answer from the passages."),
    ChatMessage("user", "When was the lighthouse built?"),
]
LIMITS = ChatLimits(max_tokens=50_000, max_bytes=50_000, max_seconds=30)


@dataclass
class Rig:
    """A chat model whose words can be put into its mouth.

    Attributes:
        stage: has ``deltas``, ``first_delay_s``, ``delay_s``.
        server: ``None`` for the fake.
    """

    chat: Any
    stage: Any
    server: ModelServer | None

    def complete(self, limits=LIMITS, **options):
        return self.chat.complete(MESSAGES, SCHEMA, limits, **options)


@pytest.fixture(params=["fake", "ollama", "openai-compatible"])
def rig(request):
    if request.param == "fake":
        chat = FakeChatModel(REPLY)
        yield Rig(chat, chat, None)
        return
    with ModelServer() as server:
        server.does.context = 131_072
        if request.param == "ollama":
            chat = OllamaChat(server.url, "llama3.2:3b")
        else:
            base_url = f"{server.url}/v1"
            chat = OpenAiChat(OpenAiServer(base_url, "llama3.2:3b"), base_url)
        yield Rig(chat, server.does, server)
        chat.close()


def endless(delta="More and more. "):
    return (f"{number} {delta}" for number in itertools.count())


def test_a_reply_comes_in_stretches_and_whole(rig):
    stretches = []
    reply = rig.complete(on_text=stretches.append)
    assert reply.text == "".join(REPLY) == "".join(stretches)
    assert len(stretches) > 1
    assert (reply.done_reason, reply.complete) == ("stop", True)
    assert reply.prompt_tokens == 9
    assert reply.completion_tokens == 4
    assert reply.elapsed_ms >= 0


def test_an_empty_reply_is_a_reply(rig):
    rig.stage.deltas = ()
    reply = rig.complete()
    assert (reply.text, reply.done_reason) == ("", "stop")


def test_the_most_tokens_are_kept_to_and_said(rig):
    rig.stage.deltas = endless()
    reply = rig.complete(ChatLimits(max_tokens=3, max_seconds=30))
    assert reply.text == "0 More and more. 1 More and more. 2 More and more. "
    assert (reply.done_reason, reply.complete) == ("length", False)


def test_the_most_bytes_are_kept_to_within_a_character(rig):
    rig.stage.deltas = (f"{number}é" for number in itertools.count())
    reply = rig.complete(ChatLimits(max_tokens=50_000, max_bytes=1000, max_seconds=30))
    assert 998 <= len(reply.text.encode()) <= 1000
    assert reply.done_reason == "bytes"


@pytest.mark.parametrize(
    "deltas",
    [
        pytest.param(lambda: itertools.chain(['{"a": 1'], itertools.repeat("  \n")), id="padding"),
        pytest.param(lambda: itertools.repeat("the keeper drank tea, "), id="repetition"),
        pytest.param(lambda: itertools.repeat("a"), id="one letter"),
    ],
)
def test_a_reply_that_will_not_end_is_cut_long_before_its_limits(rig, deltas):
    rig.stage.deltas = deltas()
    reply = rig.complete()
    assert reply.done_reason == "runaway"
    assert len(reply.text) < 2000


def test_a_reply_that_drips_is_cut_when_its_time_is_over(rig):
    rig.stage.deltas, rig.stage.delay_s = endless(), 0.05
    reply = rig.complete(ChatLimits(max_tokens=50_000, max_seconds=0.7))
    assert reply.text.startswith("0 More and more.")
    assert reply.done_reason == "seconds"


def test_a_model_that_does_not_begin_in_time_is_an_error_with_a_way_out(rig):
    rig.stage.first_delay_s = 3
    begun = time.monotonic()
    with pytest.raises(ModelTimeout) as caught:
        rig.complete(ChatLimits(max_seconds=0.3))
    assert time.monotonic() - begun < 2.5
    assert "RAG_REQUEST_TIMEOUT" in caught.value.fix


def test_what_the_listener_raises_stops_the_reply_and_passes_on(rig):
    rig.stage.deltas, rig.stage.delay_s = endless(), 0.01

    def listener(_):
        raise TypeError("enough")

    with pytest.raises(TypeError, match="enough"):
        rig.complete(on_text=listener)
    assert rig.server is None or rig.server.stopped.wait(10)


def test_nothing_is_sent_for_a_call_that_is_cancelled_before(rig):
    cancel = threading.Event()
    cancel.set()
    rig.chat.warm_up()
    calls = len(rig.server.calls) if rig.server else 0
    with pytest.raises(Cancelled):
        rig.complete(cancel=cancel)
    assert (len(rig.server.calls) if rig.server else 0) == calls


@pytest.mark.parametrize("when", ["before the first word", "within the reply"])
def test_a_cancelled_call_ends_at_once_and_stops_the_model(rig, when):
    rig.stage.deltas, rig.stage.delay_s = endless(), 0.02
    cancel = threading.Event()
    if when == "before the first word":
        rig.stage.first_delay_s = 3
        threading.Timer(0.3, cancel.set).start()
    begun = time.monotonic()
    with pytest.raises(Cancelled):
        rig.complete(cancel=cancel, on_text=lambda _: cancel.set())
    assert time.monotonic() - begun < 2.5
    assert rig.server is None or rig.server.stopped.wait(15)


def test_calls_of_several_threads_do_not_mix(rig):
    replies = {}

    def ask(name):
        replies[name] = rig.complete().text

    threads = [threading.Thread(target=ask, args=(name,)) for name in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    assert replies == dict.fromkeys(range(4), "".join(REPLY))


def test_a_model_that_is_there_is_ready(rig):
    state = rig.chat.state()
    assert (state.kind, state.fix) == ("ready", "")
    assert state.message.endswith(".")


def test_it_says_what_it_is_and_that_it_stays_here(rig):
    assert rig.chat.info.local
    assert rig.chat.info.provider
    assert rig.chat.info.model


def test_closing_twice_is_no_error(rig):
    rig.chat.close()
    rig.chat.close()
