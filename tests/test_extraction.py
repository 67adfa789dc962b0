"""Reading happens in other processes; what goes wrong there is one clear error here."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from typing import TYPE_CHECKING, Any

import pymupdf
import pytest

from local_rag import errors
from local_rag.adapters.extraction import ProcessExtractor, _result
from local_rag.errors import (
    EmptyFile,
    ExtractionCrashed,
    LocalRagError,
    NoPageImage,
    PasswordRequired,
    StoreFault,
    UnknownPage,
    UnsupportedType,
    WrongContent,
)
from local_rag.ingest.kinds import media_type_of
from local_rag.model.document import Section

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

_PDF = "application/pdf"
_WAIT_S = 30.0


@pytest.fixture(scope="module")
def extractor() -> Iterator[ProcessExtractor]:
    made = ProcessExtractor(timeout_s=_WAIT_S)
    yield made
    made.close()


@pytest.fixture(scope="module")
def letter(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return _pdf(tmp_path_factory.mktemp("letter") / "letter.pdf", pages=1)


@pytest.fixture(scope="module")
def book(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return _pdf(tmp_path_factory.mktemp("book") / "book.pdf", pages=300)


def _pdf(path: Path, pages: int) -> Path:
    document = pymupdf.open()
    page = document.new_page()
    for line in range(40):
        page.insert_text((72, 72 + 15 * line), f"The page has a line {line} of text.")
    for _ in range(1, pages):
        document.fullcopy_page(0)
    document.save(path)
    return path


def _pid(extractor: ProcessExtractor) -> int:
    process = extractor._readers[0]._process
    assert process is not None
    assert process.pid is not None
    return process.pid


def _is_running(pid: int) -> bool:
    try:
        with open(f"/proc/{pid}/stat", encoding="ascii") as file:  # noqa: PTH123
            return file.read().rsplit(")", 1)[1].split()[0] != "Z"
    except FileNotFoundError:
        return False


def _wait_until_gone(pid: int) -> None:
    deadline = time.monotonic() + _WAIT_S
    while _is_running(pid):
        assert time.monotonic() < deadline, "the worker is still there"
        threading.Event().wait(0.02)


def test_a_file_of_each_kind_is_read(
    extractor: ProcessExtractor, letter: Path, tmp_path: Path
) -> None:
    assert (
        extractor.extract(letter, _PDF).pages[0].text.startswith("The page has a line 0 of text.")
    )
    text = tmp_path / "a"
    text.write_text("# Head\n\nbody", encoding="utf-8")
    assert extractor.extract(text, "text/plain").sections == (Section("0", "", 0, (), 1, 0, 1, 12),)
    assert extractor.extract(text, "text/markdown").sections == (
        Section("1", "Head", 1, ("Head",), 1, 0, 1, 12),
    )


def test_a_page_is_drawn(extractor: ProcessExtractor, letter: Path) -> None:
    assert extractor.render(letter, _PDF, 1, 72).startswith(b"\x89PNG")


def test_the_worker_is_kept_for_the_next_file(extractor: ProcessExtractor, letter: Path) -> None:
    extractor.extract(letter, _PDF)
    first = _pid(extractor)
    extractor.extract(letter, _PDF)
    assert _pid(extractor) == first


def test_progress_ends_with_all_pages(extractor: ProcessExtractor, book: Path) -> None:
    seen: list[tuple[int, int]] = []
    extractor.extract(book, _PDF, lambda done, total: seen.append((done, total)))
    assert seen[0] == (0, 300)
    assert seen[-1] == (300, 300)
    assert seen == sorted(seen)


def test_errors_of_a_file_arrive_as_their_own_class(
    extractor: ProcessExtractor, letter: Path, tmp_path: Path
) -> None:
    empty = tmp_path / "empty"
    empty.touch()
    with pytest.raises(EmptyFile, match="empty") as caught:
        extractor.extract(empty, _PDF)
    assert caught.value.fix == EmptyFile.default_fix
    page = tmp_path / "page"
    page.write_text("<html>", encoding="utf-8")
    with pytest.raises(WrongContent):
        extractor.extract(page, _PDF)
    locked = tmp_path / "locked"
    document = pymupdf.open(letter)
    document.save(locked, encryption=pymupdf.PDF_ENCRYPT_AES_256, user_pw="a", owner_pw="b")
    with pytest.raises(PasswordRequired):
        extractor.extract(locked, _PDF)
    with pytest.raises(UnknownPage):
        extractor.render(letter, _PDF, 2, 72)
    with pytest.raises(NoPageImage):
        extractor.render(page, "text/plain", 1, 72)
    with pytest.raises(UnsupportedType):
        extractor.extract(page, "application/x-unknown")


def test_a_file_that_is_gone_is_a_fault_of_the_store_without_its_path(
    extractor: ProcessExtractor, tmp_path: Path
) -> None:
    with pytest.raises(StoreFault) as caught:
        extractor.extract(tmp_path / "gone", _PDF)
    assert str(tmp_path) not in str(caught.value)


def test_every_error_travels_by_its_code() -> None:
    named = [
        kind
        for kind in vars(errors).values()
        if isinstance(kind, type) and issubclass(kind, LocalRagError)
    ]
    for kind in named:
        with pytest.raises(kind, match="no 7") as caught:
            _result(("error", kind.code, "no 7", "try 6"))
        assert type(caught.value) is kind
    with pytest.raises(UnknownPage, match="no 7") as caught:
        _result(("error", "unknown-page", "no 7", "try 6"))
    assert caught.value.fix == "try 6"


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGSEGV])
def test_a_worker_that_dies_on_a_file_fails_this_one_only(
    extractor: ProcessExtractor, letter: Path, book: Path, how: signal.Signals
) -> None:
    def kill(_done: int, _total: int) -> None:
        os.kill(_pid(extractor), how)

    with pytest.raises(ExtractionCrashed):
        extractor.extract(book, _PDF, kill)
    assert extractor.extract(letter, _PDF).pages[0].text


def test_a_worker_that_died_while_idle_is_replaced_unnoticed(
    extractor: ProcessExtractor, letter: Path
) -> None:
    extractor.extract(letter, _PDF)
    pid = _pid(extractor)
    os.kill(pid, signal.SIGKILL)
    assert extractor.extract(letter, _PDF).pages[0].text
    assert _pid(extractor) != pid


def test_a_file_that_takes_too_long_is_stopped(letter: Path, book: Path) -> None:
    extractor = ProcessExtractor(timeout_s=_WAIT_S)
    try:
        extractor.extract(letter, _PDF)
        pid = _pid(extractor)
        extractor._timeout_s = 0.05
        with pytest.raises(ExtractionCrashed, match=r"longer than 0\.05 seconds"):
            extractor.extract(book, _PDF)
        _wait_until_gone(pid)
        extractor._timeout_s = _WAIT_S
        assert extractor.extract(letter, _PDF).pages[0].text
    finally:
        extractor.close()


def test_a_caller_that_gives_up_stops_the_reading(
    extractor: ProcessExtractor, letter: Path, book: Path
) -> None:
    class GaveUpError(Exception):
        pass

    def give_up(_done: int, _total: int) -> None:
        raise GaveUpError

    extractor.extract(letter, _PDF)
    pid = _pid(extractor)
    with pytest.raises(GaveUpError):
        extractor.extract(book, _PDF, give_up)
    _wait_until_gone(pid)
    assert extractor.extract(letter, _PDF).pages[0].text


def test_a_picture_does_not_wait_for_a_long_document(
    extractor: ProcessExtractor, letter: Path, book: Path
) -> None:
    extractor.render(letter, _PDF, 1, 72)
    drawn: list[bytes] = []

    def draw(_done: int, _total: int) -> None:
        if not drawn:
            drawn.append(extractor.render(letter, _PDF, 1, 72))

    extractor.extract(book, _PDF, draw)
    assert drawn[0].startswith(b"\x89PNG")


def test_a_reader_out_of_memory_is_a_crash_and_the_next_file_is_read(
    letter: Path, tmp_path: Path
) -> None:
    if not sys.platform.startswith("linux"):
        pytest.skip("the limit is Linux's")
    big = tmp_path / "big"
    with big.open("wb") as file:
        file.truncate(700 * 1024**2)
    extractor = ProcessExtractor(timeout_s=_WAIT_S, memory_bytes=600 * 1024**2)
    try:
        with pytest.raises(ExtractionCrashed, match="MemoryError"):
            extractor.extract(big, "text/plain")
        assert extractor._readers[0]._process is None
        assert extractor.extract(letter, _PDF).pages[0].text
    finally:
        extractor.close()


def test_closing_ends_the_processes_and_may_be_repeated(letter: Path) -> None:
    extractor = ProcessExtractor(timeout_s=_WAIT_S)
    extractor.extract(letter, _PDF)
    pid = _pid(extractor)
    extractor.close()
    extractor.close()
    assert not _is_running(pid)
    with pytest.raises(ExtractionCrashed):
        extractor.extract(letter, _PDF)


def test_closing_does_not_wait_for_a_long_document(letter: Path, book: Path) -> None:
    extractor = ProcessExtractor(timeout_s=_WAIT_S)
    outcome: list[Any] = []
    begun = threading.Event()

    def read() -> None:
        try:
            outcome.append(extractor.extract(book, _PDF, lambda *_: begun.set()))
        except ExtractionCrashed as exc:
            outcome.append(exc)

    thread = threading.Thread(target=read)
    thread.start()
    assert begun.wait(_WAIT_S)
    extractor.close()
    thread.join(_WAIT_S)
    assert isinstance(outcome[0], ExtractionCrashed)


def test_warming_starts_both_workers_ahead(letter: Path) -> None:
    extractor = ProcessExtractor(timeout_s=_WAIT_S)
    try:
        extractor.warm()
        deadline = time.monotonic() + _WAIT_S
        while extractor._readers[0]._process is None or extractor._painter._process is None:
            assert time.monotonic() < deadline
            threading.Event().wait(0.02)
        pid = _pid(extractor)
        extractor.extract(letter, _PDF)
        assert _pid(extractor) == pid
    finally:
        extractor.close()


_PARENT = """
import sys
from local_rag.adapters.extraction import ProcessExtractor
from pathlib import Path
if __name__ == "__main__":
    extractor = ProcessExtractor(30.0)
    extractor.extract(Path(sys.argv[1]), "application/pdf")
    print(extractor._readers[0]._process.pid, flush=True)
    if sys.argv[2] == "wait":
        sys.stdin.read()
