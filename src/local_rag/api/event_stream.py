"""Server-sent events: https://html.spec.whatwg.org/multipage/server-sent-events.html."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

from fastapi.responses import StreamingResponse

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

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


def event_stream(events: AsyncIterator[str]) -> StreamingResponse:
    """A reply that no proxy holds back or keeps."""
    return StreamingResponse(
        events,
        media_type=MEDIA_TYPE,
        headers={"Cache-Control": "no-store", "X-Accel-Buffering": "no"},
    )
