"""Every setting: its variable, type, range, unit and purpose. Nothing else reads the environment.

A setting is read from the environment, else from a file ``.env`` in the working folder.
``.env.example`` documents each; a test keeps the two equal.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

from pydantic import AliasChoices, Field, SecretStr, ValidationError
from pydantic_settings import BaseSettings, SettingsConfigDict

from local_rag.errors import InvalidRequest

_OWN_NAMES = {"typesafe_api_key": "TYPESAFE_API_KEY"}
_URL = r"^https?://[^\s/]+"


class Settings(BaseSettings):
    """The program's settings, each from the variable that ``variable_of`` names."""

    model_config = SettingsConfigDict(
        env_prefix="RAG_",
        env_file=".env",
        env_ignore_empty=True,
        extra="ignore",
        frozen=True,
        populate_by_name=True,
    )

    data_dir: Annotated[
        Path,
        Field(description="Folder of everything the program keeps: catalogue, originals, index."),
    ] = Path("data")
    collection: Annotated[
        str,
        Field(
            pattern=r"^[A-Za-z0-9][A-Za-z0-9_-]{0,62}$",
            description="Name of the search index, in the data folder or on the Qdrant server.",
        ),
    ] = "documents"
    host: Annotated[
        str, Field(description="Address to listen on. Only loopback keeps the app to this machine.")
    ] = "127.0.0.1"
    port: Annotated[
        int, Field(ge=0, le=65535, description="Port to listen on; 0 takes a free one.")
    ] = 8000
    open_browser: Annotated[
        bool, Field(description="Whether `local-rag` opens the page in the browser.")
    ] = True
    chunk_size: Annotated[
        int, Field(ge=200, le=8000, description="Longest passage, in characters.")
    ] = 900
    chunk_overlap: Annotated[
        int,
        Field(
            ge=0,
            le=2000,
            description="Characters that neighbouring passages share, under half of the size.",
        ),
    ] = 150
    embedding_batch_size: Annotated[
        int, Field(ge=1, le=512, description="Passages embedded at once.")
    ] = 32
    threads: Annotated[
        int,
        Field(
            ge=0, le=256, description="Threads of the embedding model; 0 takes one for each core."
        ),
    ] = 0
    top_k: Annotated[int, Field(ge=1, le=50, description="Passages handed to the writer.")] = 4
    score_threshold: Annotated[
        float,
        Field(
            ge=-1,
            le=1,
            description="Lowest cosine similarity at which the dense ranking counts a passage.",
        ),
    ] = 0.15
    fusion: Annotated[
        Literal["rrf", "rank", "minmax"],
        Field(
            description="How the two rankings become one: rrf (by rank, scaled by score), rank "
            "(by rank alone) or minmax (by score)."
        ),
    ] = "rrf"
    dense_weight: Annotated[
        float | None,
        Field(ge=0, le=10, description="Weight of the ranking by meaning; empty: derived."),
    ] = None
    lexical_weight: Annotated[
        float | None,
        Field(gt=0, le=10, description="Weight of the ranking by words; empty: derived."),
    ] = None
    reranker: Annotated[
        Path | None,
        Field(
            description="Folder of a cross-encoder in ONNX that orders passages anew; empty: none."
        ),
    ] = None
    rerank_depth: Annotated[
        int, Field(ge=1, le=100, description="Passages that the reranker reads.")
    ] = 20
    max_upload_mb: Annotated[
        int, Field(ge=1, le=4096, description="Largest file, in megabytes of 1,000,000 bytes.")
    ] = 50
    extract_timeout: Annotated[
        float, Field(gt=0, le=86400, description="Longest time for reading one file, in seconds.")
    ] = 600.0
    chat_provider: Annotated[
        Literal["auto", "ollama", "openai-compatible", "llamacpp", "extractive"],
        Field(
            description="What writes answers: auto takes Ollama where it answers and has the model."
        ),
    ] = "auto"
    embedding_provider: Annotated[
        Literal["embedded", "ollama", "openai-compatible"],
        Field(description="What embeds passages and questions."),
    ] = "embedded"
    ollama_base_url: Annotated[
        str, Field(pattern=_URL, description="Address of Ollama, for chat and embedding.")
    ] = "http://localhost:11434"
    openai_base_url: Annotated[
        str,
        Field(
            pattern=_URL,
            description="Address of an OpenAI-compatible server, up to and with /v1.",
        ),
    ] = "http://localhost:1234/v1"
    openai_api_key: Annotated[
        SecretStr, Field(description="Key of the OpenAI-compatible server, if it wants one.")
    ] = SecretStr("")
    chat_model: Annotated[
        str, Field(min_length=1, description="Model that writes answers, as its server names it.")
    ] = "llama3.2:3b"
    embedding_model: Annotated[
        str,
        Field(
            min_length=1,
            description="Model of the embedding provider; embedded has one of its own.",
        ),
    ] = "embeddinggemma"
    eval_model: Annotated[
        str, Field(min_length=1, description="Model that judges answers in an evaluation.")
    ] = "qwen3:8b"
    eval_provider: Annotated[
        Literal["ollama", "openai-compatible"],
        Field(description="What runs the model that judges answers."),
    ] = "ollama"
    eval_base_url: Annotated[
        str,
        Field(
            pattern=rf"{_URL}|^$",
            description="Address of the server of that model; empty: that of its provider.",
        ),
    ] = ""
    eval_api_key: Annotated[
        SecretStr,
        Field(description="Key of the server at RAG_EVAL_BASE_URL, if it wants one."),
    ] = SecretStr("")
    llamacpp_model: Annotated[
        str, Field(description="Path of the GGUF file that llamacpp runs inside the program.")
    ] = ""
    request_timeout: Annotated[
        float,
        Field(gt=0, le=3600, description="Longest time for one call of a model, in seconds."),
    ] = 120.0
    jev_mode: Annotated[
        Literal["off", "observe", "repair"],
        Field(
            description="Whether a decision model checks the claims of an answer: off sends "
            "nothing."
        ),
    ] = "off"
    jev_base_url: Annotated[
        str,
        Field(pattern=_URL, description="Address of the decision model: hosted, or a server here."),
    ] = "https://api.typesafe.ai"
    typesafe_api_key: Annotated[
        SecretStr,
        Field(
            validation_alias=AliasChoices("TYPESAFE_API_KEY"),
            description="Key of the hosted decision model, sent to it alone.",
        ),
    ] = SecretStr("")
    jev_model: Annotated[
        str, Field(min_length=1, description="Decision model, as its server names it.")
    ] = "jev-1.13.0"
    jev_timeout: Annotated[
        float,
        Field(
            gt=0,
            le=600,
            description="Longest time for the checks of one part of a question, in seconds.",
        ),
    ] = 5.0
    jev_threshold: Annotated[
        float,
        Field(
            gt=0.5,
            le=1,
            description="Probability from which a check suggests to keep or to withhold.",
        ),
    ] = 0.9
    database_url: Annotated[
        SecretStr,
        Field(
            description="PostgreSQL for the catalogue and the jobs, shared by several processes; "
            "empty keeps them in the data folder."
        ),
    ] = SecretStr("")
    qdrant_url: Annotated[
        SecretStr,
        Field(description="Qdrant server for the search index; empty keeps it in the data folder."),
    ] = SecretStr("")
    qdrant_api_key: Annotated[
        SecretStr, Field(description="Key of the Qdrant server; empty for none.")
    ] = SecretStr("")
    qdrant_grpc: Annotated[
        int,
        Field(ge=0, le=65535, description="Port of Qdrant's gRPC interface; 0 speaks HTTP."),
    ] = 0
    qdrant_shards: Annotated[
        int, Field(ge=1, le=1024, description="Shards of a collection that is made anew.")
    ] = 1
    qdrant_replication: Annotated[
        int, Field(ge=1, le=16, description="Copies of each shard, on as many nodes.")
    ] = 1
    qdrant_timeout: Annotated[
        float,
        Field(ge=1, le=600, description="Longest time for one request to Qdrant, in seconds."),
    ] = 30.0
    sources_url: Annotated[
        SecretStr,
        Field(
            description="Shared folder or object store for the original files; empty keeps them "
            "in the data folder."
        ),
    ] = SecretStr("")
    sources_cache_mb: Annotated[
        int,
        Field(
            ge=100,
            le=10_000_000,
            description="Bound of the local copies of shared originals, in megabytes.",
        ),
    ] = 2000
    job_lease: Annotated[
        float,
        Field(
            ge=1,
            le=3600,
            description="Time after which the jobs of a silent process are taken over, in seconds.",
        ),
    ] = 30.0
    log_level: Annotated[
        str,
        Field(
            pattern=r"^(DEBUG|INFO|WARNING|ERROR)$", description="DEBUG, INFO, WARNING or ERROR."
        ),
    ] = "INFO"


def variable_of(name: str) -> str:
    """The environment variable of a setting: of its own name, or ``RAG_`` + it in capitals."""
    return _OWN_NAMES.get(name, f"RAG_{name.upper()}")


def load_settings(**overrides: object) -> Settings:
    """The settings of this process.

    Args:
        overrides: values that come from the command line and win over the environment.

    Raises:
        InvalidRequest: a variable is out of its range; the message names it.
    """
    try:
        settings = Settings(**overrides)  # type: ignore[arg-type]
    except ValidationError as exc:
        first = exc.errors()[0]
        variable = variable_of("_".join(str(part) for part in first["loc"]).lower())
        raise InvalidRequest(
            f"{variable} is {first.get('input')!r}: {first['msg']}.",
            fix=f"Set {variable} to a value that .env.example allows.",
        ) from exc
    if settings.chunk_overlap * 2 >= settings.chunk_size:
        raise InvalidRequest(
            f"RAG_CHUNK_OVERLAP is {settings.chunk_overlap}, RAG_CHUNK_SIZE {settings.chunk_size}.",
            fix="Set RAG_CHUNK_OVERLAP to less than half of RAG_CHUNK_SIZE.",
        )
    return settings
