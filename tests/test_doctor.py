"""``local-rag doctor`` in this process, with model servers over real HTTP."""

from __future__ import annotations

import json

import pytest
from model_server import ModelServer

from local_rag.cli.main import main
from local_rag.composition import open_services
from local_rag.settings import load_settings


@pytest.fixture(autouse=True)
def _own_folder(monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def server():
    with ModelServer() as running:
        yield running


def doctor(capsys, *options):
    status = main(["doctor", "--json", *options])
    said = json.loads(capsys.readouterr().out)
    assert said["works"] is (status == 0)
    return status, {check["name"]: check for check in said["checks"]}


def test_the_default_set_up_works_without_ollama_and_says_how_to_add_it(capsys, monkeypatch):
    with ModelServer() as stopped:
        pass
    monkeypatch.setenv("RAG_OLLAMA_BASE_URL", stopped.url)
    assert main(["doctor"]) == 0
    said = capsys.readouterr().out
    for piece in ("data folder", "disk space", "OCR", "embedding", "library"):
        assert f"✓ {piece}" in said
    assert "– answers" in said
    assert "ollama serve" in said


def test_ollama_with_the_model_is_found(capsys, monkeypatch, server):
    monkeypatch.setenv("RAG_OLLAMA_BASE_URL", server.url)
    status, checks = doctor(capsys)
    assert status == 0
    assert checks["answers"]["works"] is True
    assert "llama3.2:3b" in checks["answers"]["message"]


def test_a_model_that_is_asked_for_and_missing_fails_with_its_command(capsys, monkeypatch, server):
    server.does.models = ()
    monkeypatch.setenv("RAG_OLLAMA_BASE_URL", server.url)
    monkeypatch.setenv("RAG_CHAT_PROVIDER", "ollama")
    monkeypatch.setenv("RAG_EMBEDDING_PROVIDER", "ollama")
    status, checks = doctor(capsys)
    assert status == 1
    assert checks["answers"]["fix"] == "Run `ollama pull llama3.2:3b`."
    assert "ollama pull embeddinggemma" in checks["embedding"]["fix"]
    assert "library" not in checks


def test_a_server_that_sends_texts_away_is_said(capsys, monkeypatch, server):
    server.does.remote_host = "https://ollama.com"
    monkeypatch.setenv("RAG_OLLAMA_BASE_URL", server.url)
    _, checks = doctor(capsys)
    assert "leave this machine" in checks["answers"]["message"]


def test_a_data_folder_that_is_a_file_fails(capsys, tmp_path):
    (tmp_path / "data").write_text("not a folder")
    status, checks = doctor(capsys, "--data-dir", "data")
    assert status == 1
    assert checks["data folder"]["works"] is False
    assert "--data-dir" in checks["data folder"]["fix"]


def test_a_library_that_a_running_program_has_open_is_left_alone(capsys):
    with open_services(load_settings(chat_provider="extractive")):
        status, checks = doctor(capsys)
    assert status == 0
    assert "running local-rag" in checks["library"]["message"]


def test_another_embedding_model_is_announced_and_nothing_is_embedded_anew(
    capsys, monkeypatch, tmp_path, server
):
    (tmp_path / "light.txt").write_text("The lighthouse was built in 1873.")
    assert main(["add", "light.txt"]) == 0
    capsys.readouterr()
    monkeypatch.setenv("RAG_OLLAMA_BASE_URL", server.url)
    monkeypatch.setenv("RAG_EMBEDDING_PROVIDER", "ollama")
    status, checks = doctor(capsys)
    assert status == 0
    assert "embeds them anew" in checks["library"]["message"]
    assert not any("1873" in str(body) for body in server.bodies("/api/embed"))
