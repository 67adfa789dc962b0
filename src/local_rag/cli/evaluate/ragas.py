"""``local-rag-eval-ragas``: what a language model says of the answers of a run, never a gate."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from local_rag.evaluation.ragas.measure import METRICS

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from local_rag.evaluation.ragas.report import Report

_DONE, _NOTHING_MEASURED, _INTERRUPTED = 0, 2, 130


def main(argv: Sequence[str] | None = None) -> int:
    """Prints the report; returns 0 whatever the figures, 2 where nothing could be measured."""
    from local_rag.cli.show import one_line
    from local_rag.errors import LocalRagError

    parser = _parser()
    options = parser.parse_args(argv)
    if (options.run is None) == (options.samples is None):
        parser.error("name a run, or a file of samples with --samples")
    try:
        report = _measured(options)
    except LocalRagError as error:
        print(f"local-rag-eval-ragas: {one_line(error)}", file=sys.stderr)
        return _NOTHING_MEASURED
    except KeyboardInterrupt:
        return _INTERRUPTED
    print(
        json.dumps(report.to_json(), indent=2, ensure_ascii=False)
        if options.json
        else report.to_text()
    )
    return _DONE


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="local-rag-eval-ragas",
        description="Has a language model (RAG_EVAL_…) judge answers by the metrics of ragas. "
        "Exit status: 0 whatever the figures are, 2 nothing could be measured.",
    )
    parser.add_argument("run", type=Path, nargs="?", help="a run that local-rag-eval wrote")
    parser.add_argument("--variant", metavar="NAME", help="which of the run's variants")
    parser.add_argument("--samples", type=Path, metavar="FILE", help="samples as JSON lines")
    parser.add_argument(
        "--metric", action="append", choices=METRICS, help="only this one; may be repeated"
    )
    parser.add_argument("--json", action="store_true", help="print the report as JSON")
    return parser


def _measured(options: argparse.Namespace) -> Report:
    from local_rag import providers
    from local_rag.evaluation.ragas.judge import MOST_TOKENS, Judge
    from local_rag.evaluation.ragas.library import ragas_metrics, ragas_version
    from local_rag.evaluation.ragas.measure import measured
    from local_rag.evaluation.ragas.report import Report
    from local_rag.evaluation.ragas.samples import read_run, read_samples
    from local_rag.model.chat import ChatLimits
    from local_rag.settings import load_settings

    settings = load_settings()
    if options.samples is not None:
        name, samples = options.samples.name, read_samples(options.samples)
    else:
        name, samples = read_run(options.run, options.variant)
    model = providers.judge(settings)
    judge = Judge(model, ChatLimits(MOST_TOKENS, max_seconds=settings.request_timeout))
    metrics = ragas_metrics(judge)
    right = judge.self_test()
    if not judge.info.local:
        print("The judge is not on this machine: all texts go there.", file=sys.stderr)
    chosen = {name: metrics[name] for name in options.metric or METRICS}
    figures = measured(samples, chosen, _progress(len(samples)))
    return Report(name, judge.info, ragas_version(), right, figures)


def _progress(total: int) -> Callable[[int], None]:
    def tell(done: int) -> None:
        print(f"{done} of {total} cases judged", file=sys.stderr)

    return tell


if __name__ == "__main__":
    sys.exit(main())
