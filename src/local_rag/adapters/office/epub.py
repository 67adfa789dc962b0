"""Reads EPUB books: a page for each file of the spine, headings from the pages or the contents."""

from __future__ import annotations

import posixpath
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import unquote, urldefrag

from local_rag.adapters.decoding import decode_text
from local_rag.adapters.office.archive import opened_archive, parse_xml, part
from local_rag.adapters.office.builder import PageBuilder, extraction_of
from local_rag.adapters.office.html import decode_html, parse_html
from local_rag.adapters.office.html_walk import write_page
from local_rag.adapters.office.opc import local
from local_rag.errors import EmptyFile, TooLarge, UnreadableFile, WrongContent
from local_rag.ingest.sections import HeadingFound

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path
    from zipfile import ZipFile

    from local_rag.model.document import Extraction
    from local_rag.ports import Progress

_CONTAINER = "META-INF/container.xml"
_ENCRYPTION = "META-INF/encryption.xml"
_FONT_OBFUSCATION = (
    "http://www.idpf.org/2008/embedding",
    "http://ns.adobe.com/pdf/enc#RC",
)
_PAGE_TYPES = frozenset(("application/xhtml+xml", "text/html", "application/x-dtbook+xml"))
_MAX_SPINE = 5_000
_MAX_SHEET_BYTES = 5_000_000


class _Item(NamedTuple):
    """A file of the book."""

    name: str
    media_type: str
    properties: str


class _Entry(NamedTuple):
    """A line of the table of contents; ``name`` and ``anchor`` say where it leads."""

    level: int
    title: str
    name: str
    anchor: str


def read_epub(path: Path, progress: Progress | None = None) -> Extraction:
    """A book: a page for each file of its spine.

    Raises:
        EmptyFile, WrongContent, UnreadableFile (copy protection too), TooLarge, NoText.
    """
    with opened_archive(path, "EPUB book") as archive:
        names = set(archive.namelist())
        if _CONTAINER not in names:
            raise WrongContent("The file is an archive, but no EPUB book.")
        _refuse_protected(archive, names)
        package_name = _package_name(archive)
        package = parse_xml(part(archive, package_name))
        items = _manifest(package, package_name)
        spine = _spine(package, items, names)
        builders: list[PageBuilder] = []
        anchors: list[dict[str, int]] = []
        for number, item in enumerate(spine, 1):
            builder = PageBuilder(number)
            try:
                text = decode_html(part(archive, item.name))
                tree = parse_html(text, xhtml=True)
                load = partial(_sheet, archive, names, item.name)
                anchors.append(write_page(tree, builder, load).anchors)
            except EmptyFile:
                anchors.append({})
            builders.append(builder)
            if progress is not None:
                progress(number, len(spine))
        contents = _contents(archive, package, items, names)
        outline = list(_outline(contents, spine, builders, anchors))
        title = next((e.text for e in package.iter() if local(e) == "title" and e.text), None)
    return extraction_of(builders, title, outline)


def _sheet(archive: ZipFile, names: set[str], page_name: str, address: str) -> str | None:
    """A style sheet of the book by its address in a page."""
    name = _resolved(page_name, address)[0]
    if name not in names:
        # In a sheet of another folder addresses are relative to that.
        same = (n for n in sorted(names) if posixpath.basename(n) == posixpath.basename(name))
        name = next(same, "")
    try:
        return decode_text(part(archive, name, _MAX_SHEET_BYTES)) if name else None
    except (EmptyFile, TooLarge, WrongContent):
        return None


def _refuse_protected(archive: ZipFile, names: set[str]) -> None:
    """Fonts may be scrambled; text may not."""
    if _ENCRYPTION not in names:
        return
    for data in parse_xml(part(archive, _ENCRYPTION)).iter():
        if local(data) != "EncryptedData":
            continue
        method = next((e for e in data if local(e) == "EncryptionMethod"), None)
        if method is None or method.get("Algorithm") not in _FONT_OBFUSCATION:
            raise UnreadableFile(
                "The book is protected against copying (DRM).",
                fix="Send a copy without the protection, if the publisher offers one.",
            )


