"""One fake for each port, as small as its laws allow. The laws run on these and on the real ones.

A search index needs no fake of its own: ``MemorySearchIndex`` is one, and is used in earnest.
"""

from __future__ import annotations

import hashlib
import threading
import time
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np

from local_rag.errors import (
    Cancelled,
    CaseChanged,
    EmptyFile,
    ModelTimeout,
    NoPageImage,
    NoText,
    StoreFault,
    UnknownCase,
    UnknownConversation,
    UnknownDocument,
    UnknownPage,
    UnknownTurn,
)
from local_rag.model.answer import Claim, Draft, Support
from local_rag.model.chat import ChatInfo, ChatReply, ChatState
from local_rag.model.conversation import Conversation, Turn
from local_rag.model.decision import (
    ChoiceAnswer,
    Decision,
    DecisionInfo,
    NoulAnswer,
    NoulQuestion,
    ScoreAnswer,
    ScoreQuestion,
)
from local_rag.model.document import Extraction, Page, Section
from local_rag.model.kept_case import KeptCase
from local_rag.ports import EmbedderInfo
from local_rag.retrieve.space import Space
from local_rag.text.runaway import runs_away
from local_rag.text.tokens import tokenize
from local_rag.usecases.library import Library
from local_rag.usecases.shelf import Shelf
from local_rag.usecases.spaces import Spaces


class FakeEmbedder:
    """Bags of hashed words: texts that share words are near each other."""

    DIMENSIONS = 64

    def __init__(self, languages: frozenset[str] | None = None) -> None:
        self.info = EmbedderInfo("fake", "bag-of-words", "0" * 64, self.DIMENSIONS, languages)
        self.passages: list[str] = []

    def embed_passages(self, texts):
        self.passages += texts
        return np.stack([self._vector(text) for text in texts]) if texts else self._none()

    def embed_query(self, text):
        return self._vector(text)

    def _none(self):
        return np.zeros((0, self.DIMENSIONS), np.float32)

    def _vector(self, text):
        vector = np.full(self.DIMENSIONS, 1e-6, np.float32)
        for token in tokenize(text):
            vector[hashlib.sha256(token.encode()).digest()[0] % self.DIMENSIONS] += 1
        return vector / np.linalg.norm(vector)


class FakeReranker:
    """How often a passage has one word."""

    name = "fake"

    def __init__(self, word: str) -> None:
        self._word = word

    def scores(self, question, passages):
        return [float(tokenize(passage).count(self._word)) for passage in passages]


@dataclass
class _Record:
    state: str
    document: object
    pages: dict
    extraction: object
    chunks: list


