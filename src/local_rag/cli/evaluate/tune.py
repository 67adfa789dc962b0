"""``local-rag-eval tune``: better settings of the search, if a golden set shows that there are."""

from __future__ import annotations

import argparse
import json
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, get_args

from local_rag.cli.evaluate.meter import Meter
from local_rag.cli.evaluate.run import document_files
from local_rag.evaluation.cases import read_cases
from local_rag.evaluation.corpus import open_corpus
from local_rag.evaluation.release import manifest_path
from local_rag.evaluation.runner import data_set_of
from local_rag.evaluation.tune import Metric
from local_rag.evaluation.tune import tune as tuned
from local_rag.settings import variable_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from local_rag.evaluation.results import Figure
    from local_rag.evaluation.tune import Trial, Tuned

_LEAST_BUDGET = 2
_SHOWN = 8
_CHUNKING = ("chunk_size", "chunk_overlap")


def tune(arguments: Sequence[str]) -> int:
    """Prints what was found and the settings to use; returns 0.

    Raises:
        LocalRagError: the cases, the documents or the settings cannot be used.
    """
    options = _parser().parse_args(arguments)
    cases = read_cases(options.cases)
    own = (options.cases, manifest_path(options.cases))
    files = None if options.documents is None else document_files(options.documents, own)
    with Meter() as meter, open_corpus(files, reads_again=True) as corpus:
        found = tuned(
            cases,
            corpus,
            data_set_of(options.cases, cases),
            metric=options.metric,
            budget=options.budget,
            progress=meter.show,
        )
        unread = dict(corpus.unread)
    if options.json:
        shown = asdict(found) | {"recommended": _lines(found.recommended), "unread": unread}
        print(json.dumps(shown, indent=2))
    else:
        print("\n".join([*_shown(found), *(f"not read: {n}: {why}" for n, why in unread.items())]))
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="local-rag-eval tune",
        description="Searches for better settings of the search (weights and kind of the fusion, "
        "passages handed to the writer, size and overlap of passages) on the approved cases of "
        "the split dev, and recommends them only if those of the split holdout show that they are "
        "better than the present ones. Exit status 2: nothing could be measured.",
    )
    parser.add_argument("cases", type=Path, help="golden cases, a JSON object a line")
    parser.add_argument(
        "--documents",
        type=Path,
        action="append",
        metavar="DIR",
        help="ask these files instead of the library",
    )
    parser.add_argument(
        "--metric",
        choices=get_args(Metric),
        default="ndcg",
        help="the score that is to grow (default: ndcg)",
    )
    parser.add_argument(
        "--budget",
        type=_budget,
        default=40,
        metavar="N",
        help="settings that are tried at most (default: 40)",
    )
    parser.add_argument("--json", action="store_true", help="print what was found as JSON")
    return parser


def _budget(text: str) -> int:
    budget = int(text)
    if budget < _LEAST_BUDGET:
        raise argparse.ArgumentTypeError(f"is to be at least {_LEAST_BUDGET}")
    return budget


def _shown(found: Tuned) -> list[str]:
    lines = [
        f"{found.metric} on {found.dev} cases of dev, {len(found.trials)} settings tried:",
        *map(_trial, _best(found.trials)),
    ]
    if found.comparison is not None:
        one = found.comparison
        lines += ["", f"on {one.n} cases of holdout:"]
        lines += [f"  {name:<9} {_figure(figure)}" for name, figure in found.figures.items()]
        lines.append(
            f"  {'apart by':<9} {one.difference:+.3f} [{one.low:+.3f}, {one.high:+.3f}], "
            f"p = {one.p:.3f}"
        )
    lines += ["", *(f"warning: {told}" for told in found.warnings)]
    if not found.recommended:
        lines += ["No change is recommended.", *found.doubts]
        return lines
    lines += ["Holdout shows that these settings are better:", *_lines(found.recommended)]
    if set(found.recommended) & set(_CHUNKING):
        lines.append("Passages are cut when a document is added: remove and add those of before.")
    return lines


def _best(trials: Sequence[Trial]) -> list[Trial]:
    """The present settings, and the best of the others."""
    measured = [one for one in trials[1:] if one.value is not None]
    return [trials[0], *sorted(measured, key=lambda one: -(one.value or 0.0))[:_SHOWN]]


def _trial(trial: Trial) -> str:
    named = " ".join(_lines(trial.changes)) or "the present settings"
    return f"  {trial.value:.4f}  {named}"


def _lines(changes: dict[str, object]) -> list[str]:
    return [f"{variable_of(name)}={value}" for name, value in changes.items()]


def _figure(figure: Figure) -> str:
    if figure.value is None:
        return "not measured"
    if figure.low is None or figure.high is None:
        return f"{figure.value:.3f}"
    return f"{figure.value:.3f} [{figure.low:.3f}, {figure.high:.3f}]"
