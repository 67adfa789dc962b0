"""What of the passages found is read: each thing once, nothing that speaks of something else."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from local_rag.model.document import Chunk, Document
from local_rag.model.evidence import Evidence, Fused, LedgerRow
from local_rag.retrieve.duplicates import Said
from local_rag.retrieve.select import select

DOCUMENT = Document("d" * 32, "a.txt", "text/plain", "e" * 64, 9, 1, 2, None, "2026", "en")
RENT = (
    "The tenant pays a rent of 500 euros on the first day of each month, to the account that the "
    "owner names, and bears the costs of heating and water according to the yearly statement."
)
TERMS = {"rent": 1.0, "month": 1.0, "owner": 1.0}
WORDS = ["rent", "month", "owner", "garden", "roof"]


def row(number, text, cosine=0.5, verdict="covers"):
    chunk = Chunk(f"{number:032x}", "d" * 32, number, 1, 0, len(text), text, "0", ())
    fused = Fused(chunk.chunk_id, 0.03 - number / 1000, number + 1, number + 1, cosine, 4.0)
    return LedgerRow(Evidence(chunk, DOCUMENT, fused), verdict != "duplicate", verdict)


def verdicts(*rows):
    return [found.verdict for found in select(rows, TERMS)]


def test_each_passage_is_kept_or_left_for_a_reason():
    assert verdicts(
        row(0, "The rent of a month."),
        row(1, "The owner lives there.", 0.1),
        row(2, "Rent, every month!", 0.1),
        row(3, "A leasehold costs as much.", 0.45),
        row(4, "The roof is of tin.", 0.2),
        row(5, "The rent of a month.", verdict="duplicate"),
    ) == ["first", "adds", "covers", "similar", "off-topic", "duplicate"]


def test_what_is_left_is_not_read():
    kept = [found.kept for found in select([row(0, "rent"), row(1, "roof", 0.1)], TERMS)]
    assert kept == [True, False]


def test_the_first_is_read_though_it_holds_no_word_of_the_question():
    assert verdicts(row(0, "A leasehold costs as much.")) == ["first"]
    assert verdicts() == []


texts = st.lists(st.sampled_from(WORDS), min_size=1, max_size=5).map(" ".join)
rows = st.lists(st.tuples(texts, st.floats(0, 1)), max_size=8).map(
    lambda made: [row(i, text, cosine) for i, (text, cosine) in enumerate(made)]
)


@given(rows)
def test_what_is_kept_is_a_part_of_what_was_found_and_stays_kept(found):
    judged = select(found, TERMS)
    assert [one.evidence for one in judged] == [one.evidence for one in found]
    kept = [one for one in judged if one.kept]
    assert [one.evidence for one in select(kept, TERMS) if one.kept] == [
        one.evidence for one in kept
    ]


@given(rows)
def test_every_word_of_the_question_that_was_found_is_read(found):
    def said(ones):
        return {w for one in ones for w in one.evidence.chunk.text.split()} & TERMS.keys()

    assert said([one for one in select(found, TERMS) if one.kept]) == said(found)


@pytest.mark.parametrize(
    "later",
    [
        RENT,
        RENT.upper(),
        RENT.replace(", ", " ,  "),
        RENT.removesuffix("according to the yearly statement."),
        RENT.replace("bears the costs", "carries the costs"),
    ],
)
def test_a_passage_that_says_the_same_repeats_the_better_one(later):
    assert Said(later).repeats(Said(RENT)) == (later != RENT.upper())


@pytest.mark.parametrize(
    "later",
    [
        RENT.replace("500", "550"),
        RENT.replace("owner", "Owner Ltd"),
        RENT.replace("bears", "does not bear"),
        RENT + " He may keep a dog, but only with the consent of the owner and the neighbours.",
        "The rent is 500 euros.",
    ],
)
def test_a_passage_with_another_number_name_or_negation_does_not(later):
    assert not Said(later).repeats(Said(RENT))


def test_a_duplicate_stays_one_when_it_is_judged():
    twin = replace(row(1, "rent", verdict="duplicate"), duplicate_of=f"{0:032x}")
    assert select([row(0, "rent"), twin], TERMS)[1] == twin
