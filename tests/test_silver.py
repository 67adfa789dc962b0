"""Candidates of a golden set ask for facts that stand once, so that they are understood alone."""

from __future__ import annotations

import json
from pathlib import Path

import pymupdf
import pytest
from fakes import FakeChatModel
from pdf_files import saved, write_lines
from silver_sources import sources_of

from local_rag.errors import ModelFault
from local_rag.evaluation.cases import Case, broken_rules, normalised
from local_rag.evaluation.release import broken_against
from local_rag.evaluation.silver import Made, candidates, corpus_version, merged
from local_rag.evaluation.silver_absent import altered
from local_rag.evaluation.silver_facts import Fact, Piece
from local_rag.evaluation.silver_wording import asks_the_same, question_in
from local_rag.model.chat import ChatLimits

_MADE = Made(dataset_version="1", corpus_id="house", corpus_version="x", most=60)
_TITLE = {"en": "# House rules of the Alder Hall\n\n", "de": "# Hausordnung des Erlenhofs\n\n"}
_FILLER = {
    "en": "Here is what all of the members and their guests should know about the old house. ",
    "de": "Hier steht, was alle Mitglieder und ihre Gäste über das alte Haus wissen sollten. ",
}


def _asked(folder: Path, text: str, language: str = "en") -> dict[str, Case]:
    """The answerable candidates of a document with this text, by question."""
    whole = _TITLE[language] + _FILLER[language] + text
    cases = candidates(sources_of(folder, rules_md=whole), _MADE)
    return {case.question: case for case in cases if case.answerable}


@pytest.mark.parametrize(
    ("text", "question", "fact"),
    [
        ("The deposit for a trailer is 80 pounds.", "What is the deposit for a trailer?",
         "80 pounds"),
        ("The deposit for a trailer is 80 pounds, but it is waived for schools.",
         "What is the deposit for a trailer?", "80 pounds"),
        ("The main hall is 12 metres long.", "How long is the main hall?", "12 metres"),
        ("The bell tower was built in 1873.", "When was the bell tower built?", "1873"),
        ("The garden lease expires on 5 March 2027.", "When does the garden lease expire?",
         "5 March 2027"),
        ("The kitchen committee has seven members.",
         "How many members does the kitchen committee have?", "seven members"),
        ("A damage report must be sent within 14 days of the event.",
         "Within what time of the event must a damage report be sent?", "14 days"),
        ("The key deposit costs about 12 pounds per person.",
         "How much does the key deposit cost per person?", "12 pounds"),
        ("A loan lasts seven days.",
         "According to “House rules of the Alder Hall”, how long does a loan last?", "seven days"),
        ("A quiet hour is a period in which no music may be played. Mind the quiet hour.",
         "What is a quiet hour?", "a period in which no music may be played"),
        ("Phone: 020 7946 0123",
         "What is given as the “Phone” in “House rules of the Alder Hall”?", "020 7946 0123"),
    ],
)  # fmt: skip
def test_english_facts_are_asked_for(tmp_path: Path, text: str, question: str, fact: str) -> None:
    asked = _asked(tmp_path, "\n\n" + text)
    assert list(asked) == [question]
    assert asked[question].required_facts == [fact]


@pytest.mark.parametrize(
    ("text", "question", "fact"),
    [
        ("Die Kaution für einen Anhänger beträgt 80 Euro.",
         "Wie hoch ist die Kaution für einen Anhänger?", "80 Euro"),
        ("Der große Saal ist 12 Meter lang.", "Wie lang ist der große Saal?", "12 Meter"),
        ("Der neue Glockenturm wurde 1873 von der Gemeinde gebaut.",
         "Wann wurde der neue Glockenturm von der Gemeinde gebaut?", "1873"),
        ("Der Mietvertrag endet am 5. März 2027.",
         "Wann endet der Mietvertrag laut „Hausordnung des Erlenhofs“?", "5. März 2027"),
        ("Der kleine Ausschuss hat sieben Mitglieder.",
         "Wie viele Mitglieder hat der kleine Ausschuss?", "sieben Mitglieder"),
        ("Der Grundkurs Holz dauert drei Tage und gilt danach für immer.",
         "Wie lange dauert der Grundkurs Holz?", "drei Tage"),
        ("Ein Ruhetag ist ein Tag, an dem keine Musik gespielt wird. Der Ruhetag gilt.",
         "Was ist ein Ruhetag?", "ein Tag, an dem keine Musik gespielt wird"),
    ],
)  # fmt: skip
def test_german_facts_are_asked_for(tmp_path: Path, text: str, question: str, fact: str) -> None:
    asked = _asked(tmp_path, "\n\n" + text, "de")
    assert list(asked) == [question]
    assert asked[question].required_facts == [fact]


