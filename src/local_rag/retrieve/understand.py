"""What a question asks: its parts, what it quotes, whether it wants everything of a kind."""

from __future__ import annotations

import re
from dataclasses import replace

from local_rag.model.question import Part, Question
from local_rag.text.language import UNDETERMINED, detect
from local_rag.text.phrases import phrases_of
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


_EXHAUSTIVE = re.compile(
    r"^\W*(?:please\s+|bitte\s+)?(?:list|enumerate|liste|zähle?|enumera|enumere|elenca|énumère[rz]?)\b"
    r"|^\W*(?:all|every|alle|sämtliche|tous|toutes|todos|todas|tutti|tutte)\b"
    r"|\b(?:list|name|give|show|find|tell|mention|what are|which are|who are)\b.{0,40}?"
    r"\b(?:all|every|each)\b"
    r"|\b(?:which|what)\b.{1,80}\b(?:are|is) there\b"
    r"|\b(?:nenne?|zeige?|gib|finde?|welche|wer|was)\b.{0,40}?\b(?:alle[rsnm]?|sämtliche[rsnm]?)\b"
    r"|\bwelche\b.{1,80}\bgibt es\b"
    r"|\b(?:cite[rz]?|donne[rz]?|montre[rz]?|trouve[rz]?|quel(?:le)?s sont)\b.{0,40}?"
    r"\b(?:tous|toutes|chaque)\b|\bquel(?:le)?s?\b.{1,80}\b(?:y a-t-il|existe(?:nt)?)\b"
    r"|\b(?:nombra|muestra|cuáles son|dime|quais são|mostre|cite|quali sono|mostra)\b.{0,40}?"
    r"\b(?:todos|todas|cada|tutti|tutte)\b|\b(?:qué|que)\b.{1,80}\b(?:hay|há|existen|existem)\b"
    r"|列出|列举|列舉|所有|全部|有哪些|都有什么",
    re.IGNORECASE,
)
_GOES_ON = re.compile(
    r"^\W*(?:and|what about|how about|but|und|aber|was ist mit|wie ist es mit|et|mais|qu'en est-il"
    r"|y|pero|qué hay de|e|mas|ma)\b|^(?:那么|那|还有)",
    re.IGNORECASE,
)


def understand(question: str, previous: str = "") -> Question:
    """The question with its language and its parts.

    Args:
        previous: the question before it in a conversation; a part that points back to it ("and
            in 2021?") is searched for together with it.
    """
    language = detect(question)
    if previous and language == UNDETERMINED:
        language = detect(previous)
    parts = split(question, language)
    if previous and _follows(parts[0], language):
        parts[0] = replace(parts[0], context=previous)
    return Question(question, language, tuple(map(_marked, parts)))


def _follows(part: Part, language: str) -> bool:
    few = len(set(tokenize(part.text, language))) < _LEAST_WORDS
    return bool(few or _POINTS_BACK.search(part.text) or _GOES_ON.match(part.text))


def _marked(part: Part) -> Part:
    return replace(
        part,
        exhaustive=_EXHAUSTIVE.search(part.text) is not None,
        phrases=phrases_of(part.text),
    )


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
    """The questions that are numbered, and one before them; what leads up to them is left out."""
    marks = list(_NUMBERED.finditer(question))
    if len(marks) < _LEAST_WORDS:
        return []
    ends = [*(mark.start() for mark in marks[1:]), len(question)]
    lead = question[: marks[0].start()].strip()
    pieces = [question[m.end() : end].strip(" ,;") for m, end in zip(marks, ends, strict=True)]
    if not all(piece.endswith(_MARKS) or _ASKS.search(piece) for piece in pieces):
        return []  # a statement that counts: "the pumps (a) leak, (b) rattle"
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
