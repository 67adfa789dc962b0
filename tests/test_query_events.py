"""Asking over HTTP while the answer is being made: events, cancelling, errors; a real server."""

from __future__ import annotations

import contextlib
import json
import time

import httpx
import pytest
from model_server import ModelServer
from program_server import serving_program

from local_rag.api.event_stream import wants_events
from local_rag.errors import StoreFault, UnknownDocument
from local_rag.settings import Settings

PAGE = "The lighthouse was built in 1873. Its light reaches 21 nautical miles.\n"
ASKED = {"question": "When was the lighthouse built?"}
EVENTS = {"Accept": "text/event-stream"}
SAID = {"text": "The lighthouse dates from 1873.", "citations": [1]}
REPLY = json.dumps({"claims": [SAID], "style": "paragraphs", "unsupported": []})


@contextlib.contextmanager
def serving(folder, **options):
    """A client of a program that serves a library of one file."""
    settings = Settings(_env_file=None, data_dir=folder, open_browser=False, **options)
    with (
        serving_program(settings) as (url, services),
        httpx.Client(base_url=url, timeout=60) as client,
    ):
        files = {"file": ("coast.txt", PAGE.encode())}
        client.post("/api/documents", files=files).raise_for_status()
        yield client, services


@pytest.fixture(scope="module")
def extractive(tmp_path_factory):
    with serving(tmp_path_factory.mktemp("data"), chat_provider="extractive") as world:
        yield world


@pytest.fixture(scope="module")
def model():
    with ModelServer() as running:
        yield running


@pytest.fixture(scope="module")
def phrased(tmp_path_factory, model):
    folder = tmp_path_factory.mktemp("data")
    with serving(folder, chat_provider="ollama", ollama_base_url=model.url) as world:
        yield world


@pytest.fixture(autouse=True)
def _well_behaved(model):
    model.does.deltas, model.does.first_delay_s, model.does.delay_s = (REPLY,), 0.0, 0.0
    model.stopped.clear()


def told(client, body=ASKED):
    """The events of a question, in order."""
    with client.stream("POST", "/api/query", json=body, headers=EVENTS) as response:
        assert response.headers["content-type"].startswith("text/event-stream")
        return list(events_of(response.iter_lines()))


def events_of(lines):
    name = ""
    for line in lines:
        if line.startswith("event: "):
            name = line.removeprefix("event: ")
        elif line.startswith("data: "):
            yield name, json.loads(line.removeprefix("data: "))


def without_timings(answer):
    return {key: value for key, value in answer.items() if key != "timings_ms"}


@pytest.mark.parametrize("writes", ["extractive", "phrased"])
def test_the_events_come_in_order_and_end_with_the_plain_answer(request, writes):
    client, _ = request.getfixturevalue(writes)
    events = told(client)
    names = [name for name, _ in events]
    assert list(dict.fromkeys(names)) == ["stage", "evidence", "claim", "done"]
    steps = [data["stage"] for name, data in events if name == "stage"]
    assert list(dict.fromkeys(steps)) == ["search", "write", "cite"]
    data = dict(events)
    assert [row["text"] for row in data["evidence"]["evidence"]] == [PAGE.strip()]
    plain = client.post("/api/query", json=ASKED).json()
    assert without_timings(data["done"]) == without_timings(plain)
    assert data["claim"]["text"] == plain["answer"]
    assert data["claim"]["citations"] == plain["citations"]
    assert 'href="#citation-1"' in data["claim"]["text_html"]


def test_claims_of_two_parts_are_numbered_as_in_the_answer(extractive):
    client, _ = extractive
    body = {"question": "When was the lighthouse built, and how far does its light reach?"}
    events = told(client, body)
    claims = [data["text"] for name, data in events if name == "claim"]
    done = dict(events)["done"]
    assert len(claims) == 2
    assert all(claim in done["answer"] for claim in claims)


