"""The search index in this process's memory: for one-shot questions, and the reference.

Cosine by one matrix product; BM25 by rank-bm25, which scans every passage for each question and
so suits small sets only.
"""

from __future__ import annotations

import threading
from collections import Counter
from typing import TYPE_CHECKING, Any

import numpy as np

from local_rag.model.evidence import Hit
from local_rag.text.bm25 import K1, B

if TYPE_CHECKING:
    from collections.abc import Iterable

    from local_rag.model.evidence import Scope
    from local_rag.ports import Point, Vectors


class MemorySearchIndex:
    """``ports.SearchIndex`` without a file."""

    def __init__(self) -> None:
        self._points: dict[str, Point] = {}
        self._lock = threading.Lock()
        self._bm25: Any = None
        self._matrix: Vectors | None = None
        self._ordered: list[Point] = []

    def upsert(self, points: Iterable[Point]) -> None:
        """See ``ports.SearchIndex.upsert``."""
        with self._lock:
            self._points.update((point.chunk_id, point) for point in points)
            self._matrix = None

    def delete_document(self, document_id: str) -> None:
        """See ``ports.SearchIndex.delete_document``."""
        with self._lock:
            self._points = {k: p for k, p in self._points.items() if p.document_id != document_id}
            self._matrix = None

    def dense(self, vector: Vectors, limit: int, scope: Scope) -> list[Hit]:
        """See ``ports.SearchIndex.dense``."""
        with self._lock:
            self._build()
            if self._matrix is None:
                return []
            cosines = self._matrix @ vector
            return self._best(cosines, scope, limit)

    def lexical(self, terms: dict[str, float], limit: int, scope: Scope) -> list[Hit]:
        """See ``ports.SearchIndex.lexical``."""
        with self._lock:
            self._build()
            if self._matrix is None or not terms:
                return []
            scores = sum(w * self._bm25.get_scores([term]) for term, w in terms.items())
            return [hit for hit in self._best(scores, scope, len(self._ordered)) if hit.value > 0][
                :limit
            ]

    def _build(self) -> None:
        if self._matrix is not None or not self._points:
            return
        from rank_bm25 import BM25Plus

        self._ordered = [self._points[chunk_id] for chunk_id in sorted(self._points)]
        self._matrix = np.stack([point.vector for point in self._ordered])
        # An empty corpus divides by zero there, and so does one without any token.
        tokens = [list(point.tokens) or [""] for point in self._ordered]
        self._bm25 = BM25Plus(tokens, k1=K1, b=B, delta=0)

    def _best(self, values: Vectors, scope: Scope, limit: int) -> list[Hit]:
        hits = [
            Hit(point.chunk_id, float(value))
            for point, value in zip(self._ordered, values, strict=True)
            if point.document_id not in scope.hidden_ids
            and (scope.document_ids is None or point.document_id in scope.document_ids)
        ]
        hits.sort(key=lambda hit: (-hit.value, hit.chunk_id))
        return hits[:limit]

    def point_counts(self) -> dict[str, int]:
        """See ``ports.SearchIndex.point_counts``."""
        with self._lock:
            return dict(Counter(point.document_id for point in self._points.values()))

    def count(self) -> int:
        """See ``ports.SearchIndex.count``."""
        return len(self._points)

    def clear(self) -> None:
        """See ``ports.SearchIndex.clear``."""
        with self._lock:
            self._points.clear()
            self._matrix = None

    def close(self) -> None:
        """See ``ports.SearchIndex.close``."""
