"""The shapes of requests and replies."""

from __future__ import annotations

from collections import Counter
from dataclasses import asdict
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from pydantic import BaseModel, ConfigDict, Field

from local_rag.cite.render import answer_html, passage_html
from local_rag.model.audit import usage_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from local_rag.model.answer import Answer, Citation, Rectangle
    from local_rag.model.audit import Audit, AuditCheck, ClaimFlag
    from local_rag.model.document import Document, PageReading
    from local_rag.model.evidence import Evidence, Ledger, Retrieval
    from local_rag.model.job import Job
    from local_rag.model.told import Audited, Stated
    from local_rag.usecases.find import Found


class Question(BaseModel):
    """A question; ``document_ids`` null or absent means all documents."""

    model_config = ConfigDict(extra="forbid", strict=True)

    question: str
    document_ids: list[str] | None = None


class QueryRequest(Question):
    """Body of ``POST /api/query``; with ``conversation_id`` the answer is kept in that one."""

    conversation_id: str | None = Field(default=None, max_length=64)


class RetrieveRequest(Question):
    """Body of ``POST /api/retrieve``."""

    top_k: int | None = Field(default=None, ge=1, le=50)


class DocumentChange(BaseModel):
    """Body of ``PATCH /api/documents/{id}``."""

    model_config = ConfigDict(extra="forbid", strict=True)

    tags: list[str] = Field(max_length=200)


def document_json(document: Document, tags: Sequence[str] = ()) -> dict[str, Any]:
    """A document as the API shows it."""
    return asdict(document) | {"tags": list(tags)}


def found_json(found: Found) -> dict[str, Any]:
    """Where words stand in a document."""
    return {
        "total": found.total,
        "places": [
            asdict(place) | {"rectangles": boxes_json(place.rectangles)} for place in found.places
        ],
    }


def boxes_json(rectangles: Iterable[Rectangle]) -> list[list[float]]:
    """``[x0, y0, x1, y1]`` in points, to a hundredth."""
    return [[round(value, 2) for value in (r.x0, r.y0, r.x1, r.y1)] for r in rectangles]


def job_json(job: Job) -> dict[str, Any]:
    """A job as the API shows it; ``elapsed_ms`` runs on while it is unfinished."""
    begun = datetime.fromisoformat(job.created_at)
    ended = datetime.fromisoformat(job.updated_at) if job.is_finished else datetime.now(UTC)
    return asdict(job) | {"elapsed_ms": round((ended - begun).total_seconds() * 1000)}


def report_json(
    document: Document, readings: Sequence[PageReading], tags: Sequence[str] = ()
) -> dict[str, Any]:
    """How the pages of a document were read; a page without text is counted as such."""
    flags = Counter(flag for reading in readings for flag in reading.flags)
    return {
        "document": document_json(document, tags),
        "pages": [asdict(reading) for reading in readings],
        "paths": dict(Counter(reading.path for reading in readings)),
        "flags": dict(sorted(flags.items())),
        "words": sum(reading.words for reading in readings),
    }


def answer_json(answer: Answer, *, still_reading: int = 0) -> dict[str, Any]:
    """An answer as the API shows it.

    Args:
        still_reading: files on their way into the library when it was searched.
    """
    return {
        "answer": answer.text,
        "answer_html": answer_html(answer.text, len(answer.citations)),
        "citations": [_citation_json(citation) for citation in answer.citations],
        "refused": answer.refused,
        "still_reading": still_reading,
        "unsupported_parts": list(answer.unsupported_parts),
        "writer": answer.writer,
        "notes": list(answer.notes),
        "strategy": answer.strategy,
        "timings_ms": _rounded(answer.timings_ms),
        "ledger": [_ledger_json(ledger) for ledger in answer.ledgers],
        "flags": [_flag_json(flag) for flag in answer.flags],
        "audit_mode": answer.audit_mode,
        "audits": [_audit_json(audit) for audit in answer.audits],
        "audit_usage": asdict(usage_of(answer.audits)),
    }


def stated_json(stated: Stated) -> dict[str, Any]:
    """A claim as it is told before the answer is whole; its citations as far as they are known."""
    citations = [_citation_json(citation) for citation in stated.citations]
    most = max((citation.number for citation in stated.citations), default=0)
    return {
        "text": stated.text,
        "text_html": answer_html(stated.text, most),
        "citations": citations,
    }


