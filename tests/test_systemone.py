"""The client of decision servers over real HTTP: what it sends, takes, refuses and never shows."""

from __future__ import annotations

import email.utils
import time

import pytest
from decision_server import FAULTS, STATUSES, UNSOUND, DecisionServer

from local_rag.adapters.servers import systemone
from local_rag.adapters.servers.systemone import SystemOne, is_hosted
from local_rag.audit.question import questions_of, state_of
from local_rag.errors import (
    InvalidRequest,
    LocalRagError,
    ModelMissing,
    ModelServerBusy,
    ModelServerFault,
    ModelServerUnreachable,
    ModelTimeout,
)

MODEL = "jev-1.13.0"
STATE = state_of(["The SECRET is kept."], {"1": "A SECRET passage."})
ASKED = questions_of(1)
KEY = "sk-abc-123"


@pytest.fixture(scope="module")
def running():
    with DecisionServer() as made:
        yield made


@pytest.fixture
def server(running):
    running.reset()
    yield running
    running.stopped.set()


def decide(server, model=MODEL, seconds=20.0):
    return SystemOne(server.url, model).decide(STATE, ASKED, seconds=seconds)


def test_a_request_has_the_model_the_state_and_described_options_and_no_more(server):
    decision = decide(server)
    (body,) = server.bodies
    assert set(body) == {"model", "state", "questions"}
    assert (body["model"], body["state"]) == (MODEL, STATE)
    (question,) = body["questions"].values()
    assert question["type"] == "choice"
    assert all(question["criteria"].values())
    assert server.paths == ["/v1/systemone"]
    assert decision.request_id == "req-1"
    assert decision.answers["claim_1"].choice == "supported"


def test_a_server_that_names_no_request_is_believed(server):
    server.does.request_ids = False
    assert decide(server).request_id is None


@pytest.mark.parametrize("end", ["", "/", "/v1", "/v1/"])
def test_the_address_may_end_in_v1(server, end):
    SystemOne(server.url + end, MODEL).decide(STATE, ASKED, seconds=20)
    assert server.paths == ["/v1/systemone"]


@pytest.mark.parametrize("fault", FAULTS)
def test_every_fault_is_an_error_without_any_text_of_a_document(server, caplog, fault):
    caplog.set_level("DEBUG")
    server.does.fault = fault
    with pytest.raises(ModelServerFault) as caught:
        decide(server, seconds=0.4 if fault == "slow" else 20)
    shown = f"{caught.value.message} {caught.value.fix} {caplog.text}"
    assert "SECRET" not in shown
    assert "secret" not in shown
    if fault in STATUSES:
        assert f"HTTP {STATUSES[fault]}" in caught.value.message
        assert caught.value.request_id == "req-1"
    if fault in UNSOUND:
        assert "unsound" in caught.value.message
    assert server.paths == ["/v1/systemone"]


@pytest.mark.parametrize(
    ("fault", "error"),
    [
        ("401", ModelServerUnreachable),
        ("403", ModelServerUnreachable),
        ("404", ModelMissing),
        ("501", ModelMissing),
        ("429", ModelServerBusy),
        ("529", ModelServerBusy),
    ],
)
def test_what_the_status_means_is_told_apart(server, fault, error):
    server.does.fault = fault
    with pytest.raises(error):
        decide(server)


def test_a_slow_server_is_left_in_time(server):
    server.does.fault = "slow"
    begun = time.monotonic()
    with pytest.raises(ModelTimeout):
        decide(server, seconds=0.4)
    assert time.monotonic() - begun < 5


def later():
    return email.utils.formatdate(time.time() + 1, usegmt=True)


@pytest.mark.parametrize(
    "hint",
    [
        [("retry-after-ms", "150")],
        [("retry-after-ms", "150"), ("retry-after", "60")],
        [("retry-after", "0")],
        [("retry-after", later())],
        [("retry-after-ms", "soon"), ("retry-after", "0.1")],
    ],
)
def test_a_busy_server_that_says_when_is_asked_once_more_then(server, hint):
    server.does.fault, server.does.times, server.does.retry_after = "429", 1, hint
    assert decide(server).request_id == "req-2"


@pytest.mark.parametrize(
    "hint", [[], [("retry-after", "60")], [("retry-after", "never")], [("retry-after-ms", "-5")]]
)
def test_a_busy_server_that_gives_no_time_within_ours_is_not(server, hint):
    server.does.fault, server.does.times, server.does.retry_after = "429", 1, hint
    with pytest.raises(ModelServerBusy, match="HTTP 429"):
        decide(server)
    assert len(server.bodies) == 1


