from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from local_rag.model.evidence import EQUAL, Hit, Weights
from local_rag.retrieve.fuse import fuse
from local_rag.retrieve.weights import SAME_SCRIPT_WEIGHT, weights_for
from local_rag.text.bm25 import code_terms

IDS = [f"{n:032x}" for n in range(8)]
rankings = st.permutations(IDS).flatmap(
    lambda order: st.integers(0, len(order)).map(
        lambda n: [Hit(chunk_id, 1.0 - i / 10) for i, chunk_id in enumerate(order[:n])]
    )
)


def fused(*rankings, **options):
    return list(fuse(*rankings, **options))


def test_ranks_and_shares_of_the_best_score_add_up():
    dense, lexical = [Hit("b", 0.9), Hit("a", 0.8)], [Hit("a", 7.0)]
    rows = fused(dense, lexical)
    assert [row.chunk_id for row in rows] == ["a", "b"]
    first, second = rows
    assert first.rrf == pytest.approx(0.8 / 0.9 / 62 + 1 / 61)
    assert (first.dense_rank, first.lexical_rank, first.cosine, first.bm25) == (2, 1, 0.8, 7.0)
    assert (second.dense_rank, second.lexical_rank, second.cosine, second.bm25) == (
        1,
        None,
        0.9,
        None,
    )
    assert fused(dense, lexical, fusion="rank")[0].rrf == pytest.approx(1 / 62 + 1 / 61)
    spread = [Hit("b", 0.9), Hit("c", 0.8), Hit("a", 0.5)]
    found = fused(spread, lexical, fusion="minmax")
    assert [(r.chunk_id, round(r.rrf, 6)) for r in found] == [("a", 1.0), ("b", 1.0), ("c", 0.75)]


def test_a_first_row_far_above_the_others_outweighs_one_that_is_hardly_told_apart():
    lexical = [Hit("name", 21.0), Hit("x", 4.0), Hit("y", 3.9)]
    dense = [Hit("x", 0.401), Hit("y", 0.400), Hit("name", 0.398)]
    assert fused(dense, lexical, fusion="rank")[0].chunk_id == "x"
    assert fused(dense, lexical)[0].chunk_id == "name"


def test_scores_below_nought_leave_the_ranks():
    rows = fused([Hit("a", -0.1), Hit("b", -0.2)], [])
    assert [row.rrf for row in rows] == [1 / 61, 1 / 62]


def test_equal_sums_are_ordered_by_id():
    rows = fused([Hit("b", 0.8), Hit("a", 0.4)], [Hit("a", 2.0), Hit("b", 1.0)])
    assert [row.chunk_id for row in rows] == ["a", "b"]
    assert rows[0].rrf == rows[1].rrf


def test_a_ranking_of_weight_nought_adds_nothing():
    rows = fused([Hit("x", 0.9)], [Hit("a", 2.0), Hit("b", 1.0)], weights=Weights(0.0, 1.0, ""))
    assert [row.chunk_id for row in rows] == ["a", "b"]


@given(rankings, rankings)
def test_every_ranked_chunk_comes_once_in_falling_order(dense, lexical):
    rows = fused(dense, lexical)
    found = [row.chunk_id for row in rows]
    assert sorted(found) == sorted({hit.chunk_id for hit in [*dense, *lexical]})
    keys = [(-row.rrf, row.chunk_id) for row in rows]
    assert keys == sorted(keys)


@given(rankings, rankings)
def test_the_order_of_the_two_rankings_does_not_matter(dense, lexical):
    one, other = fused(dense, lexical), fused(lexical, dense)
    assert [(row.chunk_id, row.rrf) for row in one] == [(row.chunk_id, row.rrf) for row in other]


@given(rankings, rankings, st.integers(1, 7))
def test_rising_in_one_ranking_never_sinks_a_chunk_in_the_fusion(dense, lexical, at):
    if at >= len(dense):
        return
    chunk_id = dense[at].chunk_id
    raised = list(dense)
    raised[at - 1], raised[at] = raised[at], raised[at - 1]

    def place(ranking):
        return [row.chunk_id for row in fused(ranking, lexical)].index(chunk_id)

    assert place(raised) <= place(dense)


def test_identical_passages_come_in_the_same_order_however_they_were_read():
    hits = [Hit(chunk_id, 0.5) for chunk_id in IDS]
    expected = fused(hits, hits)
    for seed in range(5):
        shuffled = hits[:]
        random.Random(seed).shuffle(shuffled)
        shuffled.sort(key=lambda hit: (-hit.value, hit.chunk_id))
        assert fused(shuffled, shuffled) == expected


def test_what_holds_the_code_and_ranks_by_words_comes_first():
    dense = [Hit(f"{n:032x}", 0.9) for n in range(1, 40)]
    lexical = [Hit(f"{99:032x}", 9.0), *(Hit(f"{n:032x}", 5.0) for n in range(1, 40))]
    exact = [Hit(f"{99:032x}", 3.0)]
    assert fused(dense, lexical)[0].chunk_id != f"{99:032x}"
    first = fused(dense, lexical, exact)[0]
    assert (first.chunk_id, first.dense_rank, first.lexical_rank) == (f"{99:032x}", None, 1)


def test_the_terms_of_a_code_are_those_that_no_other_code_shares():
    assert set(code_terms("total of INV-2054?", "en")) == {"inv-2054", "inv2054"}
    assert set(code_terms("ＩＮＶ－２０５４ 的总额", "zh")) == {"inv-2054", "inv2054"}
    assert set(code_terms("order 4821377", "en")) == {"4821377"}
    assert code_terms("what happened in 1873", "en") == {}


ENGLISH = frozenset({"en"})


@pytest.mark.parametrize(
    ("question", "language", "documents", "covered", "weight"),
    [
        ("what is this", "en", ["en"], ENGLISH, 1.0),
        ("what is this", "en", [], ENGLISH, 1.0),
        ("what is this", "en", ["zh", "en"], ENGLISH, 1.0),
        ("what is this", "en", ["zh"], ENGLISH, SAME_SCRIPT_WEIGHT),
        ("BLEU score", "und", ["en"], ENGLISH, 1.0),
        ("was ist das", "de", ["de"], ENGLISH, SAME_SCRIPT_WEIGHT),
        ("这是什么", "zh", ["zh"], ENGLISH, 0.0),
        ("ما هذا", "ar", ["ar"], ENGLISH, 0.0),
        ("这是什么", "zh", ["zh"], frozenset({"zh"}), 1.0),
        ("这是什么", "zh", ["zh"], None, 1.0),
        ("was ist das", "de", ["de"], frozenset({"zh"}), 0.0),
    ],
)
def test_the_dense_ranking_weighs_what_its_model_knows_of_the_languages(
    question, language, documents, covered, weight
):
    weights = weights_for(question, language, documents, covered)
    assert (weights.dense, weights.lexical) == (weight, 1.0)
    assert (weights == EQUAL) == (weight == 1.0)
