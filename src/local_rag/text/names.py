"""Names of files, as they are stored and shown. A name is never a path."""

from __future__ import annotations

import re
import unicodedata

LONGEST_NAME_CHARS = 200
_UNSAFE = re.compile(
    r"[\x00-\x1f\x7f-\x9f\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff\ud800-\udfff]"
)
_SEPARATORS = re.compile(r"[/\\]")
_PERCENT = re.compile(r"%(2e|2f|5c)", re.IGNORECASE)


def display_name(raw: str) -> str:
    """The last part of what a client called the file, NFC, without control characters.

    Invisible characters and those that turn the writing direction are removed, so that the name
    is shown as it is. Names equal under NFC are equal. A name longer than 200 characters is
    shortened in the middle of its stem, its ending kept. What leaves nothing becomes ``unnamed``.
    """
    decoded = _PERCENT.sub(lambda match: chr(int(match.group(1), 16)), raw)
    last = _SEPARATORS.split(decoded)[-1]
    name = _UNSAFE.sub("", unicodedata.normalize("NFC", last)).strip().rstrip(".").strip()
    if set(name) <= {"."}:
        return "unnamed"
    if len(name) > LONGEST_NAME_CHARS:
        stem, dot, ending = name.rpartition(".")
        ending = dot + ending if dot and len(ending) <= 10 else ""
        stem = stem if ending else name
        name = stem[: LONGEST_NAME_CHARS - len(ending) - 1] + "…" + ending
    return name
