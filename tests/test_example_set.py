"""The example golden set: its documents, and what its cases say of them."""

from __future__ import annotations

import hashlib
import io
import os
import subprocess
import sys
from collections import Counter
from functools import partial
from pathlib import Path

import pymupdf
import pytest
from PIL import Image, ImageChops

from local_rag.adapters.extraction import ProcessExtractor
from local_rag.adapters.splitter import recursive_splitter
from local_rag.evaluation.cases import Case, normalised, read_cases
from local_rag.ingest.chunk import chunk_document
from local_rag.ingest.kinds import PDF, XLSX, media_type_of
from local_rag.settings import Settings

EXAMPLE = Path(__file__).parents[1] / "evaluation" / "example"
DOCUMENTS = EXAMPLE / "documents"
SCAN = "lease-renewal-scan.pdf"
MADE = (
    "battery-storage-study.pdf",
    "price-list.xlsx",
    "travel-policy-2024.docx",
    "travel-policy-2026.docx",
)


@pytest.fixture(scope="module")
def extractor():
    extractor = ProcessExtractor(100)
    yield extractor
    extractor.close()


@pytest.fixture(scope="module")
def passages(extractor, tmp_path_factory) -> dict[str, list[tuple[int, str]]]:
    """Page and normalised text of every passage, by the name of its file."""
    settings = Settings(data_dir=tmp_path_factory.mktemp("data"))
    split = recursive_splitter(settings.chunk_size, settings.chunk_overlap)
    read = {}
    for path in sorted(DOCUMENTS.iterdir()):
        extraction = extractor.extract(path, media_type_of(path.name))
        chunks = chunk_document("0" * 32, extraction, split)
        read[path.name] = [(chunk.page_number, normalised(chunk.text)) for chunk in chunks]
    return read


@pytest.fixture(scope="module")
def made(tmp_path_factory) -> tuple[Path, Path]:
    """The folders of two runs of the script, in processes that hash strings differently."""
    folders = tmp_path_factory.mktemp("first"), tmp_path_factory.mktemp("second")
    for seed, folder in enumerate(folders):
        script = [sys.executable, str(EXAMPLE / "make_documents.py"), str(folder)]
        subprocess.run(
            script, check=True, env=os.environ | {"PYTHONHASHSEED": str(seed)}, timeout=100
        )
    return folders


def cases() -> list[Case]:
    return read_cases(EXAMPLE / "cases.jsonl")


def all_cases() -> list[Case]:
    return [*cases(), *read_cases(EXAMPLE / "hard-cases.jsonl")]


def test_there_are_forty_cases_eight_of_them_without_an_answer_in_all_three_parts() -> None:
    found = cases()
    assert (len(found), sum(not case.answerable for case in found)) == (40, 8)
    for split in ("dev", "holdout", "smoke"):
        assert {case.answerable for case in found if case.split == split} == {True, False}
    assert {case.question_type for case in found if not case.answerable} == {"unanswerable"}
    assert len({case.question_type for case in found}) >= 12
    assert {case.review_status for case in found} == {"approved_gold"}


def test_no_case_is_there_twice() -> None:
    found = all_cases()
    assert [n for n, times in Counter(case.case_id for case in found).items() if times > 1] == []
    asked = Counter(normalised(case.question) for case in found)
    assert [question for question, times in asked.items() if times > 1] == []


def test_each_document_is_asked_about_and_they_are_small() -> None:
    sizes = {path.name: path.stat().st_size for path in DOCUMENTS.iterdir()}
    asked = {one.source for case in cases() for one in case.expected_evidence}
    assert asked == sizes.keys()
    assert len({Path(name).suffix for name in sizes}) >= 7
    assert sum(sizes.values()) < 600_000


def test_the_cases_are_about_these_very_bytes() -> None:
    known = {
        path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in DOCUMENTS.iterdir()
    }
    named = {
        (one.source, one.source_sha256) for case in all_cases() for one in case.expected_evidence
    }
    assert named <= known.items()


def test_what_a_case_expects_stands_in_one_passage_of_its_page(passages) -> None:
    missing = [
        (case.case_id, one.contains)
        for case in all_cases()
        for one in case.expected_evidence
        if not any(
            one.page in (None, page) and all(normalised(words) in text for words in one.contains)
            for page, text in passages[one.source]
        )
    ]
    assert missing == []


def test_a_page_is_named_where_the_file_has_pages_and_only_there() -> None:
    for case in all_cases():
        for one in case.expected_evidence:
            assert (one.page is not None) == (media_type_of(one.source) in (PDF, XLSX))


def test_the_letter_has_no_text_but_in_its_pictures() -> None:
    with pymupdf.open(DOCUMENTS / SCAN) as letter:
        assert [page.get_text().strip() for page in letter] == ["", ""]


def test_the_script_makes_the_same_bytes_again(made) -> None:
    first, second = ({path.name: path.read_bytes() for path in one.iterdir()} for one in made)
    assert first.keys() == {*MADE, SCAN}
    assert first == second


def test_the_documents_are_those_that_the_script_makes(made, extractor) -> None:
    """Told by what is read of them: another version of a library may pack other bytes."""
    for name in MADE:
        read = partial(extractor.extract, media_type=media_type_of(name))
        assert read(made[0] / name) == read(DOCUMENTS / name), name
    pages = zip(_pictures(made[0] / SCAN), _pictures(DOCUMENTS / SCAN), strict=True)
    for again, committed in pages:
        assert again.size == committed.size
        assert sum(ImageChops.difference(again, committed).histogram()[80:]) < 50, "other letters"


def _pictures(path: Path) -> list[Image.Image]:
    with pymupdf.open(path) as document:
        found = [document.extract_image(page.get_images()[0][0])["image"] for page in document]
    return [Image.open(io.BytesIO(data)).convert("L") for data in found]
