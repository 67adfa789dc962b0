"""Whether a question asks for everything of a kind."""

from __future__ import annotations

import re


def _not(words: str) -> str:
    """A few characters without one of these words."""
    return rf"(?:(?!\b(?:{words})\b).){{0,40}}?"


_EN = _not("after|above|at|once|not|whether|if|that|when|why|which|how")
_DE = _not("vor|bei|trotz|nach|ob|dass|wann|warum|wie")
_FR = _not("dans|si|quand|après|avant|que")
_BEGINS = re.compile(
    r"\W*(?:please\s+|bitte\s+)?(?:"
    r"(?:list(?!\s+prices?\b)|enumerate|liste|zähle?|enumera|enumere|elenca|énumère[rz]?)\b"
    r"|(?:all|every|alle|sämtliche|tous|toutes|todos|todas|tutti|tutte)\b"
    # "all in all", "all-wheel", "every 5 years", "alle wie viele Jahre"
    r"(?!-|\s+(?:l[eo]s\s+)?(?:\d|in all\b|right\b|how\b|few\b|other\b|wie\b|paar\b|combien\b)))",
    re.IGNORECASE,
)
_HOLDS = re.compile(
    r"(?:^\W*|[.:;,!?]\s+|\b(?:please|can|could|would|you|to|and|me|us)\s+)"
    rf"(?:list|name|give|show|find|tell|mention)\b{_EN}\b(?:all|every|each)\b"
    rf"|\b(?:what|which|who) are\b{_EN}\b(?:all|every|each)\b"
    r"|\b(?:which|what)\b.{1,80}\bare there\b"
    r"|(?<!at )(?<!in )(?<!on )\b(?:which|what)\b(?!\s+(?:time|day|date|year)\b).{1,80}"
    r"\bis there\b(?!\s+(?:an?|any|some|no|enough|still|another)\b)"
    rf"|\b(?:nenne?|zeige?|gib|finde?)\b{_DE}\b(?:alle[rsn]?|sämtliche[rsnm]?)\b"
    rf"|\b(?:welche|wer|was)\s+(?:sind|waren)\b{_DE}\b(?:alle|sämtliche)\b"
    rf"|\b(?:wer|was)\b{_DE}\balles\b|\bwelche\b.{{1,80}}\bgibt es\b"
    r"|\b(?:cite[rz]?|donne[rz]?|montre[rz]?|trouve[rz]?|quel(?:le)?s sont)\b"
    rf"{_FR}\b(?:tous|toutes|chaque)\b"
    r"|(?<!dans )(?<!à )\bquel(?:le)?s?\b.{1,80}\b(?:y a-t-il|existe(?:nt)?)\b"
    r"|\b(?:nombra|muestra|cuáles son|dime|quais são|mostre|cite|quali sono|mostra)\b.{0,40}?"
    r"\b(?:todos|todas|cada|tutti|tutte)\b"
    r"|(?:(?<!en )(?<!em )(?<!de )(?<!a )(?<!con )(?<!com )(?<!por )(?<!para )\bqué\b"
    r"|^\W*que\b).{1,80}\b(?:hay|há|existen|existem)\b"
    r"|列出|列举|列舉|所有(?![人者权權制])|全部|有哪些|都有什么",
    re.IGNORECASE,
)

_TELLING = (
    *("all", "each", "every", "there", "sämtlich", "gibt es", "tous", "toutes", "chaque"),
    *("y a-t-il", "existe", "todos", "todas", "cada", "tutti", "tutte", "hay", "há"),
    *("列出", "列举", "列舉", "所有", "全部", "有哪些", "都有什么"),
)
"""What ``_HOLDS`` finds has one of these; most questions have none."""


def wants_all(question: str) -> bool:
    """Whether it asks for everything of a kind ("list all …"), not for one fact."""
    if _BEGINS.match(question):
        return True
    folded = question.casefold()
    return any(word in folded for word in _TELLING) and _HOLDS.search(question) is not None
