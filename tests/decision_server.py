"""A server over real HTTP that speaks System One, decides as it is told to, and fails on demand.

One token is one word.
"""

from __future__ import annotations

import contextlib
import json
import threading
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler

from loopback_server import LoopbackServer

SUPPORTED = {"supported": 0.97, "contradicted": 0.01, "insufficient": 0.02}
CONTRADICTED = {"supported": 0.02, "contradicted": 0.96, "insufficient": 0.02}
INSUFFICIENT = {"supported": 0.03, "contradicted": 0.02, "insufficient": 0.95}
UNSURE = {"supported": 0.6, "contradicted": 0.1, "insufficient": 0.3}


def supported(claim: str, excerpts: dict[str, str]) -> dict[str, float]:
    return SUPPORTED


@dataclass
class Decides:
    """What the server does until it is told otherwise.

    Attributes:
        judge: from a claim and the excerpts to the probabilities.
        fault: one of ``FAULTS``, or ``None``.
        fault_after: how many sound replies come before the fault.
        times: how many replies the fault takes, ``None``: all.
        delay_s: how long each reply takes.
        model: what replies are named as made by; ``None``: the one that was asked.
        retry_after: headers that come with 429.
        request_ids: whether replies bear an id.
    """

    judge: object = supported
    fault: str | None = None
    fault_after: int = 0
    times: int | None = None
    delay_s: float = 0.0
    model: str | None = None
    retry_after: tuple = (("retry-after-ms", "60000"), ("retry-after", "60"))
    request_ids: bool = True


class DecisionServer(LoopbackServer):
    """Runs while it is a context.

    Attributes:
        bodies: of every request to decide, in order.
        headers: of every request.
        paths: of every request.
    """

    def __init__(self) -> None:
        self.does = Decides()
        self.bodies: list[dict] = []
        self.headers: list[dict] = []
        self.paths: list[str] = []
        self.stopped = threading.Event()
        server = self

        class Handler(_Handler):
            decisions = server

        super().__init__(Handler)

    def reset(self) -> None:
        self.does = Decides()
        self.bodies.clear()
        self.headers.clear()
        self.paths.clear()
        self.stopped.clear()


def _first(reply) -> dict:
    return next(iter(reply["answers"].values()))


def _edit(change):
    def edited(reply):
        change(reply)
        return reply

    return edited


def _p(**values):
    return _edit(lambda reply: _first(reply).update(probabilities=values))


