"""Has the claims of an answer checked by a decision model, and repairs citations where asked to."""

from __future__ import annotations

import logging
import time
from dataclasses import dataclass, replace
from itertools import groupby
from typing import TYPE_CHECKING

from local_rag.audit.question import POLICY_VERSION, PROMPT_VERSION, REPAIR_POLICY_VERSION
from local_rag.audit.requests import Passage, Requests
from local_rag.cite.number import without_reference_marks
from local_rag.generate.grounded.support import supports_in
from local_rag.model.answer import Support
from local_rag.model.audit import Audit, Repair

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from local_rag.model.answer import Citation, Claim
    from local_rag.model.audit import AuditCheck, AuditMode
    from local_rag.model.evidence import Evidence, Ledger
    from local_rag.ports import Cancel, DecisionModel

_log = logging.getLogger(__name__)

MOST_PARTS = 3
"""How many parts of a question are checked; each may take the whole budget."""

_TOO_MANY_PARTS = "Only the first three parts of a question are checked."


@dataclass(frozen=True, slots=True)
class Auditor:
    """Asks a decision model whether the passages that claims cite bear them out.

    Attributes:
        budget_s: longest time for the checks of one part of a question, repairs included.
        threshold: the probability from which the policy suggests something; above 0.5.
        clock: seconds that never go back.
    """

    model: DecisionModel
    mode: AuditMode
    budget_s: float = 5.0
    threshold: float = 0.9
    clock: Callable[[], float] = time.monotonic

    def audit(
        self,
        claims: Sequence[Claim],
        citations: Sequence[Citation],
        ledgers: Sequence[Ledger],
        *,
        cancel: Cancel | None = None,
        on_part: Callable[[int, tuple[Audit, ...]], None] | None = None,
    ) -> tuple[Audit, ...]:
        """One audit for each claim, in the order of the claims. Never raises for the model's sake.

        Args:
            claims: the claims of the answer, each with supports among what is cited.
            ledgers: what was found for each part; repairs take other passages from there.
            on_part: called on this thread with each part that is done, and its audits.

        Raises:
            Cancelled: ``cancel`` was set.
        """
        requests = Requests(self.model, self.threshold, cancel, self.clock)
        by_id = {citation.chunk.chunk_id: citation for citation in citations}
        audits: dict[int, Audit] = {}
        placed = sorted(enumerate(claims), key=lambda pair: pair[1].part)
        for part, group in groupby(placed, key=lambda pair: pair[1].part):
            mine = dict(group)
            rows = ledgers[part].rows if part < len(ledgers) else ()
            passages = [row.evidence for row in rows]
            deadline = self.clock() + (self.budget_s if part < MOST_PARTS else 0.0)
            found = self._first(mine, by_id, requests, deadline)
            if part >= MOST_PARTS:
                found = {place: _left_out(audit) for place, audit in found.items()}
            if self.mode == "repair":
                for place, audit in found.items():
                    found[place] = self._repaired(audit, passages, by_id, requests, deadline)
            audits |= found
            if on_part is not None:
                on_part(part, tuple(found[place] for place in sorted(found)))
        _log.info(
            "audited claims=%d requests=%d unavailable=%d repaired=%d",
            len(audits),
            requests.sent,
            sum(audit.check.status == "unavailable" for audit in audits.values()),
            sum(audit.repair is not None and audit.repair.succeeded for audit in audits.values()),
        )
        return tuple(audits[place] for place in sorted(audits))

    def _first(
        self,
        claims: Mapping[int, Claim],
        citations: Mapping[str, Citation],
        requests: Requests,
        deadline: float,
    ) -> dict[int, Audit]:
        """The claims of one part against what they cite; those that cite the same, together."""
        groups: dict[frozenset[str], dict[int, Claim]] = {}
        for place, claim in claims.items():
            cited = frozenset(support.chunk_id for support in claim.supports)
            groups.setdefault(cited, {})[place] = claim
        audits = {}
        for cited, group in groups.items():
            passages = [
                Passage(citation.number, citation.chunk.chunk_id, citation.chunk.read_text)
                for citation in citations.values()
                if citation.chunk.chunk_id in cited
            ]
            if len(passages) < len(cited):
                passages = []  # something cited is not known: nothing is sent
            texts = [without_reference_marks(claim.text) for claim in group.values()]
            checks = requests.check(texts, passages, deadline)
            for (place, claim), text, check in zip(group.items(), texts, checks, strict=True):
                audits[place] = self._audit_of(text, claim.part, check)
        return audits

    def _audit_of(self, text: str, part: int, check: AuditCheck) -> Audit:
        return Audit(text, part, check, self.threshold, POLICY_VERSION, PROMPT_VERSION)

    def _repaired(
        self,
        audit: Audit,
        passages: Sequence[Evidence],
        citations: Mapping[str, Citation],
        requests: Requests,
        deadline: float,
    ) -> Audit:
        """The audit after the part's other passages were tried, where the cited do not suffice."""
        original = audit.check
        if original.assessment is None or original.assessment.relation != "insufficient":
            return audit
        cited = {excerpt.chunk_id for excerpt in original.excerpts}
        attempts: list[AuditCheck] = []
        for row in passages:
            chunk = row.chunk
            if chunk.chunk_id in cited:
                continue
            number = citations[chunk.chunk_id].number if chunk.chunk_id in citations else None
            passage = Passage(number, chunk.chunk_id, chunk.read_text)
            (check,) = requests.check([audit.claim], [passage], deadline)
            attempts.append(check)
            if check.action == "keep" or check.request is None:
                break
        succeeded = bool(attempts) and attempts[-1].action == "keep"
        return replace(
            audit,
            check=attempts[-1] if succeeded else original,
            repair=Repair(original, tuple(attempts), succeeded, REPAIR_POLICY_VERSION),
        )


def repaired_claims(
    claims: Sequence[Claim], audits: Sequence[Audit], ledgers: Sequence[Ledger], language: str
) -> tuple[tuple[Claim, ...], tuple[Evidence, ...]]:
    """The claims with what they cite after the repairs, and the passages that came in so.

    Texts and order stay.

    Args:
        audits: of ``Auditor.audit``, one for each of the claims.
        language: of the question, ISO 639-1 or ``und``.
    """
    found, rows = [], []
    for claim, audit in zip(claims, audits, strict=True):
        if audit.repair is None or not audit.repair.succeeded:
            found.append(claim)
            continue
        (excerpt,) = audit.check.excerpts
        row = next(
            row.evidence
            for row in ledgers[claim.part].rows
            if row.evidence.chunk.chunk_id == excerpt.chunk_id
        )
        rows.append(row)
        whole = Support(excerpt.chunk_id, 0, len(row.chunk.text))
        supports = supports_in(claim.text, row, language) or [whole]
        found.append(replace(claim, supports=tuple(supports)))
    return tuple(found), tuple(rows)


def unrepaired(audits: Iterable[Audit]) -> tuple[Audit, ...]:
    """The audits of an answer that keeps its citations, though others would bear claims out."""
    return tuple(
        audit
        if audit.repair is None
        else replace(
            audit,
            check=audit.repair.original,
            repair=replace(audit.repair, succeeded=False),
        )
        for audit in audits
    )


def _left_out(audit: Audit) -> Audit:
    return replace(audit, check=replace(audit.check, error=_TOO_MANY_PARTS))
