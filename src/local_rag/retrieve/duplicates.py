"""Passages that say what a better one already says."""

from __future__ import annotations

from functools import cached_property

from local_rag.text.tokens import words

_RUN = 3  # words of a shingle
_ROUGHLY = 0.6  # share of what stands between its spaces
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
        self._text = text
        self._rough = frozenset(text.split())

    @cached_property
    def _surfaces(self) -> tuple[str, ...]:
        return tuple(word.surface for word in words(self._text))

    @cached_property
    def _folded(self) -> tuple[str, ...]:
        return tuple(surface.casefold() for surface in self._surfaces)

    @cached_property
    def _runs(self) -> frozenset[tuple[str, ...]]:
        folded = self._folded
        return frozenset(zip(folded, folded[1:], folded[2:], strict=False))

    def repeats(self, better: Said) -> bool:
        """Whether this passage adds nothing to the better one.

        Nearly all of its runs of three words stand there, and no number, name or negation is new:
        two versions of a contract that differ in one sum are two passages.
        """
        if self._text == better._text:
            return True
        if len(self._rough & better._rough) < _ROUGHLY * len(self._rough):
            return False  # most passages; the rest costs a hundred times as much
        if self._surfaces == better._surfaces:
            return True
        count = len(self._folded)
        if count < _SHORT or len(self._runs & better._runs) < _SAME * len(self._runs):
            return False
        new = set(self._surfaces).difference(better._surfaces)
        if any(not word.islower() or word in _NEGATIONS for word in new):
            return False
        return len(set(self._folded).difference(better._folded)) <= _NEW_SHARE * count
