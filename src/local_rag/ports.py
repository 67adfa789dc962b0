"""The seams of the program: what a stage needs from the outside, as Protocols.

Each port has a real adapter in ``local_rag.adapters``, one fake in ``tests/fakes.py``, and one
suite of laws in ``tests/test_laws_*.py`` that runs on both. Implementations are safe to call
from several threads.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, Protocol

if TYPE_CHECKING:
    from pathlib import Path

    import numpy as np
    from numpy.typing import NDArray

    from local_rag.model.answer import Claim, Draft
    from local_rag.model.chat import ChatInfo, ChatLimits, ChatMessage, ChatReply, ChatState
    from local_rag.model.conversation import Conversation, Turn
    from local_rag.model.decision import Decision, DecisionInfo, DecisionQuestion
    from local_rag.model.document import Chunk, Document, Extraction, Page, PageReading, Section
    from local_rag.model.evidence import Evidence, Hit, Scope
    from local_rag.model.job import Job
    from local_rag.model.kept_case import KeptCase
    from local_rag.model.question import Question

    Vectors = NDArray[np.float32]

Progress = Callable[[int, int], None]
"""Called with (pages done, pages in all); 0 in all: not known yet."""


@dataclass(frozen=True, slots=True)
class EmbedderInfo:
    """What identifies a vector space, recorded with the index made from it.

    Attributes:
        digest: sha256 of the weights, or what else pins them; two embedders with equal digests
            give equal vectors.
        dimensions: width of a vector.
        languages: ISO 639-1 codes of the languages it was trained for; ``None``: any.
    """

    provider: str
    model: str
    digest: str
    dimensions: int
    languages: frozenset[str] | None


class Embedder(Protocol):
    """Turns texts into vectors of unit length. Text beyond the model's window is never dropped."""

    @property
    def info(self) -> EmbedderInfo:
        """What identifies this embedder. Cheap: loads no model."""
        ...

    def embed_passages(self, texts: Sequence[str]) -> Vectors:
        """``(n, d) float32``, rows of unit length, in the order of ``texts``.

        Raises:
            ModelFault: the model's files are missing, altered or do not run, or its server fails.
        """
        ...

    def embed_query(self, text: str) -> Vectors:
        """``(d,) float32`` of unit length. Raises ModelFault as above."""
        ...


@dataclass(frozen=True, slots=True)
class Point:
    """A chunk as the search index sees it.

    Attributes:
        vector: ``(d,) float32`` of unit length.
        tokens: the index tokens of the passage and its headings, with repetitions.
    """

    chunk_id: str
    document_id: str
    vector: Vectors
    tokens: Sequence[str]


class SearchIndex(Protocol):
    """Two rankings over the same chunks: cosine similarity and BM25.

    Derived data: everything in it can be rebuilt from the catalogue. Both rankings are ordered
    by falling value, ties by chunk id; exact unless the adapter says otherwise.
    """

    def upsert(self, points: Iterable[Point]) -> None:
        """Adds points, replacing those of equal chunk id; durable when it returns."""
        ...

    def delete_document(self, document_id: str) -> None:
        """Removes every point of the document; unknown ids are no error."""
        ...

    def dense(self, vector: Vectors, limit: int, scope: Scope) -> list[Hit]:
        """The ``limit`` chunks of highest cosine with ``vector``."""
        ...

    def lexical(self, terms: dict[str, float], limit: int, scope: Scope) -> list[Hit]:
        """The ``limit`` chunks of highest BM25; chunks without any of the terms are left out.

        Args:
            terms: weight of each query token.
        """
        ...

    def point_counts(self) -> dict[str, int]:
        """How many points each document has that has any. For reconciling, not for queries."""
        ...

    def count(self) -> int:
        """How many points there are."""
        ...

    def clear(self) -> None:
        """Removes everything."""
        ...

    def close(self) -> None:
        """Releases the files. Calling it twice is no error."""
        ...


