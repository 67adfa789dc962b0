"""Tables of PDF pages become Markdown tables, every word once and with its box."""

from __future__ import annotations

import time
from collections import Counter
from typing import TYPE_CHECKING, Any

import pymupdf
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pdf_files import saved

from local_rag.adapters.pdf import tables as tables_module
from local_rag.adapters.pdf.grid import is_numeric
from local_rag.adapters.pdf.layout import table_boxes
from local_rag.adapters.pdf.lines import read_lines
from local_rag.adapters.pdf.tables import find_tables
from local_rag.adapters.pdf_reader import read_pdf
from local_rag.ingest.chunk import chunk_document

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from local_rag.model.document import Extraction

_PROSE = (
    "The committee met on Monday and agreed that the new rules apply from the first day of the "
    "year. Members who could not attend were told of the outcome in writing. "
)


def _read(document: Any, folder: Path) -> Extraction:
    path = folder / "file.pdf"
    document.save(path)
    document.close()
    return read_pdf(path)


def _page(document: Any | None = None) -> Any:
    return (pymupdf.open() if document is None else document).new_page()


def _table(
    page: Any,
    rows: Sequence[Sequence[str]],
    x: float = 72,
    y: float = 100,
    *,
    width: float = 110,
    height: float = 18,
    rules: str = "grid",
) -> float:
    """Draws a table; returns where it ends. Cells may have several lines."""
    columns = len(rows[0])
    at = y
    places = [y]
    for row in rows:
        lines = max(cell.count("\n") + 1 for cell in row)
        for i, cell in enumerate(row):
            for k, line in enumerate(cell.split("\n")):
                page.insert_text((x + i * width + 3, at + 13 + 12 * k), line, fontsize=10)
        at += height + 12 * (lines - 1)
        places.append(at)
    right = x + columns * width
    level = {"grid": places, "paper": [places[0], places[1], places[-1]]}.get(rules, [])
    for place in level:
        page.draw_line((x, place), (right, place))
    for i in range(columns + 1 if rules == "grid" else 0):
        page.draw_line((x + i * width, y), (x + i * width, at))
    return at


_STAFF = [
    ["Name", "Office", "Salary"],
    ["Ada Byron", "London", "4,200.50"],
    ["Grace Hopper", "New York", "3,900.00"],
    ["Emmy Noether", "Erlangen", "12.5 %"],
]
_STAFF_TEXT = (
    "| Name | Office | Salary |\n"
    "| --- | --- | --- |\n"
    "| Ada Byron | London | 4,200.50 |\n"
    "| Grace Hopper | New York | 3,900.00 |\n"
    "| Emmy Noether | Erlangen | 12.5 % |"
)


# --- kinds of tables ------------------------------------------------------------------------------


@pytest.mark.parametrize("rules", ["grid", "paper", "none"])
def test_a_table_is_written_as_markdown_whatever_its_rules(tmp_path: Path, rules: str) -> None:
    page = _page()
    _table(page, _STAFF, rules=rules)
    made = _read(page.parent, tmp_path)
    assert made.pages[0].text == _STAFF_TEXT
    (table,) = made.tables
    assert made.pages[0].text[table.start : table.end] == _STAFF_TEXT
    assert table.header == "| Name | Office | Salary |\n| --- | --- | --- |"


def test_a_small_table_stands_once_between_the_texts_around_it(tmp_path: Path) -> None:
    page = _page()
    page.insert_text((72, 80), "The text before the table.")
    end = _table(page, [["Left", "Right"], ["11", "22"]])
    page.insert_text((72, end + 30), "The text after the table.")
    made = _read(page.parent, tmp_path)
    assert made.pages[0].text == (
        "The text before the table.\n\n"
        "| Left | Right |\n| --- | --- |\n| 11 | 22 |\n\n"
        "The text after the table."
    )


def test_a_table_that_was_drawn_first_stands_below_its_title(tmp_path: Path) -> None:
    page = _page()
    end = _table(page, _STAFF)
    page.insert_text((72, 60), "Title of the table.")
    page.insert_text((72, end + 40), "Note below the table.")
    text = _read(page.parent, tmp_path).pages[0].text
    assert text.split("\n\n") == ["Title of the table.", _STAFF_TEXT, "Note below the table."]


