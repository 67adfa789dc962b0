"""From the bytes of a text file to its text, without guessing what cannot be known.

Byte order marks and strict UTF-8 decide nearly every file. What is left is UTF-16 and UTF-32
without a mark, told by their NULs, and the encodings of before Unicode (``code_pages``); each is
taken only where the bytes look like prose in it. Anything else is refused: a wrong guess would be
indexed as mojibake, in silence.
"""

from __future__ import annotations

import codecs
import re

from local_rag.adapters.code_pages import legacy_encoding
from local_rag.adapters.east_asian import (
    are_likely,
    common_japanese,
    common_simplified,
    common_traditional,
)
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
_FIX = "Save it as UTF-8 and send it again."
_SAMPLE_BYTES = 40_000
_KNOWN_SHARE = 0.98
_COMMON_SHARE = 0.85
_SCRIPTS = {
    "latin": re.compile("[A-Za-z\u00aa-\u024f\u1e00-\u1eff]"),
    "greek": re.compile("[\u0386-\u03ce\u1f00-\u1ffc]"),
    "cyrillic": re.compile("[\u0401-\u045f\u0490-\u04ff]"),
    "armenian": re.compile("[\u0531-\u0587]"),
    "hebrew": re.compile("[\u05b0-\u05ea]"),
    "arabic": re.compile("[\u060c-\u06f9]"),
    "devanagari": re.compile("[\u0901-\u096f]"),
    "thai": re.compile("[\u0e01-\u0e5b]"),
    "hangul": re.compile("[\uac00-\ud7a3]"),
    "kana": re.compile("[\u3041-\u30fe]"),
    "han": re.compile("[\u4e00-\u9fff]"),
}
_SIGNS = re.compile(
    "[\t\n\f\r -@\\[-`{-~\u00a0-\u00bf\u2010-\u203a\u20ac\u2122\u3000-\u3011\uff01-\uff5e]"
)


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
    told = _unmarked(data)
    if told is None:
        raise WrongContent("The file's text encoding cannot be told.", fix=_FIX)
    return _strictly(data, told)


def _strictly(data: bytes, encoding: str) -> str:
    try:
        return data.decode(encoding)
    except UnicodeDecodeError as exc:
        name = encoding.removesuffix("-sig").upper()
        raise WrongContent(f"The file begins as {name} text but is not.", fix=_FIX) from exc


def _unmarked(data: bytes) -> str | None:
    if b"\0" in data and (wide := _utf32(data) or _utf16(data)):
        return wide
    if b"\x1b$" in data and _decodes(data, "iso2022_jp"):
        return "iso2022_jp"
    if _decodes(data, "utf-8"):
        return "utf-8"
    # Chinese and Japanese of a few lines may have nothing of ASCII, and so no NUL in UTF-16.
    return legacy_encoding(data) or _utf16(data)


def _decodes(data: bytes, encoding: str) -> bool:
    try:
        data.decode(encoding)
    except UnicodeDecodeError:
        return False
    return True


def _utf32(data: bytes) -> str | None:
    """Every fourth byte is a NUL, and next to nothing else decodes as UTF-32."""
    if len(data) % 4 or len(data) < 8:
        return None
    for encoding, high in (("utf-32-le", data[3::4]), ("utf-32-be", data[0::4])):
        if not any(high) and _decodes(data, encoding):
            head = data[: _SAMPLE_BYTES - _SAMPLE_BYTES % 4].decode(encoding)
            return encoding if _is_prose(head) else None
    return None


def _utf16(data: bytes) -> str | None:
    """The byte order in which the bytes are prose, if they are in one of the two only."""
    if len(data) % 2 or len(data) < 4:
        return None
    fitting = [
        encoding
        for encoding in ("utf-16-le", "utf-16-be")
        if _is_prose(data[:_SAMPLE_BYTES].decode(encoding, "replace")) and _decodes(data, encoding)
    ]
    return fitting[0] if len(fitting) == 1 else None


def _is_prose(text: str) -> bool:
    """Whether nearly all are letters of one script, or of two, and signs.

    Two bytes of any text make a Han character as often as not; those must be common ones.
    """
    text = text.removesuffix("\ufffd")  # a pair that the end of the sample parts
    counts = {name: len(script.findall(text)) for name, script in _SCRIPTS.items()}
    han = _SCRIPTS["han"].findall(text)
    signs = len(_SIGNS.findall(text))
    if counts["han"] or counts["kana"]:
        known = counts["han"] + counts["kana"] + counts["latin"]
        if counts["kana"] > 0.1 * (known + signs):
            common = common_japanese(han)
        else:
            common = max(common_simplified(han), common_traditional(han))
        if han and common < _COMMON_SHARE:
            return False
    else:
        foreign = max(counts[name] for name in counts if name != "latin")
        known = counts["latin"] + foreign
    return known > 0 and known + signs >= _KNOWN_SHARE * len(text) and are_likely(text)
