"""Dates, names, agents and cells of a table that a claim gives another part than the text does."""

from __future__ import annotations

import pytest

from local_rag.text.cells import misplaced
from local_rag.text.facts import flags

LEASE = "The lease begins on 1 April 2024 and ends on 31 March 2029."
SIGNED = "8. Signatures\n\nFor the Landlord: Hanna Bruck\n\nFor the Tenant: Amir Demos"
GARDEN = "The treasurer is Maria Osten; the secretary is Liam Dorn. Write to the secretary."
REPAIRS = (
    "The Tenant bears repairs of up to 250 euros. All other repairs are borne by the Landlord."
)
TRIPS = "Trips of more than five days must be approved by the managing director."
LEVELS = (
    "Orders above 500 euros are approved by the managing director, "
    "small orders by the head of department."
)
INSURED = "The Landlord insures the building against fire. The Tenant insures its own things."
TASKS = (
    "- Jonas Weld: renew the fire insurance by 1 May 2024\n- Priya Nast: draft the rules\n\n"
    "Minutes taken by Jonas Weld."
)
VERTRAG = "Der Vertrag beginnt am 1. April 2024 und endet am 31. März 2029."
PRICES = (
    "| Article | Code | Price EUR | Stock | Warranty (months) |\n| --- | --- | --- | --- | --- |\n"
    "| Pump Alba 200 | PA-200 | 189.00 | 14 | 24 |\n"
    "| Pump Alba 400 | PA-400 | 329.50 | 3 | 36 |\n"
    "| Filter Corso | FC-10 | 24.90 | 120 | 6 |"
)
RATES = "| Service | 2024 | 2025 |\n|---|---|---|\n| Inspection | 95 | 99 |\n| Repair | 68 | 72 |"


def kinds(claim, text, language="en"):
    return {flag.kind for flag in flags(claim, text, language)}


@pytest.mark.parametrize(
    ("claim", "text", "language"),
    [
        ("The lease ends on 1 April 2024.", LEASE, "en"),
        ("The lease begins on 31 March 2029 and ends on 1 April 2024.", LEASE, "en"),
        ("Der Vertrag endet am 1. April 2024.", VERTRAG, "de"),
        ("Der Vertrag beginnt am 31. März 2029.", VERTRAG, "de"),
        ("Hanna Bruck signed for the Tenant and Amir Demos for the Landlord.", SIGNED, "en"),
        ("The treasurer is Liam Dorn.", GARDEN, "en"),
        ("Maria Osten is the secretary.", GARDEN, "en"),
        ("The treasurer is Liam Dorn.", "Secretary: Liam Dorn\n\nTreasurer: Maria Osten", "en"),
        ("All other repairs are borne by the Tenant.", REPAIRS, "en"),
        ("Trips of more than five days must be approved by the head of department.", TRIPS, "en"),
        ("Orders above 500 euros are approved by the head of department.", LEVELS, "en"),
        ("The Tenant insures the building against fire.", INSURED, "en"),
        ("The building is insured by the Tenant.", INSURED, "en"),
        ("Priya Nast renews the fire insurance by 1 May 2024.", TASKS, "en"),
        ("Priya Nast took the minutes.", TASKS, "en"),
    ],
)
def test_what_changed_places_is_doubted(claim, text, language):
    assert "place" in kinds(claim, text, language)


@pytest.mark.parametrize(
    ("claim", "text", "language"),
    [
        ("The lease starts on 1 April 2024 and ends on 31 March 2029.", LEASE, "en"),
        ("The lease runs until 31 March 2029.", LEASE, "en"),
        ("Am 31. März 2029 endet der Vertrag.", VERTRAG, "de"),
        ("Hanna Bruck signed for the Landlord and Amir Demos for the Tenant.", SIGNED, "en"),
        ("The secretary is Liam Dorn and the treasurer Maria Osten.", GARDEN, "en"),
        ("Maria Osten is the treasurer.", GARDEN, "en"),
        ("The Landlord bears all other repairs.", REPAIRS, "en"),
        ("The Tenant bears repairs of up to 250 euros.", REPAIRS, "en"),
        ("The managing director must approve trips of more than five days.", TRIPS, "en"),
        ("Small orders are approved by the head of department.", LEVELS, "en"),
        ("The Landlord insures the building against fire.", INSURED, "en"),
        ("The building is insured by the Landlord.", INSURED, "en"),
        ("Jonas Weld renews the fire insurance by 1 May 2024.", TASKS, "en"),
        ("The minutes were taken by Jonas Weld.", TASKS, "en"),
    ],
)
def test_what_keeps_its_place_is_not_doubted(claim, text, language):
    assert flags(claim, text, language) == []


@pytest.mark.parametrize(
    "claim",
    [
        "Pump Alba 400 costs 189.00 euros.",
        "PA-200 costs 329.50 euros.",
        "The warranty of the Pump Alba 400 is 3 months.",
        "The stock of the Filter Corso is 6.",
        "The Pump Alba 200 costs 329.50 euros and the Pump Alba 400 costs 189.00 euros.",
    ],
)
def test_a_number_must_stand_in_the_row_and_column_that_the_claim_names(claim):
    assert misplaced(claim, PRICES, ("en", "en"))
    assert flags(claim, PRICES, "en")


@pytest.mark.parametrize(
    ("claim", "table"),
    [
        ("The Pump Alba 400 costs 329.50 euros.", PRICES),
        ("PA-200 costs 189.00 euros.", PRICES),
        ("The warranty of the Pump Alba 400 is 36 months.", PRICES),
        ("The Pump Alba 200 costs 189.00 euros and the Pump Alba 400 costs 329.50 euros.", PRICES),
        ("The warranty of the Filter Corso is 6 months, its stock 120.", PRICES),
        ("An inspection costs 95 euros in 2024.", RATES),
        ("A repair cost 68 in 2024 and 72 in 2025.", RATES),
    ],
)
def test_what_a_cell_holds_can_be_said_in_words(claim, table):
    assert misplaced(claim, table, ("en", "en")) == []


def test_a_number_that_stands_outside_the_table_as_well_is_left_alone():
    text = f"The Pump Alba 400 costs 189.00 euros this week.\n\n{PRICES}"
    assert misplaced("Pump Alba 400 costs 189.00 euros.", text, ("en", "en")) == []


def test_the_year_over_a_column_counts():
    assert misplaced("An inspection costs 99 euros in 2024.", RATES, ("en", "en"))
