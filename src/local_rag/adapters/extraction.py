"""``ports.Extractor`` in other processes, so that a parser's crash costs one file only.

Some processes read, another draws: a picture of a page never waits for a long document, and a short
document not for a long one.
"""

from __future__ import annotations

import logging
import multiprocessing
import queue
import threading
import time
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from local_rag.adapters.reader_worker import serve
from local_rag.errors import ExtractionCrashed, LocalRagError, NoPageImage, error_of
from local_rag.ingest.kinds import IMAGES, PDF

if TYPE_CHECKING:
    from multiprocessing.connection import Connection
    from pathlib import Path

    from local_rag.model.document import Extraction
    from local_rag.ports import Progress

_LOG = logging.getLogger(__name__)
_MEMORY_BYTES = 4 * 1024**3
_RENDER_TIMEOUT_S = 60.0
_START_TIMEOUT_S = 60.0
_END_TIMEOUT_S = 5.0
_BEAT_S = 0.2


class ProcessExtractor:
    """Reads files and draws pages in worker processes, started at first use and kept.

    Args:
        timeout_s: longest time for reading one file.
        memory_bytes: address space of a worker, where the system can limit it.
        readers: files read at once.
    """

    def __init__(
        self, timeout_s: float, *, memory_bytes: int = _MEMORY_BYTES, readers: int = 2
    ) -> None:
        self._timeout_s = timeout_s
        self._readers = [_Worker("local-rag-reader", memory_bytes) for _ in range(readers)]
        # Last in, first out: the second process is started only when two files are there at once.
        self._idle: queue.LifoQueue[_Worker] = queue.LifoQueue()
        for reader in reversed(self._readers):
            self._idle.put(reader)
        self._painter = _Worker("local-rag-painter", memory_bytes)

    def extract(
        self,
        path: Path,
        media_type: str,
        progress: Progress | None = None,
        *,
        password: str | None = None,
    ) -> Extraction:
        """See ``ports.Extractor.extract``. An exception out of ``progress`` stops the reading."""
        request = ("extract", str(path), media_type, password)
        reader = self._awaited(progress)
        try:
            result: Extraction = reader.ask(request, self._timeout_s, progress)
            return result
        finally:
            self._idle.put(reader)

    def _awaited(self, progress: Progress | None) -> _Worker:
        """An idle reader; the caller may give up while it waits."""
        while True:
            try:
                return self._idle.get(timeout=_BEAT_S)
            except queue.Empty:
                if progress is not None:
                    progress(0, 0)

    def render(
        self,
        path: Path,
        media_type: str,
        page_number: int,
        dpi: int,
        *,
        password: str | None = None,
    ) -> bytes:
        """See ``ports.Extractor.render``."""
        if media_type != PDF and media_type not in IMAGES:
            raise NoPageImage("Only the pages of PDF files and pictures can be drawn.")
        request = ("render", str(path), media_type, page_number, dpi, password)
        picture: bytes = self._painter.ask(request, min(self._timeout_s, _RENDER_TIMEOUT_S))
        return picture

    def warm(self) -> None:
        """Starts a reader and the painter with their imports in the background; returns at once."""
        for worker in (self._readers[0], self._painter):
            threading.Thread(target=worker.warm, daemon=True).start()

    def close(self) -> None:
        """See ``ports.Extractor.close``. Work that is going on fails with ExtractionCrashed."""
        for reader in self._readers:
            reader.close()
        self._painter.close()


class _Worker:
    """One process and the pipe to it; answers one request at a time."""

    def __init__(self, name: str, memory_bytes: int) -> None:
        self._name = name
        self._memory_bytes = memory_bytes
        self._turn = threading.Lock()
        self._state = threading.Lock()  # guards the three below
        self._process: multiprocessing.process.BaseProcess | None = None
        self._connection: Connection | None = None
        self._closed = False

    def warm(self) -> None:
        with suppress(LocalRagError):
            self.ask(("warm",), _RENDER_TIMEOUT_S)

    def ask(
        self, request: tuple[Any, ...], timeout_s: float, progress: Progress | None = None
    ) -> Any:
        """The worker's answer.

        Raises:
            ExtractionCrashed: the worker died or took longer than ``timeout_s``.
            LocalRagError: what the worker raised, as its own class.
        """
        with self._turn:
            connection = self._connected(request)
            try:
                reply = _receive(connection, time.monotonic() + timeout_s, progress)
            except TimeoutError:
                self._end()
                raise ExtractionCrashed(
                    f"Reading took longer than {timeout_s:g} seconds and was stopped.",
                    fix="Split the file, or raise RAG_EXTRACT_TIMEOUT.",
                ) from None
            except (EOFError, OSError):
                _LOG.warning("%s died", self._name)
                self._end()
                raise ExtractionCrashed("The process that reads files died on this one.") from None
            except BaseException:
                # The caller gave up (progress raised): the worker is busy with what nobody wants.
                self._end()
                raise
            if reply[0] == "failed":
                # Unknown state, perhaps out of memory: the next file gets a new process.
                self._end()
        return _result(reply)

    def _connected(self, request: tuple[Any, ...]) -> Connection:
        """Hands the request to a living worker, which has begun with it on return."""
        for _ in range(2):
            connection = self._started()
            try:
                connection.send(request)
                if connection.poll(_START_TIMEOUT_S) and connection.recv() == ("begun",):
                    return connection
            except (EOFError, OSError):
                pass  # it died while idle: a new one takes the request
            self._end()
        raise ExtractionCrashed(
            "The process that reads files cannot be started.", fix="Start the program again."
        )

    def _started(self) -> Connection:
        if self._is_closed():
            raise ExtractionCrashed("The reader of files has been stopped.")
        with self._state:
            if self._process is not None and self._process.is_alive() and self._connection:
                return self._connection
        self._end()
        context = multiprocessing.get_context("spawn")
        ours, theirs = context.Pipe()
        process = context.Process(
            target=serve, args=(theirs, self._memory_bytes), name=self._name, daemon=True
        )
        process.start()
        theirs.close()
        with self._state:
            self._process, self._connection = process, ours
        if self._is_closed():
            self._end()
            raise ExtractionCrashed("The reader of files has been stopped.")
        return ours

    def _end(self) -> None:
        """Ends the process, if there is one, and leaves nothing of it behind."""
        with self._state:
            process, self._process = self._process, None
            connection, self._connection = self._connection, None
        if connection is not None:
            connection.close()
        if process is not None:
            process.kill()
            process.join(_END_TIMEOUT_S)
            if not process.is_alive():
                process.close()

    def _is_closed(self) -> bool:
        with self._state:
            return self._closed

    def close(self) -> None:
        with self._state:
            self._closed = True
            if self._process is not None:
                self._process.kill()  # wakes the thread that waits for an answer
        with self._turn:
            self._end()


def _receive(connection: Connection, deadline: float, progress: Progress | None) -> tuple[Any, ...]:
    done = total = 0
    while (left := deadline - time.monotonic()) > 0:
        if connection.poll(min(left, _BEAT_S)):
            reply: tuple[Any, ...] = connection.recv()
            if reply[0] != "progress":
                return reply
            _, done, total = reply
        if progress is not None:
            progress(done, total)  # also where nothing moved: it may stop the work
    raise TimeoutError


def _result(reply: tuple[Any, ...]) -> Any:
    kind, *values = reply
    if kind == "done":
        return values[0]
    if kind == "error":
        code, message, fix = values
        raise error_of(code, message, fix)
    raise ExtractionCrashed(f"The reader of files failed on this one ({values[0]}).")
