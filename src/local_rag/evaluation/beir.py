"""A retrieval set through the program's chunking, its two rankings and their fusion."""

from __future__ import annotations

import time
from dataclasses import dataclass, field, replace
from itertools import zip_longest
from typing import TYPE_CHECKING

import numpy as np

from local_rag.composition import open_bench
from local_rag.errors import InvalidRequest, LocalRagError
from local_rag.evaluation.ranking import ndcg, recall, reciprocal_rank
from local_rag.evaluation.statistics import mean_of
from local_rag.ingest.chunk import chunk_document
from local_rag.ingest.sections import HeadingFound, build_sections
from local_rag.model.document import Document, Extraction, Page
from local_rag.model.evidence import Scope
from local_rag.ports import Point
from local_rag.retrieve.understand import understand
from local_rag.text.bm25 import query_terms
from local_rag.text.language import UNDETERMINED, detect
from local_rag.text.tokens import tokenize

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from local_rag.composition import Bench
    from local_rag.evaluation.beir_set import BeirSet, CorpusRow
    from local_rag.evaluation.results import Figure
    from local_rag.model.document import Chunk
    from local_rag.model.evidence import Hit
    from local_rag.settings import Settings

LEGS = ("dense", "lexical", "hybrid")
K = 10
DEPTH = 100
"""Documents that each of the two rankings is followed to."""
_DEEPEST = 16 * DEPTH  # passages read for them, where the best are of few documents
_EMBED_AT_ONCE = 1024


@dataclass(frozen=True, slots=True)
class LegResult:
    """What one ranking finds.

    Attributes:
        figures: by measure, such as ``ndcg@10``; those that it does not reach are absent.
        latency_ms: ``p50`` and ``p95`` over the questions, embedding of the question included.
    """

    figures: dict[str, Figure]
    latency_ms: dict[str, float]


@dataclass(frozen=True, slots=True)
class BeirResult:
    """What came of a set.

    Attributes:
        questions: of the set. measured: those of them that were searched for without a failure.
        failures: why the others were not, with how many there are of each.
        legs: ``dense``, ``lexical``, ``hybrid``.
    """

    questions: int
    measured: int
    failures: dict[str, int]
    documents: int
    passages: int
    legs: dict[str, LegResult]
    elapsed_s: float


@dataclass(slots=True)
class _Seen:
    """Of one leg: the scores of each question by measure, and the milliseconds."""

    scores: dict[str, list[float]] = field(default_factory=dict)
    elapsed_ms: list[float] = field(default_factory=list)


def run_beir(
    settings: Settings,
    beir: BeirSet,
    *,
    top_k: int,
    progress: Callable[[str, int, int], None] = lambda _stage, _done, _total: None,
) -> BeirResult:
    """Measures the two rankings and the hybrid on a set.

    A document's place is that of its best passage. The hybrid is measured before the choice of
    what a writer reads.

    Args:
        top_k: distinct passages that the hybrid finds for each part of a question.
        progress: called with ``indexing`` or ``asking``, how many are done, and of how many.

    Raises:
        InvalidRequest: no question could be searched for.
    """
    begun = time.perf_counter()
    with open_bench(settings) as bench:
        owner: dict[str, str] = {}
        bench.space.index.upsert(_points(bench, beir, owner, progress))
        search = _Search(bench, owner, top_k)
        seen = {leg: _Seen() for leg in LEGS}
        failures: dict[str, int] = {}
        for number, (query, question) in enumerate(beir.questions.items()):
            progress("asking", number, len(beir.questions))
            try:
                ranked = search(question)
            except LocalRagError as error:
                failures[error.message] = failures.get(error.message, 0) + 1
                continue
            grades = beir.grades[query]
            for leg, (names, elapsed_ms) in ranked.items():
                seen[leg].elapsed_ms.append(elapsed_ms)
                reach = top_k if leg == "hybrid" else DEPTH
                for measure, score in _scores(names, grades, top_k, reach).items():
                    seen[leg].scores.setdefault(measure, []).append(score)
    asked = len(beir.questions)
    measured = asked - sum(failures.values())
    if not measured:
        raise InvalidRequest(f"No question could be searched for: {next(iter(failures))}")
    return BeirResult(
        questions=asked,
        measured=measured,
        failures=failures,
        documents=beir.document_count,
        passages=len(owner),
        legs={leg: _leg_result(one, asked) for leg, one in seen.items()},
        elapsed_s=time.perf_counter() - begun,
    )


def _leg_result(seen: _Seen, asked: int) -> LegResult:
    return LegResult(
        {measure: mean_of(scores, asked) for measure, scores in seen.scores.items()},
        {f"p{share}": float(np.percentile(seen.elapsed_ms, share)) for share in (50, 95)},
    )


def _scores(
    names: Sequence[str], grades: dict[str, float], top_k: int, reach: int
) -> dict[str, float]:
    gains = [grades.get(name, 0.0) for name in names]
    scores = {
        f"ndcg@{K}": ndcg(gains, list(grades.values()), K),
        f"mrr@{K}": reciprocal_rank(gains, K),
    }
    for k in sorted({K, top_k, DEPTH}):
        if k <= reach:
            scores[f"recall@{k}"] = recall(gains, len(grades), k)
    return scores


