"""A run as lines of text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from local_rag.evaluation.results import METRICS
from local_rag.text.names import one_visible_line

if TYPE_CHECKING:
    from collections.abc import Mapping

    from local_rag.evaluation.results import Comparison, Figure, GateResult, Run, VariantResult


def run_lines(run: Run) -> str:
    """Figures of each variant, comparisons, gates, failed cases."""
    data = run.data_set
    lines = [f"{data['cases']} cases of {data['name']}, {data['approved']} approved"]
    lines += [f"not read: {name}: {why}" for name, why in run.program.get("unread", {}).items()]
    for variant in run.variants:
        lines += ["", *_variant_lines(variant)]
    if run.comparisons:
        lines += ["", f"against {run.variants[0].name}"]
        lines += [_comparison_line(one) for one in run.comparisons]
    if run.gates:
        lines += ["", *map(_gate_line, run.gates)]
    return "\n".join(lines)


def _variant_lines(variant: VariantResult) -> list[str]:
    named = ", ".join(f"{key}={value}" for key, value in variant.settings.items())
    lines = [variant.name + (f" ({named})" if named else "")]
    lines += _figure_lines(variant.figures)
    if variant.not_approved:
        lines += ["  not approved, for no gate:", *_figure_lines(variant.not_approved)]
    times = variant.latency_ms.get("total")
    if times:
        lines.append(f"  {'answer':<19} p50 {times['p50']:.0f} ms, p95 {times['p95']:.0f} ms")
    failed = [one for one in variant.results if one.failure]
    lines += ["  " + one_visible_line(f"failed: {one.case_id}: {one.failure}") for one in failed]
    return lines


def _figure_lines(figures: Mapping[str, Figure]) -> list[str]:
    return [f"  {name:<19} {_figure(figures[name])}" for name in METRICS if name in figures]


def _figure(figure: Figure) -> str:
    of = f"{figure.n} of {figure.of} cases" if figure.n < figure.of else f"{figure.n} cases"
    if figure.value is None:
        return f"not measured ({of})"
    known = figure.low is not None and figure.high is not None
    between = f" [{figure.low:.3f}, {figure.high:.3f}]" if known else ""
    return f"{figure.value:.3f}{between} ({of})"


def _comparison_line(one: Comparison) -> str:
    return (
        f"  {one.variant}: {one.metric:<19} {one.difference:+.3f} "
        f"[{one.low:+.3f}, {one.high:+.3f}] p = {one.p:.3f} ({one.n} cases)"
    )


def _gate_line(gate: GateResult) -> str:
    word = "kept  " if gate.kept else "MISSED"
    against = "" if gate.kind == "bound" else " against the baseline"
    return f"{word} {gate.variant}: {gate.metric}{against}: {one_visible_line(gate.told)}"
