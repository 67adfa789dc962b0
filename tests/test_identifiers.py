"""Codes are told apart by their characters, whatever joins their parts."""

from __future__ import annotations

import pytest

from local_rag.text.identifiers import identifiers_of, numbered_of


@pytest.mark.parametrize(
    ("question", "codes"),
    [
        ("What is the amount due of INV-2054?", ["INV-2054"]),
        ("Compare XK999B with tok1777x.", ["XK999B", "tok1777x"]),
        ("Who signed order 4821377?", ["4821377"]),
        ("What does ERR_CONN_42 mean, and what err_conn_42?", ["ERR_CONN_42"]),
        ("What changed in 1706.03762v5?", ["1706.03762v5"]),
        ("Is GPT-4 better?", ["GPT-4"]),
        ("Was ist mit Rechnung RE2024-0012?", ["RE2024-0012"]),
        ("What is the total of INV 2101?", ["INV 2101"]),
        ("What is the total of INV#2101?", ["INV#2101"]),
        ("How many seats has a Boeing 777-300?", ["777-300"]),
        ("Was steht im Aktenzeichen 5 C 125/21?", ["125/21"]),
        ("And E05?", ["E05"]),
        ("What is error code F12?", ["F12"]),
        ("What does H2 mean?", ["H2"]),
        ("Was bedeutet E7?", ["E7"]),
        ("Was tun bei Fehler E7?", ["E7"]),
    ],
)
def test_a_code_is_found(question, codes):
    assert [found.surface for found in identifiers_of(question)] == codes


@pytest.mark.parametrize(
    "question",
    [
        "What happened in 1873?",
        "How many of the 12 weigh 10kg or 3.5 GB?",
        "Who was the 20th president in the 1980s?",
        "What does section 4.2 on page 17 say?",
        "Is A4 larger than A5 in Q3?",
        "How much H2 do 5G and M0 need?",
        "What is on web2.example.org?",
        "What is self-attention?",
        "BLEU score 28.4 of the big model",
        "What did WMT 2014 bring, and Windows 11?",
        "Is 10-20 too much, or 1/2?",
        "Who ran the 24-yard line in 2001-02, or in 1914-1945?",
        "Wie lang war die 2-Yard-Linie in den 1970er-Jahren?",
    ],
)
def test_what_many_answers_do_not_repeat_is_no_code(question):
    assert identifiers_of(question) == ()


@pytest.mark.parametrize(
    "text", ["see INV-2054.", "inv 2054", "(INV2054)", "INV_2054,", "INV-2054"]
)
def test_a_code_is_recognised_however_its_parts_are_joined(text):
    (code,) = identifiers_of("INV-2054")
    assert code.is_in(text)
    assert code.last_in(text) is True


@pytest.mark.parametrize("text", ["INV-20541", "XINV-2054", "INV-2054-1", "INV-2054.7", "INV-2045"])
def test_a_code_is_not_a_part_of_another(text):
    (code,) = identifiers_of("INV-2054")
    assert not code.is_in(text)


@pytest.mark.parametrize(
    ("text", "last"),
    [
        ("Invoice INV-2055 is paid.", False),
        ("Invoice INV-77 is paid.", False),
        ("Part ABC-1234 is heavy.", False),
        ("INV-2054 replaces INV-2053.", False),
        ("INV-2053 was replaced by INV 2054.", True),
        ("It totals 99 euros in 2024.", None),
        ("Error E-7 was logged.", None),
    ],
)
def test_the_last_code_of_the_same_make_is_told(text, last):
    (code,) = identifiers_of("INV-2054")
    assert code.last_in(text) is last


@pytest.mark.parametrize("question", ["INV\u20112054", "INV\u20132054", "INV#2054", "inv_2054"])
def test_however_a_question_joins_it_the_code_is_the_same(question):
    (code,) = identifiers_of(f"total of {question}?")
    assert code.is_in("Invoice INV-2054 is paid.")
    assert not code.is_in("Invoice INV-2182 is paid.")


@pytest.mark.parametrize(
    ("question", "text", "rival"),
    [
        ("What was the revenue in 2023?", "Revenue in 2022 was 5 million.", True),
        ("What was the revenue in 2023?", "Revenue was 5 million.", False),
        ("What was the revenue in 2023?", "In 2022 it was 5, in 2023 6 million.", False),
        ("Who was president in 1995?", "From 1993 to 2001 it was Clinton.", False),
        ("Who was president in 1995?", "From 1997 to 2001 it was another.", True),
        ("What happened after 1995?", "In 1997 the bridge was built.", False),
        ("How much memory does Windows 7 need?", "Windows 11 needs 4 GB.", True),
        ("How much memory does Windows 7 need?", "Windows 7 and Windows 11 need 4 GB.", False),
        ("How much memory does Windows 7 need?", "It needs 1 GB.", False),
        ("What does Article 12 say?", "Article 13 says nothing.", True),
    ],
)
def test_a_year_or_a_numbered_name_has_rivals(question, text, rival):
    assert any(one.has_rival_in(text) for one in numbered_of(question)) is rival
