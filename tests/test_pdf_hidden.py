"""Text that a person cannot see is left out, and the report says so; what can be seen stays."""

from __future__ import annotations

from pathlib import Path

import pymupdf
import pytest
from pdf_files import read

SEEN = "A line that everybody sees"


def page_of(document: pymupdf.Document) -> pymupdf.Page:
    page = document.new_page(width=400, height=300)
    page.insert_text((30, 60), SEEN, fontsize=14)
    return page


def check_hidden(document: pymupdf.Document, tmp_path: Path) -> None:
    made = read(document, tmp_path)
    assert made.pages[0].text == SEEN
    assert made.readings[0].flags == ("hidden-text",)


@pytest.mark.parametrize(
    ("ground", "colour"),
    [
        ((0, 0, 0), (0, 0, 0)),
        ((1, 1, 0), (1, 1, 0)),
        ((0, 0, 1), (0, 0, 0.96)),
        ((0.5, 0.5, 0.5), (0.48, 0.5, 0.52)),
        (None, (0.96, 0.96, 0.94)),
    ],
)
def test_text_of_the_colour_of_its_ground_is_hidden(tmp_path: Path, ground, colour) -> None:
    document = pymupdf.open()
    page = page_of(document)
    if ground:
        page.draw_rect((20, 100, 380, 140), fill=ground, color=None)
    page.insert_text((30, 125), "The secret owner is Zed", fontsize=12, color=colour)
    check_hidden(document, tmp_path)


@pytest.mark.parametrize(
    ("ground", "colour"),
    [
        ((0, 0, 0.3), (1, 1, 1)),
        ((0.85, 0.85, 0.85), (0, 0, 0)),
        ((0, 0, 0), (0.3, 0.3, 0.3)),
        ((1, 1, 1), (0.8, 0.8, 0.8)),
    ],
)
def test_text_that_stands_out_from_its_ground_is_kept(tmp_path: Path, ground, colour) -> None:
    document = pymupdf.open()
    page = page_of(document)
    page.draw_rect((20, 100, 380, 140), fill=ground, color=None)
    page.insert_text((30, 125), "Head of the table", fontsize=12, color=colour)
    made = read(document, tmp_path)
    assert made.pages[0].text.split() == f"{SEEN} Head of the table".split()
    assert made.readings[0].flags == ()


def test_black_text_in_a_white_box_on_a_black_ground_is_kept(tmp_path: Path) -> None:
    document = pymupdf.open()
    page = page_of(document)
    page.draw_rect((20, 90, 380, 200), fill=(0, 0, 0), color=None)
    page.draw_rect((25, 100, 200, 140), fill=(1, 1, 1), color=None)
    page.insert_text((30, 125), "Boxed words", fontsize=12)
    page.insert_text((30, 180), "Swallowed words", fontsize=12)
    made = read(document, tmp_path)
    assert made.pages[0].text.split() == f"{SEEN} Boxed words".split()
    assert made.readings[0].flags == ("hidden-text",)


@pytest.mark.parametrize(("level", "kept"), [(0, False), (20, False), (150, True)])
def test_black_text_over_a_picture_is_kept_where_it_stands_out(
    tmp_path: Path, level: int, kept: bool
) -> None:
    document = pymupdf.open()
    page = document.new_page(width=400, height=300)
    plain = pymupdf.Pixmap(pymupdf.csRGB, pymupdf.IRect(0, 0, 60, 30))
    plain.set_rect(plain.irect, (level, level, level))
    page.insert_image(pymupdf.Rect(20, 90, 200, 180), stream=plain.tobytes("png"))
    page.insert_text((30, 60), SEEN, fontsize=14)
    page.insert_text((30, 125), "Words on a picture", fontsize=12)
    made = read(document, tmp_path)
    assert ("picture" in made.pages[0].text) is kept
    assert ("hidden-text" in made.readings[0].flags) is not kept


def test_text_too_small_to_be_read_is_hidden_and_an_exponent_is_not(tmp_path: Path) -> None:
    document = pymupdf.open()
    page = page_of(document)
    page.insert_text((30, 100), "one point words", fontsize=1)
    page.insert_text((30, 130), "An area of 5 m", fontsize=10)
    page.insert_text((98, 126), "2", fontsize=4.5)
    made = read(document, tmp_path)
    assert "point" not in made.pages[0].text
    assert "2" in made.pages[0].text
    assert made.readings[0].flags == ("hidden-text",)


def test_the_size_that_counts_is_the_displayed_one(tmp_path: Path) -> None:
    document = pymupdf.open()
    page = page_of(document)
    add(page, b"q .1 0 0 .1 0 0 cm BT /helv 12 Tf 300 1500 Td (reduced words) Tj ET Q")
    check_hidden(document, tmp_path)


def test_text_next_to_transparent_is_hidden(tmp_path: Path) -> None:
    document = pymupdf.open()
    page = page_of(document)
    page.insert_text((30, 125), "Faint words", fontsize=12, fill_opacity=0.03)
    page.insert_text((30, 155), "The weak ones stay", fontsize=12, fill_opacity=0.4)
    made = read(document, tmp_path)
    assert made.pages[0].text.split() == f"{SEEN} The weak ones stay".split()
    assert made.readings[0].flags == ("hidden-text",)


def test_text_that_a_clip_leaves_out_is_hidden(tmp_path: Path) -> None:
    document = pymupdf.open()
    page = page_of(document)
    add(page, b"q 0 0 10 10 re W n BT /helv 12 Tf 30 150 Td (clipped words) Tj ET Q")
    check_hidden(document, tmp_path)


def test_text_in_a_layer_that_is_off_is_hidden(tmp_path: Path) -> None:
    document = pymupdf.open()
    page = page_of(document)
    layer = document.add_ocg("notes", on=False)
    page.insert_text((30, 125), "Notes for the printer", oc=layer)
    check_hidden(document, tmp_path)


def test_a_clip_and_a_layer_that_hide_nothing_raise_no_flag(tmp_path: Path) -> None:
    document = pymupdf.open()
    page = page_of(document)
    layer = document.add_ocg("notes", on=True)
    page.insert_text((30, 125), "Notes", oc=layer)
    add(page, b"q 0 0 390 160 re W n BT /helv 12 Tf 30 150 Td (clipped) Tj ET Q")
    made = read(document, tmp_path)
    assert made.pages[0].text.split() == f"{SEEN} Notes clipped".split()
    assert made.readings[0].flags == ()


def add(page: pymupdf.Page, content: bytes) -> None:
    """Appends operators to the page's content."""
    document = page.parent
    stream = document.get_new_xref()
    document.update_object(stream, "<<>>")
    document.update_stream(stream, content)
    streams = " ".join(f"{xref} 0 R" for xref in [*page.get_contents(), stream])
    document.xref_set_key(page.xref, "Contents", f"[{streams}]")
