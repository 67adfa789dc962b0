"""Originals in a shared folder or an object store: copies here are whole, checked and bounded."""

from __future__ import annotations

import hashlib
import uuid

import pytest

from local_rag.adapters.fsspec_sources import (
    FsspecInbox,
    FsspecSourceStore,
    RemoteFolder,
    sources_place,
)
from local_rag.adapters.places import Place
from local_rag.errors import InvalidRequest, StoreFault


@pytest.fixture(params=["file", "memory"])
def url(request, tmp_path):
    if request.param == "memory":
        return f"memory://{uuid.uuid4().hex}"
    (tmp_path / "share").mkdir()
    return f"file://{tmp_path}/share"


@pytest.fixture
def put(tmp_path):
    def put(store, content: bytes) -> str:
        path = tmp_path / "upload"
        path.write_bytes(content)
        sha256 = hashlib.sha256(content).hexdigest()
        store.put(path, sha256)
        return sha256

    return put


def opened(url, cache, most_bytes=10**9):
    return FsspecSourceStore(RemoteFolder(url), cache, most_bytes)


def test_what_one_process_keeps_another_one_reads(url, tmp_path, put):
    one, two = opened(url, tmp_path / "1"), opened(url, tmp_path / "2")
    sha256 = put(one, b"words")
    assert two.path(sha256).read_bytes() == b"words"
    assert two.path(sha256).parent == tmp_path / "2"
    assert two.hashes() == {sha256}
    one.delete(sha256)
    with pytest.raises(StoreFault, match="gone"):
        two.path(sha256)
    assert list((tmp_path / "2").iterdir()) == []  # the copy goes with it


def test_an_original_that_was_changed_is_never_handed_out(url, tmp_path, put):
    store = opened(url, tmp_path / "1")
    sha256 = put(store, b"words")
    bad = tmp_path / "bad"
    bad.write_bytes(b"w0rds")
    RemoteFolder(url).put(f"originals/{sha256[:2]}/{sha256}", bad)
    fresh = opened(url, tmp_path / "2")
    with pytest.raises(StoreFault, match="changed or cut short"):
        fresh.path(sha256)
    assert list((tmp_path / "2").iterdir()) == []
    bad.write_bytes(b"wo")
    RemoteFolder(url).put(f"originals/{sha256[:2]}/{sha256}", bad)
    put(fresh, b"words")  # one of another size is replaced
    assert fresh.path(sha256).read_bytes() == b"words"


def test_copies_that_were_not_used_for_longest_go_first(url, tmp_path, put):
    store = opened(url, tmp_path / "1", most_bytes=250)
    a, b, c = (put(store, letter * 100) for letter in (b"a", b"b", b"c"))
    assert {path.name for path in (tmp_path / "1").iterdir()} == {b, c}
    store.path(b)
    store.path(a)
    assert {path.name for path in (tmp_path / "1").iterdir()} == {b, a}
    large = put(store, b"d" * 1000)
    assert store.path(large).stat().st_size == 1000
    assert {path.name for path in (tmp_path / "1").iterdir()} == {large}
    assert store.hashes() == {a, b, c, large}


def test_copies_of_what_was_removed_meanwhile_go_at_the_start(url, tmp_path, put):
    stays, goes = (put(opened(url, tmp_path / "1"), text) for text in (b"stays", b"goes"))
    opened(url, tmp_path / "2").delete(goes)
    (tmp_path / "1" / ".part-x").write_text("half a copy")
    opened(url, tmp_path / "1")
    assert {path.name for path in (tmp_path / "1").iterdir()} == {stays}


def test_an_inbox_hands_files_to_another_process(url, tmp_path):
    inbox, other = FsspecInbox(RemoteFolder(url)), FsspecInbox(RemoteFolder(url))
    source, target = tmp_path / "source", tmp_path / "target"
    source.write_bytes(b"upload")
    assert inbox.ids() == set()
    inbox.put("a" * 32, source)
    assert other.fetch("a" * 32, target)
    assert target.read_bytes() == b"upload"
    assert other.ids() == {"a" * 32}
    other.delete("a" * 32)
    other.delete("a" * 32)
    assert not inbox.fetch("a" * 32, target)
    with pytest.raises(ValueError, match="not a job"):
        inbox.fetch("../originals/x", target)


def test_a_share_that_is_not_mounted_is_said_so_and_not_made(tmp_path):
    with pytest.raises(StoreFault, match="not there") as caught:
        RemoteFolder(f"file://{tmp_path}/missing")
    assert "mount" in caught.value.fix
    assert not (tmp_path / "missing").exists()


def test_the_missing_package_of_an_object_store_is_named(monkeypatch):
    import fsspec

    def refuse(*_args, **_options):
        raise ImportError("s3fs")

    monkeypatch.setattr(fsspec.core, "url_to_fs", refuse)
    with pytest.raises(StoreFault, match="s3://") as caught:
        RemoteFolder("s3://bucket/x")
    assert "uv sync --extra s3" in caught.value.fix


@pytest.mark.parametrize("bad", ["/plain/path", "nonsense://user:s3cret@host/x"])
def test_what_fsspec_does_not_know_is_refused_without_repeating_it(bad):
    with pytest.raises(InvalidRequest, match="RAG_SOURCES_URL") as caught:
        RemoteFolder(bad)
    assert "s3cret" not in caught.value.message + caught.value.fix


def test_a_folder_that_refuses_is_a_fault_with_its_address_and_no_secret(tmp_path):
    folder = RemoteFolder(f"file://{tmp_path}")
    (tmp_path / "originals").write_text("a file where a folder should be")
    (tmp_path / "x").write_text("x")
    with pytest.raises(StoreFault, match="originals at file://"):
        folder.put("originals/ab/x", tmp_path / "x")
    assert sources_place("s3://key:s3cret@bucket/x?token=s3cret") == Place(
        "s3", "s3://bucket/x", local=False
    )