class Reranker(Protocol):
    """Judges passages by reading each of them together with the question."""

    @property
    def name(self) -> str:
        """What the ledger shows."""
        ...

    def scores(self, question: str, passages: Sequence[str]) -> list[float]:
        """How well each passage fits, higher is better; of no fixed range.

        Raises:
            ModelFault: the model does not run.
        """
        ...


class Catalog(Protocol):
    """The truth about the library: documents, pages, sections, chunks, settings of the index.

    A document is *staged* while it is being added, then *searchable*, then *retired* until its
    points are gone. Only searchable ones are ever returned by a read.
    """

    def stage(self, document: Document, extraction: Extraction, chunks: Sequence[Chunk]) -> None:
        """Writes a document that nobody sees yet. Staging an unfinished one replaces it."""
        ...

    def publish(self, document_id: str) -> tuple[str, ...]:
        """Makes a staged document searchable and retires the one of the same name, at once.

        Returns:
            The ids of the documents retired by it.

        Raises:
            UnknownDocument: nothing is staged under this id.
        """
        ...

    def retire(self, document_id: str) -> None:
        """Takes a searchable document out of every read.

        Raises:
            UnknownDocument: no searchable document has this id.
        """
        ...

    def forget(self, document_id: str) -> None:
        """Deletes the rows of a staged or retired document; unknown ids are no error."""
        ...

    def unfinished(self) -> frozenset[str]:
        """Ids of the staged and retired documents: what searches must not see."""
        ...

    def documents(self) -> list[Document]:
        """All searchable documents, newest first, ties by name."""
        ...

    def languages(self) -> dict[str, int]:
        """How many searchable documents there are of each language. Cheap; for every question."""
        ...

    def document(self, document_id: str) -> Document:
        """One searchable document. Raises UnknownDocument."""
        ...

    def find_by_name(self, name: str) -> Document | None:
        """The searchable document of this name, or ``None``."""
        ...

    def find_by_source(self, source_sha256: str) -> Document | None:
        """A searchable document made of these bytes, the oldest one, or ``None``."""
        ...

    def page(self, document_id: str, page_number: int) -> Page:
        """A page of a searchable document. Raises UnknownDocument, UnknownPage."""
        ...

    def readings(self, document_id: str) -> list[PageReading]:
        """How each page of a searchable document was read, in order. Raises UnknownDocument.

        Empty for a document that an earlier version of the program added.
        """
        ...

    def page_texts(self, document_id: str) -> list[tuple[int, str | None, str]]:
        """Number, label and text of each page of a searchable document, in order.

        Raises UnknownDocument.
        """
        ...

    def tags(self) -> dict[str, tuple[str, ...]]:
        """The tags of the searchable documents that have any, by document id."""
        ...

    def put_tags(self, document_id: str, tags: Sequence[str]) -> None:
        """Gives a searchable document these tags and no others.

        They pass on to the document that replaces it. Raises UnknownDocument.
        """
        ...

    def sections(self, document_id: str) -> list[Section]:
        """The sections of a searchable document in order. Raises UnknownDocument."""
        ...

    def chunks(self, chunk_ids: Sequence[str]) -> dict[str, tuple[Chunk, Document]]:
        """The chunks among these that belong to searchable documents, by id."""
        ...

    def document_chunks(self, document_id: str) -> list[Chunk]:
        """The chunks of a searchable document in order. Raises UnknownDocument."""
        ...

    def own_source(self, document_id: str) -> str | None:
        """``source_sha256`` of a document in any state, unless another one is made of it too.

        ``None`` where another one is, and for unknown ids.
        """
        ...

    def note_twin(self, name: str, source_sha256: str) -> None:
        """Records that a file of this name was sent whose bytes a document has under another."""
        ...

    def twins(self, source_sha256: str) -> list[str]:
        """The names noted for these bytes that no searchable document has, in order.

        Forgotten with the last document that is made of these bytes.
        """
        ...

    def setting(self, key: str) -> str | None:
        """A recorded property of the index, or ``None``."""
        ...

    def put_setting(self, key: str, value: str) -> None:
        """Records a property of the index."""
        ...

    def close(self) -> None:
        """Releases connections. Calling it twice is no error."""
        ...


