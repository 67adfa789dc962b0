"""The laws of ``ports.Writer``, on the fake and on the real writers."""

from __future__ import annotations

import json
import threading

import pytest
from fakes import FakeChatModel, FakeWriter
from hypothesis import given
from hypothesis import strategies as st

from local_rag.errors import Cancelled
from local_rag.generate.extractive import ExtractiveWriter
from local_rag.generate.grounded.writer import GroundedWriter
from local_rag.model.chat import ChatLimits
from local_rag.model.document import Chunk, Document
from local_rag.model.evidence import Evidence, Fused
from local_rag.retrieve.understand import understand

DOCUMENT = Document("d" * 32, "a.txt", "text/plain", "e" * 64, 9, 1, 2, None, "2026", "en")
ASKED = "When was the lighthouse built?"
SAID = "The lighthouse was built in 1873."
REPLY = json.dumps({"claims": [{"text": SAID, "citations": [1]}]})
WRITERS = [
    FakeWriter(),
    ExtractiveWriter(),
    GroundedWriter(FakeChatModel((REPLY,)), ExtractiveWriter(), ChatLimits()),
]


def evidence(*texts: str) -> list[Evidence]:
    return [
        Evidence(
            Chunk(f"{n:032x}", DOCUMENT.document_id, n, 1, 0, len(text), text, "0", ()),
            DOCUMENT,
            Fused(f"{n:032x}", 0.03 - n / 1000, n + 1, n + 1, 0.7, 4.0),
        )
        for n, text in enumerate(texts)
    ]


@pytest.mark.parametrize("writer", WRITERS, ids=lambda w: w.name)
@given(question=st.text(max_size=80), texts=st.lists(st.text(min_size=1, max_size=200), max_size=4))
def test_every_support_lies_within_the_evidence(writer, question, texts):
    found = evidence(*texts)
    lengths = {row.chunk.chunk_id: len(row.chunk.text) for row in found}
    asked = understand(question)
    for claim in writer.write(asked, [found] * len(asked.parts)).claims:
        assert claim.supports
        for support in claim.supports:
            assert 0 <= support.start <= support.end <= lengths[support.chunk_id]


@pytest.mark.parametrize("writer", WRITERS, ids=lambda w: w.name)
def test_no_evidence_gives_no_claim(writer):
    asked = understand("When was the lighthouse built?")
    assert writer.write(asked, []).claims == ()
    assert writer.write(asked, [[]]).claims == ()


@pytest.mark.parametrize("writer", WRITERS, ids=lambda w: w.name)
def test_each_claim_is_told_in_order(writer):
    asked = understand("When was the lighthouse built? And when was the lighthouse closed?")
    told = []
    rows = evidence(SAID, "The lighthouse was closed in 1990.")
    draft = writer.write(asked, [rows] * len(asked.parts), on_claim=told.append)
    assert told
    assert tuple(told) == draft.claims


@pytest.mark.parametrize("writer", WRITERS, ids=lambda w: w.name)
def test_what_the_listener_raises_passes_on(writer):
    def listener(_):
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        writer.write(understand(ASKED), [evidence(SAID)], on_claim=listener)


@pytest.mark.parametrize("writer", WRITERS, ids=lambda w: w.name)
def test_a_cancelled_question_is_not_answered(writer):
    cancel = threading.Event()
    cancel.set()
    with pytest.raises(Cancelled):
        writer.write(understand(ASKED), [evidence(SAID)], cancel=cancel)


def test_the_writers_name_themselves():
    assert [writer.name for writer in WRITERS] == ["fake", "extractive", "fake parrot"]
