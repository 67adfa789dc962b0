"""Golden cases: a question, what the answer must hold, and where that stands. A JSON object a line.

The schema of a line is ``evaluation/cases.schema.json``; it is made from ``Case``.
"""

from __future__ import annotations

import hashlib
import json
import re
import unicodedata
from typing import TYPE_CHECKING, Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, FiniteFloat, StringConstraints, ValidationError

from local_rag.errors import InvalidRequest

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

Split = Literal["dev", "holdout", "smoke"]
ReviewStatus = Literal["synthetic_silver", "needs_review", "approved_gold", "rejected"]

_Text = Annotated[str, StringConstraints(min_length=1, pattern=r"\S")]
_Sha256 = Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{64}$")]
_Moment = Annotated[
    str, StringConstraints(pattern=r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|\+00:00)$")
]
_FORM = ConfigDict(extra="forbid", frozen=True, strict=True)


class ExpectedEvidence(BaseModel):
    """A place in a document that proves a part of the answer.

    Attributes:
        source: name of the file.
        source_sha256: of its bytes, lower hex.
        page: sheet number from 1; ``None`` for files without pages.
        contains: what stands there; all of it must be in the passage.
        evidence_group: places of one group prove the same, and one of them is enough; every
            group must be found.
        bbox: x0, y0, x1, y1 in points of the page as displayed, origin at the top left.
        evidence_hash: SHA-256 of ``contains``, normalised; see ``evidence_hash``.
    """

    model_config = _FORM

    source: _Text
    source_sha256: _Sha256
    page: Annotated[int, Field(ge=1)] | None = None
    contains: Annotated[list[_Text], Field(min_length=1)]
    evidence_group: _Text = "1"
    bbox: Annotated[list[FiniteFloat], Field(min_length=4, max_length=4)] | None = None
    evidence_hash: _Sha256 | None = None


class Case(BaseModel):
    """One question of a golden set and what is known of its answer.

    Attributes:
        required_facts: what the answer must say, in the words of the evidence.
        document_ids: the documents that are asked; empty: all of the library.
        generation_method: how it came about, such as ``hand`` or ``template``.
    """

    model_config = _FORM

    case_id: _Text
    dataset_version: _Text
    split: Split
    corpus_id: _Text
    corpus_version: _Text
    question: Annotated[str, StringConstraints(min_length=1, max_length=2000, pattern=r"\S")]
    question_type: _Text
    answerable: bool
    expected_evidence: list[ExpectedEvidence] = []
    required_facts: list[_Text] = []
    reference_answer: str = ""
    document_ids: list[_Text] = []
    generation_method: _Text
    review_status: ReviewStatus
    tags: list[_Text] = []
    reviewer: str = ""
    reviewed_at: _Moment | None = None
    approved_at: _Moment | None = None

    @property
    def groups(self) -> tuple[str, ...]:
        """The names of its groups of evidence, in order."""
        return tuple(dict.fromkeys(one.evidence_group for one in self.expected_evidence))


def normalised(text: str) -> str:
    """Text as it is compared: NFKC, case folded, each run of white space one blank."""
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split())


def broken_rules(case: Case) -> list[str]:
    """What is wrong with a case beyond its form, in words."""
    wrong = _of_answer(case) if case.answerable else _of_no_answer(case)
    decided = case.review_status in ("approved_gold", "rejected")
    if decided and not (case.reviewer.strip() and case.reviewed_at):
        wrong.append(f"review_status: {case.review_status} needs reviewer and reviewed_at")
    if (case.review_status == "approved_gold") != (case.approved_at is not None):
        wrong.append("approved_at: stands with approved_gold, and only there")
    for one in case.expected_evidence:
        if one.evidence_hash is not None and one.evidence_hash != evidence_hash(one):
            wrong.append("evidence_hash: is not that of what the place contains")
        if one.bbox is not None and not (one.bbox[0] < one.bbox[2] and one.bbox[1] < one.bbox[3]):
            wrong.append("bbox: is empty")
    return wrong


