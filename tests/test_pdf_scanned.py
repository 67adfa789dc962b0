"""Pages that are pictures: what OCR adds, and what its failure must not take away."""

from __future__ import annotations

from pathlib import Path

import pymupdf
import pytest
from pdf_files import read

from local_rag.adapters.pdf import scanned
from local_rag.adapters.pdf_reader import read_pdf
from local_rag.errors import NoText
from local_rag.text.tokens import tokenize

LINES = [
    "The harbour master keeps a list",
    "of all ships and their cargo.",
    "SCANNED BODY ALPHA 7713",
]


def picture_of(lines: list[str], *, rotate: int = 0, size: int = 14) -> bytes:
    """A page with these lines, as a scanner at 200 dpi gives it."""
    document = pymupdf.open()
    page = document.new_page(width=400, height=300)
    for i, line in enumerate(lines):
        page.insert_text((30, 60 + 30 * i), line, fontsize=size)
    page.set_rotation(rotate)
    return bytes(page.get_pixmap(dpi=200, colorspace=pymupdf.csGRAY).tobytes("png"))


def page_with(document: pymupdf.Document, picture: bytes, box=(0, 0, 400, 300)) -> pymupdf.Page:
    page = document.new_page(width=400, height=300)
    page.insert_image(pymupdf.Rect(box), stream=picture)
    return page


def words_of(text: str) -> list[str]:
    return text.split()


def test_a_scan_is_read_with_its_words_apart_and_each_in_its_place(tmp_path: Path) -> None:
    document = pymupdf.open()
    page_with(document, picture_of(LINES))
    made = read(document, tmp_path)
    text = made.pages[0].text
    assert words_of(text) == words_of(" ".join(LINES))
    assert "alpha" in tokenize(text)
    (reading,) = made.readings
    assert (reading.path, reading.flags, reading.native_words) == ("ocr", ("ocr",), 0)
    assert reading.words == len(words_of(text))
    assert reading.ocr_confidence is not None
    assert reading.ocr_confidence > 0.9
    first = made.pages[0].words[0]
    assert text[first.start : first.end] == "The"
    assert 25 < first.x0 < 35
    assert 40 < first.y0 < 60 < first.y1 + 5


@pytest.mark.parametrize("rotate", [90, 180, 270])
def test_a_scan_that_lies_on_its_side_gives_upright_words(tmp_path: Path, rotate: int) -> None:
    document = pymupdf.open()
    turned = rotate in (90, 270)
    page = document.new_page(width=300 if turned else 400, height=400 if turned else 300)
    page.insert_image(page.rect, stream=picture_of(LINES, rotate=rotate))
    made = read(document, tmp_path)
    assert words_of(made.pages[0].text) == words_of(" ".join(LINES))
    assert made.readings[0].flags == ("ocr", "rotated")


def test_native_head_and_foot_and_the_scanned_body_between_are_all_kept(tmp_path: Path) -> None:
    document = pymupdf.open()
    page = page_with(document, picture_of(LINES), (0, 40, 400, 260))
    page.insert_text((30, 25), "Received by the archive on 3 May", fontsize=10)
    page.insert_text((30, 290), "Copy certified by the clerk", fontsize=10)
    made = read(document, tmp_path)
    expected = ["Received by the archive on 3 May", *LINES, "Copy certified by the clerk"]
    assert words_of(made.pages[0].text) == words_of(" ".join(expected))
    (reading,) = made.readings
    assert (reading.path, reading.flags) == ("mixed", ("ocr",))
    assert reading.native_words == 12
    assert reading.coverage == 1.0


def test_text_over_a_picture_without_words_is_read_and_nothing_fails(tmp_path: Path) -> None:
    document = pymupdf.open()
    grey = pymupdf.Pixmap(pymupdf.csGRAY, pymupdf.IRect(0, 0, 500, 400))
    grey.set_rect(grey.irect, (170,))
    page = page_with(document, grey.tobytes("png"))
    page.insert_text((30, 60), "Words on a grey picture", fontsize=14)
    made = read(document, tmp_path)
    assert made.pages[0].text == "Words on a grey picture"
    assert made.readings[0].path == "plain"