"""


@pytest.mark.parametrize("end", ["killed", "exits"])
def test_a_worker_does_not_outlive_its_parent_and_prints_nothing(
    letter: Path, tmp_path: Path, end: str
) -> None:
    script = tmp_path / "parent.py"
    script.write_text(_PARENT, encoding="utf-8")
    arguments = [sys.executable, str(script), str(letter), "wait" if end == "killed" else "exit"]
    with subprocess.Popen(
        arguments, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as parent:
        assert parent.stdout is not None
        assert parent.stderr is not None
        pid = int(parent.stdout.readline())
        if end == "killed":
            parent.kill()
        parent.wait(_WAIT_S)
        _wait_until_gone(pid)
        assert (parent.stdout.read(), parent.stderr.read()) == ("", "")


def test_what_a_library_prints_in_a_worker_goes_nowhere() -> None:
    script = (
        "import os; from local_rag.adapters.reader_worker import _isolate; _isolate(2**33);"
        "print('from Python', flush=True); os.write(1, b'from C')"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, timeout=_WAIT_S, check=True
    )
    assert done.stdout == b""


@pytest.mark.parametrize(
    ("name", "media_type"),
    [
        ("a.pdf", _PDF),
        ("A.PDF", _PDF),
        ("b.c.Md", "text/markdown"),
        ("b.markdown", "text/markdown"),
        ("c.txt", "text/plain"),
        ("c.TEXT", "text/plain"),
    ],
)
def test_the_kind_of_a_file_is_told_by_its_ending(name: str, media_type: str) -> None:
    assert media_type_of(name) == media_type


@pytest.mark.parametrize("name", ["a.xyz", "pdf", ".pdf", "a.pdf.exe", "", "a.", "a pdf"])
def test_another_ending_is_refused_with_what_can_be_read(name: str) -> None:
    with pytest.raises(UnsupportedType, match="cannot be read") as caught:
        media_type_of(name)
    assert caught.value.fix.startswith("These can be read: .pdf, .md, .markdown, .txt, .text, ")


def test_a_short_file_does_not_wait_for_a_long_one(
    extractor: ProcessExtractor, book: Path, letter: Path
) -> None:
    reading, go_on = threading.Event(), threading.Event()

    def hold(_done: int, _total: int) -> None:
        reading.set()
        go_on.wait(30)

    thread = threading.Thread(target=extractor.extract, args=(book, _PDF, hold))
    thread.start()
    assert reading.wait(30)
    try:
        assert extractor.extract(letter, _PDF).pages
    finally:
        go_on.set()
        thread.join()


def test_who_waits_for_a_reader_can_give_up(book: Path, letter: Path) -> None:
    alone = ProcessExtractor(60, readers=1)
    reading, go_on = threading.Event(), threading.Event()

    def hold(_done: int, _total: int) -> None:
        reading.set()
        go_on.wait(30)

    class GivenUp(Exception):
        pass

    def give_up(_done: int, _total: int) -> None:
        raise GivenUp

    thread = threading.Thread(target=alone.extract, args=(book, _PDF, hold))
    thread.start()
    assert reading.wait(30)
    try:
        with pytest.raises(GivenUp):
            alone.extract(letter, _PDF, give_up)
    finally:
        go_on.set()
        thread.join()
        alone.close()