def test_a_server_that_stays_busy_is_asked_twice_at_most(server):
    server.does.fault, server.does.retry_after = "429", [("retry-after-ms", "10")]
    with pytest.raises(ModelServerBusy):
        decide(server)
    assert len(server.bodies) == 2


def test_probabilities_rounded_to_four_places_are_sound(server):
    p = {"supported": 0.3333, "contradicted": 0.3333, "insufficient": 0.3333}
    server.does.judge = lambda claim, excerpts: p
    assert decide(server).answers["claim_1"].probabilities == p


def test_another_model_is_taken_where_no_full_version_was_asked(server):
    server.does.model = "jev-1.13.0"
    assert decide(server, "jev-latest").model == "jev-1.13.0"
    with pytest.raises(ModelServerFault, match="another model"):
        decide(server, "jev-1.14.0")


# The key


def test_the_key_goes_to_the_hosted_service_and_nowhere_else(server, monkeypatch, caplog):
    caplog.set_level("DEBUG")
    SystemOne(server.url, MODEL, key=KEY).decide(STATE, ASKED, seconds=20)
    monkeypatch.setattr(systemone, "HOSTED_URL", server.url)
    SystemOne(server.url, MODEL, key=f" {KEY}\n").decide(STATE, ASKED, seconds=20)
    other, hosted = ({k.lower(): v for k, v in h.items()} for h in server.headers)
    assert "authorization" not in other
    assert hosted["authorization"] == f"Bearer {KEY}"
    assert KEY not in str(other)
    assert KEY not in caplog.text


@pytest.mark.parametrize(
    ("url", "is_it"),
    [
        ("https://api.typesafe.ai", True),
        ("https://API.typesafe.ai:443/v1", True),
        ("http://api.typesafe.ai", False),
        ("https://api.typesafe.ai:8443", False),
        ("https://api.typesafe.ai.example.com", False),
        ("https://api.typesafe.ai@example.com", False),
        ("https://example.com/api.typesafe.ai", False),
        ("http://127.0.0.1:8080", False),
        ("https://[broken", False),
        ("https://api.typesafe.ai:port", False),
    ],
)
def test_which_address_is_the_hosted_service(url, is_it):
    assert is_hosted(url) is is_it


def test_the_hosted_service_without_a_key_is_refused_with_what_to_do():
    with pytest.raises(InvalidRequest, match="TYPESAFE_API_KEY is empty") as caught:
        SystemOne(systemone.HOSTED_URL, MODEL)
    assert "RAG_JEV_BASE_URL" in caught.value.fix


@pytest.mark.parametrize("key", ["with space", "gr\u00fcn", "two\nlines"])
def test_a_key_that_is_none_is_refused_without_being_shown(key):
    with pytest.raises(InvalidRequest, match="TYPESAFE_API_KEY has characters") as caught:
        SystemOne(systemone.HOSTED_URL, MODEL, key=key)
    assert key not in f"{caught.value.message} {caught.value.fix}"


def test_an_address_that_is_none_is_refused():
    with pytest.raises(LocalRagError, match="RAG_JEV_BASE_URL is no address"):
        SystemOne("http://[::1", MODEL)


@pytest.mark.parametrize(
    ("url", "model", "local"),
    [
        ("http://127.0.0.1:11434", "kev:4b", True),
        ("http://localhost:8080", "laya", True),
        ("http://localhost:11434", "kev:4b-cloud", False),
        ("http://192.168.1.5:8080", "laya", False),
    ],
)
def test_what_is_local(url, model, local):
    assert SystemOne(url, model).info.local is local


def test_the_hosted_service_is_looked_at_without_a_decision(server, monkeypatch):
    monkeypatch.setattr(systemone, "HOSTED_URL", server.url)
    monkeypatch.setattr(systemone, "is_local", lambda *_: False)
    SystemOne(server.url, MODEL, key=KEY).check_usable(20)
    assert (server.paths, server.bodies) == (["/v1/models"], [])


def test_a_server_of_this_machine_is_looked_at_with_a_text_of_our_own(server):
    SystemOne(server.url, "laya").check_usable(20)
    assert server.bodies[0]["state"] == {"text": "It is night."}
