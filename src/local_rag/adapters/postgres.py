"""PostgreSQL as the catalogue's database: how it is reached, and what several processes agree on.

Agreements are advisory locks of the database. They need sessions of their own: a pooler between
program and server must not give one session to several clients.
"""

from __future__ import annotations

import logging
import threading
import time
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any

import sqlalchemy as sa

from local_rag.adapters.optional import import_optional
from local_rag.adapters.places import Place, is_loopback
from local_rag.errors import InvalidRequest, StoreFault, StoreLocked

if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import TracebackType

_log = logging.getLogger(__name__)
_DRIVER = "postgresql+psycopg"
_CONNECT_TIMEOUT_S = 10
_LOCK_TIMEOUT_S = 120
_PATIENCE_S = 2.0  # the server needs a moment to notice that a process is gone
_CLASS = 0x52414721  # of our advisory locks, so that they meet nobody else's
MIGRATING, WRITING, PRESENT = 1, 2, 3
_DISK_FULL = "53100"
_TRY_LOCK = {
    False: sa.text("SELECT pg_try_advisory_lock_shared(:cls, :key)"),
    True: sa.text("SELECT pg_try_advisory_lock(:cls, :key)"),
}
_COMPANY = sa.text(
    "SELECT count(DISTINCT pid) > 1 FROM pg_locks WHERE locktype = 'advisory' AND granted "
    "AND classid = :cls AND objid = :key AND objsubid = 2 "
    "AND database = (SELECT oid FROM pg_database WHERE datname = current_database())"
)


def postgres_url(text: str) -> sa.URL:
    """The URL for SQLAlchemy.

    Raises:
        InvalidRequest: it is none of PostgreSQL. The message does not repeat it.
    """
    try:
        url = sa.make_url(text)
        known = url.drivername in ("postgres", "postgresql", _DRIVER)
    except (sa.exc.ArgumentError, ValueError):
        known = False
    if not known:
        raise InvalidRequest(
            "RAG_DATABASE_URL is no URL of a PostgreSQL database.",
            fix="Set it to a URL such as postgresql://user:password@127.0.0.1/local_rag.",
        )
    return url.set(drivername=_DRIVER)


def postgres_place(url: sa.URL) -> Place:
    """Where the database is; without user and password."""
    hosts = url.query.get("host", url.host or "")
    hosts = (hosts,) if isinstance(hosts, str) else hosts
    shown = ",".join(hosts) or "socket"
    port = f":{url.port}" if url.port else ""
    local = all(is_loopback(host) for part in hosts for host in part.split(","))
    return Place("postgresql", f"{shown}{port}/{url.database or ''}", local)


def postgres_engine(url: sa.URL) -> sa.Engine:
    """Not connected yet.

    Raises:
        StoreFault: the driver is not installed.
    """
    import_optional("psycopg", extra="postgres", setting="RAG_DATABASE_URL")
    defaults = {
        "connect_timeout": str(_CONNECT_TIMEOUT_S),
        "application_name": "local-rag",
        "keepalives_idle": "30",
        "keepalives_interval": "10",
        "keepalives_count": "3",
    }
    return sa.create_engine(
        url,
        hide_parameters=True,  # they are document text
        pool_pre_ping=True,
        pool_size=10,
        connect_args={key: value for key, value in defaults.items() if key not in url.query},
    )


def is_disk_full(error: BaseException) -> bool:
    """Whether the server said that its disk is full."""
    return getattr(error, "sqlstate", None) == _DISK_FULL


def translate_fault(context: sa.ExceptionContext, place: Place) -> None:
    """For SQLAlchemy's ``handle_error``: what the person is told where the database is gone.

    Raises:
        StoreFault: it cannot be reached, or the connection broke.
    """
    error = context.original_exception
    if context.is_pre_ping:
        return  # the pool connects anew
    if context.is_disconnect or context.connection is None:
        raise StoreFault(
            f"The database at {place.address} cannot be reached ({type(error).__name__}).",
            fix="See that PostgreSQL runs and that RAG_DATABASE_URL leads to it.",
        ) from error


def lock_for_transaction(connection: sa.Connection, key: int) -> None:
    """Waits until this transaction alone holds the lock ``key``."""
    _limit_waiting(connection)
    connection.execute(sa.text("SELECT pg_advisory_xact_lock(:cls, :key)"), _named(key))


