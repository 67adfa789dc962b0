"""The answer and its passages as HTML that holds nothing but text and our own few tags."""

from __future__ import annotations

import re
from html import escape
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from local_rag.model.answer import Span

_MARKER = re.compile(r"\[(\d+)\]")
_ITEM = re.compile(r"(?:- |\d+\. )")


def answer_html(text: str, citation_count: int) -> str:
    """The answer as paragraphs and lists, its markers as links to ``#citation-n``.

    Args:
        citation_count: markers above it stay text.
    """
    blocks = []
    for block in text.split("\n\n"):
        lines = block.split("\n")
        if all(_ITEM.match(line) for line in lines):
            tag = "ul" if lines[0].startswith("- ") else "ol"
            items = "".join(
                f"<li>{_inline(_ITEM.sub('', line, count=1), citation_count)}</li>"
                for line in lines
            )
            blocks.append(f"<{tag}>{items}</{tag}>")
        else:
            blocks.append(f"<p>{_inline(block, citation_count)}</p>")
    return "".join(blocks)


def passage_html(text: str, spans: Sequence[Span]) -> str:
    """A passage as text with the quoted stretches in ``<mark>``; blank lines part paragraphs."""
    pieces = []
    at = 0
    for span in spans:
        pieces += [escape(text[at : span.start]), "<mark>", escape(text[span.start : span.end])]
        pieces.append("</mark>")
        at = span.end
    pieces.append(escape(text[at:]))
    return f'<div class="passage">{"".join(pieces)}</div>'


def _inline(text: str, citation_count: int) -> str:
    def link(match: re.Match[str]) -> str:
        number = match.group(1)
        if not 1 <= int(number) <= citation_count:
            return match.group()
        return f'<a class="citation" href="#citation-{number}">[{number}]</a>'

    return _MARKER.sub(link, escape(text)).replace("\n", "<br>")
