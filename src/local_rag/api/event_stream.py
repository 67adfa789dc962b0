"""Server-sent events: https://html.spec.whatwg.org/multipage/server-sent-events.html."""

from __future__ import annotations

import json
import logging
import re
from typing import TYPE_CHECKING, Any

from fastapi.responses import StreamingResponse

from local_rag.api.guard import error_body, unexpected_body
from local_rag.errors import LocalRagError

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable

_log = logging.getLogger(__name__)

MEDIA_TYPE = "text/event-stream"


def wants_events(accept: str) -> bool:
    """Whether a request's ``Accept`` names events, and not with ``q=0``."""
    for one in accept.lower().split(","):
        kind, *parameters = (piece.strip() for piece in one.split(";"))
        if kind == MEDIA_TYPE:
            return not any(re.fullmatch(r"q=0(\.0*)?", piece) for piece in parameters)
    return False


def event(name: str, data: dict[str, Any]) -> str:
    """One event; its data is one line of JSON."""
    return f"event: {name}\ndata: {json.dumps(data, ensure_ascii=False)}\n\n"


def last_event(reply: Callable[[], dict[str, Any]]) -> str:
    """``done`` with the reply, or ``error`` with what it raises."""
    try:
        return event("done", reply())
    except LocalRagError as error:
        _log.info("refused code=%s", error.code)
        return event("error", error_body(error.code, error.message, error.fix))
    except Exception as error:  # noqa: BLE001 - the reply has begun, so no handler can reply
        _log.error("unexpected %s", type(error).__name__)
        return event("error", unexpected_body())


def event_stream(events: AsyncIterator[str]) -> StreamingResponse:
    """A reply that no proxy holds back or keeps."""
    return StreamingResponse(
        events,
        media_type=MEDIA_TYPE,
        headers={"Cache-Control": "no-store", "X-Accel-Buffering": "no"},
    )
