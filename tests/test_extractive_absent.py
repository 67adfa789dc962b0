"""The writer that quotes refuses what its passages do not say, though they speak of the subject."""

from dataclasses import replace

import pytest

from local_rag.generate.attributes import attribute_of, marked_in
from local_rag.generate.extractive import ExtractiveWriter
from local_rag.generate.proper import has_name, words_in_small_letters
from local_rag.generate.values import has_colour, has_number, has_price
from local_rag.model.document import Chunk, Document
from local_rag.model.evidence import Evidence, Fused
from local_rag.retrieve.understand import understand
from local_rag.text.identifiers import are_listed, plain_names_of

VARIABLES = """# Nightly job

| Variable | Default | Meaning |
|---|---|---|
| `MIRROR_ROOT` | `/srv/mirror` | where the mirror is kept |
| `MIRROR_DEPTH` | `3` | how many levels are copied |
"""
OPTIONS = """# The mirror command

The `--force` option of the mirror command overwrites files that are newer.
The mirror command runs dry checks of the disk at night.
"""
PARTNERS = """# Partners

| Partner | Account number | City |
|---|---|---|
| Harbour Foods | HF-204 | Leith |
| Moor Dairy | MD-118 | Skipton |
"""
BOAT = "# Boat house\n\nThe keeper cleans the boat house. The members pay for the fuel."
COURSE = "# Kurs\n\nDer Kurs dauert drei Abende. Der Kurs hat 12 Plätze und beginnt um 18 Uhr."


def passage(number, text, language="en", title=None):
    key = f"{number:032x}"
    chunk = Chunk(key, key, 0, 1, 0, len(text), text, "1", ())
    document = Document(
        key, f"{number}.md", "text/markdown", "0" * 64, 1, 1, 1, title, "2026", language
    )
    return Evidence(chunk, document, Fused(key, 1 / (61 + number), number + 1, number + 1, 0.5, 5))


def written(question, *texts, language="en"):
    asked = replace(understand(question), language=language)
    rows = [passage(number, text, language) for number, text in enumerate(texts)]
    return ExtractiveWriter().write(asked, [rows] * len(asked.parts))


def answer(question, *texts, language="en"):
    return [claim.text for claim in written(question, *texts, language=language).claims]


# Names of a program's parts


@pytest.mark.parametrize(
    "question",
    [
        "What does MIRROR_TIMEOUT do?",
        "What is the default of MIRROR_TIMEOUT?",
        "What does `MIRROR_TIMEOUT` mean?",
    ],
)
def test_a_variable_that_stands_in_no_passage_is_not_answered_by_another(question):
    assert answer(question, VARIABLES) == []


def test_a_variable_that_stands_there_is_answered():
    assert answer("What does MIRROR_DEPTH do?", VARIABLES) == [
        "`MIRROR_DEPTH`: Default = `3`; Meaning = how many levels are copied"
    ]


def test_of_variables_named_in_a_row_those_that_stand_there_are_answered():
    draft = written("What do MIRROR_DEPTH and MIRROR_TIMEOUT do?", VARIABLES)

    assert [claim.text for claim in draft.claims] == [
        "`MIRROR_DEPTH`: Default = `3`; Meaning = how many levels are copied"
    ]
    assert draft.unsupported_parts == ("MIRROR_TIMEOUT",)


def test_an_option_is_not_met_by_its_words():
    assert answer("What does the --dry-run option of the mirror command do?", OPTIONS) == []


def test_an_option_that_stands_there_is_answered():
    assert answer("What does the --force option of the mirror command do?", OPTIONS) == [
        "The `--force` option of the mirror command overwrites files that are newer."
    ]


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("What does max_retries do?", ["max_retries"]),
        ("Is `retry` on?", ["retry"]),
        ("What does \u2013\u2013no-cache do?", ["--no-cache"]),
        ("When is read_all() called, when flush()?", ["read_all", "flush"]),
        ("Which header is X-REQUEST or ACCEPT-RANGES?", ["ACCEPT-RANGES"]),
        ("Is a step-by-step, well-known T-shirt up-to-date?", []),
        ("Write to some_one@example.org", []),
        ("What is 3 -- 4?", []),
    ],
)
def test_names_of_a_programs_parts_are_known_by_their_writing(question, names):
    assert [one.surface for one in plain_names_of(question)] == names


@pytest.mark.parametrize(
    ("name", "text", "is_in"),
    [
        ("MAX_RETRIES", "set max-retries", True),
        ("MAX_RETRIES", "maxRetries = 3", True),
        ("MAX_RETRIES", "MAX_RETRIES_LOW", False),
        ("MAX_RETRIES", "at most three retries", False),
        ("--dry-run", "with --dry-run=yes", True),
        ("--dry-run", "a dry run", False),
        ("--dry", "with --dry-run", False),
    ],
)
def test_a_text_speaks_of_a_name_that_it_has_whole(name, text, is_in):
    (found,) = plain_names_of(f"What is {name}?")

    assert found.is_in(text) is is_in


