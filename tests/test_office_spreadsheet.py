"""Excel workbooks: a page for each visible sheet, tables as they are shown."""

from __future__ import annotations

import datetime as dt
import io
import re
import time
import zipfile
from typing import TYPE_CHECKING

import pytest
from openpyxl import Workbook
from openpyxl.styles import Color, Font, PatternFill
from openpyxl.worksheet.table import Table as TableOfCells

from local_rag.adapters.office import spreadsheet
from local_rag.adapters.office.cell_format import shown
from local_rag.adapters.office.spreadsheet import read_xlsx
from local_rag.errors import NoText, PasswordRequired, TooLarge, UnreadableFile, WrongContent
from local_rag.model.document import PageReading, Table
from local_rag.text.tokens import count_words

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


_MOMENT = dt.datetime(2023, 5, 2, 14, 5, 9, 500_000)  # noqa: DTZ001 - as openpyxl has them


def _saved(workbook: Workbook, folder: Path) -> Path:
    path = folder / "a.xlsx"
    workbook.save(path)
    return path


def _patched(path: Path, name: str, patch: Callable[[str], str]) -> Path:
    data = path.read_bytes()
    with zipfile.ZipFile(io.BytesIO(data)) as old, zipfile.ZipFile(path, "w") as new:
        for entry in old.namelist():
            text = old.read(entry)
            new.writestr(entry, patch(text.decode()).encode() if entry == name else text)
    return path


def _rows(workbook: Workbook, rows: list[list[object]]) -> None:
    for row in rows:
        workbook.active.append(row)


def test_each_sheet_is_a_page_with_its_blocks_as_tables(tmp_path: Path) -> None:
    workbook = Workbook()
    workbook.properties.title = "Accounts"
    sheet = workbook.active
    sheet.title = "Sales 2023"
    _rows(
        workbook,
        [
            ["Report of the year"],
            ["Region", None, "Total", "Day"],
            ["North|West", None, 1234.5, dt.date(2023, 5, 1)],
            [
                "South",
                None,
                3.0,
                dt.datetime(2023, 5, 2, 14, 30),  # noqa: DTZ001 - as openpyxl has them
            ],
            [],
            [],
            ["Key", "Value"],
            ["Rate", 0.256],
            [],
            ["A note\nat the end."],
        ],
    )
    sheet["C3"].number_format = "#,##0.00"
    sheet["B8"].number_format = "0.0%"
    second = workbook.create_sheet("Empty")
    second.merge_cells("A1:C1")
    workbook.create_sheet("Costs").append(["x", True])
    extraction = read_xlsx(_saved(workbook, tmp_path))
    text = (
        "Sales 2023\n\nReport of the year\n\n"
        "| Region | Total | Day |\n| --- | --- | --- |\n"
        "| North\\|West | 1,234.50 | 2023-05-01 |\n| South | 3 | 2023-05-02 14:30:00 |\n\n"
        "| Key | Value |\n| --- | --- |\n| Rate | 25.6% |\n\nA note at the end."
    )
    costs = "Costs\n\n| x | TRUE |\n| --- | --- |"
    assert [(p.page_number, p.label, p.text) for p in extraction.pages] == [
        (1, "Sales 2023", text),
        (2, "Empty", "Empty"),
        (3, "Costs", costs),
    ]
    assert [(s.title, s.page_number, s.start) for s in extraction.sections] == [
        ("Sales 2023", 1, 0),
        ("Empty", 2, 0),
        ("Costs", 3, 0),
    ]
    assert extraction.tables == (
        Table(
            1,
            text.index("| Region"),
            text.index("\n\n| Key"),
            "| Region | Total | Day |\n| --- | --- | --- |",
        ),
        Table(1, text.index("| Key"), text.index("\n\nA note"), "| Key | Value |\n| --- | --- |"),
        Table(3, costs.index("|"), len(costs), "| x | TRUE |\n| --- | --- |"),
    )
    assert extraction.title == "Accounts"
    assert extraction.readings[0] == PageReading(1, "text", ("table",), words=count_words(text))


