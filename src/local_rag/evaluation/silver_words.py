"""Words that decide whether a subject can be asked about by itself, in English and German."""

from __future__ import annotations

import re

from local_rag.text.stop_words import STOP_WORDS


def _listed(words: str) -> frozenset[str]:
    return frozenset(words.split())


ARTICLES = {
    "en": _listed("the a an each every all"),
    "de": _listed("der die das den dem ein eine einen einem einer jeder jede jedes alle"),
}
_POINTING = {
    "en": _listed(
        """
        it this that these those they them he she we i you one our their its his her my your such
        here there former latter above below following same previous next other another both who
        which whose when where while because if although though since but also however then thus
        hence therefore so later now today currently earlier meanwhile usually not no none nothing
        only result results reason problem fact figure table section chapter appendix equation
        example
        """
    ),
    "de": _listed(
        """
        dies diese dieser dieses diesen diesem jene jener jenes es er sie wir ich du man ihr ihre
        ihren ihrer unser unsere unserer sein seine seiner solche solcher folgende folgenden obige
        obigen letztere erstere andere anderen nächste nächsten gleiche vorherige dabei dort hier da
        damit darin daher deshalb wenn falls weil obwohl während aber auch jedoch später heute
        derzeit früher inzwischen nicht kein keine nur welche welcher welches abbildung tabelle
        abschnitt kapitel ergebnis grund problem beispiel
        """
    ),
}
_WORD = re.compile(r"[^\W_]+(?:[-'’./][^\W_]+)*")
_LETTERS = re.compile(r"[^\W\d_]{2,}")
_BREAKS = re.compile(r"""[,;:!?()\[\]{}"“”„«»|*`<>=\\/@•…]|\.\s""")
_LONGEST_SUBJECT_WORDS = 9


def words_of(text: str) -> list[str]:
    """Its words, hyphenated ones whole."""
    return _WORD.findall(text)


def telling(text: str, language: str) -> list[str]:
    """Its words that are no function words."""
    stop_words = STOP_WORDS.get(language, frozenset())
    return [w for w in words_of(text) if w.casefold() not in stop_words and _LETTERS.search(w)]


def can_be_asked(subject: str, language: str) -> bool:
    """Whether it is a noun phrase that points to nothing outside of itself, as far as words tell.

    It begins with an article or a capital and holds no pronoun, no clause and no enumeration.
    """
    found = words_of(subject)
    if not found or len(found) > _LONGEST_SUBJECT_WORDS or _BREAKS.search(subject):
        return False
    if any(word.casefold() in _POINTING[language] for word in found):
        return False
    first = found[0]
    has_article = first.casefold() in ARTICLES[language]
    if not has_article:
        if not first[0].isupper() or first.casefold() in STOP_WORDS.get(language, frozenset()):
            return False
        if len(found) > 1 and found[1].casefold() in ARTICLES[language]:
            return False  # "Later the deposit …": an adverb leads the sentence
        if first.isupper() and len(found) > 3:
            return False
    return bool(telling(subject, language))


def is_specific(subject: str, language: str) -> bool:
    """Whether it says by itself which one is meant: two telling words, a name, or a code."""
    found = telling(subject, language)
    rest = found[1:] if words_of(subject)[0] == found[0] else found
    if len(found) >= 2:
        return True
    if language == "en" and any(word[0].isupper() for word in rest):
        return True
    return any(any(map(str.isdigit, w)) or (len(w) > 1 and w.isupper()) for w in found)


def inside(subject: str, language: str) -> str:
    """The subject as it stands within a sentence: an article at its beginning is small."""
    first, _, rest = subject.partition(" ")
    if first.casefold() in ARTICLES[language]:
        return f"{first.casefold()} {rest}"
    return subject
