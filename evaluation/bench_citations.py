"""Whether citations stand where the quoted words are, on real PDF files.

    python evaluation/bench_citations.py [--data DIR] [--each 8] [--seed 1] [--only PART_OF_PATH] [--show 10]

DIR (default: $LOCAL_RAG_BENCH_DATA) holds ``pdfs/manifest.json``, a row for each file. Each file is read,
cut into passages and cited as the program does it; the quotes are sentences of passages, and now and then a
few words from the midst of one, drawn by ``--seed``. Three things are measured for each citation:

page     its words are those that MuPDF lists inside the rectangles on that page; the listing is made from
         the page as displayed, not by the program's own reading. Pages that OCR read have no such listing
         and are left out of this figure; as are quotes of fields' values.
covered  the share of the quote's characters that have a place, all of it inside the rectangles.
ink      the share of rectangles in whose pixels, of the picture that the page shows, something is drawn.

Beside them stands how many words that do not belong to the quote lie inside the rectangles.
Exits with 1 where a target is missed.
"""

from __future__ import annotations

import argparse
import io
import json
import os
import random
import re
import sys
import unicodedata
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from local_rag.adapters.pdf.opening import opened
from local_rag.adapters.pdf_reader import read_pdf, render
from local_rag.adapters.splitter import recursive_splitter
from local_rag.cite.number import number_citations
from local_rag.errors import LocalRagError
from local_rag.ingest.chunk import chunk_document
from local_rag.model.answer import Claim, Draft, Support
from local_rag.model.document import Document
from local_rag.model.evidence import Evidence, Fused
from local_rag.text.sentences import sentences

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from local_rag.model.answer import Citation, Rectangle
    from local_rag.model.document import Chunk, Extraction, Page

LEAST_CITATIONS = 200
RIGHT_PAGE_TARGET = 0.98
COVERED_TARGET = 0.98
INK_TARGET = 0.99
DPI = 144
CHUNK_CHARS, OVERLAP_CHARS = 900, 150
PDF = "application/pdf"
_WORDS_FOUND = 0.9
"""Share of a quote's words that make its page the right one: MuPDF's listing and the stored text differ
in ligatures, hyphens at line ends and the order of right-to-left letters."""
_MARGIN_PT = 0.75
_CONTRAST = 40  # grey levels between the darkest and the lightest pixel where something is drawn
_PIECE = re.compile(r"\w+")


@dataclass(slots=True)
class Tally:
    """What was seen of the citations of one kind of page."""

    citations: int = 0
    listed: int = 0
    right: int = 0
    covered: float = 0.0
    whole: int = 0
    rectangles: int = 0
    inked: int = 0
    quoted_words: int = 0
    strange_words: int = 0
    faults: list[str] = field(default_factory=list)

    def add(self, other: Tally) -> None:
        """Counts another one's in."""
        for name in ("citations", "listed", "right", "covered", "whole", "rectangles", "inked", "quoted_words", "strange_words", "faults"):  # fmt: skip
            setattr(self, name, getattr(self, name) + getattr(other, name))


def quotes(chunk: Chunk, draw: random.Random) -> Iterator[tuple[int, int]]:
    """Stretches of a passage that an answer may quote."""
    found = [(a, b) for a, b in sentences(chunk.text) if len(letters(chunk.text[a:b])) >= 10]
    if not found:
        return
    start, end = draw.choice(found)
    if draw.random() < 0.25:
        words = [m.span() for m in re.finditer(r"\S+", chunk.text[start:end])]
        first = draw.randrange(len(words))
        last = min(len(words) - 1, first + draw.randrange(1, 8))
        start, end = start + words[first][0], start + words[last][1]
    yield start, end


