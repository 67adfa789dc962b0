"""A server of the checkout, for the commands beside this file."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator


@contextmanager
def serving() -> Iterator[tuple[str, int]]:
    """Address and process id of a server on a folder that is removed afterwards."""
    environment = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
    command = [sys.executable, "-m", "local_rag.cli.main", "serve", "--port", "0", "--no-browser"]
    with (
        tempfile.TemporaryDirectory() as folder,
        subprocess.Popen(
            command,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            env=environment | {"RAG_DATA_DIR": folder},
        ) as process,
    ):
        try:
            yield process.stdout.readline().split()[-1], process.pid
        finally:
            process.terminate()
            process.wait()
