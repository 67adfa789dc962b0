"""The golden cases that a library keeps: saved, reviewed, edited, given away and taken in."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any, Literal

from local_rag.errors import CaseChanged, InvalidRequest
from local_rag.evaluation.cases import Case, case_line, checked_lines
from local_rag.evaluation.review import approved, edited, rejected
from local_rag.evaluation.saved import sameness
from local_rag.model.kept_case import KeptCase
from local_rag.usecases.kept import now

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from local_rag.ports import CaseStore

Decision = Literal["approve", "reject"]

_MOST_TOLD = 50


@dataclass(frozen=True, slots=True)
class Kept:
    """A case and when it was kept and last changed, UTC, ISO 8601."""

    case: Case
    created_at: str
    updated_at: str


@dataclass(frozen=True, slots=True)
class Imported:
    """What came of a file of cases.

    Attributes:
        added: their ids.
        skipped: ids of those that were kept already, with the id of the one that is.
    """

    added: tuple[str, ...]
    skipped: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class LibraryCases:
    """The cases in a store, as values; what is written keeps every rule."""

    store: CaseStore

    def save(self, case: Case) -> tuple[Kept, bool]:
        """Keeps a case, unless one that asks the same of the same documents is kept already.

        Returns:
            The one that is kept now, and whether it is this one.
        """
        moment = now()
        record = _record(case, moment, moment)
        kept = self.store.add(record)
        return _kept(kept), kept == record

    def same(self, case: Case) -> str | None:
        """The id of the case that asks the same of the same documents, if one is kept."""
        wanted = _sameness(case)
        return next((one.case_id for one in self.store.cases() if one.sameness == wanted), None)

    def all(self, review_status: str | None = None) -> list[Kept]:
        """All cases, or those of a status, newest first."""
        return [_kept(record) for record in self.store.cases(review_status)]

    def one(self, case_id: str) -> Kept:
        """One case. Raises UnknownCase."""
        return _kept(self.store.case(case_id))

    def change(
        self,
        case_id: str,
        changes: Mapping[str, Any],
        *,
        decision: Decision | None = None,
        reviewer: str = "",
        read_at: str | None = None,
    ) -> Kept:
        """Edits a case, decides on it, or both; what was decided before does not hold for an edit.

        Args:
            changes: new values of ``review.EDITABLE``.
            read_at: ``updated_at`` of the case that was looked at; ``None``: any.

        Raises:
            UnknownCase: there is none of this id.
            CaseChanged: it was changed since ``read_at``, or now asks what another one asks.
            InvalidRequest: what comes of it breaks a rule, or a decision has no reviewer.
        """
        record = self.store.case(case_id)
        if read_at is not None and read_at != record.updated_at:
            raise CaseChanged("The test was changed meanwhile.")
        case = edited(_kept(record).case, changes)
        if decision is not None:
            decide = approved if decision == "approve" else rejected
            case = decide(case, reviewer, datetime.now(UTC))
        changed = _record(case, record.created_at, _later(record.updated_at))
        return _kept(self.store.replace(changed, read_at=record.updated_at))

    def exported(self, review_status: str | None = None) -> str:
        """The cases as lines of JSON, oldest first: what ``local-rag-eval`` takes."""
        return "".join(case_line(kept.case) + "\n" for kept in reversed(self.all(review_status)))

    def take_in(self, text: str) -> Imported:
        """Keeps the cases of lines of JSON that are not kept yet; none where a line is wrong.

        Raises:
            InvalidRequest: a line breaks a rule; each is named with its line.
        """
        cases, wrong = checked_lines(re.split(r"\r?\n", text.removeprefix("\ufeff")))
        if wrong:
            told = "\n".join([*wrong[:_MOST_TOLD], *(["…"] if len(wrong) > _MOST_TOLD else [])])
            raise InvalidRequest(
                f"The file breaks {len(wrong)} rules:\n{told}",
                fix="Mend the lines that are named and send it again.",
            )
        if not cases:
            raise InvalidRequest("The file has no test.", fix="Send at least one golden case.")
        kept = [(case, *self.save(case)) for case in cases]
        return Imported(
            tuple(case.case_id for case, _, is_new in kept if is_new),
            tuple((case.case_id, one.case.case_id) for case, one, is_new in kept if not is_new),
        )

    def to_run(self, *, only_approved: bool) -> Sequence[Case]:
        """What a run asks, oldest first: the approved cases, or all that are not rejected.

        Raises:
            InvalidRequest: there is none.
        """
        cases = [kept.case for kept in reversed(self.all())]
        wanted = [
            case
            for case in cases
            if case.review_status == "approved_gold"
            or not (only_approved or case.review_status == "rejected")
        ]
        if not wanted:
            raise InvalidRequest(
                "There is no approved test." if only_approved else "There is no test to run.",
                fix="Save an answer as a test and approve it first.",
            )
        return wanted


def decided(case: Case, confirmed_by: str) -> Case:
    """A new case as gold at once, where a person has named themselves; else as it is."""
    return approved(case, confirmed_by, datetime.now(UTC)) if confirmed_by else case


def _sameness(case: Case) -> str:
    return sameness(case.question, case.document_ids)


def _record(case: Case, created_at: str, updated_at: str) -> KeptCase:
    return KeptCase(
        case_id=case.case_id,
        sameness=_sameness(case),
        review_status=case.review_status,
        line=case_line(case),
        created_at=created_at,
        updated_at=updated_at,
    )


def _kept(record: KeptCase) -> Kept:
    return Kept(Case.model_validate_json(record.line), record.created_at, record.updated_at)


def _later(moment: str) -> str:
    """Now; later than the moment, even where the clock was put back: each change has its own."""
    at = now()
    if at > moment:
        return at
    next_one = datetime.fromisoformat(moment) + timedelta(microseconds=1)
    return next_one.isoformat(timespec="microseconds")
