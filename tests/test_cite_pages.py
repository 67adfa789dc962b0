"""Citations stand where the quoted words are drawn, however the page is made and shown."""

from __future__ import annotations

import io
import re

import numpy as np
import pymupdf
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from PIL import Image

from local_rag.adapters.pdf_reader import read_pdf, render
from local_rag.adapters.splitter import recursive_splitter
from local_rag.cite.locate import rectangles
from local_rag.cite.number import number_citations
from local_rag.ingest.chunk import chunk_document
from local_rag.model.answer import Claim, Draft, Rectangle, Span, Support
from local_rag.model.document import Document, Word
from local_rag.model.evidence import Evidence, Fused

TEXT = (
    "The harbour master keeps the log of every vessel that enters the bay. Ropes are checked on "
    "Monday and again before a storm is expected from the west. When the bell of the outer buoy "
    "is not heard for an hour the pilot boat goes out. Visitors may climb the tower between ten "
    "and four if the keeper is at home. Oil for the lamp is brought in spring by the supply ship."
)
OTHER = (
    "Bread was baked twice a week in the house below the hill. The oven held forty loaves and "
    "burned for three hours. Nobody remembers who built it, though the bricks bear a mark of a "
    "crowned letter. Children carried the loaves home under their arms before the first lesson."
)
WORD = re.compile(r"[A-Za-z]+")
DPI = 144


def write_column(page, text: str, box: tuple[float, float, float, float]) -> None:
    left = page.insert_textbox(pymupdf.Rect(*box), text, fontsize=11, fontname="tiro")
    assert left >= 0


def normal(document) -> None:
    page = document.new_page(width=595, height=842)
    write_column(page, TEXT, (72, 72, 520, 400))


def two_columns(document) -> None:
    page = document.new_page(width=595, height=842)
    write_column(page, TEXT, (60, 72, 285, 500))
    write_column(page, OTHER, (315, 72, 540, 500))


def turned(angle: int):
    def make(document) -> None:
        normal(document)
        document[0].set_rotation(angle)

    return make


def sideways(document) -> None:
    page = document.new_page(width=595, height=842)
    box = pymupdf.Rect(72, 72, 400, 600)
    assert page.insert_textbox(box, TEXT, fontsize=11, fontname="tiro", rotate=90) >= 0


def user_unit(document) -> None:
    normal(document)
    document.xref_set_key(document[0].xref, "UserUnit", "2.5")


def crop_box(document) -> None:
    page = document.new_page(width=900, height=1100)
    write_column(page, TEXT, (150, 200, 600, 520))
    page.set_cropbox(pymupdf.Rect(120, 160, 640, 700))


def crop_box_turned(document) -> None:
    crop_box(document)
    document[0].set_rotation(90)


def everything_at_once(document) -> None:
    crop_box(document)
    document.xref_set_key(document[0].xref, "UserUnit", "1.5")
    document[0].set_rotation(270)


def scanned(document) -> None:
    """A picture of a page, with no text of its own."""
    with pymupdf.open() as source:
        normal(source)
        picture = source[0].get_pixmap(dpi=200, alpha=False)
        page = document.new_page(width=595, height=842)
        page.insert_image(page.rect, pixmap=picture)


KINDS = {
    "normal": normal,
    "two columns": two_columns,
    "turned by 90": turned(90),
    "turned by 180": turned(180),
    "turned by 270": turned(270),
    "sideways text": sideways,
    "user unit": user_unit,
    "crop box": crop_box,
    "crop box, turned": crop_box_turned,
    "crop box, turned, user unit": everything_at_once,
    "scanned": scanned,
}


