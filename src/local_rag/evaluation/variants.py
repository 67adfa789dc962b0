"""What is compared: sets of settings that a command line names."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from local_rag.errors import InvalidRequest
from local_rag.settings import load_settings

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from local_rag.settings import Settings

STRATEGIES = ("hybrid", "dense", "lexical")
_OF_PASSAGES = ("chunk_size", "chunk_overlap", "embedding_provider", "embedding_model")
"""Settings by which passages are made and embedded: another value needs another index."""

_OF_ANSWERS = (
    "top_k",
    "score_threshold",
    "fusion",
    "dense_weight",
    "lexical_weight",
    "reranker",
    "rerank_depth",
    "chat_provider",
    "chat_model",
    "llamacpp_model",
    "ollama_base_url",
    "openai_base_url",
    "request_timeout",
    "jev_mode",
    "jev_threshold",
    "threads",
)
OWN = "default"


@dataclass(frozen=True, slots=True)
class Variant:
    """A set of settings under a name.

    Attributes:
        changes: what differs from the program's own settings, as it was given.
        strategy: ``hybrid``, or one of its two rankings alone.
    """

    name: str = OWN
    changes: Mapping[str, str] = field(default_factory=dict)
    strategy: str = "hybrid"

    def settings(self, **overrides: object) -> Settings:
        """The settings under which it runs.

        Args:
            overrides: those that come from the command line for all variants.

        Raises:
            InvalidRequest: a value is out of its range.
        """
        return load_settings(**(overrides | dict(self.changes)))

    def shown(self) -> dict[str, Any]:
        """What differs from the program's own settings."""
        named = {} if self.strategy == "hybrid" else {"strategy": self.strategy}
        return dict(self.changes) | named


def variant_of(text: str) -> Variant:
    """A variant from ``name:key=value,key=value``, or ``name`` for the program's own settings.

    Raises:
        InvalidRequest: it has another form, or names a setting that changes no answer.
    """
    name, _, rest = text.partition(":")
    if not name.strip():
        raise InvalidRequest(
            f"The variant {text!r} has no name.", fix="Write --variant name:key=value,key=value."
        )
    changes: dict[str, str] = {}
    for pair in filter(None, (one.strip() for one in rest.split(","))):
        key, sign, value = (one.strip() for one in pair.partition("="))
        if not sign or key not in (*_OF_PASSAGES, *_OF_ANSWERS, "strategy"):
            known = ", ".join(("strategy", *_OF_PASSAGES, *_OF_ANSWERS))
            raise InvalidRequest(
                f"The variant {name!r} has {pair!r}, which is no setting of it.",
                fix=f"Write key=value with one of these keys: {known}.",
            )
        changes[key] = value
    strategy = changes.pop("strategy", "hybrid")
    if strategy not in STRATEGIES:
        raise InvalidRequest(
            f"There is no strategy {strategy!r}.", fix=f"Name one of {', '.join(STRATEGIES)}."
        )
    return Variant(name.strip(), changes, strategy)


def variants_of(texts: Sequence[str]) -> list[Variant]:
    """The variants of a command line; the program's own settings where there are none.

    Raises:
        InvalidRequest: two have one name; and as ``variant_of`` does.
    """
    variants = [variant_of(text) for text in texts] or [Variant()]
    names = [one.name for one in variants]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise InvalidRequest(
            f"Two variants are called {twice!r}.", fix="Give each variant a name of its own."
        )
    return variants


def of_passages(settings: Settings) -> tuple[object, ...]:
    """What tells one index from another; equal: the same passages with the same vectors."""
    named = {name: getattr(settings, name) for name in _OF_PASSAGES}
    if named["embedding_provider"] == "embedded":
        named["embedding_model"] = ""  # it has one of its own
    return tuple(named.values())


def told_settings(settings: Settings) -> dict[str, Any]:
    """The settings by which answers come about, for a record: no key, no folder, no address.

    Models that the providers do not use are left out.
    """
    hidden = {"reranker", "llamacpp_model", "ollama_base_url", "openai_base_url", "threads"}
    if settings.embedding_provider == "embedded":
        hidden.add("embedding_model")
    if settings.chat_provider not in ("auto", "ollama", "openai-compatible"):
        hidden.add("chat_model")
    told = {n: getattr(settings, n) for n in (*_OF_PASSAGES, *_OF_ANSWERS) if n not in hidden}
    for name in ("reranker", "llamacpp_model"):
        path: Path | str | None = getattr(settings, name)
        if path:
            told[name] = str(path).replace("\\", "/").rpartition("/")[2]
    return told
