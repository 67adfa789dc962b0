"""The laws of ``ports.Catalog``: on the fake, on SQLite and on a real PostgreSQL."""

from __future__ import annotations

from dataclasses import replace

import pytest
from fakes import FakeCatalog

from local_rag.adapters.database import open_database
from local_rag.adapters.migrations import HEAD
from local_rag.adapters.postgres import postgres_url as as_url
from local_rag.adapters.sql_catalog import SqlCatalog
from local_rag.errors import DiskFull, StoreFault, UnknownDocument, UnknownPage
from local_rag.model.document import Chunk, Document, Extraction, Page, PageReading, Section, Word


@pytest.fixture(params=["fake", "sqlite", "postgres"])
def catalog(request, tmp_path):
    if request.param == "fake":
        made = FakeCatalog()
    elif request.param == "sqlite":
        made = SqlCatalog(open_database(f"sqlite:///{tmp_path}/c.db"))
    else:
        url = as_url(request.getfixturevalue("postgres_url"))
        made = SqlCatalog(open_database(url), shared=True)
    yield made
    made.close()


def a_document(n: int = 1, name: str = "notes.txt", **changes) -> Document:
    document = Document(
        document_id=f"{n:032x}",
        name=name,
        media_type="text/plain",
        source_sha256=f"{n:064x}",
        size_bytes=11,
        page_count=1,
        chunk_count=1,
        title=None,
        added_at=f"2026-01-01T00:00:{n:02d}.000000+00:00",
        language="en",
    )
    return replace(document, **changes)


PAGE = Page(
    1, "Hello world", "iv", 595.25, 842.5, (Word(0, 5, 1.5, 2, 3, 4), Word(6, 11, 5, 6, 7, 8))
)
SECTION = Section("1.2", "Hello", 2, ("Top", "Hello"), 1, 0, 1, 11)
READING = PageReading(1, "ocr", ("ocr", "rotated"), 0, 2, None, 0.75)
EXTRACTION = Extraction((PAGE,), (SECTION,), readings=(READING,))


def a_chunk(document: Document) -> Chunk:
    chunk_id = f"{int(document.document_id, 16) + 1000:032x}"
    return Chunk(
        chunk_id, document.document_id, 0, 1, 0, 11, "Hello world", "1.2", ("Top", "Hello"), "| a |"
    )


def put(catalog, document: Document) -> tuple[str, ...]:
    catalog.stage(document, EXTRACTION, [a_chunk(document)])
    return catalog.publish(document.document_id)


def test_a_staged_document_is_seen_by_no_read(catalog):
    document = a_document()
    catalog.stage(document, EXTRACTION, [a_chunk(document)])
    assert catalog.documents() == []
    assert catalog.languages() == {}
    assert catalog.find_by_name("notes.txt") is None
    assert catalog.find_by_source(document.source_sha256) is None
    assert catalog.chunks([a_chunk(document).chunk_id]) == {}
    assert catalog.unfinished() == {document.document_id}
    for read in (catalog.document, catalog.sections, catalog.document_chunks, catalog.retire):
        with pytest.raises(UnknownDocument):
            read(document.document_id)


def test_what_was_published_is_read_back_whole(catalog):
    document = a_document()
    assert put(catalog, document) == ()
    assert catalog.document(document.document_id) == document
    assert catalog.documents() == [document]
    assert catalog.page(document.document_id, 1) == PAGE
    assert catalog.sections(document.document_id) == [SECTION]
    assert catalog.readings(document.document_id) == [READING]
    chunk = a_chunk(document)
    assert catalog.document_chunks(document.document_id) == [chunk]
    assert catalog.chunks([chunk.chunk_id, "f" * 32]) == {chunk.chunk_id: (chunk, document)}
    assert catalog.unfinished() == frozenset()


def test_publishing_retires_the_document_of_the_same_name_and_no_other(catalog):
    put(catalog, a_document(1))
    put(catalog, a_document(2, "other.txt"))
    assert put(catalog, a_document(3)) == (a_document(1).document_id,)
    assert [d.document_id for d in catalog.documents()] == [f"{3:032x}", f"{2:032x}"]
    assert catalog.unfinished() == {f"{1:032x}"}


def test_the_text_of_every_page_is_read_at_once(catalog):
    second = replace(PAGE, page_number=2, text="Then more", label=None)
    document = a_document(page_count=2)
    catalog.stage(document, replace(EXTRACTION, pages=(PAGE, second)), [a_chunk(document)])
    catalog.publish(document.document_id)
    assert catalog.page_texts(document.document_id) == [
        (1, "iv", "Hello world"),
        (2, None, "Then more"),
    ]
    with pytest.raises(UnknownDocument):
        catalog.page_texts("e" * 32)


