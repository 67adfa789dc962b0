from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from local_rag.text.names import display_name


@pytest.mark.parametrize(
    ("raw", "shown"),
    [
        ("../../x.txt", "x.txt"),
        ("/etc/x.pdf", "x.pdf"),
        ("..\\..\\x.pdf", "x.pdf"),
        ("%2e%2e%2fx.pdf", "x.pdf"),
        ("a%2Fb%5Cc.txt", "c.txt"),
        ("cv\u202efdp.txt", "cvfdp.txt"),
        ("x.txt.", "x.txt"),
        ("CON.pdf", "CON.pdf"),
        ("\U0001f600 notes.md", "\U0001f600 notes.md"),
        ("a\x00b\nc.txt", "abc.txt"),
        ("..", "unnamed"),
        ("", "unnamed"),
        ("\ud800.txt", ".txt"),
    ],
)
def test_a_name_is_never_a_path(raw, shown):
    assert display_name(raw) == shown


def test_equal_names_in_two_normal_forms_are_one():
    assert display_name(unicodedata.normalize("NFD", "Häuser.txt")) == "Häuser.txt"


def test_a_long_name_keeps_its_ending():
    name = display_name("ä" * 360 + ".pdf")
    assert len(name) == 200
    assert name.endswith("ä….pdf")


@given(st.text())
def test_any_name_can_be_shown_and_stored(raw):
    name = display_name(raw)
    assert name
    assert "/" not in name
    assert "\\" not in name
    assert name not in {".", ".."}
    name.encode()
    assert display_name(name) == name
