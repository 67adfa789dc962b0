"""Settings of the search that are better on a golden set: sought on dev, shown on holdout."""

from __future__ import annotations

from dataclasses import dataclass
from statistics import fmean
from typing import TYPE_CHECKING, Any, Literal

from local_rag.errors import InvalidRequest
from local_rag.evaluation.corpus import Documents
from local_rag.evaluation.runner import Options, ask_case, run
from local_rag.evaluation.searching import SearchAsker
from local_rag.evaluation.tune_search import Point, Search
from local_rag.evaluation.variants import Variant

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from local_rag.evaluation.cases import Case
    from local_rag.evaluation.corpus import Corpus
    from local_rag.evaluation.results import CaseResult, Comparison, Figure, Run

Metric = Literal["ndcg", "mrr", "hit", "recall", "coverage"]
LEAST_CASES = 20
"""Cases of a split below which it tells nothing apart: one case more or less moves a share by more
than 0.05."""
_CHANCE = 0.05
_PRESENT, _PROPOSED = "present", "proposed"
_BETTER_LOW = ("false_abstention",)


@dataclass(frozen=True, slots=True)
class Trial:
    """Settings that were tried on dev: what differs from the present ones, and the mean score.

    Attributes:
        value: ``None`` where a case failed that the present settings answer.
    """

    changes: dict[str, object]
    value: float | None


@dataclass(frozen=True, slots=True)
class Tuned:
    """What a search for better settings found.

    Attributes:
        dev, holdout: approved cases of each split that have the score.
        trials: in order; the first one is of the present settings.
        changes: the best ones on dev; empty where none is better than the present ones.
        figures: of the score on holdout, ``present`` and ``proposed``.
        comparison: of the score on holdout, proposed against present; ``None`` where nothing is
            proposed or no case has the score.
        doubts: why the changes are not recommended.
        warnings: what makes the search itself doubtful.
    """

    metric: Metric
    dev: int
    holdout: int
    trials: tuple[Trial, ...]
    changes: dict[str, object]
    figures: dict[str, Figure]
    comparison: Comparison | None
    doubts: tuple[str, ...]
    warnings: tuple[str, ...]

    @property
    def recommended(self) -> dict[str, object]:
        """The settings to change: none but those that holdout has shown to be better."""
        return {} if self.doubts else self.changes


def tune(
    cases: Sequence[Case],
    corpus: Corpus,
    data_set: dict[str, Any],
    *,
    metric: Metric = "ndcg",
    budget: int = 40,
    options: Options | None = None,
    progress: Callable[[str, int, int], None] = lambda _stage, _done, _total: None,
) -> Tuned:
    """Searches on the approved cases of dev, and holds the best against the present settings.

    Holdout is asked once, for the one proposal, with whole answers: settings that find more but
    make another score worse are not recommended.

    Args:
        data_set: what is told of the set; see ``runner.data_set_of``.
        budget: settings that are tried on dev at most.
        progress: called with ``searching`` or ``answering``, how many are done, and of how many.

    Raises:
        InvalidRequest: a split has no approved case with an answer, or none can be measured.
        LocalRagError: the documents cannot be opened.
    """
    options = options or Options()
    approved = [case for case in cases if case.review_status == "approved_gold"]
    dev = [case for case in approved if case.split == "dev" and case.answerable]
    holdout = [case for case in approved if case.split == "holdout"]
    found_in = sum(case.answerable for case in holdout)
    for split, count in (("dev", len(dev)), ("holdout", found_in)):
        if not count:
            raise InvalidRequest(
                f"No case of the split {split} is approved and has an answer.",
                fix="Give approved cases of both splits: dev to search on, holdout to confirm.",
            )
    own = _own(corpus)
    trials = _Trials(corpus, own, dev, metric, options)

    def tried(point: Point) -> float | None:
        progress("searching", len(search.tried), budget)
        return trials.value(point)

    search = Search(own, tried, budget)
    try:
        best = search.best()
    except ValueError as exc:
        raise InvalidRequest(
            f"No case of the split dev could be scored: {trials.first_failure}",
            fix="Give the documents that the cases are about.",
        ) from exc
    changes = best.changes(own)
    figures: dict[str, Figure] = {}
    comparison, doubts = None, ["No settings were found that are better on dev."]
    if changes:
        variants = [Variant(_PRESENT), _variant(_PROPOSED, changes)]
        total = len(holdout) * len(variants)
        watcher = _Watcher(progress, total)
        shown = run(holdout, variants, corpus, data_set, options, watcher=watcher)
        figures = {v.name: v.figures[metric] for v in shown.variants if metric in v.figures}
        comparison = next((one for one in shown.comparisons if one.metric == metric), None)
        doubts = list(_doubts(shown, comparison))
    return Tuned(
        metric=metric,
        dev=len(dev),
        holdout=found_in,
        trials=tuple(Trial(point.changes(own), value) for point, value in search.tried.items()),
        changes=changes,
        figures=figures,
        comparison=comparison,
        doubts=tuple(doubts),
        warnings=tuple(_warnings(len(dev), found_in, trials)),
    )


