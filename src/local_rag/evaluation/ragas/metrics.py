"""The metrics of ragas, asked through our judge. Import this through ``library`` only."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

from ragas.llms.base import InstructorBaseRagasLLM
from ragas.metrics.collections import (
    ContextPrecision,
    ContextRecall,
    FactualCorrectness,
    Faithfulness,
)
from ragas.prompt.metrics.base_prompt import BasePrompt

from local_rag.evaluation.ragas.measure import Metric
from local_rag.evaluation.ragas.task import Task

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from pydantic import BaseModel

    from local_rag.evaluation.ragas.judge import Judge
    from local_rag.evaluation.ragas.samples import Sample


class _Prompt(str):
    """A task on its way through ragas, which hands prompts on as texts."""

    __slots__ = ("task",)

    task: Task


class _Tasks:
    """Stands where a metric has a prompt of ragas: makes a task of it instead of one text."""

    def __init__(self, prompt: Any) -> None:
        self._instruction = prompt.instruction
        self._examples = tuple(
            (given.model_dump_json(exclude_none=True), reply.model_dump_json())
            for given, reply in prompt.examples
        )

    def to_string(self, data: BaseModel) -> str:
        made = _Prompt()
        made.task = Task(self._instruction, self._examples, data.model_dump(exclude_none=True))
        return made


class _Llm(InstructorBaseRagasLLM):  # type: ignore[misc]
    """ragas' language model over a judge."""

    def __init__(self, judge: Judge) -> None:
        self._judge = judge

    def generate(self, prompt: str, response_model: type[BaseModel]) -> BaseModel:
        if not isinstance(prompt, _Prompt):
            raise TypeError("a prompt that is not fenced")
        return self._judge.ask(prompt.task, response_model)

    async def agenerate(self, prompt: str, response_model: type[BaseModel]) -> BaseModel:
        try:
            return await asyncio.to_thread(self.generate, prompt, response_model)
        except asyncio.CancelledError:
            self._judge.stop()  # else the end of the loop would wait for the thread
            raise


def metrics_of(judge: Judge) -> Mapping[str, Metric]:
    """The four metrics of ``METRICS`` over a judge."""
    llm = _Llm(judge)
    return {
        "faithfulness": Metric(
            _scored(
                Faithfulness(llm=llm),
                lambda sample: {
                    "user_input": sample.question,
                    "response": sample.answer,
                    "retrieved_contexts": list(sample.contexts),
                },
            ),
            ("answer", "contexts"),
        ),
        "context_precision": Metric(
            _scored(ContextPrecision(llm=llm), _of_contexts), ("contexts", "reference")
        ),
        "context_recall": Metric(
            _scored(ContextRecall(llm=llm), _of_contexts), ("contexts", "reference")
        ),
        "factual_correctness": Metric(
            _scored(
                FactualCorrectness(llm=llm),
                lambda sample: {"response": sample.answer, "reference": sample.reference},
            ),
            ("answer", "reference"),
        ),
    }


def _of_contexts(sample: Sample) -> dict[str, Any]:
    return {
        "user_input": sample.question,
        "reference": sample.reference,
        "retrieved_contexts": list(sample.contexts),
    }


def _scored(metric: Any, fields: Callable[[Sample], dict[str, Any]]) -> Callable[[Sample], float]:
    for name, value in list(vars(metric).items()):
        if isinstance(value, BasePrompt):
            setattr(metric, name, _Tasks(value))

    def score(sample: Sample) -> float:
        return float(asyncio.run(metric.ascore(**fields(sample))).value)

    return score
