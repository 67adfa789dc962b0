"""Which of the old encodings, those without Unicode, the bytes of a text are in.

The encodings of East Asia show in the characters that they give: nearly all common ones in the
right one, nearly none in a wrong one. Code pages of one byte for a letter decode anything; there
the letters of each language decide. What counts is the text: where two code pages give the same
one, there is nothing to decide, and where two texts are about as likely, none is taken.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from functools import cache
from itertools import pairwise
from typing import NamedTuple

from local_rag.adapters.east_asian import EAST_ASIAN
from local_rag.text.language import STOP_WORDS

_SAMPLE_CHARS = 20_000


def legacy_encoding(data: bytes) -> str | None:
    """The name of Python's codec for the bytes, or ``None`` where they leave it open.

    The time does not grow with the file's size but for decoding it.
    """
    if b"\0" in data or data.isascii():
        return None
    asian = [encoding for encoding, fits in EAST_ASIAN if fits(data, encoding)]
    if "euc_jp" in asian:
        return "euc_jp"  # its kana are common characters in Big5, but those would not all be kana
    page = _code_page(data)
    if not asian or (page is not None and page.is_clear):
        return page.encoding if page is not None else None
    return asian[0] if len(asian) == 1 else None


# One byte for a letter


class _Language(NamedTuple):
    """What texts in a language look like.

    Attributes:
        letters: those that are not ASCII, in small form, the most frequent first.
        words: some of its most frequent ones; empty if none are known.
        latin: its other letters are ASCII.
        prior: logarithm of how often it is met; a few accents are mostly of Western Europe.
    """

    letters: str
    encodings: tuple[str, ...]
    words: frozenset[str] = frozenset()
    latin: bool = True
    prior: float = 0.0


_WESTERN = ("cp1252",)
_CENTRAL = ("cp1250", "iso8859_2")
_BALTIC = ("cp1257",)
_PRIORS = {"en": 3.0, "de": 3.0, "fr": 3.0, "es": 3.0, "tr": 0.5, "is": -1.0, "da": 0.0, "no": 0.0}
_WESTERN_PRIOR = 2.0
_CYRILLIC = ("cp1251", "koi8_u", "iso8859_5", "cp866", "mac_cyrillic")


def _latin(code: str, letters: str, encodings: tuple[str, ...], words: str = "") -> _Language:
    known = STOP_WORDS.get(code)
    prior = _PRIORS.get(code, _WESTERN_PRIOR if known and encodings == _WESTERN else 0.0)
    return _Language(letters, encodings, known or frozenset(words.split()), prior=prior)


_LANGUAGES = (
    _latin("en", "éïèöçüëáñóêäâ", _WESTERN),
    _latin("de", "üäößé", _WESTERN),
    _latin("fr", "éàèêçôîûâùëïœæ", _WESTERN),
    _latin("es", "óíáéñúüºª", _WESTERN),
    _latin("pt", "ãçáéíóêõâúàôü", _WESTERN),
    _latin("it", "èàùòìéî", _WESTERN),
    _latin("nl", "ëéïèöüê", _WESTERN),
    _latin("sv", "äåöéü", _WESTERN),
    _latin("da", "øåæéö", _WESTERN),
    _latin("no", "åøæéòô", _WESTERN),
    _latin("fi", "äöåé", _WESTERN),
    _latin("is", "áðíéóþúæýö", _WESTERN, "að og í á er sem til um við ekki"),
    _latin("ca", "éóàíçèòúïü", _WESTERN, "de la el i a que en les per un amb"),
    _latin("et", "äõüöšž", _WESTERN + _BALTIC, "ja on ei et ta see kui oli mis"),
    _latin("pl", "łąęóżśćźńö", _CENTRAL),
    _latin("cs", "íáéěýžřčšůúťňďóöü", _CENTRAL, "a je se na v že to s z do i si od po za podle"),
    _latin("sk", "áíéčýžšúťôľňďäóĺŕ", _CENTRAL, "a je sa na v že to s z do i si od po za ako"),
    _latin("hu", "áéöőíóüúű", _CENTRAL, "a az és hogy nem is egy ez meg de volt el"),
    _latin("ro", "ăîţâşé", _CENTRAL, "de și şi în la cu pe nu este a un o din care"),
    _latin("hr", "čšžćđ", _CENTRAL, "je i u se na da za su od s a ne što koji"),
    _latin("tr", "ıüğşçöiâî", ("cp1254",)),
    _latin("lt", "ėšąžųįūčę", _BALTIC, "ir yra su kad į iš tai o bet kaip"),
    _latin("lv", "āīšēņļžūķģč", _BALTIC, "un ir ar no par ka uz kas tas ne"),
    _Language("оеаинтсрвлкмдпуяыьгзбчйхжшюцщэфъё", _CYRILLIC, STOP_WORDS["ru"], latin=False),
    _Language("оанивірітеслкудмпзяьбгчйхжцюїєшщґф", _CYRILLIC, latin=False),
    _Language("аоеиитнрсвлкдпмзъуябгчщжцхйшюфь", _CYRILLIC, latin=False),
    _Language("аоиенрјтсвукдмплзбгчшжцљњћхђфџќѓѕ", _CYRILLIC, latin=False),
    _Language("αοιετσνηυρπκμλςωάίέόδήγχθύώφβξζψϊϋΐΰ", ("cp1253", "iso8859_7"), latin=False),
    _Language("יוהלאתרבמנשדםקחפעכגטסזןצךץף", ("cp1255",), STOP_WORDS["he"], latin=False),
    _Language(
        "اليمنورتبعدسفةهكحقأجشىصطخئضثغءذزظإؤآ\u064b\u0651\u064e\u064f\u0650\u0652،؟",
        ("cp1256", "iso8859_6"),
        STOP_WORDS["ar"],
        latin=False,
    ),
    _Language("านรอกเ่งมย้ลวดทัสิีตะปุบคหแ็จพชข์ใูไโผซณำศธภฉึฟื", ("cp874",), latin=False),
)
_ANY_WESTERN = _Language("éèáàâäãåæçêëíìîïñóòôöõøœúùûüßýÿðþšž", _WESTERN)
"""Several languages in one text, or one that is not listed."""

_LATIN_DECAY, _OTHER_DECAY = 0.8, 0.93  # how much rarer the next letter of the list is
_SMALL, _CAPITAL, _COMMON_SIGN, _OTHER_SIGN = 0.85, 0.06, 0.08, 0.01  # their shares
_NEVER = math.log(1e-6)
_COMMON_SIGNS = "“”‘’„–—…«»\u00a0§€£°©"
_OTHER_SIGNS = "‚‹›•·®™²³½¼¾±´×µ¡¿№¹†‰¨¥¢\u00ad"
_BREAK = math.log(0.005)  # for each place where no writer would put these letters together
_ASCII_LETTER, _MOST_ASCII = -0.1, -8.0  # for each, in a script that is not Latin; at most
_ASCII_LETTERS = re.compile("[A-Za-z]")
_WORD_SEEN, _WORD_NOT_SEEN = math.log(0.35 / 0.04), math.log(0.65 / 0.96)
_MOST_WORDS = 60
_MARGIN = math.log(20)
_ENCODING_PRIORS = {
    "iso8859_2": -1.0, "cp866": -1.0, "iso8859_5": -1.0, "mac_cyrillic": -4.0, "cp1257": -1.0
}  # fmt: skip
"""Logarithms of how often code pages are met."""
_CLEARLY = -5.2  # the mean for a letter: above -5 in Russian and Thai, below -6 in Chinese
_LEAST_LIKELY = -6.5  # the mean for a letter; a wrong language's is about -10
_WORD = re.compile(r"[^\W\d_]+")
_HIGH = re.compile(rb"[\x80-\xff]{1,64}")
_AROUND_BYTES = 40
_SIGN_IN_WORD = re.compile(r"(?<=[^\W\d_])[^\w\s\x00-\x7f’‘·´–—…\u00ad\u00a0-](?=[^\W\d_])")
_CASE_BREAK = re.compile(r"[^\W\d_]{2,}")
_MIXED = re.compile(r"[A-Za-z][^\W\d_A-Za-z]|[^\W\d_A-Za-z][A-Za-z]")
_DIGIT_AT_LETTER = re.compile(r"(?<=[^\W\d_\x00-\x7f])\d|\d(?=[^\W\d_\x00-\x7f])")
_APOSTROPHE_FIRST = re.compile(r"(?<![\w’])’(?=[^\W\d_])")
_THAI_MARK_FIRST = re.compile(
    "(?<![\u0e01-\u0e2e\u0e31\u0e34-\u0e3a\u0e47-\u0e4d])[\u0e31\u0e34-\u0e3a\u0e47-\u0e4d]"
)
_LONE_LETTER = re.compile(r"(?<!\w)(?![ÀÁÈÉÍÓÔÖÚÅŐàáèéíóôöúåőºª])[^\x00-\x7f\W\d_](?!\w)")
_HIGH_WORD = re.compile(r"(?<!\w)[^\x00-\x7f\W\d_]{2}(?!\w)")  # longer ones are runs
_FEWEST_OF_OTHER_SCRIPTS = 3
_HIGH_RUN = re.compile(r"[^\x00-\x7f\W\d_]{3,}")


class _Page(NamedTuple):
    encoding: str
    likelihood_per_letter: float

    @property
    def is_clear(self) -> bool:
        """Whether no text of East Asia would read so well in this code page."""
        return self.encoding in (*_CYRILLIC, "cp874") and self.likelihood_per_letter > _CLEARLY


def _code_page(data: bytes) -> _Page | None:
    sample = _around_high_bytes(data)
    letters = sum(byte >= 0x80 for byte in sample)
    best: dict[str, tuple[float, str, float]] = {}
    for language in (*_LANGUAGES, _ANY_WESTERN):
        least = _LEAST_LIKELY if language.latin else _CLEARLY
        for encoding in language.encodings:
            try:
                text = sample.decode(encoding)
            except UnicodeDecodeError:
                continue
            if letters < _FEWEST_OF_OTHER_SCRIPTS and not language.latin:
                continue
            likelihood = _likelihood(text, language) + _ENCODING_PRIORS.get(encoding, 0.0)
            if text not in best or best[text][0] < likelihood:
                best[text] = likelihood, encoding, least
    if not best:
        return None
    (likelihood, encoding, least), *others = sorted(best.values(), reverse=True)
    if likelihood < least * letters or (others and others[0][0] > likelihood - _MARGIN):
        return None
    return _Page(encoding, likelihood / letters)


def _around_high_bytes(data: bytes) -> bytes:
    """The first bytes that are not ASCII, each with some that surround it."""
    pieces: list[bytes] = []
    taken = size = 0
    for match in _HIGH.finditer(data):
        begin = max(taken, match.start() - _AROUND_BYTES)
        if begin > taken:
            pieces.append(b"\n")
        taken = match.end() + _AROUND_BYTES
        pieces.append(data[begin:taken])
        size += taken - begin
        if size > _SAMPLE_CHARS:
            break
    return b"".join(pieces)


def _likelihood(text: str, language: _Language) -> float:
    """Logarithm of how likely a text's letters and words are, if it is in the language."""
    logs = _letter_logs(language)
    likelihood = language.prior + sum(
        count * logs.get(char, _NEVER) for char, count in Counter(text).items() if char > "\x7f"
    )
    if not language.latin:
        likelihood += max(_MOST_ASCII, _ASCII_LETTER * len(_ASCII_LETTERS.findall(text)))
    return likelihood + _BREAK * _breaks(text, latin=language.latin) + _word_logs(text, language)


