"""Running the tests of a library over a real server on loopback: progress, report, one at once."""

from __future__ import annotations

import contextlib
import json
import threading

import httpx
import pytest
from program_server import serving_program

from local_rag.errors import Cancelled, RunInProgress
from local_rag.evaluation.library_cases import LibraryCases
from local_rag.evaluation.library_runs import LibraryRuns
from local_rag.settings import Settings

WALL = "The harbour wall of Brockhaven was finished in 1931 by forty masons."
PEARS = "The pear trees of Tillingdale were planted in 1874 by monks."
QUESTIONS = (
    "When was the harbour wall of Brockhaven finished?",
    "Who planted the pear trees of Tillingdale?",
    "Which colour does the bicycle of the vicar have?",
)
EVENTS = {"Accept": "text/event-stream"}


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    settings = Settings(
        data_dir=tmp_path_factory.mktemp("data"),
        chat_provider="extractive",
        open_browser=False,
        _env_file=None,
    )
    with serving_program(settings) as world:
        yield world


@pytest.fixture(scope="module")
def conversation(server):
    with httpx.Client(base_url=server[0], timeout=60) as client:
        for name, text in (("wall.txt", WALL), ("pears.txt", PEARS)):
            files = {"file": (name, text.encode())}
            client.post("/api/documents", files=files).raise_for_status()
        begun = client.post("/api/conversations", json={}).json()["conversation_id"]
        for question in QUESTIONS:
            body = {"question": question, "conversation_id": begun}
            client.post("/api/query", json=body).raise_for_status()
    return begun


@pytest.fixture
def client(server, conversation):
    with httpx.Client(base_url=server[0], timeout=60) as made:
        made.delete("/api/tests").raise_for_status()
        yield made


def save(client, conversation, turn, **more):
    body = {"conversation_id": conversation, "turn": turn, "verdict": "right", **more}
    reply = client.post("/api/tests", json=body)
    assert reply.status_code == 201, reply.text
    return reply.json()["test"]["case_id"]


def run(client, which="approved"):
    reply = client.post("/api/tests/run", json={"which": which})
    assert reply.status_code == 200, reply.text
    return reply.json()


def events_of(text: str) -> list[tuple[str, dict]]:
    blocks = [block.split("\n") for block in text.strip().split("\n\n")]
    return [(name.removeprefix("event: "), json.loads(data[6:])) for name, data in blocks]


def test_the_approved_tests_are_run_and_their_figures_told(client, conversation):
    for turn in (1, 2, 3):
        save(client, conversation, turn, confirmed_by="Ann")
    found = run(client)
    assert (found["cases"], found["approved"], found["failed"]) == (3, 3, [])
    assert found["figures"]["hit"]["value"] == 1
    assert (found["figures"]["hit"]["n"], found["figures"]["hit"]["of"]) == (2, 2)
    assert found["figures"]["abstention"]["value"] == 1
    assert found["passed"] is True
    assert found["latency_ms"]["p50"] > 0
    assert client.get("/api/tests/runs/last", params={"summary": True}).json() == found
    whole = client.get("/api/tests/runs/last").json()
    assert [one["question"] for one in whole["variants"][0]["results"]] == list(QUESTIONS)


def test_tests_that_are_not_approved_are_run_apart_and_rejected_ones_not_at_all(
    client, conversation
):
    save(client, conversation, 1, confirmed_by="Ann")
    save(client, conversation, 2)
    rejected = save(client, conversation, 3)
    path = f"/api/tests/{rejected}"
    client.patch(path, json={"decision": "reject", "reviewer": "Ann"}).raise_for_status()
    found = run(client, "all")
    assert (found["cases"], found["approved"]) == (2, 1)
    assert (found["figures"]["hit"]["of"], found["not_approved"]["hit"]["of"]) == (1, 1)


def test_a_worse_answer_than_in_the_run_before_is_told(client, conversation):
    case_id = save(client, conversation, 1, confirmed_by="Ann")
    assert run(client)["passed"] is True
    other = {"question": "When did rain fall?", "decision": "approve", "reviewer": "Ann"}
    client.patch(f"/api/tests/{case_id}", json=other).raise_for_status()
    found = run(client)
    assert found["passed"] is False
    missed = {(gate["metric"], gate["kind"]) for gate in found["gates"] if not gate["kept"]}
    assert ("false_abstention", "regression") in missed


