"""CSV and TSV files: one table, whatever parts its cells."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import pytest

from local_rag.adapters.office.delimited import read_csv, read_tsv
from local_rag.errors import EmptyFile, NoText, TooLarge, WrongContent
from local_rag.model.document import Extraction, PageReading, Section, Table
from local_rag.text.tokens import count_words

if TYPE_CHECKING:
    from pathlib import Path


def _read(folder: Path, data: bytes | str) -> Extraction:
    path = folder / "table.csv"
    path.write_bytes(data.encode() if isinstance(data, str) else data)
    return read_csv(path)


def test_a_file_of_values_is_one_table(tmp_path: Path) -> None:
    extraction = _read(tmp_path, 'Name,Price\nTea,"1,50"\n"a|b ""c""\nnew line",2\n\n')
    header = "| Name | Price |\n| --- | --- |"
    text = header + '\n| Tea | 1,50 |\n| a\\|b "c" new line | 2 |'
    assert extraction.pages[0].text == text
    assert extraction.tables == (Table(1, 0, len(text), header),)
    assert extraction.sections == (Section("0", "", 0, (), 1, 0, 1, len(text)),)
    assert extraction.readings == (PageReading(1, "text", ("table",), words=count_words(text)),)


@pytest.mark.parametrize(
    "data",
    [
        "Name;Price\nTea;1,50\nCake;2,25\n",
        "Name\tPrice\nTea\t1,50\nCake\t2,25\n",
        "Name|Price\nTea|1,50\nCake|2,25\n",
        'Name,Price\nTea,"1,50"\nCake,"2,25"\n',
        "Name;Price\r\nTea;1,50\r\nCake;2,25\r\n".encode("utf-16"),
        b"\xef\xbb\xbfName;Price\nTea;1,50\nCake;2,25",
        "Name^Price\nTea^1,50\nCake^2,25\n",
        "Name;Price\rTea;1,50\rCake;2,25\r".encode("utf-16-be"),
        'Name;"Price"\n"Tea";1,50\n"Cake";2,25\n',
    ],
)
def test_the_delimiter_is_told_by_the_lines(tmp_path: Path, data: bytes | str) -> None:
    assert _read(tmp_path, data).pages[0].text == (
        "| Name | Price |\n| --- | --- |\n| Tea | 1,50 |\n| Cake | 2,25 |"
    )


def test_ragged_rows_keep_every_cell(tmp_path: Path) -> None:
    assert _read(tmp_path, "a,b\n1\n1,2,3\n").pages[0].text == (
        "| a | b |  |\n| --- | --- | --- |\n| 1 |  |  |\n| 1 | 2 | 3 |"
    )


def test_a_tsv_file_keeps_its_commas(tmp_path: Path) -> None:
    path = tmp_path / "table.tsv"
    path.write_text("a,x\tb,y\n1,x\t2,y\n")
    assert read_tsv(path).pages[0].text == "| a,x | b,y |\n| --- | --- |\n| 1,x | 2,y |"


def test_a_hundred_thousand_rows_are_read_in_seconds(tmp_path: Path) -> None:
    rows = "".join(f"{i},name {i},{i}.5,city\n" for i in range(100_000))
    began = time.monotonic()
    extraction = _read(tmp_path, "id,name,price,city\n" + rows)
    assert time.monotonic() - began < 20
    assert extraction.pages[0].text.count("\n") == 100_001
    assert extraction.pages[0].text.endswith("| 99999 | name 99999 | 99999.5 | city |")


def test_a_header_too_long_to_repeat_leads_no_passage(tmp_path: Path) -> None:
    extraction = _read(tmp_path, ",".join(f"column {i}" for i in range(200)) + "\n1,2\n")
    assert [table.header for table in extraction.tables] == [""]


def test_what_is_no_table_of_values_is_refused(tmp_path: Path) -> None:
    with pytest.raises(EmptyFile):
        _read(tmp_path, b"")
    with pytest.raises(NoText):
        _read(tmp_path, ",,,\n , \n")
    with pytest.raises(WrongContent):
        _read(tmp_path, b"PK\x03\x04 something")
    with pytest.raises(TooLarge):
        _read(tmp_path, ",".join("x" * 200) + "\n" + (",".join("x" * 200) + "\n") * 10_001)
    with pytest.raises(TooLarge):
        _read(tmp_path, 'a,"never closed\n' + "x,y\n" * 300_000)


def test_the_line_that_tells_excel_the_delimiter_is_no_row(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_text("sep=;\nA;B\n1;2,5\n")
    assert read_csv(path).pages[0].text == "| A | B |\n| --- | --- |\n| 1 | 2,5 |"


def test_commas_between_digits_are_decimal_where_something_else_parts_the_cells(
    tmp_path: Path,
) -> None:
    rows = "1,50;2,25\n" * 40
    assert _read(tmp_path, rows).pages[0].text.endswith("| 1,50 | 2,25 |")
    assert _read(tmp_path, "a;b\n" + rows).pages[0].text.endswith("| 1,50 | 2,25 |")
    assert _read(tmp_path, "1,50\n2,25\n").pages[0].text.endswith("| 2 | 25 |")


@pytest.mark.parametrize(
    ("data", "header"),
    [
        ("5.5,red,12\n6.5,blue,13\n", ""),
        ("2023-05-01,3\n2023-05-02,4\n", ""),
        ("Region,2021,2022\nNorth,5,6\n", "| Region | 2021 | 2022 |\n| --- | --- | --- |"),
        ("id,1,2,3\nx,5,6,7\n", "| id | 1 | 2 | 3 |\n| --- | --- | --- | --- |"),
        ("name,7\nx,y\n", "| name | 7 |\n| --- | --- |"),
        ("a,b\nc,d\n", "| a | b |\n| --- | --- |"),
    ],
)
def test_a_first_row_of_numbers_like_the_others_is_no_header(
    tmp_path: Path, data: str, header: str
) -> None:
    extraction = _read(tmp_path, data)
    assert [table.header for table in extraction.tables] == [header]
    assert data.split(",")[0] in extraction.pages[0].text
