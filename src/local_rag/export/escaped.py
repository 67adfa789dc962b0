"""Texts of documents as they may stand in an HTML file."""

from __future__ import annotations

import re
from html import escape

from local_rag.text.names import one_visible_line

# What no HTML document may hold, and what would turn the writing direction of what follows.
_UNFIT = re.compile(
    r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff\ufffe\uffff]"
)


def escaped_line(text: str) -> str:
    """The text in one line, escaped."""
    return escape(one_visible_line(text))


def fit(text: str) -> str:
    """Character for character, so that places in the text stay what they are; not escaped."""
    return _UNFIT.sub("\N{REPLACEMENT CHARACTER}", text)
