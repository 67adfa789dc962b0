"""What a heading may begin with or consist of, whatever its font: number, label, known name."""

from __future__ import annotations

import re

NUMBER = re.compile(
    r"(?:(?:chapter|section|part|appendix|kapitel|teil)\s+)?"
    r"(?P<number>\d{1,2}(?:\.\d{1,3}){0,4}|[A-Z](?:\.\d{1,3}){1,4}|[A-Z](?=\.?\s)|[IVX]{1,5}(?=\.))"
    r"[.:)]?\s+(?=\S)",
    re.IGNORECASE,
)
_COUNTED = re.compile(
    r"§+\s*\d"
    r"|(?:chapter|section|part|article|appendix|annex|schedule|kapitel|teil|abschnitt|artikel|anhang"
    r"|chapitre|titre|partie|annexe|art[ií]culo|cap[ií]tulo|articolo|capitolo)"
    r"\s+(?:\d{1,3}|[IVXLC]{1,6}|[A-Z])\b"
    r"|第\s?[一二三四五六七八九十百零〇\d]{1,5}\s?[章节節条條编編篇部]"
    r"|[一二三四五六七八九十]{1,3}、",
    re.IGNORECASE,
)
_CAPTION = re.compile(
    r"(?:fig(?:ure|\.)?|tab(?:le|elle|leau|\.)|listing|algorithm|abb(?:ildung|\.)|[图圖表])"
    r"\s*(?:\d|[IVX]+\b|[A-Z][.\d])",
    re.IGNORECASE,
)
STANDING_NAMES = frozenset(
    {
        "abstract",
        "introduction",
        "background",
        "conclusion",
        "conclusions",
        "references",
        "bibliography",
        "acknowledgments",
        "acknowledgements",
        "acknowledgment",
        "acknowledgement",
        "appendix",
        "summary",
        "discussion",
        "results",
        "methods",
        "relatedwork",
        "tableofcontents",
        "contents",
        "zusammenfassung",
        "einleitung",
        "literaturverzeichnis",
        "inhaltsverzeichnis",
        "anhang",
        "resume",
        "bibliographie",
    }
)


def is_counted(text: str) -> bool:
    """Whether it begins as the heading of a counted part does: "§ 3", "Article 5", "第二章"."""
    return bool(_COUNTED.match(text))


def is_caption(text: str) -> bool:
    """Whether it begins as what is said of a figure or a table does."""
    return bool(_CAPTION.match(text))


def depth_of(text: str) -> int:
    """How many numbers its numbering has ("2.1" has two); 0 without one."""
    number = NUMBER.match(text)
    if number is None:
        return 0
    digits = number["number"]
    if digits.isalpha() and not digits.isupper():
        return 0
    if digits in ("A", "I") and text[number.end("number")] == " ":
        return 0  # an article or a pronoun as likely as a number
    return digits.count(".") + 1
