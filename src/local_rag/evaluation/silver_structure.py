"""Facts that stand in the form of a document: cells of tables, named values, numbered steps."""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING

from local_rag.evaluation.silver_facts import Fact, Piece, joined, piece_of, section_at
from local_rag.evaluation.silver_words import telling, words_of
from local_rag.text.calendar import dates_in
from local_rag.text.quantities import quantities_in
from local_rag.text.sentences import sentences

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from local_rag.model.document import Extraction, Page, Table

_RULE = re.compile(r"[\s|:-]+")
_NO_VALUE = re.compile(r"(?:-|–|—|n/?a|none|keine?|\?|tbd|unknown|unbekannt)?", re.IGNORECASE)
_LONGEST_LABEL_CHARS, _LONGEST_CELL_CHARS = 60, 60
_LEAST_ROWS, _LEAST_NAMED = 2, 0.8
_BROKEN = re.compile(r"<br>|\\\\")
_MATHS = re.compile(r"[=→∈∘◦∀∃≤≥×^{}⊂∪∩∞∑∏√±<>\\]|:=|\. \.")
_FEW_DIGITS = 4
_NUMBERING = re.compile(r"^(?:\d+(?:\.\d+)*\.?|[IVX]+\.)\s+")
_NAMED = re.compile(
    r"^[ \t]*(?:[-*•][ \t]+)?(?P<label>[^\W\d_][^:|\n.]{1,38}?)"
    r"[ \t]*:[ \t]+(?P<value>\S[^\n|]*?)[ \t]*$",
    re.MULTILINE,
)
_NO_LABELS = """
    note notes example examples warning caution tip important figure table source sources see
    keywords abstract http https hinweis achtung beispiel wichtig abbildung tabelle quelle siehe
    merke tipp re subject betreff definition theorem lemma proof satz beweis
    """
_NO_LABEL = frozenset(_NO_LABELS.split())
_STEP = re.compile(r"^[ \t]*(\d{1,2})[.)][ \t]+(\S.*)$", re.MULTILINE)
_LEAST_STEPS, _MOST_STEPS = 3, 8
_UNFIT = re.compile(r"\*\*|__|`|<br>|\\\\|\|")
_NO_LIST = re.compile(
    r"references|bibliography|contents|literatur|inhalt|verzeichnis|footnotes|fußnoten|sources"
    r"|example|beispiel|theorem|satz|lemma|definition|proof|beweis",
    re.IGNORECASE,
)

_CELL_QUESTION = {
    "en": "In {about}, what is {column} for the {head} {row}?",
    "de": "Was steht in {about} unter {column} für {row} ({head})?",
}
_NAMED_QUESTION = {
    "en": "What is given as the {label} in {about}?",
    "de": "Was ist in {about} als {label} angegeben?",
}
_STEPS_QUESTION = {
    "en": "Which numbered points stand under {about}, in order?",
    "de": "Welche nummerierten Punkte stehen der Reihe nach unter {about}?",
}


def structure_facts(extraction: Extraction, language: str, name: str) -> Iterator[Fact]:
    """All of them, in document order; whether they are unique is for the caller to see.

    Args:
        name: of the file, for what no heading names.
    """
    pages = {page.page_number: page for page in extraction.pages}
    headings = heading_counts(extraction)
    names = _row_names(extraction)
    for table in extraction.tables:
        page = pages.get(table.page_number)
        if page is not None:
            about = _table_place(extraction, table, page, headings)
            yield from _cells(table, page, language, about or name, names)
    for page in extraction.pages:
        filled = [(t.start, t.end) for t in extraction.tables if t.page_number == page.page_number]
        yield from _named_values(extraction, page, language, filled, headings)
        yield from _steps(extraction, page, language, headings)


def _row_names(extraction: Extraction) -> Counter[tuple[str, str]]:
    """How often a cell stands in the tables of one header: long ones go on over pages."""
    texts = {page.page_number: page.text for page in extraction.pages}
    return Counter(
        (table.header, cell.casefold())
        for table in extraction.tables
        for line in texts.get(table.page_number, "")[table.start : table.end].split("\n")
        for cell in set(_split(line))
    )


