"""Exponents stay exponents; marks of notes are left as they are."""

from __future__ import annotations

from pathlib import Path

import pymupdf
import pytest
from pdf_files import read

from local_rag.adapters.pdf.superscripts import with_exponents
from local_rag.text.tokens import tokenize


def words(*texts: str):
    return [(0, 0, 1, 1, text, 0, 0, i) for i, text in enumerate(texts)]


def spans(*parts: tuple[str, int]):
    return [{"text": text, "flags": raised} for text, raised in parts]


@pytest.mark.parametrize(
    ("parts", "before", "after"),
    [
        ([("1.0 · 10", 0), ("20", 1)], ["1.0", "·", "1020"], ["1.0", "·", "10²⁰"]),
        ([("ϵ = 10", 0), ("−9", 1), (".", 0)], ["ϵ", "=", "10−9."], ["ϵ", "=", "10⁻⁹."]),
        ([("30 m", 0), ("2", 1), (" large", 0)], ["30", "m2", "large"], ["30", "m²", "large"]),
        ([("(a+b)", 0), ("2", 1)], ["(a+b)2"], ["(a+b)²"]),
        ([("model", 0), ("3", 1)], ["model3"], ["model3"]),
        ([("1", 1), ("Stanford", 0)], ["1Stanford"], ["1Stanford"]),
        ([("2", 0), ("nd", 1)], ["2nd"], ["2nd"]),
    ],
)
def test_a_raised_figure_is_written_raised_behind_a_figure_a_unit_or_a_bracket(
    parts, before, after
):
    found = with_exponents(words(*before), spans(*parts))
    assert [word[4] for word in found] == after


def test_where_the_listings_differ_nothing_is_changed():
    given = words("1020", "x")
    assert with_exponents(given, spans(("10", 0), ("20", 1))) == given


def test_a_drawn_exponent_is_read_raised_and_found_by_either_writing(tmp_path: Path) -> None:
    document = pymupdf.open()
    page = document.new_page()
    page.insert_htmlbox((72, 72, 500, 200), "<p>The cost was 1.8 · 10<sup>20</sup> FLOPs.</p>")
    (made,) = read(document, tmp_path).pages
    assert "10²⁰" in made.text
    assert set(tokenize("10²⁰")) == set(tokenize("1020"))
