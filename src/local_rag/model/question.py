"""What a question asks for, understood without a model."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Part:
    """One part of a question, retrieved and answered on its own.

    Attributes:
        text: the part in the question's own words.
        context: what came before it, where this one points back to it ("and how does it work?"):
            the part before, or the question before.
        exhaustive: it asks for everything of a kind ("list all …"), not for one fact.
        phrases: what it quotes; a passage must hold each of them word for word.
    """

    text: str
    context: str = ""
    exhaustive: bool = False
    phrases: tuple[str, ...] = ()

    @property
    def search_text(self) -> str:
        """What is searched for: the part with the context it needs."""
        return f"{self.context} {self.text}".strip()


@dataclass(frozen=True, slots=True)
class Question:
    """A question and its parts, one to three.

    Attributes:
        language: ISO 639-1 code, ``und`` where it is not clear.
    """

    text: str
    language: str
    parts: tuple[Part, ...]
