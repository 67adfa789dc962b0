"""Opens the stores that the settings name: in the data folder, or shared between machines.

Together with ``composition`` this is where concrete adapters are named.
"""

from __future__ import annotations

import hashlib
import json
import logging
import os
import shutil
import socket
import threading
import uuid
from contextlib import ExitStack, contextmanager
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

from local_rag.adapters.database import open_database
from local_rag.adapters.edge_index import EdgeSearchIndex
from local_rag.adapters.file_sources import FileSourceStore
from local_rag.adapters.places import Place
from local_rag.adapters.sql_catalog import SqlCatalog
from local_rag.errors import IndexMismatch
from local_rag.ports import EmbedderInfo
from local_rag.retrieve.space import Space
from local_rag.text.tokens import TOKENIZER_VERSION
from local_rag.usecases.spaces import Spaces

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from contextlib import AbstractContextManager
    from pathlib import Path

    import sqlalchemy as sa

    from local_rag.adapters.fsspec_sources import RemoteFolder
    from local_rag.ports import Catalog, Embedder, Inbox, SearchIndex, SourceStore
    from local_rag.settings import Settings

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Stores:
    """What a library is kept in.

    Attributes:
        engine: of the catalogue's database, for the jobs.
        inbox: files of unfinished jobs, where several processes may share the library; else
            ``None``.
        write_lock: held while a document becomes part of the library or leaves it.
        process: names this process.
        places: where the ``database``, the ``index`` and the ``sources`` are.
    """

    engine: sa.Engine
    catalog: Catalog
    spaces: Spaces
    sources: SourceStore
    inbox: Inbox | None
    write_lock: AbstractContextManager[object]
    process: str
    places: dict[str, Place]


def is_shared(settings: Settings) -> bool:
    """Whether several processes may work on the library: nothing of it lies in the data folder."""
    parts = (settings.database_url, settings.qdrant_url, settings.sources_url)
    return all(part.get_secret_value() for part in parts)


@contextmanager
def open_stores(
    settings: Settings,
    folder: Path,
    embedder: Embedder,
    embedder_of: Callable[[EmbedderInfo], Embedder | None],
) -> Iterator[Stores]:
    """The stores; closed afterwards.

    Where the index was made with another model or tokenizer, that index answers until the one of
    ``embedder`` is filled.

    Args:
        embedder_of: the embedder of an earlier space, if it can be had.

    Raises:
        InvalidRequest: a URL is none.
        StoreLocked: another process works on the library and they may not share it.
        StoreFault: a store cannot be opened or reached, or its package is not installed.
        IndexMismatch: another process works on the library with another embedding model.
    """
    with ExitStack() as stack:
        engine, write_lock, has_company, database = _database(settings, folder, stack)
        catalog = SqlCatalog(engine, shared=is_shared(settings))
        with write_lock:
            library = _library_id(catalog)
            _agree_on_space(catalog, embedder.info, has_company)
        spaces, index_place = _spaces(settings, folder, catalog, library, embedder, embedder_of)
        stack.callback(spaces.close)
        sources, inbox, sources_place = _sources(settings, folder, library)
        yield Stores(
            engine=engine,
            catalog=catalog,
            spaces=spaces,
            sources=sources,
            inbox=inbox if is_shared(settings) else None,
            write_lock=write_lock,
            process=f"{socket.gethostname()[:60]}:{os.getpid()}:{uuid.uuid4().hex[:8]}",
            places={"database": database, "index": index_place, "sources": sources_place},
        )


def open_engine(settings: Settings, folder: Path) -> sa.Engine:
    """The catalogue's database alone."""
    url = settings.database_url.get_secret_value()
    if not url:
        return open_database(f"sqlite:///{folder / 'catalog.sqlite3'}")
    from local_rag.adapters.postgres import postgres_url

    return open_database(postgres_url(url))


def _database(
    settings: Settings, folder: Path, stack: ExitStack
) -> tuple[sa.Engine, AbstractContextManager[object], Callable[[], bool], Place]:
    engine = open_engine(settings, folder)
    stack.callback(engine.dispose)
    if engine.dialect.name == "sqlite":
        return engine, threading.Lock(), lambda: False, Place("sqlite")
    from local_rag.adapters.postgres import Presence, WriteLock, postgres_place

    presence = Presence(engine, alone=not is_shared(settings))
    stack.callback(presence.close)
    return engine, WriteLock(engine, presence), presence.has_company, postgres_place(engine.url)


def _library_id(catalog: Catalog) -> str:
    """Tells libraries apart that use one Qdrant server or one folder of originals."""
    known = catalog.setting("library")
    if known is None:
        known = uuid.uuid4().hex
        catalog.put_setting("library", known)
    return known


def _spaces(
    settings: Settings,
    folder: Path,
    catalog: Catalog,
    library: str,
    embedder: Embedder,
    embedder_of: Callable[[EmbedderInfo], Embedder | None],
) -> tuple[Spaces, Place]:
    wanted = _index(settings, folder, embedder.info, library, _space_name(embedder.info))
    target = Space(wanted.index, embedder.info, embedder)
    recorded = _recorded(catalog)
    try:
        if recorded is None or not wanted.is_in_use(recorded[1]):
            return Spaces(target, settle=wanted.settle), wanted.place
        info, name = recorded
        old = _index(settings, folder, info, library, name)
    except BaseException:
        wanted.index.close()
        raise
    serving = Space(old.index, info, embedder_of(info))
    return Spaces(serving, target, settle=wanted.settle), wanted.place