def _of_answer(case: Case) -> list[str]:
    wrong = []
    if not case.expected_evidence:
        wrong.append("expected_evidence: an answerable case needs at least one place")
    if not case.reference_answer.strip():
        wrong.append("reference_answer: an answerable case needs one")
    shown = normalised(" ".join(text for one in case.expected_evidence for text in one.contains))
    answer = normalised(case.reference_answer)
    for fact in case.required_facts:
        if normalised(fact) not in shown:
            wrong.append(f"required_facts: {fact!r} is not in the evidence")
        if normalised(fact) not in answer:
            wrong.append(f"required_facts: {fact!r} is not in the reference answer")
    return wrong


def _of_no_answer(case: Case) -> list[str]:
    wrong = []
    if case.expected_evidence:
        wrong.append("expected_evidence: an unanswerable case has none")
    if case.required_facts:
        wrong.append("required_facts: an unanswerable case has none")
    return wrong


def evidence_hash(evidence: ExpectedEvidence) -> str:
    """SHA-256 of the normalised ``contains``, one a line, lower hex."""
    text = "\n".join(normalised(one) for one in evidence.contains)
    return hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()


def checked_lines(lines: Iterable[str]) -> tuple[list[Case], list[str]]:
    """The cases of a file's lines, and what is wrong with it: ``line 3: question: …``."""
    cases: list[Case] = []
    wrong: list[str] = []
    seen: dict[str, int] = {}
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            case = Case.model_validate_json(line)
        except ValidationError as error:
            wrong += [f"line {number}: {told}" for told in told_of(error)]
            continue
        except (ValueError, RecursionError):
            wrong.append(f"line {number}: is no JSON object")
            continue
        if case.case_id in seen:
            wrong.append(
                f"line {number}: case_id: {case.case_id!r} is that of line {seen[case.case_id]} too"
            )
        seen.setdefault(case.case_id, number)
        wrong += [f"line {number}: {told}" for told in broken_rules(case)]
        cases.append(case)
    return cases, wrong


def read_cases(path: Path) -> list[Case]:
    """The cases of a file.

    Raises:
        InvalidRequest: it cannot be read, has none, or breaks a rule; every one is named with its
            line.
    """
    try:
        text = path.read_text("utf-8-sig")
    except (OSError, UnicodeDecodeError) as exc:
        raise InvalidRequest(
            f"{path.name} cannot be read.", fix="Name a file of JSON lines in UTF-8."
        ) from exc
    cases, wrong = checked_lines(re.split(r"\r?\n", text))
    if wrong:
        raise InvalidRequest(
            f"{path.name} breaks {len(wrong)} rules:\n" + "\n".join(wrong),
            fix="Mend the lines; `local-rag-eval-data validate` checks them again.",
        )
    if not cases:
        raise InvalidRequest(f"{path.name} has no case.", fix="Give at least one golden case.")
    return cases


def case_line(case: Case) -> str:
    """The case as a line of a file, without the line end: fields in order, absent ones left out."""
    return json.dumps(case.model_dump(mode="json", exclude_none=True), ensure_ascii=False)


def write_cases(path: Path, cases: Sequence[Case]) -> None:
    """Replaces the file in one step, so that a crash leaves the old one.

    Raises:
        OSError: it cannot be written.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    beside = path.with_name(path.name + ".part")
    beside.write_text("".join(case_line(case) + "\n" for case in cases), "utf-8", newline="\n")
    beside.replace(path)


def case_schema() -> dict[str, object]:
    """The JSON schema of a line."""
    return {"$schema": "https://json-schema.org/draft/2020-12/schema"} | Case.model_json_schema()


def told_of(error: ValidationError) -> list[str]:
    """What a form says is wrong, as ``field: reason``, without the value."""
    told = []
    for one in error.errors(include_url=False, include_context=False, include_input=False):
        where = ".".join(str(step) for step in one["loc"])
        unknown = one["type"] == "extra_forbidden"
        told.append(f"{where or 'line'}: {'is no known field' if unknown else one['msg']}")
    return told
