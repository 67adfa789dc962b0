"""How strongly a claim says something: bounds of numbers, permissions and duties, reasons."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Literal

from local_rag.text import polarity
from local_rag.text.held import holds_word, lettered_words, share_held, vocabulary
from local_rag.text.quantities import quantities_in

if TYPE_CHECKING:
    from collections.abc import Sequence

    from local_rag.text.quantities import Quantity

Bound = Literal["upper", "lower", ""]

_END = r"[\s(]*(?:[$€£¥]|EUR|USD)?\s*$"
_ARTICLE = r"(?:\s(?:the|a|an|den|die|das|der))?"
_UPPER = re.compile(
    rf"(?:\b(?:up to|at (?:the )?most|(?:not?|never) (?:more|greater|longer|higher|later) than"
    rf"|(?:less|fewer|lower|shorter) than|below|under|within|maximum(?: of)?|not exceed(?:ing)?"
    rf"|höchstens|maximal|bis zu|nicht (?:mehr|länger|höher|später) als|weniger als|spätestens"
    rf"|unter|au plus|au maximum|jusqu['’]à|moins de|pas plus de|como máximo|a lo sumo|hasta"
    rf"|menos de|no más de|al massimo|fino a|meno di|non più di|no máximo|até|menos de){_ARTICLE}"
    rf"|不超过|最多|至多|少于){_END}",
    re.IGNORECASE,
)
_LOWER = re.compile(
    rf"(?:\b(?:at (?:the very )?least|(?:not?|never) (?:less|fewer|lower|shorter) than"
    rf"|(?:more|greater|longer|higher) than|over|above|minimum(?: of)?|exceed(?:s|ing)?"
    rf"|starting (?:at|from)|mindestens|wenigstens|minimal|nicht weniger als"
    rf"|(?:mehr|länger|höher) als|über|au moins|au minimum|plus de|pas moins de|al menos"
    rf"|como mínimo|por lo menos|más de"
    rf"|no menos de|almeno|più di|non meno di|pelo menos|no mínimo|mais de){_ARTICLE}"
    rf"|至少|不少于|超过){_END}",
    re.IGNORECASE,
)
_BEFORE: tuple[tuple[re.Pattern[str], Bound, Bound], ...] = (
    (_UPPER, "upper", "lower"),
    (_LOWER, "lower", "upper"),
)
_DENIED_BEFORE = re.compile(r"(?:\b(?:not?|never|nicht|pas|non|no)|n['’]t|不)\s?$", re.IGNORECASE)
_AFTER: tuple[tuple[re.Pattern[str], Bound], ...] = (
    (
        re.compile(
            r"\s?(?:or (?:less|fewer)|at (?:the )?most|maximum|oder weniger)\b", re.IGNORECASE
        ),
        "upper",
    ),
    (re.compile(r"\s?(?:or more|or over|at (?:the )?least|oder mehr)\b", re.IGNORECASE), "lower"),
)
_LATEST = re.compile(r"(?:later than|spätestens|später als)\W*$", re.IGNORECASE)
_BEFORE_THAT = re.compile(r"\s?(?:\S+\s)?(?:before|prior|vor|avant|antes|prima)\b", re.IGNORECASE)

_FORBIDS = re.compile(
    r"\b(?:prohibit\w*|forbid\w*|forbad\w*|banned|not (?:allowed|permitted)|(?:may|must) not"
    r"|verboten\w*|untersag\w*|unzulässig\w*|interdit\w*|défendu\w*|prohibid\w*|prohib\w+|proibid\w*"
    r"|vietat\w*)\b|禁止|不得",
    re.IGNORECASE,
)
_ALLOWS = re.compile(
    r"\b(?:allow(?:s|ed)?|permit(?:s|ted)?|(?-i:may)|erlaub\w*|gestatte\w*|zulässig\w*|darf|dürfen"
    r"|autoris\w+|permis\w*|permitid\w*|permess\w*|consentit\w*)\b|允许|可以",
    re.IGNORECASE,
)
_CONDITION = re.compile(
    r"\b(?:consent\w*|approv\w*|permission|authori[sz]ation|unless|provided|subject to|except\w*"
    r"|only (?:with|if|when|after|by|for|on|in)|if|zustimmung\w*|genehmig\w*|einwillig\w*"
    r"|erlaubnis\w*|nur|sofern|wenn|falls|außer|accord|autorisation|consentement|sauf|seulement si"
    r"|consentimiento|autorización|salvo|consenso|autorizzazione|consentimento|autorização)\b"
    r"|同意|批准|只有",
    re.IGNORECASE,
)
_MUST = re.compile(
    r"\b(?:must|shall|ha(?:s|ve) to|need(?:s|ed)? to|required?|requires|mandatory|obliged"
    r"|compulsory|muss|müssen|verpflichte\w*|doit|doivent|obligatoire\w*|debe|deben|obligatori\w*|deve|devono"
    r"|devem)\b",
    re.IGNORECASE,
)
_MAY = re.compile(
    r"\b(?:(?-i:may)|can|could|optional\w*|darf|dürfen|kann|können|peut|peuvent|puede|pueden|può"
    r"|possono|pode|podem)\b",
    re.IGNORECASE,
)
_CAUSE = re.compile(
    r"\b(?:because(?: of)?|due to|owing to|on the grounds that|weil|aufgrund|wegen|parce qu\w*"
    r"|puisqu\w*|en raison d\w*|porque|ya que|debido a|perché|poiché|devido a)\s"
    r"|,\s(?:since|as|da|denn|car|pois)\s|因为|由于",
    re.IGNORECASE,
)
_CAUSE_ENDS = re.compile(r"[,;.，；。]\s|$")
_LEAST_OF_A_REASON = 0.5
_HALF = 0.5
_SHORT_LINE_WORDS = 8
_STOPS = (".", "!", "?", ";", "。", "；")


def overstated_bounds(
    claim: str, parts: Sequence[str], languages: tuple[str, str]
) -> list[Quantity]:
    """The numbers of a claim that it calls a least where the text calls them a most, or so.

    Args:
        parts: the sentences of the cited text.
        languages: of the claim and of the text.
    """
    known = [
        (number, _bound(part, number))
        for part in parts
        for number in quantities_in(part, languages[1])
    ]
    found = []
    for number in quantities_in(claim, languages[0]):
        own = _bound(claim, number)
        theirs = {
            bound
            for other, bound in known
            if set(number.values).intersection(other.values) and number.unit in ("", other.unit)
        }
        if own and theirs and not theirs.intersection([own, ""]):
            found.append(number)
    return found


def _bound(text: str, number: Quantity) -> Bound:
    before, after = text[: number.start], text[number.end :]
    if _LATEST.search(before) and _BEFORE_THAT.match(after):
        return "lower"
    for pattern, bound, other in _BEFORE:
        match = pattern.search(before)
        if match:
            denied = _DENIED_BEFORE.search(before[: match.start()])
            return other if denied else bound
    return next((bound for pattern, bound in _AFTER if pattern.match(after)), "")


def changed_permission(claim: str, parts: Sequence[str], languages: tuple[str, str]) -> str:
    """The word by which a claim forbids, allows or demands what the text does not, or ``""``."""
    near = _nearest(claim, parts, languages)
    if not near:
        return ""
    over = [part for part in parts if _stands_over(part)]
    denied = polarity.denials(claim, languages[0])
    forbids, allows = _FORBIDS.search(claim), _ALLOWS.search(claim)
    if forbids:
        if not any(_denies(part, claim, languages[1]) for part in [*near, *over]):
            return forbids.group()
        return ""
    if denied:
        return ""
    if (
        allows
        and not _CONDITION.search(claim)
        and all(_CONDITION.search(part) and not _denies(part, claim, languages[1]) for part in near)
    ):
        return allows.group()
    must, may = _MUST.search(claim), _MAY.search(claim)
    if must and not may and all(_MAY.search(p) and not _MUST.search(p) for p in near):
        return must.group()
    if (
        allows
        and not (must or _CONDITION.search(claim))
        and all(_MUST.search(p) and not (_MAY.search(p) or _ALLOWS.search(p)) for p in near)
    ):
        return allows.group()
    return ""


def _nearest(claim: str, parts: Sequence[str], languages: tuple[str, str]) -> list[str]:
    """The sentences that hold most of the words, permissions aside, if they hold half of them."""
    bare = _FORBIDS.sub(" ", _ALLOWS.sub(" ", _MUST.sub(" ", claim)))
    words = lettered_words(bare, languages[0])
    known = [vocabulary(part, languages) for part in parts]
    held = [sum(holds_word(k, w, t, languages[0]) for w, t in words.items()) for k in known]
    most = max(held, default=0)
    if not words or most < _HALF * len(words):
        return []
    return [part for part, count in zip(parts, held, strict=True) if count == most]


def _denies(part: str, claim: str, language: str) -> bool:
    """Whether a sentence denies; a word of the claim's that only looks so is none."""
    soft = polarity.soft_denials(part, language) - polarity.soft_denials(claim, language)
    return bool(_FORBIDS.search(part) or polarity.denials(part, language) or soft)


def _stands_over(part: str) -> bool:
    """Whether it reads as the heading of a list: "Forbidden", "What is not allowed:"."""
    bare = part.strip()
    return bare.endswith((":", "：")) or (
        not bare.endswith(_STOPS) and len(bare.split()) <= _SHORT_LINE_WORDS
    )


def invented_reason(claim: str, parts: Sequence[str], languages: tuple[str, str]) -> str:
    """The reason that a claim gives and no two sentences of the text hold, or ``""``."""
    for match in _CAUSE.finditer(claim):
        end = _CAUSE_ENDS.search(claim, match.end())
        reason = claim[match.end() : end.start() if end else len(claim)]
        if not lettered_words(reason, languages[0]):
            continue
        pairs = (" ".join(parts[i : i + 2]) for i in range(len(parts)))
        if not any(
            share_held(reason, vocabulary(pair, languages), languages[0]) >= _LEAST_OF_A_REASON
            for pair in pairs
        ):
            return match.group().strip(" ,") + " " + reason.strip()
    return ""
