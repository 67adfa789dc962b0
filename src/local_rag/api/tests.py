"""Routes of the tests: golden cases that the library keeps."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Query, Response, UploadFile

from local_rag.api.case_runs import Runs
from local_rag.api.case_schemas import CaseChange, Saving, case_json, proposed_json
from local_rag.api.conversation_export import disposition
from local_rag.api.documents import Program
from local_rag.composition import Services
from local_rag.errors import InvalidRequest, TooLarge
from local_rag.evaluation.cases import Case, ReviewStatus
from local_rag.evaluation.library_cases import Kept, LibraryCases, decided
from local_rag.evaluation.places import evidence_at
from local_rag.evaluation.reading import source_pages
from local_rag.evaluation.saved import saved_case, verdict_of, without_verdict

tests_router = APIRouter(prefix="/api/tests")

_MOST_FILE_BYTES = 20_000_000
_NAME = "tests.jsonl"
_FILE: dict[int | str, dict[str, Any]] = {200: {"content": {"application/jsonl": {}}}}
_DECIDED_AT_ONCE = ("right", "should_have_been_refused")


def _cases_of(program: Program) -> LibraryCases:
    return LibraryCases(program.cases)


Cases = Annotated[LibraryCases, Depends(_cases_of)]


def _drafted(program: Services, body: Saving) -> Case:
    turn = program.kept.store.turn(body.conversation_id, body.turn)
    return saved_case(turn, body.said(), program.catalog)


@tests_router.post("/draft")
def draft(program: Program, cases: Cases, body: Saving) -> dict[str, Any]:
    """The test that saving would make; ``same_as`` is the id of one that asks the same."""
    case = _drafted(program, body)
    return {
        "question": case.question,
        "split": case.split,
        "tags": without_verdict(case.tags),
        "same_as": cases.same(case),
        **proposed_json(case),
    }


@tests_router.post("", status_code=201, responses={200: {"description": "Kept already."}})
def save(program: Program, cases: Cases, body: Saving, response: Response) -> dict[str, Any]:
    """Makes a test of an answer that was kept; of two that ask the same the first one stays."""
    name = body.confirmed_by.strip()
    if name and body.verdict not in _DECIDED_AT_ONCE:
        raise InvalidRequest(
            "confirmed_by: an answer that a person wrote is to be reviewed first.",
            fix="Save it without confirmed_by, and approve it in the review.",
        )
    kept, is_new = cases.save(decided(_drafted(program, body), name))
    response.status_code = 201 if is_new else 200
    if is_new:
        response.headers["Location"] = f"/api/tests/{kept.case.case_id}"
    return {"test": case_json(kept), "outcome": "created" if is_new else "duplicate"}


@tests_router.get("")
def list_all(cases: Cases, runs: Runs, status: ReviewStatus | None = None) -> dict[str, Any]:
    """The tests, newest first, without what they propose; how many there are of each status."""
    every = cases.all()
    counts = dict.fromkeys(("needs_review", "synthetic_silver", "approved_gold", "rejected"), 0)
    for kept in every:
        counts[kept.case.review_status] += 1
    shown = [kept for kept in every if status in (None, kept.case.review_status)]
    return {
        "tests": [case_json(kept) for kept in shown],
        "counts": counts,
        "has_run": runs.has_run,
    }


@tests_router.delete("")
def delete_all(cases: Cases, runs: Runs) -> dict[str, int]:
    """Deletes every test, and what is kept of the last run."""
    deleted = cases.store.delete_all()
    runs.forget()
    return {"deleted": deleted}


@tests_router.get("/export", response_class=Response, responses=_FILE)
def export(cases: Cases, status: ReviewStatus | None = None) -> Response:
    """The tests as lines of JSON, which ``local-rag-eval`` takes."""
    headers = {"Content-Disposition": disposition(_NAME), "Cache-Control": "no-store"}
    return Response(
        cases.exported(status).encode(), media_type="application/jsonl", headers=headers
    )


@tests_router.post("/import")
def take_in(cases: Cases, file: UploadFile) -> dict[str, Any]:
    """Keeps the tests of a file of JSON lines; none where a line breaks a rule."""
    content = file.file.read(_MOST_FILE_BYTES + 1)
    if len(content) > _MOST_FILE_BYTES:
        raise TooLarge(
            f"The file is larger than the limit of {_MOST_FILE_BYTES // 1_000_000} MB.",
            fix="Send the tests in several files.",
        )
    try:
        text = content.decode("utf-8")
    except UnicodeDecodeError as exc:
        raise InvalidRequest(
            "The file is not text in UTF-8.", fix="Send a file of JSON lines in UTF-8."
        ) from exc
    taken = cases.take_in(text)
    return {
        "added": list(taken.added),
        "skipped": [{"case_id": one, "same_as": kept} for one, kept in taken.skipped],
    }


@tests_router.get("/{case_id:path}")
def show(
    program: Program,
    cases: Cases,
    case_id: str,
    *,
    revealed: Annotated[bool, Query()] = False,
) -> dict[str, Any]:
    """A test with the passages to read; with ``revealed`` also what it proposes."""
    return _whole(program, cases.one(case_id), revealed=revealed)


@tests_router.patch("/{case_id:path}")
def change(program: Program, cases: Cases, case_id: str, body: CaseChange) -> dict[str, Any]:
    """Edits a test, approves or rejects it. An edit takes an earlier decision back."""
    changes = body.changes()
    case = cases.one(case_id).case
    if changes.get("tags") is not None and (verdict := verdict_of(case.tags)):
        changes["tags"] = [f"verdict:{verdict}", *without_verdict(changes["tags"])]
    if body.places:
        there = changes.get("expected_evidence", case.expected_evidence)
        changes["expected_evidence"] = [*there, *_added(program, there, body)]
    kept = cases.change(
        case_id,
        changes,
        decision=body.decision,
        reviewer=body.reviewer,
        read_at=body.updated_at,
    )
    return _whole(program, kept, revealed=True)


@tests_router.delete("/{case_id:path}", status_code=204)
def delete(cases: Cases, case_id: str) -> Response:
    """Deletes it."""
    cases.store.delete(case_id)
    return Response(status_code=204)


def _added(program: Services, there: list[Any], body: CaseChange) -> list[Any]:
    """The places of the body as evidence, each as a group of its own."""
    taken = {one.evidence_group for one in there}
    free = (str(n) for n in range(1, len(taken) + len(body.places) + 1) if str(n) not in taken)
    return [
        evidence_at(place.named(), program.catalog).model_copy(
            update={"evidence_group": next(free)}
        )
        for place in body.places
    ]


def _whole(program: Services, kept: Kept, *, revealed: bool) -> dict[str, Any]:
    places = [asdict(page) for page in source_pages(kept.case, program.catalog)]
    shown = {"test": case_json(kept), "places": places, "revealed": revealed}
    return shown | ({"proposed": proposed_json(kept.case)} if revealed else {})
