"""A run of golden cases as one HTML file that holds everything it shows and runs nothing."""

from __future__ import annotations

import json
import math
from collections import Counter
from typing import TYPE_CHECKING, Any

from local_rag.evaluation.report_cases import Pictures, case_html, faulty
from local_rag.evaluation.report_plots import SCALE, difference, durations, interval, rows
from local_rag.evaluation.report_style import STYLE
from local_rag.evaluation.report_words import LABELS, figure_words, label, number, outcome
from local_rag.export.escaped import escaped_line
from local_rag.export.html import POLICY

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from local_rag.evaluation.results import Comparison, GateResult, Run, VariantResult

_TITLE = "Evaluation report"
_LONGEST_VALUE_CHARS = 300
_HOW_FIGURES_ARE_DRAWN = (
    '<p class="note">The dot is the mean over the cases that have the score, the band its 95 % '
    "confidence interval; behind it stand the cases that have the score, of those that should.</p>"
)


def html_report(run: Run, page_image: Callable[[str, int], bytes] | None) -> str:
    """The whole file.

    Args:
        page_image: the PNG bytes of a document's page, by the document's id and the page's number
            from 1; may raise. ``None``: no pages are shown. At most 24 pages of 12 MB in all are.
    """
    pictures = Pictures(page_image)
    sections = [
        ("measured", "What was measured", _head(run)),
        ("gates", "Gates", _gates(run.gates)),
        ("figures", "Figures", _figures(run)),
        ("comparisons", "Comparisons", _comparisons(run.comparisons)),
        ("types", "Types of question", _types(run)),
        ("latency", "Latency", _latency(run)),
        ("cases", "Cases with a fault", _cases(run, pictures)),
    ]
    links = "\n".join(f'<li><a href="#{name}">{title}</a></li>' for name, title, _ in sections)
    body = "\n".join(
        f'<section id="{name}">\n<h2>{title}</h2>\n{content}\n</section>'
        for name, title, content in sections
    )
    return f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{POLICY}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>{_TITLE}</title>
