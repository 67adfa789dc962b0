"""``local-rag-eval beir``: a retrieval set in the layout of BEIR through the program's search."""

from __future__ import annotations

import argparse
import json
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from local_rag.cli.evaluate.meter import Meter
from local_rag.cli.show import counted
from local_rag.evaluation.beir import LEGS, run_beir
from local_rag.evaluation.beir_set import read_beir
from local_rag.settings import load_settings

if TYPE_CHECKING:
    from collections.abc import Sequence

    from local_rag.evaluation.beir import BeirResult
    from local_rag.evaluation.beir_set import BeirSet
    from local_rag.evaluation.results import Figure

_MOST_PASSAGES = 200


def beir(arguments: Sequence[str]) -> int:
    """Prints the figures; returns 0.

    Raises:
        LocalRagError: the set or the settings cannot be used.
    """
    options = _parser().parse_args(arguments)
    settings = load_settings()
    read = read_beir(options.folder, options.split, options.limit)
    with Meter() as meter:
        result = run_beir(settings, read, top_k=options.top_k, progress=meter.show)
    print(json.dumps(_json(read, result), indent=2) if options.json else _shown(read, result))
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="local-rag-eval beir",
        description="Measures the ranking by meaning (dense), the ranking by words (lexical) and "
        "their fusion (hybrid) on a set in the layout of BEIR, with the settings of the program, "
        "in a folder that is removed afterwards. Exit status 2: nothing could be measured.",
    )
    parser.add_argument(
        "folder", type=Path, help="holds corpus.jsonl, queries.jsonl and qrels/SPLIT.tsv"
    )
    parser.add_argument("--split", default="test", help="which judgements (default: test)")
    parser.add_argument(
        "--limit", type=_from(1, None), metavar="N", help="the first N questions only"
    )
    parser.add_argument(
        "--top-k",
        type=_from(10, _MOST_PASSAGES),
        default=25,
        metavar="K",
        help="passages that the hybrid finds, from 10 (default: 25)",
    )
    parser.add_argument("--json", action="store_true", help="print the figures as JSON")
    return parser


def _from(least: int, most: int | None) -> Any:
    def whole_number(text: str) -> int:
        value = int(text)
        if value < least or (most is not None and value > most):
            raise argparse.ArgumentTypeError(f"{value} is not from {least} to {most or 'any'}")
        return value

    return whole_number


def _json(read: BeirSet, result: BeirResult) -> dict[str, Any]:
    named = {"set": read.folder.resolve().name, "qrels": read.qrels, "notes": list(read.notes)}
    return named | asdict(result)


def _shown(read: BeirSet, result: BeirResult) -> str:
    sizes = [
        f"{result.measured} of {counted(result.questions, 'question')}",
        counted(result.documents, "document"),
        counted(result.passages, "passage"),
        f"{result.elapsed_s:.0f} s",
    ]
    lines = [f"{read.folder.resolve().name}, {read.qrels}: {', '.join(sizes)}", "", _row("", LEGS)]
    measures = list(dict.fromkeys(m for leg in LEGS for m in result.legs[leg].figures))
    for measure in measures:
        cells = [_figure(result.legs[leg].figures.get(measure)) for leg in LEGS]
        lines.append(_row(measure, cells))
    for share in ("p50", "p95"):
        cells = [f"{result.legs[leg].latency_ms[share]:.1f} ms" for leg in LEGS]
        lines.append(_row(share, cells))
    lines += ["", "In brackets: the 95 % confidence interval, by bootstrap over the questions."]
    lines += [f"note: {note}" for note in read.notes]
    lines += [f"failed: {counted(n, 'question')}: {why}" for why, n in result.failures.items()]
    return "\n".join(lines)


def _row(name: str, cells: Sequence[str]) -> str:
    return f"{name:<12}" + "".join(f"{cell:<24}" for cell in cells).rstrip()


def _figure(figure: Figure | None) -> str:
    if figure is None:
        return "not reached"
    if figure.value is None:
        return "not measured"
    if figure.low is None or figure.high is None:
        return f"{figure.value:.4f}"
    return f"{figure.value:.4f} [{figure.low:.3f}, {figure.high:.3f}]"
