"""What is told of an answer while it is being made."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from local_rag.model.answer import Citation
    from local_rag.model.audit import Audit
    from local_rag.model.evidence import Retrieval

Step = Literal["understand", "search", "write", "cite", "audit"]


@dataclass(frozen=True, slots=True)
class Begun:
    """A step begins.

    Attributes:
        attempt: from 1; a new one begins where a document left the library meanwhile, and makes
            void what was told of the one before.
        writer: what writes, in the step ``write``.
    """

    step: Step
    attempt: int
    writer: str = ""


@dataclass(frozen=True, slots=True)
class Found:
    """The evidence is there."""

    retrieval: Retrieval


@dataclass(frozen=True, slots=True)
class Stated:
    """A claim has passed its checks.

    Attributes:
        text: with its ``[1]`` markers, as it will stand in the answer.
        citations: what these markers name, with what is quoted by the claims so far.
    """

    text: str
    citations: tuple[Citation, ...]


@dataclass(frozen=True, slots=True)
class Audited:
    """The claims of one part have been checked by the decision model.

    Attributes:
        part: which part of the question, from 0.
        audits: with the citation numbers of the claims as they were told; where one was repaired,
            those of the whole answer may differ.
    """

    part: int
    audits: tuple[Audit, ...]


Told = Begun | Found | Stated | Audited