def _own(corpus: Corpus) -> Point:
    settings = corpus.settings(Variant())
    return Point(*(getattr(settings, name) for name in Point._fields))


def _variant(name: str, changes: dict[str, object]) -> Variant:
    return Variant(name, {setting: str(value) for setting, value in changes.items()})


class _Trials:
    """Scores settings on the cases of dev."""

    def __init__(
        self,
        corpus: Corpus,
        own: Point,
        cases: Sequence[Case],
        metric: Metric,
        options: Options,
    ) -> None:
        self._corpus = corpus
        self._own = own
        self._cases = cases
        self._metric = metric
        self._options = options
        self._scored: frozenset[str] | None = None
        self.failures: dict[str, str] = {}

    @property
    def first_failure(self) -> str:
        """Why the present settings have no score of a case."""
        return next(iter(self.failures.values()), "the reason is not known.")

    def value(self, point: Point) -> float | None:
        """The mean over the cases that the present settings, tried first, have a score of.

        ``None`` where one of those fails: a mean over fewer is another figure.
        """
        scores: dict[str, float] = {}
        failures: dict[str, str] = {}
        for result in self._results(point):
            if self._metric in result.scores:
                scores[result.case_id] = result.scores[self._metric]
            else:
                failures[result.case_id] = result.failure
        if self._scored is None:
            self._scored = frozenset(scores)
            self.failures = failures
        if not self._scored or not self._scored <= scores.keys():
            return None
        return fmean(scores[case] for case in sorted(self._scored))

    def _results(self, point: Point) -> list[CaseResult]:
        settings = self._corpus.settings(_variant("trial", point.changes(self._own)))
        asker = SearchAsker(self._corpus.services(settings), settings)
        documents = Documents(asker.documents)
        return [ask_case(case, asker, documents, self._options) for case in self._cases]


class _Watcher:
    """Counts the cases of a run."""

    def __init__(self, progress: Callable[[str, int, int], None], total: int) -> None:
        self._progress = progress
        self._total = total
        self._done = 0

    def begin(self, name: str) -> None:
        """See ``runner.Watcher``."""
        del name
        self._progress("answering", self._done, self._total)

    def end(self, result: str) -> None:
        """See ``runner.Watcher``."""
        del result
        self._done += 1


def _doubts(shown: Run, comparison: Comparison | None) -> list[str]:
    """Why holdout does not show that the proposed settings are better."""
    if comparison is None:
        return ["No case of holdout has the score under both settings."]
    doubts = []
    if comparison.n < LEAST_CASES:
        doubts.append(
            f"Holdout has the score of {comparison.n} cases; fewer than {LEAST_CASES} are too few "
            "to tell."
        )
    if comparison.low <= 0:
        doubts.append(
            f"The interval of the difference on holdout, [{comparison.low:+.3f}, "
            f"{comparison.high:+.3f}], includes 0: holdout does not tell the settings apart."
            if comparison.high >= 0
            else "On holdout the present settings are better."
        )
    if comparison.p >= _CHANCE:
        doubts.append(f"A difference as large comes by chance too: p = {comparison.p:.3f}.")
    doubts += [
        f"{one.metric} gets worse on holdout: {one.difference:+.3f}, interval "
        f"[{one.low:+.3f}, {one.high:+.3f}]."
        for one in shown.comparisons
        if _is_worse(one)
    ]
    present, proposed = ({r.case_id for r in v.results if r.failure} for v in shown.variants)
    if proposed - present:
        doubts.append(f"{len(proposed - present)} cases of holdout fail that did not before.")
    return doubts


def _is_worse(one: Comparison) -> bool:
    return one.low > 0 if one.metric in _BETTER_LOW else one.high < 0


def _warnings(dev: int, holdout: int, trials: _Trials) -> list[str]:
    warnings = [
        f"The split {split} has {count} approved cases with an answer; below {LEAST_CASES} a set "
        "is too small to tell settings apart."
        for split, count in (("dev", dev), ("holdout", holdout))
        if count < LEAST_CASES
    ]
    if trials.failures:
        warnings.append(
            f"{len(trials.failures)} of the {dev} cases of dev have no score and were left out: "
            f"{trials.first_failure}"
        )
    return warnings
