"""A PostgreSQL of Debian's packages, started by the tests on a socket of their own."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
import uuid
from contextlib import contextmanager
from pathlib import Path

import pytest
import sqlalchemy as sa

_SETTINGS = {
    "listen_addresses": "",
    "fsync": "off",
    "full_page_writes": "off",
    "synchronous_commit": "off",
    "max_connections": "60",
    "shared_buffers": "32MB",
}


def _program(name: str) -> str | None:
    found = shutil.which(name)
    if found:
        return found
    installed = sorted(Path("/usr/lib/postgresql").glob(f"*/bin/{name}"))
    return str(installed[-1]) if installed else None


def _as_its_user(command: list[str], folder: Path) -> list[str]:
    """It refuses to run as root; Debian's package brings a user for it."""
    if os.geteuid() != 0:
        return command
    shutil.chown(folder, "postgres", "postgres")
    return [
        "setpriv",
        "--reuid=postgres",
        "--regid=postgres",
        "--clear-groups",
        *command,
    ]


@contextmanager
def serving_postgres():
    """Yields a URL without a database's name, such as ``postgresql://postgres@/?host=/tmp/x``.

    Skips the test where PostgreSQL is not installed, but fails it under CI.
    """
    initdb, pg_ctl = _program("initdb"), _program("pg_ctl")
    if initdb is None or pg_ctl is None:
        message = "PostgreSQL is not installed: apt-get install postgresql"
        if os.environ.get("CI"):
            pytest.fail(message)
        pytest.skip(message)
    # Not in pytest's own folder: that one is closed to other users.
    folder = Path(tempfile.mkdtemp(prefix="pg-"))
    data = folder / "data"
    options = " ".join(f"-c {key}='{value}'" for key, value in _SETTINGS.items())

    def run(*command: str) -> None:
        subprocess.run(
            _as_its_user(list(command), folder),
            check=True,
            cwd=folder,
            stdout=subprocess.DEVNULL,
            timeout=60,
        )

    try:
        run(initdb, "-D", str(data), "-U", "postgres", "-A", "trust", "--no-sync", "-E", "UTF8")
        options += f" -c unix_socket_directories='{folder}'"
        log = str(folder / "log")
        run(pg_ctl, "-D", str(data), "-l", log, "-o", options, "-w", "start")
        try:
            yield f"postgresql://postgres@/postgres?host={folder}"
        finally:
            run(pg_ctl, "-D", str(data), "-m", "immediate", "-w", "stop")
    finally:
        shutil.rmtree(folder, ignore_errors=True)


@contextmanager
def new_database(server_url: str):
    """Yields the URL of an empty database, dropped afterwards."""
    name = f"t{uuid.uuid4().hex}"
    url = sa.make_url(server_url).set(drivername="postgresql+psycopg")
    admin = sa.create_engine(url, isolation_level="AUTOCOMMIT")
    with admin.connect() as connection:
        connection.execute(sa.text(f"CREATE DATABASE {name}"))
    try:
        yield url.set(database=name, drivername="postgresql").render_as_string(hide_password=False)
    finally:
        with admin.connect() as connection:
            connection.execute(sa.text(f"DROP DATABASE {name} WITH (FORCE)"))
        admin.dispose()
