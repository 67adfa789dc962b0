"""What retrieval hands to the writer: passages and why each of them was found."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from local_rag.model.document import Chunk, Document


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
    """A passage found for a question, with its document and its places in the rankings."""

    chunk: Chunk
    document: Document
    fused: Fused


@dataclass(frozen=True, slots=True)
class Retrieval:
    """The evidence for a question, best first, and what finding it took.

    Attributes:
        evidence: at most ``top_k`` passages.
        dense_weight, lexical_weight: weights of the two rankings in the fusion.
        language: ISO 639-1 code of the question's language, ``und`` where it is not clear.
        timings_ms: milliseconds of each step: ``embed``, ``dense``, ``lexical``, ``load``.
    """

    evidence: tuple[Evidence, ...]
    dense_weight: float
    lexical_weight: float
    language: str
    timings_ms: dict[str, float]