def test_a_title_in_larger_type_within_the_frame_stays_above_the_table(tmp_path: Path) -> None:
    page = _page()
    _table(page, [["", "", ""], *_STAFF])
    page.draw_rect((73, 101, 401, 117), fill=(0.9, 0.9, 0.9), color=None)
    page.insert_text((75, 115), "Staff of the year", fontsize=15)
    text = _read(page.parent, tmp_path).pages[0].text
    assert text == "Staff of the year\n\n" + _STAFF_TEXT


def test_lines_of_a_cell_are_joined_and_empty_cells_stay_empty(tmp_path: Path) -> None:
    page = _page()
    _table(page, [["Head one", "B"], ["first line\nsecond line", "x\ny"], ["", "only"]])
    assert _read(page.parent, tmp_path).pages[0].text == (
        "| Head one | B |\n| --- | --- |\n| first line second line | x y |\n| | only |"
    )


def test_figures_below_each_other_in_one_ruled_cell_are_rows(tmp_path: Path) -> None:
    page = _page()
    _table(page, [["Model", "A", "B"], ["one\ntwo", "0.1\n0.2", "0.3\n0.4"]])
    rows = _read(page.parent, tmp_path).pages[0].text.split("\n")
    assert rows[2:] == ["| one | 0.1 | 0.3 |", "| two | 0.2 | 0.4 |"]


def test_a_head_over_several_columns_is_part_of_the_header(tmp_path: Path) -> None:
    page = _page()
    for i, word in enumerate(["", "low", "high"]):
        page.insert_text((75 + 110 * i, 131), word, fontsize=10)
    page.insert_text((240, 113), "Wide head", fontsize=10)
    page.insert_text((75, 120), "Name", fontsize=10)
    for k in range(3):
        for i, word in enumerate([f"row {k}", f"{k}.5", f"{k}.7"]):
            page.insert_text((75 + 110 * i, 149 + 18 * k), word, fontsize=10)
    for y in (100, 136, 154, 172, 190):
        page.draw_line((72, y), (402, y))
    page.draw_line((182, 118), (402, 118))
    page.draw_line((292, 118), (292, 190))
    for x in (72, 182, 402):
        page.draw_line((x, 100), (x, 190))
    (table,) = _read(page.parent, tmp_path).tables
    assert table.header == ("| Name | Wide head | |\n| | low | high |\n| --- | --- | --- |")


def test_bars_in_cells_are_escaped_and_every_word_keeps_its_box(tmp_path: Path) -> None:
    page = _page()
    _table(page, [["Key", "Value"], ["a|b", "7"], ["c", "8"]])
    (made,) = _read(page.parent, tmp_path).pages
    shown = {made.text[w.start : w.end]: w for w in made.words}
    assert set(shown) == {"Key", "Value", "a\\|b", "7", "c", "8"}
    assert shown["8"].x0 == pytest.approx(72 + 110 + 3, abs=1)
    assert shown["8"].y1 == pytest.approx(100 + 36 + 16, abs=2)


@pytest.mark.parametrize("rotation", [90, 180, 270])
def test_a_table_on_a_turned_page_is_read(tmp_path: Path, rotation: int) -> None:
    page = _page()
    _table(page, _STAFF)
    page.set_rotation(rotation)
    assert _read(page.parent, tmp_path).pages[0].text == _STAFF_TEXT


def test_a_table_that_lies_sideways_is_read(tmp_path: Path) -> None:
    page = _page()
    for r, row in enumerate(_STAFF):
        for c, cell in enumerate(row):
            page.insert_text((113 + 18 * r, 700 - 110 * c), cell, fontsize=10, rotate=90)
    for r in range(5):
        page.draw_line((100 + 18 * r, 703), (100 + 18 * r, 373))
    for c in range(4):
        page.draw_line((100, 703 - 110 * c), (172, 703 - 110 * c))
    assert _read(page.parent, tmp_path).pages[0].text == _STAFF_TEXT


