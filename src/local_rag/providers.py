"""Builds the models that the settings name, to embed, to write and to check: the part of the
composition that speaks of model servers.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from local_rag.adapters.cross_encoder import CrossEncoder
from local_rag.adapters.minilm import MiniLmEmbedder
from local_rag.adapters.recorded_decisions import RecordedDecisions, RecordingDecisions
from local_rag.adapters.servers.embedder import ServerEmbedder
from local_rag.adapters.servers.embedding_calls import OllamaEmbedding, OpenAiEmbedding
from local_rag.adapters.servers.known_spaces import KnownSpaces
from local_rag.adapters.servers.llamacpp import LlamaCppChat
from local_rag.adapters.servers.locality import is_local
from local_rag.adapters.servers.ollama_chat import OllamaChat
from local_rag.adapters.servers.openai import OpenAiServer
from local_rag.adapters.servers.openai_chat import OpenAiChat
from local_rag.adapters.servers.systemone import SystemOne
from local_rag.errors import LocalRagError, ModelServerBusy, ModelTimeout
from local_rag.model.chat import ChatLimits
from local_rag.usecases.audit import Auditor
from local_rag.usecases.chat_choice import ChatChoice

if TYPE_CHECKING:
    from local_rag.ports import ChatModel, DecisionModel, Embedder, EmbedderInfo, Reranker
    from local_rag.settings import Settings


def embedder(settings: Settings) -> Embedder:
    """The embedder; its model and what is known of it are kept in the data folder."""
    models = settings.data_dir / "models"
    if settings.embedding_provider == "embedded":
        return MiniLmEmbedder(
            models, batch_size=settings.embedding_batch_size, threads=settings.threads
        )
    server: OllamaEmbedding | OpenAiEmbedding
    if settings.embedding_provider == "ollama":
        server = OllamaEmbedding(
            settings.ollama_base_url,
            settings.embedding_model,
            timeout_s=settings.request_timeout,
        )
    else:
        server = OpenAiEmbedding(
            _openai(settings, settings.embedding_model), timeout_s=settings.request_timeout
        )
    known = KnownSpaces(models / "embedding-servers.json")
    return ServerEmbedder(server, known, batch_size=settings.embedding_batch_size)


def embedder_of(settings: Settings, info: EmbedderInfo) -> Embedder | None:
    """The embedder of a vector space that was used before, if it answers and is still the same."""
    if info.provider not in ("embedded", "ollama", "openai-compatible"):
        return None
    named = {"embedding_provider": info.provider, "embedding_model": info.model}
    try:
        found = embedder(settings.model_copy(update=named))
        found.embed_query("warm")
    except LocalRagError:
        return None
    return found if found.info.digest == info.digest else None


def reranker(settings: Settings) -> Reranker | None:
    """The reranker that the settings name. Raises ModelFault where its folder lacks a file."""
    if settings.reranker is None:
        return None
    return CrossEncoder(settings.reranker, threads=settings.threads)


def embedding_is_local(settings: Settings) -> bool:
    """Whether passages and questions stay on this machine when they are embedded."""
    if settings.embedding_provider == "embedded":
        return True
    ollama = settings.embedding_provider == "ollama"
    base_url = settings.ollama_base_url if ollama else settings.openai_base_url
    return is_local(base_url, settings.embedding_model)


def configured_chat(settings: Settings) -> ChatModel | None:
    """The chat model that the settings name, asked nothing yet; ``None`` for extractive answers."""
    provider = settings.chat_provider
    if provider == "extractive":
        return None
    if provider == "openai-compatible":
        return OpenAiChat(_openai(settings, settings.chat_model), settings.openai_base_url)
    if provider == "llamacpp":
        return LlamaCppChat(Path(settings.llamacpp_model), threads=settings.threads)
    return OllamaChat(settings.ollama_base_url, settings.chat_model)


def judge(settings: Settings) -> ChatModel:
    """The chat model that judges answers in an evaluation, asked nothing yet.

    Raises:
        InvalidRequest: its address is none, or its key cannot be sent.
    """
    base_url, variable = settings.eval_base_url, "RAG_EVAL_BASE_URL"
    if settings.eval_provider == "ollama":
        if not base_url:
            return OllamaChat(settings.ollama_base_url, settings.eval_model)
        return OllamaChat(base_url, settings.eval_model, variable=variable)
    if not base_url:
        return OpenAiChat(_openai(settings, settings.eval_model), settings.openai_base_url)
    server = OpenAiServer(
        base_url,
        settings.eval_model,
        key=settings.eval_api_key.get_secret_value(),
        variable=variable,
        key_variable="RAG_EVAL_API_KEY",
    )
    return OpenAiChat(server, base_url)


def chat_limits(settings: Settings) -> ChatLimits:
    """The caps of a reply, with the time that the settings allow."""
    return ChatLimits(max_seconds=settings.request_timeout)


def chat_choice(settings: Settings) -> ChatChoice:
    """The chat model with its state, looked at in the background."""
    return ChatChoice(configured_chat(settings), optional=settings.chat_provider == "auto")


def chat_model(settings: Settings) -> ChatModel | None:
    """The chat model to use now. For ``auto`` it asks Ollama once; seconds at most."""
    chat = configured_chat(settings)
    if chat is None or settings.chat_provider != "auto":
        return chat
    return chat if chat.state().kind in ("ready", "loading") else None


def decision_model(settings: Settings) -> SystemOne:
    """The decision model of the settings, asked nothing yet.

    Raises:
        InvalidRequest: it is the hosted one and has no key, or its address is none.
    """
    key = settings.typesafe_api_key.get_secret_value()
    return SystemOne(settings.jev_base_url, settings.jev_model, key=key)


def recorded_decisions(path: Path) -> DecisionModel:
    """The decisions of a file. Raises InvalidRequest where it is none."""
    return RecordedDecisions(path)


def recording(model: DecisionModel, path: Path) -> DecisionModel:
    """The model, each of its decisions added to the file."""
    return RecordingDecisions(model, path)


def auditor(settings: Settings) -> Auditor | None:
    """What checks the claims of answers; ``None`` where that is off. Raises as above."""
    if settings.jev_mode == "off":
        return None
    return Auditor(
        decision_model(settings), settings.jev_mode, settings.jev_timeout, settings.jev_threshold
    )


def require_auditor(settings: Settings) -> None:
    """Looks whether a decision model on this machine can be used; one elsewhere is not called.

    Raises:
        InvalidRequest: the settings name none.
        ModelServerFault: nothing answers there, or nothing that decides.
    """
    found = auditor(settings)
    if found is None or not found.model.info.local:
        return
    try:
        found.model.check_usable(settings.jev_timeout)
    except (ModelTimeout, ModelServerBusy):  # it may be loading
        return


def _openai(settings: Settings, model: str) -> OpenAiServer:
    key = settings.openai_api_key.get_secret_value()
    return OpenAiServer(settings.openai_base_url, model, key=key)
