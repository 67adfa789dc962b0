"""A conversation as one HTML file that holds everything it shows and runs nothing."""

from __future__ import annotations

import re
from base64 import b64encode
from html import escape
from typing import TYPE_CHECKING

from local_rag.cite.render import answer_html, passage_html
from local_rag.export.escaped import escaped_line, fit
from local_rag.export.style import STYLE
from local_rag.export.wording import (
    GONE,
    circumstances,
    page_words,
    remarks,
    section_words,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from local_rag.export.sheets import Sheet
    from local_rag.export.wording import Record
    from local_rag.model.answer import Citation
    from local_rag.model.conversation import Turn

POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:"
_LINK = re.compile(r'<a class="citation" href="#citation-(\d+)">')


def html(record: Record, sheets: Sequence[Sheet] = (), left_out: int = 0) -> str:
    """The whole file.

    Args:
        sheets: pages to be shown.
        left_out: how many cited pages are not among them.
    """
    title = escaped_line(record.title)
    places = {(s.document_id, s.page_number): f"page-{i}" for i, s in enumerate(sheets, 1)}
    turns = "\n".join(_turn(turn, record, places) for turn in record.turns)
    pages = _pages(sheets, left_out) if sheets else ""
    return f"""<!doctype html>
<html>
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{POLICY}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>{title}</title>
<style>{STYLE}</style>
</head>
<body>
<main>
<h1 dir="auto">{title}</h1>
{turns}
{pages}</main>
</body>
</html>
"""


def _turn(turn: Turn, record: Record, places: dict[tuple[str, int], str]) -> str:
    number, answer = turn.number, turn.answer
    heading = (
        f'<h2 dir="auto">{number}. {escaped_line(turn.question)}</h2>\n' if record.is_whole else ""
    )
    about = [escaped_line(circumstances(turn))]
    if turn.understood_as:
        about.append(f"Searched for: <bdi>{escaped_line(turn.understood_as)}</bdi>")
    notes = "".join(
        f'<p class="note" dir="auto">{escaped_line(said)}</p>\n' for said in remarks(turn)
    )
    sources = "\n".join(_source(number, one, record, places) for one in answer.citations)
    return (
        f'<article id="t{number}">\n{heading}'
        f'<p class="about">{"<br>".join(about)}</p>\n'
        f'<div class="answer" dir="auto">{_answer(turn)}</div>\n{notes}'
        + (f"<h3>Sources</h3>\n<ol>\n{sources}\n</ol>\n" if sources else "")
        + "</article>"
    )


def _answer(turn: Turn) -> str:
    """The answer, its markers as links to this turn's sources; the first of each can be led to."""
    seen: set[str] = set()

    def link(match: re.Match[str]) -> str:
        number = match.group(1)
        back = "" if number in seen else f' id="t{turn.number}-r{number}"'
        seen.add(number)
        return f'<a class="citation"{back} href="#t{turn.number}-c{number}">'

    shown = answer_html(fit(turn.answer.text), len(turn.answer.citations))
    return _LINK.sub(link, shown)  # text is escaped: only our own links have this form


def _source(
    turn: int, citation: Citation, record: Record, places: dict[tuple[str, int], str]
) -> str:
    number, document = citation.number, citation.document
    said = [
        f"<bdi>{escaped_line(document.name)}</bdi>",
        f"<bdi>{escaped_line(page_words(citation))}</bdi>",
    ]
    if section := section_words(citation):
        said.append(f"<bdi>{escaped_line(section)}</bdi>")
    if document.document_id in record.gone:
        said.append(f"<em>{GONE}</em>")
    if page := places.get((document.document_id, citation.chunk.page_number)):
        said.append(f'<a href="#{page}">see the page</a>')
    lead = citation.chunk.lead
    passage = f'<div class="passage lead">{escape(fit(lead))}</div>' if lead else ""
    passage += passage_html(fit(citation.chunk.text), citation.spans)
    return (
        f'<li id="t{turn}-c{number}"><p class="place">'
        f'<a href="#t{turn}-r{number}" title="back to the answer">[{number}]</a> '
        f'{", ".join(said)}</p><blockquote dir="auto">{passage}</blockquote></li>'
    )


def _pages(sheets: Sequence[Sheet], left_out: int) -> str:
    figures = "\n".join(_figure(f"page-{i}", sheet) for i, sheet in enumerate(sheets, 1))
    said = (
        f'<p class="note">{len(sheets)} of {len(sheets) + left_out} cited pages are shown.</p>\n'
        if left_out
        else ""
    )
    return f'<section class="pages">\n<h2>Pages</h2>\n{said}{figures}\n</section>\n'


def _figure(anchor: str, sheet: Sheet) -> str:
    cited = ", ".join(f'<a href="#t{t}-c{n}">[{n}]</a> of question {t}' for t, n in sheet.cited_by)
    name = f"{escaped_line(sheet.name)}, {escaped_line(sheet.words)}"
    caption = f"<figcaption><bdi>{name}</bdi>: cited as {cited}</figcaption>"
    if sheet.png is None:
        drawn = f'<p class="note">This page is not shown. {escaped_line(sheet.reason)}</p>'
        return f'<figure id="{anchor}">{caption}{drawn}</figure>'
    boxes = "".join(
        f'<rect x="{box.x0:.2f}" y="{box.y0:.2f}" width="{max(0.0, box.x1 - box.x0):.2f}" '
        f'height="{max(0.0, box.y1 - box.y0):.2f}"/>'
        for box in sheet.rectangles
    )
    return (
        f'<figure id="{anchor}">{caption}<div class="sheet">'
        f'<img alt="{name}" src="data:image/png;base64,{b64encode(sheet.png).decode("ascii")}">'
        f'<svg viewBox="0 0 {sheet.width_pt:.2f} {sheet.height_pt:.2f}" '
        f'preserveAspectRatio="none" aria-hidden="true">{boxes}</svg></div></figure>'
    )
