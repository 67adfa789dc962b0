"""The writer that quotes: what holds above a bound is not what holds below it."""

from __future__ import annotations

import pytest
from test_extractive import answer

LEASE = (
    "The Tenant bears repairs of up to 250 euros each. All other repairs are borne by the Landlord."
    " Pets are not allowed in the premises."
)
BELOW = "The Tenant bears repairs of up to 250 euros each. Pets are not allowed in the premises."
DISCOUNT = "Orders of more than 500 euros are delivered free of charge."


def test_all_others_are_not_those_named_before():
    assert answer("Who bears all other repairs?", LEASE) == [
        "All other repairs are borne by the Landlord."
    ]


def test_what_is_above_a_bound_is_told_by_the_sentence_on_all_others():
    assert answer("Who bears repairs above 250 euros?", LEASE) == [
        (
            "The Tenant bears repairs of up to 250 euros each. "
            "All other repairs are borne by the Landlord."
        )
    ]


@pytest.mark.parametrize("text", [LEASE, BELOW])
def test_what_is_within_a_bound_is_told_by_its_sentence(text):
    found = answer("Who bears repairs of up to 250 euros?", text)
    assert found[0] == "The Tenant bears repairs of up to 250 euros each."


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("Who bears repairs above 250 euros?", BELOW),
        ("Are orders of less than 500 euros delivered free of charge?", DISCOUNT),
    ],
)
def test_a_bound_from_the_other_side_is_no_answer(question, text):
    assert answer(question, text) == []
