"""The command line as a person types it: a real process on a real folder."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import urllib.request
from pathlib import Path

import pytest

from local_rag.model.answer import NO_DOCUMENTS, REFUSAL


@pytest.fixture
def run(tmp_path, prepared_models):
    folder = tmp_path / "data"
    folder.mkdir()
    (folder / "models").symlink_to(prepared_models)

    def call(*words: str, check: int = 0):
        environment = {k: v for k, v in os.environ.items() if not k.startswith("RAG_")}
        done = subprocess.run(
            [sys.executable, "-m", "local_rag.cli.main", *words],
            capture_output=True,
            text=True,
            cwd=tmp_path,
            env=environment | {"RAG_DATA_DIR": str(folder)},
            check=False,
        )
        assert done.returncode == check, done.stderr
        return done

    return call


@pytest.fixture(scope="session")
def prepared_models(tmp_path_factory):
    return tmp_path_factory.mktemp("models")


@pytest.fixture
def notes(tmp_path) -> Path:
    folder = tmp_path / "notes"
    folder.mkdir()
    (folder / "coast.txt").write_text("The lighthouse was built in 1873. Its keeper drank tea.")
    (folder / "bread.md").write_text("# Bread\n\nBread rises because yeast makes gas.")
    return folder


def test_one_question_is_answered_from_files_and_nothing_stays(run, notes):
    done = run(
        "ask", str(notes / "coast.txt"), str(notes / "bread.md"), "When was the lighthouse built?"
    )
    assert done.stdout.splitlines() == [
        "The lighthouse was built in 1873. [1]",
        "",
        "Sources",
        "[1] coast.txt, page 1",
        "    “The lighthouse was built in 1873.”",
    ]
    assert run("list").stdout == "The library is empty. Add files with: local-rag add PATH…\n"


def test_an_answer_comes_as_json(run, notes):
    answer = json.loads(run("ask", str(notes), "Why does bread rise?", "--json").stdout)
    assert answer["answer"] == "Bread rises because yeast makes gas. [1]"
    assert answer["citations"][0]["section"] == "Bread"


def test_a_folder_is_added_listed_asked_and_removed(run, notes):
    added = run("add", str(notes)).stdout.splitlines()
    assert added == [
        "[1/2] bread.md … added (1 pages, 1 passages)",
        "[2/2] coast.txt … added (1 pages, 1 passages)",
    ]
    assert "coast.txt" in run("list").stdout
    listed = json.loads(run("list", "--json").stdout)["documents"]
    assert {document["name"] for document in listed} == {"bread.md", "coast.txt"}
    assert "1873" in run("ask", "When was the lighthouse built?").stdout
    assert run("remove", "coast.txt").stdout == "removed coast.txt\n"
    assert run("ask", "When was the lighthouse built?").stdout == REFUSAL + "\n"
    assert run("remove", listed[0]["document_id"], check=2).stderr.count("unknown-document") <= 1
    assert "nothing was removed" in run("remove", "bread.md", "none.txt", check=2).stderr


def test_an_empty_library_says_so(run):
    assert run("ask", "Is there anything?").stdout == NO_DOCUMENTS + "\n"


def test_a_broken_file_does_not_stop_the_others(run, notes):
    (notes / "broken.pdf").write_bytes(b"<html>")
    done = run("add", str(notes), check=1)
    assert "1 of 3 files were not added:" in done.stdout
    assert "[wrong-content]" in done.stdout
    assert run("list").stdout.count("\n") == 2


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (("ask", "missing.txt", "x?"), "invalid-request"),
        (("ask", ""), "invalid-question"),
        (("add", "missing"), "invalid-request"),
        (("remove", "missing"), "unknown-document"),
    ],
)
def test_an_error_is_one_clear_line_with_a_way_out(run, words, code):
    done = run(*words, check=2)
    assert f"[{code}]" in done.stderr
    assert "Traceback" not in done.stderr
    assert done.stdout == ""


def test_help_loads_nothing_heavy(run):
    assert "COMMAND" in run("--help").stdout
    code = (
        "import sys\nfrom local_rag.cli.main import main\n"
        "try: main(['--help'])\nexcept SystemExit: pass\n"
        "print([m for m in ('numpy', 'fastapi', 'sqlalchemy', 'pymupdf') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.endswith("[]\n")


@pytest.fixture
def serving(run, tmp_path):
    environment = {k: v for k, v in os.environ.items() if not k.startswith("RAG_")}
    command = [sys.executable, "-m", "local_rag.cli.main", "--port", "0", "--no-browser"]
    with subprocess.Popen(
        command,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        cwd=tmp_path,
        env=environment | {"RAG_DATA_DIR": str(tmp_path / "data")},
    ) as process:
        line = process.stdout.readline()
        yield process, line.removeprefix("local-rag is listening on ").strip()
        process.terminate()


def test_a_server_answers_and_keeps_the_folder_to_itself(run, serving, notes):
    _, url = serving
    with urllib.request.urlopen(url + "/health") as reply:
        assert json.load(reply)["documents"] == 0
    assert "[store-locked]" in run("add", str(notes), check=2).stderr
    assert run("list").stdout.startswith("The library is empty")
    port = url.rsplit(":", 1)[1]
    assert "Cannot listen on" in run("serve", "--port", port, "--no-browser", check=2).stderr


def test_the_first_answer_needs_no_heavy_package(serving):
    process, url = serving
    with urllib.request.urlopen(url + "/health"):
        pass
    maps = Path(f"/proc/{process.pid}/maps")
    if not maps.exists():
        pytest.skip("this system does not show a process's files")
    mapped = maps.read_text()
    assert "qdrant_edge" in mapped
    for name in ("pymupdf", "onnxruntime", "tokenizers"):
        assert f"/{name}/" not in mapped
