"""Word documents: the visible text in its order, with headings, lists, tables and notes."""

from __future__ import annotations

import contextlib
import io
import time
import zipfile
from pathlib import Path
from typing import Any

import docx
import pytest
from docx.enum.style import WD_STYLE_TYPE

from local_rag.adapters.office.docx import read_docx
from local_rag.errors import (
    EmptyFile,
    NoText,
    PasswordRequired,
    TooLarge,
    UnreadableFile,
    WrongContent,
)
from local_rag.model.document import PageReading, Table
from local_rag.text.tokens import count_words

_W = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
_MC = "http://schemas.openxmlformats.org/markup-compatibility/2006"
_R = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_RELS = "http://schemas.openxmlformats.org/package/2006/relationships"


def _saved(document: Any, folder: Path) -> Path:
    path = folder / "a.docx"
    document.save(str(path))
    return path


def _body(folder: Path, body: str, **parts: str) -> Path:
    """A file of the barest parts; ``parts`` are related to the document by their names."""
    path = folder / "raw.docx"
    related = "".join(
        f'<Relationship Id="r{name}" Type="{_R}/{name}" Target="{name}.xml"/>' for name in parts
    )
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("[Content_Types].xml", "<Types/>")
        archive.writestr(
            "_rels/.rels",
            f'<Relationships xmlns="{_RELS}"><Relationship Id="a" Type="{_R}/officeDocument" '
            'Target="word/document.xml"/></Relationships>',
        )
        archive.writestr(
            "word/_rels/document.xml.rels",
            f'<Relationships xmlns="{_RELS}">{related}<Relationship Id="x" Type="{_R}/image" '
            'Target="NULL"/></Relationships>',
        )
        archive.writestr(
            "word/document.xml",
            f'<w:document xmlns:w="{_W}" xmlns:mc="{_MC}"><w:body>{body}</w:body></w:document>',
        )
        for name, xml in parts.items():
            archive.writestr(f"word/{name}.xml", xml)
    return path


def _text(path: Path) -> str:
    return read_docx(path).pages[0].text


def test_a_document_is_read_in_order_with_headings_lists_and_tables(tmp_path: Path) -> None:
    document = docx.Document()
    document.core_properties.title = "The plan"
    document.add_heading("Plan", 0)
    document.add_heading("Scope", 1)
    document.add_paragraph("First\tpara\u00adgraph.").add_run("\nNew line")
    document.add_paragraph("one", style="List Bullet")
    document.add_paragraph("two", style="List Bullet")
    document.add_paragraph("a", style="List Number")
    document.add_paragraph("b", style="List Number")
    table = document.add_table(3, 3)
    for row, texts in zip(
        table.rows, (("A", "", "B|C"), ("1", "2", "3"), ("", "4", "5\n6")), strict=False
    ):
        for cell, text in zip(row.cells, texts, strict=False):
            cell.text = text
    table.cell(0, 0).merge(table.cell(0, 1))
    table.cell(1, 0).merge(table.cell(2, 0))
    document.add_heading("Cost", 2)
    document.add_paragraph("Last.")
    section = document.sections[0]
    section.header.paragraphs[0].text = "running head"
    section.footer.paragraphs[0].text = "running foot"
    extraction = read_docx(_saved(document, tmp_path))
    text = (
        "Plan\n\nScope\n\nFirst paragraph.\nNew line\n\n- one\n- two\n1. a\n2. b\n\n"
        "| A |  | B\\|C |\n| --- | --- | --- |\n| 1 | 2 | 3 |\n|  | 4 | 5 6 |\n\nCost\n\nLast."
    )
    assert extraction.pages[0].text == text
    assert extraction.title == "The plan"
    assert [(s.section_id, s.title, text[s.start :][:4]) for s in extraction.sections] == [
        ("1", "Plan", "Plan"),
        ("2", "Scope", "Scop"),
        ("2.1", "Cost", "Cost"),
    ]
    header = "| A |  | B\\|C |\n| --- | --- | --- |"
    assert extraction.tables == (Table(1, text.index("| A"), text.index("\n\nCost"), header),)
    assert extraction.readings == (PageReading(1, "text", ("table",), words=count_words(text)),)


