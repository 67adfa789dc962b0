"""Answers whose claims a decision server checks: the app and the server over real HTTP."""

from __future__ import annotations

import contextlib
import json
import time

import pytest
from decision_server import FAULTS, INSUFFICIENT, SUPPORTED, UNSURE, DecisionServer
from test_query_events import serving, told, without_timings

from local_rag.cli.main import main
from local_rag.composition import open_services
from local_rag.errors import InvalidRequest
from local_rag.settings import Settings, load_settings

SECRET_NAME = "quarterly-figures-of-aunt-hilda.txt"
PAGE = "The lighthouse was built in 1873. Its light reaches 21 nautical miles.\n"
OTHER = "The ferry to the island leaves at eight. A lighthouse keeper built a boat in 1902.\n"
ASKED = {"question": "When was the lighthouse built?"}
WORDS = ("lighthouse", "nautical", "ferry", "keeper", "hilda", "1873")


@pytest.fixture(scope="module")
def running():
    with DecisionServer() as made:
        yield made


@pytest.fixture
def decisions(running):
    running.reset()
    yield running
    running.stopped.set()


@contextlib.contextmanager
def auditing(folder, decisions, mode, **options):
    with serving(
        folder,
        chat_provider="extractive",
        jev_mode=mode,
        jev_base_url=decisions.url,
        jev_model="jev-1.13.0",
        **options,
    ) as (client, services):
        client.delete("/api/documents").raise_for_status()
        for name, text in ((SECRET_NAME, PAGE), ("other.txt", OTHER)):
            files = {"file": (name, text.encode())}
            client.post("/api/documents", files=files).raise_for_status()
        yield client, services


@pytest.fixture(scope="module")
def off(tmp_path_factory, running):
    with auditing(tmp_path_factory.mktemp("off"), running, "off") as (client, _):
        yield client


@pytest.fixture(scope="module")
def observe(tmp_path_factory, running):
    folder = tmp_path_factory.mktemp("observe")
    with auditing(folder, running, "observe", jev_timeout=2.0) as (client, _):
        yield client


@pytest.fixture(scope="module")
def repair(tmp_path_factory, running):
    folder = tmp_path_factory.mktemp("repair")
    with auditing(folder, running, "repair", jev_timeout=20.0) as (client, _):
        yield client


def ask(client, **body):
    reply = client.post("/api/query", json=ASKED | body)
    reply.raise_for_status()
    return reply.json()


def bare(answer):
    """What a reader reads."""
    return [answer["answer"], answer["answer_html"], answer["citations"]]


def test_nothing_is_sent_where_it_is_off(off, decisions):
    answer = ask(off)
    told(off, ASKED)
    health = off.get("/health").json()
    assert decisions.paths == []
    assert (answer["audit_mode"], answer["audits"]) == ("off", [])
    assert answer["audit_usage"] == {"requests": 0, "input_tokens": 0, "output_tokens": 0}
    assert (health["jev_mode"], health["all_local"]) == ("off", True)
    assert health["auditor"] == {"model": None, "local": True}


def test_a_check_stands_beside_an_answer_that_stays_as_it_is(off, observe, decisions):
    decisions.does.judge = lambda claim, excerpts: INSUFFICIENT
    answer = ask(observe)
    plain = ask(off)
    assert answer["answer"] == plain["answer"]
    assert [c["text"] for c in answer["citations"]] == [c["text"] for c in plain["citations"]]
    (audit,) = answer["audits"]
    assert answer["audit_mode"] == "observe"
    assert audit["claim"] == "The lighthouse was built in 1873."
    assert audit["citations"] == [1]
    assert (audit["status"], audit["action"], audit["error"]) == ("completed", "withhold", None)
    assert audit["assessment"] == {"relation": "insufficient", "probabilities": INSUFFICIENT}
    assert audit["requested_model"] == audit["returned_model"] == "jev-1.13.0"
    assert audit["request_id"] == "req-1"
    assert audit["repair"] is None
    assert audit["threshold"] == 0.9
    assert answer["audit_usage"] == {
        "requests": 1,
        "input_tokens": audit["input_tokens"],
        "output_tokens": 1,
    }


def test_only_claims_and_cited_excerpts_are_sent(observe, decisions):
    answer = ask(observe)
    (body,) = decisions.bodies
    assert set(body) == {"model", "state", "questions"}
    assert body["state"] == {
        "claims": {"claim_1": "The lighthouse was built in 1873."},
        "cited_excerpts": {"1": PAGE.strip()},
    }
    sent = json.dumps(body) + str(decisions.headers)
    document = answer["citations"][0]
    for kept in (SECRET_NAME, "hilda", "ferry", document["document_id"], document["chunk_id"]):
        assert kept not in sent


def test_a_refusal_has_no_claim_to_send(observe, decisions):
    answer = ask(observe, question="Who won the chess match in Reykjavik?")
    assert answer["refused"]
    assert decisions.bodies == []
    assert answer["audits"] == []


