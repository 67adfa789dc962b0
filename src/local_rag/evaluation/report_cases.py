"""The cases of a report that something is wrong with: what was asked, said, found and cited."""

from __future__ import annotations

import re
from base64 import b64encode
from dataclasses import dataclass, field
from html import escape
from typing import TYPE_CHECKING

from local_rag.cite.render import answer_html
from local_rag.evaluation.report_words import faults
from local_rag.export.escaped import escaped_line, fit

if TYPE_CHECKING:
    from collections.abc import Callable

    from local_rag.evaluation.results import CaseResult, CitedPassage, FoundPassage, VariantResult

MOST_PAGES = 24
"""Pages that a report shows; each once."""
LARGEST_PAGE_BYTES = 1_500_000
LARGEST_PAGES_BYTES = 12_000_000
_PAGES_OF_A_CASE = 2
_FOUND_SHOWN = 10
_LONGEST_TEXT_CHARS = 4000
_PNG = b"\x89PNG\r\n\x1a\n"


@dataclass
class Pictures:
    """The pages that a report shows, drawn when first asked for, within its bounds.

    Attributes:
        draw: PNG bytes of a document's page, number from 1; ``None``: pages are not shown.
        left_out: pages that did not fit or could not be drawn.
    """

    draw: Callable[[str, int], bytes] | None
    left_out: int = 0
    _anchors: dict[tuple[str, int], str | None] = field(default_factory=dict)
    _shown: int = 0
    _bytes: int = 0

    def shown(self, document_id: str, page: int, name: str) -> str:
        """The page as a figure the first time, as a link later, or nothing."""
        if self.draw is None:
            return ""
        key = document_id, page
        words = f"{escaped_line(name)}, page {page}"
        if key in self._anchors:
            anchor = self._anchors[key]
            if anchor is None:
                return ""
            return f'<p class="note"><a href="#{anchor}"><bdi>{words}</bdi> is shown above</a></p>'
        png = self._drawn(document_id, page)
        self._anchors[key] = None if png is None else f"page-{self._shown}"
        if png is None:
            self.left_out += 1
            return ""
        return (
            f'<figure id="page-{self._shown}"><figcaption><bdi>{words}</bdi></figcaption>'
            f'<div class="sheet"><img alt="{words}" loading="lazy" '
            f'src="data:image/png;base64,{b64encode(png).decode("ascii")}"></div></figure>'
        )

    def _drawn(self, document_id: str, page: int) -> bytes | None:
        if self.draw is None or self._shown >= MOST_PAGES:
            return None
        try:
            png = self.draw(document_id, page)
        except Exception:  # noqa: BLE001  a report without a picture is still a report
            return None
        fits = len(png) <= min(LARGEST_PAGE_BYTES, LARGEST_PAGES_BYTES - self._bytes)
        if not fits or not png.startswith(_PNG):
            return None
        self._shown += 1
        self._bytes += len(png)
        return png


def faulty(variant: VariantResult) -> list[CaseResult]:
    """The cases that something is wrong with, in order."""
    return [result for result in variant.results if faults(result)]


def case_html(result: CaseResult, anchor: str, pictures: Pictures) -> str:
    """One case, whole."""
    about = [result.case_id, result.question_type, result.split]
    about.append("answerable" if result.answerable else "not answerable")
    said = "\n".join(f"<li>{escaped_line(fault)}</li>" for fault in faults(result))
    reference = result.reference_answer or (
        "" if result.answerable else "None: the documents do not hold it."
    )
    parts = [
        f'<article class="case" id="{anchor}">',
        f'<h4 dir="auto">{escaped_line(result.question)}</h4>',
        f'<p class="about">{", ".join(f"<bdi>{escaped_line(x)}</bdi>" for x in about if x)}</p>',
        f'<ul class="faults missed">\n{said}\n</ul>',
        "<h5>Reference answer</h5>",
        _text(reference) if reference.strip() else '<p class="note">There is none.</p>',
        "<h5>Answer given</h5>",
        _answer(result, anchor),
        _citations(result, anchor),
        _found(result),
        *_pages(result, pictures),
        "</article>",
    ]
    return "\n".join(part for part in parts if part)


