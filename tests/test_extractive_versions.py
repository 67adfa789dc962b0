"""The writer that quotes: a year or a version in the question means the document of that name."""

from __future__ import annotations

from dataclasses import replace

import pytest
from test_extractive import passages, write

OLD = "Parking permits cost 12 euros a month. Visitors park free of charge."
NEW = "Parking permits cost 18 euros a month. Visitors park free of charge."


def dated(names, titles=(None, None)):
    return [
        replace(row, document=replace(row.document, name=name, title=title))
        for row, name, title in zip(passages(OLD, NEW), names, titles, strict=True)
    ]


def claims(question, rows):
    return [claim.text for claim in write(question, "en", rows).claims]


BY_YEAR = dated(["parking_2023.md", "parking_2025.md"])
BY_TITLE = dated(["a.md", "b.md"], ["Parking 2023", "Parking 2025"])
BY_VERSION = dated(["parking-v1.md", "parking-v2.md"])


@pytest.mark.parametrize("rows", [BY_YEAR, BY_TITLE])
@pytest.mark.parametrize(
    ("question", "sentence"),
    [
        ("What do parking permits cost in 2023?", OLD),
        ("What do parking permits cost under the 2025 rules?", NEW),
    ],
)
def test_the_year_of_the_question_means_the_document_of_that_year(rows, question, sentence):
    assert claims(question, rows) == [sentence.partition(" Visitors")[0]]


def test_so_does_a_version():
    question = "What do parking permits cost in version 2?"
    assert claims(question, BY_VERSION) == ["Parking permits cost 18 euros a month."]


@pytest.mark.parametrize("joined", ["of 2023 and 2025", "in 2023 with 2025"])
def test_of_two_years_that_are_compared_each_is_told(joined):
    found = claims(f"Compare the cost of parking permits {joined}.", BY_YEAR)
    assert {"Parking permits cost 12 euros a month.", "Parking permits cost 18 euros a month."} <= (
        set(found)
    )


@pytest.mark.parametrize("year", ["2024", "2019"])
def test_a_year_that_no_document_is_of_is_not_answered_from_another(year):
    assert claims(f"What do parking permits cost in {year}?", BY_YEAR) == []


def test_what_a_document_of_the_year_does_not_say_is_refused():
    assert claims("What does a bicycle stand cost in 2025?", BY_YEAR) == []
