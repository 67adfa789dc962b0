"""What ``doctor`` finds."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Check:
    """One piece of the set-up, looked at.

    Attributes:
        name: the piece, a few words.
        works: ``None``: it is not there and need not be.
        message: one sentence.
        fix: the command or setting that mends it, or would add it; empty where there is none.
    """

    name: str
    works: bool | None
    message: str
    fix: str = ""