def _points(
    bench: Bench,
    beir: BeirSet,
    owner: dict[str, str],
    progress: Callable[[str, int, int], None],
) -> Iterator[Point]:
    """Adds the documents to the catalogue; what the index is to hold of their passages."""
    pending: list[tuple[Chunk, str, str]] = []
    for number, row in enumerate(beir.corpus()):
        progress("indexing", number, beir.document_count)
        document, chunks = _add(bench, number, row)
        owner.update((chunk.chunk_id, row.name) for chunk in chunks)
        pending += [
            (chunk, chunk.indexed_text(document.title), document.language) for chunk in chunks
        ]
        while len(pending) >= _EMBED_AT_ONCE:
            yield from _embedded(bench, pending[:_EMBED_AT_ONCE])
            del pending[:_EMBED_AT_ONCE]
    yield from _embedded(bench, pending)


def _add(bench: Bench, number: int, row: CorpusRow) -> tuple[Document, tuple[Chunk, ...]]:
    text = f"{row.title}\n\n{row.text}".strip()
    pages = (Page(1, text),)
    headings = [HeadingFound(1, row.title, 1, 0)] if row.title else []
    extraction = Extraction(pages, build_sections(headings, pages), row.title or None)
    document_id = f"{number:032x}"
    chunks = chunk_document(document_id, extraction, bench.split)
    document = Document(
        document_id=document_id,
        name=f"{number}.txt",
        media_type="text/plain",
        source_sha256=f"{number:064x}",
        size_bytes=len(text.encode("utf-8", "replace")),
        page_count=1,
        chunk_count=len(chunks),
        title=extraction.title,
        added_at="",
        language=detect(text),
    )
    bench.catalog.stage(document, extraction, chunks)
    bench.catalog.publish(document_id)
    return document, chunks


def _embedded(bench: Bench, batch: Sequence[tuple[Chunk, str, str]]) -> Iterator[Point]:
    if not batch:
        return
    embedder = bench.space.embedder
    assert embedder is not None  # noqa: S101 - of a library that is made here
    vectors = embedder.embed_passages([text for _, text, _ in batch])
    for (chunk, text, language), vector in zip(batch, vectors, strict=True):
        yield Point(chunk.chunk_id, chunk.document_id, vector, tokenize(text, language))


class _Search:
    """Finds documents by each leg."""

    def __init__(self, bench: Bench, owner: dict[str, str], top_k: int) -> None:
        self._index = bench.space.index
        self._embedder = bench.space.embedder
        self._hybrid = bench.hybrid
        self._options = replace(bench.hybrid.options, top_k=top_k)
        self._owner = owner
        self._languages = sorted(bench.catalog.languages().keys() - {UNDETERMINED})

    def __call__(self, question: str) -> dict[str, tuple[list[str], float]]:
        """The documents by leg, best first, and the milliseconds that finding them took."""
        return {
            "dense": self._followed(lambda: self._dense(question)),
            "lexical": self._followed(lambda: self._lexical(question)),
            "hybrid": self._fused(question),
        }

    def _dense(self, question: str) -> Callable[[int], list[Hit]]:
        assert self._embedder is not None  # noqa: S101 - see above
        vector = self._embedder.embed_query(question)
        return lambda limit: self._index.dense(vector, limit, Scope())

    def _lexical(self, question: str) -> Callable[[int], list[Hit]]:
        terms = query_terms(question, detect(question), self._languages)
        return lambda limit: self._index.lexical(terms, limit, Scope())

    def _followed(self, begin: Callable[[], Callable[[int], list[Hit]]]) -> tuple[list[str], float]:
        """As many passages as it takes to name ``DEPTH`` documents; the first read is timed."""
        begun = time.perf_counter()
        rank, limit = begin(), DEPTH
        hits = rank(limit)
        elapsed_ms = (time.perf_counter() - begun) * 1000
        while True:
            names = self._names(hit.chunk_id for hit in hits)
            if len(names) >= DEPTH or len(hits) < limit or limit >= _DEEPEST:
                return names[:DEPTH], elapsed_ms
            limit *= 2
            hits = rank(limit)

    def _fused(self, question: str) -> tuple[list[str], float]:
        begun = time.perf_counter()
        found = self._hybrid(understand(question), Scope(), self._languages, self._options)
        elapsed_ms = (time.perf_counter() - begun) * 1000
        by_rank = zip_longest(*(ledger.rows for ledger in found.ledgers))
        rows = (row for rows in by_rank for row in rows if row is not None)
        return self._names(row.evidence.chunk.chunk_id for row in rows), elapsed_ms

    def _names(self, chunk_ids: Iterable[str]) -> list[str]:
        return list(dict.fromkeys(self._owner[chunk_id] for chunk_id in chunk_ids))