def test_tags_are_those_put_last_and_pass_on_to_what_replaces_the_document(catalog):
    put(catalog, a_document(1))
    put(catalog, a_document(2, "other.txt"))
    catalog.put_tags(a_document(1).document_id, ["old"])
    catalog.put_tags(a_document(1).document_id, ["sea", "light"])
    assert catalog.tags() == {a_document(1).document_id: ("sea", "light")}
    put(catalog, a_document(3))
    assert catalog.tags() == {a_document(3).document_id: ("sea", "light")}
    catalog.put_tags(a_document(3).document_id, [])
    assert catalog.tags() == {}
    for unknown in ("e" * 32, a_document(1).document_id):
        with pytest.raises(UnknownDocument):
            catalog.put_tags(unknown, ["x"])


def test_the_tags_of_a_removed_document_are_gone(catalog):
    document = a_document()
    put(catalog, document)
    catalog.put_tags(document.document_id, ["sea"])
    catalog.retire(document.document_id)
    assert catalog.tags() == {}
    catalog.forget(document.document_id)
    put(catalog, document)
    assert catalog.tags() == {}


def test_publishing_what_is_not_staged_fails(catalog):
    put(catalog, a_document())
    for document_id in (a_document().document_id, "e" * 32):
        with pytest.raises(UnknownDocument):
            catalog.publish(document_id)


def test_a_retired_document_is_gone_from_every_read_and_can_be_forgotten(catalog):
    document = a_document()
    put(catalog, document)
    catalog.retire(document.document_id)
    assert catalog.documents() == []
    assert catalog.chunks([a_chunk(document).chunk_id]) == {}
    assert catalog.own_source(document.document_id) == document.source_sha256
    catalog.forget(document.document_id)
    assert catalog.own_source(document.document_id) is None
    assert catalog.unfinished() == frozenset()


def test_bytes_that_two_documents_are_made_of_belong_to_neither(catalog):
    one, two = a_document(1, "a.txt"), a_document(2, "b.txt", source_sha256=f"{1:064x}")
    put(catalog, one)
    put(catalog, two)
    assert catalog.own_source(one.document_id) is None
    catalog.retire(two.document_id)
    assert catalog.own_source(one.document_id) is None
    catalog.forget(two.document_id)
    assert catalog.own_source(one.document_id) == one.source_sha256


def test_forgetting_never_touches_a_searchable_document(catalog):
    put(catalog, a_document())
    catalog.forget(a_document().document_id)
    catalog.forget("e" * 32)
    assert catalog.documents() == [a_document()]


def test_a_document_can_be_staged_again_after_it_was_retired(catalog):
    put(catalog, a_document())
    catalog.retire(a_document().document_id)
    put(catalog, a_document())
    assert catalog.documents() == [a_document()]
    assert catalog.unfinished() == frozenset()


def test_documents_come_newest_first_ties_by_the_codes_of_their_names(catalog):
    for n in (2, 1, 3):
        put(catalog, a_document(n, f"{n}.txt"))
    for n, name in enumerate(["b.txt", "B.txt", "a b.txt", "ab.txt", "ä.txt"], 4):
        put(catalog, a_document(n, name, added_at=a_document(9).added_at))
    names = [d.name for d in catalog.documents()]
    assert names == ["B.txt", "a b.txt", "ab.txt", "b.txt", "ä.txt", "3.txt", "2.txt", "1.txt"]


def test_the_oldest_document_of_equal_bytes_is_found(catalog):
    for n in (2, 1):
        put(catalog, a_document(n, f"{n}.txt", source_sha256="a" * 64))
    assert catalog.find_by_source("a" * 64).name == "1.txt"


def test_languages_are_counted(catalog):
    for n, language in enumerate(["en", "de", "en"], 1):
        put(catalog, a_document(n, f"{n}.txt", language=language))
    assert catalog.languages() == {"en": 2, "de": 1}


def test_a_page_that_is_not_there_is_named(catalog):
    put(catalog, a_document())
    with pytest.raises(UnknownPage):
        catalog.page(a_document().document_id, 2)


def test_settings_are_kept_and_overwritten(catalog):
    assert catalog.setting("embedding") is None
    catalog.put_setting("embedding", "a")
    catalog.put_setting("embedding", "b")
    assert catalog.setting("embedding") == "b"


def test_the_recorded_head_is_alembics_head():
    from alembic.config import Config
    from alembic.script import ScriptDirectory

    config = Config()
    config.set_main_option("script_location", "local_rag.adapters:migrations")
    config.set_main_option("path_separator", "os")
    assert ScriptDirectory.from_config(config).get_current_head() == HEAD