UNSOUND = {
    "a missing option": _p(supported=0.9, contradicted=0.1),
    "an extra option": _p(supported=0.9, contradicted=0.05, insufficient=0.05, unclear=0.0),
    "an unknown option": _p(supported=0.9, contradicted=0.05, unclear=0.05),
    "NaN": _p(supported=float("nan"), contradicted=0.5, insufficient=0.5),
    "infinity": _p(supported=float("inf"), contradicted=0, insufficient=0),
    "a huge number": _p(supported=10**400, contradicted=0, insufficient=0),
    "booleans": _p(supported=True, contradicted=False, insufficient=False),
    "strings": _p(supported="1", contradicted="0", insufficient="0"),
    "a negative": _p(supported=1.2, contradicted=-0.2, insufficient=0),
    "a sum off": _p(supported=0.9, contradicted=0.05, insufficient=0.03),
    "no probabilities": _edit(lambda reply: _first(reply).pop("probabilities")),
    "a wrong argmax": _edit(lambda reply: _first(reply).update(choice="contradicted")),
    "an unknown choice": _edit(lambda reply: _first(reply).update(choice=["supported"])),
    "another type": _edit(lambda reply: _first(reply).update(type="noul")),
    "an answer missing": _edit(lambda reply: reply["answers"].popitem()),
    "an answer too many": _edit(lambda reply: reply["answers"].update(more=_first(reply))),
    "answers as a list": _edit(lambda reply: reply.update(answers=[_first(reply)])),
    "an answer that is null": _edit(lambda reply: reply.update(answers={"claim_1": None})),
    "no usage": _edit(lambda reply: reply.pop("usage")),
    "a usage beyond reason": _edit(lambda reply: reply["usage"].update(input_tokens=9 * 10**4290)),
    "a boolean usage": _edit(lambda reply: reply["usage"].update(input_tokens=True)),
    "a negative usage": _edit(lambda reply: reply["usage"].update(output_tokens=-1)),
    "a broken usage": _edit(lambda reply: reply["usage"].update(output_tokens=1.5)),
    "no model": _edit(lambda reply: reply.update(model=None)),
    "a wrong model": _edit(lambda reply: reply.update(model="jev-1.12.0")),
    "a list": lambda reply: [reply],
    "null": lambda reply: None,
}
STATUSES = {
    "401": 401, "403": 403, "400": 400, "404": 404, "422": 422, "429": 429, "501": 501, "529": 529,
    "500": 500,
}  # fmt: skip
FAULTS = (
    *UNSOUND, *STATUSES, "slow", "cut off", "hang up", "50 MB", "redirect", "HTML", "no JSON",
    "deep", "compressed",
)  # fmt: skip


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    decisions: DecisionServer

    def log_message(self, *_):
        pass

    def do_GET(self):
        self._note()
        self._json({"object": "list", "data": [{"id": "jev-1.13.0", "object": "model"}]})

    def do_POST(self):
        self._note()
        body = json.loads(self.rfile.read(int(self.headers["content-length"])))
        server, does = self.decisions, self.decisions.does
        server.bodies.append(body)
        faulty = does.fault is not None and len(server.bodies) > does.fault_after
        if faulty and does.times is not None:
            faulty = len(server.bodies) <= does.fault_after + does.times
        try:
            if does.delay_s and server.stopped.wait(does.delay_s):
                return
            if self.path != "/v1/systemone":
                self._json({"detail": "Not Found"}, 404)
            elif faulty:
                self._fail(does.fault, body)
            else:
                self._json(self._reply(body))
        except (BrokenPipeError, ConnectionResetError):
            self.close_connection = True

    def _note(self):
        self.decisions.paths.append(self.path)
        self.decisions.headers.append(dict(self.headers))

    def _reply(self, body):
        does, state = self.decisions.does, body["state"]
        answers = {}
        for name, question in body["questions"].items():
            options = list(question["criteria"])
            if set(options) == {"supported", "contradicted", "insufficient"}:
                claim = state["claims"][name]
                assert f"`claims.{name}`" in question["instructions"]
                p = does.judge(claim, state["cited_excerpts"])
            else:
                p = {option: float(place == 0) for place, option in enumerate(options)}
            answers[name] = _answer(question, p)
        usage = {"input_tokens": len(str(state).split()), "output_tokens": len(answers)}
        return {"model": does.model or body["model"], "answers": answers, "usage": usage}

    def _fail(self, fault, body):
        echo = {"detail": [{"loc": ["body"], "msg": str(body["state"]), "type": "value_error"}]}
        if fault in UNSOUND:
            self._json(UNSOUND[fault](self._reply(body)))
        elif fault in STATUSES:
            status = STATUSES[fault]
            extra = self.decisions.does.retry_after if status == 429 else ()
            self._json(echo, status, extra)
        elif fault == "slow":
            self.decisions.stopped.wait(30)
        elif fault == "cut off":
            content = json.dumps(self._reply(body)).encode()
            self._head(200, "application/json", len(content))
            self.wfile.write(content[: len(content) // 2])
            self.close_connection = True
        elif fault == "hang up":
            self.close_connection = True
        elif fault == "50 MB":
            self._head(200, "application/json", 50_000_000)
            with contextlib.suppress(OSError):
                for _ in range(50):
                    self.wfile.write(b" " * 1_000_000)
            self.close_connection = True
        elif fault == "redirect":
            self._head(307, "text/plain", 0, [("location", f"{self.decisions.url}/elsewhere")])
        elif fault == "HTML":
            content = f"<html>{body['state']}</html>".encode()
            self._head(200, "text/html", len(content))
            self.wfile.write(content)
        elif fault == "compressed":
            self._json(self._reply(body), extra=[("content-encoding", "gzip")])
        else:
            content = b"[" * 200_000 if fault == "deep" else str(body["state"]).encode()
            self._head(200, "application/json", len(content))
            self.wfile.write(content)

    def _json(self, said, status=200, extra=()):
        content = json.dumps(said).encode()
        self._head(status, "application/json", len(content), extra)
        self.wfile.write(content)

    def _head(self, status, media_type, size, extra=()):
        self.send_response(status)
        self.send_header("Content-Type", media_type)
        self.send_header("Content-Length", str(size))
        if self.decisions.does.request_ids:
            self.send_header("x-typesafe-request-id", f"req-{len(self.decisions.bodies)}")
        for name, value in extra:
            self.send_header(name, value)
        self.end_headers()


def _answer(question, p):
    if question["type"] == "noul":
        assert set(question["criteria"]) == {"true", "false"}
        return {"type": "noul", "noul": 0.75}
    if question["type"] == "score":
        levels = {str(n): float(n == 1) for n in range(len(question["criteria"]))}
        return {"type": "score", "score": 1, "confidence": 1, "legend": {}, "probabilities": levels}
    choice = max(p, key=p.get)
    return {"type": "choice", "choice": choice, "confidence": 0.9, "probabilities": p}
