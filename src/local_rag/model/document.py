"""What a document is once it has been read: pages of text, sections, chunks.

Offsets count Unicode code points of one page's stored text, half open: ``[start, end)``.
Coordinates are points (1/72 inch) of the page as displayed, rotation applied, origin at the
top left, y growing downwards.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, NamedTuple


class Word(NamedTuple):
    """A run of the page's text and the box it is drawn in.

    A word that was hyphenated over a line end is two entries, one for each box.
    """

    start: int
    end: int
    x0: float
    y0: float
    x1: float
    y1: float


@dataclass(frozen=True, slots=True)
class Page:
    """One page of a document, exactly as it is stored and cited.

    Attributes:
        page_number: position of the sheet, from 1.
        label: the number printed on it ("iv"), or ``None`` where the file names none.
        text: the stored text. Paragraphs are separated by one blank line; the lines of a
            paragraph of a PDF are joined with spaces, those of code are kept. A Markdown or text
            file is kept as it is.
        width_pt, height_pt: size as displayed, in points; 0 for files without pages.
        words: the boxes of the words, ordered by ``start``; empty for files without pages.
    """

    page_number: int
    text: str
    label: str | None = None
    width_pt: float = 0.0
    height_pt: float = 0.0
    words: tuple[Word, ...] = ()


@dataclass(frozen=True, slots=True)
class Section:
    """A headed part of a document, from its heading to the next heading of any level.

    Attributes:
        section_id: position in the tree, such as ``1.2.3``; ``0`` is what stands before the
            first heading.
        title: the heading without markup; empty for section ``0``.
        level: depth in the tree, from 1; 0 for section ``0``.
        path: the titles from the top down to this section's own; empty where it has no heading
            and stands for its pages only.
        page_number: the page on which the section begins.
        start: offset of the section's first character (its heading) in that page's text.
        end_page_number: the page on which its own text ends.
        end: offset in that page's text where its own text ends.
    """

    section_id: str
    title: str
    level: int
    path: tuple[str, ...]
    page_number: int
    start: int
    end_page_number: int
    end: int


class Table(NamedTuple):
    """A table in a page's text: a Markdown table, one row a line.

    Attributes:
        start, end: the slice of the page's text that it fills, first row to last.
        header: the lines that say what its columns are, with the line of dashes; those of an
            earlier page where the table goes on from there. Passages that begin below the header
            carry it as their lead. Empty where the table has none.
    """

    page_number: int
    start: int
    end: int
    header: str


class Diagram(NamedTuple):
    """A flow diagram in a page's text: the words of its boxes, one paragraph each.

    Attributes:
        start, end: the slice of the page's text that it fills.
        steps: its arrows as numbered sentences. Passages that hold any of the slice carry them as
            their lead.
    """

    page_number: int
    start: int
    end: int
    steps: str


PagePath = Literal["text", "plain", "layout", "ocr", "mixed", "failed"]
"""How a page was read: ``text`` from a file whose text is its content; ``plain`` from a PDF's text
layer; ``layout`` with the help of the layout model; ``ocr`` from its picture; ``mixed`` from both;
``failed`` not at all."""

PageFlag = Literal[
    "diagram",
    "failed",
    "garbled",
    "hidden-text",
    "low-coverage",
    "no-text",
    "ocr",
    "rotated",
    "slow",
    "table",
    "unread-picture",
]
"""``slow``: its time budget ran out, and a quicker path read it. ``unread-picture``: a picture that
may hold text was not read."""


@dataclass(frozen=True, slots=True)
class PageReading:
    """How a page was read, and how well.

    Attributes:
        flags: sorted, none twice.
        native_words: visible words of the page's own text layer.
        words: words of the stored text.
        coverage: share of the native words that the stored text holds, 0 to 1; ``None`` where
            the page has none.
        ocr_confidence: mean of its lines, 0 to 1; ``None`` where no line was recognised.
    """

    page_number: int
    path: PagePath
    flags: tuple[PageFlag, ...] = ()
    native_words: int = 0
    words: int = 0
    coverage: float | None = None
    ocr_confidence: float | None = None


@dataclass(frozen=True, slots=True)
class Extraction:
    """What a reader found in a file.

    Attributes:
        sections: cover all the text, in document order.
        tables: in document order; they do not overlap.
        readings: one for each page, in order.
        diagrams: in document order; they overlap neither each other nor tables.
    """

    pages: tuple[Page, ...]
    sections: tuple[Section, ...]
    title: str | None = None
    tables: tuple[Table, ...] = ()
    readings: tuple[PageReading, ...] = ()
    diagrams: tuple[Diagram, ...] = ()


@dataclass(frozen=True, slots=True)
class Chunk:
    """A passage: an exact slice of one page's stored text, the unit of retrieval and citation.

    Attributes:
        chunk_id: 32 lower hex digits derived from the document, the place and the text.
        ordinal: position among the document's chunks, from 0.
        start, end: the slice of the page's text; ``page.text[start:end] == text``.
        heading_path: titles of the sections around the passage, outermost first.
        lead: text from elsewhere that the passage cannot be understood without: the header of
            the table that it is a part of, the steps of the diagrams in it. For the index, the
            model and the reader; never cited.
    """

    chunk_id: str
    document_id: str
    ordinal: int
    page_number: int
    start: int
    end: int
    text: str
    section_id: str
    heading_path: tuple[str, ...]
    lead: str = ""

    @property
    def read_text(self) -> str:
        """What a writer reads: the lead and the passage."""
        return f"{self.lead}\n{self.text}" if self.lead else self.text

    def indexed_text(self, title: str | None) -> str:
        """What is embedded and searched: title and headings that the passage does not hold, then
        lead and passage.

        Args:
            title: the document's.
        """
        headings = dict.fromkeys([*([title] if title else []), *self.heading_path])
        above = [heading for heading in headings if heading not in self.text]
        return "\n".join([*above, self.read_text])


@dataclass(frozen=True, slots=True)
class Document:
    """A searchable document of the library.

    Attributes:
        document_id: 32 lower hex digits derived from the bytes and the name.
        name: the file's name, NFC, without any folder.
        media_type: such as ``application/pdf``.
        source_sha256: digest of the bytes, lower hex.
        title: the title that the file itself gives, or ``None``.
        added_at: UTC, ISO 8601 with microseconds.
        language: ISO 639-1 code of most of its text, ``und`` where it is not clear.
    """

    document_id: str
    name: str
    media_type: str
    source_sha256: str
    size_bytes: int
    page_count: int
    chunk_count: int
    title: str | None
    added_at: str
    language: str = "und"
