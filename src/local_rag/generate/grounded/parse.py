"""From a model's reply to a draft: tolerant of what stands around it, strict about its types."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from local_rag.generate.grounded.prompt import (
    LONGEST_CLAIM_CHARS,
    MOST_CITATIONS,
    MOST_CLAIMS,
)
from local_rag.generate.units import display

if TYPE_CHECKING:
    from collections.abc import Iterator

Style = Literal["paragraph", "bullets", "steps"]

_STYLES: dict[str, Style] = {
    "paragraphs": "paragraph",
    "bullets": "bullets",
    "steps": "steps",
    "table": "bullets",  # a row is a claim; the page has no tables of claims
}
_MOST_UNSUPPORTED = 4
_MOST_OPENINGS = 20
_CLAIMS = re.compile(r'"claims"\s*:\s*\[')
_NEXT = re.compile(r"[\s,]*\{")
_MARKER = re.compile(
    r"\s*[\[(](?:passages?\s*)?(\d{1,3}(?:\s*[,;–-]\s*\d{1,3})*)[\])](?=[\s.,;:!?。]*$)"
)


@dataclass(frozen=True, slots=True)
class Said:
    """A statement of a model, not yet checked.

    Attributes:
        citations: numbers of passages as the model gave them, each once.
    """

    text: str
    citations: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class ModelDraft:
    """What a model drafted, not yet checked."""

    said: tuple[Said, ...]
    style: Style
    unsupported: tuple[str, ...]


def parse(reply: str) -> ModelDraft | None:
    """The draft in a reply, or ``None`` where there is none of the right shape.

    The first JSON object that stands in the text counts. More claims or citations than the caps
    allow are left out, and longer claims than that with them.
    """
    found = next(_objects(reply), None)
    if found is None:
        return None
    claims, style = found.get("claims"), found.get("style", "paragraphs")
    unsupported = found.get("unsupported", [])
    if not (isinstance(claims, list) and isinstance(style, str) and _are_texts(unsupported)):
        return None
    said = [_said(claim) for claim in claims]
    if any(one is None for one in said):
        return None
    kept = [one for one in said if one and _is_kept(one)]
    return ModelDraft(
        tuple(dict.fromkeys(kept))[:MOST_CLAIMS],
        _STYLES.get(style, "paragraph"),
        tuple(unsupported[:_MOST_UNSUPPORTED]),
    )


class StatementReader:
    """Finds the statements in a reply that is still coming in, each as soon as it is whole.

    Of a reply of the right shape these are what ``parse`` finds in the end, in that order.
    """

    def __init__(self) -> None:
        self._text = ""
        self._at: int | None = None  # where the next statement may begin, once the list has
        self._found: dict[Said, None] = {}

    def feed(self, delta: str) -> list[Said]:
        """The statements that are whole with this stretch of the reply."""
        self._text += delta
        if "}" not in delta:
            return []
        if self._at is None:
            begun = _CLAIMS.search(self._text)
            self._at = begun.end() if begun else None
        found = []
        while self._at is not None and len(self._found) < MOST_CLAIMS:
            begin = _NEXT.match(self._text, self._at)
            if begin is None:
                break
            try:
                claim, self._at = json.JSONDecoder().raw_decode(self._text, begin.end() - 1)
            except (ValueError, RecursionError):
                break
            said = _said(claim)
            if said and _is_kept(said) and said not in self._found:
                self._found[said] = None
                found.append(said)
        return found


def _objects(reply: str) -> Iterator[dict[str, Any]]:
    decoder = json.JSONDecoder()
    at = -1
    for _ in range(_MOST_OPENINGS):
        at = reply.find("{", at + 1)
        if at < 0:
            return
        try:
            found, _ = decoder.raw_decode(reply, at)
        except (ValueError, RecursionError):
            continue
        yield found


def _said(claim: Any) -> Said | None:
    if not isinstance(claim, dict):
        return None
    text, citations = claim.get("text"), claim.get("citations", [])
    if not isinstance(text, str) or not isinstance(citations, list):
        return None
    if not all(isinstance(n, int) and not isinstance(n, bool) for n in citations):
        return None
    cited = tuple(dict.fromkeys(citations))[:MOST_CITATIONS]
    return Said(_without_markers(display(text), cited), cited)


def _is_kept(said: Said) -> bool:
    return 0 < len(said.text) <= LONGEST_CLAIM_CHARS


def _without_markers(text: str, cited: tuple[int, ...]) -> str:
    """The text without the citations that the model wrote at its end."""
    found = _MARKER.search(text)
    if found and {int(number) for number in re.findall(r"\d+", found[1])} <= set(cited):
        return text[: found.start()] + text[found.end() :]
    return text


def _are_texts(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(one, str) for one in value)
