"""The writer that quotes, on tables: the right rows, told with the names of their columns."""

from __future__ import annotations

from dataclasses import replace

import pytest
from test_extractive import passage, passages, write

from local_rag.generate.tables import cells_of
from local_rag.model.answer import Support

STAGES = """Survival by stage.

| Stage | Survival | Patients |
| --- | --- | --- |
| FIGO I | 90% | 120 |
| FIGO II | 66% | 80 |
| FIGO III | 40% | 33 |
"""
PLANS = """| Plan | Price | Storage |
| --- | --- | --- |
| Basic | 10 euros | 5 GB |
| Student | 10 euros | 20 GB |
| Pro | 30 euros | 100 GB |
"""
YEARS = """| Year | Revenue | Profit |
|---|---|---|
| 2022 | 5 million | 1 million |
| 2023 | 7 million | 2 million |
"""
BOARD = """| # | Name | Role |
|---|---|---|
| 1 | Ann Lee | Chair |
| 2 | Bo Kim | Clerk |
"""
SCORES = """| | BLEU | | Training cost |
| Model | | | |
| | EN-DE | EN-FR | FLOPs |
| --- | --- | --- | --- |
| ByteNet [18] | 23.75 | | 1.0 |
| Transformer (base model) | 27.3 | 38.1 | 3.3 |
| Transformer (big) | 28.4 | 41.8 | 2.3 |
"""


def claims(question, *texts):
    return [claim.text for claim in write(question, "en", passages(*texts)).claims]


@pytest.mark.parametrize(
    ("question", "text", "expected"),
    [
        ("What is the survival for FIGO II?", STAGES, ["FIGO II: Survival = 66%"]),
        ("How many patients had FIGO III?", STAGES, ["FIGO III: Patients = 33"]),
        ("What is the survival for FIGO IV?", STAGES, []),
        ("How much storage does the Pro plan have?", PLANS, ["Pro: Storage = 100 GB"]),
        (
            "Which plans cost 10 euros?",
            PLANS,
            [
                "Basic: Price = 10 euros; Storage = 5 GB",
                "Student: Price = 10 euros; Storage = 20 GB",
            ],
        ),
        (
            "What is the BLEU of Transformer (big) for EN-FR?",
            SCORES,
            ["Transformer (big): BLEU EN-FR = 41.8"],
        ),
        ("What was the revenue of 2023?", YEARS, ["2023: Revenue = 7 million"]),
        ("What was the revenue of 2024?", YEARS, []),
        ("What is the role of Bo Kim?", BOARD, ["Bo Kim: Role = Clerk"]),
        ("What is the BLEU EN-DE of ByteNet?", SCORES, ["ByteNet: BLEU EN-DE = 23.75"]),
    ],
)
def test_the_row_asked_for_is_told_with_its_columns(question, text, expected):
    assert claims(question, text) == expected


def test_a_row_is_cited_where_it_stands():
    evidence = passages(STAGES)
    line = "| FIGO II | 66% | 80 |"
    start = STAGES.index(line)
    (claim,) = write("What is the survival for FIGO II?", "en", evidence).claims
    assert claim.supports == (Support(evidence[0].chunk.chunk_id, start, start + len(line)),)


def test_a_part_of_a_table_is_told_with_the_header_that_leads_it():
    body = STAGES[STAGES.index("| FIGO I ") :]
    row = passage(0, body)
    row = replace(
        row, chunk=replace(row.chunk, lead="| Stage | Survival | Patients |\n|---|---|---|")
    )
    draft = write("What is the survival for FIGO III?", "en", [row])
    assert [claim.text for claim in draft.claims] == ["FIGO III: Survival = 40%"]


def test_a_sentence_that_says_it_is_preferred_to_a_row_that_does_not():
    text = f"The Pro plan was introduced in 2019 by the sales team.\n\n{PLANS}"
    assert claims("When was the Pro plan introduced?", text)[0] == (
        "The Pro plan was introduced in 2019 by the sales team."
    )


def test_a_row_that_is_quoted_as_a_sentence_has_its_columns_too():
    text = "| 票种 | 价格 |\n|---|---|\n| 成人票 | 12元 |\n| 儿童票 | 6元 |"
    draft = write("儿童票多少钱？", "zh", passages(text, language="zh"))
    assert [claim.text for claim in draft.claims] == ["儿童票: 价格 = 6元"]


def test_cells_keep_escaped_bars_and_lose_line_breaks():
    assert cells_of(r"| a \| b | **c**<br>d | |") == ("a | b", "c d", "")


GOODS = """# Products

| Product | Price | Stock |
| --- | --- | --- |
| Lamp | 49.90 € | 12 |
| Desk | 1,299.00 € | 3 |
| Chair | 219.00 € | 8 |
"""
CITIES = """| Stadt | Land | Einwohner |
| --- | --- | --- |
| Graz | Österreich | 302.749 |
| Bern | Schweiz | 137.980 |
| Kiel | Deutschland | 252.668 |
| Köln | Deutschland | 1.087.353 |
"""


