"""The statements of a first draft, published while it comes in."""

from __future__ import annotations

from typing import TYPE_CHECKING

from local_rag.generate.grounded.check import check
from local_rag.generate.grounded.parse import StatementReader

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from local_rag.generate.grounded.check import Checked
    from local_rag.generate.grounded.parse import Said
    from local_rag.model.answer import Claim
    from local_rag.model.evidence import Evidence
    from local_rag.model.question import Part


class FirstDraft:
    """What may be published of a part's first draft while it comes in.

    That ends at the first statement that fails, for what takes its place must stand there.

    Attributes:
        claims: what was published.
        checked: the statements so far, each with what the check found.
    """

    def __init__(self, part: Part, language: str, publish: Callable[[Claim], None]) -> None:
        self.claims: list[Claim] = []
        self.checked: dict[Said, Checked] = {}
        self._part = part
        self._language = language
        self._publish = publish
        self._reader = StatementReader()
        self._is_open = True

    def hear(self, rows: Sequence[Evidence], delta: str) -> None:
        """Takes the next stretch of the reply.

        Args:
            rows: the passages that the model was shown.
        """
        for said in self._reader.feed(delta) if self._is_open else ():
            checked = self.checked[said] = check(said, rows, self._part, self._language)
            if checked.claim is None:
                self._is_open = False
                return
            self.claims.append(checked.claim)
            self._publish(checked.claim)