def test_without_properties_the_title_is_the_paragraph_in_that_style(tmp_path: Path) -> None:
    document = docx.Document()
    document.core_properties.title = ""
    document.add_paragraph("before")
    document.add_heading("A  title", 0)
    assert read_docx(_saved(document, tmp_path)).title == "A title"


def test_a_heading_is_told_by_outline_level_in_any_language(tmp_path: Path) -> None:
    styles = (
        f'<w:styles xmlns:w="{_W}"><w:style w:type="paragraph" w:styleId="berschrift1">'
        '<w:name w:val="heading 1"/></w:style><w:style w:type="paragraph" w:styleId="Eigen">'
        '<w:name w:val="Eigen"/><w:basedOn w:val="Gliederung"/></w:style>'
        '<w:style w:type="paragraph" w:styleId="Gliederung"><w:name w:val="G"/><w:pPr>'
        '<w:outlineLvl w:val="1"/></w:pPr></w:style></w:styles>'
    )
    body = "".join(
        f"<w:p><w:pPr>{properties}</w:pPr><w:r><w:t>{text}</w:t></w:r></w:p>"
        for properties, text in (
            ('<w:pStyle w:val="berschrift1"/>', "Eins"),
            ('<w:pStyle w:val="Eigen"/>', "Zwei"),
            ('<w:outlineLvl w:val="2"/>', "Drei"),
            ('<w:pStyle w:val="berschrift1"/><w:outlineLvl w:val="9"/>', "Text"),
        )
    )
    extraction = read_docx(_body(tmp_path, body, styles=styles))
    assert [s.path for s in extraction.sections] == [
        ("Eins",),
        ("Eins", "Zwei"),
        ("Eins", "Zwei", "Drei"),
    ]
    assert extraction.pages[0].text == "Eins\n\nZwei\n\nDrei\n\nText"


def _level(at: int, kind: str, pattern: str, more: str = "") -> str:
    return (
        f'<w:lvl w:ilvl="{at}"><w:start w:val="1"/><w:numFmt w:val="{kind}"/>{more}'
        f'<w:lvlText w:val="{pattern}"/></w:lvl>'
    )


def _item(text: str, level: int, number: int = 1) -> str:
    properties = f'<w:numPr><w:ilvl w:val="{level}"/><w:numId w:val="{number}"/></w:numPr>'
    return f"<w:p><w:pPr>{properties}</w:pPr><w:r><w:t>{text}</w:t></w:r></w:p>"


def test_items_carry_the_numbers_that_word_shows(tmp_path: Path) -> None:
    numbering = (
        f'<w:numbering xmlns:w="{_W}"><w:abstractNum w:abstractNumId="0">'
        + _level(0, "decimal", "%1.")
        + _level(1, "decimal", "%1.%2")
        + _level(2, "lowerLetter", "(%3)")
        + '</w:abstractNum><w:abstractNum w:abstractNumId="1">'
        + _level(0, "upperRoman", "§ %1")
        + _level(1, "bullet", "·")
        + '</w:abstractNum><w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num>'
        '<w:num w:numId="2"><w:abstractNumId w:val="1"/></w:num>'
        '<w:num w:numId="3"><w:abstractNumId w:val="0"/><w:lvlOverride w:ilvl="0">'
        '<w:startOverride w:val="7"/></w:lvlOverride></w:num></w:numbering>'
    )
    items = [
        ("a", 0, 1), ("b", 1, 1), ("c", 1, 1), ("d", 2, 1), ("", 2, 1), ("e", 2, 1), ("f", 0, 1),
        ("g", 1, 1), ("h", 0, 2), ("i", 1, 2), ("j", 0, 2), ("k", 0, 3), ("l", 0, 3), ("m", 0, 0),
    ]  # fmt: skip
    body = "".join(_item(*item) for item in items)
    assert _text(_body(tmp_path, body, numbering=numbering)) == (
        "1. a\n  1.1 b\n  1.2 c\n    (a) d\n    (c) e\n2. f\n  2.1 g\n"
        "§ I h\n  - i\n§ II j\n7. k\n8. l\n\nm"
    )


