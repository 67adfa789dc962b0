"""The sentences of the evidence, each with what is needed to judge it."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal

from local_rag.text.blocks import is_field, is_item
from local_rag.text.language import UNDETERMINED, detect
from local_rag.text.sentences import sentences
from local_rag.text.tokens import tokenize

if TYPE_CHECKING:
    from collections.abc import Sequence

    from local_rag.model.evidence import Evidence

UnitKind = Literal["prose", "field", "item", "heading", "row", "code", "caption", "noise"]

_MARKERS = re.compile(r"^(?:>\s*|#{1,6}\s+|[-*+•▪◦‣●■–—·]\s+|[•▪◦‣●■·](?=\S)|\(?\d{1,3}[.)]\s+)+")
_FENCED = re.compile(r"(?:```|~~~)[\w+-]*[ \t]*\n(.*?)(?:\n[ \t]*(?:```|~~~)|$)", re.DOTALL)
_RULE_OF_TABLE = re.compile(r"\s*\|?(?:\s*:?-{3,}:?\s*\|)+(?:\s*:?-{3,}:?)?\s*")
_BAR = re.compile(r"\s*(?<!\\)\|\s*(?:\|\s*)*")
_EMPHASIS = re.compile(r"(\*\*|__)(?=\S)(.{1,400}?)(?<=\S)\1")
_LEADERS = re.compile(r"(?:\.\s?){4,}|…{2,}")
_PAGE_NUMBER = re.compile(r"\s\d{1,3}$")
_REFERENCE = re.compile(
    r"^\[\d+\]|\b(?:arXiv|doi|ISBN|et al\.,? \(?\d{4}|pp?\. ?\d+[-–]\d+)|https?://\S+$|"
    r"^[A-Z]\w+, [A-Z]\.(?: ?[A-Z]\.)*,"
)
_FINAL = re.compile(r"[.!?。！？؟۔…:：;][\"'”’»)\]】」』*_]*(?:\s?\[[^\]\n]{1,40}\])*$")
_HEADING_CHARS = 90
_HEADING_CHARS_WIDE = 25  # for scripts without spaces
_SHORT_CODE_CHARS = 300
_CAPTION = re.compile(
    r"(?:fig(?:ure|\.)?|table|abb(?:ildung|\.)?|tab(?:elle|leau|la|ella|\.)|figur[ae]|图|表)\s*\d+[\w.-]*\s?[:：.|]",
    re.IGNORECASE,
)
_REFERENCE_MARK = re.compile(r"(?<=[.,;:!?)”\"])(?:\[\d{1,3}(?:[-–,;]\s?\d{1,3})*\])+(?=\s|$)")
_PART_OF = re.compile(
    r"(?:chapter|part|section|appendix|annex|step|kapitel|teil|abschnitt|anhang|schritt|chapitre|partie"
    r"|annexe|étape|capítulo|parte|sección|seção|anexo|capitolo|sezione)\b|第",
    re.IGNORECASE,
)
_SENTENCE_WORDS = 4
_TITLE_LINE = re.compile(
    r"\(?\d{1,2}(?:\.\d{1,2}){0,3}[.)]?[ \t]+([^\W\d_a-zß-ÿ][^\n.!?:;,]{0,40}?)[ \t]*\n[ \t]*"
    r"(?=[^\W\d_a-zß-ÿ][^\n]*\s[^\n]*\s[^\n]*)"
)
_TITLE_WORDS = 5


@dataclass(frozen=True, slots=True)
class Unit:
    """A sentence of a passage: ``evidence.chunk.text[start:end]``.

    Attributes:
        evidence_index: which passage, 0 is the best.
        place: position among the units of its passage.
        text: as it is shown, see :func:`display`.
        cut: whether the passage begins or ends in the middle of it.
    """

    evidence_index: int
    place: int
    start: int
    end: int
    text: str
    kind: UnitKind
    tokens: tuple[str, ...]
    cut: bool


def display(raw: str) -> str:
    """A stretch of a passage as a claim shows it: one line, without Markdown's markers."""
    line = " ".join(_FENCED.sub(_inline_code, raw).split())
    ruled = _RULE_OF_TABLE.sub(" ", line)
    if line.startswith("|") or ruled != line:
        line = _BAR.sub("; ", ruled.strip("| ")) or line
    stripped = _REFERENCE_MARK.sub("", _MARKERS.sub("", line))
    return _EMPHASIS.sub(r"\2", stripped or line).strip()


def _inline_code(fenced: re.Match[str]) -> str:
    return f"`{' '.join(fenced.group(1).split())}`"


def units_of(index: int, row: Evidence) -> list[Unit]:
    """The units of one passage, in order."""
    text = row.chunk.text
    language = language_of(row)
    spans, titles = _without_titles(text, _with_code(text, sentences(text, language)), language)
    found: list[Unit] = []
    kind: UnitKind
    for place, (start, end) in enumerate(spans):
        raw = text[start:end]
        shown = display(raw)
        opens_line = start == 0 or "\n" in text[spans[place - 1][1] : start]
        opens_line = opens_line or (is_field(raw) and found[-1].kind == "field")
        kind = "heading" if start in titles else _kind(raw, shown, opens_line=opens_line)
        begins_inside = raw[0].islower() and kind in ("prose", "heading")
        ends_inside = place == len(spans) - 1 and kind == "prose" and not _FINAL.search(raw)
        tokens = tuple(tokenize(raw, language))
        cut = begins_inside or ends_inside
        found.append(Unit(index, place, start, end, shown, kind, tokens, cut))
    lined = [
        replace(unit, kind="heading", cut=False) if unit.start in titles else unit
        for unit in _with_lines(found, text)
    ]
    return _without_headers(_with_titles(lined, row), text)


