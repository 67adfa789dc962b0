"""Ollama's own HTTP interface, as https://docs.ollama.com/api describes it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from local_rag.adapters.servers.wire import Endpoint
from local_rag.errors import ModelMissing, ModelServerFault, ModelServerRefusal, PromptTooLong

if TYPE_CHECKING:
    from collections.abc import Callable

    from local_rag.ports import Cancel

_LOOK_S = 5.0
KEEP_ALIVE = "30m"
"""How long a model stays in memory after a call."""


class Ollama:
    """One server, and one of its models.

    Args:
        variable: the setting that holds ``base_url``.
    """

    def __init__(self, base_url: str, model: str, *, variable: str = "RAG_OLLAMA_BASE_URL") -> None:
        self.model = model
        self._variable = variable
        self.install = f"ollama pull {model}"
        self._endpoint = Endpoint(
            base_url,
            software="Ollama",
            variable=variable,
            start="Start it with `ollama serve` (https://ollama.com/download), or set "
            f"{variable} to where it runs.",
        )
        self.shown = self._endpoint.shown

    def entry(self) -> dict[str, Any]:
        """What the server lists of the model: ``digest``, ``size``, ``remote_host`` …

        Raises:
            ModelMissing: it is not installed.
            ModelServerFault: as ``Endpoint.get``.
        """
        found = self._listed("/api/tags")
        if found is None:
            raise self._missing()
        return found

    def is_loaded(self) -> bool:
        """Whether the model is in memory. Raises as ``Endpoint.get``."""
        return self._listed("/api/ps") is not None

    def show(self) -> dict[str, Any]:
        """``model_info``, ``capabilities`` … of the model. Raises as ``entry``."""
        return self.post("/api/show", {"model": self.model}, seconds=_LOOK_S)

    def post(
        self,
        path: str,
        body: dict[str, Any],
        *,
        seconds: float,
        cancel: Cancel | None = None,
        max_bytes: int = 2_000_000,
    ) -> dict[str, Any]:
        """The object that the path answers with. Raises as ``chat``."""
        try:
            said = self._endpoint.post(
                path, body, seconds=seconds, cancel=cancel, max_bytes=max_bytes
            )
        except ModelServerRefusal as exc:
            raise self._told_apart(exc) from exc
        if not isinstance(said, dict):
            raise ModelServerFault(f"{self.shown} answered with another shape than documented.")
        return said

    def chat(
        self,
        body: dict[str, Any],
        on_line: Callable[[bytes], bool],
        *,
        seconds: float,
        cancel: Cancel | None,
        max_bytes: int,
    ) -> None:
        """Streams ``/api/chat``.

        Raises:
            ModelMissing: the model is not installed.
            PromptTooLong: the server says that the prompt does not fit.
            ModelServerFault: as ``Endpoint.stream``.
        """
        try:
            self._endpoint.stream(
                "/api/chat",
                body,
                on_line,
                types=("application/x-ndjson", "application/json"),
                seconds=seconds,
                cancel=cancel,
                max_bytes=max_bytes,
            )
        except ModelServerRefusal as exc:
            raise self._told_apart(exc) from exc

    def _listed(self, path: str) -> dict[str, Any] | None:
        said = self._endpoint.get(path, seconds=_LOOK_S)
        models = said.get("models") if isinstance(said, dict) else None
        if not isinstance(models, list):
            raise ModelServerFault(
                f"{self.shown} does not list its models.",
                fix=f"See that {self._variable} leads to Ollama.",
            )
        wanted = _full_name(self.model)
        entries = (entry for entry in models if isinstance(entry, dict))
        return next((e for e in entries if _full_name(str(e.get("name"))) == wanted), None)

    def _missing(self) -> ModelMissing:
        return ModelMissing(
            f"{self.shown} has no model {self.model}.", fix=f"Install it with `{self.install}`."
        )

    def _told_apart(self, refused: ModelServerRefusal) -> ModelServerFault:
        if refused.http_status == 404 and "not found" in refused.said:
            return self._missing()
        if "context" in refused.said and ("exceed" in refused.said or "too long" in refused.said):
            return PromptTooLong(f"The text does not fit into the window of {self.model}.")
        return refused


def _full_name(model: str) -> str:
    """Names without a tag mean the tag ``latest``."""
    name = model.lower()
    return name if ":" in name.rpartition("/")[2] else f"{name}:latest"
