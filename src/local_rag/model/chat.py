"""What goes to a chat model and what comes back."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Role = Literal["system", "user", "assistant"]

DoneReason = Literal["stop", "length", "bytes", "seconds", "runaway", "other"]
"""Why a reply ended: the model was done; a cap of ``ChatLimits`` cut it; it repeated itself or
padded with white space and was cut; something of the server's own, such as a filter."""


@dataclass(frozen=True, slots=True)
class ChatMessage:
    """One message of a prompt."""

    role: Role
    content: str


@dataclass(frozen=True, slots=True)
class ChatLimits:
    """Caps of one reply.

    Attributes:
        max_tokens: most tokens that the model may generate.
        max_bytes: most bytes of the reply's text in UTF-8, thoughts of a reasoning model included.
        max_seconds: longest time from sending the prompt to the reply's end.
    """

    max_tokens: int = 1024
    max_bytes: int = 64_000
    max_seconds: float = 120.0


@dataclass(frozen=True, slots=True)
class ChatReply:
    """A reply, whole or cut.

    Attributes:
        text: as the model wrote it; nothing is promised about it, not even with a schema.
        prompt_tokens, completion_tokens: as the server counted; ``None``: it did not say.
    """

    text: str
    done_reason: DoneReason
    prompt_tokens: int | None
    completion_tokens: int | None
    elapsed_ms: float

    @property
    def complete(self) -> bool:
        """Whether the model itself ended the reply."""
        return self.done_reason == "stop"


@dataclass(frozen=True, slots=True)
class ChatInfo:
    """What identifies a chat model.

    Attributes:
        provider: ``ollama``, ``openai-compatible``, ``llamacpp``.
        local: whether prompts stay on this machine.
    """

    provider: str
    model: str
    local: bool


@dataclass(frozen=True, slots=True)
class ChatState:
    """Whether a chat model would answer now.

    Attributes:
        kind: ``ready``: it would, though the first reply may wait until the model is in memory;
            ``loading``: a call waits until it is; ``missing``: it is not installed;
            ``unreachable``: nothing answers, or it does not let us in.
        message: one sentence.
        fix: the command or setting that mends it; empty where nothing needs mending.
    """

    kind: Literal["ready", "loading", "missing", "unreachable"]
    message: str
    fix: str = ""
