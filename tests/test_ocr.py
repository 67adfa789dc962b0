"""Text in pictures of pages, drawn here so that every word's place is known."""

from __future__ import annotations

import logging
import math
import subprocess
import sys

import numpy as np
import pymupdf
import pytest
from PIL import Image

from local_rag.adapters.ocr import models as ocr_models
from local_rag.adapters.ocr.boxes import Box
from local_rag.adapters.ocr.columns import in_columns
from local_rag.adapters.ocr.models import ROWS
from local_rag.adapters.ocr.reading import ocr_lines, read_picture
from local_rag.adapters.ocr.recognition import Character, Reading
from local_rag.adapters.ocr.sizes import letter_size, settled
from local_rag.adapters.ocr.spacing import spaced
from local_rag.adapters.pdf.lines import Line, Piece
from local_rag.adapters.pdf.order import reading_order
from local_rag.adapters.pdf.paragraphs import paragraphs_of
from local_rag.adapters.pdf.rows import rows_of

DPI = 150
WIDTH_PT, HEIGHT_PT = 300, 170
LINES = ["The lighthouse was built", "on a rock in the year 1873", "by the keeper of the coast"]


@pytest.fixture(scope="module")
def drawn():
    """A picture of three lines and the box of each word in points."""
    document = pymupdf.open()
    page = document.new_page(width=WIDTH_PT, height=HEIGHT_PT)
    for number, line in enumerate(LINES):
        page.insert_text((30, 60 + 22 * number), line, fontsize=16, fontname="tiro")
    return _pixels(page), [(word[4], word[:4]) for word in page.get_text("words")]


def _pixels(page):
    pixmap = page.get_pixmap(dpi=DPI, alpha=False)
    return np.frombuffer(pixmap.samples, np.uint8).reshape(pixmap.h, pixmap.w, 3)


def _texts(page):
    return [line.text for line in page.lines.lines]


def _pieces(page):
    return [piece for line in page.lines.lines for piece in line.pieces]


def _centre(box):
    x0, y0, x1, y1 = box
    return (x0 + x1) / 2, (y0 + y1) / 2


def test_lines_are_read_from_top_to_bottom_with_the_boxes_of_their_words(drawn):
    picture, expected = drawn
    page = read_picture(picture, DPI)
    assert _texts(page) == LINES
    assert (page.turn_deg, page.complete, page.lines.scan) == (0, True, True)
    assert abs(page.skew_deg) < 0.5
    assert page.lines.width_pt == pytest.approx(WIDTH_PT, abs=0.5)
    assert page.confidence > 0.95
    assert len(page.confidences) == len(LINES)
    for piece, (text, box) in zip(_pieces(page), expected, strict=True):
        assert piece.text == text
        assert (piece.x0, piece.x1) == pytest.approx((box[0], box[2]), abs=2.5)
        assert (piece.y0, piece.y1) == pytest.approx((box[1], box[3]), abs=4)


def test_lines_of_one_font_have_one_size_and_make_one_paragraph(drawn):
    lines = ocr_lines(drawn[0], DPI).lines
    assert len({line.size for line in lines}) == 1
    assert lines[0].size == pytest.approx(16, rel=0.12)
    assert len(paragraphs_of(rows_of(reading_order(lines, lambda: False)))) == 1


