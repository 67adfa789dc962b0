"""Text of a page, and what of it is not drawn: clipped away, or in a layer that is off."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Sequence

    from local_rag.adapters.pdf.content import Content
    from local_rag.adapters.pdf.lines import RawWord
    from local_rag.adapters.pdf.sheet import Sheet


def unshown_words(page: Any, sheet: Sheet, content: Content, words: Sequence[RawWord]) -> int:
    """How many more words a ``pymupdf.Page`` has than those that MuPDF finds drawn on it.

    What lies outside of the page is not meant.
    """
    from pymupdf import mupdf

    layers = _layers_off(page)
    if not (layers or content.has_clips):
        return 0
    document = mupdf.pdf_page_from_fz_page(page.this).doc()
    for layer in layers:
        mupdf.pdf_enable_layer(document, layer, 1)
    try:
        written = text_page_of(page, 0).extractWORDS()
    finally:
        for layer in layers:
            mupdf.pdf_enable_layer(document, layer, 0)
    drawn, there = (sum(sheet.holds(word[:4]) for word in some) for some in (words, written))
    return max(there - drawn, 0)


def text_page_of(page: Any, flags: int) -> Any:
    """Text of a page, without what a form's fields show."""
    import pymupdf
    from pymupdf import mupdf

    if not mupdf.pdf_first_widget(mupdf.pdf_page_from_fz_page(page.this)).m_internal:
        return page.get_textpage(flags=flags)
    rotation = page.rotation
    page.set_rotation(0)
    try:
        text_page = mupdf.FzStextPage(mupdf.fz_bound_page(page.this))
        device = mupdf.fz_new_stext_device(text_page, mupdf.FzStextOptions(flags))
        mupdf.fz_run_page_contents(page.this, device, mupdf.FzMatrix(), mupdf.FzCookie())
        mupdf.fz_run_page_annots(page.this, device, mupdf.FzMatrix(), mupdf.FzCookie())
        mupdf.fz_close_device(device)
    finally:
        page.set_rotation(rotation)
    return pymupdf.TextPage(text_page)


def _layers_off(page: Any) -> list[int]:
    """Numbers of the layers that are switched off."""
    from pymupdf import mupdf

    if page.parent.xref_get_key(page.parent.pdf_catalog(), "OCProperties")[0] == "null":
        return []
    document = mupdf.pdf_page_from_fz_page(page.this).doc()
    count = mupdf.pdf_count_layers(document)
    return [i for i in range(count) if not mupdf.pdf_layer_is_enabled(document, i)]
