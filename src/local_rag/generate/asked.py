"""Of which kind a question wants everything: "list all risks", "list all phone numbers"."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from local_rag.generate import values

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from local_rag.generate.score import Query
    from local_rag.generate.terms import Term

_ASKING_WORDS = """
    list enumerate name give show find tell mention all every each complete full entire there
    everyone everybody anyone everything who
    liste nenne nennen zähle zeige gib finde alle allen aller sämtliche sämtlicher auf gibt
    énumère énumérer cite donne montre trouve tous toutes toute tout enumera nombra muestra dime
    todos todas enumere mostre cite elenca mostra tutti tutte
"""
_GENERIC_WORDS = """
    table tables tabelle tabellen tableau tableaux tabla tablas tabela
    number numbers nummer nummern numéro numéros número números numero numeri
    thing things item items point points entry entries element elements kind kinds type types sort
    sorts method methods technique techniques example examples step steps schritt schritte étape
    étapes paso pasos passo passos ding dinge punkt punkte eintrag einträge element elemente art
    arten methode methoden beispiel beispiele chose choses élément éléments méthode méthodes cosa
    cosas elemento elementos método métodos coisa coisas
"""
_ASKING_WIDE = re.compile(r"请|列出|列举|列舉|所有|全部|都?有?哪些|都有什么|有什么|[的都]")


@dataclass(frozen=True, slots=True)
class Asked:
    """Of which kind everything is wanted.

    Attributes:
        terms: the words that say it.
        generic: further words that any table or list is meant by, such as "items".
        has_value: tells whether a text has a value of the kind, if it is one known by its looks.
        beside: ``terms`` without the words for that value.
    """

    terms: tuple[Term, ...]
    generic: int = 0
    has_value: Callable[[str], bool] | None = None
    beside: tuple[Term, ...] = ()


def says_the_kind(terms: Sequence[Term], tokens: frozenset[str]) -> bool:
    """Whether a text has a word for what is asked for, not only the name of whom it is of."""
    kinds = [term for term in terms if not term.named]
    return not kinds or any(term.strength(tokens) for term in kinds)


def asked_for(query: Query) -> Asked:
    """The words of the question that do not only ask for a list."""
    asking = frozenset(_ASKING_WORDS.split())
    generic = frozenset(_GENERIC_WORDS.split())
    wide = _ASKING_WIDE.sub(" ", query.text)
    asked = [
        term
        for term in query.terms
        if (term.surface in wide if term.wide else term.surface.casefold() not in asking)
    ]
    terms = tuple(term for term in asked if term.surface.casefold() not in generic)
    if not terms:
        return Asked(tuple(asked))
    value = values.kind_asked_for(query.text)
    if value is None:
        return Asked(terms, len(asked) - len(terms))
    has_value, words = value
    beside = tuple(term for term in terms if term.surface.casefold() not in words.casefold())
    return Asked(terms, len(asked) - len(terms), has_value, beside)
