"""A GGUF file that llama.cpp runs inside this process (package ``xllamacpp``, an extra).

The package is llama.cpp's own server. It listens on a free loopback port, with a key that nobody
else knows, and is spoken to as any other OpenAI-compatible server: one way to stream, to cancel
and to hold a reply to a schema.
"""

from __future__ import annotations

import secrets
import threading
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from local_rag.adapters.servers.openai import OpenAiServer
from local_rag.adapters.servers.openai_chat import OpenAiChat
from local_rag.errors import ModelMissing, ModelServerFault
from local_rag.model.chat import ChatInfo, ChatState

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from pathlib import Path

    from local_rag.model.chat import ChatLimits, ChatMessage, ChatReply
    from local_rag.ports import Cancel

_GGUF = b"GGUF"


class LlamaCppChat:
    """``ports.ChatModel`` in this process. The file is loaded at the first call.

    Args:
        path: the GGUF file.
        window: tokens of prompt and reply together, at most. A model's whole window may need
            more memory than there is.
        threads: threads of the model; 0 lets llama.cpp choose.
    """

    def __init__(self, path: Path, *, window: int = 8192, threads: int = 0) -> None:
        self._path = path
        self._window = window
        self._threads = threads
        self._lock = threading.Lock()
        self._server: Any = None
        self._chat: OpenAiChat | None = None
        self._loading = False

    @property
    def info(self) -> ChatInfo:
        """See ``ports.ChatModel``."""
        return ChatInfo("llamacpp", self._path.stem, local=True)

    def complete(
        self,
        messages: Sequence[ChatMessage],
        schema: Mapping[str, Any] | None,
        limits: ChatLimits,
        *,
        cancel: Cancel | None = None,
        on_text: Callable[[str], None] | None = None,
    ) -> ChatReply:
        """See ``ports.ChatModel``. Loading the file cannot be cancelled and has no limit."""
        return self._loaded().complete(messages, schema, limits, cancel=cancel, on_text=on_text)

    def state(self) -> ChatState:
        """See ``ports.ChatModel``."""
        try:
            self._check()
        except ModelMissing as exc:
            return ChatState("missing", exc.message, exc.fix)
        if self._loading:
            return ChatState("loading", f"llama.cpp is loading {self._path.name}.")
        return ChatState("ready", f"llama.cpp has {self._path.name}.")

    def warm_up(self, cancel: Cancel | None = None) -> None:
        """See ``ports.ChatModel``."""
        self._loaded().warm_up(cancel)

    def close(self) -> None:
        """See ``ports.ChatModel``. Stops the server; a later call would load the file again."""
        with self._lock:
            self._server = self._chat = None

    def _check(self) -> None:
        if find_spec("xllamacpp") is None:
            raise ModelMissing(
                "The package xllamacpp, which runs GGUF files, is not installed.",
                fix="Install it with `uv sync --extra llamacpp`, or `pip install xllamacpp`.",
            )
        try:
            with self._path.open("rb") as file:
                is_gguf = file.read(len(_GGUF)) == _GGUF
        except OSError as exc:
            raise ModelMissing(
                f"The file {self._path.name!r} of RAG_LLAMACPP_MODEL cannot be read.",
                fix="Set RAG_LLAMACPP_MODEL to the path of a GGUF file.",
            ) from exc
        if not is_gguf:
            raise ModelMissing(
                f"{self._path.name!r} is no GGUF file.",
                fix="Set RAG_LLAMACPP_MODEL to the path of a GGUF file.",
            )

    def _loaded(self) -> OpenAiChat:
        with self._lock:
            if self._chat is None:
                self._check()
                self._loading = True
                try:
                    self._chat = self._load()
                finally:
                    self._loading = False
            return self._chat

    def _load(self) -> OpenAiChat:
        import xllamacpp

        key = secrets.token_urlsafe(32)
        params = xllamacpp.CommonParams()
        params.model.path = str(self._path)
        params.model_alias = {self._path.stem}
        params.n_ctx = self._window
        params.n_parallel = 1
        params.api_keys = [key]
        params.warmup = False
        if self._threads:
            params.cpuparams.n_threads = self._threads
            params.cpuparams_batch.n_threads = self._threads
        try:
            self._server = xllamacpp.Server(params)
        except Exception as exc:
            raise ModelServerFault(
                f"llama.cpp cannot run {self._path.name!r}.",
                fix="Take another GGUF file, or a smaller one.",
            ) from exc
        base_url = f"{self._server.listening_address}/v1"
        server = OpenAiServer(
            base_url,
            self._path.stem,
            key=key,
            software="llama.cpp",
            variable="RAG_LLAMACPP_MODEL",
        )
        return OpenAiChat(server, base_url, provider="llamacpp")
