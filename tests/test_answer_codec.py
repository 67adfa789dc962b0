"""Answers as they are stored: every one comes back equal."""

from __future__ import annotations

import json
import zlib
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from local_rag.adapters.answer_codec import answer_bytes, answer_from
from local_rag.errors import StoreFault
from local_rag.model.answer import Answer, Citation, Rectangle, Span
from local_rag.model.audit import Assessment, Audit, AuditCheck, ClaimFlag, Excerpt, Repair
from local_rag.model.document import Chunk, Document
from local_rag.model.evidence import Evidence, Fused, Ledger, LedgerRow, Weights
from local_rag.model.question import Part

TEXT = st.text(st.characters(exclude_categories=()), max_size=20)  # lone surrogates too
NUMBER = st.floats(allow_nan=False)
COUNT = st.integers(0, 2**60)


def tuples_of(strategy):
    return st.lists(strategy, max_size=3).map(tuple)


DOCUMENTS = st.builds(
    Document, TEXT, TEXT, TEXT, TEXT, COUNT, COUNT, COUNT, st.none() | TEXT, TEXT, TEXT
)
CHUNKS = st.builds(Chunk, TEXT, TEXT, COUNT, COUNT, COUNT, COUNT, TEXT, TEXT, tuples_of(TEXT), TEXT)
FUSED = st.builds(
    Fused,
    TEXT,
    NUMBER,
    st.none() | COUNT,
    st.none() | COUNT,
    st.none() | NUMBER,
    st.none() | NUMBER,
)
SPANS = tuples_of(st.builds(Span, COUNT, COUNT))
RECTANGLES = tuples_of(st.builds(Rectangle, NUMBER, NUMBER, NUMBER, NUMBER))
CITATIONS = st.builds(
    Citation, COUNT, CHUNKS, DOCUMENTS, FUSED, TEXT, SPANS, RECTANGLES, st.none() | TEXT,
    NUMBER, NUMBER,
)  # fmt: skip
ROWS = st.builds(
    LedgerRow,
    st.builds(Evidence, CHUNKS, DOCUMENTS, FUSED, st.none() | NUMBER),
    st.booleans(),
    st.sampled_from(["first", "duplicate"]),
    st.none() | TEXT,
)
LEDGERS = st.builds(
    Ledger,
    st.builds(Part, TEXT, TEXT, st.booleans(), tuples_of(TEXT)),
    tuples_of(ROWS),
    st.builds(Weights, NUMBER, NUMBER, TEXT),
)
CHECKS = st.builds(
    AuditCheck,
    tuples_of(st.builds(Excerpt, st.none() | COUNT, TEXT, TEXT)),
    st.sampled_from(["completed", "unavailable"]),
    st.sampled_from([None, "keep", "withhold", "review"]),
    st.none()
    | st.builds(Assessment, st.sampled_from(["supported", "contradicted"]), NUMBER, NUMBER, NUMBER),
    TEXT,
    st.none() | COUNT,
    st.none() | TEXT,
    st.none() | TEXT,
    NUMBER,
    st.none() | COUNT,
    st.none() | COUNT,
    TEXT,
)
REPAIRS = st.builds(Repair, CHECKS, tuples_of(CHECKS), st.booleans(), TEXT)
AUDITS = st.builds(Audit, TEXT, COUNT, CHECKS, NUMBER, TEXT, TEXT, st.none() | REPAIRS)
FLAGS = st.builds(ClaimFlag, TEXT, tuples_of(COUNT), st.sampled_from(["number", "hedge"]), TEXT)
ANSWERS = st.builds(
    Answer,
    text=TEXT,
    citations=tuples_of(CITATIONS),
    refused=st.booleans(),
    unsupported_parts=tuples_of(TEXT),
    writer=TEXT,
    strategy=TEXT,
    timings_ms=st.dictionaries(TEXT, NUMBER, max_size=3),
    ledgers=tuples_of(LEDGERS),
    notes=tuples_of(TEXT),
    flags=tuples_of(FLAGS),
    audit_mode=st.sampled_from(["off", "observe", "repair"]),
    audits=tuples_of(AUDITS),
)


def types_in(value):
    """Equality does not tell a named tuple from a tuple."""
    if isinstance(value, tuple):
        return type(value), [types_in(item) for item in value]
    fields = getattr(value, "__dataclass_fields__", {})
    return type(value), [types_in(getattr(value, name)) for name in fields]


@given(ANSWERS)
def test_every_answer_comes_back_equal(answer):
    found = answer_from(answer_bytes(answer))
    assert found == answer
    assert types_in(found) == types_in(answer)


def stored(**content) -> bytes:
    return zlib.compress(json.dumps(content).encode())


def test_an_answer_of_version_1_is_read_whatever_fields_have_come_since():
    told = {"text": "Yes. [1]", "citations": [], "refused": False}
    assert answer_from(stored(version=1, answer=told)) == Answer("Yes. [1]", (), False)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "cannot be read"),
        (answer_bytes(Answer("x", (), True))[:-9], "cannot be read"),
        (zlib.compress(b"[1]"), "cannot be read"),
        (stored(version=1), "cannot be read"),
        (stored(version=1, answer={"text": "x", "written": 2}), "cannot be read"),
        (stored(version=2, answer={}), "version 2"),
    ],
)
def test_what_cannot_be_read_is_said_without_its_text(content, message):
    with pytest.raises(StoreFault, match=message) as caught:
        answer_from(content)
    assert "x" not in caught.value.message.replace("TypeError", "")


def test_an_answer_is_small_though_its_passages_stand_in_it_twice():
    chunk = Chunk("c", "d", 0, 1, 0, 900, "A passage of nine hundred characters. " * 24, "1", ())
    document = Document("d", "a.txt", "text/plain", "0" * 64, 1, 1, 1, None, "2026-01-01")
    fused = Fused("c", 0.1, 1, 1, 0.5, 3.0)
    citation = Citation(1, chunk, document, fused, "A passage", (Span(0, 9),), (), None, 0, 0)
    row = LedgerRow(Evidence(chunk, document, fused), True, "first")
    ledger = Ledger(Part("What?"), (row,) * 6, Weights(1, 1, "equal"))
    answer = replace(Answer("A passage [1]", (citation,), False), ledgers=(ledger,))
    assert len(answer_bytes(answer)) < 2 * len(chunk.text)
