"""What the judge said of a run, as JSON and for people."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from local_rag.evaluation.ragas.measure import MetricFigure
    from local_rag.model.chat import ChatInfo

_WRONG = (
    "The judge keeps to the form, but judged the self-test's plain statements wrong: "
    "its figures say little."
)


@dataclass(frozen=True, slots=True)
class Report:
    """The figures, and whose they are.

    Attributes:
        of: the variant, or the file of samples.
        self_test_right: whether the judge judged the self-test's statements right.
    """

    of: str
    judge: ChatInfo
    ragas: str
    self_test_right: bool
    metrics: dict[str, MetricFigure]

    def to_json(self) -> dict[str, Any]:
        """As plain values for ``json.dumps``."""
        return asdict(self)

    def to_text(self) -> str:
        """The means, how many samples each is of, and why the others have no score."""
        where = "on this machine" if self.judge.local else "NOT on this machine"
        by = f"judged by {self.judge.model} ({self.judge.provider}, {where})"
        lines = [f"{self.of}, {by}, ragas {self.ragas}"]
        lines += [] if self.self_test_right else [_WRONG]
        for name, figure in self.metrics.items():
            mean = "no score" if figure.mean is None else f"{figure.mean:.3f}"
            lines.append(f"{name:<20} {mean:>8}   n = {figure.n} of {figure.of}")
            lines += [f"    {one.case_id}: {one.reason} [{one.code}]" for one in figure.missing]
        return "\n".join(lines)
