"""Conversations as they are kept: begun, listed, renamed, without asking anything."""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from local_rag.errors import InvalidRequest, UnknownDocument
from local_rag.model.conversation import LONGEST_TITLE_CHARS, Conversation
from local_rag.text.names import one_visible_line

if TYPE_CHECKING:
    from collections.abc import Iterable

    from local_rag.model.conversation import Turn
    from local_rag.ports import Catalog, ConversationStore

_LONGEST_OWN_TITLE_CHARS = 80
_MOST_LISTED = 200


@dataclass(frozen=True, slots=True)
class KeptConversations:
    """The conversations of a library."""

    store: ConversationStore
    catalog: Catalog

    def begin(self, title: str = "") -> Conversation:
        """A new conversation; without a title its first question becomes it.

        Raises:
            InvalidRequest: the title is too long.
        """
        moment = now()
        begun = Conversation(secrets.token_hex(16), _checked_title(title), moment, moment)
        self.store.create(begun)
        return begun

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
            self.catalog.document(document_id)
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


def _place(before: str) -> tuple[str, str]:
    moment, _, conversation_id = before.partition("_")
    try:
        at = datetime.fromisoformat(moment).replace(tzinfo=UTC)
    except ValueError as exc:
        raise InvalidRequest(
            "before: it is no place in the list.", fix="Send what the page before gave as `next`."
        ) from exc
    return at.isoformat(timespec="microseconds"), conversation_id


def now() -> str:
    """UTC, ISO 8601 with microseconds."""
    return datetime.now(UTC).isoformat(timespec="microseconds")