@pytest.mark.parametrize(
    ("question", "language", "text", "expected"),
    [
        ("Which product is the most expensive?", "en", GOODS, ["Desk: Price = 1,299.00 €"]),
        ("What is the cheapest product?", "en", GOODS, ["Lamp: Price = 49.90 €"]),
        ("Which product has the largest stock?", "en", GOODS, ["Lamp: Stock = 12"]),
        ("Which product is the most important?", "en", GOODS, []),
        ("Which product is the largest?", "en", GOODS, []),
        ("Which product is the newest?", "en", GOODS, []),
        ("Welche Stadt hat die meisten Einwohner?", "de", CITIES, ["Köln: Einwohner = 1.087.353"]),
        ("Welche Stadt hat die wenigsten Einwohner?", "de", CITIES, ["Bern: Einwohner = 137.980"]),
    ],
)
def test_a_superlative_gets_the_row_with_that_value_or_none(question, language, text, expected):
    draft = write(question, language, passages(text, language=language))
    assert [claim.text for claim in draft.claims] == expected


def test_rows_are_compared_over_all_the_passages_of_a_table():
    lead = "| Product | Price |\n|---|---|"
    texts = ["| Lamp | 5 € |\n| Desk | 70 € |", "| Bed | 300 € |\n| Rug | 40 € |"]
    rows = [passage(n, text, document=4, start=100 * n) for n, text in enumerate(texts)]
    rows = [replace(row, chunk=replace(row.chunk, lead=lead)) for row in rows]
    draft = write("Which product is the most expensive?", "en", rows)
    assert [claim.text for claim in draft.claims] == ["Bed: Price = 300 €"]
    assert draft.notes == ("Compared 4 rows of the table.",)


def test_a_sentence_that_states_the_superlative_is_preferred():
    text = f"The most expensive product is the desk from Oslo.\n\n{GOODS}"
    assert claims("Which product is the most expensive?", text) == [
        "The most expensive product is the desk from Oslo."
    ]


def test_the_names_of_columns_are_no_answer():
    for question in (
        "What is in the stock?",
        "How are products kept in stock?",
        "What is a price?",
    ):
        assert all("Product" not in text for text in claims(question, GOODS))


def test_no_rule_of_a_table_is_shown():
    text = "The pumps are listed here: | Item | Amount |\n| --- | --- |\n| Pumps | 4 |"
    for question in (
        "List all pumps.",
        "How many pumps are listed?",
        "What is the amount of pumps?",
    ):
        shown = " ".join(claims(question, text))
        assert shown
        assert "---" not in shown
        assert not shown.startswith("|")


FAULTS = """## Faults

E01: The pump runs dry. Fill the housing with water.

E05: The pressure sensor is defective. Call the service.
"""
HOSES = """| Article | Code | Price |
| --- | --- | --- |
| Hose Duro | HD-05 | 17.40 |
| Hose Lento | HD-07 | 29.80 |
"""


def test_a_short_code_is_not_the_number_within_another_code():
    assert claims("What does E05 mean?", HOSES, FAULTS) == [
        "E05: The pressure sensor is defective."
    ]


@pytest.mark.parametrize("question", ["What does E07 mean?", "And E03?", "What is error E3?"])
def test_a_short_code_that_stands_nowhere_is_refused(question):
    assert claims(question, HOSES, FAULTS) == []


RATES = """Rates are in euros.

| Service | 2024 | 2025 |
|---|---|---|
| Installation of a pump | 140 | 155 |
| Annual inspection | 95 | 99 |
"""


def test_a_year_that_no_column_has_is_refused():
    assert claims("What is the annual inspection cost in 2025?", RATES) == [
        "Annual inspection: 2025 = 99"
    ]
    assert claims("What is the annual inspection cost in 2026?", RATES) == []
    assert claims("annual inspection in 2026?", RATES) == []


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("Which service is the most expensive in 2024?", ["Installation of a pump: 2024 = 140"]),
        ("Which service is the cheapest in 2025?", ["Annual inspection: 2025 = 99"]),
        ("Which service is the most expensive in 2026?", []),
        ("Which service is the most expensive?", []),
    ],
)
def test_a_table_of_prices_is_compared_by_the_column_that_is_named(question, expected):
    assert claims(question, RATES) == expected
    visits = RATES.replace("Rates are in euros.", "Visits of each kind.")
    assert claims(question, visits) == []


STOCK = """| Article | Price | Stock |
| --- | --- | --- |
| Pump Alba | 189.00 | 14 |
| Hose Duro | 17.40 | 0 |
| Hose Lento | 29.80 | 45 |
| Filter Corso | 24.90 | 0 |
"""


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("Which articles are out of stock?", ["Hose Duro: Stock = 0", "Filter Corso: Stock = 0"]),
        ("Which filter articles are out of stock?", ["Filter Corso: Stock = 0"]),
    ],
)
def test_of_what_there_is_none_the_column_has_a_nought(question, expected):
    assert claims(question, STOCK) == expected
    full = STOCK.replace("| 0 |", "| 3 |")
    assert not any("Stock = 3" in claim for claim in claims(question, full))
