"""PDF files become pages of text in reading order, with the place of every word."""

from __future__ import annotations

import io
import re
from typing import TYPE_CHECKING

import pymupdf
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pdf_files import BODY, map_characters, read, saved, wrapped, write_lines
from PIL import Image

from local_rag.adapters.pdf.compose import Vocabulary
from local_rag.adapters.pdf.glyphs import clean_word, is_garbled
from local_rag.adapters.pdf.lines import read_lines
from local_rag.adapters.pdf_reader import read_pdf, render
from local_rag.errors import (
    EmptyFile,
    NoText,
    PasswordRequired,
    TooLarge,
    UnknownPage,
    UnreadableFile,
    WrongContent,
)
from local_rag.ingest.kinds import PDF

if TYPE_CHECKING:
    from pathlib import Path

    from local_rag.model.document import Extraction, Page

# --- text and words ---------------------------------------------------------------------------


def test_lines_of_a_paragraph_are_joined_and_paragraphs_parted_by_a_blank_line(
    tmp_path: Path,
) -> None:
    document = pymupdf.open()
    page = document.new_page()
    y = write_lines(page, ["The first paragraph has", "two lines."])
    write_lines(page, ["The second one has", "three lines and", "ends here."], y=y + 14)
    (made,) = read(document, tmp_path).pages
    assert made.text == (
        "The first paragraph has two lines.\n\nThe second one has three lines and ends here."
    )
    assert (made.page_number, made.label, made.width_pt, made.height_pt) == (1, None, 595, 842)


def test_a_caption_above_a_table_of_staggered_rows_is_one_paragraph(tmp_path: Path) -> None:
    document = pymupdf.open()
    page = document.new_page()
    caption = ["Table 1. What was seen in all of the cases that were looked at, with ef-"]
    caption += ["fects of reducing the number of layers in both of the stages."]
    y = write_lines(page, caption, fontsize=10)
    for i in range(12):
        for x in (72, 200, 330):
            page.insert_text((x, y + 10 + 9 * i), f"v{i}{x}", fontsize=10)
    text = read(document, tmp_path).pages[0].text
    assert text.split("\n\n")[0] == (
        "Table 1. What was seen in all of the cases that were looked at, with "
        "effects of reducing the number of layers in both of the stages."
    )


def test_an_indented_line_begins_a_paragraph(tmp_path: Path) -> None:
    document = pymupdf.open()
    page = document.new_page()
    lines = wrapped(BODY * 2, 70)
    y = write_lines(page, lines)
    page.insert_text((90, y), "Indented is the first line of the next, which goes on for a while")
    write_lines(page, ["and ends after its second line."], y=y + 14)
    text = read(document, tmp_path).pages[0].text
    assert text.split("\n\n")[1] == (
        "Indented is the first line of the next, which goes on for a while "
        "and ends after its second line."
    )


def test_items_of_a_list_are_paragraphs_and_keep_what_follows_the_bullet(tmp_path: Path) -> None:
    document = pymupdf.open()
    page = document.new_page()
    font = pymupdf.Font("helv")
    writer = pymupdf.TextWriter(page.rect)
    for i, line in enumerate(["•10% minimum", "•25% at most", "• 7 days"]):
        writer.append((72, 72 + 14 * i), line, font=font)
    writer.write_text(page)
    assert read(document, tmp_path).pages[0].text == "•10% minimum\n\n•25% at most\n\n• 7 days"


@pytest.mark.parametrize(
    ("first", "second", "elsewhere", "shown"),
    [
        ("the recogni-", "tion of it", "", "the recognition of it"),
        ("the self-", "attention of it", "a self-attention layer", "the self-attention of it"),
        ("the multi-", "head of it", "one head of multi parts", "the multi-head of it"),
        ("the multi-", "head of it", "one multihead, head, multi", "the multihead of it"),
        ("so Anglo-", "Saxon of it", "", "so Anglo-Saxon of it"),
        ("so Trace-", "Monkey of it", "the TraceMonkey engine", "so TraceMonkey of it"),
        ("in 2019-", "2020 or so", "", "in 2019-2020 or so"),
        ("a dash -", "and more of it", "", "a dash - and more of it"),
    ],
)
def test_a_hyphen_at_a_line_end_is_joined_only_when_safe(
    tmp_path: Path, first: str, second: str, elsewhere: str, shown: str
) -> None:
    document = pymupdf.open()
    page = document.new_page()
    y = write_lines(page, [first, second])
    if elsewhere:
        page.insert_text((72, y + 40), elsewhere)
    made = read(document, tmp_path).pages[0]
    assert made.text.split("\n\n")[0] == shown
    pieces = [made.text[word.start : word.end] for word in made.words]
    assert "".join(pieces) == "".join(made.text.split())


def test_a_vocabulary_does_not_learn_the_halves_that_a_line_end_makes() -> None:
    vocabulary = Vocabulary()
    vocabulary.seal()
    assert not vocabulary.keeps_hyphen("a", "b")


