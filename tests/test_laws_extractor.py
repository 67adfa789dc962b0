"""The laws of ``ports.Extractor``, on the fake and on the real reader in its process."""

from __future__ import annotations

import pytest
from fakes import FakeExtractor

from local_rag.adapters.extraction import ProcessExtractor
from local_rag.errors import EmptyFile, NoPageImage, NoText

PLAIN = "text/plain"


@pytest.fixture(scope="module", params=["fake", "process"])
def extractor(request):
    made = FakeExtractor() if request.param == "fake" else ProcessExtractor(60)
    yield made
    made.close()
    made.close()


@pytest.fixture
def file(tmp_path):
    def write(content: bytes):
        (tmp_path / "x").write_bytes(content)
        return tmp_path / "x"

    return write


def test_pages_are_numbered_and_sections_cover_them(extractor, file):
    found = extractor.extract(file(b"First page.\n\fSecond page."), PLAIN)
    assert [page.page_number for page in found.pages] == [1, 2]
    assert "Second page." in found.pages[1].text
    first, last = found.sections[0], found.sections[-1]
    assert (first.page_number, first.start) == (1, 0)
    assert (last.end_page_number, last.end) == (2, len(found.pages[1].text))


def test_progress_ends_with_the_last_page(extractor, file):
    seen = []
    extractor.extract(file(b"One.\fTwo."), PLAIN, lambda done, total: seen.append((done, total)))
    assert seen[-1] == (2, 2)
    assert seen == sorted(seen)


def test_a_file_without_bytes_and_one_without_text_are_told_apart(extractor, file):
    with pytest.raises(EmptyFile):
        extractor.extract(file(b""), PLAIN)
    with pytest.raises(NoText):
        extractor.extract(file(b" \n\t "), PLAIN)


def test_text_has_no_page_to_draw(extractor, file):
    with pytest.raises(NoPageImage):
        extractor.render(file(b"Words."), PLAIN, 1, 72)
