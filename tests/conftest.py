"""No test reaches beyond this machine, reads the settings of who runs it, or is held to a time."""

from __future__ import annotations

import os
import socket

import hypothesis
import pytest
from postgres_server import new_database, serving_postgres

hypothesis.settings.register_profile("untimed", deadline=None)
hypothesis.settings.load_profile("untimed")

_connect = socket.socket.connect


def _loopback_only(self, address):
    if self.family in (socket.AF_INET, socket.AF_INET6):
        host = address[0]
        if not (host.startswith("127.") or host in ("::1", "localhost")):
            raise AssertionError(f"a connection to {host} was tried")
    return _connect(self, address)


@pytest.fixture(autouse=True, scope="session")
def _no_connection_beyond_loopback():
    patched = pytest.MonkeyPatch()
    patched.setattr(socket.socket, "connect", _loopback_only)
    for name in list(os.environ):
        if name.startswith("RAG_") or name == "TYPESAFE_API_KEY":
            patched.delenv(name)
    yield
    patched.undo()


@pytest.fixture(scope="session")
def postgres_server():
    """A PostgreSQL for the whole run; skips where none is installed."""
    with serving_postgres() as url:
        yield url


@pytest.fixture
def postgres_url(postgres_server):
    """An empty database."""
    with new_database(postgres_server) as url:
        yield url


@pytest.fixture
def database_url(request, tmp_path):
    """For tests that are parametrised over it: of "sqlite" or "postgres"."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path}/c.db"
    return request.getfixturevalue("postgres_url")
