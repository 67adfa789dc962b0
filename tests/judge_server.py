"""A judge over real HTTP whose every verdict is scripted: ``ModelServer`` with replies made from
what was asked.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass

from model_server import ModelServer

MODEL = "judge:1b"
_FENCED = re.compile(r"\A\[(\w{16}) input\]\n(.*)\n\[\1 end\]\Z", re.DOTALL)


@dataclass
class Asked:
    """A prompt as the judge sees it.

    Attributes:
        data: what stands between the marks; ``None``: nothing does.
        outside: all that does not.
        schema: the form that the reply is to have.
    """

    data: dict | None
    outside: str
    schema: dict

    @property
    def kind(self) -> str:
        """``self-test``, or the metric's step."""
        names = set(self.schema["properties"])
        if self.data and "lighthouse is made of wood" in str(self.data):
            return "self-test"
        if names == {"statements"}:
            return "verdicts" if "context" in (self.data or {}) else "statements"
        return {"classifications": "recall", "verdict": "precision", "claims": "claims"}[
            next(name for name in ("classifications", "verdict", "claims") if name in names)
        ]


class JudgeServer(ModelServer):
    """Judges a statement true where the context has its words; parts texts at full stops.

    Attributes:
        script: called with what is asked before that; what it returns is the reply. ``None``
            leaves it to the rule above.
        asked: everything that was asked, in order.
    """

    def __init__(self) -> None:
        super().__init__()
        self.does.models = (MODEL,)
        self.does.says_counts = False
        self.does.deltas = self
        self.script = lambda asked: None
        self.asked: list[Asked] = []

    def __iter__(self):
        body = self.calls[-1][1]
        if len(body["messages"]) < 2:  # to warm up
            yield "Hello"
            return
        asked = _read(body)
        self.asked.append(asked)
        reply = self.script(asked)
        if reply is None:
            reply = json.dumps(honest(asked))
        yield reply[: len(reply) // 2]
        yield reply[len(reply) // 2 :]

    def kinds(self) -> list[str]:
        return [asked.kind for asked in self.asked]


def _read(body) -> Asked:
    system, user = (message["content"] for message in body["messages"])
    schema = body.get("format") or body["response_format"]["json_schema"]["schema"]
    fenced = _FENCED.match(user)
    if not fenced:
        return Asked(None, system + user, schema)
    return Asked(json.loads(fenced[2]), system, schema)


def sentences(text: str) -> list[str]:
    return [part.strip(" .") + "." for part in text.split(". ") if part.strip(" .")]


def holds(context: str, statement: str) -> int:
    return int(statement.strip(" .").casefold() in context.casefold())


def honest(asked: Asked) -> dict:
    data = asked.data
    match asked.kind:
        case "statements":
            return {"statements": sentences(data["answer"])}
        case "claims":
            return {"claims": sentences(data["response"])}
        case "recall":
            found = [
                {"statement": one, "reason": "-", "attributed": holds(data["context"], one)}
                for one in sentences(data["answer"])
            ]
            return {"classifications": found}
        case "precision":
            useful = any(holds(data["context"], one) for one in sentences(data["answer"]))
            return {"reason": "-", "verdict": int(useful)}
    found = [
        {"statement": one, "reason": "-", "verdict": holds(data["context"], one)}
        for one in data["statements"]
    ]
    return {"statements": found}