@cache
def _letter_logs(language: _Language) -> dict[str, float]:
    decay = _LATIN_DECAY if language.latin else _OTHER_DECAY
    weights = [decay**rank for rank in range(len(language.letters))]
    total = sum(weights)
    logs = dict.fromkeys(_COMMON_SIGNS, math.log(_COMMON_SIGN / len(_COMMON_SIGNS)))
    logs |= dict.fromkeys(_OTHER_SIGNS, math.log(_OTHER_SIGN / len(_OTHER_SIGNS)))
    for letter, weight in zip(language.letters, weights, strict=True):
        capital = letter.upper() if letter != "i" else "İ"  # the Turkish one
        if letter != capital and len(capital) == 1:
            logs[capital] = math.log(_CAPITAL * weight / total)
        logs[letter] = math.log(_SMALL * weight / total)
    return logs


def _breaks(text: str, *, latin: bool) -> int:
    """Places where letters, capitals and signs meet as they do in no language of the script."""
    wrong = sum(
        len(odd.findall(text))
        for odd in (_SIGN_IN_WORD, _DIGIT_AT_LETTER, _APOSTROPHE_FIRST, _THAI_MARK_FIRST)
    )
    for word in _CASE_BREAK.findall(text):
        if not (word.islower() or word.isupper() or word[1:].islower()) and not word.isascii():
            wrong += sum(a.islower() and b.isupper() for a, b in pairwise(word))
    if latin:
        odd_words = (_HIGH_RUN, _LONE_LETTER, _HIGH_WORD)
        return wrong + sum(len(odd.findall(text)) for odd in odd_words)
    return wrong + len(_MIXED.findall(text))


def _word_logs(text: str, language: _Language) -> float:
    if not language.words:
        return 0.0
    words = [word.casefold() for word in _WORD.findall(text)[1:-1][:_MOST_WORDS]]
    seen = sum(word in language.words for word in words)
    return seen * _WORD_SEEN + (len(words) - seen) * _WORD_NOT_SEEN