@dataclass
class FakeCatalog:
    """Dictionaries."""

    records: dict = field(default_factory=dict)
    settings: dict = field(default_factory=dict)
    noted: dict = field(default_factory=dict)
    tagged: dict = field(default_factory=dict)

    def stage(self, document, extraction, chunks):
        pages = {page.page_number: page for page in extraction.pages}
        record = _Record("staged", document, pages, extraction, list(chunks))
        self.records[document.document_id] = record

    def publish(self, document_id):
        record = self.records.get(document_id)
        if record is None or record.state != "staged":
            raise UnknownDocument("not staged")
        old = [r for r in self._searchable() if r.document.name == record.document.name]
        for other in old:
            other.state = "retired"
            self.tagged[document_id] = self.tagged.pop(other.document.document_id, ())
        record.state = "searchable"
        return tuple(r.document.document_id for r in old)

    def retire(self, document_id):
        self._record(document_id).state = "retired"

    def forget(self, document_id):
        if (
            self.records.get(document_id, _Record("searchable", 0, {}, None, [])).state
            != "searchable"
        ):
            del self.records[document_id]
            self.tagged.pop(document_id, None)
        made_of = {record.document.source_sha256 for record in self.records.values()}
        self.noted = {n: s for n, s in self.noted.items() if s in made_of}

    def unfinished(self):
        return frozenset(k for k, r in self.records.items() if r.state != "searchable")

    def documents(self):
        found = sorted((r.document for r in self._searchable()), key=lambda d: d.name)
        return sorted(found, key=lambda d: d.added_at, reverse=True)

    def languages(self):
        found = [r.document.language for r in self._searchable()]
        return {language: found.count(language) for language in set(found)}

    def document(self, document_id):
        return self._record(document_id).document

    def find_by_name(self, name):
        return next((d for d in self.documents() if d.name == name), None)

    def find_by_source(self, source_sha256):
        found = [d for d in self.documents() if d.source_sha256 == source_sha256]
        return found[-1] if found else None

    def page(self, document_id, page_number):
        pages = self._record(document_id).pages
        if page_number not in pages:
            raise UnknownPage("no such page")
        return pages[page_number]

    def page_texts(self, document_id):
        pages = self._record(document_id).pages
        return [(n, pages[n].label, pages[n].text) for n in sorted(pages)]

    def tags(self):
        here = {document.document_id for document in self.documents()}
        return {k: tags for k, tags in self.tagged.items() if k in here and tags}

    def put_tags(self, document_id, tags):
        self._record(document_id)
        self.tagged[document_id] = tuple(tags)

    def sections(self, document_id):
        return list(self._record(document_id).extraction.sections)

    def readings(self, document_id):
        return list(self._record(document_id).extraction.readings)

    def chunks(self, chunk_ids):
        every = {c.chunk_id: (c, r.document) for r in self._searchable() for c in r.chunks}
        return {chunk_id: every[chunk_id] for chunk_id in chunk_ids if chunk_id in every}

    def document_chunks(self, document_id):
        return self._record(document_id).chunks

    def own_source(self, document_id):
        made_of = {k: r.document.source_sha256 for k, r in self.records.items()}
        own = made_of.pop(document_id, None)
        return None if own in made_of.values() else own

    def note_twin(self, name, source_sha256):
        self.noted[name] = source_sha256

    def twins(self, source_sha256):
        taken = {document.name for document in self.documents()}
        noted = {n for n, s in self.noted.items() if s == source_sha256}
        return sorted(noted - taken)

    def setting(self, key):
        return self.settings.get(key)

    def put_setting(self, key, value):
        self.settings[key] = value

    def close(self):
        pass

    def _searchable(self):
        return [r for r in self.records.values() if r.state == "searchable"]

    def _record(self, document_id):
        record = self.records.get(document_id)
        if record is None or record.state != "searchable":
            raise UnknownDocument("no such document")
        return record