def test_chinese_lines_are_joined_without_a_space(tmp_path: Path) -> None:
    document = pymupdf.open()
    page = document.new_page()
    write_lines(page, ["第一行文字没有", "空格第二行"], fontname="china-s")
    assert read(document, tmp_path).pages[0].text == "第一行文字没有空格第二行"


@pytest.mark.parametrize(
    ("raw", "clean"),
    [
        ("ﬁnd", "find"),
        ("eﬀect", "effect"),
        ("aﬃne", "affine"),
        ("af\0fect", "affect"),
        ("soft\u00adhyphen", "softhyphen"),
        ("lone\ud800", "lone"),
        ("e\u0301t\u00e9", "été"),
        ("na¨ıve", "naïve"),
        ("M¨uller", "Müller"),
        ("Ageˆncia", "Agência"),
        ("\uf0b7", "•"),
        ("\ufffd", ""),
        ("zero\u200bwidth", "zerowidth"),
        ("क्‍ष", "क्‍ष"),
    ],
)
def test_a_word_is_cleaned_before_it_is_placed(raw: str, clean: str) -> None:
    assert clean_word(raw) == clean


def test_ligatures_of_a_font_are_expanded_and_unmapped_characters_removed(
    tmp_path: Path,
) -> None:
    document = pymupdf.open()
    document.new_page().insert_text((72, 72), "The Xrst eYort ZowZ")
    map_characters(
        document,
        "1 beginbfrange <20> <57> <0020> endbfrange 1 beginbfrange <61> <7a> <0061> endbfrange "
        "3 beginbfchar <58> <FB01> <59> <FB00> <5a> <E001> endbfchar",
    )
    (made,) = read(document, tmp_path).pages
    assert made.text == "The first effort ow"
    assert [made.text[w.start : w.end] for w in made.words] == ["The", "first", "effort", "ow"]


def test_a_layer_without_meaning_is_told_from_text() -> None:
    assert is_garbled(["\x01\x02\x03", "\ufffd\ufffd", "ab"])
    assert is_garbled(["\x01\x02\x03"])
    assert not is_garbled(["plain", "text", "\x01"])
    assert not is_garbled([])


def test_a_page_of_unmapped_characters_is_read_from_its_picture(tmp_path: Path) -> None:
    document = pymupdf.open()
    document.new_page().insert_text((72, 72), "unreadable words stand here")
    map_characters(document, "1 beginbfrange <00> <ff> <E000> endbfrange")
    made = read(document, tmp_path)
    assert made.pages[0].text == "unreadable words stand here"
    assert (made.readings[0].path, made.readings[0].flags) == ("ocr", ("garbled", "ocr"))


def test_markup_on_a_page_stays_text(tmp_path: Path) -> None:
    document = pymupdf.open()
    line = "<img src=x onerror=alert(1)> <script> ![x](https://x.example/a) &amp; x<sup>2</sup><br>"
    document.new_page().insert_text((72, 72), line)
    assert read(document, tmp_path).pages[0].text == line


# --- places -----------------------------------------------------------------------------------


def _ink(document_path: Path, page: Page) -> list[bool]:
    """For each word, whether its box holds dark pixels in the page as it is displayed."""
    picture = Image.open(io.BytesIO(render(document_path, PDF, page.page_number, 72))).convert("L")
    assert picture.size == (round(page.width_pt), round(page.height_pt))
    found = []
    for word in page.words:
        box = (round(word.x0), round(word.y0), round(word.x1), round(word.y1))
        found.append(picture.crop(box).getextrema()[0] < 128)
    return found


@pytest.mark.parametrize("rotation", [0, 90, 180, 270])
@pytest.mark.parametrize("cropped", [False, True])
@pytest.mark.parametrize("unit", ["null", "2", "0.5"])
def test_word_boxes_hold_the_ink_of_the_page_as_displayed(
    tmp_path: Path, rotation: int, cropped: bool, unit: str
) -> None:
    document = pymupdf.open()
    page = document.new_page(width=400, height=300)
    for x, y, word in [
        (60, 70, "Alpha"),
        (250, 75, "Beta"),
        (70, 240, "Gamma"),
        (260, 250, "Delta"),
    ]:
        page.insert_text((x, y), word, fontsize=14)
    if cropped:
        page.set_cropbox(pymupdf.Rect(40, 30, 380, 280))
    page.set_rotation(rotation)
    document.xref_set_key(page.xref, "UserUnit", unit)
    path = saved(document, tmp_path)
    (made,) = read_pdf(path).pages
    assert sorted(made.text.split()) == ["Alpha", "Beta", "Delta", "Gamma"]
    assert _ink(path, made) == [True] * 4
    assert all(
        0 <= w.x0 < w.x1 <= made.width_pt and 0 <= w.y0 < w.y1 <= made.height_pt for w in made.words
    )
    # Nowhere else is ink: the boxes whited out, the page is blank.
    picture = Image.open(io.BytesIO(render(path, PDF, 1, 72))).convert("L")
    for w in made.words:
        box = (int(w.x0) - 1, int(w.y0) - 1, int(w.x1) + 2, int(w.y1) + 2)
        picture.paste(255, box)
    assert picture.getextrema() == (255, 255)


