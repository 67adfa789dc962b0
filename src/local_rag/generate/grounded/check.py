"""Whether the passages that a statement cites bear it out."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from local_rag.generate.grounded.prompt import RULES
from local_rag.generate.grounded.support import best_unit, instructs, supports_in
from local_rag.generate.units import language_of, units_of
from local_rag.model.answer import Claim, Support
from local_rag.text.facts import LEAST_OVERLAP, flags, without_figures
from local_rag.text.held import holds_word, lettered_words, share_held, vocabulary
from local_rag.text.language import UNDETERMINED, detect
from local_rag.text.polarity import denials

if TYPE_CHECKING:
    from collections.abc import Sequence

    from local_rag.generate.grounded.parse import Said
    from local_rag.model.evidence import Evidence
    from local_rag.model.question import Part

_RULE_WORDS = 5
_QUESTION_MARKS = ("?", "？", "؟")


@dataclass(frozen=True, slots=True)
class Checked:
    """A statement after the check.

    Attributes:
        claim: what may be published; ``None`` where something speaks against it.
        faults: what does, in words for the model.
        instead: the cited sentence that comes nearest, if one does.
    """

    said: Said
    claim: Claim | None
    faults: tuple[str, ...] = ()
    instead: Claim | None = None


def check(said: Said, rows: Sequence[Evidence], part: Part, language: str) -> Checked:
    """Holds a statement against the passages that it cites.

    Names, numbers and words may stand in a passage's headings, its title or its table's header as
    well; in the question alone they bear nothing out.

    Args:
        rows: the passages that the model was shown; its number 1 is the first.
        language: of the question, ISO 639-1 or ``und``.
    """
    unknown = [n for n in said.citations if not 1 <= n <= len(rows)]
    if unknown or not said.citations:
        fault = (
            f"“{said.text}” cites passage {unknown[0]}, which is not there."
            if unknown
            else (f"“{said.text}” cites no passage.")
        )
        return Checked(said, None, (fault,))
    cited = [rows[n - 1] for n in said.citations]
    fault = _is_copied(said.text, part, cited)
    if fault:
        return Checked(said, None, (f"“{said.text}” {fault}",))
    if any(_has_instructions(row) for row in cited) and not _is_asked(said.text, part, language):
        return Checked(said, None, (f"“{said.text}” was not asked.",))
    spoken = _language(said.text, language, cited)
    text = "\n\n".join(row.chunk.indexed_text(row.document.title) for row in cited)
    found = flags(said.text, text, spoken)
    supports = [s for row in cited for s in supports_in(said.text, row, spoken)]
    says_enough = _says_enough(said.text, spoken)
    if not found and says_enough and _is_spoken_of(said.text, cited, supports, spoken):
        return Checked(said, Claim(said.text, tuple(supports)))
    faults = [f"“{said.text}”: {flag.message}" for flag in found]
    if not says_enough:
        faults.append(f"“{said.text}” is no statement.")
    if not faults:
        faults = [f"“{said.text}”: no sentence of the cited passages says so."]
    return Checked(said, None, tuple(faults), _instead(said.text, part, cited, spoken))


def _has_instructions(row: Evidence) -> bool:
    """Whether a passage speaks to a model: its other sentences may be bait, too."""
    return any(instructs(unit.text) for unit in units_of(0, row))


def _is_asked(text: str, part: Part, language: str) -> bool:
    """Whether a statement has a word of the question."""
    known = vocabulary(part.search_text, [language, detect(text)])
    words = lettered_words(text, language)
    return any(holds_word(known, w, t, language) for w, t in words.items())


def _is_spoken_of(
    text: str, cited: Sequence[Evidence], supports: Sequence[Support], language: str
) -> bool:
    """Whether the marked sentences, with what stands over them, hold half of the words.

    A whole passage holds half of the words of many a sentence that it does not say.
    """
    chunks = {row.chunk.chunk_id: row for row in cited}
    marked = [chunks[s.chunk_id].chunk.text[s.start : s.end] for s in supports]
    over = [" ".join([*r.chunk.heading_path, r.document.title or "", r.chunk.lead]) for r in cited]
    if not marked:
        return False
    known = vocabulary("\n".join([*marked, *over]), [language, *map(language_of, cited)])
    return share_held(without_figures(text, language), known, language) >= LEAST_OVERLAP


def _says_enough(text: str, language: str) -> bool:
    """Whether it is a statement: two words that say something, or one with a number or denial."""
    plain = without_figures(text, language)
    words = len(lettered_words(plain, language))
    return words > 1 or plain != text or (words == 1 and bool(denials(text, language)))


def _instead(text: str, part: Part, cited: Sequence[Evidence], language: str) -> Claim | None:
    """The cited sentence that holds most of the statement's words, if it holds half of them.

    It must have a word of the question, too: the statement that it replaces is not to be trusted.
    """
    asked = vocabulary(part.search_text, [language, *map(language_of, cited)])
    found = [best_unit(text, row, language) for row in cited]
    share, claim = max(
        ((one.share, one.claim) for one in found if one is not None),
        key=lambda pair: pair[0],
        default=(0.0, None),
    )
    if claim is None or share < LEAST_OVERLAP:
        return None
    words = lettered_words(claim.text, language)
    return claim if any(holds_word(asked, w, t, language) for w, t in words.items()) else None


def _language(text: str, language: str, cited: Sequence[Evidence]) -> str:
    """The language of a statement: the question's, unless it reads as that of the passages."""
    found = detect(text)
    return found if language == UNDETERMINED or found in map(language_of, cited) else language


def _is_copied(text: str, part: Part, cited: Sequence[Evidence]) -> str:
    """How a statement repeats what it was asked, or ``""``."""
    words = _words(text)
    if not words:
        return "has no words."
    if text.rstrip("\"'”»)").endswith(_QUESTION_MARKS) or words == _words(part.text):
        return "is a question, not an answer."
    runs = _runs(words)
    if runs & _rule_runs() and not any(
        runs & _rule_runs() & _runs(_words(r.chunk.text)) for r in cited
    ):
        return "repeats the rules instead of answering."
    return ""


def _words(text: str) -> tuple[str, ...]:
    kept = "".join(char if char.isalnum() else " " for char in text.casefold())
    return tuple(kept.split())


def _runs(words: tuple[str, ...]) -> frozenset[tuple[str, ...]]:
    return frozenset(words[i : i + _RULE_WORDS] for i in range(len(words) - _RULE_WORDS + 1))


@lru_cache(maxsize=1)
def _rule_runs() -> frozenset[tuple[str, ...]]:
    return frozenset().union(*(_runs(_words(rule)) for rule in RULES))
