"""The original files in a shared folder or an object store, through fsspec.

What is read is a copy in the data folder, checked against its hash when it is made. The copies
have a bound; the ones that were not used for longest go first.
"""

from __future__ import annotations

import logging
import os
import re
import tempfile
import threading
import uuid
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from local_rag.adapters.places import Place
from local_rag.errors import InvalidRequest, LocalRagError, StoreFault
from local_rag.ingest.identity import file_sha256

if TYPE_CHECKING:
    from collections.abc import Iterator

_log = logging.getLogger(__name__)
_HASH = re.compile(r"[0-9a-f]{64}")
_JOB_ID = re.compile(r"[0-9a-f]{32}")
_PART = ".part-"
_HERE = ("file", "local", "memory")


class RemoteFolder:
    """A folder that fsspec reaches.

    Args:
        url: ``file:///mnt/share``, ``s3://bucket/prefix`` or what else fsspec knows.
        below: name of a folder there that all is put into.

    Raises:
        InvalidRequest: it is no URL of a kind that fsspec knows. The message does not repeat it.
        StoreFault: the kind's package is not installed, or a ``file://`` folder is not there.
    """

    def __init__(self, url: str, below: str = "") -> None:
        import fsspec

        self.place = sources_place(url)
        try:
            # Another process writes there: what was listed a moment ago is not kept.
            found = fsspec.core.url_to_fs(url, use_listings_cache=False, skip_instance_cache=True)
        except ImportError as exc:
            raise StoreFault(
                f"RAG_SOURCES_URL needs a package for {self.place.provider}:// that is not there.",
                fix="Run `uv sync --extra s3` for s3://, or install fsspec's package for it.",
            ) from exc
        except Exception as exc:
            raise InvalidRequest(
                f"RAG_SOURCES_URL cannot be used ({type(exc).__name__}).",
                fix="Set it to a URL such as file:///mnt/share/local-rag or s3://bucket/local-rag.",
            ) from exc
        self._fs: Any
        self._fs, root = found
        self._root = root.rstrip("/")
        self._is_local = self.place.provider in ("file", "local")
        if self._is_local and not Path(self._root).is_dir():
            # Making it would fill the disk below a share that is not mounted.
            raise StoreFault(
                "The folder that RAG_SOURCES_URL names is not there.",
                fix="Create it, or mount the share.",
            )
        self._root = f"{self._root}/{below}" if below else self._root

    def size(self, name: str) -> int | None:
        """Bytes of the file, or ``None`` where there is none."""
        with self._told():
            try:
                return int(self._fs.info(self._at(name))["size"])
            except FileNotFoundError:
                return None

    def put(self, name: str, source: Path) -> None:
        """Writes the file: whole, or not at all."""
        target = self._at(name)
        with self._told():
            if not self._is_local:  # object stores show an object when it is complete
                self._fs.put_file(str(source), target)
                return
            part = Path(target).parent / f"{_PART}{uuid.uuid4().hex}"
            part.parent.mkdir(parents=True, exist_ok=True)
            try:
                self._fs.put_file(str(source), str(part))
                with part.open("rb") as written:
                    os.fsync(written.fileno())
                part.replace(target)
            finally:
                part.unlink(missing_ok=True)

    def fetch(self, name: str, target: Path) -> bool:
        """Writes the file to ``target``; returns whether it is there at all."""
        with self._told():
            try:
                self._fs.get_file(self._at(name), str(target))
            except FileNotFoundError:
                return False
        return True

    def delete(self, name: str) -> None:
        """Removes it; where there is none, that is no error."""
        with self._told(), suppress(FileNotFoundError):
            self._fs.rm_file(self._at(name))

    def names(self, folder: str) -> set[str]:
        """Names of all files at any depth below the folder."""
        with self._told():
            try:
                return {path.rsplit("/", 1)[-1] for path in self._fs.find(self._at(folder))}
            except FileNotFoundError:
                return set()

    def _at(self, name: str) -> str:
        return f"{self._root}/{name}"

    @contextmanager
    def _told(self) -> Iterator[None]:
        try:
            yield
        except (LocalRagError, FileNotFoundError):
            raise
        except Exception as exc:
            raise StoreFault(
                f"The originals at {self.place.address} cannot be used ({type(exc).__name__}).",
                fix="See that RAG_SOURCES_URL can be reached, read and written.",
            ) from exc