def _cells(
    table: Table,
    page: Page,
    language: str,
    about: str,
    names: Counter[tuple[str, str]],
) -> Iterator[Fact]:
    lines = [line for line in table.header.split("\n") if not _RULE.fullmatch(line)]
    if len(lines) != 1:
        return
    columns = _split(lines[0])
    rows = [
        (_split(line), line)
        for line in page.text[table.start : table.end].split("\n")
        if not _RULE.fullmatch(line) and line not in table.header
    ]
    if len(columns) < 2 or len(set(columns)) < len(columns) or len(rows) < _LEAST_ROWS:
        return
    key = _key([cells for cells, _ in rows if len(cells) == len(columns)], columns)
    if key is None:
        return
    for number, (cells, line) in enumerate(rows):
        if len(cells) != len(columns) or not _is_label(cells[key]) or _BROKEN.search(line):
            continue
        if names[table.header, cells[key].casefold()] > 1:
            continue
        words = line.strip().strip("|").strip()
        piece = piece_of(page.page_number, page.text, table.start, table.end, words)
        askable = [
            (column, cell)
            for i, (column, cell) in enumerate(zip(columns, cells, strict=True))
            if i != key and _is_label(column) and _is_value(cell) and cells.count(cell) == 1
        ]
        counted = [pair for pair in askable if any(map(str.isdigit, pair[1]))]
        if piece is None or not askable:
            continue
        column, cell = (counted or askable)[number % len(counted or askable)]
        question = _CELL_QUESTION[language].format(
            row=_quoted(cells[key], language),
            column=_quoted(column, language),
            head=columns[key],
            about=_quoted(about, language),
        )
        reference = f"{cells[key]}, {column}: {cell}"
        yield Fact("table", question, cells[key], (cell,), reference, (piece,))


def _table_place(extraction: Extraction, table: Table, page: Page, headings: dict[str, int]) -> str:
    """The heading above; on a sheet of paper, where tables float, the document's title."""
    if page.width_pt > 0:
        title = joined(extraction.title or "")
        return title if _says_enough(title) else ""
    return heading_above(extraction, table.page_number, table.start, headings)


def _key(rows: Sequence[Sequence[str]], columns: Sequence[str]) -> int | None:
    """The first column that says what a row is about: names, nearly none twice."""
    for i, head in enumerate(columns):
        named = {cells[i].casefold() for cells in rows if _is_label(cells[i])}
        if _is_label(head) and rows and len(named) >= _LEAST_NAMED * len(rows):
            return i
    return None


def _named_values(
    extraction: Extraction,
    page: Page,
    language: str,
    filled: Sequence[tuple[int, int]],
    headings: dict[str, int],
) -> Iterator[Fact]:
    for match in _NAMED.finditer(page.text):
        label, value = joined(match["label"]), joined(match["value"]).rstrip(".")
        if any(start <= match.start() < end for start, end in filled):
            continue
        if label.casefold().split()[0] in _NO_LABEL or not _is_label(label):
            continue
        if len(words_of(label)) > 4 or _UNFIT.search(match.group()) or ":" in value:
            continue
        if not _is_value(value) or len(value.split()) > 8 or _MATHS.search(label + value):
            continue
        if not _is_plain_fact(value, language) or not label[0].isupper():
            continue
        about = heading_above(extraction, page.page_number, match.start(), headings)
        words = joined(page.text[match.start("label") : match.end("value")]).rstrip(".")
        piece = piece_of(page.page_number, page.text, match.start(), match.end(), words)
        if not about or piece is None:
            continue
        question = _NAMED_QUESTION[language].format(
            label=_quoted(label, language), about=_quoted(about, language)
        )
        yield Fact("named value", question, label, (value,), f"{label}: {value}", (piece,))


