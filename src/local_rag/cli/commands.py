"""The commands beside ``serve``: they call a use case and print what it returns."""

from __future__ import annotations

import getpass
import json
import sys
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from local_rag.api.schemas import document_json
from local_rag.beside import open_catalog
from local_rag.cli.files import find_files, passed_over
from local_rag.cli.show import Board, counted, failures
from local_rag.composition import open_services
from local_rag.errors import LocalRagError, PasswordRequired, StoreLocked, UnknownDocument
from local_rag.text.names import display_name, local_name

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from local_rag.cli.files import FoundFile
    from local_rag.composition import Services
    from local_rag.model.document import Document
    from local_rag.ports import Catalog
    from local_rag.settings import Settings
    from local_rag.usecases.library import Added, Library

_ADD_INSTEAD = "Add the files in its page, or send them to its `POST /api/documents`"
_REMOVE_INSTEAD = "Remove in its page, or through its `DELETE /api/documents/{id}`"


def add(settings: Settings, paths: Sequence[Path]) -> int:
    """Adds files, and the readable files of folders; goes on after one that fails."""
    failed: list[tuple[str, LocalRagError]] = []
    files = find_files(paths)
    board = Board(len(files))
    with library(settings, _ADD_INSTEAD) as services:
        for file in files:
            board.begin(file.name)
            try:
                board.end(_outcome(_read(file, services.library, board)))
            except LocalRagError as error:
                failed.append((file.name, error))
                board.end(f"failed: {error.message}")
            except (KeyboardInterrupt, SystemExit):
                board.end("stopped")
                raise
    if failed:
        print(f"\n{failures(failed, len(files))}")
    if skipped := passed_over(paths):
        print(f"\nPassed over, of kinds that are not read: {', '.join(skipped)}")
    return 1 if failed else 0


def _read(file: FoundFile, library: Library, board: Board) -> Added:
    """Adds the file; asks for its password if it needs one and somebody is there to give it."""
    try:
        return file.read_into(library, board.watch)
    except PasswordRequired:
        if not sys.stdin.isatty():
            raise
        board.clear()
        password = getpass.getpass(f"Password of {file.name} (empty: leave it out): ")
        if not password:
            raise
        return file.read_into(library, board.watch, password=password)


def _outcome(added: Added) -> str:
    document = added.document
    pages, passages = counted(document.page_count, "page"), counted(document.chunk_count, "passage")
    return {
        "created": f"added ({pages}, {passages})",
        "replaced": f"replaced the earlier version ({pages}, {passages})",
        "unchanged": "already here, unchanged",
        "duplicate": f"already here as {document.name}",
    }[added.outcome]


def list_documents(settings: Settings, *, as_json: bool) -> int:
    """Prints the library; works beside a running program."""
    with open_catalog(settings) as catalog:
        documents = catalog.documents()
    if as_json:
        shown = {"documents": [document_json(document) for document in documents]}
        print(json.dumps(shown, ensure_ascii=False, indent=2))
    elif not documents:
        print("The library is empty. Add files with: local-rag add PATH…")
    for document in () if as_json else documents:
        print(
            f"{document.document_id}  {document.added_at[:16]}"
            f"  {counted(document.page_count, 'page'):>11}"
            f"  {counted(document.chunk_count, 'passage'):>15}  {document.name}"
        )
    return 0


def remove(settings: Settings, names: Sequence[str]) -> int:
    """Removes documents by name or id; all must exist, else none is removed."""
    with library(settings, _REMOVE_INSTEAD) as services:
        found = [_document(services.catalog, name) for name in names]
        for document in dict.fromkeys(found):
            services.library.remove(document.document_id)
            print(f"removed {document.name}")
    return 0


def reindex(settings: Settings) -> int:
    """Makes the search index anew where the embedding model or the tokenizer has changed."""
    with library(
        settings, "It does so by itself, and its `/health` says how far it is"
    ) as services:
        begun = services.reindex.progress
        if begun.state == "none":
            print(f"Nothing to do: the index was made with {services.embedder.info.model}.")
            return 0
        board = Board(1)
        board.begin(f"{begun.made_with} → {begun.wanted}")
        try:
            services.reindex.run(lambda done, total: board.watch("embedding", done, total))
        except BaseException:
            board.end("stopped; what is done is kept")
            raise
        board.end(f"embedded anew ({counted(services.reindex.progress.total, 'passage')})")
    return 0


def _document(catalog: Catalog, name: str) -> Document:
    """By its name as it is shown, by the path that it was added from, or by its id."""
    parts = Path(name).parts
    # A path that leads to none of them is not one of another folder.
    for called in (local_name(parts), *([] if len(parts) > 1 else [display_name(name)])):
        if document := catalog.find_by_name(called):
            return document
    try:
        return catalog.document(name)
    except UnknownDocument as error:
        raise UnknownDocument(
            f"No document has the name or id {name[:100]!r}; nothing was removed.",
            fix="See `local-rag list` for names and ids.",
        ) from error


@contextmanager
def library(settings: Settings, instead: str) -> Iterator[Services]:
    """The program on the data folder.

    Args:
        instead: what to do where another one runs there.

    Raises:
        StoreLocked: one does.
    """
    with ExitStack() as stack:
        try:
            services = stack.enter_context(open_services(settings))
        except StoreLocked as exc:
            raise StoreLocked(
                "Another local-rag is running with this data folder.",
                fix=f"{instead}, or stop it first.",
            ) from exc
        yield services
