"""Measures the embedded embedding model: the prepared graph against the one it ships with.

    python evaluation/bench_embedding.py [--data DIR] [--sample N]

Prints how long preparation takes, passages a second of both graphs over the same passages in turn,
and how near their vectors are. With ``--data`` it adds what that does to a ranking: nDCG@10 with
binary gains of the dense leg on SciFact, ``DIR/corpus.jsonl`` (``_id``, ``title``, ``text``),
``DIR/queries.jsonl`` (``_id``, ``text``) and ``DIR/qrels.tsv`` (a heading, then query, document and
gain), or the same in ``DIR/scifact``. Any other set in these files does, too. Exits with 1 when a
target is missed.

Rates depend on what else the machine does, ratios hardly: the two graphs take turns, and the ratio
is the median over the rounds. "CPU ms" is processor time for each passage, of all threads.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import re
import statistics
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path
from pydoc_data.topics import topics

import numpy as np

from local_rag.adapters.minilm import CARD_COSINES, CARD_SENTENCES, MiniLmEmbedder

PASSAGE_CHARS = 900
MIN_RATIO = 1.6
MAX_NDCG_DIFFERENCE = 0.005


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    default = os.environ.get("LOCAL_RAG_BENCH_DATA")
    parser.add_argument(
        "--data", type=Path, default=default and Path(default), help="holds retrieval/<set>"
    )
    parser.add_argument("--set", default="scifact", help="a set in the BEIR layout")
    parser.add_argument("--sample", type=int, help="keep N documents, all relevant ones included")
    parser.add_argument("--passages", type=int, default=64, help="passages in each round")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--threads", type=int, default=0, help="0 takes one for each core")
    args = parser.parse_args()

    with tempfile.TemporaryDirectory() as folder:
        prepared = MiniLmEmbedder(Path(folder), threads=args.threads)
        shipped = MiniLmEmbedder(Path(folder), threads=args.threads, prepare=False)
        print(f"first use, preparing        {_seconds(prepared):8.2f} s")
        again = MiniLmEmbedder(Path(folder), threads=args.threads)
        print(f"first use, prepared before  {_seconds(again):8.2f} s")
        print(f"first use, as shipped       {_seconds(shipped):8.2f} s")
        ratio = compare_speed(shipped, prepared, _passages(args.passages), args.rounds)
        compare_card(shipped, prepared)
        missed = [] if ratio >= MIN_RATIO else [f"the ratio is under {MIN_RATIO}"]
        if args.data:
            difference = compare_ranking(
                shipped, prepared, Collection.read(args.data / "retrieval" / args.set, args.sample)
            )
            if abs(difference) > MAX_NDCG_DIFFERENCE:
                missed.append(f"nDCG@10 differs by more than {MAX_NDCG_DIFFERENCE}")
    for miss in missed:
        print(f"MISSED: {miss}")
    return 1 if missed else 0


def _seconds(embedder: MiniLmEmbedder) -> float:
    start = time.perf_counter()
    embedder.embed_query("warm up")
    return time.perf_counter() - start


def _passages(count: int) -> list[str]:
    """English prose that every Python carries: the language's reference, cut into passages."""
    text = re.sub(r"\s+", " ", " ".join(topics[name] for name in sorted(topics)))
    return [text[i * PASSAGE_CHARS : (i + 1) * PASSAGE_CHARS] for i in range(count)]


@dataclass
class Timing:
    """Seconds of each round."""

    wall_s: list[float] = field(default_factory=list)
    cpu_s: list[float] = field(default_factory=list)

    def embed(self, embedder: MiniLmEmbedder, texts: list[str]) -> np.ndarray:
        wall, cpu = time.perf_counter(), time.process_time()
        vectors = embedder.embed_passages(texts)
        self.wall_s.append(time.perf_counter() - wall)
        self.cpu_s.append(time.process_time() - cpu)
        return vectors


