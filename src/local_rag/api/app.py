"""The HTTP door: parses a request, calls a use case, shows what it returns."""

from __future__ import annotations

import asyncio
import logging
import shutil
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from anyio import CapacityLimiter
from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import HTMLResponse, JSONResponse
from starlette.exceptions import HTTPException

from local_rag import __version__
from local_rag.api.case_runs import case_runs_router
from local_rag.api.conversation_export import exports_router
from local_rag.api.conversations import conversations_router
from local_rag.api.documents import documents_router
from local_rag.api.guard import Guard, error_body, unexpected_body
from local_rag.api.jobs import jobs_router
from local_rag.api.page import StaticFiles, page_response
from local_rag.api.page_files import PageFiles, web_folder
from local_rag.api.questions import questions_router
from local_rag.api.tests import tests_router
from local_rag.errors import InvalidRequest, LocalRagError
from local_rag.evaluation.library_runs import LibraryRuns
from local_rag.ingest.kinds import ENDINGS
from local_rag.usecases.answer import LONGEST_QUESTION_CHARS, MOST_DOCUMENT_IDS

if TYPE_CHECKING:
    from local_rag.composition import Services

_log = logging.getLogger(__name__)
_UPLOADS_AT_ONCE = 4
_WARM_AFTER_S = 1.0
_LOOPBACK_NAMES = frozenset({"127.0.0.1", "localhost", "[::1]"})
_LOOPBACK_HOSTS = frozenset({"127.0.0.1", "localhost", "::1"})


def create_app(services: Services) -> FastAPI:
    """The app over a program that is put together already."""
    settings = services.settings
    app = FastAPI(
        title="local-rag",
        version=__version__,
        docs_url=None,
        redoc_url=None,
        openapi_url="/api/openapi.json",
    )
    app.state.services = services
    app.state.case_runs = LibraryRuns(services, settings.data_dir / "tests")
    # Uploads have threads of their own: however many wait, questions find one free.
    app.state.uploads = CapacityLimiter(_UPLOADS_AT_ONCE)
    app.add_middleware(
        Guard,
        own_names=_LOOPBACK_NAMES | {settings.host.lower()},
        max_file_bytes=settings.max_upload_mb * 1_000_000,
        free_bytes=lambda: shutil.disk_usage(services.incoming).free,
    )
    app.exception_handler(LocalRagError)(_on_expected_error)
    app.exception_handler(RequestValidationError)(_on_invalid_request)
    app.exception_handler(HTTPException)(_on_http_error)
    app.exception_handler(Exception)(_on_bug)
    app.include_router(documents_router)
    app.include_router(jobs_router)
    app.include_router(questions_router)
    app.include_router(conversations_router)
    app.include_router(exports_router)
    app.include_router(case_runs_router)  # before the paths that end in any id
    app.include_router(tests_router)
    files = PageFiles(web_folder())

    @app.get("/health")
    def health() -> dict[str, Any]:
        return _health(services)

    @app.get("/", include_in_schema=False)
    async def page(request: Request) -> HTMLResponse:
        # Not before the page has come: what loads a model takes the processor from it.
        asyncio.get_running_loop().call_later(_WARM_AFTER_S, services.warm)
        return page_response(files, request)

    app.mount("/static", StaticFiles(files), name="static")
    return app


def _health(services: Services) -> dict[str, Any]:
    settings = services.settings
    info = services.embedder.info
    loopback = settings.host in _LOOPBACK_HOSTS
    return {
        "status": "ok",
        "version": __version__,
        "documents": sum(services.catalog.languages().values()),
        "chunks": services.spaces.count(),
        "chat": _chat(services),
        "embedding": {
            "provider": info.provider,
            "model": info.model,
            "local": services.embedding_local,
        },
        "store": services.places["index"].provider,
        "reindex": asdict(services.reindex.progress),
        **{name: asdict(place) for name, place in services.places.items()},
        "bind": settings.host,
        "reachable_from_other_machines": not loopback,
        "leaves_machine": not (
            _models_are_local(services) and all(place.local for place in services.places.values())
        ),
        "jev_mode": settings.jev_mode,
        "auditor": _auditor(services),
        "all_local": _models_are_local(services),
        "limits": {
            "max_upload_bytes": settings.max_upload_mb * 1_000_000,
            "max_question_chars": LONGEST_QUESTION_CHARS,
            "max_document_ids": MOST_DOCUMENT_IDS,
        },
        "accepts": list(ENDINGS),
    }


def _chat(services: Services) -> dict[str, Any]:
    """What writes an answer now; ``state`` is the chat model's, null where none is asked."""
    info, state = services.chat.info, services.chat.state()
    if info is None or not services.chat.in_use():
        return {"provider": services.writer.name, "model": None, "state": None, "local": True}
    return {
        "provider": info.provider,
        "model": info.model,
        "state": None if state is None else state.kind,
        "local": info.local,
    }


def _auditor(services: Services) -> dict[str, Any]:
    """What checks claims; ``model`` is null where nothing does."""
    if services.auditor is None:
        return {"model": None, "local": True}
    return asdict(services.auditor.model.info)


def _models_are_local(services: Services) -> bool:
    """Whether what embeds, what writes and what checks all run on this machine."""
    return (
        services.embedding_local
        and _chat_is_local(services)
        and (services.auditor is None or services.auditor.model.info.local)
    )


def _chat_is_local(services: Services) -> bool:
    """Whether no question goes elsewhere, even if the model there cannot be used right now."""
    info = services.chat.info
    return info is None or info.local


def _error_response(status: int, code: str, message: str, fix: str) -> JSONResponse:
    return JSONResponse(error_body(code, message, fix), status)


async def _on_expected_error(_request: Request, error: LocalRagError) -> JSONResponse:
    _log.info("refused code=%s", error.code)
    return _error_response(error.status, error.code, error.message, error.fix)


async def _on_invalid_request(_request: Request, error: RequestValidationError) -> JSONResponse:
    first = error.errors()[0]
    if first["type"] == "json_invalid":
        return _error_response(
            422,
            InvalidRequest.code,
            f"The body is not JSON: {_sentence(first['ctx']['error'])}",
            "Send a JSON object, as /api/openapi.json shows.",
        )
    if first["loc"][:2] == ("body", "file"):
        return _error_response(
            422,
            InvalidRequest.code,
            "The request has no file.",
            "Send multipart/form-data with one part named file that has a file name.",
        )
    where = ".".join(str(part) for part in first["loc"] if part != "body") or "the body"
    return _error_response(
        422,
        InvalidRequest.code,
        f"{where}: {_sentence(first['msg'])}",
        "Compare the request with /api/openapi.json.",
    )


async def _on_http_error(_request: Request, error: HTTPException) -> JSONResponse:
    codes = {404: "not-found", 405: "method-not-allowed"}
    code = codes.get(error.status_code, "invalid-request")
    return _error_response(
        error.status_code,
        code,
        _sentence(str(error.detail)),
        "See /api/openapi.json for what there is.",
    )


def _sentence(text: str) -> str:
    return f"{text.rstrip('. ')}."


async def _on_bug(_request: Request, error: Exception) -> JSONResponse:
    _log.error("unexpected %s", type(error).__name__)
    return JSONResponse(unexpected_body(), 500)
