"""What a question asks: parts, quoted phrases, requests for everything, follow-ups."""

import pytest

from local_rag.model.question import Part
from local_rag.retrieve.understand import split, understand
from local_rag.text.phrases import holds, phrases_of


@pytest.mark.parametrize(
    ("question", "parts"),
    [
        ("What are salt and pepper?", [Part("What are salt and pepper?")]),
        ("How and why does it work?", [Part("How and why does it work?")]),
        (
            "What is a pump, and how does it work?",
            [Part("What is a pump"), Part("how does it work?", "What is a pump")],
        ),
        (
            "1) Who built it? 2) When did Basel burn?",
            [Part("Who built it?"), Part("When did Basel burn?")],
        ),
        (
            "Why do pumps of this make (a) leak so often, (b) rattle at night?",
            [Part("Why do pumps of this make (a) leak so often, (b) rattle at night?")],
        ),
        (
            "Was kostet das Tor und wer baut Zäune?",
            [Part("Was kostet das Tor"), Part("wer baut Zäune?")],
        ),
        (
            "Who sang there; when did Rome fall?",
            [Part("Who sang there"), Part("when did Rome fall?")],
        ),
    ],
)  # fmt: skip
def test_a_question_is_split_only_where_it_asks_twice(question, parts):
    language = "de" if question.startswith("Was") else "en"
    assert split(question, language) == parts
    assert [part.text for part in understand(question).parts] == [part.text for part in parts]


def test_a_question_has_at_most_three_parts():
    question = "Who sang? Who danced? Who cooked? Who slept?"
    assert [part.text for part in split(question, "en")] == [
        "Who sang?", "Who danced?", "Who cooked? Who slept?",
    ]  # fmt: skip


@pytest.mark.parametrize(
    "question",
    [
        "List all the requirements.",
        "What are all the deadlines?",
        "Which exceptions are there to the rule?",
        "Name every supplier",
        "Nenne alle Fristen.",
        "Welche Ausnahmen gibt es?",
        "Quels sont tous les délais ?",
        "Enumera los requisitos",
        "¿Qué excepciones hay?",
        "列出所有供应商",
        "有哪些例外？",
    ],
)
def test_a_request_for_everything_of_a_kind_is_marked(question):
    assert [part.exhaustive for part in understand(question).parts] == [True]


@pytest.mark.parametrize(
    "question",
    [
        "When was the list printed?",
        "Was the contract signed after all?",
        "What is the price list of 2024?",
        "Ist alles fertig?",
        "What happened to the pump?",
        "Who is allowed to enter?",
    ],
)
def test_a_question_for_one_fact_is_not(question):
    assert [part.exhaustive for part in understand(question).parts] == [False]


@pytest.mark.parametrize(
    ("question", "phrases"),
    [
        ('Who wrote "The Tin Boat"?', ("The Tin Boat",)),
        ("Wo steht „nach Ablauf der Frist“?", ("nach Ablauf der Frist",)),
        ("Où lit-on « sans délai » ?", ("sans délai",)),
        ("“one” or “two,”?", ("one", "two")),
        ("哪里写着「不可抗力」？", ("不可抗力",)),
        ("The dog's and the cats' bowls?", ()),
        ('A 24" screen and a 27" screen?', ()),
        ('What does "?" mean?', ()),
        ('Is "" allowed?', ()),
    ],
)
def test_what_stands_in_quotation_marks_is_a_phrase(question, phrases):
    assert phrases_of(question) == phrases


@pytest.mark.parametrize(
    ("text", "phrase", "held"),
    [
        ("It sails on\nthe  Tin\u2011Boat today.", "the tin-boat", True),
        ("a concatenation", "cat", False),
        ("the category", "cat", False),
        ("the cat.", "cat", True),
        ("属于不可抗力情形", "不可抗力", True),
        ("the boat of tin", "tin boat", False),
    ],
)
def test_a_phrase_is_held_word_for_word(text, phrase, held):
    assert holds(text, phrase) is held


@pytest.mark.parametrize(
    ("question", "previous", "context"),
    [
        ("and in 2021?", "What was the revenue in 2020?", "What was the revenue in 2020?"),
        ("How heavy is it?", "What is the HP-200?", "What is the HP-200?"),
        ("Und wer baut sie?", "Wann kam die Brücke?", "Wann kam die Brücke?"),
        ("When did Basel burn?", "What is the HP-200?", ""),
        ("and in 2021?", "", ""),
    ],
)  # fmt: skip
def test_a_follow_up_is_searched_together_with_what_it_points_back_to(question, previous, context):
    part = understand(question, previous).parts[0]
    assert part.context == context
    assert part.search_text == f"{context} {question}".strip()


def test_a_follow_up_too_short_to_tell_is_in_the_language_before():
    assert understand("2021?", "Wie hoch war der Umsatz im Jahr 2020?").language == "de"
