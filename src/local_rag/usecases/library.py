"""Adding documents to the library, showing and removing them."""

from __future__ import annotations

import logging
import time
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from typing import TYPE_CHECKING, Literal

from local_rag.errors import (
    Cancelled,
    EmptyFile,
    LocalRagError,
    NoText,
    PasswordRequired,
    StoreFault,
    TooLarge,
    UnknownDocument,
)
from local_rag.ingest.chunk import chunk_document
from local_rag.ingest.identity import document_id, file_sha256
from local_rag.ingest.kinds import media_type_of
from local_rag.model.document import Document
from local_rag.text.language import detect
from local_rag.text.names import display_name
from local_rag.usecases.watch import unwatched

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from local_rag.ingest.chunk import Splitter
    from local_rag.model.document import Page
    from local_rag.ports import (
        Catalog,
        Extractor,
        SourceStore,
    )
    from local_rag.usecases.shelf import Shelf
    from local_rag.usecases.watch import Stage, Watch

_log = logging.getLogger(__name__)
_LANGUAGE_SAMPLE_CHARS = 4000

Outcome = Literal["created", "unchanged", "replaced", "duplicate"]


@dataclass(frozen=True, slots=True)
class Added:
    """What became of a file.

    Attributes:
        outcome: ``created``; ``unchanged``: the same bytes under the same name were there;
            ``replaced``: the earlier bytes of this name are gone; ``duplicate``: the same bytes
            are there under the name that ``document`` gives, and nothing was added.
    """

    document: Document
    outcome: Outcome


