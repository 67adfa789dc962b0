"""Brings ragas in, with its reports to its makers switched off first."""

from __future__ import annotations

import os
import sys
import warnings
from importlib import import_module
from importlib.metadata import version
from typing import TYPE_CHECKING

from local_rag.errors import EnvironmentFault

if TYPE_CHECKING:
    from collections.abc import Mapping

    from local_rag.evaluation.ragas.judge import Judge
    from local_rag.evaluation.ragas.measure import Metric

_SILENCE = {
    "RAGAS_DO_NOT_TRACK": "true",
    "HF_HUB_DISABLE_TELEMETRY": "1",
    "HF_HUB_OFFLINE": "1",
}
_TRACING = ("LANGSMITH_", "LANGCHAIN_")


def silence() -> None:
    """Switches off usage statistics and tracing, for this process and those that it starts.

    Raises:
        EnvironmentFault: ragas was imported before, with its statistics on.
    """
    kept = os.environ.get("RAGAS_DO_NOT_TRACK", "").lower() == "true"
    if "ragas" in sys.modules and not kept:
        raise EnvironmentFault(
            "ragas was imported with its usage statistics switched on.",
            fix="Run local-rag-eval-ragas in a process of its own.",
        )
    for name in [name for name in os.environ if name.upper().startswith(_TRACING)]:
        del os.environ[name]
    os.environ.update(_SILENCE)


def ragas_metrics(judge: Judge) -> Mapping[str, Metric]:
    """The metrics of ragas over a judge, by name; imports ragas, which takes seconds.

    Raises:
        EnvironmentFault: ragas is not installed, or was imported before with its statistics on.
    """
    silence()
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of packages that we do not call
            module = import_module("local_rag.evaluation.ragas.metrics")
    except ImportError as exc:
        raise EnvironmentFault(
            f"ragas cannot be imported: there is no {exc.name or 'part of it'}.",
            fix="Run `uv sync --extra evaluation` in the checkout, or "
            "`pip install 'local-rag[evaluation]'`.",
        ) from exc
    metrics: Mapping[str, Metric] = module.metrics_of(judge)
    return metrics


def ragas_version() -> str:
    """Of the installed package."""
    return version("ragas")
