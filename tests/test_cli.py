"""The command line as a person types it: a real process on a real folder."""

from __future__ import annotations

import contextlib
import errno
import json
import os
import re
import signal
import sqlite3
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

import httpx
import pymupdf
import pytest

from local_rag.cli.data_folder import check_data_folder
from local_rag.cli.files import find_files
from local_rag.composition import open_throwaway_services
from local_rag.errors import StoreFault
from local_rag.model.answer import NO_DOCUMENTS, REFUSAL
from local_rag.settings import load_settings


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
        "[1/2] notes › bread.md … added (1 page, 1 passage)",
        "[2/2] notes › coast.txt … added (1 page, 1 passage)",
    ]
    assert "  1 page        1 passage  notes › coast.txt\n" in run("list").stdout
    listed = json.loads(run("list", "--json").stdout)["documents"]
    assert {document["name"] for document in listed} == {
        "notes › bread.md",
        "notes › coast.txt",
    }
    assert "1873" in run("ask", "When was the lighthouse built?").stdout
    assert run("remove", "notes/coast.txt").stdout == "removed notes › coast.txt\n"
    assert run("ask", "When was the lighthouse built?").stdout == REFUSAL + "\n"
    assert run("remove", listed[0]["document_id"], check=2).stderr.count("unknown-document") <= 1
    assert "nothing was removed" in run("remove", "notes › bread.md", "none.txt", check=2).stderr


def test_an_empty_library_says_so(run):
    assert run("ask", "Is there anything?").stdout == NO_DOCUMENTS + "\n"


def test_broken_files_do_not_stop_the_others(run, notes):
    (notes / "broken.pdf").write_bytes(b"<html>")
    (notes / "empty.md").write_bytes(b"")
    (notes / "gone.txt").symlink_to("nowhere")
    (notes / "loop.txt").symlink_to("loop.txt")
    os.mkfifo(notes / "pipe.txt")
    done = run("add", str(notes), check=1)
    assert run("list").stdout.count("\n") == 2
    table = done.stdout.partition("\n\n")[2].splitlines()
    assert table[:2] == ["5 of 7 files were not added:", "  FILE                WHY"]
    assert [(line[2:20].rstrip(), line.rpartition("[")[2]) for line in table[2:]] == [
        ("notes › broken.pdf", "wrong-content]"),
        ("notes › empty.md", "empty-file]"),
        ("notes › gone.txt", "unreadable-file]"),
        ("notes › loop.txt", "unreadable-file]"),
        ("notes › pipe.txt", "unreadable-file]"),
    ]
    assert all("fix: " in line for line in table[2:])
    assert "1 of 1 file was not added:" in run("add", str(notes / "empty.md"), check=1).stdout


def test_a_question_goes_to_the_files_that_can_be_read(run, notes, tmp_path):
    (notes / "empty.md").write_bytes(b"")
    os.mkfifo(tmp_path / "pipe")
    files = [str(notes / "empty.md"), str(tmp_path / "pipe"), str(notes / "coast.txt")]
    done = run("ask", *files, "When was the lighthouse built?", check=1)
    assert done.stdout.startswith("The lighthouse was built in 1873. [1]\n")
    empty, pipe = done.stderr.splitlines()
    assert empty == (
        "local-rag: empty.md: The file is empty. fix: Send a file with content. [empty-file]"
    )
    assert pipe.startswith("local-rag: pipe: It is a folder, a pipe, a socket or a device")


def test_an_empty_file_is_named_and_nothing_is_answered(run, notes):
    (notes / "empty.md").write_bytes(b"")
    done = run("ask", str(notes / "empty.md"), "Why?", check=2)
    assert done.stdout == ""
    assert done.stderr.startswith("local-rag: empty.md: The file is empty. fix: ")


def test_a_path_that_leads_to_no_document_removes_none_of_its_last_name(run, tmp_path):
    file = tmp_path / "lease.md"
    file.write_text("The rent is due on the third.")
    run("add", str(file))
    refused = run("remove", "other/lease.md", check=2).stderr
    assert "nothing was removed" in refused
    assert run("remove", "lease.md").stdout == "removed lease.md\n"


def test_files_of_a_folder_that_have_no_reader_are_named(run, tmp_path):
    folder = tmp_path / "mixed"
    folder.mkdir()
    (folder / "a.md").write_text("The rent is due on the third.")
    (folder / "b.xyz").write_text("?")
    (folder / ".hidden.xyz").write_text("?")
    out = run("add", str(folder)).stdout
    assert out.endswith("Passed over, of kinds that are not read: b.xyz\n")


