"""Questions asked in a conversation: understood by what came before, answered, and kept."""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from local_rag.errors import InvalidRequest, UnknownDocument
from local_rag.model.conversation import LONGEST_TITLE_CHARS, Conversation, Turn
from local_rag.model.told import Begun
from local_rag.text.names import one_visible_line
from local_rag.usecases.answer import checked_question
from local_rag.usecases.standalone import standalone

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from local_rag.model.question import Question
    from local_rag.model.told import Told
    from local_rag.ports import Cancel, ConversationStore
    from local_rag.usecases.answer import Desk

_TURNS_LOOKED_BACK = 12
_LONGEST_OWN_TITLE_CHARS = 80
_MOST_LISTED = 200


@dataclass(frozen=True, slots=True)
class Conversations:
    """Where conversations are held and kept."""

    desk: Desk
    store: ConversationStore

    def begin(self, title: str = "") -> Conversation:
        """A new conversation; without a title its first question becomes it.

        Raises:
            InvalidRequest: the title is too long.
        """
        now = _now()
        begun = Conversation(secrets.token_hex(16), _checked_title(title), now, now)
        self.store.create(begun)
        return begun

    def ask(
        self,
        conversation_id: str,
        question: str,
        document_ids: Sequence[str] | None = None,
        *,
        still_reading: int = 0,
        cancel: Cancel | None = None,
        listener: Callable[[Told], None] | None = None,
    ) -> Turn:
        """Answers a question with the conversation in mind; kept once the answer is complete.

        Args:
            still_reading: files on their way into the library, kept with the answer.
            cancel, listener: as of ``Desk.answer``.

        Raises:
            UnknownConversation: there is none of this id, or it was deleted meanwhile.
            LocalRagError: as of ``Desk.answer``; then nothing is kept.
        """
        asked_at = _now()
        said = checked_question(question)
        before = self.store.turns(conversation_id, last=_TURNS_LOOKED_BACK)
        chat = self.desk.chat.model() if before and self.desk.chat is not None else None
        if chat is not None and listener is not None:
            listener(Begun("understand", 1))
        asked = standalone(said, _history(before), chat, cancel=cancel)
        answer = self.desk.answer(said, document_ids, asked=asked, cancel=cancel, listener=listener)
        turn = Turn(
            number=0,
            asked_at=asked_at,
            question=said,
            understood_as=_understood(said, asked),
            document_ids=None if document_ids is None else tuple(document_ids),
            answer=answer,
            still_reading=still_reading,
        )
        return self.store.append(conversation_id, turn, title=title_of(said))

    def page(self, limit: int, before: str = "") -> tuple[list[Conversation], str]:
        """Conversations, newest first, and where the next page goes on; ``""``: nowhere.

        Args:
            before: what the page before said.

        Raises:
            InvalidRequest: ``before`` is nothing of the kind.
        """
        limit = max(1, min(limit, _MOST_LISTED))
        found = self.store.conversations(limit + 1, _place(before) if before else None)
        shown = found[:limit]
        more = len(found) > limit
        return shown, f"{shown[-1].updated_at[:26]}_{shown[-1].conversation_id}" if more else ""

    def rename(self, conversation_id: str, title: str) -> Conversation:
        """Gives it another title.

        Raises:
            InvalidRequest: nothing of the title can be seen, or it is too long.
            UnknownConversation: there is none of this id.
        """
        checked = _checked_title(title)
        if not checked:
            raise InvalidRequest("The title is empty.", fix="Send a title of 1 to 200 characters.")
        return self.store.rename(conversation_id, checked)

    def gone(self, turns: Iterable[Turn]) -> frozenset[str]:
        """Ids of the documents shown in these turns that are no longer in the library."""
        return frozenset(
            document_id
            for document_id in {one for turn in turns for one in documents_shown(turn)}
            if not self._is_there(document_id)
        )

    def _is_there(self, document_id: str) -> bool:
        try:
            self.desk.catalog.document(document_id)
        except UnknownDocument:
            return False
        return True


def documents_shown(turn: Turn) -> frozenset[str]:
    """Ids of the documents that its answer cites, or that something was found in."""
    cited = {citation.document.document_id for citation in turn.answer.citations}
    rows = (row for ledger in turn.answer.ledgers for row in ledger.rows)
    return frozenset(cited | {row.evidence.document.document_id for row in rows})


def title_of(question: str) -> str:
    """The question as a title: one line, shortened at a word."""
    line = one_visible_line(question)
    if len(line) <= _LONGEST_OWN_TITLE_CHARS:
        return line
    cut = line[:_LONGEST_OWN_TITLE_CHARS]
    words, space, _ = cut.rpartition(" ")
    kept = words if space and len(words) > _LONGEST_OWN_TITLE_CHARS // 2 else cut[:-1]
    return f"{kept.rstrip(' ,;:–-')}…"


def _checked_title(title: str) -> str:
    line = one_visible_line(title)
    if len(line) > LONGEST_TITLE_CHARS:
        raise InvalidRequest(
            f"The title has {len(line):,} characters; the limit is {LONGEST_TITLE_CHARS}.",
            fix=f"Shorten it to at most {LONGEST_TITLE_CHARS} characters.",
        )
    return line


def _history(turns: Sequence[Turn]) -> list[tuple[str, str]]:
    """Questions and answers, oldest first, the last question such that one can point back to it.

    That is the question itself, or, where it needed those before it ("and in 2021?"), the one
    that this run of questions began with, and then itself.
    """
    history = [(turn.question, turn.answer.text) for turn in turns]
    if not turns:
        return history
    last = turns[-1]
    first = next((turn for turn in reversed(turns) if not _points_back(turn)), turns[0])
    first_question = first.understood_as or first.question
    said = first_question if first is last else f"{first_question} {last.question}"
    return [*history[:-1], (said, last.answer.text)]


def _points_back(turn: Turn) -> bool:
    """Whether its question was searched for together with what came before it."""
    return turn.understood_as != turn.question and turn.understood_as.endswith(turn.question)


def _understood(said: str, asked: Question) -> str:
    if asked.text != said:
        return asked.text
    context = asked.parts[0].context  # a first part has one only from the turn before
    return f"{context} {said}" if context else ""


def _place(before: str) -> tuple[str, str]:
    moment, _, conversation_id = before.partition("_")
    try:
        at = datetime.fromisoformat(moment).replace(tzinfo=UTC)
    except ValueError as exc:
        raise InvalidRequest(
            "before: it is no place in the list.", fix="Send what the page before gave as `next`."
        ) from exc
    return at.isoformat(timespec="microseconds"), conversation_id


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="microseconds")
