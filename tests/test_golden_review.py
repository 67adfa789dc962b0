"""A verdict on a golden case names who gave it and when, and holds only for what was judged."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone

import pytest

from local_rag.errors import InvalidRequest
from local_rag.evaluation.cases import Case, ExpectedEvidence, broken_rules, evidence_hash
from local_rag.evaluation.review import approved, edited, is_decided, rejected

_NOON = datetime(2026, 3, 4, 13, 0, 5, 99, tzinfo=timezone(timedelta(hours=1)))


def _case(**changes: object) -> Case:
    place = ExpectedEvidence(
        source="tower.txt", source_sha256="a" * 64, contains=["It was built in 1873."]
    )
    place = place.model_copy(update={"evidence_hash": evidence_hash(place)})
    case = Case(
        case_id="c1",
        dataset_version="1",
        split="dev",
        corpus_id="house",
        corpus_version="1",
        question="When was the tower built?",
        question_type="date",
        answerable=True,
        expected_evidence=[place],
        required_facts=["1873"],
        reference_answer="In 1873.",
        generation_method="template",
        review_status="synthetic_silver",
    )
    return case.model_copy(update=changes)


def test_an_approved_case_is_gold_and_says_by_whom_and_when_in_utc() -> None:
    silver = _case()
    gold = approved(silver, "  Ada\u202e Byron ", _NOON)
    assert (gold.review_status, gold.reviewer) == ("approved_gold", "Ada Byron")
    assert gold.reviewed_at == gold.approved_at == "2026-03-04T12:00:05Z"
    assert broken_rules(gold) == []
    assert is_decided(gold)
    assert not is_decided(silver)
    assert silver.review_status == "synthetic_silver"


def test_a_rejected_case_was_never_approved() -> None:
    gone = rejected(approved(_case(), "Ada", _NOON), "Bo", _NOON + timedelta(days=1))
    assert (gone.review_status, gone.reviewer, gone.approved_at) == ("rejected", "Bo", None)
    assert gone.reviewed_at == "2026-03-05T12:00:05Z"
    assert broken_rules(gone) == []
    assert is_decided(gone)


def test_a_case_that_breaks_a_rule_can_be_rejected_but_never_approved() -> None:
    broken = _case(required_facts=["1874"])
    with pytest.raises(InvalidRequest, match="1874"):
        approved(broken, "Ada", _NOON)
    assert rejected(broken, "Ada", _NOON).review_status == "rejected"


@pytest.mark.parametrize("verdict", [approved, rejected])
@pytest.mark.parametrize("nobody", ["", "  ", "\u200b"])
def test_nobody_cannot_decide(verdict, nobody: str) -> None:
    with pytest.raises(InvalidRequest, match="reviewer"):
        verdict(_case(), nobody, _NOON)


@pytest.mark.parametrize("verdict", [approved, rejected])
def test_a_moment_without_a_time_zone_is_none(verdict) -> None:
    with pytest.raises(InvalidRequest, match="time zone"):
        verdict(_case(), "Ada", datetime(2026, 3, 4))  # noqa: DTZ001


def test_an_edited_case_awaits_its_review_again_with_its_evidence_hashed_anew() -> None:
    gold = approved(_case(), "Ada", _NOON)
    place = {
        "source": "tower.txt",
        "source_sha256": "a" * 64,
        "contains": ["built in 1873"],
    }
    new = edited(gold, {"expected_evidence": [place], "question": "When did they build it?"})
    assert (new.review_status, new.reviewer, new.approved_at) == ("needs_review", "", None)
    assert new.question == "When did they build it?"
    assert new.expected_evidence[0].evidence_hash == evidence_hash(new.expected_evidence[0])
    assert new.expected_evidence[0].evidence_hash != gold.expected_evidence[0].evidence_hash
    assert broken_rules(approved(new, "Ada", datetime.now(UTC))) == []


def test_an_edit_that_changes_nothing_leaves_the_verdict() -> None:
    gold = approved(_case(), "Ada", _NOON)
    assert edited(gold, {"question": gold.question}) is gold


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"case_id": "other"}, "case_id"),
        ({"review_status": "approved_gold"}, "review_status"),
        ({"question": "  "}, "question"),
        ({"required_facts": ["1999"]}, "1999"),
        ({"answerable": False}, "unanswerable"),
        ({"expected_evidence": [{"source": "x"}]}, "source_sha256"),
    ],
)
def test_an_edit_that_breaks_a_rule_is_refused_and_named(changes, told: str) -> None:
    with pytest.raises(InvalidRequest, match=told):
        edited(_case(), changes)