def _answer(result: CaseResult, anchor: str) -> str:
    if result.failure or not result.answer.strip():
        return f'<p class="note">There is none. {escaped_line(result.failure)}</p>'
    shown = answer_html(fit(_cut(result.answer)), len(result.cited))
    # The text is escaped: only the links of this function's own making have this form.
    shown = shown.replace('href="#citation-', f'href="#{anchor}-s')
    notes = [f"Written by {result.writer}."] if result.writer else []
    notes += ["It counts as refused."] if result.refused else []
    notes += [f"Without support: {part}" for part in result.unsupported_parts]
    noted = "".join(f'<p class="note" dir="auto">{escaped_line(note)}</p>' for note in notes)
    return f'<div class="answer" dir="auto">{shown}</div>{noted}'


def _citations(result: CaseResult, anchor: str) -> str:
    if not result.cited:
        return ""
    items = "\n".join(
        f'<li id="{anchor}-s{one.number}"><p class="place">[{one.number}] '
        f"{_place(one)}</p><blockquote>{_marked(one)}</blockquote></li>"
        for one in result.cited
    )
    return f"<h5>Cited</h5>\n<ol>\n{items}\n</ol>"


def _found(result: CaseResult) -> str:
    if not result.found:
        return '<h5>Found</h5>\n<p class="note">Nothing.</p>'
    items = "\n".join(
        f'<li><p class="place">{one.rank}. {_place(one)} – {_proves(one)}</p>{_text(one.text)}</li>'
        for one in result.found[:_FOUND_SHOWN]
    )
    proving = sum(bool(one.groups) for one in result.found)
    more = len(result.found) - _FOUND_SHOWN
    left = f'\n<p class="note">{more} more are not shown.</p>' if more > 0 else ""
    return (
        f"<details><summary>Found: {_counted(len(result.found), 'passage')}, "
        f"{proving} of them expected</summary>\n<ol>\n{items}\n</ol>{left}</details>"
    )


def _proves(one: FoundPassage) -> str:
    if not one.groups:
        return "proves nothing that is expected"
    groups = ", ".join(escaped_line(group) for group in one.groups)
    return f"<strong>proves group <bdi>{groups}</bdi></strong>"


def _pages(result: CaseResult, pictures: Pictures) -> list[str]:
    places: list[FoundPassage | CitedPassage] = [*result.cited]
    places += [one for one in result.found if one.groups]
    places += result.found[:1]
    pages = {(one.document_id, one.page): one.source for one in places if one.page is not None}
    return [
        pictures.shown(document_id, page, source)
        for (document_id, page), source in list(pages.items())[:_PAGES_OF_A_CASE]
        if page is not None
    ]


def _place(one: FoundPassage | CitedPassage) -> str:
    page = "" if one.page is None else f", page {one.page}"
    return f"<bdi>{escaped_line(one.source)}</bdi>{page}"


def _marked(one: CitedPassage) -> str:
    """The passage with the quote marked; the quote on its own where it is not in the passage."""
    text, quote = fit(one.text), fit(one.quote)
    words = [re.escape(word) for word in quote.split()]
    match = re.search(r"\s+".join(words), text) if words else None
    if match is None:
        alone = f"<mark>{escape(_cut(quote))}</mark>\n" if words else ""
        return f'<div class="passage" dir="auto">{alone}{escape(_cut(text))}</div>'
    start, end = match.span()
    before, after = text[:start][-_LONGEST_TEXT_CHARS:], text[end:][:_LONGEST_TEXT_CHARS]
    return (
        f'<div class="passage" dir="auto">{escape(before)}<mark>{escape(text[start:end])}</mark>'
        f"{escape(after)}</div>"
    )


def _text(text: str) -> str:
    return f'<div class="passage" dir="auto">{escape(fit(_cut(text)))}</div>'


def _cut(text: str) -> str:
    return text if len(text) <= _LONGEST_TEXT_CHARS else text[:_LONGEST_TEXT_CHARS] + " …"


def _counted(count: int, noun: str) -> str:
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"
