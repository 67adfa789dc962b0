"""From the bytes of a text file to its text, without guessing what cannot be known.

Byte order marks and strict UTF-8 decide nearly every file. What is left is UTF-16 without a mark,
the Chinese GB18030, and the Western CP1252; each is taken only where the bytes look like prose in
it. Anything else is refused: a wrong guess would be indexed as mojibake, in silence.
"""

from __future__ import annotations

import codecs
import re

from local_rag.errors import EmptyFile, WrongContent

_MARKS = (
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_MAGIC = (
    (b"%PDF-", "a PDF"),
    (b"PK\x03\x04", "a ZIP archive or an Office document"),
    (b"\x7fELF", "a program"),
    (b"MZ\x90", "a program"),
    (b"\x89PNG\r\n", "a PNG picture"),
    (b"\xff\xd8\xff", "a JPEG picture"),
    (b"GIF8", "a GIF picture"),
    (b"\x1f\x8b", "a gzip archive"),
    (b"BZh", "a bzip2 archive"),
    (b"\xfd7zXZ", "an xz archive"),
    (b"7z\xbc\xaf", "a 7z archive"),
    (b"Rar!\x1a", "a RAR archive"),
    (b"\xd0\xcf\x11\xe0", "an old Office document"),
    (b"{\\rtf", "a rich text file"),
    (b"SQLite format 3\0", "a database"),
)
_CONTROLS = re.compile("[\x00-\x08\x0b\x0e-\x1f\x7f-\x9f\ud800-\udfff\ufeff\ufffe\uffff]")
_FEW_CONTROLS = 8
_CONTROL_SHARE = 0.05
_HAN = re.compile("[\u4e00-\u9fff]")
_CHINESE = re.compile("[\u4e00-\u9fff\u3000-\u3011\uff00-\uffef\u2010-\u2026\u00b7\u2160-\u216b]")
_SPACED_HAN = re.compile("(?<=[\u4e00-\u9fff]) (?=[\u4e00-\u9fff])")
_HIGH_RUN = re.compile(rb"[\x80-\xff]+")
_QUOTES = re.compile(rb"[\x91-\x97]")  # and dashes: they stand beside accented letters
_WESTERN_LETTERS = frozenset("ŠŒŽšœžŸƒªº") | frozenset(map(chr, range(0xC0, 0x100))) - set("×÷")
_WITHIN_WORDS = frozenset("’‘–—·\u00a0…/")


def decode_text(data: bytes) -> str:
    """The text with line feeds for newlines, without control characters but tab and form feed.

    Raises:
        EmptyFile: no bytes.
        WrongContent: not text, or in an encoding that cannot be told from its bytes.
    """
    if not data:
        raise EmptyFile("The file is empty.")
    for magic, kind in _MAGIC:
        if data.startswith(magic):
            raise WrongContent(f"The file is named as text, but its content is {kind}.")
    text = _decoded(data)
    controls = len(_CONTROLS.findall(text))
    if controls > _CONTROL_SHARE * len(text) and (
        controls > _FEW_CONTROLS or controls * 2 >= len(text)
    ):
        raise WrongContent("The file is named as text, but its content is binary.")
    text = text.replace("\r\n", "\n").replace("\r", "\n").replace("\x85", "\n")
    return _CONTROLS.sub("", text)


def _decoded(data: bytes) -> str:
    for mark, encoding in _MARKS:
        if data.startswith(mark):
            return _strictly(data, encoding)
    wide = _utf16_by_nuls(data)
    if wide:
        return _strictly(data, wide)
    for attempt in (_utf8, _chinese, _western, _chinese_utf16):
        text = attempt(data)
        if text is not None:
            return text
    raise WrongContent(
        "The file's text encoding cannot be told.", fix="Save the file as UTF-8 and send it again."
    )


def _strictly(data: bytes, encoding: str) -> str:
    try:
        return data.decode(encoding)
    except UnicodeDecodeError as exc:
        raise WrongContent(
            f"The file begins as {encoding.removesuffix('-sig').upper()} text but is not.",
            fix="Save the file as UTF-8 and send it again.",
        ) from exc


def _utf16_by_nuls(data: bytes) -> str | None:
    """Text of the Latin scripts has a NUL in every other byte of UTF-16."""
    pairs = len(data) // 2
    if len(data) % 2 or pairs < 2:
        return None
    even, odd = data[0::2].count(0), data[1::2].count(0)
    if odd > 0.3 * pairs and even < 0.05 * pairs:
        return "utf-16-le"
    if even > 0.3 * pairs and odd < 0.05 * pairs:
        return "utf-16-be"
    return None


def _utf8(data: bytes) -> str | None:
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return None


def _chinese(data: bytes) -> str | None:
    """GB18030, if nearly all of it is simplified Chinese of the common sort.

    Nearly any bytes decode as GB18030. Russian, Japanese or French ones give rare characters,
    which GB 2312 keeps in its second level (lead byte from D8) or does not have; Korean ones give
    spaces between characters.
    """
    try:
        text = data.decode("gb18030")
    except UnicodeDecodeError:
        return None
    foreign = [c for c in text if not c.isascii()]
    if len(_CHINESE.findall(text)) < 0.9 * len(foreign):
        return None
    han = _HAN.findall(text)
    if not _are_common(han):
        return None
    if len(_SPACED_HAN.findall(text)) > 0.1 * len(han):
        return None
    return text


def _are_common(han: list[str]) -> bool:
    return bool(han) and sum(map(_is_first_level, han)) >= 0.85 * len(han)


def _is_first_level(char: str) -> bool:
    coded = char.encode("gb18030")
    return len(coded) == 2 and 0xB0 <= coded[0] <= 0xD7 and coded[1] >= 0xA1


def _western(data: bytes) -> str | None:
    """CP1252, if its letters stand alone among ASCII ones, as accented letters do."""
    try:
        text = data.decode("cp1252")
    except UnicodeDecodeError:
        return None
    runs = _HIGH_RUN.findall(_QUOTES.sub(b"'", data))
    if any(len(run) > 3 for run in runs) or sum(map(len, runs)) > 0.35 * len(text):
        return None
    if 4 * sum(len(run) == 1 for run in runs) < 3 * len(runs):
        return None
    odd = 0
    for i, char in enumerate(text):
        if char.isascii() or char in _WITHIN_WORDS:
            continue
        before, after = text[i - 1 : i], text[i + 1 : i + 2]
        if char not in _WESTERN_LETTERS and before.isalpha() and after.isalpha():
            odd += 1  # "³" or "±" within a word: another code page's letter
    return None if odd > 0.05 * sum(map(len, runs)) else text


def _chinese_utf16(data: bytes) -> str | None:
    """UTF-16 without a mark and without NULs, if nearly all of it is Chinese."""
    if len(data) % 2:
        return None
    for encoding in ("utf-16-le", "utf-16-be"):
        try:
            text = data.decode(encoding)
        except UnicodeDecodeError:
            continue
        plain = sum(c.isascii() and (c.isprintable() or c.isspace()) for c in text)
        known = len(_CHINESE.findall(text)) + plain
        if known >= 0.98 * len(text) and _are_common(_HAN.findall(text)):
            return text
    return None
