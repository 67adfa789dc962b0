"""Flow diagrams become readable steps; the words of their boxes stay as they are drawn."""

from __future__ import annotations

from math import atan2, cos, sin
from typing import TYPE_CHECKING, Any

import pymupdf
import pytest
from pdf_files import BODY, read, wrapped, write_lines

from local_rag.ingest.chunk import chunk_document

if TYPE_CHECKING:
    from pathlib import Path

    from local_rag.model.document import Extraction

    Point = tuple[float, float]

_WIDTH, _HEIGHT = 100.0, 36.0


def _page() -> Any:
    return pymupdf.open().new_page()


def _words(page: Any, text: str, x: float, y: float) -> None:
    lines = text.split("\n")
    for i, line in enumerate(lines):
        wide = pymupdf.get_text_length(line, fontsize=10)
        page.insert_text(
            (x - wide / 2, y + 3.5 + 12 * (i - (len(lines) - 1) / 2)), line, fontsize=10
        )


def _box(page: Any, text: str, x: float, y: float, kind: str = "rectangle") -> None:
    """A box around its middle."""
    area = pymupdf.Rect(x - _WIDTH / 2, y - _HEIGHT / 2, x + _WIDTH / 2, y + _HEIGHT / 2)
    shape = page.new_shape()
    if kind == "diamond":
        area.y0, area.y1 = y - 40, y + 40
        shape.draw_polyline([(x, area.y0), (area.x1, y), (x, area.y1), (area.x0, y), (x, area.y0)])
    elif kind == "ellipse":
        shape.draw_oval(area)
    else:
        shape.draw_rect(area, radius=0.3 if kind == "rounded" else None)
    shape.finish(color=(0, 0, 0), fill=(0.9, 0.95, 1), closePath=True)
    shape.commit()
    _words(page, text, x, y)


def _arrow(page: Any, *points: Point, head: str = "triangle", both: bool = False) -> None:
    shape = page.new_shape()
    shape.draw_polyline(points)
    shape.finish(color=(0, 0, 0), closePath=False)
    ends = [points[-2:], points[1::-1]] if both else [points[-2:]]
    for (ax, ay), (x, y) in ends if head else ():
        turn = atan2(y - ay, x - ax)
        barbs = [(x - 8 * cos(turn + a), y - 8 * sin(turn + a)) for a in (-0.4, 0.4)]
        if head == "triangle":
            shape.draw_polyline([barbs[0], (x, y), barbs[1]])
            shape.finish(color=None, fill=(0, 0, 0))
        elif head == "open":
            shape.draw_polyline([barbs[0], (x, y), barbs[1]])
            shape.finish(color=(0, 0, 0), closePath=False)
        else:
            for barb in barbs:
                shape.draw_line((x, y), barb)
                shape.finish(color=(0, 0, 0), closePath=False)
    shape.commit()


def _steps(made: Extraction) -> str:
    return "\n".join(diagram.steps for diagram in made.diagrams)


def _chain(page: Any, head: str = "triangle", kind: str = "rectangle") -> None:
    for i, text in enumerate(["Receive order", "Check stock", "Ship goods"]):
        _box(page, text, 300, 150 + 80 * i, kind)
    _arrow(page, (300, 168), (300, 212), head=head)
    _arrow(page, (300, 248), (300, 292), head=head)


_CHAIN = "Diagram: 1. Receive order → Check stock. 2. Check stock → Ship goods."


@pytest.mark.parametrize("kind", ["rectangle", "rounded", "ellipse"])
@pytest.mark.parametrize("head", ["triangle", "open", "two strokes"])
def test_a_chain_of_boxes_becomes_its_steps(tmp_path: Path, head: str, kind: str) -> None:
    page = _page()
    _chain(page, head, kind)
    made = read(page.parent, tmp_path)
    assert _steps(made) == _CHAIN
    assert made.pages[0].text == "Receive order\n\nCheck stock\n\nShip goods"
    assert "diagram" in made.readings[0].flags
    assert made.readings[0].coverage == 1.0


