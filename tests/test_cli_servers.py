"""The library with an embedding server, from the shell."""

from __future__ import annotations

import json

import pytest
from model_server import ModelServer

from local_rag.adapters.servers import embedder
from local_rag.cli.main import main

TEXT = "\n\n".join(
    f"Chapter {number}. The lighthouse number {number} was built in {1800 + number}. " * 12
    for number in range(40)
)


@pytest.fixture
def server(monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("RAG_EMBEDDING_PROVIDER", "ollama")
    monkeypatch.setattr(embedder, "_FIRST_PAUSE_S", 0.001)
    with ModelServer() as running:
        running.does.window = 1000
        monkeypatch.setenv("RAG_OLLAMA_BASE_URL", running.url)
        yield running


def test_files_are_added_and_asked_with_vectors_of_the_server(capsys, server, tmp_path):
    (tmp_path / "light.txt").write_text("The lighthouse was built in 1873.")
    assert main(["add", "light.txt"]) == 0
    assert main(["ask", "When was the lighthouse built?"]) == 0
    assert "1873" in capsys.readouterr().out
    assert main(["doctor", "--json"]) == 0
    checks = {c["name"]: c for c in json.loads(capsys.readouterr().out)["checks"]}
    assert checks["library"]["message"] == "Documents: 1, indexed passages: 1."


def test_a_server_that_fails_at_the_third_batch_fails_the_file_visibly_and_once(
    capsys, server, tmp_path
):
    (tmp_path / "long.txt").write_text(TEXT)
    server.does.statuses["/api/embed"] = [0, 0, 0, 503, 503, 503, 503]
    assert main(["add", "long.txt"]) == 1
    assert "[model-server-busy]" in capsys.readouterr().out
    assert server.does.statuses["/api/embed"] == []
    assert main(["list"]) == 0
    assert "The library is empty" in capsys.readouterr().out
    assert main(["add", "long.txt"]) == 0
    assert main(["list"]) == 0
    assert "long.txt" in capsys.readouterr().out


def test_a_server_that_is_gone_stops_no_start_and_is_named_where_it_is_needed(
    capsys, monkeypatch, server, tmp_path
):
    (tmp_path / "light.txt").write_text("The lighthouse was built in 1873.")
    assert main(["add", "light.txt"]) == 0
    with ModelServer() as stopped:
        pass
    monkeypatch.setenv("RAG_OLLAMA_BASE_URL", stopped.url)
    capsys.readouterr()
    assert main(["list"]) == 0
    assert main(["remove", "light.txt"]) == 0
    assert "removed light.txt" in capsys.readouterr().out
    (tmp_path / "other.txt").write_text("Bread rises.")
    assert main(["add", "other.txt"]) == 1
    assert "[model-server-unreachable]" in capsys.readouterr().out
