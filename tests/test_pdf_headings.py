"""Headings that no size tells: by weight, place, label and what an outline leaves out."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pymupdf
import pytest
from pdf_files import BODY, read, wrapped, write_lines

if TYPE_CHECKING:
    from pathlib import Path


def _titles(document: pymupdf.Document, folder: Path) -> list[str]:
    return [section.title for section in read(document, folder).sections if section.path]


def _with_lines(lines: list[str], *, fontname: str = "helv", white: float = 22) -> pymupdf.Document:
    """A page on which each of the lines stands between two paragraphs."""
    document = pymupdf.open()
    page = document.new_page()
    y = write_lines(page, wrapped(BODY * 2, 70), y=72)
    for line in lines:
        page.insert_text((72, y + white - 14), line, fontname=fontname)
        y = write_lines(page, wrapped(BODY * 2, 70), y=y + white + 4)
    return document


def test_bold_lines_of_body_size_above_a_paragraph_are_headings(tmp_path: Path) -> None:
    names = ["Examining the Docket", "(b) Affected parts", "Costs of Compliance (2020)"]
    assert _titles(_with_lines(names, fontname="hebo"), tmp_path) == names


@pytest.mark.parametrize(
    "line",
    [
        "Bold sentences are said with weight, they are no headings.",
        "Table 3: what a caption says",
        "• a point in bold",
        "and it goes on in bold",
    ],
)
def test_other_bold_lines_are_none(tmp_path: Path, line: str) -> None:
    assert _titles(_with_lines([line], fontname="hebo"), tmp_path) == []


def test_a_bold_beginning_of_a_paragraph_is_no_heading(tmp_path: Path) -> None:
    document = pymupdf.open()
    page = document.new_page()
    y = 72.0
    for label in ("Agency and department", "Dates of the meetings", "Address of the office"):
        page.insert_text((72, y), label + ":", fontname="hebo")
        page.insert_text((72 + pymupdf.get_text_length(label + ": ", "hebo"), y), "The one")
        y = write_lines(page, wrapped(BODY * 2, 70), y=y + 14) + 24
    assert _titles(document, tmp_path) == []


@pytest.mark.parametrize("line", ["§ 12 Committees", "Article 5", "GENERAL PROVISIONS"])
def test_counted_lines_and_capitals_with_white_above_are_headings(
    tmp_path: Path, line: str
) -> None:
    assert _titles(_with_lines([line]), tmp_path) == [line]


@pytest.mark.parametrize(
    "line", ["Article 5 is repealed.", "A plain short line", "NEW YORK, NY 10001", "USER = ALICE"]
)
def test_other_plain_lines_are_none(tmp_path: Path, line: str) -> None:
    assert _titles(_with_lines([line]), tmp_path) == []


def _with_outline(part: str) -> pymupdf.Document:
    document = pymupdf.open()
    for number in (1, 2, 3):
        page = document.new_page()
        page.insert_text((72, 72), f"{number} Chapter of things", fontsize=18)
        y = write_lines(page, wrapped(BODY * 2, 70), y=110)
        page.insert_text((72, y + 20), f"{part} {number}", fontname="hebo")
        write_lines(page, wrapped(BODY * 2, 70), y=y + 44)
    document.set_toc([[1, f"{n} Chapter of things", n] for n in (1, 2, 3)])
    return document


def test_headings_below_the_outline_are_one_level_deeper(tmp_path: Path) -> None:
    sections = read(_with_outline("Definition"), tmp_path).sections
    assert [(s.section_id, s.title) for s in sections] == [
        ("1", "1 Chapter of things"),
        ("1.1", "Definition 1"),
        ("2", "2 Chapter of things"),
        ("2.1", "Definition 2"),
        ("3", "3 Chapter of things"),
        ("3.1", "Definition 3"),
    ]


def test_a_title_of_the_outline_is_found_beside_a_label_at_the_right(tmp_path: Path) -> None:
    document = pymupdf.open()
    names = ["The Mountain", "The Valley"]
    for name in names:
        page = document.new_page()
        page.insert_text((72, 72), name, fontname="hebo")
        page.insert_text((440, 72), "Places", fontname="hebo")
        write_lines(page, wrapped(BODY * 3, 70), y=100)
    document.set_toc([[1, name, i] for i, name in enumerate(names, 1)])
    assert _titles(document, tmp_path) == names