@pytest.mark.parametrize("rotation", [0, 90, 180, 270])
def test_text_of_a_rotated_page_is_kept_in_order(tmp_path: Path, rotation: int) -> None:
    document = pymupdf.open()
    page = document.new_page()
    write_lines(page, wrapped(BODY * 3, 60))
    page.set_rotation(rotation)
    assert read(document, tmp_path).pages[0].text == (BODY * 3).strip()


@pytest.mark.parametrize("turn", [90, 180, 270])
def test_text_drawn_sideways_is_kept_in_order(tmp_path: Path, turn: int) -> None:
    document = pymupdf.open()
    page = document.new_page()
    step = {90: (14, 0), 180: (0, -14), 270: (-14, 0)}[turn]
    x, y = {90: (100, 700), 180: (500, 700), 270: (500, 100)}[turn]
    for line in wrapped(BODY * 2, 60):
        page.insert_text((x, y), line, rotate=turn)
        x, y = x + step[0], y + step[1]
    assert read(document, tmp_path).pages[0].text == (BODY * 2).strip()


def test_a_sideways_table_on_an_upright_page_is_read_after_the_upright_text(
    tmp_path: Path,
) -> None:
    document = pymupdf.open()
    page = document.new_page()
    for column in range(6):
        for row in range(4):
            at = (400 + 14 * column, 700 - 100 * row)
            page.insert_text(at, f"cell{column}{row}", rotate=90)
    write_lines(page, wrapped(BODY * 2, 50))
    (made,) = read(document, tmp_path).pages
    rows = [" | ".join(f"cell{column}{row}" for row in range(4)) for column in range(6)]
    prose, table = made.text.split("\n\n")
    assert prose == (BODY * 2).strip()
    assert [row.strip("| ") for row in table.split("\n") if "cell" in row] == rows


@settings(max_examples=30, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    lines=st.lists(st.text("abcdeÄß-.,(1) ", min_size=1, max_size=40), min_size=1, max_size=12),
    rotation=st.sampled_from([0, 90, 180, 270]),
)
def test_every_character_but_spaces_lies_in_exactly_one_word(
    tmp_path: Path, lines: list[str], rotation: int
) -> None:
    document = pymupdf.open()
    page = document.new_page()
    page.insert_text((72, 40), "anchor")
    write_lines(page, lines)
    page.set_rotation(rotation)
    (made,) = read(document, tmp_path).pages
    covered = [i for word in made.words for i in range(word.start, word.end)]
    assert covered == [i for i, char in enumerate(made.text) if not char.isspace()]
    assert made.text == made.text.strip()
    assert not re.search(r"\n{3}|  |(?<!\n)\n(?!\n)", made.text)


# --- reading order ----------------------------------------------------------------------------


@pytest.mark.parametrize("across", [True, False])
def test_two_columns_are_read_one_after_the_other(tmp_path: Path, across: bool) -> None:
    document = pymupdf.open()
    page = document.new_page()
    places = [(side, i) for side in ("left", "right") for i in range(1, 21)]
    if across:
        places.sort(key=lambda place: place[1])
    for side, i in places:
        page.insert_text((72 if side == "left" else 320, 100 + 14 * i), f"{side} {i}")
    text = read(document, tmp_path).pages[0].text
    numbers = re.findall(r"(left|right) (\d+)", text)
    assert numbers == [(side, str(i)) for side in ("left", "right") for i in range(1, 21)]


def test_columns_stand_between_the_heading_above_and_the_note_below(tmp_path: Path) -> None:
    document = pymupdf.open()
    page = document.new_page()
    wide = "This line runs over the whole width of the page, from one edge to the other, {}."
    page.insert_text((72, 80), wide.format("above"))
    for i in range(20):
        page.insert_text((72, 120 + 14 * i), f"words of the left side, line {i}")
        page.insert_text((320, 120 + 14 * i), f"words of the right side, line {i}")
    page.insert_text((72, 440), wide.format("below"))
    text = read(document, tmp_path).pages[0].text
    found = re.findall(r"above|below|left|right", text)
    assert found == ["above", *["left"] * 20, *["right"] * 20, "below"]


def test_three_columns_are_read_one_after_the_other(tmp_path: Path) -> None:
    document = pymupdf.open()
    page = document.new_page()
    for i in range(25):
        for x, name in ((50, "alpha"), (220, "beta"), (390, "gamma")):
            page.insert_text((x, 100 + 14 * i), f"{name} column has line {i}", fontsize=10)
    found = re.findall("alpha|beta|gamma", read(document, tmp_path).pages[0].text)
    assert found == ["alpha"] * 25 + ["beta"] * 25 + ["gamma"] * 25


