"""Runs golden cases against variants of the program, one by one: a case that fails costs itself."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Protocol

from local_rag import __version__
from local_rag.evaluation.asking import NoAnswer
from local_rag.evaluation.corpus import Documents
from local_rag.evaluation.results import Run
from local_rag.evaluation.scoring import DEPTH, failed, scored
from local_rag.evaluation.statistics import comparisons, summarised
from local_rag.evaluation.variants import told_settings
from local_rag.text.names import one_visible_line

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from contextlib import AbstractContextManager
    from pathlib import Path

    from local_rag.evaluation.asking import Asker
    from local_rag.evaluation.cases import Case
    from local_rag.evaluation.results import CaseResult
    from local_rag.evaluation.state import State
    from local_rag.evaluation.variants import Variant
    from local_rag.settings import Settings

TIMEOUT_S = 300.0


class Source(Protocol):
    """Where variants are asked."""

    unread: dict[str, str]

    def settings(self, variant: Variant) -> Settings | None:
        """Under which settings a variant runs; ``None``: they are not known here."""
        ...

    def asker(self, variant: Variant) -> AbstractContextManager[Asker]:
        """What is asked in a variant."""
        ...


class Watcher(Protocol):
    """Is told of each case; ``cli.show.Board`` is one."""

    def begin(self, name: str) -> None:
        """A case is asked."""
        ...

    def end(self, result: str) -> None:
        """What came of it."""
        ...


@dataclass(frozen=True, slots=True)
class Options:
    """How cases are asked and scored.

    Attributes:
        k: how many of the passages found count.
        timeout_s: longest time of one case.
    """

    k: int = DEPTH
    timeout_s: float = TIMEOUT_S


def run(
    cases: Sequence[Case],
    variants: Sequence[Variant],
    source: Source,
    data_set: dict[str, Any],
    options: Options | None = None,
    *,
    state: State | None = None,
    watcher: Watcher | None = None,
    about: Mapping[str, Any] | None = None,
) -> Run:
    """The results of all cases in all variants, without gates.

    Args:
        data_set: what is told of the set; see ``data_set_of``.
        state: where results are kept as they come, and found again.
        about: what is known of a program whose settings are not; results of another are not
            taken up.

    Raises:
        LocalRagError: the documents or a variant cannot be opened.
    """
    options = options or Options()
    begun_at = datetime.now(UTC).isoformat(timespec="seconds")
    for variant in variants:
        source.settings(variant)  # says what is wrong with any before the first is asked
    results = []
    program: dict[str, Any] = {"version": __version__, "k": options.k}
    for variant in variants:
        settings = source.settings(variant)
        told = variant.shown() if settings is None else told_settings(settings) | variant.shown()
        with source.asker(variant) as asker:
            documents = Documents(asker.documents)
            program.setdefault("documents", len(documents.known))
            program.setdefault("corpus_sha256", documents.fingerprint)
            program.setdefault("settings", told)
            key = _key(data_set, documents.fingerprint, {**told, **(about or {})}, options.k)
            asking = _Asking(asker, documents, options, state, key, watcher, variant.name)
            found = [asking.result(case) for case in cases]
        results.append(summarised(variant.name, variant.shown(), found))
    program["unread"] = dict(source.unread)
    return Run(begun_at, program, data_set, tuple(results), comparisons(results))


@dataclass(frozen=True, slots=True)
class _Asking:
    """What the cases of one variant share."""

    asker: Asker
    documents: Documents
    options: Options
    state: State | None
    key: str
    watcher: Watcher | None
    variant: str

    def result(self, case: Case) -> CaseResult:
        """The result of a case, from an earlier run that was cut off if it is there."""
        if self.watcher is not None:
            self.watcher.begin(one_visible_line(f"{self.variant}: {case.case_id}"))
        known = self.state.known(self.key, case.case_id) if self.state is not None else None
        found = known or ask_case(case, self.asker, self.documents, self.options)
        if known is None and self.state is not None:
            self.state.keep(self.key, found)
        if self.watcher is not None:
            self.watcher.end(_told(found, again=known is not None))
        return found


def ask_case(case: Case, asker: Asker, documents: Documents, options: Options) -> CaseResult:
    """The result of a case; one that cannot be asked or answered is a failure, not a score."""
    missing = documents.missing(case)
    if missing:
        return failed(case, f"Not among the documents: {', '.join(missing)}.")
    try:
        ids = documents.asked(case)
        return scored(case, asker.ask(case.question, ids, options.timeout_s), options.k)
    except KeyError as error:
        return failed(case, f"Not among the documents: {error.args[0]}.")
    except NoAnswer as error:
        return failed(case, str(error))


def data_set_of(path: Path, cases: Sequence[Case]) -> dict[str, Any]:
    """What is told of a set: name, version, SHA-256 of the file and of the cases, their number."""
    lines = sorted(case.model_dump_json() for case in cases)
    return {
        "name": path.name,
        "version": ", ".join(sorted({case.dataset_version for case in cases})),
        "sha256": hashlib.sha256(path.read_bytes()).hexdigest(),
        "cases_sha256": hashlib.sha256("\n".join(lines).encode("utf-8", "replace")).hexdigest(),
        "cases": len(cases),
        "approved": sum(case.review_status == "approved_gold" for case in cases),
    }


def _key(data_set: dict[str, Any], corpus: str, settings: dict[str, Any], k: int) -> str:
    of = [data_set["sha256"], corpus, settings, k, __version__]
    return hashlib.sha256(json.dumps(of, sort_keys=True, default=str).encode()).hexdigest()


def _told(result: CaseResult, *, again: bool) -> str:
    before = "kept: " if again else ""
    if result.failure:
        return f"{before}failed: {one_visible_line(result.failure)}"
    if result.refused:
        return f"{before}refused"
    return f"{before}answered in {result.timings_ms.get('total', 0):.0f} ms"
