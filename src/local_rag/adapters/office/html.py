"""Reads HTML and XHTML with lexbor, which builds the tree that a browser builds.

Of the parsers for Python it is the one that closes what authors leave open as browsers do, at a
million nodes a second; it loads nothing and knows no entities but HTML's own.
"""

from __future__ import annotations

import codecs
import re
from typing import TYPE_CHECKING

from local_rag.adapters.decoding import decode_text
from local_rag.adapters.office.builder import PageBuilder, extraction_of
from local_rag.adapters.office.html_walk import write_page
from local_rag.errors import EmptyFile, TooLarge, WrongContent

if TYPE_CHECKING:
    from pathlib import Path

    from selectolax.lexbor import LexborHTMLParser

    from local_rag.model.document import Extraction
    from local_rag.ports import Progress

_HEAD_BYTES = 2048
_DECLARED = re.compile(
    rb"<meta[^>]*?charset\s*=\s*[\"']?\s*([\w.:-]+)|^\s*<\?xml[^>]*?encoding\s*=\s*[\"']([\w.:-]+)",
    re.IGNORECASE,
)
_MARKS = (
    codecs.BOM_UTF8,
    codecs.BOM_UTF16_LE,
    codecs.BOM_UTF16_BE,
    codecs.BOM_UTF32_LE,
    codecs.BOM_UTF32_BE,
)
_ENCODINGS_LISTED = (
    "utf-8 cp1250 cp1251 cp1252 cp1253 cp1254 cp1255 cp1256 cp1257 cp1258 cp874 cp866 iso8859-2 "
    "iso8859-3 iso8859-4 iso8859-5 iso8859-6 iso8859-7 iso8859-8 iso8859-10 iso8859-13 iso8859-14 "
    "iso8859-15 iso8859-16 koi8-r koi8-u mac-roman gb18030 big5 big5hkscs euc_jp cp932 "
    "iso2022_jp cp949"
)
_ENCODINGS = frozenset(_ENCODINGS_LISTED.split())
# As browsers read the labels (encoding.spec.whatwg.org).
_READ_AS = {
    "ascii": "cp1252", "iso8859-1": "cp1252", "iso8859-9": "cp1254", "iso8859-11": "cp874",
    "tis-620": "cp874", "gb2312": "gb18030", "gbk": "gb18030", "shift_jis": "cp932",
    "euc_kr": "cp949", "utf-16": "utf-8", "utf-16-le": "utf-8", "utf-16-be": "utf-8",
}  # fmt: skip
_REPLACED_SHARE = 0.001
_TAG = re.compile(r"<(/?)([a-z][a-z0-9]*)(?=[\s/>])[^<>]*>", re.IGNORECASE)
_MAX_DEPTH = 10_000
_CLOSED_BY_OTHERS_LISTED = (
    "p li dt dd option optgroup tr td th thead tbody tfoot colgroup col br hr img input meta link "
    "area base embed param source track wbr html head body rp rt"
)
_CLOSED_BY_OTHERS = frozenset(_CLOSED_BY_OTHERS_LISTED.split())
_XHTML = re.compile(r"\s*(<\?xml\b|<!DOCTYPE\s[^>]*XHTML|<html[^>]+xmlns\s*=)", re.IGNORECASE)
_SUBSET = re.compile(r"(<!DOCTYPE[^>\[]{0,500})\[[^\]]{0,100000}\]\s*>", re.IGNORECASE)
_CDATA = re.compile(r"<!\[CDATA\[(.*?)\]\]>", re.DOTALL)
_SELF_CLOSED = re.compile(r"<([a-zA-Z][\w:.-]*)((?:\s[^<>]*)?)/>")
_VOID_LISTED = "area base br col embed hr img input link meta param source track wbr"
_VOID = frozenset(_VOID_LISTED.split())


def read_html(path: Path, progress: Progress | None = None) -> Extraction:
    """An HTML file: one page, a section for each heading.

    Raises:
        EmptyFile, WrongContent, TooLarge, NoText.
    """
    builder = PageBuilder(1)
    tree = parse_html(decode_html(path.read_bytes()))
    title = write_page(tree, builder).title
    extraction = extraction_of([builder], title or _first_heading(builder))
    if progress is not None:
        progress(1, 1)
    return extraction


def decode_html(data: bytes) -> str:
    """The text, by byte order mark, by what it declares, or by what its bytes look like.

    Raises:
        EmptyFile, WrongContent.
    """
    if not data:
        raise EmptyFile("The file is empty.")
    declared = None if data.startswith(_MARKS) else _declared(data[:_HEAD_BYTES])
    if declared is None or data.startswith(b"%PDF-") or b"\0" in data[:_HEAD_BYTES]:
        return decode_text(data)
    try:
        return data.decode(declared)
    except UnicodeDecodeError:
        pass
    try:
        return decode_text(data)
    except WrongContent:
        # A stray byte in a long page is no reason to refuse it.
        text = data.decode(declared, "replace")
        if text.count("\ufffd") > 1 + _REPLACED_SHARE * len(text):
            raise
        return text


def _declared(head: bytes) -> str | None:
    found = _DECLARED.search(head)
    if found is None:
        return None
    label = (found[1] or found[2]).decode("ascii", "replace")
    try:
        name = codecs.lookup(label).name
    except LookupError:
        return None
    name = _READ_AS.get(name, name)
    return name if name in _ENCODINGS else None


def parse_html(text: str, *, xhtml: bool = False) -> LexborHTMLParser:
    """The tree of a page.

    Raises:
        TooLarge: elements are nested so deeply that building the tree would take minutes.
    """
    from selectolax.lexbor import LexborHTMLParser

    if xhtml or _XHTML.match(text):
        text = _as_html(text)
    _check_depth(text)
    return LexborHTMLParser(text.replace("\0", ""))


def _as_html(text: str) -> str:
    """XHTML in the syntax of HTML: ``<title/>`` would swallow the page."""
    text = _SUBSET.sub(r"\1>", text, count=1)
    text = _CDATA.sub(lambda found: found[1].replace("&", "&amp;").replace("<", "&lt;"), text)

    def closed(found: re.Match[str]) -> str:
        name = found[1]
        return found[0] if name.lower() in _VOID else f"<{name}{found[2]}></{name}>"

    return _SELF_CLOSED.sub(closed, text)


def _check_depth(text: str) -> None:
    """Building the tree takes time quadratic in its depth (100,000 levels: 35 s)."""
    if text.count("<") < _MAX_DEPTH:
        return
    open_by_name: dict[str, int] = {}
    depth = 0
    for closes, tag in _TAG.findall(text):
        name = tag.lower()
        if name in _CLOSED_BY_OTHERS:
            continue
        if not closes:
            open_by_name[name] = open_by_name.get(name, 0) + 1
            depth += 1
            if depth > _MAX_DEPTH:
                raise TooLarge(
                    f"The page's elements are nested more than {_MAX_DEPTH:,} levels deep.",
                    fix="Save the page as plain text and send that.",
                )
        elif open_by_name.get(name):
            open_by_name[name] -= 1
            depth -= 1


def _first_heading(builder: PageBuilder) -> str | None:
    return next((h.title for h in builder.headings if h.level == 1), None)