def test_the_number_of_a_heading_is_part_of_it(tmp_path: Path) -> None:
    numbering = (
        f'<w:numbering xmlns:w="{_W}"><w:abstractNum w:abstractNumId="0">'
        + _level(0, "decimal", "%1.")
        + '</w:abstractNum><w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num></w:numbering>'
    )
    styles = (
        f'<w:styles xmlns:w="{_W}"><w:style w:type="paragraph" w:styleId="H"><w:name '
        'w:val="heading 1"/><w:pPr><w:numPr><w:numId w:val="1"/></w:numPr></w:pPr></w:style>'
        "</w:styles>"
    )
    body = '<w:p><w:pPr><w:pStyle w:val="H"/></w:pPr><w:r><w:t>Scope</w:t></w:r></w:p>' * 2
    extraction = read_docx(_body(tmp_path, body, styles=styles, numbering=numbering))
    assert extraction.pages[0].text == "1. Scope\n\n2. Scope"
    assert [s.title for s in extraction.sections] == ["1. Scope", "2. Scope"]


def test_insertions_are_read_and_deletions_are_not(tmp_path: Path) -> None:
    body = (
        "<w:p><w:r><w:t>Pay </w:t></w:r><w:del><w:r><w:delText>10</w:delText></w:r></w:del>"
        "<w:ins><w:r><w:t>20</w:t></w:r></w:ins><w:moveFrom><w:r><w:t>gone</w:t></w:r></w:moveFrom>"
        "<w:moveTo><w:r><w:t> euro</w:t></w:r></w:moveTo></w:p>"
        "<w:p><w:pPr><w:rPr><w:del/></w:rPr></w:pPr><w:r><w:t>joined </w:t></w:r></w:p>"
        "<w:p><w:r><w:t>here</w:t></w:r></w:p>"
    )
    assert _text(_body(tmp_path, body)) == "Pay 20 euro\n\njoined here"


def test_hidden_text_is_left_out_and_said(tmp_path: Path) -> None:
    document = docx.Document()
    paragraph = document.add_paragraph("seen ")
    paragraph.add_run("secret").font.hidden = True
    style = document.styles.add_style("Ghost", WD_STYLE_TYPE.CHARACTER)
    style.font.hidden = True
    paragraph.add_run("ghost", style="Ghost")
    paragraph.add_run("too").font.hidden = False
    extraction = read_docx(_saved(document, tmp_path))
    assert extraction.pages[0].text == "seen too"
    assert extraction.readings[0].flags == ("hidden-text",)


_RUN = "<w:r><w:rPr>{}</w:rPr><w:t>{}</w:t></w:r>"
_WHITE = '<w:color w:val="FFFFFF"/>'


@pytest.mark.parametrize(
    "body",
    [
        "<w:p>" + _RUN.format(_WHITE, "secret") + "</w:p>",
        "<w:p>" + _RUN.format('<w:sz w:val="2"/>', "secret") + "</w:p>",
        "<w:p>" + _RUN.format('<w:color w:val="102030"/><w:shd w:fill="102030"/>', "secret")
        + "</w:p>",
        "<w:p><w:pPr><w:pStyle w:val='W'/></w:pPr>" + _RUN.format("", "secret") + "</w:p>",
        "<w:tbl><w:tr><w:tc><w:tcPr><w:shd w:fill='00FF00'/></w:tcPr><w:p>"
        + _RUN.format('<w:color w:val="00FF00"/>', "secret") + "</w:p></w:tc></w:tr></w:tbl>",
    ],
)  # fmt: skip
def test_letters_of_the_colour_of_the_paper_are_left_out_and_said(
    tmp_path: Path, body: str
) -> None:
    styles = (
        f'<w:styles xmlns:w="{_W}"><w:style w:styleId="W" w:type="paragraph"><w:rPr>{_WHITE}'
        "</w:rPr></w:style></w:styles>"
    )
    plain = "<w:p>" + _RUN.format("", "seen") + "</w:p>"
    extraction = read_docx(_body(tmp_path, plain + body, styles=styles))
    assert extraction.pages[0].text == "seen"
    assert extraction.readings[0].flags == ("hidden-text",)


