"""Which sentences of a passage hold a statement, so that the very lines can be marked."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from local_rag.generate.units import language_of, units_of
from local_rag.model.answer import Claim, Support
from local_rag.text.calendar import dates_in
from local_rag.text.facts import without_figures
from local_rag.text.held import holds_word, lettered_words, vocabulary
from local_rag.text.quantities import quantities_in

if TYPE_CHECKING:
    from local_rag.generate.units import Unit
    from local_rag.model.evidence import Evidence

_MOST_SENTENCES = 3
_LEAST_SHARE = 0.2  # of the statement's words and facts, for a passage to hold something of it
_LEAST_GAIN = 0.15  # for a further sentence
_FACT_WEIGHT = 2.0


_ALL = r"(?:(?:the|every|any|all) )?(?:users?|readers?|everybody|everyone|anyone|people)"
_INSTRUCTS = re.compile(
    r"\b(?:ignor\w*|disregard\w*|forget|override|vergiss|missachte\w*|oublie[rz]?|olvid\w+"
    r"|desconsider\w*)\b.{0,60}\b(?:instructions?|prompts?|rules|anweisung\w*|regeln|consignes?"
    r"|instruccion\w*|reglas|instruç\w+|regras|istruzion\w*|regole)\b"
    r"|忽略.{0,20}(?:指令|指示|说明|规则)"
    r"|\b(?:you are|du bist|tu es|eres) (?:now |jetzt |maintenant |ahora )?(?:an? |ein |une? )?"
    r"(?:ai|ki|ia|chatbot|assistant|assistent|language model)\b"
    rf"|\btell (?:this |that )?{_ALL} (?:so|this|that|who asks?)\b"
    rf"|\bsay (?:so|this|that|it) to {_ALL}\b"
    r"|\bsag(?:en sie|e)? (?:es|das|dies) (?:bitte )?(?:allen|jedem|dem (?:be)?(?:nutzer|leser))\b"
    r"|\bdi(?:s|tes)-le à (?:tous|chacun|l['’]utilisateur|tout le monde)\b"
    r"|\b(?:system prompt|as an ai\b|dear (?:ai|model|llm))",
    re.IGNORECASE,
)


def instructs(sentence: str) -> bool:
    """Whether a sentence speaks to a model instead of a reader: it bears nothing out."""
    return _INSTRUCTS.search(sentence) is not None


class Held(NamedTuple):
    """The sentence of a passage that holds most of a statement's words, and the share of them."""

    claim: Claim
    share: float


def supports_in(text: str, row: Evidence, language: str) -> list[Support]:
    """The sentences of a passage that hold most of a statement: none, or up to three.

    Args:
        language: of the statement.
    """
    units = [u for u in units_of(0, row) if u.kind != "noise" and not instructs(u.text)]
    wanted = _weights(text, language)
    held = [_held(unit, wanted, row, text, language) for unit in units]
    total = sum(wanted.values())
    have: set[str] = set()
    chosen: list[int] = []
    while len(chosen) < _MOST_SENTENCES:
        gains = [sum(wanted[w] for w in words - have) for words in held]
        best = max(range(len(units)), key=gains.__getitem__, default=None)
        if best is None or gains[best] < (_LEAST_GAIN if chosen else _LEAST_SHARE) * total:
            break
        chosen.append(best)
        have |= held[best]
    return [Support(row.chunk.chunk_id, units[i].start, units[i].end) for i in sorted(chosen)]


def best_unit(text: str, row: Evidence, language: str) -> Held | None:
    """The sentence of a passage nearest to a statement, as a claim of its own."""
    words = lettered_words(without_figures(text, language), language)
    best: Held | None = None
    for unit in units_of(0, row):
        if unit.kind in ("noise", "heading") or unit.cut or not words or instructs(unit.text):
            continue
        known = vocabulary(unit.text, [language, language_of(row)])
        share = sum(holds_word(known, w, t, language) for w, t in words.items()) / len(words)
        if best is None or share > best.share:
            support = Support(row.chunk.chunk_id, unit.start, unit.end)
            best = Held(Claim(unit.text, (support,)), share)
    return best


def _weights(text: str, language: str) -> dict[str, float]:
    """What a statement says, piece by piece: its words, and its numbers, dates and names."""
    wanted = dict.fromkeys(lettered_words(without_figures(text, language), language), 1.0)
    for quantity in quantities_in(text, language):
        if quantity.sure:
            wanted[f"#{quantity.values[0]}"] = _FACT_WEIGHT
    for date in dates_in(text):
        wanted[f"@{text[date.start : date.end]}"] = _FACT_WEIGHT
    return wanted


def _held(
    unit: Unit, wanted: dict[str, float], row: Evidence, text: str, language: str
) -> set[str]:
    known = vocabulary(unit.text, [language, language_of(row)])
    words = lettered_words(text, language)
    found = {w for w, t in words.items() if w in wanted and holds_word(known, w, t, language)}
    for quantity in quantities_in(unit.text, language_of(row)):
        found.update(f"#{value}" for value in quantity.values if f"#{value}" in wanted)
    days = [day for date in dates_in(unit.text) for day in date.readings]
    for date in dates_in(text):
        if date.readings.intersection(days):
            found.add(f"@{text[date.start : date.end]}")
    return found