def test_the_boxes_are_written_in_the_order_of_the_flow(tmp_path: Path) -> None:
    page = _page()
    for text, y in [("Third", 150), ("First", 310), ("Second", 230)]:
        _box(page, text, 300, y)
    _arrow(page, (300, 292), (300, 248))
    _arrow(page, (300, 212), (300, 168))
    made = read(page.parent, tmp_path)
    assert made.pages[0].text == "First\n\nSecond\n\nThird"
    assert _steps(made) == "Diagram: 1. First → Second. 2. Second → Third."


def _branch(page: Any) -> None:
    _box(page, "Receive order", 300, 120)
    _box(page, "In stock?", 300, 220, "diamond")
    _box(page, "Ship", 160, 340)
    _box(page, "Reorder", 440, 340)
    _arrow(page, (300, 138), (300, 180))
    _arrow(page, (250, 220), (160, 220), (160, 322))
    _arrow(page, (350, 220), (440, 220), (440, 322))
    _words(page, "yes", 200, 212)
    _words(page, "no", 400, 212)


def test_labels_of_a_branch_stand_in_its_steps_and_elbows_are_followed(tmp_path: Path) -> None:
    page = _page()
    _branch(page)
    made = read(page.parent, tmp_path)
    assert _steps(made) == (
        "Diagram: 1. Receive order → In stock? 2. In stock? → (yes) Ship."
        " 3. In stock? → (no) Reorder."
    )
    assert made.pages[0].text == "Receive order\n\nIn stock?\n\nyes\n\nno\n\nShip\n\nReorder"


def test_a_loop_back_is_a_step(tmp_path: Path) -> None:
    page = _page()
    _chain(page)
    _arrow(page, (350, 310), (420, 310), (420, 150), (350, 150))
    assert _steps(read(page.parent, tmp_path)) == f"{_CHAIN} 3. Ship goods → Receive order."


def test_a_line_that_joins_an_arrow_leads_where_the_arrow_does(tmp_path: Path) -> None:
    page = _page()
    _chain(page)
    _box(page, "Wait", 460, 230)
    _arrow(page, (350, 230), (410, 230))
    _arrow(page, (460, 212), (460, 190), (300, 190), head="")
    assert _steps(read(page.parent, tmp_path)) == (
        "Diagram: 1. Receive order → Check stock. 2. Check stock → Wait."
        " 3. Check stock → Ship goods. 4. Wait → Check stock."
    )


def _row(page: Any, gap: float = 30) -> None:
    texts = ["Receive the\nnew order", "Check the\nstock first", "Ship all the\ngoods today"]
    for i, text in enumerate(texts):
        _box(page, text, 110 + i * (_WIDTH + gap), 200)
        if i:
            right = 110 + i * (_WIDTH + gap) - _WIDTH / 2
            _arrow(page, (right - gap, 200), (right, 200))


@pytest.mark.parametrize("gap", [12.0, 30.0])
def test_the_words_of_boxes_side_by_side_do_not_mix(tmp_path: Path, gap: float) -> None:
    page = _page()
    _row(page, gap)
    made = read(page.parent, tmp_path)
    assert made.pages[0].text == (
        "Receive the new order\n\nCheck the stock first\n\nShip all the goods today"
    )
    assert _steps(made) == (
        "Diagram: 1. Receive the new order → Check the stock first."
        " 2. Check the stock first → Ship all the goods today."
    )


def test_a_line_of_text_that_runs_over_several_boxes_is_parted(tmp_path: Path) -> None:
    page = _page()
    text = "Receive order Check the stock Ship all goods"
    page.insert_text((100, 200), text, fontsize=10)
    left = 100.0
    for part in ("Receive order", "Check the stock", "Ship all goods"):
        width = pymupdf.get_text_length(part, fontsize=10)
        page.draw_rect(pymupdf.Rect(left - 0.5, 185, left + width + 0.5, 210))
        left += width + pymupdf.get_text_length(" ", fontsize=10)
    for x in (120, 210):
        _arrow(page, (x, 210), (x, 240), (x + 70, 240), (x + 70, 210))
    made = read(page.parent, tmp_path)
    assert made.pages[0].text == "Receive order\n\nCheck the stock\n\nShip all goods"


