"""Readers of office and web files: each turns a file into pages of readable plain text.

They run inside the worker process of ``adapters.extraction``; none opens a connection, none
resolves an entity, none follows a link to a picture.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from local_rag.ingest.kinds import CSV, DOCX, EPUB, HTML, PPTX, TSV, XHTML, XLSX

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from local_rag.model.document import Extraction
    from local_rag.ports import Progress

    Reader = Callable[[Path, Progress | None], Extraction]

_READERS = {
    CSV: ("delimited", "read_csv"),
    TSV: ("delimited", "read_tsv"),
    DOCX: ("docx", "read_docx"),
    EPUB: ("epub", "read_epub"),
    HTML: ("html", "read_html"),
    XHTML: ("html", "read_html"),
    PPTX: ("pptx", "read_pptx"),
    XLSX: ("spreadsheet", "read_xlsx"),
}


def reader_of(media_type: str) -> Reader | None:
    """The function that reads such files, its packages imported now; ``None``: there is none."""
    if media_type not in _READERS:
        return None
    module, function = _READERS[media_type]
    reader: Reader = getattr(import_module(f"{__name__}.{module}"), function)
    return reader
