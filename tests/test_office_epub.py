"""EPUB books: a page for each file of the spine."""

from __future__ import annotations

import zipfile
from typing import TYPE_CHECKING

import pytest

from local_rag.adapters.office.epub import read_epub
from local_rag.errors import NoText, UnreadableFile, WrongContent
from local_rag.model.document import PageReading

if TYPE_CHECKING:
    from pathlib import Path

_XHTML = '<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"><head><title/></head>{}'
_NCX = """<ncx><navMap><navPoint><navLabel><text>Part one</text></navLabel><content
 src="b.xhtml"/><navPoint><navLabel><text>Deep</text></navLabel><content src="b.xhtml#x"/>
 </navPoint></navPoint></navMap></ncx>"""
_NAV = _XHTML.format(
    '<body><nav epub:type="landmarks"><ol><li><a href="a.xhtml">no</a></li></ol></nav>'
    '<nav epub:type="toc"><ol><li><a href="../t/b.xhtml">Part <i>one</i></a><ol><li>'
    '<a href="../t/b.xhtml#x">Deep</a></li></ol></li></ol></nav></body></html>'
)
_A = _XHTML.format("<body><h1>Chapter 1</h1><p>It began.</p></body></html>")
_B = _XHTML.format("<body><p>It went <b/>on.</p><p id='x'>It ended&nbsp;&mdash; well.</p></body>")


def _book(folder: Path, *, nav: bool = False, **extra: str) -> Path:
    path = folder / "a.epub"
    contents = (
        '<item id="n" href="nav/nav.xhtml" media-type="application/xhtml+xml" properties="nav"/>'
        if nav
        else '<item id="n" href="t/toc.ncx" media-type="application/x-dtbncx+xml"/>'
    )
    opf = f"""<?xml version="1.0"?><package xmlns="http://www.idpf.org/2007/opf"><metadata
    xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title>A  book</dc:title></metadata>
    <manifest>{contents}<item id="a" href="t/a.xhtml" media-type="application/xhtml+xml"/>
    <item id="b" href="t/b%2Exhtml" media-type="application/xhtml+xml"/>
    <item id="c" href="c.png" media-type="image/png"/>
    <item id="e" href="t/e.xhtml" media-type="application/xhtml+xml"/></manifest>
    <spine toc="n"><itemref idref="a"/><itemref idref="b"/><itemref idref="e"/><itemref
    idref="c"/><itemref idref="gone"/></spine></package>"""
    files = {
        "mimetype": "application/epub+zip",
        "META-INF/container.xml": '<container><rootfiles><rootfile full-path="O/p.opf"/>'
        "</rootfiles></container>",
        "O/p.opf": opf,
        "O/t/a.xhtml": _A,
        "O/t/b.xhtml": _B,
        "O/t/e.xhtml": _XHTML.format("<body><img src='c.png'/></body>"),
        "O/nav/nav.xhtml" if nav else "O/t/toc.ncx": _NAV if nav else _NCX,
    }
    with zipfile.ZipFile(path, "w") as archive:
        for name, text in {**files, **extra}.items():
            archive.writestr(name, text)
    return path


@pytest.mark.parametrize("nav", [True, False])
def test_each_file_of_the_spine_is_a_page_and_the_contents_give_what_is_missing(
    tmp_path: Path, nav: bool
) -> None:
    extraction = read_epub(_book(tmp_path, nav=nav))
    second = "It went on.\n\nIt ended — well."
    assert [page.text for page in extraction.pages] == ["Chapter 1\n\nIt began.", second, ""]
    assert [(s.path, s.page_number, s.start) for s in extraction.sections] == [
        (("Chapter 1",), 1, 0),
        (("Part one",), 2, 0),
        (("Part one", "Deep"), 2, second.index("It ended")),
    ]
    assert extraction.title == "A book"
    assert extraction.readings == (
        PageReading(1, "text", (), words=4),
        PageReading(2, "text", (), words=6),
        PageReading(3, "text", ("no-text",)),
    )


