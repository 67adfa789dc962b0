"""Routes that ask."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter

from local_rag.api.documents import Program
from local_rag.api.schemas import Question, RetrieveRequest, answer_json, retrieval_json

questions_router = APIRouter(prefix="/api")


@questions_router.post("/query")
def query(program: Program, body: Question) -> dict[str, Any]:
    """Answers a question with citations; says how many files could not be searched yet."""
    still_reading = program.jobs.unfinished()
    answer = program.desk.answer(body.question, body.document_ids)
    return answer_json(answer, still_reading=still_reading)


@questions_router.post("/retrieve")
def retrieve(program: Program, body: RetrieveRequest) -> dict[str, Any]:
    """The passages for a question, without an answer."""
    return retrieval_json(program.desk.retrieve(body.question, body.document_ids, body.top_k))
