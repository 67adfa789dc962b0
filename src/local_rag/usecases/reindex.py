"""Makes the search index anew with another embedding model or tokenizer, while the old one answers.

Texts come from the catalogue; no file is read again.
"""

from __future__ import annotations

import logging
import threading
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal

from local_rag.errors import Cancelled, LocalRagError, UnknownDocument
from local_rag.usecases.spaces import points_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from local_rag.model.document import Document
    from local_rag.ports import Catalog
    from local_rag.retrieve.space import Space
    from local_rag.usecases.shelf import Shelf
    from local_rag.usecases.spaces import Spaces

_log = logging.getLogger(__name__)
_RETRY_S = 30.0

State = Literal["none", "running", "waiting", "done"]


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a new index is.

    Attributes:
        state: ``none``: none is made; ``waiting``: it is tried again soon, ``message`` says why.
        done, total: passages.
        made_with, wanted: model of the index that answers, and of the new one.
        by_words_only: whether questions are answered by words alone until it is done.
    """

    state: State
    done: int = 0
    total: int = 0
    message: str = ""
    made_with: str = ""
    wanted: str = ""
    by_words_only: bool = False


class Reindex:
    """Fills the building space of a library and lets it take over.

    Args:
        finished: called under the library's lock when the new one has taken over.
        retry_s: how long to wait where the model does not answer.
    """

    def __init__(
        self,
        *,
        catalog: Catalog,
        spaces: Spaces,
        shelf: Shelf,
        finished: Callable[[], None],
        retry_s: float = _RETRY_S,
    ) -> None:
        self._catalog = catalog
        self._spaces = spaces
        self._shelf = shelf
        self._finished = finished
        self._retry_s = retry_s
        self._stop = threading.Event()
        self._thread: threading.Thread | None = None
        self._progress = Progress("none")
        if spaces.building is not None:
            self._missing(spaces.building)

    @property
    def progress(self) -> Progress:
        """How far it is."""
        return self._progress

    def start(self) -> None:
        """Works in the background until it is done; nothing to do is no error."""
        if self._spaces.building is not None and self._thread is None:
            self._thread = threading.Thread(target=self._work, name="reindex", daemon=True)
            self._thread.start()

    def close(self) -> None:
        """Stops at the next passages; what is done is kept for the next start."""
        self._stop.set()
        if self._thread is not None:
            self._thread.join()

    def run(self, watch: Callable[[int, int], None] = lambda _done, _total: None) -> None:
        """Does all of it now.

        Args:
            watch: called with passages done and in all.

        Raises:
            Cancelled: ``close`` was called.
            ModelFault, DiskFull, StoreFault: it cannot go on; what is done is kept.
        """
        building = self._spaces.building
        if building is None:
            return
        while not self._taken_over(building):
            for document in self._missing(building):
                self._fill(building, document, watch)

    def _taken_over(self, building: Space) -> bool:
        """Lets it answer if nothing is missing in it, which nobody can change meanwhile."""
        with self._shelf.write_lock:
            if self._missing(building):
                return False
            self._spaces.switch()
            self._finished()
        self._progress = Progress("done", self._progress.total, self._progress.total)
        return True

    def _work(self) -> None:
        while not self._stop.is_set():
            try:
                self.run()
            except Cancelled:
                return
            except LocalRagError as error:
                _log.warning("re-embedding waits: %s", error.code)
                if self._spaces.building is not None:
                    self._missing(self._spaces.building)  # passages of half a document are lost
                message = f"{error.message} {error.fix}"
                self._progress = replace(self._progress, state="waiting", message=message)
                self._stop.wait(self._retry_s)
            else:
                return

    def _missing(self, building: Space) -> list[Document]:
        """The documents that are not whole in the new index; notes how far it is."""
        serving, documents = self._spaces.serving, self._catalog.documents()
        counts = building.index.point_counts()
        here = {d.document_id: counts.get(d.document_id, 0) for d in documents}
        self._progress = Progress(
            "running",
            done=sum(min(here[d.document_id], d.chunk_count) for d in documents),
            total=sum(d.chunk_count for d in documents),
            made_with=serving.info.model,
            wanted=building.info.model,
            by_words_only=serving.embedder is None,
        )
        return [d for d in documents if here[d.document_id] != d.chunk_count]

    def _fill(self, building: Space, document: Document, watch: Callable[[int, int], None]) -> None:
        begun = self._progress

        def moved(_stage: str, done: int, _total: int) -> None:
            if self._stop.is_set():
                raise Cancelled("The search index is not finished.")
            now = begun.done + done
            self._progress = replace(begun, state="running", message="", done=now)
            watch(now, begun.total)

        try:
            chunks = self._catalog.document_chunks(document.document_id)
        except UnknownDocument:
            return
        self._shelf.require_space(0, chunks)
        points = points_of(building, chunks, document, moved)
        with self._shelf.write_lock:
            try:
                self._catalog.document(document.document_id)
            except UnknownDocument:
                return  # removed or replaced since
            building.index.delete_document(document.document_id)
            building.index.upsert(points)
        moved("embedding", len(chunks), len(chunks))