def test_scrambled_fonts_are_no_matter_and_protected_text_is_an_error(tmp_path: Path) -> None:
    encryption = """<encryption xmlns:enc="http://www.w3.org/2001/04/xmlenc#"><enc:EncryptedData>
    <enc:EncryptionMethod Algorithm="{}"/></enc:EncryptedData></encryption>"""
    fonts = encryption.format("http://www.idpf.org/2008/embedding")
    book = _book(tmp_path, **{"META-INF/encryption.xml": fonts})
    assert read_epub(book).pages[0].text == "Chapter 1\n\nIt began."
    protected = encryption.format("http://www.w3.org/2001/04/xmlenc#aes128-cbc")
    with pytest.raises(UnreadableFile, match="DRM"):
        read_epub(_book(tmp_path, **{"META-INF/encryption.xml": protected}))


def test_entities_of_a_book_are_not_resolved(tmp_path: Path) -> None:
    entities = "".join(
        f'<!ENTITY e{n} "{f"&e{n - 1};" * 10 if n else "lol" * 10}">' for n in range(10)
    )
    container = (
        f"<!DOCTYPE c [{entities}]><container>&e9;<rootfiles><rootfile full-path='O/p.opf'/>"
        "</rootfiles></container>"
    )
    page = f"<!DOCTYPE html [{entities}]>" + _XHTML.format("<body><p>&e9;x</p></body></html>")
    assert read_epub(_book(tmp_path, **{"O/t/a.xhtml": page})).pages[0].text == "&e9;x"
    with pytest.raises(UnreadableFile):
        read_epub(_book(tmp_path, **{"META-INF/container.xml": container}))


def test_what_is_no_book_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "b.epub"
    path.write_bytes(b"<html>")
    with pytest.raises(WrongContent):
        read_epub(path)
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("a.txt", "x")
    with pytest.raises(WrongContent):
        read_epub(path)
    blank = {"O/t/a.xhtml": _XHTML.format("<body/>"), "O/t/b.xhtml": ""}
    with pytest.raises(NoText):
        read_epub(_book(tmp_path, **blank))
    with pytest.raises(UnreadableFile):
        read_epub(_book(tmp_path, **{"O/p.opf": "<package>"}))
    book = _book(tmp_path)
    data = book.read_bytes()
    book.write_bytes(data[: len(data) // 2])
    with pytest.raises(UnreadableFile):
        read_epub(book)


def test_what_the_sheets_of_a_book_hide_is_left_out_and_said(tmp_path: Path) -> None:
    page = (
        '<html xmlns="http://www.w3.org/1999/xhtml"><head><title/>'
        '<link rel="stylesheet" href="../css/book%20one.css"/></head>'
        '<body><p>It began.</p><p class="no">secret</p><p class="w">white</p></body></html>'
    )
    sheet = "@import 'more.css'; .no{display:none}"
    path = _book(tmp_path)
    with zipfile.ZipFile(path, "a") as archive:
        archive.writestr("O/css/book one.css", sheet)
        archive.writestr("O/css/more.css", "p.w{color:#fff}")
        archive.writestr("O/t/h.xhtml", page)
        archive.writestr("O/t/h2.xhtml", page.replace("book%20one", "gone"))
    with zipfile.ZipFile(path) as archive:
        files = {name: archive.read(name) for name in archive.namelist()}
    files["O/p.opf"] = files["O/p.opf"].replace(b"t/a.xhtml", b"t/h.xhtml")
    files["O/p.opf"] = files["O/p.opf"].replace(b"t/e.xhtml", b"t/h2.xhtml")
    with zipfile.ZipFile(path, "w") as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    extraction = read_epub(path)
    assert extraction.pages[0].text == "It began."
    assert extraction.readings[0].flags == ("hidden-text",)
    assert extraction.pages[2].text == "It began.\n\nsecret\n\nwhite"