def _without_titles(
    text: str, spans: list[tuple[int, int]], language: str
) -> tuple[list[tuple[int, int]], set[int]]:
    """Parts a numbered title from the sentence on the line below it, which reads as one list item.

    Returns:
        The spans, and where the titles begin.
    """
    parted: list[tuple[int, int]] = []
    titles: set[int] = set()
    for start, end in spans:
        title = _TITLE_LINE.match(text, start, end)
        words = title[1].split() if title else []
        if title and 0 < len(words) <= _TITLE_WORDS and tokenize(words[-1], language):
            titles.add(start)
            parted += [(start, title.end(1)), (title.end(), end)]
        else:
            parted.append((start, end))
    return parted, titles


def _with_titles(units: Sequence[Unit], row: Evidence) -> list[Unit]:
    """A line that only repeats the document's title or a heading is one: it states nothing."""
    titles = {_folded(title) for title in (row.document.title or "", *row.chunk.heading_path)}
    return [
        replace(unit, kind="heading", cut=False)
        if unit.kind in ("prose", "field", "item") and _folded(unit.text) in titles
        else unit
        for unit in units
    ]


def _folded(line: str) -> str:
    return " ".join(display(line).casefold().split())


def _with_lines(units: Sequence[Unit], text: str) -> list[Unit]:
    """Lines of a form are short and without a full stop as headings are, but follow each other."""

    def is_line(unit: Unit, other: Unit | None) -> bool:
        if other is None or other.kind not in ("heading", "field", "prose"):
            return False
        first, second = sorted((unit, other), key=lambda u: u.start)
        plain = not text.startswith("#", unit.start) and not text.startswith("#", other.start)
        return plain and text[first.end : second.start].strip(" \t\r") == "\n"

    made = []
    for i, unit in enumerate(units):
        before = units[i - 1] if i else None
        after = units[i + 1] if i + 1 < len(units) else None
        if unit.kind == "heading" and (is_line(unit, before) or is_line(unit, after)):
            unit = replace(unit, kind="field", cut=False)
        made.append(unit)
    return made


def _without_headers(units: list[Unit], text: str) -> list[Unit]:
    """The names of a table's columns say nothing without its rows."""
    for i, unit in enumerate(units):
        if unit.kind != "noise" or not text.startswith("|", unit.start):
            continue
        above = i - 1
        while (
            above >= 0
            and units[above].kind == "row"
            and "\n\n" not in (text[units[above].end : units[above + 1].start])
        ):
            units[above] = replace(units[above], kind="noise")
            above -= 1
    return units


def _with_code(text: str, spans: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Joins a short code fence to the line that ends with a colon before it."""
    joined: list[tuple[int, int]] = []
    for start, end in spans:
        fenced = text.startswith(("```", "~~~"), start) and end - start <= _SHORT_CODE_CHARS
        if fenced and joined and text[joined[-1][1] - 1] in ":：":
            joined[-1] = (joined[-1][0], end)
        else:
            joined.append((start, end))
    return joined


def language_of(row: Evidence) -> str:
    """The passage's language: its document's, or what it looks like itself."""
    if row.document.language != UNDETERMINED:
        return row.document.language
    return detect(row.chunk.text)


def distinct(units: Sequence[Unit], evidence: Sequence[Evidence]) -> list[Unit]:
    """The units without those that stand within another one (overlapping passages share text)."""
    kept: list[Unit] = []
    seen: dict[tuple[str, int], list[tuple[int, int]]] = {}
    longest_first = sorted(units, key=lambda u: (u.start - u.end, u.evidence_index, u.place))
    for unit in longest_first:
        chunk = evidence[unit.evidence_index].chunk
        here = (chunk.start + unit.start, chunk.start + unit.end)
        others = seen.setdefault((chunk.document_id, chunk.page_number), [])
        if any(start <= here[0] and here[1] <= end for start, end in others):
            continue
        others.append(here)
        kept.append(unit)
    return sorted(kept, key=lambda u: (u.evidence_index, u.place))


def _kind(raw: str, shown: str, *, opens_line: bool) -> UnitKind:
    if raw.startswith(("```", "~~~")):
        return "code"
    if raw.startswith("|"):
        return "row" if any(char.isalnum() for char in raw) else "noise"
    if raw.startswith("#"):
        return "heading"
    if not any(char.isalnum() for char in shown) or _LEADERS.search(shown):
        return "noise"
    if _CAPTION.match(shown):
        return "caption"
    if opens_line and is_field(raw) and not _PART_OF.match(shown) and not is_item(raw):
        return "field"
    if opens_line and len(shown) <= _HEADING_CHARS and _PAGE_NUMBER.search(shown):
        return "noise"  # a line of a table of contents
    if _REFERENCE.search(shown) and not _reads_on(shown):
        return "noise"
    if is_item(raw):
        return "item"
    wide = shown[0] > "\u2e80"
    short = len(shown) <= (_HEADING_CHARS_WIDE if wide else _HEADING_CHARS)
    return "heading" if opens_line and short and not _FINAL.search(shown) else "prose"


def _reads_on(shown: str) -> bool:
    """Whether most words are small: prose that cites something, not an entry of a bibliography."""
    words = shown.split()
    small = sum(word[0].islower() for word in words)
    return len(words) >= _SENTENCE_WORDS and small * 2 > len(words) and not shown.startswith("[")
