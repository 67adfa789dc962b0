"""What is judged: a question, its answer, the passages behind it, and the reference answer."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

from pydantic import BaseModel, ConfigDict, StringConstraints, ValidationError

from local_rag.errors import InvalidRequest
from local_rag.evaluation.results import run_from_json

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from local_rag.evaluation.results import CaseResult

_Text = Annotated[str, StringConstraints(min_length=1, pattern=r"\S")]
_REFUSED = "the program refused to answer"


@dataclass(frozen=True, slots=True)
class Sample:
    """One answer to judge. Empty texts and no passages are told of, and not judged.

    Attributes:
        contexts: the passages that the answer was written from, best first.
        reference: the answer that is known to be right.
        no_answer: why ``answer`` is empty, where that is known.
    """

    case_id: str
    question: str
    answer: str
    contexts: tuple[str, ...]
    reference: str
    no_answer: str = ""


class _Line(BaseModel):
    """A sample in a file of JSON lines."""

    model_config = ConfigDict(frozen=True, strict=True)

    case_id: _Text
    question: _Text
    answer: str = ""
    contexts: list[str] = []
    reference: str = ""

    def sample(self) -> Sample:
        return Sample(
            self.case_id, self.question, self.answer, tuple(self.contexts), self.reference
        )


def read_samples(path: Path) -> list[Sample]:
    """The samples of a file, a JSON object a line.

    Raises:
        InvalidRequest: it cannot be read, is empty, or a line is of another form; names the line.
    """
    found = []
    for number, line in enumerate(_text(path).split("\n"), 1):
        if not line.strip():
            continue
        try:
            found.append(_Line.model_validate_json(line).sample())
        except ValidationError as exc:
            raise InvalidRequest(
                f"Line {number} of {path.name} is no sample: {_told(exc)}.",
                fix="Give case_id, question, answer, contexts and reference.",
            ) from exc
    return _checked(found, path)


def read_run(path: Path, variant: str | None) -> tuple[str, list[Sample]]:
    """The name and the samples of one variant of a run.

    Args:
        variant: its name; ``None`` takes the only one.

    Raises:
        InvalidRequest: the file is no run, or has no such variant.
    """
    try:
        row = json.loads(_text(path))
    except (ValueError, RecursionError) as exc:
        raise InvalidRequest(
            f"{path.name} is no JSON.",
            fix="Name a file that `local-rag-eval … --out FILE` wrote, or use --samples.",
        ) from exc
    run = run_from_json(row)
    named = {one.name: one for one in run.variants}
    if variant is None and len(named) == 1:
        (variant,) = named
    if variant not in named:
        said = f"has {len(named)} variants" if variant is None else f"has no variant {variant!r}"
        raise InvalidRequest(
            f"{path.name} {said}.", fix=f"Use --variant with one of: {', '.join(named) or '-'}."
        )
    return variant, _checked([_sample(one) for one in named[variant].results], path)


def _sample(result: CaseResult) -> Sample:
    no_answer = result.failure or (_REFUSED if result.refused else "")
    return Sample(
        case_id=result.case_id,
        question=result.question,
        answer="" if no_answer else result.answer,
        contexts=result.contexts,
        reference=result.reference_answer,
        no_answer=no_answer,
    )


def _text(path: Path) -> str:
    try:
        return path.read_text("utf-8-sig")
    except (OSError, UnicodeDecodeError) as exc:
        raise InvalidRequest(f"{path.name} cannot be read.", fix="Name a file in UTF-8.") from exc


def _checked(samples: list[Sample], path: Path) -> list[Sample]:
    if not samples:
        raise InvalidRequest(f"{path.name} has no case.", fix="Give at least one.")
    twice = _repeated(sample.case_id for sample in samples)
    if twice is not None:
        raise InvalidRequest(
            f"{path.name} has the case {json.dumps(twice)} twice.", fix="Name each case once."
        )
    return samples


def _repeated(names: Iterable[str]) -> str | None:
    seen: set[str] = set()
    for name in names:
        if name in seen:
            return name
        seen.add(name)
    return None


def _told(error: ValidationError) -> str:
    """The first fault and where it is; no text of the file."""
    first = error.errors(include_url=False, include_context=False, include_input=False)[0]
    where = ".".join(str(step) for step in first["loc"])
    return f"{where}: {first['msg']}" if where else first["msg"]
