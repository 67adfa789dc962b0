"""For "which commands …": the code that stands where the question's words are."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from local_rag.generate.units import display
from local_rag.model.answer import Claim, Support

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from local_rag.generate.score import Query
    from local_rag.generate.units import Unit
    from local_rag.model.evidence import Evidence

_ASKS = re.compile(
    r"\b(?:commands?|command lines?|code snippets?|snippets?|scripts?|befehle?n?|kommandos?"
    r"|commandes?|comandos?|comandi)\b|命令",
    re.IGNORECASE,
)
_FENCE = re.compile(r"(?:```|~~~)([\w+-]*)[ \t]*\n(.*?)(?:\n[ \t]*(?:```|~~~)|$)", re.DOTALL)
_SHELLS = frozenset(
    ["", "sh", "bash", "shell", "zsh", "console", "powershell", "ps1", "bat", "cmd", "text"]
)
_NEAR = 2  # units between the words that lead up to the code and the code
_LEAST_SHARE = 0.5
_MOST_LINES = 12


def claims_from_code(
    query: Query,
    units: Sequence[Unit],
    headings: Mapping[int, frozenset[str]],
    evidence: Sequence[Evidence],
) -> tuple[Claim, ...]:
    """The code asked for, each command of a shell a claim; empty where none is asked for or fits.

    Args:
        headings: tokens of each passage's headings and title, by its index.
    """
    if not _ASKS.search(query.text):
        return ()
    terms = [term for term in query.terms if not _ASKS.fullmatch(term.surface)]
    total = sum(term.plain_weight for term in terms)
    best, most = None, 0.0
    for i, unit in enumerate(units):
        if not total or not _has_code(unit, evidence):
            continue
        above = [u for u in units[max(0, i - _NEAR) : i] if u.evidence_index == unit.evidence_index]
        near = frozenset(unit.tokens).union(*(u.tokens for u in above))
        said = near | headings.get(unit.evidence_index, frozenset())
        share = sum(t.plain_weight * t.strength(said) for t in terms) / total
        is_named = all(t.strength(said) for t in terms if t.named)
        if share > most and is_named and any(t.strength(near) for t in terms):
            best, most = unit, share
    return claims_of_code(best, evidence) if best is not None and most >= _LEAST_SHARE else ()


def _has_code(unit: Unit, evidence: Sequence[Evidence]) -> bool:
    text = evidence[unit.evidence_index].chunk.text
    return unit.kind == "code" or _FENCE.search(text, unit.start, unit.end) is not None


def claims_of_code(unit: Unit, evidence: Sequence[Evidence]) -> tuple[Claim, ...]:
    """The code of a unit: each command of a shell a claim, else one for all of it."""
    chunk = evidence[unit.evidence_index].chunk
    fence = _FENCE.search(chunk.text, unit.start, unit.end)
    whole = (Claim(unit.text, (Support(chunk.chunk_id, unit.start, unit.end),)),)
    if fence is None or fence[1].casefold() not in _SHELLS:
        return whole
    lines = [m for m in re.finditer(r"[^\n]*\S", fence[2]) if m.group().lstrip()[0] != "#"]
    goes_on = any(m.group().endswith(("\\", "^", "`", "{", "(", "do", "then")) for m in lines)
    if goes_on or any(m.group()[0].isspace() for m in lines) or not 0 < len(lines) <= _MOST_LINES:
        return whole  # a line of it alone is no command
    at = fence.start(2)
    return tuple(
        Claim(f"`{display(m.group())}`", (Support(chunk.chunk_id, at + m.start(), at + m.end()),))
        for m in lines
    )
