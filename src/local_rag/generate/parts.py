"""A question of several parts, part by part."""

from __future__ import annotations

import re
from dataclasses import dataclass

from local_rag.text.sentences import sentences
from local_rag.text.tokens import tokenize

MOST_PARTS = 3

_MARKS = ("?", "？", "؟")
_NUMBERED = re.compile(r"(?:^|\s)\(?(?:[1-9]|[a-e])[.)]\s+")
_ASKING = (
    r"how|what|why|when|where|who|whom|whose|which|wie|was|warum|wann|wo|wer|welche[rsnm]?"
    r"|weshalb|comment|pourquoi|quand|où|qui|quel(?:le)?s?|combien|que|cómo|por qué|cuándo"
    r"|dónde|quién|cuál|cuánt[oa]s?|qué|como|porquê|por que|quando|onde|quem|qual"
    r"|quant[oaie]s?|come|perché|dove|chi|quale|cosa"
)
_JOINED = re.compile(
    rf"\s*[,;]?\s+(?:and|und|et|y|e|ed|or|oder|ou|o)\s+(?=(?:also\s+)?(?:{_ASKING})\b)"
    r"|\s*;\s+|；|[，,]\s*(?:以及|并且|而且|和)?(?=为什么|如何|怎么|怎样|什么时候|谁|哪)",
    re.IGNORECASE,
)
_ASKS = re.compile(
    rf"\b(?:{_ASKING}|explain|describe|list|name|give|define|compare|summari[sz]e|tell|erkläre?"
    r"|beschreibe?|nenne?|explique[rz]?|décri[svrt]\w*|expli\w+|describ\w+|descrev\w+|spiega"
    r"|descrivi)\b|什么|谁|哪|如何|怎么|怎样|为什么|多少|几|何时|吗",
    re.IGNORECASE,
)
_POINTS_BACK = re.compile(
    r"\b(?:it|its|they|them|their|this|that|these|those|he|she|his|her|er|sie|es|ihr|sein|seine"
    r"|dies|diese|dieser|il|elle|ils|elles|ce|cela|son|sa|ses|ello|ella|ellos|esto|su|sus|ele"
    r"|ela|eles|isso|seu|sua|esso|essa|suo)\b|它|他|她|这|其",
    re.IGNORECASE,
)
_LEAST_WORDS = 2


@dataclass(frozen=True, slots=True)
class Part:
    """One part of a question.

    Attributes:
        context: the part before it, where this one points back to it ("and how does it work?").
    """

    text: str
    context: str = ""


def split(question: str, language: str) -> list[Part]:
    """At most three parts; a question that asks one thing is one part."""
    pieces = _numbered(question) or _by_marks(question, language)
    pieces = [part for piece in pieces for part in _joined(piece, language)]
    pieces = [piece for piece in pieces if tokenize(piece, language)] or [question.strip()]
    if len(pieces) > MOST_PARTS:
        pieces[MOST_PARTS - 1 :] = [" ".join(pieces[MOST_PARTS - 1 :])]
    parts = [Part(pieces[0])]
    for piece in pieces[1:]:
        few = len(set(tokenize(piece, language))) < _LEAST_WORDS
        parts.append(Part(piece, pieces[0] if few or _POINTS_BACK.search(piece) else ""))
    return parts


def _numbered(question: str) -> list[str]:
    marks = list(_NUMBERED.finditer(question))
    if len(marks) < _LEAST_WORDS:
        return []
    ends = [*(mark.start() for mark in marks[1:]), len(question)]
    lead = question[: marks[0].start()].strip()
    pieces = [question[m.end() : end].strip(" ,;") for m, end in zip(marks, ends, strict=True)]
    return [lead, *pieces] if lead.endswith(_MARKS) else pieces


def _by_marks(question: str, language: str) -> list[str]:
    """One piece for each question mark; statements go with the question that follows them."""
    pieces: list[str] = []
    held = ""
    for start, end in sentences(question, language):
        held = f"{held} {question[start:end]}".strip()
        if held.endswith(_MARKS):
            pieces.append(held)
            held = ""
    if held and pieces:
        pieces[-1] += f" {held}"
    return pieces or [question.strip()]


def _joined(piece: str, language: str) -> list[str]:
    """Splits "what is X, and how does Y work?", not "how and why does X work?"."""
    parts: list[str] = []
    start = 0
    for match in _JOINED.finditer(piece):
        held = piece[start : match.start()]
        rest = piece[match.end() :]
        if _ASKS.search(held) and tokenize(held, language) and tokenize(rest, language):
            parts.append(held.strip())
            start = match.end()
    return [*parts, piece[start:].strip()]
