"""What a question asks: its parts, what it quotes, whether it wants everything of a kind."""

from __future__ import annotations

import re
from dataclasses import replace

from local_rag.model.question import Part, Question
from local_rag.retrieve.points_back import goes_on, points_back
from local_rag.retrieve.wants_all import wants_all
from local_rag.text.language import UNDETERMINED, detect
from local_rag.text.phrases import is_quoted, phrases_of
from local_rag.text.sentences import sentences
from local_rag.text.tokens import tokenize

MOST_PARTS = 3

_MARKS = ("?", "？", "؟", "か。", "까.")
_GLUED = re.compile(r"[?？؟](?<=[^\W\d_].)(?=[^\W\d_]+\s)")  # "the rent?What is"
_NUMBERED = re.compile(r"(?:^|\s)\(?(?:[1-9]|[a-e])[.)]\s+")
_ASKING = (
    r"how|what|why|when|where|who|whom|whose|which|wie|was|warum|wann|wo|wer|welche[rsnm]?"
    r"|weshalb|comment|pourquoi|quand|où|qui|quel(?:le)?s?|combien|que|cómo|por qué|cuándo"
    r"|dónde|quién|cuál|cuánt[oa]s?|qué|como|porquê|por que|quando|onde|quem|qual"
    r"|quant[oaie]s?|come|perché|dove|chi|quale|cosa"
)
_ASKING_NL = r"hoe|hoeveel|wat|waarom|wanneer|waar|wie|welke?"
_ASKING_RU = (
    r"кто|кого|кому|что|чего|как(?:ой|ая|ое|ие|ова|ов|овы)?|когда|где|куда|сколько|почему|зачем"
)
_ASKING_AR = r"متى|كيف|كم|لماذا|أين|هل"
_JOINED = re.compile(
    rf"\s*[,;]?\s+(?:and|und|et|y|e|ed|or|oder|ou|o)\s+(?=(?:also\s+)?(?:{_ASKING})\b)"
    r"|\s*;\s+|；|[，,]\s*(?:以及|并且|而且|和)?(?=为什么|如何|怎么|怎样|什么时候|谁|哪)",
    re.IGNORECASE,
)
_JOINED_IN = {
    "nl": re.compile(rf"\s*[,;]?\s+(?:en|of)\s+(?=(?:{_ASKING_NL})\b)|\s*;\s+", re.IGNORECASE),
    "ru": re.compile(rf"\s*[,;]?\s+(?:и|или)\s+(?=(?:{_ASKING_RU})\b)|\s*;\s+", re.IGNORECASE),
    "ar": re.compile(rf"\s*[،؛;]?\s+و(?=(?:{_ASKING_AR})\b)|\s*[؛;]\s+"),
}
_QUESTION_WORD = re.compile(
    rf"\b(?:{_ASKING}|{_ASKING_NL}|{_ASKING_RU}|{_ASKING_AR}|ما|ماذا|من)\b"
    r"|什么|谁|哪|如何|怎么|怎样|为什么|多少|几|何时|吗",
    re.IGNORECASE,
)
_BIDS = re.compile(
    r"\b(?:explain|describe|list|name|give|define|compare|summari[sz]e|tell|erkläre?|beschreibe?"
    r"|nenne?|explique[rz]?|décri[svrt]\w*|expli\w+|describ\w+|descrev\w+|spiega|descrivi)\b",
    re.IGNORECASE,
)
_NOUN_ALONE = re.compile(  # "which river and which lake are deep?": what is said of both comes last
    r"\W*(?:which|whose|how many|how much|welche[rsnm]?|wie ?viele?|quel(?:le)?s?|combien de"
    r"|cuánt[oa]s?|qual|quais|quant[aie])\s+\S+",
    re.IGNORECASE,
)
_LEAST_WORDS = 2
_ONE_OF_THEM = re.compile(  # "and what does one cost?", not "and how does one apply?"
    r"\b(?:does|did|do|will|would|can|must)\s+(?:each|one)\s+(?:cost|weigh|measure|last|hold"
    r"|contain|consume|need|have|take)\b|\b(?:each|one) of them\b"
    r"|\bkostet\s+(?:eine[rs]?|jede[rs]?)\b|\bwiegt\s+(?:eine[rs]?|jede[rs]?)\b",
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
    if previous and _goes_back(parts, language):
        parts[0] = replace(parts[0], context=previous)
    return Question(question, language, tuple(map(_marked, parts)))


def _goes_back(parts: list[Part], language: str) -> bool:
    """Whether the first part needs the question before it.

    One that says little by itself does not where another part of the same question points to it:
    "who is the secretary, and what is their number?"
    """
    first, *others = (part.text for part in parts)
    if points_back(first, language) or goes_on(first):
        return True
    pointed_at = any(points_back(other, language) for other in others)
    return _leans(first, language) and not (pointed_at and tokenize(first, language))


def _leans(piece: str, language: str) -> bool:
    """Whether it says too little to be searched for without what came before it."""
    few = len(set(tokenize(piece, language))) < _LEAST_WORDS
    return few or points_back(piece, language)


def _marked(part: Part) -> Part:
    return replace(part, exhaustive=wants_all(part.text), phrases=phrases_of(part.text))


def split(question: str, language: str) -> list[Part]:
    """At most three parts; a question that asks one thing is one part."""
    question = _GLUED.sub(r"\g<0> ", question)
    pieces = _numbered(question) or _by_marks(question, language)
    pieces = [part for piece in pieces for part in _joined(piece, language)]
    asking: list[str] = []
    for piece in pieces:
        if tokenize(piece, language):
            asking.append(piece)
        elif asking and _QUESTION_WORD.search(piece):
            asking[-1] += f" {piece}"  # "Who signs? When?"
    pieces = asking or [question.strip()]
    if len(pieces) > MOST_PARTS:
        pieces[MOST_PARTS - 1 :] = [" ".join(pieces[MOST_PARTS - 1 :])]
    first, *others = pieces
    return [
        Part(first),
        *(Part(p, first if _leans(p, language) or _ONE_OF_THEM.search(p) else "") for p in others),
    ]


def _numbered(question: str) -> list[str]:
    """The questions that are numbered, and one before them; what leads up to them is left out."""
    marks = [m for m in _NUMBERED.finditer(question) if not is_quoted(question, m.start())]
    if len(marks) < _LEAST_WORDS:
        return []
    ends = [*(mark.start() for mark in marks[1:]), len(question)]
    lead = question[: marks[0].start()].strip()
    if _QUESTION_WORD.search(lead) and not lead.endswith((*_MARKS, ":", "：", ".")):
        return []  # a question that the first number stands in: "what do (a) and (b) mean?"
    pieces = [question[m.end() : end].strip(" ,;") for m, end in zip(marks, ends, strict=True)]
    if not all(piece.endswith(_MARKS) or _asks(piece) for piece in pieces):
        return []  # a statement that counts: "the pumps (a) leak, (b) rattle"
    return [lead, *pieces] if lead.endswith(_MARKS) else pieces


def _by_marks(question: str, language: str) -> list[str]:
    """One piece for each question mark; statements go with the question that follows them."""
    pieces: list[str] = []
    held = ""
    for start, end in sentences(question, language):
        held = f"{held} {question[start:end]}".strip()
        if held.endswith(_MARKS) and not is_quoted(question, end):
            pieces.append(held)
            held = ""
    if held and pieces:
        pieces[-1] += f" {held}"
    return pieces or [question.strip()]


def _joined(piece: str, language: str) -> list[str]:
    """Splits "what is X, and how does Y work?", not "how and why does X work?"."""
    parts: list[str] = []
    start = 0
    for match in _JOINED_IN.get(language, _JOINED).finditer(piece):
        held = piece[start : match.start()]
        rest = piece[match.end() :]
        counts = _asks(held) or (parts and match.group().strip() in (";", "；"))
        if (
            counts
            and not is_quoted(piece, match.start())
            and not _NOUN_ALONE.fullmatch(held)
            and tokenize(held, language)
            and tokenize(rest, language)
        ):
            parts.append(held.strip())
            start = match.end()
    return [*parts, piece[start:].strip()]


def _asks(piece: str) -> bool:
    return bool(_QUESTION_WORD.search(piece) or _BIDS.search(piece))
