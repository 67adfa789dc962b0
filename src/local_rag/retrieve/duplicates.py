"""Passages that say what a better one already says."""

from __future__ import annotations

from local_rag.text.tokens import words

_RUN = 3  # words of a shingle
_SAME = 0.85  # share of the later passage's shingles
_NEW_SHARE = 0.03
_SHORT = 8  # words; so few must be equal
_NEGATIONS = frozenset(
    {
        *("no", "not", "never", "none", "neither", "nor", "without", "except"),
        *("nicht", "kein", "keine", "keinen", "keiner", "nie", "ohne", "außer"),
        *("ne", "pas", "jamais", "aucun", "aucune", "sans", "sin", "nunca", "ningún", "não", "sem"),
        *("non", "mai", "senza", "не", "без", "لا", "لم", "لن", "ليس"),
    }
)


class Said:
    """The words of a passage, to be compared with those of a later one."""

    def __init__(self, text: str) -> None:
        surfaces = [word.surface for word in words(text)]
        self._text = " ".join(surfaces)
        self._surfaces = frozenset(surfaces)
        folded = self._text.casefold().split()
        self._count = len(folded)
        self._words = frozenset(folded)
        self._runs = frozenset(zip(folded, folded[1:], folded[2:], strict=False))

    def repeats(self, better: Said) -> bool:
        """Whether this passage adds nothing to the better one.

        Nearly all of its runs of three words stand there, and no number, name or negation is new:
        two versions of a contract that differ in one sum are two passages.
        """
        if self._text == better._text:
            return True
        if self._count < _SHORT or len(self._runs & better._runs) < _SAME * len(self._runs):
            return False
        new = self._surfaces - better._surfaces
        if any(not word.islower() or word in _NEGATIONS for word in new):
            return False
        return len(self._words - better._words) <= _NEW_SHARE * self._count