@pytest.mark.parametrize("rotation", [90, 180, 270])
def test_a_rotated_page_is_read_alike(tmp_path: Path, rotation: int) -> None:
    page = _page()
    _branch(page)
    page.set_rotation(rotation)
    made = read(page.parent, tmp_path)
    assert _steps(made) == (
        "Diagram: 1. Receive order → In stock? 2. In stock? → (yes) Ship."
        " 3. In stock? → (no) Reorder."
    )


def test_a_page_turned_to_be_upright_is_read_as_it_is_displayed(tmp_path: Path) -> None:
    upright = _page()
    _row(upright)
    document = pymupdf.open()
    page = document.new_page(width=upright.rect.height, height=upright.rect.width)
    page.show_pdf_page(page.rect, upright.parent, 0, rotate=90)
    page.set_rotation(90)
    made = read(document, tmp_path)
    assert made.pages[0].text.startswith("Receive the new order\n\nCheck the stock first")
    assert len(made.diagrams) == 1


def test_lines_without_a_head_have_no_direction(tmp_path: Path) -> None:
    page = _page()
    _chain(page)
    _box(page, "Archive", 460, 230)
    _arrow(page, (350, 230), (410, 230), head="")
    _box(page, "Customer", 460, 150)
    _arrow(page, (350, 150), (410, 150), both=True)
    assert _steps(read(page.parent, tmp_path)) == (
        "Diagram: 1. Receive order ↔ Customer. 2. Receive order → Check stock."
        " 3. Check stock – Archive. 4. Check stock → Ship goods."
    )


def test_passages_with_a_part_of_the_diagram_have_the_steps_as_their_lead(tmp_path: Path) -> None:
    page = _page()
    write_lines(page, ["The way of an order through the house is drawn below."], y=72)
    _chain(page)
    write_lines(page, wrapped(BODY * 4, 80), y=420)
    made = read(page.parent, tmp_path)
    text = made.pages[0].text
    assert text.startswith("The way of an order through the house is drawn below.\n\nReceive order")
    (diagram,) = made.diagrams
    assert text[diagram.start : diagram.end] == "Receive order\n\nCheck stock\n\nShip goods"

    def split(text: str) -> list[tuple[int, int]]:
        cuts = [0, *(at for at in (text.find("Check"), text.find("The committee")) if at > 0)]
        return list(zip(cuts, [*cuts[1:], len(text)], strict=True))

    chunks = chunk_document("0" * 32, made, split)
    assert [chunk.lead for chunk in chunks] == [_CHAIN, _CHAIN, ""]
    assert all(text[chunk.start : chunk.end] == chunk.text for chunk in chunks)


def test_a_frame_around_the_boxes_and_shadows_below_them_are_no_boxes(tmp_path: Path) -> None:
    page = _page()
    page.draw_rect(pymupdf.Rect(200, 100, 400, 350))
    _words(page, "Order handling", 260, 110)
    for y in (150, 230, 310):
        shadow = pymupdf.Rect(253, y - _HEIGHT / 2 + 3, 353, y + _HEIGHT / 2 + 3)
        page.draw_rect(shadow, color=None, fill=(0.7, 0.7, 0.7))
    _chain(page)
    made = read(page.parent, tmp_path)
    assert _steps(made) == _CHAIN
    assert made.pages[0].text.startswith("Order handling\n\n")


def test_steps_beyond_a_thousand_characters_are_left_out(tmp_path: Path) -> None:
    page = pymupdf.open().new_page(width=600, height=4000)
    for i in range(70):
        _box(page, f"Step {i}", 300, 50 + 55 * i)
        if i:
            _arrow(page, (300, 50 + 55 * i - 37), (300, 50 + 55 * i - 18))
    assert _steps(read(page.parent, tmp_path)).endswith(" …")


# What is no diagram.


