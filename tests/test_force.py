"""Bounds, permissions and reasons of claims, held against what the text says of them."""

from __future__ import annotations

import pytest

from local_rag.text.doubts import doubts
from local_rag.text.facts import flags

LEASE = "Subletting requires the owner's written consent. Dogs are not allowed in the rooms."
OFFICE = "Friday is an office day because the team meets on that day. The office has two rooms."
BUERO = "Der Freitag ist Bürotag, weil an diesem Tag die Besprechungen stattfinden."


def kinds(claim, text, language="en"):
    return {flag.kind for flag in flags(claim, text, language)}


@pytest.mark.parametrize(
    ("claim", "text", "language"),
    [
        ("Hotels are paid from at least 135 euros.", "Hotels are paid up to 135 euros.", "en"),
        ("Hotels are paid up to 135 euros.", "Hotels are paid from more than 135 euros.", "en"),
        ("Trips of no more than 5 days need leave.", "Trips over 5 days need leave.", "en"),
        ("Trips of under 5 days need leave.", "Trips of more than 5 days need leave.", "en"),
        ("Hotels kosten mindestens 135 Euro.", "Hotels kosten bis zu 135 Euro.", "de"),
        ("Man darf mindestens drei Tage fehlen.", "Man darf höchstens drei Tage fehlen.", "de"),
        ("L'hôtel coûte au moins 90 euros.", "L'hôtel coûte jusqu'à 90 euros.", "fr"),
    ],
)
def test_a_most_is_no_least(claim, text, language):
    assert "bound" in kinds(claim, text, language)
    assert "bound" not in {flag.kind for flag in doubts(claim, text, language)}


@pytest.mark.parametrize(
    ("claim", "text"),
    [
        ("Hotels are paid with at most 135 euros.", "Hotels are paid up to 135 euros."),
        ("Hotels are paid with 135 euros.", "Hotels are paid up to 135 euros."),
        ("Send it at least 8 weeks before.", "Send it no later than 8 weeks before the start."),
        ("Trips of 5 days or more need leave.", "Trips of at least 5 days need leave."),
    ],
)
def test_a_bound_can_be_said_in_other_words(claim, text):
    assert flags(claim, text, "en") == []


@pytest.mark.parametrize(
    ("claim", "text", "language"),
    [
        ("Subletting is prohibited.", LEASE, "en"),
        ("Subletting is allowed.", LEASE, "en"),
        ("Guests must park in the yard.", "Guests may park in the yard.", "en"),
        ("Guests may park in the yard.", "Guests must park in the yard.", "en"),
        (
            "Die Untervermietung ist verboten.",
            "Die Untervermietung bedarf der Zustimmung des Vermieters.",
            "de",
        ),
        (
            "Die Untervermietung ist erlaubt.",
            "Die Untervermietung bedarf der Zustimmung des Vermieters.",
            "de",
        ),
    ],
)
def test_what_is_allowed_forbidden_or_demanded_must_be_so_in_the_text(claim, text, language):
    assert "permission" in kinds(claim, text, language)


@pytest.mark.parametrize(
    ("claim", "text"),
    [
        ("Subletting is allowed with the owner's written consent.", LEASE),
        ("Open fires are forbidden.", "Forbidden\n\n- open fires\n- loud music"),
        ("Guests may park in the yard.", "Guests are allowed to park in the yard."),
        ("Guests must park in the yard.", "Guests have to park in the yard."),
    ],
)
def test_a_permission_can_be_said_in_other_words(claim, text):
    assert flags(claim, text, "en") == []


@pytest.mark.parametrize(
    ("claim", "text", "language"),
    [
        ("Friday is an office day because the manager wants it.", OFFICE, "en"),
        ("Friday is an office day, since customers visit.", OFFICE, "en"),
        ("Der Freitag ist Bürotag, weil die Leitung es so will.", BUERO, "de"),
        (
            "Le vendredi est un jour de bureau parce que le directeur insiste.",
            "Le vendredi est un jour de bureau parce que l'équipe se réunit.",
            "fr",
        ),
    ],
)
def test_a_reason_must_be_in_the_text_for_itself(claim, text, language):
    assert "reason" in kinds(claim, text, language)


def test_a_reason_can_be_said_in_other_words():
    assert flags("As Friday is when the team meets, it is an office day.", OFFICE, "en") == []
    assert flags("Friday is an office day, since the team meets then.", OFFICE, "en") == []
    assert flags("Freitag ist Bürotag, weil dann Besprechungen stattfinden.", BUERO, "de") == []
