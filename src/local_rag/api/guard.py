"""What stands before every route: who may ask, how much may be sent, what the browser may do.

A page of another site can send requests to this machine; a name that an attacker controls can
resolve to it. So the host must be ours, and so must the origin where the browser names one.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

import anyio

from local_rag.errors import LocalRagError, RequestRefused, TooLarge
from local_rag.usecases.library import too_large
from local_rag.usecases.shelf import require_space

if TYPE_CHECKING:
    from collections.abc import Callable

    from starlette.types import ASGIApp, Message, Receive, Scope, Send

CONTENT_SECURITY_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob:; "
    "connect-src 'self'; font-src 'self'; form-action 'none'; base-uri 'none'; "
    "frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types local-rag"
)
_HEADERS = [
    (b"content-security-policy", CONTENT_SECURITY_POLICY.encode()),
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"permissions-policy", b"camera=(), microphone=(), geolocation=(), interest-cohort=()"),
]
_HOST = re.compile(r"(?P<name>\[[0-9a-fA-F:.]+\]|[^:\[\]]+)(?::(?P<port>\d{1,5}))?")
_FORM_OVERHEAD_BYTES = 64 * 1024
_JSON_LIMIT_BYTES = 256 * 1024
_DRAIN_BYTES = 256 * 1024 * 1024
_DRAIN_S = 5.0


class Guard:
    """ASGI middleware around the whole app.

    Args:
        own_names: host names under which the app may be addressed, lower case.
        max_file_bytes: largest file of an upload.
        free_bytes: what is left on the disk that uploads are written to.
    """

    def __init__(
        self,
        app: ASGIApp,
        own_names: frozenset[str],
        max_file_bytes: int,
        free_bytes: Callable[[], int],
    ) -> None:
        self._app = app
        self._own_names = own_names
        self._max_file_bytes = max_file_bytes
        self._free_bytes = free_bytes

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Refuses, or passes on with a limit on the body and headers on the reply."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        sent = _Reply(send)
        try:
            headers = {name.lower(): value.decode("latin-1") for name, value in scope["headers"]}
            self._check_sender(scope, headers)
            limited = self._limit_body(headers, receive, sent)
            await self._app(scope, limited, sent)
        except LocalRagError as error:
            await sent.refuse(error, receive)

    def _check_sender(self, scope: Scope, headers: dict[bytes, str]) -> None:
        host = headers.get(b"host", "")
        if not self._is_ours(host):
            raise RequestRefused(f"This app does not answer to the host {host[:100]!r}.")
        origin = headers.get(b"origin")
        if origin is not None and origin != f"http://{host}":
            raise RequestRefused("The request came from another site.")
        site = headers.get(b"sec-fetch-site", "none")
        if site not in ("none", "same-origin") and headers.get(b"sec-fetch-mode") != "navigate":
            raise RequestRefused("The request came from another site.")
        if site == "cross-site" and scope["path"] != "/":
            raise RequestRefused("The request came from another site.")

    def _is_ours(self, host: str) -> bool:
        match = _HOST.fullmatch(host)
        return match is not None and match["name"].lower() in self._own_names

    def _limit_body(self, headers: dict[bytes, str], receive: Receive, sent: _Reply) -> Receive:
        upload = headers.get(b"content-type", "").lower().startswith("multipart/form-data")
        limit = self._max_file_bytes + _FORM_OVERHEAD_BYTES if upload else _JSON_LIMIT_BYTES
        over_limit = too_large(self._max_file_bytes) if upload else _json_too_large()
        length = headers.get(b"content-length", "")
        declared = int(length) if length.isdigit() else None
        if declared is not None and declared > limit:
            raise over_limit
        if upload:
            # The body is written to the disk before any route sees it.
            require_space(self._free_bytes(), limit if declared is None else declared)
        received = 0

        async def limited() -> Message:
            nonlocal received
            message = await receive()
            if message["type"] == "http.request":
                received += len(message.get("body", b""))
                if received > limit:
                    # Parsers turn what is raised here into an error of theirs, so reply at once.
                    await sent.refuse(over_limit, receive)
                    raise over_limit
            return message

        return limited


class _Reply:
    """Adds the security headers to whatever is sent; after a refusal nothing more is sent."""

    def __init__(self, send: Send) -> None:
        self._send = send
        self._started = False
        self._refused = False

    async def __call__(self, message: Message) -> None:
        if self._refused:
            return
        if message["type"] == "http.response.start":
            self._started = True
            present = {name.lower() for name, _ in message.get("headers", [])}
            extra = [(name, value) for name, value in _HEADERS if name not in present]
            message = {**message, "headers": [*message.get("headers", []), *extra]}
        await self._send(message)

    async def refuse(self, error: LocalRagError, receive: Receive) -> None:
        """Replies with the error unless a reply has begun.

        The reply goes out whole before the connection is closed, and what is still being sent is
        read on for a moment: closing on unread bytes would reset the connection, and the sender
        would not see the reply.
        """
        if self._started:
            return
        body = json.dumps(error_body(error.code, error.message, error.fix)).encode()
        headers = [
            (b"content-type", b"application/json"),
            (b"content-length", str(len(body)).encode()),
            (b"connection", b"close"),
        ]
        await self({"type": "http.response.start", "status": error.status, "headers": headers})
        await self({"type": "http.response.body", "body": body, "more_body": True})
        await _drain(receive)
        await self({"type": "http.response.body", "body": b""})
        self._refused = True


async def _drain(receive: Receive) -> None:
    """Reads and forgets until the client has sent all, is gone, or a bound is reached."""
    drained = 0
    with anyio.move_on_after(_DRAIN_S):
        while drained < _DRAIN_BYTES:
            message = await receive()
            drained += len(message.get("body", b""))
            if message["type"] != "http.request" or not message.get("more_body"):
                return


def _json_too_large() -> TooLarge:
    return TooLarge(
        f"The request is larger than the limit of {_JSON_LIMIT_BYTES // 1024} KB.",
        fix="Send less in one request; files go to POST /api/documents as multipart/form-data.",
    )


def error_body(code: str, message: str, fix: str) -> dict[str, dict[str, str]]:
    """The one shape of every error."""
    return {"error": {"code": code, "message": message, "fix": fix}}


def unexpected_body() -> dict[str, dict[str, str]]:
    """What a fault of the program's own looks like from outside."""
    message = "Something went wrong inside the program."
    return error_body("internal", message, LocalRagError.default_fix)
