"""What was seen of one question: the answer, what was found, what is cited. From the answer as a
value, or as ``POST /api/query`` gives it.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import zip_longest
from typing import TYPE_CHECKING, Any

from local_rag.model.audit import usage_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from local_rag.model.answer import Answer, Citation
    from local_rag.model.evidence import Evidence

_WITHOUT_PAGES = frozenset(["text/markdown", "text/plain", "text/html", "application/xhtml+xml"])


@dataclass(frozen=True, slots=True)
class Passage:
    """A passage of a document.

    Attributes:
        page: ``None`` for files without pages.
        over: what stands over it: title, headings, the lead that it is read with.
    """

    chunk_id: str
    document_id: str
    source: str
    source_sha256: str
    page: int | None
    text: str
    over: str = ""

    @property
    def read_text(self) -> str:
        """What bears a statement out: the passage with what stands over it."""
        return f"{self.over}\n{self.text}" if self.over else self.text


@dataclass(frozen=True, slots=True)
class Cited:
    """What a marker of the answer names, and the words of it that are marked."""

    number: int
    passage: Passage
    quote: str


@dataclass(frozen=True, slots=True)
class Observed:
    """One question's outcome.

    Attributes:
        ranked: all that was found, best first, each passage once.
        contexts: what the writer read, best first.
        tokens: ``prompt`` and ``completion`` of a chat model, ``audit_input`` and
            ``audit_output`` of a decision model; those that were told.
    """

    answer: str
    refused: bool
    ranked: tuple[Passage, ...]
    cited: tuple[Cited, ...]
    contexts: tuple[str, ...] = ()
    unsupported_parts: tuple[str, ...] = ()
    writer: str = ""
    timings_ms: dict[str, float] = field(default_factory=dict)
    tokens: dict[str, int] = field(default_factory=dict)


def observed_answer(answer: Answer, tokens: Mapping[str, int] | None = None) -> Observed:
    """What an answer shows.

    Args:
        tokens: those of the chat model.
    """
    usage = usage_of(answer.audits)
    audit = {"audit_input": usage.input_tokens, "audit_output": usage.output_tokens}
    parts = [[_passage(row.evidence) for row in ledger.rows] for ledger in answer.ledgers]
    kept = [[_passage(row) for row in ledger.kept] for ledger in answer.ledgers]
    return Observed(
        answer=answer.text,
        refused=answer.refused,
        ranked=_interleaved(parts),
        cited=tuple(Cited(c.number, _passage(c), c.quote) for c in answer.citations),
        contexts=tuple(passage.text for passage in _interleaved(kept)),
        unsupported_parts=answer.unsupported_parts,
        writer=answer.writer,
        timings_ms=dict(answer.timings_ms),
        tokens=dict(tokens or {}) | (audit if usage.requests else {}),
    )


def observed_json(reply: Mapping[str, Any]) -> Observed:
    """What a reply of ``POST /api/query`` shows.

    Raises:
        KeyError, TypeError, ValueError: it has not the form of one.
    """
    parts = [[_passage_of(row) for row in ledger["rows"]] for ledger in reply["ledger"]]
    kept = [
        [_passage_of(row) for row in ledger["rows"] if row["kept"]] for ledger in reply["ledger"]
    ]
    usage = reply.get("audit_usage") or {}
    tokens = {f"audit_{name}": usage.get(f"{name}_tokens", 0) for name in ("input", "output")}
    return Observed(
        answer=str(reply["answer"]),
        refused=bool(reply["refused"]),
        ranked=_interleaved(parts),
        cited=tuple(
            Cited(int(row["id"]), _passage_of(row), str(row["quote"])) for row in reply["citations"]
        ),
        contexts=tuple(passage.text for passage in _interleaved(kept)),
        unsupported_parts=tuple(map(str, reply["unsupported_parts"])),
        writer=str(reply["writer"]),
        timings_ms={str(step): float(ms) for step, ms in reply["timings_ms"].items()},
        tokens=tokens if usage.get("requests") else {},
    )


def _interleaved(parts: Iterable[Sequence[Passage]]) -> tuple[Passage, ...]:
    """The best of each part of the question first, then the second of each."""
    found: dict[str, Passage] = {}
    for row in zip_longest(*parts):
        for passage in filter(None, row):
            found.setdefault(passage.chunk_id, passage)
    return tuple(found.values())


def _passage(row: Evidence | Citation) -> Passage:
    chunk, document = row.chunk, row.document
    over = dict.fromkeys([document.title or "", *chunk.heading_path, chunk.lead])
    return Passage(
        chunk_id=chunk.chunk_id,
        document_id=document.document_id,
        source=document.name,
        source_sha256=document.source_sha256,
        page=None if document.media_type in _WITHOUT_PAGES else chunk.page_number,
        text=chunk.text,
        over="\n".join(filter(None, over)),
    )


def _passage_of(row: Mapping[str, Any]) -> Passage:
    return Passage(
        chunk_id=str(row["chunk_id"]),
        document_id=str(row["document_id"]),
        source=str(row["source"]),
        source_sha256=str(row["source_sha256"]),
        page=None if row["media_type"] in _WITHOUT_PAGES else int(row["page"]),
        text=str(row["text"]),
        over="\n".join(filter(None, [str(row["section"]), str(row["lead"])])),
    )
