"""nDCG@10 of each ranking and of their fusion, through the product's chunking and retrieval.

    python evaluation/bench_quality.py [--data DIR] [--sets scifact cranfield ...]

DIR (default: $LOCAL_RAG_BENCH_DATA) holds ``retrieval/<set>`` in the BEIR layout. Gains are binary.
A document's place is that of its best passage. Exits with 1 where a target is missed.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import sys
import tempfile
import time
from itertools import zip_longest
from pathlib import Path
from statistics import fmean
from typing import TYPE_CHECKING, Any

from local_rag.adapters.database import open_database
from local_rag.adapters.edge_index import EdgeSearchIndex
from local_rag.adapters.minilm import MiniLmEmbedder
from local_rag.adapters.splitter import recursive_splitter
from local_rag.adapters.sql_catalog import SqlCatalog
from local_rag.ingest.chunk import chunk_document
from local_rag.ingest.sections import HeadingFound, build_sections
from local_rag.model.document import Document, Extraction, Page
from local_rag.model.evidence import Scope
from local_rag.ports import Point
from local_rag.retrieve.hybrid import Hybrid, HybridOptions
from local_rag.retrieve.space import Space
from local_rag.retrieve.understand import understand
from local_rag.text.bm25 import query_terms
from local_rag.text.language import detect
from local_rag.text.tokens import tokenize

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

DEPTH = 100
TARGETS = {
    "scifact": 0.73, "cranfield": 0.43,
    "xquad-en": 0.98, "xquad-de": 0.93, "xquad-zh": 0.97, "xquad-ar": 0.88,
}  # fmt: skip
"""Least nDCG@10 of the hybrid."""
BELOW_BETTER_LEG = 0.01


def rows(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def judgements(path: Path) -> dict[str, set[str]]:
    relevant: dict[str, set[str]] = {}
    for line in path.read_text(encoding="utf-8").splitlines()[1:]:
        query, document, gain = line.split("\t")[:3]
        if float(gain) > 0:
            relevant.setdefault(query, set()).add(document)
    return relevant


def ndcg(ranked: list[str], relevant: set[str], k: int = 10) -> float:
    """Binary gains: Järvelin and Kekäläinen, ACM TOIS 20(4), 2002."""
    gained = sum(1 / math.log2(i + 2) for i, name in enumerate(ranked[:k]) if name in relevant)
    ideal = sum(1 / math.log2(i + 2) for i in range(min(k, len(relevant))))
    return gained / ideal


def documents_of(chunk_ids: Iterable[str], owner: dict[str, str]) -> list[str]:
    return list(dict.fromkeys(owner[chunk_id] for chunk_id in chunk_ids))


class LoadedSet:
    """A retrieval set in the product's own stores."""

    def __init__(self, folder: Path, work: Path, embedder: MiniLmEmbedder) -> None:
        self.embedder = embedder
        self.catalog = SqlCatalog(open_database(f"sqlite:///{work}/catalog.sqlite3"))
        self.index = EdgeSearchIndex(work / "index", embedder.info.dimensions)
        self.queries = {row["_id"]: row["text"] for row in rows(folder / "queries.jsonl")}
        self.relevant = judgements(folder / "qrels.tsv")
        self.owner: dict[str, str] = {}
        split = recursive_splitter(900, 150)
        self.index.upsert(self._points(rows(folder / "corpus.jsonl"), split))
        options = HybridOptions(top_k=25)
        space = Space(self.index, embedder.info, embedder)
        self.hybrid = Hybrid(self.catalog, lambda: space, options)
        self.languages = sorted(self.catalog.languages().keys() - {"und"})

    def _points(self, corpus: list[dict[str, Any]], split: Any) -> Iterator[Point]:
        pending = []
        for number, row in enumerate(corpus):
            title = (row.get("title") or "").strip()
            text = f"{title}\n\n{row['text']}".strip()
            pages = (Page(1, text),)
            headings = [HeadingFound(1, title, 1, 0)] if title else []
            extraction = Extraction(pages, build_sections(headings, pages), title or None)
            document_id = f"{number:032x}"
            chunks = chunk_document(document_id, extraction, split)
            language = detect(text)
            document = Document(
                document_id, f"{number}.txt", "text/plain", f"{number:064x}", len(text), 1,
                len(chunks), title or None, "2026", language,
            )  # fmt: skip
            self.catalog.stage(document, extraction, chunks)
            self.catalog.publish(document_id)
            for chunk in chunks:
                self.owner[chunk.chunk_id] = row["_id"]
                pending.append((chunk, title, language))
        for begin in range(0, len(pending), 1024):
            batch = pending[begin : begin + 1024]
            texts = [chunk.indexed_text(title) for chunk, title, _ in batch]
            vectors = self.embedder.embed_passages(texts)
            for (chunk, _, language), text, vector in zip(batch, texts, vectors, strict=True):
                tokens = tokenize(text, language)
                yield Point(chunk.chunk_id, chunk.document_id, vector, tokens)

    def scores(self) -> dict[str, float]:
        """Mean nDCG@10 of the dense leg, the lexical leg and the hybrid."""
        found: dict[str, list[float]] = {"dense": [], "lexical": [], "hybrid": []}
        for query_id, relevant in self.relevant.items():
            question = self.queries[query_id]
            vector = self.embedder.embed_query(question)
            terms = query_terms(question, detect(question), self.languages)
            ranked = {
                "dense": [hit.chunk_id for hit in self.index.dense(vector, DEPTH, Scope())],
                "lexical": [hit.chunk_id for hit in self.index.lexical(terms, DEPTH, Scope())],
                "hybrid": self._hybrid(question),
            }
            for leg, chunk_ids in ranked.items():
                found[leg].append(ndcg(documents_of(chunk_ids, self.owner), relevant))
        return {leg: fmean(values) for leg, values in found.items()}

    def _hybrid(self, question: str) -> list[str]:
        """All that is found, before the writer's choice: the best of each part first."""
        ledgers = self.hybrid(understand(question), Scope(), self.languages).ledgers
        rows = zip_longest(*(ledger.rows for ledger in ledgers))
        return [row.evidence.chunk.chunk_id for group in rows for row in group if row]

    def close(self) -> None:
        self.index.close()
        self.catalog.close()


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, default=os.environ.get("LOCAL_RAG_BENCH_DATA"))
    parser.add_argument(
        "--sets",
        nargs="+",
        default=["scifact", "cranfield", "xquad-en", "xquad-de", "xquad-zh", "xquad-ar"],
    )
    arguments = parser.parse_args()
    if arguments.data is None:
        parser.error("give --data or set LOCAL_RAG_BENCH_DATA")
    missed = 0
    print(f"{'set':<12}{'dense':>8}{'lexical':>9}{'hybrid':>8}{'passages':>10}{'seconds':>9}")
    with tempfile.TemporaryDirectory() as models:
        embedder = MiniLmEmbedder(Path(models))
        for name in arguments.sets:
            begun = time.perf_counter()
            with tempfile.TemporaryDirectory() as work:
                loaded = LoadedSet(Path(arguments.data) / "retrieval" / name, Path(work), embedder)
                result = loaded.scores()
                count = loaded.index.count()
                loaded.close()
            least = max(result["dense"], result["lexical"]) - BELOW_BETTER_LEG
            least = max(least, TARGETS.get(name, 0.0))
            verdict = f"{'ok' if result['hybrid'] >= least else 'MISSED'}: at least {least:.4f}"
            missed += result["hybrid"] < least
            print(
                f"{name:<12}{result['dense']:>8.4f}{result['lexical']:>9.4f}{result['hybrid']:>8.4f}"
                f"{count:>10}{time.perf_counter() - begun:>9.1f}  {verdict}",
                flush=True,
            )
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
