"""What was read from files, kept while a run goes on: other passages need no other reading."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

    from local_rag.model.document import Extraction
    from local_rag.ports import Extractor, Progress

Readings = dict[tuple[str, str], "Extraction"]
"""By path and media type."""


class RememberingExtractor:
    """``ports.Extractor`` that reads each file once; files are not to change meanwhile.

    Args:
        readings: shared by those that are to know what the others read.
    """

    def __init__(self, extractor: Extractor, readings: Readings) -> None:
        self._extractor = extractor
        self._readings = readings

    def extract(
        self,
        path: Path,
        media_type: str,
        progress: Progress | None = None,
        *,
        password: str | None = None,
    ) -> Extraction:
        """See ``ports.Extractor``."""
        key = (str(path), media_type)
        if key not in self._readings:
            self._readings[key] = self._extractor.extract(
                path, media_type, progress, password=password
            )
        return self._readings[key]

    def render(
        self,
        path: Path,
        media_type: str,
        page_number: int,
        dpi: int,
        *,
        password: str | None = None,
    ) -> bytes:
        """See ``ports.Extractor``."""
        return self._extractor.render(path, media_type, page_number, dpi, password=password)

    def close(self) -> None:
        """See ``ports.Extractor``; what was read is kept."""
        self._extractor.close()