def audited_json(audited: Audited) -> dict[str, Any]:
    """What the checks of one part's claims found, before the answer is whole."""
    return {"part": audited.part, "audits": [_audit_json(audit) for audit in audited.audits]}


def retrieval_json(retrieval: Retrieval) -> dict[str, Any]:
    """The evidence for a question as the API shows it."""
    return {
        "evidence": [
            _passage_json(row) | {"text_html": passage_html(row.chunk.text, ())}
            for row in retrieval.evidence
        ],
        "ledger": [_ledger_json(ledger) for ledger in retrieval.ledgers],
        "strategy": "hybrid",
        "language": retrieval.question.language,
        "timings_ms": _rounded(retrieval.timings_ms),
    }


def _flag_json(flag: ClaimFlag) -> dict[str, Any]:
    return {
        "claim": flag.claim,
        "citations": list(flag.citations),
        "kind": flag.kind,
        "surface": flag.surface,
        "message": flag.message,
    }


def _audit_json(audit: Audit) -> dict[str, Any]:
    """One claim's record; the fields of the check that holds now stand in it themselves."""
    repair = audit.repair
    return {
        "claim": audit.claim,
        "part": audit.part,
        **_check_json(audit.check),
        "threshold": audit.threshold,
        "policy_version": audit.policy_version,
        "prompt_version": audit.prompt_version,
        "repair": None
        if repair is None
        else {
            "succeeded": repair.succeeded,
            "policy_version": repair.policy_version,
            "original": _check_json(repair.original),
            "attempts": [_check_json(check) for check in repair.attempts],
        },
    }


def _check_json(check: AuditCheck) -> dict[str, Any]:
    found = check.assessment
    assessment = found and {
        "relation": found.relation,
        "probabilities": {
            "supported": found.p_supported,
            "contradicted": found.p_contradicted,
            "insufficient": found.p_insufficient,
        },
    }
    cited = [e.citation for e in check.excerpts if e.citation is not None]
    return asdict(check) | {
        "citations": cited,
        "assessment": assessment,
        "elapsed_s": round(check.elapsed_s, 3),
        "error": check.error or None,
    }


def _ledger_json(ledger: Ledger) -> dict[str, Any]:
    return {
        "part": ledger.part.text,
        "context": ledger.part.context,
        "exhaustive": ledger.part.exhaustive,
        "phrases": list(ledger.part.phrases),
        "weights": asdict(ledger.weights),
        "rows": [
            _passage_json(row.evidence)
            | {
                "rerank": row.evidence.reranked,
                "kept": row.kept,
                "verdict": row.verdict,
                "duplicate_of": row.duplicate_of,
            }
            for row in ledger.rows
        ],
    }


def _citation_json(citation: Citation) -> dict[str, Any]:
    return {
        "id": citation.number,
        **_passage_json(citation),
        "page_label": citation.page_label,
        "page_width": citation.page_width_pt,
        "page_height": citation.page_height_pt,
        "text_html": passage_html(citation.chunk.text, citation.spans),
        "quote": citation.quote,
        "spans": [asdict(span) for span in citation.spans],
        "rectangles": boxes_json(citation.rectangles),
    }


def _passage_json(row: Evidence | Citation) -> dict[str, Any]:
    chunk, document, fused = row.chunk, row.document, row.fused
    return {
        "chunk_id": chunk.chunk_id,
        "document_id": document.document_id,
        "source": document.name,
        "media_type": document.media_type,
        "source_sha256": document.source_sha256,
        "page": chunk.page_number,
        "section": " › ".join(chunk.heading_path),
        "section_id": chunk.section_id,
        "text": chunk.text,
        "lead": chunk.lead,
        "page_start": chunk.start,
        "page_end": chunk.end,
        "ranks": {"dense": fused.dense_rank, "lexical": fused.lexical_rank},
        "rrf": round(fused.rrf, 6),
        "cosine": None if fused.cosine is None else round(fused.cosine, 4),
        "bm25": None if fused.bm25 is None else round(fused.bm25, 4),
    }


def _rounded(timings_ms: dict[str, float]) -> dict[str, float]:
    return {step: round(value, 2) for step, value in timings_ms.items()}
