"""Decisions kept in a file, so that a run can be repeated without a server.

Each line is a JSON object: ``request_sha256`` (of state and questions), ``reply`` (as on the wire),
``request_id`` and ``elapsed_s``. It holds no text that was judged.
"""

from __future__ import annotations

import hashlib
import json
from typing import TYPE_CHECKING, Any

from local_rag.adapters.servers.systemone_wire import (
    Unsound,
    decision_from,
    decision_json,
    question_json,
)
from local_rag.errors import InvalidRequest, ModelServerFault
from local_rag.model.decision import DecisionInfo

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from local_rag.model.decision import Decision, DecisionQuestion
    from local_rag.ports import Cancel, DecisionModel


class RecordedDecisions:
    """``ports.DecisionModel`` of a file.

    Raises:
        InvalidRequest: it is not there, or a line is of another form.
    """

    def __init__(self, path: Path) -> None:
        self._replies: dict[str, dict[str, Any]] = {}
        try:
            lines = path.read_text("utf-8").splitlines()
        except (OSError, UnicodeDecodeError) as exc:
            raise InvalidRequest(
                f"{path.name} cannot be read.", fix="Name a file that --record has written."
            ) from exc
        for number, line in enumerate(lines, 1):
            try:
                row = json.loads(line)
                self._replies[row["request_sha256"]] = row
            except (ValueError, KeyError, TypeError) as exc:
                raise InvalidRequest(
                    f"Line {number} of {path.name} is no recorded decision.",
                    fix="Name a file that --record has written.",
                ) from exc
        models = [row.get("model") for row in self._replies.values()]
        named = str(models[0]) if models and models[0] else "recorded"
        self._info = DecisionInfo(named, local=True)

    @property
    def info(self) -> DecisionInfo:
        """See ``ports.DecisionModel``."""
        return self._info

    def decide(
        self,
        state: Mapping[str, Any],
        questions: Mapping[str, DecisionQuestion],
        *,
        seconds: float,  # noqa: ARG002 - nothing is waited for
        cancel: Cancel | None = None,  # noqa: ARG002
    ) -> Decision:
        """See ``ports.DecisionModel``."""
        if not questions:
            raise ValueError("no question")
        row = self._replies.get(_digest(state, questions))
        if row is None:
            raise ModelServerFault("The recorded file has no reply to this request.")
        try:
            return decision_from(
                row.get("reply"),
                questions,
                request_id=row.get("request_id"),
                elapsed_s=float(row.get("elapsed_s", 0.0)),
            )
        except (Unsound, TypeError, ValueError) as exc:
            raise ModelServerFault("A recorded reply is unsound.") from exc

    def check_usable(self, seconds: float) -> None:
        """See ``ports.DecisionModel``."""


class RecordingDecisions:
    """Asks another ``ports.DecisionModel`` and adds its decisions to a file."""

    def __init__(self, model: DecisionModel, path: Path) -> None:
        self._model = model
        self._path = path

    @property
    def info(self) -> DecisionInfo:
        """See ``ports.DecisionModel``."""
        return self._model.info

    def decide(
        self,
        state: Mapping[str, Any],
        questions: Mapping[str, DecisionQuestion],
        *,
        seconds: float,
        cancel: Cancel | None = None,
    ) -> Decision:
        """See ``ports.DecisionModel``."""
        decision = self._model.decide(state, questions, seconds=seconds, cancel=cancel)
        row = {
            "request_sha256": _digest(state, questions),
            "model": self._model.info.model,
            "request_id": decision.request_id,
            "elapsed_s": round(decision.elapsed_s, 4),
            "reply": decision_json(decision),
        }
        with self._path.open("a", encoding="utf-8") as file:
            file.write(json.dumps(row) + "\n")
        return decision

    def check_usable(self, seconds: float) -> None:
        """See ``ports.DecisionModel``."""
        self._model.check_usable(seconds)


def _digest(state: Mapping[str, Any], questions: Mapping[str, DecisionQuestion]) -> str:
    asked = {name: question_json(question) for name, question in questions.items()}
    canonical = json.dumps([dict(state), asked], sort_keys=True)
    return hashlib.sha256(canonical.encode("ascii")).hexdigest()
