"""Where the sentences of a text begin and end.

Two passes, both linear: lines are gathered into blocks (paragraph, list item, heading, table row,
code fence), then each block that holds prose is divided at the marks that end a sentence.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from local_rag.text.blocks import blocks_of
from local_rag.text.language import STOP_WORDS, UNDETERMINED

if TYPE_CHECKING:
    from collections.abc import Iterator

    from local_rag.text.blocks import Block


def _listed(words: str) -> frozenset[str]:
    return frozenset(words.split())


_CLOSERS = "\"'”’»›)\\]】」』》〉）］*_"
_REFERENCE = r"\s?\[\d[\d,;\s–-]{0,40}\]"
_STOP = re.compile(
    rf"(?P<mark>[。！？｡؟۔।]+|[.!?…‥]+)[{_CLOSERS}]*(?:[ \u00a0\u202f]»(?=\s))?(?:{_REFERENCE})*"
    r"|(?P<inline>(?<=\s)[•▪◦‣●■](?=\s))"
)
_WIDE = "。！？｡؟۔।"
_LAST_WORD = re.compile(r"(?:[^\W\d_]\.[ \u00a0\u202f]?){0,4}[^\W_]+$")
_MARKER_ONLY = re.compile(r"[(\s]*(?:\d{1,3}(?:\.\d{1,3}){0,4}|[^\W\d_]|[ivxIVX]{1,4})$")
_LONGEST_MARKER = 30  # how far back a dot is looked at
_NEXT_WORD = re.compile(r"[\"'“‘«‹„(\[*_¿¡]*(\w*)")

_NEVER_LAST = _listed(
    """
    dr prof mr mrs ms st mme mlle hr fr frl sr sra srta dra sig dott ing arch avv gen lt
    capt sgt rev hon pres gov sen rep fig figs abb tab eq eqs gl chap vols nr nos num núm
    ref refs pp pag pág págs eds hrsg vgl s.o s.u e.g i.e z.b d.h u.a o.ä i.d.r z.t i.a m.e
    u.u s.a p.ex v.gr cf viz vs v.chr n.chr bzw ca evtl ggf inkl exkl bspw sog geb gest allg
    insb insbes zzgl abzgl dipl aufl bd jh jhd sto dept univ assn bros approx av avda c.f
    resp p.e ej n.b a.k.a ph.d m.sc b.sc dipl.-ing
    """
)
"""Abbreviations after which a sentence goes on, without their last dot."""

_BEFORE_NUMBER = _listed(
    """
    no n p s art z ziff § bl fol str jan feb mar apr jun jul aug sep sept oct okt nov dec
    dez mind max min est sec sect ch vol op ed pl col ex env abs kap anm
    """
)
"""Abbreviations only where a number follows: "No. 5", "p. 12", "S. 7"."""

_MAY_BE_LAST = _listed(
    """
    etc usw usf u.s.w al inc ltd co corp jr sr a.m p.m u.s u.k u.n e.u d.c u.s.a bc b.c a.d
    ad gmbh u.v.m uvm ecc jan feb mar apr jun jul aug sep sept oct okt nov dec dez
    """
)
"""Abbreviations that end a sentence where a word follows that mostly begins one."""

_ORDINAL_LANGUAGES = frozenset(["de", "da", "no", "fi", "cs", "hu", "pl", "tr", UNDETERMINED])
_LONGEST_ORDINAL = 3  # digits
_BEFORE_ORDINAL = _listed(
    """
    am der die das dem den des vom zum zur im bis seit ab und oder beim jeder jede jedes
    jeden ihr ihre ihrem ihren sein seine seinem seinen dieser diese dieses diesem unser
    unsere mein dein den de det i til fra
    """
)
_AFTER_ORDINAL = _listed(
    """
    januar jänner februar märz april mai juni juli august september oktober november
    dezember jahrhundert jahrhunderts jahrhunderte jahrtausend jh
    """
)


def sentences(text: str, language: str = UNDETERMINED) -> list[tuple[int, int]]:
    """Half-open spans of the sentences, in order, without white space around them.

    Together they cover all that is not white space. Headings, list items, table rows and code
    fences are units of their own; long list items are divided as prose is.

    Args:
        language: ISO 639-1 code; decides whether "3." can be an ordinal number.
    """
    spans: list[tuple[int, int]] = []
    for block in blocks_of(text):
        if block.whole:
            _append(spans, text, block.start, block.end)
        else:
            start = block.start
            for cut in _cuts(text, block, language):
                _append(spans, text, start, cut)
                start = cut
            _append(spans, text, start, block.end)
    return spans


def _append(spans: list[tuple[int, int]], text: str, start: int, end: int) -> None:
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    if start < end:
        spans.append((start, end))


def _cuts(text: str, block: Block, language: str) -> Iterator[int]:
    """Offsets at which a sentence of the block ends."""
    begun = block.start
    for match in _STOP.finditer(text, block.start, block.end):
        if match["inline"]:
            yield match.start()
            begun = match.start()
            continue
        if match["mark"][0] in _WIDE or _ends_sentence(text, begun, match, block.end, language):
            yield match.end()
            begun = match.end()


def _ends_sentence(
    text: str, begun: int, match: re.Match[str], block_end: int, language: str
) -> bool:
    after = match.end()
    if after >= block_end:
        return False  # the block's end is an end in any case
    if not text[after].isspace():
        return _is_han(text[after]) and match["mark"] != "."
    following = after
    while following < block_end and text[following].isspace():
        following += 1
    next_word = _word_at(text, following, block_end)
    first = next_word[:1] or text[following : following + 1]
    if first.islower():
        return False
    if match["mark"] != "." or match.end("mark") != after:
        return True  # "?", "!", "…" or a closed quotation, and no small letter after it
    so_far = text[begun : match.start()] if match.start() - begun <= _LONGEST_MARKER else ""
    if _MARKER_ONLY.match(so_far):
        return False
    before = text[max(begun, match.start() - _LONGEST_MARKER) : match.start()]
    return not _dot_goes_on(before, next_word, language)


def _dot_goes_on(before: str, next_word: str, language: str) -> bool:
    """Whether the dot after ``before`` belongs to an abbreviation or an ordinal number."""
    found = _LAST_WORD.search(before)
    if found is None:
        return False
    last = re.sub(r"\s", "", found.group()).casefold()
    tail = last.rpartition(".")[2]
    if last.isdigit():
        return _is_ordinal(before[: found.start()], last, next_word, language)
    starter = _begins_sentences(next_word, language)
    if last in _NEVER_LAST or tail in _NEVER_LAST:
        return not (last in _MAY_BE_LAST and starter)
    if last in _BEFORE_NUMBER and next_word[:1].isdigit():
        return True
    if _is_number_sign(before[: found.start()], found.group()):
        return True
    if last in _MAY_BE_LAST or tail in _MAY_BE_LAST:
        return bool(next_word) and not starter and last not in ("etc", "usw", "ecc", "usf")
    initial = len(tail) == 1 and (found.group()[-1].isupper() or "." in last or len(next_word) == 1)
    return initial and not starter


def _is_number_sign(before: str, word: str) -> bool:
    """Whether "No." says that a code follows ("Docket No. FAA-2020"); an answer stands alone."""
    return word.strip() in ("No", "Nos", "Nr") and before.rstrip()[-1:].isalnum()


def _is_ordinal(before: str, digits: str, next_word: str, language: str) -> bool:
    if language not in _ORDINAL_LANGUAGES or len(digits) > _LONGEST_ORDINAL:
        return False
    if next_word.casefold() in _AFTER_ORDINAL:
        return True
    words = before.split()
    starter = _begins_sentences(next_word, language)
    return not starter and bool(words) and words[-1].casefold() in _BEFORE_ORDINAL


def _begins_sentences(word: str, language: str) -> bool:
    """Whether a capitalised word is one that mostly stands at the start of a sentence."""
    if not word[:1].isupper() or (len(word) == 1 and word not in "AI"):
        return False
    return word.casefold() in STOP_WORDS.get(language, STOP_WORDS["en"])


def _word_at(text: str, start: int, end: int) -> str:
    found = _NEXT_WORD.match(text, start, min(end, start + 40))
    return found.group(1) if found else ""


def _is_han(char: str) -> bool:
    return "\u3000" <= char <= "\u9fff" or "\uff00" <= char <= "\uffef"
