"""Which files can be read, by the ending of their name."""

from __future__ import annotations

from local_rag.errors import UnsupportedType

PDF = "application/pdf"
MARKDOWN = "text/markdown"
PLAIN = "text/plain"

_BY_ENDING = {
    ".pdf": PDF,
    ".md": MARKDOWN,
    ".markdown": MARKDOWN,
    ".txt": PLAIN,
    ".text": PLAIN,
}

ENDINGS = tuple(_BY_ENDING)
"""The endings that can be read, lower case with their dot."""


def media_type_of(name: str) -> str:
    """The media type of a file of this name, case ignored.

    Raises:
        UnsupportedType: no reader takes such files; the message lists what can be read.
    """
    stem, dot, ending = name.strip().rpartition(".")
    media_type = _BY_ENDING.get(dot + ending.casefold()) if stem else None
    if media_type is None:
        shown = f"{dot}{ending}" if stem and len(ending) <= 10 else "this kind"
        raise UnsupportedType(
            f"Files of {shown} cannot be read; {', '.join(_BY_ENDING)} can.",
        )
    return media_type
