"""Means, intervals, paired tests and gates, against values computed by hand."""

from __future__ import annotations

import json
import random
from itertools import product

import pytest

from local_rag.errors import InvalidRequest
from local_rag.evaluation.gates import (
    DEFAULT_BOUNDS,
    Gates,
    baseline_kept,
    bounds_kept,
    read_gates,
)
from local_rag.evaluation.results import CaseResult, Figure, Run, run_from_json
from local_rag.evaluation.statistics import (
    comparisons,
    figures,
    interval,
    latencies,
    sign_flip_p,
    summarised,
)


def _result(case_id: str, failure: str = "", status: str = "approved_gold", **scores: float):
    return CaseResult(
        case_id=case_id,
        question="?",
        question_type="number",
        split="dev",
        answerable=True,
        reference_answer="",
        failure=failure,
        scores=scores,
        unscored=dict.fromkeys(["hit", "mrr"], failure) if failure else {},
        review_status=status,
    )


def _variant(*values: float, name: str = "default", metric: str = "hit"):
    results = [_result(f"c{i}", **{metric: value}) for i, value in enumerate(values)]
    return summarised(name, {}, results)


def _run(*variants) -> Run:
    return Run("2026-01-01T00:00:00+00:00", {}, {}, tuple(variants), comparisons(variants))


def test_a_failed_case_is_neither_averaged_nor_zero() -> None:
    results = [_result("a", hit=1.0, mrr=0.5), _result("b", "timed out"), _result("c", hit=1.0)]
    found = figures(results)
    assert found["hit"] == Figure(1.0, 1.0, 1.0, 2, 3)
    assert found["mrr"] == Figure(0.5, None, None, 1, 2)
    assert "ndcg" not in found


def test_a_score_that_no_case_has_is_unknown() -> None:
    assert figures([_result("a", "down")])["hit"] == Figure(None, None, None, 0, 1)


def test_intervals_hold_the_mean_are_the_same_each_time_and_narrow_with_more_cases() -> None:
    few = interval([0.0, 1.0] * 5)
    many = interval([0.0, 1.0] * 500)
    assert few == interval([0.0, 1.0] * 5)
    assert few is not None
    assert many is not None
    # 1.96 standard errors of a mean of halves: 0.31 for 10 cases, 0.031 for 1,000.
    assert few == pytest.approx((0.2, 0.8), abs=0.11)
    assert many == pytest.approx((0.469, 0.531), abs=0.005)
    assert interval([0.7]) is None
    assert interval([]) is None


def test_p_of_few_pairs_equals_the_count_over_all_signs() -> None:
    differences = [0.5, -0.1, 0.3, 0.0, 0.2]
    apart = [d for d in differences if d]
    sums = [abs(sum(s * d for s, d in zip(signs, apart, strict=True)))
            for signs in product((1, -1), repeat=len(apart))]  # fmt: skip
    seen = abs(sum(apart))
    by_hand = sum(one >= seen - 1e-12 for one in sums) / len(sums)
    assert sign_flip_p(differences) == by_hand
    assert sign_flip_p([1.0] * 5) == 2 / 32
    assert sign_flip_p([0.0, 0.0]) == 1.0


def test_p_of_many_pairs_is_drawn_and_never_zero() -> None:
    draw = random.Random(4)
    assert sign_flip_p([1.0] * 40) == 1 / 10_000
    assert sign_flip_p([draw.choice((-1.0, 1.0)) for _ in range(200)]) > 0.05


def test_latencies_are_those_of_the_cases_that_went_through_a_stage() -> None:
    results = [
        CaseResult(f"c{i}", "?", "t", "dev", True, "", timings_ms={"total": float(i)} | more)
        for i, more in enumerate([{}, {}, {"generate": 7.0}], 1)
    ]
    assert latencies(results) == {
        "total": {"p50": 2.0, "p95": pytest.approx(2.9)},
        "generate": {"p50": 7.0, "p95": 7.0},
    }


def test_variants_are_compared_on_the_cases_that_both_have() -> None:
    ours, theirs = _variant(1.0, 0.0, 1.0, name="b"), _variant(0.0, 0.0, name="a")
    (found,) = comparisons([theirs, ours])
    assert (found.metric, found.variant, found.against) == ("hit", "b", "a")
    assert (found.difference, found.n, found.p) == (0.5, 2, 1.0)


def test_cases_that_are_not_approved_stand_apart() -> None:
    results = [_result("a", hit=1.0), _result("b", status="synthetic_silver", hit=0.0)]
    found = summarised("default", {}, results)
    assert found.figures["hit"].value == 1.0
    assert found.not_approved["hit"].value == 0.0


