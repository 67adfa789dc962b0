"""What a writer drafts and what a reader gets."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from local_rag.model.audit import Audit, AuditMode, ClaimFlag
    from local_rag.model.document import Chunk, Document
    from local_rag.model.evidence import Fused, Ledger

REFUSAL = "I could not find an answer to this in your documents."
"""The whole answer when no passage supports one. Prompt, code and tests share this constant."""

NO_DOCUMENTS = "There are no documents to search yet. Add one, then ask again."
"""The whole answer when the library is empty."""

NO_SELECTION = "No documents are selected. Select at least one, or ask all of them."
"""The whole answer when the question is put to an empty selection."""


@dataclass(frozen=True, slots=True)
class Support:
    """A stretch of a passage that a claim rests on: ``chunk.text[start:end]``."""

    chunk_id: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Claim:
    """One statement of an answer and the stretches of passages that support it, at least one.

    Attributes:
        part: which part of the question it answers, from 0.
    """

    text: str
    supports: tuple[Support, ...]
    part: int = 0


@dataclass(frozen=True, slots=True)
class Draft:
    """What a writer makes of the evidence, before code numbers the citations.

    No claims means that the writer found no answer.

    Attributes:
        style: how the claims are laid out: running text, a list, or numbered steps.
        unsupported_parts: parts of the question, in its own words, that nothing supports.
        writer: what really wrote the claims, where that is not the writer that was asked.
        notes: what the reader should know of the answer as a whole, such as how far the search
            reached or how the claims came about; plain sentences without a citation.
    """

    claims: tuple[Claim, ...]
    style: Literal["paragraph", "bullets", "steps"] = "paragraph"
    unsupported_parts: tuple[str, ...] = ()
    writer: str = ""
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Span:
    """A half-open range of characters of a citation's ``text``."""

    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Rectangle:
    """A box on the page as displayed, in points, origin at the top left."""

    x0: float
    y0: float
    x1: float
    y1: float


@dataclass(frozen=True, slots=True)
class Citation:
    """A numbered passage of an answer.

    Attributes:
        number: what ``[1]`` in the answer refers to; numbers run from 1 without a gap, and no
            two citations of an answer name the same passage.
        quote: the cited words; the stretches named by ``spans`` joined with " … ".
        spans: where the quote stands in ``chunk.text``, in order, not overlapping.
        rectangles: the boxes of the quoted lines on page ``chunk.page_number``; empty for
            files without pages.
        page_width_pt, page_height_pt: size of that page, 0 for files without pages.
    """

    number: int
    chunk: Chunk
    document: Document
    fused: Fused
    quote: str
    spans: tuple[Span, ...]
    rectangles: tuple[Rectangle, ...]
    page_label: str | None
    page_width_pt: float
    page_height_pt: float


@dataclass(frozen=True, slots=True)
class Answer:
    """The reply to a question.

    Attributes:
        text: plain text (light Markdown: lists and ``[1]`` markers).
        refused: whether ``text`` is a refusal and there are no citations.
        writer: which writer made it, such as ``extractive`` or ``ollama llama3.2:3b``.
        notes: what the reader should know of how it came about, such as why no model wrote it.
        strategy: how the evidence was gathered.
        flags: doubts that rules have about its claims; always looked for.
        audit_mode: whether a decision model was asked about its claims.
        audits: what it said, one for each claim; empty where none was asked.
        timings_ms: milliseconds of each step and ``total``.
        ledgers: what was found for each part of the question, and which of it was read.
    """

    text: str
    citations: tuple[Citation, ...]
    refused: bool
    unsupported_parts: tuple[str, ...] = ()
    writer: str = "extractive"
    strategy: str = "hybrid"
    timings_ms: dict[str, float] = field(default_factory=dict)
    ledgers: tuple[Ledger, ...] = ()
    notes: tuple[str, ...] = ()
    flags: tuple[ClaimFlag, ...] = ()
    audit_mode: AuditMode = "off"
    audits: tuple[Audit, ...] = ()