@pytest.mark.parametrize(
    ("value", "number_format", "text"),
    [
        (3.0, "General", "3"),
        (0.1 + 0.2, "General", "0.3"),
        (1234.5, "#,##0.00", "1,234.50"),
        (-1234.5, "#,##0.00", "-1,234.50"),
        (-3, "0;(0)", "(3)"),
        (0, '0;-0;"none"', "none"),
        (0.256, "0%", "26%"),
        (5, '"$"#,##0.00', "$5.00"),
        (5, "[$€-407] #,##0.00", "€ 5.00"),
        (5, '#,##0.00\\ "€"', "5.00 €"),
        (5, 'General" kg"', "5 kg"),
        (5, '_("$"* #,##0.00_);_("$"* (#,##0.00)', "$5.00"),
        (1_500_000, '0.0,,"M"', "1.5M"),
        (12, "0.##", "12"),
        (7, "00000", "00007"),
        (0.5, "# ?/?", "1/2"),
        (2.75, "# ??/??", "2 3/4"),
        (-2.625, "# ?/8", "-2 5/8"),
        (3.0, "# ?/?", "3"),
        (1.5, "?/?", "3/2"),
        (0.0, "# ?/?", "0"),
        (123456, "0.00E+00", "1.23E+05"),
        (-0.00012, "0.0E+00", "-1.2E-04"),
        (9.999, "0.00E+00", "1.00E+01"),
        (123456, "##0.0E+0", "123.5E+3"),
        (0, "0.00E+00", "0.00E+00"),
        (dt.date(2023, 5, 2), "mm-dd-yy", "2023-05-02"),
        (dt.date(2023, 5, 2), "[$-F800]dddd, mmmm dd, yyyy", "2023-05-02"),
        (dt.date(2023, 5, 2), "dd.mm.yyyy", "02.05.2023"),
        (dt.date(2023, 5, 2), "d/m/yy;@", "2/5/23"),
        (dt.date(2023, 5, 2), "[$-409]dddd, d mmmm yyyy", "Tuesday, 2 May 2023"),
        (dt.date(2023, 5, 2), "[$-407]d. mmmm yyyy", "2023-05-02"),
        (dt.date(2023, 5, 2), "mmm-yy", "May-23"),
        (dt.date(2023, 5, 2), 'yyyy"年"m"月"d"日"', "2023年5月2日"),
        (dt.date(2023, 5, 2), "ggge", "2023-05-02"),
        (_MOMENT, "yyyy-mm-dd hh:mm", "2023-05-02 14:05"),
        (_MOMENT, "h:mm AM/PM", "2:05 PM"),
        (_MOMENT, "mm:ss.0", "05:09.5"),
        (_MOMENT, "m/d/yy h:mm", "2023-05-02 14:05:09"),
        (2.5, "[Red]0", "3"),
        (2.675, "0.00", "2.68"),
        (-0.001, "0.00", "0.00"),
        (dt.time(9, 5), "h:mm", "9:05"),
        (dt.timedelta(hours=26, minutes=30), "[h]:mm", "26:30"),
        ("#DIV/0!", "General", "#DIV/0!"),
        (False, "General", "FALSE"),
    ],
)
def test_values_are_written_as_the_sheet_shows_them(
    value: object, number_format: str, text: str
) -> None:
    assert shown(value, number_format) == text


def test_hidden_sheets_rows_columns_and_values_are_left_out_and_said(tmp_path: Path) -> None:
    workbook = Workbook()
    _rows(workbook, [["a", "b", "c", "d"], ["secret", "row", "", ""], [1, 2, 3, 4]])
    sheet = workbook.active
    sheet.row_dimensions[2].hidden = True
    sheet.column_dimensions["B"].hidden = True
    sheet["D3"].number_format = ";;;"
    extraction = read_xlsx(_saved(workbook, tmp_path))
    assert extraction.pages[0].text == ("Sheet\n\n| a | c | d |\n| --- | --- | --- |\n| 1 | 3 |  |")
    assert extraction.readings[0].flags == ("hidden-text", "table")

    workbook = Workbook()
    workbook.create_sheet("Ghost").append(["secret"])
    workbook["Ghost"].sheet_state = "veryHidden"
    _rows(workbook, [["seen"]])
    extraction = read_xlsx(_saved(workbook, tmp_path))
    assert [page.text for page in extraction.pages] == ["Sheet\n\nseen"]
    assert extraction.readings[0].flags == ("hidden-text",)


def test_letters_of_the_colour_of_their_cell_are_left_out_and_said(tmp_path: Path) -> None:
    workbook = Workbook()
    _rows(workbook, [["a", "b", "c", "d"], ["secret", "secret", "seen", "secret"]])
    sheet = workbook.active
    sheet["A2"].font = Font(color="FFFFFF")
    sheet["B2"].font, sheet["B2"].fill = Font(color="102030"), PatternFill("solid", "102131")
    sheet["C2"].font, sheet["C2"].fill = Font(color="FFFFFF"), PatternFill("solid", "4472C4")
    sheet["D2"].font = Font(color=Color(theme=0))
    extraction = read_xlsx(_saved(workbook, tmp_path))
    assert "secret" not in extraction.pages[0].text
    assert "seen" in extraction.pages[0].text
    assert extraction.readings[0].flags == ("hidden-text", "table")


def test_white_letters_stay_where_the_style_of_a_table_colours_the_cells(tmp_path: Path) -> None:
    workbook = Workbook()
    _rows(workbook, [["head", "er"], ["x", "y"]])
    workbook.active["A1"].font = Font(color="FFFFFF")
    workbook.active.add_table(TableOfCells(displayName="T", ref="A1:B2"))
    extraction = read_xlsx(_saved(workbook, tmp_path))
    assert extraction.pages[0].text.startswith("Sheet\n\n| head | er |")
    assert extraction.readings[0].flags == ("table",)


