"""A reply while it comes in, under its caps."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

from local_rag.errors import PromptTooLong
from local_rag.model.chat import ChatReply, DoneReason
from local_rag.text.runaway import runs_away
from local_rag.text.token_counts import fewest_tokens

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from local_rag.model.chat import ChatLimits, ChatMessage

_LOOK_EVERY_CHARS = 64
_WIRE_BYTES_PER_TOKEN = 1000
_WIRE_BYTES_PER_BYTE = 8
_WIRE_BYTES_BESIDES = 100_000
"""A server that streams wraps each token in some hundred bytes of JSON."""

_REASONS: dict[str | None, DoneReason] = {None: "stop", "stop": "stop", "length": "length"}


@dataclass(frozen=True, slots=True)
class Piece:
    """What one line of a server's stream says.

    Attributes:
        text: the next stretch of the reply.
        thought: the next stretch of what a reasoning model thinks before it replies.
        done: whether the reply ends here.
        reason: why, in the server's word.
        prompt_tokens, completion_tokens: ``None``: not said on this line.
    """

    text: str = ""
    thought: str = ""
    done: bool = False
    reason: str | None = None
    prompt_tokens: int | None = None
    completion_tokens: int | None = None


class Tape:
    """Collects the text of one reply.

    Attributes:
        prompt_tokens, completion_tokens: as the server counts; set when it says.
        begun: whether anything of the reply has come.
    """

    def __init__(self, limits: ChatLimits, on_text: Callable[[str], None] | None) -> None:
        self.prompt_tokens: int | None = None
        self.completion_tokens: int | None = None
        self.begun = False
        self._limits = limits
        self._on_text = on_text
        self._text = ""
        self._bytes = 0
        self._unseen_chars = 0
        self._reason: DoneReason | None = None
        self._start = time.perf_counter()

    @property
    def ended(self) -> bool:
        """Whether nothing more is wanted."""
        return self._reason is not None

    @property
    def cut(self) -> bool:
        """Whether it ended before the model said so."""
        return self._reason in ("bytes", "seconds", "runaway")

    def take(self, piece: Piece) -> bool:
        """Adds the piece; ``False``: nothing more is wanted."""
        if piece.prompt_tokens is not None:
            self.prompt_tokens = piece.prompt_tokens
        if piece.completion_tokens is not None:
            self.completion_tokens = piece.completion_tokens
        if piece.thought:
            self._think(piece.thought)
        if piece.text:
            self._add(piece.text)
        if piece.done and self._reason is None:
            self._reason = _REASONS.get(piece.reason, "other")
        return not self.ended

    def out_of_time(self) -> None:
        """The caller's time is over."""
        if self._reason is None:
            self._reason = "seconds"

    def reply(self) -> ChatReply:
        """What was collected."""
        return ChatReply(
            text=self._text,
            done_reason=self._reason or "other",
            prompt_tokens=self.prompt_tokens,
            completion_tokens=self.completion_tokens,
            elapsed_ms=(time.perf_counter() - self._start) * 1000,
        )

    def _add(self, delta: str) -> None:
        self.begun = True
        raw = delta.encode("utf-8", "replace")
        room = max(self._limits.max_bytes - self._bytes, 0)
        if len(raw) > room:
            delta = raw[:room].decode("utf-8", "ignore")
            self._reason = "bytes"
        self._bytes += len(raw)
        self._text += delta
        if delta and self._on_text is not None:
            self._on_text(delta)
        self._unseen_chars += len(delta)
        if self._reason is None and self._unseen_chars >= _LOOK_EVERY_CHARS:
            self._unseen_chars = 0
            if runs_away(self._text):
                self._reason = "runaway"

    def _think(self, thought: str) -> None:
        """Thoughts count, and are not kept."""
        self.begun = True
        self._bytes += len(thought.encode("utf-8", "replace"))
        if self._bytes > self._limits.max_bytes:
            self._reason = "bytes"


def most_wire_bytes(limits: ChatLimits) -> int:
    """More than any server needs to stream a reply within these limits."""
    return (
        limits.max_tokens * _WIRE_BYTES_PER_TOKEN
        + limits.max_bytes * _WIRE_BYTES_PER_BYTE
        + _WIRE_BYTES_BESIDES
    )


def check_prompt_whole(tape: Tape, messages: Sequence[ChatMessage], shown: str) -> None:
    """Compares what the server says that it read with what it must have read.

    Raises:
        PromptTooLong: it read visibly less.
    """
    fewest = sum(fewest_tokens(message.content) for message in messages)
    if tape.prompt_tokens and tape.prompt_tokens < fewest:
        raise PromptTooLong(
            f"{shown} read only {tape.prompt_tokens:,} tokens of a prompt of more than {fewest:,}: "
            "it cut the rest off."
        )


def wire_messages(messages: Sequence[ChatMessage]) -> list[dict[str, str]]:
    """The messages as every server takes them."""
    return [{"role": message.role, "content": message.content} for message in messages]


def number(value: object) -> int | None:
    """A count that a server gave, or ``None``."""
    return value if isinstance(value, int) and value >= 0 else None


def words(value: object) -> str:
    """A text that a server gave, ``""`` for none.

    Raises:
        TypeError: it gave something else.
    """
    if value is None:
        return ""
    if not isinstance(value, str):
        raise TypeError(type(value).__name__)
    return value