def _bar_chart(page: Any) -> None:
    _arrow(page, (100, 400), (100, 100))
    _arrow(page, (100, 400), (450, 400))
    for i, high in enumerate([120, 240, 180, 60]):
        bar = pymupdf.Rect(130 + 75 * i, 400 - high, 180 + 75 * i, 400)
        page.draw_rect(bar, fill=(0.3, 0.5, 0.8))
        page.insert_text((140 + 75 * i, 395 - high / 2), f"{high} t", fontsize=10)
        page.insert_text((140 + 75 * i, 415), f"20{20 + i}", fontsize=10)
        page.draw_line((96, 400 - high), (450, 400 - high))


def _ruled_table(page: Any) -> None:
    for r in range(4):
        for c in range(3):
            cell = pymupdf.Rect(100 + 120 * c, 100 + 20 * r, 220 + 120 * c, 120 + 20 * r)
            page.draw_rect(cell)
            page.insert_text((cell.x0 + 6, cell.y0 + 14), f"cell {r} {c}", fontsize=10)


def _dots(page: Any) -> None:
    _chain(page, head="")
    for y in (168, 212, 248, 292):
        page.draw_circle((300, y), 3, fill=(0, 0, 0))


def _two_paragraphs(page: Any) -> None:
    for y in (100, 250):
        page.draw_rect(pymupdf.Rect(90, y, 480, y + 80))
        write_lines(page, wrapped(BODY, 70), x=100, y=y + 20, fontsize=10)
    _arrow(page, (285, 180), (285, 250))


def _form(page: Any) -> None:
    for i, name in enumerate(["Name", "Street", "Town", "Date"]):
        page.insert_text((80, 115 + 40 * i), name, fontsize=10)
        page.draw_rect(pymupdf.Rect(150, 100 + 40 * i, 400, 122 + 40 * i))
        page.insert_text((156, 115 + 40 * i), f"as in the passport {i}", fontsize=10)
        page.draw_line((150, 126 + 40 * i), (400, 126 + 40 * i))


def _plain_boxes(page: Any) -> None:
    _box(page, "Head", 300, 120)
    for x in (160, 300, 440):
        _box(page, f"Staff {x}", x, 240)
        _arrow(page, (300, 138), (300, 180), (x, 180), (x, 222), head="")


def _callouts(page: Any) -> None:
    page.draw_rect(pymupdf.Rect(200, 100, 400, 400), fill=(0.8, 0.8, 0.8))
    for i, text in enumerate(["Lens", "Switch", "Cover"]):
        _box(page, text, 90, 150 + 90 * i)
        _arrow(page, (140, 150 + 90 * i), (260, 140 + 90 * i))


def _notes(page: Any) -> None:
    for i, text in enumerate(["Name", "Rule", "Mask"]):
        _box(page, f"{text} of it", 420, 150 + 90 * i)
        _box(page, text, 150, 150 + 90 * i)
        _arrow(page, (370, 150 + 90 * i), (200, 150 + 90 * i))
        if i:
            _arrow(page, (150, 132 + 90 * i), (150, 78 + 90 * i), head="")


@pytest.mark.parametrize(
    "draw",
    [_dots, _notes, _bar_chart, _ruled_table, _two_paragraphs, _form, _plain_boxes, _callouts],
)
def test_what_is_no_flow_diagram_is_left_alone(tmp_path: Path, draw: Any) -> None:
    page = _page()
    draw(page)
    made = read(page.parent, tmp_path)
    assert made.diagrams == ()
    assert "diagram" not in made.readings[0].flags


def test_a_widget_form_is_left_alone(tmp_path: Path) -> None:
    page = _page()
    _form(page)
    widget = pymupdf.Widget()
    widget.field_type = pymupdf.PDF_WIDGET_TYPE_TEXT
    widget.field_name = "town"
    widget.field_value = "Ghent"
    widget.rect = pymupdf.Rect(150, 300, 400, 320)
    page.add_widget(widget)
    assert read(page.parent, tmp_path).diagrams == ()
