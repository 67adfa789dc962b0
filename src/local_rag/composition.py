"""Builds the program from its settings; with ``providers``, which does so for the models, the only
module that names concrete adapters.
"""

from __future__ import annotations

import hashlib
import json
import logging
import shutil
import threading
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from local_rag import providers
from local_rag.adapters.database import open_database
from local_rag.adapters.edge_index import EdgeSearchIndex
from local_rag.adapters.extraction import ProcessExtractor
from local_rag.adapters.file_sources import FileSourceStore
from local_rag.adapters.folder_lock import locked_folder
from local_rag.adapters.quiet import silence_vendors
from local_rag.adapters.splitter import recursive_splitter
from local_rag.adapters.sql_catalog import SqlCatalog
from local_rag.adapters.sql_jobs import SqlJobStore
from local_rag.adapters.throwaway_folder import throwaway_folder
from local_rag.errors import LocalRagError
from local_rag.generate.extractive import ExtractiveWriter
from local_rag.retrieve.hybrid import Hybrid, HybridOptions
from local_rag.text.tokens import TOKENIZER_VERSION
from local_rag.usecases.answer import Desk
from local_rag.usecases.jobs import Jobs
from local_rag.usecases.library import Library
from local_rag.usecases.shelf import require_space

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from local_rag.ports import (
        Catalog,
        Embedder,
        EmbedderInfo,
        Extractor,
        JobStore,
        SearchIndex,
        SourceStore,
        Writer,
    )
    from local_rag.settings import Settings
    from local_rag.usecases.chat_choice import ChatChoice

_log = logging.getLogger(__name__)
SPACE_TO_START_BYTES = 100_000_000
"""The index is mapped into memory and allocates its log when it is opened: on a full disk that ends
the process without a word."""


@dataclass(frozen=True, slots=True)
class Services:
    """The program, put together.

    Attributes:
        store: name of the search index's engine.
        jobs: the queue in front of the library; idle until its ``start`` is called.
        incoming: folder for uploads that are not yet part of the library.
        chat: the chat model, if the settings name one.
        embedding_local: whether what is embedded stays on this machine.
    """

    settings: Settings
    catalog: Catalog
    sources: SourceStore
    index: SearchIndex
    embedder: Embedder
    extractor: Extractor
    writer: Writer
    library: Library
    jobs: Jobs
    desk: Desk
    store: str
    incoming: Path
    chat: ChatChoice
    embedding_local: bool

    def warm(self) -> None:
        """Loads in the background what the first upload and the first question need."""
        threading.Thread(target=self._warm, name="warm", daemon=True).start()

    def _warm(self) -> None:
        warm_extractor = getattr(self.extractor, "warm", None)
        if warm_extractor is not None:
            warm_extractor()
        try:
            self.embedder.embed_query("warm")
        except LocalRagError as error:  # the first question will say it, with what to do
            _log.warning("the embedding model cannot be loaded code=%s", error.code)


@contextmanager
def open_services(settings: Settings) -> Iterator[Services]:
    """The program on its data folder.

    Raises:
        StoreLocked: another process has the data folder open.
        DiskFull: too little space is left to open the index.
        StoreFault: the catalogue or the index cannot be opened.
    """
    silence_vendors()
    folder = settings.data_dir
    with locked_folder(folder):
        require_space(shutil.disk_usage(folder).free, 0, reserve_bytes=SPACE_TO_START_BYTES)
        yield from _open(settings, folder)


def _open(settings: Settings, folder: Path) -> Iterator[Services]:
    embedder = providers.embedder(settings)
    index_folder = folder / "index" / f"{settings.collection}-{_space(embedder.info)}"
    index = EdgeSearchIndex(index_folder, embedder.info.dimensions)
    try:
        database = open_database(f"sqlite:///{folder / 'catalog.sqlite3'}")
    except BaseException:
        index.close()
        raise
    catalog = SqlCatalog(database)
    jobs = SqlJobStore(database)
    services = _assemble(settings, folder, catalog, jobs, index, embedder, store="qdrant-edge")
    try:
        _record_space(catalog, embedder.info)
        services.library.reconcile()
        _remove_outdated_indexes(index_folder, settings.collection)
        yield services
    finally:
        services.jobs.stop_soon()
        services.extractor.close()
        services.jobs.close()
        services.chat.close()
        index.close()
        catalog.close()


class _CatalogOfNames(SqlCatalog):
    """Knows documents by their names, not by their bytes: none is another's duplicate."""

    def find_by_source(self, source_sha256: str) -> None:
        """None: who gives a file for one question wants it read."""


