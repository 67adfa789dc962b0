"""Answers of a chat model over real HTTP, from the settings to the API, and what /health says."""

from __future__ import annotations

import json
import threading

import pytest
from model_server import ModelServer

from local_rag.api.app import create_app
from local_rag.api.schemas import answer_json
from local_rag.cli.ask import ask
from local_rag.composition import open_services, open_throwaway_services
from local_rag.errors import Cancelled
from local_rag.settings import Settings

PAGE = "The lighthouse was built in 1873. Its light reaches 21 nautical miles.\n"
ASKED = "When was the lighthouse built?"


def reply(*claims, **more):
    said = [{"text": claim, "citations": [1]} for claim in claims]
    return json.dumps({"claims": said, "style": "paragraphs", "unsupported": []} | more)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Data folder of all tests: the embedding model is prepared in it once."""
    return tmp_path_factory.mktemp("data")


@pytest.fixture
def server():
    with ModelServer() as running:
        running.does.deltas = (reply("The lighthouse dates from 1873."),)
        yield running


def settings(folder, url, **options):
    options.setdefault("chat_provider", "ollama")
    return Settings(
        _env_file=None,
        data_dir=folder,
        ollama_base_url=url,
        openai_base_url=f"{url}/v1",
        **options,
    )


@pytest.fixture
def world(folder, tmp_path, server):
    """A library of one file, with the chat model on the server."""
    file = tmp_path / "coast.txt"
    file.write_text(PAGE)
    with open_throwaway_services(settings(folder, server.url)) as services:
        services.library.add(file, "coast.txt")
        yield services


def health(services):
    (route,) = [r for r in create_app(services).routes if getattr(r, "path", "") == "/health"]
    return route.endpoint()


def looked_at(services):
    """What /health says once the server was looked at."""
    for _ in range(2000):
        said = health(services)
        if said["chat"]["state"] is not None:
            return said
        threading.Event().wait(0.005)
    raise AssertionError("nobody looked")


def test_the_model_phrases_the_answer_and_the_lines_are_marked(world, server):
    shown = answer_json(world.desk.answer(ASKED))
    assert shown["answer"] == "The lighthouse dates from 1873. [1]"
    assert (shown["writer"], shown["notes"]) == ("ollama llama3.2:3b", [])
    assert [c["quote"] for c in shown["citations"]] == ["The lighthouse was built in 1873."]
    (call,) = server.bodies("/api/chat")
    assert call["format"]["required"] == ["claims", "style", "unsupported"]
    assert call["options"]["num_ctx"] == 4096
    assert PAGE.strip() in call["messages"][-1]["content"]


HOSTILE = {
    "another number": (reply("The lighthouse was built in 1837."),),
    "not one JSON": ("It was built ", "in 1837."),
    "nothing": (),
    "a text for a list": ('{"claims": "1837", "style": "steps", "unsupported": []}',),
    "for ever": ["The lighthouse was built in 1837. "] * 100_000,
    "blanks for ever": [" "] * 100_000,
}


@pytest.mark.parametrize("provider", ["ollama", "openai-compatible"])
@pytest.mark.parametrize("deltas", HOSTILE.values(), ids=HOSTILE.keys())
def test_a_hostile_reply_over_http_publishes_a_sentence_of_the_document(
    folder, tmp_path, server, provider, deltas
):
    server.does.deltas = deltas
    file = tmp_path / "coast.txt"
    file.write_text(PAGE)
    with open_throwaway_services(settings(folder, server.url, chat_provider=provider)) as made:
        made.library.add(file, "coast.txt")
        shown = answer_json(made.desk.answer(ASKED))
    assert shown["answer"] == "The lighthouse was built in 1873. [1]"
    assert shown["writer"] == "extractive"
    assert len(shown["notes"]) == 1


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"models": ()}, "llama3.2:3b"),
        ({"statuses": {"/api/chat": [503] * 9}}, "busy"),
        ({"statuses": {"/api/chat": [500] * 9}}, "500"),
        ({"statuses": {"/api/chat": [-1] * 9}}, "broke off"),
        ({"drop_after": 0}, "broke off"),
        ({"raw": ("text/html", b"<p>hello")}, "text/html"),
    ],
)
def test_whatever_the_server_does_there_is_an_answer_and_a_note(world, server, changes, says):
    for name, value in changes.items():
        setattr(server.does, name, value)
    shown = answer_json(world.desk.answer(ASKED))
    assert shown["answer"] == "The lighthouse was built in 1873. [1]"
    assert shown["writer"] == "extractive"
    (note,) = shown["notes"]
    assert says in note
    assert note.endswith("Sentences of the documents are quoted instead.")


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"fail_midway": True}, "failed within its reply"),
        ({"cut_prompt": 9}, "prompt"),
        ({"done_reason": "length"}, "longer than allowed"),
    ],
)
def test_what_was_borne_out_before_the_server_failed_stays(world, server, changes, says):
    for name, value in changes.items():
        setattr(server.does, name, value)
    shown = answer_json(world.desk.answer(ASKED))
    assert shown["answer"] == "The lighthouse dates from 1873. [1]"
    assert shown["writer"] == "ollama llama3.2:3b"
    (note,) = shown["notes"]
    assert says in note
    assert "quoted instead" not in note


def test_a_model_that_does_not_begin_in_time_is_not_waited_for(folder, tmp_path, server):
    server.does.first_delay_s = 3.0
    file = tmp_path / "coast.txt"
    file.write_text(PAGE)
    slow = settings(folder, server.url, request_timeout=0.3)
    with open_throwaway_services(slow) as services:
        services.library.add(file, "coast.txt")
        answer = services.desk.answer(ASKED)
    assert answer.writer == "extractive"
    assert "did not begin" in answer.notes[0]


def test_a_cancelled_question_stops_the_model(world, server):
    server.does.deltas = ("word " for _ in range(100_000))
    server.does.delay_s = 0.01
    cancel = threading.Event()
    threading.Timer(0.2, cancel.set).start()
    with pytest.raises(Cancelled):
        world.desk.answer(ASKED, cancel=cancel)
    assert server.stopped.wait(20)


def test_an_empty_library_asks_no_model(folder, server):
    with open_throwaway_services(settings(folder, server.url)) as services:
        assert services.desk.answer(ASKED).refused
    assert server.bodies("/api/chat") == []


def test_the_command_line_shows_the_note(folder, tmp_path, server, capsys):
    server.does.models = ()
    file = tmp_path / "coast.txt"
    file.write_text(PAGE)
    assert ask(settings(folder, server.url), [file], ASKED) == 0
    shown = capsys.readouterr().out
    assert "The lighthouse was built in 1873. [1]" in shown
    assert "Note: " in shown
    assert "quoted instead" in shown


def test_health_names_the_model_that_answers_and_its_state(folder, server):
    with open_services(settings(folder, server.url)) as services:
        said = looked_at(services)
    assert said["chat"] == {
        "provider": "ollama",
        "model": "llama3.2:3b",
        "state": "ready",
        "local": True,
    }
    assert said["leaves_machine"] is False


def test_health_names_quotes_where_an_optional_model_is_not_there(folder, server):
    server.does.models = ()
    with open_services(settings(folder, server.url, chat_provider="auto")) as services:
        assert services.chat.model(wait_s=20) is None
        said = health(services)
    assert (said["chat"]["provider"], said["chat"]["state"]) == ("extractive", None)


def test_health_says_that_a_model_named_outright_is_missing(folder, server):
    server.does.models = ()
    with open_services(settings(folder, server.url)) as services:
        assert looked_at(services)["chat"]["state"] == "missing"


def test_health_says_that_questions_leave_for_a_model_elsewhere(folder, server):
    online = settings(folder, server.url, chat_model="gpt-oss:120b-cloud")
    with open_services(online) as services:
        said = health(services)
    assert said["leaves_machine"] is True
    assert said["chat"]["local"] is False


def test_the_page_being_opened_loads_a_model_of_this_machine(folder, server):
    with open_services(settings(folder, server.url)) as services:
        services.warm()
        for _ in range(2000):
            if server.does.loaded:
                break
            threading.Event().wait(0.005)
    assert server.does.loaded == {"llama3.2:3b"}
