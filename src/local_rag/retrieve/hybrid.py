"""The strategy ``hybrid``: cosine and BM25 as two rankings, fused by rank."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from itertools import islice
from typing import TYPE_CHECKING

from local_rag.model.evidence import Evidence, Ledger, LedgerRow, Retrieval, Weights
from local_rag.retrieve.duplicates import Said
from local_rag.retrieve.fuse import Fusion, fuse
from local_rag.retrieve.select import select
from local_rag.retrieve.space import asked
from local_rag.retrieve.weights import chosen, weights_for
from local_rag.text.bm25 import code_terms, query_terms
from local_rag.text.language import UNDETERMINED
from local_rag.text.phrases import holds
from local_rag.text.stopwatch import Stopwatch
from local_rag.text.tokens import tokenize

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from local_rag.model.evidence import Fused, Hit, Scope
    from local_rag.model.question import Part, Question
    from local_rag.ports import Catalog, Reranker, Vectors
    from local_rag.retrieve.space import Space

DEPTH = 50
"""Rows read from each ranking before fusion, or twice as many as are asked for where that is more.
What ranks far below says nothing, and the first rows must not depend on how many are asked for."""
_DEEPEST = 800  # where copies of one passage fill all that was read
_COPIES_SHOWN = 100
_PHRASE_DEPTH = 500  # of what holds a phrase's words, few hold them side by side


@dataclass(frozen=True, slots=True)
class HybridOptions:
    """What a caller may choose.

    Attributes:
        top_k: distinct passages found for each part.
        score_threshold: cosine below which a row of the dense ranking does not count.
        exhaustive_factor: how many times ``top_k`` a part that asks for everything gets.
        rerank_depth: passages that a reranker reads.
        dense_weight, lexical_weight: in the fusion; ``None``: derived from the question.
    """

    top_k: int = 4
    score_threshold: float = 0.15
    exhaustive_factor: int = 2
    rerank_depth: int = 20
    fusion: Fusion = "rrf"
    dense_weight: float | None = None
    lexical_weight: float | None = None


@dataclass(frozen=True, slots=True)
class Hybrid:
    """Finds the passages for a question.

    Attributes:
        space: what is searched, at this moment.
        reranker: orders the first passages anew; ``None``: they stay as they were fused.
        options: how it is tuned unless a call says otherwise.
    """

    catalog: Catalog
    space: Callable[[], Space]
    options: HybridOptions = field(default_factory=HybridOptions)
    reranker: Reranker | None = None

    def __call__(
        self,
        question: Question,
        scope: Scope,
        languages: Iterable[str] = (),
        options: HybridOptions | None = None,
    ) -> Retrieval:
        """Finds the passages for each part of the question.

        A part without a content word finds nothing. A ranking of weight 0 is not asked.

        Args:
            languages: those of the documents in scope, ISO 639-1 or ``und``.
        """
        known = sorted(set(languages) - {UNDETERMINED})
        return asked(
            self.space,
            lambda space: self._found(
                question, _Search(space, scope, question.language, known, options or self.options)
            ),
        )

    def _found(self, question: Question, search: _Search) -> Retrieval:
        watch = Stopwatch()
        ledgers = tuple(self._part(part, search, watch) for part in question.parts)
        return Retrieval(question, ledgers, watch.timings_ms, outdated=bool(search.gone))

    def _part(self, part: Part, search: _Search, watch: Stopwatch) -> Ledger:
        text, options = part.search_text, search.options
        weights = search.weights(text)
        terms = query_terms(text, search.language, search.languages)
        if not terms:
            return Ledger(part, (), weights)
        vector = None
        if weights.dense > 0 and search.space.embedder is not None:
            with watch("embed"):
                vector = search.space.embedder.embed_query(text)
        top_k = options.top_k * (options.exhaustive_factor if part.exhaustive else 1)
        depth = max(DEPTH, 2 * top_k)
        while True:
            rankings = search.rankings(part, terms, vector, depth, watch)
            with watch("load"):
                fused = fuse(*rankings, weights, fusion=options.fusion)
                found = self._loaded(fused, top_k, search)
                if self.reranker is not None:
                    found = self._reranked(text, fused, search, watch)
                rows = _distinct(found, part.phrases, top_k)
            is_all = max(map(len, rankings)) < depth
            if is_all or depth >= _DEEPEST or not _is_crowded(rows, top_k):
                break
            depth *= 4
        with watch("select"):
            return Ledger(part, select(rows, terms), weights)

    def _loaded(self, fused: Iterator[Fused], batch: int, search: _Search) -> Iterator[Evidence]:
        """The passages, best first; those whose document left the library since are left out."""
        while rows := list(islice(fused, batch)):
            found = self.catalog.chunks([row.chunk_id for row in rows])
            for row in rows:
                if row.chunk_id in found:
                    yield Evidence(*found[row.chunk_id], row)
                else:
                    search.gone.add(row.chunk_id)

    def _reranked(
        self, text: str, fused: Iterator[Fused], search: _Search, watch: Stopwatch
    ) -> Iterator[Evidence]:
        """The first passages in the reranker's order, then the others; ties by id."""
        assert self.reranker is not None  # noqa: S101 - the caller has looked
        depth = search.options.rerank_depth
        first = list(self._loaded(islice(fused, depth), depth, search))
        with watch("rerank"):
            read = [row.chunk.indexed_text(row.document.title) for row in first]
            scores = self.reranker.scores(text, read)
        judged = [replace(row, reranked=s) for row, s in zip(first, scores, strict=True)]
        yield from sorted(judged, key=lambda row: (-(row.reranked or 0.0), row.chunk.chunk_id))
        yield from self._loaded(fused, depth, search)