@pytest.mark.parametrize(
    ("question", "listed"),
    [
        ("What are A_B, C_D and the E_F?", True),
        ("What does --fast of run_all do?", False),
    ],
)
def test_names_in_a_row_are_asked_the_same(question, listed):
    assert are_listed(plain_names_of(question), question) is listed


# Another number or date than the one asked for


def test_a_column_of_another_number_is_no_answer():
    assert answer("What is the telephone number of Harbour Foods?", PARTNERS) == []
    assert answer("What is the licence number of Harbour Foods?", PARTNERS) == []


def test_the_column_that_is_asked_for_is_answered():
    assert answer("What is the account number of Harbour Foods?", PARTNERS) == [
        "Harbour Foods: Account number = HF-204"
    ]


@pytest.mark.parametrize(
    ("question", "text", "other"),
    [
        ("What is the serial number of the pump?", "The model number of the pump is 47.", True),
        ("What is the serial number of the pump?", "The serial number of the pump is 47.", False),
        ("What is the serial number of the pump?", "The number on the pump is 47.", False),
        ("What is the phone number of the shop?", "Telephone number: 47", False),
        ("What is the total number of pumps?", "The model number is 47.", False),
        ("What is the number of pumps?", "The model number is 47.", False),
        ("What do I need for my address?", "Bring the email address.", False),
        ("What is the late fee?", "Pump: Membership fee = 4", True),
        ("What is the late fee?", "Who is late pays a modest fee of 4 pounds.", False),
        ("What is the interest rate?", "An unchanged rate of 4 % holds.", False),
        ("Wie lautet die Kundennummer?", "Die Rechnungsnummer ist 47.", True),
        ("Wie lautet die Kundennummer?", "Die Kunden-Nummer ist 47.", False),
        ("Wie lautet die Rechnungsnummer?", "Die Rechnungsnummer ist 47.", False),
        ("Welche Nummer hat die Pumpe?", "Die Rechnungsnummer ist 47.", False),
    ],
)
def test_the_word_that_tells_a_number_from_others_is_met(question, text, other):
    marked = marked_in(question)

    assert (marked is not None and marked.has_rival_in(text)) is other


def test_where_another_number_is_nearest_no_other_sentence_stands_in_for_it():
    mower = "The serial number of the mower is SN-4471. The mower was bought in 2019."

    assert answer("What is the model number of the mower?", mower) == []
    assert answer("What is the serial number of the mower?", mower) == [
        "The serial number of the mower is SN-4471."
    ]


def test_a_number_to_call_is_told_by_its_looks_or_by_what_is_done_with_it():
    question = "What is the phone number of the harbour office?"

    assert answer(question, "The harbour office has the number HO-17.") == []
    assert answer(question, "The harbour office: 0131 496 0204.") == [
        "The harbour office: 0131 496 0204."
    ]
    assert answer(question, "To reach the harbour office, dial 17.") == [
        "To reach the harbour office, dial 17."
    ]


# Names


def test_a_company_that_is_asked_for_has_a_name():
    assert answer("Which company cleans the boat house?", BOAT) == []
    assert answer("Who cleans the boat house?", BOAT) == ["The keeper cleans the boat house."]


@pytest.mark.parametrize(
    "sentence",
    [
        "Tidewash cleans the boat house.",
        "The boat house is cleaned by Tidewash every week.",
        "A firm called tideWash cleans the boat house.",
    ],
)
def test_a_sentence_with_the_companys_name_is_quoted(sentence):
    assert answer("Which company cleans the boat house?", f"# Lease\n\n{sentence}") == [sentence]


def test_a_question_for_a_kind_of_company_needs_no_name():
    sentence = "Every company with ten members may rent the boat house."
    assert answer("Which company may rent the boat house?", sentence) == [sentence]


@pytest.mark.parametrize(
    ("question", "text", "named"),
    [
        ("Welche Marke hat die Säge?", "Die Säge stammt von Siemens.", True),
        ("Welche Marke hat die Säge?", "Die Säge hat einen Akku und wiegt 4 kg.", False),
        ("Welche Marke hat die Säge?", "Die Säge ist vom Typ DeWalt.", True),
        ("Welche Marke hat der Mäher?", "Die Nummer des Mähers ist SN-4471.", False),
        ("Welche Firma räumt den Hof?", "Der Mieter räumt den Hof.", False),
        ("Welche Firma räumt den Hof?", "Die Telekom räumt den Hof.", True),
        ("Welche Firma räumt den Hof?", "Den Hof räumt Grüne Wege im Winter.", True),
        ("Welche Bank führt das Konto?", "Das Konto führt eine Deutsche Bank.", True),
    ],
)
def test_a_german_noun_is_no_name(question, text, named):
    assert has_name(text, question, "de", frozenset()) is named


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("Scan the tag of the saw.", False),
        ("Packs are kept on Monday.", False),
        ("Cutting, the main use, wears the saw.", False),
        ("Makita made all saws.", True),
        ("All saws were made by Makita.", True),
        ("The saws were made in May.", False),
        ("The saw has the number SN-4471.", False),
    ],
)
def test_what_begins_a_sentence_is_a_name_only_if_nothing_speaks_against_it(text, named):
    small = words_in_small_letters(["Charge the pack."])
    assert has_name(text, "Which make of saw is it?", "en", small) is named


