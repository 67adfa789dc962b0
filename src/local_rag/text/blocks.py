"""The blocks of a text: paragraph, list item, heading, table row, code fence, line of a form."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

_BULLET = r"[-*+•▪◦‣●○■–—·]"
_LABEL = r"\(?(?:(?:\d{1,3}|[a-z]|[ivx]{1,4})[.)]|[A-Z]\))"
_ITEM = re.compile(rf"[ \t]*(?:{_BULLET}[ \t]+|[•▪◦‣●■·](?=\S)|{_LABEL}[ \t]+)")
_DOT = re.compile(r"[ \t]*·(?=\S)")  # a bullet, or the sign of multiplication in a wrapped line
_NUMBERED = re.compile(r"[ \t]*\(?(?P<label>\w+)[.)]")
_LINE_ITEM_CHARS = 40  # a shorter line before "2. …" is a label; a longer one was wrapped
_LONGEST_ITEM_CHARS = 300  # items above this are prose with a marker
_FENCE = re.compile(r"[ \t]{0,3}(?:```|~~~)")
_HEADING = re.compile(r"[ \t]{0,3}#{1,6}[ \t]")
_RULE = re.compile(r"[ \t]*(?:={3,}|-{3,}|\*{3,}|_{3,})[ \t]*$")
_ROW = re.compile(r"[ \t]*\|")
_FIELD = re.compile(r"[ \t]*(?=[^\W_a-z])[^:：|.!?。！？]{1,40}(?::[ \t]+|：[ \t]*)(?=\S)")
_FIELD_CHARS = 200
_LABELLED = re.compile(r"(?<!\S)[^\W\d_a-z][^\W_]*\.?(?: [a-zß-ÿ]+){0,2}:[ \t]+(?=\S)")
_ENDS_INSIDE = re.compile(r"[.!?;][ \t]+(?![a-z])")
_LEAST_APART = 3  # lines; two may be one that was wrapped
_APART_CHARS = 100
_MOST_SMALL = 0.15
_RAGGED = 0.7  # of the longest line
_FORMULA_CHARS = 160
_MATHEMATICS = re.compile(r"[=√∑∏∫≤≥≈≠×÷·±−∈∂∞→⋅∝\u0370-\u03ff]")
_LONG_WORD = re.compile(r"[^\W\d_]{4,}")
_BROKEN_OFF_CHARS = 40  # a shorter paragraph without an end is a heading or a label
_FINISHED = re.compile(r"[.!?…。！？؟۔;；|][\"'”’»)\]*_]*$")
_ENDS_CLAUSE = (".", ":", "!", "?", "。", "：", "！", "？", ";", "؟", "。”")


class Block(NamedTuple):
    """A stretch of a text, ``text[start:end]``, that no sentence leaves."""

    start: int
    end: int
    whole: bool  # one unit, whatever stands in it


def blocks_of(text: str) -> Iterator[Block]:
    """The blocks in order; a sentence that runs on behind a formula keeps its block open.

    In time linear in the length of the text.
    """
    yield from _rejoined(text, _blocks(text))


def is_item(line: str) -> bool:
    """Whether the line begins with a list marker."""
    return _ITEM.match(line) is not None


def is_field(line: str) -> bool:
    """Whether the line says one thing of one name: ``Quiet hours: 22 to 6``."""
    return len(line) <= _FIELD_CHARS and _FIELD.match(line) is not None


def _rejoined(text: str, blocks: Iterable[Block]) -> Iterator[Block]:
    """Puts paragraphs together that one sentence runs through, such as those around a formula."""
    held: Block | None = None
    for block in blocks:
        if held is not None and _runs_on(text, held, block):
            held = Block(held.start, block.end, whole=False)
            continue
        if held is not None:
            yield held
        held = block
    if held is not None:
        yield held


def _runs_on(text: str, held: Block, block: Block) -> bool:
    if held.whole or block.whole or held.end - held.start < _BROKEN_OFF_CHARS:
        return False
    last = text[max(held.start, held.end - 8) : held.end].rstrip()
    if not last or _FINISHED.search(last) or is_item(text[block.start : block.start + 12]):
        return False
    if _is_formula(text[block.start : min(block.end, block.start + _FORMULA_CHARS + 1)]):
        return True
    return text[block.start].islower() and not last.endswith((":", "："))


def _is_formula(block: str) -> bool:
    if len(block) > _FORMULA_CHARS:
        return False
    signs = len(_MATHEMATICS.findall(block))
    return signs > 0 and len(_LONG_WORD.findall(block)) <= 2 * signs


def _lines(text: str) -> Iterator[tuple[int, int]]:
    start = 0
    while start < len(text):
        newline = text.find("\n", start)
        end = len(text) if newline < 0 else newline
        yield start, end
        start = end + 1


def _blocks(text: str) -> Iterator[Block]:
    """Gathers lines; a block in the making is (start, end, whether it is a list item)."""
    start = end = -1
    item = fenced = in_fields = False
    for line_start, line_end in _lines(text):
        line = text[line_start:line_end]
        is_fence = _FENCE.match(line) is not None
        after_field, in_fields = in_fields, is_field(line)
        if fenced:
            end = line_end
            if is_fence:
                yield Block(start, end, whole=True)
                fenced, start = False, -1
            continue
        alone = _stands_alone(line) or (
            in_fields and (after_field or _field_follows(text, line_end))
        )
        before = text[max(start, end - _LINE_ITEM_CHARS) : end] if start >= 0 else ""
        opens = not alone and _opens_item(line, before, after_item=item)
        if start >= 0 and (is_fence or alone or opens or not line.strip()):
            yield from _gathered(text, start, end, item=item)
            start = -1
        if is_fence:
            fenced, start, end = True, line_start, line_end
        elif alone:
            yield Block(line_start, line_end, whole=True)
        elif line.strip():
            if start < 0:
                start, item = line_start, opens
            end = line_end
    if start >= 0 and fenced:
        yield Block(start, end, whole=True)
    elif start >= 0:
        yield from _gathered(text, start, end, item=item)


def _gathered(text: str, start: int, end: int, *, item: bool) -> Iterator[Block]:
    """A paragraph or an item; the lines one by one where they were not wrapped."""
    lines = [] if item else [(start + a, start + b) for a, b in _lines(text[start:end])]
    labels = [start + match.start() for match in _LABELLED.finditer(text[start:end])]
    if len(lines) == 1 and _all_labelled(text[start:end], len(labels)):
        for a, b in pairwise([*labels, end]):
            yield Block(a, b, whole=True)
    elif _are_apart([text[a:b].strip() for a, b in lines]):
        for a, b in lines:
            yield Block(a, b, whole=b - a <= _APART_CHARS)
    else:
        yield Block(start, end, whole=item and end - start <= _LONGEST_ITEM_CHARS)


def _all_labelled(line: str, labels: int) -> bool:
    """Whether a line is several values, each with its name: ``Number: 7 Date: 3 May``."""
    return (
        labels > 1
        and len(line) <= _FIELD_CHARS
        and _LABELLED.match(line) is not None
        and _ENDS_INSIDE.search(line) is None
    )


def _are_apart(lines: Sequence[str]) -> bool:
    """Whether each line says a thing of its own, as on an invoice or in a list of addresses.

    Lines that were wrapped are about equally long, but for the last one, and many of them begin
    with a small letter.
    """
    if len(lines) < _LEAST_APART or max(map(len, lines)) > _APART_CHARS:
        return False
    if sum(line[0].islower() for line in lines[1:]) > _MOST_SMALL * (len(lines) - 1):
        return False
    if sum(line.endswith(("-", ",")) for line in lines) > _MOST_SMALL * len(lines):
        return False
    longest = max(map(len, lines))
    ragged = sum(len(line) < _RAGGED * longest for line in lines[:-1])
    wide = sum(line[0] > "\u2e80" for line in lines)
    counted = sum(any(map(str.isdigit, line)) for line in lines)
    return 3 * ragged >= len(lines) - 1 or (counted == len(lines) and not wide)


def _field_follows(text: str, line_end: int) -> bool:
    following = text[line_end + 1 : line_end + 2 + _FIELD_CHARS]
    return is_field(following.split("\n", 1)[0])


def _stands_alone(line: str) -> bool:
    return bool(_HEADING.match(line) or _ROW.match(line) or _RULE.match(line))


def _opens_item(line: str, before: str, *, after_item: bool) -> bool:
    """Whether the line begins a list item, rather than going on with a wrapped sentence."""
    if not _ITEM.match(line):
        return False
    numbered = _NUMBERED.match(line)
    if not before or after_item:
        return True
    last_line = before[before.rfind("\n") + 1 :].rstrip()
    if numbered is None:
        return not _DOT.match(line) or last_line.endswith(_ENDS_CLAUSE)
    return last_line.endswith(_ENDS_CLAUSE) or (
        len(last_line) < _LINE_ITEM_CHARS and numbered["label"] in ("1", "a", "A", "i")
    )
