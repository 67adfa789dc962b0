"""Which files a command line means, and what they are called."""

from __future__ import annotations

import io
import os
from pathlib import Path

import pytest

from local_rag.cli.files import FoundFile, find_files
from local_rag.cli.show import Board, counted, failures
from local_rag.errors import EmptyFile, InvalidRequest, StoreFault, UnreadableFile


@pytest.fixture
def tree(tmp_path, monkeypatch):
    def plant(*names: str) -> None:
        for name in names:
            path = tmp_path / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(name)

    monkeypatch.chdir(tmp_path)
    return plant


def names(*arguments: str) -> list[str]:
    return [found.name for found in find_files([Path(argument) for argument in arguments])]


def test_a_file_in_a_folder_is_called_by_its_way_from_there(tree, monkeypatch):
    tree("a/readme.md", "a/deep/er/readme.md", "a/.hidden/x.md", "a/.x.md", "a/x.exe")
    expected = ["a › deep › er › readme.md", "a › readme.md"]
    assert names("a") == names("./a/") == names("a/deep/..") == names("a", "a") == expected
    monkeypatch.chdir("a")
    assert names(".") == expected
    monkeypatch.chdir("deep")
    assert names("..") == expected


def test_two_files_of_one_command_never_share_a_name(tree):
    tree("a/readme.md", "b/readme.md", "x/a/readme.md", "x/b/other.md")
    assert names("a/readme.md") == ["readme.md"]
    assert names("a", "b") == ["a › readme.md", "b › readme.md"]
    assert names("a/readme.md", "b/readme.md") == ["a › readme.md", "b › readme.md"]
    assert names("a/readme.md", "b") == ["readme.md", "b › readme.md"]
    assert names("a", "a/readme.md") == names("a/readme.md", "a") == ["a › readme.md"]
    here = Path.cwd().name
    assert names("a", "x/a") == [f"{here} › a › readme.md", "x › a › readme.md"]


def test_names_that_only_look_alike_are_told_apart(tree):
    tree("a/x.md", "a/x\u00ad.md", "a/x\u200b.md")
    found = names("a")
    assert found == names("a")
    assert len(set(found)) == 3
    assert all(name.startswith("a › x (") and name.endswith(").md") for name in found)


@pytest.mark.skipif(os.name == "nt", reason="such names are not possible there")
def test_a_name_from_the_disk_is_neither_decoded_nor_split(tree):
    tree("%2e%2e%2fz.txt", "a\\b.txt")
    assert names("%2e%2e%2fz.txt", "a\\b.txt") == ["％2e％2e％2fz.txt", "a＼b.txt"]


def test_a_path_that_is_not_there_stops_the_command_before_it_begins(tree):
    tree("a/x.md", "empty/x.exe")
    for arguments in (["a", "none.md"], ["a/x.md/below"], ["empty"]):
        with pytest.raises(InvalidRequest):
            names(*arguments)


def test_a_folder_that_cannot_be_listed_fails_alone(tree, monkeypatch):
    tree("a/x.md", "a/closed/y.md")
    scandir = os.scandir

    def guarded(path):
        if str(path).endswith("closed"):
            raise PermissionError(13, "Permission denied", str(path))
        return scandir(path)

    monkeypatch.setattr(os, "scandir", guarded)
    closed, readable = find_files([Path("a")])
    assert (closed.name, readable.name, readable.fault) == ("a › closed", "a › x.md", None)
    with pytest.raises(UnreadableFile, match=r"cannot be opened \(Permission denied\)"):
        closed.read_into(_Library())


class _Library:
    def __init__(self, error: Exception | None = None) -> None:
        self.error = error

    def add(self, path, name, watch, *, password=None):
        if self.error:
            raise self.error
        return name


def test_a_file_that_may_not_be_read_is_the_file_s_fault(tree, monkeypatch):
    tree("x.md")
    (found,) = find_files([Path("x.md")])
    assert found.read_into(_Library()) == "x.md"

    def refuse(path, *_):
        raise PermissionError(13, "Permission denied", str(path))

    monkeypatch.setattr(Path, "open", refuse)
    with pytest.raises(UnreadableFile, match=r"cannot be opened \(Permission denied\)"):
        found.read_into(_Library())


def test_a_full_disk_is_not_the_file_s_fault(tree):
    tree("x.md")
    (found,) = find_files([Path("x.md")])
    with pytest.raises(StoreFault, match="No space left"):
        found.read_into(_Library(OSError(28, "No space left on device")))
    with pytest.raises(UnreadableFile, match="Input/output error"):
        found.read_into(_Library(OSError(5, "Input/output error", str(found.path))))


@pytest.mark.parametrize("device", ["/dev/zero", "/dev/null"])
def test_a_device_is_no_file(device):
    with pytest.raises(UnreadableFile, match="a device"):
        FoundFile(Path(device), "x").read_into(_Library())


def test_counts_are_words():
    assert [counted(n, "page") for n in (0, 1, 2)] == ["0 pages", "1 page", "2 pages"]


class _Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_a_terminal_shows_a_bar_and_keeps_the_results(monkeypatch):
    monkeypatch.setenv("COLUMNS", "60")
    terminal = _Terminal()
    board = Board(2, terminal)
    board.begin("a.pdf")
    board.watch("extracting", 1, 2)
    board.end("added (2 pages, 3 passages)")
    board.begin("語" * 100)
    drawn = [part for part in terminal.getvalue().split("\r") if part.strip()]
    assert drawn[0] == "[--------------------] 1/2 a.pdf"
    assert drawn[1] == "[##------------------] 1/2 a.pdf, page 1 of 2"
    assert drawn[2] == "[1/2] a.pdf … added (2 pages, 3 passages)\n"
    assert drawn[3] == "[##########----------] 2/2 " + "語" * 16


def test_a_pipe_gets_plain_lines():
    out = io.StringIO()
    board = Board(1, out)
    board.begin("a.pdf")
    board.watch("extracting", 1, 2)
    board.end("added")
    assert out.getvalue() == "[1/1] a.pdf … added\n"


def test_a_long_name_has_a_line_of_its_own_in_the_table():
    error = EmptyFile("The file is empty.")
    why = "The file is empty. fix: Send a file with content. [empty-file]"
    assert failures([("a" * 60, error), ("b.md", error)], 3).splitlines() == [
        "2 of 3 files were not added:",
        f"  {'FILE':<40}  WHY",
        "  " + "a" * 60,
        " " * 44 + why,
        f"  {'b.md':<40}  {why}",
    ]


@pytest.mark.parametrize(("given", "outcome"), [("sesame", "added (1 page"), ("", "failed: ")])
def test_add_asks_whoever_is_there_for_a_password(tmp_path, monkeypatch, capsys, given, outcome):
    import pymupdf

    from local_rag.cli import commands
    from local_rag.settings import Settings

    document = pymupdf.open()
    document.new_page().insert_text((72, 72), "Words behind a lock.")
    path = tmp_path / "locked.pdf"
    document.save(path, encryption=pymupdf.PDF_ENCRYPT_AES_256, user_pw="sesame")
    monkeypatch.setattr("sys.stdin", _Terminal())
    asked = []
    monkeypatch.setattr("getpass.getpass", lambda prompt: asked.append(prompt) or given)
    settings = Settings(data_dir=tmp_path / "data", _env_file=None)
    assert commands.add(settings, [path]) == (0 if given else 1)
    assert outcome in capsys.readouterr().out
    assert asked == ["Password of locked.pdf (empty: leave it out): "]