class Library:
    """The documents of one data folder.

    Reading, embedding and searching go on side by side; only the step that makes a document part
    of the library, or takes it out, has a lock.
    """

    def __init__(
        self,
        *,
        catalog: Catalog,
        sources: SourceStore,
        shelf: Shelf,
        extractor: Extractor,
        split: Splitter,
        max_file_bytes: int,
    ) -> None:
        self._catalog = catalog
        self._sources = sources
        self._shelf = shelf
        self._extractor = extractor
        self._split = split
        self._max_file_bytes = max_file_bytes
        self._passwords: dict[str, str] = {}  # by the hash of the bytes; gone with the process

    def add(
        self, path: Path, name: str, watch: Watch = unwatched, *, password: str | None = None
    ) -> Added:
        """Adds the file at ``path`` under ``name``; searchable when it returns.

        A document of the same name is replaced in one step: until then the old one answers, from
        then on only the new one.

        Args:
            password: opens the file where it needs one; never stored.

        Raises:
            InputError: the file cannot be used; nothing is stored.
            EnvironmentFault: the program cannot read, embed or store it; nothing is stored.
        """
        return self._add(path, display_name(name), watch, password)

    def _keep_twins(self, name: str, watch: Watch) -> None:
        """Before a document is replaced, files with its bytes that were sent under other names are
        made documents of their own: for them nothing has changed.
        """
        old = self._catalog.find_by_name(name)
        if old is None:
            return

        def unmoved(_stage: Stage, _done: int, _total: int) -> None:
            watch("extracting", 0, 0)  # it may be stopped, but shows no progress of another file

        for twin in self._catalog.twins(old.source_sha256):
            try:
                original = self._sources.path(old.source_sha256)
                password = self._passwords.get(old.source_sha256)
                self._add(original, twin, unmoved, password, as_twin=True)
            except Cancelled:
                raise
            except LocalRagError as error:
                _log.warning("a twin could not be kept: %s", error.code)

    def _add(
        self,
        path: Path,
        name: str,
        watch: Watch,
        password: str | None,
        *,
        as_twin: bool = False,
    ) -> Added:
        begun = time.perf_counter()
        media_type = media_type_of(name)
        size_bytes = path.stat().st_size
        if size_bytes == 0:
            raise EmptyFile("The file is empty.")
        if size_bytes > self._max_file_bytes:
            raise too_large(self._max_file_bytes)
        source_sha256 = file_sha256(path)
        with self._shelf.write_lock:
            if known := self._already_here(path, source_sha256, name, as_twin=as_twin):
                self._remember(source_sha256, password)
                return known
        if not as_twin:
            self._keep_twins(name, watch)
        extraction = self._extractor.extract(
            path, media_type, partial(watch, "extracting"), password=password
        )
        new_id = document_id(source_sha256, name)
        chunks = chunk_document(new_id, extraction, self._split)
        if not chunks:
            raise NoText("No text was found in the file.")
        language = _language(extraction.pages)
        document = Document(
            document_id=new_id,
            name=name,
            media_type=media_type,
            source_sha256=source_sha256,
            size_bytes=size_bytes,
            page_count=len(extraction.pages),
            chunk_count=len(chunks),
            title=extraction.title,
            added_at=datetime.now(UTC).isoformat(timespec="microseconds"),
            language=language,
        )
        prepared = self._shelf.prepare(chunks, document, watch)
        with self._shelf.write_lock:
            added = self._already_here(path, source_sha256, name, as_twin=as_twin)
            if added is None:  # else another upload of the same file was quicker
                replaced = self._shelf.put(path, document, extraction, chunks, prepared, watch)
                added = Added(document, "replaced" if replaced else "created")
            self._remember(source_sha256, password)
        _log.info(
            "added document_id=%s outcome=%s pages=%d chunks=%d elapsed_ms=%.0f",
            added.document.document_id,
            added.outcome,
            document.page_count,
            document.chunk_count,
            (time.perf_counter() - begun) * 1000,
        )
        return added

    def _already_here(
        self, path: Path, source_sha256: str, name: str, *, as_twin: bool
    ) -> Added | None:
        """What is known of these bytes; their original is put back if it went missing."""
        same_name = self._catalog.find_by_name(name)
        if same_name is not None and same_name.source_sha256 != source_sha256:
            return None
        known = same_name or (None if as_twin else self._catalog.find_by_source(source_sha256))
        if known is None:
            return None
        self._sources.put(path, source_sha256)
        if same_name is None:
            self._catalog.note_twin(name, source_sha256)
        return Added(known, "unchanged" if same_name else "duplicate")

    def _remember(self, source_sha256: str, password: str | None) -> None:
        if password:
            self._passwords[source_sha256] = password

    def original(self, document_id: str) -> tuple[Document, Path]:
        """A document and where its original lies.

        Raises:
            UnknownDocument: no document has this id.
            StoreFault: the original is gone.
        """
        document = self._catalog.document(document_id)
        try:
            return document, self._sources.path(document.source_sha256)
        except StoreFault:
            self._catalog.document(document_id)  # unknown, where it was removed meanwhile
            raise

    def page_image(self, document_id: str, page_number: int, dpi: int) -> bytes:
        """A page as PNG. The password of a file is known until the program ends.

        Raises:
            UnknownDocument, UnknownPage, NoPageImage, PasswordRequired, StoreFault,
            ExtractionCrashed.
        """
        self._catalog.page(document_id, page_number)
        document, path = self.original(document_id)
        password = self._passwords.get(document.source_sha256)
        try:
            return self._extractor.render(
                path, document.media_type, page_number, dpi, password=password
            )
        except PasswordRequired as exc:
            raise PasswordRequired(
                "The page can be drawn with the file's password only, which is not kept.",
                fix="Send the file again with its password.",
            ) from exc

    def remove(self, document_id: str) -> Document:
        """Removes a document; nothing of it answers from then on.

        Raises:
            UnknownDocument: no document has this id.
        """
        with self._shelf.write_lock:
            document = self._shelf.take_away(document_id)
        _log.info("removed document_id=%s", document_id)
        return document

    def remove_all(self) -> int:
        """Removes every document; returns how many there were."""
        removed = 0
        with self._shelf.write_lock:  # one that is past its last look at ``watch`` is waited for
            documents = self._catalog.documents()
        for document in documents:
            try:
                self.remove(document.document_id)
                removed += 1
            except UnknownDocument:  # somebody else removed it meanwhile
                continue
        return removed

    def reconcile(self) -> None:
        """Finishes what a crash interrupted, and rebuilds what is derived where it is missing."""
        self._shelf.reconcile()


def too_large(limit_bytes: int) -> TooLarge:
    """The error for a file over the limit; names the limit."""
    return TooLarge(f"The file is larger than the limit of {limit_bytes / 1e6:g} MB.")


def _language(pages: Sequence[Page]) -> str:
    """Of a sample of pages: the first one with text may be a title page in another language."""
    step = max(1, len(pages) // 8)
    share = max(200, _LANGUAGE_SAMPLE_CHARS // 8)
    texts = [page.text[:share] if len(pages) > 1 else page.text for page in pages[::step]]
    return detect("\n".join(texts))
