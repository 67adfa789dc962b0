"""The part of OpenAI's HTTP interface that LM Studio, llama.cpp, vLLM and others share."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from local_rag.adapters.servers.wire import Endpoint
from local_rag.errors import ModelMissing, ModelServerFault, ModelServerRefusal, PromptTooLong

if TYPE_CHECKING:
    from collections.abc import Callable

    from local_rag.ports import Cancel

_LOOK_S = 5.0
_TOO_LONG = (
    "context_length_exceeded",
    "exceed_context_size",
    "context length",
    "context size",
    "context window",
    "maximum context",
    "too large to process",
    "too many tokens",
)


class OpenAiServer:
    """One server, and one of its models.

    Args:
        variable, key_variable: the settings that hold ``base_url`` and ``key``.
    """

    def __init__(
        self,
        base_url: str,
        model: str,
        *,
        key: str = "",
        software: str = "The model server",
        variable: str = "RAG_OPENAI_BASE_URL",
        key_variable: str = "RAG_OPENAI_API_KEY",
    ) -> None:
        self.model = model
        self._endpoint = Endpoint(
            base_url,
            software=software,
            variable=variable,
            start=f"Start the model server, or set {variable} to where it runs.",
            key=key,
            key_variable=key_variable,
            locked=f"Set {key_variable} to a key of this server."
            if variable.endswith("_BASE_URL")
            else "",
        )
        self.shown = self._endpoint.shown

    def check_served(self, setting: str) -> None:
        """Looks whether the server lists the model. llama.cpp has one, whatever it is called.

        Args:
            setting: the variable that holds the model's name.

        Raises:
            ModelMissing: it lists others only.
            ModelServerFault: as ``Endpoint.get``.
        """
        said = self._endpoint.get("/models", seconds=_LOOK_S)
        entries = said.get("data") if isinstance(said, dict) else None
        if not isinstance(entries, list):
            raise ModelServerFault(
                f"{self.shown} does not list its models.",
                fix="See that RAG_OPENAI_BASE_URL leads to a model server and ends in /v1.",
            )
        served = [entry for entry in entries if isinstance(entry, dict)]
        names = [str(entry.get("id")) for entry in served]
        if self.model in names:
            return
        if len(served) == 1 and served[0].get("owned_by") == "llamacpp":
            return
        listed = ", ".join(names[:5])
        raise ModelMissing(
            f"{self.shown} has no model {self.model}.",
            fix=f"Load it there, or set {setting} to one that it has"
            + (f" ({listed})." if listed else "."),
        )

    def post(
        self,
        path: str,
        body: dict[str, Any],
        *,
        seconds: float,
        cancel: Cancel | None = None,
        max_bytes: int = 2_000_000,
    ) -> Any:
        """The JSON that the path answers with. Raises as ``chat``."""
        try:
            return self._endpoint.post(
                path, body, seconds=seconds, cancel=cancel, max_bytes=max_bytes
            )
        except ModelServerRefusal as exc:
            raise self._told_apart(exc) from exc

    def chat(
        self,
        body: dict[str, Any],
        on_line: Callable[[bytes], bool],
        *,
        seconds: float,
        cancel: Cancel | None,
        max_bytes: int,
    ) -> None:
        """Streams ``/chat/completions``.

        Raises:
            ModelMissing: the server has no such model.
            PromptTooLong: the server says that the prompt does not fit.
            ModelServerRefusal: it takes the request for wrong.
            ModelServerFault: as ``Endpoint.stream``.
        """
        try:
            self._endpoint.stream(
                "/chat/completions",
                body,
                on_line,
                types=("text/event-stream",),
                seconds=seconds,
                cancel=cancel,
                max_bytes=max_bytes,
            )
        except ModelServerRefusal as exc:
            raise self._told_apart(exc) from exc

    def _told_apart(self, refused: ModelServerRefusal) -> ModelServerFault:
        if any(sign in refused.said for sign in _TOO_LONG):
            return PromptTooLong(f"The text does not fit into the window of {self.model}.")
        no_model = "model" in refused.said and "not found" in refused.said
        if "model_not_found" in refused.said or (refused.http_status == 404 and no_model):
            return ModelMissing(
                f"{self.shown} has no model {self.model}.", fix="Load the model in the server."
            )
        return refused