@pytest.mark.parametrize(
    "body",
    [
        "<w:p>" + _RUN.format(f'{_WHITE}<w:highlight w:val="blue"/>', "seen") + "</w:p>",
        "<w:p><w:pPr><w:shd w:fill='4472C4'/></w:pPr>" + _RUN.format(_WHITE, "seen") + "</w:p>",
        "<w:tbl><w:tblPr><w:tblStyle w:val='T'/></w:tblPr><w:tr><w:tc><w:p>"
        + _RUN.format(_WHITE, "seen") + "</w:p></w:tc></w:tr></w:tbl>",
        "<w:p><w:r><w:rPr>" + _WHITE + "</w:rPr><w:pict><w:txbxContent><w:p>"
        + _RUN.format(_WHITE, "seen") + "</w:p></w:txbxContent></w:pict></w:r></w:p>",
    ],
)  # fmt: skip
def test_white_letters_on_something_else_stay(tmp_path: Path, body: str) -> None:
    styles = (
        f'<w:styles xmlns:w="{_W}"><w:style w:styleId="T" w:type="table"><w:tblStylePr><w:tcPr>'
        '<w:shd w:fill="4472C4"/></w:tcPr></w:tblStylePr></w:style></w:styles>'
    )
    extraction = read_docx(_body(tmp_path, body, styles=styles))
    assert extraction.pages[0].text == "seen"
    assert extraction.readings[0].flags == ()


def test_the_boxes_of_smart_art_are_read(tmp_path: Path) -> None:
    body = (
        "<w:p><w:r><w:t>Plan</w:t></w:r><w:r><w:drawing><relIds dm='rdiagramData'/></w:drawing>"
        "</w:r></w:p>"
    )
    data = (
        "<dataModel><ptLst><pt type='doc'/><pt><t><p><r><t>Buy</t></r></p></t></pt>"
        "<pt type='pres'><t><p><r><t>no</t></r></p></t></pt>"
        "<pt><t><p><r><t>Se</t></r><r><t>ll</t></r></p></t></pt></ptLst></dataModel>"
    )
    assert _text(_body(tmp_path, body, diagramData=data)) == "Plan\n\n- Buy\n- Sell"


@pytest.mark.parametrize("levels", [300, 2_000])
def test_tables_in_tables_without_end_are_named_as_the_fault(tmp_path: Path, levels: int) -> None:
    inner = "<w:tbl><w:tr><w:tc>" * levels + "<w:p/>" + "</w:tc></w:tr></w:tbl>" * levels
    with pytest.raises(TooLarge, match="nested too deeply"):
        read_docx(_body(tmp_path, inner))


def test_an_external_entity_is_never_read(tmp_path: Path) -> None:
    secret = tmp_path / "secret.txt"
    secret.write_text("secret")
    path = _body(tmp_path, "<w:p><w:r><w:t>&x;</w:t></w:r></w:p>")
    with zipfile.ZipFile(path) as archive:
        files = {name: archive.read(name).decode() for name in archive.namelist()}
    declared = f'<!DOCTYPE d [<!ENTITY x SYSTEM "{secret.as_uri()}">]>'
    files["word/main.bin"] = declared + files.pop("word/document.xml")
    files["_rels/.rels"] = files["_rels/.rels"].replace("document.xml", "main.bin")
    with zipfile.ZipFile(path, "w") as archive:
        for name, text in files.items():
            archive.writestr(name, text)
    with pytest.raises(UnreadableFile, match="entities"):
        read_docx(path)


def test_fields_give_their_results_and_links_their_text(tmp_path: Path) -> None:
    field = '<w:r><w:fldChar w:fldCharType="{}"/></w:r>'
    body = (
        "<w:p><w:r><w:t>See page </w:t></w:r>" + field.format("begin")
        + "<w:r><w:instrText>PAGEREF x</w:instrText><w:t>not this</w:t></w:r>"
        + field.format("separate") + "<w:r><w:t>12</w:t></w:r>" + field.format("end")
        + '<w:fldSimple w:instr="DATE"><w:r><w:t> of May</w:t></w:r></w:fldSimple>'
        "<w:hyperlink><w:r><w:t> here</w:t></w:r></w:hyperlink>"
        "<w:sdt><w:sdtContent><w:r><w:t> now</w:t></w:r></w:sdtContent></w:sdt></w:p>"
    )  # fmt: skip
    assert _text(_body(tmp_path, body)) == "See page 12 of May here now"


