"""PowerPoint presentations: a page for each slide, in reading order."""

from __future__ import annotations

import zipfile
from typing import TYPE_CHECKING, Any

import pytest
from lxml import etree
from pptx import Presentation
from pptx.chart.data import CategoryChartData
from pptx.enum.chart import XL_CHART_TYPE
from pptx.opc.package import Part
from pptx.opc.packuri import PackURI
from pptx.util import Inches

from local_rag.adapters.office.pptx import read_pptx
from local_rag.errors import NoText, UnreadableFile, WrongContent
from local_rag.model.document import PageReading, Table
from local_rag.text.tokens import count_words

if TYPE_CHECKING:
    from pathlib import Path

_A = "http://schemas.openxmlformats.org/drawingml/2006/main"
_MC = "http://schemas.openxmlformats.org/markup-compatibility/2006"


def _saved(deck: Any, folder: Path) -> Path:
    path = folder / "a.pptx"
    deck.save(str(path))
    return path


def _box(shapes: Any, text: str, left: float, top: float) -> Any:
    box = shapes.add_textbox(Inches(left), Inches(top), Inches(1), Inches(0.5))
    box.text_frame.text = text
    return box


def test_each_slide_is_a_page_with_title_bullets_table_and_notes(tmp_path: Path) -> None:
    deck = Presentation()
    deck.core_properties.title = "The deck"
    first = deck.slides.add_slide(deck.slide_layouts[0])
    first.shapes.title.text = "Welcome"
    first.placeholders[1].text = "A subtitle"
    second = deck.slides.add_slide(deck.slide_layouts[1])
    second.shapes.title.text = "Plan\vof work"
    frame = second.placeholders[1].text_frame
    frame.text = "one"
    for text, level in (("inner", 1), ("two", 0)):
        paragraph = frame.add_paragraph()
        paragraph.text, paragraph.level = text, level
    table = second.shapes.add_table(2, 2, Inches(1), Inches(6), Inches(4), Inches(1)).table
    for at, text in enumerate(("A", "", "1", "x|y")):
        table.cell(at // 2, at % 2).text = text
    table.cell(0, 0).merge(table.cell(0, 1))
    second.notes_slide.notes_text_frame.text = "Say hello.\nThen go."
    extraction = read_pptx(_saved(deck, tmp_path))
    text = (
        "Plan of work\n\n- one\n  - inner\n- two\n\n"
        "| A |  |\n| --- | --- |\n| 1 | x\\|y |\n\nNotes: Say hello.\nThen go."
    )
    assert [page.text for page in extraction.pages] == ["Welcome\n\nA subtitle", text]
    assert [(s.title, s.page_number, s.start) for s in extraction.sections] == [
        ("Welcome", 1, 0),
        ("Plan of work", 2, 0),
    ]
    assert extraction.title == "The deck"
    assert extraction.tables == (
        Table(2, text.index("| A"), text.index("\n\nNotes"), "| A |  |\n| --- | --- |"),
    )
    assert extraction.readings == (
        PageReading(1, "text", (), words=3),
        PageReading(2, "text", ("table",), words=count_words(text)),
    )


def test_shapes_are_read_from_the_top_and_in_a_row_from_the_left(tmp_path: Path) -> None:
    deck = Presentation()
    slide = deck.slides.add_slide(deck.slide_layouts[6])
    _box(slide.shapes, "bottom", 1, 5)
    _box(slide.shapes, "right", 5, 1)
    _box(slide.shapes, "left", 1, 1.1)
    group = slide.shapes.add_group_shape()
    _box(group.shapes, "group low", 1, 4)
    _box(group.shapes, "group high", 1, 3)
    assert read_pptx(_saved(deck, tmp_path)).pages[0].text == (
        "left\n\nright\n\ngroup high\n\ngroup low\n\nbottom"
    )


def test_numbered_paragraphs_are_counted(tmp_path: Path) -> None:
    deck = Presentation()
    slide = deck.slides.add_slide(deck.slide_layouts[6])
    frame = _box(slide.shapes, "a", 1, 1).text_frame
    for text in ("b", "plain", "c"):
        frame.add_paragraph().text = text
    for at in (0, 1, 3):
        properties = frame.paragraphs[at]._p.get_or_add_pPr()
        etree.SubElement(properties, f"{{{_A}}}buAutoNum", type="arabicPeriod")
    assert read_pptx(_saved(deck, tmp_path)).pages[0].text == "1. a\n2. b\n\nplain\n\n1. c"


def test_hidden_slides_and_shapes_are_left_out_and_said(tmp_path: Path) -> None:
    deck = Presentation()
    for text in ("seen", "secret", "half"):
        _box(deck.slides.add_slide(deck.slide_layouts[6]).shapes, text, 1, 1)
    deck.slides[1].element.set("show", "0")
    ghost = _box(deck.slides[2].shapes, "ghost", 1, 2)
    ghost.element.nvSpPr.cNvPr.set("hidden", "1")
    extraction = read_pptx(_saved(deck, tmp_path))
    assert [page.text for page in extraction.pages] == ["seen", "", "half"]
    assert [reading.flags for reading in extraction.readings] == [
        (),
        ("hidden-text", "no-text"),
        ("hidden-text",),
    ]


def test_what_lies_beside_the_slide_is_left_out_and_said(tmp_path: Path) -> None:
    deck = Presentation()
    slide = deck.slides.add_slide(deck.slide_layouts[6])
    _box(slide.shapes, "seen", 1, 1)
    _box(slide.shapes, "half out", -0.5, 2)
    for left, top in ((-5, 1), (50, 1), (1, -3), (1, 40)):
        _box(slide.shapes, "secret", left, top)
    extraction = read_pptx(_saved(deck, tmp_path))
    assert extraction.pages[0].text == "seen\n\nhalf out"
    assert extraction.readings[0].flags == ("hidden-text",)


def test_the_boxes_of_smart_art_are_items(tmp_path: Path) -> None:
    deck = Presentation()
    slide = deck.slides.add_slide(deck.slide_layouts[6])
    data = (
        "<m><pt><t><p><r><t>Buy</t></r></p></t></pt><pt><t><p><r><t>Sell</t></r></p></t></pt></m>"
    )
    part = Part(
        PackURI("/ppt/diagrams/data1.xml"), "application/xml", deck.part.package, data.encode()
    )
    relation = slide.part.relate_to(part, "http://schemas.openxmlformats.org/x/diagramData")
    frame = slide.shapes.add_table(1, 1, Inches(1), Inches(1), Inches(2), Inches(1))
    inner = frame.element.graphic.graphicData
    inner.set("uri", "http://schemas.openxmlformats.org/drawingml/2006/diagram")
    inner.remove(inner[0])
    etree.SubElement(inner, "relIds", dm=relation)
    assert read_pptx(_saved(deck, tmp_path)).pages[0].text == "- Buy\n- Sell"


def test_a_chart_is_a_table_of_its_numbers(tmp_path: Path) -> None:
    deck = Presentation()
    slide = deck.slides.add_slide(deck.slide_layouts[6])
    data = CategoryChartData()
    data.categories = ["2022", "2023"]
    data.add_series("Sales", (1.5, 3))
    data.add_series("Costs", (None, 2))
    chart = slide.shapes.add_chart(
        XL_CHART_TYPE.COLUMN_CLUSTERED, Inches(1), Inches(1), Inches(4), Inches(3), data
    ).chart
    chart.has_title = True
    chart.chart_title.text_frame.text = "By year"
    assert read_pptx(_saved(deck, tmp_path)).pages[0].text == (
        "By year\n\n|  | Sales | Costs |\n| --- | --- | --- |\n| 2022 | 1.5 |  |\n| 2023 | 3 | 2 |"
    )


def test_a_shape_in_two_versions_is_read_once(tmp_path: Path) -> None:
    deck = Presentation()
    slide = deck.slides.add_slide(deck.slide_layouts[6])
    shape = _box(slide.shapes, "formula", 1, 1).element
    parent = shape.getparent()
    alternative = etree.SubElement(parent, f"{{{_MC}}}AlternateContent")
    etree.SubElement(alternative, f"{{{_MC}}}Choice").append(shape)
    etree.SubElement(alternative, f"{{{_MC}}}Fallback")
    assert read_pptx(_saved(deck, tmp_path)).pages[0].text == "formula"


def test_dates_footers_and_slide_numbers_are_left_out(tmp_path: Path) -> None:
    deck = Presentation()
    slide = deck.slides.add_slide(deck.slide_layouts[5])
    slide.shapes.title.text = "Only"
    for kind in ("dt", "ftr", "sldNum"):
        box = _box(slide.shapes, kind, 1, 6)
        properties = box.element.nvSpPr.nvPr
        namespace = properties.tag.rpartition("}")[0] + "}"
        etree.SubElement(properties, f"{namespace}ph", type=kind, idx="12")
    assert read_pptx(_saved(deck, tmp_path)).pages[0].text == "Only"


def test_what_is_no_presentation_is_refused(tmp_path: Path) -> None:
    deck = Presentation()
    deck.slides.add_slide(deck.slide_layouts[6])
    path = _saved(deck, tmp_path)
    with pytest.raises(NoText):
        read_pptx(path)
    data = path.read_bytes()
    path.write_bytes(data[: len(data) // 2])
    with pytest.raises(UnreadableFile):
        read_pptx(path)
    path.write_bytes(b"%PDF-1.7")
    with pytest.raises(WrongContent):
        read_pptx(path)
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("a.txt", "x")
    with pytest.raises(WrongContent):
        read_pptx(path)
