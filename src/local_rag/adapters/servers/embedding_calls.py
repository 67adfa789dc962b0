"""The embedding call of each kind of server (``embedder.EmbeddingServer``)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from local_rag.adapters.servers.ollama import KEEP_ALIVE, Ollama
from local_rag.errors import ModelServerFault, PromptTooLong
from local_rag.text.token_counts import fewest_tokens

if TYPE_CHECKING:
    from collections.abc import Sequence

    from local_rag.adapters.servers.openai import OpenAiServer

_MOST_BYTES = 64_000_000
"""Room for 512 vectors of 4,096 numbers of 25 digits."""


class OllamaEmbedding:
    """``/api/embed``, told to fail on a long text instead of cutting it."""

    provider = "ollama"

    def __init__(self, base_url: str, model: str, *, timeout_s: float) -> None:
        self._ollama = Ollama(base_url, model)
        self._timeout_s = timeout_s
        self.model = model

    def identity(self) -> str:
        """See ``EmbeddingServer``: the digest of the model's manifest."""
        digest = self._ollama.entry().get("digest")
        if not isinstance(digest, str) or not digest:
            raise ModelServerFault(f"{self._ollama.shown} does not say which model it has.")
        return digest

    def embed(self, texts: Sequence[str]) -> list[list[float]]:
        """See ``EmbeddingServer``."""
        body = {
            "model": self.model,
            "input": list(texts),
            "truncate": False,
            "keep_alive": KEEP_ALIVE,
        }
        said = self._ollama.post("/api/embed", body, seconds=self._timeout_s, max_bytes=_MOST_BYTES)
        _check_whole(texts, said.get("prompt_eval_count"), self.model)
        rows = said.get("embeddings")
        if not isinstance(rows, list) or len(rows) != len(texts):
            raise ModelServerFault(f"{self._ollama.shown} did not embed every text.")
        return rows


class OpenAiEmbedding:
    """``/v1/embeddings``."""

    provider = "openai-compatible"

    def __init__(self, server: OpenAiServer, *, timeout_s: float) -> None:
        self._server = server
        self._timeout_s = timeout_s
        self.model = server.model

    def identity(self) -> str:
        """See ``EmbeddingServer``: no more than the name, which is all that this wire tells."""
        self._server.check_served("RAG_EMBEDDING_MODEL")
        return self.model

    def embed(self, texts: Sequence[str]) -> list[list[float]]:
        """See ``EmbeddingServer``."""
        body = {"model": self.model, "input": list(texts), "encoding_format": "float"}
        said = self._server.post(
            "/embeddings", body, seconds=self._timeout_s, max_bytes=_MOST_BYTES
        )
        try:
            rows = sorted(said["data"], key=lambda row: row["index"])
            vectors = [row["embedding"] for row in rows]
            read = (said.get("usage") or {}).get("prompt_tokens")
        except (LookupError, TypeError, AttributeError) as exc:
            raise ModelServerFault(
                f"{self._server.shown} answered with another shape than documented."
            ) from exc
        _check_whole(texts, read, self.model)
        if len(vectors) != len(texts):
            raise ModelServerFault(f"{self._server.shown} did not embed every text.")
        return vectors


def _check_whole(texts: Sequence[str], read_tokens: object, model: str) -> None:
    """Finds out a server that cuts in silence, where it counts. Raises PromptTooLong."""
    fewest = sum(fewest_tokens(text) for text in texts)
    if isinstance(read_tokens, int) and 0 < read_tokens < fewest:
        raise PromptTooLong(f"The texts do not fit into the window of {model}.")