@pytest.mark.parametrize(
    "text",
    [
        "It is 12 metres long.",
        "This deposit is 80 pounds.",
        "Our garden deposit is 80 pounds.",
        "The following deposit is 80 pounds.",
        "The same trailer deposit is 80 pounds.",
        "The fee which schools pay is 80 pounds.",
        "The trailer deposit is 80 pounds for adults and 40 pounds for children.",
        "The trailer deposit is 80 pounds if the hall is open.",
        "The trailer deposit is 80 pounds. Later the trailer deposit is 90 pounds.",
        "The trailer deposit is 80 pounds. Once more: the trailer deposit is 80 pounds.",
        "The garden hose is a good problem for the members of the club. The garden hose.",
        "Later membership fees were 80 pounds.",
        "Note: 020 7946 0123",
    ],
)
def test_what_points_elsewhere_or_is_told_twice_is_not_asked_for(tmp_path: Path, text: str) -> None:
    assert _asked(tmp_path, "\n\n" + text) == {}


def test_cells_are_asked_for_by_row_and_column(tmp_path: Path) -> None:
    table = "| Tool | Price a day | Deposit |\n|---|---|---|\n| Drill | 5.50 | 40 |\n"
    asked = _asked(tmp_path, "\n\n" + table + "| Chainsaw | 11.00 | 80 |\n| Ladder | – | n/a |\n")
    assert {q: c.required_facts for q, c in asked.items()} == {
        "In “House rules of the Alder Hall”, what is “Price a day” for the Tool “Drill”?": ["5.50"],
        "In “House rules of the Alder Hall”, what is “Deposit” for the Tool “Chainsaw”?": ["80"],
    }
    (drill,) = next(iter(asked.values())).expected_evidence
    assert drill.contains == ["Drill | 5.50 | 40"]


def test_rows_that_are_called_the_same_are_not_asked_for(tmp_path: Path) -> None:
    table = "| Tool | Deposit |\n|---|---|\n| Drill | 40 |\n| Drill | 50 |\n| Ladder | 60 |\n"
    rows = "| Chainsaw | 70 |\n| Hammer | 80 |\n| Trowel | 90 |\n"
    asked = _asked(tmp_path, "\n\n" + table + rows)
    assert sorted(c.required_facts[0] for c in asked.values()) == ["60", "70", "80", "90"]


def test_a_row_that_another_part_of_the_table_has_is_not_asked_for(tmp_path: Path) -> None:
    head = "\n\n| Tool | Day | Week |\n|---|---|---|\n"
    first = head + "| Drill | 5 | 15 |\n| Ladder | 6 | 16 |\n"
    second = head + "| Hammer | 7 | 17 |\n| Drill | 8 | 18 |\n"
    asked = _asked(tmp_path, first + "\n\nIt goes on." + second)
    assert sorted(case.reference_answer for case in asked.values()) == [
        "Hammer, Day: 7",
        "Ladder, Week: 16",
    ]


def test_steps_are_asked_for_in_order_each_a_group_of_its_own(tmp_path: Path) -> None:
    steps = (
        "## 2 Closing the hall\n\n1. Put out the lights.\n2. Lock the doors. Twice.\n3. Go home."
    )
    ((question, case),) = _asked(tmp_path, "\n\n" + steps).items()
    assert question == "Which numbered points stand under “Closing the hall”, in order?"
    assert case.required_facts == ["Put out the lights", "Lock the doors", "Go home"]
    assert case.groups == ("1", "2", "3")


_TEXT = (
    _TITLE["en"]
    + _FILLER["en"]
    + "The deposit for a trailer is 80 pounds. The main hall is 12 metres long. The bell tower was "
    "built in 1873. Pump P-2200 weighs 40 kg. The kitchen committee has seven members. The key "
    "deposit costs 12 pounds per person.\n"
)