<style>{STYLE}</style>
</head>
<body>
<main>
<h1>{_TITLE}</h1>
{_verdict(run.gates)}
<nav aria-label="Parts of the report"><ul>
{links}
</ul></nav>
{body}
</main>
</body>
</html>
"""


def _verdict(gates: Iterable[GateResult]) -> str:
    kept = [gate.kept for gate in gates]
    if not kept:
        return '<p class="verdict">No gates were set.</p>'
    if all(kept):
        return f'<p class="verdict kept">✓ All {len(kept)} gates are kept.</p>'
    return f'<p class="verdict missed">✗ {kept.count(False)} of {len(kept)} gates are missed.</p>'


def _head(run: Run) -> str:
    program = {n: value for n, value in run.program.items() if n != "settings" and value != {}}
    facts = [("Begun", run.begun_at), *_flat("Program", program)]
    facts += _flat("Golden set", run.data_set)
    columns = (
        "Variant", "Settings", "Answered by", "Cases", "Failed", "Scores not measured",
        "With a fault", "Tokens",
    )  # fmt: skip
    settings = _list(_flat("", run.program.get("settings") or {}))
    return (
        _list(facts)
        + _table("Variants", columns, [_counts(variant) for variant in run.variants])
        + f"<details><summary>Settings of the program</summary>\n{settings}</details>\n"
    )


def _list(facts: Iterable[tuple[str, str]]) -> str:
    told = "\n".join(
        f'<dt>{escaped_line(name)}</dt><dd dir="auto">{escaped_line(value)}</dd>'
        for name, value in facts
    )
    return f"<dl>\n{told}\n</dl>\n"


def _counts(variant: VariantResult) -> list[str]:
    total = len(variant.results)
    failed = sum(bool(result.failure) for result in variant.results)
    unscored = sum(len(result.unscored) for result in variant.results)
    settings = ", ".join(f"{name}: {_value(value)}" for name, value in variant.settings.items())
    return [
        f"<bdi>{escaped_line(variant.name)}</bdi>",
        escaped_line(settings) or "the program's own",
        escaped_line(_writers(variant)),
        str(total),
        f"{failed} of {total}",
        str(unscored),
        f"{len(faulty(variant))} of {total}",
        escaped_line(_tokens(variant)),
    ]


def _writers(variant: VariantResult) -> str:
    counted = Counter(result.writer for result in variant.results if result.writer)
    return ", ".join(f"{writer} ({count})" for writer, count in counted.most_common()) or "nothing"


def _tokens(variant: VariantResult) -> str:
    counted = [result.tokens for result in variant.results if result.tokens]
    if not counted:
        return "none counted"
    kinds = dict.fromkeys(kind for tokens in counted for kind in tokens)
    sums = (f"{kind} {sum(tokens.get(kind, 0) for tokens in counted):,}" for kind in kinds)
    return f"{', '.join(sums)} ({len(counted)} of {len(variant.results)} cases)"


def _gates(gates: Iterable[GateResult]) -> str:
    lines = [
        [
            '<strong class="kept">✓ kept</strong>'
            if gate.kept
            else '<strong class="missed">✗ missed</strong>',
            escaped_line(label(gate.metric)),
            f"<bdi>{escaped_line(gate.variant)}</bdi>",
            escaped_line(gate.kind),
            escaped_line(gate.told),
        ]
        for gate in sorted(gates, key=lambda gate: gate.kept)
    ]
    if not lines:
        return "<p>No gates were set.</p>"
    return _table("Gates", ("", "Metric", "Variant", "Kind", "Outcome"), lines)


def _figures(run: Run) -> str:
    metrics = _metrics(variant.figures for variant in run.variants)
    parts = [_HOW_FIGURES_ARE_DRAWN]
    for metric in metrics:
        explained = LABELS[metric][1] if metric in LABELS else ""
        named = [(v.name, v.figures[metric]) for v in run.variants if metric in v.figures]
        parts.append(
            f'<h3>{escaped_line(label(metric))} <span class="explained">{explained}</span></h3>\n'
            f"{rows(named)}\n{SCALE}"
        )
    return "\n".join(parts)


def _comparisons(comparisons: Iterable[Comparison]) -> str:
    shown = list(comparisons)
    if not shown:
        return "<p>Nothing was compared.</p>"
    sizes = [abs(x) for one in shown for x in (one.difference, one.low, one.high)]
    largest = max((x for x in sizes if math.isfinite(x)), default=0.0) or 1.0
    lines = [
        [
            escaped_line(label(one.metric)),
            " against ".join(f"<bdi>{escaped_line(v)}</bdi>" for v in (one.variant, one.against)),
            f"<strong>{outcome(one)}</strong>",
            f"{one.difference:+.3f}<br>({one.low:+.3f} to {one.high:+.3f})"
            + difference(one.difference, one.low, one.high, largest),
            number(one.p, 4),
            str(one.n),
        ]
        for one in shown
    ]
    heads = ("Metric", "Variants", "Shown", "Difference (95 % interval)", "p", "Cases")
    return (
        '<p class="note">On the cases that both have a score of. p is two-sided, by a paired '
        f"permutation test, and not corrected for the {len(shown)} comparisons; below 0.05 a "
        "difference counts as shown.</p>\n" + _table("Comparisons", heads, lines)
    )


def _types(run: Run) -> str:
    kinds = dict.fromkeys(kind for variant in run.variants for kind in variant.by_type)
    if not kinds:
        return "<p>None are known.</p>"
    parts = []
    for kind in kinds:
        found = [(v.name, v.by_type[kind]) for v in run.variants if kind in v.by_type]
        lines = []
        for metric in _metrics(figures for _, figures in found):
            cells = [
                f"{interval(figures[metric])}{escaped_line(figure_words(figures[metric]))}"
                if metric in figures
                else "–"
                for _, figures in found
            ]
            lines.append([escaped_line(label(metric)), *cells])
        heads = ("Metric", *(f"<bdi>{escaped_line(name)}</bdi>" for name, _ in found))
        parts.append(f"<h3>{escaped_line(kind)}</h3>\n{_table(kind, heads, lines)}")
    return "\n".join(parts)


def _latency(run: Run) -> str:
    times = [
        ms
        for variant in run.variants
        for stage in variant.latency_ms.values()
        for ms in (stage.get("p50"), stage.get("p95"))
        if ms is not None and math.isfinite(ms)
    ]
    if not times:
        return "<p>No times were taken.</p>"
    note = '<p class="note">The inner bar ends at p50, the outer one at p95.</p>\n'
    return note + "\n".join(
        f'<h3 dir="auto">{escaped_line(variant.name)}</h3>\n'
        f"{durations(variant.latency_ms, max(times))}"
        for variant in run.variants
        if variant.latency_ms
    )


def _cases(run: Run, pictures: Pictures) -> str:
    parts = []
    for i, variant in enumerate(run.variants, 1):
        wrong = faulty(variant)
        parts.append(
            f'<h3 dir="auto">{escaped_line(variant.name)}: '
            f"{len(wrong)} of {len(variant.results)}</h3>"
        )
        parts += [case_html(one, f"v{i}-c{j}", pictures) for j, one in enumerate(wrong, 1)]
    if pictures.left_out:
        parts.append(
            f'<p class="note">{pictures.left_out} more pages are not shown: they could not be '
            "drawn, or the report has no room for them.</p>"
        )
    return "\n".join(parts) or "<p>No variant was run.</p>"


def _metrics(figures: Iterable[Mapping[str, Any]]) -> list[str]:
    """Those that any has, in the order of ``LABELS``, unknown ones last."""
    found = dict.fromkeys(metric for one in figures for metric in one)
    return [m for m in LABELS if m in found] + [m for m in found if m not in LABELS]


def _table(name: str, heads: Iterable[str], lines: Iterable[Iterable[str]]) -> str:
    """A table that scrolls where it is wide; heads and cells are HTML."""
    head = "".join(f'<th scope="col">{text}</th>' for text in heads)
    body = "\n".join(
        "<tr>" + "".join(f"<td>{cell}</td>" for cell in cells) + "</tr>" for cells in lines
    )
    return (
        f'<div class="wide" role="region" tabindex="0" aria-label="{escaped_line(name)}">'
        f"<table>\n<thead><tr>{head}</tr></thead>\n<tbody>\n{body}\n</tbody></table></div>"
    )


def _flat(name: str, values: Mapping[str, Any]) -> list[tuple[str, str]]:
    """``Program version`` and its value, for each; what is nested likewise."""
    found: list[tuple[str, str]] = []
    for key, value in values.items():
        inner = f"{name} {key}".replace("_", " ").strip()
        if isinstance(value, dict) and value:
            found += _flat(inner, value)
        else:
            found.append((inner, _value(value)))
    return found


def _value(value: object) -> str:
    text = value if isinstance(value, str) else json.dumps(value, default=str, ensure_ascii=False)
    return text if len(text) <= _LONGEST_VALUE_CHARS else text[:_LONGEST_VALUE_CHARS] + " …"
