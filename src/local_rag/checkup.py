"""Looks at each piece of the set-up, and says of each whether it works and what mends it."""

from __future__ import annotations

import shutil
import time
from typing import TYPE_CHECKING

from local_rag import providers
from local_rag.adapters.ocr.models import models as ocr_models
from local_rag.beside import open_catalog
from local_rag.composition import (
    SPACE_TO_START_BYTES,
    open_services,
)
from local_rag.errors import LocalRagError, StoreLocked
from local_rag.model.check import Check
from local_rag.stores import is_indexed_with

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from local_rag.ports import Embedder
    from local_rag.settings import Settings

_DECISION_S = 30.0
_REINSTALL = "Install the program again; the models' files are part of its packages."


def checkup(settings: Settings, check_folder: Callable[[], None]) -> Iterator[Check]:
    """The pieces, one after the other, each as soon as it was looked at.

    Args:
        check_folder: raises if the data folder cannot be used.
    """
    folder = _guarded("data folder", lambda: _data_folder(settings, check_folder))
    yield folder
    yield _guarded("disk space", lambda: _space(settings))
    yield _guarded("OCR", _ocr)
    embedder = providers.embedder(settings)
    embedding = _guarded("embedding", lambda: _embedding(settings, embedder))
    yield embedding
    if folder.works and embedding.works:
        yield _guarded("library", lambda: _library(settings, embedder))
    yield _guarded("answers", lambda: _chat(settings))
    yield _guarded("checks", lambda: _audit(settings))


def _guarded(name: str, look: Callable[[], Check]) -> Check:
    try:
        return look()
    except LocalRagError as error:
        return Check(name, works=False, message=error.message, fix=error.fix)


def _data_folder(settings: Settings, check_folder: Callable[[], None]) -> Check:
    check_folder()
    return Check("data folder", works=True, message=f"{settings.data_dir} can be written.")


def _space(settings: Settings) -> Check:
    existing = next(
        p
        for p in (settings.data_dir.absolute(), *settings.data_dir.absolute().parents)
        if p.exists()
    )
    free = shutil.disk_usage(existing).free
    enough = free >= SPACE_TO_START_BYTES
    return Check(
        "disk space",
        works=enough,
        message=f"{free / 1e9:.1f} GB are free.",
        fix="" if enough else "Make room, or set RAG_DATA_DIR to a folder on another disk.",
    )


def _ocr() -> Check:
    try:
        ocr_models()
    except Exception as error:  # noqa: BLE001 - whatever a broken file or runtime raises
        return Check(
            "OCR",
            works=False,
            message=f"The networks that read pictures do not load ({type(error).__name__}).",
            fix=_REINSTALL,
        )
    return Check("OCR", works=True, message="The networks that read pictures load.")


def _embedding(settings: Settings, embedder: Embedder) -> Check:
    embedder.embed_query("Does it work?")
    info = embedder.info
    where = "on this machine" if providers.embedding_is_local(settings) else "on another machine"
    return Check(
        "embedding",
        works=True,
        message=f"{info.model} ({info.provider}) gives {info.dimensions} numbers, {where}.",
    )


def _library(settings: Settings, embedder: Embedder) -> Check:
    """Opens it, as a start does, unless that would embed everything anew."""
    with open_catalog(settings) as catalog:
        if not is_indexed_with(catalog, embedder.info):
            documents = sum(catalog.languages().values())
            return Check(
                "library",
                works=True,
                message=f"Its {documents:,} documents were indexed with another embedding model: "
                "the next start embeds them anew.",
            )
    try:
        with open_services(settings) as services:
            documents = sum(services.catalog.languages().values())
            passages = services.spaces.serving.index.count()
    except StoreLocked:
        return Check(
            "library", works=True, message="A running local-rag has it open: not looked into."
        )
    return Check(
        "library",
        works=True,
        message=f"Documents: {documents:,}, indexed passages: {passages:,}.",
    )


def _chat(settings: Settings) -> Check:
    chat = providers.configured_chat(settings)
    if chat is None:
        return Check("answers", works=True, message="Sentences are quoted; no chat model is used.")
    state = chat.state()
    chat.close()
    if state.kind in ("ready", "loading"):
        away = "" if chat.info.local else " Questions and passages leave this machine."
        return Check("answers", works=True, message=state.message + away)
    if settings.chat_provider == "auto":
        message = f"{state.message} Sentences are quoted instead."
        return Check("answers", works=None, message=message, fix=_sentence(state.fix))
    return Check("answers", works=False, message=state.message, fix=_sentence(state.fix))


def _audit(settings: Settings) -> Check:
    if settings.jev_mode == "off":
        return Check(
            "checks", works=True, message="Off: no decision model checks claims, none is asked."
        )
    model = providers.decision_model(settings)
    begun = time.monotonic()
    model.check_usable(_DECISION_S)
    away = "" if model.info.local else " Claims and the passages they cite leave this machine."
    took = f"{time.monotonic() - begun:.1f} s"
    answered = f"answers in {took}" if model.info.local else "can be reached"
    message = f"{settings.jev_mode}: {model.info.model} {answered}.{away}"
    return Check("checks", works=True, message=message)


def _sentence(fix: str) -> str:
    """A bare command, such as ``ollama pull llama3.2:3b``, as a sentence."""
    return fix if fix.endswith(".") else f"Run `{fix}`."
