"""Embeddings from a model server: batches, prefixes, long texts, patience."""

from __future__ import annotations

import hashlib
import logging
import random
import threading
import time
from typing import TYPE_CHECKING, Protocol

from local_rag.adapters.servers.prefixes import prefixes_of
from local_rag.errors import (
    IndexMismatch,
    ModelServerBrokeOff,
    ModelServerBusy,
    ModelServerFault,
    ModelServerUnreachable,
    PromptTooLong,
)
from local_rag.ports import EmbedderInfo

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from local_rag.adapters.servers.known_spaces import KnownSpaces
    from local_rag.ports import Vectors

_log = logging.getLogger(__name__)

_BATCH_CHARS = 16_000
_ATTEMPTS = 4
_FIRST_PAUSE_S = 0.5
_TEXT_HANDLING = "1"
"""Raise this when splitting or averaging change: vectors of before then no longer fit."""

_SHORTEST_SPLIT_CHARS = 32
_EMPTY = "-"
"""Stands for a text without words, which some servers refuse."""


class EmbeddingServer(Protocol):
    """What an embedding call looks like, whatever the server."""

    @property
    def provider(self) -> str:
        """As ``EmbedderInfo`` names it."""
        ...

    @property
    def model(self) -> str:
        """As the server names it."""
        ...

    def identity(self) -> str:
        """What pins the model's weights as far as the server tells. Raises ModelServerFault."""
        ...

    def embed(self, texts: Sequence[str]) -> list[list[float]]:
        """One vector for each text, in order, of any length.

        Raises:
            PromptTooLong: a text is longer than the model's window.
            ModelServerFault: anything else.
        """
        ...


