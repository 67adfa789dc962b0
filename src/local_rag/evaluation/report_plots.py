"""Plots as inline SVG, drawn in shares of their width: they stretch, the text beside them reflows.

Every plot stands beside the numbers that it shows, and is hidden from readers of the screen.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from local_rag.evaluation.report_words import figure_words, milliseconds
from local_rag.export.escaped import escaped_line

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from local_rag.evaluation.results import Figure

_QUARTERS = (0.0, 0.25, 0.5, 0.75, 1.0)
SCALE = (
    '<div class="row" aria-hidden="true"><span></span><span class="drawn scale"><span>0</span>'
    "<span>0.5</span><span>1</span></span><span></span></div>"
)


def interval(figure: Figure) -> str:
    """The value as a dot on its interval, from 0 to 1; the grid alone where it is not measured."""
    drawn = "".join(_rule(at) for at in _QUARTERS)
    low, high = _within(figure.low), _within(figure.high)
    if low is not None and high is not None:
        drawn += _bar("band", low, high, y=30, height=40)
    if (value := _within(figure.value)) is not None:
        drawn += f'<circle cx="{value:.2%}" cy="50%" r="4.5"/>'
    return _svg(drawn)


def difference(value: float, low: float, high: float, largest: float) -> str:
    """A difference on its interval around 0, which stands in the middle.

    Args:
        largest: what the plot's two ends stand for; above 0.
    """
    at = [_within(0.5 + x / largest / 2) for x in (low, high, value)]
    drawn = _rule(0.5)
    if at[0] is not None and at[1] is not None:
        drawn += _bar("band", at[0], at[1], y=30, height=40)
    if at[2] is not None:
        drawn += f'<circle cx="{at[2]:.2%}" cy="50%" r="4.5"/>'
    return _svg(drawn)


def rows(figures: Iterable[tuple[str, Figure]]) -> str:
    """A line for each named figure: name, plot, numbers."""
    return "\n".join(_row(name, interval(figure), figure_words(figure)) for name, figure in figures)


def durations(stages: Mapping[str, Mapping[str, float]], longest_ms: float) -> str:
    """A line for each stage: p50 as a bar, from there to p95 a paler one."""
    lines = []
    for stage, found in stages.items():
        p50, p95 = found.get("p50"), found.get("p95")
        middle, tail = (
            None if ms is None or longest_ms <= 0 else _within(ms / longest_ms) for ms in (p50, p95)
        )
        drawn = _bar("band", 0, tail, y=25, height=50) if tail is not None else ""
        drawn += _bar("bar", 0, middle, y=25, height=50) if middle is not None else ""
        words = f"p50 {milliseconds(p50)}, p95 {milliseconds(p95)}"
        lines.append(_row(stage, _svg(_rule(0) + drawn), words))
    return "\n".join(lines)


def _row(name: str, drawn: str, words: str) -> str:
    return (
        f'<div class="row"><bdi class="name">{escaped_line(name)}</bdi>'
        f'<span class="drawn">{drawn}</span><span class="value">{escaped_line(words)}</span></div>'
    )


def _svg(drawn: str) -> str:
    return f'<svg class="plot" aria-hidden="true" focusable="false">{drawn}</svg>'


def _rule(at: float) -> str:
    return f'<line x1="{at:.2%}" x2="{at:.2%}" y1="0" y2="100%"/>'


def _bar(name: str, start: float, end: float, *, y: int, height: int) -> str:
    return (
        f'<rect class="{name}" x="{start:.2%}" width="{max(end - start, 0.002):.2%}" '
        f'y="{y}%" height="{height}%"/>'
    )


def _within(value: float | None) -> float | None:
    if value is None or not math.isfinite(value):
        return None
    return min(max(value, 0.0), 1.0)
