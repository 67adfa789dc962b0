"""Makes a follow-up question one that can be understood by itself."""

from __future__ import annotations

import json
import logging
from typing import TYPE_CHECKING, Any

from local_rag.errors import ModelFault
from local_rag.model.chat import ChatLimits, ChatMessage
from local_rag.retrieve.understand import understand
from local_rag.text.entities import holds_name, names_in
from local_rag.text.held import holds_word, lettered_words, vocabulary
from local_rag.text.quantities import quantities_in

if TYPE_CHECKING:
    from collections.abc import Sequence

    from local_rag.model.question import Question
    from local_rag.ports import Cancel, ChatModel

_log = logging.getLogger(__name__)

LONGEST_STANDALONE_CHARS = 300
_MOST_TURNS = 3
_LONGEST_ANSWER_CHARS = 600
_LIMITS = ChatLimits(max_tokens=160, max_bytes=4_000, max_seconds=30.0)
_SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {"question": {"type": "string", "maxLength": LONGEST_STANDALONE_CHARS}},
    "required": ["question"],
    "additionalProperties": False,
}
_RULES = (
    "Rewrite the last question so that it can be understood without the conversation. Put in what "
    "its pronouns stand for; add nothing else, answer nothing, and keep its language. If it can "
    'be understood already, repeat it. Reply with one JSON object with the key "question".'
)


def standalone(
    follow_up: str,
    history: Sequence[tuple[str, str]],
    chat: ChatModel | None,
    *,
    limits: ChatLimits = _LIMITS,
    cancel: Cancel | None = None,
) -> Question:
    """The follow-up with what it needs of the conversation, ready to be retrieved for.

    A chat model may rewrite it. Where there is none, where it fails, or where what it writes is
    not made of the conversation's own words, the question before is kept as context, by rule.

    Args:
        follow_up: as it was asked.
        history: the questions and answers before it, oldest first.
        limits: caps of the model's reply.

    Raises:
        Cancelled: ``cancel`` was set.
    """
    if not history:
        return understand(follow_up)
    previous = history[-1][0]
    by_rule = understand(follow_up, previous)
    if chat is None or not any(part.context == previous for part in by_rule.parts):
        return by_rule  # it stands by itself
    try:
        reply = chat.complete(_messages(follow_up, history), _SCHEMA, limits, cancel=cancel)
    except ModelFault as error:
        _log.info("the follow-up is not rewritten code=%s", error.code)
        return by_rule
    rewritten = _question_in(reply.text) if reply.complete else ""
    if not rewritten or not _is_of(rewritten, follow_up, history, by_rule.language):
        return by_rule
    return understand(rewritten)


def _messages(follow_up: str, history: Sequence[tuple[str, str]]) -> list[ChatMessage]:
    turns = [
        f"Question: {question}\nAnswer: {answer[:_LONGEST_ANSWER_CHARS]}"
        for question, answer in history[-_MOST_TURNS:]
    ]
    asked = "\n\n".join([*turns, f"Last question: {follow_up}"])
    return [ChatMessage("system", _RULES), ChatMessage("user", f"{asked}\n\n{_RULES}")]


def _question_in(reply: str) -> str:
    """The question in a reply of the right shape, or ``""``."""
    begin = reply.find("{")
    if begin < 0:
        return ""
    try:
        found, _ = json.JSONDecoder().raw_decode(reply, begin)
    except (ValueError, RecursionError):
        return ""
    question = found.get("question")
    return " ".join(question.split()) if isinstance(question, str) else ""


def _is_of(
    rewritten: str, follow_up: str, history: Sequence[tuple[str, str]], language: str
) -> bool:
    """Whether a rewritten question says what the follow-up does, with the conversation's words.

    It must keep a word of the follow-up, or, where that has none of its own, of the question
    before; and every number and name of it must have been said, by the asker or in an answer.
    """
    if len(rewritten) > LONGEST_STANDALONE_CHARS:
        return False
    recent = history[-_MOST_TURNS:]
    said = "\n".join([follow_up, *(text for turn in recent for text in turn)])
    words = lettered_words(rewritten, language)
    shares = any(
        holds_word(vocabulary(source, [language]), word, tokens, language)
        for source in _sources(follow_up, history[-1][0], language)
        for word, tokens in words.items()
    )
    values = {value for q in quantities_in(said, language) for value in q.values}
    kept = all(values.intersection(q.values) for q in quantities_in(rewritten, language) if q.sure)
    names = all(holds_name(said, name, language) for name in names_in(rewritten, language))
    asked = {q.values[0] for q in quantities_in(follow_up, language) if q.sure}
    has = {value for q in quantities_in(rewritten, language) for value in q.values}
    return shares and kept and names and asked <= has


def _sources(follow_up: str, previous: str, language: str) -> list[str]:
    return [follow_up] if lettered_words(follow_up, language) else [previous]
