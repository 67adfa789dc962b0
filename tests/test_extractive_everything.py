"""The writer that quotes, asked for everything of a kind."""

from __future__ import annotations

import pytest
from test_extractive import answer, passage, passages, write

from local_rag.generate.everything import MOST_ITEMS

NEEDS = """# Requirements

The system must meet these requirements:

- runs offline
- needs no GPU

## Form

The form has the fields: name, date of birth and city.
"""
MORE = "# Further requirements\n\nThe disk must have 20 GB. Backups are kept for 30 days."
TABLE = """## Rooms

| Room | Seats |
| --- | --- |
| Blue | 12 |
| Green | 20 |
"""


def claims(question, *texts):
    return [claim.text for claim in write(question, "en", passages(*texts)).claims]


def test_a_list_and_the_sentences_of_another_section_come_together():
    assert claims("List all the requirements.", NEEDS, "Lunch is at noon.", MORE) == [
        "runs offline",
        "needs no GPU",
        "The disk must have 20 GB.",
        "Backups are kept for 30 days.",
    ]


def test_it_is_said_how_far_the_search_reached():
    draft = write("List all the requirements.", "en", passages(NEEDS, "Lunch is at noon.", MORE))
    assert draft.style == "bullets"
    assert draft.notes == (
        (
            "Only the 3 passages that fit best were read, from 3 documents. "
            "Other passages may hold more."
        ),
    )


def test_one_fact_has_no_note():
    assert write("When is lunch?", "en", passages("Lunch is at noon.")).notes == ()


def test_items_named_in_a_sentence_are_split_and_cited_where_they_stand():
    evidence = passages(NEEDS)
    draft = write("List all fields of the form.", "en", evidence)
    assert [claim.text for claim in draft.claims] == ["name", "date of birth", "city"]
    for claim in draft.claims:
        (support,) = claim.supports
        assert NEEDS[support.start : support.end] == claim.text


def test_all_rows_of_a_table_are_told():
    assert claims("List all rooms.", TABLE, "Lunch is at noon.") == [
        "Blue: Seats = 12",
        "Green: Seats = 20",
    ]


def test_passages_of_a_document_come_in_its_order():
    first, second = (
        "# Fees\n\n- entry 5 euros\n- locker 1 euro",
        "# Fees\n\n- towel 3 euros\n- soap 2 euros",
    )
    evidence = [
        passage(0, second, start=500, document=9, ordinal=1),
        passage(1, first, start=0, document=9, ordinal=0),
    ]
    draft = write("List all fees.", "en", evidence)
    assert [claim.text for claim in draft.claims] == [
        "entry 5 euros", "locker 1 euro", "towel 3 euros", "soap 2 euros",
    ]  # fmt: skip


def test_an_item_that_two_documents_list_is_told_once_with_both():
    text = "# Fees\n\n- entry 5 euros\n- locker 1 euro"
    draft = write("List all fees.", "en", passages(text, f"{text}\n- towel 3 euros"))
    assert [len(claim.supports) for claim in draft.claims] == [2, 2, 1]


def test_a_very_long_list_is_cut_and_the_reader_is_told():
    text = "# Fees\n\n" + "\n\n".join(
        f"# Fees {part}\n\n" + "\n".join(f"- fee {part}-{n}" for n in range(15))
        for part in range(6)
    )
    draft = write("List all fees.", "en", passages(text))
    assert len(draft.claims) == MOST_ITEMS
    assert draft.notes[-1] == f"Only the first {MOST_ITEMS} items are shown."


def test_what_is_not_there_is_refused():
    assert claims("List all swimming pools.", NEEDS, MORE) == []


def test_what_a_code_labels_is_of_the_kind():
    first = "REQ-1: The system logs users in.\n\nREQ-2: The system stores files."
    second = "REQ-3: The system sends mail. The team meets weekly."
    assert claims("List all requirements.", first, second) == [
        "REQ-1: The system logs users in.",
        "REQ-2: The system stores files.",
        "REQ-3: The system sends mail.",
    ]


