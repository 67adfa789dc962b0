"""What runs inside a reading process: answers one request after the other over a pipe.

Messages are pickled: both ends are this program, and nothing of a file's content is unpickled by
the worker.
"""

from __future__ import annotations

import contextlib
import gc
import os
import signal
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

from local_rag.errors import LocalRagError, StoreFault, UnsupportedType
from local_rag.ingest.kinds import IMAGES, MARKDOWN, PDF, PLAIN

if TYPE_CHECKING:
    from multiprocessing.connection import Connection

    from local_rag.model.document import Extraction
    from local_rag.ports import Progress

_PROGRESS_EVERY_S = 0.1


def serve(connection: Connection, memory_bytes: int) -> None:
    """Answers requests until the other end is gone, noticed at the latest with the next message.

    A request is ``(name, *arguments)``. Replies: ``("begun",)``, any number of
    ``("progress", done, total)``, then ``("done", result)``, ``("error", code, message, fix)`` for
    a fault of the file, or ``("failed", type name)`` for anything else.
    """
    _isolate(memory_bytes)
    while True:
        try:
            request = connection.recv()
        except (EOFError, OSError):
            return
        try:
            connection.send(("begun",))
            connection.send(_reply(connection, request))
        except (BrokenPipeError, ConnectionResetError):
            return
        _free_caches()


def _isolate(memory_bytes: int) -> None:
    """Keeps standard output clean and memory bounded."""
    # Ctrl-C reaches the whole group; the parent decides when a worker ends.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    with contextlib.suppress(OSError):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, 1)
    sys.stdout = open(os.devnull, "w", encoding="utf-8")  # noqa: PTH123, SIM115
    _limit_memory(memory_bytes)
    # Extraction makes many small values that live to its end; collecting in between costs a fifth
    # of its time. ``_free_caches`` collects after each request.
    gc.disable()


def _limit_memory(memory_bytes: int) -> None:
    if sys.platform == "win32":
        return
    import resource

    with contextlib.suppress(OSError, ValueError):  # macOS knows the limit but refuses to set it
        resource.setrlimit(resource.RLIMIT_AS, (memory_bytes, memory_bytes))


def _reply(connection: Connection, request: tuple[Any, ...]) -> tuple[Any, ...]:
    name, *arguments = request
    try:
        if name == "extract":
            return ("done", _extract(*arguments, progress=_reporter(connection)))
        if name == "render":
            from local_rag.adapters.pdf_reader import render

            path, *where, password = arguments
            return ("done", render(Path(path), *where, password=password))
        import pymupdf

        return ("done", str(pymupdf.VersionBind))
    except LocalRagError as exc:
        return ("error", exc.code, exc.message, exc.fix)
    except (BrokenPipeError, ConnectionResetError):
        raise
    except OSError:
        fault = StoreFault("The file is gone or cannot be read.")
        return ("error", fault.code, fault.message, fault.fix)
    except Exception as exc:  # noqa: BLE001 - a fault of the reader must reach the other end
        return ("failed", type(exc).__name__)


def _reporter(connection: Connection) -> Progress:
    last = 0.0

    def report(done: int, total: int) -> None:
        nonlocal last
        now = time.monotonic()
        if done == total or now - last >= _PROGRESS_EVERY_S:
            last = now
            connection.send(("progress", done, total))

    return report


def _extract(path: str, media_type: str, password: str | None, *, progress: Progress) -> Extraction:
    if media_type == PDF:
        from local_rag.adapters.pdf_reader import read_pdf

        return read_pdf(Path(path), progress, password=password)
    if media_type in IMAGES:
        from local_rag.adapters.pdf_reader import read_image

        return read_image(Path(path), progress)
    from local_rag.adapters.office import reader_of
    from local_rag.adapters.text_reader import read_markdown, read_text

    read_office = reader_of(media_type)
    if read_office is not None:
        return read_office(Path(path), progress)
    read = {MARKDOWN: read_markdown, PLAIN: read_text}.get(media_type)
    if read is None:
        raise UnsupportedType(f"Files of type {media_type} cannot be read.")
    extraction = read(Path(path))
    progress(len(extraction.pages), len(extraction.pages))
    return extraction


def _free_caches() -> None:
    """MuPDF keeps fonts and pictures of the last file; the next one has no use for them."""
    gc.collect()
    pymupdf = sys.modules.get("pymupdf")
    if pymupdf is not None:
        pymupdf.TOOLS.store_shrink(100)
