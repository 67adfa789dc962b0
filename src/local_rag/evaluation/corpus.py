"""The documents that a set is asked of: files in a throw-away index, or the library."""

from __future__ import annotations

import hashlib
import json
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

from local_rag.composition import open_services, open_throwaway_services
from local_rag.errors import InvalidRequest, LocalRagError
from local_rag.evaluation.asking import DeskAsker
from local_rag.evaluation.proof import is_of_source
from local_rag.evaluation.readings import RememberingExtractor
from local_rag.evaluation.variants import of_passages

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

    from local_rag.composition import Services
    from local_rag.evaluation.asking import Asker, Known
    from local_rag.evaluation.cases import Case
    from local_rag.evaluation.readings import Readings
    from local_rag.evaluation.variants import Variant
    from local_rag.settings import Settings
    from local_rag.usecases.library import Library

_DPI = 80


class Readable(Protocol):
    """A file to be read, and what its document is called."""

    @property
    def name(self) -> str:
        """The document's name."""
        ...

    def read_into(self, library: Library) -> object:
        """Adds it. Raises LocalRagError."""
        ...


@dataclass(frozen=True, slots=True)
class _Original:
    """A document of the library, to be read once more."""

    path: Path
    name: str

    def read_into(self, library: Library) -> object:
        """See ``Readable``."""
        return library.add(self.path, self.name)


class Corpus:
    """The documents, opened anew for each way of making passages, and closed when it is done with.

    Attributes:
        unread: names of files that could not be read, with the reason.
    """

    def __init__(
        self,
        files: Sequence[Readable] | None,
        overrides: dict[str, object],
        tell: Callable[[str], None],
        reads_again: bool,
    ) -> None:
        self._files = files
        self._overrides = overrides
        self._tell = tell
        self._stack = ExitStack()  # of the first index, which draws pages too
        self._other = ExitStack()  # of one that another variant needs
        self._first: tuple[tuple[object, ...], Services] | None = None
        self._now: tuple[tuple[object, ...], Services] | None = None
        self._readings: Readings = {}
        self._reads_again = reads_again
        self._ways: set[tuple[object, ...]] = set()
        self.unread: dict[str, str] = {}

    def settings(self, variant: Variant) -> Settings:
        """The settings under which a variant runs.

        What is read from files is kept where those seen so far make passages in several ways.

        Raises:
            InvalidRequest: one is out of its range.
        """
        settings = variant.settings(**self._overrides)
        self._ways.add(of_passages(settings))
        return settings

    @contextmanager
    def asker(self, variant: Variant) -> Iterator[Asker]:
        """The program under the settings of a variant.

        Raises:
            LocalRagError: the library, or a model that the settings name, cannot be opened.
        """
        settings = self.settings(variant)
        asker = DeskAsker(self.services(settings), settings, variant.strategy)
        try:
            yield asker
        finally:
            asker.close()

    def services(self, settings: Settings) -> Services:
        """The program on passages as the settings make them; good until others are asked for.

        Raises:
            LocalRagError: the library, or a model that the settings name, cannot be opened.
        """
        key = of_passages(settings)
        if self._first is None:
            self._first = (key, self._opened(settings, self._stack))
        if self._first[0] == key:
            return self._first[1]
        if self._now is None or self._now[0] != key:
            self._other.close()
            self._now = None
            self._now = (key, self._opened(settings, self._other))
        return self._now[1]

    def page_image(self, document_id: str, page_number: int) -> bytes:
        """A page as PNG. Raises LocalRagError."""
        if self._first is None:
            raise InvalidRequest("No document has been opened.", fix="Ask a case first.")
        return self._first[1].library.page_image(document_id, page_number, _DPI)

    def close(self) -> None:
        """Closes what is open; throw-away folders are removed."""
        self._other.close()
        self._stack.close()

    def _opened(self, settings: Settings, stack: ExitStack) -> Services:
        if self._files is None and self._first is None:
            services = stack.enter_context(open_services(settings))
            self._check_index(services)
            return services
        services = stack.enter_context(
            open_throwaway_services(settings, lambda e: RememberingExtractor(e, self._readings))
            if self._reads_again or len(self._ways) > 1
            else open_throwaway_services(settings)
        )
        files = self._files if self._files is not None else self._originals()
        self._tell(f"reading {len(files)} documents …")
        for file in files:
            try:
                file.read_into(services.library)
            except LocalRagError as error:
                self.unread[file.name] = f"{error.message} [{error.code}]"
                self._tell(f"{file.name}: {error.message}")
        return services

    def _originals(self) -> list[_Original]:
        assert self._first is not None  # noqa: S101 - the library is opened first
        services = self._first[1]
        return [
            _Original(services.library.original(d.document_id)[1], d.name)
            for d in services.catalog.documents()
        ]

    def _check_index(self, services: Services) -> None:
        if services.spaces.building is not None:
            raise InvalidRequest(
                "The library's index was made with another embedding model.",
                fix="Run `local-rag reindex` first.",
            )


@contextmanager
def open_corpus(
    files: Sequence[Readable] | None,
    overrides: dict[str, object] | None = None,
    tell: Callable[[str], None] = lambda _: None,
    *,
    reads_again: bool = False,
) -> Iterator[Corpus]:
    """The documents of a set.

    Args:
        files: read into a throw-away index; ``None``: the library of the settings.
        overrides: settings that win over the environment.
        tell: is told what is being done, a line each.
        reads_again: whether what was read of the files is kept in memory for other passages.
    """
    corpus = Corpus(files, overrides or {}, tell, reads_again)
    try:
        yield corpus
    finally:
        corpus.close()


@dataclass(frozen=True, slots=True)
class Documents:
    """Which documents a case means, among those that there are."""

    known: Sequence[Known]
    _by_id: dict[str, Known] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_by_id", {one.document_id: one for one in self.known})

    def missing(self, case: Case) -> list[str]:
        """The names of expected sources that are not there, each once."""
        return list(
            dict.fromkeys(
                one.source
                for one in case.expected_evidence
                if not any(is_of_source(one, k.name, k.source_sha256) for k in self.known)
            )
        )

    def asked(self, case: Case) -> list[str] | None:
        """The ids of the documents that a case asks; ``None``: all.

        They are named by id, by the hash of their bytes, or by name.

        Raises:
            KeyError: one is not there.
        """
        if not case.document_ids:
            return None
        return [self._id_of(named) for named in case.document_ids]

    def _id_of(self, named: str) -> str:
        if named in self._by_id:
            return named
        for one in self.known:
            if named in (one.source_sha256, one.name):
                return one.document_id
        raise KeyError(named)

    @property
    def fingerprint(self) -> str:
        """SHA-256 of names and bytes, lower hex: equal where the documents are."""
        rows = sorted((one.name, one.source_sha256) for one in self.known)
        return hashlib.sha256(json.dumps(rows).encode()).hexdigest()
