"""Whether cited passages bear a statement out, and whether an answer says a fact. By rules alone.

The rules are those by which the program doubts claims (``text.facts``): numbers, units, dates,
names, denials, opposites, bounds, permissions, and the share of the words that are held.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from local_rag.evaluation.cases import normalised
from local_rag.evaluation.quoting import columns_of, is_quoted, is_turned, row_is_right
from local_rag.text.facts import LEAST_OVERLAP, flags, without_figures
from local_rag.text.held import share_held, vocabulary
from local_rag.text.language import UNDETERMINED, detect
from local_rag.text.sentences import sentences

if TYPE_CHECKING:
    from collections.abc import Sequence

    from local_rag.evaluation.observed import Cited

_DENIES = frozenset(["negation", "permission"])
_OPEN = frozenset(["hedge"])


def is_borne_out(statement: str, cited: Sequence[Cited], language: str) -> bool:
    """Whether the passages together hold what the statement says, and their quotes speak of it.

    Args:
        language: where the statement's own cannot be told; ISO 639-1 or ``und``.
    """
    if not cited:
        return False
    own = _language(statement, language)
    text = "\n\n".join(one.passage.read_text for one in cited)
    passages = [one.passage for one in cited]
    right = row_is_right(statement, passages)
    if right is not None:
        return right
    if not is_quoted(statement, passages, own) and (
        is_turned(statement, passages, own) or flags(statement, text, own)
    ):
        return False
    marked = "\n".join(map(_marked, cited))
    known = vocabulary(marked, [own, detect(text)])
    return share_held(without_figures(statement, own), known, own) >= LEAST_OVERLAP


def _marked(cited: Cited) -> str:
    """The quote with what stands over it; over a row of a table, also the names of its columns."""
    passage = cited.passage
    columns = columns_of(passage.read_text) if "|" in cited.quote else []
    return "\n".join([passage.over, *columns, cited.quote])


def says_fact(fact: str, answer: str, shown: Sequence[str], language: str) -> bool:
    """Whether an answer says a fact: in its words, or with the same numbers, dates and words.

    A sentence that denies the fact does not say it, unless the texts in which the case shows the
    fact deny in the same way ("no later than 30 days").

    Args:
        answer: without markers.
        shown: the case's reference answer and expected texts.
    """
    own = _language(" ".join([fact, *shown]), language)
    usual: set[str] = set()
    for text in shown:
        usual.update(*(_against(fact, part, own) for part in _parts(text, own, fact)))
    for line in answer.split("\n"):
        for said in [*_parts(line, own), line]:
            against = _against(fact, said, own)
            if _holds_words(fact, said):
                against &= _DENIES
            elif not _holds_all(fact, said, own):
                continue
            if not against - (usual & _DENIES) - _OPEN:
                return True
    return False


def _parts(text: str, language: str, holding: str = "") -> list[str]:
    """The sentences of a text, or those of them that hold certain words."""
    parts = [text[start:end] for start, end in sentences(text, language)]
    return [part for part in parts if not holding or _holds_words(holding, part)]


def _against(fact: str, text: str, language: str) -> set[str]:
    """The kinds of doubt that the text raises about the fact."""
    return {str(flag.kind) for flag in flags(fact, text, language)}


def _holds_words(fact: str, text: str) -> bool:
    """Whether the fact stands in the text as it is, from word border to word border."""
    wanted = normalised(fact)
    before = r"(?<!\w)(?<!\d[.,])" if _is_spaced(wanted[:1]) else ""
    after = r"(?!\w)(?![.,]\d)" if _is_spaced(wanted[-1:]) else ""
    return re.search(f"{before}{re.escape(wanted)}{after}", normalised(text)) is not None


def _is_spaced(char: str) -> bool:
    """Whether it is of a script that parts its words."""
    return char.isalnum() and char < "\u2e80"


def _holds_all(fact: str, text: str, language: str) -> bool:
    known = vocabulary(text, [language, detect(text)])
    return share_held(without_figures(fact, language), known, language) == 1.0


def _language(text: str, otherwise: str) -> str:
    found = detect(text)
    return otherwise if found == UNDETERMINED else found