def cited(extraction: Extraction, name: str, each: int, draw: random.Random) -> list[Citation]:
    """Citations of some passages, made by the program's own numbering."""
    split = recursive_splitter(CHUNK_CHARS, OVERLAP_CHARS)
    chunks = list(chunk_document("d" * 32, extraction, split))
    document = Document(
        "d" * 32, name, PDF, "e" * 64, 1, len(extraction.pages), len(chunks), None, "2026"
    )
    pages = {page.page_number: page for page in extraction.pages}
    made: list[Citation] = []
    for chunk in draw.sample(chunks, min(each, len(chunks))):
        for start, end in quotes(chunk, draw):
            claim = Claim(chunk.text[start:end], (Support(chunk.chunk_id, start, end),))
            evidence = [Evidence(chunk, document, Fused(chunk.chunk_id, 0.03, 1, 1, 0.5, 1.0))]
            _, citations = number_citations(
                Draft((claim,)), evidence, lambda _id, number: pages[number]
            )
            made += citations
    return made


def letters(text: str) -> str:
    """Letters and digits, NFKC and casefolded."""
    return "".join(_PIECE.findall(unicodedata.normalize("NFKC", text).casefold()))


def inside(box: Sequence[float], rectangles: Sequence[Rectangle]) -> bool:
    """Whether all of the box lies in one of them, but for a hair's breadth."""
    x0, y0, x1, y1 = box
    return any(
        r.x0 - _MARGIN_PT <= x0
        and r.y0 - _MARGIN_PT <= y0
        and x1 <= r.x1 + _MARGIN_PT
        and y1 <= r.y1 + _MARGIN_PT
        for r in rectangles
    )


def covered_share(page: Page, citation: Citation) -> float:
    """Of the quote's letters and digits, those whose box lies inside the rectangles."""
    offset = citation.chunk.start
    wanted = covered = 0
    for span in citation.spans:
        start, end = span.start + offset, span.end + offset
        marked = {i for i in range(start, end) if page.text[i].isalnum()}
        placed: set[int] = set()
        for word in page.words:
            if word.start < end and word.end > start and inside(word[2:], citation.rectangles):
                placed.update(range(word.start, word.end))
        wanted += len(marked)
        covered += len(marked & placed)
    return covered / wanted if wanted else 1.0


def listed_words(page: Any) -> list[tuple[tuple[float, ...], str]]:
    """What MuPDF lists on the page as displayed: box and word."""
    import pymupdf

    text_page = pymupdf.TextPage(page.get_displaylist().get_textpage())
    return [(word[:4], word[4]) for word in text_page.extractWORDS()]


def centre_in(box: Sequence[float], rectangles: Sequence[Rectangle]) -> bool:
    """Whether the middle of the box lies in one of them."""
    x, y = (box[0] + box[2]) / 2, (box[1] + box[3]) / 2
    return any(r.x0 <= x <= r.x1 and r.y0 <= y <= r.y1 for r in rectangles)


def compare_words(
    citation: Citation, listed: list[tuple[tuple[float, ...], str]], tally: Tally
) -> None:
    """Whether the words inside the rectangles are the quote's."""
    marked = [letters(word) for box, word in listed if centre_in(box, citation.rectangles)]
    wanted = Counter(filter(None, (letters(word) for word in citation.quote.split())))
    there = "".join(marked)
    backwards = there[::-1]
    found = sum(count for word, count in wanted.items() if word in there or word[::-1] in backwards)
    quoted = letters(citation.quote)
    tally.listed += 1
    tally.quoted_words += sum(wanted.values())
    tally.strange_words += sum(1 for word in marked if word and word not in quoted)
    if wanted and found >= _WORDS_FOUND * sum(wanted.values()):
        tally.right += 1
    else:
        tally.faults.append(f"page: p. {citation.chunk.page_number} {citation.quote[:90]!r}")


def ink(picture: Any, citation: Citation, tally: Tally) -> None:
    """Counts the rectangles in whose pixels something is drawn."""
    scale_x = picture.width / citation.page_width_pt
    scale_y = picture.height / citation.page_height_pt
    for r in citation.rectangles:
        tally.rectangles += 1
        box = (
            max(0, int(r.x0 * scale_x)),
            max(0, int(r.y0 * scale_y)),
            min(picture.width, int(r.x1 * scale_x) + 1),
            min(picture.height, int(r.y1 * scale_y) + 1),
        )
        low, high = (
            picture.crop(box).getextrema() if box[0] < box[2] and box[1] < box[3] else (0, 0)
        )
        if high - low >= _CONTRAST:
            tally.inked += 1
        else:
            tally.faults.append(
                f"ink: p. {citation.chunk.page_number} {box} {citation.quote[:60]!r}"
            )


