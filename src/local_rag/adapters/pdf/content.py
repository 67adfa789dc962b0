"""A page's own content, looked at by several steps and read once."""

from __future__ import annotations

import re
from functools import cached_property
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from local_rag.adapters.pdf.sheet import Box

# Streams larger than this are not looked into: they could be bombs.
_MAX_STREAM_BYTES = 64 * 1024
# Operators that fill an area, draw a picture or run another stream.
_FILLS = re.compile(rb"(?<=[\s\])>])(?:f\*?|F|[bB]\*?|sh|Do|EI)(?=\s|$)")
_CLIP = re.compile(rb"\sW\*?\s+n(?=\s|$)")
_BOX_BEFORE = 64  # bytes that hold the box of a clip
_PAGE_SHARE = 0.9  # of the page's sides: text that a clip of this size hides lies at the edge
_DO = re.compile(rb"\sDo(?=\s|$)")
_KNOWN_FILTERS = ("null", "/FlateDecode", "[/FlateDecode]")


class Content:
    """What is in the content streams of a ``pymupdf.Page``."""

    def __init__(self, page: Any) -> None:
        self._page = page

    @cached_property
    def operators(self) -> bytes | None:
        """The streams, unpacked; ``None`` where they are too large to be looked into."""
        page = self._page
        for xref in page.get_contents():
            _, filters = page.parent.xref_get_key(xref, "Filter")
            _, length = page.parent.xref_get_key(xref, "Length")
            if filters not in _KNOWN_FILTERS or not length.isdigit():
                return None
            if int(length) > _MAX_STREAM_BYTES:
                return None
        return bytes(page.read_contents())

    @cached_property
    def may_fill(self) -> bool:
        """Whether the page may fill an area or draw a picture; most pages do neither."""
        return self.operators is None or bool(_FILLS.search(self.operators))

    @cached_property
    def fills_after_text(self) -> bool:
        """Whether it may do so after it has drawn text."""
        operators = self.operators
        return operators is None or bool(_FILLS.search(operators, max(operators.find(b"ET"), 0)))

    @cached_property
    def has_clips(self) -> bool:
        """Whether it may clip what it draws to less than the page."""
        if self.operators is None:
            return True
        operators = self.operators
        return any(
            not self._is_of_page(operators[max(0, clip.start() - _BOX_BEFORE) : clip.start()])
            for clip in _CLIP.finditer(operators)
        )

    def _is_of_page(self, before_clip: bytes) -> bool:
        """Whether the stream ends with a box nearly as large as the page."""
        *_, wide, high, operator = [b"", b"", b"", *before_clip.split()]
        size = self._page.mediabox
        return (
            operator == b"re"
            and _number(wide) >= _PAGE_SHARE * size.width
            and _number(high) >= _PAGE_SHARE * size.height
        )

    @cached_property
    def has_small_forms(self) -> bool:
        """Whether it refers to other streams that draw, and none of them is large.

        Pictures do not count, nor what such streams refer to.
        """
        from pymupdf import mupdf

        if not self.operators or not _DO.search(self.operators):
            return False
        resources = mupdf.pdf_page_resources(mupdf.pdf_page_from_fz_page(self._page.this))
        named = mupdf.pdf_dict_gets(resources, "XObject")
        lengths = []
        for i in range(mupdf.pdf_dict_len(named)):
            stream = mupdf.pdf_dict_get_val(named, i)
            if mupdf.pdf_to_name(mupdf.pdf_dict_gets(stream, "Subtype")) == "Form":
                lengths.append(mupdf.pdf_to_int(mupdf.pdf_dict_gets(stream, "Length")))
        return bool(lengths) and max(lengths) <= _MAX_STREAM_BYTES

    @cached_property
    def log(self) -> list[tuple[str, Box]]:
        """What is drawn, in order: its kind and the box around it, before the rotation."""
        return list(self._page.get_bboxlog())


def _number(written: bytes) -> float:
    try:
        return abs(float(written))
    except ValueError:
        return 0.0