@pytest.mark.parametrize("turn", [90, 180, 270])
def test_a_turned_page_is_read_upright_with_boxes_where_the_words_are_seen(drawn, turn):
    picture, expected = drawn
    page = read_picture(np.ascontiguousarray(np.rot90(picture, -turn // 90)), DPI)
    assert _texts(page) == LINES
    assert page.turn_deg == turn
    assert {line.direction for line in page.lines.lines} == {turn // 90}
    for piece, (_, box) in zip(_pieces(page), expected, strict=True):
        x, y = _centre(box)
        seen = {
            90: (HEIGHT_PT - y, x),
            180: (WIDTH_PT - x, HEIGHT_PT - y),
            270: (y, WIDTH_PT - x),
        }[turn]
        assert _centre(piece[1:5]) == pytest.approx(seen, abs=3)
    # In the reading frame lines follow each other downward.
    tops = [line.y0 for line in page.lines.lines]
    assert tops == sorted(tops)
    assert all(line.x1 - line.x0 > 5 * (line.y1 - line.y0) for line in page.lines.lines)


@pytest.mark.parametrize("skew", [-3.0, 3.0])
def test_a_page_that_lies_askew_is_read_with_level_lines(drawn, skew):
    picture, expected = drawn
    turned = Image.fromarray(picture).rotate(-skew, Image.Resampling.BICUBIC, fillcolor="white")
    page = read_picture(np.asarray(turned), DPI)
    assert _texts(page) == LINES
    assert page.turn_deg == 0
    assert page.skew_deg == pytest.approx(skew, abs=0.6)
    cos, sin = math.cos(math.radians(skew)), math.sin(math.radians(skew))
    for piece, (_, box) in zip(_pieces(page), expected, strict=True):
        x, y = np.subtract(_centre(box), (WIDTH_PT / 2, HEIGHT_PT / 2))
        seen = WIDTH_PT / 2 + x * cos - y * sin, HEIGHT_PT / 2 + x * sin + y * cos
        assert _centre(piece[1:5]) == pytest.approx(seen, abs=3.5)
    for line, height in zip(page.lines.lines, (60, 82, 104), strict=True):
        assert line.y0 < height < line.y1
        assert line.y1 - line.y0 < 22


def test_what_stands_apart_on_a_base_line_becomes_lines_of_one_row():
    document = pymupdf.open()
    page = document.new_page(width=WIDTH_PT, height=HEIGHT_PT)
    for y, cells in ((60, ("Apples", "12.50")), (85, ("Pears", "30.75"))):
        page.insert_text((30, y), cells[0], fontsize=14)
        page.insert_text((200, y), cells[1], fontsize=14)
    lines = ocr_lines(_pixels(page), DPI).lines
    assert [line.text for line in lines] == ["Apples", "12.50", "Pears", "30.75"]
    rows = rows_of(reading_order(lines, lambda: False))
    assert [(row.text, row.tabular) for row in rows] == [
        ("Apples 12.50", True),
        ("Pears 30.75", True),
    ]


def test_capitals_keep_their_spaces():
    document = pymupdf.open()
    page = document.new_page(width=WIDTH_PT, height=HEIGHT_PT)
    page.insert_text((30, 60), "SCANNED BODY ALPHA 7713", fontsize=14)
    assert _texts(read_picture(_pixels(page), DPI)) == ["SCANNED BODY ALPHA 7713"]


def test_accents_and_ligatures_are_kept():
    document = pymupdf.open()
    page = document.new_page(width=WIDTH_PT, height=HEIGHT_PT)
    text = "capharnaüm, alcôve ovoïde, garçon"
    page.insert_text((30, 60), text, fontsize=15, fontname="tiro")
    assert _texts(read_picture(_pixels(page), DPI)) == [text]


def test_light_text_on_dark_ground_is_read(drawn):
    assert _texts(read_picture(255 - drawn[0], DPI)) == LINES


def test_grey_pictures_and_pictures_with_alpha_are_read_alike(drawn):
    picture = drawn[0]
    alpha = np.concatenate([picture, np.zeros_like(picture[:, :, :1])], axis=2)
    assert _texts(read_picture(picture[:, :, 0], DPI)) == LINES
    assert _texts(read_picture(alpha, DPI)) == LINES


def test_a_huge_picture_is_reduced_and_its_boxes_are_not(drawn):
    picture, expected = drawn
    huge = np.asarray(Image.fromarray(picture).resize((5000, 2833)))
    page = read_picture(huge, 5000 / WIDTH_PT * 72)
    assert _texts(page) == LINES
    assert page.lines.width_pt == pytest.approx(WIDTH_PT)
    for piece, (_, box) in zip(_pieces(page), expected, strict=True):
        assert (piece.x0, piece.x1) == pytest.approx((box[0], box[2]), abs=2.5)


def test_a_tiny_picture_is_enlarged():
    document = pymupdf.open()
    page = document.new_page(width=100, height=20)
    page.insert_text((8, 14), "Lighthouse keeper", fontsize=10)
    pixmap = page.get_pixmap(dpi=96, alpha=False)
    tiny = np.frombuffer(pixmap.samples, np.uint8).reshape(pixmap.h, pixmap.w, 3)
    assert _texts(read_picture(tiny, 96)) == ["Lighthouse keeper"]


@pytest.mark.parametrize(
    "picture",
    [
        np.full((400, 300, 3), 255, np.uint8),
        np.zeros((400, 300), np.uint8),
        np.random.default_rng(1).integers(0, 255, (300, 300, 3), np.uint8),
        np.full((1, 1, 3), 255, np.uint8),
        np.full((3, 900), 255, np.uint8),
        np.zeros((0, 0, 3), np.uint8),
        np.full((9, 3000, 3), 128, np.uint8),
    ],
    ids=["white", "black", "noise", "pixel", "strip", "nothing", "band"],
)
def test_a_picture_without_text_gives_an_empty_page(picture):
    page = read_picture(picture, DPI)
    assert (page.lines.lines, page.confidences, page.confidence) == ([], (), 0.0)


def test_time_that_ran_out_is_told(drawn):
    page = read_picture(drawn[0], DPI, budget_s=0.0)
    assert (page.lines.lines, page.complete) == ([], False)


def _strip(*blocks):
    """A strip with black blocks, and a character seen in the middle of each."""
    strip = np.full((ROWS, 400, 3), 255, np.uint8)
    for left, right in blocks:
        strip[12:38, left:right] = 0
    return strip


def _reading(text, blocks, told=()):
    characters = []
    for number, (character, (left, right)) in enumerate(zip(text, blocks, strict=True)):
        if number in told:
            characters.append(Character(" ", left - 4.0, 0.9))
        characters.append(Character(character, (left + right) / 2, 0.9))
    return Reading(Box(0, 0, 800, 2 * ROWS, 0), _strip(*blocks), characters)


def _blocks(*lefts):
    return [(left, left + 16) for left in lefts]


CLOSE = _blocks(8, 28, 48, 68, 104, 124, 144, 164)


def test_white_as_wide_as_a_space_parts_words_and_bounds_them():
    words = spaced(_reading("palmtree", CLOSE)).words
    assert [word.text for word in words] == ["palm", "tree"]
    # The box has twice the strip's pixels.
    assert [(word.left, word.right) for word in words] == [(16, 168), (208, 360)]


def test_words_stay_whole_where_white_is_even():
    words = spaced(_reading("palmtree", _blocks(8, 28, 48, 68, 88, 108, 128, 148))).words
    assert [word.text for word in words] == ["palmtree"]


def test_no_space_is_set_before_a_comma_or_beside_a_lone_small_letter():
    comma = spaced(_reading("palm,ree", CLOSE)).words
    assert [word.text for word in comma] == ["palm,ree"]
    lone = spaced(_reading("amongst", _blocks(8, 28, 48, 68, 88, 108, 144))).words
    assert [word.text for word in lone] == ["amongst"]


def test_chinese_gets_no_spaces_whatever_the_white():
    words = spaced(_reading("灯塔建于海岸石上", CLOSE, told=[4])).words
    assert [word.text for word in words] == ["灯塔建于海岸石上"]


def _line(text, x0, y, x1):
    pieces = [Piece(word, x0, y, x1, y + 10) for word in text.split()]
    return Line(pieces, x0, y, x1, y + 10, 10, 10, False)


def _column(name, x0, first_y):
    return [_line(f"{name} {n} of a column", x0, first_y + 12 * n, x0 + 140) for n in range(5)]


def _ordered(lines):
    rows = {}
    for line in sorted(lines, key=lambda line: (line.y0, line.x0)):
        rows.setdefault(line.y0, []).append(line)
    return [line.text for line in in_columns(list(rows.values()), lambda line: line)]


def test_columns_between_lines_that_span_them_are_read_one_after_the_other():
    title, left, right = _line("A title over all", 20, 10, 320), *_columns(40)
    heading = _line("What follows", 20, 130, 90)
    foot = [_line("A foot under all of it", 20, 145 + 12 * n, 320) for n in range(2)]
    expected = [title, *left, *right, heading, *foot]
    assert _ordered(expected) == [line.text for line in expected]


def _columns(y):
    return _column("left", 20, y), _column("right", 180, y)


def test_a_table_is_read_row_by_row():
    cells = [_line(f"{x} {n}", x, 12 * n, x + 30) for n in range(6) for x in (20, 180)]
    assert _ordered(cells) == [cell.text for cell in cells]


def test_the_size_of_letters_follows_from_the_width_of_words():
    words = ["The", "lighthouse", "was", "built", "in", "spring"]
    widths = [(w, pymupdf.get_text_length(w, "tiro", 11)) for w in words]
    assert letter_size(widths) == pytest.approx(11, rel=0.1)
    assert letter_size([]) == 0.0


def test_sizes_that_differ_by_chance_are_made_equal():
    assert settled([10.1, 9.7, 10.4, 16.2, 11.8], [60, 50, 55, 20, 2]) == [10, 10, 10, 16, 10]
    assert settled([], []) == []


def test_missing_models_are_named(monkeypatch):
    monkeypatch.setattr(ocr_models, "_RECOGNISER", "absent.onnx")
    ocr_models.models.cache_clear()
    with pytest.raises(FileNotFoundError, match=r"absent\.onnx"):
        ocr_models.models()
    monkeypatch.undo()
    ocr_models.models.cache_clear()


ALONE = """
import socket, sys
attempts = []
def audit(event, args):
    if event.startswith("socket.") and event not in ("socket.gethostname",):
        attempts.append(event)
sys.addaudithook(audit)
import numpy as np
from local_rag.adapters.ocr.reading import read_picture
heavy = [name for name in ("cv2", "onnxruntime", "rapidocr") if name in sys.modules]
assert not heavy, heavy
picture = np.load(sys.argv[1])
assert len(read_picture(picture, 150).lines.lines) == 3
foreign = [name for name in ("rapidocr", "requests", "urllib3") if name in sys.modules]
assert not foreign, foreign
assert not attempts, attempts
"""


def test_reading_opens_no_socket_prints_nothing_and_loads_late(drawn, tmp_path):
    np.save(tmp_path / "picture.npy", drawn[0])
    done = subprocess.run(
        [sys.executable, "-c", ALONE, str(tmp_path / "picture.npy")],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_nothing_is_logged(drawn, caplog):
    with caplog.at_level(logging.DEBUG):
        read_picture(drawn[0], DPI)
    assert caplog.records == []
