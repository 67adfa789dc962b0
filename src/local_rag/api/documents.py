"""Routes of the library."""

from __future__ import annotations

import asyncio
import shutil
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import Annotated, Any

from anyio import to_thread
from fastapi import APIRouter, Depends, Form, Header, Query, Request, UploadFile
from fastapi.responses import FileResponse, JSONResponse, Response
from starlette.types import Receive, Scope, Send

from local_rag.api.schemas import (
    DocumentChange,
    boxes_json,
    document_json,
    found_json,
    job_json,
    report_json,
)
from local_rag.composition import Services
from local_rag.errors import InvalidRequest
from local_rag.ingest.kinds import media_type_of
from local_rag.text.names import display_name
from local_rag.usecases.find import LONGEST_SEARCH_CHARS, boxes_of, find_in_document
from local_rag.usecases.tags import tag_document

documents_router = APIRouter(prefix="/api/documents")

_PAGE_DPI = 144
_VIEWABLE = frozenset({"application/pdf", "image/png", "image/jpeg", "image/webp"})
"""Kinds that browsers show by themselves, without running anything in this origin."""


def services_of(request: Request) -> Services:
    """The program behind the app."""
    services: Services = request.app.state.services
    return services


Program = Annotated[Services, Depends(services_of)]


@documents_router.post("", status_code=201, responses={202: {"description": "Queued as a job."}})
async def add(
    request: Request,
    program: Program,
    file: list[UploadFile],
    password: Annotated[str | None, Form(max_length=1000)] = None,
    prefer: Annotated[str | None, Header()] = None,
) -> Response:
    """Adds one file; it is searchable when this answers.

    With ``Prefer: respond-async`` this answers at once with 202 and the job that adds it.
    """
    if len(file) != 1:
        raise InvalidRequest(
            f"The request has {len(file)} files.", fix="Send each file in a request of its own."
        )
    wants_job = "respond-async" in (prefer or "").lower()
    upload = file[0]
    media_type_of(display_name(upload.filename or ""))  # known before the file is copied

    def fill(path: Path) -> int:
        with path.open("wb") as out:
            shutil.copyfileobj(upload.file, out)
            return out.tell()

    submit = partial(
        program.jobs.submit, fill, upload.filename or "", password=password, keep=wants_job
    )
    job, result = await to_thread.run_sync(submit, limiter=request.app.state.uploads)
    if wants_job:
        headers = {"Location": f"/api/jobs/{job.job_id}", "Preference-Applied": "respond-async"}
        return JSONResponse({"job": job_json(job)}, 202, headers)
    added = await asyncio.wrap_future(result)
    tags = program.catalog.tags().get(added.document.document_id, ())
    body = {"document": document_json(added.document, tags), "outcome": added.outcome}
    return JSONResponse(body, 201)


@documents_router.get("")
def list_all(program: Program) -> dict[str, Any]:
    """All documents, newest first."""
    tags = program.catalog.tags()
    return {
        "documents": [
            document_json(document, tags.get(document.document_id, ()))
            for document in program.catalog.documents()
        ]
    }


@documents_router.delete("")
def remove_all(program: Program) -> dict[str, int]:
    """Removes every document, and stops every upload."""
    program.jobs.cancel_for()
    return {"removed": program.library.remove_all()}


@documents_router.get("/{document_id}")
def show(program: Program, document_id: str) -> dict[str, Any]:
    """One document."""
    document = program.catalog.document(document_id)
    return document_json(document, program.catalog.tags().get(document_id, ()))


@documents_router.patch("/{document_id}")
def change(program: Program, document_id: str, body: DocumentChange) -> dict[str, Any]:
    """Gives a document tags, in place of those that it has."""
    tags = tag_document(program.catalog, document_id, body.tags)
    return document_json(program.catalog.document(document_id), tags)


@documents_router.delete("/{document_id}", status_code=204)
def remove(program: Program, document_id: str) -> Response:
    """Removes one document, and stops an upload that is about to replace it."""
    program.jobs.cancel_for(program.catalog.document(document_id).name)
    program.library.remove(document_id)
    return Response(status_code=204)


@documents_router.get("/{document_id}/original")
def original(program: Program, document_id: str, *, view: bool = False) -> FileResponse:
    """The file as it was sent, as a download: a browser never shows it as a page of ours.

    With ``view`` a kind that holds no scripts of the web, such as a PDF, may be shown instead.
    """
    document, path = program.library.original(document_id)
    return _WholeFile(
        path,
        media_type=document.media_type,
        filename=document.name,
        content_disposition_type=(
            "inline" if view and document.media_type in _VIEWABLE else "attachment"
        ),
        headers={"Cache-Control": "no-store"},
    )


@documents_router.get("/{document_id}/pages/{page_number}")
def page_image(program: Program, document_id: str, page_number: int) -> Response:
    """The page as PNG."""
    png = program.library.page_image(document_id, page_number, _PAGE_DPI)
    return Response(png, media_type="image/png", headers={"Cache-Control": "no-store"})


class _WholeFile(FileResponse):
    """Ignores ``Range``, as HTTP allows: every error has our shape then."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        headers = [(name, value) for name, value in scope["headers"] if name != b"range"]
        await super().__call__({**scope, "headers": headers}, receive, send)


@documents_router.get("/{document_id}/report")
def report(program: Program, document_id: str) -> dict[str, Any]:
    """How each page was read, and how well."""
    document = program.catalog.document(document_id)
    tags = program.catalog.tags().get(document_id, ())
    return report_json(document, program.catalog.readings(document_id), tags)


@documents_router.get("/{document_id}/sections")
def sections(program: Program, document_id: str) -> dict[str, Any]:
    """The tree of sections, flat and in document order; ids such as 1.2.3 say where each hangs."""
    return {"sections": [asdict(section) for section in program.catalog.sections(document_id)]}


@documents_router.get("/{document_id}/search")
def search(
    program: Program,
    document_id: str,
    q: Annotated[str, Query(min_length=1, max_length=LONGEST_SEARCH_CHARS)],
) -> dict[str, Any]:
    """Where words stand in a document, whatever their case and accents."""
    return found_json(find_in_document(program.catalog, document_id, q))


@documents_router.get("/{document_id}/pages/{page_number}/text")
def page_text(
    program: Program,
    document_id: str,
    page_number: int,
    start: Annotated[int, Query(ge=0)] = 0,
    end: Annotated[int, Query(ge=0)] = 0,
) -> dict[str, Any]:
    """The page's stored text, which citations are slices of, and the boxes of one stretch of it."""
    page = program.catalog.page(document_id, page_number)
    return {
        "page_number": page.page_number,
        "label": page.label,
        "text": page.text,
        "width_pt": page.width_pt,
        "height_pt": page.height_pt,
        "rectangles": boxes_json(boxes_of(page, start, end)),
    }