def test_a_merged_cell_is_written_once(tmp_path: Path) -> None:
    workbook = Workbook()
    _rows(workbook, [["Year", "", "x"], [1, 2, 3]])
    workbook.active.merge_cells("A1:B1")
    assert read_xlsx(_saved(workbook, tmp_path)).pages[0].text == (
        "Sheet\n\n| Year |  | x |\n| --- | --- | --- |\n| 1 | 2 | 3 |"
    )


def test_a_formula_is_its_last_value_and_a_missing_one_is_said(tmp_path: Path) -> None:
    workbook = Workbook()
    _rows(workbook, [["n", "sum"], [1, "=1+1"], [2, "=2+2"]])
    path = _saved(workbook, tmp_path)
    _patched(
        path,
        "xl/worksheets/sheet1.xml",
        lambda xml: re.sub(r"<f>1\+1</f><v\s*/?>(</v>)?", "<f>1+1</f><v>2</v>", xml),
    )
    extraction = read_xlsx(path)
    assert extraction.pages[0].text == ("Sheet\n\n| n | sum |\n| --- | --- |\n| 1 | 2 |\n| 2 |  |")
    assert extraction.readings[0].flags == ("low-coverage", "table")


def test_an_empty_result_is_a_value(tmp_path: Path) -> None:
    workbook = Workbook()
    _rows(workbook, [["n", "=1+1"]])
    path = _saved(workbook, tmp_path)
    _patched(
        path,
        "xl/worksheets/sheet1.xml",
        lambda xml: re.sub(r'<c r="B1"( t="\w+")?><f>', '<c r="B1" t="str"><f>', xml),
    )
    assert read_xlsx(path).readings[0].flags == ()


def test_a_strict_workbook_is_refused_with_what_to_do(tmp_path: Path) -> None:
    workbook = Workbook()
    _rows(workbook, [["x"]])
    strict = ("http://schemas.openxmlformats.org/spreadsheetml/2006/main", "http://purl.oclc.org/x")
    path = _patched(_saved(workbook, tmp_path), "xl/workbook.xml", lambda xml: xml.replace(*strict))
    with pytest.raises(UnreadableFile, match="Strict"):
        read_xlsx(path)


def test_far_cells_and_wrong_dimensions_cost_nothing(tmp_path: Path) -> None:
    workbook = Workbook()
    workbook.active["A1"] = "near"
    workbook.active["XFD1048576"] = "far"
    began = time.monotonic()
    assert read_xlsx(_saved(workbook, tmp_path)).pages[0].text == "Sheet\n\nnear\n\nfar"
    assert time.monotonic() - began < 20


def test_too_many_cells_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    workbook = Workbook()
    _rows(workbook, [[1, 2, 3]] * 10)
    path = _saved(workbook, tmp_path)
    monkeypatch.setattr(spreadsheet, "_MAX_CELLS", 29)
    with pytest.raises(TooLarge, match="29 cells"):
        read_xlsx(path)
    monkeypatch.setattr(spreadsheet, "_MAX_CELLS", 30)
    assert read_xlsx(path).pages[0].text.count("\n") == 12


def test_progress_counts_the_sheets(tmp_path: Path) -> None:
    workbook = Workbook()
    _rows(workbook, [["x"]])
    workbook.create_sheet("b")
    seen: list[tuple[int, int]] = []
    read_xlsx(_saved(workbook, tmp_path), lambda done, total: seen.append((done, total)))
    assert seen == [(1, 2), (2, 2)]


def test_what_is_no_workbook_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "b.xlsx"
    path.write_bytes(b"a,b\n1,2\n")
    with pytest.raises(WrongContent):
        read_xlsx(path)
    path.write_bytes(
        b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\0" * 512 + "EncryptedPackage".encode("utf-16-le")
    )
    with pytest.raises(PasswordRequired):
        read_xlsx(path)
    with pytest.raises(NoText):
        read_xlsx(_saved(Workbook(), tmp_path))
    workbook = Workbook()
    _rows(workbook, [["x"]])
    good = _saved(workbook, tmp_path)
    _patched(good, "xl/workbook.xml", lambda xml: xml.replace("workbook", "document"))
    with pytest.raises(WrongContent):
        read_xlsx(good)
    damaged = _saved(workbook, tmp_path)
    _patched(damaged, "xl/worksheets/sheet1.xml", lambda xml: xml[: len(xml) // 2])
    with pytest.raises(UnreadableFile):
        read_xlsx(damaged)
    bomb = '<!DOCTYPE a [<!ENTITY b "c">]>'
    path = _patched(_saved(workbook, tmp_path), "xl/worksheets/sheet1.xml", lambda xml: bomb + xml)
    with pytest.raises(UnreadableFile):
        read_xlsx(path)


def test_a_number_is_never_mangled_by_a_format_that_is_not_understood():
    from local_rag.adapters.office.cell_format import shown

    assert shown(123456789, "000-00-0000") == "123456789"
    assert shown(0.75, "# ?/? ?") == "0.75"
    assert shown(1234.5, '#,##0.00 "EUR"') == "1,234.50 EUR"
