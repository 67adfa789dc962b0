"""A run of golden cases finds what was broken on purpose, and finds nothing where nothing was."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

import pytest
from golden_set import write_set

from local_rag.adapters.minilm import MiniLmEmbedder
from local_rag.cli.evaluate.main import main
from local_rag.retrieve import hybrid
from local_rag.usecases import answer

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture(scope="module")
def baseline(tmp_path_factory) -> Path:
    """The folder of a set, its documents, and a run of it that keeps all gates."""
    folder = tmp_path_factory.mktemp("golden")
    write_set(folder)
    assert _run(folder, "--out", str(folder / "run.json")) == 0
    return folder


@pytest.fixture(autouse=True)
def _own_settings(monkeypatch, tmp_path_factory):
    monkeypatch.setenv("RAG_DATA_DIR", str(tmp_path_factory.getbasetemp() / "models"))
    monkeypatch.setenv("RAG_CHAT_PROVIDER", "extractive")


def _run(folder: Path, *more: str) -> int:
    documents, cases = folder / "documents", folder / "cases.jsonl"
    return main([str(cases), "--documents", str(documents), "--quiet", *more])


def _missed(folder: Path, *more: str) -> set[tuple[str, str]]:
    """Metric and kind of the gates that are missed; the exit status must agree."""
    out = folder / "broken.json"
    status = _run(folder, "--baseline", str(folder / "run.json"), "--out", str(out), *more)
    gates = json.loads(out.read_text())["gates"]
    missed = {(one["metric"], one["kind"]) for one in gates if not one["kept"]}
    assert status == (1 if missed else 0)
    return missed


@pytest.mark.parametrize("_time", range(5))
def test_an_unchanged_program_passes_five_times(baseline, _time):
    assert _missed(baseline) == set()


def test_too_few_passages_are_found_out(baseline):
    missed = _missed(baseline, "--variant", "one:top_k=1")
    assert {("recall", "regression"), ("coverage", "regression")} <= missed


def test_a_broken_tokenizer_of_the_words_is_found_out(baseline, monkeypatch):
    real = hybrid.query_terms

    def reversed_terms(*arguments):
        return {term[::-1]: weight for term, weight in real(*arguments).items()}

    monkeypatch.setattr(hybrid, "query_terms", reversed_terms)
    assert ("ndcg", "regression") in _missed(baseline)


def test_a_broken_embedding_is_found_out(baseline, monkeypatch):
    real = MiniLmEmbedder.embed_query
    monkeypatch.setattr(MiniLmEmbedder, "embed_query", lambda self, text: real(self, text[::-1]))
    assert ("ndcg", "regression") in _missed(baseline)


def test_citations_that_changed_places_are_found_out(baseline, monkeypatch):
    real = answer.number_citations

    def shifted(*arguments):
        text, citations = real(*arguments)
        count = len(citations)
        return re.sub(r"\[(\d+)\]", lambda m: f"[{int(m[1]) % count + 1}]", text), citations

    monkeypatch.setattr(answer, "number_citations", shifted)
    missed = _missed(baseline)
    assert ("citation_precision", "regression") in missed or (
        "citation_precision",
        "bound",
    ) in missed


def test_claims_without_their_not_are_found_out(baseline, monkeypatch):
    real = answer.number_citations

    def undenied(*arguments):
        text, citations = real(*arguments)
        return text.replace(" not ", " "), citations

    monkeypatch.setattr(answer, "number_citations", undenied)
    missed = _missed(baseline)
    for metric in ("citation_precision", "claim_support", "fact_coverage"):
        assert {(metric, "bound"), (metric, "regression")} & missed, metric
