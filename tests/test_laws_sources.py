"""The laws of ``ports.SourceStore``: on the fake, on real files and on folders of fsspec."""

from __future__ import annotations

import hashlib
import uuid

import pytest
from fakes import FakeSourceStore

from local_rag.adapters.file_sources import FileSourceStore
from local_rag.adapters.fsspec_sources import FsspecSourceStore, RemoteFolder
from local_rag.errors import StoreFault

CONTENT, OTHER = b"\x00bytes", b"others"
A, B = (hashlib.sha256(content).hexdigest() for content in (CONTENT, OTHER))


@pytest.fixture(params=["fake", "files", "file://", "memory://"])
def store(request, tmp_path):
    kept = tmp_path / "kept"
    kept.mkdir()
    if request.param == "fake":
        return FakeSourceStore(kept)
    if request.param == "files":
        return FileSourceStore(kept)
    url = f"file://{kept}" if request.param == "file://" else f"memory://{uuid.uuid4().hex}"
    return FsspecSourceStore(RemoteFolder(url), tmp_path / "copies", 10**9)


@pytest.fixture
def source(tmp_path):
    path = tmp_path / "x"
    path.write_bytes(CONTENT)
    return path


def test_what_was_put_is_kept_apart_from_its_source(store, source):
    kept = store.put(source, A)
    source.write_bytes(b"changed")
    assert kept.read_bytes() == CONTENT
    assert store.path(A).read_bytes() == CONTENT


def test_the_same_bytes_are_kept_once(store, source):
    assert store.put(source, A) == store.put(source, A)
    source.write_bytes(OTHER)
    store.put(source, B)
    assert store.hashes() == {A, B}


def test_a_kept_file_that_was_cut_short_is_replaced(store, source):
    kept = store.put(source, A)
    kept.write_bytes(b"half")
    store.put(source, A)
    assert store.path(A).read_bytes() == source.read_bytes()


def test_what_was_deleted_is_gone(store, source):
    store.put(source, A)
    store.delete(A)
    store.delete(A)
    assert store.hashes() == set()
    with pytest.raises(StoreFault):
        store.path(A)


def test_a_hash_is_never_a_path(tmp_path):
    with pytest.raises(ValueError, match="not a sha256"):
        FileSourceStore(tmp_path).path("../../etc/passwd")