class Made:
    """A file, what was read from it, and what can be told of its page without the program."""

    def __init__(self, folder, make) -> None:
        self.path = folder / "made.pdf"
        with pymupdf.open() as document:
            make(document)
            document.save(self.path)
        self.extraction = read_pdf(self.path)
        [self.page] = self.extraction.pages
        self.chunks = chunk_document("d" * 32, self.extraction, recursive_splitter(400, 60))
        png = render(self.path, "application/pdf", 1, DPI)
        self.picture = np.asarray(Image.open(io.BytesIO(png)).convert("L"))
        with pymupdf.open(self.path) as document:
            if make is scanned:  # the picture shows what the page that it was made of holds
                document.delete_page(0)
                normal(document)
            listing = pymupdf.TextPage(document[0].get_displaylist().get_textpage())
            words = listing.extractWORDS()
        self.drawn = [(pymupdf.Rect(word[:4]), word[4]) for word in words]
        self.lines = len({word[5:7] for word in words})

    def cite(self, chunk, start: int, end: int):
        document = Document(
            "d" * 32, "made.pdf", "application/pdf", "e" * 64, 1, 1, 1, None, "2026"
        )
        evidence = [Evidence(chunk, document, Fused(chunk.chunk_id, 0.03, 1, 1, 0.5, 1.0))]
        draft = Draft((Claim(chunk.text[start:end], (Support(chunk.chunk_id, start, end),)),))
        _, [citation] = number_citations(draft, evidence, lambda _id, _number: self.page)
        return citation

    def pixels(self, box: Rectangle):
        height, width = self.picture.shape
        x, y = width / self.page.width_pt, height / self.page.height_pt
        rows = slice(max(0, int(box.y0 * y)), int(box.y1 * y) + 1)
        return self.picture[rows, max(0, int(box.x0 * x)) : int(box.x1 * x) + 1]


@pytest.fixture(scope="module", params=KINDS)
def made(request, tmp_path_factory):
    return Made(tmp_path_factory.mktemp("made"), KINDS[request.param])


def test_the_whole_text_was_read(made):
    read = WORD.findall(" ".join(chunk.text for chunk in made.chunks))
    assert set(WORD.findall(TEXT)) <= set(read)


@given(st.data())
@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_any_quote_is_marked_where_it_is_drawn(made, data):
    chunk = data.draw(st.sampled_from(made.chunks))
    words = [match.span() for match in re.finditer(r"\S+", chunk.text)]
    first = data.draw(st.integers(0, len(words) - 1))
    last = data.draw(st.integers(first, min(len(words) - 1, first + 40)))
    citation = made.cite(chunk, words[first][0], words[last][1])
    boxes = citation.rectangles
    assert boxes

    # It lies on the page as displayed, which has the picture's proportions.
    height, width = made.picture.shape
    assert width / height == pytest.approx(made.page.width_pt / made.page.height_pt, rel=0.01)
    for box in boxes:
        assert -1 <= box.x0 < box.x1 <= made.page.width_pt + 1
        assert -1 <= box.y0 < box.y1 <= made.page.height_pt + 1

    # Something is drawn in every box.
    for box in boxes:
        pixels = made.pixels(box)
        assert pixels.size > 0
        assert pixels.max() - pixels.min() > 100

    # The words that MuPDF lists inside are those of the quote, and no others.
    inside = [
        word
        for rect, word in made.drawn
        if any(
            box.x0 <= (rect.x0 + rect.x1) / 2 <= box.x1
            and box.y0 <= (rect.y0 + rect.y1) / 2 <= box.y1
            for box in boxes
        )
    ]
    assert sorted(WORD.findall(" ".join(inside))) == sorted(WORD.findall(citation.quote))


def test_a_line_has_one_box_whichever_way_it_runs(made):
    boxes = [
        box for chunk in made.chunks for box in made.cite(chunk, 0, len(chunk.text)).rectangles
    ]
    # Passages overlap and may begin within a line.
    assert made.lines <= len(boxes) <= made.lines + 3 * len(made.chunks)


def test_lines_of_one_word_each_are_not_joined_to_a_column():
    words = (
        Word(0, 6, 10, 10, 50, 22),
        Word(7, 13, 10, 24, 50, 36),
        Word(14, 20, 10, 38, 50, 50),
    )
    assert len(rectangles(words, 0, [Span(0, 20)])) == 3


def test_the_words_of_a_line_that_runs_down_are_one_box():
    words = (
        Word(0, 6, 100, 10, 112, 50),
        Word(7, 9, 100, 53, 112, 63),
        Word(10, 16, 100, 66, 112, 99),
        Word(17, 23, 84, 10, 96, 44),
    )
    assert rectangles(words, 0, [Span(0, 23)]) == (
        Rectangle(100, 10, 112, 99),
        Rectangle(84, 10, 96, 44),
    )
