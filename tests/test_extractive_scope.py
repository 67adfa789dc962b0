"""The writer that quotes: what holds above a bound is not what holds below it."""

from __future__ import annotations

from dataclasses import replace

import pytest
from test_extractive import answer, passage, passages, write

from local_rag.generate.extractive import ExtractiveWriter
from local_rag.retrieve.understand import understand

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


def asked_after(previous, question, *texts, language="en"):
    asked = replace(understand(question, previous), language=language)
    draft = ExtractiveWriter().write(asked, [passages(*texts)] * len(asked.parts))
    return [claim.text for claim in draft.claims]


RATES = """| Service | 2024 | 2025 |
|---|---|---|
| Installation of a pump | 140 | 155 |
| Annual inspection | 95 | 99 |
"""
VOTE = "Priya Nair voted against the budget because the travel costs had not been itemised."


def test_why_alone_is_answered_by_a_reason_or_not_at_all():
    assert asked_after("What does the installation of a pump cost?", "Why?", RATES) == []
    assert asked_after("Did Priya Nair vote against the budget?", "Why?", VOTE) == [VOTE]


def test_the_title_of_a_document_is_no_answer():
    row = passage(0, "Pump Alba 200: Operating manual")
    row = replace(row, document=replace(row.document, title="Pump Alba 200: Operating manual"))
    draft = write("Was kostet die Pumpe Alba 200?", "de", [row])
    assert draft.claims == ()


def test_one_word_alike_in_another_language_is_no_answer():
    lease = "The Tenant may not terminate the lease before 31 March 2026."
    assert answer("Quand se termine le bail ?", lease, language="en") == []
    draft = write("Quand se termine le bail ?", "fr", passages(lease))
    assert draft.claims == ()


RULES = """## Allowed

- dogs on the lead
- barbecues until 8 p.m.

## Forbidden

- dogs off the lead
- open fires
"""
POLICY = """1. Hotels
Hotel costs are reimbursed up to 135 euros per night.
2. Trains
Employees travel second class.
3. Fill the housing with clean
water from the tap.
"""


def test_an_item_that_is_no_sentence_is_told_with_what_stands_over_it():
    (claim,) = write("Can dogs be off the lead?", "en", passages(RULES)).claims
    assert claim.text == "Forbidden: dogs off the lead"
    quoted = [RULES[one.start : one.end] for one in claim.supports]
    assert quoted == ["## Forbidden", "- dogs off the lead"]


def test_a_numbered_title_is_not_read_into_the_sentence_below_it():
    assert answer("What hotel costs are reimbursed?", POLICY) == [
        "Hotel costs are reimbursed up to 135 euros per night."
    ]
    assert answer("With what is the housing filled?", POLICY) == [
        "Fill the housing with clean water from the tap."
    ]


INVOICE = """INVOICE No. 2024-0817

Date: 9 May 2024

Total amount: 1,544.03 EUR

Payable within 14 days without deduction.
"""
PLOTS = (
    "There are 46 plots. A plot measures 30 square metres. "
    "The annual fee for a plot is £65, payable by 31 January."
)
DEPOSIT = (
    "The Tenant pays a deposit of three monthly rents. "
    "The deposit is returned within six months after the end of the lease."
)
TECHNICAL = "Maximum head: 42 metres.\nPower: 800 watts.\nWeight: 9.4 kg.\n"
OFFICE = (
    "The Landlord lets to the Tenant the office on the third floor with 214 square metres. "
    "The Tenant uses the premises as an office only."
)


@pytest.mark.parametrize(
    ("question", "text", "expected"),
    [
        (
            "By when must the invoice be paid?",
            INVOICE,
            "Payable within 14 days without deduction.",
        ),
        ("What is the date of the invoice?", INVOICE, "Date: 9 May 2024"),
        ("What is the deposit?", DEPOSIT, "The Tenant pays a deposit of three monthly rents."),
        ("How heavy is it?", TECHNICAL, "Weight: 9.4 kg."),
        ("How large is the office?", OFFICE, OFFICE.split(" The Tenant uses")[0]),
        (
            "What does a plot cost per year?",
            PLOTS,
            "The annual fee for a plot is £65, payable by 31 January.",
        ),
    ],
)
def test_a_plain_answer_in_other_words_is_found(question, text, expected):
    assert answer(question, text)[:1] == [expected]


def test_one_of_what_the_question_named_before_is_priced():
    found = answer("How many plots are there and what does one cost per year?", PLOTS)
    assert found[0] == "There are 46 plots."
    assert "The annual fee for a plot is £65, payable by 31 January." in found


MANUAL = """E02: The motor is too hot. Let the pump cool down for 30 minutes.

E05: The pressure sensor is defective. Call the service.
"""


def test_what_to_do_on_a_code_is_all_that_stands_behind_it():
    assert answer("What should I do when E02 appears?", MANUAL) == [
        "E02: The motor is too hot.",
        "Let the pump cool down for 30 minutes.",
    ]
    cost = answer("What does the fuse of E02 cost?", MANUAL)
    assert "Let the pump cool down for 30 minutes." not in cost
