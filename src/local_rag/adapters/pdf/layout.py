"""PyMuPDF's layout model: where a page has tables. Loaded at first use; slow beside all else."""

from __future__ import annotations

import contextlib
import io
import logging
from functools import cache
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator

    from local_rag.adapters.pdf.rules import Box

_LOG = logging.getLogger(__name__)
# The features of the text alone: a third of the time of those that look at a picture of the page.
_FEATURES = "rf"


def table_boxes(page: Any) -> list[Box]:
    """The boxes of the tables of a ``pymupdf.Page``, in its own coordinates.

    Empty where the model is missing or fails: it is half private, and only ever helps.
    """
    try:
        with contextlib.redirect_stdout(io.StringIO()):
            found = _model().predict(page)
    except Exception:  # noqa: BLE001 - whatever it raises, the page is read without it
        _LOG.warning("the layout model failed on a page")
        return []
    return [(x0, y0, x1, y1) for x0, y0, x1, y1, kind, *_ in found if kind == "table"]


@cache
def _model() -> Any:
    with _one_thread():
        from pymupdf.layout import DocumentLayoutAnalyzer

        return DocumentLayoutAnalyzer.get_model(feature_set_name=_FEATURES)


@contextlib.contextmanager
def _one_thread() -> Iterator[None]:
    """Sessions that are made meanwhile use one thread; else each takes all processors."""
    import onnxruntime

    original = onnxruntime.SessionOptions

    def options() -> Any:
        made = original()
        made.intra_op_num_threads = made.inter_op_num_threads = 1
        return made

    onnxruntime.SessionOptions = options
    try:
        yield
    finally:
        onnxruntime.SessionOptions = original
