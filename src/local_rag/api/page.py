"""The page and its files as they are sent.

The page comes with its places drawn, in the reader's language, so that it is painted before any
script runs. Files under a name of their version never change, so that a browser asks for each
once; under their plain names it asks each time whether they changed.
"""

from __future__ import annotations

import gzip
import html
import re
from typing import TYPE_CHECKING

from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.responses import HTMLResponse, Response

from local_rag.api.page_files import LANGUAGES, Edition, PageFile, PageFiles

if TYPE_CHECKING:
    from collections.abc import Collection

    from starlette.requests import Request
    from starlette.types import Receive, Scope, Send

LANGUAGE_COOKIE = "local-rag.language"
FALLBACK_LANGUAGE = "en"
_FOR_GOOD = "public, max-age=31536000, immutable"
_ASK_AGAIN = "no-cache"
_VERSIONED = re.compile(r"v-([0-9a-f]+)/(.+)")
_SLOT = re.compile(r"\{\{(\w+)\}\}")
_OWN_FILE = re.compile(r'(href|src)="/static/')


class StaticFiles:
    """ASGI app of the page's files."""

    def __init__(self, files: PageFiles) -> None:
        self._files = files
        self._edition = files.edition()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Sends a file, or that it has not changed.

        Raises:
            HTTPException: there is no such file, or something else than reading was asked.
        """
        if scope["method"] not in ("GET", "HEAD"):
            raise HTTPException(405)
        path = scope["path"].removeprefix(scope["root_path"]).lstrip("/")
        headers = Headers(scope=scope)
        named = _VERSIONED.fullmatch(path)
        if named is None or named[1] != self._edition.version:
            self._edition = self._files.edition()
        file = self._edition.files.get(named[2] if named else path)
        if file is None:
            raise HTTPException(404)
        # A page of an earlier version gets what there is, but must not keep it.
        lasting = named is not None and named[1] == self._edition.version
        response = _reply(file, headers, _FOR_GOOD if lasting else _ASK_AGAIN)
        await response(scope, receive, send)


def _reply(file: PageFile, asked: Headers, cache_control: str) -> Response:
    headers = {"Cache-Control": cache_control, "ETag": file.etag, "Vary": "Accept-Encoding"}
    if file.etag in asked.get("if-none-match", ""):
        return Response(status_code=304, headers=headers)
    if file.packed is not None and _unpacks(asked):
        headers["Content-Encoding"] = "gzip"
        return Response(file.packed, headers=headers, media_type=file.media_type)
    return Response(file.body, headers=headers, media_type=file.media_type)


def _unpacks(asked: Headers) -> bool:
    return "gzip" in asked.get("accept-encoding", "")


def page_response(files: PageFiles, request: Request) -> HTMLResponse:
    """The page in the language that its reader chose, else in the browser's first that there is."""
    edition = files.edition()
    chosen = request.cookies.get(LANGUAGE_COOKIE, "")
    accepted = request.headers.get("accept-language", "")
    language = wanted_language(chosen, accepted, edition.words)
    body = render(edition, language).encode()
    headers = {"Cache-Control": _ASK_AGAIN, "Vary": "Accept-Encoding, Accept-Language, Cookie"}
    if _unpacks(request.headers):
        body = gzip.compress(body, mtime=0)
        headers["Content-Encoding"] = "gzip"
    return HTMLResponse(body, headers=headers)


def wanted_language(chosen: str, accepted: str, known: Collection[str]) -> str:
    """The code of the language to draw the page in.

    Args:
        chosen: code that the reader chose, or nothing.
        accepted: header ``Accept-Language``, the dearest first, as browsers send it.
        known: codes of the languages that there are.
    """
    ranges = [part.split(";")[0].strip() for part in accepted.split(",")]
    for code in (chosen, *(part.split("-")[0].lower() for part in ranges)):
        if code in known:
            return code
    return FALLBACK_LANGUAGE


def render(edition: Edition, language: str) -> str:
    """The page with its words, its languages, and links to its files and modules."""
    words = {**edition.words[FALLBACK_LANGUAGE], **edition.words[language]}
    body = _SLOT.sub(lambda slot: html.escape(words[slot[1]]), edition.shell)
    body = _OWN_FILE.sub(lambda found: f'{found[1]}="{edition.link("")}', body)
    modules = (*edition.modules, f"{LANGUAGES}{language}.js")
    preloads = "\n    ".join(
        f'<link rel="modulepreload" href="{edition.link(path)}">' for path in modules
    )
    return (
        body.replace('lang="en"', f'lang="{language}"', 1)
        .replace('data-languages=""', f'data-languages="{" ".join(sorted(edition.words))}"')
        .replace("<!-- modules -->", f'<template id="modules">{preloads}</template>')
    )