class JobStore(Protocol):
    """The jobs, as they are kept over a restart."""

    def put(self, job: Job) -> None:
        """Records the job, replacing what is known of its id."""
        ...

    def jobs(self) -> list[Job]:
        """All jobs, in no particular order."""
        ...

    def delete(self, job_id: str) -> None:
        """Removes it; unknown ids are no error."""
        ...


Verdict = Literal["held", "withdrawn", "lost"]
"""Of a job that a process works on: go on; stop, it was cancelled; stop, another one has it."""


class JobQueue(Protocol):
    """The jobs of a library that several processes share.

    A process *holds* a job while it tells in time that it lives; then nobody else works on it.
    """

    def add(self, job: Job, process: str) -> None:
        """Records a job, held by ``process``. Nobody begins it before ``open`` was called."""
        ...

    def open(self, job_id: str, process: str | None) -> None:
        """Lets the job be begun: by this process, or by any one for ``None``."""
        ...

    def claim(self, process: str) -> Job | None:
        """The oldest job that may be begun, held from now on, its state ``extracting``.

        One may be begun that is unfinished and not held by another process, unless an older
        unfinished one has its name. One whose adding was cut short is handed out too.
        """
        ...

    def beat(self, process: str, progress: Mapping[str, tuple[int, int]]) -> dict[str, Verdict]:
        """Tells that the process lives; returns what is to be done with each job that it holds.

        Args:
            progress: ``done`` and ``total`` by id of the jobs that it means to hold on to.
        """
        ...

    def check(self, process: str, job_id: str) -> Verdict:
        """What is to be done with this job, right now."""
        ...

    def save(self, process: str, job: Job) -> bool:
        """Records how far the job is, if the process holds it still; returns whether it does.

        A job that is queued or finished by it is held no longer.
        """
        ...

    def withdraw(self, job_id: str, cancelled: Job) -> Job | None:
        """Ends an unfinished job as ``cancelled``, or has its holder do so, which is told.

        Returns:
            The job as it is then; ``None`` for an unknown id.
        """
        ...

    def put(self, job: Job, process: str | None) -> None:
        """Records a finished job as one that may be begun again; arguments as of ``open``."""
        ...

    def leave(self, process: str) -> None:
        """Gives up all that the process holds: it ends."""
        ...

    def job(self, job_id: str) -> Job | None:
        """One job."""
        ...

    def jobs(self) -> list[Job]:
        """All jobs, in no particular order."""
        ...

    def delete(self, job_id: str) -> None:
        """Removes it; unknown ids are no error."""
        ...


class ConversationStore(Protocol):
    """What was asked and answered, whole, until it is deleted.

    Every method that takes a ``conversation_id`` raises UnknownConversation where there is none.
    """

    def create(self, conversation: Conversation) -> None:
        """Records a conversation without turns, under an id that is not in use."""
        ...

    def conversations(
        self, limit: int, before: tuple[str, str] | None = None
    ) -> list[Conversation]:
        """The ``limit`` conversations that were last asked in, newest first, ties by falling id.

        Reads no answer, however many there are.

        Args:
            before: ``updated_at`` and id: only those that come after this place in the order.
        """
        ...

    def conversation(self, conversation_id: str) -> Conversation:
        """One conversation."""
        ...

    def rename(self, conversation_id: str, title: str) -> Conversation:
        """Gives it another title; its place in the list stays."""
        ...

    def delete(self, conversation_id: str) -> None:
        """Removes it with its turns."""
        ...

    def delete_all(self) -> int:
        """Removes all conversations; returns how many there were."""
        ...

    def append(self, conversation_id: str, turn: Turn, *, title: str) -> Turn:
        """Adds a turn as the next one, whatever its number; returns it with the one it got.

        Of several that are added at once, each gets a number of its own.

        Args:
            title: of the conversation, if it has none yet.
        """
        ...

    def turns(self, conversation_id: str, *, last: int | None = None) -> list[Turn]:
        """Its turns in order, or only the ``last`` ones, each equal to what was added."""
        ...

    def turn(self, conversation_id: str, number: int) -> Turn:
        """One of its turns. Raises UnknownTurn."""
        ...