def sources_place(url: str) -> Place:
    """Where the folder is; without user, key and query."""
    parts = urlsplit(url)
    if not parts.scheme:
        raise InvalidRequest(
            "RAG_SOURCES_URL has no scheme.",
            fix="Set it to a URL such as file:///mnt/share/local-rag or s3://bucket/local-rag.",
        )
    host = parts.netloc.rpartition("@")[2]
    return Place(parts.scheme, f"{parts.scheme}://{host}{parts.path}", parts.scheme in _HERE)


class FsspecSourceStore:
    """``ports.SourceStore`` in a remote folder: ``originals/ab/abcdef…``.

    Args:
        cache: folder of the local copies.
        most_bytes: bound of the copies; the one that is asked for is kept whatever its size.
    """

    def __init__(self, remote: RemoteFolder, cache: Path, most_bytes: int) -> None:
        self._remote = remote
        self._cache = cache
        self._most_bytes = most_bytes
        self._lock = threading.Lock()
        cache.mkdir(parents=True, exist_ok=True)
        for copy in cache.iterdir():
            if not _HASH.fullmatch(copy.name) or remote.size(_name(copy.name)) is None:
                copy.unlink()  # half a copy, or of an original that was removed meanwhile

    def put(self, source: Path, source_sha256: str) -> Path:
        """See ``ports.SourceStore.put``."""
        name = _name(source_sha256)
        if self._remote.size(name) != source.stat().st_size:
            self._remote.put(name, source)
        return self.path(source_sha256)

    def path(self, source_sha256: str) -> Path:
        """See ``ports.SourceStore.path``.

        Raises:
            StoreFault: it is gone, or is not what its hash says.
        """
        name = _name(source_sha256)
        copy = self._cache / source_sha256
        with self._lock:
            size_bytes = self._remote.size(name)
            if size_bytes is None:
                copy.unlink(missing_ok=True)
                raise _gone()
            if not copy.is_file() or copy.stat().st_size != size_bytes:
                self._fetch(name, copy)
            os.utime(copy)
            self._make_room(copy)
        return copy

    def _fetch(self, name: str, copy: Path) -> None:
        handle, temporary = tempfile.mkstemp(dir=self._cache, prefix=_PART)
        os.close(handle)
        part = Path(temporary)
        try:
            if not self._remote.fetch(name, part):
                raise _gone()
            if file_sha256(part) != copy.name:
                raise StoreFault(
                    "The original file was changed or cut short where it is kept.",
                    fix="Add the document again.",
                )
            part.replace(copy)
        finally:
            part.unlink(missing_ok=True)

    def _make_room(self, wanted: Path) -> None:
        copies = [(path.stat(), path) for path in self._cache.iterdir() if path != wanted]
        copies.sort(key=lambda pair: pair[0].st_mtime_ns)
        total = wanted.stat().st_size + sum(stat.st_size for stat, _ in copies)
        for stat, path in copies:
            if total <= self._most_bytes:
                break
            path.unlink(missing_ok=True)
            total -= stat.st_size

    def delete(self, source_sha256: str) -> None:
        """See ``ports.SourceStore.delete``."""
        self._remote.delete(_name(source_sha256))
        with self._lock:
            (self._cache / source_sha256).unlink(missing_ok=True)

    def hashes(self) -> set[str]:
        """See ``ports.SourceStore.hashes``."""
        return {name for name in self._remote.names("originals") if _HASH.fullmatch(name)}


class FsspecInbox:
    """``ports.Inbox`` beside the originals: ``incoming/<job id>``."""

    def __init__(self, remote: RemoteFolder) -> None:
        self._remote = remote

    def put(self, job_id: str, source: Path) -> None:
        """See ``ports.Inbox.put``."""
        self._remote.put(_incoming(job_id), source)

    def fetch(self, job_id: str, target: Path) -> bool:
        """See ``ports.Inbox.fetch``."""
        return self._remote.fetch(_incoming(job_id), target)

    def delete(self, job_id: str) -> None:
        """See ``ports.Inbox.delete``."""
        self._remote.delete(_incoming(job_id))

    def ids(self) -> set[str]:
        """See ``ports.Inbox.ids``."""
        return {name for name in self._remote.names("incoming") if _JOB_ID.fullmatch(name)}


def _gone() -> StoreFault:
    return StoreFault(
        "The original file is gone from where it was kept.",
        fix="Add the document again, or remove it.",
    )


def _name(source_sha256: str) -> str:
    if not _HASH.fullmatch(source_sha256):
        raise ValueError(f"not a sha256: {source_sha256!r}")
    return f"originals/{source_sha256[:2]}/{source_sha256}"


def _incoming(job_id: str) -> str:
    if not _JOB_ID.fullmatch(job_id):
        raise ValueError(f"not a job's id: {job_id!r}")
    return f"incoming/{job_id}"
