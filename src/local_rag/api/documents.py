"""Routes of the library."""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path
from typing import Annotated, Any

from anyio import to_thread
from fastapi import APIRouter, Depends, Request, UploadFile
from fastapi.responses import FileResponse, Response
from starlette.types import Receive, Scope, Send

from local_rag.api.schemas import document_json
from local_rag.composition import Services
from local_rag.errors import InvalidRequest, StoreFault
from local_rag.model.document import Document
from local_rag.usecases.library import Added

documents_router = APIRouter(prefix="/api/documents")

_PAGE_DPI = 144


def services_of(request: Request) -> Services:
    """The program behind the app."""
    services: Services = request.app.state.services
    return services


Program = Annotated[Services, Depends(services_of)]


@documents_router.post("", status_code=201)
async def add(request: Request, program: Program, file: list[UploadFile]) -> dict[str, Any]:
    """Adds one file; it is searchable when this answers."""
    if len(file) != 1:
        raise InvalidRequest(
            f"The request has {len(file)} files.", fix="Send each file in a request of its own."
        )
    added = await to_thread.run_sync(_add, program, file[0], limiter=request.app.state.uploads)
    return {"document": document_json(added.document), "outcome": added.outcome}


def _add(program: Services, file: UploadFile) -> Added:
    with tempfile.TemporaryDirectory(dir=program.incoming) as folder:
        path = Path(folder) / "upload"
        with path.open("wb") as out:
            shutil.copyfileobj(file.file, out)
        return program.library.add(path, file.filename or "")


@documents_router.get("")
def list_all(program: Program) -> dict[str, Any]:
    """All documents, newest first."""
    return {"documents": [document_json(document) for document in program.catalog.documents()]}


@documents_router.delete("")
def remove_all(program: Program) -> dict[str, int]:
    """Removes every document."""
    return {"removed": program.library.remove_all()}


@documents_router.get("/{document_id}")
def show(program: Program, document_id: str) -> dict[str, Any]:
    """One document."""
    return document_json(program.catalog.document(document_id))


@documents_router.delete("/{document_id}", status_code=204)
def remove(program: Program, document_id: str) -> Response:
    """Removes one document."""
    program.library.remove(document_id)
    return Response(status_code=204)


@documents_router.get("/{document_id}/original")
def original(program: Program, document_id: str) -> FileResponse:
    """The file as it was sent, as a download: a browser never shows it as a page of ours."""
    document, path = _with_original(program, document_id)
    return _WholeFile(
        path,
        media_type=document.media_type,
        filename=document.name,
        headers={"Cache-Control": "no-store"},
    )


@documents_router.get("/{document_id}/pages/{page_number}")
def page_image(program: Program, document_id: str, page_number: int) -> Response:
    """The page as PNG."""
    program.catalog.page(document_id, page_number)
    document, path = _with_original(program, document_id)
    png = program.extractor.render(path, document.media_type, page_number, _PAGE_DPI)
    return Response(png, media_type="image/png", headers={"Cache-Control": "no-store"})


def _with_original(program: Services, document_id: str) -> tuple[Document, Path]:
    document = program.catalog.document(document_id)
    try:
        return document, program.sources.path(document.source_sha256)
    except StoreFault:
        program.catalog.document(document_id)  # unknown, where it was removed meanwhile
        raise


class _WholeFile(FileResponse):
    """Ignores ``Range``, as HTTP allows: every error has our shape then."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        headers = [(name, value) for name, value in scope["headers"] if name != b"range"]
        await super().__call__({**scope, "headers": headers}, receive, send)


@documents_router.get("/{document_id}/pages/{page_number}/text")
def page_text(program: Program, document_id: str, page_number: int) -> dict[str, Any]:
    """The page's stored text, which citations are slices of."""
    page = program.catalog.page(document_id, page_number)
    return {
        "page_number": page.page_number,
        "label": page.label,
        "text": page.text,
        "width_pt": page.width_pt,
        "height_pt": page.height_pt,
    }
