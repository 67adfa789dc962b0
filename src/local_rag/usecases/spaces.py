"""The vector spaces of a library: the one that answers, and one that is to replace it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from local_rag.ports import Point
from local_rag.retrieve.space import asked
from local_rag.text.tokens import tokenize
from local_rag.usecases.watch import unwatched

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from local_rag.model.document import Chunk, Document
    from local_rag.retrieve.space import Space
    from local_rag.usecases.watch import Watch

_EMBED_AT_ONCE = 32  # few enough to be cancelled between within a second


def points_of(
    space: Space, chunks: Sequence[Chunk], document: Document, watch: Watch = unwatched
) -> list[Point]:
    """What the index of a space holds of the passages, embedded a few at a time.

    Without the space's model they get no direction (all zeros): words alone find them.
    """
    points: list[Point] = []
    for begin in range(0, len(chunks), _EMBED_AT_ONCE):
        watch("embedding", begin, len(chunks))
        batch = chunks[begin : begin + _EMBED_AT_ONCE]
        texts = [chunk.indexed_text(document.title) for chunk in batch]
        if space.embedder is None:
            vectors = np.zeros((len(batch), space.info.dimensions), np.float32)
        else:
            vectors = space.embedder.embed_passages(texts)
        for chunk, text, vector in zip(batch, texts, vectors, strict=True):
            tokens = tokenize(text, document.language)
            points.append(Point(chunk.chunk_id, chunk.document_id, vector, tokens))
    return points


class Spaces:
    """Which index answers, and which one is being made.

    Args:
        serving: answers questions.
        building: is filled, to take over; ``None`` where the serving one is as it should be.
        settle: tidies up where the serving one is the only one.
    """

    def __init__(
        self,
        serving: Space,
        building: Space | None = None,
        *,
        settle: Callable[[], None] = lambda: None,
    ) -> None:
        self._serving = serving
        self._building = building
        self._settle = settle

    @property
    def serving(self) -> Space:
        """Answers questions."""
        return self._serving

    @property
    def building(self) -> Space | None:
        """Is filled, to take over."""
        return self._building

    def count(self) -> int:
        """Passages in the one that answers."""
        return asked(lambda: self._serving, lambda space: space.index.count())

    def all(self) -> tuple[Space, ...]:
        """Every one that a change of the library must reach."""
        return (self._serving,) if self._building is None else (self._serving, self._building)

    def switch(self) -> None:
        """Lets the building one answer. To be called where nobody writes, when it is complete."""
        if self._building is not None:
            old, self._serving, self._building = self._serving, self._building, None
            old.index.close()
        self.settle()

    def settle(self) -> None:
        """Tidies up after earlier indexes; to be called when the serving one is complete."""
        self._settle()

    def close(self) -> None:
        """Releases the indexes."""
        for space in self.all():
            space.index.close()
