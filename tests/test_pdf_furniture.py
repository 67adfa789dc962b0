"""What repeats at one place over the pages is left out; what only stands there is kept."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import pymupdf
import pytest
from pdf_files import BODY, read, wrapped, write_lines

if TYPE_CHECKING:
    from pathlib import Path


def _document(pages: int, head: str | None = None, foot: str | None = None) -> Any:
    document = pymupdf.open()
    for number in range(1, pages + 1):
        page = document.new_page()
        if head:
            page.insert_text((72, 40), head.format(number))
        write_lines(page, wrapped(f"Sheet {number * 7} of text. {BODY}", 70), y=90)
        if foot:
            page.insert_text((290, 810), foot.format(number))
    return document


@pytest.mark.parametrize("foot", ["{0}", "- {0} -", "{0} / 5"])
def test_bare_page_numbers_are_left_out(tmp_path: Path, foot: str) -> None:
    pages = read(_document(5, foot=foot), tmp_path).pages
    assert [page.text for page in pages] == [
        f"Sheet {number * 7} of text. {BODY}".strip() for number in range(1, 6)
    ]


@pytest.mark.parametrize("head", ["Annual Report 2023", "Annual Report, page {0}"])
def test_a_running_head_is_kept_once(tmp_path: Path, head: str) -> None:
    pages = read(_document(5, head=head), tmp_path).pages
    assert [page.text.startswith("Annual Report") for page in pages] == [True, *[False] * 4]
    assert all(page.text.endswith(BODY.strip()) for page in pages)


def test_heads_of_left_and_right_pages_are_each_kept_once(tmp_path: Path) -> None:
    document = _document(6)
    for i, page in enumerate(document):
        page.insert_text((72, 40), "The Author" if i % 2 else "The Book")
    pages = read(document, tmp_path).pages
    assert [bool(re.search("Author|Book", page.text)) for page in pages] == [
        True,
        True,
        *[False] * 4,
    ]


@pytest.mark.parametrize("y", [20, 40, 800, 830])
def test_text_at_the_edge_that_does_not_repeat_is_kept(tmp_path: Path, y: int) -> None:
    document = _document(4)
    notes = ["one remark", "another hint", "some thing", "last words"]
    for page, note in zip(document, notes, strict=True):
        page.insert_text((72, y), note)
    pages = read(document, tmp_path).pages
    assert all(note in page.text for page, note in zip(pages, notes, strict=True))


def test_numbers_at_the_foot_that_do_not_count_the_pages_are_kept(tmp_path: Path) -> None:
    document = _document(5)
    for page, number in zip(document, [812, 44, 3, 97, 1500], strict=True):
        page.insert_text((290, 810), str(number))
    found = [page.text.rsplit("\n\n", 1)[-1] for page in read(document, tmp_path).pages]
    assert found == ["812", "44", "3", "97", "1500"]


@pytest.mark.parametrize("heading", ["Chapter {0}", "Findings"])
def test_a_heading_at_the_top_of_each_page_is_kept(tmp_path: Path, heading: str) -> None:
    document = pymupdf.open()
    for number in range(1, 5):
        page = document.new_page()
        page.insert_text((72, 60), heading.format(number), fontsize=15)
        write_lines(page, wrapped(BODY, 70), y=90)
    pages = read(document, tmp_path).pages
    assert all(page.text.startswith(heading.format(page.page_number) + "\n\n") for page in pages)


@pytest.mark.parametrize("gap", [14, 30])
def test_the_header_of_a_table_at_the_top_of_each_page_is_kept(tmp_path: Path, gap: int) -> None:
    document = pymupdf.open()
    for number in range(4):
        page = document.new_page()
        for row in range(20):
            y = 60 + gap + 14 * (row - 1) if row else 60
            for x, name in ((72, "Date"), (222, "Amount"), (372, "Note")):
                page.insert_text((x, y), f"{name[0]}{number * 31 + row * 7}" if row else name)
    pages = read(document, tmp_path).pages
    assert all(page.text.startswith("| Date | Amount | Note |\n") for page in pages)


def test_pages_of_one_line_each_are_kept(tmp_path: Path) -> None:
    document = pymupdf.open()
    for number in range(1, 21):
        document.new_page().insert_text((72, 60), f"Slide {number}")
    pages = read(document, tmp_path).pages
    assert [page.text for page in pages] == [f"Slide {n}" for n in range(1, 21)]


@pytest.mark.parametrize(
    ("entry", "shown"),
    [
        ("Introduction ........ 7", "Introduction 7"),
        ("Introduction . . . . . . . . 7", "Introduction 7"),
        ("Introduction........7", "Introduction 7"),
        ("Introduction ………… 7", "Introduction 7"),
        ("And so on ... and so forth", "And so on ... and so forth"),
        ("It is 1.2.3.4 here.", "It is 1.2.3.4 here."),
    ],
)
def test_dots_that_lead_to_a_page_number_are_left_out(
    tmp_path: Path, entry: str, shown: str
) -> None:
    document = pymupdf.open()
    page = document.new_page()
    writer = pymupdf.TextWriter(page.rect)
    writer.append((72, 72), entry, font=pymupdf.Font("helv"))
    writer.write_text(page)
    (made,) = read(document, tmp_path).pages
    assert made.text == shown
    assert [made.text[w.start : w.end] for w in made.words] == shown.split()


def test_entries_of_a_table_of_contents_are_lines_of_their_own(tmp_path: Path) -> None:
    document = pymupdf.open()
    entries = ["Introduction ........ 7", "Background ........ 12", "Methods ........ 19"]
    write_lines(document.new_page(), entries)
    text = read(document, tmp_path).pages[0].text
    assert text == "Introduction 7\n\nBackground 12\n\nMethods 19"


@pytest.mark.parametrize(
    "head", ["Case {0}", "Invoice No. 2023-{0:03}", "Week {0}: 12 km", "{0} March 2023"]
)
def test_a_line_that_counts_something_else_than_pages_is_kept(tmp_path: Path, head: str) -> None:
    pages = read(_document(5, head=head), tmp_path).pages
    assert [page.text.startswith(head.format(n)) for n, page in enumerate(pages, 1)] == [True] * 5


@pytest.mark.parametrize(
    "head", ["{0} | Annual Report", "Annual Report \u2013 {0}", "Report, p. {0}"]
)
def test_a_running_head_with_its_page_number_is_kept_once(tmp_path: Path, head: str) -> None:
    pages = read(_document(5, head=head.replace("\u2013", "-")), tmp_path).pages
    assert ["Report" in page.text for page in pages] == [True, *[False] * 4]


def test_of_two_pages_the_head_is_kept_once_and_the_numbers_are_left_out(tmp_path: Path) -> None:
    pages = read(_document(2, head="Working notes 7: kilns", foot="{0}"), tmp_path).pages
    assert [" ".join(page.text.split()) for page in pages] == [
        f"Working notes 7: kilns Sheet 7 of text. {BODY}".strip(),
        f"Sheet 14 of text. {BODY}".strip(),
    ]


@pytest.mark.parametrize("foot", ["4711", "Case {0}", "Room {0}12"])
def test_of_two_pages_a_number_that_counts_no_pages_stays(tmp_path: Path, foot: str) -> None:
    pages = read(_document(2, foot=foot), tmp_path).pages
    assert [page.text.endswith(foot.format(i)) for i, page in enumerate(pages, 1)] == [True, True]
