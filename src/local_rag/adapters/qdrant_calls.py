"""Calls to a Qdrant server: connected with a time limit, tried again, told in our own errors."""

from __future__ import annotations

import logging
import time
import warnings
from typing import TYPE_CHECKING, Any, TypeVar
from urllib.parse import urlsplit

from local_rag.adapters.optional import import_optional
from local_rag.adapters.places import Place, is_loopback
from local_rag.errors import InvalidRequest, StoreFault

if TYPE_CHECKING:
    from collections.abc import Callable

_log = logging.getLogger(__name__)
_Reply = TypeVar("_Reply")
_ATTEMPTS = 3
_FIRST_PAUSE_S = 0.25
_LONGEST_PAUSE_S = 5.0
_HTTP_PORT = 6333
_BUSY = 429
_SERVERS_FAULT = 500
_GRPC_TRANSIENT = ("UNAVAILABLE", "DEADLINE_EXCEEDED", "RESOURCE_EXHAUSTED", "ABORTED")


def qdrant_place(url: str) -> Place:
    """Where the server is.

    Raises:
        InvalidRequest: the URL is none of HTTP. The message does not repeat it.
    """
    try:
        parts = urlsplit(url)
        host, port = parts.hostname, parts.port or _HTTP_PORT
    except ValueError:
        host = None
    if not host or parts.scheme not in ("http", "https"):
        raise InvalidRequest(
            "RAG_QDRANT_URL is no URL of a server.",
            fix="Set RAG_QDRANT_URL to a URL such as http://127.0.0.1:6333.",
        )
    shown = f"[{host}]" if ":" in host else host
    return Place("qdrant", f"{parts.scheme}://{shown}:{port}", is_loopback(host))


def connect_qdrant(url: str, *, api_key: str, grpc_port: int, timeout_s: float) -> Any:
    """A ``QdrantClient``; nothing is sent yet.

    Args:
        api_key: empty for none.
        grpc_port: 0 speaks HTTP.

    Raises:
        InvalidRequest: the URL is none of HTTP.
        StoreFault: the client's package is not installed.
    """
    place = qdrant_place(url)
    package = import_optional("qdrant_client", extra="server", setting="RAG_QDRANT_URL")
    parts = urlsplit(url)
    if api_key and parts.scheme == "http" and not place.local:
        _log.warning("the key of the Qdrant server is sent without encryption")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # the same in its words, also for loopback
        return package.QdrantClient(
            url=f"{place.address}{parts.path.rstrip('/')}",
            api_key=api_key or None,
            prefer_grpc=grpc_port > 0,
            grpc_port=grpc_port or 6334,
            timeout=max(1, round(timeout_s)),
            check_compatibility=False,  # it would ask from a thread of its own, and print
        )


class QdrantCalls:
    """Runs calls, each at most three times. Every call that is made here may be repeated.

    Args:
        place: named in errors.
        pause: waits for a number of seconds.
    """

    def __init__(self, place: Place, *, pause: Callable[[float], None] = time.sleep) -> None:
        self._place = place
        self._pause = pause

    def __call__(self, call: Callable[..., _Reply], *args: Any, **kwargs: Any) -> _Reply:
        """What the call returns.

        Raises:
            StoreFault: it failed for good, or the last attempt failed too.
        """
        for attempt in range(1, _ATTEMPTS + 1):
            try:
                return call(*args, **kwargs)
            except Exception as exc:
                wait_s = _wait_s(exc, attempt)
                if wait_s is None or attempt == _ATTEMPTS:
                    raise self._fault(exc) from exc
                _log.info("Qdrant is asked again after %s", _kind(exc))
                self._pause(wait_s)
        raise AssertionError

    def _fault(self, exc: Exception) -> StoreFault:
        status = getattr(exc, "status_code", None)
        where = f"The Qdrant server at {self._place.address}"
        if status in (401, 403) or _kind(exc) in ("UNAUTHENTICATED", "PERMISSION_DENIED"):
            return StoreFault(
                f"{where} refused the key.", fix="Set RAG_QDRANT_API_KEY to the server's key."
            )
        if status is not None:
            return StoreFault(
                f"{where} answered with the status {status}.",
                fix="Look at the server's own log, and at its state and disk.",
            )
        return StoreFault(
            f"{where} cannot be used ({_kind(exc)}).",
            fix="See that the server runs and that RAG_QDRANT_URL is its address.",
        )


def _wait_s(exc: Exception, attempt: int) -> float | None:
    """Seconds to wait before the next attempt; ``None`` where none would help."""
    pause = _FIRST_PAUSE_S * 4 ** (attempt - 1)
    asked = getattr(exc, "retry_after_s", None)  # of the client's error for 429
    if asked is not None:
        return min(float(asked), _LONGEST_PAUSE_S)
    status = getattr(exc, "status_code", None)
    if status is not None:
        return pause if status == _BUSY or status >= _SERVERS_FAULT else None
    from_network = isinstance(getattr(exc, "source", exc), OSError) or _is_transport(exc)
    return pause if from_network or _kind(exc) in _GRPC_TRANSIENT else None


def _is_transport(exc: Exception) -> bool:
    import httpx

    return isinstance(getattr(exc, "source", exc), httpx.TransportError)


def _kind(exc: Exception) -> str:
    """Names the fault: gRPC's code, or the class of what the client wrapped."""
    code = getattr(exc, "code", None)
    name = getattr(code(), "name", None) if callable(code) else None
    return str(name or type(getattr(exc, "source", exc)).__name__)
