"""Every format of office and web files through the reading process, without a connection."""

from __future__ import annotations

import subprocess
import sys
import zipfile
from typing import TYPE_CHECKING

import docx
import pptx
import pytest
from openpyxl import Workbook

from local_rag.adapters.extraction import ProcessExtractor
from local_rag.errors import TooLarge, WrongContent
from local_rag.ingest.chunk import chunk_document
from local_rag.ingest.kinds import media_type_of

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

_REMOTE = '<p>The lamp burns.</p><img src="http://192.0.2.1/a.png" alt="lamp"><iframe src=/x>'


@pytest.fixture(scope="module")
def extractor() -> Iterator[ProcessExtractor]:
    made = ProcessExtractor(timeout_s=60)
    yield made
    made.close()


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("files")
    document = docx.Document()
    document.add_paragraph("The lamp burns.")
    document.save(str(made / "a.docx"))
    workbook = Workbook()
    workbook.active.append(["The lamp burns."])
    workbook.save(made / "a.xlsx")
    deck = pptx.Presentation()
    deck.slides.add_slide(deck.slide_layouts[5]).shapes.title.text = "The lamp burns."
    deck.save(str(made / "a.pptx"))
    with zipfile.ZipFile(made / "a.epub", "w") as archive:
        archive.writestr("META-INF/container.xml", "<c><rootfile full-path='p'/></c>")
        archive.writestr(
            "p",
            "<package><manifest><item id='a' href='a' media-type='text/html'/></manifest>"
            "<spine><itemref idref='a'/></spine></package>",
        )
        archive.writestr("a", _REMOTE)
    for ending in ("html", "htm", "xhtml"):
        (made / f"a.{ending}").write_text(_REMOTE)
    for ending in ("csv", "tsv"):
        (made / f"a.{ending}").write_text("The lamp burns.\n")
    return made


_NAMES = ["a.docx", "a.xlsx", "a.pptx", "a.epub", "a.html", "a.htm", "a.xhtml", "a.csv", "a.tsv"]


@pytest.mark.parametrize("name", _NAMES)
def test_a_file_of_each_format_becomes_a_passage(
    extractor: ProcessExtractor, folder: Path, tmp_path: Path, name: str
) -> None:
    seen: list[tuple[int, int]] = []
    stored = tmp_path / "stored"  # as uploads are: without an ending
    stored.write_bytes((folder / name).read_bytes())
    extraction = extractor.extract(
        stored, media_type_of(name), lambda done, total: seen.append((done, total))
    )
    chunks = chunk_document("d", extraction, lambda text: [(0, len(text))])
    assert any("The lamp burns." in chunk.text for chunk in chunks)
    assert len(extraction.readings) == len(extraction.pages)
    assert seen[-1] == (1, 1)


@pytest.mark.parametrize("name", _NAMES)
def test_a_pdf_of_another_name_is_refused(
    extractor: ProcessExtractor, tmp_path: Path, name: str
) -> None:
    path = tmp_path / name
    path.write_bytes(b"%PDF-1.7\n%%EOF")
    with pytest.raises(WrongContent):
        extractor.extract(path, media_type_of(name))


def test_an_archive_that_unpacks_to_a_gigabyte_is_refused(
    extractor: ProcessExtractor, tmp_path: Path
) -> None:
    path = tmp_path / "a.docx"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_STORED) as archive:
        archive.writestr("[Content_Types].xml", "<Types/>")
        for number in range(3):
            archive.writestr(str(number), "x")
    data = path.read_bytes()
    # The directory declares 400 MB for each entry.
    directory = data.index(b"PK\x01\x02")
    entries = data[directory:].replace(
        (1).to_bytes(4, "little") * 2,
        (1_400_000).to_bytes(4, "little") + (4 * 10**8).to_bytes(4, "little"),
    )
    path.write_bytes(data[:directory] + entries)
    with pytest.raises(TooLarge, match="512 MB"):
        extractor.extract(path, media_type_of("a.docx"))


_CODE = """
import socket, sys
from pathlib import Path

attempts = []
def audit(event, args):
    if event in ("socket.connect", "socket.getaddrinfo", "socket.gethostbyname", "socket.sendto"):
        attempts.append(event)
sys.addaudithook(audit)
from local_rag.adapters.office import reader_of
from local_rag.ingest.kinds import media_type_of
for path in sorted(Path(sys.argv[1]).iterdir()):
    reader_of(media_type_of(path.name))(path, None)
print("attempts:", attempts)
"""


def test_no_reader_opens_a_connection(folder: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", _CODE, str(folder)], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() == "attempts: []"
