"""``local-rag conversations``: lists, shows, renames, deletes and exports what was asked."""

from __future__ import annotations

import json
import sys
from contextlib import nullcontext
from typing import TYPE_CHECKING

from local_rag.api.conversation_export import record_as_json
from local_rag.api.conversation_schemas import conversation_json, whole_json
from local_rag.beside import open_kept, open_page_images
from local_rag.cli.answers import answer_lines, wrapped, written
from local_rag.cli.show import counted
from local_rag.errors import EnvironmentFault, UnknownConversation
from local_rag.export.wording import GONE, UNTITLED
from local_rag.text.names import one_visible_line
from local_rag.usecases.exports import exported, record_of

if TYPE_CHECKING:
    from argparse import Namespace

    from local_rag.model.conversation import Conversation, Turn
    from local_rag.settings import Settings
    from local_rag.usecases.kept import KeptConversations

_LISTED_AT_ONCE = 200


def conversations(settings: Settings, arguments: Namespace) -> int:
    """Does what is asked, beside a running program too."""
    commands = {
        "show": _show,
        "rename": _rename,
        "delete": _delete,
        "export": _export,
    }
    with open_kept(settings) as kept:
        command = commands.get(arguments.action)
        if command is None:
            return _list(kept, as_json=arguments.json)
        return command(settings, kept, arguments)


def _list(kept: KeptConversations, *, as_json: bool) -> int:
    found: list[Conversation] = []
    before = ""
    while True:
        page, before = kept.page(_LISTED_AT_ONCE, before)
        found += page
        if not before:
            break
    if as_json:
        _print_json({"conversations": [conversation_json(one) for one in found]})
    elif not found:
        print("There are no conversations. Begin one with: local-rag ask --conversation new …")
    for one in () if as_json else found:
        turns = counted(one.turn_count, "question")
        print(f"{one.conversation_id}  {one.updated_at[:16]}  {turns:>13}  {one.title or UNTITLED}")
    return 0


def _show(_settings: Settings, kept: KeptConversations, arguments: Namespace) -> int:
    conversation = kept.store.conversation(arguments.id)
    turns = kept.store.turns(arguments.id)
    gone = kept.gone(turns)
    if arguments.json:
        _print_json(whole_json(conversation, turns, gone))
        return 0
    print(conversation.title or UNTITLED)
    for turn in turns:
        print(f"\n{_heading(turn)}\n{answer_lines(turn.answer)}")
        for name in _gone_names(turn, gone):
            print(wrapped(f"{name} is {GONE}."))
    return 0


def _heading(turn: Turn) -> str:
    lines = [wrapped(f"{turn.number}. {one_visible_line(turn.question)}")]
    if turn.understood_as:
        lines.append(wrapped(f"Searched for: {one_visible_line(turn.understood_as)}"))
    return "\n".join(lines)


def _gone_names(turn: Turn, gone: frozenset[str]) -> list[str]:
    cited = (citation.document for citation in turn.answer.citations)
    return list(dict.fromkeys(one.name for one in cited if one.document_id in gone))


def _rename(_settings: Settings, kept: KeptConversations, arguments: Namespace) -> int:
    print(f"renamed to {kept.rename(arguments.id, arguments.title).title}")
    return 0


def _delete(_settings: Settings, kept: KeptConversations, arguments: Namespace) -> int:
    """All must exist, else none is deleted."""
    try:
        found = [kept.store.conversation(known) for known in dict.fromkeys(arguments.ids)]
    except UnknownConversation as error:
        raise UnknownConversation(
            "One of these is the id of no conversation; nothing was deleted.",
            fix="See `local-rag conversations` for ids.",
        ) from error
    for one in found:
        kept.store.delete(one.conversation_id)
        print(f"deleted {one.title or one.conversation_id}")
    return 0


def _export(settings: Settings, kept: KeptConversations, arguments: Namespace) -> int:
    record = record_of(kept, arguments.id, arguments.turn)
    drawing = open_page_images(settings, kept.catalog) if arguments.pages else nullcontext()
    with drawing as page_image:
        file = exported(record, arguments.format, as_json=record_as_json, page_image=page_image)
    if arguments.output is None:
        written(file.content)
        return 0
    path = arguments.output / file.name if arguments.output.is_dir() else arguments.output
    try:
        path.write_bytes(file.content)
    except OSError as exc:
        raise EnvironmentFault(
            f"{str(path)!r} cannot be written ({exc.strerror}).",
            fix="Name another file with -o, or leave it out to print.",
        ) from exc
    print(f"wrote {path}", file=sys.stderr)
    return 0


def _print_json(shown: object) -> None:
    print(json.dumps(shown, ensure_ascii=False, indent=2))
