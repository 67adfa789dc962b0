"""Which words of one text another one holds, in whatever form."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from local_rag.text.tokens import is_gram, tokenize, words

if TYPE_CHECKING:
    from collections.abc import Iterable

_SHORTEST_FUZZY = 5
_SHORTEST_WITHIN = 4
_IRREGULAR = """
be was were been is are; become became; begin began begun; break broke broken; bring brought;
build built; buy bought; catch caught; choose chose chosen; come came; die died death dead; draw
drew drawn; drive drove driven; eat ate eaten; fall fell fallen; feel felt; fight fought; find
found; fly flew flown flight; get got; give gave given; go went gone; grow grew grown growth; have
had has; hear heard; hold held; keep kept; know knew known; lead led; leave left; lose lost loss;
make made; mean meant; meet met; pay paid; rise rose risen; run ran; say said; see saw seen; sell
sold sale; send sent; shoot shot; sing sang sung; sink sank sunk; sit sat; speak spoke spoken spend
spent; stand stood; steal stole stolen; take took taken; teach taught; tell told; think thought;
throw threw thrown; wear wore worn; win won winner; write wrote written; large larger largest big
bigger biggest; good better best; high higher highest height; long longer longest length; old
older oldest age aged; bear bears bore borne bearing
"""


def content_words(text: str, language: str) -> dict[str, tuple[str, ...]]:
    """The words of a text that say something: surface in small letters → index tokens.

    Of scripts without spaces each pair of characters is a word.
    """
    found: dict[str, tuple[str, ...]] = {}
    for word in words(text):
        tokens = tuple(tokenize(word.surface, language))
        if tokens and word.surface[0] > "\u2e80":
            found.update({t: (t,) for t in tokens if len(t) > 1 or len(tokens) == 1})
        elif tokens:
            found.setdefault(word.surface.casefold(), tokens)
    return found


def lettered_words(text: str, language: str) -> dict[str, tuple[str, ...]]:
    """The content words but for numbers and codes, which are compared by their value."""
    found = content_words(text, language)
    return {w: tokens for w, tokens in found.items() if not any(map(str.isdigit, w))}


def vocabulary(text: str, languages: Iterable[str]) -> frozenset[str]:
    """The index tokens of a text in each of the languages."""
    return frozenset().union(*(tokenize(text, language) for language in dict.fromkeys(languages)))


def holds_word(known: frozenset[str], word: str, tokens: tuple[str, ...], language: str) -> bool:
    """Whether a vocabulary has the word: its stem, all its parts, a relative, or a compound.

    Args:
        word: in small letters.
        tokens: its index tokens, the whole word first.
    """
    if tokens[0] in known or (len(tokens) > 1 and known.issuperset(_parts(tokens))):
        return True
    if is_gram(tokens[0]) or not tokens[0].isalpha():
        return False
    if language in ("en", "und") and any(
        form in known for other in _related().get(word, ()) for form in tokenize(other, "en")
    ):
        return True
    return any(_akin(tokens[0], token) for token in known)


def share_held(claim: str, known: frozenset[str], language: str) -> float:
    """Share of the text's words that the vocabulary has, numbers aside; 1 where it has no words."""
    content = lettered_words(claim, language)
    if not content:
        return 1.0
    held = sum(holds_word(known, word, tokens, language) for word, tokens in content.items())
    return held / len(content)


def _parts(tokens: tuple[str, ...]) -> tuple[str, ...]:
    """Of a compound, the parts without the pairs of them."""
    rest = tokens[1:]
    return tuple(t for t in rest if not any(t != o and o in t for o in rest))


def _akin(left: str, right: str) -> bool:
    shorter, longer = sorted((left, right), key=len)
    if len(shorter) < _SHORTEST_WITHIN or not shorter.isalpha():
        return False
    if len(shorter) >= _SHORTEST_FUZZY:
        shared = next(
            (i for i, (a, b) in enumerate(zip(shorter, longer, strict=False)) if a != b),
            len(shorter),
        )
        if shared >= _SHORTEST_FUZZY and shared * 10 >= 7 * len(longer):
            return True
    return len(shorter) >= _SHORTEST_FUZZY and (
        longer.startswith(shorter) or longer.endswith(shorter)
    )


@lru_cache(maxsize=1)
def _related() -> dict[str, tuple[str, ...]]:
    groups = [tuple(group.split()) for group in _IRREGULAR.split(";")]
    return {word: group for group in groups for word in group}
