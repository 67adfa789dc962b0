"""The writer that quotes, asked in other words: columns, commands, steps, what is announced."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from test_extractive import answer, passages, write

from local_rag.generate.extractive import ExtractiveWriter

STOCK = """| Article | Pack of | Price a pack | In stock |
|---|---|---|---|
| Paint brush, 40 mm | 12 | 9.80 | 27 |
| Paint brush, 60 mm | 12 | 11.40 | 3 |
"""
LOANS = """| Item | Machine | A day | Deposit |
|---|---|---|---|
| 501 | Tile cutter | 8.00 | 70 |
| 502 | Floor polisher | 9.00 | 40 |
"""
LOANS_GO_ON = """| Item | Machine | A day | Deposit |
|---|---|---|---|
| 640 | Log splitter, petrol | 25.00 | 70 |
| 641 | Ladder | 3.00 | 20 |
"""
RULES = "Machines with a petrol motor cannot be renewed. The desk closes at six."
RESTART = """# Server

| Code | Meaning |
|---|---|
| 4 | restart the mail server, see below |

## Restarting the mail server

Tell the others first. Then:

```bash
# as root
mailctl stop
mailctl start --clean
```
"""
RISKS = (
    "The trial ran for a year. Three risks remain. The pump may freeze. Spare parts are scarce. "
    "Nobody is trained for it. The next report is due in May."
)
WASHING = """## Steps when a van is washed

1. Close all windows.
2. Rinse the roof.
3. Dry the mirrors.
"""


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("How many packs of the 40 mm paint brush are left?", "Paint brush, 40 mm: In stock = 27"),
        ("What does the 60 mm paint brush cost?", "Paint brush, 60 mm: Price a pack = 11.40"),
        (
            "How many packs of the 60 mm paint brush were stolen?",
            "Paint brush, 60 mm: Pack of = 12; Price a pack = 11.40; In stock = 3",
        ),
    ],
)  # fmt: skip
def test_a_column_is_shown_alone_only_where_it_is_known_to_be_asked_for(question, expected):
    assert answer(question, STOCK)[:1] == [expected]


def test_a_row_that_a_number_names_is_told_with_its_name_and_in_the_order_of_the_table():
    assert answer("Which machines cost 70 deposit?", LOANS) == [
        "501: Machine = Tile cutter; Deposit = 70"
    ]


def test_rows_of_all_passages_of_one_table_are_told():
    first, second = passages(LOANS, LOANS_GO_ON)
    chunk = replace(
        second.chunk, document_id=first.chunk.document_id, start=900, end=900 + len(LOANS_GO_ON)
    )
    found = write(
        "Which machines have a deposit of 70?",
        "en",
        [replace(second, chunk=chunk, document=first.document), first],
    )
    assert [claim.text.partition(":")[0] for claim in found.claims] == ["501", "640"]


def test_a_row_does_not_tell_whether_something_may_be_done():
    assert answer("Can the loan of a petrol log splitter be renewed?", LOANS_GO_ON, RULES)[0] == (
        "Machines with a petrol motor cannot be renewed."
    )
    assert answer("Can the loan of a log splitter be renewed?", LOANS_GO_ON) == []


def test_which_of_two_rows_is_cheaper_is_told_by_the_rows():
    found = answer("Is the tile cutter or the floor polisher cheaper for a day?", LOANS)
    assert any("Tile cutter" in claim or "Floor polisher" in claim for claim in found)


def test_commands_are_told_one_by_one_and_each_is_cited_where_it_stands():
    rows = passages(RESTART)
    draft = write("Which commands restart the mail server?", "en", rows)
    assert (draft.style, [claim.text for claim in draft.claims]) == (
        "steps",
        ["`mailctl stop`", "`mailctl start --clean`"],
    )
    assert [RESTART[s.start : s.end] for c in draft.claims for s in c.supports] == [
        "mailctl stop",
        "mailctl start --clean",
    ]


def test_code_of_something_else_is_no_answer():
    assert "`mailctl stop`" not in answer("Which commands delete the old invoices?", RESTART)


def test_a_sentence_that_announces_others_brings_as_many_as_it_counts():
    assert answer("Which risks does the trial name?", RISKS) == [
        "Three risks remain.",
        "The pump may freeze.",
        "Spare parts are scarce.",
        "Nobody is trained for it.",
    ]


def test_a_count_that_is_asked_for_is_told_alone():
    assert "The pump may freeze." not in answer("How many risks remain?", RISKS)


def test_a_number_before_what_is_counted_goes_before_another_number():
    text = "A guest may borrow books worth up to 80 pounds. A guest may borrow six books."
    assert answer("How many books may a guest borrow?", text)[0] == "A guest may borrow six books."


def embed(texts):
    return np.eye(len(texts), dtype=np.float32)


@pytest.mark.parametrize(("cosine", "found"), [(0.5, True), (0.3, False)])
def test_steps_asked_for_in_other_words_are_those_of_the_nearest_section(cosine, found):
    rows = [
        replace(row, fused=row.fused._replace(cosine=cosine - number / 10))
        for number, row in enumerate(passages(WASHING, "The van has six seats."))
    ]
    question = "The van is dirty, how do I get it clean, step by step?"
    draft = write(question, "en", rows, ExtractiveWriter(embed))
    texts = [claim.text for claim in draft.claims]
    assert (texts[:1] == ["Close all windows."]) == found
    assert len(texts) == 3 or not found


def test_a_word_that_only_stresses_a_question_says_nothing_of_it():
    text = "First class is paid only where it is cheaper. The office is open on Monday."
    assert answer("Can I ever travel first class?", text) == [
        "First class is paid only where it is cheaper."
    ]