@dataclass(frozen=True, slots=True)
class _Search:
    """What is the same for all parts of a question.

    Attributes:
        gone: passages that were found and had left the library before they were read.
    """

    space: Space
    scope: Scope
    language: str
    languages: Sequence[str]
    options: HybridOptions
    gone: set[str] = field(default_factory=set)

    def weights(self, text: str) -> Weights:
        """What each ranking may say about this text."""
        if self.space.embedder is None:
            reason = f"The index was made with {self.space.info.model}, which is not at hand."
            return Weights(0.0, 1.0, reason)
        covered = self.space.info.languages
        derived = weights_for(text, self.language, self.languages, covered)
        return chosen(derived, self.options.dense_weight, self.options.lexical_weight)

    def rankings(
        self,
        part: Part,
        terms: dict[str, float],
        vector: Vectors | None,
        depth: int,
        watch: Stopwatch,
    ) -> tuple[list[Hit], list[Hit], list[Hit]]:
        """The dense one, the lexical one, and what holds the part's codes and phrases."""
        dense: list[Hit] = []
        if vector is not None:
            with watch("dense"):
                dense = self.space.index.dense(vector, depth, self.scope)
                dense = [hit for hit in dense if hit.value >= self.options.score_threshold]
        with watch("lexical"):
            lexical = self.space.index.lexical(terms, depth, self.scope)
            return dense, lexical, self._exact(part, depth)

    def _exact(self, part: Part, depth: int) -> list[Hit]:
        """What holds the very codes and the words of the phrases that the part names.

        Vectors of INV-2054 and INV-2045 are alike, so these count once more.
        """
        words = code_terms(part.search_text, self.language)
        if part.phrases:
            words = dict.fromkeys(tokenize("\n".join(part.phrases), self.language), 1.0)
            depth = max(depth, _PHRASE_DEPTH)
        return self.space.index.lexical(words, depth, self.scope)


def _distinct(rows: Iterator[Evidence], phrases: Sequence[str], wanted: int) -> Sequence[LedgerRow]:
    """The first rows that hold the phrases, until ``wanted`` of them say different things.

    Where none holds them, the first rows, none of them to be read.
    """
    found: list[LedgerRow] = []
    lacking: list[LedgerRow] = []
    said: dict[str, Said] = {}
    for row in rows:
        chunk = row.chunk
        if not _holds_all(row, phrases):
            lacking.append(LedgerRow(row, kept=False, verdict="lacks-phrase"))
            continue
        own = Said(chunk.read_text)
        twin = next((id_ for id_, other in said.items() if own.repeats(other)), None)
        if twin is None:
            said[chunk.chunk_id] = own
            found.append(LedgerRow(row, kept=True, verdict="covers"))
            if len(said) == wanted:
                break
        elif len(found) - len(said) < _COPIES_SHOWN:
            found.append(LedgerRow(row, kept=False, verdict="duplicate", duplicate_of=twin))
    return found or lacking[:wanted]


def _is_crowded(rows: Sequence[LedgerRow], wanted: int) -> bool:
    """Whether copies have taken the places of passages that say something else."""
    copies = sum(row.verdict == "duplicate" for row in rows)
    return copies > 0 and len(rows) - copies < wanted


def _holds_all(row: Evidence, phrases: Sequence[str]) -> bool:
    if not phrases:
        return True
    text = row.chunk.indexed_text(row.document.title)
    return all(holds(text, phrase) for phrase in phrases)
