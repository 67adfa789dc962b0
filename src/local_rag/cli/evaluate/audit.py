"""``local-rag-eval audit``: what a decision model and the rules say of labelled claims."""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from local_rag import providers
from local_rag.evaluation.audit import measured
from local_rag.evaluation.labels import read_labels
from local_rag.settings import load_settings

if TYPE_CHECKING:
    from collections.abc import Sequence

    from local_rag.ports import DecisionModel
    from local_rag.settings import Settings

_GATES = {
    "max_unsupported_accepted": ("audit", "unsupported_accepted"),
    "max_supported_withheld": ("audit", "supported_withheld"),
    "max_review": ("audit", "needs_review"),
    "max_unavailable": ("audit", "unavailable"),
    "min_flag_precision": ("flags", "precision"),
    "min_flag_recall": ("flags", "recall"),
    "max_supported_flagged": ("flags", "supported_flagged"),
}
_NOT_ASKED = "No decision model was asked: RAG_JEV_MODE is off, and no recorded file is named."


def audit(arguments: Sequence[str]) -> int:
    """Prints the figures; returns 1 if one misses its gate.

    Raises:
        LocalRagError: the files or the settings cannot be used.
    """
    options = _parser().parse_args(arguments)
    settings = load_settings()
    cases = read_labels(options.labels)
    if options.half:
        cases = [case for case in cases if case.half == options.half]
    figures = measured(
        cases,
        _model(settings, options),
        threshold=settings.jev_threshold,
        timeout_s=settings.jev_timeout,
    )
    missed = _missed(figures, options)
    if options.json:
        print(json.dumps(figures | {"missed": missed}, indent=2))
    else:
        print(_shown(figures))
        print("\n".join(f"MISSED {line}" for line in missed))
    return 1 if missed else 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="local-rag-eval audit",
        description="Holds labelled claims against what they cite: by the decision model of the "
        "settings (RAG_JEV_…) or a recorded run of it, and by the rules that raise flags. "
        "Exit status 1: a gate is missed.",
    )
    parser.add_argument("labels", type=Path, help="labelled claims, a JSON object a line")
    parser.add_argument("--recorded", type=Path, help="decisions of a file instead of a server")
    parser.add_argument("--record", type=Path, help="add the server's decisions to this file")
    parser.add_argument("--half", type=int, choices=(1, 2), help="one half of the claims only")
    parser.add_argument("--json", action="store_true", help="print the figures as JSON")
    for name in _GATES:
        parser.add_argument(f"--{name.replace('_', '-')}", type=float, metavar="SHARE")
    return parser


def _model(settings: Settings, options: argparse.Namespace) -> DecisionModel | None:
    if options.recorded is not None:
        return providers.recorded_decisions(options.recorded)
    if settings.jev_mode == "off":
        return None
    model = providers.decision_model(settings)
    return model if options.record is None else providers.recording(model, options.record)


def _missed(figures: dict[str, Any], options: argparse.Namespace) -> list[str]:
    """The gates that are not kept; a figure that could not be measured keeps none."""
    missed = []
    for name, (section, figure) in _GATES.items():
        bound = getattr(options, name)
        if bound is None:
            continue
        value = (figures[section] or {}).get(figure)
        kept = value is not None and (value >= bound if name.startswith("min") else value <= bound)
        if not kept:
            told = "not measured" if value is None else f"{value:g}"
            missed.append(f"{figure}: {told}, {name.partition('_')[0]} {bound:g}")
    return missed


def _shown(figures: dict[str, Any]) -> str:
    lines = _audit_lines(figures["audit"]) if figures["audit"] else [_NOT_ASKED]
    flags = figures["flags"]
    lines += ["", f"flags on {flags['claims']} claims"]
    lines += [f"  {name:<20} {_number(flags[name])}" for name in _SHARES_OF_FLAGS]
    lines += [
        f"  {name:<24} {group['flagged']} of {group['claims']}"
        for name, group in flags["groups"].items()
    ]
    lines += [
        f"  {kind:<12} not supported {found['unsupported']}, supported {found['supported']}"
        for kind, found in flags["kinds"].items()
    ]
    return "\n".join(lines)


_SHARES_OF_FLAGS = ("precision", "recall", "supported_flagged")


def _audit_lines(found: dict[str, Any]) -> list[str]:
    said = list(next(iter(found["confusion"].values())))
    lines = [f"{'expected':<14}" + "".join(f"{name:>14}" for name in said)]
    for expected, counts in found["confusion"].items():
        lines.append(f"{expected:<14}" + "".join(f"{counts[name]:>14}" for name in said))
    lines.append("")
    lines += [f"  {k:<22} {_number(v)}" for k, v in found.items() if k != "confusion"]
    return lines


def _number(value: float | None) -> str:
    return "not measured" if value is None else f"{value:g}"