@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.integers(2, 5).flatmap(
        lambda n: st.lists(
            st.lists(
                st.sampled_from(["", "17", "3.25", "two words", "a|b", "x-y", "$ 9", "(4)"]),
                min_size=n,
                max_size=n,
            ),
            min_size=2,
            max_size=12,
        )
    )
)
def test_every_word_stands_in_the_text_once(tmp_path: Path, rows: list[list[str]]) -> None:
    rows = [["head" for _ in rows[0]], *rows]
    page = _page()
    _table(page, rows, width=90)
    extraction = _read(page.parent, tmp_path)
    (made,) = extraction.pages
    words = Counter(made.text[w.start : w.end].replace("\\|", "|") for w in made.words)
    assert words == Counter(word for row in rows for cell in row for word in cell.split())
    stored = made.text
    if extraction.tables:
        stored = stored.replace("\\|", "¦").replace("|", " ").replace("---", " ").replace("¦", "|")
    assert Counter(stored.split()) == words


# --- pages that go on -----------------------------------------------------------------------------


def _long(first: int, last: int) -> list[list[str]]:
    return [[f"item {i}", f"{i}.25", f"{i * 3}"] for i in range(first, last)]


def test_a_table_over_two_pages_carries_its_header_and_repeats_nothing(tmp_path: Path) -> None:
    document = pymupdf.open()
    head = [["Article", "Price", "Stock"]]
    _table(_page(document), head + _long(100, 137), y=90)
    _table(_page(document), _long(137, 160), y=60)
    made = _read(document, tmp_path)
    first, second = made.tables
    assert first.header == second.header == "| Article | Price | Stock |\n| --- | --- | --- |"
    assert made.pages[1].text.startswith("| item 137 | 137.25 | 411 |\n| item 138 |")
    assert "---" not in made.pages[1].text
    numbers = [w for page in made.pages for w in page.text.split() if is_numeric(w)]
    assert Counter(numbers).most_common(1)[0][1] == 1
    chunks = chunk_document("d", made, lambda text: [(0, len(text))])
    assert [chunk.lead for chunk in chunks] == ["", first.header]


def test_a_header_that_the_next_page_repeats_stays_its_own(tmp_path: Path) -> None:
    document = pymupdf.open()
    head = [["Article", "Price", "Stock"]]
    _table(_page(document), head + _long(100, 137), y=90)
    _table(_page(document), head + _long(137, 160), y=60)
    made = _read(document, tmp_path)
    header = "| Article | Price | Stock |\n| --- | --- | --- |"
    assert [table.header for table in made.tables] == [header, header]
    assert made.pages[1].text.startswith(header + "\n| item 137 |")
    assert made.pages[1].text.count("Article") == 1


def test_a_table_of_other_columns_on_the_next_page_is_another_table(tmp_path: Path) -> None:
    document = pymupdf.open()
    _table(_page(document), [["Article", "Price", "Stock"], *_long(100, 137)], y=90)
    _table(_page(document), [["Town", "People"], ["Ulm", "126,000"]], y=60)
    made = _read(document, tmp_path)
    assert made.tables[1].header == "| Town | People |\n| --- | --- |"


def test_a_table_with_another_header_at_the_same_place_is_another_table(tmp_path: Path) -> None:
    document = pymupdf.open()
    _table(_page(document), [["Article", "Price", "Stock"], *_long(100, 137)], y=90)
    _table(_page(document), [["Kind", "Cost", "Left"], *_long(137, 150)], y=60)
    assert _read(document, tmp_path).tables[1].header.startswith("| Kind | Cost | Left |")


def test_text_below_the_first_table_ends_it(tmp_path: Path) -> None:
    document = pymupdf.open()
    page = _page(document)
    end = _table(page, [["Article", "Price", "Stock"], *_long(100, 130)], y=90)
    page.insert_text((72, end + 40), "A sentence that has nothing to do with any table.")
    _table(_page(document), _long(137, 160), y=60)
    assert _read(document, tmp_path).tables[1].header.startswith("| item 137 |")


# --- what is no table -----------------------------------------------------------------------------


def _columns_of_prose(page: Any) -> None:
    words = (_PROSE * 12).split()
    for column in range(2):
        for i in range(30):
            line = " ".join(words[(i * 7 + column) % 300 :][:7])
            page.insert_text((60 + 250 * column, 80 + 14 * i), line[:42], fontsize=10)
    page.draw_line((60, 60), (535, 60))
    page.draw_line((60, 520), (535, 520))


