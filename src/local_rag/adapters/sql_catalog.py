"""The catalogue in a relational database, through SQLAlchemy."""

from __future__ import annotations

import json
import re
import zlib
from array import array
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import sqlalchemy as sa

from local_rag.adapters.recent_reads import NothingKept, RecentReads
from local_rag.adapters.safe_text import storable
from local_rag.adapters.tables import (
    chunks,
    document_tags,
    documents,
    index_settings,
    page_readings,
    pages,
    sections,
    twins,
)
from local_rag.errors import UnknownDocument, UnknownPage
from local_rag.model.document import Chunk, Document, Page, PageReading, Section, Word

if TYPE_CHECKING:
    from collections.abc import Sequence

    from local_rag.model.document import Extraction

_ID = re.compile(r"[0-9a-f]{32}")
_REMEMBERED = 512  # passages of a new document that are kept at hand
_STAGED, _SEARCHABLE, _RETIRED = "staged", "searchable", "retired"
_DOCUMENT_FIELDS = [column for column in documents.c if column.name != "state"]
_CHUNKS_OF_SEARCHABLE = (
    sa.select(chunks, *(c.label(f"d_{c.name}") for c in _DOCUMENT_FIELDS))
    .join(documents, chunks.c.document_id == documents.c.document_id)
    .where(documents.c.state == _SEARCHABLE)
)
_UNFINISHED = sa.select(documents.c.document_id).where(documents.c.state != _SEARCHABLE)

_LANGUAGES = (
    sa.select(documents.c.language, sa.func.count())
    .where(documents.c.state == _SEARCHABLE)
    .group_by(documents.c.language)
)


@lru_cache(maxsize=64)
def _chunks_by_id(count: int) -> sa.Select[Any]:
    """For ``count`` ids; built once each, since a list that expands is rendered at every call."""
    ids: list[sa.BindParameter[str]] = [sa.bindparam(f"id{i}") for i in range(count)]
    return _CHUNKS_OF_SEARCHABLE.where(chunks.c.chunk_id.in_(ids))