def test_the_migrations_make_the_tables_that_the_code_declares(tmp_path):
    import sqlalchemy as sa
    from alembic.autogenerate import compare_metadata
    from alembic.migration import MigrationContext

    from local_rag.adapters.tables import metadata

    SqlCatalog(open_database(f"sqlite:///{tmp_path}/c.db")).close()
    engine = sa.create_engine(f"sqlite:///{tmp_path}/c.db")
    with engine.connect() as connection:
        assert compare_metadata(MigrationContext.configure(connection), metadata) == []
    engine.dispose()


def test_a_catalogue_of_a_newer_program_is_refused(tmp_path):
    import sqlalchemy as sa

    SqlCatalog(open_database(f"sqlite:///{tmp_path}/c.db")).close()
    engine = sa.create_engine(f"sqlite:///{tmp_path}/c.db")
    with engine.begin() as connection:
        connection.execute(sa.text("UPDATE alembic_version SET version_num = '9999'"))
    engine.dispose()
    with pytest.raises(StoreFault, match="version 9999"):
        SqlCatalog(open_database(f"sqlite:///{tmp_path}/c.db"))


def test_a_file_that_is_no_database_is_refused(tmp_path):
    (tmp_path / "c.db").write_bytes(b"not a database" * 100)
    with pytest.raises(StoreFault):
        SqlCatalog(open_database(f"sqlite:///{tmp_path}/c.db"))


def test_a_read_does_not_wait_for_a_writer(tmp_path):
    import sqlalchemy as sa

    catalog = SqlCatalog(open_database(f"sqlite:///{tmp_path}/c.db"))
    put(catalog, a_document())
    writer = sa.create_engine(f"sqlite:///{tmp_path}/c.db")
    with writer.connect() as connection:
        connection.execute(sa.text("BEGIN IMMEDIATE"))
        connection.execute(sa.text("DELETE FROM documents"))
        assert catalog.documents() == [a_document()]
        connection.rollback()
    writer.dispose()
    catalog.close()


def test_a_read_that_a_write_overtook_is_not_remembered():
    from local_rag.adapters.recent_reads import RecentReads

    reads = RecentReads()
    generation = reads.generation
    reads.forget({"any"})
    reads.keep_unfinished(generation, frozenset({"old"}))
    reads.keep_chunks(generation, {"old": (None, None)})
    assert reads.unfinished is None
    assert reads.chunks(["old"]) == {}


def test_passages_read_before_are_gone_once_their_document_is_retired(catalog):
    document = a_document()
    put(catalog, document)
    chunk_id = a_chunk(document).chunk_id
    assert list(catalog.chunks([chunk_id])) == [chunk_id]
    catalog.retire(document.document_id)
    assert catalog.chunks([chunk_id]) == {}
    assert catalog.unfinished() == {document.document_id}


def test_a_full_disk_is_told_from_a_broken_catalogue(tmp_path):
    import sqlalchemy as sa

    engine = open_database(f"sqlite:///{tmp_path}/c.db")
    with engine.connect() as connection:
        pages = connection.scalar(sa.text("PRAGMA page_count"))
        connection.execute(sa.text(f"PRAGMA max_page_count = {pages + 2}"))
        with pytest.raises(DiskFull):
            connection.execute(
                sa.text("INSERT INTO index_settings VALUES ('k', :value)"), {"value": "x" * 100_000}
            )
    engine.dispose()


@pytest.mark.parametrize("database_url", ["sqlite", "postgres"], indirect=True)
def test_what_no_database_can_hold_is_replaced_and_keeps_its_place(database_url):
    catalog = SqlCatalog(open_database(_opened(database_url)))
    raw, stored = "a\0b\ud800c", "a\ufffdb\ufffdc"
    document = a_document(1, f"{raw}.txt", title=raw)
    chunk = replace(a_chunk(document), text=raw, heading_path=(raw,), lead=raw, section_id=raw)
    section = replace(SECTION, title=raw, path=(raw,))
    catalog.stage(document, Extraction((replace(PAGE, text=raw, label=raw),), (section,)), [chunk])
    catalog.publish(document.document_id)
    assert catalog.find_by_name(f"{raw}.txt").title == stored
    assert catalog.page(document.document_id, 1).text == stored
    (read,) = catalog.document_chunks(document.document_id)
    assert (read.text, read.lead, read.heading_path) == (stored, stored, (stored,))
    assert catalog.sections(document.document_id)[0].path == (stored,)
    catalog.note_twin(raw, document.source_sha256)
    assert catalog.twins(document.source_sha256) == [stored]
    catalog.close()


def _opened(url):
    return as_url(url) if url.startswith("postgres") else url
