"""Names of files, as they are stored and shown. A name is never a path."""

from __future__ import annotations

import hashlib
import re
import unicodedata
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

LONGEST_NAME_CHARS = 200
FOLDER_MARK = " › "
"""Stands between a folder and what lies in it, in the name of a file from this machine."""

_LONGEST_ENDING_CHARS = 10
_TAIL_CHARS = 60
_UNNAMED = "unnamed"
# Controls, lone surrogates, line separators, and what Unicode calls default ignorable, apart from
# joiners and variation selectors: emoji and several scripts are written with these.
# https://www.unicode.org/Public/UCD/latest/ucd/DerivedCoreProperties.txt
_UNSAFE = re.compile(
    r"[\x00-\x1f\x7f-\x9f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b\u200e\u200f"
    r"\u2028-\u202e\u2060-\u206f\u3164\ud800-\udfff\ufeff\uffa0\ufff0-\ufffb"
    r"\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e00ff\U000e01f0-\U000e0fff]"
)
_BLANK = r"\s\u180b-\u180f\u200c\u200d\u2800\ufe00-\ufe0f\U000e0100-\U000e01ef"
_VISIBLE = re.compile(rf"[^.{_BLANK}]")
_SEEN = re.compile(rf"[^{_BLANK}]")
_SURROGATES = re.compile(r"[\ud800-\udfff]")
_SEPARATORS = re.compile(r"[/\\]")
_PERCENT = re.compile(r"%(2e|2f|5c)", re.IGNORECASE)
_LITERAL_SEPARATORS = str.maketrans({"/": "／", "\\": "＼"})
_LITERAL_PERCENT = re.compile(r"%(?=2e|2f|5c)", re.IGNORECASE)


def display_name(raw: str) -> str:
    """The last part of what a client called the file, NFC, without control characters.

    Invisible characters and those that turn the writing direction are removed, so that the name
    is shown as it is. Names equal under NFC are equal. In a name longer than 200 characters the
    middle of the stem gives way to a hash of the whole name, so that two long names stay two; its
    ending is kept. What leaves nothing to be seen becomes ``unnamed``, with the ending if there
    is one.
    """
    decoded = _PERCENT.sub(lambda match: chr(int(match.group(1), 16)), _UNSAFE.sub("", raw))
    return _shown(_SEPARATORS.split(decoded)[-1], given=_SEPARATORS.split(raw)[-1])


def local_name(parts: Sequence[str]) -> str:
    """The name of a file on this machine, from folders that lead to it and its own name.

    Unlike a client's, such a name is what it says: ``%2f`` is no separator in it, and neither is
    a backslash where the system allows one. They are kept as their full-width twins, so that
    ``display_name`` leaves the result as it is. A byte that is not UTF-8 shows as U+FFFD.
    """
    shown = [_shown(_literal(part), given=part) for part in parts]
    return _shortened(FOLDER_MARK.join(shown))


def one_visible_line(text: str) -> str:
    """The text in one line, without control characters and what turns the writing direction.

    ``""`` where nothing of it can be seen.
    """
    line = " ".join(_UNSAFE.sub("", " ".join(text.split())).split())
    return line if _SEEN.search(line) else ""


def short_hash(text: str) -> str:
    """Eight hexadecimal digits that tell texts apart."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:8]


def _literal(part: str) -> str:
    visible = _UNSAFE.sub("", _SURROGATES.sub("\ufffd", part))
    return _LITERAL_PERCENT.sub("％", visible.translate(_LITERAL_SEPARATORS))


def _shown(text: str, *, given: str) -> str:
    name = unicodedata.normalize("NFC", text).strip()
    while name.endswith("."):
        name = name.rstrip(".").rstrip()
    if not _VISIBLE.search(name):
        return _UNNAMED
    stem, ending = _split_ending(name)
    if not _VISIBLE.search(stem) and given != name:  # ".txt" as such is a hidden file's name
        return _UNNAMED + ending
    return _shortened(name)


def _shortened(name: str) -> str:
    """Its beginning, a hash of all of it, its end: folders lead a name, the file's own ends it."""
    if len(name) <= LONGEST_NAME_CHARS:
        return name
    stem, ending = _split_ending(name)
    middle = f"…{short_hash(name)}…"
    head_chars = LONGEST_NAME_CHARS - len(middle) - _TAIL_CHARS - len(ending)
    return stem[:head_chars] + middle + stem[-_TAIL_CHARS:] + ending


def _split_ending(name: str) -> tuple[str, str]:
    stem, dot, ending = name.rpartition(".")
    if dot and len(ending) <= _LONGEST_ENDING_CHARS:
        return stem, dot + ending
    return name, ""