def look_at(folder: Path, row: dict[str, Any], each: int, draw: random.Random) -> dict[str, Tally]:
    """The tallies of one file, by the way its pages were read."""
    from PIL import Image

    path, password = folder / row["path"], (row.get("pymupdf") or {}).get("password")
    extraction = read_pdf(path, password=password)
    pages = {page.page_number: page for page in extraction.pages}
    how = {reading.page_number: reading for reading in extraction.readings}
    tallies: dict[str, Tally] = {}
    pictures: dict[int, Any] = {}
    with opened(path, password) as document:
        for citation in cited(extraction, row["path"], each, draw):
            number = citation.chunk.page_number
            reading = how[number]
            turned = " turned" if "rotated" in reading.flags else ""
            tally = tallies.setdefault(f"{reading.path}{turned}", Tally())
            tally.citations += 1
            share = covered_share(pages[number], citation)
            tally.covered += share
            tally.whole += share >= COVERED_TARGET
            if share < COVERED_TARGET:
                tally.faults.append(f"covered {share:.2f}: p. {number} {citation.quote[:90]!r}")
            if number not in pictures:
                png = render(path, PDF, number, DPI, password=password)
                pictures = {number: Image.open(io.BytesIO(png)).convert("L")}
            ink(pictures[number], citation, tally)
            if reading.path in ("plain", "layout"):
                compare_words(citation, listed_words(document[number - 1]), tally)
    return tallies


def shown(name: str, tally: Tally) -> str:
    """A row of the table."""

    def share(part: float, whole: float) -> str:
        return f"{part / whole:7.3f}" if whole else "      –"

    return (
        f"{name:58} {tally.citations:5} {share(tally.right, tally.listed)} "
        f"{share(tally.covered, tally.citations)} {share(tally.whole, tally.citations)} "
        f"{share(tally.inked, tally.rectangles)} {share(tally.strange_words, tally.quoted_words)}"
    )


def main() -> int:
    """Prints the table; returns the process's exit code."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--data", default=os.environ.get("LOCAL_RAG_BENCH_DATA"))
    parser.add_argument("--each", type=int, default=8, help="citations of each file, at most")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", default="", help="files whose path holds this")
    parser.add_argument("--show", type=int, default=10, help="faults to list for each file")
    arguments = parser.parse_args()
    if not arguments.data:
        parser.error("name the folder of the data with --data or LOCAL_RAG_BENCH_DATA")
    folder = Path(arguments.data) / "pdfs"
    rows = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
    rows = rows if isinstance(rows, list) else rows["files"]
    total: dict[str, Tally] = {}
    print(f"{'':58} cited    page covered   whole     ink strange")
    for row in rows:
        if arguments.only not in row["path"]:
            continue
        draw = random.Random(f"{arguments.seed} {row['path']}")
        try:
            tallies = look_at(folder, row, arguments.each, draw)
        except LocalRagError as exc:
            print(f"{row['path']:58} {exc.code}")
            continue
        for kind, tally in tallies.items():
            print(shown(f"{row['path'][:44]} {kind}", tally), flush=True)
            for fault in tally.faults[: arguments.show]:
                print(f"    {fault}")
            total.setdefault(kind, Tally()).add(tally)
    every = Tally()
    print()
    for kind, tally in sorted(total.items()):
        print(shown(kind, tally))
        every.add(tally)
    print(shown("all", every))
    if arguments.only:
        return 0
    missed = [
        name
        for name, is_met in (
            ("citations", every.citations >= LEAST_CITATIONS),
            ("page", every.right >= RIGHT_PAGE_TARGET * every.listed),
            ("whole", every.whole >= COVERED_TARGET * every.citations),
            ("ink", every.inked >= INK_TARGET * every.rectangles),
        )
        if not is_met
    ]
    print("targets missed: " + ", ".join(missed) if missed else "all targets met")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
