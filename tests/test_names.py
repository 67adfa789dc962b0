from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from local_rag.text.names import FOLDER_MARK, LONGEST_NAME_CHARS, display_name, local_name


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
        ("\ud800.txt", "unnamed.txt"),
        (".txt", ".txt"),
        ("folder/.txt", ".txt"),
        ("a . .", "a"),
    ],
)
def test_a_name_is_never_a_path(raw, shown):
    assert display_name(raw) == shown


def test_equal_names_in_two_normal_forms_are_one():
    assert display_name(unicodedata.normalize("NFD", "Häuser.txt")) == "Häuser.txt"


@pytest.mark.parametrize(
    "character",
    ["\u061c", "\u00ad", "\u180e", "\u3164", "\U000e0041", "\u2066", "\u115f", "\uffa0", "\ufeff"],
)
def test_what_nobody_sees_is_no_part_of_a_name(character):
    assert display_name(f"in{character}voice{character}.txt") == "invoice.txt"
    assert display_name(character * 3) == "unnamed"
    assert display_name(f"{character}.txt") == "unnamed.txt"
    assert display_name(f"%{character}2e%2fx.txt") == "x.txt"


@pytest.mark.parametrize("raw", ["\u200d", "\u2800\ufe0f", " \u3000", ". .", ".\u200d"])
def test_a_name_without_anything_to_see_gets_one(raw):
    assert display_name(raw) == "unnamed"


@pytest.mark.parametrize(
    "name",
    [
        "\U0001f469\u200d\U0001f33e.md",
        "\u2764\ufe0f.md",
        "\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645.txt",
    ],
)
def test_joiners_that_a_script_is_written_with_stay(name):
    assert display_name(name) == name


def test_a_long_name_keeps_its_ending():
    name = display_name("ä" * 360 + ".pdf")
    assert len(name) == LONGEST_NAME_CHARS
    assert name.startswith("ää")
    assert name.endswith("ää.pdf")


@pytest.mark.parametrize(("one", "other"), [("{}1.pdf", "{}2.pdf"), ("1{}.pdf", "2{}.pdf")])
@pytest.mark.parametrize("filling", ["ä" * 200, "ab" * 300])
def test_two_long_names_stay_two(one, other, filling):
    assert display_name(one.format(filling)) != display_name(other.format(filling))
    middle = "x" * 300
    assert display_name(f"{middle}1{middle}.pdf") != display_name(f"{middle}2{middle}.pdf")


@pytest.mark.parametrize(
    ("parts", "shown"),
    [
        (["readme.md"], "readme.md"),
        (["notes", "a", "readme.md"], "notes › a › readme.md"),
        (["%2e%2e%2fz.txt"], "％2e％2e％2fz.txt"),
        (["100% a.txt"], "100% a.txt"),
        (["a\\b.txt"], "a＼b.txt"),
        (["caf\udce9.txt"], "caf\ufffd.txt"),
        (["notes", "\u3164.txt"], "notes › unnamed.txt"),
        (["\u3164", "x.txt"], "unnamed › x.txt"),
        (["\u3164.txt"], "unnamed.txt"),
    ],
)
def test_a_name_on_this_machine_is_what_it_says(parts, shown):
    assert local_name(parts) == shown


@given(st.text())
def test_any_name_can_be_shown_and_stored(raw):
    name = display_name(raw)
    assert name
    assert "/" not in name
    assert "\\" not in name
    assert name not in {".", ".."}
    name.encode()
    assert display_name(name) == name
    assert unicodedata.is_normalized("NFC", name)


_AWKWARD = st.text(alphabet="%2eEf5cC./\\ a\u200d\u00ad\u0301\ud800\u3164", max_size=20)


@given(st.lists(_AWKWARD | st.text(), min_size=1, max_size=4), _AWKWARD)
def test_a_local_name_is_stored_as_it_is(parts, raw):
    name = local_name(parts)
    assert display_name(name) == name
    assert len(name) <= LONGEST_NAME_CHARS
    assert display_name(display_name(raw)) == display_name(raw)


def test_a_long_path_keeps_the_file_s_own_name():
    name = local_name([*(f"folder number {n}" for n in range(30)), "readme.md"])
    assert len(name) == LONGEST_NAME_CHARS
    assert name.startswith("folder number 0 › folder number 1")
    assert name.endswith(f"folder number 29{FOLDER_MARK}readme.md")
