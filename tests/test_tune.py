"""``local-rag-eval tune``: what holdout shows to be better is recommended, and nothing else."""

from __future__ import annotations

import hashlib
import json
from dataclasses import replace
from itertools import pairwise

import pytest

from local_rag.cli.evaluate.main import main
from local_rag.evaluation.results import Comparison, Run, VariantResult
from local_rag.evaluation.tune import _doubts
from local_rag.evaluation.tune_search import LEAST_GAIN, Point, Search

THINGS = (
    "compass", "lantern", "anchor", "violin", "telescope", "kettle", "saddle", "anvil", "globe",
    "candle", "helmet", "ladder", "mirror", "pillow", "ribbon", "shovel", "trumpet", "umbrella",
    "whistle", "basket", "bucket", "carpet", "drum", "feather",
)  # fmt: skip
LIDS = ("brass", "copper")
LOCKERS = [
    (f"{chr(65 + 7 * n % 26)}{chr(65 + 11 * n % 26)}-{1000 + 137 * n}", f"{lid} {thing}")
    for n, (lid, thing) in enumerate((lid, thing) for lid in LIDS for thing in THINGS)
]
BY_CODE = "What is kept in locker {code}?"
BY_THING = "Which locker holds the {thing}?"


def write_set(folder, holdout=BY_CODE, each=24):
    """Lockers that only the ranking by words tells apart by their codes."""
    (folder / "documents").mkdir()
    text = "# Lockers\n\n" + "".join(
        f"## Locker {code}\n\nLocker {code} holds the {thing} of the house.\n\n"
        for code, thing in LOCKERS
    )
    document = folder / "documents" / "lockers.md"
    document.write_text(text)
    rows = []
    for split, ask, lockers in (
        ("dev", BY_CODE, LOCKERS[:each]),
        ("holdout", holdout, LOCKERS[24 : 24 + each]),
    ):
        rows += [
            {
                "case_id": f"{split}-{code}",
                "dataset_version": "1",
                "split": split,
                "corpus_id": "lockers",
                "corpus_version": "1",
                "question": ask.format(code=code, thing=thing),
                "question_type": "thing",
                "answerable": True,
                "expected_evidence": [
                    {
                        "source": "lockers.md",
                        "source_sha256": hashlib.sha256(document.read_bytes()).hexdigest(),
                        "contains": [f"Locker {code} holds the {thing}"],
                    }
                ],
                "required_facts": [thing],
                "reference_answer": f"Locker {code} holds the {thing}.",
                "generation_method": "template",
                "review_status": "approved_gold",
                "reviewer": "r",
                "reviewed_at": "2026-01-01T00:00:00Z",
                "approved_at": "2026-01-01T00:00:00Z",
            }
            for code, thing in lockers
        ]
    (folder / "cases.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))


@pytest.fixture(autouse=True)
def _by_meaning_alone(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("RAG_CHAT_PROVIDER", "extractive")
    monkeypatch.setenv("RAG_DENSE_WEIGHT", "10")
    monkeypatch.setenv("RAG_LEXICAL_WEIGHT", "0.001")


def tuned(capsys, *arguments):
    command = ["tune", "cases.jsonl", "--documents", "documents", *arguments]
    assert main(command) == 0
    return capsys.readouterr().out


def test_better_settings_are_found_on_dev_and_confirmed_on_holdout(tmp_path, capsys):
    write_set(tmp_path)
    found = json.loads(tuned(capsys, "--budget", "8", "--json"))
    assert (found["dev"], found["holdout"], found["doubts"], found["warnings"]) == (24, 24, [], [])
    present, *others = found["trials"]
    assert present["changes"] == {}
    assert present["value"] < 0.85
    best = max(others, key=lambda trial: trial["value"])
    assert best["value"] > present["value"] + 0.1
    assert found["changes"]["dense_weight"] < 10
    comparison = found["comparison"]
    assert (comparison["metric"], comparison["n"]) == ("ndcg", 24)
    assert comparison["low"] > 0.05
    assert comparison["p"] < 0.01
    shown = found["figures"]
    apart = shown["proposed"]["value"] - shown["present"]["value"]
    assert comparison["difference"] == pytest.approx(apart)
    weight = found["changes"]["dense_weight"]
    assert f"RAG_DENSE_WEIGHT={weight}" in found["recommended"]
    assert len(found["trials"]) <= 8


def test_the_settings_to_use_are_printed_and_the_same_each_time(tmp_path, capsys):
    write_set(tmp_path)
    told = tuned(capsys, "--budget", "3")
    assert told == tuned(capsys, "--budget", "3")
    assert "ndcg on 24 cases of dev, 2 settings tried:" in told
    assert "on 24 cases of holdout:\n  present   0." in told
    assert told.endswith(
        "Holdout shows that these settings are better:\n"
        "RAG_DENSE_WEIGHT=0.0\nRAG_LEXICAL_WEIGHT=1.0\n"
    )


def test_what_is_better_on_dev_alone_is_not_recommended(tmp_path, capsys):
    write_set(tmp_path, holdout=BY_THING)
    told = tuned(capsys, "--budget", "3")
    assert "No change is recommended.\nThe interval of the difference on holdout, [" in told
    assert "RAG_DENSE_WEIGHT=0.0 RAG_LEXICAL_WEIGHT=1.0" in told.partition("holdout:")[0]
    assert "RAG_" not in told.partition("holdout:")[2]


def test_four_cases_are_too_few_to_recommend_anything(tmp_path, capsys):
    write_set(tmp_path, each=4)
    told = tuned(capsys, "--budget", "3")
    for split in ("dev", "holdout"):
        assert f"warning: The split {split} has 4 approved cases with an answer" in told
    assert "No change is recommended.\nHoldout has the score of 4 cases; fewer than 20" in told
    assert "RAG_" not in told.partition("holdout:")[2]


def test_the_best_settings_stay_as_they_are(tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("RAG_DENSE_WEIGHT", "0")
    monkeypatch.setenv("RAG_LEXICAL_WEIGHT", "1")
    write_set(tmp_path)
    found = json.loads(tuned(capsys, "--budget", "6", "--json"))
    assert (found["changes"], found["recommended"], found["comparison"]) == ({}, [], None)
    assert found["doubts"] == ["No settings were found that are better on dev."]


@pytest.mark.parametrize("split", ["dev", "holdout"])
def test_without_a_split_there_is_nothing_to_tune_by(tmp_path, split, capsys):
    write_set(tmp_path)
    lines = (tmp_path / "cases.jsonl").read_text().splitlines()
    kept = [line for line in lines if f'"split": "{split}"' not in line]
    (tmp_path / "cases.jsonl").write_text("\n".join(kept))
    assert main(["tune", "cases.jsonl", "--documents", "documents"]) == 2
    assert f"No case of the split {split} is approved" in capsys.readouterr().err


def test_other_documents_than_those_of_the_cases_measure_nothing(tmp_path, capsys):
    write_set(tmp_path)
    document = tmp_path / "documents" / "lockers.md"
    document.rename(document.with_name("other.md"))
    document.with_name("other.md").write_text("Nothing of it.")
    assert main(["tune", "cases.jsonl", "--documents", "documents"]) == 2
    told = capsys.readouterr().err
    assert "could be scored: Not among the documents: lockers.md." in told


OWN = Point(900, 150, "rrf", None, None, 4)


def test_the_search_goes_from_coarse_to_fine_steps_of_each_setting():
    def objective(point):
        near = -abs(point.chunk_size - 470) / 900 - abs(point.top_k - 6) / 10
        return near + (point.fusion == "minmax") - abs((point.dense_weight or 3) - 0.5)

    search = Search(OWN, objective, 60)
    assert search.best() == Point(450, 80, "minmax", 0.5, 1.0, 6)
    assert next(iter(search.tried)) == OWN


def test_the_search_keeps_its_budget_and_looks_at_no_point_twice():
    asked = []

    def objective(point):
        asked.append(point)
        return len(asked) / 1000  # each new point is better

    for budget in (2, 5, 9, 30):
        asked.clear()
        Search(OWN, objective, budget).best()
        assert len(asked) == len(set(asked)) <= budget


def test_trials_of_one_index_follow_each_other():
    asked = []

    def objective(point):
        asked.append(point.chunking)
        return -abs(point.chunk_size - 600) / 900

    Search(OWN, objective, 40).best()
    changes = sum(a != b for a, b in pairwise(asked))
    assert changes <= 2 * len(set(asked))


def test_the_search_ends_where_nothing_can_be_better():
    search = Search(OWN, lambda point: 1.0 if point.fusion == "rank" else 0.5, 60)
    assert search.best() == OWN._replace(fusion="rank")
    assert len(search.tried) == 7  # the first one, five weights, one fusion


def test_a_change_that_gains_next_to_nothing_is_taken_back():
    def objective(point):
        return (point.fusion == "rank") * 0.1 + (point.top_k == 8) * LEAST_GAIN / 2

    assert Search(OWN, objective, 60).best() == OWN._replace(fusion="rank")


def test_settings_that_cannot_be_compared_are_not_chosen():
    def objective(point):
        return None if point.fusion == "rank" else 0.5

    assert Search(OWN, objective, 60).best() == OWN
    with pytest.raises(ValueError, match="no value"):
        Search(OWN, lambda point: None, 60).best()


def test_fine_steps_stay_within_what_the_settings_allow():
    from local_rag.settings import load_settings

    def objective(point):
        load_settings(**point._asdict())
        return point.chunk_size / 80_000 - point.chunk_overlap / 10_000

    Search(Point(5000, 2000, "rrf", 4.0, 1.0, 9), objective, 200).best()
    Search(Point(300, 140, "rrf", 4.0, 1.0, 1), lambda p: -objective(p), 200).best()


BETTER = Comparison("ndcg", "proposed", "present", 0.1, 0.05, 0.15, 0.001, 30)
VARIANTS = tuple(VariantResult(name, {}, (), {}, {}, {}) for name in ("present", "proposed"))


def doubts(*comparisons):
    return _doubts(Run("", {}, {}, VARIANTS, comparisons), comparisons[0])


def test_a_clear_difference_leaves_no_doubt():
    assert doubts(BETTER) == []


def test_each_doubt_is_said():
    assert "30" not in doubts(replace(BETTER, n=19))[0]
    assert doubts(replace(BETTER, n=19))[0].startswith("Holdout has the score of 19 cases;")
    assert "includes 0" in doubts(replace(BETTER, low=0.0))[0]
    assert doubts(replace(BETTER, low=-0.2, high=-0.1))[0] == (
        "On holdout the present settings are better."
    )
    assert doubts(replace(BETTER, p=0.05)) == [
        "A difference as large comes by chance too: p = 0.050."
    ]


def test_another_score_that_gets_worse_is_a_doubt():
    lower = replace(BETTER, metric="fact_coverage", difference=-0.1, low=-0.2, high=-0.05)
    assert doubts(BETTER, lower)[0].startswith("fact_coverage gets worse on holdout: -0.100")
    refusals = replace(BETTER, metric="false_abstention")
    assert doubts(BETTER, refusals)[0].startswith("false_abstention gets worse")
    assert doubts(BETTER, replace(lower, metric="false_abstention")) == []


def test_the_library_is_tuned_and_left_as_it_is(tmp_path, monkeypatch, capsys):
    from local_rag.beside import open_catalog
    from local_rag.cli.main import main as program
    from local_rag.evaluation import tune_search
    from local_rag.settings import load_settings

    monkeypatch.setattr(tune_search, "MOST", 2.0)
    write_set(tmp_path, each=4)
    assert program(["add", "documents"]) == 0
    with open_catalog(load_settings()) as catalog:
        before = catalog.documents()
    capsys.readouterr()
    assert main(["tune", "cases.jsonl", "--budget", "16", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert {trial["changes"].get("chunk_size") for trial in found["trials"]} >= {None, 300, 600}
    assert all(trial["value"] is not None for trial in found["trials"])
    with open_catalog(load_settings()) as catalog:
        assert catalog.documents() == before
