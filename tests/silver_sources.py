"""Documents of the tests of golden candidates, read in this process."""

from __future__ import annotations

from typing import TYPE_CHECKING

from local_rag.adapters.pdf_reader import read_pdf
from local_rag.adapters.text_reader import read_markdown, read_text
from local_rag.evaluation.sources import SourceText, find_sources, read_source

if TYPE_CHECKING:
    from pathlib import Path


class LocalExtractor:
    """Reads here, not in a process of its own."""

    def extract(self, path, media_type, progress=None, *, password=None):
        readers = {"application/pdf": read_pdf, "text/markdown": read_markdown}
        return readers.get(media_type, read_text)(path)

    def render(self, path, media_type, page_number, dpi, *, password=None):
        raise NotImplementedError

    def close(self):
        pass


def sources_of(folder: Path, **files: str) -> list[SourceText]:
    """The texts of a folder, after these files (``name_md``: ``name.md``) were written there."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in files.items():
        (folder / ".".join(name.rsplit("_", 1))).write_text(text, "utf-8", newline="")
    return [read_source(source, LocalExtractor()) for source in find_sources(folder)]