class SqlCatalog:
    """``ports.Catalog`` in SQLite or another database that SQLAlchemy reaches.

    Args:
        engine: of ``open_database``; closed with the catalogue.
        shared: whether other processes write to the same database.
    """

    def __init__(self, engine: sa.Engine, *, shared: bool = False) -> None:
        self._engine = engine
        self._reads = NothingKept() if shared else RecentReads()
        self._shared = shared

    def stage(self, document: Document, extraction: Extraction, chunks_: Sequence[Chunk]) -> None:
        """See ``ports.Catalog.stage``."""
        document_id = document.document_id
        row = {c.name: getattr(document, c.name) for c in _DOCUMENT_FIELDS} | {"state": _STAGED}
        with self._engine.begin() as connection:
            connection.execute(
                sa.delete(documents).where(
                    documents.c.document_id == document_id, documents.c.state != _SEARCHABLE
                )
            )
            connection.execute(sa.insert(documents), row)
            for table, rows in (
                (pages, [_page_row(document_id, page) for page in extraction.pages]),
                (page_readings, [_reading_row(document_id, r) for r in extraction.readings]),
                (
                    sections,
                    [_section_row(document_id, i, s) for i, s in enumerate(extraction.sections)],
                ),
                (chunks, [_chunk_row(chunk) for chunk in chunks_]),
            ):
                if rows:
                    connection.execute(sa.insert(table), rows)
        self._reads.forget({document_id})

    def publish(self, document_id: str) -> tuple[str, ...]:
        """See ``ports.Catalog.publish``."""
        with self._engine.begin() as connection:
            name = connection.scalar(
                sa.select(documents.c.name).where(
                    documents.c.document_id == document_id, documents.c.state == _STAGED
                )
            )
            if name is None:
                raise UnknownDocument(f"No document is staged under the id {document_id}.")
            same_name = sa.and_(documents.c.name == name, documents.c.state == _SEARCHABLE)
            retired = connection.scalars(sa.select(documents.c.document_id).where(same_name)).all()
            connection.execute(sa.update(documents).where(same_name).values(state=_RETIRED))
            connection.execute(
                sa.update(documents)
                .where(documents.c.document_id == document_id)
                .values(state=_SEARCHABLE)
            )
            if retired:
                connection.execute(
                    sa.update(document_tags)
                    .where(document_tags.c.document_id == retired[0])
                    .values(document_id=document_id)
                )
        self._reads.forget({document_id, *retired})
        if not self._shared:
            self._remember(document_id)
        return tuple(retired)

    def _remember(self, document_id: str) -> None:
        """What was just added is what is asked about next."""
        generation = self._reads.generation
        query = _CHUNKS_OF_SEARCHABLE.where(chunks.c.document_id == document_id).limit(_REMEMBERED)
        with self._engine.connect() as connection:
            self._reads.keep_chunks(generation, _with_documents(connection.execute(query).all()))

    def retire(self, document_id: str) -> None:
        """See ``ports.Catalog.retire``."""
        with self._engine.begin() as connection:
            done = connection.execute(
                sa.update(documents)
                .where(documents.c.document_id == document_id, documents.c.state == _SEARCHABLE)
                .values(state=_RETIRED)
            )
        if done.rowcount == 0:
            raise _unknown(document_id)
        self._reads.forget({document_id})

    def forget(self, document_id: str) -> None:
        """See ``ports.Catalog.forget``."""
        with self._engine.begin() as connection:
            connection.execute(
                sa.delete(documents).where(
                    documents.c.document_id == document_id, documents.c.state != _SEARCHABLE
                )
            )
            made_of = sa.select(documents.c.source_sha256)
            connection.execute(sa.delete(twins).where(twins.c.source_sha256.not_in(made_of)))
        self._reads.forget({document_id})

    def unfinished(self) -> frozenset[str]:
        """See ``ports.Catalog.unfinished``."""
        known = self._reads.unfinished
        if known is None:
            generation = self._reads.generation
            with self._engine.connect() as connection:
                known = frozenset(connection.scalars(_UNFINISHED))
            self._reads.keep_unfinished(generation, known)
        return known

    def documents(self) -> list[Document]:
        """See ``ports.Catalog.documents``."""
        query = sa.select(*_DOCUMENT_FIELDS).where(documents.c.state == _SEARCHABLE)
        with self._engine.connect() as connection:
            found = [Document(**row) for row in connection.execute(query).mappings()]
        # Sorted here: databases differ in how they order letters.
        found.sort(key=lambda document: document.name)
        return sorted(found, key=lambda document: document.added_at, reverse=True)

    def languages(self) -> dict[str, int]:
        """See ``ports.Catalog.languages``."""
        with self._engine.connect() as connection:
            return {row[0]: row[1] for row in connection.execute(_LANGUAGES)}

    def document(self, document_id: str) -> Document:
        """See ``ports.Catalog.document``."""
        known = _ID.fullmatch(document_id) is not None
        found = self._find(documents.c.document_id == document_id) if known else None
        if found is None:
            raise _unknown(document_id)
        return found

    def find_by_name(self, name: str) -> Document | None:
        """See ``ports.Catalog.find_by_name``."""
        return self._find(documents.c.name == name)

    def find_by_source(self, source_sha256: str) -> Document | None:
        """See ``ports.Catalog.find_by_source``."""
        return self._find(documents.c.source_sha256 == source_sha256)

    def _find(self, condition: sa.ColumnElement[bool]) -> Document | None:
        query = (
            sa.select(*_DOCUMENT_FIELDS)
            .where(condition, documents.c.state == _SEARCHABLE)
            .order_by(documents.c.added_at, documents.c.document_id)
            .limit(1)
        )
        with self._engine.connect() as connection:
            row = connection.execute(query).mappings().first()
        return Document(**row) if row else None

    def page(self, document_id: str, page_number: int) -> Page:
        """See ``ports.Catalog.page``."""
        document = self.document(document_id)
        if not 1 <= page_number <= document.page_count:
            raise UnknownPage(
                "The document has no such page.",
                fix=f"Ask for a page between 1 and {document.page_count}.",
            )
        query = sa.select(pages).where(
            pages.c.document_id == document_id, pages.c.page_number == page_number
        )
        with self._engine.connect() as connection:
            row = connection.execute(query).mappings().one_or_none()
        if row is None:  # removed between the two reads
            raise _unknown(document_id)
        return Page(
            page_number=row["page_number"],
            text=row["text"],
            label=row["label"],
            width_pt=row["width_pt"],
            height_pt=row["height_pt"],
            words=_unpack_words(row["words"]),
        )

    def readings(self, document_id: str) -> list[PageReading]:
        """See ``ports.Catalog.readings``."""
        self.document(document_id)
        query = (
            sa.select(*(c for c in page_readings.c if c.name != "document_id"))
            .where(page_readings.c.document_id == document_id)
            .order_by(page_readings.c.page_number)
        )
        with self._engine.connect() as connection:
            return [
                PageReading(**{**row, "flags": tuple(json.loads(row["flags"]))})
                for row in connection.execute(query).mappings()
            ]

    def page_texts(self, document_id: str) -> list[tuple[int, str | None, str]]:
        """See ``ports.Catalog.page_texts``."""
        self.document(document_id)
        query = (
            sa.select(pages.c.page_number, pages.c.label, pages.c.text)
            .where(pages.c.document_id == document_id)
            .order_by(pages.c.page_number)
        )
        with self._engine.connect() as connection:
            return [(row[0], row[1], row[2]) for row in connection.execute(query)]

    def tags(self) -> dict[str, tuple[str, ...]]:
        """See ``ports.Catalog.tags``."""
        query = (
            sa.select(document_tags.c.document_id, document_tags.c.tag)
            .join(documents, documents.c.document_id == document_tags.c.document_id)
            .where(documents.c.state == _SEARCHABLE)
            .order_by(document_tags.c.document_id, document_tags.c.ordinal)
        )
        found: dict[str, tuple[str, ...]] = {}
        with self._engine.connect() as connection:
            for document_id, tag in connection.execute(query):
                found[document_id] = (*found.get(document_id, ()), tag)
        return found

    def put_tags(self, document_id: str, tags: Sequence[str]) -> None:
        """See ``ports.Catalog.put_tags``."""
        with self._engine.begin() as connection:
            is_here = sa.select(documents.c.document_id).where(
                documents.c.document_id == document_id, documents.c.state == _SEARCHABLE
            )
            if _ID.fullmatch(document_id) is None or connection.scalar(is_here) is None:
                raise _unknown(document_id)
            old = document_tags.c.document_id == document_id
            connection.execute(sa.delete(document_tags).where(old))
            if tags:
                rows = [
                    {"document_id": document_id, "ordinal": i, "tag": tag}
                    for i, tag in enumerate(tags)
                ]
                connection.execute(sa.insert(document_tags), rows)

    def sections(self, document_id: str) -> list[Section]:
        """See ``ports.Catalog.sections``."""
        self.document(document_id)
        query = (
            sa.select(*(c for c in sections.c if c.name not in ("document_id", "ordinal")))
            .where(sections.c.document_id == document_id)
            .order_by(sections.c.ordinal)
        )
        with self._engine.connect() as connection:
            return [
                Section(**{**row, "path": tuple(json.loads(row["path"]))})
                for row in connection.execute(query).mappings()
            ]

    def chunks(self, chunk_ids: Sequence[str]) -> dict[str, tuple[Chunk, Document]]:
        """See ``ports.Catalog.chunks``."""
        generation = self._reads.generation
        found = self._reads.chunks(chunk_ids)
        missing = [chunk_id for chunk_id in chunk_ids if chunk_id not in found]
        if missing:
            read = self._read_chunks(missing)
            self._reads.keep_chunks(generation, read)
            found |= read
        return found

    def _read_chunks(self, chunk_ids: Sequence[str]) -> dict[str, tuple[Chunk, Document]]:
        parameters = {f"id{i}": chunk_id for i, chunk_id in enumerate(chunk_ids)}
        with self._engine.connect() as connection:
            rows = connection.execute(_chunks_by_id(len(chunk_ids)), parameters).all()
        return _with_documents(rows)

    def document_chunks(self, document_id: str) -> list[Chunk]:
        """See ``ports.Catalog.document_chunks``."""
        self.document(document_id)
        query = (
            sa.select(chunks).where(chunks.c.document_id == document_id).order_by(chunks.c.ordinal)
        )
        with self._engine.connect() as connection:
            return [_chunk(row) for row in connection.execute(query)]

    def own_source(self, document_id: str) -> str | None:
        """See ``ports.Catalog.own_source``."""
        other = documents.alias()
        made_of_it_too = sa.exists().where(
            other.c.source_sha256 == documents.c.source_sha256,
            other.c.document_id != documents.c.document_id,
        )
        query = sa.select(documents.c.source_sha256).where(
            documents.c.document_id == document_id, ~made_of_it_too
        )
        with self._engine.connect() as connection:
            return connection.scalar(query)

    def note_twin(self, name: str, source_sha256: str) -> None:
        """See ``ports.Catalog.note_twin``."""
        with self._engine.begin() as connection:
            connection.execute(sa.delete(twins).where(twins.c.name == name))
            connection.execute(sa.insert(twins), {"name": name, "source_sha256": source_sha256})

    def twins(self, source_sha256: str) -> list[str]:
        """See ``ports.Catalog.twins``."""
        taken = sa.select(documents.c.name).where(documents.c.state == _SEARCHABLE)
        query = sa.select(twins.c.name).where(
            twins.c.source_sha256 == source_sha256, twins.c.name.not_in(taken)
        )
        with self._engine.connect() as connection:
            return sorted(connection.scalars(query))

    def setting(self, key: str) -> str | None:
        """See ``ports.Catalog.setting``."""
        query = sa.select(index_settings.c.value).where(index_settings.c.key == key)
        with self._engine.connect() as connection:
            return connection.scalar(query)

    def put_setting(self, key: str, value: str) -> None:
        """See ``ports.Catalog.put_setting``."""
        with self._engine.begin() as connection:
            connection.execute(sa.delete(index_settings).where(index_settings.c.key == key))
            connection.execute(sa.insert(index_settings), {"key": key, "value": value})

    def close(self) -> None:
        """See ``ports.Catalog.close``."""
        self._engine.dispose()


