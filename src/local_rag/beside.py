"""Parts of the program that are opened alone, also beside a running one."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from local_rag.adapters.extraction import ProcessExtractor
from local_rag.adapters.quiet import silence_vendors
from local_rag.adapters.sql_cases import SqlCaseStore
from local_rag.adapters.sql_catalog import SqlCatalog
from local_rag.adapters.sql_conversations import SqlConversationStore
from local_rag.adapters.throwaway_folder import throwaway_folder
from local_rag.stores import open_engine, open_sources
from local_rag.usecases.kept import KeptConversations

if TYPE_CHECKING:
    from collections.abc import Iterator

    from local_rag.ports import CaseStore, Catalog, Extractor
    from local_rag.settings import Settings
    from local_rag.usecases.exports import PageImage


@contextmanager
def open_catalog(settings: Settings) -> Iterator[Catalog]:
    """The catalogue alone, to be read beside a running program."""
    settings.data_dir.mkdir(parents=True, exist_ok=True)
    catalog = SqlCatalog(open_engine(settings, settings.data_dir), shared=True)
    try:
        yield catalog
    finally:
        catalog.close()


@contextmanager
def open_kept(settings: Settings) -> Iterator[KeptConversations]:
    """The conversations alone, to be read and edited beside a running program."""
    settings.data_dir.mkdir(parents=True, exist_ok=True)
    engine = open_engine(settings, settings.data_dir)
    try:
        yield KeptConversations(SqlConversationStore(engine), SqlCatalog(engine, shared=True))
    finally:
        engine.dispose()


@contextmanager
def open_cases(settings: Settings) -> Iterator[CaseStore]:
    """The golden cases alone, to be read and edited beside a running program."""
    settings.data_dir.mkdir(parents=True, exist_ok=True)
    engine = open_engine(settings, settings.data_dir)
    try:
        yield SqlCaseStore(engine)
    finally:
        engine.dispose()


@contextmanager
def open_page_images(settings: Settings, catalog: Catalog) -> Iterator[PageImage]:
    """Draws pages of the library's documents beside a running program.

    Files that need a password are not drawn: it is known to the process that was given it only.
    """
    extractor = ProcessExtractor(settings.extract_timeout)
    with throwaway_folder() as copies:
        sources = open_sources(settings, settings.data_dir, copies, catalog)

        def page_image(document_id: str, page_number: int, dpi: int) -> bytes:
            document = catalog.document(document_id)
            path = sources.path(document.source_sha256)
            return extractor.render(path, document.media_type, page_number, dpi)

        try:
            yield page_image
        finally:
            extractor.close()


@contextmanager
def open_extractor(settings: Settings) -> Iterator[Extractor]:
    """What reads files, without a library."""
    silence_vendors()
    extractor = ProcessExtractor(settings.extract_timeout)
    try:
        yield extractor
    finally:
        extractor.close()
