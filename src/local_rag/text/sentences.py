"""Where the sentences of a text begin and end.

Two passes, both linear: lines are gathered into blocks (paragraph, list item, heading, table row,
code fence), then each block that holds prose is divided at the marks that end a sentence.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from local_rag.text.language import STOP_WORDS, UNDETERMINED

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator


def _listed(words: str) -> frozenset[str]:
    return frozenset(words.split())


_BULLET = r"[-*+•▪◦‣●○■–—·]"
_LABEL = r"\(?(?:(?:\d{1,3}|[a-z]|[ivx]{1,4})[.)]|[A-Z]\))"
_ITEM = re.compile(rf"[ \t]*(?:{_BULLET}[ \t]+|[•▪◦‣●■·](?=\S)|{_LABEL}[ \t]+)")
_DOT = re.compile(r"[ \t]*·(?=\S)")  # a bullet, or the sign of multiplication in a wrapped line
_NUMBERED = re.compile(r"[ \t]*\(?(?P<label>\w+)[.)]")
_LINE_ITEM_CHARS = 40  # a shorter line before "2. …" is a label; a longer one was wrapped
_LONGEST_ITEM_CHARS = 300  # items above this are prose with a marker
_FENCE = re.compile(r"[ \t]{0,3}(?:```|~~~)")
_HEADING = re.compile(r"[ \t]{0,3}#{1,6}[ \t]")
_RULE = re.compile(r"[ \t]*(?:={3,}|-{3,}|\*{3,}|_{3,})[ \t]*$")
_ROW = re.compile(r"[ \t]*\|")
_FIELD = re.compile(r"[ \t]*(?=[^\W_a-z])[^:：|.!?。！？]{1,40}(?::[ \t]+|：[ \t]*)(?=\S)")
_FIELD_CHARS = 200
_FORMULA_CHARS = 160
_MATHEMATICS = re.compile(r"[=√∑∏∫≤≥≈≠×÷·±−∈∂∞→⋅∝\u0370-\u03ff]")
_LONG_WORD = re.compile(r"[^\W\d_]{4,}")
_BROKEN_OFF_CHARS = 40  # a shorter paragraph without an end is a heading or a label
_FINISHED = re.compile(r"[.!?…。！？؟۔;；|][\"'”’»)\]*_]*$")
_ENDS_CLAUSE = (".", ":", "!", "?", "。", "：", "！", "？", ";", "؟", "。”")

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


class _Block(NamedTuple):
    start: int
    end: int
    whole: bool  # one unit, whatever stands in it


def sentences(text: str, language: str = UNDETERMINED) -> list[tuple[int, int]]:
    """Half-open spans of the sentences, in order, without white space around them.

    Together they cover all that is not white space. Headings, list items, table rows and code
    fences are units of their own; long list items are divided as prose is.

    Args:
        language: ISO 639-1 code; decides whether "3." can be an ordinal number.
    """
    spans: list[tuple[int, int]] = []
    for block in _rejoined(text, _blocks(text)):
        if block.whole:
            _append(spans, text, block.start, block.end)
        else:
            start = block.start
            for cut in _cuts(text, block, language):
                _append(spans, text, start, cut)
                start = cut
            _append(spans, text, start, block.end)
    return spans


def is_item(line: str) -> bool:
    """Whether the line begins with a list marker."""
    return _ITEM.match(line) is not None


def is_field(line: str) -> bool:
    """Whether the line says one thing of one name: ``Quiet hours: 22 to 6``."""
    return len(line) <= _FIELD_CHARS and _FIELD.match(line) is not None


def _rejoined(text: str, blocks: Iterable[_Block]) -> Iterator[_Block]:
    """Puts paragraphs together that one sentence runs through, such as those around a formula."""
    held: _Block | None = None
    for block in blocks:
        if held is not None and _runs_on(text, held, block):
            held = _Block(held.start, block.end, whole=False)
            continue
        if held is not None:
            yield held
        held = block
    if held is not None:
        yield held


def _runs_on(text: str, held: _Block, block: _Block) -> bool:
    if held.whole or block.whole or held.end - held.start < _BROKEN_OFF_CHARS:
        return False
    last = text[max(held.start, held.end - 8) : held.end].rstrip()
    if not last or _FINISHED.search(last) or is_item(text[block.start : block.start + 12]):
        return False
    if _is_formula(text[block.start : min(block.end, block.start + _FORMULA_CHARS + 1)]):
        return True
    return text[block.start].islower() and not last.endswith((":", "："))


def _is_formula(block: str) -> bool:
    if len(block) > _FORMULA_CHARS:
        return False
    signs = len(_MATHEMATICS.findall(block))
    return signs > 0 and len(_LONG_WORD.findall(block)) <= 2 * signs


def _append(spans: list[tuple[int, int]], text: str, start: int, end: int) -> None:
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    if start < end:
        spans.append((start, end))


def _lines(text: str) -> Iterator[tuple[int, int]]:
    start = 0
    while start < len(text):
        newline = text.find("\n", start)
        end = len(text) if newline < 0 else newline
        yield start, end
        start = end + 1


def _blocks(text: str) -> Iterator[_Block]:
    """Gathers lines; a block in the making is (start, end, whether it is a list item)."""
    start = end = -1
    item = fenced = in_fields = False
    for line_start, line_end in _lines(text):
        line = text[line_start:line_end]
        is_fence = _FENCE.match(line) is not None
        after_field, in_fields = in_fields, is_field(line)
        if fenced:
            end = line_end
            if is_fence:
                yield _Block(start, end, whole=True)
                fenced, start = False, -1
            continue
        alone = _stands_alone(line) or (
            in_fields and (after_field or _field_follows(text, line_end))
        )
        before = text[max(start, end - _LINE_ITEM_CHARS) : end] if start >= 0 else ""
        opens = not alone and _opens_item(line, before, after_item=item)
        if start >= 0 and (is_fence or alone or opens or not line.strip()):
            yield _block(start, end, item=item)
            start = -1
        if is_fence:
            fenced, start, end = True, line_start, line_end
        elif alone:
            yield _Block(line_start, line_end, whole=True)
        elif line.strip():
            if start < 0:
                start, item = line_start, opens
            end = line_end
    if start >= 0:
        yield _Block(start, end, whole=True) if fenced else _block(start, end, item=item)


def _block(start: int, end: int, *, item: bool) -> _Block:
    return _Block(start, end, whole=item and end - start <= _LONGEST_ITEM_CHARS)


def _field_follows(text: str, line_end: int) -> bool:
    following = text[line_end + 1 : line_end + 2 + _FIELD_CHARS]
    return is_field(following.split("\n", 1)[0])


def _stands_alone(line: str) -> bool:
    return bool(_HEADING.match(line) or _ROW.match(line) or _RULE.match(line))


def _opens_item(line: str, before: str, *, after_item: bool) -> bool:
    """Whether the line begins a list item, rather than going on with a wrapped sentence."""
    if not _ITEM.match(line):
        return False
    numbered = _NUMBERED.match(line)
    if not before or after_item:
        return True
    last_line = before[before.rfind("\n") + 1 :].rstrip()
    if numbered is None:
        return not _DOT.match(line) or last_line.endswith(_ENDS_CLAUSE)
    return last_line.endswith(_ENDS_CLAUSE) or (
        len(last_line) < _LINE_ITEM_CHARS and numbered["label"] in ("1", "a", "A", "i")
    )


def _cuts(text: str, block: _Block, language: str) -> Iterator[int]:
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
