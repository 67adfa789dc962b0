"""A chat model of an OpenAI-compatible server."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from local_rag.adapters.servers.locality import is_local
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
from local_rag.errors import (
    ModelMissing,
    ModelServerBusy,
    ModelServerFault,
    ModelServerRefusal,
)
from local_rag.model.chat import ChatInfo, ChatLimits, ChatMessage, ChatState

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from local_rag.adapters.servers.openai import OpenAiServer
    from local_rag.model.chat import ChatReply
    from local_rag.ports import Cancel

_WARM_UP_S = 600.0
_DATA = b"data:"
_FORMS = ("json_schema", "json_object", "text")
"""How a reply can be held to a schema, from the strictest."""


class OpenAiChat:
    """``ports.ChatModel`` over ``/v1/chat/completions``.

    Servers differ in which ``response_format`` they take. The strictest one that this server took
    is remembered; where it is not ``json_schema``, the schema is part of the prompt.

    Args:
        provider: as ``info`` names it.
    """

    def __init__(
        self, server: OpenAiServer, base_url: str, *, provider: str = "openai-compatible"
    ) -> None:
        self._server = server
        self._info = ChatInfo(provider, server.model, is_local(base_url, server.model))
        self._waiting = Waiting()
        self._form = 0

    @property
    def info(self) -> ChatInfo:
        """See ``ports.ChatModel``."""
        return self._info

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
        if schema is None:
            return self._complete(messages, {}, limits, cancel, on_text)
        tried = self._form
        while True:
            form = _FORMS[tried]
            told = _with_schema(messages, schema, form)
            try:
                reply = self._complete(told, _format(schema, form), limits, cancel, on_text)
            except ModelServerRefusal:
                tried += 1
                if tried == len(_FORMS):
                    raise
            else:
                self._form = tried
                return reply

    def state(self) -> ChatState:
        """See ``ports.ChatModel``."""
        model, shown = self._info.model, self._server.shown
        try:
            self._server.check_served("RAG_CHAT_MODEL")
        except ModelServerBusy:  # llama.cpp answers so while it loads
            return ChatState("loading", f"{shown} is loading {model}.")
        except ModelMissing as exc:
            return ChatState("missing", exc.message, exc.fix)
        except ModelServerFault as exc:
            return ChatState("unreachable", exc.message, exc.fix)
        if self._waiting:
            return ChatState("loading", f"{shown} has not begun to reply with {model} yet.")
        return ChatState("ready", f"{shown} has {model}.")

    def warm_up(self, cancel: Cancel | None = None) -> None:
        """See ``ports.ChatModel``. Asks for a reply of one token."""
        limits = ChatLimits(max_tokens=1, max_seconds=_WARM_UP_S)
        self._complete([ChatMessage("user", "Hello")], {}, limits, cancel, None)

    def close(self) -> None:
        """See ``ports.ChatModel``. Nothing is held between calls."""

    def _complete(
        self,
        messages: Sequence[ChatMessage],
        form: dict[str, Any],
        limits: ChatLimits,
        cancel: Cancel | None,
        on_text: Callable[[str], None] | None,
    ) -> ChatReply:
        body = {
            "model": self._info.model,
            "messages": wire_messages(messages),
            "stream": True,
            "stream_options": {"include_usage": True},
            "max_tokens": limits.max_tokens,
            "temperature": 0,
            "seed": 0,
        } | form
        tape = Tape(limits, on_text)
        events = _Events(tape, self._server.shown)
        stream_reply(
            self._server,
            body,
            events.take,
            tape,
            limits,
            waiting=self._waiting,
            cancel=cancel,
            begins=lambda line: line.startswith(_DATA),
        )
        check_prompt_whole(tape, messages, self._server.shown)
        return tape.reply()


class _Events:
    """Reads server-sent events. The counts come after the end of the reply, where they come."""

    def __init__(self, tape: Tape, shown: str) -> None:
        self._tape = tape
        self._shown = shown

    def take(self, line: bytes) -> bool:
        """``False``: nothing more is wanted."""
        if line.startswith(b"error:"):
            raise self._failed()
        if not line.startswith(_DATA):  # comments, names of events, empty lines
            return True
        data = line[len(_DATA) :].strip()
        if data == b"[DONE]":
            self._tape.take(Piece(done=True))
            return False
        self._tape.take(self._read(data))
        return not self._tape.cut

    def _read(self, data: bytes) -> Piece:
        try:
            said = json.loads(data)
            failed = said.get("error")
            choice = (said.get("choices") or [{}])[0]
            delta = choice.get("delta") or {}
            usage = said.get("usage") or {}
            reason = choice.get("finish_reason")
            piece = Piece(
                text=words(delta.get("content")),
                thought=words(delta.get("reasoning_content") or delta.get("reasoning")),
                done=reason is not None,
                reason=reason,
                prompt_tokens=number(usage.get("prompt_tokens")),
                completion_tokens=number(usage.get("completion_tokens")),
            )
        except (ValueError, AttributeError, TypeError, LookupError) as exc:
            raise ModelServerFault(
                f"{self._shown} answered with another shape than documented."
            ) from exc
        if failed:
            raise self._failed()
        return piece

    def _failed(self) -> ModelServerFault:
        return ModelServerFault(f"{self._shown} failed within its reply.")


def _format(schema: Mapping[str, Any], form: str) -> dict[str, Any]:
    if form == "json_schema":
        named = {"name": "reply", "strict": True, "schema": dict(schema)}
        return {"response_format": {"type": "json_schema", "json_schema": named}}
    return {"response_format": {"type": form}} if form == "json_object" else {}


def _with_schema(
    messages: Sequence[ChatMessage], schema: Mapping[str, Any], form: str
) -> list[ChatMessage]:
    if form == "json_schema":
        return list(messages)
    told = (
        "Reply with one JSON object that fits this JSON schema, and with nothing else:\n"
        + json.dumps(schema, ensure_ascii=False)
    )
    if messages and messages[0].role == "system":
        first = ChatMessage("system", f"{messages[0].content}\n\n{told}")
        return [first, *messages[1:]]
    return [ChatMessage("system", told), *messages]
