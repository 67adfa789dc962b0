"""``local-rag-eval audit``: labelled claims, a real server, recorded runs, gates."""

from __future__ import annotations

import hashlib
import json

import pytest
from decision_server import INSUFFICIENT, SUPPORTED, UNSURE, DecisionServer

from local_rag.cli.evaluate.main import main
from local_rag.evaluation.labels import read_labels

CASES = [
    ("c1", "The tower has 12 steps.", "The tower has 12 steps.", "supported"),
    ("c2", "The tower is white.", "The tower is white and round.", "supported"),
    ("c3", "The tower has 14 steps.", "The tower has 12 steps.", "contradicted"),
    ("c4", "The tower is 30 metres high.", "The tower has 12 steps.", "insufficient"),
    ("c5", "The tower is old.", "The tower is old and white.", "supported"),
]
BY_CLAIM = dict(
    zip(
        [c[1] for c in CASES],
        [SUPPORTED, INSUFFICIENT, SUPPORTED, INSUFFICIENT, UNSURE],
        strict=True,
    )
)


@pytest.fixture
def labels(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "labels.jsonl"
    rows = [
        {
            "case_id": name,
            "claim": claim,
            "citations": ["p1"],
            "passages": {"p1": text, "p2": "Not cited."},
            "expected": expected,
        }
        for name, claim, text, expected in CASES
    ]
    path.write_text("\n".join(map(json.dumps, rows)) + "\n\n")
    return path


@pytest.fixture
def server(monkeypatch):
    with DecisionServer() as running:
        running.does.judge = lambda claim, excerpts: BY_CLAIM[claim]
        monkeypatch.setenv("RAG_JEV_MODE", "observe")
        monkeypatch.setenv("RAG_JEV_BASE_URL", running.url)
        yield running


def run(capsys, *arguments):
    status = main(["audit", *map(str, arguments), "--json"])
    return status, json.loads(capsys.readouterr().out)


def test_a_server_is_measured(capsys, labels, server):
    status, figures = run(capsys, labels)
    audit = figures["audit"]
    assert status == 0
    assert audit["confusion"] == {
        "supported": {"supported": 2, "contradicted": 0, "insufficient": 1, "unavailable": 0},
        "contradicted": {"supported": 1, "contradicted": 0, "insufficient": 0, "unavailable": 0},
        "insufficient": {"supported": 0, "contradicted": 0, "insufficient": 1, "unavailable": 0},
    }
    assert (audit["unsupported_accepted"], audit["supported_withheld"]) == (0.5, 0.3333)
    assert (audit["needs_review"], audit["unavailable"]) == (0.2, 0.0)
    words = sum(len(str(body["state"]).split()) for body in server.bodies)
    assert (audit["input_tokens"], audit["output_tokens"]) == (words, 5)
    assert 0 < audit["p50_ms"] <= audit["p95_ms"]
    assert all(body["state"]["cited_excerpts"].keys() == {"1"} for body in server.bodies)
    assert "Not cited." not in str(server.bodies)


def test_flags_are_measured_beside_it(capsys, labels, server):
    flags = run(capsys, labels)[1]["flags"]
    assert (flags["precision"], flags["recall"], flags["supported_flagged"]) == (1.0, 1.0, 0.0)
    assert flags["kinds"]["number"] == {"unsupported": 2, "supported": 0}


def test_a_run_is_recorded_without_its_texts_and_replayed_without_a_server(
    capsys, labels, server, tmp_path, monkeypatch
):
    recorded = tmp_path / "run.jsonl"
    _, first = run(capsys, labels, "--record", recorded)
    assert "tower" not in recorded.read_text()
    asked = len(server.bodies)
    monkeypatch.setenv("RAG_JEV_MODE", "off")
    _, again = run(capsys, labels, "--recorded", recorded)
    assert len(server.bodies) == asked
    assert again["audit"] | {"p50_ms": 0, "p95_ms": 0} == first["audit"] | {
        "p50_ms": 0,
        "p95_ms": 0,
    }


def test_what_a_recorded_run_lacks_is_unavailable(capsys, labels, tmp_path):
    empty = tmp_path / "run.jsonl"
    empty.write_text("")
    _, figures = run(capsys, labels, "--recorded", empty)
    assert figures["audit"]["unavailable"] == 1.0
    assert figures["audit"]["p50_ms"] is None


def test_a_server_that_fails_is_counted(capsys, labels, server):
    server.does.fault, server.does.fault_after = "500", 2
    _, figures = run(capsys, labels)
    assert figures["audit"]["unavailable"] == 0.6


@pytest.mark.parametrize(
    ("gate", "status"),
    [
        (["--max-unsupported-accepted", "0.5"], 0),
        (["--max-unsupported-accepted", "0.49"], 1),
        (["--max-supported-withheld", "0.3"], 1),
        (["--max-review", "0.2", "--max-unavailable", "0"], 0),
        (["--max-review", "0.1"], 1),
        (["--min-flag-precision", "0.8", "--min-flag-recall", "1"], 0),
        (["--max-supported-flagged", "-0.1"], 1),
    ],
)
def test_a_missed_gate_is_the_exit_status(capsys, labels, server, gate, status):
    found, figures = run(capsys, labels, *gate)
    assert found == status
    assert bool(figures["missed"]) == bool(status)


def test_a_gate_on_what_was_not_measured_is_missed(capsys, labels):
    status, figures = run(capsys, labels, "--max-unavailable", "1")
    assert status == 1
    assert figures["audit"] is None
    assert "not measured" in figures["missed"][0]


def test_nothing_is_sent_where_it_is_off(capsys, labels, server, monkeypatch):
    monkeypatch.setenv("RAG_JEV_MODE", "off")
    assert main(["audit", str(labels)]) == 0
    said = capsys.readouterr().out
    assert "RAG_JEV_MODE is off" in said
    assert "precision" in said
    assert server.paths == []


def test_the_table_shows_what_was_taken_for_what(capsys, labels, server):
    assert main(["audit", str(labels), "--max-review", "0"]) == 1
    said = capsys.readouterr().out
    assert "contradicted" in said
    assert "MISSED needs_review: 0.2, max 0" in said


def test_public_sets_are_read_and_partly_is_not_supported(tmp_path):
    path = tmp_path / "pairs.jsonl"
    rows = [
        {"set": "s", "id": n, "claim": "A b.", "source": "C d.", "label": label}
        for n, label in enumerate(["support", "contradict", "partial", "nei"])
    ]
    path.write_text("\n".join(map(json.dumps, rows)))
    cases = read_labels(path)
    assert [case.expected for case in cases] == [
        "supported", "contradicted", "insufficient", "insufficient",
    ]  # fmt: skip
    assert (cases[0].case_id, cases[0].group) == ("s:0", "s support")
    digest = hashlib.sha256(b"s:0:A b.").hexdigest()
    assert cases[0].half == int(digest[-1], 16) % 2 + 1


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("", "has no claim"),
        ("{", "Line 1"),
        ("[]", "Line 1"),
        ('{"claim": "SECRET"}', "Line 1"),
        ('{"id": 1, "claim": "SECRET", "source": "x", "label": "maybe"}', "Line 1"),
        (
            '{"case_id": "a", "claim": "SECRET", "citations": [], "passages": {}, "expected": "x"}',
            "Line 1",
        ),
    ],
)
def test_a_file_that_is_none_is_refused_without_its_text(tmp_path, capsys, content, said):
    path = tmp_path / "labels.jsonl"
    path.write_text(content)
    assert main(["audit", str(path)]) == 2
    error = capsys.readouterr().err
    assert said in error
    assert "SECRET" not in error


def test_a_citation_that_is_no_passage_sends_nothing(capsys, labels, server):
    row = json.loads(labels.read_text().splitlines()[0])
    labels.write_text(json.dumps(row | {"citations": ["p1", "p9"]}))
    _, figures = run(capsys, labels)
    assert figures["audit"]["unavailable"] == 1.0
    assert server.bodies == []


@pytest.mark.parametrize("arguments", [[], ["measure"], ["audit", "missing.jsonl"]])
def test_what_cannot_be_measured_is_status_2(arguments, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert main(arguments) == 2