def test_blank_scans_are_no_text_and_say_so(tmp_path: Path) -> None:
    document = pymupdf.open()
    for _ in range(2):
        page_with(document, picture_of([]))
    with pytest.raises(NoText, match="2 pages were looked at"):
        read(document, tmp_path)


def test_a_blank_page_among_others_is_named(tmp_path: Path) -> None:
    document = pymupdf.open()
    document.new_page().insert_text((72, 72), "The first page has words.")
    page_with(document, picture_of([]))
    readings = read(document, tmp_path).readings
    assert [reading.flags for reading in readings] == [(), ("no-text",)]


def test_a_failure_of_ocr_loses_no_native_text(tmp_path: Path, monkeypatch) -> None:
    def fail(*_args, **_options):
        raise TypeError("as a library once did on pages where it found nothing")

    monkeypatch.setattr("local_rag.adapters.ocr.reading.read_picture", fail)
    document = pymupdf.open()
    page = page_with(document, picture_of(LINES), (0, 40, 400, 260))
    page.insert_text((30, 25), "Received by the archive", fontsize=10)
    made = read(document, tmp_path)
    assert made.pages[0].text == "Received by the archive"
    assert made.readings[0].flags == ("slow",)


def test_a_page_whose_time_runs_out_keeps_what_was_read(tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setattr(scanned, "_BUDGET_S", 0.0)
    document = pymupdf.open()
    document.new_page().insert_text((72, 72), "A page with a text layer.")
    page_with(document, picture_of(LINES))
    made = read(document, tmp_path)
    assert made.pages[0].text == "A page with a text layer."
    assert "slow" in made.readings[1].flags


def test_simple_pages_never_wait_for_ocr(tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setattr(scanned, "with_picture", None)  # calling it would raise
    document = pymupdf.open()
    for number in range(30):
        document.new_page().insert_text((72, 72), f"Line {number}")
    made = read(document, tmp_path)
    assert {reading.path for reading in made.readings} == {"plain"}


def test_words_that_are_left_out_on_purpose_do_not_lower_the_coverage(tmp_path: Path) -> None:
    document = pymupdf.open()
    for number in range(6):
        page = document.new_page(width=400, height=300)
        page.insert_text((30, 20), "Harbour Gazette", fontsize=9)
        page.insert_text((30, 120), f"Text number {number} of the gazette", fontsize=11)
        page.insert_text((190, 292), str(number + 1), fontsize=9)
    readings = read(document, tmp_path).readings
    assert {reading.coverage for reading in readings} == {1.0}
    assert [reading.words for reading in readings] == [8, 6, 6, 6, 6, 6]


def test_a_page_that_loses_words_on_the_way_is_flagged(tmp_path: Path, monkeypatch) -> None:
    from local_rag.adapters.pdf import page as page_module

    document = pymupdf.open()
    page = document.new_page()
    for i in range(10):
        page.insert_text((72, 72 + 20 * i), f"sentence{i} stands alone")
    path = tmp_path / "file.pdf"
    document.save(path)
    monkeypatch.setattr(page_module, "reading_order", lambda lines, _ruled: lines[:3])
    (reading,) = read_pdf(path).readings
    assert reading.coverage == 1.0  # read again in the plain order
    monkeypatch.setattr(page_module, "_rows", lambda *_args, **_options: [])
    (reading,) = page_readings(path)
    assert (reading.coverage, reading.flags) == (0.0, ("low-coverage", "no-text"))


def page_readings(path: Path):
    """Of a document that nothing was read from, which ``read_pdf`` would refuse."""
    from local_rag.adapters.pdf.page import read_page

    with pymupdf.open(path) as document:
        made = read_page(document, 0, labelled=False, is_form=False)
        return (made.reading(1, "", ()),)


def test_a_picture_of_text_below_some_lines_of_the_page_is_read_too(tmp_path: Path) -> None:
    document = pymupdf.open()
    page = document.new_page(width=400, height=600)
    for i in range(2):
        page.insert_text((30, 40 + 16 * i), f"Native line number {i} of this page", fontsize=11)
    page.insert_image(pymupdf.Rect(60, 300, 340, 510), stream=picture_of(LINES))
    made = read(document, tmp_path)
    assert "ALPHA 7713" in made.pages[0].text
    assert made.readings[0].path == "mixed"


def test_an_invisible_line_over_a_plain_background_is_hidden_text(tmp_path: Path) -> None:
    document = pymupdf.open()
    cream = pymupdf.Pixmap(pymupdf.csRGB, pymupdf.IRect(0, 0, 100, 75))
    cream.set_rect(cream.irect, (250, 240, 215))
    page = page_with(document, cream.tobytes("png"))
    page.insert_text((30, 60), "A line that everybody sees", fontsize=14)
    page.insert_text((30, 120), "The secret owner is Zed", fontsize=14, render_mode=3)
    made = read(document, tmp_path)
    assert made.pages[0].text == "A line that everybody sees"
    assert "hidden-text" in made.readings[0].flags


def test_the_layer_of_a_scan_is_kept(tmp_path: Path) -> None:
    document = pymupdf.open()
    page = page_with(document, picture_of(LINES))
    for i, line in enumerate(LINES):
        page.insert_text((30, 60 + 30 * i), line, fontsize=14, render_mode=3)
    made = read(document, tmp_path)
    assert made.pages[0].text.split() == " ".join(LINES).split()
    assert (made.readings[0].path, made.readings[0].flags) == ("plain", ("ocr",))


OTHER = [
    "Minutes of another meeting were",
    "kept in some quite distant town",
    "without any word of vessels 42",
]


@pytest.mark.parametrize(
    "layer", [OTHER, ["lorem ipsum dolor sit"] * 3, ["Ã¼â‚¬ ÐŸÑ€ Ð¸Ð²Ðµ Ñ‚ â€”"] * 3]
)
def test_a_layer_of_another_text_is_hidden_and_the_picture_is_read(
    tmp_path: Path, layer: list[str]
) -> None:
    document = pymupdf.open()
    page = page_with(document, picture_of(LINES))
    for i, line in enumerate(layer):
        page.insert_text((30, 60 + 30 * i), line, fontsize=14, render_mode=3)
    made = read(document, tmp_path)
    assert words_of(made.pages[0].text) == words_of(" ".join(LINES))
    (reading,) = made.readings
    assert (reading.path, reading.flags) == ("ocr", ("hidden-text", "ocr"))
    assert reading.native_words == 0


def test_a_good_layer_is_never_read_again(tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setattr(scanned, "with_picture", None)  # calling it would raise
    monkeypatch.setattr("local_rag.adapters.pdf.page.with_picture", None)
    document = pymupdf.open()
    page = page_with(document, picture_of(LINES))
    for i, line in enumerate(["The harbour rnaster keeps a 1ist", *LINES[1:]]):
        page.insert_text((30, 60 + 30 * i), line, fontsize=14, render_mode=3)
    made = read(document, tmp_path)
    assert "rnaster" in made.pages[0].text
    assert (made.readings[0].path, made.readings[0].flags) == ("plain", ("ocr",))


def test_few_good_layers_of_a_long_scan_are_looked_at(tmp_path: Path, monkeypatch) -> None:
    from local_rag.adapters.pdf import layers

    looked = []
    monkeypatch.setattr(layers, "_is_borne_out", lambda page, _: looked.append(page.number) or True)
    document = pymupdf.open()
    for _ in range(21):
        page = page_with(document, picture_of(LINES))
        for i, line in enumerate(LINES):
            page.insert_text((30, 60 + 30 * i), line, fontsize=14, render_mode=3)
    read(document, tmp_path)
    assert looked == [0, 1, 2, 9, 19]


def test_layers_after_a_false_one_are_all_looked_at(tmp_path: Path) -> None:
    document = pymupdf.open()
    for _ in range(5):
        page = page_with(document, picture_of(LINES))
        for i, line in enumerate(OTHER):
            page.insert_text((30, 60 + 30 * i), line, fontsize=14, render_mode=3)
    made = read(document, tmp_path)
    assert [reading.path for reading in made.readings] == ["ocr"] * 5


def wordy_page(document: pymupdf.Document) -> pymupdf.Page:
    page = document.new_page(width=600, height=800)
    for i in range(34):
        line = " ".join(f"word{10 * i + n}" for n in range(10))
        page.insert_text((30, 40 + 16 * i), line, fontsize=10)
    return page


def test_the_labels_of_a_drawing_are_not_read_and_said_to_be_there(tmp_path):
    document = pymupdf.open()
    page = wordy_page(document)
    labels = ["Softmax", "", "Add & Norm", "", "Linear"]
    page.insert_image(pymupdf.Rect(30, 590, 290, 780), stream=picture_of(labels, size=20))
    made = read(document, tmp_path)
    assert "Softmax" not in made.pages[0].text
    assert "unread-picture" in made.readings[0].flags
    assert "ocr" not in made.readings[0].flags


def test_a_picture_of_text_on_a_page_full_of_words_is_read_below_them(tmp_path: Path) -> None:
    document = pymupdf.open()
    page = wordy_page(document)
    page.insert_image(pymupdf.Rect(30, 590, 290, 780), stream=picture_of(LINES))
    made = read(document, tmp_path)
    text = " ".join(made.pages[0].text.split())
    assert text.index("word339") < text.index("The harbour master") < text.index("ALPHA 7713")
    (reading,) = made.readings
    assert (reading.path, reading.flags, reading.coverage) == ("mixed", ("ocr",), 1.0)
    (first,) = (w for w in made.pages[0].words if made.pages[0].text[w.start : w.end] == "harbour")
    assert 30 < first.x0 < 290
    assert 590 < first.y0 < 780


def test_a_picture_without_text_on_a_page_full_of_words_raises_no_flag(tmp_path: Path) -> None:
    document = pymupdf.open()
    page = wordy_page(document)
    shades = bytes((x * y // 40 + x) % 256 for y in range(120) for x in range(160))
    shaded = pymupdf.Pixmap(pymupdf.csGRAY, 160, 120, shades, False)
    page.insert_image(pymupdf.Rect(30, 590, 290, 780), stream=shaded.tobytes("png"))
    reading = read(document, tmp_path).readings[0]
    assert (reading.path, reading.flags) == ("plain", ())


def test_a_picture_of_text_that_cannot_be_read_is_flagged(tmp_path: Path, monkeypatch) -> None:
    def fail(*_args, **_options):
        raise RuntimeError("no memory")

    monkeypatch.setattr("local_rag.adapters.ocr.reading.read_picture", fail)
    document = pymupdf.open()
    page = wordy_page(document)
    page.insert_image(pymupdf.Rect(30, 590, 290, 780), stream=picture_of(LINES))
    reading = read(document, tmp_path).readings[0]
    assert (reading.path, reading.flags) == ("plain", ("unread-picture",))


def test_strips_of_one_picture_are_read_as_one(tmp_path: Path) -> None:
    document = pymupdf.open()
    page = wordy_page(document)
    whole = pymupdf.Pixmap(picture_of(LINES))
    for i in range(8):
        top, bottom = whole.height * i // 8, whole.height * (i + 1) // 8
        part = pymupdf.Pixmap(whole.colorspace, pymupdf.IRect(0, top, whole.width, bottom))
        part.copy(whole, part.irect)
        page.insert_image(
            pymupdf.Rect(30, 590 + 190 * i / 8, 290, 590 + 190 * (i + 1) / 8),
            stream=part.tobytes("png"),
            keep_proportion=False,
        )
    made = read(document, tmp_path)
    assert " ".join(LINES) in " ".join(made.pages[0].text.split())
