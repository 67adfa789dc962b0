"""What a run of golden cases found, and its form as JSON.

A value that could not be measured is absent, with the reason beside it; it is never 0.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import Any

from local_rag.errors import InvalidRequest

METRICS = (
    "hit",
    "mrr",
    "ndcg",
    "recall",
    "coverage",
    "citation_precision",
    "claim_support",
    "fact_coverage",
    "abstention",
    "false_abstention",
)
"""The names of the scores of a case, each in [0, 1]; ``false_abstention`` alone is better low."""


@dataclass(frozen=True, slots=True)
class FoundPassage:
    """A passage of the ranking.

    Attributes:
        rank: from 1.
        groups: the groups of expected evidence that it proves.
    """

    rank: int
    document_id: str
    source: str
    page: int | None
    text: str
    groups: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class CitedPassage:
    """A citation of the answer: its number, the words that it marks, the passage around them."""

    number: int
    document_id: str
    source: str
    page: int | None
    quote: str
    text: str


@dataclass(frozen=True, slots=True)
class CaseResult:
    """What came of one case in one variant.

    Attributes:
        failure: why there is no answer; empty where there is one. A failed case has no score.
        scores: by the names of ``METRICS``; those that do not apply to the case are absent.
        unscored: why a score that applies could not be had, by its name.
        review_status: of the case; only what is ``approved_gold`` counts in figures and gates.
        timings_ms: milliseconds of each stage, and ``total``.
        tokens: of the prompt and of the reply, where a model told them.
    """

    case_id: str
    question: str
    question_type: str
    split: str
    answerable: bool
    reference_answer: str
    failure: str = ""
    answer: str = ""
    refused: bool = False
    unsupported_parts: tuple[str, ...] = ()
    writer: str = ""
    contexts: tuple[str, ...] = ()
    found: tuple[FoundPassage, ...] = ()
    cited: tuple[CitedPassage, ...] = ()
    scores: dict[str, float] = field(default_factory=dict)
    unscored: dict[str, str] = field(default_factory=dict)
    timings_ms: dict[str, float] = field(default_factory=dict)
    tokens: dict[str, int] = field(default_factory=dict)
    review_status: str = "approved_gold"


@dataclass(frozen=True, slots=True)
class Figure:
    """The mean of a score over the cases that have it.

    Attributes:
        value: ``None`` where no case has it.
        low, high: the 95 % confidence interval by bootstrap over cases.
        n: cases that have the score. of: cases to which it applies, the failed ones among them.
    """

    value: float | None
    low: float | None
    high: float | None
    n: int
    of: int


@dataclass(frozen=True, slots=True)
class Comparison:
    """One variant against another on the cases that both have a score of.

    Attributes:
        difference: mean of ``variant`` minus mean of ``against``.
        p: two-sided, by a paired permutation test.
    """

    metric: str
    variant: str
    against: str
    difference: float
    low: float
    high: float
    p: float
    n: int


@dataclass(frozen=True, slots=True)
class GateResult:
    """Whether a figure keeps its gate.

    Attributes:
        kind: ``bound``: against a number; ``regression``: against a baseline.
        kept: a figure that could not be measured keeps none.
        told: the outcome in words.
    """

    metric: str
    variant: str
    kind: str
    kept: bool
    told: str


@dataclass(frozen=True, slots=True)
class VariantResult:
    """All cases under one set of settings.

    Attributes:
        settings: what differs from the program's own settings, by name.
        by_type: figures for each type of question.
        latency_ms: for each stage ``p50`` and ``p95``, milliseconds.
        not_approved: figures of the cases that are not approved, where those were run: for
            whoever works on them, never for a release.
    """

    name: str
    settings: dict[str, Any]
    results: tuple[CaseResult, ...]
    figures: dict[str, Figure]
    by_type: dict[str, dict[str, Figure]]
    latency_ms: dict[str, dict[str, float]]
    not_approved: dict[str, Figure] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Run:
    """A run, whole.

    Attributes:
        begun_at: UTC, ISO 8601.
        program: version and settings of what was measured.
        data_set: name, version, SHA-256 and number of cases of the golden set.
    """

    begun_at: str
    program: dict[str, Any]
    data_set: dict[str, Any]
    variants: tuple[VariantResult, ...]
    comparisons: tuple[Comparison, ...] = ()
    gates: tuple[GateResult, ...] = ()
    format: int = 1

    def to_json(self) -> dict[str, Any]:
        """As plain values for ``json.dumps``."""
        return asdict(self)


def run_from_json(row: Any) -> Run:
    """The run that ``Run.to_json`` gave.

    Raises:
        InvalidRequest: it is none, or of a form that this version does not know.
    """
    try:
        if row["format"] != 1:
            raise InvalidRequest(
                f"The run has the form {row['format']!r}, not 1.",
                fix="Make it anew with this version of the program.",
            )
        return Run(
            begun_at=row["begun_at"],
            program=dict(row["program"]),
            data_set=dict(row["data_set"]),
            variants=tuple(map(_variant_of, row["variants"])),
            comparisons=tuple(Comparison(**one) for one in row["comparisons"]),
            gates=tuple(GateResult(**one) for one in row["gates"]),
        )
    except (KeyError, TypeError, AttributeError) as exc:
        raise InvalidRequest(
            "It is no run of an evaluation.", fix="Name a file that --out has written."
        ) from exc


def case_result_of(row: dict[str, Any]) -> CaseResult:
    """The result of a case from its form as JSON. Raises KeyError or TypeError where it is none."""
    lists = {
        "found": tuple(
            FoundPassage(**{**one, "groups": tuple(one["groups"])}) for one in row["found"]
        ),
        "cited": tuple(CitedPassage(**one) for one in row["cited"]),
        "contexts": tuple(row["contexts"]),
        "unsupported_parts": tuple(row["unsupported_parts"]),
    }
    return CaseResult(**{**row, **lists})


def _variant_of(row: dict[str, Any]) -> VariantResult:
    return VariantResult(
        name=row["name"],
        settings=dict(row["settings"]),
        results=tuple(map(case_result_of, row["results"])),
        figures=_figures_of(row["figures"]),
        by_type={kind: _figures_of(figures) for kind, figures in row["by_type"].items()},
        latency_ms=dict(row["latency_ms"]),
        not_approved=_figures_of(row.get("not_approved", {})),
    )


def _figures_of(row: dict[str, Any]) -> dict[str, Figure]:
    return {name: Figure(**figure) for name, figure in row.items()}
