"""A person's verdict on a case, as a new case: nothing here reads or writes a file."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from pydantic import ValidationError

from local_rag.errors import InvalidRequest
from local_rag.evaluation.cases import Case, broken_rules, evidence_hash, told_of
from local_rag.text.names import one_visible_line

if TYPE_CHECKING:
    from collections.abc import Mapping

EDITABLE = (
    "question",
    "question_type",
    "answerable",
    "reference_answer",
    "required_facts",
    "expected_evidence",
    "split",
    "tags",
)
"""What a reviewer may change of a case; the rest says where it is from."""


def approved(case: Case, reviewer: str, moment: datetime) -> Case:
    """The case as gold.

    Args:
        moment: when the person decided, with a time zone.

    Raises:
        InvalidRequest: there is no reviewer, or the case breaks a rule and cannot be gold.
    """
    at = _utc(moment)
    return _kept(
        case,
        review_status="approved_gold",
        reviewer=_named(reviewer),
        reviewed_at=at,
        approved_at=at,
    )


def rejected(case: Case, reviewer: str, moment: datetime) -> Case:
    """The case as one that no release counts; it stays, so that it is not proposed again.

    Raises:
        InvalidRequest: there is no reviewer.
    """
    return case.model_copy(
        update={
            "review_status": "rejected",
            "reviewer": _named(reviewer),
            "reviewed_at": _utc(moment),
            "approved_at": None,
        }
    )


def edited(case: Case, changes: Mapping[str, Any]) -> Case:
    """The case with other values of ``EDITABLE``; an earlier verdict does not hold for it.

    Hashes of evidence are made anew. A case that nothing changes is given back as it is.

    Raises:
        InvalidRequest: a field is not to be changed, or what comes of it breaks a rule.
    """
    if fixed := sorted(set(changes) - set(EDITABLE)):
        raise InvalidRequest(
            f"These fields cannot be edited: {', '.join(fixed)}.",
            fix=f"Change one of {', '.join(EDITABLE)}.",
        )
    values = {name: value for name, value in changes.items() if getattr(case, name) != value}
    if not values:
        return case
    changed = _kept(
        case,
        **values,
        review_status="needs_review",
        reviewer="",
        reviewed_at=None,
        approved_at=None,
    )
    evidence = [
        one.model_copy(update={"evidence_hash": evidence_hash(one)})
        for one in changed.expected_evidence
    ]
    return changed.model_copy(update={"expected_evidence": evidence})


def is_decided(case: Case) -> bool:
    """Whether a person has approved or rejected it."""
    return case.review_status in ("approved_gold", "rejected")


def _kept(case: Case, **changes: Any) -> Case:
    """The case with the changes, if it keeps every rule."""
    row = case.model_dump(mode="json") | changes
    if "expected_evidence" in changes:
        row["expected_evidence"] = [
            {**(one if isinstance(one, dict) else one.model_dump()), "evidence_hash": None}
            for one in changes["expected_evidence"]
        ]
    try:
        new = Case.model_validate(row)
    except ValidationError as error:
        wrong = told_of(error)
    else:
        wrong = broken_rules(new)
        if not wrong:
            return new
    raise InvalidRequest(
        f"{case.case_id} would break {len(wrong)} rules: " + "; ".join(wrong),
        fix="Edit the case first, or reject it.",
    )


def _named(reviewer: str) -> str:
    name = one_visible_line(reviewer)
    if not name:
        raise InvalidRequest("A verdict needs a reviewer.", fix="Name who decides.")
    return name


def _utc(moment: datetime) -> str:
    if moment.tzinfo is None:
        raise InvalidRequest("The moment has no time zone.", fix="Give it in UTC.")
    return moment.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
