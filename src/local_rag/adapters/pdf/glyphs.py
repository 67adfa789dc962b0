"""What the characters of a text layer become before they are stored."""

from __future__ import annotations

import re
import unicodedata

_LIGATURES = {
    0xFB00: "ff",
    0xFB01: "fi",
    0xFB02: "fl",
    0xFB03: "ffi",
    0xFB04: "ffl",
    0xFB05: "st",
    0xFB06: "st",
}
# Bullets of the Symbol and Wingdings fonts, which have no Unicode mapping of their own.
_BULLETS = {0xF0B7: "•", 0xF0A7: "▪", 0xF06E: "■", 0xF0D8: "➢", 0xF0FC: "✓"}
# Invisible formatting that splits words for a search: soft hyphen, zero-width space, word joiner,
# byte order mark. Joiners (U+200C, U+200D) and bidirectional marks carry meaning and stay.
_FORMATTING = (0x00AD, 0x200B, 0x2060, 0xFEFF)
_TRANSLATE: dict[int, str | None] = {
    **dict.fromkeys((*range(0x20), 0x7F, *range(0x80, 0xA0)), None),
    **dict.fromkeys(_FORMATTING, None),
    **dict.fromkeys((0x2028, 0x2029), None),
    **_LIGATURES,
    **_BULLETS,
}
# U+FFFD, surrogates, private use and noncharacters: nothing that could be shown or searched.
_UNMAPPED = re.compile(
    "[\ufffd\ud800-\udfff\ue000-\uf8ff\ufdd0-\ufdef\ufffe\uffff\U000f0000-\U000ffffd\U00100000-\U0010fffd]"
)
_LEADING_UNMAPPED = re.compile("^[\ufffd\ue000-\uf8ff]+(?=$|[^\\W\\d_])")
_GARBAGE = re.compile("[\x00-\x08\x0e-\x1f\x7f-\x9f\ufffd\ud800-\udfff\ue000-\uf8ff]")
# Forms of Arabic and Hebrew letters as they look beside others; the letters are what is searched.
_SHAPED = re.compile("[\ufb1d-\ufbb1\ufbd3-\ufd3d\ufd50-\ufdfb\ufe70-\ufefc]")
_UNSPACED = re.compile("[\u3000-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uff00-\uffef]")

SOFT_HYPHEN = "\u00ad"


# Accents that a file draws as a character of their own: TeX before the letter, others after it.
_ACCENTS = dict(
    zip(
        "¨´ˆ˜˘ˇ˚˙˝¸",
        "\u0308\u0301\u0302\u0303\u0306\u030c\u030a\u0307\u030b\u0327",
        strict=True,
    )
)
_ACCENTED = re.compile("[¨´ˆ˜˘ˇ˚˙˝¸]")
_DOTLESS = {"ı": "i", "ȷ": "j"}
_COMMON = frozenset("äëïöüÿáéíóúýćńśźàèìòùâêîôûãñõăğčďěňřšťžåůőűżçşţ")


def clean_word(raw: str) -> str:
    """The word as it is stored: NFC, ligatures expanded, nothing that cannot be shown.

    May be empty. Called before the word is placed, so that offsets stay right.
    """
    if raw.isascii() and raw.isprintable():
        return raw
    shown = _UNMAPPED.sub("", raw.translate(_TRANSLATE))
    if _SHAPED.search(shown):
        shown = _SHAPED.sub(lambda form: unicodedata.normalize("NFKC", form[0]), shown)
    if _ACCENTED.search(shown):
        shown = _with_accents_placed(shown)
    return unicodedata.normalize("NFC", shown).strip()


def _with_accents_placed(text: str) -> str:
    """Each accent on the letter that it belongs to; as it was where that could be either."""
    placed: list[str] = []
    skip = False
    for i, char in enumerate(text):
        if skip or char not in _ACCENTS:
            if not skip:
                placed.append(char)
            skip = False
            continue
        before, after = "".join(placed[-1:]), text[i + 1 : i + 2]
        on_before = unicodedata.normalize("NFC", before + _ACCENTS[char])
        on_after = unicodedata.normalize("NFC", _DOTLESS.get(after, after) + _ACCENTS[char])
        fits_before, fits_after = on_before.lower() in _COMMON, on_after.lower() in _COMMON
        if fits_after and (after in _DOTLESS or not fits_before):
            placed.append(on_after)
            skip = True
        elif fits_before and not fits_after:
            placed[-1] = on_before
        else:
            placed.append(char)
    return "".join(placed)


def bullet_for_unmapped(raw: str) -> str:
    """What stands for a character without a meaning at the head of a line: mostly a bullet."""
    return _LEADING_UNMAPPED.sub("•", raw)


def clean_title(raw: str) -> str:
    """A line of metadata as it is shown: words as above, one space between them."""
    return " ".join(filter(None, map(clean_word, raw.split())))


def is_garbled(raw_words: list[str]) -> bool:
    """Whether most of a page's characters carry no meaning (a font without a Unicode map)."""
    text = "".join(raw_words)
    if text.isascii() and text.isprintable():
        return False
    return len(_GARBAGE.findall(text)) * 2 > len(text)


def written_without_spaces(left: str, right: str) -> bool:
    """Whether two characters that meet at a line end belong to a script without spaces."""
    return bool(_UNSPACED.match(left) and _UNSPACED.match(right))


def letters_and_digits(text: str) -> str:
    """What two spellings of one heading have in common: casefolded letters and digits."""
    folded = unicodedata.normalize("NFKC", text).casefold()
    return "".join(filter(str.isalnum, folded))