def test_a_run_is_read_back_as_it_was_written() -> None:
    before = _run(_variant(1.0, 0.5), _variant(0.5, 0.5, name="b"))
    assert run_from_json(json.loads(json.dumps(before.to_json()))) == before
    for wrong in ([], {}, {"format": 2}, {"format": 1, "variants": 3}):
        with pytest.raises(InvalidRequest):
            run_from_json(wrong)


def _missed(results) -> list[str]:
    return [one.metric for one in results if not one.kept]


def test_bounds_hold_from_above_and_from_below() -> None:
    gates = Gates({"hit": 0.85, "false_abstention": 0.1})
    assert _missed(bounds_kept(_variant(*[1.0] * 17, *[0.0] * 3), gates)) == []
    assert _missed(bounds_kept(_variant(*[1.0] * 16, *[0.0] * 4), gates)) == ["hit"]
    refused = _variant(*[1.0] * 2, *[0.0] * 8, metric="false_abstention")
    assert _missed(bounds_kept(refused, gates)) == ["false_abstention"]


def test_what_could_not_be_measured_keeps_no_gate_and_failed_cases_count() -> None:
    down = summarised("default", {}, [_result("a", "down")])
    assert _missed(bounds_kept(down, Gates())) == ["failed", "hit", "mrr"]
    one = summarised("default", {}, [_result("a", "down"), _result("b", hit=1.0, mrr=1.0)])
    assert _missed(bounds_kept(one, Gates())) == ["failed"]
    assert _missed(bounds_kept(one, Gates(failed=1))) == []


def test_a_fall_against_the_baseline_is_a_regression() -> None:
    before = _run(_variant(*[1.0] * 40))
    assert _missed(baseline_kept(before, before, Gates())) == []
    assert _missed(baseline_kept(_run(_variant(*[1.0] * 39, 0.0)), before, Gates())) == []
    much = _run(_variant(*[1.0] * 36, *[0.0] * 4))
    assert _missed(baseline_kept(much, before, Gates())) == ["hit"]
    little = _run(_variant(*[0.99] * 40))  # small, but in every case
    assert _missed(baseline_kept(little, before, Gates())) == ["hit"]
    assert _missed(baseline_kept(before, little, Gates())) == []


def test_more_false_abstentions_are_a_regression_and_fewer_are_none() -> None:
    few = _run(_variant(*[0.0] * 10, metric="false_abstention"))
    many = _run(_variant(*[1.0] * 2, *[0.0] * 8, metric="false_abstention"))
    assert _missed(baseline_kept(many, few, Gates())) == ["false_abstention"]
    assert _missed(baseline_kept(few, many, Gates())) == []


def test_cases_that_newly_fail_are_a_regression() -> None:
    before = _run(summarised("default", {}, [_result("a", hit=1.0), _result("b", hit=1.0)]))
    now = _run(summarised("default", {}, [_result("a", hit=1.0), _result("b", "down")]))
    (failed, *_) = baseline_kept(now, before, Gates())
    assert (failed.metric, failed.kept, failed.told) == ("failed", False, "newly failed: b")
    assert _missed(baseline_kept(now, now, Gates())) == []


def test_a_metric_that_the_baseline_has_and_the_run_lacks_is_a_regression() -> None:
    now = _run(_variant(1.0, 1.0, metric="mrr"))
    assert _missed(baseline_kept(now, _run(_variant(1.0, 1.0)), Gates())) == ["hit"]


def test_a_baseline_of_other_cases_is_refused() -> None:
    other = _run(summarised("default", {}, [_result("z", hit=1.0)]))
    with pytest.raises(InvalidRequest, match="no approved case in common"):
        baseline_kept(_run(_variant(1.0)), other, Gates())


def test_gates_are_read_from_json_and_toml(tmp_path) -> None:
    (tmp_path / "g.json").write_text('{"hit": 0.5, "mrr": false, "failed": 2}')
    (tmp_path / "g.toml").write_text("hit = 0.5\nmrr = false\nfailed = 2\n")
    found = read_gates(tmp_path / "g.json")
    assert found == read_gates(tmp_path / "g.toml")
    bounds = {k: v for k, v in DEFAULT_BOUNDS.items() if k != "mrr"} | {"hit": 0.5}
    assert found == Gates(bounds, failed=2)


@pytest.mark.parametrize(
    "text", ['{"hits": 0.5}', '{"hit": 5}', '{"hit": "high"}', "[]", "{", '{"failed": 0.5}']
)
def test_gates_that_are_none_are_refused(tmp_path, text) -> None:
    (tmp_path / "g.json").write_text(text)
    with pytest.raises(InvalidRequest):
        read_gates(tmp_path / "g.json")
