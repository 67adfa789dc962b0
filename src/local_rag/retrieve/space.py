"""What questions are searched in."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from local_rag.ports import Embedder, EmbedderInfo, SearchIndex


@dataclass(frozen=True, eq=False, slots=True)
class Space:
    """An index and what its vectors are made with.

    Attributes:
        info: identifies the vectors.
        embedder: ``None`` where their model is not at hand: passages are then found by words alone.
    """

    index: SearchIndex
    info: EmbedderInfo
    embedder: Embedder | None
