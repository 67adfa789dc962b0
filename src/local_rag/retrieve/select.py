"""Which of the passages found the writer reads: those that say something of the question."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING

from local_rag.text.tokens import tokenize

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from local_rag.model.evidence import Evidence, LedgerRow, Verdict

_COVERS = 0.5  # of what the passage that holds most of the question holds of it
_CLOSE = 0.1  # of cosine below the best one


def select(rows: Sequence[LedgerRow], terms: Mapping[str, float]) -> tuple[LedgerRow, ...]:
    """Judges each row that is still to be read; keeps the order.

    Judging what was kept alone, by the same terms, keeps all of it.

    Args:
        rows: best first.
        terms: weight of each token of the question.
    """
    held = [_held(row.evidence, terms) for row in rows]
    weight = [sum(terms[token] for token in tokens) for tokens in held]
    distinct = [i for i, row in enumerate(rows) if row.kept]
    most = max((weight[i] for i in distinct), default=0.0)
    closest = max((rows[i].evidence.fused.cosine or 0.0 for i in distinct), default=0.0)
    covered: set[str] = set()
    judged = list(rows)
    for i in distinct:
        verdict: Verdict = "off-topic"
        if i == distinct[0]:
            verdict = "first"
        elif held[i] - covered:
            verdict = "adds"
        elif weight[i] >= _COVERS * most:
            verdict = "covers"
        elif (rows[i].evidence.fused.cosine or 0.0) >= closest - _CLOSE:
            verdict = "similar"
        kept = verdict != "off-topic"
        if kept:
            covered |= held[i]
        judged[i] = replace(rows[i], kept=kept, verdict=verdict)
    return tuple(judged)


def _held(row: Evidence, terms: Mapping[str, float]) -> frozenset[str]:
    text = row.chunk.indexed_text(row.document.title)
    return _tokens(text, row.document.language).intersection(terms)


@lru_cache(maxsize=2048)  # about 10 MB
def _tokens(text: str, language: str) -> frozenset[str]:
    return frozenset(tokenize(text, language))