# Prices and colours


@pytest.mark.parametrize(
    "question",
    ["Was kostet der Kurs?", "Wie viel kostet der Kurs im Jahr?", "Wie teuer ist der Kurs?"],
)
def test_a_price_is_not_answered_by_another_number(question):
    assert answer(question, COURSE, language="de") == []


@pytest.mark.parametrize(
    "sentence",
    [
        "Der Kurs kostet 25 Euro.",
        "Der Kurs ist für Mitglieder kostenlos.",
        "Die Gebühr für den Kurs beträgt fünf Prozent.",
    ],
)
def test_a_price_is_answered_by_the_sentence_that_has_one(sentence):
    assert answer("Was kostet der Kurs?", f"{COURSE} {sentence}", language="de") == [sentence]


def test_the_price_of_another_thing_is_no_answer():
    text = f"{COURSE}\n\nFür Gäste gibt es Kaffee. Ein Kaffee kostet 2 Euro."
    assert answer("Was kostet der Kurs?", text, language="de") == []


def test_a_table_gives_the_price_by_the_name_of_its_column():
    table = "| Tool | Price a day | Weight |\n|---|---|---|\n| Saw | 6 | 4 |\n| Drill | 5 | 3 |\n"
    assert answer("What does the saw cost?", table) == ["Saw: Price a day = 6"]


@pytest.mark.parametrize(
    ("text", "priced"),
    [
        ("It costs 5 pounds.", True),
        ("It is lent free of charge.", True),
        ("Parking is included in the rent.", True),
        ("Saw; 6.50; 60", True),
        ("It takes 5 hours.", False),
        ("The yard must be free by 5.", False),
        ("A charger is included.", False),
        ("The price is on the label.", False),
        ("Danach muss der Platz nach 15 Minuten frei sein.", False),
    ],
)
def test_a_price_is_money_or_a_number_with_a_word_for_it(text, priced):
    assert has_price(text) is priced


def test_a_colour_that_no_sentence_says_of_the_thing_is_refused():
    text = "Compare the case with the tool list. Every tool list has two pages."
    assert answer("What colour is the tool list?", text) == []
    assert answer("What colour is the tool list?", f"{text} The tool list is pale green.") == [
        "The tool list is pale green."
    ]


@pytest.mark.parametrize(
    ("text", "coloured"),
    [
        ("Der Koffer ist dunkelgrün.", True),
        ("Colour: anthracite", True),
        ("Die Farbe der Wand ist Anthrazit.", True),
        ("Der Koffer ist groß.", False),
        ("The colour must not run.", False),
        ("It was reduced.", False),
    ],
)
def test_a_colour_is_known_by_its_word_or_by_being_called_one(text, coloured):
    assert has_colour(text) is coloured


@pytest.mark.parametrize(
    ("text", "numbered"),
    [
        ("Der Kurs hat 12 Plätze.", True),
        ("Der Kurs hat zweiundzwanzig Plätze.", True),
        ("Der Kurs hat Hunderte von Plätzen.", True),
        ("Der Kurs hat noch einen Platz.", True),
        ("Der Kurs hat keine Plätze.", True),
        ("Der Kurs hat das Zehnfache an Plätzen.", True),
        ("Die Plätze sind in der Nacht unter Wasser.", False),
        ("Die Helfer und die Gäste haben Plätze.", False),
    ],
)
def test_a_german_text_says_how_many_in_digits_or_in_words(text, numbered):
    assert has_number(text) is numbered


def test_how_many_there_are_is_not_answered_by_where_they_are():
    text = "Die Plätze des Kurses liegen am Fenster. Der Kurs ist für Anfänger."
    counted = f"{text} Der Kurs hat zwanzig Plätze."

    assert answer("Wie viele Plätze hat der Kurs?", text, language="de") == []
    found = answer("Wie viele Plätze hat der Kurs?", counted, language="de")
    assert found[0] == "Der Kurs hat zwanzig Plätze."


@pytest.mark.parametrize(
    "question",
    [
        "Combien coûte le cours ?",
        "¿Cuánto cuesta el curso?",
        "Quanto costa il corso?",
        "How much does the course cost?",
        "What is the price of the course?",
        "Wie hoch ist die Kursgebühr?",
    ],
)
def test_a_price_is_asked_for_in_several_languages(question):
    asked = attribute_of(question, "und", [])

    assert asked is not None
    assert asked.is_in is has_price


@pytest.mark.parametrize(
    "question",
    [
        "What makes the pump stop?",
        "What happens in the boat house?",
        "Welche Versicherung brauche ich?",
    ],
)
def test_most_questions_ask_for_nothing_of_the_kind(question):
    assert attribute_of(question, "en", []) is None
