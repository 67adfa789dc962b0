"""What is filled into a form's fields is read at its place, beside its label."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pymupdf
import pytest
from pdf_files import BODY, read, saved, wrapped, write_lines

from local_rag.adapters.pdf_reader import read_pdf

if TYPE_CHECKING:
    from pathlib import Path

_TEXT = pymupdf.PDF_WIDGET_TYPE_TEXT
_TICK = pymupdf.PDF_WIDGET_TYPE_CHECKBOX
_RADIO = pymupdf.PDF_WIDGET_TYPE_RADIOBUTTON
_COMBO = pymupdf.PDF_WIDGET_TYPE_COMBOBOX
_LIST = pymupdf.PDF_WIDGET_TYPE_LISTBOX


def _field(page: Any, kind: int, box: tuple[int, int, int, int], value: object, **more: Any) -> Any:
    widget = pymupdf.Widget()
    widget.field_type, widget.rect, widget.field_value = kind, pymupdf.Rect(box), value
    widget.field_name = more.pop("name", f"f{box[0]}x{box[1]}")
    for name, setting in more.items():
        setattr(widget, name, setting)
    page.add_widget(widget)
    return widget


def _form() -> tuple[Any, Any]:
    document = pymupdf.open()
    page = document.new_page()
    return document, page


@pytest.mark.parametrize("rotation", [0, 90, 180, 270])
def test_a_value_stands_after_the_label_to_its_left(tmp_path: Path, rotation: int) -> None:
    document, page = _form()
    for i, (label, value) in enumerate([("Name", "Ada Lovelace"), ("Town", "London")]):
        page.insert_text((72, 100 + 30 * i), label)
        _field(page, _TEXT, (150, 88 + 30 * i, 300, 104 + 30 * i), value)
    write_lines(page, ["Only this line stands below."], y=160)
    page.set_rotation(rotation)
    assert read(document, tmp_path).pages[0].text == (
        "Name Ada Lovelace\n\nTown London\n\nOnly this line stands below."
    )


def test_a_value_stands_after_the_label_above_it(tmp_path: Path) -> None:
    document, page = _form()
    for i, (label, value) in enumerate([("First name", "Ada"), ("Last name", "Lovelace")]):
        page.insert_text((72 + 200 * i, 100), label)
        _field(page, _TEXT, (72 + 200 * i, 104, 240 + 200 * i, 120), value)
    assert read(document, tmp_path).pages[0].text.split() == [
        *("First", "name", "Ada"),
        *("Last", "name", "Lovelace"),
    ]


def test_a_value_in_a_sentence_stands_in_it(tmp_path: Path) -> None:
    document, page = _form()
    page.insert_text((72, 100), "I,")
    page.insert_text((165, 100), ", owe you the sum.")
    _field(page, _TEXT, (84, 90, 160, 104), "Ada")
    assert read(document, tmp_path).pages[0].text == "I, Ada , owe you the sum."


@pytest.mark.parametrize(("ticked", "shown"), [(True, "[x]"), (False, "[ ]")])
def test_a_box_says_whether_it_is_ticked_before_its_label(
    tmp_path: Path, ticked: bool, shown: str
) -> None:
    document, page = _form()
    page.insert_text((92, 130), "I agree")
    _field(page, _TICK, (72, 120, 84, 132), ticked)
    (made,) = read(document, tmp_path).pages
    assert made.text == f"{shown} I agree"
    assert made.words[0][2:] == pytest.approx((72, 120, 84, 132))


def test_a_box_to_the_right_of_its_label_is_read_after_it(tmp_path: Path) -> None:
    document, page = _form()
    page.insert_text((72, 130), "I agree")
    _field(page, _TICK, (115, 120, 127, 132), True)
    assert read(document, tmp_path).pages[0].text == "I agree [x]"


def test_boxes_between_the_words_of_a_line_stand_before_their_own(tmp_path: Path) -> None:
    document, page = _form()
    for x, label, state in ((72, "Red", "/Off"), (112, "Blue", "/True"), (152, "Green", "/Off")):
        page.insert_text((x + 14, 130), label)
        widget = _field(page, _RADIO, (x, 120, x + 12, 132), True, name="colour")
        document.xref_set_key(widget.xref, "AS", state)
    assert read(document, tmp_path).pages[0].text == "[ ] Red [x] Blue [ ] Green"


def test_a_choice_shows_what_was_chosen_and_nothing_else(tmp_path: Path) -> None:
    document, page = _form()
    page.insert_text((72, 100), "Town")
    _field(page, _COMBO, (150, 88, 300, 104), "Paris", choice_values=["London", "Paris"])
    page.insert_text((72, 130), "Sport")
    _field(page, _LIST, (150, 118, 300, 160), "Chess", choice_values=["Golf", "Chess", "Go"])
    assert read(document, tmp_path).pages[0].text == "Town Paris\n\nSport Chess"


def test_a_choice_is_shown_by_its_name_and_several_are_all_shown(tmp_path: Path) -> None:
    document, page = _form()
    page.insert_text((72, 100), "Towns")
    towns = [("l", "London"), ("p", "Paris"), ("r", "Rome")]
    widget = _field(page, _LIST, (150, 88, 300, 140), "p", choice_values=towns)
    document.xref_set_key(widget.xref, "V", "[(l)(r)]")
    document.xref_set_key(widget.xref, "I", "[0 2]")
    assert read(document, tmp_path).pages[0].text == "Towns London Rome"


def test_the_lines_of_a_value_do_not_run_into_each_other(tmp_path: Path) -> None:
    document, page = _form()
    page.insert_text((72, 100), "Address")
    value = "1 High Street\nLondon\rEngland"
    flags = pymupdf.PDF_TX_FIELD_IS_MULTILINE
    _field(page, _TEXT, (150, 88, 300, 140), value, field_flags=flags)
    assert read(document, tmp_path).pages[0].text == "Address 1 High Street London England"


def test_passwords_buttons_signatures_and_hidden_fields_are_left_out(tmp_path: Path) -> None:
    document, page = _form()
    write_lines(page, ["Secret", "Send", "Sign", "Note", "Memo"], y=100)
    flags = pymupdf.PDF_TX_FIELD_IS_PASSWORD
    _field(page, _TEXT, (150, 90, 300, 102), "letmein", field_flags=flags)
    button = pymupdf.PDF_WIDGET_TYPE_BUTTON
    _field(page, button, (150, 104, 300, 116), None, button_caption="Submit")
    _field(page, pymupdf.PDF_WIDGET_TYPE_SIGNATURE, (150, 118, 300, 130), None)
    for y, hidden in ((132, 2), (146, 32)):
        widget = _field(page, _TEXT, (150, y, 300, y + 12), "unseen")
        document.xref_set_key(widget.xref, "F", str(hidden))
    assert read(document, tmp_path).pages[0].text == "Secret Send Sign Note Memo"


def test_a_field_without_a_label_on_the_page_is_read_with_its_own(tmp_path: Path) -> None:
    document, page = _form()
    page.insert_text((72, 60), "Application")
    _field(page, _TEXT, (72, 200, 300, 220), "Ada", field_label="Full name:")
    _field(page, _TEXT, (72, 300, 300, 320), "London", name="form.home_town")
    _field(page, _TEXT, (72, 400, 300, 420), "1815", name="form.p1-t[0]")
    _field(page, _TEXT, (72, 500, 300, 520), "")
    (made,) = read(document, tmp_path).pages
    assert made.text == "Application\n\nFull name: Ada\n\nhome town: London\n\n1815"
    assert made.words[-1][2:] == pytest.approx((72, 400, 300, 420))


def test_a_form_without_any_text_but_its_values_is_read(tmp_path: Path) -> None:
    document, page = _form()
    _field(page, _TEXT, (72, 100, 300, 120), "Ada", name="who")
    assert read(document, tmp_path).pages[0].text == "who: Ada"


def test_a_value_whose_look_was_never_drawn_is_read(tmp_path: Path) -> None:
    document, page = _form()
    page.insert_text((72, 100), "Name")
    widget = _field(page, _TEXT, (150, 88, 300, 104), "Ada")
    document.xref_set_key(widget.xref, "AP", "null")
    assert read(document, tmp_path).pages[0].text == "Name Ada"


def test_a_value_that_the_page_shows_itself_is_read_once(tmp_path: Path) -> None:
    document, page = _form()
    page.insert_text((72, 100), "Name")
    page.insert_text((152, 100), "Ada Lovelace")
    _field(page, _TEXT, (150, 88, 300, 104), "Ada Lovelace")
    assert read(document, tmp_path).pages[0].text == "Name Ada Lovelace"


def test_a_value_is_neither_a_heading_nor_the_title(tmp_path: Path) -> None:
    document, page = _form()
    y = 60.0
    for number, name in ((1, "Aims"), (2, "Means")):
        page.insert_text((72, y), f"{number} {name}", fontsize=16)
        y = write_lines(page, wrapped(BODY, 70), y=y + 24) + 20
    page.insert_text((72, y + 40), "Your name", fontsize=11)
    _field(page, _TEXT, (150, y + 10, 500, y + 50), "ADA", text_fontsize=30)
    page.insert_text((72, y + 100), "3 Name", fontsize=16)
    _field(page, _TEXT, (150, y + 80, 500, y + 104), "Lovelace", text_fontsize=20)
    extraction = read(document, tmp_path)
    assert extraction.title is None
    assert [section.title for section in extraction.sections] == ["1 Aims", "2 Means"]


def test_a_row_of_fields_with_long_labels_is_no_page_of_two_columns(tmp_path: Path) -> None:
    document, page = _form()
    for i in range(12):
        page.insert_text((72, 100 + 20 * i), f"the name of person {i} is")
        _field(page, _TEXT, (320, 90 + 20 * i, 480, 104 + 20 * i), f"Ada Byron Lovelace {i}")
    rows = read(document, tmp_path).pages[0].text.split("\n\n")
    assert rows == [f"the name of person {i} is Ada Byron Lovelace {i}" for i in range(12)]


def test_notes_written_on_a_page_with_fields_are_kept(tmp_path: Path) -> None:
    document, page = _form()
    page.insert_text((72, 100), "Name")
    _field(page, _TEXT, (150, 88, 300, 104), "Ada")
    page.add_freetext_annot(pymupdf.Rect(72, 300, 300, 330), "A remark")
    path = saved(document, tmp_path)
    assert read_pdf(path).pages[0].text == "Name Ada\n\nA remark"