def test_rows_of_a_table_stay_together(tmp_path: Path) -> None:
    document = pymupdf.open()
    page = document.new_page()
    for i in range(20):
        page.insert_text((72, 100 + 14 * i), f"State of number {i}")
        page.insert_text((250, 100 + 14 * i), f"{i * 37}")
        page.insert_text((400, 100 + 14 * i), f"{i * 41}.5")
    rows = read(document, tmp_path).pages[0].text.split("\n\n")
    assert rows == [f"State of number {i} {i * 37} {i * 41}.5" for i in range(20)]


def test_rows_of_a_ruled_table_of_words_stay_together(tmp_path: Path) -> None:
    document = pymupdf.open()
    page = document.new_page()
    for i in range(20):
        y = 100 + 14 * i
        page.insert_text((72, y), f"the person {i}")
        page.insert_text((320, y), f"their office {i}")
        page.draw_line((70, y + 3), (500, y + 3))
    rows = read(document, tmp_path).pages[0].text.split("\n")
    assert rows.pop(1) == "| --- | --- |"
    assert rows == [f"| the person {i} | their office {i} |" for i in range(20)]


def test_a_sentence_goes_on_from_one_column_to_the_next(tmp_path: Path) -> None:
    document = pymupdf.open()
    page = document.new_page()
    lines = [f"and item {i} was discussed at length" for i in range(30)]
    write_lines(page, lines[:15], fontsize=10)
    write_lines(page, lines[15:], x=320, fontsize=10)
    assert read(document, tmp_path).pages[0].text == " ".join(lines)


def test_entries_with_a_hanging_indent_are_paragraphs(tmp_path: Path) -> None:
    document = pymupdf.open()
    page = document.new_page()
    y = 72.0
    for i in range(4):
        page.insert_text((72, y), f"Author {i}, A., and Other, B. On the nature of things and of")
        page.insert_text((90, y + 14), f"words, volume {i}, Press")
        y += 28
    assert read(document, tmp_path).pages[0].text.split("\n\n") == [
        f"Author {i}, A., and Other, B. On the nature of things and of words, volume {i}, Press"
        for i in range(4)
    ]


# --- headings and titles ----------------------------------------------------------------------


def _article(folder: Path, *, outline: bool = False) -> Extraction:
    document = pymupdf.open()
    for number in (1, 2):
        page = document.new_page()
        page.insert_text((72, 72), f"{number} Chapter of things", fontsize=18)
        y = write_lines(page, wrapped(BODY * 2, 70), y=110)
        page.insert_text((72, y + 20), f"{number}.1 Part of them", fontsize=14)
        write_lines(page, wrapped(BODY * 2, 70), y=y + 50)
    if outline:
        document.set_toc([[1, "1 CHAPTER  of things", 1], [1, "Chapter of things", 2]])
    return read(document, folder)


def test_headings_are_found_by_their_size_and_stand_alone(tmp_path: Path) -> None:
    extraction = _article(tmp_path)
    assert [(s.section_id, s.title, s.page_number) for s in extraction.sections] == [
        ("1", "1 Chapter of things", 1),
        ("1.1", "1.1 Part of them", 1),
        ("2", "2 Chapter of things", 2),
        ("2.1", "2.1 Part of them", 2),
    ]
    for section in extraction.sections:
        page = extraction.pages[section.page_number - 1]
        assert page.text[section.start :].startswith(section.title + "\n\n")


def test_an_outline_decides_where_there_is_one(tmp_path: Path) -> None:
    sections = _article(tmp_path, outline=True).sections
    assert [(s.section_id, s.title, s.page_number) for s in sections] == [
        ("1", "1 CHAPTER of things", 1),
        ("2", "Chapter of things", 2),
    ]


def test_an_outline_that_names_nothing_on_its_pages_is_passed_over(tmp_path: Path) -> None:
    document = pymupdf.open()
    for number in (1, 2):
        page = document.new_page()
        page.insert_text((72, 72), f"{number} Chapter", fontsize=18)
        write_lines(page, wrapped(BODY * 2, 70), y=110)
    document.set_toc([[1, "scan0001.tif", 1], [1, "scan0002.tif", 2]])
    assert [s.title for s in read(document, tmp_path).sections] == ["1 Chapter", "2 Chapter"]


def test_an_outline_of_one_entry_is_passed_over(tmp_path: Path) -> None:
    document = pymupdf.open()
    for number in (1, 2):
        page = document.new_page()
        page.insert_text((72, 72), f"{number} Chapter", fontsize=18)
        write_lines(page, wrapped(BODY * 2, 70), y=110)
    document.set_toc([[1, "1 Chapter", 1]])
    assert [s.title for s in read(document, tmp_path).sections] == ["1 Chapter", "2 Chapter"]


