"""Which files can be read, and what to do with the others."""

from __future__ import annotations

import pytest

from local_rag.errors import UnsupportedType
from local_rag.ingest.kinds import ENDINGS, IMAGES, media_type_of


@pytest.mark.parametrize(
    ("name", "media_type"),
    [
        ("a.PDF", "application/pdf"),
        ("a.b.htm", "text/html"),
        ("a.xhtml", "application/xhtml+xml"),
        ("a.csv", "text/csv"),
        ("a.tsv", "text/tab-separated-values"),
        ("a.epub", "application/epub+zip"),
        ("a.jpeg", "image/jpeg"),
        ("a.jpg", "image/jpeg"),
        ("a.tif", "image/tiff"),
        ("a.docx", "application/vnd.openxmlformats-officedocument.wordprocessingml.document"),
        ("a.xlsx", "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"),
        ("a.pptx", "application/vnd.openxmlformats-officedocument.presentationml.presentation"),
    ],
)
def test_an_ending_tells_the_media_type(name: str, media_type: str) -> None:
    assert media_type_of(name) == media_type


@pytest.mark.parametrize(
    ("name", "ending"),
    [
        ("a.doc", ".docx"),
        ("a.RTF", ".docx"),
        ("a.odt", ".docx"),
        ("a.docm", ".docx"),
        ("a.xls", ".xlsx"),
        ("a.ods", ".xlsx"),
        ("a.ppt", ".pptx"),
        ("a.odp", ".pptx"),
        ("a.mobi", ".epub"),
        ("a.heic", ".png"),
    ],
)
def test_relatives_of_what_can_be_read_are_refused_with_the_format_to_save_in(
    name: str, ending: str
) -> None:
    with pytest.raises(UnsupportedType) as caught:
        media_type_of(name)
    assert caught.value.fix == f"Save it as {ending} and send that."


@pytest.mark.parametrize("name", ["a.exe", "noending", ".docx", ".doc", "a."])
def test_anything_else_is_refused_with_the_list(name: str) -> None:
    with pytest.raises(UnsupportedType) as caught:
        media_type_of(name)
    others = [ending for ending in ENDINGS if media_type_of(f"a{ending}") != "text/plain"]
    assert all(ending in caught.value.fix for ending in [*others, ".txt", ".py"])


@pytest.mark.parametrize(
    "ending",
    [
        ".txt",
        ".log",
        ".rst",
        ".py",
        ".ts",
        ".c",
        ".h",
        ".cpp",
        ".java",
        ".go",
        ".rs",
        ".sh",
        ".sql",
        ".json",
        ".toml",
        ".ini",
        ".xml",
    ],
)
def test_source_code_and_its_like_is_plain_text(ending: str) -> None:
    assert media_type_of(f"a{ending}") == "text/plain"
    assert media_type_of(f"A.B{ending.upper()}") == "text/plain"


def test_pictures_are_known_by_their_media_type() -> None:
    assert {media_type_of(f"a{e}") for e in (".png", ".jpg", ".tiff", ".webp", ".bmp")} == IMAGES
