"""Builds the program from its settings; with ``beside``, which opens parts of it, ``providers``,
which does so for the models, and ``stores`` the only module that names concrete adapters.
"""

from __future__ import annotations

import logging
import shutil
import threading
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from pydantic import SecretStr

from local_rag import providers
from local_rag.adapters.database import open_database
from local_rag.adapters.extraction import ProcessExtractor
from local_rag.adapters.file_sources import FileSourceStore
from local_rag.adapters.folder_lock import locked_folder
from local_rag.adapters.places import Place
from local_rag.adapters.quiet import silence_vendors
from local_rag.adapters.splitter import recursive_splitter
from local_rag.adapters.sql_cases import SqlCaseStore
from local_rag.adapters.sql_catalog import SqlCatalog
from local_rag.adapters.sql_conversations import SqlConversationStore
from local_rag.adapters.sql_job_queue import SqlJobQueue
from local_rag.adapters.sql_jobs import SqlJobStore
from local_rag.adapters.throwaway_folder import throwaway_folder
from local_rag.errors import LocalRagError
from local_rag.generate.extractive import ExtractiveWriter
from local_rag.retrieve.hybrid import Hybrid, HybridOptions
from local_rag.retrieve.space import Space
from local_rag.stores import Stores, open_stores, record_space
from local_rag.usecases.answer import Desk
from local_rag.usecases.conversations import Conversations
from local_rag.usecases.jobs import Jobs
from local_rag.usecases.kept import KeptConversations
from local_rag.usecases.library import Library
from local_rag.usecases.reindex import Reindex
from local_rag.usecases.shared_jobs import SharedJobs
from local_rag.usecases.shelf import Shelf, require_space
from local_rag.usecases.spaces import Spaces

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from pathlib import Path

    from local_rag.ingest.chunk import Splitter
    from local_rag.ports import (
        CaseStore,
        Catalog,
        Embedder,
        Extractor,
        SourceStore,
        Writer,
    )
    from local_rag.settings import Settings
    from local_rag.usecases.audit import Auditor
    from local_rag.usecases.chat_choice import ChatChoice

_log = logging.getLogger(__name__)
SPACE_TO_START_BYTES = 100_000_000
"""The index is mapped into memory and allocates its log when it is opened: on a full disk that ends
the process without a word."""


@dataclass(frozen=True, slots=True)
class Services:
    """The program, put together.

    Attributes:
        spaces: the search index, and one that is to replace it.
        embedder: of new documents and, once its index is complete, of questions.
        reindex: makes that index; idle until its ``start`` is called.
        places: where the ``database``, the ``index`` and the ``sources`` are.
        jobs: the queue in front of the library; idle until its ``start`` is called.
        incoming: folder for uploads that are not yet part of the library.
        kept: the conversations, for what needs no answer.
        cases: the golden cases that were saved in the library.
        writer: the writer that needs no model.
        chat: the chat model, if the settings name one.
        auditor: what checks the claims of answers, if the settings say so.
        embedding_local: whether what is embedded stays on this machine.
    """

    settings: Settings
    catalog: Catalog
    sources: SourceStore
    spaces: Spaces
    embedder: Embedder
    extractor: Extractor
    writer: Writer
    library: Library
    reindex: Reindex
    jobs: Jobs | SharedJobs
    desk: Desk
    conversations: Conversations
    kept: KeptConversations
    cases: CaseStore
    places: Mapping[str, Place]
    incoming: Path
    chat: ChatChoice
    auditor: Auditor | None
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
        self._warm_chat()

    def _warm_chat(self) -> None:
        """Loads a chat model of this machine; one elsewhere is not called before it is asked."""
        model = self.chat.model()
        if model is None or not model.info.local:
            return
        try:
            model.warm_up()
        except LocalRagError as error:  # an answer says it, in a note
            _log.warning("the chat model cannot be loaded code=%s", error.code)


