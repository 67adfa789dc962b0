"""The measures of a ranking: by hand on small cases, and against trec_eval on random ones."""

from __future__ import annotations

import math
import random

import pytest
import pytrec_eval

from local_rag.evaluation.ranking import hit, ndcg, recall, reciprocal_rank

LOG3, LOG5 = math.log2(3), math.log2(5)  # of the ranks 2 and 4, plus 1

BY_HAND = [
    # found, all grades, k: hit, 1/rank, recall, nDCG
    ([1], [1], 10, (1.0, 1.0, 1.0, 1.0)),
    ([0, 1], [1], 10, (1.0, 0.5, 1.0, 1 / LOG3)),
    ([0, 1], [1], 1, (0.0, 0.0, 0.0, 0.0)),
    ([0, 0, 0], [1, 1], 3, (0.0, 0.0, 0.0, 0.0)),
    ([], [2], 5, (0.0, 0.0, 0.0, 0.0)),
    ([1, 0, 0, 1], [1, 1, 1], 4, (1.0, 1.0, 2 / 3, (1 + 1 / LOG5) / (1 + 1 / LOG3 + 1 / 2))),
    ([1, 1], [1, 1, 1], 2, (1.0, 1.0, 2 / 3, 1.0)),  # the ideal is cut at k as well
    ([1, 3, 0, 2], [3, 2, 1], 4, (1.0, 1.0, 1.0, (1 + 3 / LOG3 + 2 / LOG5) / (3 + 2 / LOG3 + 0.5))),
    ([0, 0, 2], [3, 2], 2, (0.0, 0.0, 0.0, 0.0)),
]


@pytest.mark.parametrize(("gains", "grades", "k", "expected"), BY_HAND)
def test_the_measures_are_what_is_computed_by_hand(gains, grades, k, expected):
    relevant = sum(grade > 0 for grade in grades)
    measured = (
        hit(gains, k),
        reciprocal_rank(gains, k),
        recall(gains, relevant, k),
        ndcg(gains, grades, k),
    )
    assert measured == pytest.approx(expected, abs=1e-12)


def test_without_a_cut_all_ranks_count():
    gains = [0] * 40 + [1]
    assert reciprocal_rank(gains) == pytest.approx(1 / 41)
    assert recall(gains, 2) == 0.5


@pytest.mark.parametrize("k", [1, 10])
def test_where_nothing_is_relevant_there_is_neither_recall_nor_ndcg(k):
    with pytest.raises(ValueError, match="something relevant"):
        recall([0, 0], 0, k)
    with pytest.raises(ValueError, match="something relevant"):
        ndcg([0, 0], [0], k)


@pytest.mark.parametrize("highest", [1, 3], ids=["binary", "graded"])
@pytest.mark.parametrize("seed", range(6))
def test_the_measures_are_those_of_trec_eval(highest, seed):
    drawn = random.Random(1000 * highest + seed)
    judged, found = {}, {}
    for number in range(60):
        documents = [f"d{i}" for i in range(drawn.randint(2, 40))]
        grades = {name: drawn.randint(0, highest) for name in documents if drawn.random() < 0.6}
        grades[drawn.choice(documents)] = drawn.randint(1, highest)
        listed = drawn.sample(documents, drawn.randint(1, len(documents)))  # some relevant missing
        judged[f"q{number}"] = grades
        found[f"q{number}"] = listed
    runs = {
        query: {name: float(len(listed) - at) for at, name in enumerate(listed)}  # without ties
        for query, listed in found.items()
    }
    cuts = (1, 3, 10, 100)
    wanted = {f"{name}.{','.join(map(str, cuts))}" for name in ("success", "recall", "ndcg_cut")}
    theirs = pytrec_eval.RelevanceEvaluator(judged, wanted | {"recip_rank"}).evaluate(runs)
    for query, grades in judged.items():
        gains = [grades.get(name, 0) for name in found[query]]
        relevant = sum(grade > 0 for grade in grades.values())
        ours = {"recip_rank": reciprocal_rank(gains)}
        for k in cuts:
            ours[f"success_{k}"] = hit(gains, k)
            ours[f"recall_{k}"] = recall(gains, relevant, k)
            ours[f"ndcg_cut_{k}"] = ndcg(gains, list(grades.values()), k)
        assert ours == pytest.approx(theirs[query], abs=1e-9), query
        for k in cuts:
            cut = {name: runs[query][name] for name in found[query][:k]}
            again = pytrec_eval.RelevanceEvaluator({query: grades}, {"recip_rank"})
            assert reciprocal_rank(gains, k) == pytest.approx(
                again.evaluate({query: cut})[query]["recip_rank"]
            )
