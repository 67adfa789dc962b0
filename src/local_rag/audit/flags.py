"""The flags that rules raise about an answer's claims."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, cast

from local_rag.model.audit import ClaimFlag
from local_rag.text.doubts import doubts
from local_rag.text.language import UNDETERMINED, detect

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from local_rag.model.answer import Citation, Claim
    from local_rag.model.audit import FlagKind

_WORD = re.compile(r"[^\W_]+")


def flags_of(
    claims: Sequence[Claim], citations: Mapping[str, Citation], language: str
) -> tuple[ClaimFlag, ...]:
    """What the cited passages, with what stands over them, do not hold of each claim.

    A claim in all the words of what is marked for it has nothing to flag.

    Args:
        citations: by chunk id; claims without any are left out.
        language: of the question, for claims whose own is not clear.
    """
    found = []
    for claim in claims:
        supports = [s for s in claim.supports if s.chunk_id in citations]
        rows = [citations[chunk_id] for chunk_id in dict.fromkeys(s.chunk_id for s in supports)]
        if not rows:
            continue
        text = "\n\n".join(row.chunk.indexed_text(row.document.title) for row in rows)
        marked = [citations[s.chunk_id].chunk.text[s.start : s.end] for s in supports]
        if _repeats(claim.text, " ".join(marked), text):
            continue
        own = detect(claim.text)
        for doubt in doubts(claim.text, text, language if own == UNDETERMINED else own):
            numbers = tuple(row.number for row in rows)
            kind = cast("FlagKind", doubt.kind)  # no others are shown
            found.append(ClaimFlag(claim.text, numbers, kind, doubt.surface))
    return tuple(found)


def _repeats(claim: str, marked: str, cited: str) -> bool:
    """Whether the claim says every word that is marked, and no word that is not cited.

    So do quotes, and rows of a table with the names of their columns.
    """
    said = set(_WORD.findall(claim))
    return said.issuperset(_WORD.findall(marked)) and said.issubset(_WORD.findall(cited))
