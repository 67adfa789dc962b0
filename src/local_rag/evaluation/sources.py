"""The files that golden cases are about, and their texts."""

from __future__ import annotations

import hashlib
import os
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from local_rag.errors import InvalidRequest, LocalRagError
from local_rag.ingest.kinds import ENDINGS, media_type_of
from local_rag.text.language import detect
from local_rag.text.names import local_name

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from local_rag.model.document import Extraction, Page
    from local_rag.ports import Extractor

_SAMPLE_CHARS = 20_000


@dataclass(frozen=True, slots=True)
class Source:
    """A file.

    Attributes:
        name: as golden cases call it: its way from the folder that was named.
        sha256: of its bytes, lower hex.
    """

    path: Path
    name: str
    sha256: str


@dataclass(frozen=True, slots=True)
class SourceText:
    """What was read of a file; ``language`` as ``text.language.detect`` tells it."""

    source: Source
    extraction: Extraction
    language: str

    def page(self, number: int | None) -> Page | None:
        """The page of this number from 1; the only one of a file without pages for ``None``."""
        wanted = 1 if number is None else number
        return next((p for p in self.extraction.pages if p.page_number == wanted), None)

    @property
    def has_pages(self) -> bool:
        """Whether its pages are sheets that can be told apart by their number."""
        pages = self.extraction.pages
        return len(pages) > 1 or any(page.width_pt > 0 for page in pages)


def find_sources(place: Path) -> list[Source]:
    """The file, or the readable files below the folder by name, hidden ones left out.

    Raises:
        InvalidRequest: there is no such place, or nothing in it that can be read.
    """
    if place.is_file():
        return [_source(place, (place.name,))]
    if not place.is_dir():
        raise InvalidRequest(
            f"There is no file or folder {local_name([place.name])!r}.", fix="Check the path."
        )
    found = [
        _source(path, path.relative_to(place).parts)
        for path in sorted(_below(place))
        if _can_be_read(path)
    ]
    if not found:
        raise InvalidRequest(
            "The folder holds no file that can be read.", fix=f"Name {', '.join(ENDINGS)} files."
        )
    return found


def read_source(source: Source, extractor: Extractor) -> SourceText:
    """Its text.

    Raises:
        LocalRagError: it cannot be read.
    """
    extraction = extractor.extract(source.path, media_type_of(source.path.name))
    text = "\n".join(page.text for page in extraction.pages)
    return SourceText(source, extraction, detect(_middle(text)))


def read_sources(
    sources: Sequence[Source], extractor: Extractor
) -> Iterator[tuple[Source, SourceText | LocalRagError]]:
    """Each with its text, or with why it has none."""
    for source in sources:
        try:
            yield source, read_source(source, extractor)
        except LocalRagError as error:
            yield source, error


def _middle(text: str) -> str:
    """A stretch from within: what opens a file is often names and addresses."""
    start = max(0, (len(text) - _SAMPLE_CHARS) // 2)
    return text[start : start + _SAMPLE_CHARS]


def _source(path: Path, parts: Sequence[str]) -> Source:
    try:
        with path.open("rb") as file:
            digest = hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as exc:
        raise InvalidRequest(
            f"{local_name([path.name])} cannot be opened.", fix="See that you may read it."
        ) from exc
    return Source(path, local_name(parts), digest)


def _below(folder: Path) -> Iterator[Path]:
    for here, folders, files in os.walk(folder):
        folders[:] = [name for name in folders if not name.startswith(".")]
        yield from (Path(here, name) for name in files if not name.startswith("."))


def _can_be_read(path: Path) -> bool:
    try:
        media_type_of(path.name)
    except LocalRagError:
        return False
    return path.is_file()
