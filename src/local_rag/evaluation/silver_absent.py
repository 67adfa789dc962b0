"""Questions that nothing in the documents answers: the subject of one that is answered, altered."""

from __future__ import annotations

import hashlib
import re
from typing import TYPE_CHECKING

from local_rag.evaluation.silver_words import ARTICLES

if TYPE_CHECKING:
    from local_rag.evaluation.silver_facts import Fact

_ENGLISH = "overnight winter island overseas weekend junior emergency harbour alpine evening"
_GERMAN = "Nacht Winter Insel Reserve Wochenend Probe Hafen Sommer Abend Alpen"
_OTHERS = {"en": tuple(_ENGLISH.split()), "de": tuple(_GERMAN.split())}
_NUMBER = re.compile(r"\d+")
_HEAD = re.compile(r"[A-ZÄÖÜ][a-zäöüß]{3,}")


def altered(fact: Fact, language: str, everything: str) -> tuple[str, str] | None:
    """The question with another subject, and that subject; ``None``: none can be made.

    What tells the other subject from the old one is a number or a word that no document has.

    Args:
        everything: the texts of all documents, case folded.
    """
    if fact.kind in ("steps", "named value") or fact.question.count(fact.subject) != 1:
        return None
    start = int(hashlib.sha256(fact.question.encode()).hexdigest(), 16)
    subject = _of_number(fact.subject, everything, start) or _of_word(
        fact.subject, language, everything, start
    )
    if subject is None or subject.casefold() in everything:
        return None
    return fact.question.replace(fact.subject, subject), subject


def _of_number(subject: str, everything: str, start: int) -> str | None:
    """Another number in place of the last, of as many digits."""
    numbers = list(_NUMBER.finditer(subject))
    if not numbers or len(numbers[-1][0]) < 2:
        return None
    last = numbers[-1]
    low, count = 10 ** (len(last[0]) - 1), 9 * 10 ** (len(last[0]) - 1)
    if len(last[0]) == 4 and last[0][:2] in ("19", "20"):
        low, count = 1900, 150  # a year stays one
    for step in range(min(count, 200)):
        other = str(low + (start + step * 37) % count)
        if other != last[0] and other not in everything:
            return subject[: last.start()] + other + subject[last.end() :]
    return None


def _of_word(subject: str, language: str, everything: str, start: int) -> str | None:
    """A word before the noun, in German joined to it; no document has that word."""
    first, _, rest = subject.partition(" ")
    if first.casefold() not in ARTICLES[language] or not rest:
        return None
    words = _OTHERS[language]
    unused = [word for word in words if word.casefold() not in everything]
    if not unused:
        return None
    word = unused[start % len(unused)]
    if language == "en":
        article = "an" if first == "a" and word[0] in "aeiou" else first
        article = "a" if first == "an" and word[0] not in "aeiou" else article
        return f"{article} {word} {rest}" if rest[0].islower() else None
    head = _HEAD.search(rest)
    if head is None:
        return None
    noun = head[0][0].casefold() + head[0][1:]
    return f"{first} {rest[: head.start()]}{word}{noun}{rest[head.end() :]}"
