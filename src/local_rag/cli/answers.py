"""Answers and their sources as lines of text."""

from __future__ import annotations

import sys
import textwrap
from typing import TYPE_CHECKING

from local_rag.export.wording import place_words, shortcomings, support_lines

if TYPE_CHECKING:
    from local_rag.model.answer import Answer

_WIDTH = 96


def answer_lines(answer: Answer) -> str:
    """The answer, what is to be known of it, and its sources."""
    lines = [wrapped(line) for line in answer.text.split("\n")]
    lines += [wrapped(said) for said in shortcomings(answer) + support_lines(answer)]
    if answer.citations:
        lines += ["", "Sources"]
    for citation in answer.citations:
        lines += [
            f"[{citation.number}] {place_words(citation)}",
            wrapped(f"“{' '.join(citation.quote.split())}”", indent="    "),
        ]
    return "\n".join(lines)


def wrapped(text: str, indent: str = "") -> str:
    """Lines as wide as is read well, on a terminal; one line elsewhere."""
    width = _WIDTH if sys.stdout.isatty() else 10_000
    return textwrap.fill(
        text, width, initial_indent=indent, subsequent_indent=indent, break_long_words=False
    )


def written(content: bytes) -> None:
    """Puts a file into the output as it is."""
    sys.stdout.flush()
    sys.stdout.buffer.write(content)
    sys.stdout.buffer.flush()
