"""Which of several documents a question means by a year or a version that their names hold."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from local_rag.generate.units import Unit
    from local_rag.model.document import Document
    from local_rag.model.evidence import Evidence
    from local_rag.model.question import Part

_LABEL = re.compile(
    r"(?<!\d)(?P<year>(?:19|20)\d{2})(?!\d)"
    r"|(?<![^\W_])(?:version|v|rev(?:ision)?|edition|auflage|ausgabe|édition|versión|versão"
    r"|versione)[.\s_-]{0,2}(?P<version>\d{1,3}(?:\.\d+)*)(?![^\W_])",
    re.IGNORECASE,
)
_JOINING = re.compile(
    r"\s+(?:and|und|et|y|e|or|oder|with|to|vs\.?|versus|mit)(?=\s*(?:[?.!]|$|\s+(?:and|und|et)\s))",
    re.IGNORECASE,
)


def each_version(part: Part, said: str, evidence: Sequence[Evidence]) -> list[tuple[Part, str]]:
    """The part once for each of the versions that it names and documents are of; and the version.

    Args:
        said: the part as it is told where nothing answers it.
    """
    known = set().union(*(labels_of(row.document) for row in evidence))
    named = [label for label in dict.fromkeys(_labels(part.text)) if label in known]
    if len(named) < 2:
        return [(part, said)]
    return [
        (replace(part, text=_without(part.text, {n for n in named if n != one})), one)
        for one in named
    ]


def of_the_version(
    part: Part, units: Sequence[Unit], evidence: Sequence[Evidence]
) -> tuple[Part, list[Unit]] | None:
    """The part without the version that it names, and what the documents of that version say.

    ``None`` where it names none, or no document is of it by its name or title.
    """
    named = set(_labels(part.text))
    of_it = {i for i, row in enumerate(evidence) if named and named <= labels_of(row.document)}
    kept = [unit for unit in units if unit.evidence_index in of_it]
    return (replace(part, text=_without(part.text, named)), kept) if kept else None


def labels_of(document: Document) -> set[str]:
    """The years and versions in a document's name and title, such as ``2026`` and ``v2``."""
    return set(_labels(f"{document.name}\n{document.title or ''}"))


def _labels(text: str) -> list[str]:
    return [_label(match) for match in _LABEL.finditer(text)]


def _label(match: re.Match[str]) -> str:
    return match["year"] or f"v{match['version']}"


def _without(text: str, labels: set[str]) -> str:
    left = _LABEL.sub(lambda m: " " if _label(m) in labels else m.group(), text)
    return " ".join(_JOINING.sub("", " ".join(left.split())).split())