def _steps(
    extraction: Extraction, page: Page, language: str, headings: dict[str, int]
) -> Iterator[Fact]:
    lists: list[list[re.Match[str]]] = []
    for match in _STEP.finditer(page.text):
        if int(match[1]) == 1:
            lists.append([match])
        elif lists and int(match[1]) == len(lists[-1]) + 1:
            lists[-1].append(match)
        else:
            lists.append([])  # a list that does not begin at 1 is none of ours
    counted: dict[str, int] = {}
    found = []
    for items in lists:
        section = items and section_at(extraction.sections, page.page_number, items[0].start())
        if not items or not section:
            continue
        counted[section.section_id] = counted.get(section.section_id, 0) + 1
        if _LEAST_STEPS <= len(items) <= _MOST_STEPS:
            found.append((section, items))
    for section, items in found:
        title = section.title
        if counted[section.section_id] > 1 or not _is_heading(title, headings):
            continue
        if _NO_LIST.search(title):
            continue
        pieces = [_step(page, item, language) for item in items]
        kept = [piece for piece in pieces if piece is not None]
        if len(kept) < len(items):
            continue
        question = _STEPS_QUESTION[language].format(
            about=_quoted(_NUMBERING.sub("", title), language)
        )
        answers = tuple(piece.words for piece in kept)
        yield Fact("steps", question, title, answers, ". ".join(answers) + ".", tuple(kept))


def _step(page: Page, item: re.Match[str], language: str) -> Piece | None:
    """The first sentence of an item; nothing where it is none, or has markup or formulas in it."""
    start, end = sentences(item[2], language)[0]
    words = joined(item[2][start:end])
    if _UNFIT.search(words) or _MATHS.search(words) or not words[0].isupper():
        return None
    if words[-1] not in ".;,!" and end < len(item[2].rstrip()):
        return None
    words = words.rstrip(".;,!")
    if not 2 <= len(words.split()) <= 25 or words[-1] in ":(":
        return None
    return piece_of(page.page_number, page.text, item.start(2), item.end(2), words)


def heading_counts(extraction: Extraction) -> dict[str, int]:
    """How often each heading stands in the document, case folded."""
    counts: dict[str, int] = {}
    for section in extraction.sections:
        title = joined(section.title).casefold()
        counts[title] = counts.get(title, 0) + 1
    return counts


def heading_above(
    extraction: Extraction, page_number: int, offset: int, headings: dict[str, int]
) -> str:
    """The nearest heading above that says enough, else the document's title."""
    section = section_at(extraction.sections, page_number, offset)
    path: tuple[str, ...] = section.path if section else ()
    for title in reversed(path):
        if _is_heading(title, headings):
            return _NUMBERING.sub("", joined(title))
    title = joined(extraction.title or "")
    return title if _says_enough(title) else ""


def _is_heading(title: str, headings: dict[str, int]) -> bool:
    return headings.get(joined(title).casefold(), 0) <= 1 and _says_enough(title)


def _says_enough(title: str) -> bool:
    return (
        bool(title)
        and len(title) <= _LONGEST_LABEL_CHARS + 20
        and len(telling(title, "und")) >= 2
        and not _UNFIT.search(title)
        and ":" not in title[-1:]
    )


def _is_label(text: str) -> bool:
    return (
        len(text) <= _LONGEST_LABEL_CHARS
        and bool(re.search(r"[^\W\d_]{3}", text))
        and not re.search(r"[\"“”„«»\[\]{}=<>]|\.\s", text)
        and not re.match(r"[^\w“'(]|\d|\(\d", text)
        and not re.search(r"\.\.|[$#%]\d", text)
    )


def _is_value(text: str) -> bool:
    return (
        len(text) <= _LONGEST_CELL_CHARS
        and not _NO_VALUE.fullmatch(text)
        and bool(re.search(r"[^\W_]{2}|\d", text))
        and ".." not in text
        and text.casefold() not in ("yes", "no", "ja", "nein", "x", "true", "false")
    )


def _is_plain_fact(value: str, language: str) -> bool:
    """Whether it holds a date, a number with a unit, or a number of several digits."""
    found = quantities_in(value, language)
    if any(date.start == 0 for date in dates_in(value)):
        return True
    if not re.match(r"[+(]?\d|[$€£¥]|[A-Z]{1,4}[- ]?\d", value):
        return False
    return any(q.unit for q in found) or sum(map(str.isdigit, value)) >= _FEW_DIGITS


def _split(row: str) -> list[str]:
    return [joined(cell).strip("`*_ ") for cell in row.strip().strip("|").split("|")]


def _quoted(text: str, language: str) -> str:
    return f"„{text}“" if language == "de" else f"“{text}”"