class ServerEmbedder:
    """``ports.Embedder`` over a model server.

    A text longer than the model's window is cut in halves between words, as often as needed; its
    vector is the mean of the parts', weighted by characters. A server that is busy or gone is
    asked again three times, with growing pauses.

    Args:
        known: remembers widths and identities, so that the program starts without the server.
        batch_size: most texts of one call. A call has some 16,000 characters at most.
        sleep: waits, in seconds.
    """

    def __init__(
        self,
        server: EmbeddingServer,
        known: KnownSpaces,
        *,
        batch_size: int = 32,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self._server = server
        self._known = known
        self._batch_size = batch_size
        self._sleep = sleep
        self._prefixes = prefixes_of(server.model)
        self._lock = threading.Lock()
        self._info: EmbedderInfo | None = None
        self._checked = False

    @property
    def info(self) -> EmbedderInfo:
        """See ``ports.Embedder``. The first time it asks the server, and embeds a word if need be.

        A server that does not answer is taken for what it was when it last did; the first call
        that embeds compares, and raises IndexMismatch if the model was changed meanwhile.

        Raises:
            ModelServerFault: the server fails and has never been seen by this library.
        """
        with self._lock:
            if self._info is None:
                self._info = self._ask()
            return self._info

    def embed_passages(self, texts: Sequence[str]) -> Vectors:
        """See ``ports.Embedder``."""
        import numpy as np

        info = self._checked_info()
        vectors = np.empty((len(texts), info.dimensions), np.float32)
        start = 0
        for batch in self._batches(texts):
            vectors[start : start + len(batch)] = self._embed(
                batch, self._prefixes.passage, info.dimensions
            )
            start += len(batch)
        return vectors

    def embed_query(self, text: str) -> Vectors:
        """See ``ports.Embedder``."""
        info = self._checked_info()
        vector: Vectors = self._embed([text], self._prefixes.query, info.dimensions)[0]
        return vector

    def _ask(self) -> EmbedderInfo:
        provider, model = self._server.provider, self._server.model
        try:
            identity = self._server.identity()
        except (ModelServerUnreachable, ModelServerBusy):
            last = self._known.last(provider, model)
            if last is None:
                raise
            _log.warning("the embedding server does not answer: going on with what is known of it")
            return self._described(*last)
        width = self._known.width(provider, model, identity)
        if width is None:
            width = len(self._patiently(["dimensions"])[0])
        self._known.record(provider, model, identity, width)
        self._checked = True
        return self._described(identity, width)

    def _described(self, identity: str, width: int) -> EmbedderInfo:
        parts = (identity, self._prefixes.query, self._prefixes.passage, _TEXT_HANDLING)
        return EmbedderInfo(
            provider=self._server.provider,
            model=self._server.model,
            digest=hashlib.sha256("\0".join(parts).encode()).hexdigest(),
            dimensions=width,
            languages=self._prefixes.languages,
        )

    def _checked_info(self) -> EmbedderInfo:
        """What it is; where it was only remembered so far, compared with the server first."""
        info = self.info
        if not self._checked:
            if self._described(self._server.identity(), info.dimensions) != info:
                raise IndexMismatch(
                    f"The embedding model {info.model} is another one than the index was made "
                    "with.",
                    fix="Start the program again: it rebuilds the index with the new model.",
                )
            self._checked = True
        return info

    def _batches(self, texts: Sequence[str]) -> Iterator[list[str]]:
        batch: list[str] = []
        chars = 0
        for text in texts:
            if batch and (len(batch) >= self._batch_size or chars + len(text) > _BATCH_CHARS):
                yield batch
                batch, chars = [], 0
            batch.append(text)
            chars += len(text)
        if batch:
            yield batch

    def _embed(self, texts: list[str], prefix: str, width: int) -> Vectors:
        """``(n, d) float32``, rows of unit length."""
        try:
            rows = self._patiently([prefix + (text if text.strip() else _EMPTY) for text in texts])
        except PromptTooLong:
            if len(texts) == 1:
                return self._embed_halves(texts[0], prefix, width)
            import numpy as np

            return np.concatenate([self._embed([text], prefix, width) for text in texts])
        return _unit_rows(rows, width, self._server.model)

    def _embed_halves(self, text: str, prefix: str, width: int) -> Vectors:
        if len(text) < _SHORTEST_SPLIT_CHARS:
            raise ModelServerFault(
                f"The embedding model {self._server.model} takes not even {len(text)} characters."
            )
        middle = len(text) // 2
        space = text.rfind(" ", len(text) // 4, middle)
        cut = space if space > 0 else middle
        halves = [half for half in (text[:cut], text[cut:]) if half.strip()]
        vectors = [self._embed([half], prefix, width)[0] for half in halves]
        mean = sum(len(half) * vector for half, vector in zip(halves, vectors, strict=True))
        return _unit_rows([mean], width, self._server.model)

    def _patiently(self, texts: list[str]) -> list[list[float]]:
        pause_s = _FIRST_PAUSE_S
        for _ in range(_ATTEMPTS - 1):
            try:
                return self._server.embed(texts)
            except (ModelServerUnreachable, ModelServerBusy, ModelServerBrokeOff) as exc:
                _log.warning("embedding failed with %s; trying again", exc.code)
            self._sleep(pause_s * random.uniform(0.5, 1.5))  # noqa: S311 - spreads retries
            pause_s *= 2
        return self._server.embed(texts)


def _unit_rows(rows: object, width: int, model: str) -> Vectors:
    """``(n, width) float32`` of unit length. Raises ModelServerFault for anything else."""
    import numpy as np

    try:
        array: Vectors = np.asarray(rows, np.float32)
    except (TypeError, ValueError) as exc:
        raise ModelServerFault(f"The vectors of {model} are not numbers.") from exc
    if array.ndim != 2 or array.shape[1] != width:
        raise ModelServerFault(
            f"The vectors of {model} have another width than {width}.",
            fix="Start the program again if the model was changed.",
        )
    lengths = np.linalg.norm(array, axis=1, keepdims=True)
    if not np.isfinite(lengths).all() or (lengths == 0).any():
        raise ModelServerFault(f"A vector of {model} has no direction.")
    unit: Vectors = array / lengths
    return unit
