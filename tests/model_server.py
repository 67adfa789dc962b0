"""A model server over real HTTP that speaks Ollama's and OpenAI's interfaces, and fails on demand.

It behaves as their documentation says: newline-delimited JSON and server-sent events, counts in
the last message, errors as JSON objects, ``truncate``, ``num_ctx``, ``response_format``. One token
is one word.
"""

from __future__ import annotations

import contextlib
import json
import socket
import threading
import time
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler

import numpy as np
from loopback_server import LoopbackServer

WIDTH = 24
REPLY = ('{"answer": ', '"The lighthouse ', "was built ", 'in 1873."}')


@dataclass
class Behaviour:
    """What the server does until it is told otherwise.

    Attributes:
        deltas: the reply, stretch by stretch; any iterable, also one without end.
        first_delay_s: how long the model takes before the first stretch, as a cold one does.
        delay_s: between stretches.
        drop_after: breaks the connection off after this many stretches.
        cut_prompt: reads at most this many tokens of a prompt and says nothing, as some do.
        takes_forms: which ``response_format`` are not refused.
        statuses: HTTP status of the next calls of each path, in order; 0: as usual; -1: hangs up.
        raw: media type and body sent instead of anything else.
        redirect: where every call is sent.
        key: bearer token that calls must have.
        window: longest text, in tokens, that the embedding model takes.
    """

    deltas: object = REPLY
    done_reason: str = "stop"
    first_delay_s: float = 0.0
    delay_s: float = 0.0
    drop_after: int | None = None
    cut_prompt: int | None = None
    takes_forms: tuple = ("json_schema", "json_object", "text")
    statuses: dict = field(default_factory=dict)
    raw: tuple | None = None
    redirect: str | None = None
    key: str | None = None
    context: int = 8192
    window: int = 64
    cuts_embeddings: bool = False
    embed_delay_s: float = 0.0
    models: tuple = ("llama3.2:3b", "embeddinggemma:latest")
    digests: dict = field(default_factory=dict)
    loaded: set = field(default_factory=set)
    capabilities: tuple = ("completion",)
    remote_host: str | None = None
    owned_by: str = "library"
    fail_midway: bool = False
    says_counts: bool = True


class ModelServer(LoopbackServer):
    """Runs while it is a context.

    Attributes:
        calls: path and body of every request, in order.
        stopped: set when a client has gone before its reply was whole.
    """

    def __init__(self) -> None:
        self.does = Behaviour()
        self.calls: list[tuple[str, dict | None]] = []
        self.headers: list[dict] = []
        self.stopped = threading.Event()
        self.sent = 0
        server = self

        class Handler(_Handler):
            model_server = server

        super().__init__(Handler)

    def bodies(self, path: str) -> list[dict]:
        return [body for called, body in self.calls if called == path]


