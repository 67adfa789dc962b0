"""The words of a report: names of the metrics, numbers, and what is wrong with a case."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from local_rag.evaluation.results import CaseResult, Comparison, Figure

LABELS = {
    "hit": ("Hit@k", "share of questions with an expected passage among the first k"),
    "mrr": ("MRR", "mean of 1 / rank of the first expected passage"),
    "ndcg": ("nDCG@k", "the ranking against the best one possible"),
    "recall": ("Evidence recall", "share of the expected places among the first k"),
    "coverage": ("Evidence coverage", "share of the groups of evidence that are proven"),
    "citation_precision": ("Citation precision", "share of citations that prove their claim"),
    "claim_support": ("Claim support", "share of claims that their citations support"),
    "fact_coverage": ("Fact coverage", "share of the required facts that the answer says"),
    "abstention": ("Abstention", "share of unanswerable questions that are refused"),
    "false_abstention": (
        "False abstention",
        "share of answerable questions that are refused; less is better",
    ),
}
"""For each metric its name for readers, and what it is."""

LESS_IS_BETTER = frozenset({"false_abstention"})
NOT_MEASURED = "not measured"

_SHORT = {
    "hit": "No expected passage was found.",
    "recall": "Not every expected place was found",
    "coverage": "A group of evidence was not proven",
    "citation_precision": "A citation does not prove its claim",
    "claim_support": "A claim has no support",
    "fact_coverage": "A required fact is missing",
    "abstention": "It was answered, though the documents do not hold the answer.",
}


def label(metric: str) -> str:
    """The metric's name for readers; its own name where it is not one of ours."""
    return LABELS[metric][0] if metric in LABELS else metric


def number(value: float | None, digits: int = 3) -> str:
    """``0.873``, or ``not measured``."""
    if value is None or not math.isfinite(value):
        return NOT_MEASURED
    return f"{value:.{digits}f}"


def figure_words(figure: Figure) -> str:
    """``0.873 (0.801 to 0.942), 57 of 60``: value, interval, cases that have it of all."""
    counted = f"{figure.n} of {figure.of}"
    if figure.value is None or not math.isfinite(figure.value):
        return f"{NOT_MEASURED}, {counted}"
    if figure.low is None or figure.high is None:
        return f"{number(figure.value)} (no interval), {counted}"
    return f"{number(figure.value)} ({number(figure.low)} to {number(figure.high)}), {counted}"


def milliseconds(value: float | None) -> str:
    """``12.3 ms``, ``1,234 ms``."""
    if value is None or not math.isfinite(value):
        return NOT_MEASURED
    return f"{value:,.0f} ms" if value >= 100 else f"{value:.1f} ms"


def outcome(one: Comparison) -> str:
    """What a comparison shows at 5 %, in words."""
    if not one.p < 0.05 or one.difference == 0:
        return "no difference shown"
    better = (one.difference > 0) != (one.metric in LESS_IS_BETTER)
    return "better" if better else "worse"


def faults(result: CaseResult) -> list[str]:
    """What is wrong with a case, each in a sentence; empty where all is well.

    The rank of what was found is no fault of its own.
    """
    if result.failure:
        return [f"There is no answer: {result.failure}"]
    found = []
    for metric, words in _SHORT.items():
        score = result.scores.get(metric)
        if score is None or score >= 1:
            continue
        if metric in ("recall", "coverage") and result.scores.get("hit") == 0 and score == 0:
            continue  # said already
        found.append(words if words.endswith(".") else f"{words} ({label(metric)} {score:.2f}).")
    if result.scores.get("false_abstention", 0) > 0:
        found.append("It was refused, though the documents hold the answer.")
    found += [
        f"{label(metric)} could not be measured: {reason}"
        for metric, reason in result.unscored.items()
    ]
    return found