def test_a_line_hardly_larger_than_the_body_is_no_heading(tmp_path: Path) -> None:
    document = pymupdf.open()
    page = document.new_page()
    page.insert_text((72, 72), "A line somewhat larger", fontsize=20)
    write_lines(page, wrapped(BODY, 30), y=120, fontsize=18.5)
    assert [s.section_id for s in read(document, tmp_path).sections] == ["0"]


def test_bold_numbered_lines_of_body_size_are_headings(tmp_path: Path) -> None:
    document = pymupdf.open()
    page = document.new_page()
    y = 72.0
    for name in ("1 Aims", "2 Means"):
        page.insert_text((72, y), name, fontname="hebo")
        y = write_lines(page, wrapped(BODY * 2, 70), y=y + 24) + 20
    assert [s.title for s in read(document, tmp_path).sections] == ["1 Aims", "2 Means"]


@pytest.mark.parametrize("size", [11, 12])
def test_an_underlined_first_line_is_body(tmp_path: Path, size: int) -> None:
    document = pymupdf.open()
    page = document.new_page()
    page.insert_text((72, 72), "An underlined first line", fontsize=size)
    page.draw_line((72, 74), (200, 74))
    write_lines(page, wrapped(BODY * 3, 70), y=100, fontsize=size)
    assert [s.section_id for s in read(document, tmp_path).sections] == ["0"]


def test_a_running_head_is_no_heading(tmp_path: Path) -> None:
    document = pymupdf.open()
    for _ in range(4):
        page = document.new_page()
        page.insert_text((72, 50), "Annual Report", fontsize=16)
        write_lines(page, wrapped(BODY * 2, 70), y=90)
    extraction = read(document, tmp_path)
    assert [s.path for s in extraction.sections] == [()] * 4
    assert all(page.text.startswith("Annual Report\n\n") for page in extraction.pages)


@pytest.mark.parametrize(
    ("given_title", "title"),
    [
        ("A Fine Study", "A Fine Study"),
        ("Microsoft Word - draft3.doc", None),
        ("Untitled", None),
        ("report_final.pdf", None),
        ("A  Fine\nStudy", "A Fine Study"),
        ("<b>x</b>", "<b>x</b>"),
        ("Übersicht für 文書", "Übersicht für 文書"),
    ],
)
def test_a_title_of_the_metadata_is_taken_if_it_is_one(
    tmp_path: Path, given_title: str, title: str | None
) -> None:
    document = pymupdf.open()
    document.new_page().insert_text((72, 72), "Body")
    document.set_metadata({"title": given_title})
    assert read(document, tmp_path).title == title


def test_the_largest_line_of_the_first_page_is_the_title_and_no_section(tmp_path: Path) -> None:
    document = pymupdf.open()
    page = document.new_page()
    page.insert_text((72, 72), "On Committees", fontsize=24)
    y = 110.0
    for name in ("1 Aims", "2 Means"):
        page.insert_text((72, y), name, fontsize=15)
        y = write_lines(page, wrapped(BODY * 2, 70), y=y + 24) + 20
    extraction = read(document, tmp_path)
    assert extraction.title == "On Committees"
    assert [s.title for s in extraction.sections] == ["", "1 Aims", "2 Means"]


def test_page_labels_are_what_is_printed(tmp_path: Path) -> None:
    document = pymupdf.open()
    for i in range(4):
        document.new_page().insert_text((72, 72), f"sheet {i}")
    document.set_page_labels(
        [
            {"startpage": 0, "prefix": "", "style": "r", "firstpagenum": 1},
            {"startpage": 2, "prefix": "", "style": "D", "firstpagenum": 1},
        ]
    )
    pages = read(document, tmp_path).pages
    assert [(page.page_number, page.label) for page in pages] == [
        (1, "i"),
        (2, "ii"),
        (3, "1"),
        (4, "2"),
    ]


# --- what cannot be seen --------------------------------------------------------------------


def test_text_that_cannot_be_seen_is_left_out(tmp_path: Path) -> None:
    document = pymupdf.open()
    page = document.new_page()
    page.insert_text((72, 72), "Visible line")
    page.insert_text((72, 100), "render mode three", render_mode=3)
    page.insert_text((72, 130), "transparent", fill_opacity=0, stroke_opacity=0)
    page.insert_text((72, 160), "white on white", color=(1, 1, 1))
    page.insert_text((72, 175), "nearly white on white", color=(0.98, 0.98, 0.98))
    page.insert_text((72, 190), "microscopic", fontsize=0.5)
    page.insert_text((700, 220), "right of the page")
    page.insert_text((72, -30), "above the page")
    assert read(document, tmp_path).pages[0].text == "Visible line"


