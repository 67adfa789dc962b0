"""Code in a PDF keeps its lines and its spaces."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pymupdf
import pytest
from pdf_files import BODY, read, wrapped, write_lines

if TYPE_CHECKING:
    from pathlib import Path

_CODE = [
    "def total(values):",
    "    result = 0",
    "    for value in values:",
    "        result += value    # the sum",
    "    return result",
]


@pytest.mark.parametrize("rotation", [0, 90])
def test_lines_in_a_monospaced_font_keep_their_breaks_and_indents(
    tmp_path: Path, rotation: int
) -> None:
    document = pymupdf.open()
    page = document.new_page()
    y = write_lines(page, wrapped(BODY * 2, 70))
    y = write_lines(page, _CODE, y=y + 14, fontname="cour", fontsize=10)
    write_lines(page, ["And so on."], y=y + 14)
    page.set_rotation(rotation)
    (made,) = read(document, tmp_path).pages
    assert made.text.split("\n\n") == [(BODY * 2).strip(), "\n".join(_CODE), "And so on."]
    words = [made.text[word.start : word.end] for word in made.words]
    assert words == made.text.split()


def test_a_hyphen_at_the_end_of_a_line_of_code_stays(tmp_path: Path) -> None:
    document = pymupdf.open()
    page = document.new_page()
    y = write_lines(page, wrapped(BODY * 2, 70))
    write_lines(page, ["total = first -", "second", "x = re-", "read"], y=y + 14, fontname="cour")
    text = read(document, tmp_path).pages[0].text
    assert text.endswith("\n\ntotal = first -\nsecond\nx = re-\nread")


def test_a_typescript_is_read_as_prose(tmp_path: Path) -> None:
    document = pymupdf.open()
    write_lines(document.new_page(), wrapped(BODY * 2, 60), fontname="cour")
    assert read(document, tmp_path).pages[0].text == (BODY * 2).strip()


def test_bold_code_is_no_heading(tmp_path: Path) -> None:
    document = pymupdf.open()
    page = document.new_page()
    y = write_lines(page, wrapped(BODY * 2, 70))
    write_lines(page, ["1 Enter", "2 Leave"], y=y + 14, fontname="cobo")
    assert [section.section_id for section in read(document, tmp_path).sections] == ["0"]
