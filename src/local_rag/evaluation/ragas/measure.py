"""Judges samples by metrics. A sample without a score stays in the report, with the reason."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from local_rag.errors import Cancelled, LocalRagError
from local_rag.evaluation.ragas.task import WrongReply

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from local_rag.evaluation.ragas.samples import Sample

METRICS = ("faithfulness", "context_precision", "context_recall", "factual_correctness")
"""The names of the metrics, in the order of the report."""

_GIVE_UP_AFTER = 3
"""Cases in a row of which the judge's server answered nothing."""

Part = Literal["answer", "contexts", "reference"]


@dataclass(frozen=True, slots=True)
class Metric:
    """How a sample is scored.

    Attributes:
        score: the score, in [0, 1]; anything else counts as none. Raises WrongReply,
            LocalRagError, ValueError, TypeError, LookupError or ArithmeticError.
        needs: the parts of a sample without which there is nothing to score.
    """

    score: Callable[[Sample], float]
    needs: tuple[Part, ...]


@dataclass(frozen=True, slots=True)
class Missing:
    """A sample without a score.

    Attributes:
        code: ``no-answer``, ``no-contexts``, ``no-reference``, ``judge-reply``, ``no-score``,
            ``not-asked``, or the code of the error of the judge's server.
        reason: in words; holds no text of a document and none of the judge's.
    """

    case_id: str
    code: str
    reason: str


@dataclass(frozen=True, slots=True)
class MetricFigure:
    """One metric over all samples.

    Attributes:
        mean: over the scored samples alone; ``None`` where there is none.
        scores: by case. Each sample is either here or in ``missing``.
    """

    mean: float | None
    n: int
    of: int
    scores: dict[str, float]
    missing: tuple[Missing, ...]


def measured(
    samples: Sequence[Sample],
    metrics: Mapping[str, Metric],
    on_case: Callable[[int], None] = lambda _: None,
) -> dict[str, MetricFigure]:
    """The figures by metric.

    After three cases in a row of which the judge's server answered nothing, it is asked no more.

    Args:
        on_case: told after each case how many are done.

    Raises:
        Cancelled: the judge was stopped.
    """
    outcomes: dict[str, list[float | Missing]] = {name: [] for name in metrics}
    silent_cases = 0
    for done, sample in enumerate(samples, 1):
        given_up = silent_cases >= _GIVE_UP_AFTER
        asked = silent = 0
        for name, metric in metrics.items():
            outcome: float | Missing | LocalRagError | None = _absent(sample, metric.needs)
            if outcome is None and given_up:
                reason = f"not asked: the judge's server failed in {_GIVE_UP_AFTER} cases in a row"
                outcome = Missing(sample.case_id, "not-asked", reason)
            elif outcome is None:
                outcome = _outcome(sample, metric)
                asked += 1
                silent += isinstance(outcome, LocalRagError)
            if isinstance(outcome, LocalRagError):
                outcome = Missing(sample.case_id, outcome.code, outcome.message)
            outcomes[name].append(outcome)
        if asked:
            silent_cases = silent_cases + 1 if silent == asked else 0
        on_case(done)
    return {name: _figure(samples, found) for name, found in outcomes.items()}


def _absent(sample: Sample, needs: Sequence[Part]) -> Missing | None:
    for part in needs:
        value: str | tuple[str, ...] = getattr(sample, part)
        if any(text.strip() for text in ([value] if isinstance(value, str) else value)):
            continue
        noun = {"answer": "answer", "contexts": "passage", "reference": "reference answer"}[part]
        reason = f"the case has no {noun}"
        if part == "answer" and sample.no_answer:
            reason += f": {sample.no_answer}"
        return Missing(sample.case_id, f"no-{part}", reason)
    return None


def _outcome(sample: Sample, metric: Metric) -> float | Missing | LocalRagError:
    try:
        value = metric.score(sample)
    except Cancelled:
        raise
    except LocalRagError as error:
        return error
    except WrongReply as wrong:
        return Missing(sample.case_id, "judge-reply", str(wrong))
    except (ValueError, TypeError, LookupError, ArithmeticError) as error:
        reason = f"ragas could not score the case ({type(error).__name__})"
        return Missing(sample.case_id, "no-score", reason)
    if not 0 <= value <= 1:  # not a number fails this too
        return Missing(sample.case_id, "no-score", "ragas gave no number between 0 and 1")
    return value


def _figure(samples: Sequence[Sample], outcomes: Sequence[float | Missing]) -> MetricFigure:
    scores = {
        sample.case_id: outcome
        for sample, outcome in zip(samples, outcomes, strict=True)
        if not isinstance(outcome, Missing)
    }
    return MetricFigure(
        mean=sum(scores.values()) / len(scores) if scores else None,
        n=len(scores),
        of=len(samples),
        scores=scores,
        missing=tuple(one for one in outcomes if isinstance(one, Missing)),
    )
