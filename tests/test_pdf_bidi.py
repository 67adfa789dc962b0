"""Hebrew and Arabic come out of a PDF in the order in which they are read."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pymupdf
import pytest
from pdf_files import map_characters, read

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize(
    "line",
    [
        "שלום עולם",
        "בשנת 2023 נמכרו 1,234.56 יחידות",
        "עלייה של 10% בלבד",
        "כאן abc def סוף",
        "גרסה Windows 10 חדשה",
        "מספר, (בסוגריים) וגם [כאלה]",
        "מודל 3D-x חדש",
        "2023",
        "מדף 5-3 ועוד",
    ],
)
def test_hebrew_is_in_logical_order_with_its_numbers_and_spaces(tmp_path: Path, line: str) -> None:
    document = pymupdf.open()
    page = document.new_page()
    page.insert_htmlbox((72, 72, 500, 120), f'<p dir="rtl">{line}</p>')
    (made,) = read(document, tmp_path).pages
    assert made.text == line
    assert [made.text[w.start : w.end] for w in made.words] == line.split()


def test_the_words_of_hebrew_lie_where_they_are_drawn(tmp_path: Path) -> None:
    document = pymupdf.open()
    page = document.new_page()
    page.insert_htmlbox((72, 72, 500, 120), '<p dir="rtl">שלום 2023 עולם abc</p>')
    (made,) = read(document, tmp_path).pages
    rights = [word.x1 for word in made.words]
    assert rights == sorted(rights, reverse=True)
    gaps = [before.x0 - after.x1 for before, after in zip(made.words, made.words[1:], strict=False)]
    assert all(0 < gap < 6 for gap in gaps)


_ARABIC = (
    "1 beginbfrange <20> <40> <0020> endbfrange "
    "10 beginbfchar <61> <0627> <62> <0628> <63> <062A> <64> <062F> <65> <0625> <6c> <0644> "
    "<78> <06440627> <79> <06440625> <7a> <FEE1> <57> <0057> endbfchar"
)


@pytest.mark.parametrize(
    ("drawn", "read_as"),
    [
        ("bcxd", "دلاتب"),  # the ligature of lam and alef, one glyph for two letters
        ("bcyla cd", "دت اللإتب"),
        ("bcaled", "دإلاتب"),  # the same letters as glyphs of their own
        ("bcz", "متب"),  # a letter's final form is that letter
        ("bcd 2023 bcd", "دتب 2023 دتب"),
        ("bcd2023 bcd", "دتب 2023 دتب"),  # a number drawn right beside a word
        (",bcd bcd", "دتب دتب,"),
        ("bcd (bcd) dcb", "بتد (دتب) دتب"),  # named by their looks
        ("bcd )bcd( dcb", "بتد (دتب) دتب"),  # named by their meaning
        ("WWW bcd", "دتب WWW"),
    ],
)
def test_arabic_is_in_logical_order_letter_by_letter(
    tmp_path: Path, drawn: str, read_as: str
) -> None:
    document = pymupdf.open()
    document.new_page().insert_text((72, 72), drawn, fontname="cour")
    map_characters(document, _ARABIC)
    assert read(document, tmp_path).pages[0].text == read_as


def test_a_line_of_latin_letters_with_a_word_of_hebrew_stays_as_it_is(tmp_path: Path) -> None:
    document = pymupdf.open()
    document.new_page().insert_htmlbox((72, 72, 500, 120), "<p>the word שלום means peace</p>")
    assert read(document, tmp_path).pages[0].text == "the word שלום means peace"