def _unknown(document_id: str) -> UnknownDocument:
    return UnknownDocument(f"No document has the id {document_id[:64]!r}.")


def _page_row(document_id: str, page: Page) -> dict[str, object]:
    return {
        "document_id": document_id,
        "page_number": page.page_number,
        "text": page.text,
        "label": page.label,
        "width_pt": page.width_pt,
        "height_pt": page.height_pt,
        "words": _pack_words(page.words),
    }


def _reading_row(document_id: str, reading: PageReading) -> dict[str, object]:
    row: dict[str, object] = {
        c.name: getattr(reading, c.name) for c in page_readings.c if c.name != "document_id"
    }
    return row | {"document_id": document_id, "flags": json.dumps(reading.flags)}


def _section_row(document_id: str, ordinal: int, section: Section) -> dict[str, object]:
    row: dict[str, object] = {
        c.name: getattr(section, c.name)
        for c in sections.c
        if c.name not in ("document_id", "ordinal")
    }
    return row | {"document_id": document_id, "ordinal": ordinal, "path": _packed(section.path)}


def _packed(headings: Sequence[str]) -> str:
    return json.dumps([storable(heading) for heading in headings])


def _chunk_row(chunk: Chunk) -> dict[str, object]:
    row: dict[str, object] = {c.name: getattr(chunk, c.name) for c in chunks.c}
    return row | {"heading_path": _packed(chunk.heading_path)}