def test_every_candidate_keeps_the_rules_and_stands_where_it_says(tmp_path: Path) -> None:
    texts = sources_of(tmp_path, rules_md=_TEXT)
    cases = candidates(texts, _MADE)
    assert len(cases) > 6
    assert [broken_rules(case) for case in cases] == [[]] * len(cases)
    assert broken_against(cases, texts) == []
    assert {case.review_status for case in cases} == {"synthetic_silver"}
    assert all(one.evidence_hash for case in cases for one in case.expected_evidence)
    assert all(one.page is None for case in cases for one in case.expected_evidence)


def test_the_same_documents_give_the_same_cases_and_line_ends_do_not_matter(tmp_path: Path) -> None:
    first = candidates(sources_of(tmp_path / "a", rules_md=_TEXT), _MADE)
    assert candidates(sources_of(tmp_path / "b", rules_md=_TEXT), _MADE) == first
    windows = _TEXT.replace("\n", "\r\n")
    other = candidates(sources_of(tmp_path / "c", rules_md=windows), _MADE)
    assert [case.question for case in other] == [case.question for case in first]
    assert not {case.case_id for case in other} & {case.case_id for case in first}  # other bytes


def test_a_question_that_two_documents_answer_is_left_out(tmp_path: Path) -> None:
    other = _TITLE["en"] + _FILLER["en"] + "The deposit for a trailer is 90 pounds.\n"
    cases = candidates(sources_of(tmp_path, a_md=_TEXT, b_md=other), _MADE)
    assert "What is the deposit for a trailer?" not in [case.question for case in cases]


def test_unanswerable_candidates_ask_about_what_occurs_nowhere(tmp_path: Path) -> None:
    texts = sources_of(tmp_path, rules_md=_TEXT)
    absent = [case for case in candidates(texts, _MADE) if not case.answerable]
    assert absent
    held = normalised(texts[0].extraction.pages[0].text)
    answered = [c.question for c in candidates(texts, _MADE) if c.answerable]
    for case in absent:
        assert case.expected_evidence == []
        assert case.question not in answered
        new = [w for w in normalised(case.question).strip("?").split() if w not in held]
        assert set(new) - {"what", "how", "when", "much", "does", "weigh", "cost"}


def test_no_more_than_asked_for_of_a_document(tmp_path: Path) -> None:
    made = Made(dataset_version="1", corpus_id="h", corpus_version="x", most=3)
    assert len(candidates(sources_of(tmp_path, rules_md=_TEXT), made)) == 3


def test_evidence_of_a_pdf_has_its_page_and_the_box_of_its_words(tmp_path: Path) -> None:
    document = pymupdf.open()
    write_lines(document.new_page(), ["Here is what the members of the club should know."])
    lines = ["This is the second page of the rules.", "The bell tower was built in 1873."]
    write_lines(document.new_page(), lines, y=200)
    saved(document, tmp_path)
    (case,) = candidates(sources_of(tmp_path), _MADE)
    (one,) = case.expected_evidence
    assert (one.page, one.source) == (2, "file.pdf")
    assert one.bbox is not None
    x0, y0, x1, y1 = one.bbox
    assert 70 <= x0 < x1 < 400
    assert 190 <= y0 < 214 < y1 < 222


def test_documents_in_other_languages_and_hostile_ones_give_none(tmp_path: Path) -> None:
    hostile = "<script>alert(1)</script> {0} {s} %s The {s} is 80 pounds. The \u202eevil is 5 km.\n"
    french = "Le pont de la ville a été construit en 1873 et il est dans la vallée. " * 3
    assert candidates(sources_of(tmp_path, a_md=hostile * 3, b_md=french), _MADE) == []


def test_a_document_without_words_gives_none(tmp_path: Path) -> None:
    assert candidates(sources_of(tmp_path, a_txt="12 34 | 56\n.\n"), _MADE) == []


_FACT = Fact(
    "date",
    "When was the bell tower of Lund built?",
    "the bell tower of Lund",
    ("1873",),
    "The bell tower of Lund was built in 1873.",
    (Piece(1, 0, 5, "x"),),
)


