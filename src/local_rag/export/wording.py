"""What every form of an export says in the same words."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from local_rag.model.answer import Answer, Citation
    from local_rag.model.audit import Audit
    from local_rag.model.conversation import Conversation, Turn

GONE = "no longer in the library"
UNTITLED = "Conversation"


@dataclass(frozen=True, slots=True)
class Record:
    """What is exported: a conversation, or one of its turns.

    Attributes:
        turns: all of them, or the one.
        gone: ids of documents that have left the library.
        is_whole: whether the conversation is exported, not one turn of it.
    """

    conversation: Conversation
    turns: Sequence[Turn]
    gone: frozenset[str]
    is_whole: bool = True

    @property
    def title(self) -> str:
        """Its heading: the conversation's title, or the question."""
        if self.is_whole:
            return self.conversation.title or UNTITLED
        return self.turns[0].question


def page_words(citation: Citation) -> str:
    """``page 6``, or ``p. iv (sheet 6)`` where another number is printed on the page."""
    number, label = citation.chunk.page_number, citation.page_label
    return f"p. {label} (sheet {number})" if label and label != str(number) else f"page {number}"


def section_words(citation: Citation) -> str:
    """The headings above the passage; empty where there are none."""
    return " › ".join(citation.chunk.heading_path)


def place_words(citation: Citation) -> str:
    """Document, page and section."""
    section = section_words(citation)
    place = f"{citation.document.name}, {page_words(citation)}"
    return f"{place}, {section}" if section else place


def shortcomings(answer: Answer) -> list[str]:
    """Which parts of the question have no answer, and what went otherwise than planned."""
    said = [f"Not found in the documents: {part}" for part in answer.unsupported_parts]
    return said + [f"Note: {note}" for note in answer.notes]


def remarks(turn: Turn) -> list[str]:
    """What is to be known of the answer beside its text."""
    said = shortcomings(turn.answer)
    if turn.still_reading:
        waiting = "file was" if turn.still_reading == 1 else "files were"
        said.append(f"{turn.still_reading} {waiting} still to be read.")
    return said + support_lines(turn.answer)


def support_lines(answer: Answer) -> list[str]:
    """What the support check says of each claim, and what rules have doubts about."""
    checks = [f"Answer support check: {_status(one)}: {one.claim}" for one in answer.audits]
    flags = [f"Worth a look: {flag.message}: {flag.claim}" for flag in answer.flags]
    return checks + flags


def _status(audit: Audit) -> str:
    """``supported (97%)``, ``to be reviewed (supported 60%)``, ``check unavailable (why)``."""
    check = audit.check
    found = check.assessment
    if found is None:
        return f"check unavailable ({check.error})"
    odds = {
        "supported": found.p_supported,
        "contradicted": found.p_contradicted,
        "insufficient": found.p_insufficient,
    }
    share = f"{odds[found.relation]:.1%}".replace(".0%", "%")
    relation = found.relation.replace("insufficient", "not enough")
    repaired = ", citation repaired" if audit.repair and audit.repair.succeeded else ""
    if check.action == "review":
        return f"to be reviewed ({relation} {share})"
    return f"{relation} ({share}{repaired})"


def circumstances(turn: Turn) -> str:
    """When it was asked, what wrote the answer, and how many documents were asked."""
    said = (
        f"Asked {turn.asked_at[:10]} {turn.asked_at[11:16]} UTC, answered by {turn.answer.writer}"
    )
    if turn.document_ids is None:
        return said
    count = len(turn.document_ids)
    return f"{said} from {count} selected document{'' if count == 1 else 's'}"
