"""Opens the database of the catalogue and brings it to the newest version."""

from __future__ import annotations

import logging
from functools import partial
from pathlib import Path
from typing import Any

import sqlalchemy as sa

from local_rag.adapters import postgres
from local_rag.adapters.migrations import HEAD
from local_rag.errors import DiskFull, EnvironmentFault, StoreFault


def open_database(url: str | sa.URL) -> sa.Engine:
    """The database, ready for use; ``dispose`` it in the end.

    Args:
        url: SQLAlchemy URL, such as ``sqlite:///data/catalog.sqlite3``, or one of
            ``postgres.postgres_url``.

    Raises:
        StoreFault: it cannot be opened, or is of a newer version of the program.
    """
    url = sa.make_url(url)
    if url.get_backend_name() == "postgresql":
        engine = postgres.postgres_engine(url)
        translate = partial(postgres.translate_fault, place=postgres.postgres_place(url))
        sa.event.listen(engine, "handle_error", translate)
    else:
        engine = sa.create_engine(url, hide_parameters=True)  # they are document text
        sa.event.listen(engine, "connect", _set_up_sqlite)
    sa.event.listen(engine, "handle_error", _on_error)
    try:
        _migrate(engine)
    except sa.exc.DatabaseError as exc:
        engine.dispose()
        raise StoreFault(
            f"The catalogue cannot be opened ({type(exc.orig).__name__}).",
            fix="Restore the data folder from a copy, or start with an empty one.",
        ) from exc
    except EnvironmentFault:
        engine.dispose()
        raise
    return engine


def _on_error(context: sa.ExceptionContext) -> None:
    error = context.original_exception
    if "disk is full" in str(error):
        raise DiskFull("The disk of the data folder is full.") from error
    if postgres.is_disk_full(error):
        raise DiskFull(
            "The disk of the database is full.", fix="Make space on the disk of PostgreSQL."
        ) from error


def _migrate(engine: sa.Engine) -> None:
    with engine.connect() as connection:
        if _is_current(connection):
            return
    logging.getLogger("alembic").setLevel(logging.WARNING)
    from alembic import command
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent / "migrations"))
    config.set_main_option("path_separator", "os")
    with engine.begin() as connection:
        if engine.dialect.name == "postgresql":
            postgres.lock_for_transaction(connection, postgres.MIGRATING)
            if _is_current(connection):  # another process was quicker
                return
        config.attributes["connection"] = connection
        command.upgrade(config, "head")


def _is_current(connection: sa.Connection) -> bool:
    """Whether nothing is to be done. Raises StoreFault where a newer program has been here."""
    if not sa.inspect(connection).has_table("alembic_version"):
        return False
    recorded = connection.scalar(sa.text("SELECT version_num FROM alembic_version"))
    if recorded is not None and recorded > HEAD:
        raise StoreFault(
            f"The catalogue is of version {recorded}, this program knows {HEAD}.",
            fix="Install the newer local-rag that wrote this data folder.",
        )
    return bool(recorded == HEAD)


def _set_up_sqlite(connection: Any, _record: object) -> None:
    """WAL lets reads go on while a document is written."""
    for pragma in (
        "journal_mode=WAL",
        "synchronous=NORMAL",
        "foreign_keys=ON",
        "busy_timeout=30000",
    ):
        connection.execute(f"PRAGMA {pragma}")