@contextmanager
def open_services(settings: Settings) -> Iterator[Services]:
    """The program on its data folder.

    Raises:
        InvalidRequest: claims are to be checked, and the settings name no usable decision model.
        StoreLocked: another process has the data folder open.
        DiskFull: too little space is left to open the index.
        StoreFault: the catalogue or the index cannot be opened.
        IndexMismatch: another process works on the library with another embedding model.
    """
    silence_vendors()
    auditor = providers.auditor(settings)  # first: it says what is wrong with its settings
    folder = settings.data_dir
    with locked_folder(folder):
        require_space(shutil.disk_usage(folder).free, 0, reserve_bytes=SPACE_TO_START_BYTES)
        yield from _open(settings, folder, auditor)


def _open(settings: Settings, folder: Path, auditor: Auditor | None) -> Iterator[Services]:
    embedder = providers.embedder(settings)
    known = partial(providers.embedder_of, settings)
    with open_stores(settings, folder, embedder, known) as stores:
        services = _assemble(settings, folder, stores, embedder, auditor)
        try:
            services.library.reconcile()
            if stores.spaces.building is None:
                with stores.write_lock:
                    record_space(stores.catalog, embedder.info)
                stores.spaces.settle()
            yield services
        finally:
            services.jobs.stop_soon()
            services.reindex.close()
            services.extractor.close()
            services.jobs.close()
            services.chat.close()


class _CatalogOfNames(SqlCatalog):
    """Knows documents by their names, not by their bytes: none is another's duplicate."""

    def find_by_source(self, source_sha256: str) -> None:
        """None: who gives a file for one question wants it read."""


@contextmanager
def open_throwaway_services(
    settings: Settings, around: Callable[[Extractor], Extractor] = lambda extractor: extractor
) -> Iterator[Services]:
    """The program for one question: an index in memory, a folder that is removed afterwards.

    Files are told apart by their names alone: of two with the same bytes both are there. The
    prepared model is still kept in the data folder.

    Args:
        around: puts something in front of what reads files.
    """
    from local_rag.adapters.memory_index import MemorySearchIndex

    silence_vendors()
    with throwaway_folder() as folder:
        embedder = providers.embedder(settings)
        engine = open_database(f"sqlite:///{folder / 'catalog.sqlite3'}")
        stores = Stores(
            engine=engine,
            catalog=_CatalogOfNames(engine),
            spaces=Spaces(Space(MemorySearchIndex(), embedder.info, embedder)),
            sources=FileSourceStore(folder / "originals"),
            inbox=None,
            write_lock=threading.Lock(),
            process="",
            places={
                "database": Place("sqlite"),
                "index": Place("memory"),
                "sources": Place("file"),
            },
        )
        auditor = providers.auditor(settings)
        services = _assemble(settings, folder, stores, embedder, auditor, around)
        try:
            yield services
        finally:
            services.extractor.close()
            services.chat.close()
            engine.dispose()


@dataclass(frozen=True, slots=True)
class Bench:
    """An empty library to measure the search on.

    Attributes:
        split: cuts texts as the settings say.
        hybrid: finds passages as the settings say.
    """

    catalog: Catalog
    space: Space
    split: Splitter
    hybrid: Hybrid


@contextmanager
def open_bench(settings: Settings) -> Iterator[Bench]:
    """The embedded stores in a folder that is removed afterwards, whatever servers are named.

    The prepared model is still kept in the data folder.

    Raises:
        DiskFull: too little space is left to open the index.
    """
    silence_vendors()
    here = {name: SecretStr("") for name in ("database_url", "qdrant_url", "sources_url")}
    settings = settings.model_copy(update=here)
    with throwaway_folder() as folder:
        require_space(shutil.disk_usage(folder).free, 0, reserve_bytes=SPACE_TO_START_BYTES)
        embedder = providers.embedder(settings)
        known = partial(providers.embedder_of, settings)
        with open_stores(settings, folder, embedder, known) as stores:
            space = stores.spaces.serving
            hybrid = Hybrid(
                stores.catalog,
                lambda: space,
                _hybrid_options(settings),
                providers.reranker(settings),
            )
            split = recursive_splitter(settings.chunk_size, settings.chunk_overlap)
            yield Bench(stores.catalog, space, split, hybrid)


