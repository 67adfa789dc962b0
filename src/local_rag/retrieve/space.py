"""What questions are searched in."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable

    from local_rag.ports import Embedder, EmbedderInfo, SearchIndex

T = TypeVar("T")


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


def asked(current: Callable[[], Space], ask: Callable[[Space], T]) -> T:
    """What the current space says; where another took its place meanwhile, what that one says.

    The index of a space that has been replaced is closed, whoever is searching in it.
    """
    while True:
        space = current()
        try:
            return ask(space)
        except Exception:
            if space is current():
                raise