def compare_speed(
    shipped: MiniLmEmbedder, prepared: MiniLmEmbedder, texts: list[str], rounds: int
) -> float:
    """Prints rates and cosines; returns the ratio of the rates."""
    slow, fast = Timing(), Timing()
    for _ in range(rounds):
        before, after = slow.embed(shipped, texts), fast.embed(prepared, texts)
    for name, timing in (("as shipped", slow), ("prepared", fast)):
        rate = len(texts) / statistics.median(timing.wall_s)
        cpu_ms = 1000 * statistics.median(timing.cpu_s) / len(texts)
        print(f"{name:26s}  {rate:8.1f} passages/s, {cpu_ms:.1f} CPU ms")
    ratio = statistics.median(a / b for a, b in zip(slow.wall_s, fast.wall_s, strict=True))
    cpu_ratio = statistics.median(a / b for a, b in zip(slow.cpu_s, fast.cpu_s, strict=True))
    print(f"ratio                       {ratio:8.2f}, of CPU time {cpu_ratio:.2f}")

    query_s = []
    for _ in range(50):
        start = time.perf_counter()
        prepared.embed_query("How long does the warranty of the pump last?")
        query_s.append(time.perf_counter() - start)
    print(f"query                       {1000 * statistics.median(query_s):8.2f} ms")
    cosines = (before * after).sum(axis=1)
    print(f"cosine of both              {cosines.mean():8.5f} mean, {cosines.min():.5f} lowest")
    return ratio


def compare_card(shipped: MiniLmEmbedder, prepared: MiniLmEmbedder) -> None:
    """Prints the similarities that the model's card publishes, by both."""
    rows = [("model card", CARD_COSINES)]
    for name, embedder in (("as shipped", shipped), ("prepared", prepared)):
        a, b, c = embedder.embed_passages(CARD_SENTENCES)
        rows.append((name, (float(a @ b), float(a @ c), float(b @ c))))
    for name, cosines in rows:
        print(f"cosines, {name:17s}  " + "  ".join(f"{value:.4f}" for value in cosines))


@dataclass(frozen=True)
class Collection:
    """A retrieval set; ``relevant`` holds the documents of positive gain by query."""

    name: str
    documents: dict[str, str]
    queries: dict[str, str]
    relevant: dict[str, set[str]]

    @classmethod
    def read(cls, folder: Path, sample: int | None) -> Collection:
        if (folder / "scifact").is_dir():
            folder /= "scifact"
        relevant: dict[str, set[str]] = {}
        with (folder / "qrels.tsv").open(encoding="utf-8") as file:
            next(file)
            for line in file:
                query, document, gain = line.split()
                if float(gain) > 0:
                    relevant.setdefault(query, set()).add(document)
        rows = _json_lines(folder / "corpus.jsonl")
        documents = {row["_id"]: f"{row['title']}\n{row['text']}" for row in rows}
        if sample is not None:
            needed = set().union(*relevant.values())
            others = [document for document in documents if document not in needed]
            kept = needed.union(others[: max(0, sample - len(needed))])
            documents = {document: text for document, text in documents.items() if document in kept}
        rows = _json_lines(folder / "queries.jsonl")
        queries = {row["_id"]: row["text"] for row in rows if row["_id"] in relevant}
        return cls(folder.name, documents, queries, relevant)


def _json_lines(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8") as file:
        return [json.loads(line) for line in file]


def compare_ranking(
    shipped: MiniLmEmbedder, prepared: MiniLmEmbedder, collection: Collection
) -> float:
    """Prints nDCG@10 of both; returns the difference, prepared less shipped."""
    counts = f"{len(collection.documents)} documents, {len(collection.queries)} queries"
    print(f"{collection.name}: {counts}")
    before, after = ndcg(shipped, collection), ndcg(prepared, collection)
    print(f"nDCG@10, as shipped         {before:8.4f}")
    print(f"nDCG@10, prepared           {after:8.4f}, difference {after - before:+.4f}")
    return after - before


def ndcg(embedder: MiniLmEmbedder, collection: Collection, depth: int = 10) -> float:
    """Mean normalised discounted cumulative gain, binary gains, ties by position."""
    ids = list(collection.documents)
    documents = embedder.embed_passages(list(collection.documents.values()))
    values = []
    for query, text in collection.queries.items():
        relevant = collection.relevant[query]
        order = np.argsort(-(documents @ embedder.embed_query(text)), kind="stable")[:depth]
        gain = sum(_discount(rank) for rank, row in enumerate(order) if ids[row] in relevant)
        best = sum(_discount(rank) for rank in range(min(depth, len(relevant))))
        values.append(gain / best)
    return statistics.mean(values)


def _discount(rank: int) -> float:
    return 1 / math.log2(rank + 2)


if __name__ == "__main__":
    raise SystemExit(main())
