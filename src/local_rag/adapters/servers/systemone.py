"""A server of decision models that speaks System One: the hosted one, Ollama, llama.cpp."""

from __future__ import annotations

import re
import time
from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from local_rag.adapters.servers.locality import is_local
from local_rag.adapters.servers.systemone_wire import Unsound, decision_from, question_json
from local_rag.adapters.servers.wire import Endpoint
from local_rag.errors import (
    Cancelled,
    InvalidRequest,
    ModelMissing,
    ModelServerBusy,
    ModelServerFault,
    ModelServerRefusal,
)
from local_rag.model.decision import ChoiceQuestion, DecisionInfo

if TYPE_CHECKING:
    from collections.abc import Mapping

    from local_rag.model.decision import Decision, DecisionQuestion
    from local_rag.ports import Cancel

HOSTED_URL = "https://api.typesafe.ai"
_ROUTE = "/v1/systemone"
_MOST_BYTES = 1_000_000  # 255 options of 64 questions take less
_FULL_VERSION = re.compile(r"\d+\.\d+\.\d+$")
_LOOK_EVERY_S = 0.05
_TRIAL = ChoiceQuestion(
    "Which of the two does `text` say?",
    {"day": "That it is day.", "night": "That it is night."},
)


def is_hosted(base_url: str) -> bool:
    """Whether it is the address that the key belongs to, by an encrypted connection."""
    try:
        return _origin(base_url) == _origin(HOSTED_URL)
    except ValueError:
        return False


class SystemOne:
    """``ports.DecisionModel`` over HTTP.

    Args:
        base_url: with or without ``/v1``.
        model: as the server names it; where it ends in a full version, as in ``jev-1.13.0``, a
            reply of another model counts as none.
        key: of the hosted service; sent to no other address.

    Raises:
        InvalidRequest: the address is none, the key cannot be sent in a header, or the hosted
            service has none.
    """

    def __init__(self, base_url: str, model: str, *, key: str = "") -> None:
        hosted = is_hosted(base_url)
        if hosted and not key.strip():
            raise InvalidRequest(
                "The hosted decision model needs a key, and TYPESAFE_API_KEY is empty.",
                fix="Set TYPESAFE_API_KEY, or RAG_JEV_BASE_URL to a server on this machine, or "
                "RAG_JEV_MODE=off.",
            )
        self._info = DecisionInfo(model, is_local(base_url, model))
        self._endpoint = Endpoint(
            base_url.rstrip("/").removesuffix("/v1"),
            software="The decision model",
            variable="RAG_JEV_BASE_URL",
            start="Start the server, or set RAG_JEV_BASE_URL to where it runs, or "
            "RAG_JEV_MODE=off.",
            key=key if hosted else "",
            key_variable="TYPESAFE_API_KEY",
            locked="Set TYPESAFE_API_KEY to a valid key."
            if hosted
            else "Take a server that needs no key: the hosted service's is sent nowhere else.",
        )

    @property
    def info(self) -> DecisionInfo:
        """See ``ports.DecisionModel``."""
        return self._info

    def decide(
        self,
        state: Mapping[str, Any],
        questions: Mapping[str, DecisionQuestion],
        *,
        seconds: float,
        cancel: Cancel | None = None,
    ) -> Decision:
        """See ``ports.DecisionModel``. A busy server that says when is asked once more then."""
        if not questions:
            raise ValueError("no question")
        begun = time.monotonic()
        body = {
            "model": self._info.model,
            "state": dict(state),
            "questions": {name: question_json(asked) for name, asked in questions.items()},
        }
        try:
            said, headers = self._post(body, begun + seconds, cancel)
        except ModelServerBusy as busy:
            pause_s = _retry_after_s(busy.headers)
            if pause_s is None or time.monotonic() + pause_s >= begun + seconds:
                raise
            _pause(pause_s, cancel)
            said, headers = self._post(body, begun + seconds, cancel)
        request_id = _request_id(headers)
        elapsed_s = time.monotonic() - begun
        try:
            decision = decision_from(said, questions, request_id=request_id, elapsed_s=elapsed_s)
        except Unsound as exc:
            raise self._unsound(str(exc), request_id) from exc
        if _FULL_VERSION.search(self._info.model) and decision.model != self._info.model:
            raise self._unsound("it is of another model than was asked", request_id)
        return decision

    def check_usable(self, seconds: float) -> None:
        """See ``ports.DecisionModel``. The hosted one is asked for its models, none to decide."""
        if self._info.local:
            self.decide({"text": "It is night."}, {"trial": _TRIAL}, seconds=seconds)
        else:
            self._endpoint.get("/v1/models", seconds=seconds)

    def _unsound(self, why: str, request_id: str | None) -> ModelServerFault:
        shown = self._endpoint.shown
        fault = ModelServerFault(f"The reply of {shown[0].lower()}{shown[1:]} is unsound: {why}.")
        fault.request_id = request_id
        return fault

    def _post(
        self, body: dict[str, Any], deadline: float, cancel: Cancel | None
    ) -> tuple[Any, dict[str, str]]:
        try:
            return self._endpoint.post_with_headers(
                _ROUTE,
                body,
                seconds=max(deadline - time.monotonic(), 0.001),
                cancel=cancel,
                max_bytes=_MOST_BYTES,
            )
        except ModelServerFault as fault:
            fault.request_id = _request_id(fault.headers)
            if isinstance(fault, ModelServerRefusal) and fault.http_status in (404, 501):
                raise self._missing(fault) from fault
            raise

    def _missing(self, refused: ModelServerRefusal) -> ModelMissing:
        status = refused.http_status
        why = (
            f"has no model {self._info.model}, or decides nothing"
            if status == 404
            else f"runs a model that is no decision model, not {self._info.model}"
        )
        missing = ModelMissing(
            f"{self._endpoint.shown} {why} (HTTP {status}).",
            fix="Set RAG_JEV_MODEL to a decision model that the server at RAG_JEV_BASE_URL has.",
        )
        missing.http_status, missing.request_id = status, refused.request_id
        return missing


def _origin(url: str) -> tuple[str, str | None, int | None]:
    parts = urlsplit(url)
    return parts.scheme, parts.hostname, parts.port or {"https": 443, "http": 80}.get(parts.scheme)


def _request_id(headers: Mapping[str, str]) -> str | None:
    said = headers.get("x-typesafe-request-id", "")
    return said[:100] if said.isascii() and said.isprintable() and said else None


def _retry_after_s(headers: Mapping[str, str]) -> float | None:
    """When a busy server wants to be asked again; ``None``: it does not say."""
    for name, unit_s in (("retry-after-ms", 0.001), ("retry-after", 1.0)):
        said = headers.get(name, "").strip()
        if re.fullmatch(r"\d{1,9}(?:\.\d{1,9})?", said):
            return float(said) * unit_s
    try:
        at = parsedate_to_datetime(headers.get("retry-after", ""))
        return max(at.timestamp() - time.time(), 0.0)
    except (ValueError, OverflowError):
        return None


def _pause(seconds: float, cancel: Cancel | None) -> None:
    end = time.monotonic() + seconds
    while (left := end - time.monotonic()) > 0:
        if cancel is not None and cancel.is_set():
            raise Cancelled("The call was cancelled.", fix="Ask again if it is wanted after all.")
        time.sleep(min(left, _LOOK_EVERY_S))
