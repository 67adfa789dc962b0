"""A chat model that Ollama runs."""

from __future__ import annotations

import json
import threading
from typing import TYPE_CHECKING, Any

from local_rag.adapters.servers.locality import is_local
from local_rag.adapters.servers.ollama import KEEP_ALIVE, Ollama
from local_rag.adapters.servers.reply import stream_reply
from local_rag.adapters.servers.tape import (
    Piece,
    Tape,
    check_prompt_whole,
    number,
    wire_messages,
    words,
)
from local_rag.adapters.servers.waiting import Waiting
from local_rag.errors import ModelMissing, ModelServerFault, PromptTooLong
from local_rag.model.chat import ChatInfo, ChatState
from local_rag.text.token_counts import fewest_tokens, most_tokens

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from local_rag.model.chat import ChatLimits, ChatMessage, ChatReply
    from local_rag.ports import Cancel

_SMALLEST_WINDOW = 4096
_FRAME_TOKENS = 64
_FRAME_TOKENS_PER_MESSAGE = 16
_SHORTEST_REPLY_TOKENS = 256
_WARM_UP_S = 600.0


class OllamaChat:
    """``ports.ChatModel`` over Ollama's own interface.

    The window (``num_ctx``) is as large as prompt and reply need, in powers of two, and never made
    smaller again: Ollama loads the model anew whenever it changes, takes the model's whole window
    on some machines, and cuts longer prompts from the front on others.
    """

    def __init__(self, base_url: str, model: str, *, variable: str = "RAG_OLLAMA_BASE_URL") -> None:
        self._ollama = Ollama(base_url, model, variable=variable)
        self._local = is_local(base_url, model)
        self._waiting = Waiting()
        self._lock = threading.Lock()
        self._window = _SMALLEST_WINDOW
        self._largest: int | None = None
        self._thinks = False

    @property
    def info(self) -> ChatInfo:
        """See ``ports.ChatModel``. Not local once the server has said that it hands prompts on."""
        return ChatInfo("ollama", self._ollama.model, self._local)

    def complete(
        self,
        messages: Sequence[ChatMessage],
        schema: Mapping[str, Any] | None,
        limits: ChatLimits,
        *,
        cancel: Cancel | None = None,
        on_text: Callable[[str], None] | None = None,
    ) -> ChatReply:
        """See ``ports.ChatModel``."""
        self._learn()
        window = self._window_for(messages, limits.max_tokens)
        body = self._body(window) | {
            "messages": wire_messages(messages),
            "truncate": False,  # servers that know these fail instead of cutting
            "shift": False,
        }
        body["options"] |= {"num_predict": limits.max_tokens, "temperature": 0, "seed": 0}
        if schema is not None:
            body["format"] = dict(schema)
        tape = Tape(limits, on_text)
        stream_reply(
            self._ollama,
            body,
            lambda line: tape.take(self._read(line)),
            tape,
            limits,
            waiting=self._waiting,
            cancel=cancel,
        )
        if tape.prompt_tokens and tape.prompt_tokens >= window:
            raise PromptTooLong(f"{self._ollama.shown} filled its window with the prompt.")
        check_prompt_whole(tape, messages, self._ollama.shown)
        return tape.reply()

    def state(self) -> ChatState:
        """See ``ports.ChatModel``."""
        model, shown = self._ollama.model, self._ollama.shown
        try:
            self._note_remote(self._ollama.entry())
            loading = self._waiting and not self._ollama.is_loaded()
        except ModelMissing as exc:
            return ChatState("missing", exc.message, self._ollama.install)
        except ModelServerFault as exc:
            return ChatState("unreachable", exc.message, exc.fix)
        if loading:
            return ChatState("loading", f"{shown} is loading {model}.")
        return ChatState("ready", f"{shown} has {model}.")

    def warm_up(self, cancel: Cancel | None = None) -> None:
        """See ``ports.ChatModel``. A chat without messages loads the model and no more."""
        self._learn()
        with self._waiting:
            self._ollama.post(
                "/api/chat",
                self._body(self._window) | {"messages": [], "stream": False},
                seconds=_WARM_UP_S,
                cancel=cancel,
            )

    def close(self) -> None:
        """See ``ports.ChatModel``. Nothing is held between calls."""

    def _body(self, window: int) -> dict[str, Any]:
        body: dict[str, Any] = {
            "model": self._ollama.model,
            "stream": True,
            "keep_alive": KEEP_ALIVE,
            "options": {"num_ctx": window},
        }
        if self._thinks:
            body["think"] = False
        return body

    def _read(self, line: bytes) -> Piece:
        if not line.strip():
            return Piece()
        try:
            said = json.loads(line)
            failed = "error" in said
            message = said.get("message") or {}
            piece = Piece(
                text=words(message.get("content")),
                thought=words(message.get("thinking")),
                done=said.get("done") is True,
                reason=said.get("done_reason"),
                prompt_tokens=number(said.get("prompt_eval_count")),
                completion_tokens=number(said.get("eval_count")),
            )
        except (ValueError, AttributeError, TypeError) as exc:
            raise ModelServerFault(
                f"{self._ollama.shown} answered with another shape than documented."
            ) from exc
        if failed:
            raise ModelServerFault(f"{self._ollama.shown} failed within its reply.")
        return piece

    def _window_for(self, messages: Sequence[ChatMessage], reply_tokens: int) -> int:
        frame = _FRAME_TOKENS + _FRAME_TOKENS_PER_MESSAGE * len(messages) + reply_tokens
        needed = frame + sum(most_tokens(message.content) for message in messages)
        certain = min(reply_tokens, _SHORTEST_REPLY_TOKENS) + sum(
            fewest_tokens(message.content) for message in messages
        )
        with self._lock:
            largest = self._largest
            if largest is not None and certain > largest:
                raise PromptTooLong(
                    f"The prompt and a short reply need {certain:,} tokens or more; "
                    f"{self._ollama.model} has a window of {largest:,}."
                )
            while self._window < needed:
                self._window *= 2
            if largest is not None:
                self._window = min(self._window, largest)
            return self._window

    def _learn(self) -> None:
        """Asks once what the model is able to do."""
        if self._largest is not None:
            return
        said = self._ollama.show()
        facts = said.get("model_info")
        lengths = [
            value
            for key, value in (facts.items() if isinstance(facts, dict) else ())
            if key.endswith(".context_length") and isinstance(value, int) and value > 0
        ]
        self._note_remote(said)
        self._thinks = "thinking" in (said.get("capabilities") or ())
        if lengths:
            with self._lock:
                self._largest = lengths[0]
                self._window = min(self._window, lengths[0])

    def _note_remote(self, said: dict[str, Any]) -> None:
        if said.get("remote_host"):
            self._local = False