def test_files_of_one_name_in_two_folders_are_two_documents(run, tmp_path):
    for folder in ("a", "b"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "readme.md").write_text(f"This is the readme of {folder}.")
    assert run("add", "a", "b").stdout.count(" added (") == 2
    assert run("add", "b").stdout == "[1/1] b › readme.md … already here, unchanged\n"
    (tmp_path / "b" / "readme.md").write_text("This is what it says now.")
    again = run("add", "a/readme.md", "b/readme.md").stdout.splitlines()
    assert again[0] == "[1/2] a › readme.md … already here, unchanged"
    assert again[1] == "[2/2] b › readme.md … replaced the earlier version (1 page, 1 passage)"
    assert run("list").stdout.count("\n") == 2


def test_every_file_of_a_question_is_read_even_equal_ones(run, tmp_path):
    settings = load_settings(data_dir=tmp_path / "data")
    paths = []
    for folder in ("a", "b"):
        (tmp_path / folder).mkdir()
        for name in ("readme.md", "copy.md"):
            paths.append(tmp_path / folder / name)
            paths[-1].write_text("The lighthouse was built in 1873.")
    with open_throwaway_services(settings) as services:
        for file in find_files(paths):
            assert file.read_into(services.library).outcome == "created"
        assert sorted(document.name for document in services.catalog.documents()) == [
            "a › copy.md",
            "a › readme.md",
            "b › copy.md",
            "b › readme.md",
        ]


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
    assert re.fullmatch(rf"local-rag: .+ fix: .+ \[{code}\]\n", done.stderr)
    assert done.stdout == ""


@pytest.mark.parametrize("words", [("list",), ("add", "note.txt"), ("ask", "Why?"), ("serve",)])
@pytest.mark.parametrize("place", ["taken", "taken/below"])
def test_a_data_folder_that_is_a_file_is_said_to_be_one(run, tmp_path, words, place):
    (tmp_path / "taken").write_text("")
    (tmp_path / "note.txt").write_text("A note.")
    done = run(*words, "--data-dir", place, check=2)
    assert done.stderr == (
        f"local-rag: The data folder '{place}' is a file, or lies below one. fix: Move that file"
        " away, or name another folder with --data-dir or RAG_DATA_DIR. [store-fault]\n"
    )


def _refuse(*_arguments, **_options):
    raise PermissionError(errno.EACCES, "Permission denied")


def test_a_data_folder_that_may_not_be_created_or_written_gives_advice(tmp_path, monkeypatch):
    with monkeypatch.context() as patched:
        patched.setattr(Path, "mkdir", _refuse)
        with pytest.raises(StoreFault, match=r"cannot be created \(Permission denied\)"):
            check_data_folder(tmp_path / "data")
    with monkeypatch.context() as patched:
        patched.setattr("tempfile.TemporaryFile", _refuse)
        with pytest.raises(StoreFault, match=r"cannot be written \(Permission denied\)") as caught:
            check_data_folder(tmp_path)
    assert "right to write" in caught.value.fix
    (tmp_path / "index").mkdir()
    monkeypatch.setattr(os, "access", lambda path, mode: path.name != "index")
    with pytest.raises(StoreFault, match="holds index, which you may not"):
        check_data_folder(tmp_path)


def test_a_file_may_be_asked_where_no_data_folder_can_be(run, notes, tmp_path):
    (tmp_path / "taken").write_text("")
    words = ("ask", str(notes / "coast.txt"), "When was the lighthouse built?")
    assert "1873" in run(*words, "--data-dir", "taken").stdout


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
    for words, way_out in (
        (("add", str(notes)), "POST /api/documents"),
        (
            ("ask", "Is there anything?"),
            "Ask in its page, or send the question to its `POST /api/query`",
        ),
        (("remove", "x"), "DELETE /api/documents/{id}"),
    ):
        refusal = run(*words, check=2).stderr
        assert "[store-locked]" in refusal
        assert way_out in refusal
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


def test_a_server_that_is_told_to_end_puts_its_work_back_into_the_queue(run, serving, tmp_path):
    process, url = serving
    book = pymupdf.open()
    for number in range(200):
        for line in range(30):
            book.new_page() if line == 0 else None
            book[-1].insert_text((50, 60 + 20 * line), f"Page {number} has a line {line} of words.")
    with httpx.Client(base_url=url, timeout=60) as client:
        client.post(
            "/api/documents",
            files={"file": ("book.pdf", book.tobytes())},
            headers={"Prefer": "respond-async"},
        ).raise_for_status()
        while client.get("/api/jobs").json()["jobs"][0]["done"] == 0:
            time.sleep(0.02)
    process.send_signal(signal.SIGTERM)
    assert process.wait(60) == 143
    with contextlib.closing(sqlite3.connect(tmp_path / "data" / "catalog.sqlite3")) as database:
        rows = database.execute("SELECT state, attempts FROM jobs").fetchall()
    assert rows == [("queued", 0)]
    refusal = run("ask", "Who baked the bread?").stdout
    assert "1 file is still to be read; `local-rag serve` goes on with it." in refusal