def _assemble(
    settings: Settings,
    folder: Path,
    stores: Stores,
    embedder: Embedder,
    auditor: Auditor | None,
    around: Callable[[Extractor], Extractor] = lambda extractor: extractor,
) -> Services:
    incoming = folder / "incoming"
    incoming.mkdir(parents=True, exist_ok=True)
    for leftover in incoming.iterdir():  # of a process that was killed; the jobs' folder stays
        if leftover.is_file():
            leftover.unlink(missing_ok=True)
    extractor = around(ProcessExtractor(settings.extract_timeout))
    writer = ExtractiveWriter(embedder.embed_passages, embedder.info.languages)
    chat = providers.chat_choice(settings)
    shelf = Shelf(
        catalog=stores.catalog,
        sources=stores.sources,
        spaces=stores.spaces,
        free_bytes=lambda: shutil.disk_usage(folder).free,
        write_lock=stores.write_lock,
    )
    library = Library(
        catalog=stores.catalog,
        sources=stores.sources,
        shelf=shelf,
        extractor=extractor,
        split=recursive_splitter(settings.chunk_size, settings.chunk_overlap),
        max_file_bytes=settings.max_upload_mb * 1_000_000,
    )
    reindex = Reindex(
        catalog=stores.catalog,
        spaces=stores.spaces,
        shelf=shelf,
        finished=lambda: record_space(stores.catalog, embedder.info),
    )
    desk = Desk(
        catalog=stores.catalog,
        hybrid=Hybrid(
            stores.catalog,
            lambda: stores.spaces.serving,
            _hybrid_options(settings),
            providers.reranker(settings),
        ),
        writer=writer,
        chat=chat,
        limits=providers.chat_limits(settings),
        auditor=auditor,
    )
    conversations = SqlConversationStore(stores.engine)
    return Services(
        settings=settings,
        catalog=stores.catalog,
        sources=stores.sources,
        spaces=stores.spaces,
        embedder=embedder,
        extractor=extractor,
        writer=writer,
        library=library,
        reindex=reindex,
        jobs=_jobs(settings, library, stores, incoming / "jobs"),
        desk=desk,
        conversations=Conversations(desk, conversations),
        kept=KeptConversations(conversations, stores.catalog),
        cases=SqlCaseStore(stores.engine),
        places=stores.places,
        incoming=incoming,
        chat=chat,
        auditor=auditor,
        embedding_local=providers.embedding_is_local(settings),
    )


def desk_under(services: Services, settings: Settings) -> Desk:
    """The desk of a program as other settings make it; they make the same passages.

    Its chat model is the program's.

    Raises:
        InvalidRequest, ModelFault: the settings name no usable reranker or decision model.
    """
    desk = services.desk
    return replace(
        desk,
        hybrid=replace(
            desk.hybrid,
            options=_hybrid_options(settings),
            reranker=providers.reranker(settings),
        ),
        limits=providers.chat_limits(settings),
        auditor=providers.auditor(settings),
    )


def _hybrid_options(settings: Settings) -> HybridOptions:
    return HybridOptions(
        top_k=settings.top_k,
        score_threshold=settings.score_threshold,
        fusion=settings.fusion,
        dense_weight=settings.dense_weight,
        lexical_weight=settings.lexical_weight,
        rerank_depth=settings.rerank_depth,
    )


def _jobs(
    settings: Settings, library: Library, stores: Stores, incoming: Path
) -> Jobs | SharedJobs:
    if stores.inbox is None:
        return Jobs(library, SqlJobStore(stores.engine), incoming)
    queue = SqlJobQueue(stores.engine, lease_s=settings.job_lease)
    return SharedJobs(
        library,
        queue,
        stores.inbox,
        incoming,
        document=stores.catalog.document,
        process=stores.process,
        lease_s=settings.job_lease,
    )
