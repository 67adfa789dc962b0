"""What a question asks of its subject in so many words: its price, its colour, a company's name.

A sentence of the same subject that states no such thing is no answer, however alike it is: "What
does the course cost?" is not answered by how long the course takes.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from local_rag.generate import values
from local_rag.generate.proper import has_name, words_in_small_letters
from local_rag.text.language import STOP_WORDS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

_COSTS = re.compile(
    r"\b(?:how much|what) (?:do|does|did|will|would) .{1,80}\bcosts?\b|\bhow expensive\b"
    r"|\bhow much (?:is|are|were|was) the (?:\w+ )?(?:price|fee|fare|rent|toll)\b"
    r"|\bwhat(?:'s| is| are| was| were) the (?:\w+ )?(?:price|fee|fare|rent)s? (?:of|for|to)\b"
    r"|\b(?:was|wie ?viel|wieviel) (?:\w+ )?(?:kostete?n?|koste)\b|\bwie teuer\b"
    r"|\b(?:was|wie ?viel) (?:muss|müssen|soll|sollen|wird|werden|würde) .{1,80}\bkosten\b"
    r"|\bwie hoch (?:ist|sind|war|waren) (?:der|die|das) (?:\w*preise?|\w*gebühr(?:en)?|\w*miete"
    r"|\w*kosten)\b"
    r"|\bcombien (?:coûte(?:nt)?|coûtait)\b|\bcuánto (?:cuestan?|costó|costaba)\b"
    r"|\bquanto (?:costan?o?|custam?|custou|custava)\b",
    re.IGNORECASE,
)
_COST_WORDS = (
    r"(?:cost|expens|pric|kost|teuer|preis|gebühr|coût|cuest|custa|custo)\w*|how|much|viel"
)
_COLOUR_WORDS = r"(?:colou?r|farb|couleur|colore|cor)\w*"
_COLOURS = re.compile(
    r"\b(?:what|which) (?:is the )?(?:colou?rs?)\b|\bwelche[rnsm]? farben?\b"
    r"|\bde quelles? couleurs?\b|\bquelles? (?:est |sont )?(?:la |les )?couleurs?\b"
    r"|\bqué colou?r(?:es)?\b|\b(?:che|quale?) colore\b|\b(?:que|qual) (?:é )?(?:a )?cor\b",
    re.IGNORECASE,
)
_MAKER = "company|firm|corporation|manufacturer|make|brand|supplier|vendor|insurer|bank|airline"
_MAKER_DE = "firma|unternehmen|marke|hersteller|fabrikat|lieferant|versicherer|bank"
_MAKER_ROMANCE = (
    "entreprise|société|marque|banque|fabricant|empresa|marca|banco|fabricante|azienda|banca|ditta"
    "|società"
)
_COMPANIES = re.compile(
    rf"\b(?:which|what) (?:[\w-]+ )?(?:{_MAKER})\b"
    r"|\bwhat(?:'s| is| was) the (?:name of the company|make|brand|manufacturer)\b"
    rf"|\bwelche[rnsm]? (?:\w+ )?(?:{_MAKER_DE})\b"
    rf"|\b(?:quelle?|qué|che|quale?|que) (?:{_MAKER_ROMANCE})\b",
    re.IGNORECASE,
)
_RULES = re.compile(  # "Which company may apply?" asks for a kind of them
    r"\b(?:can|may|must|should|shall|needs?|kann|darf|muss|soll|können|dürfen|müssen|sollen|braucht"
    r"|brauche|peut|doit|puede|debe|pode|deve|può)\b",
    re.IGNORECASE,
)
_COUNTS_DE = re.compile(r"\bwie ?viele\b", re.IGNORECASE)
_CONTACT = re.compile(
    r"\b(?:what|which)\b.{0,30}?\b(?:(?:tele)?phone|mobile|fax|e-?mail)"
    r" (?:numbers?|address(?:es)?)\b"
    r"|\b(?:telefon|handy|mobil|fax|ruf)nummern?\b|\be-?mail-?adressen?\b",
    re.IGNORECASE,
)
_CONTACT_WORDS = re.compile(
    r"(?:tele)?phone|mobile|fax|e-?mail|numbers?|address(?:es)?|(?:telefon|handy|mobil|fax|ruf)nummern?"
    r"|(?:e-?mail-?)?adressen?",
    re.IGNORECASE,
)
_REACHED_AT = re.compile(  # "Dial 112" has no looks of its own
    r"(?:\b(?:call|dial|ring|text|phone|telephone|tel|mobile|fax)\b|\b(?:telefon|fax|handy|rufnummer)"
    r"|\b(?:wähle|rufe?n?)\b).*\d",
    re.IGNORECASE | re.DOTALL,
)
_HEAD = r"numbers?|codes?|dates?|address(?:es)?|ids?|passwords?|fees?|rates?|prices?"
_COMPOUND = re.compile(
    r"\b(?:what|which)(?:'s| is| are| was| were)? (?:the |your |our |my )?"
    rf"(?P<between>(?:\w+[ -]){{0,2}}?)(?P<mark>\w+)[ -](?P<head>{_HEAD})\b",
    re.IGNORECASE,
)
_HEAD_DE = "nummer|datum|adresse|code|kennung|termin|preis|gebühr"
_COMPOUND_DE = re.compile(
    r"\b(?:wie (?:lautet|lauten|ist|hoch ist)|was ist|welche[rnsm]?|nenne)\b.{0,30}?"
    rf"\b(?P<between>)(?P<mark>[^\W\d_]{{3,}}?)s?-?(?P<head>{_HEAD_DE})n?\b",
    re.IGNORECASE,
)
_ADJECTIVAL = ("fee", "rate", "price")  # "a modest fee" is no other fee
_VAGUE_WORDS = """
    the a an what which total overall average current exact full first last new old next main same
    right correct own minimum maximum highest lowest large small best different certain specific
    approximate real actual final standard normal usual basic whole given annual
    monthly weekly daily gesamt durchschnitts mindest höchst
