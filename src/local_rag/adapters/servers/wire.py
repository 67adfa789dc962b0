"""HTTP to one model server, with every answer bounded in size and time.

No redirect is followed, no proxy and no ``.netrc`` of the environment is used, no compressed answer
is taken. What a server says in an error is read to tell the cause, and never shown or logged: it
may hold the prompt.
"""

from __future__ import annotations

import json
import logging
import ssl
from functools import lru_cache
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from local_rag.adapters.servers.calls import DeadlineOver, call
from local_rag.errors import (
    InvalidRequest,
    ModelServerBrokeOff,
    ModelServerBusy,
    ModelServerFault,
    ModelServerRefusal,
    ModelServerUnreachable,
    ModelTimeout,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from types import ModuleType

    from local_rag.ports import Cancel

_CONNECT_S = 3.0
_MOST_ERROR_BYTES = 20_000
_MOST_ANSWER_BYTES = 2_000_000
_BUSY = frozenset({429, 502, 503, 504, 529})


class Endpoint:
    """A model server's address.

    Args:
        software: how messages call the server.
        variable: the setting that holds ``base_url``.
        start: what to do where nothing answers; one sentence.
        key: sent as bearer token, to this address only.
        key_variable: the setting that holds it.
        locked: what to do where the server does not let us in; empty: as ``start``.

    Raises:
        InvalidRequest: the address is none, or the key cannot be sent in a header.
    """

    def __init__(
        self,
        base_url: str,
        *,
        software: str,
        variable: str,
        start: str,
        key: str = "",
        key_variable: str = "RAG_OPENAI_API_KEY",
        locked: str = "",
    ) -> None:
        try:
            parts = urlsplit(base_url)
            host = f"[{parts.hostname}]" if ":" in (parts.hostname or "") else parts.hostname
            port = f":{parts.port}" if parts.port else ""
        except ValueError as exc:
            raise InvalidRequest(
                f"{variable} is no address.", fix=f"Set {variable} to http://host:port."
            ) from exc
        self.shown = f"{software} at {parts.scheme}://{host}{port}"
        self._url = base_url.rstrip("/")
        self._variable = variable
        self._start = start
        self._locked = locked or start
        self._headers = {"Accept-Encoding": "identity", "Content-Type": "application/json"}
        key = key.strip()
        if key and not (key.isascii() and key.isprintable() and " " not in key):
            raise InvalidRequest(
                f"{key_variable} has characters that no key has.",
                fix="Copy the key again, without spaces and line breaks.",
            )
        if key:
            self._headers["Authorization"] = f"Bearer {key}"

    def get(self, path: str, *, seconds: float) -> Any:
        """The JSON that the path answers with. Raises as ``stream`` does."""
        return self._json("GET", path, None, seconds, None, _MOST_ANSWER_BYTES)[0]

    def post(
        self,
        path: str,
        body: dict[str, Any],
        *,
        seconds: float,
        cancel: Cancel | None = None,
        max_bytes: int = _MOST_ANSWER_BYTES,
    ) -> Any:
        """The JSON that the path answers with. Raises as ``stream`` does."""
        return self._json("POST", path, body, seconds, cancel, max_bytes)[0]

    def post_with_headers(
        self,
        path: str,
        body: dict[str, Any],
        *,
        seconds: float,
        cancel: Cancel | None = None,
        max_bytes: int = _MOST_ANSWER_BYTES,
    ) -> tuple[Any, dict[str, str]]:
        """As ``post``, with the answer's headers, their names in small letters."""
        return self._json("POST", path, body, seconds, cancel, max_bytes)

    def stream(
        self,
        path: str,
        body: dict[str, Any],
        on_line: Callable[[bytes], bool],
        *,
        types: Sequence[str],
        seconds: float,
        cancel: Cancel | None,
        max_bytes: int,
    ) -> None:
        """Hands each line of the answer to ``on_line`` until it returns ``False``.

        The connection is closed then, and when anything raises: the server stops working.

        Args:
            types: media types that are an answer.
            max_bytes: most bytes of the answer, all lines together.

        Raises:
            Cancelled: ``cancel`` was set.
            ModelTimeout: ``seconds`` went by.
            ModelServerUnreachable: nothing answers, or it does not let us in.
            ModelServerBusy: status 429, 502, 503, 504 or 529.
            ModelServerRefusal: another status that is an error.
            ModelServerBrokeOff: the connection ended within the answer.
            ModelServerFault: a redirect, another media type, too many bytes.
        """
        lines = _Lines(on_line)
        self._exchange("POST", path, body, lines.take, types, seconds, cancel, max_bytes)
        lines.end()

    def _json(
        self,
        method: str,
        path: str,
        body: dict[str, Any] | None,
        seconds: float,
        cancel: Cancel | None,
        max_bytes: int,
    ) -> tuple[Any, dict[str, str]]:
        pieces = bytearray()

        def take(piece: bytes) -> bool:
            pieces.extend(piece)
            return True

        types = ("application/json",)
        headers = self._exchange(method, path, body, take, types, seconds, cancel, max_bytes)
        try:
            return json.loads(pieces), headers
        except (ValueError, RecursionError) as exc:
            raise ModelServerFault(f"{self.shown} answered with broken JSON.") from exc

    def _exchange(
        self,
        method: str,
        path: str,
        body: dict[str, Any] | None,
        take: Callable[[bytes], bool],
        types: Sequence[str],
        seconds: float,
        cancel: Cancel | None,
        max_bytes: int,
    ) -> dict[str, str]:
        httpx = _httpx()
        sent = None if body is None else json.dumps(body, ensure_ascii=False)
        content = None if sent is None else sent.encode("utf-8", "replace")

        async def exchange() -> dict[str, str]:
            timeout = httpx.Timeout(seconds, connect=min(_CONNECT_S, seconds))
            async with (
                httpx.AsyncClient(
                    verify=_tls(self._url.startswith("https:")),
                    trust_env=False,
                    follow_redirects=False,
                    timeout=timeout,
                    headers=self._headers,
                ) as client,
                client.stream(method, self._url + path, content=content) as response,
            ):
                if not response.is_success:
                    said = await _start_of(response)
                    raise self._refusal(response.status_code, said, dict(response.headers))
                self._check_form(response.headers, types)
                size = 0
                async for piece in response.aiter_raw():
                    size += len(piece)
                    if size > max_bytes:
                        raise ModelServerFault(
                            f"{self.shown} sent more than {max_bytes:,} bytes for one answer."
                        )
                    if not take(piece):
                        break
                return dict(response.headers)

        try:
            return call(exchange, seconds=seconds, cancel=cancel)
        except (DeadlineOver, httpx.ReadTimeout, httpx.WriteTimeout, httpx.PoolTimeout) as exc:
            raise ModelTimeout(f"{self.shown} took longer than {seconds:g} s.") from exc
        except (httpx.ConnectError, httpx.ConnectTimeout) as exc:
            raise ModelServerUnreachable(f"{self.shown} does not answer.", fix=self._start) from exc
        except (httpx.InvalidURL, httpx.UnsupportedProtocol) as exc:
            raise ModelServerUnreachable(
                f"{self._variable} is no address.", fix=f"Set {self._variable} to http://host:port."
            ) from exc
        except httpx.HTTPError as exc:
            raise ModelServerBrokeOff(f"{self.shown} broke off the connection.") from exc

    def _check_form(self, headers: Any, types: Sequence[str]) -> None:
        media_type = headers.get("content-type", "").partition(";")[0].strip().lower()
        if media_type not in types:
            raise ModelServerFault(
                f"{self.shown} answered with {media_type[:60] or 'no media type'!r} instead of "
                f"{types[0]}.",
                fix=f"See that {self._variable} leads to a model server.",
            )
        if headers.get("content-encoding", "identity").lower() != "identity":
            raise ModelServerFault(f"{self.shown} sent a compressed answer, unasked.")

    def _refusal(self, status: int, said: str, headers: dict[str, str]) -> ModelServerFault:
        fault = self._told(status, said)
        fault.http_status, fault.headers = status, headers
        return fault

    def _told(self, status: int, said: str) -> ModelServerFault:
        if 300 <= status < 400:
            return ModelServerFault(
                f"{self.shown} answered with a redirect, and none is followed.",
                fix=f"Set {self._variable} to the address that the server itself has.",
            )
        if status in (401, 403):
            return ModelServerUnreachable(
                f"{self.shown} does not let us in (HTTP {status}).", fix=self._locked
            )
        if status in _BUSY:
            return ModelServerBusy(f"{self.shown} is busy (HTTP {status}).")
        fix = f"See that {self._variable} is the whole address." if status == 404 else None
        refusal = ModelServerRefusal(f"{self.shown} refused the call (HTTP {status}).", fix=fix)
        refusal.said = said
        return refusal


async def _start_of(response: Any) -> str:
    said = bytearray()
    async for piece in response.aiter_raw():
        said.extend(piece[: _MOST_ERROR_BYTES - len(said)])
        if len(said) >= _MOST_ERROR_BYTES:
            break
    return said.decode("utf-8", "replace").lower()


class _Lines:
    """Cuts pieces of an answer into lines without their ends."""

    def __init__(self, on_line: Callable[[bytes], bool]) -> None:
        self._on_line = on_line
        self._open = bytearray()
        self._stopped = False

    def take(self, piece: bytes) -> bool:
        """``False``: no more is wanted."""
        self._open.extend(piece)
        if b"\n" not in piece:
            return True
        *lines, rest = self._open.split(b"\n")
        self._open = rest
        self._stopped = not all(self._on_line(bytes(line).rstrip(b"\r")) for line in lines)
        return not self._stopped

    def end(self) -> None:
        """Hands over a last line that no line end closes."""
        if self._open and not self._stopped:
            self._on_line(bytes(self._open).rstrip(b"\r"))


@lru_cache(maxsize=1)
def _httpx() -> ModuleType:
    """Imported at the first call: it takes a fifth of a second."""
    import httpx

    for name in ("httpx", "httpcore"):  # they log addresses at INFO and headers at DEBUG
        logging.getLogger(name).setLevel(logging.WARNING)
    return httpx


@lru_cache(maxsize=2)
def _tls(needed: bool) -> ssl.SSLContext:
    """Reading the authorities takes longer than a call; plain HTTP needs none, and trusts none."""
    return ssl.create_default_context() if needed else ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
