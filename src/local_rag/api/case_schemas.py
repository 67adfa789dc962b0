"""The shapes of tests in requests and replies."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from local_rag.evaluation.cases import ExpectedEvidence, Split
from local_rag.evaluation.places import NamedPlace
from local_rag.evaluation.saved import Said, Verdict, verdict_of, without_verdict

if TYPE_CHECKING:
    from local_rag.evaluation.cases import Case
    from local_rag.evaluation.library_cases import Kept

_Line = Annotated[str, Field(max_length=2000)]
_Text = Annotated[str, Field(max_length=20_000)]
_FORM = ConfigDict(extra="forbid", strict=True)


class Place(BaseModel):
    """Words on a page of a document of the library."""

    model_config = _FORM

    document_id: str = Field(max_length=64)
    page: int | None = Field(default=None, ge=1)
    contains: list[_Line] = Field(min_length=1, max_length=20)

    def named(self) -> NamedPlace:
        """As a value."""
        return NamedPlace(self.document_id, self.page, tuple(self.contains))


class Saving(BaseModel):
    """Body of ``POST /api/tests`` and ``POST /api/tests/draft``.

    What is absent or null is taken from the answer.
    """

    model_config = _FORM

    conversation_id: str = Field(max_length=64)
    turn: int
    verdict: Verdict
    question: _Line | None = None
    reference_answer: _Text | None = None
    required_facts: list[_Line] | None = Field(default=None, max_length=50)
    citations: list[int] | None = Field(default=None, max_length=200)
    places: list[Place] = Field(default=[], max_length=20)
    tags: list[_Line] = Field(default=[], max_length=50)
    split: Split = "dev"
    confirmed_by: str = Field(default="", max_length=200)

    def said(self) -> Said:
        """As a value."""
        return Said(
            verdict=self.verdict,
            question=self.question,
            reference_answer=self.reference_answer,
            required_facts=self.required_facts,
            citations=self.citations,
            places=tuple(place.named() for place in self.places),
            tags=tuple(self.tags),
            split=self.split,
        )


class CaseChange(BaseModel):
    """Body of ``PATCH /api/tests/{id}``; what is absent stays as it is.

    Attributes:
        places: are added to the evidence, each as a group of its own.
        updated_at: of the test as it was read; with it a change made meanwhile is not lost.
    """

    model_config = _FORM

    question: _Line | None = None
    question_type: _Line | None = None
    answerable: bool | None = None
    reference_answer: _Text | None = None
    required_facts: list[_Line] | None = Field(default=None, max_length=50)
    expected_evidence: list[ExpectedEvidence] | None = Field(default=None, max_length=200)
    places: list[Place] = Field(default=[], max_length=20)
    tags: list[_Line] | None = Field(default=None, max_length=50)
    split: Split | None = None
    decision: Literal["approve", "reject"] | None = None
    reviewer: str = Field(default="", max_length=200)
    updated_at: str | None = Field(default=None, max_length=40)

    def changes(self) -> dict[str, Any]:
        """New values of the case's fields, without the places."""
        other = ("places", "decision", "reviewer", "updated_at")
        values = {name: getattr(self, name) for name in self.model_fields_set if name not in other}
        return {name: value for name, value in values.items() if value is not None}


class Running(BaseModel):
    """Body of ``POST /api/tests/run``: ``all`` are those that are not rejected."""

    model_config = _FORM

    which: Literal["approved", "all"] = "approved"


def case_json(kept: Kept) -> dict[str, Any]:
    """A test without what it proposes."""
    case = kept.case
    return {
        "case_id": case.case_id,
        "question": case.question,
        "question_type": case.question_type,
        "split": case.split,
        "document_ids": list(case.document_ids),
        "generation_method": case.generation_method,
        "review_status": case.review_status,
        "reviewer": case.reviewer,
        "reviewed_at": case.reviewed_at,
        "tags": without_verdict(case.tags),
        "created_at": kept.created_at,
        "updated_at": kept.updated_at,
    }


def proposed_json(case: Case) -> dict[str, Any]:
    """What a test proposes: to be shown to a reviewer who has looked at the source."""
    return {
        "verdict": verdict_of(case.tags),
        "answerable": case.answerable,
        "reference_answer": case.reference_answer,
        "required_facts": list(case.required_facts),
        "expected_evidence": [one.model_dump() for one in case.expected_evidence],
    }
