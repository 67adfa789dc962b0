"""The old encodings of Chinese, Japanese and Korean, told by how common their characters are."""

from __future__ import annotations

import re
from functools import partial
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

_SAMPLE_CHARS = 20_000
_SAMPLE_RUNS = 2_000
_HAN = re.compile("[\u4e00-\u9fff]")
_KANA = re.compile("[\u3041-\u309e\u30a1-\u30fe]")
_HALF_WIDTH = re.compile("[\uff61-\uff9f]")
_HANGUL = re.compile("[\uac00-\ud7a3]")
_WIDE_SIGNS = re.compile(
    "[\u3000-\u3011\uff01-\uff5e\uffe5\u2010-\u2026\u00b7\u2160-\u216b\u2014\u30fb\u2500]"
)
_SPACED_HAN = re.compile("(?<=[\u4e00-\u9fff]) (?=[\u4e00-\u9fff])")
_UNSPACED_HANGUL = re.compile("[\uac00-\ud7a3]{12}")
_FOREIGN = re.compile(r"[^\x00-\x7f]+")
_AT_ASCII_LETTER = re.compile("(?<=[A-Za-z])[\u4e00-\u9fff]|[\u4e00-\u9fff](?=[A-Za-z])")
_COMMON_SHARE = 0.85
_FEWEST_HAN = 2
_FEWEST_OF_JAPANESE = 3
# In a few characters nothing but the most frequent ones tells a language from bytes by chance.
_FEW, _FREQUENT_SHARE = 12, 0.3
_FREQUENT_HAN = frozenset(
    "的一是不了在人有我他这這中大来來上国國个個到说說们們为為子和你地出道也时時年得就那要下以生会會自着去之"
    "过過家学學对對可她里后後小么麼心多天而能好都然没沒日于於起还還发發成事只作当當想看文无無开開手十用主"
    "行方又如前所本见見经經头頭面公同三已老从從动動两兩长長知样樣现現分将將外但身些与與高意进進把法此实實"
    "回二理美点點月明其种種声聲全工己话話者向情部正名定女问問力机機给給等几幾很业業最间間新什打便位因重被"
    "走电電四第门門相次东東政海口使教西再平真听聽世气氣信北少关關并內内加化由却代军軍产產入先山五太水万萬"
    "市议議记記录錄告府客书書合約约同收司京期表请請报報计計划劃规規区區价價费費数數据據元亿億共民制目"
)
_FREQUENT_HANGUL = frozenset(
    "이다는에의가을를고하지한로기서도사은과자인대리시어나그해아정일수있스게보부주전상장여면만원구라들으적공동"
    "조제비성소오우유요안경무신선계위방행국문화관니와까세학생년월것한했었습는당각속약통된되됩모민발법분연말못"
    "물미많많산새서석설손실심업없않알양였용울음입작중진차책처천최추출치크타터트파표품프피필호회후명내너더데때또"
    "러려르마며반번드단달담대저재강개거건결같간감교급"
)


class _Wide(NamedTuple):
    """A sample of a text, and its characters that are not ASCII, by kind."""

    text: str
    foreign: int
    han: list[str]
    kana: int
    hangul: list[str]
    signs: int

    @property
    def known(self) -> int:
        return len(self.han) + self.kana + len(self.hangul) + self.signs


def _wide(data: bytes, encoding: str) -> _Wide | None:
    try:
        text = data.decode(encoding)
    except UnicodeDecodeError:
        return None
    runs = [m.span() for m in islice(_FOREIGN.finditer(text), _SAMPLE_RUNS)]
    begin = max(0, runs[0][0] - 1) if runs else 0
    sample = text[begin : min(runs[-1][1] + 1, begin + _SAMPLE_CHARS)] if runs else ""
    return _kinds(sample)


def _kinds(sample: str) -> _Wide:
    return _Wide(
        text=sample,
        foreign=sum(map(len, _FOREIGN.findall(sample))),
        han=_HAN.findall(sample),
        kana=len(_KANA.findall(sample)),
        hangul=_HANGUL.findall(sample),
        signs=len(_WIDE_SIGNS.findall(sample)),
    )


