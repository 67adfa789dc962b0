"""The program over real HTTP on loopback, in the test's own process."""

from __future__ import annotations

import contextlib
import socket
import threading
import time
from typing import TYPE_CHECKING

import uvicorn

from local_rag.api.app import create_app
from local_rag.composition import open_services

if TYPE_CHECKING:
    from collections.abc import Iterator

    from local_rag.composition import Services
    from local_rag.settings import Settings


@contextlib.contextmanager
def serving_program(settings: Settings) -> Iterator[tuple[str, Services]]:
    """The address of a running server and the program behind it."""
    with socket.create_server(("127.0.0.1", 0)) as listener, open_services(settings) as services:
        services.jobs.start()
        server = uvicorn.Server(uvicorn.Config(create_app(services), log_config=None))
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]})
        thread.start()
        while not server.started:
            time.sleep(0.01)
        try:
            yield f"http://127.0.0.1:{listener.getsockname()[1]}", services
        finally:
            server.should_exit = True
            thread.join()
