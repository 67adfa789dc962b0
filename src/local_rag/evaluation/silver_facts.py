"""What a candidate is made from: a fact of a document, and a question that only it answers."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from local_rag.model.document import Section

LANGUAGES = ("en", "de")
"""The languages that questions can be worded in."""


@dataclass(frozen=True, slots=True)
class Piece:
    """Words of a page that prove a fact: ``page.text[start:end]`` with its white space joined."""

    page_number: int
    start: int
    end: int
    words: str


@dataclass(frozen=True, slots=True)
class Fact:
    """A fact and its question.

    Attributes:
        kind: the type of question, such as ``number``.
        question: can be understood by itself.
        subject: what it asks about; stands in the question word for word.
        answers: what the answer must say, each in a piece.
        reference: the answer in a sentence of the document.
        pieces: where it stands; all of them are needed.
    """

    kind: str
    question: str
    subject: str
    answers: tuple[str, ...]
    reference: str
    pieces: tuple[Piece, ...]


def joined(text: str) -> str:
    """The text with each run of white space one blank."""
    return " ".join(text.split())


def piece_of(page_number: int, text: str, start: int, end: int, words: str) -> Piece | None:
    """Where the words, white space aside, first stand in ``text[start:end]``."""
    pattern = r"\s+".join(map(re.escape, words.split()))
    match = re.compile(pattern).search(text, start, end)
    if match is None:
        return None
    return Piece(page_number, match.start(), match.end(), words)


def section_at(sections: tuple[Section, ...], page_number: int, offset: int) -> Section | None:
    """The innermost section that a place of a page is in."""
    at = page_number, offset
    found = None
    for section in sections:
        begin = section.page_number, section.start
        if begin <= at < (section.end_page_number, section.end):
            found = section
    return found
