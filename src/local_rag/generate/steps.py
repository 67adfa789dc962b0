"""For "what do I do, step by step?": the steps of the section that is nearest to the question."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from local_rag.generate.cues import is_soft

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from local_rag.generate.lists import ItemList
    from local_rag.generate.ranking import Ranking
    from local_rag.model.evidence import Evidence

_ASKS = re.compile(
    r"\bstep[- ]by[- ]step\b|\b(?:what|which)\b[^?]{0,30}\bsteps\b|\bin what order\b"
    r"|\bschritt für schritt\b|\bwelche\b[^?]{0,30}\bschritte\b|\bétape par étape\b"
    r"|\bquelles\b[^?]{0,30}\bétapes\b|\bpaso a paso\b|\bqué\b[^?]{0,30}\bpasos\b"
    r"|\bpasso a passo\b|\bpasso (?:dopo|per) passo\b",
    re.IGNORECASE,
)
_NEAR = 0.42  # of cosine, on the scale of all-MiniLM-L6-v2; sections of other tasks stay below


def nearest_steps(
    ranking: Ranking,
    lists: Sequence[ItemList],
    headings: Mapping[int, frozenset[str]],
    evidence: Sequence[Evidence],
) -> ItemList | None:
    """The one numbered list of the first passage, where that is the nearest by meaning as well.

    What is done in an order is often asked in words of which the steps hold few. All names of the
    question must stand in it, and one other word.

    Args:
        headings: tokens of each passage's headings and title, by its index.
    """
    query = ranking.query
    if not ranking.is_embedded or not _ASKS.search(query.text):
        return None
    cosines = [row.fused.cosine or 0.0 for row in evidence]
    numbered = [listed for listed in lists if listed.numbered and listed.evidence_index == 0]
    if len(numbered) != 1 or cosines[0] < max(_NEAR, *cosines):
        return None
    listed = numbered[0]
    above = [unit for unit in (listed.heading, listed.lead) if unit is not None]
    said = headings[0].union(*(unit.tokens for unit in (*above, *listed.units)))
    held = [term for term in query.terms if term.strength(said)]
    names_held = all(term in held for term in query.terms if term.named)
    return listed if names_held and any(not is_soft(term.surface) for term in held) else None