def embedding(text: str) -> list[float]:
    """Bags of hashed letters pairs, not of unit length."""
    vector = np.full(WIDTH, 0.01)
    for word in text.lower().split():
        word = word.strip("?.,:|")
        vector[sum(word.encode()) % WIDTH] += 1
    return [float(x) for x in vector * 3]


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    model_server: ModelServer

    def log_message(self, *_):
        pass

    def do_GET(self):
        self._serve(None)

    def do_POST(self):
        size = int(self.headers.get("content-length", 0))
        self._serve(json.loads(self.rfile.read(size)))

    def _serve(self, body):
        server, does = self.model_server, self.model_server.does
        server.calls.append((self.path, body))
        server.headers.append(dict(self.headers))
        waiting = does.statuses.get(self.path)
        status = waiting.pop(0) if waiting else 0
        try:
            if status < 0:
                self.connection.shutdown(socket.SHUT_RDWR)
                self.close_connection = True
            elif does.redirect:
                self._send(307, "text/plain", b"", location=does.redirect)
            elif does.key and self.headers.get("authorization") != f"Bearer {does.key}":
                self._error(401, "invalid api key")
            elif status:
                self._error(status, "server busy, please try again")
            elif does.raw:
                self._send(200, does.raw[0], does.raw[1])
            else:
                self._routes()[self.path](body)
        except (BrokenPipeError, ConnectionResetError):
            server.stopped.set()
            self.close_connection = True
        except KeyError:
            self._error(404, "page not found")

    def _routes(self):
        return {
            "/api/tags": self._tags,
            "/api/ps": self._ps,
            "/api/show": self._show,
            "/api/chat": self._ollama_chat,
            "/api/embed": self._ollama_embed,
            "/v1/models": self._models,
            "/v1/chat/completions": self._openai_chat,
            "/v1/embeddings": self._openai_embed,
        }

    # Ollama

    def _tags(self, _):
        self._json({"models": [self._entry(name) for name in self.model_server.does.models]})

    def _ps(self, _):
        self._json({"models": [self._entry(name) for name in self.model_server.does.loaded]})

    def _entry(self, name):
        does = self.model_server.does
        entry = {"name": name, "model": name, "digest": does.digests.get(name, "ab" * 32)}
        return entry | ({"remote_host": does.remote_host} if does.remote_host else {})

    def _show(self, body):
        does = self.model_server.does
        if self._lacks(body):
            return
        facts = {"general.architecture": "llama", "llama.context_length": does.context}
        self._json({"model_info": facts, "capabilities": list(does.capabilities)})

    def _lacks(self, body) -> bool:
        name = body["model"]
        full = name if ":" in name else f"{name}:latest"
        if full in self.model_server.does.models:
            return False
        self._error(404, f"model '{name}' not found")
        return True

    def _ollama_chat(self, body):
        does = self.model_server.does
        if self._lacks(body):
            return
        window = body.get("options", {}).get("num_ctx", 4096)
        if not body["messages"]:
            time.sleep(does.first_delay_s)
            does.loaded.add(body["model"])
            self._json({"message": {"role": "assistant", "content": ""}, "done": True})
            return
        tokens = min(_count(body["messages"]), window, does.cut_prompt or 10**9)
        self._begin("application/x-ndjson")
        said = 0
        for delta in self._deltas(body["options"].get("num_predict")):
            message = {"role": "assistant", "content": delta}
            self._chunk(json.dumps({"message": message, "done": False}) + "\n")
            said += 1
        if does.fail_midway:
            self._chunk(json.dumps({"error": "the runner has stopped: SECRET"}) + "\n")
        end = {"message": {"role": "assistant", "content": ""}, "done": True}
        end |= {"done_reason": self._why(body["options"].get("num_predict"), said)}
        end |= {"prompt_eval_count": tokens, "eval_count": said} if does.says_counts else {}
        self._chunk(json.dumps(end) + "\n")
        self._chunk("")

    def _ollama_embed(self, body):
        does = self.model_server.does
        if self._lacks(body):
            return
        time.sleep(does.embed_delay_s)
        texts = [body["input"]] if isinstance(body["input"], str) else body["input"]
        longest = max((len(text.split()) for text in texts), default=0)
        if longest > does.window and not does.cuts_embeddings and not body.get("truncate", True):
            self._error(400, "the input length exceeds the context length")
            return
        read = [text.split()[: does.window] for text in texts]
        vectors = [embedding(" ".join(words)) for words in read]
        self._json({"embeddings": vectors, "prompt_eval_count": sum(map(len, read))})

    # OpenAI

    def _models(self, _):
        does = self.model_server.does
        rows = [{"id": name, "object": "model", "owned_by": does.owned_by} for name in does.models]
        self._json({"object": "list", "data": rows})

    def _openai_chat(self, body):
        does = self.model_server.does
        form = body.get("response_format", {"type": "text"})["type"]
        if form not in does.takes_forms:
            self._error(400, f"response_format.type {form} is not supported")
            return
        if _count(body["messages"]) > does.context:
            self._error(400, "the request exceeds the available context size")
            return
        self._begin("text/event-stream")
        said = 0
        self._chunk(": ping\n\n")
        for delta in self._deltas(body.get("max_tokens")):
            self._event({"choices": [{"index": 0, "delta": {"content": delta}}]})
            said += 1
        if does.fail_midway:
            self._event({"error": {"message": "SECRET", "code": 500}})
        why = self._why(body.get("max_tokens"), said)
        self._event({"choices": [{"index": 0, "delta": {}, "finish_reason": why}]})
        tokens = min(_count(body["messages"]), does.cut_prompt or 10**9)
        if does.says_counts:
            usage = {"prompt_tokens": tokens, "completion_tokens": said}
            self._event({"choices": [], "usage": usage})
        self._chunk("data: [DONE]\n\n")
        self._chunk("")

    def _openai_embed(self, body):
        does = self.model_server.does
        longest = max(len(text.split()) for text in body["input"])
        if longest > does.window and not does.cuts_embeddings:
            self._error(500, "input is too large to process. increase the physical batch size")
            return
        read = [text.split()[: does.window] for text in body["input"]]
        rows = [
            {"object": "embedding", "index": number, "embedding": embedding(" ".join(words))}
            for number, words in enumerate(read)
        ]
        usage = {"prompt_tokens": sum(map(len, read)), "total_tokens": sum(map(len, read))}
        self._json({"object": "list", "data": rows[::-1], "usage": usage})

    # what both share

    def _deltas(self, most_tokens):
        does = self.model_server.does
        time.sleep(does.first_delay_s)
        for number, delta in enumerate(does.deltas):
            if most_tokens is not None and number >= most_tokens:
                return
            if does.drop_after is not None and number >= does.drop_after:
                raise ConnectionResetError
            yield delta
            self.model_server.sent += 1
            time.sleep(does.delay_s)

    def _why(self, most_tokens, said):
        cut = most_tokens is not None and said >= most_tokens
        return "length" if cut else self.model_server.does.done_reason

    def _event(self, said):
        self._chunk(f"data: {json.dumps(said)}\n\n")

    def _begin(self, media_type):
        self.send_response(200)
        self.send_header("Content-Type", media_type)
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()

    def _chunk(self, text):
        data = text.encode()
        self.wfile.write(b"%x\r\n%s\r\n" % (len(data), data))
        self.wfile.flush()

    def _json(self, said):
        self._send(200, "application/json; charset=utf-8", json.dumps(said).encode())

    def _error(self, status, message):
        openai = self.path.startswith("/v1")
        said = {"error": {"message": message, "code": status} if openai else message}
        with contextlib.suppress(OSError):
            self._send(status, "application/json", json.dumps(said).encode())

    def _send(self, status, media_type, body, location=None):
        self.send_response(status)
        self.send_header("Content-Type", media_type)
        self.send_header("Content-Length", str(len(body)))
        if location:
            self.send_header("Location", location)
        self.end_headers()
        self.wfile.write(body)


def _count(messages) -> int:
    return sum(len(message["content"].split()) for message in messages)
