"""The pipe tables of Markdown are found, and nothing else."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from local_rag.adapters.text_reader import read_markdown
from local_rag.ingest.tables import find_tables
from local_rag.model.document import Table

if TYPE_CHECKING:
    from pathlib import Path

_HEADER = "| a | b |\n| --- | --- |"


def _found(text: str) -> list[str]:
    return [text[table.start : table.end] for table in find_tables(text)]


def test_a_table_reaches_from_its_header_to_its_last_row() -> None:
    text = f"before\n\n{_HEADER}\n| 1 | 2 |\n| 3 | 4\n\nafter | x\n\n{_HEADER}"
    assert find_tables(text, 3) == (
        Table(3, 8, 8 + len(_HEADER) + 18, _HEADER),
        Table(3, len(text) - len(_HEADER), len(text), _HEADER),
    )
    assert _found(text) == [f"{_HEADER}\n| 1 | 2 |\n| 3 | 4", _HEADER]


@pytest.mark.parametrize(
    ("text", "tables"),
    [
        ("a | b\n:-- | --:\n1 | 2", ["a | b\n:-- | --:\n1 | 2"]),
        ("intro\n| a |\n|-|\n| 1 |", ["| a |\n|-|\n| 1 |"]),
        ("| a \\| b | c |\n|-|-|\n", ["| a \\| b | c |\n|-|-|"]),
        ("| a | b |\n| --- |\n", []),
        ("| a | b |\n\n| --- | --- |\n", []),
        ("| a | b |\n| 1 | 2 |", []),
        ("```\n| a | b |\n|-|-|\n```\n", []),
        ("~~~~\n~~~\n| a | b |\n|-|-|\n~~~~\n| c | d |\n|-|-|", ["| c | d |\n|-|-|"]),
        ("    | a | b |\n    |-|-|", []),
        ("| a | b |\n|-|-|\n# heading\n| c | d |", ["| a | b |\n|-|-|"]),
        ("| a | b |\n|-|-|\n- item | x", ["| a | b |\n|-|-|"]),
        ("title\n---\n", []),
        ("", []),
    ],
)
def test_what_is_a_table_is_decided_as_by_markdown(text: str, tables: list[str]) -> None:
    assert _found(text) == tables


@given(st.lists(st.sampled_from(["| a | b |", "|-|-|", "a|b", "", "```", "text", "|-|"])))
def test_every_table_that_a_parser_sees_at_the_top_is_found(lines: list[str]) -> None:
    text = "\n".join(lines)
    tokens = MarkdownIt("commonmark").enable("table").parse(text)
    seen = [
        "\n".join(lines[slice(*token.map)]).rstrip("\n")
        for token in tokens
        if token.type == "table_open" and token.level == 0 and token.map
    ]
    found = _found(text)
    assert [table for table in seen if table not in found] == []


@given(st.text(alphabet="|-: a\n`#\\", max_size=200))
def test_tables_are_in_order_and_do_not_overlap(text: str) -> None:
    end = 0
    for table in find_tables(text):
        assert end <= table.start < table.end <= len(text)
        assert text.startswith(table.header, table.start)
        end = table.end


def test_a_markdown_file_has_its_tables(tmp_path: Path) -> None:
    path = tmp_path / "a.md"
    path.write_text(f"# T\n\n{_HEADER}\n| 1 | 2 |\n")
    assert read_markdown(path).tables == (Table(1, 5, 5 + len(_HEADER) + 10, _HEADER),)
