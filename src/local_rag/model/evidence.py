"""What retrieval hands to the writer: passages and why each of them was found."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import zip_longest
from typing import TYPE_CHECKING, Literal, NamedTuple

if TYPE_CHECKING:
    from local_rag.model.document import Chunk, Document
    from local_rag.model.question import Part, Question


@dataclass(frozen=True, slots=True)
class Scope:
    """Which documents a search may see.

    Attributes:
        document_ids: only these; ``None`` means all of them, an empty set means none.
        hidden_ids: never these: documents not yet, or no longer, part of the library.
    """

    document_ids: frozenset[str] | None = None
    hidden_ids: frozenset[str] = frozenset()


class Hit(NamedTuple):
    """One row of one ranking.

    Attributes:
        value: cosine similarity in [-1, 1] in a dense ranking, BM25 weight in a lexical one.
    """

    chunk_id: str
    value: float


class Fused(NamedTuple):
    """A chunk's place in each ranking and in the fusion. Ranks start at 1; ``None``: not ranked."""

    chunk_id: str
    rrf: float
    dense_rank: int | None
    lexical_rank: int | None
    cosine: float | None
    bm25: float | None


@dataclass(frozen=True, slots=True)
class Evidence:
    """A passage found for a question, with its document and its places in the rankings.

    Attributes:
        reranked: the reranker's score, higher is better; ``None`` where none has read it.
    """

    chunk: Chunk
    document: Document
    fused: Fused
    reranked: float | None = None


@dataclass(frozen=True, slots=True)
class Weights:
    """How much each ranking said in the fusion, and why.

    Attributes:
        reason: in words, for the reader.
    """

    dense: float
    lexical: float
    reason: str


EQUAL = Weights(1.0, 1.0, "Both rankings count alike.")


Verdict = Literal["first", "adds", "covers", "similar", "duplicate", "off-topic", "lacks-phrase"]
"""Why a passage is read or not. Read: ``first``: the best one; ``adds``: holds words of the
question that no better one holds; ``covers``: holds about as much of it as the best one;
``similar``: holds little of it, but its meaning is close. Left: ``duplicate``: says what a better
one says; ``off-topic``: holds little of the question; ``lacks-phrase``: does not hold what the
question quotes, as none does."""


@dataclass(frozen=True, slots=True)
class LedgerRow:
    """A passage found for a part of a question, and whether the writer reads it.

    Attributes:
        duplicate_of: chunk id of the better passage that says the same.
    """

    evidence: Evidence
    kept: bool
    verdict: Verdict
    duplicate_of: str | None = None


@dataclass(frozen=True, slots=True)
class Ledger:
    """All that was found for one part of a question, best first.

    Attributes:
        rows: the ``top_k`` best distinct passages, their duplicates between them.
    """

    part: Part
    rows: tuple[LedgerRow, ...]
    weights: Weights

    @property
    def kept(self) -> tuple[Evidence, ...]:
        """What the writer reads, best first."""
        return tuple(row.evidence for row in self.rows if row.kept)


@dataclass(frozen=True, slots=True)
class Retrieval:
    """The evidence for a question, part by part, and what finding it took.

    Attributes:
        ledgers: one for each part of the question, in order.
        timings_ms: milliseconds of each step: ``embed``, ``dense``, ``lexical``, ``load``,
            ``rerank``, ``select``.
        outdated: a passage was found whose document left the library before it was read.
    """

    question: Question
    ledgers: tuple[Ledger, ...]
    timings_ms: dict[str, float]
    outdated: bool = False

    @property
    def evidence(self) -> tuple[Evidence, ...]:
        """What is read for any part, each passage once: the best of each part first."""
        found: dict[str, Evidence] = {}
        for rows in zip_longest(*(ledger.kept for ledger in self.ledgers)):
            for row in filter(None, rows):
                found.setdefault(row.chunk.chunk_id, row)
        return tuple(found.values())
