"""Values known by their looks: telephone numbers, addresses of mail and pages, dates, prices …"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from local_rag.generate.cues import answers_kind
from local_rag.text.calendar import dates_in

if TYPE_CHECKING:
    from collections.abc import Callable

_PHONE_WORDS = re.compile(
    r"(?<![^\W_])(?:(?:tele)?phones?|phone numbers?|telefon\w*|rufnummern?|faxnummern?|téléphones?"
    r"|teléfonos?|telefon[ei])(?![^\W_])|电话|電話",
    re.IGNORECASE,
)
_MAIL_WORDS = re.compile(
    r"(?<![^\W_])(?:e-?mails?(?:[\s-]?address\w*)?|e-?mail-?adress\w*|courriels?|correos?)(?![^\W_])"
    r"|邮箱|电子邮件",
    re.IGNORECASE,
)
_PAGE_WORDS = re.compile(
    r"(?<![^\W_])(?:urls?|web ?sites?|web ?pages?|links?|webseiten?)(?![^\W_])|网址",
    re.IGNORECASE,
)
_DATE_WORDS = re.compile(
    r"(?<![^\W_])(?:dates|deadlines|daten|termine|fristen|fechas|datas|date|scadenze)(?![^\W_])|日期",
    re.IGNORECASE,
)
_PHONE = re.compile(
    r"(?<![\w.,/-])(?:\+\d{1,3}|\(?0\d{1,4}\)?|\(\d{3}\)|\d{3})(?:[\s./-]?\(?\d{2,}\)?){2,}"
)
_MAIL = re.compile(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+")
_PAGE = re.compile(r"https?://\S+|\bwww\.\S+", re.IGNORECASE)
_LEAST_PHONE_DIGITS = 7
_MONEY = re.compile(
    r"[$€£¥₹₽₩]|\b(?:eur|usd|gbp|chf|jpy|cny|sek|nok|dkk|pln)\b"
    r"|\b(?:euros?|dollars?|dólares|dollari|pounds?|pfund|pence|penny|pennies|cents?|centimes"
    r"|centimos|céntimos|franken|rappen|francs?|yen|yuan|rupees?|kron(?:e|en|er|or|a)|liras?|lire"
    r"|pesos?|reais|rubles?|rubel|shillings?|guineas?|marks?|talers?|talents?|ducats?|dukaten"
    r"|florins?|gulden|livres|crowns|bitcoins?)\b",
    re.IGNORECASE,
)
_PRICED = re.compile(
    r"\b(?:costs?|pric\w+|fees?|charges?|charged|rates?|rent|fares?|tolls?|paid|pays?|worth|budget"
    r"|\w*kosten|kostete?n?|\w*preise?[ns]?|\w*gebühr(?:en)?|\w*miete|\w*entgelte?|\w*pauschale"
    r"|\w*beitrag|\w*tarife?|bezahlt|zahlen|zahlt|prix|coûte\w*|frais|tarifs?|precio\w*|cuesta\w*"
    r"|costó|prezzo|costa\w*|preço|custa\w*)\b",
    re.IGNORECASE,
)
_FREE = re.compile(
    r"\b(?:(?:is|are|was|were|for|comes?|lent|given) free\b(?! (?:from|to)\b)"
    r"|free of (?:charge|cost)|no (?:charge|fee|cost)|costs? nothing|complimentary|waived|gratis"
    r"|umsonst|kosten(?:los|frei)\w*|gebührenfrei\w*|unentgeltlich\w*|kostet nichts|gratuite?s?"
    r"|gratuit[oa]s?)\b",
    re.IGNORECASE,
)
_INCLUDED = re.compile(
    r"\b(?:included|nothing|half|same|inbegriffen|inklusive|enthalten|nichts|hälfte|inclus\w*"
    r"|incluid[oa]s?|compris\w*|rien|nada|niente)\b",
    re.IGNORECASE,
)
_NUMBER_DE = re.compile(  # "zweiundzwanzig", "Hunderte", "das Zehnfache", "Zweidrittelmehrheit"
    r"\b(?:(?:(?:ein|zwei|drei|vier|fünf|sechs?|sieb(?:en)?|acht|neun|zehn|elf|zwölf|zwan)"
    r"(?:und|mal|fach|tel)?|zig|ßig|hundert|tausend|million(?:en)?|milliarden?|dutzend|drittel|hälfte"
    r"|mehrheit)+(?:e[nrms]?|n|s)?"
    r"|beide[nrs]?|paar|kein(?:e[nrms]?)?|alle[nr]?|mehrere[nr]?|einige[nr]?|viele[nr]?|wenige[nr]?"
    r"|einzige[nrs]?|jede[nmrs]?|nie(?:mals)?)\b",
    re.IGNORECASE,
)
_AMOUNT_IN_ROW = re.compile(r"(?:^|[;=|]\s*)\d+[.,]\d\d(?![\d.,])")
_COLOUR = re.compile(
    r"\b(?:(?:light|dark|pale|bright|hell|dunkel)-?)?(?:red|blue|green|yellow|orange|purple|violet|pink"
    r"|brown|black|white|gr[ae]y|beige|turquoise|cyan|magenta|maroon|navy|teal|gold|golden|silver"
    r"|crimson|scarlet|tan|khaki|olive|charcoal|indigo|ivory|cream|amber|bronze|copper|colou?rless|transparent|multicolou?red"
    r"|rot|blau|grün|gelb|lila|violett|rosa|braun|schwarz|weiß|weiss|grau|türkis|golden|silbern"
    r"|farblos|durchsichtig|bunt|rouges?|bleue?s?|verte?s?|jaunes?|noire?s?|blanc(?:he)?s?|grise?s?"
    r"|marron|roj[oa]s?|azul(?:es)?|verdes?|amarill[oa]s?|negr[oa]s?|blanc[oa]s?|ross[oaie]|bl[uù]"
    r"|giall[oaie]|ner[oaie]|bianc[oa]|bianchi|vermelh[oa]s?|amarel[oa]s?|pret[oa]s?|branc[oa]s?)"
    r"(?:ish|e|en|er|es|em|ne)?\b"
    r"|\b(?:colou?red|farben|\w+(?:colou?red|farbene?[nrsm]?))\b|\bRAL \d{4}|#[0-9a-f]{6}\b",
    re.IGNORECASE,
)
_COLOUR_IS = re.compile(
    r"\b(?:colou?rs?|farben?|couleurs?|color(?:es)?|colore|cor)\b\s*(?:[:=]|(?:of|der|des|von)\b"
    r"|(?:is|are|was|were|ist|sind|war|waren|est|es|è|é)\b)",
    re.IGNORECASE,
)


def _has_phone(text: str) -> bool:
    return any(
        sum(map(str.isdigit, match.group())) >= _LEAST_PHONE_DIGITS and not dates_in(match.group())
        for match in _PHONE.finditer(text)
    )


def has_price(text: str) -> bool:
    """Whether the text says what something costs, be it nothing."""
    if _FREE.search(text) or _AMOUNT_IN_ROW.search(text):
        return True
    priced = _PRICED.search(text) is not None
    if priced and _INCLUDED.search(text):
        return True
    return (priced or _MONEY.search(text) is not None) and answers_kind("number", text, "") > 0


def has_number(text: str) -> bool:
    """Whether the text, of English or German, says how many there are, be it none."""
    return answers_kind("number", text, "") > 0 or _NUMBER_DE.search(text) is not None


def has_colour(text: str) -> bool:
    """Whether the text says a colour, or what the colour of something is."""
    return _COLOUR.search(text) is not None or _COLOUR_IS.search(text) is not None


_KINDS: tuple[tuple[re.Pattern[str], Callable[[str], bool]], ...] = (
    (_PHONE_WORDS, _has_phone),
    (_MAIL_WORDS, lambda text: _MAIL.search(text) is not None),
    (_PAGE_WORDS, lambda text: _PAGE.search(text) is not None),
    (_DATE_WORDS, lambda text: bool(dates_in(text))),
)


def kind_asked_for(question: str) -> tuple[Callable[[str], bool], str] | None:
    """Tells whether a text has a value of the kind that is asked for; and the words that ask."""
    for words, has in _KINDS:
        match = words.search(question)
        if match is not None:
            return has, match.group()
    return None
