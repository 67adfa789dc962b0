"""Routes that give a conversation, or one answer, as a file."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Annotated, Any
from urllib.parse import quote

from fastapi import APIRouter, Query, Response

from local_rag.api.conversation_schemas import whole_json
from local_rag.api.documents import Program
from local_rag.composition import Services
from local_rag.usecases.exports import Format, exported, record_of

if TYPE_CHECKING:
    from local_rag.export.wording import Record

FORMAT = "local-rag-conversation/1"
"""Names the form of the JSON; a change that takes something away gets another number."""

exports_router = APIRouter(prefix="/api/conversations/{conversation_id}")

_Form = Annotated[Format, Query(alias="format")]
_FILE: dict[int | str, dict[str, Any]] = {
    200: {"content": {"text/markdown": {}, "text/html": {}, "application/json": {}}}
}


@exports_router.get("/export", response_class=Response, responses=_FILE)
def export(
    program: Program, conversation_id: str, form: _Form = "markdown", *, pages: bool = False
) -> Response:
    """The conversation as a file; with ``pages`` (html only) with pictures of the cited pages."""
    return _file(program, record_of(program.kept, conversation_id), form, pages=pages)


@exports_router.get("/turns/{number}/export", response_class=Response, responses=_FILE)
def export_turn(
    program: Program,
    conversation_id: str,
    number: int,
    form: _Form = "markdown",
    *,
    pages: bool = False,
) -> Response:
    """One question and its answer as a file."""
    return _file(program, record_of(program.kept, conversation_id, number), form, pages=pages)


def record_as_json(record: Record) -> str:
    """What is stored, as the API shows it, with the name of its form."""
    shown = whole_json(record.conversation, record.turns, record.gone)
    return json.dumps({"format": FORMAT} | shown, ensure_ascii=False, indent=2) + "\n"


def _file(program: Services, record: Record, form: Format, *, pages: bool) -> Response:
    file = exported(
        record,
        form,
        as_json=record_as_json,
        page_image=program.library.page_image if pages else None,
    )
    headers = {"Content-Disposition": disposition(file.name), "Cache-Control": "no-store"}
    return Response(file.content, media_type=file.media_type, headers=headers)


def disposition(name: str) -> str:
    """``Content-Disposition`` of a download, its name in ASCII and in full (RFC 6266)."""
    plain = "".join(char if char.isascii() and char.isprintable() else "_" for char in name)
    plain = plain.replace("\\", "_").replace('"', "_")
    return f"attachment; filename=\"{plain}\"; filename*=UTF-8''{quote(name, safe='')}"
