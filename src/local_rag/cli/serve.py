"""``local-rag serve``: the app behind uvicorn on one address."""

from __future__ import annotations

import logging
import socket
import sys
import tempfile
import threading
import webbrowser
from typing import TYPE_CHECKING

import uvicorn

from local_rag.api.app import create_app
from local_rag.composition import open_services
from local_rag.errors import EnvironmentFault
from local_rag.providers import require_auditor

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import FrameType

    from local_rag.settings import Settings

_BROWSER_DELAY_S = 0.3
_GRACE_S = 5


def serve(settings: Settings) -> int:
    """Serves until it is interrupted.

    Raises:
        EnvironmentFault: the address cannot be listened on, or the data folder not opened, or
            claims are to be checked and the decision model on this machine cannot be used.
    """
    require_auditor(settings)
    listener = _listen(settings.host, settings.port)
    with listener, open_services(settings) as services:
        tempfile.tempdir = str(services.incoming)  # uploads never lie outside the data folder
        port = listener.getsockname()[1]
        host = f"[{settings.host}]" if ":" in settings.host else settings.host
        url = f"http://{host}:{port}"
        print(f"local-rag is listening on {url}", flush=True)
        if settings.host not in ("127.0.0.1", "localhost", "::1"):
            print(
                "Anyone who reaches this address can read and delete the documents.",
                file=sys.stderr,
            )
        if settings.open_browser:
            opener = threading.Timer(_BROWSER_DELAY_S, webbrowser.open, (url,))
            opener.daemon = True
            opener.start()
        config = uvicorn.Config(
            create_app(services),
            log_config=None,
            access_log=False,
            server_header=False,
            timeout_graceful_shutdown=_GRACE_S,
        )
        logging.getLogger("uvicorn.error").setLevel(logging.WARNING)
        services.jobs.start()
        services.reindex.start()
        _Server(config, services.jobs.stop_soon).run(sockets=[listener])
    return 0


class _Server(uvicorn.Server):
    """Tells the program when it is asked to end, so that no open reply holds the end up."""

    def __init__(self, config: uvicorn.Config, on_exit: Callable[[], None]) -> None:
        super().__init__(config)
        self._on_exit = on_exit

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        # Not in the signal handler itself: it may have interrupted a thread that holds the lock.
        threading.Thread(target=self._on_exit, daemon=True).start()
        super().handle_exit(sig, frame)


def _listen(host: str, port: int) -> socket.socket:
    try:
        family = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0][0]
        # Named, for asyncio turns off Nagle's delay for sockets of this protocol only: a reply's
        # head and body are two writes, and the second would wait 40 ms for the first's receipt.
        listener = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind((host, port))
        listener.listen(128)
    except OSError as exc:
        raise EnvironmentFault(
            f"Cannot listen on {host}:{port} ({exc.strerror or type(exc).__name__}).",
            fix="Stop what uses this port, or choose another with --port.",
        ) from exc
    return listener
