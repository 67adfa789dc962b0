"""Which passages prove what a case expects."""

from __future__ import annotations

from typing import TYPE_CHECKING

from local_rag.evaluation.cases import normalised
from local_rag.text.names import FOLDER_MARK

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from local_rag.evaluation.cases import Case, ExpectedEvidence
    from local_rag.evaluation.observed import Passage

LEAST_CUT_SHARE = 0.5
"""Share of an expected text that a passage must hold where the passage's border cuts it: of two
passages that share a text, one holds a half."""


def is_of_source(evidence: ExpectedEvidence, source: str, source_sha256: str) -> bool:
    """Whether a document is the expected one: by its bytes, or by its name where these changed."""
    if evidence.source_sha256 == source_sha256:
        return True
    wanted, name = normalised(evidence.source), normalised(source)
    return wanted == name or wanted == normalised(source.rpartition(FOLDER_MARK)[2])


def proves(passage: Passage, evidence: ExpectedEvidence) -> bool:
    """Whether it is of the expected document and page, and holds all of the expected texts."""
    if not is_of_source(evidence, passage.source, passage.source_sha256):
        return False
    if evidence.page is not None and passage.page is not None and evidence.page != passage.page:
        return False
    text, read = _plain(passage.text), _plain(passage.read_text)
    return all(wanted in read or is_cut(wanted, text) for wanted in map(_plain, evidence.contains))


def is_cut(wanted: str, text: str) -> bool:
    """Whether the text begins or ends within ``wanted``, or lies within it, with half of it."""
    if not text or not wanted:
        return False
    least = max(1, -(-len(wanted) // 2))
    longest = min(len(wanted) - 1, len(text))
    if text in wanted and len(text) >= least:
        return True
    return any(
        text.endswith(wanted[:size]) or text.startswith(wanted[-size:])
        for size in range(longest, least - 1, -1)
    )


def proven_groups(ranked: Sequence[Passage], case: Case) -> list[tuple[str, ...]]:
    """For each passage the groups that it proves, in the case's order."""
    return [
        tuple(
            group
            for group in case.groups
            if any(
                proves(passage, one)
                for one in case.expected_evidence
                if one.evidence_group == group
            )
        )
        for passage in ranked
    ]


def gains_of(groups: Iterable[Sequence[str]]) -> list[float]:
    """How many groups each passage proves that none before it does."""
    seen: set[str] = set()
    gains = []
    for proven in groups:
        gains.append(float(len(set(proven) - seen)))
        seen.update(proven)
    return gains


def ideal_gains(groups: Sequence[Sequence[str]], wanted: Iterable[str]) -> list[float]:
    """The gains of the best order: of what was found, then one passage for each group that lacks.

    Where no passage proves two groups, that is 1 for each group.
    """
    left = set(wanted)
    gains: list[float] = []
    sets = [set(proven) for proven in groups]
    while left:
        best = max((proven & left for proven in sets), key=len, default=set[str]())
        if not best:
            break
        gains.append(float(len(best)))
        left -= best
    return gains + [1.0] * len(left)


def _plain(text: str) -> str:
    """Normalised, without the strokes between the cells of a table."""
    return normalised(text.replace("|", " "))
