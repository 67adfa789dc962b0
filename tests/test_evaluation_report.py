"""The report of a run shows what was measured, and runs nothing of what documents say."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from html.parser import HTMLParser

import pytest

from local_rag.evaluation import report_cases
from local_rag.evaluation.report import html_report
from local_rag.evaluation.report_words import faults, outcome
from local_rag.evaluation.results import (
    CaseResult,
    CitedPassage,
    Comparison,
    Figure,
    FoundPassage,
    GateResult,
    Run,
    VariantResult,
)

_HOSTILE = "<script>alert(1)</script>\"'><img src=x onerror=alert(1)>\u202e\x00&amp;"
_PNG = b"\x89PNG\r\n\x1a\n" + b"\x00" * 20
_VOID = {"meta", "img", "br", "line", "rect", "circle"}


class _Page(HTMLParser):
    """Its tags and text; fails where tags do not close in order."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: list[str] = []
        self.attributes: list[tuple[str, str]] = []
        self.words = ""
        self.feed(html)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self.attributes += [(name, value or "") for name, value in attrs]
        if tag not in _VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.tags.append(tag)
        self.attributes += [(name, value or "") for name, value in attrs]

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.words += data

    def all(self, name: str) -> list[str]:
        return [value for attribute, value in self.attributes if attribute == name]


def _found(rank: int, groups: tuple[str, ...] = (), text: str = "Some text.") -> FoundPassage:
    return FoundPassage(rank, f"d{rank}", f"file{rank}.pdf", rank, text, groups)


def _case(number: int = 1, **changes: object) -> CaseResult:
    case = CaseResult(
        case_id=f"case-{number}",
        question=f"When was tower {number} built?",
        question_type="date",
        split="dev",
        answerable=True,
        reference_answer="In 1873.",
        answer="It was built in 1874 [1].",
        writer="extractive",
        found=(_found(1), _found(2, ("year",))),
        cited=(CitedPassage(1, "d2", "file2.pdf", 2, "built in  1874", "It was built in\n1874."),),
        scores={"hit": 1.0, "mrr": 0.5, "fact_coverage": 1.0},
    )
    return replace(case, **changes)


def _variant(name: str, *results: CaseResult) -> VariantResult:
    return VariantResult(
        name=name,
        settings={"RAG_TOP_K": 1} if name != "base" else {},
        results=results,
        figures={
            "hit": Figure(0.9, 0.8, 0.96, 58, 60),
            "mrr": Figure(None, None, None, 0, 60),
        },
        by_type={"date": {"hit": Figure(0.5, 0.25, 0.75, 2, 3)}},
        latency_ms={"search": {"p50": 12.34, "p95": 80.0}, "total": {"p50": 150.0, "p95": 1234.0}},
    )


def _run(*variants: VariantResult, **changes: object) -> Run:
    run = Run(
        begun_at="2026-03-04T12:00:00Z",
        program={"version": "1.2.3", "settings": {"top_k": 6}},
        data_set={"name": "house", "version": "4", "sha256": "f" * 64, "cases": 60},
        variants=variants,
    )
    return replace(run, **changes)


def _words(html: str) -> str:
    return " ".join(_Page(html).words.split())


def test_it_says_what_was_measured_with_failed_cases_and_values_that_are_missing() -> None:
    failed = _case(2, failure="The model took too long.", scores={}, answer="")
    unscored = _case(3, unscored={"claim_support": "no judge was there"})
    html = html_report(_run(_variant("base", _case(), failed, unscored)), None)
    said = _words(html)
    for words in (
        "Program version 1.2.3",
        "Settings of the program top k 6",
        "Golden set sha256 " + "f" * 64,
        "base the program's own extractive (3) 3 1 of 3 1 2 of 3 none counted",
        "There is no answer: The model took too long.",
        "Claim support could not be measured: no judge was there",
        "0.900 (0.800 to 0.960), 58 of 60",
        "not measured, 0 of 60",
        "p50 12.3 ms, p95 80.0 ms",
        "p50 150 ms, p95 1,234 ms",
        "0.500 (0.250 to 0.750), 2 of 3",
    ):
        assert words in re.sub(r"(?<=[a-z0-9])(?=When)", " ", _spaced(html)), words
    assert "case-1" not in said  # nothing is wrong with it


def _spaced(html: str) -> str:
    """Its words, those of neighbouring elements parted."""
    return _words(re.sub(r"<", " <", html))


