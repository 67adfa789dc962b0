"""Questions to a decision model, and its answers: options with probabilities, never text."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

_OPTIONS = range(2, 256)
_LEVELS = range(2, 11)


@dataclass(frozen=True, slots=True)
class ChoiceQuestion:
    """Which of several options holds.

    Attributes:
        instructions: what to decide; names the parts of the state that it is about.
        options: 2 to 255, each with what it means, or ``None`` where its name says so.
    """

    instructions: str
    options: Mapping[str, str | None]

    def __post_init__(self) -> None:
        if len(self.options) not in _OPTIONS:
            raise ValueError(f"a choice between {len(self.options)} options")


@dataclass(frozen=True, slots=True)
class ScoreQuestion:
    """Which of several ordered levels holds.

    Attributes:
        levels: 2 to 10 descriptions, the lowest first.
    """

    instructions: str
    levels: tuple[str, ...]

    def __post_init__(self) -> None:
        if len(self.levels) not in _LEVELS:
            raise ValueError(f"a score of {len(self.levels)} levels")


@dataclass(frozen=True, slots=True)
class NoulQuestion:
    """Yes or no; both sides are described."""

    instructions: str
    yes: str
    no: str


DecisionQuestion = ChoiceQuestion | ScoreQuestion | NoulQuestion


@dataclass(frozen=True, slots=True)
class ChoiceAnswer:
    """The likeliest option, and the probability of each; they add up to 1 within 0.01."""

    choice: str
    probabilities: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class ScoreAnswer:
    """The likeliest level, from 0, and the probability of each; they add up to 1 within 0.01."""

    level: int
    probabilities: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class NoulAnswer:
    """The probability of yes."""

    p_yes: float


DecisionAnswer = ChoiceAnswer | ScoreAnswer | NoulAnswer


@dataclass(frozen=True, slots=True)
class Decision:
    """The answers to one request, by the ids of its questions.

    Attributes:
        model: which one answered, as the server names it.
        request_id: the server's own name of the request; ``None`` where it gives none.
        input_tokens, output_tokens: as the server counted.
    """

    answers: Mapping[str, DecisionAnswer]
    model: str
    request_id: str | None
    elapsed_s: float
    input_tokens: int
    output_tokens: int


@dataclass(frozen=True, slots=True)
class DecisionInfo:
    """What identifies a decision model.

    Attributes:
        local: whether what it is asked stays on this machine.
    """

    model: str
    local: bool