@contextmanager
def open_throwaway_services(settings: Settings) -> Iterator[Services]:
    """The program for one question: an index in memory, a folder that is removed afterwards.

    Files are told apart by their names alone: of two with the same bytes both are there. The
    prepared model is still kept in the data folder.
    """
    from local_rag.adapters.memory_index import MemorySearchIndex

    silence_vendors()
    with throwaway_folder() as folder:
        embedder = providers.embedder(settings)
        database = open_database(f"sqlite:///{folder / 'catalog.sqlite3'}")
        catalog = _CatalogOfNames(database)
        jobs = SqlJobStore(database)
        index = MemorySearchIndex()
        services = _assemble(settings, folder, catalog, jobs, index, embedder, store="memory")
        try:
            yield services
        finally:
            services.extractor.close()
            services.chat.close()
            catalog.close()


@contextmanager
def open_catalog(settings: Settings) -> Iterator[Catalog]:
    """The catalogue alone, to be read beside a running program."""
    settings.data_dir.mkdir(parents=True, exist_ok=True)
    catalog = SqlCatalog(open_database(f"sqlite:///{settings.data_dir / 'catalog.sqlite3'}"))
    try:
        yield catalog
    finally:
        catalog.close()


def _assemble(
    settings: Settings,
    folder: Path,
    catalog: Catalog,
    job_store: JobStore,
    index: SearchIndex,
    embedder: Embedder,
    *,
    store: str,
) -> Services:
    incoming = folder / "incoming"
    incoming.mkdir(parents=True, exist_ok=True)
    for leftover in incoming.iterdir():  # of a process that was killed; the jobs' folder stays
        if leftover.is_file():
            leftover.unlink(missing_ok=True)
    sources = FileSourceStore(folder / "originals")
    extractor = ProcessExtractor(settings.extract_timeout)
    writer = ExtractiveWriter(embedder.embed_passages, embedder.info.languages)
    library = Library(
        catalog=catalog,
        sources=sources,
        index=index,
        embedder=embedder,
        extractor=extractor,
        split=recursive_splitter(settings.chunk_size, settings.chunk_overlap),
        max_file_bytes=settings.max_upload_mb * 1_000_000,
        free_bytes=lambda: shutil.disk_usage(folder).free,
    )
    desk = Desk(
        catalog=catalog,
        hybrid=Hybrid(
            catalog,
            embedder,
            index,
            HybridOptions(
                top_k=settings.top_k,
                score_threshold=settings.score_threshold,
                fusion=settings.fusion,
                dense_weight=settings.dense_weight,
                lexical_weight=settings.lexical_weight,
            ),
        ),
        writer=writer,
    )
    return Services(
        settings=settings,
        catalog=catalog,
        sources=sources,
        index=index,
        embedder=embedder,
        extractor=extractor,
        writer=writer,
        library=library,
        jobs=Jobs(library, job_store, incoming / "jobs"),
        desk=desk,
        store=store,
        incoming=incoming,
        chat=providers.chat_choice(settings),
        embedding_local=providers.embedding_is_local(settings),
    )


def _space(info: EmbedderInfo) -> str:
    """Names the vector and token space: an index made in another one is never opened."""
    identity = f"{info.provider}\0{info.model}\0{info.digest}\0{TOKENIZER_VERSION}"
    return hashlib.sha256(identity.encode()).hexdigest()[:12]


def is_indexed_with(catalog: Catalog, info: EmbedderInfo) -> bool:
    """Whether the library's index, if it has one, was made in the space of this embedder."""
    return catalog.setting("embedding") in (None, _space_record(info))


def _space_record(info: EmbedderInfo) -> str:
    recorded = asdict(info) | {"tokenizer_version": TOKENIZER_VERSION}
    recorded["languages"] = sorted(info.languages) if info.languages is not None else None
    return json.dumps(recorded, sort_keys=True)


def _record_space(catalog: Catalog, info: EmbedderInfo) -> None:
    value = _space_record(info)
    if catalog.setting("embedding") != value:
        catalog.put_setting("embedding", value)


def _remove_outdated_indexes(current: Path, collection: str) -> None:
    """Indexes of this collection in another space, rebuilt by now from the catalogue."""
    for folder in current.parent.glob(f"{collection}-*"):
        suffix = folder.name.removeprefix(f"{collection}-")
        if folder != current and len(suffix) == 12 and "-" not in suffix:
            _log.info("removing an index of another model or tokenizer")
            shutil.rmtree(folder, ignore_errors=True)
