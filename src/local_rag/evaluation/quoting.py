"""Whether a statement is a quote: whole sentences of a passage, or cells of a row under their
columns. Such a one is right or wrong without any rule.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from local_rag.evaluation.cases import normalised
from local_rag.text.language import detect
from local_rag.text.polarity import denials
from local_rag.text.sentences import sentences

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from local_rag.evaluation.observed import Passage

_BAR = re.compile(r"(?<!\\)\|")
_RULE = re.compile(r"[\s|:-]*-{3}[\s|:-]*")
_MOST_DENIALS = 2  # French has two words for one

Words = tuple[str, ...]


def is_quoted(statement: str, passages: Sequence[Passage], language: str) -> bool:
    """Whether each sentence of it is a whole one of one of the passages."""
    said = set(_sentences(statement, language))
    return any(said <= _openings(passage.text) for passage in passages)


def is_turned(statement: str, passages: Sequence[Passage], language: str) -> bool:
    """Whether a sentence of it is one of a passage but for words that deny."""
    told = [words for one in passages for words in _sentences(one.text, detect(one.text))]
    return any(
        _is_denied(said, known, language) or _is_denied(known, said, language)
        for said in _sentences(statement, language)
        for known in told
    )


def columns_of(text: str) -> list[str]:
    """The names of the columns of the tables in a text, in one line for each table."""
    return list(dict.fromkeys(" ".join(header) for header, _ in _rows(text) if header))


def _openings(text: str) -> set[Words]:
    """The sentences of a text, and those that go on under a heading without a mark at its end."""
    language = detect(text)
    found = set()
    for start, end in sentences(text, language):
        lines = text[start:end].split("\n")
        found.add(_words(text[start:end]))
        for at in range(1, len(lines)):
            head, rest = " ".join(lines[:at]), "\n".join(lines[at:])
            begins = rest.lstrip()[:1]
            if begins and not begins.islower() and not denials(head, language):
                found.update(_sentences(rest, language))
    return found


def _sentences(text: str, language: str) -> Iterator[Words]:
    return (_words(text[start:end]) for start, end in sentences(text, language))


def _is_denied(short: Words, long: Words, language: str) -> bool:
    """Whether the longer has all words of the shorter in order, and beside them only denials."""
    if not 0 < len(long) - len(short) <= _MOST_DENIALS:
        return False
    at = 0
    for word in long:
        if at < len(short) and word == short[at]:
            at += 1
        elif not denials(word, language):
            return False
    return at == len(short)


def row_is_right(statement: str, passages: Sequence[Passage]) -> bool | None:
    """Whether a row that is quoted in words stands so in a table.

    Of the form ``row: column = cell; column = cell``, or ``cell; cell`` of a table whose columns
    have no names. ``None``: it has not this form, or no table has such a row and such columns.
    """
    said = normalised(statement).rstrip(".")
    found = {
        verdict
        for passage in passages
        for header, cells in _rows(passage.read_text)
        for verdict in _verdicts(said, header, cells)
    }
    return None if not found else True in found


def _verdicts(said: str, header: Sequence[str], cells: Sequence[str]) -> Iterator[bool]:
    """Whether one row of a table has what is said, if it is this row that is spoken of."""
    if not header:
        parts = said.split("; ")
        if len(parts) > 1 and set(parts) <= set(cells):
            yield True
        return
    named = {f"{name} = {cell}" if name else cell for name, cell in zip(header, cells, strict=True)}
    for label in filter(None, cells):
        rest = said.removeprefix(f"{label}: ")
        if rest == said:
            continue
        pairs = {rest} if rest in named else set(rest.split("; "))
        columns = {pair.rpartition(" = ")[0] for pair in pairs}
        if pairs <= named:
            yield True
        elif columns <= {*header, ""} and columns != {""}:
            yield False


def _rows(text: str) -> Iterator[tuple[Sequence[str], Sequence[str]]]:
    """The rows of the tables in a text, each with the names of its columns, normalised.

    No names where the table has none, or another number of them.
    """
    header: list[str] = []
    before: list[str] = []
    for line in [*text.splitlines(), ""]:
        bare = line.strip()
        if bare.startswith("|") and _RULE.fullmatch(bare):
            header, before = before, []
            continue
        if before:
            yield (header if len(header) == len(before) else []), before
            before = []
        if bare.startswith("|"):
            before = [normalised(cell.replace("\\|", "|")) for cell in _BAR.split(bare.strip("|"))]


def _words(text: str) -> Words:
    return tuple(re.findall(r"\w+", text.casefold()))
