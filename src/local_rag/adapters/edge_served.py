"""The shard that serves, and how a sealed copy of it takes its place."""

from __future__ import annotations

import logging
import shutil
import threading
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from local_rag.adapters.edge_places import ShardPlaces, read_ahead, size_bytes, sync
from local_rag.adapters.edge_sealing import seal
from local_rag.adapters.edge_shard import copy_documents, create_shard, load_shard, shard_config
from local_rag.errors import StoreFault, StoreLocked

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from pathlib import Path

_log = logging.getLogger(__name__)
_FRESH_SHARE = 0.02  # of the sealed points: all of them are copied to seal the rest
_GONE_SHARE = 0.25  # deleted points that are worth a sealing; the engine drops them from 0.2 on
_FEW_CHANGES = 20  # documents that are copied while writers wait
_SPACE_FACTOR = 2.5  # a copy, and the largest part of it once more while it is being built
_SPACE_BYTES = 200_000_000


class _Sealing:
    """What happens to the shard while a copy of it is being sealed.

    Attributes:
        changed: documents that were written or deleted meanwhile.
        void: set where the copy is of no use any more.
    """

    def __init__(self) -> None:
        self.changed: set[str] = set()
        self.void = threading.Event()


class ServedShard:
    """The current shard of an index: read by many, written by one at a time, sealed beside that.

    A shard that cannot be read is replaced by an empty one: all of it can be rebuilt.

    Args:
        folder: of the index; made where it is not there.
        dimensions: width of the dense vectors.
        fresh_most: points that may be searched one by one.

    Attributes:
        sealed: points that were there when the shard was sealed last.

    Raises:
        StoreLocked: another process has the shard open.
        StoreFault: no shard can be made in the folder.
    """

    def __init__(self, folder: Path, dimensions: int, fresh_most: int) -> None:
        self._dimensions = dimensions
        self._fresh_most = fresh_most
        self._config = shard_config(dimensions, fresh_most)
        self._write_lock = threading.Lock()
        self._count_lock = threading.Lock()
        self._thread: threading.Thread | None = None
        self._sealing: _Sealing | None = None
        self._closing = False
        self.sealed = 0
        self._shard: Any = self._open(folder)
        points: int = self._shard.info().points_count
        self._fresh: int = max(0, points - self.sealed)
        self._gone: int = max(0, self.sealed - points)
        if self.sealed:
            threading.Thread(target=read_ahead, args=(self._place,), daemon=True).start()
        self.note()

    def _open(self, folder: Path) -> Any:
        try:
            self._places = ShardPlaces(folder)
            known = self._places.current()
            if known is not None:
                self._place, self.sealed = known
                try:
                    shard = load_shard(self._place, self._config)
                except Exception as exc:  # noqa: BLE001 - the engine raises nothing narrower
                    _refuse_if_locked(exc)
                    _log.warning("the search index is damaged and is made anew")
                else:
                    self._places.clear(keep=self._place)
                    return shard
            self._places.clear()
            self._place, self.sealed = self._places.new(), 0
            shard = create_shard(self._place, self._config)
            self._places.choose(self._place, 0)
        except StoreLocked:
            raise
        except Exception as exc:
            _refuse_if_locked(exc)
            raise StoreFault(
                f"The search index cannot be opened ({type(exc).__name__}).",
                fix="Check that the data folder can be written to and has space.",
            ) from exc
        return shard

    def read(self, ask: Callable[[Any], Any]) -> Any:
        """What the shard answers; asked again where another has just taken its place."""
        while True:
            shard = self._shard
            try:
                return ask(shard)
            except Exception:
                if shard is self._shard:
                    raise

    def query(self, request: Any) -> list[Any]:
        """The points found, best first."""
        points: list[Any] = self.read(lambda shard: shard.query(request))
        return points

    @contextmanager
    def writing(self, document_ids: Iterable[str]) -> Iterator[Any]:
        """The shard, for changing these documents; nobody else writes until the block ends."""
        with self._write_lock:
            if self._sealing is not None:
                self._sealing.changed.update(document_ids)
            yield self._shard

    def flush(self) -> None:
        """Makes what was written durable."""
        with self._write_lock:
            self._shard.flush()

    def note(self, *, added: int = 0, removed: int = 0) -> None:
        """Counts what was written, and starts sealing in the background where it pays."""
        with self._count_lock:
            self._fresh += added
            self._gone += removed
            busy = self._thread is not None and self._thread.is_alive()
            if not busy and not self._closing and self._is_due():
                self._thread = threading.Thread(target=self._upkeep, name="sealing", daemon=True)
                self._thread.start()

    def is_small(self) -> bool:
        """Whether so few points are left that all of them may be searched one by one."""
        return self.sealed + self._fresh - self._gone <= self._fresh_most

    def clear(self, operation: Any) -> None:
        """Applies an operation that empties the shard."""
        with self._write_lock:
            if self._sealing is not None:
                self._sealing.void.set()
            self._shard.update(operation)
            self._shard.flush()
        with self._count_lock:
            self._fresh, self._gone = 0, self.sealed

    def close(self) -> None:
        """Releases the files; a sealing that is going on is given up. Twice is no error."""
        with self._write_lock:
            self._closing = True
            if self._sealing is not None:
                self._sealing.void.set()
        self.settle()
        with self._write_lock:
            if self._shard is not None:
                self._shard.close()
                self._shard = None

    def settle(self) -> None:
        """Waits until nothing is being sealed."""
        if self._thread is not None:
            self._thread.join()

    def _is_due(self) -> bool:
        many = max(self._fresh_most, self.sealed * _FRESH_SHARE)
        return self._fresh >= many or self._gone >= max(self._fresh_most, self.sealed * _GONE_SHARE)

    def _upkeep(self) -> None:
        while self._is_due() and not self._closing:
            fresh, gone, place = self._fresh, self._gone, self._places.new()
            try:
                self._seal(place)
            except Exception as exc:  # noqa: BLE001 - the engine raises nothing narrower
                # Its text may hold paths; the shard that serves is as it was.
                _log.warning("sealing the search index failed: %s", type(exc).__name__)
            finally:
                self._sealing = None
                if place != self._place:
                    shutil.rmtree(place, ignore_errors=True)
                # Also where it failed: it is tried again when as much has come once more.
                with self._count_lock:
                    self._fresh, self._gone = max(0, self._fresh - fresh), max(0, self._gone - gone)

    def _seal(self, place: Path) -> None:
        sealing = _Sealing()
        with self._write_lock:
            if self._closing:
                return
            needed = size_bytes(self._place) * _SPACE_FACTOR + _SPACE_BYTES
            if shutil.disk_usage(self._place).free < needed:
                _log.warning("too little space to seal the search index")
                return
            self._shard.flush()
            shutil.copytree(self._place, place)
            points = self._shard.info().points_count
            self._sealing = sealing
        if not seal(place, self._dimensions, self._fresh_most, points, sealing.void):
            if not sealing.void.is_set():
                _log.warning("the process that seals the search index died")
            return
        read_ahead(place)  # loading holds the interpreter's lock, and would wait for the disk
        shard = load_shard(place, self._config)
        try:
            while len(sealing.changed) > _FEW_CHANGES and not sealing.void.is_set():
                with self._write_lock:
                    changed, sealing.changed = sealing.changed, set()
                copy_documents(self._shard, shard, changed)
            shard.flush()
            sync(place)
            with self._write_lock:
                if sealing.void.is_set():
                    return
                copy_documents(self._shard, shard, sealing.changed)
                shard.flush()
                self._places.choose(place, points)
                shard, self._shard = self._shard, shard
                left, self._place, self.sealed = self._place, place, points
        finally:
            shard.close()  # the one that does not serve
        shutil.rmtree(left, ignore_errors=True)


def _refuse_if_locked(exc: Exception) -> None:
    if "WouldBlock" in str(exc):
        raise StoreLocked("Another local-rag has this data folder open.") from exc
