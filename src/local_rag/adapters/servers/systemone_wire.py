"""The System One wire: questions and answers as JSON, every answer checked.

``POST /v1/systemone`` takes ``{"model", "state", "questions"}`` and answers with
``{"model", "answers", "usage"}``.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from local_rag.model.decision import (
    ChoiceAnswer,
    ChoiceQuestion,
    Decision,
    NoulAnswer,
    ScoreAnswer,
    ScoreQuestion,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from local_rag.model.decision import DecisionAnswer, DecisionQuestion

_SUM_TOLERANCE = 0.01  # one server rounds probabilities to four decimals


class Unsound(Exception):
    """An answer that is none; says which check it failed, in words without any of its text."""


def question_json(question: DecisionQuestion) -> dict[str, Any]:
    """A question as it is sent."""
    if isinstance(question, ChoiceQuestion):
        kind, criteria = "choice", dict[str, Any](question.options)
    elif isinstance(question, ScoreQuestion):
        return {
            "type": "score",
            "instructions": question.instructions,
            "criteria": list(question.levels),
        }
    else:
        kind, criteria = "noul", {"true": question.yes, "false": question.no}
    return {"type": kind, "instructions": question.instructions, "criteria": criteria}


def decision_from(
    said: Any,
    questions: Mapping[str, DecisionQuestion],
    *,
    request_id: str | None,
    elapsed_s: float,
) -> Decision:
    """The decision that a reply holds.

    Raises:
        Unsound: it is not exactly an answer to these questions.
    """
    if not isinstance(said, dict):
        raise Unsound("it is no object")
    model, answers, usage = said.get("model"), said.get("answers"), said.get("usage")
    if not isinstance(model, str) or not model:
        raise Unsound("it names no model")
    if not isinstance(answers, dict) or answers.keys() != questions.keys():
        raise Unsound("it answers other questions than were asked")
    if not isinstance(usage, dict):
        raise Unsound("it has no usage")
    return Decision(
        answers={name: _answer(answers[name], asked) for name, asked in questions.items()},
        model=model,
        request_id=request_id,
        elapsed_s=elapsed_s,
        input_tokens=_count(usage.get("input_tokens")),
        output_tokens=_count(usage.get("output_tokens")),
    )


def decision_json(decision: Decision) -> dict[str, Any]:
    """The reply that ``decision_from`` would read so."""
    return {
        "model": decision.model,
        "answers": {name: _answer_json(answer) for name, answer in decision.answers.items()},
        "usage": {
            "input_tokens": decision.input_tokens,
            "output_tokens": decision.output_tokens,
        },
    }


def _answer(said: Any, asked: DecisionQuestion) -> DecisionAnswer:
    kind = question_json(asked)["type"]
    if not isinstance(said, dict) or said.get("type") != kind:
        raise Unsound("an answer is of another type than its question")
    if isinstance(asked, ChoiceQuestion):
        p = _probabilities(said.get("probabilities"), asked.options)
        choice = said.get("choice")
        if not isinstance(choice, str) or choice not in p or p[choice] < max(p.values()):
            raise Unsound("its choice is not the likeliest option")
        return ChoiceAnswer(choice, p)
    if isinstance(asked, ScoreQuestion):
        levels = _probabilities(said.get("probabilities"), map(str, range(len(asked.levels))))
        values = tuple(levels[str(level)] for level in range(len(asked.levels)))
        return ScoreAnswer(values.index(max(values)), values)
    return NoulAnswer(_probability(said.get("noul")))


def _answer_json(answer: DecisionAnswer) -> dict[str, Any]:
    if isinstance(answer, ChoiceAnswer):
        return {
            "type": "choice",
            "choice": answer.choice,
            "probabilities": dict(answer.probabilities),
        }
    if isinstance(answer, ScoreAnswer):
        levels = {str(level): p for level, p in enumerate(answer.probabilities)}
        return {"type": "score", "score": answer.level, "probabilities": levels}
    return {"type": "noul", "noul": answer.p_yes}


def _probabilities(said: Any, options: Iterable[str]) -> dict[str, float]:
    if not isinstance(said, dict) or said.keys() != set(options):
        raise Unsound("its probabilities are of other options than were asked")
    found = {option: _probability(value) for option, value in said.items()}
    if not abs(math.fsum(found.values()) - 1) <= _SUM_TOLERANCE:
        raise Unsound("its probabilities do not add up to 1")
    return found


def _probability(said: Any) -> float:
    if isinstance(said, bool) or not isinstance(said, int | float) or not 0 <= said <= 1:
        raise Unsound("a probability is no number from 0 to 1")
    return float(said)


_MOST_TOKENS = 10**9  # of one request; more is no count, and might be no number for a reader


def _count(said: Any) -> int:
    if isinstance(said, bool) or not isinstance(said, int) or not 0 <= said <= _MOST_TOKENS:
        raise Unsound("its usage is no count")
    return said