def _list(page: Any) -> None:
    for i in range(8):
        page.insert_text((72, 80 + 16 * i), f"{i + 1}.")
        page.insert_text((110, 80 + 16 * i), f"item number {i} of the list")


def _contents(page: Any) -> None:
    for i in range(10):
        page.insert_text((72, 80 + 16 * i), f"Chapter of the name {i}")
        page.insert_text((450, 80 + 16 * i), str(3 + 7 * i))


def _dotted_contents(page: Any) -> None:
    for i in range(10):
        page.insert_text((72, 80 + 16 * i), f"Chapter {i} " + "." * 60)
        page.insert_text((450, 80 + 16 * i), str(40 - 3 * i))


def _equations(page: Any) -> None:
    for i in range(5):
        page.insert_text((150, 80 + 30 * i), f"y = {i}x + 3")
        page.insert_text((480, 80 + 30 * i), f"({i + 1})")


def _authors(page: Any) -> None:
    for x, name in ((72, "Ada Byron"), (230, "Emmy Noether"), (400, "Grace Hopper")):
        for i, line in enumerate((name, "Some University", "name@example.org", "Some Town")):
            page.insert_text((x, 80 + 14 * i), line, fontsize=10)


def _framed_text(page: Any) -> None:
    page.draw_rect((60, 60, 540, 200))
    for i in range(8):
        page.insert_text((72, 80 + 14 * i), _PROSE[:70])


def _form(page: Any) -> None:
    _table(page, [["Surname", "Given name"], ["Town", "Date"], ["Place", "Sign"]])
    widget = pymupdf.Widget()
    widget.field_name, widget.field_type = "town", pymupdf.PDF_WIDGET_TYPE_TEXT
    widget.rect = pymupdf.Rect(120, 120, 180, 134)
    page.add_widget(widget)


def _plot(page: Any) -> None:
    for i in range(6):
        page.draw_line((100, 300 - 30 * i), (400, 300 - 30 * i))
        page.draw_line((100 + 60 * i, 150), (100 + 60 * i, 300))
        page.insert_text((103, 290 - 25 * i), str(i))
        page.insert_text((103 + 60 * i, 290), str(10 * i))
    for i in range(30):
        page.draw_line((100 + 10 * i, 200 + i), (110 + 10 * i, 207 + i))


def _labels(page: Any) -> None:
    _table(page, [["a", "", "c"], ["", "M", ""], ["b", "", "d"]])


def _stars(page: Any) -> None:
    page.insert_text((72, 60), "A figure of stars.")
    _table(page, [["*"] * 4] * 4)


@pytest.mark.parametrize(
    "draw",
    [
        _labels,
        _stars,
        _columns_of_prose,
        _list,
        _contents,
        _dotted_contents,
        _equations,
        _authors,
        _framed_text,
        _form,
        _plot,
    ],
)
def test_what_only_looks_like_a_table_is_left_alone(tmp_path: Path, draw: Any) -> None:
    page = _page()
    draw(page)
    made = _read(page.parent, tmp_path)
    assert made.tables == ()
    assert "| --- |" not in made.pages[0].text


# --- what it costs --------------------------------------------------------------------------------


def test_pages_of_one_line_are_not_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(_: Any) -> Any:
        raise AssertionError

    monkeypatch.setattr(tables_module, "read_drawing", refuse)
    page = _page()
    page.insert_text((72, 80), "One line and nothing else.")
    assert find_tables(page, read_lines(page).lines, refuse).grids == []


def test_a_grid_of_many_small_cells_does_not_take_minutes(tmp_path: Path) -> None:
    page = _page()
    for r in range(60):
        for c in range(30):
            page.draw_rect((40 + 17 * c, 40 + 12 * r, 57 + 17 * c, 52 + 12 * r))
            page.insert_text((42 + 17 * c, 49 + 12 * r), str((r * 30 + c) % 97), fontsize=8)
    page.parent.save(tmp_path / "file.pdf")
    page = pymupdf.open(tmp_path / "file.pdf")[0]
    lines = read_lines(page).lines
    began = time.process_time()
    (grid,) = find_tables(page, lines).grids
    assert time.process_time() - began < 20  # it once took minutes
    assert (len(grid.rows), len(grid.borders) - 1) == (60, 30)