class FakeSourceStore:
    """One flat folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def put(self, source, source_sha256):
        self.path_of(source_sha256).write_bytes(source.read_bytes())
        return self.path_of(source_sha256)

    def path(self, source_sha256):
        if not self.path_of(source_sha256).exists():
            raise StoreFault("gone")
        return self.path_of(source_sha256)

    def path_of(self, source_sha256):
        return self.folder / source_sha256

    def delete(self, source_sha256):
        self.path_of(source_sha256).unlink(missing_ok=True)

    def hashes(self):
        return {path.name for path in self.folder.iterdir()}


class FakeExtractor:
    """Reads UTF-8 text in this process: one page for each form feed, one section."""

    def extract(self, path, media_type, progress=None, *, password=None):
        raw = path.read_bytes()
        if not raw:
            raise EmptyFile("empty")
        texts = raw.decode().split("\f")
        if not any(text.strip() for text in texts):
            raise NoText("no text")
        pages = tuple(Page(number, text) for number, text in enumerate(texts, 1))
        for page in pages:
            if progress:
                progress(page.page_number, len(pages))
        section = Section("0", "", 0, (), 1, 0, len(pages), len(texts[-1]))
        return Extraction(pages, (section,))

    def render(self, path, media_type, page_number, dpi, *, password=None):
        raise NoPageImage("text has no pages")

    def close(self):
        pass


class FakeWriter:
    """Claims the first line of each passage."""

    name = "fake"

    def write(self, question, evidence, *, cancel=None, on_claim=None):
        claims = []
        for row in (row for rows in evidence for row in rows):
            if cancel is not None and cancel.is_set():
                raise Cancelled("The question was cancelled.")
            line = row.chunk.text.split("\n")[0]
            claims.append(Claim(line, (Support(row.chunk.chunk_id, 0, len(line)),)))
            if on_claim is not None:
                on_claim(claims[-1])
        return Draft(tuple(claims))


class FakeJobStore:
    """A dictionary."""

    def __init__(self) -> None:
        self.records = {}

    def put(self, job):
        self.records[job.job_id] = job

    def jobs(self):
        return list(self.records.values())

    def delete(self, job_id):
        self.records.pop(job_id, None)


class FakeChatModel:
    """Says what it was given to say, one token for each stretch; one word of a prompt is one token.

    Attributes:
        deltas: the reply, stretch by stretch; any iterable, also one without end.
        first_delay_s, delay_s: before the first stretch, between stretches.
        found: what ``state`` says.
        prompts: the messages of every call.
    """

    def __init__(self, deltas=("{}",), *, local=True) -> None:
        self.info = ChatInfo("fake", "parrot", local)
        self.deltas = deltas
        self.first_delay_s = self.delay_s = 0.0
        self.found = ChatState("ready", "The parrot listens.")
        self.prompts = []

    def complete(self, messages, schema, limits, *, cancel=None, on_text=None):
        self._check(cancel)
        self.prompts.append(list(messages))
        end = time.monotonic() + limits.max_seconds
        if self.first_delay_s > limits.max_seconds:
            raise ModelTimeout("The parrot did not begin.")
        self._wait(self.first_delay_s, cancel)
        text, reason, count = "", "stop", 0
        for delta in self.deltas:
            room = limits.max_bytes - len(text.encode())
            if count >= limits.max_tokens:
                reason = "length"
            elif time.monotonic() > end:
                reason = "seconds"
            elif len(delta.encode()) > room:
                delta, reason = delta.encode()[:room].decode("utf-8", "ignore"), "bytes"
                text += delta
            else:
                text, count = text + delta, count + 1
                if on_text:
                    on_text(delta)
                if runs_away(text):
                    reason = "runaway"
            if reason != "stop":
                break
            self._wait(self.delay_s, cancel)
        words = sum(len(message.content.split()) for message in messages)
        return ChatReply(text, reason, words, count, 0.0)

    def _wait(self, seconds, cancel):
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            self._check(cancel)
            time.sleep(0.005)
        self._check(cancel)

    def _check(self, cancel):
        if cancel is not None and cancel.is_set():
            raise Cancelled("The call was cancelled.")

    def state(self):
        return self.found

    def warm_up(self, cancel=None):
        self._check(cancel)

    def close(self):
        pass


class FakeConversationStore:
    """Values in a dict, under one lock."""

    def __init__(self) -> None:
        self._kept: dict[str, tuple[Conversation, list[Turn]]] = {}
        self._lock = threading.Lock()

    def _of(self, conversation_id):
        if conversation_id not in self._kept:
            raise UnknownConversation("No conversation has this id.")
        return self._kept[conversation_id]

    def create(self, conversation):
        self._kept[conversation.conversation_id] = (conversation, [])

    def conversations(self, limit, before=None):
        def place(one):
            return one.updated_at, one.conversation_id

        listed = sorted((one for one, _ in self._kept.values()), key=place, reverse=True)
        return [one for one in listed if before is None or place(one) < before][:limit]

    def conversation(self, conversation_id):
        return self._of(conversation_id)[0]

    def rename(self, conversation_id, title):
        known, turns = self._of(conversation_id)
        self._kept[conversation_id] = (replace(known, title=title), turns)
        return self.conversation(conversation_id)

    def delete(self, conversation_id):
        self._of(conversation_id)
        del self._kept[conversation_id]

    def delete_all(self):
        count = len(self._kept)
        self._kept.clear()
        return count

    def append(self, conversation_id, turn, *, title):
        with self._lock:
            known, turns = self._of(conversation_id)
            added = replace(turn, number=len(turns) + 1)
            turns.append(added)
            known = replace(
                known,
                title=known.title or title,
                updated_at=max(known.updated_at, turn.asked_at),
                turn_count=len(turns),
            )
            self._kept[conversation_id] = (known, turns)
        return added

    def turns(self, conversation_id, *, last=None):
        turns = self._of(conversation_id)[1]
        return turns[max(0, len(turns) - last) :] if last is not None else list(turns)

    def turn(self, conversation_id, number):
        turns = self._of(conversation_id)[1]
        if not 1 <= number <= len(turns):
            raise UnknownTurn("It has no such turn.")
        return turns[number - 1]


class FakeCaseStore:
    """Values in a dict, under one lock."""

    def __init__(self) -> None:
        self._kept: dict[str, KeptCase] = {}
        self._lock = threading.Lock()

    def add(self, case):
        with self._lock:
            same = [one for one in self._kept.values() if one.sameness == case.sameness]
            kept = self._kept.get(case.case_id) or (same[0] if same else case)
            return self._kept.setdefault(kept.case_id, kept)

    def cases(self, review_status=None):
        listed = sorted(self._kept.values(), key=lambda one: one.case_id)
        listed.sort(key=lambda one: one.created_at, reverse=True)
        return [one for one in listed if review_status in (None, one.review_status)]

    def case(self, case_id):
        if case_id not in self._kept:
            raise UnknownCase("No test has this id.")
        return self._kept[case_id]

    def replace(self, case, *, read_at):
        with self._lock:
            kept = self.case(case.case_id)
            others = [one for one in self._kept.values() if one.case_id != case.case_id]
            if kept.updated_at != read_at or case.sameness in {one.sameness for one in others}:
                raise CaseChanged("It was changed meanwhile.")
            self._kept[case.case_id] = replace(case, created_at=kept.created_at)
            return self._kept[case.case_id]

    def delete(self, case_id):
        self.case(case_id)
        del self._kept[case_id]

    def delete_all(self):
        count = len(self._kept)
        self._kept.clear()
        return count


def make_library(
    *, catalog, sources, index, embedder, extractor, split, max_file_bytes, free_bytes,
    write_lock=None,
):  # fmt: skip
    """A library in one vector space."""
    shelf = Shelf(
        catalog=catalog,
        sources=sources,
        spaces=Spaces(Space(index, embedder.info, embedder)),
        free_bytes=free_bytes,
        write_lock=write_lock or threading.Lock(),
    )
    return Library(
        catalog=catalog,
        sources=sources,
        shelf=shelf,
        extractor=extractor,
        split=split,
        max_file_bytes=max_file_bytes,
    )


class FakeDecisionModel:
    """Decides as its judge says; of other questions it takes the first option.

    Attributes:
        judge: from a claim and the excerpts to the probabilities of the three relations.
        delay_s: how long each decision takes.
        states: of every call.
    """

    def __init__(self, judge=None, model="fake-judge") -> None:
        self.info = DecisionInfo(model, local=True)
        self.judge = judge
        self.delay_s = 0.0
        self.states = []

    def decide(self, state, questions, *, seconds, cancel=None):
        if not questions:
            raise ValueError("no question")
        self.states.append(state)
        begun = time.monotonic()
        while (passed := time.monotonic() - begun) < min(self.delay_s, seconds):
            if cancel is not None and cancel.is_set():
                raise Cancelled("The call was cancelled.")
            time.sleep(0.005)
        if self.delay_s > seconds:
            raise ModelTimeout("The judge thinks.")
        answers = {name: self._answer(name, asked, state) for name, asked in questions.items()}
        words = len(str(state).split())
        return Decision(answers, self.info.model, None, passed, words, len(answers))

    def _answer(self, name, asked, state):
        if isinstance(asked, NoulQuestion):
            return NoulAnswer(0.5)
        if isinstance(asked, ScoreQuestion):
            return ScoreAnswer(0, (1.0,) + (0.0,) * (len(asked.levels) - 1))
        if self.judge is not None:
            p = self.judge(state["claims"][name], state["cited_excerpts"])
        else:
            p = {option: float(place == 0) for place, option in enumerate(asked.options)}
        return ChoiceAnswer(max(p, key=p.get), p)

    def check_usable(self, seconds):
        pass