class CaseStore(Protocol):
    """The golden cases of a library. Knows nothing of what is in them."""

    def add(self, case: KeptCase) -> KeptCase:
        """Keeps a case, unless one of its id or its ``sameness`` is kept already.

        Returns:
            The one that is kept now.
        """
        ...

    def cases(self, review_status: str | None = None) -> list[KeptCase]:
        """All cases, or those of a status, newest first, ties by id."""
        ...

    def case(self, case_id: str) -> KeptCase:
        """One case. Raises UnknownCase."""
        ...

    def replace(self, case: KeptCase, *, read_at: str) -> KeptCase:
        """Puts this in the place of the case of its id; returns it with the time that one has.

        Args:
            read_at: ``updated_at`` of the case that the change was made to.

        Raises:
            UnknownCase: none has the id.
            CaseChanged: it was changed since, or another one has this ``sameness``.
        """
        ...

    def delete(self, case_id: str) -> None:
        """Removes it. Raises UnknownCase."""
        ...

    def delete_all(self) -> int:
        """Removes all cases; returns how many there were."""
        ...


class Inbox(Protocol):
    """The files of unfinished jobs, where each process of a library reaches them."""

    def put(self, job_id: str, source: Path) -> None:
        """Keeps a copy of the file at ``source``."""
        ...

    def fetch(self, job_id: str, target: Path) -> bool:
        """Writes the file to ``target``; returns whether it is there at all."""
        ...

    def delete(self, job_id: str) -> None:
        """Removes it; unknown ids are no error."""
        ...

    def ids(self) -> set[str]:
        """All that is kept."""
        ...


class SourceStore(Protocol):
    """The original files, by the hash of their bytes."""

    def put(self, source: Path, source_sha256: str) -> Path:
        """Keeps a copy of the file at ``source``; returns where. Same bytes twice: kept once.

        A kept file that was cut short is replaced.
        """
        ...

    def path(self, source_sha256: str) -> Path:
        """Where the kept file lies. Raises StoreFault if it is gone."""
        ...

    def delete(self, source_sha256: str) -> None:
        """Removes it; unknown hashes are no error."""
        ...

    def hashes(self) -> set[str]:
        """All that is kept."""
        ...


class Extractor(Protocol):
    """Reads a file into pages and sections, and draws its pages.

    Runs in another process, so that a parser's crash costs this one file only.
    """

    def extract(
        self,
        path: Path,
        media_type: str,
        progress: Progress | None = None,
        *,
        password: str | None = None,
    ) -> Extraction:
        """Reads the file. An exception that ``progress`` raises stops the reading and passes on.

        ``progress`` is called several times a second, with the same values where nothing moved.

        Args:
            password: opens the file where it needs one, ignored where it needs none.

        Raises:
            InputError: the file's fault: WrongContent, EmptyFile, UnreadableFile,
                PasswordRequired, NoText, TooLarge, UnsupportedType.
            ExtractionCrashed: the reader died or ran out of time.
            StoreFault: the file is gone.
        """
        ...

    def render(
        self,
        path: Path,
        media_type: str,
        page_number: int,
        dpi: int,
        *,
        password: str | None = None,
    ) -> bytes:
        """The page as PNG.

        Raises:
            UnknownPage, NoPageImage, PasswordRequired, ExtractionCrashed.
        """
        ...

    def close(self) -> None:
        """Stops the processes. Calling it twice is no error."""
        ...