def test_gates_are_told_in_words_and_signs_and_missed_ones_come_first() -> None:
    gates = (
        GateResult("hit", "base", "bound", kept=True, told="0.9, at least 0.85"),
        GateResult("mrr", "base", "regression", kept=False, told="0.6, was 0.7"),
    )
    said = _spaced(html_report(_run(_variant("base"), gates=gates), None))
    assert "✗ 1 of 2 gates are missed." in said
    missed = "✗ missed MRR base regression 0.6, was 0.7"
    kept = "✓ kept Hit@k base bound 0.9, at least 0.85"
    assert said.index(missed) < said.index(kept)
    all_kept = _spaced(html_report(_run(_variant("base"), gates=gates[:1]), None))
    assert "✓ All 1 gates are kept." in all_kept
    assert "No gates were set." in _spaced(html_report(_run(_variant("base")), None))


@pytest.mark.parametrize(
    ("metric", "difference", "p", "told"),
    [
        ("hit", 0.1, 0.01, "better"),
        ("hit", -0.1, 0.01, "worse"),
        ("hit", -0.1, 0.05, "no difference shown"),
        ("hit", -0.1, float("nan"), "no difference shown"),
        ("false_abstention", 0.1, 0.01, "worse"),
        ("false_abstention", -0.1, 0.01, "better"),
    ],
)
def test_a_comparison_says_better_or_worse_only_where_it_is_shown(
    metric: str, difference: float, p: float, told: str
) -> None:
    one = Comparison(metric, "b", "a", difference, difference - 0.01, difference + 0.01, p, 50)
    assert outcome(one) == told
    said = _spaced(html_report(_run(_variant("a"), comparisons=(one,)), None))
    assert f"b against a {told} {difference:+.3f}" in said


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"scores": {"hit": 1.0, "mrr": 0.2, "ndcg": 0.3}}, []),
        ({"scores": {"hit": 0.0, "recall": 0.0}}, ["No expected passage was found."]),
        ({"scores": {"coverage": 0.5}}, ["A group of evidence was not proven"]),
        ({"scores": {"fact_coverage": 0.0}}, ["A required fact is missing"]),
        ({"scores": {"citation_precision": 0.5}}, ["A citation does not prove"]),
        ({"scores": {"claim_support": 0.5}}, ["A claim has no support"]),
        ({"scores": {"abstention": 0.0}}, ["It was answered, though"]),
        ({"scores": {"abstention": 1.0, "false_abstention": 0.0}}, []),
        ({"scores": {"false_abstention": 1.0}}, ["It was refused, though"]),
        ({"scores": {"hit": 0.0}, "failure": "gone"}, ["There is no answer: gone"]),
    ],
)
def test_what_is_wrong_with_a_case_is_told(changes: dict[str, object], told: list[str]) -> None:
    found = faults(_case(**changes))
    assert len(found) == len(told)
    assert all(fault.startswith(words) for fault, words in zip(found, told, strict=True))


def test_a_case_shows_its_answers_what_was_found_and_the_quote_marked() -> None:
    case = _case(scores={"fact_coverage": 0.0})
    html = html_report(_run(_variant("base", case)), None)
    said = _spaced(html)
    for words in ("In 1873.", "proves group year", "proves nothing", "Written by extractive."):
        assert words in said
    assert "<mark>built in\n1874</mark>." in html
    assert '<a class="citation" href="#v1-c1-s1">[1]</a>' in html
    assert 'id="v1-c1-s1"' in html


def test_a_quote_that_its_passage_does_not_hold_is_shown_beside_it() -> None:
    cited = CitedPassage(1, "d", "a.txt", None, "not there", "The passage.")
    html = html_report(_run(_variant("x", _case(cited=(cited,), scores={"hit": 0.0}))), None)
    assert "<mark>not there</mark>\nThe passage." in html