def test_steps_stay_steps():
    text = "# Install\n\n1. Download it.\n2. Unpack it.\n\n# Remove\n\n1. Delete it."
    draft = write("List the steps to install.", "en", passages(text))
    assert draft.style == "steps"
    assert [claim.text for claim in draft.claims] == ["Download it.", "Unpack it."]


RISKS = """# Project plan

The project builds a bridge. The project runs until May.

## Risks

- Supply delays
- Currency changes

| Risk | Owner |
| --- | --- |
| Strike | Ann |
| Flood | Bo |
"""


def test_a_list_and_a_table_beside_it_come_together():
    everything = ["Supply delays", "Currency changes", "Strike: Owner = Ann", "Flood: Owner = Bo"]
    assert claims("List all risks.", RISKS) == everything
    row = passage(0, RISKS, headings=("Project plan",))
    draft = write("List all risks of the project.", "en", [row])
    assert [claim.text for claim in draft.claims] == everything


STOCK = """| Item | Place | Amount |
| --- | --- | --- |
| Pumps | Kiel | 4 |
| Valves | Bremen | 10 |
| Hoses | Kiel | 7 |
"""


def test_rows_of_what_is_named_come_though_the_table_does_not_say_the_verb():
    assert claims("List all items stored in Kiel.", STOCK) == [
        "Pumps: Place = Kiel; Amount = 4", "Hoses: Place = Kiel; Amount = 7",
    ]  # fmt: skip
    assert claims("List all employees in Kiel.", STOCK) == []


def test_telephone_numbers_are_known_by_their_looks():
    lines = (
        "Front desk: +49 30 1234567\nAnn Lee, sales, phone 030 7654321\nThe office opens at 9.\n"
        "Founded 12 March 1998"
    )
    assert claims("List all phone numbers.", lines) == [
        "Front desk: +49 30 1234567", "Ann Lee, sales, phone 030 7654321",
    ]  # fmt: skip
    table = "| Name | Phone |\n| --- | --- |\n| Ann Lee | 030 7654321 |\n| Bo Kim | unknown |"
    assert claims("List all phone numbers.", table) == ["Ann Lee: Phone = 030 7654321"]


def test_dates_are_known_by_their_looks():
    text = "The lease begins on 1 May 2024. The flat is red. It ends on 30 April 2027."
    assert claims("List all dates.", text) == [
        "The lease begins on 1 May 2024.", "It ends on 30 April 2027.",
    ]  # fmt: skip


def test_the_note_speaks_of_one_passage_as_one():
    draft = write("List all fees.", "en", passages("# Fees\n\n- entry 5 euros\n- locker 1 euro"))
    assert draft.notes == (
        "Only the one passage that fits best was read. Other passages may hold more.",
    )


MINUTES = """Present: Ines Kolb (chair), Tomas Rivera, Priya Nair, Jonas Weidmann.
Absent: Carla Stehr (ill).

## Action items

- Jonas Weidmann: renew the fire insurance
- Priya Nair: draft the travel cost rules
- Ines Kolb: sign the lease

The meeting closed at 17:40.
"""
TASKS = [
    "Jonas Weidmann: renew the fire insurance",
    "Priya Nair: draft the travel cost rules",
    "Ines Kolb: sign the lease",
]


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("List all action items of Priya Nair.", TASKS[1:2]),
        ("List all action items.", TASKS),
        ("List all action items of Carla Stehr.", []),
        ("How many action items are there?", TASKS),
        (
            "List everyone present.",
            ["Ines Kolb (chair)", "Tomas Rivera", "Priya Nair", "Jonas Weidmann"],
        ),
    ],
)
def test_of_a_list_the_items_of_whom_the_question_names(question, expected):
    assert answer(question, MINUTES) == expected


def test_a_sentence_that_counts_the_items_goes_before_their_list():
    stated = MINUTES.replace("- Jonas", "There are 3 action items.\n\n- Jonas")
    assert answer("How many action items are there?", stated)[:1] == ["There are 3 action items."]