class Writer(Protocol):
    """Drafts an answer from the evidence and nothing else."""

    @property
    def name(self) -> str:
        """What ``Answer.writer`` shows."""
        ...

    def write(
        self,
        question: Question,
        evidence: Sequence[Sequence[Evidence]],
        *,
        cancel: Cancel | None = None,
        on_claim: Callable[[Claim], None] | None = None,
    ) -> Draft:
        """Drafts claims whose supports lie within the given evidence; no claims, no answer.

        Args:
            evidence: for each part of the question the passages to read, best first; empty where
                there are no documents.
            on_claim: called on this thread with each claim of the draft, in order, as soon as it
                is certain. What it raises passes on.

        Raises:
            Cancelled: ``cancel`` was set.
        """
        ...


class Cancel(Protocol):
    """Tells a call that nobody waits for it any more; a ``threading.Event`` is one."""

    def is_set(self) -> bool:
        """Whether the call should stop. Asked several times a second, from the call's thread."""
        ...


class ChatModel(Protocol):
    """Writes a reply to a prompt. Calls block; none may be made inside a running event loop."""

    @property
    def info(self) -> ChatInfo:
        """What identifies it. Cheap: asks nobody."""
        ...

    def complete(
        self,
        messages: Sequence[ChatMessage],
        schema: Mapping[str, Any] | None,
        limits: ChatLimits,
        *,
        cancel: Cancel | None = None,
        on_text: Callable[[str], None] | None = None,
    ) -> ChatReply:
        """The model's reply; one that a cap cut says so in ``done_reason`` and is no error.

        The model stops working when the call ends, whatever ends it.

        Args:
            schema: JSON schema that the server is asked to hold the reply to; not all do. ``None``
                leaves the form free.
            on_text: called with each stretch of the reply as it comes, on this thread. What it
                raises stops the reply and passes on.

        Raises:
            Cancelled: ``cancel`` was set.
            ModelServerUnreachable, ModelMissing, ModelServerBusy: it cannot answer now.
            ModelTimeout: ``max_seconds`` went by before the first word.
            PromptTooLong: the model's window is too small, or the server cut the prompt.
            ModelServerFault: it answered with anything but a reply, or broke off.
        """
        ...

    def state(self) -> ChatState:
        """Whether it would answer now. Takes a few seconds at most and never raises."""
        ...

    def warm_up(self, cancel: Cancel | None = None) -> None:
        """Has the model loaded into memory; returns when it is. Raises as ``complete`` does."""
        ...

    def close(self) -> None:
        """Releases what is held in this process. Calling it twice is no error."""
        ...


class DecisionModel(Protocol):
    """Chooses between described options, with probabilities; writes no text.

    Calls block; none may be made inside a running event loop.
    """

    @property
    def info(self) -> DecisionInfo:
        """What identifies it. Cheap: asks nobody."""
        ...

    def decide(
        self,
        state: Mapping[str, Any],
        questions: Mapping[str, DecisionQuestion],
        *,
        seconds: float,
        cancel: Cancel | None = None,
    ) -> Decision:
        """The answers to all of the questions, each of its question's kind, and to no other.

        Every question sees the whole state and nothing of the others, its own id included: its
        instructions name the parts of the state that it is about.

        Args:
            state: what is to be judged, as JSON has it.
            questions: at least one, by ids that the answers come back under.
            seconds: longest time, waiting for a busy server included.

        Raises:
            Cancelled: ``cancel`` was set.
            ModelTimeout: ``seconds`` went by.
            ModelServerUnreachable, ModelMissing, ModelServerBusy: it cannot answer now.
            ModelServerFault: it answered with anything but a whole and sound decision.
            ValueError: there is no question.
        """
        ...

    def check_usable(self, seconds: float) -> None:
        """Looks whether it would answer, with nothing of the user's. Raises as ``decide`` does."""
        ...
