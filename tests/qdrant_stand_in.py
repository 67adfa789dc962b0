"""What stands in for a Qdrant server in tests, where none can be had.

``local_client`` is qdrant-client's own local mode, in memory. ``StandIn`` puts one behind HTTP: it
takes the requests that ``QdrantSearchIndex`` sends, reads each with the models that qdrant-client
generates from the server's OpenAPI description, which forbid unknown fields, and answers in the
documented envelope. It says nothing about clusters, gRPC or the server's own speed.
"""

from __future__ import annotations

import threading
import time
import warnings
from contextlib import contextmanager

import uvicorn
from pydantic import TypeAdapter
from qdrant_client import QdrantClient, models
from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.responses import JSONResponse
from starlette.routing import Route


class _Locked:
    """One lock around every call: threads that write at once corrupt local mode's arrays."""

    def __init__(self, client: QdrantClient) -> None:
        self._client = client
        self._lock = threading.Lock()

    def __getattr__(self, name):
        method = getattr(self._client, name)

        def locked(*args, **kwargs):
            with self._lock, warnings.catch_warnings():
                warnings.simplefilter("ignore")  # "payload indexes have no effect"
                return method(*args, **kwargs)

        return locked


def local_client() -> _Locked:
    """In memory only: on a disk, local mode keeps pickles."""
    return _Locked(QdrantClient(":memory:"))


class StandIn:
    """A server of one node; ``requests`` holds (method, path with query, body) of each request.

    Attributes:
        faults: statuses to answer the next requests with, in order; 0 answers as usual.
        key: the API key that is asked for, or ``None``.
    """

    def __init__(self, key: str | None = None) -> None:
        self.client = local_client()
        self.key = key
        self.requests: list[tuple[str, str, object]] = []
        self.faults: list[int] = []
        self.url = ""
        c = "/collections/{name}"
        self.app = Starlette(
            routes=[
                self._route("GET", c + "/exists", self._exists),
                self._route("GET", "/aliases", self._aliases),
                self._route("POST", "/collections/aliases", self._change_aliases),
                self._route("PUT", c, self._create),
                self._route("PUT", c + "/index", self._index),
                self._route("PUT", c + "/points", self._upsert),
                self._route("POST", c + "/points/delete", self._delete),
                self._route("POST", c + "/points/query", self._query),
                self._route("POST", c + "/points/count", self._count),
                self._route("POST", c + "/facet", self._facet),
            ]
        )

    def _route(self, method, path, handler):
        async def answer(request):
            body = await request.json() if method != "GET" else None
            query = f"?{request.url.query}" if request.url.query else ""
            self.requests.append((method, request.url.path + query, body))
            if self.key is not None and request.headers.get("api-key") != self.key:
                return self._error(401, "Must provide an API key")
            if self.faults and (fault := self.faults.pop(0)):
                return self._error(fault, "scripted")
            name = request.path_params.get("name", "")
            try:
                result = await run_in_threadpool(handler, name, body)
            except ValueError as error:
                return self._error(409 if "already exists" in str(error) else 404, str(error))
            return JSONResponse({"result": _plain(result), "status": "ok", "time": 0.0})

        return Route(path, answer, methods=[method])

    @staticmethod
    def _error(status, text):
        return JSONResponse({"status": {"error": text}, "time": 0.0, "result": None}, status)

    def _exists(self, name, _body):
        return {"exists": self.client.collection_exists(name)}

    def _aliases(self, _name, _body):
        return self.client.get_aliases()

    def _change_aliases(self, _name, body):
        changes = models.ChangeAliasesOperation.model_validate(body).actions
        return self.client.update_collection_aliases(changes)

    def _create(self, name, body):
        asked = models.CreateCollection.model_validate(body)
        return self.client.create_collection(
            name, vectors_config=asked.vectors, sparse_vectors_config=asked.sparse_vectors
        )

    def _index(self, name, body):
        models.CreateFieldIndex.model_validate(body)
        return {"operation_id": 0, "status": "completed"}

    def _upsert(self, name, body):
        return self.client.upsert(name, models.PointsList.model_validate(body).points)

    def _delete(self, name, body):
        return self.client.delete(name, TypeAdapter(models.PointsSelector).validate_python(body))

    def _query(self, name, body):
        asked = models.QueryRequest.model_validate(body)
        return self.client.query_points(
            name,
            query=asked.query,
            using=asked.using,
            limit=asked.limit,
            query_filter=asked.filter,
            with_payload=asked.with_payload,
        )

    def _count(self, name, body):
        return self.client.count(name, exact=models.CountRequest.model_validate(body).exact)

    def _facet(self, name, body):
        asked = models.FacetRequest.model_validate(body)
        return self.client.facet(name, asked.key, limit=asked.limit, exact=asked.exact)


def _plain(result):
    return result.model_dump(mode="json") if hasattr(result, "model_dump") else result


@contextmanager
def serving_stand_in(key: str | None = None):
    """A ``StandIn`` on a free port of loopback."""
    made = StandIn(key)
    server = uvicorn.Server(
        uvicorn.Config(made.app, host="127.0.0.1", port=0, log_config=None, lifespan="off")
    )
    thread = threading.Thread(target=server.run)
    thread.start()
    while not server.started:
        time.sleep(0.01)
    made.url = f"http://127.0.0.1:{server.servers[0].sockets[0].getsockname()[1]}"
    try:
        yield made
    finally:
        server.should_exit = True
        thread.join()
