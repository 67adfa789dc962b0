"""Reads PDF files with PyMuPDF. Runs inside the worker process of ``adapters.extraction``.

Each page is routed by itself: ``pdf.page.read_page`` decides how a page's lines are found;
everything after it works on rows, whatever found them.
"""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Any

from local_rag.adapters.pdf.assemble import assembled
from local_rag.adapters.pdf.images import opened_image
from local_rag.adapters.pdf.layers import LayerChecks
from local_rag.adapters.pdf.opening import check_xfa, metadata_title, mupdf_errors, opened
from local_rag.adapters.pdf.page import ReadPage, read_page
from local_rag.errors import NoPageImage, NoText, UnknownPage, UnreadableFile
from local_rag.ingest.kinds import IMAGES

if TYPE_CHECKING:
    from pathlib import Path

    from local_rag.model.document import Extraction
    from local_rag.ports import Progress

_LOG = logging.getLogger(__name__)
_MAX_PIXELS = 20_000_000


def read_pdf(
    path: Path, progress: Progress | None = None, *, password: str | None = None
) -> Extraction:
    """The document's pages and sections.

    Args:
        password: opens the file where it needs one.

    Raises:
        EmptyFile, WrongContent, PasswordRequired, UnreadableFile, TooLarge, NoText.
    """
    with opened(path, password) as document:
        pages = _read_pages(document, progress)
        check_xfa(document, " ".join(row.text for page in pages for row in page.rows))
        _check_text(document, pages)
        title = metadata_title(document)
        outline = _outline(document)
    return assembled(pages, outline, title)


def read_image(path: Path, progress: Progress | None = None) -> Extraction:
    """The text in a picture; a TIFF may have several pages.

    Raises:
        EmptyFile, WrongContent, UnreadableFile, TooLarge, NoText.
    """
    with opened_image(path) as document:
        pages = _read_pages(document, progress)
        _check_text(document, pages)
    return assembled(pages, (), None)


def _read_pages(document: Any, progress: Progress | None) -> list[ReadPage]:
    labelled = bool(document.get_page_labels())
    is_form = bool(document.is_form_pdf)
    layers = LayerChecks()
    pages = []
    if progress is not None:
        progress(0, document.page_count)
    for index in range(document.page_count):
        try:
            page = read_page(document, index, labelled=labelled, is_form=is_form, layers=layers)
        except Exception as exc:  # noqa: BLE001 - one page must not lose the others
            _LOG.info("page %d could not be read: %s", index + 1, type(exc).__name__)
            page = ReadPage.of_failure()
        pages.append(page)
        if progress is not None:
            progress(index + 1, document.page_count)
    return pages


def _check_text(document: Any, pages: list[ReadPage]) -> None:
    if any(c.isalnum() for page in pages for row in page.rows for c in row.text):
        return
    failed = any(page.path == "failed" for page in pages)
    if failed or (document.is_repaired and not _has_images(document)):
        raise UnreadableFile("The PDF is damaged: none of its pages could be read.")
    raise NoText(f"{_pages(len(pages))} looked at, and none has text that can be read.")


def _has_images(document: Any) -> bool:
    return any(document.get_page_images(i) for i in range(document.page_count))


def _outline(document: Any) -> list[list[object]]:
    try:
        return list(document.get_toc())
    except mupdf_errors():
        return []


def render(
    path: Path, media_type: str, page_number: int, dpi: int, *, password: str | None = None
) -> bytes:
    """A page as PNG (RGB, no alpha), annotations and form fields drawn.

    Args:
        page_number: from 1.
        dpi: lowered where the picture would exceed 20 megapixels.

    Raises:
        UnknownPage: the document has no such page.
        NoPageImage: the page is too damaged to be drawn.
        PasswordRequired: the file opens with a password only, and this is not it.
    """
    with opened_image(path) if media_type in IMAGES else opened(path, password) as document:
        if not 1 <= page_number <= document.page_count:
            raise UnknownPage(
                f"Page {page_number} was asked for; the document has {document.page_count:,}."
            )
        try:
            page = document.load_page(page_number - 1)
            inches = page.rect.width * page.rect.height / 72**2
            fitting = (_MAX_PIXELS / inches) ** 0.5 if inches else dpi
            picture = page.get_pixmap(dpi=max(1, int(min(dpi, fitting))), alpha=False, annots=True)
            return bytes(picture.tobytes("png"))
        except mupdf_errors() as exc:
            raise NoPageImage(f"Page {page_number} is damaged and cannot be drawn.") from exc


def _pages(count: int) -> str:
    return "1 page was" if count == 1 else f"{count:,} pages were"