@pytest.mark.parametrize("rotation", [0, 90])
@pytest.mark.parametrize("unit", ["null", "2"])
def test_white_text_on_a_dark_ground_is_kept(tmp_path: Path, rotation: int, unit: str) -> None:
    document = pymupdf.open()
    page = document.new_page()
    page.draw_rect(pymupdf.Rect(60, 50, 400, 90), fill=(0, 0, 0.5))
    page.insert_text((72, 72), "Head of a table", color=(1, 1, 1))
    page.insert_text((72, 160), "white on white", color=(1, 1, 1))
    page.set_rotation(rotation)
    document.xref_set_key(page.xref, "UserUnit", unit)
    assert read(document, tmp_path).pages[0].text == "Head of a table"


def _photo(colour: tuple[int, ...] = (150, 160, 170), mode: str = "RGB") -> bytes:
    picture = io.BytesIO()
    Image.new(mode, (40, 20), colour).save(picture, "PNG")
    return picture.getvalue()


@pytest.mark.parametrize("cover", ["white box", "black box", "picture", "annotation"])
@pytest.mark.parametrize("rotation", [0, 90])
def test_text_below_something_opaque_is_left_out(tmp_path: Path, cover: str, rotation: int) -> None:
    document = pymupdf.open()
    page = document.new_page()
    write_lines(page, ["Visible line above", "covered words here", "Visible line below"], y=80)
    area = pymupdf.Rect(70, 83, 300, 98)
    if cover == "picture":
        page.insert_image(area, stream=_photo(), keep_proportion=False)
    elif cover == "annotation":
        page.add_rect_annot(area).update(fill_color=(1, 1, 1))
    else:
        page.draw_rect(area, fill=(1, 1, 1) if cover == "white box" else (0, 0, 0), width=0)
    page.set_rotation(rotation)
    path = saved(document, tmp_path)
    assert read_pdf(path).pages[0].text == "Visible line above\n\nVisible line below"
    with pymupdf.open(path) as opened:
        assert read_lines(opened[0]).hidden_words == 3


@pytest.mark.parametrize(
    "mark", ["highlight", "transparent box", "transparent picture", "frame", "small picture"]
)
def test_text_that_can_be_seen_through_a_mark_is_kept(tmp_path: Path, mark: str) -> None:
    document = pymupdf.open()
    page = document.new_page()
    page.insert_text((72, 80), "marked words here")
    area = pymupdf.Rect(70, 69, 300, 84)
    if mark == "highlight":
        page.add_highlight_annot(area)
    elif mark == "transparent box":
        page.draw_rect(area, fill=(1, 1, 0), fill_opacity=0.4)
    elif mark == "transparent picture":
        stream = _photo((90, 90, 90, 120), "RGBA")
        page.insert_image(area, stream=stream, keep_proportion=False)
    elif mark == "frame":
        page.draw_rect(area)
    else:
        page.insert_image(pymupdf.Rect(90, 69, 98, 84), stream=_photo(), keep_proportion=False)
    assert read(document, tmp_path).pages[0].text == "marked words here"


@pytest.mark.parametrize("colour", [(0, 0, 0), (1, 1, 1)])
def test_text_on_top_of_a_box_that_covers_other_text_is_kept(
    tmp_path: Path, colour: tuple[float, ...]
) -> None:
    document = pymupdf.open()
    page = document.new_page()
    page.insert_text((72, 80), "old words below")
    page.draw_rect(pymupdf.Rect(70, 69, 300, 84), fill=(0.3, 0.5, 0.7))
    page.insert_text((180, 80), "new words", color=colour)
    assert read(document, tmp_path).pages[0].text == "new words"


def test_the_layer_that_ocr_put_below_the_picture_of_the_page_is_kept(tmp_path: Path) -> None:
    document = pymupdf.open()
    page = document.new_page()
    page.insert_text((72, 72), "Recognised words")
    page.insert_image(page.rect, stream=_photo(), keep_proportion=False)
    assert read(document, tmp_path).pages[0].text == "Recognised words"


def test_the_layer_that_ocr_put_over_a_scan_is_kept(tmp_path: Path) -> None:
    paper = pymupdf.open().new_page()
    paper.insert_text((72, 72), "Recognised words", fontsize=20)
    write_lines(paper, wrapped(BODY, 60), y=110)
    document = pymupdf.open()
    page = document.new_page()
    page.insert_image(page.rect, stream=paper.get_pixmap(dpi=100).tobytes("png"))
    page.insert_text((72, 72), "Recognised words", render_mode=3, fontsize=20)
    write_lines(page, wrapped(BODY, 60), y=110, render_mode=3)
    extraction = read(document, tmp_path)
    assert extraction.pages[0].text.startswith("Recognised words\n\nThe committee")
    assert [s.section_id for s in extraction.sections] == ["0"]


# --- files that cannot be read ----------------------------------------------------------------


