"""The flags that rules raise about an answer's claims."""

from __future__ import annotations

from typing import TYPE_CHECKING

from local_rag.model.audit import ClaimFlag
from local_rag.text.doubts import doubts
from local_rag.text.language import UNDETERMINED, detect

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from local_rag.model.answer import Citation, Claim

_NEARLY_ALL = 0.9


def flags_of(
    claims: Sequence[Claim], citations: Mapping[str, Citation], language: str
) -> tuple[ClaimFlag, ...]:
    """What the cited passages, with what stands over them, do not hold of each claim.

    A claim that repeats a sentence of theirs word for word has nothing to flag.

    Args:
        citations: by chunk id; claims without any are left out.
        language: of the question, for claims whose own is not clear.
    """
    found = []
    for claim in claims:
        cited = dict.fromkeys(s.chunk_id for s in claim.supports if s.chunk_id in citations)
        rows = [citations[chunk_id] for chunk_id in cited]
        marked = (
            citations[s.chunk_id].chunk.text[s.start : s.end]
            for s in claim.supports
            if s.chunk_id in citations
        )
        if not rows or any(_repeats(claim.text, stretch) for stretch in marked):
            continue
        text = "\n\n".join(row.chunk.indexed_text(row.document.title) for row in rows)
        own = detect(claim.text)
        for doubt in doubts(claim.text, text, language if own == UNDETERMINED else own):
            numbers = tuple(row.number for row in rows)
            found.append(ClaimFlag(claim.text, numbers, doubt.kind, doubt.surface))
    return tuple(found)


def _repeats(claim: str, stretch: str) -> bool:
    """Whether the claim is the stretch but for signs at its ends: half of one may say else."""
    said, known = " ".join(claim.split()), " ".join(stretch.split())
    return said in known and len(said) >= _NEARLY_ALL * len(known)
