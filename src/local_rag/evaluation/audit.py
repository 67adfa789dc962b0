"""Labelled claims through a decision model or a recorded run of one, and through the rules."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

from local_rag.audit.requests import Passage, Requests
from local_rag.evaluation.audit_figures import Judged, audit_figures, flag_figures
from local_rag.text.doubts import doubts
from local_rag.text.language import detect

if TYPE_CHECKING:
    from collections.abc import Sequence

    from local_rag.evaluation.labels import LabelledClaim
    from local_rag.model.audit import AuditCheck
    from local_rag.ports import DecisionModel


def measured(
    cases: Sequence[LabelledClaim],
    model: DecisionModel | None,
    *,
    threshold: float,
    timeout_s: float,
) -> dict[str, Any]:
    """What the model (``audit``; ``None`` without one) and the rules (``flags``) get right."""
    judged = [
        Judged(
            case,
            None if model is None else _checked(case, model, threshold, timeout_s),
            _flags(case),
        )
        for case in cases
    ]
    return {"audit": audit_figures(judged), "flags": flag_figures(judged)}


def _checked(
    case: LabelledClaim, model: DecisionModel, threshold: float, timeout_s: float
) -> AuditCheck:
    """The check of one claim, in a request and with a budget of its own."""
    known = all(name in case.passages for name in case.citations)
    passages = [
        Passage(number, name, case.passages[name])
        for number, name in enumerate(case.citations if known else (), 1)
    ]
    requests = Requests(model, threshold)
    (check,) = requests.check([case.claim], passages, time.monotonic() + timeout_s)
    return check


def _flags(case: LabelledClaim) -> list[Any]:
    cited = "\n\n".join(case.passages[name] for name in case.citations if name in case.passages)
    return doubts(case.claim, cited, detect(case.claim))
