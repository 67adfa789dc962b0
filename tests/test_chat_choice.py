from __future__ import annotations

import threading

import pytest
from fakes import FakeChatModel
from model_server import ModelServer

from local_rag import providers
from local_rag.model.chat import ChatState
from local_rag.settings import Settings
from local_rag.usecases.chat_choice import ChatChoice

GONE = ChatState("unreachable", "Nobody is there.", "Start it.")


class SlowChat(FakeChatModel):
    """Says how it is when it is let to."""

    def __init__(self):
        super().__init__()
        self.go = threading.Event()
        self.looks = 0

    def state(self):
        self.looks += 1
        assert self.go.wait(20)
        return self.found


def settled(choice):
    """The state, once a look has found one."""
    for _ in range(1000):
        if state := choice.state():
            return state
        threading.Event().wait(0.01)
    raise AssertionError("no look ended")


def test_without_a_chat_model_answers_are_extractive():
    choice = ChatChoice(None, optional=True)
    assert (choice.model(), choice.state()) == (None, None)
    choice.close()


@pytest.mark.parametrize("kind", ["ready", "loading"])
def test_an_optional_model_that_is_there_is_used(kind):
    chat = FakeChatModel()
    chat.found = ChatState(kind, "Here.")
    assert ChatChoice(chat, optional=True).model(wait_s=20) is chat


@pytest.mark.parametrize("kind", ["missing", "unreachable"])
def test_an_optional_model_that_is_not_there_is_done_without(kind):
    chat = FakeChatModel()
    chat.found = ChatState(kind, "Away.")
    choice = ChatChoice(chat, optional=True)
    assert choice.model(wait_s=20) is None
    assert choice.state() == chat.found


def test_a_model_that_is_asked_for_outright_is_given_whatever_its_state():
    chat = FakeChatModel()
    chat.found = GONE
    choice = ChatChoice(chat, optional=False)
    assert choice.model(wait_s=0) is chat
    assert settled(choice) == GONE


def test_nobody_waits_for_the_state_and_one_look_is_enough():
    chat = SlowChat()
    choice = ChatChoice(chat, optional=True)
    assert [choice.state() for _ in range(5)] == [None] * 5
    assert choice.model(wait_s=0.01) is None
    chat.go.set()
    assert choice.model(wait_s=20) is chat
    assert chat.looks == 1


def test_an_old_state_is_looked_at_again_and_a_fresh_one_is_not():
    now = [0.0]
    chat = SlowChat()
    chat.go.set()
    choice = ChatChoice(chat, optional=True, fresh_s=5, clock=lambda: now[0])
    assert choice.model(wait_s=20) is chat
    chat.found = GONE
    now[0] = 4.9
    assert choice.model() is chat
    assert chat.looks == 1
    now[0] = 5.1
    for _ in range(1000):
        if choice.model() is None:
            break
        threading.Event().wait(0.01)
    assert (choice.model(), chat.looks) == (None, 2)


def settings(tmp_path, **options):
    return Settings(_env_file=None, data_dir=tmp_path, **options)


def test_auto_takes_ollama_where_it_answers_and_has_the_model(tmp_path):
    with ModelServer() as server:
        auto = settings(tmp_path, ollama_base_url=server.url)
        chat = providers.chat_model(auto)
        assert (chat.info.provider, chat.info.model) == ("ollama", "llama3.2:3b")
        server.does.models = ()
        assert providers.chat_model(auto) is None
    assert providers.chat_model(auto) is None


@pytest.mark.parametrize(
    ("options", "provider", "local"),
    [
        ({"chat_provider": "ollama"}, "ollama", True),
        ({"chat_provider": "ollama", "chat_model": "gpt-oss:120b-cloud"}, "ollama", False),
        ({"chat_provider": "openai-compatible"}, "openai-compatible", True),
        (
            {"chat_provider": "openai-compatible", "openai_base_url": "https://example.com/v1"},
            "openai-compatible",
            False,
        ),
        ({"chat_provider": "llamacpp", "llamacpp_model": "no/such.gguf"}, "llamacpp", True),
    ],
)
def test_a_provider_named_outright_is_built_without_asking_anybody(
    tmp_path, options, provider, local
):
    info = providers.chat_model(settings(tmp_path, **options)).info
    assert (info.provider, info.local) == (provider, local)


def test_a_reply_gets_the_time_of_the_settings(tmp_path):
    assert providers.chat_limits(settings(tmp_path, request_timeout=7)).max_seconds == 7


def test_extractive_means_no_chat_model(tmp_path):
    assert providers.chat_model(settings(tmp_path, chat_provider="extractive")) is None


def test_a_gguf_that_is_none_is_missing_with_what_to_set(tmp_path):
    options = {"chat_provider": "llamacpp", "llamacpp_model": str(tmp_path / "no.gguf")}
    state = providers.chat_model(settings(tmp_path, **options)).state()
    assert state.kind == "missing"
    assert "xllamacpp" in state.fix or "RAG_LLAMACPP_MODEL" in state.fix


@pytest.mark.parametrize(
    ("options", "local"),
    [
        ({}, True),
        ({"embedding_provider": "ollama"}, True),
        ({"embedding_provider": "ollama", "embedding_model": "x:cloud"}, False),
        ({"embedding_provider": "ollama", "ollama_base_url": "http://192.168.1.9:11434"}, False),
        (
            {"embedding_provider": "openai-compatible", "openai_base_url": "https://a.example/v1"},
            False,
        ),
        ({"openai_base_url": "https://a.example/v1"}, True),
    ],
)
def test_where_passages_are_embedded_is_known(tmp_path, options, local):
    assert providers.embedding_is_local(settings(tmp_path, **options)) is local
