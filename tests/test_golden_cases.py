"""The reader of golden cases names every broken rule with its line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from local_rag.errors import InvalidRequest
from local_rag.evaluation.cases import (
    Case,
    case_line,
    case_schema,
    checked_lines,
    read_cases,
    write_cases,
)

_SCHEMA = Path(__file__).parents[1] / "evaluation" / "cases.schema.json"


def _row(**changes: object) -> dict[str, object]:
    row: dict[str, object] = {
        "case_id": "c1",
        "dataset_version": "1",
        "split": "dev",
        "corpus_id": "house",
        "corpus_version": "1",
        "question": "When was the tower built?",
        "question_type": "date",
        "answerable": True,
        "expected_evidence": [
            {
                "source": "tower.txt",
                "source_sha256": "a" * 64,
                "contains": ["It was built in  1873"],
                "evidence_group": "1",
            }
        ],
        "required_facts": ["built in 1873"],
        "reference_answer": "It was Built in 1873.",
        "generation_method": "hand",
        "review_status": "needs_review",
    }
    return row | changes


def _wrong(*rows: object) -> list[str]:
    return checked_lines([row if isinstance(row, str) else json.dumps(row) for row in rows])[1]


def test_a_good_case_is_read_and_written_back_the_same(tmp_path: Path) -> None:
    cases, wrong = checked_lines([json.dumps(_row()), "", "  "])
    assert (len(cases), wrong) == (1, [])
    write_cases(tmp_path / "new" / "set.jsonl", cases)
    assert read_cases(tmp_path / "new" / "set.jsonl") == cases
    assert json.loads(case_line(cases[0]))["case_id"] == "c1"
    assert [p.name for p in (tmp_path / "new").iterdir()] == ["set.jsonl"]


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"surprise": 1}, "line 1: surprise: is no known field"),
        ({"question": "  "}, "line 1: question:"),
        ({"question": "x" * 2001}, "line 1: question:"),
        ({"split": "train"}, "line 1: split:"),
        ({"answerable": "yes"}, "line 1: answerable:"),
        ({"expected_evidence": []}, "an answerable case needs at least one place"),
        ({"reference_answer": ""}, "reference_answer: an answerable case needs one"),
        ({"required_facts": ["1874"]}, "'1874' is not in the evidence"),
        ({"reference_answer": "Long ago."}, "is not in the reference answer"),
        ({"answerable": False}, "expected_evidence: an unanswerable case has none"),
        ({"answerable": False}, "required_facts: an unanswerable case has none"),
        ({"review_status": "approved_gold"}, "needs reviewer and reviewed_at"),
        ({"review_status": "rejected", "reviewer": " "}, "needs reviewer and reviewed_at"),
        ({"approved_at": "2026-01-01T00:00:00Z"}, "approved_at: stands with approved_gold"),
        ({"reviewed_at": "yesterday"}, "line 1: reviewed_at:"),
    ],
)
def test_each_broken_rule_is_named(change: dict[str, object], told: str) -> None:
    assert any(told in one for one in _wrong(_row(**change))), _wrong(_row(**change))


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"page": 0}, "expected_evidence.0.page:"),
        ({"contains": []}, "expected_evidence.0.contains:"),
        ({"source_sha256": "A" * 64}, "expected_evidence.0.source_sha256:"),
        ({"bbox": [1.0, 2.0, 3.0]}, "expected_evidence.0.bbox:"),
        ({"bbox": [0.0, 0.0, float("inf"), 1.0]}, "expected_evidence.0.bbox.2:"),
        ({"bbox": [3.0, 2.0, 3.0, 4.0]}, "bbox: is empty"),
        ({"evidence_hash": "0" * 64}, "evidence_hash: is not that of"),
        ({"where": "here"}, "expected_evidence.0.where: is no known field"),
    ],
)
def test_each_broken_rule_of_a_place_is_named(change: dict[str, object], told: str) -> None:
    row = _row()
    place = row["expected_evidence"][0] | change  # type: ignore[index]
    assert any(told in one for one in _wrong(_row(expected_evidence=[place])))


def test_lines_that_are_no_case_and_names_given_twice() -> None:
    wrong = _wrong("{", "[1]", _row(), _row(), "[" * 100_000)
    assert [one.split(":")[0] for one in wrong] == ["line 1", "line 2", "line 4", "line 5"]
    assert "is that of line 3 too" in wrong[2]


def test_a_file_that_cannot_be_used_says_why(tmp_path: Path) -> None:
    for name, content in (("none", None), ("binary", b"\xff\xfe\x00"), ("empty", b"\n")):
        path = tmp_path / name
        if content is not None:
            path.write_bytes(content)
        with pytest.raises(InvalidRequest, match=name):
            read_cases(path)
    bad = tmp_path / "bad"
    bad.write_text(json.dumps(_row(extra=1)) + "\n" + json.dumps(_row(case_id="")))
    with pytest.raises(InvalidRequest, match=r"(?s)line 1: extra.*line 2: case_id"):
        read_cases(bad)


def test_a_file_of_another_editor_is_read(tmp_path: Path) -> None:
    path = tmp_path / "set.jsonl"
    separator = _row(question="What is\u2028this?")
    text = (
        json.dumps(_row()) + "\r\n" + json.dumps(separator | {"case_id": "c2"}, ensure_ascii=False)
    )
    path.write_bytes(b"\xef\xbb\xbf" + text.encode())
    assert [case.case_id for case in read_cases(path)] == ["c1", "c2"]


def test_the_schema_beside_the_data_is_that_of_the_reader() -> None:
    assert json.loads(_SCHEMA.read_text("utf-8")) == case_schema()
    assert set(case_schema()["properties"]) == set(Case.model_fields)  # type: ignore[call-overload]