def test_a_text_box_is_read_once_below_its_paragraph(tmp_path: Path) -> None:
    box = "<w:txbxContent><w:p><w:r><w:t>In the box</w:t></w:r></w:p></w:txbxContent>"
    body = (
        "<w:p><w:r><w:t>Around </w:t></w:r><w:r><mc:AlternateContent><mc:Choice>"
        f"<w:drawing>{box}</w:drawing></mc:Choice><mc:Fallback><w:pict>{box}</w:pict>"
        "</mc:Fallback></mc:AlternateContent></w:r><w:r><w:t>it</w:t></w:r></w:p>"
        "<w:p><w:r><w:t>After</w:t></w:r></w:p>"
    )
    assert _text(_body(tmp_path, body)) == "Around it\n\nIn the box\n\nAfter"


def test_notes_stand_at_the_end_and_comments_nowhere(tmp_path: Path) -> None:
    notes = (
        f'<w:footnotes xmlns:w="{_W}"><w:footnote w:id="0"><w:p/></w:footnote>'
        '<w:footnote w:id="2"><w:p><w:r><w:footnoteRef/><w:t> The source</w:t></w:r></w:p>'
        "<w:p><w:r><w:t>of it.</w:t></w:r></w:p></w:footnote></w:footnotes>"
    )
    ends = (
        f'<w:endnotes xmlns:w="{_W}"><w:endnote w:id="5"><w:p><w:r><w:t>Really.</w:t></w:r></w:p>'
        "</w:endnote></w:endnotes>"
    )
    comments = f'<w:comments xmlns:w="{_W}"><w:comment w:id="1"><w:p><w:r><w:t>psst</w:t></w:r>'
    comments += "</w:p></w:comment></w:comments>"
    body = (
        '<w:p><w:r><w:t>It is so</w:t></w:r><w:r><w:footnoteReference w:id="2"/></w:r><w:r><w:t>, '
        'yes</w:t></w:r><w:r><w:endnoteReference w:id="5"/></w:r><w:r><w:commentReference '
        'w:id="1"/></w:r></w:p>'
    )
    path = _body(tmp_path, body, footnotes=notes, endnotes=ends, comments=comments)
    assert _text(path) == "It is so[1], yes[i]\n\n[1] The source of it.\n\n[i] Really."


def test_tables_in_cells_are_flattened_and_frames_of_one_cell_dissolve(tmp_path: Path) -> None:
    document = docx.Document()
    document.add_table(1, 1).cell(0, 0).text = "framed"
    outer = document.add_table(1, 2)
    outer.cell(0, 0).text = "left"
    inner = outer.cell(0, 1).add_table(1, 2)
    inner.cell(0, 0).text, inner.cell(0, 1).text = "x", "y"
    text = _text(_saved(document, tmp_path))
    assert text == "framed\n\n| left | x y |\n| --- | --- |"


def test_a_strict_file_is_read_like_any_other(tmp_path: Path) -> None:
    path = _body(tmp_path, "<w:p><w:r><w:rPr><w:vanish w:val='0'/></w:rPr><w:t>x</w:t></w:r></w:p>")
    data = io.BytesIO()
    with zipfile.ZipFile(path) as old, zipfile.ZipFile(data, "w") as new:
        for name in old.namelist():
            xml = old.read(name).replace(
                _W.encode(), b"http://purl.oclc.org/ooxml/wordprocessingml/main"
            )
            new.writestr(
                name,
                xml.replace(
                    _R.encode(), b"http://purl.oclc.org/ooxml/officeDocument/relationships"
                ),
            )
    path.write_bytes(data.getvalue())
    assert _text(path) == "x"


def test_markup_is_text(tmp_path: Path) -> None:
    document = docx.Document()
    document.add_paragraph("<img src=x onerror=alert(1)> ![a](https://x.example/?q)")
    assert _text(_saved(document, tmp_path)) == (
        "<img src=x onerror=alert(1)> ![a](https://x.example/?q)"
    )


def _file(folder: Path, data: bytes) -> Path:
    path = folder / "b.docx"
    path.write_bytes(data)
    return path