def test_a_page_with_too_much_drawn_is_given_up_and_says_so(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    page = _page()
    _table(page, _STAFF)
    monkeypatch.setattr("local_rag.adapters.pdf.rules._MAX_RULES", 3)
    found = find_tables(page, read_lines(page).lines)
    assert (found.grids, found.slow) == ([], True)


def test_the_model_is_asked_only_where_a_caption_has_no_table() -> None:
    asked: list[int] = []

    def model(page: Any) -> list[tuple[float, float, float, float]]:
        asked.append(page.number)
        return [(60, 90, 420, 200)]

    document = pymupdf.open()
    found = _page(document)
    found.insert_text((72, 90), "Table 1: People")
    _table(found, _STAFF)
    bare = _page(document)
    bare.insert_text((72, 80), "Table 2: Words")
    words = [["Name", "Office"], ["Ada Byron", "London"], ["Grace Hopper", "New York"]]
    _table(bare, words, rules="none")
    made = [find_tables(page, read_lines(page).lines, model) for page in document]
    assert asked == [1]
    assert [(len(page.grids), page.by_model) for page in made] == [(1, False), (1, True)]


def test_the_layout_model_sees_a_table_and_prints_nothing(
    capfd: pytest.CaptureFixture[str],
) -> None:
    page = _page()
    page.insert_text((72, 60), "Table 1: People and where they work")
    _table(page, _STAFF * 2)
    (box,) = table_boxes(page)
    assert box == pytest.approx((75, 104, 334, 242), abs=8)  # around its text
    assert capfd.readouterr().out == ""


def test_a_layout_model_that_fails_costs_the_page_nothing() -> None:
    assert table_boxes(None) == []


@pytest.mark.parametrize(
    "text", ["17", "3,200.50", "-4.1%", "€ 9", "2005-09-23", "1.0 · 1020", "$1,000", "–", "12.5x"]
)
def test_figures_are_numeric(text: str) -> None:
    assert is_numeric(text)


@pytest.mark.parametrize("text", ["", "T5-11B", "word", "3rd of May", "a1", "Table 3"])
def test_words_are_not_numeric(text: str) -> None:
    assert not is_numeric(text)


def test_the_wrapped_cells_of_a_header_are_joined_column_by_column(tmp_path: Path) -> None:
    document = pymupdf.open()
    page = document.new_page(width=500, height=400)
    header = [
        (40, ["Disability", "category"], 60),
        (150, ["Participants"], 67),
        (250, ["Ballots", "not", "cast"], 52),
        (360, ["Ballots", "completed"], 58),
    ]
    for x, words, y in header:
        for i, word in enumerate(words):
            page.insert_text((x, y + 13 * i), word, fontsize=10)
    for i, name in enumerate(["Blind", "Low vision", "Dexterity", "Mobility"]):
        for x, text in ((40, name), (170, f"{i + 5}"), (270, f"{2 * i + 1}"), (380, f"{3 * i}")):
            page.insert_text((x, 106 + 22 * i), text, fontsize=10)
    made = read_pdf(saved(document, tmp_path))
    assert made.pages[0].text.splitlines()[:3] == [
        "| Disability category | Participants | Ballots not cast | Ballots completed |",
        "| --- | --- | --- | --- |",
        "| Blind | 5 | 1 | 0 |",
    ]


def test_a_paragraph_above_figures_is_no_header(tmp_path: Path) -> None:
    document = pymupdf.open()
    page = document.new_page(width=500, height=400)
    page.insert_text(
        (40, 60), "The counts below were made by two clerks who sat apart", fontsize=10
    )
    page.insert_text((40, 74), "and agreed later.", fontsize=10)
    for i, name in enumerate(["Blind", "Low vision", "Dexterity", "Mobility"]):
        for x, text in ((40, name), (170, f"{i + 5}"), (270, f"{2 * i + 1}"), (380, f"{3 * i}")):
            page.insert_text((x, 92 + 22 * i), text, fontsize=10)
    made = read_pdf(saved(document, tmp_path))
    assert "and agreed later." in made.pages[0].text
    assert "| and agreed" not in made.pages[0].text
