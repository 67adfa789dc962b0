"""The flags that are shown beside claims: named, and seldom wrong."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from test_cite import evidence, page_of

from local_rag.audit.flags import flags_of
from local_rag.cite.number import number_citations
from local_rag.model.answer import Claim, Draft, Support
from local_rag.text.doubts import doubts

CITED = (
    "The lighthouse of Cape Wrath was built in 1828 by Robert Stevenson. Its light reaches 22 "
    "nautical miles. The CK666 lamp may have been replaced on 4 May 1998. Visitors climb the tower."
)


def kinds(claim, cited=CITED, language="en"):
    return [(flag.kind, flag.surface) for flag in doubts(claim, cited, language)]


@pytest.mark.parametrize(
    ("claim", "flag"),
    [
        ("The lighthouse was built in 1829.", ("number", "1829")),
        ("Its light reaches 27 nautical miles.", ("number", "27")),
        ("The lamp was replaced on 5 May 1998.", ("date", "5 May 1998")),
        ("The light reaches 22 kilometres.", ("unit", "22 kilometres")),
        ("The lighthouse was built by Thomas Telford.", ("entity", "Thomas Telford")),
        ("Visitors never climb the tower.", ("negation", "never")),
        ("The CK666 lamp has been replaced.", ("hedge", "may")),
    ],
)
def test_what_the_cited_text_lacks_is_named(claim, flag):
    assert flag in [(kind, surface.replace("\u00a0", " ")) for kind, surface in kinds(claim)]


def test_a_claim_of_other_words_is_doubted_as_a_whole():
    found = kinds("Small penguins nest on frozen shores during southern winters.")
    assert [kind for kind, _ in found] == ["overlap"]


@pytest.mark.parametrize(
    "claim",
    [
        "The lighthouse of Cape Wrath was built in 1828.",
        "Robert Stevenson built the lighthouse.",
        "The CK-666 lamp may have been replaced in 1998.",
        "Its light reaches 22 nautical miles (41 km).",
        "In 1828 Robert Stevensen built the lighthouse at Cape Wrath.",
    ],
)
def test_another_spelling_or_a_conversion_is_no_doubt(claim):
    assert kinds(claim) == []


def test_a_digit_within_a_code_is_written_there():
    assert kinds("It was graded 2.", "It was graded CIN2 by two readers.") == []


def test_a_denial_that_a_sentence_of_the_same_words_has_in_some_form_is_no_doubt():
    assert (
        kinds("The tower is not open.", "The tower is closed and lacks a door; it opens never.")
        == []
    )


def test_of_another_language_only_figures_are_compared():
    german = "Der Leuchtturm wurde 1829 von Thomas Telford an der Küste gebaut und war nie offen."
    assert kinds(german, language="de") == [("number", "1829")]


def flagged(claim, text, start=0, end=None):
    row = evidence("a", text)
    made = Claim(claim, (Support("a", start, len(text) if end is None else end),))
    _, citations = number_citations(Draft((made,)), [row], page_of)
    return flags_of([made], {"a": citations[0]}, "en")


def test_a_flag_names_claim_citation_and_what_to_check():
    (flag,) = flagged("The tower has 12 steps.", "The tower has 14 steps.")
    assert (flag.claim, flag.citations) == ("The tower has 12 steps.", (1,))
    assert flag.message == "check the number 12: not in the cited text"


def test_a_sentence_that_is_quoted_has_no_flag_and_half_of_one_may():
    text = "Nobody says that the tower was never painted white by Anna Berg in those years."
    assert flagged(text, text) == ()
    assert flagged("Carl Roth painted the tower white.", text)


def test_headings_and_titles_bear_names_out():
    text = "It was founded here."
    assert flagged("A was founded here.", text) == ()


@given(st.text(max_size=60), st.text(max_size=120), st.sampled_from(["en", "de", "zh", "und"]))
def test_no_text_stops_the_rules(claim, cited, language):
    for flag in doubts(claim, cited, language):
        assert flag.surface
        assert flag.message