def test_what_is_no_word_document_is_refused(tmp_path: Path) -> None:
    ole = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
    with pytest.raises(EmptyFile):
        read_docx(_file(tmp_path, b""))
    with pytest.raises(WrongContent):
        read_docx(_file(tmp_path, b"<html>"))
    with pytest.raises(WrongContent, match="old Office document"):
        read_docx(_file(tmp_path, ole + b"WordDocument"))
    with pytest.raises(PasswordRequired):
        read_docx(_file(tmp_path, ole + b"\0" * 600 + "EncryptedPackage".encode("utf-16-le")))
    other = tmp_path / "zip.docx"
    with zipfile.ZipFile(other, "w") as archive:
        archive.writestr("readme.txt", "x")
    with pytest.raises(WrongContent):
        read_docx(other)
    workbook = _body(tmp_path, "")
    data = workbook.read_bytes()
    with zipfile.ZipFile(workbook, "w") as archive, zipfile.ZipFile(io.BytesIO(data)) as old:
        for name in old.namelist():
            xml = b"<workbook/>" if name == "word/document.xml" else old.read(name)
            archive.writestr(name, xml)
    with pytest.raises(WrongContent):
        read_docx(workbook)


def test_a_damaged_file_and_one_without_text_are_refused(tmp_path: Path) -> None:
    good = _body(tmp_path, "<w:p><w:r><w:t>" + "word " * 2000 + "</w:t></w:r></w:p>").read_bytes()
    with pytest.raises(UnreadableFile):
        read_docx(_file(tmp_path, good[: len(good) // 2]))
    with pytest.raises(UnreadableFile):
        read_docx(_body(tmp_path, "<w:p><w:r>"))
    with pytest.raises(NoText):
        read_docx(_body(tmp_path, "<w:p/>"))


def test_any_damage_of_the_bytes_is_an_error_of_ours_or_none(tmp_path: Path) -> None:
    document = docx.Document()
    document.add_paragraph("text")
    good = _saved(document, tmp_path).read_bytes()
    for at in range(0, len(good), max(1, len(good) // 60)):
        broken = bytearray(good)
        broken[at : at + 4] = b"\xff\x00\xff\x00"
        with contextlib.suppress(UnreadableFile, WrongContent, TooLarge, PasswordRequired, NoText):
            read_docx(_file(tmp_path, bytes(broken)))


def test_bombs_are_refused_in_time(tmp_path: Path) -> None:
    began = time.monotonic()
    path = tmp_path / "bomb.docx"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("[Content_Types].xml", "<Types/>")
        archive.writestr("word/media/a.png", b"\0" * 60_000_000)
    with pytest.raises(TooLarge):
        read_docx(path)
    with zipfile.ZipFile(path, "w") as archive:
        for number in range(10_001):
            archive.writestr(str(number), b"")
    with pytest.raises(TooLarge):
        read_docx(path)
    for encoding in ("utf-8", "utf-16"):
        entities = "".join(
            f'<!ENTITY e{n} "{f"&e{n - 1};" * 10 if n else "lol" * 10}">' for n in range(10)
        )
        xml = f'<?xml version="1.0" encoding="{encoding}"?><!DOCTYPE d [{entities}]>'
        xml += f'<w:document xmlns:w="{_W}"><w:body><w:p><w:r><w:t>&e9;</w:t></w:r></w:p></w:body>'
        good = _body(tmp_path, "")
        with zipfile.ZipFile(path, "w") as archive, zipfile.ZipFile(good) as old:
            for name in old.namelist():
                bomb = name == "word/document.xml"
                archive.writestr(
                    name, (xml + "</w:document>").encode(encoding) if bomb else old.read(name)
                )
        with pytest.raises(UnreadableFile):
            read_docx(path)
    with pytest.raises(TooLarge, match="nested too deeply"):
        read_docx(_body(tmp_path, "<w:sdt>" * 100_000 + "</w:sdt>" * 100_000))
    assert time.monotonic() - began < 20


def test_a_long_document_is_read_in_linear_time(tmp_path: Path) -> None:
    began = time.monotonic()
    body = "".join(f"<w:p><w:r><w:t>line {n}</w:t></w:r></w:p>" for n in range(50_000))
    assert _text(_body(tmp_path, body)).endswith("line 49999")
    assert time.monotonic() - began < 20


def test_a_raised_figure_is_an_exponent(tmp_path: Path) -> None:
    raised = '<w:r><w:rPr><w:vertAlign w:val="superscript"/></w:rPr><w:t>8</w:t></w:r>'
    path = _body(tmp_path, f"<w:p><w:r><w:t>10</w:t></w:r>{raised}<w:r><w:t> kg</w:t></w:r></w:p>")
    assert read_docx(path).pages[0].text == "10⁸ kg"
