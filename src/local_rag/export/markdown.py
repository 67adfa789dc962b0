"""A conversation as Markdown, in which a document's text is text and nothing else."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from local_rag.export.wording import (
    GONE,
    circumstances,
    page_words,
    remarks,
    section_words,
)
from local_rag.text.names import one_visible_line

if TYPE_CHECKING:
    from local_rag.export.wording import Record
    from local_rag.model.answer import Citation
    from local_rag.model.conversation import Turn

_MARKER = re.compile(r"\[(\d{1,6})\]")
_ITEM = re.compile(r"(- |\d{1,9}\. )")
# Whatever begins emphasis, code, links, HTML, entities, tables, mathematics, attributes or
# mentions in CommonMark or one of its usual extensions. A backslash makes any of them a character.
_ACTIVE = re.compile(
    r"[\\`*_{}\[\]<>#|~&$^@]|!(?=\[|$)|=(?==)|%(?=%)|:(?=[^\s\d]|$)|(?<=\bwww)\.", re.IGNORECASE
)
# At the beginning of a line: bullets, rules, numbers and letters of lists, titles.
_LEADING = re.compile(
    r"[-+(:%=]|(?P<label>\d{1,9}|[a-z]|[ivxlc]{1,7})(?=[.)](?:\s|$))", re.IGNORECASE
)


def markdown(record: Record) -> str:
    """Questions as headings, answers with footnotes that give place and quote of each source."""
    blocks = [f"# {plain(record.title)}"]
    for turn in record.turns:
        if record.is_whole:
            blocks.append(f"## {turn.number}\\. {plain(turn.question)}")
        blocks += _turn(turn, record)
    return "\n\n".join(blocks) + "\n"


def _turn(turn: Turn, record: Record) -> list[str]:
    prefix = f"{turn.number}-" if record.is_whole else ""
    blocks = [f"*{_inert(circumstances(turn))}*"]
    if turn.understood_as:
        blocks.append(f"*Searched for: {_inert(turn.understood_as)}*")
    count = len(turn.answer.citations)
    blocks += [_block(block, prefix, count) for block in turn.answer.text.split("\n\n")]
    blocks += [f"> {plain(remark)}" for remark in remarks(turn)]
    blocks += [_source(citation, prefix, record) for citation in turn.answer.citations]
    return [block for block in blocks if block]


def _source(citation: Citation, prefix: str, record: Record) -> str:
    place = [f"**{_inert(citation.document.name)}**", _inert(page_words(citation))]
    if section := section_words(citation):
        place.append(_inert(section))
    if citation.document.document_id in record.gone:
        place.append(f"*{GONE}*")
    return f"[^{prefix}{citation.number}]: {', '.join(place)}: “{_inert(citation.quote)}”"


def _block(block: str, prefix: str, citation_count: int) -> str:
    lines = [line for line in block.split("\n") if line.strip()]
    if lines and all(_ITEM.match(line) for line in lines):
        items = []
        for line in lines:
            mark, rest = _ITEM.match(line), _ITEM.sub("", line, count=1)
            items.append(f"{mark.group() if mark else ''}{_cited(rest, prefix, citation_count)}")
        return "\n".join(items)
    return "\\\n".join(_cited(line, prefix, citation_count) for line in lines)


def _cited(line: str, prefix: str, citation_count: int) -> str:
    """A line of an answer, its markers as footnotes; markers above the count stay text."""
    pieces, at = [], 0
    for match in _MARKER.finditer(line):
        if 1 <= int(match.group(1)) <= citation_count:
            pieces += [line[at : match.start()], match.group(1)]
            at = match.end()
    pieces.append(line[at:])
    shown = ""
    for index, piece in enumerate(pieces):
        if index % 2:
            shown += f"[^{prefix}{int(piece)}]"
        elif text := one_visible_line(piece):
            spaced = " " if shown and piece[0].isspace() else ""
            trailing = " " if piece[-1].isspace() and index + 1 < len(pieces) else ""
            shown += spaced + (_inert(text) if shown else plain(text)) + trailing
    return shown


def plain(text: str) -> str:
    """The text in one line that shows as it is wherever it stands, also where a line begins."""
    line = _inert(text)
    match = _LEADING.match(line)
    if match is None:
        return line
    at = match.end("label") if match.group("label") else 0
    return f"{line[:at]}\\{line[at:]}"


def _inert(text: str) -> str:
    return _ACTIVE.sub(r"\\\g<0>", one_visible_line(text))