@pytest.mark.parametrize("fault", FAULTS)
def test_the_answer_comes_back_whatever_the_server_does(off, observe, decisions, caplog, fault):
    plain = ask(off)
    caplog.set_level("DEBUG")
    decisions.does.fault = fault
    answer = ask(observe)
    assert answer["answer"] == plain["answer"]
    (audit,) = answer["audits"]
    assert (audit["status"], audit["action"], audit["assessment"]) == ("unavailable", None, None)
    assert audit["error"]
    shown = audit["error"].lower() + caplog.text.lower()
    assert not [word for word in WORDS if word in shown]


@pytest.mark.parametrize("fault", ["500", "HTML", "cut off"])
def test_repair_loses_no_answer_either(off, repair, decisions, fault):
    decisions.does.judge = lambda claim, excerpts: INSUFFICIENT
    decisions.does.fault, decisions.does.fault_after = fault, 1
    answer = ask(repair)
    assert answer["answer"] == ask(off)["answer"]
    (audit,) = answer["audits"]
    assert not audit["repair"]["succeeded"]
    assert {one["status"] for one in audit["repair"]["attempts"]} == {"unavailable"}


def test_a_claim_is_made_to_cite_the_passage_that_bears_it_out(repair, decisions):
    decisions.does.judge = lambda claim, excerpts: (
        SUPPORTED if "ferry" in str(excerpts) else INSUFFICIENT
    )
    answer = ask(repair)
    assert answer["answer"] == "The lighthouse was built in 1873. [1]"
    (cited,) = answer["citations"]
    assert cited["text"] == OTHER.strip()
    assert cited["quote"]
    (audit,) = answer["audits"]
    assert (audit["action"], audit["citations"]) == ("keep", [1])
    assert audit["repair"]["succeeded"]
    assert audit["repair"]["original"]["citations"] == []
    before = audit["repair"]["original"]["excerpts"][0]["chunk_id"]
    rows = {row["chunk_id"]: row["text"] for row in answer["ledger"][0]["rows"]}
    assert rows[before] == PAGE.strip()
    assert answer["audit_usage"]["requests"] == 2


def test_flags_say_what_to_look_at_beside_a_repaired_claim(repair, decisions):
    decisions.does.judge = lambda claim, excerpts: (
        SUPPORTED if "ferry" in str(excerpts) else INSUFFICIENT
    )
    answer = ask(repair)
    assert answer["flags"] == [
        {
            "claim": "The lighthouse was built in 1873.",
            "citations": [1],
            "kind": "number",
            "surface": "1873",
            "message": "check the number 1873: not in the cited text",
        }
    ]


def test_a_document_that_leaves_meanwhile_takes_the_repair_back(tmp_path, decisions):
    def judge(claim, excerpts):
        if "ferry" not in str(excerpts):
            return INSUFFICIENT
        gone = next(d for d in services.catalog.documents() if d.name == "other.txt")
        services.library.remove(gone.document_id)
        return SUPPORTED

    decisions.does.judge = judge
    with auditing(tmp_path, decisions, "repair", jev_timeout=20.0) as (client, services):
        answer = ask(client)
    assert answer["citations"][0]["text"] == PAGE.strip()
    (audit,) = answer["audits"]
    assert (audit["action"], audit["citations"]) == ("withhold", [1])
    assert not audit["repair"]["succeeded"]


def test_checks_take_no_longer_than_their_budget_and_keep_what_is_finished(
    tmp_path, decisions, monkeypatch
):
    question = "How far does the light of the lighthouse reach, and when does the ferry leave?"
    decisions.does.delay_s = 0.8
    with auditing(tmp_path, decisions, "observe", jev_timeout=1.0) as (_, services):
        claims = services.desk.answer(question)
        both = [one.check.status for one in claims.audits]
        assert both == ["completed", "completed"]  # a budget for each part
        decisions.does.delay_s = 1.6
        begun = time.monotonic()
        late = services.desk.answer(question)
        took_s = time.monotonic() - begun
    assert {one.check.status for one in late.audits} == {"unavailable"}
    assert {one.check.error for one in late.audits} == {"The time for checks was over."}
    assert late.text == claims.text
    assert late.timings_ms["audit"] / 1000 <= took_s
    assert late.timings_ms["audit"] < 3000  # two budgets of 1 s; two replies take 3.2 s


def test_the_checks_of_each_part_are_told_before_the_answer(observe, decisions):
    question = "When was the lighthouse built, and when does the ferry leave?"
    events = told(observe, {"question": question})
    names = [name for name, _ in events]
    assert names.count("audit") == 2
    assert names.index("audit") > names.index("claim")
    assert names[-1] == "done"
    steps = [data["stage"] for name, data in events if name == "stage"]
    assert list(dict.fromkeys(steps)) == ["search", "write", "cite", "audit"]
    parts = [data for name, data in events if name == "audit"]
    assert [one["part"] for one in parts] == [0, 1]
    done = events[-1][1]
    assert [a for one in parts for a in one["audits"]] == done["audits"]


