"""Putting cases to a running program over HTTP, on this machine or wherever its address says."""

from __future__ import annotations

import time
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from local_rag.errors import EnvironmentFault, InvalidRequest
from local_rag.evaluation.asking import Known, NoAnswer
from local_rag.evaluation.observed import observed_json

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    import httpx

    from local_rag.evaluation.asking import Asker
    from local_rag.evaluation.observed import Observed
    from local_rag.evaluation.variants import Variant
    from local_rag.settings import Settings

_CONNECT_S = 5.0
_DPI = 80


class RunningProgram:
    """A ``runner.Source``: the program at an address, with the settings that it runs under.

    No proxy of the environment is used and no redirect followed: questions go there alone.

    Args:
        url: such as ``http://127.0.0.1:8000``.

    Raises:
        InvalidRequest: it is no address.
        EnvironmentFault: nothing answers there, or another program.
    """

    def __init__(self, url: str) -> None:
        import httpx

        parts = urlsplit(url)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise InvalidRequest(
                f"{url!r} is no address.", fix="Write --url http://127.0.0.1:8000."
            )
        self.unread: dict[str, str] = {}
        self._client = httpx.Client(
            base_url=url.rstrip("/"),
            timeout=httpx.Timeout(30.0, connect=_CONNECT_S),
            trust_env=False,
            follow_redirects=False,
        )
        self.told = self._get("/health")

    def settings(self, variant: Variant) -> Settings | None:
        """``None``: they are the running program's.

        Raises:
            InvalidRequest: the variant would change them.
        """
        if variant.shown():
            raise InvalidRequest(
                "A running program keeps its own settings.",
                fix="Leave the settings of --variant out, or leave --url out.",
            )
        return None

    @contextmanager
    def asker(self, variant: Variant) -> Iterator[Asker]:
        """The program itself."""
        del variant
        rows = self._get("/api/documents")
        try:
            documents = [
                Known(row["document_id"], row["name"], row["source_sha256"])
                for row in rows["documents"]
            ]
        except (KeyError, TypeError) as exc:
            raise _other_program() from exc
        yield _HttpAsker(self._client, documents)

    def page_image(self, document_id: str, page_number: int) -> bytes:
        """A page as PNG. Raises EnvironmentFault."""
        path = f"/api/documents/{document_id}/pages/{page_number}"
        return self._reply(path, {"dpi": _DPI}).content

    def close(self) -> None:
        """Closes the connections."""
        self._client.close()

    def _get(self, path: str) -> Any:
        try:
            return self._reply(path).json()
        except ValueError as exc:
            raise _other_program() from exc

    def _reply(self, path: str, params: dict[str, int] | None = None) -> httpx.Response:
        import httpx

        try:
            reply = self._client.get(path, params=params)
        except (httpx.HTTPError, httpx.InvalidURL) as exc:
            raise EnvironmentFault(
                f"No program answers at the address ({type(exc).__name__}).",
                fix="Start it with `local-rag serve`, and name its address with --url.",
            ) from exc
        if reply.status_code != 200:
            raise EnvironmentFault(
                f"The program answered {path} with status {reply.status_code}.",
                fix="See that a local-rag of this version runs there.",
            )
        return reply


class _HttpAsker:
    """The program behind a connection."""

    def __init__(self, client: httpx.Client, documents: Sequence[Known]) -> None:
        self._client = client
        self.documents = documents

    def ask(self, question: str, document_ids: Sequence[str] | None, timeout_s: float) -> Observed:
        """See ``Asker.ask``."""
        import httpx

        body = {"question": question}
        if document_ids is not None:
            body |= {"document_ids": list(document_ids)}  # type: ignore[dict-item]
        begun = time.perf_counter()
        try:
            reply = self._client.post(
                "/api/query", json=body, timeout=httpx.Timeout(timeout_s, connect=_CONNECT_S)
            )
        except httpx.TimeoutException as exc:
            raise NoAnswer(f"No answer within {timeout_s:g} s.") from exc
        except httpx.HTTPError as exc:
            raise NoAnswer(f"The program does not answer ({type(exc).__name__}).") from exc
        request_ms = (time.perf_counter() - begun) * 1000
        try:
            told = reply.json()
            if reply.status_code != 200:
                error = told["error"]
                raise NoAnswer(f"{error['message']} [{error['code']}]")
            observed = observed_json(told)
        except (ValueError, KeyError, TypeError, AttributeError) as exc:
            raise NoAnswer(
                f"The reply has not the form of an answer (status {reply.status_code})."
            ) from exc
        observed.timings_ms["request"] = request_ms
        return observed


def _other_program() -> EnvironmentFault:
    return EnvironmentFault(
        "What answers at the address is not this program.",
        fix="Name the address of a running local-rag.",
    )