def _valid_bytes(pages: int = 3) -> bytes:
    document = pymupdf.open()
    for i in range(pages):
        document.new_page().insert_text((72, 72), f"Page {i} has text. {BODY}")
    return bytes(document.tobytes())


def _raw(kids: str, count: int) -> bytes:
    """A PDF without a table of objects, whose page tree says what is given."""
    return (
        "%PDF-1.7\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n"
        f"2 0 obj<</Type/Pages/Kids[{kids}]/Count {count}>>endobj\n"
        "3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]>>endobj\ntrailer<</Root 1 0 R>>"
    ).encode()


@pytest.mark.parametrize(
    ("data", "error"),
    [
        (b"", EmptyFile),
        (b"<html><body>Hello</body></html>", WrongContent),
        (bytes(range(256)) * 8, WrongContent),
        (b" " * 1024 + b"%PDF-1.7", WrongContent),
        (b"%PDF-1.7\n", UnreadableFile),
        (b"%PDF-1.7\n" + bytes(range(256)) * 8, UnreadableFile),
        (_raw("", 0), UnreadableFile),
        (_raw("2 0 R", 3), UnreadableFile),
        (_raw("3 0 R", 2), UnreadableFile),
        (_raw("3 0 R", 900_000), UnreadableFile),
    ],
)
def test_a_file_that_cannot_be_read_has_one_stable_error(
    tmp_path: Path, data: bytes, error: type[Exception], capfd: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "secret-name.pdf"
    path.write_bytes(data)
    with pytest.raises(error) as caught:
        read_pdf(path)
    assert "secret-name" not in str(caught.value)
    assert capfd.readouterr() == ("", "")


def test_a_cut_file_never_succeeds_with_nothing(tmp_path: Path) -> None:
    whole = _valid_bytes()
    path = tmp_path / "cut.pdf"
    outcomes = set()
    for share in (0.02, 0.1, 0.3, 0.5, 0.7, 0.9, 1.0):
        path.write_bytes(whole[: int(len(whole) * share)])
        try:
            extraction = read_pdf(path)
        except (UnreadableFile, NoText) as exc:
            outcomes.add(type(exc))
        else:
            assert any("has text" in page.text for page in extraction.pages)
            outcomes.add(type(extraction))
    assert len(outcomes) > 1


def test_pages_without_text_are_counted_in_the_error(tmp_path: Path) -> None:
    document = pymupdf.open()
    for _ in range(7):
        document.new_page()
    with pytest.raises(NoText, match="7 page"):
        read(document, tmp_path)


def test_one_damaged_page_does_not_lose_the_others_and_the_report_names_it(tmp_path: Path) -> None:
    data = (
        b"%PDF-1.7\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n"
        b"2 0 obj<</Type/Pages/Kids[3 0 R 2 0 R]/Count 2>>endobj\n"
        b"3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 300]/Contents 4 0 R"
        b"/Resources<</Font<</F<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>>>>>>>endobj\n"
        b"4 0 obj<</Length 40>>stream\nBT /F 12 Tf 50 200 Td (First page) Tj ET\nendstream endobj\n"
        b"trailer<</Root 1 0 R>>"
    )
    path = tmp_path / "file.pdf"
    path.write_bytes(data)
    read = read_pdf(path)
    assert [page.text for page in read.pages] == ["First page", ""]
    assert [(reading.path, reading.flags) for reading in read.readings] == [
        ("plain", ()),
        ("failed", ("failed", "no-text")),
    ]


@pytest.mark.parametrize("method", [pymupdf.PDF_ENCRYPT_RC4_128, pymupdf.PDF_ENCRYPT_AES_256])
def test_a_user_password_is_asked_for_and_an_owner_password_is_not(
    tmp_path: Path, method: int
) -> None:
    def protected(**passwords: str) -> Path:
        document = pymupdf.open()
        document.new_page().insert_text((72, 72), "Locked words")
        return saved(document, tmp_path, encryption=method, **passwords)

    with pytest.raises(PasswordRequired):
        read_pdf(protected(user_pw="secret", owner_pw="owner"))
    assert read_pdf(protected(owner_pw="owner")).pages[0].text == "Locked words"


_XFA_NOTICE = (
    "Please wait... If this message is not eventually replaced by the proper contents of the "
    "document, your PDF viewer may not be able to display this type of document."
)


def _xfa_form(folder: Path, pages: list[str], *, dynamic: bool) -> Path:
    document = pymupdf.open()
    for text in pages:
        write_lines(document.new_page(), wrapped(text, 70))
    form = document.get_new_xref()
    document.update_object(form, "<</Fields[]/XFA(<xdp/>)>>")
    document.xref_set_key(document.pdf_catalog(), "AcroForm", f"{form} 0 R")
    if dynamic:
        document.xref_set_key(document.pdf_catalog(), "NeedsRendering", "true")
    return saved(document, folder)


@pytest.mark.parametrize(
    ("text", "dynamic"),
    [(_XFA_NOTICE, False), (_XFA_NOTICE, True), ("Bitte warten", True), ("", True)],
)
def test_a_form_without_pages_of_its_own_is_refused_by_its_name(
    tmp_path: Path, text: str, dynamic: bool
) -> None:
    with pytest.raises(UnreadableFile, match="XFA form") as caught:
        read_pdf(_xfa_form(tmp_path, [text], dynamic=dynamic))
    assert "print it to a new PDF" in caught.value.fix


@pytest.mark.parametrize(
    ("pages", "dynamic"),
    [([BODY], False), ([BODY * 16], True), ([BODY, BODY], True)],
)
def test_a_form_in_xfa_that_has_pages_of_its_own_is_read(
    tmp_path: Path, pages: list[str], dynamic: bool
) -> None:
    extraction = read_pdf(_xfa_form(tmp_path, pages, dynamic=dynamic))
    assert [page.text.split() for page in extraction.pages] == [text.split() for text in pages]


def test_a_page_that_asks_for_patience_is_read_where_there_is_no_form(tmp_path: Path) -> None:
    document = pymupdf.open()
    document.new_page().insert_text((72, 72), "Please wait... outside")
    assert read(document, tmp_path).pages[0].text == "Please wait... outside"


def test_more_pages_than_the_limit_are_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("local_rag.adapters.pdf.opening.MAX_PAGES", 2)
    path = tmp_path / "file.pdf"
    path.write_bytes(_valid_bytes(3))
    with pytest.raises(TooLarge, match="3 pages"):
        read_pdf(path)


def test_progress_is_told_for_every_page(tmp_path: Path) -> None:
    path = tmp_path / "file.pdf"
    path.write_bytes(_valid_bytes(3))
    seen: list[tuple[int, int]] = []
    read_pdf(path, lambda done, total: seen.append((done, total)))
    assert seen == [(0, 3), (1, 3), (2, 3), (3, 3)]


# --- pictures ---------------------------------------------------------------------------------


def test_a_page_is_drawn_as_rgb_at_the_resolution(tmp_path: Path) -> None:
    path = tmp_path / "file.pdf"
    path.write_bytes(_valid_bytes(1))
    picture = Image.open(io.BytesIO(render(path, PDF, 1, 144)))
    assert (picture.format, picture.mode, picture.size) == ("PNG", "RGB", (1190, 1684))


def test_annotations_and_fields_are_drawn(tmp_path: Path) -> None:
    document = pymupdf.open()
    page = document.new_page(width=200, height=200)
    page.add_rect_annot(pymupdf.Rect(20, 20, 60, 60)).update(fill_color=(1, 0, 0))
    widget = pymupdf.Widget()
    widget.field_type = pymupdf.PDF_WIDGET_TYPE_TEXT
    widget.field_name, widget.fill_color = "x", (0, 0, 1)
    widget.rect = pymupdf.Rect(100, 100, 180, 180)
    page.add_widget(widget)
    picture = Image.open(io.BytesIO(render(saved(document, tmp_path), PDF, 1, 72)))
    assert picture.getpixel((40, 50)) == (255, 0, 0)
    assert picture.getpixel((140, 140)) == (0, 0, 255)


def test_a_huge_page_is_drawn_smaller(tmp_path: Path) -> None:
    document = pymupdf.open()
    document.new_page(width=10_000, height=8_000).insert_text((72, 72), "x")
    picture = Image.open(io.BytesIO(render(saved(document, tmp_path), PDF, 1, 300)))
    assert 10_000_000 < picture.width * picture.height <= 20_500_000


@pytest.mark.parametrize("number", [0, -1, 2, 10**9])
def test_a_page_that_is_not_there_cannot_be_drawn(tmp_path: Path, number: int) -> None:
    path = tmp_path / "file.pdf"
    path.write_bytes(_valid_bytes(1))
    with pytest.raises(UnknownPage):
        render(path, PDF, number, 72)


def test_a_line_drawn_twice_for_a_bold_look_or_a_shadow_is_one(tmp_path):
    document = pymupdf.open()
    page = document.new_page()
    for shift in (0, 0.3, 1.2):
        page.insert_text((72 + shift, 72), "Heavy words", fontsize=12)
    page.insert_text((72, 120), "ho ho ho")
    page.insert_text((72, 140), "ho ho ho")
    assert read(document, tmp_path).pages[0].text.split() == ["Heavy", "words", *["ho"] * 6]


def test_a_compound_keeps_the_hyphen_at_its_line_end(tmp_path):
    document = pymupdf.open()
    lines = ["We show the state-of-the-", "art in well-recogni-", "tion of the rest of it."]
    write_lines(document.new_page(), lines)
    text = read(document, tmp_path).pages[0].text
    assert text == "We show the state-of-the-art in well-recognition of the rest of it."
