"""Running the tests of a library in the program that serves it, and the report of the last run."""

from __future__ import annotations

import hashlib
import json
import threading
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from local_rag.errors import Cancelled, InvalidRequest, NoRun, RunInProgress
from local_rag.evaluation.cases import case_line

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

    from local_rag.composition import Services
    from local_rag.evaluation.cases import Case
    from local_rag.evaluation.observed import Observed
    from local_rag.evaluation.results import GateResult, Run
    from local_rag.evaluation.variants import Variant
    from local_rag.ports import Cancel
    from local_rag.settings import Settings

_PAGE_DPI = 80
_APPROVED = "approved_gold"


@dataclass(frozen=True, slots=True)
class Done:
    """How far a run is: cases done, of how many."""

    done: int
    total: int


class LibraryRuns:
    """Runs tests, one run at a time.

    Args:
        folder: where the last run is kept: ``run.json`` and ``report.html``.
    """

    def __init__(self, services: Services, folder: Path) -> None:
        self._services = services
        self._folder = folder
        self._running = threading.Lock()

    @property
    def is_running(self) -> bool:
        """Whether a run goes on now."""
        return self._running.locked()

    @property
    def has_run(self) -> bool:
        """Whether a run is kept."""
        return (self._folder / "run.json").is_file()

    def run(self, cases: Sequence[Case], cancel: Cancel, tell: Callable[[Done], None]) -> Run:
        """Asks all cases as a person would, with the models and the settings of the program.

        What came of it replaces the last run; of one that was cancelled nothing is kept.

        Raises:
            RunInProgress: another run goes on.
            Cancelled: ``cancel`` was set.
        """
        from local_rag.evaluation.runner import run  # not before it is needed: it takes time
        from local_rag.evaluation.variants import Variant

        if not self._running.acquire(blocking=False):
            raise RunInProgress("The tests are being run already.")
        try:
            source = _Program(self._services, cancel)
            watcher = _Telling(len(cases), cancel, tell)
            found = run(cases, [Variant()], source, _data_set(cases), watcher=watcher)
            found = replace(found, gates=tuple(self._gates(found)))
            self._keep(found)
        finally:
            self._running.release()
        return found

    def last(self) -> Run:
        """The last run.

        Raises:
            NoRun: there is none that this version can read.
        """
        from local_rag.evaluation.results import run_from_json

        try:
            return run_from_json(json.loads((self._folder / "run.json").read_text("utf-8")))
        except (OSError, ValueError, InvalidRequest) as exc:
            raise _none() from exc

    def last_report(self) -> bytes:
        """The report of the last run, HTML. Raises NoRun."""
        try:
            return (self._folder / "report.html").read_bytes()
        except OSError as exc:
            raise _none() from exc

    def forget(self) -> None:
        """Deletes what is kept of the last run."""
        for name in ("run.json", "report.html"):
            (self._folder / name).unlink(missing_ok=True)

    def _gates(self, found: Run) -> list[GateResult]:
        """Against the bounds and, where approved tests were run before, against the last run."""
        from local_rag.evaluation.gates import Gates, baseline_kept, bounds_kept

        gates = Gates()
        if not any(one.review_status == _APPROVED for one in found.variants[0].results):
            return []
        kept = bounds_kept(found.variants[0], gates)
        with suppress(NoRun, InvalidRequest):  # nothing before it, or no test in common
            kept += baseline_kept(found, self.last(), gates)
        return kept

    def _keep(self, found: Run) -> None:
        from local_rag.evaluation.report import html_report

        report = html_report(found, self._page_image)
        self._folder.mkdir(parents=True, exist_ok=True)
        for name, text in (
            ("report.html", report),
            ("run.json", json.dumps(found.to_json(), ensure_ascii=False)),
        ):
            beside = self._folder / f"{name}.part"
            beside.write_text(text, "utf-8", errors="replace", newline="\n")
            beside.replace(self._folder / name)

    def _page_image(self, document_id: str, page_number: int) -> bytes:
        return self._services.library.page_image(document_id, page_number, _PAGE_DPI)


class _Program:
    """The running program as a source of answers: its own desk, its own models.

    Attributes:
        unread: empty: what could not be read is not in the library.
    """

    def __init__(self, services: Services, cancel: Cancel) -> None:
        self._services = services
        self._cancel = cancel
        self.unread: dict[str, str] = {}

    def prepare(self, variants: Sequence[Variant]) -> None:
        """See ``runner.Source.prepare``: nothing is to be done."""

    def settings(self, variant: Variant) -> Settings:  # noqa: ARG002 - there is one only
        """See ``runner.Source.settings``."""
        return self._services.settings

    @contextmanager
    def asker(self, variant: Variant) -> Iterator[_Desk]:  # noqa: ARG002
        """See ``runner.Source.asker``."""
        yield _Desk(self._services, self._cancel)


class _Desk:
    """``asking.Asker`` over the desk at which people ask."""

    def __init__(self, services: Services, cancel: Cancel) -> None:
        from local_rag.evaluation.asking import known_documents

        self._desk = services.desk
        self._cancel = cancel
        self.documents = known_documents(services)

    def ask(self, question: str, document_ids: Sequence[str] | None, timeout_s: float) -> Observed:
        """See ``Asker.ask``; a run that is cancelled does not wait for the answer."""
        from local_rag.evaluation.asking import within
        from local_rag.evaluation.observed import observed_answer

        timed_out = threading.Event()
        either = _Either(self._cancel, timed_out)
        answer = within(
            timeout_s, lambda: self._desk.answer(question, document_ids, cancel=either), timed_out
        )
        return observed_answer(answer)


@dataclass(frozen=True, slots=True)
class _Either:
    """Set as soon as one of them is."""

    one: Cancel
    other: Cancel

    def is_set(self) -> bool:
        """See ``ports.Cancel``."""
        return self.one.is_set() or self.other.is_set()


class _Telling:
    """``runner.Watcher`` that tells how far the run is, and ends it where it is cancelled."""

    def __init__(self, total: int, cancel: Cancel, tell: Callable[[Done], None]) -> None:
        self._total = total
        self._cancel = cancel
        self._tell = tell
        self._done = 0
        tell(Done(0, total))

    def begin(self, name: str) -> None:  # noqa: ARG002
        """See ``runner.Watcher``. Raises Cancelled."""
        self._check()

    def end(self, result: str) -> None:  # noqa: ARG002
        """See ``runner.Watcher``. Raises Cancelled."""
        self._check()
        self._done += 1
        self._tell(Done(self._done, self._total))

    def _check(self) -> None:
        if self._cancel.is_set():
            raise Cancelled("The run was cancelled.", fix="Run the tests again.")


def _data_set(cases: Sequence[Case]) -> dict[str, Any]:
    """What is told of the set; of the form that ``runner.data_set_of`` gives."""
    lines = sorted(case_line(case) for case in cases)
    digest = hashlib.sha256("\n".join(lines).encode("utf-8", "replace")).hexdigest()
    return {
        "name": "tests of the library",
        "version": ", ".join(sorted({case.dataset_version for case in cases})),
        "sha256": digest,
        "cases_sha256": digest,
        "cases": len(cases),
        "approved": sum(case.review_status == _APPROVED for case in cases),
    }


def _none() -> NoRun:
    return NoRun("The tests have not been run yet.")