@pytest.mark.parametrize(
    ("question", "same"),
    [
        ("In which year was the bell tower of Lund built?", True),
        ("Was the bell tower of Lund built in 1873?", False),
        ("In which year was the tower of Lund built?", False),
        ("In which year was the bell tower built?", False),
        ("In which year was the bell tower of Malmö built?", False),
        ("In which of 3 years was the bell tower of Lund built?", False),
        ("Tell me about the bell tower of Lund.", False),
        ("What is the bell tower of Lund? When was it built?", False),
        ("In welchem Jahr wurde der bell tower of Lund gebaut und von wem?", False),
    ],
)
def test_a_model_may_only_word_the_question(question: str, same: bool) -> None:
    assert asks_the_same(question, _FACT, "en") is same


@pytest.mark.parametrize(
    "reply",
    ["", "{", "[]", "null", '{"question": 3}', '{"question": "a?", "answer": "b"}',
     '{"q": "a?"}', json.dumps({"question": "a" * 400 + "?"}), "[" * 100_000],
)  # fmt: skip
def test_a_reply_that_is_not_of_the_schema_is_none(reply: str) -> None:
    assert question_in(reply) is None


def _with(chat: FakeChatModel) -> Made:
    return Made("1", "house", "x", most=1, chat=chat, limits=ChatLimits())


def test_the_id_of_a_case_stays_however_it_is_worded(tmp_path: Path) -> None:
    text = _TITLE["en"] + _FILLER["en"] + "The bell tower was built in 1873.\n"
    texts = sources_of(tmp_path, rules_md=text)
    (plain,) = candidates(texts, _with(FakeChatModel(["nonsense"])))
    reply = json.dumps({"question": "In which year was the bell tower built?"})
    (worded,) = candidates(texts, _with(FakeChatModel([reply])))
    assert (plain.question, plain.generation_method) == (
        "When was the bell tower built?",
        "template",
    )
    assert worded.question == "In which year was the bell tower built?"
    assert worded.generation_method == "template, worded by a model"
    assert worded.case_id == plain.case_id


def test_a_model_that_fails_leaves_the_template(tmp_path: Path) -> None:
    class Broken(FakeChatModel):
        def complete(self, *args, **kwargs):
            raise ModelFault("gone")

    (case,) = candidates(
        sources_of(tmp_path, a_md=_FILLER["en"] + "The bell tower was built in 1873."),
        _with(Broken()),
    )
    assert case.question == "When was the bell tower built?"


def test_cases_that_a_person_touched_outlive_new_candidates(tmp_path: Path) -> None:
    new = candidates(sources_of(tmp_path, rules_md=_TEXT), _MADE)
    at = "2026-01-01T00:00:00Z"
    gone = new[0].model_copy(
        update={"review_status": "rejected", "reviewer": "Ada", "reviewed_at": at}
    )
    edited = new[1].model_copy(update={"review_status": "needs_review", "question": "Mine?"})
    stale = new[2].model_copy(update={"case_id": "silver-old"})
    assert merged([gone, edited, stale], new) == [gone, edited, *new[2:]]


def test_the_version_of_a_corpus_is_that_of_its_bytes(tmp_path: Path) -> None:
    one = corpus_version(sources_of(tmp_path / "a", x_md="a", y_md="b"))
    assert one == corpus_version(sources_of(tmp_path / "b", z_md="a", w_md="b"))
    assert one != corpus_version(sources_of(tmp_path / "c", x_md="a", y_md="c"))


def test_a_line_that_stands_twice_is_not_asked_for(tmp_path: Path) -> None:
    line = "\n\nPhone: 020 7946 0123"
    text = f"\n\n## Front desk office{line}\n\n## Upper floor office{line}"
    assert _asked(tmp_path, text) == {}


def test_a_model_may_not_give_words_of_the_answer_away() -> None:
    answer = "a period in which no music may be played"
    place = (Piece(1, 0, 5, "x"),)
    fact = Fact("definition", "What is a quiet hour?", "a quiet hour", (answer,), answer, place)
    assert asks_the_same("What does the club mean by a quiet hour?", fact, "en")
    assert not asks_the_same("Is a quiet hour a period when no music is played?", fact, "en")


def test_a_word_that_a_document_has_does_not_make_a_subject_absent() -> None:
    piece = (Piece(1, 0, 5, "x"),)
    fact = Fact("number", "What is the deposit?", "the deposit", ("80",), "80.", piece)
    words = "overnight winter island overseas weekend junior emergency harbour alpine"
    assert altered(fact, "en", words) == ("What is the evening deposit?", "the evening deposit")
    assert altered(fact, "en", words + " evening") is None
