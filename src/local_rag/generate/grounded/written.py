"""What one part of a question got from a chat model, and what the reader should know of it."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from local_rag.generate.grounded.check import Checked
    from local_rag.generate.grounded.parse import ModelDraft, Style
    from local_rag.model.answer import Claim
    from local_rag.model.question import Part

QUOTED_INSTEAD = "Sentences of the documents are quoted instead."


@dataclass(slots=True)
class Written:
    """What one part of the question got.

    Attributes:
        by_model: how many of the claims are the model's.
        dropped, replaced: how many of its statements were not borne out, by what became of them.
        why: what kept the model from answering, one sentence.
        quoted: whether the writer without a model had to answer, and did.
    """

    claims: list[Claim] = field(default_factory=list)
    style: Style = "paragraph"
    unsupported: list[str] = field(default_factory=list)
    by_model: int = 0
    dropped: int = 0
    replaced: int = 0
    why: str = ""
    quoted: bool = False


def note(written: Written) -> str:
    """What kept the model from answering, and what was done instead; one or two sentences."""
    return f"{written.why} {QUOTED_INSTEAD}" if written.quoted else written.why


def passed(checked: Sequence[Checked]) -> int:
    """How many statements of a draft are borne out."""
    return sum(one.claim is not None for one in checked)


def kept(
    draft: ModelDraft, checked: Sequence[Checked], part: Part, published: Sequence[Claim]
) -> Written:
    """What of a draft may be published: what passed, and sentences in place of the rest.

    Args:
        published: what was already, of this draft or the one before; it stands first.
    """
    written = Written(style=draft.style)
    claims = {claim.text: claim for claim in published}
    by_model = claims | {one.claim.text: one.claim for one in checked if one.claim is not None}
    held = {support for claim in by_model.values() for support in claim.supports}
    for one in checked:
        if one.claim is not None:
            claims.setdefault(one.claim.text, one.claim)
        elif by_model and one.instead is not None and not held.intersection(one.instead.supports):
            claims.setdefault(one.instead.text, one.instead)
            written.replaced += 1
        else:
            written.dropped += 1
    written.claims = list(claims.values())
    if written.style == "steps" and not _are_in_order(written.claims):
        written.style = "bullets"
    written.by_model = len(by_model)
    if by_model:
        written.unsupported = [text for text in draft.unsupported if _is_asked(text, part)]
    return written


def _are_in_order(claims: Sequence[Claim]) -> bool:
    """Whether claims of one passage stand in the order in which the passage says them."""
    last: dict[str, int] = {}
    for claim in claims:
        for support in claim.supports[:1]:
            if support.start < last.get(support.chunk_id, 0):
                return False
            last[support.chunk_id] = support.start
    return True


def _is_asked(text: str, part: Part) -> bool:
    """Whether it is a piece of the question and not a text of the model's own."""
    said, asked = text.strip(" .?!").casefold(), part.text.casefold()
    return bool(said) and said in asked and len(said) < len(asked.strip(" .?!"))


def repairs(parts: Sequence[Written]) -> list[str]:
    """What was done to statements that were not borne out; up to two sentences."""
    done = Counter[str]()
    for written in parts:
        done["replaced"] += written.replaced
        done["dropped"] += 0 if written.quoted else written.dropped
    notes = []
    if done["replaced"]:
        said = _statements(done["replaced"])
        notes.append(f"{said} not borne out by the documents: a sentence of theirs stands instead.")
    if done["dropped"]:
        said = _statements(done["dropped"])
        notes.append(f"{said} not borne out by the documents, and left out.")
    return notes


def _statements(count: int) -> str:
    if count == 1:
        return "1 statement of the model was"
    return f"{count} statements of the model were"
