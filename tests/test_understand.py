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


@pytest.mark.parametrize(
    ("question", "pieces"),
    [
        ("What is the difference between A1 and B2?", 1),
        ("Tell me about rock and roll.", 1),
        ("What do the terms and conditions say?", 1),
        ("Where and when was the treaty signed?", 1),
        ("Which river and which lake are in the park?", 1),
        ("How many men and how much bread were lost in 1812?", 1),
        ('Where does it say "who pays and who signs"?', 1),
        ('Who said "Why me? Because of rain." in court?', 1),
        ('Who wrote "1. What is rain? 2. What is snow?" on the wall?', 1),
        ("Version 2. What changed?", 1),
        ("Is https://a.example/b?Name=1 reachable?", 1),
        ("Compare the warranty of the pump and the warranty of the hose", 1),
        ("What is the rent?What is the deposit?", ["What is the rent?", "What is the deposit?"]),
        ("1. Who pays? 2. Who signs?", ["Who pays?", "Who signs?"]),
        ("What does (a) mean and what does (b) mean?",
         ["What does (a) mean", "what does (b) mean?"]),
        ("What is the price; the term; the notice period?",
         ["What is the price", "the term", "the notice period?"]),
        ("Who signs the lease? When? Who pays?", ["Who signs the lease? When?", "Who pays?"]),
        ("When? Who signs the lease?", 1),
        ("Was kostet das Tor, und wie lange dauert der Bau?",
         ["Was kostet das Tor", "wie lange dauert der Bau?"]),
        ("Quel est le prix et comment payer le loyer ?",
         ["Quel est le prix", "comment payer le loyer ?"]),
        ("Hoe hoog is de huur en wanneer wordt die betaald?",
         ["Hoe hoog is de huur", "wanneer wordt die betaald?"]),
        ("Сколько стоит билет и кто платит?", ["Сколько стоит билет", "кто платит?"]),
        ("ما هو السعر ومتى ينتهي العقد؟", ["ما هو السعر", "متى ينتهي العقد؟"]),
        ("价格是多少；期限是多久？", ["价格是多少", "期限是多久？"]),
        ("家賃はいくらですか。契約期間はいつまでですか。",
         ["家賃はいくらですか。", "契約期間はいつまでですか。"]),
    ],
)  # fmt: skip
def test_what_only_looks_like_two_questions_is_one_and_two_are_two(question, pieces):
    parts = [part.text for part in understand(question).parts]
    assert parts == pieces if pieces != 1 else len(parts) == 1


@pytest.mark.parametrize(
    ("question", "leans"),
    [
        ("Who is the father? What is the name of his house?", True),
        ("What is the fee? Does that apply to old houses?", True),
        ("What is the fee? Which rule that the town made protects old houses?", False),
        ("Welche Fristen gelten? Welche Ausnahmen zum Denkmalschutz gibt es?", False),
        ("Was ist der Turm? Wann wurde er weiss gestrichen?", True),
        ("Was kostet das Tor? Wann müssen Sie die Rechnung bezahlen?", False),
        ("¿Quién firma el contrato? ¿Cuáles son los plazos de entrega?", False),
        ("Qui paie le loyer ? Est-ce que la cave appartient au locataire ?", False),
        ("Où est le phare ? Quand a-t-elle fermé la porte ?", True),
    ],
)
def test_a_part_leans_on_the_first_by_the_pronouns_of_its_own_language(question, leans):
    first, second = understand(question).parts
    assert second.context == (first.text if leans else "")


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
        "Could you give me the names of all the guests?",
        "Wer sind alle Lieferanten?",
        "Was ist alles enthalten?",
        "Quelles exceptions existent ?",
        "What evidence is there for it?",
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
        "List price of the pump?",
        "All-wheel drive: who sells it?",
        "All in all, what is the verdict?",
        "What is the name of the hotel that all guests like?",
        "Tell me, after all, who pays?",
        "Find out whether every guest has paid",
        "Every 5 years what happens?",
        "At what temperature is there a risk of ice?",
        "What time is there a bus?",
        "Was passierte vor allem 2020?",
        "Wer hat alle Rechte?",
        "Alle wie viele Jahre ist die Prüfung?",
        "¿En qué ciudad hay un faro?",
        "Quels sont les délais dans tous les cas ?",
        "房屋所有权归谁？",
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
        ("Vem skrev ”Plåtbåten”?", ("Plåtbåten",)),
        ("Who wrote ＂The Tin Boat＂?", ("The Tin Boat",)),
        ('Who said “it’s "fine" today”?', ('it’s "fine" today',)),
        ('Who wrote "The Tin', ()),
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


def test_a_part_that_its_own_question_points_to_stands_by_itself():
    asked = understand(
        "Who is the secretary and what is their phone number?", "How much is the rent?"
    )
    assert [part.context for part in asked.parts] == ["", "Who is the secretary"]


@pytest.mark.parametrize(
    ("question", "context"),
    [
        ("How many plots are there and what does one cost?", "How many plots are there"),
        ("How many plots are there and how does one apply?", ""),
    ],
)
def test_one_of_what_was_named_before_points_to_it(question, context):
    assert understand(question).parts[-1].context == context