def test_a_case_whose_document_is_gone_fails_and_is_no_zero(client, conversation):
    save(client, conversation, 1, confirmed_by="Ann")
    row = json.loads(client.get("/api/tests/export").text)
    row["expected_evidence"][0] |= {"source": "gone.txt", "source_sha256": "0" * 64}
    client.delete("/api/tests").raise_for_status()
    file = {"file": ("a.jsonl", json.dumps(row).encode())}
    client.post("/api/tests/import", files=file).raise_for_status()
    found = run(client)
    assert found["failed"][0]["reason"] == "Not among the documents: gone.txt."
    assert found["figures"]["hit"] == {"value": None, "low": None, "high": None, "n": 0, "of": 1}
    assert found["passed"] is False


def test_progress_is_told_as_events(client, conversation):
    for turn in (1, 2):
        save(client, conversation, turn, confirmed_by="Ann")
    reply = client.post("/api/tests/run", json={}, headers=EVENTS)
    assert reply.headers["content-type"].startswith("text/event-stream")
    events = events_of(reply.text)
    steps = [(told["done"], told["total"]) for name, told in events if name == "progress"]
    assert (steps[0], steps[-1]) == ((0, 2), (2, 2))
    assert events[-1][0] == "done"
    assert events[-1][1] == client.get("/api/tests/runs/last?summary=true").json()


def test_the_report_is_a_page_that_runs_and_loads_nothing(client, conversation):
    save(client, conversation, 1, confirmed_by="Ann", question="<script>alert(1)</script> wall?")
    run(client)
    reply = client.get("/api/tests/runs/last.html")
    assert reply.headers["content-type"] == "text/html; charset=utf-8"
    policy = reply.headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "script-src" not in policy
    assert "sandbox" in policy
    assert "<script" not in reply.text


def test_nothing_to_run_and_no_run_are_said(client, conversation):
    for path in ("/api/tests/runs/last", "/api/tests/runs/last.html"):
        reply = client.get(path)
        assert (reply.status_code, reply.json()["error"]["code"]) == (404, "no-run")
    save(client, conversation, 1)
    for headers in ({}, EVENTS):
        reply = client.post("/api/tests/run", json={}, headers=headers)
        assert (reply.status_code, reply.json()["error"]["code"]) == (422, "invalid-request")
    assert client.post("/api/tests/run", json={"which": "some"}).status_code == 422


def cases_of(services):
    return LibraryCases(services.cases).to_run(only_approved=False)


def test_one_run_goes_on_at_a_time(server, client, conversation, tmp_path):
    save(client, conversation, 1)
    cases, inside = cases_of(server[1]), []
    runs = LibraryRuns(server[1], tmp_path)

    def tell(_done):
        with pytest.raises(RunInProgress):
            runs.run(cases, threading.Event(), lambda _: None)
        inside.append(runs.is_running)

    runs.run(cases, threading.Event(), tell)
    assert inside == [True, True]
    assert not runs.is_running


def test_a_cancelled_run_ends_and_leaves_the_last_one(server, client, conversation, tmp_path):
    for turn in (1, 2):
        save(client, conversation, turn)
    runs, cancel, told = LibraryRuns(server[1], tmp_path), threading.Event(), []
    before = runs.run(cases_of(server[1])[:1], cancel, lambda _: None)

    def tell(done):
        told.append(done.done)
        if done.done == 1:
            cancel.set()

    with pytest.raises(Cancelled):
        runs.run(cases_of(server[1]), cancel, tell)
    assert told == [0, 1]
    assert not runs.is_running
    assert runs.last() == before


def test_a_reader_who_goes_away_stops_the_run(server, client, conversation, monkeypatch):
    for turn in (1, 2, 3):
        save(client, conversation, turn)
    asked, may_go_on = [], threading.Event()
    desk = type(server[1].desk)
    answer = desk.answer

    def slowly(self, question, *args, **more):
        asked.append(question)
        assert may_go_on.wait(30)
        return answer(self, question, *args, **more)

    monkeypatch.setattr(desk, "answer", slowly)
    body = {"which": "all"}
    with contextlib.suppress(httpx.ReadTimeout):
        client.post("/api/tests/run", json=body, headers=EVENTS, timeout=0.7)
    runs = LibraryRuns(server[1], server[1].settings.data_dir / "tests")
    may_go_on.set()
    monkeypatch.setattr(desk, "answer", answer)
    # The next run can begin as soon as the one that nobody waits for has ended.
    for _ in range(100):
        reply = client.post("/api/tests/run", json=body)
        if reply.status_code != 409:
            break
        threading.Event().wait(0.1)
    assert reply.status_code == 200
    assert asked == [QUESTIONS[0]]
    assert runs.last().data_set["cases"] == 3