def _package_name(archive: ZipFile) -> str:
    for element in parse_xml(part(archive, _CONTAINER)).iter():
        if local(element) == "rootfile" and element.get("full-path"):
            return str(element.get("full-path"))
    raise UnreadableFile("The book does not say where its contents are.")


def _manifest(package: Any, package_name: str) -> dict[str, _Item]:
    return {
        element.get("id", ""): _Item(
            _resolved(package_name, element.get("href", ""))[0],
            element.get("media-type", ""),
            element.get("properties") or "",
        )
        for element in package.iter()
        if local(element) == "item"
    }


def _spine(package: Any, items: dict[str, _Item], names: set[str]) -> list[_Item]:
    """The pages in order, each once; what is missing or no page is left out."""
    found: dict[str, _Item] = {}
    for element in package.iter():
        item = items.get(element.get("idref", "")) if local(element) == "itemref" else None
        if item is not None and item.name in names and item.media_type in _PAGE_TYPES:
            found.setdefault(item.name, item)
    if len(found) > _MAX_SPINE:
        raise UnreadableFile(f"The book has more than {_MAX_SPINE:,} parts.")
    return list(found.values())


def _contents(
    archive: ZipFile, package: Any, items: dict[str, _Item], names: set[str]
) -> Iterator[_Entry]:
    """The table of contents: the navigation page of EPUB 3, else the NCX of EPUB 2."""
    pages = [i for i in items.values() if "nav" in i.properties.split() and i.name in names]
    if pages:
        yield from _from_navigation(archive, pages[0].name)
        return
    spine = next((e for e in package.iter() if local(e) == "spine"), None)
    ncx = items.get(spine.get("toc", "")) if spine is not None else None
    if ncx is not None and ncx.name in names:
        yield from _from_ncx(archive, ncx.name)


def _from_navigation(archive: ZipFile, name: str) -> Iterator[_Entry]:
    root = parse_html(decode_html(part(archive, name)), xhtml=True)
    navs = root.css("nav")
    toc = next((n for n in navs if "toc" in (n.attributes.get("epub:type") or "").split()), None)
    toc = toc or next(iter(navs), None)
    if toc is None:
        return
    for link in toc.css("a[href]"):
        level, above = 0, link.parent
        while above is not None and above.mem_id != toc.mem_id:
            level += above.tag == "ol"
            above = above.parent
        target = _resolved(name, link.attributes.get("href") or "")
        yield _Entry(max(1, level), link.text(deep=True), *target)


def _from_ncx(archive: ZipFile, name: str) -> Iterator[_Entry]:
    for point in parse_xml(part(archive, name)).iter():
        if local(point) != "navPoint":
            continue
        level = 1 + sum(local(above) == "navPoint" for above in point.iterancestors())
        title = target = ""
        for element in point:
            if local(element) == "navLabel":
                title = "".join(e.text or "" for e in element.iter() if local(e) == "text")
            elif local(element) == "content":
                target = element.get("src", "")
        yield _Entry(level, title, *_resolved(name, target))


def _outline(
    entries: Iterable[_Entry],
    spine: list[_Item],
    builders: list[PageBuilder],
    anchors: list[dict[str, int]],
) -> Iterator[HeadingFound]:
    """The lines of the contents that lead to pages without headings of their own."""
    at = {item.name: index for index, item in enumerate(spine)}
    for entry in entries:
        index = at.get(entry.name)
        title = " ".join(entry.title.split())
        if index is None or not title or builders[index].headings:
            continue
        start = anchors[index].get(entry.anchor, 0) if entry.anchor else 0
        yield HeadingFound(entry.level, title, index + 1, start)


def _resolved(base: str, reference: str) -> tuple[str, str]:
    """Name in the archive and anchor of a reference out of ``base``."""
    target, anchor = urldefrag(reference)
    joined = posixpath.join("/", posixpath.dirname(base), unquote(target))
    return posixpath.normpath(joined).lstrip("/"), unquote(anchor)
