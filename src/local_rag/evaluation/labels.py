"""Labelled claims, a JSON object a line.

``case_id``, ``claim``, ``citations`` (ids of passages), ``passages`` (by id), ``expected``
(supported, contradicted or insufficient). Of public sets also ``id``, ``set``, ``claim``,
``source`` (the one passage) and ``label`` (support, contradict, partial, nei): what is supported in
part is not supported as it is cited.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from local_rag.errors import InvalidRequest

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from local_rag.model.audit import Relation

RELATIONS: tuple[Relation, ...] = ("supported", "contradicted", "insufficient")

_LABELS: dict[str, Relation] = {
    "support": "supported",
    "contradict": "contradicted",
    "partial": "insufficient",
    "nei": "insufficient",
}


@dataclass(frozen=True, slots=True)
class LabelledClaim:
    """A claim, what it cites, and how the two are known to relate.

    Attributes:
        group: the set and label that it is reported under.
    """

    case_id: str
    claim: str
    citations: tuple[str, ...]
    passages: Mapping[str, str]
    expected: Relation
    group: str

    @property
    def half(self) -> int:
        """1 or 2, by its name and text: thresholds are chosen on one half, told of the other."""
        named = f"{self.case_id}:{self.claim}".encode("utf-8", "replace")
        return int(hashlib.sha256(named).hexdigest(), 16) % 2 + 1


def read_labels(path: Path) -> list[LabelledClaim]:
    """The claims of a file.

    Raises:
        InvalidRequest: it cannot be read, is empty, or a line is of another form; names the line.
    """
    try:
        lines = path.read_text("utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as exc:
        raise InvalidRequest(
            f"{path.name} cannot be read.", fix="Name a file of JSON lines in UTF-8."
        ) from exc
    found = []
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            found.append(_labelled(json.loads(line)))
        except (ValueError, KeyError, TypeError) as exc:
            raise InvalidRequest(
                f"Line {number} of {path.name} is no labelled claim ({type(exc).__name__}).",
                fix="Give case_id, claim, citations, passages and expected; see docs/auditor.md.",
            ) from exc
    if not found:
        raise InvalidRequest(f"{path.name} has no claim.", fix="Give at least one labelled claim.")
    return found


def _labelled(row: Any) -> LabelledClaim:
    if "source" in row:
        case_id = f"{row.get('set', '')}:{row['id']}"
        expected = _LABELS[row["label"]]
        citations: tuple[str, ...] = ("1",)
        passages = {"1": _text(row["source"])}
        group = f"{row.get('set', '')} {row['label']}".strip()
    else:
        case_id, expected = _text(row["case_id"]), row["expected"]
        citations = tuple(str(one) for one in row["citations"])
        passages = {str(name): _text(text) for name, text in row["passages"].items()}
        group = str(expected)
    if expected not in RELATIONS:
        raise ValueError("an unknown relation")
    return LabelledClaim(case_id, _text(row["claim"]), citations, passages, expected, group)


def _text(value: Any) -> str:
    if not isinstance(value, str) or not value.strip():
        raise TypeError("no text")
    return value
