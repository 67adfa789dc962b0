"""What an answer must say, chosen by code: numbers, dates and names that the evidence has too."""

from __future__ import annotations

import re

from local_rag.evaluation.cases import normalised
from local_rag.text.calendar import dates_in
from local_rag.text.entities import names_in
from local_rag.text.language import detect
from local_rag.text.quantities import quantities_in

MOST_FACTS = 8


def chosen_facts(question: str, answer: str, quoted: str) -> list[str]:
    """Numbers, dates and names of the answer, in its words and order, at most ``MOST_FACTS``.

    Those that the evidence does not have word for word are left out: they are no facts of it. So
    are those of the question, which prove no answer, and those within longer ones.
    """
    language = detect(answer)
    surfaces = [answer[date.start : date.end] for date in dates_in(answer)]
    surfaces += [one.surface for one in quantities_in(answer, language) if one.sure]
    surfaces += [name.surface for name in names_in(answer, language) if not name.opens]
    said, shown, asked = normalised(answer), normalised(quoted), normalised(question)
    found: dict[str, str] = {}
    for surface in sorted(surfaces, key=len, reverse=True):
        plain = normalised(surface)
        if not (_holds(said, plain) and _holds(shown, plain)) or _holds(asked, plain):
            continue
        if not any(_holds(longer, plain) for longer in found):
            found[plain] = surface.strip()
    return sorted(found.values(), key=lambda fact: said.find(normalised(fact)))[:MOST_FACTS]


def _holds(text: str, part: str) -> bool:
    """Whether it has the part, and not within a longer word or number."""
    inner = rf"(?<![^\W_])(?<!\d[.,]){re.escape(part)}(?![^\W_])(?![.,]\d)"
    return bool(part) and re.search(inner, text) is not None
