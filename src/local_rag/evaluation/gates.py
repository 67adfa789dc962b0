"""What a release must keep: bounds of figures, and no fall against an earlier run."""

from __future__ import annotations

import json
import tomllib
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from local_rag.errors import InvalidRequest
from local_rag.evaluation.results import METRICS, GateResult
from local_rag.evaluation.statistics import interval, paired, sign_flip_p

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from local_rag.evaluation.results import Figure, Run, VariantResult

BETTER_LOW = frozenset(["false_abstention"])
FAILED = "failed"
DEFAULT_BOUNDS: dict[str, float] = {
    "hit": 0.85,
    "mrr": 0.70,
    "ndcg": 0.70,
    "recall": 0.90,
    "coverage": 0.85,
    "citation_precision": 0.90,
    "claim_support": 0.90,
    "fact_coverage": 0.90,
    "abstention": 0.90,
    "false_abstention": 0.10,
}


@dataclass(frozen=True, slots=True)
class Gates:
    """What must be kept.

    Attributes:
        bounds: by metric, the least mean, or the most where less is better.
        failed: how many cases may fail.
        tolerance: how far a mean may fall below a baseline's, on the same cases.
        p: a smaller fall is a regression too where chance gives it less often than this.
    """

    bounds: Mapping[str, float] = field(default_factory=lambda: DEFAULT_BOUNDS)
    failed: int = 0
    tolerance: float = 0.05
    p: float = 0.05


def read_gates(path: Path) -> Gates:
    """The gates of a JSON or TOML file: metrics, ``failed``, ``tolerance`` and ``p``, by name.

    What is not named keeps its default; a metric that is ``false`` has no gate.

    Raises:
        InvalidRequest: it cannot be read, or names what is no gate.
    """
    try:
        text = path.read_text("utf-8-sig")
        rows = tomllib.loads(text) if path.suffix.casefold() == ".toml" else json.loads(text)
    except (OSError, ValueError, RecursionError) as exc:
        raise InvalidRequest(
            f"{path.name} cannot be read as a file of gates.", fix="Name a JSON or TOML file."
        ) from exc
    if not isinstance(rows, dict):
        raise InvalidRequest(f"{path.name} is no object of gates.", fix="Write metric and bound.")
    return _gates_of(rows)


def _gates_of(rows: dict[str, Any]) -> Gates:
    bounds = dict(DEFAULT_BOUNDS)
    others: dict[str, Any] = {}
    for name, value in rows.items():
        if name in METRICS and value is False:
            bounds.pop(name, None)
        elif name == FAILED and not _is_count(value):
            raise InvalidRequest(
                f"The gate {name!r} is {value!r}.", fix="Give a number of cases, from 0."
            )
        elif name != FAILED and not (_is_number(value) and 0 <= value <= 1):
            raise InvalidRequest(
                f"The gate {name!r} is {value!r}.", fix="Give a number from 0 to 1, or false."
            )
        elif name in METRICS:
            bounds[name] = float(value)
        elif name == FAILED:
            others[name] = int(value)
        elif name in ("tolerance", "p"):
            others[name] = float(value)
        else:
            known = ", ".join((*METRICS, FAILED, "tolerance", "p"))
            raise InvalidRequest(f"There is no gate {name!r}.", fix=f"Known are: {known}.")
    return Gates(bounds, **others)


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _is_count(value: Any) -> bool:
    whole = isinstance(value, int) or (isinstance(value, float) and value.is_integer())
    return whole and not isinstance(value, bool) and value >= 0


def bounds_kept(variant: VariantResult, gates: Gates) -> list[GateResult]:
    """Whether a variant keeps the bounds; a metric that applies to no case has none."""
    count = len(_failed(variant))
    told = f"{count} failed, at most {gates.failed}"
    kept = [GateResult(FAILED, variant.name, "bound", count <= gates.failed, told)]
    for name, bound in gates.bounds.items():
        figure = variant.figures.get(name)
        if figure is not None:
            kept.append(_bound_kept(name, variant.name, figure, bound))
    return kept


def _bound_kept(name: str, variant: str, figure: Figure, bound: float) -> GateResult:
    low = name in BETTER_LOW
    words = f"at {'most' if low else 'least'} {bound:g}"
    if figure.value is None:
        told = f"not measured in any of {figure.of} cases, {words}"
        return GateResult(name, variant, "bound", kept=False, told=told)
    kept = figure.value <= bound + _EPSILON if low else figure.value >= bound - _EPSILON
    missing = f", {figure.of - figure.n} without it" if figure.n < figure.of else ""
    told = f"{figure.value:.3f} of {figure.n} cases{missing}, {words}"
    return GateResult(name, variant, "bound", kept, told)


_EPSILON = 1e-9


def baseline_kept(run: Run, baseline: Run, gates: Gates) -> list[GateResult]:
    """Whether each variant is no worse than in an earlier run.

    It is held against the variant of its name there, else against the first.

    Raises:
        InvalidRequest: the runs share no approved case.
    """
    by_name = {one.name: one for one in baseline.variants}
    return [
        result
        for variant in run.variants
        for result in _not_worse(variant, by_name.get(variant.name, baseline.variants[0]), gates)
    ]


def _not_worse(variant: VariantResult, before: VariantResult, gates: Gates) -> list[GateResult]:
    ours = {one.case_id for one in variant.results}
    shared = ours & {one.case_id for one in before.results if one.review_status == "approved_gold"}
    if not shared:
        raise InvalidRequest(
            "The baseline has no approved case in common with this run.",
            fix="Name a baseline that was made with this set.",
        )
    newly = sorted((_failed(variant) & shared) - _failed(before))
    told = f"newly failed: {', '.join(newly) or 'none'}"
    results = [GateResult(FAILED, variant.name, "regression", not newly, told)]
    return results + [one for name in METRICS for one in _metric(name, variant, before, gates)]


def _metric(
    name: str, variant: VariantResult, before: VariantResult, gates: Gates
) -> Iterator[GateResult]:
    had = before.figures.get(name)
    if had is None or had.value is None:
        return
    pairs = paired(name, variant, before)
    if not pairs.differences:
        told = "measured in the baseline, not measured now"
        yield GateResult(name, variant.name, "regression", kept=False, told=told)
        return
    worse = pairs.mean if name in BETTER_LOW else -pairs.mean
    p = sign_flip_p(pairs.differences)
    kept = worse <= gates.tolerance + _EPSILON and not (worse > _EPSILON and p < gates.p)
    low, high = interval(pairs.differences) or (pairs.mean, pairs.mean)
    told = (
        f"{pairs.mean:+.3f} [{low:+.3f}, {high:+.3f}] on {len(pairs.differences)} cases, "
        f"p = {p:.3f}"
    )
    yield GateResult(name, variant.name, "regression", kept, told)


def _failed(variant: VariantResult) -> set[str]:
    return {
        one.case_id
        for one in variant.results
        if one.failure and one.review_status == "approved_gold"
    }
