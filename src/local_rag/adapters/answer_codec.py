"""Answers as bytes: JSON, compressed, with a version, and back to equal values.

A dataclass is an object of its fields, a tuple an array. A field that is not there when it is read
gets its default: a new field with a default needs no new version.
"""

from __future__ import annotations

import json
import types
import zlib
from dataclasses import fields, is_dataclass
from functools import cache
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from local_rag.errors import StoreFault
from local_rag.model.answer import Answer, Citation, Rectangle, Span
from local_rag.model.audit import (
    Assessment,
    Audit,
    AuditCheck,
    AuditMode,
    ClaimFlag,
    Excerpt,
    Repair,
)
from local_rag.model.document import Chunk, Document
from local_rag.model.evidence import Evidence, Fused, Ledger, LedgerRow, Weights
from local_rag.model.question import Part

VERSION = 1

_NAMES: dict[str, Any] = {
    kind.__name__: kind
    for kind in (
        Answer, Assessment, Audit, AuditCheck, Chunk, Citation, ClaimFlag, Document, Evidence,
        Excerpt, Fused, Ledger, LedgerRow, Part, Rectangle, Repair, Span, Weights,
    )
} | {"AuditMode": AuditMode}  # fmt: skip


def answer_bytes(answer: Answer) -> bytes:
    """The answer, whole."""
    stored = {"version": VERSION, "answer": _plain(answer)}
    return zlib.compress(json.dumps(stored, separators=(",", ":")).encode("ascii"))


def answer_from(stored: bytes) -> Answer:
    """The answer of ``answer_bytes``, equal to the one given to it.

    Raises:
        StoreFault: the bytes are damaged, or of a newer version of the program.
    """
    try:
        found = json.loads(zlib.decompress(stored))
        version = found["version"]
        if version == VERSION:
            answer: Answer = _value(Answer, found["answer"])
            return answer
    except (zlib.error, ValueError, KeyError, TypeError) as exc:
        raise StoreFault(
            f"A stored answer cannot be read ({type(exc).__name__}).",
            fix="Delete its conversation, or restore the catalogue from a copy.",
        ) from exc
    raise StoreFault(
        f"A stored answer is of version {version}, this program knows {VERSION}.",
        fix="Install the newer local-rag that wrote it.",
    )


def _plain(value: Any) -> Any:
    if is_dataclass(value):
        return {field.name: _plain(getattr(value, field.name)) for field in fields(value)}
    if isinstance(value, dict):
        return {key: _plain(item) for key, item in value.items()}
    if isinstance(value, tuple):
        return [_plain(item) for item in value]
    return value


@cache
def _hints(kind: type) -> dict[str, Any]:
    return get_type_hints(kind, localns=_NAMES)


def _value(kind: Any, plain: Any) -> Any:
    """The value of the type ``kind`` that ``plain`` was made of."""
    origin = get_origin(kind)
    if origin in (Union, types.UnionType):
        (some,) = (option for option in get_args(kind) if option is not types.NoneType)
        return None if plain is None else _value(some, plain)
    if origin is tuple:
        item, _any_number = get_args(kind)
        return tuple(_value(item, one) for one in plain)
    if origin is dict:
        _key, item = get_args(kind)
        return {key: _value(item, one) for key, one in plain.items()}
    if origin is Literal or kind in (str, int, float, bool):
        return plain
    hints = _hints(kind)
    if isinstance(plain, dict):  # of a dataclass; a named tuple is an array
        return kind(**{name: _value(hints[name], one) for name, one in plain.items()})
    return kind(*(_value(hint, one) for hint, one in zip(hints.values(), plain, strict=False)))