def _limit_waiting(connection: sa.Connection) -> None:
    connection.execute(sa.text(f"SET LOCAL lock_timeout = '{_LOCK_TIMEOUT_S}s'"))


def _named(key: int) -> dict[str, int]:
    return {"cls": _CLASS, "key": key}


class Presence:
    """That this process works on the library, told to all others by a lock held while it lives.

    Args:
        alone: whether no other process may be there, since this one keeps a part of the library
            to itself.

    Raises:
        StoreLocked: another process is there that keeps a part to itself, or, with ``alone``, any.
    """

    def __init__(self, engine: sa.Engine, *, alone: bool) -> None:
        self._engine = engine
        self._alone = alone
        self._guard = threading.Lock()
        self._connection: sa.Connection | None = None
        self.confirm()

    def confirm(self) -> None:
        """Tells again where the connection was lost meanwhile.

        Raises:
            StoreLocked: as above.
            StoreFault: the database cannot be reached.
        """
        with self._guard:
            if self._connection is not None and self._is_alive(self._connection):
                return
            self._connection = None
            connection = self._engine.connect().execution_options(isolation_level="AUTOCOMMIT")
            end_s = time.monotonic() + _PATIENCE_S
            while not connection.scalar(_TRY_LOCK[self._alone], _named(PRESENT)):
                if time.monotonic() > end_s:
                    connection.close()
                    raise _not_alone(alone=self._alone)
                time.sleep(0.1)
            self._connection = connection

    def has_company(self) -> bool:
        """Whether another process is there."""
        with self._engine.connect() as connection:
            return bool(connection.scalar(_COMPANY, _named(PRESENT)))

    @staticmethod
    def _is_alive(connection: sa.Connection) -> bool:
        try:
            return bool(connection.scalar(sa.text("SELECT 1")))
        except (sa.exc.DBAPIError, StoreFault):
            connection.invalidate()
            connection.close()
            return False

    def close(self) -> None:
        """Tells that the process is gone. Calling it twice is no error."""
        with self._guard:
            if self._connection is not None:
                with suppress(sa.exc.DBAPIError, StoreFault):  # the session may have ended already
                    self._connection.execute(sa.text("SELECT pg_advisory_unlock_all()"))
                self._connection.close()
                self._connection = None


def _not_alone(*, alone: bool) -> StoreLocked:
    if alone:
        return StoreLocked(
            "Another local-rag works on this database, and this one keeps its index or its "
            "originals in its own data folder.",
            fix="Set RAG_QDRANT_URL and RAG_SOURCES_URL, so that all of them share everything, "
            "or stop the other one.",
        )
    return StoreLocked(
        "Another local-rag works on this database and keeps its index or its originals to itself.",
        fix="Stop it, or set RAG_QDRANT_URL and RAG_SOURCES_URL for it too.",
    )


class WriteLock:
    """One process and thread at a time: a context manager, as ``threading.Lock`` is one.

    A process that dies loses it at once; one that is only paused keeps it.
    """

    def __init__(self, engine: sa.Engine, presence: Presence) -> None:
        self._engine = engine
        self._presence = presence
        self._local = threading.Lock()
        self._held: Any = None

    def __enter__(self) -> bool:
        """Waits for it.

        Raises:
            StoreFault: it was not free for two minutes, or the database cannot be reached.
        """
        self._local.acquire()
        try:
            self._presence.confirm()
            self._held = self._holding()
            self._held.__enter__()
        except BaseException:
            self._local.release()
            raise
        return True

    @contextmanager
    def _holding(self) -> Iterator[None]:
        with self._engine.begin() as connection:
            try:
                lock_for_transaction(connection, WRITING)
            except sa.exc.OperationalError as exc:
                raise StoreFault(
                    "Another local-rag has been writing to the library for too long.",
                    fix="Try again; if it does not help, stop the process that is stuck.",
                ) from exc
            yield

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Releases it."""
        held, self._held = self._held, None
        try:
            held.__exit__(None, None, None)
        except (sa.exc.DBAPIError, StoreFault):  # what was written under it is written
            _log.warning("the database closed the session that held the write lock")
        finally:
            self._local.release()