def _common(chars: Iterable[str], encoding: str, first: int, last: int) -> float:
    """The share of characters whose two bytes lie in the part of the set for common ones."""
    codes = [char.encode(encoding, "replace") for char in chars]
    common = sum(len(code) == 2 and first <= int.from_bytes(code, "big") <= last for code in codes)
    return common / len(codes) if codes else 0.0


def _is_likely(chars: list[str], frequent: frozenset[str]) -> bool:
    """Whether enough of few characters are frequent ones; of many, their sets decide."""
    seen = sum(char in frequent for char in chars)
    return len(chars) >= _FEW or seen >= _FREQUENT_SHARE * len(chars)


def are_likely(text: str) -> bool:
    """Whether the Chinese characters and the Korean syllables of a short text are ones often met.

    Japanese is told by its kana and not asked.
    """
    han = [] if _KANA.search(text) else _HAN.findall(text)
    return _is_likely(han, _FREQUENT_HAN) and _is_likely(_HANGUL.findall(text), _FREQUENT_HANGUL)


def _is_chinese(data: bytes, encoding: str, common: Callable[[Iterable[str]], float]) -> bool:
    """Whether the bytes read as Chinese whose characters are mostly the ones ``common`` counts."""
    found = _wide(data, encoding)
    if found is None or len(found.han) < _FEWEST_HAN or found.kana or found.hangul:
        return False
    return (
        found.known >= 0.9 * found.foreign
        and common(found.han) >= _COMMON_SHARE
        and _is_likely(found.han, _FREQUENT_HAN)
        and _are_together(found)
    )


def _are_together(found: _Wide) -> bool:
    """Whether Han stand in runs: not as the syllables of Korean do, nor as letters of Latin."""
    spaced = len(_SPACED_HAN.findall(found.text))
    at_letters = len(_AT_ASCII_LETTER.findall(found.text))
    return spaced <= 0.1 * len(found.han) and at_letters <= 0.6 * len(found.han)


def common_simplified(chars: Iterable[str]) -> float:
    """The share of characters in the first level of GB 2312, which holds the common ones."""
    return _common(chars, "gb2312", 0xB0A1, 0xD7F9)


def common_traditional(chars: Iterable[str]) -> float:
    """The share of characters in the first level of Big5, which holds the common ones."""
    return _common(chars, "big5", 0xA440, 0xC67E)


def _is_japanese(data: bytes, encoding: str) -> bool:
    found = _wide(data, encoding)
    if found is None or found.hangul or found.kana < max(2, 0.15 * found.foreign):
        return False
    if found.known < _FEWEST_OF_JAPANESE:
        return False
    half_width = len(_HALF_WIDTH.findall(found.text))
    return found.known >= 0.95 * found.foreign - half_width and (
        half_width <= 0.1 * found.foreign
        and (not found.han or common_japanese(found.han) >= _COMMON_SHARE)
    )


def common_japanese(chars: Iterable[str]) -> float:
    """The share of characters in the first level of JIS X 0208, which holds the common ones."""
    return _common(chars, "euc_jp", 0xB0A1, 0xCFD3)


def _is_korean(data: bytes, encoding: str) -> bool:
    found = _wide(data, encoding)
    if found is None or len(found.hangul) < 2 or found.kana:
        return False
    return (
        len(found.hangul) >= 0.85 * found.foreign
        and _is_likely(found.hangul, _FREQUENT_HANGUL)
        and found.known >= 0.95 * found.foreign
        and _common(found.hangul, "euc_kr", 0xB0A1, 0xC8FE) >= 0.95
        and 12 * len(_UNSPACED_HANGUL.findall(found.text)) <= 0.2 * len(found.hangul)
    )


EAST_ASIAN: tuple[tuple[str, Callable[[bytes, str], bool]], ...] = (
    ("gb18030", partial(_is_chinese, common=common_simplified)),
    ("big5hkscs", partial(_is_chinese, common=common_traditional)),
    ("cp932", _is_japanese),
    ("euc_jp", _is_japanese),
    ("cp949", _is_korean),
)
