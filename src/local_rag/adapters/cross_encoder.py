"""A reranker from a folder on this machine: a cross-encoder as ONNX with its tokenizer."""

from __future__ import annotations

import os
import threading
from typing import TYPE_CHECKING, Any

import numpy as np

from local_rag.errors import ModelFault

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

_GRAPHS = ("model.onnx", "onnx/model.onnx", "model_quantized.onnx", "onnx/model_quantized.onnx")
_MOST_TOKENS = 512


class CrossEncoder:
    """``ports.Reranker`` on onnxruntime.

    The graph takes ``input_ids`` and ``attention_mask``, ``token_type_ids`` if it knows them, of
    shape ``(1, n) int64``, and returns logits: of ``(1, 1)`` the one, of ``(1, 2)`` the second, as
    the models published for sentence-transformers do. Question and passage share 512 tokens; a
    longer passage is cut at its end. Each pair is a run of its own, so that a score depends on
    nothing else.

    Args:
        folder: holds ``tokenizer.json`` and ``model.onnx``, there or in ``onnx/``.
        threads: 0 takes one for each core.

    Raises:
        ModelFault: the folder lacks one of the files.
    """

    def __init__(self, folder: Path, *, threads: int = 0) -> None:
        graphs = [folder / name for name in _GRAPHS if (folder / name).is_file()]
        if not graphs or not (folder / "tokenizer.json").is_file():
            raise ModelFault(
                f"The reranker's folder {folder} has no model.onnx or no tokenizer.json.",
                fix="Set RAG_RERANKER to a folder that holds both, or leave it empty.",
            )
        self._folder = folder
        self._graph = graphs[0]
        self._threads = threads or os.cpu_count() or 1
        self._lock = threading.Lock()
        self._loaded: tuple[Any, Any, set[str]] | None = None

    @property
    def name(self) -> str:
        """See ``ports.Reranker.name``."""
        return self._folder.name

    def scores(self, question: str, passages: Sequence[str]) -> list[float]:
        """See ``ports.Reranker.scores``."""
        tokenizer, session, inputs = self._load()
        found = []
        try:
            for passage in passages:
                pair = tokenizer.encode(question, passage)
                columns = {
                    "input_ids": pair.ids,
                    "attention_mask": pair.attention_mask,
                    "token_type_ids": pair.type_ids,
                }
                feed = {k: np.array([v], np.int64) for k, v in columns.items() if k in inputs}
                found.append(float(np.ravel(session.run(None, feed)[0])[-1]))
        except Exception as exc:
            raise self._fault(exc) from exc
        return found

    def _load(self) -> tuple[Any, Any, set[str]]:
        with self._lock:
            if self._loaded is None:
                try:
                    self._loaded = self._read()
                except Exception as exc:
                    raise self._fault(exc) from exc
            return self._loaded

    def _read(self) -> tuple[Any, Any, set[str]]:
        import onnxruntime
        from tokenizers import Tokenizer

        tokenizer = Tokenizer.from_file(str(self._folder / "tokenizer.json"))
        tokenizer.no_padding()
        tokenizer.enable_truncation(_MOST_TOKENS, strategy="only_second")
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = self._threads
        session = onnxruntime.InferenceSession(
            str(self._graph), options, providers=["CPUExecutionProvider"]
        )
        return tokenizer, session, {entry.name for entry in session.get_inputs()}

    def _fault(self, exc: Exception) -> ModelFault:
        return ModelFault(
            f"The reranker {self.name} does not run ({type(exc).__name__}).",
            fix="Set RAG_RERANKER to the folder of a cross-encoder in ONNX, or leave it empty.",
        )