def test_a_slow_model_is_told_of_each_second(phrased, model):
    model.does.first_delay_s = 2.3
    stages = [data for name, data in told(phrased[0]) if name == "stage"]
    writing = [stage for stage in stages if stage["stage"] == "write"]
    assert len(writing) >= 3
    assert {stage["writer"] for stage in writing} == {"ollama llama3.2:3b"}
    assert writing[-1]["model_state"] in ("ready", "loading")
    assert [s["elapsed_ms"] for s in stages] == sorted(s["elapsed_ms"] for s in stages)


def test_a_statement_is_told_while_the_model_still_writes(phrased, model):
    first, second = SAID, {"text": "Its light reaches 21 nautical miles.", "citations": [1]}
    reply = json.dumps({"claims": [first, second], "style": "paragraphs", "unsupported": []})
    model.does.deltas = [reply[i : i + 8] for i in range(0, len(reply), 8)]
    model.does.delay_s = 0.1
    ask = phrased[0].stream("POST", "/api/query", json=ASKED, headers=EVENTS)
    times = {}
    with ask as response:
        for name, _ in events_of(response.iter_lines()):
            times.setdefault(name, []).append(time.monotonic())
    claims, (done,) = times["claim"], times["done"]
    assert len(claims) == 2
    assert done - claims[0] > 0.5
    assert claims[1] - claims[0] > 0.3


@pytest.mark.parametrize("headers", [EVENTS, {}])
def test_a_client_that_goes_away_stops_the_model(phrased, model, headers):
    model.does.deltas = (f"{n} " for n in range(10**6))
    model.does.delay_s = 0.01
    ask = phrased[0].stream("POST", "/api/query", json=ASKED, headers=headers, timeout=0.7)
    with pytest.raises(httpx.ReadTimeout), ask as response:
        for _ in response.iter_lines():
            pass
    assert model.stopped.wait(20)


@pytest.mark.parametrize(
    ("body", "status", "code"),
    [
        ({"question": " "}, 422, "invalid-question"),
        ({"question": "Why?", "document_ids": ["0" * 32]}, 404, "unknown-document"),
        ({"question": 7}, 422, "invalid-request"),
    ],
)
def test_what_is_no_question_is_refused_before_any_event(extractive, body, status, code):
    response = extractive[0].post("/api/query", json=body, headers=EVENTS)
    assert response.status_code == status
    assert response.json()["error"]["code"] == code


@pytest.mark.parametrize(
    ("error", "code"),
    [(StoreFault("The disk is gone."), "store-fault"), (RuntimeError("SECRET"), "internal")],
)
def test_what_fails_later_is_an_event(extractive, monkeypatch, error, code):
    client, services = extractive

    def fail(*_args, **_options):
        raise error

    monkeypatch.setattr(type(services.writer), "write", fail)
    name, data = told(client)[-1]
    assert (name, data["error"]["code"]) == ("error", code)
    assert "SECRET" not in json.dumps(data)


def test_a_document_replaced_meanwhile_makes_the_claims_void(extractive, monkeypatch):
    client, services = extractive
    page, asked = services.catalog.page, []

    def once_gone(document_id, page_number):
        asked.append(document_id)
        if len(asked) == 2:  # the first is the claim's
            raise UnknownDocument("It was replaced.")
        return page(document_id, page_number)

    monkeypatch.setattr(type(services.catalog), "page", staticmethod(once_gone))
    events = told(client)
    steps = [(data["stage"], data["attempt"]) if name == "stage" else name for name, data in events]
    again = steps.index(("search", 2))
    assert steps.index("claim") < again < len(steps) - 1 - steps[::-1].index("claim")
    assert steps[-1] == "done"


@pytest.mark.parametrize(
    ("accept", "wanted"),
    [
        ("text/event-stream", True),
        ("application/json;q=0.5, TEXT/Event-Stream ; q=0.9", True),
        ("", False),
        ("*/*", False),
        ("text/event-streamX", False),
        ("text/event-stream;q=0", False),
        ("text/event-stream; q=0.00", False),
    ],
)
def test_events_are_sent_to_who_names_them(accept, wanted):
    assert wants_events(accept) is wanted
