"""What the checks of labelled claims come to."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from local_rag.evaluation.labels import RELATIONS

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from local_rag.evaluation.labels import LabelledClaim
    from local_rag.model.audit import AuditCheck
    from local_rag.text.facts import Flag


@dataclass(frozen=True, slots=True)
class Judged:
    """A labelled claim, what the decision model said of it, and what the rules doubt.

    Attributes:
        check: ``None`` where no decision model was asked.
    """

    case: LabelledClaim
    check: AuditCheck | None
    flags: Sequence[Flag]


def audit_figures(judged: Sequence[Judged]) -> dict[str, Any] | None:
    """The figures of the decision model; ``None`` where none was asked. Shares are of 0 to 1.

    ``confusion`` counts the likeliest relation by the expected one.
    """
    checks = [(one.case, one.check) for one in judged if one.check is not None]
    if not checks:
        return None
    confusion = {expected: Counter[str]() for expected in RELATIONS}
    for case, check in checks:
        said = check.assessment.relation if check.assessment else "unavailable"
        confusion[case.expected][said] += 1
    supported = [check for case, check in checks if case.expected == "supported"]
    others = [check for case, check in checks if case.expected != "supported"]
    every = [check for _, check in checks]
    times_ms = sorted(check.elapsed_s * 1000 for check in every if check.status == "completed")
    return {
        "cases": len(checks),
        "confusion": {
            expected: {said: counts[said] for said in (*RELATIONS, "unavailable")}
            for expected, counts in confusion.items()
        },
        "unsupported_accepted": _share(others, lambda check: check.action == "keep"),
        "supported_withheld": _share(supported, lambda check: check.action == "withhold"),
        "needs_review": _share(every, lambda check: check.action == "review"),
        "unavailable": _share(every, lambda check: check.status == "unavailable"),
        "input_tokens": sum(check.input_tokens or 0 for check in every),
        "output_tokens": sum(check.output_tokens or 0 for check in every),
        "p50_ms": _quantile(times_ms, 0.5),
        "p95_ms": _quantile(times_ms, 0.95),
    }


def flag_figures(judged: Sequence[Judged]) -> dict[str, Any]:
    """The figures of the rules, a raised flag held to say "not supported as it is cited"."""
    groups: dict[str, Counter[str]] = {}
    kinds: dict[str, Counter[str]] = {}
    counts = Counter[str]()
    for one in judged:
        side = "supported" if one.case.expected == "supported" else "unsupported"
        raised = bool(one.flags)
        counts[side] += 1
        counts[f"{side}_flagged"] += raised
        group = groups.setdefault(one.case.group, Counter())
        group["claims"] += 1
        group["flagged"] += raised
        for kind in {flag.kind for flag in one.flags}:
            kinds.setdefault(kind, Counter())[side] += 1
    flagged = counts["supported_flagged"] + counts["unsupported_flagged"]
    return {
        "claims": len(judged),
        "precision": _ratio(counts["unsupported_flagged"], flagged),
        "recall": _ratio(counts["unsupported_flagged"], counts["unsupported"]),
        "supported_flagged": _ratio(counts["supported_flagged"], counts["supported"]),
        "groups": {name: dict(group) for name, group in sorted(groups.items())},
        "kinds": {
            kind: {side: found[side] for side in ("unsupported", "supported")}
            for kind, found in sorted(kinds.items())
        },
    }


def _share(checks: Sequence[AuditCheck], holds: Callable[[AuditCheck], bool]) -> float | None:
    return _ratio(sum(map(holds, checks)), len(checks))


def _ratio(part: int, whole: int) -> float | None:
    """``None``, not 0, where there is nothing to take a share of."""
    return round(part / whole, 4) if whole else None


def _quantile(ordered: Sequence[float], share: float) -> float | None:
    if not ordered:
        return None
    return round(ordered[min(int(share * len(ordered)), len(ordered) - 1)], 1)
