"""A large collection made from a few thousand real passages, for ``bench_scale.py``.

A passage's vector lies between those of two real ones that are neighbours, with noise; its tokens
are half of each one's. So neighbourhoods, lengths and frequencies are like those of real texts.
Questions and their vectors are real.
"""

from __future__ import annotations

import json
import random
from typing import TYPE_CHECKING, Any

import numpy as np

from local_rag.adapters.minilm import MiniLmEmbedder
from local_rag.ports import Point
from local_rag.text.tokens import tokenize

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

PASSAGES_A_DOCUMENT = 50
_BLOCK = 5_000
_PASSAGE_CHARS, _STEP_CHARS = 900, 750
_NEIGHBOURS = 16
_NOISE = 0.02
_SCATTER = 0x9E3779B97F4A7C15F39CC0605CEDC835  # odd: ids in no order, each one once
_SETS = ("cranfield", "scifact", "xquad-en")


class ScaleData:
    """Passages by number, questions with vectors.

    Args:
        data: folder with sets in the BEIR layout.
        keep: where texts and vectors are kept for the next run.
        passages: real passages that the others are made from.
        questions: how many.
    """

    def __init__(self, data: Path, keep: Path, passages: int, questions: int) -> None:
        keep.mkdir(parents=True, exist_ok=True)
        if not (keep / "vectors.npz").exists():
            _embed(data, keep, passages, questions)
        kept = json.loads((keep / "texts.json").read_text())
        self.texts: list[str] = kept["passages"]
        self.questions: list[str] = kept["questions"]
        with np.load(keep / "vectors.npz") as vectors:
            self.question_vectors = vectors["questions"]
            self._vectors = vectors["passages"]
        self._tokens = [tokenize(text, "en") for text in self.texts]
        cosines = self._vectors @ self._vectors.T
        self._near = np.argsort(-cosines, axis=1)[:, 1:_NEIGHBOURS]

    def vectors(self, block: int) -> tuple[Any, Any, Any]:
        """``(_BLOCK, d)`` vectors of a block, and the two passages that each is made from."""
        rng = np.random.default_rng([7, block])
        first = rng.integers(0, len(self.texts), _BLOCK)
        second = self._near[first, rng.integers(0, self._near.shape[1], _BLOCK)]
        share = rng.uniform(0.2, 0.8, (_BLOCK, 1))
        mixed = share * self._vectors[first] + (1 - share) * self._vectors[second]
        mixed += rng.normal(scale=_NOISE, size=mixed.shape)
        unit = mixed / np.linalg.norm(mixed, axis=1, keepdims=True)
        return unit.astype(np.float32), first, second

    def points(self, begin: int, end: int) -> Iterator[Point]:
        """Passages ``begin`` to ``end``."""
        for block in range(begin // _BLOCK, -(-end // _BLOCK)):
            vectors, first, second = self.vectors(block)
            for at in range(_BLOCK):
                number = block * _BLOCK + at
                if begin <= number < end:
                    one, other = self._tokens[first[at]], self._tokens[second[at]]
                    tokens = one[: len(one) // 2] + other[len(other) // 2 :]
                    yield Point(chunk_id(number), document_id(number), vectors[at], tokens)

    def nearest(self, end: int, limit: int) -> list[set[str]]:
        """For each question the ids of the ``limit`` nearest passages below ``end``, exactly."""
        best: list[list[tuple[float, int]]] = [[] for _ in self.questions]
        for block in range(-(-end // _BLOCK)):
            vectors = self.vectors(block)[0][: end - block * _BLOCK]
            cosines = self.question_vectors @ vectors.T
            kept = np.argpartition(-cosines, min(limit, len(vectors) - 1), axis=1)[:, :limit]
            for row, columns in enumerate(kept):
                best[row] += [(float(cosines[row, c]), block * _BLOCK + int(c)) for c in columns]
        return [{chunk_id(number) for _, number in sorted(rows)[-limit:]} for rows in best]


def chunk_id(number: int) -> str:
    return f"{number * _SCATTER % 2**128:032x}"


def document_id(number: int) -> str:
    return f"{number // PASSAGES_A_DOCUMENT:032x}"


def _embed(data: Path, keep: Path, passages: int, questions: int) -> None:
    rng = random.Random(1)
    texts: list[str] = []
    asked: list[str] = []
    for name in _SETS:
        for row in rows(data / name / "corpus.jsonl"):
            text = f"{row.get('title', '')}. {row['text']}".strip(". ")
            starts = range(0, max(1, len(text) - _PASSAGE_CHARS // 4), _STEP_CHARS)
            texts += [text[begin : begin + _PASSAGE_CHARS] for begin in starts]
        asked += [row["text"] for row in rows(data / name / "queries.jsonl")]
    rng.shuffle(texts)
    rng.shuffle(asked)
    texts, asked = texts[:passages], asked[:questions]
    embedder = MiniLmEmbedder(keep / "models", batch_size=32)
    batches = [embedder.embed_passages(texts[at : at + 256]) for at in range(0, len(texts), 256)]
    question_vectors = np.stack([embedder.embed_query(text) for text in asked])
    (keep / "texts.json").write_text(json.dumps({"passages": texts, "questions": asked}))
    np.savez(keep / "vectors.npz", passages=np.concatenate(batches), questions=question_vectors)


def rows(path: Path) -> list[dict[str, str]]:
    """The objects of a file of JSON lines."""
    with path.open(encoding="utf-8") as file:
        return [json.loads(line) for line in file]
