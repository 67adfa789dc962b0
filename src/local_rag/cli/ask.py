"""``local-rag ask``: one question to files, to the library, or in a conversation."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING, Literal

from local_rag.api.conversation_export import record_as_json
from local_rag.api.conversation_schemas import reply_json
from local_rag.api.schemas import answer_json
from local_rag.cli.answers import answer_lines, wrapped, written
from local_rag.cli.commands import library
from local_rag.cli.files import find_files
from local_rag.cli.show import counted, one_line
from local_rag.composition import open_throwaway_services
from local_rag.errors import InvalidRequest, LocalRagError
from local_rag.export.wording import Record
from local_rag.model.conversation import Conversation, Turn
from local_rag.usecases.exports import exported
from local_rag.usecases.kept import now

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from local_rag.cli.files import FoundFile
    from local_rag.composition import Services
    from local_rag.settings import Settings

    Form = Literal["text", "json", "markdown", "html"]

NEW = "new"
_INSTEAD = "Ask in its page, or send the question to its `POST /api/query`"


def ask(
    settings: Settings,
    paths: Sequence[Path],
    question: str,
    *,
    form: Form = "text",
    conversation: str | None = None,
) -> int:
    """Answers from the files alone, or from the library where none is given.

    Args:
        conversation: the id of the one that it is asked in, or ``new``; ``None``: nothing is kept.

    Raises:
        InvalidRequest: files are given for a conversation, which asks the library.
    """
    if conversation and paths:
        raise InvalidRequest(
            "A conversation asks the library, not single files.",
            fix="Add the files with `local-rag add`, or leave --conversation out.",
        )
    files = find_files(paths)
    opened = open_throwaway_services(settings) if files else library(settings, _INSTEAD)
    with opened as services:
        failed = _read(files, services)
        if files and failed == len(files):
            return 2  # nothing is left to ask
        turn, conversation_id = _asked(services, question, conversation)
    _print(turn, form, conversation_id)
    if conversation == NEW:
        print(f"Conversation {conversation_id}", file=sys.stderr)
    return 1 if failed else 0


def _read(files: Sequence[FoundFile], services: Services) -> int:
    """Adds the files; returns how many could not be read."""
    failed = 0
    for file in files:
        try:
            file.read_into(services.library)
        except LocalRagError as error:
            failed += 1
            print(f"local-rag: {file.name}: {one_line(error)}", file=sys.stderr)
    return failed


def _asked(services: Services, question: str, conversation: str | None) -> tuple[Turn, str]:
    """The answer, and the id of its conversation; ``""``: it is kept nowhere."""
    still_reading = services.jobs.unfinished()
    if conversation is None:
        asked_at = now()
        answer = services.desk.answer(question)
        return Turn(1, asked_at, question, "", None, answer, still_reading), ""
    kept = services.kept
    known = kept.begin().conversation_id if conversation == NEW else conversation
    try:
        turn = services.conversations.ask(known, question, still_reading=still_reading)
    except BaseException:
        if conversation == NEW:
            kept.store.delete(known)
        raise
    return turn, known


def _print(turn: Turn, form: Form, conversation_id: str) -> None:
    if form == "text":
        print(answer_lines(turn.answer))
        if turn.answer.refused and turn.still_reading:
            print(wrapped(_still_reading(turn.still_reading)))
    elif form == "json":
        shown = (
            reply_json(conversation_id, turn)
            if conversation_id
            else answer_json(turn.answer, still_reading=turn.still_reading)
        )
        print(json.dumps(shown, ensure_ascii=False, indent=2))
    else:
        of = Conversation(conversation_id, "", turn.asked_at, turn.asked_at, turn.number)
        record = Record(of, [turn], frozenset(), is_whole=False)
        written(exported(record, form, as_json=record_as_json).content)


def _still_reading(count: int) -> str:
    are, that = ("is", "it") if count == 1 else ("are", "them")
    return (
        f"{counted(count, 'file')} {are} still to be read; `local-rag serve` goes on with {that}."
    )
