"""The commands beside ``serve``: they call a use case and print what it returns."""

from __future__ import annotations

import json
import sys
import textwrap
from typing import TYPE_CHECKING

from local_rag.api.schemas import answer_json, document_json
from local_rag.composition import open_catalog, open_services, open_throwaway_services
from local_rag.errors import InvalidRequest, LocalRagError, UnknownDocument, UnsupportedType
from local_rag.ingest.kinds import ENDINGS, media_type_of
from local_rag.text.names import display_name

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from local_rag.composition import Services
    from local_rag.model.answer import Answer, Citation
    from local_rag.settings import Settings

_WIDTH = 96


def ask(settings: Settings, files: Sequence[Path], question: str, *, as_json: bool) -> int:
    """Answers from the files alone, or from the library where none is given."""
    opened = open_throwaway_services(settings) if files else open_services(settings)
    with opened as services:
        for path in _expand(files):
            services.library.add(path, path.name)
        answer = services.desk.answer(question)
    if as_json:
        print(json.dumps(answer_json(answer), ensure_ascii=False, indent=2))
    else:
        print(_shown(answer))
    return 0


def add(settings: Settings, paths: Sequence[Path]) -> int:
    """Adds files, and the readable files of folders; goes on after one that fails."""
    failed: list[tuple[str, LocalRagError]] = []
    files = _expand(paths)
    with open_services(settings) as services:
        for number, path in enumerate(files, 1):
            label = f"[{number}/{len(files)}] {display_name(path.name)}"
            print(label, end=" … ", flush=True)
            try:
                print(_add_one(services, path))
            except LocalRagError as error:
                failed.append((display_name(path.name), error))
                print(f"failed: {error.message}")
    if failed:
        print(f"\n{len(failed)} of {len(files)} files were not added:")
        for name, reason in failed:
            print(f"  {name}: {reason.message} {reason.fix} [{reason.code}]")
    return 1 if failed else 0


def _add_one(services: Services, path: Path) -> str:
    added = services.library.add(path, path.name)
    document = added.document
    size = f"{document.page_count} pages, {document.chunk_count} passages"
    return {
        "created": f"added ({size})",
        "replaced": f"replaced the earlier version ({size})",
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
            f"{document.document_id}  {document.added_at[:16]}  {document.page_count:>5} pages"
            f"  {document.chunk_count:>6} passages  {document.name}"
        )
    return 0


def remove(settings: Settings, names: Sequence[str]) -> int:
    """Removes documents by name or id; all must exist, else none is removed."""
    with open_services(settings) as services:
        found = []
        for name in names:
            document = services.catalog.find_by_name(display_name(name))
            if document is None:
                try:
                    document = services.catalog.document(name)
                except UnknownDocument as error:
                    raise UnknownDocument(
                        f"No document has the name or id {name[:100]!r}; nothing was removed.",
                        fix="See `local-rag list` for names and ids.",
                    ) from error
            found.append(document)
        for document in dict.fromkeys(found):
            services.library.remove(document.document_id)
            print(f"removed {document.name}")
    return 0


def _expand(paths: Sequence[Path]) -> list[Path]:
    """The files named, and the readable ones below the folders named, hidden ones left out."""
    files: list[Path] = []
    for path in paths:
        if path.is_dir():
            files += sorted(
                child
                for child in path.rglob("*")
                if child.is_file()
                and not any(part.startswith(".") for part in child.relative_to(path).parts)
                and _readable(child.name)
            )
        elif path.is_file():
            files.append(path)
        else:
            raise InvalidRequest(
                f"There is no file or folder {display_name(path.name)!r}.",
                fix="Check the path. The question of `ask` comes last, in quotes.",
            )
    if paths and not files:
        raise InvalidRequest(
            "The folder holds no file that can be read.", fix=f"Name {', '.join(ENDINGS)} files."
        )
    return files


def _readable(name: str) -> bool:
    try:
        media_type_of(name)
    except UnsupportedType:
        return False
    return True


def _shown(answer: Answer) -> str:
    lines = [_wrapped(line) for line in answer.text.split("\n")]
    lines += [_wrapped(f"Not found in the documents: {p}") for p in answer.unsupported_parts]
    if answer.citations:
        lines += ["", "Sources"]
    for citation in answer.citations:
        lines += [
            _where(citation),
            _wrapped(f"“{' '.join(citation.quote.split())}”", indent="    "),
        ]
    return "\n".join(lines)


def _where(citation: Citation) -> str:
    chunk = citation.chunk
    place = f"page {chunk.page_number}"
    if citation.page_label and citation.page_label != str(chunk.page_number):
        place = f"p. {citation.page_label} (sheet {chunk.page_number})"
    section = f", {' › '.join(chunk.heading_path)}" if chunk.heading_path else ""
    return f"[{citation.number}] {citation.document.name}, {place}{section}"


def _wrapped(text: str, indent: str = "") -> str:
    width = _WIDTH if sys.stdout.isatty() else 10_000
    return textwrap.fill(
        text, width, initial_indent=indent, subsequent_indent=indent, break_long_words=False
    )
