"""The privacy promise: in the default configuration no connection leaves this machine."""

from __future__ import annotations

import subprocess
import sys

import pymupdf

CODE = """
import socket, sys

attempts = []

def audit(event, args):
    if event in ("socket.connect", "socket.sendto"):
        address = args[1]
        if isinstance(address, tuple) and not str(address[0]).startswith(("127.", "::1")):
            attempts.append(address)
    if event in ("socket.getaddrinfo", "socket.gethostbyname"):
        name = args[0].decode() if isinstance(args[0], bytes) else args[0]
        if name not in ("127.0.0.1", "localhost", None):  # Ollama is looked for on this machine
            attempts.append(args[:2])

sys.addaudithook(audit)
from pathlib import Path
from local_rag.composition import open_services
from local_rag.settings import Settings

folder = Path(sys.argv[1])
with open_services(Settings(data_dir=folder / "data", _env_file=None)) as services:
    for path in sorted((folder / "files").iterdir()):
        services.library.add(path, path.name)
    answer = services.desk.answer("When was the lighthouse built?")
    assert "1873" in answer.text, answer
    services.library.remove_all()
print("attempts:", attempts)
"""


def test_adding_asking_and_removing_opens_no_connection_to_another_machine(tmp_path):
    (tmp_path / "files").mkdir()
    document = pymupdf.open()
    document.new_page().insert_text((72, 72), "The lighthouse was built in 1873.")
    document.save(tmp_path / "files" / "a.pdf")
    (tmp_path / "files" / "b.md").write_text("# Tea\n\nThe keeper drank tea.")
    done = subprocess.run(
        [sys.executable, "-c", CODE, str(tmp_path)], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() == "attempts: []"