@dataclass(frozen=True, slots=True)
class _Index:
    """An index that is open.

    Attributes:
        is_in_use: whether the one of another space, by its name, is there and answers so far.
        settle: to be called when this one is complete and answers.
    """

    index: SearchIndex
    place: Place
    is_in_use: Callable[[str], bool]
    settle: Callable[[], None]


def _index(
    settings: Settings, folder: Path, info: EmbedderInfo, library: str, space: str
) -> _Index:
    url = settings.qdrant_url.get_secret_value()
    if not url:
        folders = folder / "index"
        where = folders / f"{settings.collection}-{space}"
        return _Index(
            EdgeSearchIndex(where, info.dimensions),
            Place("qdrant-edge"),
            lambda other: other != space and (folders / f"{settings.collection}-{other}").is_dir(),
            lambda: _remove_outdated_indexes(where, settings.collection),
        )
    from local_rag.adapters.qdrant_calls import connect_qdrant, qdrant_place
    from local_rag.adapters.qdrant_index import QdrantSearchIndex

    place = qdrant_place(url)
    client = connect_qdrant(
        url,
        api_key=settings.qdrant_api_key.get_secret_value(),
        grpc_port=settings.qdrant_grpc,
        timeout_s=settings.qdrant_timeout,
    )
    index = QdrantSearchIndex(
        client,
        place,
        alias=settings.collection,
        space=space,
        library=library,
        dimensions=info.dimensions,
        shards=settings.qdrant_shards,
        replication=settings.qdrant_replication,
    )
    return _Index(
        index,
        place,
        lambda other: other != space and index.adopted_space() == other,
        index.adopt,
    )


def _sources(
    settings: Settings, folder: Path, library: str
) -> tuple[SourceStore, Inbox | None, Place]:
    url = settings.sources_url.get_secret_value()
    if not url:
        return FileSourceStore(folder / "originals"), None, Place("file")
    from local_rag.adapters.fsspec_sources import FsspecInbox, FsspecSourceStore, RemoteFolder

    remote: RemoteFolder = RemoteFolder(url, f"library-{library[:8]}")
    most_bytes = settings.sources_cache_mb * 1_000_000
    store = FsspecSourceStore(remote, folder / "copies", most_bytes)
    return store, FsspecInbox(remote), remote.place


def open_sources(settings: Settings, folder: Path, copies: Path, catalog: Catalog) -> SourceStore:
    """The originals alone, to be read beside a running program.

    Args:
        copies: folder for copies of those that lie elsewhere; not that of the running program.
    """
    shared = settings.sources_url.get_secret_value()
    where = copies if shared else folder
    return _sources(settings, where, catalog.setting("library") or "")[0]


def _space_record(info: EmbedderInfo) -> str:
    """What the catalogue keeps of the vector and token space that the index is made in."""
    recorded = asdict(info) | {"tokenizer_version": TOKENIZER_VERSION}
    recorded["languages"] = sorted(info.languages) if info.languages is not None else None
    return json.dumps(recorded, sort_keys=True)


def _recorded(catalog: Catalog) -> tuple[EmbedderInfo, str] | None:
    """The space of the index that is in use and its name; ``None`` before the first start."""
    value = catalog.setting("embedding")
    if value is None:
        return None
    said = json.loads(value)
    version = said.pop("tokenizer_version")
    languages = said.pop("languages")
    info = EmbedderInfo(**said, languages=None if languages is None else frozenset(languages))
    return info, _space_name(info, version)


def _space_name(info: EmbedderInfo, tokenizer_version: str = TOKENIZER_VERSION) -> str:
    """Names the vector and token space: an index made in another one is never asked."""
    identity = f"{info.provider}\0{info.model}\0{info.digest}\0{tokenizer_version}"
    return hashlib.sha256(identity.encode()).hexdigest()[:12]


def _remove_outdated_indexes(current: Path, collection: str) -> None:
    """Indexes of this collection in another space, which nothing asks any more."""
    for folder in current.parent.glob(f"{collection}-*"):
        suffix = folder.name.removeprefix(f"{collection}-")
        if folder != current and len(suffix) == 12 and "-" not in suffix:
            _log.info("removing an index of another model or tokenizer")
            shutil.rmtree(folder, ignore_errors=True)


def is_indexed_with(catalog: Catalog, info: EmbedderInfo) -> bool:
    """Whether the library's index, if it has one, was made in the space of this embedder."""
    return catalog.setting("embedding") in (None, _space_record(info))


def _agree_on_space(catalog: Catalog, info: EmbedderInfo, has_company: Callable[[], bool]) -> None:
    """Notes the space that the index is to be in. All who share a library want the same one."""
    wanted = catalog.setting("embedding-wanted") or catalog.setting("embedding")
    own = _space_record(info)
    if wanted not in (None, own) and has_company():
        raise IndexMismatch(
            "Another local-rag works on this library with another embedding model or version.",
            fix="Set all of them alike, or stop the others first.",
        )
    if wanted != own:
        catalog.put_setting("embedding-wanted", own)


def record_space(catalog: Catalog, info: EmbedderInfo) -> None:
    """Notes which space the index that answers is made in."""
    value = _space_record(info)
    if catalog.setting("embedding") != value:
        catalog.put_setting("embedding", value)