"""
_VAGUE = frozenset(_VAGUE_WORDS.split())
_FUNCTION_WORDS = STOP_WORDS["en"] | STOP_WORDS["de"]
_STEM_CHARS = 5


@dataclass(frozen=True, slots=True)
class Attribute:
    """What is asked of the subject.

    Attributes:
        words: matches those words of the question that ask for it and do not name the subject.
        is_in: whether a text states one.
    """

    words: re.Pattern[str]
    is_in: Callable[[str], bool]


def attribute_of(question: str, language: str, passages: Iterable[str]) -> Attribute | None:
    """What the question asks for, if it says so in words that are known here.

    Args:
        passages: the texts at hand; what they write in small letters is no name there.
    """
    if _COSTS.search(question):
        return Attribute(re.compile(_COST_WORDS, re.IGNORECASE), values.has_price)
    if _COLOURS.search(question):
        return Attribute(re.compile(_COLOUR_WORDS, re.IGNORECASE), values.has_colour)
    if _COMPANIES.search(question) and not _RULES.search(question):
        words = re.compile(f"(?:{_MAKER}|{_MAKER_DE}|{_MAKER_ROMANCE})", re.IGNORECASE)
        small = words_in_small_letters(passages)
        return Attribute(words, lambda text: has_name(text, question, language, small))
    looks = values.kind_asked_for(question) if _CONTACT.search(question) else None
    if looks is not None:
        has = looks[0]
        return Attribute(
            _CONTACT_WORDS, lambda text: has(text) or _REACHED_AT.search(text) is not None
        )
    return None


def lacks_the_count(question: str, texts: Iterable[str]) -> bool:
    """Whether "wie viele" is asked and none of the texts has a number.

    The judges hold a missing number against a sentence too, but the one without an embedder, which
    is used for German, not enough to refuse.
    """
    return _COUNTS_DE.search(question) is not None and not any(map(values.has_number, texts))


@dataclass(frozen=True, slots=True)
class Marked:
    """A number, date or the like, and the word that tells it from others: "serial number".

    Attributes:
        _found: finds the words before others of its head in a text in small letters.
    """

    mark: str
    _found: re.Pattern[str]

    def is_in(self, text: str) -> bool:
        """Whether the text has the word."""
        return self.mark[:_STEM_CHARS] in text.casefold()

    def has_rival_in(self, text: str) -> bool:
        """Whether the text has another of them, and this one not."""
        found = self._found.findall(text.casefold())
        others = [one for one in found if one not in _FUNCTION_WORDS | _VAGUE]
        same = any(one in self.mark or self.mark in one for one in others)
        return bool(others) and not same and not self.is_in(text)


def marked_in(question: str) -> Marked | None:
    """The number, date or the like that is asked for by more than that word."""
    for compound, joint in ((_COMPOUND, r"[\s-]"), (_COMPOUND_DE, r"(?:s?-)?")):
        match = compound.search(question)
        if match is None:
            continue
        before = re.findall(r"\w+", match["between"].casefold())
        mark, head = match["mark"].casefold(), match["head"].casefold()
        if mark in _VAGUE or not _FUNCTION_WORDS.isdisjoint([mark, *before]):
            continue
        head = head.removesuffix("es") if head.startswith("address") else head.rstrip("s")
        told = r"s?\s*[=:]" if head in _ADJECTIVAL else ""
        return Marked(mark, re.compile(rf"([^\W\d_]{{2,}}?){joint}{head}{told}"))
    return None
