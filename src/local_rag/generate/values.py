"""Values that are known by their looks: telephone numbers, addresses of mail and pages, dates."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

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


def _has_phone(text: str) -> bool:
    return any(
        sum(map(str.isdigit, match.group())) >= _LEAST_PHONE_DIGITS and not dates_in(match.group())
        for match in _PHONE.finditer(text)
    )


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
