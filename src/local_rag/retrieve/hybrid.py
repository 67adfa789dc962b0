"""The strategy ``hybrid``: cosine and BM25 as two rankings, fused by rank."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from local_rag.model.evidence import Evidence, Retrieval
from local_rag.retrieve.fuse import fuse
from local_rag.retrieve.weights import dense_weight
from local_rag.text.bm25 import code_terms, query_terms
from local_rag.text.language import detect
from local_rag.text.stopwatch import Stopwatch

if TYPE_CHECKING:
    from collections.abc import Iterable

    from local_rag.model.evidence import Hit, Scope
    from local_rag.ports import Catalog, Embedder, SearchIndex

DEPTH = 50
"""Rows read from each ranking before fusion, or five times ``top_k`` where that is more."""


@dataclass(frozen=True, slots=True)
class HybridOptions:
    """What a caller may choose.

    Attributes:
        top_k: passages returned.
        score_threshold: cosine below which a row of the dense ranking does not count.
    """

    top_k: int = 4
    score_threshold: float = 0.15


def hybrid(
    question: str,
    scope: Scope,
    *,
    catalog: Catalog,
    embedder: Embedder,
    index: SearchIndex,
    library_languages: Iterable[str] = (),
    options: HybridOptions | None = None,
) -> Retrieval:
    """Finds the passages for a question.

    A question without a content word finds nothing. A ranking of weight 0 is not asked.
    """
    options = options or HybridOptions()
    watch = Stopwatch()
    language = detect(question)
    terms = query_terms(question, language, library_languages)
    if not terms:
        return Retrieval((), 0.0, 0.0, language, watch.timings_ms)
    weight = dense_weight(question, language, embedder.info.languages)
    depth = max(DEPTH, 5 * options.top_k)
    dense: list[Hit] = []
    if weight > 0:
        with watch("embed"):
            vector = embedder.embed_query(question)
        with watch("dense"):
            dense = index.dense(vector, depth, scope)
            dense = [hit for hit in dense if hit.value >= options.score_threshold]
    with watch("lexical"):
        lexical = index.lexical(terms, depth, scope)
        # Vectors of INV-2054 and INV-2045 are alike: what holds the very code is ranked once more.
        exact = index.lexical(code_terms(question, language), depth, scope)
    with watch("load"):
        fused = fuse(dense, lexical, exact, dense_weight=weight)
        evidence: list[Evidence] = []
        # A document may leave the library between the search and this read: take the next ones.
        for begin in range(0, len(fused), options.top_k):
            batch = fused[begin : begin + options.top_k]
            found = catalog.chunks([row.chunk_id for row in batch])
            evidence += [
                Evidence(*found[row.chunk_id], row) for row in batch if row.chunk_id in found
            ]
            if len(evidence) >= options.top_k:
                break
    return Retrieval(tuple(evidence[: options.top_k]), weight, 1.0, language, watch.timings_ms)
