"""Finding the passages for a question and writing nothing: what changes of retrieval cost."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from local_rag import composition
from local_rag.errors import LocalRagError
from local_rag.evaluation.asking import NoAnswer, known_documents
from local_rag.evaluation.observed import observed_answer
from local_rag.model.answer import Draft

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from local_rag.composition import Services
    from local_rag.evaluation.observed import Observed
    from local_rag.model.answer import Claim
    from local_rag.model.evidence import Evidence
    from local_rag.model.question import Question
    from local_rag.ports import Cancel
    from local_rag.settings import Settings


class SearchAsker:
    """``asking.Asker`` that finds passages as the settings say; every answer is a refusal."""

    def __init__(self, services: Services, settings: Settings) -> None:
        plain = settings.model_copy(update={"jev_mode": "off"})
        desk = composition.desk_under(services, plain)
        self._desk = replace(desk, writer=_Silent(), chat=None)
        self.documents = known_documents(services)

    def ask(self, question: str, document_ids: Sequence[str] | None, timeout_s: float) -> Observed:
        """See ``asking.Asker``; it takes no time that had to be watched."""
        del timeout_s
        try:
            return observed_answer(self._desk.answer(question, document_ids))
        except LocalRagError as error:
            raise NoAnswer(f"{error.message} [{error.code}]") from error


class _Silent:
    """A writer that finds no answer in anything."""

    name = "none"

    def write(
        self,
        question: Question,  # noqa: ARG002
        evidence: Sequence[Sequence[Evidence]],  # noqa: ARG002
        *,
        cancel: Cancel | None = None,  # noqa: ARG002
        on_claim: Callable[[Claim], None] | None = None,  # noqa: ARG002
    ) -> Draft:
        """See ``ports.Writer``."""
        return Draft(())
