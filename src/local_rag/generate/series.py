"""Items that a sentence lists itself: "The form has the fields: name, date of birth and city."."""

from __future__ import annotations

import re

_SERIES = re.compile(
    r"(?:[:：]\s*|\b(?:includes?|comprises?|contains?|consists? of|are|umfasst|umfassen|enthält"
    r"|enthalten|sind|comprend|comprennent|sont|incluye|incluyen|son|inclui|incluem|são|包括|包含)\s+)"
    r"(?P<items>[^:：.!?。！？]{2,160}?(?:(?:,|、)[^:：.!?。！？]{1,160})+)(?=[.!?。！？;；]|$)",
    re.IGNORECASE,
)
_SEPARATOR = re.compile(
    r"\s*(?:,|、|，)\s*(?:(?:and|or|und|oder|et|ou|y|o|e)\s+)?|\s+(?:and|or|und|oder|et|ou|y|e)\s+"
    r"|[和与及](?=\S)",
    re.IGNORECASE,
)
_LONGEST_ENTRY_WORDS = 8
_LEAST_ENTRIES = 3


def series_in(sentence: str) -> list[tuple[int, int]]:
    """Half-open spans of the items, in order; empty where the sentence lists fewer than three."""
    found = _SERIES.search(sentence)
    if found is None:
        return []
    at, stop = found.span("items")
    spans = []
    for separator in _SEPARATOR.finditer(sentence, at, stop):
        spans.append((at, separator.start()))
        at = separator.end()
    spans.append((at, stop))
    words = [len(sentence[a:b].split()) for a, b in spans]
    if len(spans) < _LEAST_ENTRIES or min(words) == 0 or max(words) > _LONGEST_ENTRY_WORDS:
        return []
    return spans
