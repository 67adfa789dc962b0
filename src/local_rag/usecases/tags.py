"""Words that a person puts on a document to find it by."""

from __future__ import annotations

import unicodedata
from typing import TYPE_CHECKING

from local_rag.errors import InvalidRequest
from local_rag.text.names import one_visible_line

if TYPE_CHECKING:
    from collections.abc import Iterable

    from local_rag.ports import Catalog

MOST_TAGS = 20
LONGEST_TAG_CHARS = 50


def tag_document(catalog: Catalog, document_id: str, tags: Iterable[str]) -> tuple[str, ...]:
    """Gives a document these tags and no others; returns them as they are kept.

    A comma parts two tags. Each is one line without what cannot be seen, empty ones are left out,
    and of two that differ in case alone the first is kept.

    Raises:
        UnknownDocument: no document has this id.
        InvalidRequest: there are too many, or one is too long.
    """
    kept: dict[str, str] = {}
    for tag in ",".join(tags).split(","):
        plain = one_visible_line(unicodedata.normalize("NFC", tag))
        if plain:
            kept.setdefault(plain.casefold(), plain)
    if len(kept) > MOST_TAGS:
        raise InvalidRequest(
            f"The document was given {len(kept)} tags.", fix=f"Give it at most {MOST_TAGS}."
        )
    longest = max(map(len, kept.values()), default=0)
    if longest > LONGEST_TAG_CHARS:
        raise InvalidRequest(
            f"A tag has {longest} characters.", fix=f"Use at most {LONGEST_TAG_CHARS}."
        )
    made = tuple(kept.values())
    catalog.put_tags(document_id, made)
    return made
