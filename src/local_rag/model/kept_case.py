"""A golden case as a library keeps it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class KeptCase:
    """A golden case with what it is found by.

    Attributes:
        case_id: as in ``line``.
        sameness: equal for cases that ask the same of the same documents; one of them is kept.
        review_status: as in ``line``.
        line: the case as a JSON object.
        created_at: UTC, ISO 8601 with microseconds.
        updated_at: when it was last changed, of the same form.
    """

    case_id: str
    sameness: str
    review_status: str
    line: str
    created_at: str
    updated_at: str
