"""The laws of ``ports.SourceStore``, on the fake and on real files."""

from __future__ import annotations

import pytest
from fakes import FakeSourceStore

from local_rag.adapters.file_sources import FileSourceStore
from local_rag.errors import StoreFault

A, B = "a" * 64, "b" * 64


@pytest.fixture(params=[FakeSourceStore, FileSourceStore])
def store(request, tmp_path):
    (tmp_path / "kept").mkdir()
    return request.param(tmp_path / "kept")


@pytest.fixture
def source(tmp_path):
    path = tmp_path / "x"
    path.write_bytes(b"\x00bytes")
    return path


def test_what_was_put_is_kept_apart_from_its_source(store, source):
    kept = store.put(source, A)
    source.write_bytes(b"changed")
    assert kept.read_bytes() == b"\x00bytes"
    assert store.path(A).read_bytes() == b"\x00bytes"


def test_the_same_bytes_are_kept_once(store, source):
    assert store.put(source, A) == store.put(source, A)
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