def _with_documents(rows: Sequence[Sequence[Any]]) -> dict[str, tuple[Chunk, Document]]:
    """By chunk id, from the columns of ``_CHUNKS_OF_SEARCHABLE``."""
    width = len(chunks.c)
    return {row[0]: (_chunk(row), Document(*row[width:])) for row in rows}


def _chunk(row: Sequence[Any]) -> Chunk:
    """From the columns of ``tables.chunks`` in their order, whatever may follow them."""
    fields = dict(zip((column.name for column in chunks.c), row, strict=False))
    return Chunk(**fields | {"heading_path": tuple(json.loads(fields["heading_path"]))})


def _pack_words(words: Sequence[Word]) -> bytes:
    """Deflated: all starts and all ends as int32, then four float32 coordinates a word."""
    numbers = array("i", [w.start for w in words]) + array("i", [w.end for w in words])
    boxes = array("f", [coordinate for w in words for coordinate in w[2:]])
    return zlib.compress(numbers.tobytes() + boxes.tobytes(), 1) if words else b""


def _unpack_words(packed: bytes) -> tuple[Word, ...]:
    if not packed:
        return ()
    raw = zlib.decompress(packed)
    count = len(raw) // 24
    numbers, boxes = array("i"), array("f")
    numbers.frombytes(raw[: 8 * count])
    boxes.frombytes(raw[8 * count :])
    return tuple(
        Word(numbers[i], numbers[count + i], *boxes[4 * i : 4 * i + 4]) for i in range(count)
    )
