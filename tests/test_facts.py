"""What the rules find in claims that a text does not bear out, and in those that it does."""

from __future__ import annotations

import pytest
from grounded_cases import CASES
from hypothesis import given
from hypothesis import strategies as st

from local_rag.text.calendar import Day, dates_in, weekdays_in
from local_rag.text.entities import names_in
from local_rag.text.facts import Flag, flags
from local_rag.text.quantities import quantities_in, rates_in

FAITHFUL = [(c.language, c.passage, claim) for c in CASES for claim in c.faithful]
FALSE = [(c.language, c.passage, claim) for c in CASES for claim in c.false]


@pytest.mark.parametrize(("language", "passage", "claim"), FAITHFUL)
def test_a_faithful_statement_is_not_doubted(language, passage, claim):
    assert flags(claim, passage, language) == []


@pytest.mark.parametrize(("language", "passage", "claim"), FALSE)
def test_a_false_statement_is_doubted(language, passage, claim):
    assert flags(claim, passage, language) != []


@pytest.mark.parametrize(
    ("claim", "source", "expected"),
    [
        ("The bridge has 12 arches.", "The bridge has 7 arches.", Flag("number", "12")),
        (
            "It opened on 4 May 2021.",
            "It opened on 5 May 2021.",
            Flag("date", "4 May 2021"),
        ),
        ("The bridge is 12 m long.", "The bridge is 12 km long.", Flag("unit", "12 m")),
        ("The rent is 90 € a week.", "The rent is 90 € a month.", Flag("unit", "a week")),
        (
            "The bridge was drawn by Ada Moor.",
            "The bridge was drawn by Ida Boone.",
            Flag("entity", "Ada Moor"),
        ),
        ("The bridge is not open.", "The bridge is open.", Flag("negation", "not")),
        ("The bridge is open.", "The bridge is not open.", Flag("negation", "not")),
        ("The bridge may close.", "The bridge closes.", None),
        ("The bridge closes.", "The bridge might close.", Flag("hedge", "might")),
        ("Costs increased a lot.", "Costs decreased a lot.", Flag("negation", "increased")),
        (
            "Every ferry carries bicycles.",
            "The bridge is open.",
            Flag("overlap", "every, ferry, carries, bicycles"),
        ),
    ],
)
def test_a_doubt_has_a_kind_and_names_the_words(claim, source, expected):
    assert flags(claim, source, "en") == ([expected] if expected else [])


def test_a_doubt_says_what_is_wrong_in_a_sentence():
    assert Flag("number", "12").message.startswith("The number 12 is not in the cited text")


@pytest.mark.parametrize(
    ("left", "right", "language"),
    [
        ("42.50 €", "EUR 42,5", "en"),
        ("1,000 km", "1000 kilometres", "en"),
        ("1.000 km", "1000 Kilometer", "de"),
        ("10 000 kg", "10000 Kilogramm", "fr"),
        ("5 million dollars", "$5,000,000", "en"),
        ("3 Mio. Euro", "3000000 €", "de"),
        ("50 %", "50 percent", "en"),
        ("50 %", "50 Prozent", "de"),
        ("50 %", "50 pour cent", "fr"),
        ("50 %", "50 por ciento", "es"),
        ("three days", "3 days", "en"),
        ("drei Tage", "3 Tage", "de"),
        ("trois jours", "3 jours", "fr"),
        ("cinco días", "5 días", "es"),
        ("the 3rd", "the third", "en"),
        ("7:30 pm", "19:30", "en"),
        ("7.30 Uhr", "7:30", "de"),
        ("7h30", "07:30", "fr"),
        ("-5 °C", "−5 °C", "en"),
    ],
)
def test_a_number_is_one_however_it_is_written(left, right, language):
    (a,), (b,) = quantities_in(left, language), quantities_in(right, language)
    assert (a.values[0], a.unit) == (b.values[0], b.unit)


def test_what_looks_like_a_number_and_is_none():
    assert quantities_in("x86, 4x4 and the word often", "en") == []
    assert not any(q.sure for q in quantities_in("One of us, a second time, GATA-3", "en"))
    assert rates_in("weekly, per month, a day") == {"week": "weekly", "month": "per month"}


@pytest.mark.parametrize(
    "written",
    [
        "2021-03-05",
        "5 March 2021",
        "March 5, 2021",
        "5th of March 2021",
        "5. März 2021",
        "05.03.2021",
        "5 mars 2021",
        "5 de marzo de 2021",
        "5 marzo 2021",
        "2021年3月5日",
    ],
)
def test_a_date_is_one_however_it_is_written(written):
    (date,) = dates_in(f"Since {written} it is open.")
    assert date.readings == {Day(2021, 3, 5)}


def test_a_date_that_can_be_read_in_two_ways_has_both_readings():
    assert dates_in("4/5/2021")[0].readings == {Day(2021, 5, 4), Day(2021, 4, 5)}
    assert [d.readings for d in dates_in("6–7 March 2020")] == [
        {Day(2020, 3, 7)},
        {Day(2020, 3, 6)},
    ]
    assert weekdays_in("montags and on Friday") == {1: "montags", 5: "Friday"}


def test_names_are_found_by_their_capitals():
    found = names_in("In 1990 the painter Ada Moor moved from Bern to the WHO with INV-2054.", "en")
    assert {name.surface for name in found} == {"Ada Moor", "Bern", "WHO", "INV-2054"}
    german = names_in("Der Turm wurde von Krause in Bern gebaut.", "de")
    assert {name.surface for name in german} == {"Krause", "Bern"}


@given(
    st.text(max_size=120),
    st.text(max_size=200),
    st.sampled_from(["en", "de", "fr", "es", "pt", "it", "zh", "und", "xx"]),
)
def test_any_text_can_be_held_against_any_other(claim, cited, language):
    assert flags(claim, cited, language) == flags(claim, cited, language)