def test_texts_of_documents_are_shown_as_text_wherever_they_stand() -> None:
    case = _case(
        case_id=_HOSTILE,
        question=_HOSTILE,
        question_type=_HOSTILE,
        split=_HOSTILE,
        reference_answer=_HOSTILE,
        answer=_HOSTILE + ' [1] href="#citation-1"',
        writer=_HOSTILE,
        unsupported_parts=(_HOSTILE,),
        refused=True,
        found=(FoundPassage(1, _HOSTILE, _HOSTILE, 1, _HOSTILE, (_HOSTILE,)),),
        cited=(CitedPassage(1, _HOSTILE, _HOSTILE, 1, _HOSTILE, f"a {_HOSTILE} b"),),
        unscored={_HOSTILE: _HOSTILE},
        tokens={_HOSTILE: 3},
    )
    variant = replace(
        _variant(_HOSTILE, case, replace(case, failure=_HOSTILE)),
        settings={_HOSTILE: _HOSTILE},
        figures={_HOSTILE: Figure(0.5, 0.4, 0.6, 1, 1)},
        by_type={_HOSTILE: {_HOSTILE: Figure(0.5, None, None, 1, 1)}},
        latency_ms={_HOSTILE: {"p50": 1.0}},
    )
    run = _run(
        variant,
        begun_at=_HOSTILE,
        program={_HOSTILE: {_HOSTILE: [_HOSTILE]}},
        data_set={_HOSTILE: _HOSTILE},
        comparisons=(Comparison(_HOSTILE, _HOSTILE, _HOSTILE, 0.1, 0.0, 0.2, 0.5, 3),),
        gates=(GateResult(_HOSTILE, _HOSTILE, _HOSTILE, kept=False, told=_HOSTILE),),
    )
    html = html_report(run, lambda _id, _page: _PNG)
    page = _Page(html)
    assert not {"script", "iframe", "object", "form", "link"} & set(page.tags)
    assert not [name for name, _ in page.attributes if name.startswith("on")]
    assert page.tags.count("img") == 1
    assert all(ref.startswith("#") for ref in page.all("href"))
    assert all(ref.startswith("data:image/png;base64,") for ref in page.all("src"))
    assert "\x00" not in html
    assert "\u202e" not in html
    assert "default-src 'none'" in page.all("content")[0]
    json.dumps(html).encode("utf-8")


def test_each_link_leads_somewhere_and_no_id_stands_twice() -> None:
    case = _case(scores={"hit": 0.0})
    run = _run(_variant("a", case, case), _variant("b", case))
    page = _Page(html_report(run, lambda _id, _page: _PNG))
    ids = page.all("id")
    assert len(ids) == len(set(ids))
    assert {ref.removeprefix("#") for ref in page.all("href")} <= set(ids)
    assert page.tags.count("img") == 2  # the pages of d1 and d2, each once


@pytest.mark.parametrize(
    "png", [b"<svg onload=alert(1)>", b"", b"\x89PNG\r\n\x1a\n" + b"0" * 2_000_000]
)
def test_what_is_no_picture_or_too_large_is_left_out_and_said(png: bytes) -> None:
    run = _run(_variant("a", _case(scores={"hit": 0.0})))
    html = html_report(run, lambda _id, _page: png)
    assert "<img" not in html
    assert "2 more pages are not shown" in html


def test_a_page_that_cannot_be_drawn_does_not_end_the_report() -> None:
    def broken(document_id: str, page: int) -> bytes:
        raise RuntimeError(document_id)

    html = html_report(_run(_variant("a", _case(scores={"hit": 0.0}))), broken)
    assert "2 more pages are not shown" in html
    assert "case-1" in html


def test_pages_are_bounded_in_number(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(report_cases, "MOST_PAGES", 3)
    cases = [
        _case(i, scores={"hit": 0.0}, cited=(), found=(replace(_found(1), document_id=f"d{i}"),))
        for i in range(5)
    ]
    asked: list[str] = []

    def drawn(document_id: str, page: int) -> bytes:
        asked.append(document_id)
        return _PNG

    html = html_report(_run(_variant("a", *cases)), drawn)
    assert (html.count("<img"), asked) == (3, ["d0", "d1", "d2"])
    assert "2 more pages are not shown" in html


def test_a_run_of_nothing_is_reported_as_such() -> None:
    said = _spaced(html_report(_run(), None))
    assert "No variant was run." in said
    assert "No times were taken." in said


def test_values_that_are_no_numbers_are_not_drawn() -> None:
    nan = float("nan")
    variant = replace(
        _variant("a"),
        figures={"hit": Figure(nan, nan, nan, 0, 3)},
        latency_ms={"search": {"p50": nan, "p95": float("inf")}, "total": {"p50": 1.0}},
    )
    html = html_report(
        _run(variant, comparisons=(Comparison("hit", "a", "b", nan, nan, nan, nan, 0),)), None
    )
    assert "not measured, 0 of 3" in _spaced(html)
    assert not re.search(r'="(nan|inf)', html)