def test_a_conversation_keeps_the_checks_with_the_answer(repair, decisions):
    decisions.does.judge = lambda claim, excerpts: UNSURE
    begun = repair.post("/api/conversations").json()["conversation_id"]
    sent = ask(repair, conversation_id=begun)
    (kept,) = repair.get(f"/api/conversations/{begun}").json()["turns"]
    assert sent["audits"]
    for key in ("audits", "audit_mode", "audit_usage", "flags"):
        assert kept[key] == sent[key]
    assert without_timings(kept)["answer"] == sent["answer"]


def test_health_tells_where_claims_are_checked(observe, tmp_path):
    health = observe.get("/health").json()
    assert (health["jev_mode"], health["all_local"]) == ("observe", True)
    assert health["auditor"] == {"model": "jev-1.13.0", "local": True}
    assert health["leaves_machine"] is False


@pytest.mark.parametrize(
    ("url", "model"),
    [("http://127.0.0.1:9", "kev:4b-cloud"), ("http://192.0.2.1:8080", "laya")],
)
def test_health_tells_that_claims_leave(tmp_path, url, model):
    options = {"jev_mode": "observe", "jev_base_url": url, "jev_model": model}
    with serving(tmp_path, chat_provider="extractive", **options) as (client, _):
        health = client.get("/health").json()
    assert (health["all_local"], health["leaves_machine"]) == (False, True)
    assert health["auditor"] == {"model": model, "local": False}


# The start


def test_the_hosted_service_without_a_key_stops_the_start(tmp_path):
    settings = Settings(_env_file=None, data_dir=tmp_path / "data", jev_mode="observe")
    with (
        pytest.raises(InvalidRequest, match="TYPESAFE_API_KEY is empty"),
        open_services(settings),
    ):
        pass


@pytest.mark.parametrize("command", [["serve", "--port", "0"], ["ask", "Why?"]])
def test_the_command_line_says_what_is_missing(tmp_path, monkeypatch, capsys, command):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("RAG_JEV_MODE", "repair")
    assert main(command) == 2
    said = capsys.readouterr().err
    assert "TYPESAFE_API_KEY is empty" in said
    assert "[invalid-request]" in said


def test_a_server_of_this_machine_that_is_not_there_stops_serving(monkeypatch, tmp_path, capsys):
    with DecisionServer() as stopped:
        pass
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("RAG_JEV_MODE", "observe")
    monkeypatch.setenv("RAG_JEV_BASE_URL", stopped.url)
    assert main(["serve", "--port", "0", "--no-browser"]) == 2
    said = capsys.readouterr().err
    assert "does not answer" in said
    assert "RAG_JEV_MODE=off" in said


def test_the_key_comes_from_its_own_variable_and_is_shown_nowhere(monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("TYPESAFE_API_KEY", "sk-secret")
    settings = load_settings()
    assert settings.typesafe_api_key.get_secret_value() == "sk-secret"
    assert "sk-secret" not in repr(settings)


@pytest.mark.parametrize("value", ["0.5", "1.01", "much"])
def test_a_threshold_that_two_options_could_reach_is_refused(monkeypatch, tmp_path, value):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("RAG_JEV_THRESHOLD", value)
    with pytest.raises(InvalidRequest, match="RAG_JEV_THRESHOLD"):
        load_settings()


# doctor


def looked_at(capsys):
    status = main(["doctor", "--json"])
    checks = {check["name"]: check for check in json.loads(capsys.readouterr().out)["checks"]}
    return status, checks["checks"]


@pytest.fixture
def doctored(monkeypatch, tmp_path, decisions):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("RAG_CHAT_PROVIDER", "extractive")
    monkeypatch.setenv("RAG_JEV_MODE", "observe")
    monkeypatch.setenv("RAG_JEV_BASE_URL", decisions.url)
    return decisions


def test_doctor_tries_a_decision_model_of_this_machine(doctored, capsys):
    status, check = looked_at(capsys)
    assert (status, check["works"]) == (0, True)
    assert "jev-1.13.0" in check["message"]
    assert len(doctored.bodies) == 1


def test_doctor_says_that_a_model_decides_nothing(doctored, capsys):
    doctored.does.fault = "501"
    status, check = looked_at(capsys)
    assert (status, check["works"]) == (1, False)
    assert "no decision model" in check["message"]
    assert "RAG_JEV_MODEL" in check["fix"]


def test_doctor_asks_nobody_where_it_is_off(doctored, capsys, monkeypatch):
    monkeypatch.setenv("RAG_JEV_MODE", "off")
    _, check = looked_at(capsys)
    assert check["works"] is True
    assert doctored.paths == []
