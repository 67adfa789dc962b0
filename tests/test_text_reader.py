"""Text and Markdown files: decoded rightly or refused, never mojibake."""

from __future__ import annotations

import codecs
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from local_rag.adapters.decoding import decode_text
from local_rag.adapters.text_reader import read_markdown, read_text
from local_rag.errors import EmptyFile, NoText, WrongContent
from local_rag.model.document import Page, Section

if TYPE_CHECKING:
    from pathlib import Path

_ENGLISH = "Prices rose — “sharply” — by 3 €.\nNaïve café owners said so."
_CHINESE = "根据合同第三条，双方应当在三十天内完成付款。如有争议，由法院判决。\n价格为42元。"
_RUSSIAN = "Согласно договору, стороны обязаны произвести оплату в течение тридцати дней."
_JAPANESE = "契約の第三条によると、三十日以内に支払いを完了しなければなりません。"
_KOREAN = "계약 제삼조에 따라 당사자는 삼십일 이내에 지급을 완료하여야 한다."
_POLISH = (
    "Zgodnie z umową strony są zobowiązane dokonać płatności w ciągu trzydziestu dni, później też."
)


def _file(folder: Path, data: bytes | str) -> Path:
    path = folder / "file"
    path.write_bytes(data.encode() if isinstance(data, str) else data)
    return path


@pytest.mark.parametrize(
    ("text", "data"),
    [
        (_ENGLISH, _ENGLISH.encode()),
        (_ENGLISH, codecs.BOM_UTF8 + _ENGLISH.encode()),
        (_ENGLISH, _ENGLISH.encode("utf-16")),
        (_ENGLISH, codecs.BOM_UTF16_BE + _ENGLISH.encode("utf-16-be")),
        (_ENGLISH, codecs.BOM_UTF32_LE + _ENGLISH.encode("utf-32-le")),
        (_ENGLISH, codecs.BOM_UTF32_BE + _ENGLISH.encode("utf-32-be")),
        (_ENGLISH, _ENGLISH.encode("utf-16-le")),
        (_ENGLISH, _ENGLISH.encode("utf-16-be")),
        (_ENGLISH, _ENGLISH.encode("cp1252")),
        ("Größe: 3 m² für 20 £", "Größe: 3 m² für 20 £".encode("cp1252")),
        ("L’été à Orléans, où l’œuvre", "L’été à Orléans, où l’œuvre".encode("cp1252")),
        (_CHINESE, _CHINESE.encode("gb18030")),
        ("报告 report 2023 中文", "报告 report 2023 中文".encode("gb18030")),
        (_CHINESE, _CHINESE.encode("utf-16-le")),
        (_CHINESE, _CHINESE.encode("utf-16-be")),
        (_RUSSIAN, _RUSSIAN.encode()),
        (_RUSSIAN, _RUSSIAN.encode("cp1251")),
        (_RUSSIAN, _RUSSIAN.encode("koi8-r")),
        (_JAPANESE, _JAPANESE.encode("shift_jis")),
        (_JAPANESE, _JAPANESE.encode("euc-jp")),
        (_KOREAN, _KOREAN.encode("euc-kr")),
        (_POLISH, _POLISH.encode("cp1250")),
    ],
)
def test_an_encoding_that_can_be_told_is_decoded(text: str, data: bytes) -> None:
    assert decode_text(data) == text


@pytest.mark.parametrize(
    "data",
    [
        b"abc \xff\xfe\xfd\xfc\x81\x8d def",
        codecs.BOM_UTF16_LE + b"abc",
    ],
)
def test_an_encoding_that_cannot_be_told_is_refused(data: bytes) -> None:
    with pytest.raises(WrongContent):
        decode_text(data)


@pytest.mark.parametrize(
    "data",
    [
        b"%PDF-1.7\nsome text",
        b"PK\x03\x04 some text",
        b"\x7fELF some text",
        b"\x89PNG\r\n\x1a\n some text",
        b"\xff\xd8\xff\xe0 some text",
        b"\x1f\x8b\x08 some text",
        bytes(range(32)) * 4,
        b"\0\0\0\0",
    ],
)
def test_what_is_no_text_is_refused(data: bytes) -> None:
    with pytest.raises(WrongContent):
        decode_text(data)


def test_newlines_become_line_feeds_and_controls_vanish() -> None:
    assert decode_text(b"a\r\nb\rc\0d\x07\te") == "a\nb\ncd\te"


def test_the_message_holds_nothing_of_the_file() -> None:
    with pytest.raises(WrongContent) as caught:
        decode_text(b"secret \xff\xfe\xfd\xfc\x81\x8d")
    assert "UTF-8" in caught.value.fix
    assert "encoding" in caught.value.message


@given(st.text(st.characters(exclude_categories=["Cs", "Cc"]), min_size=1))
def test_utf8_comes_back_as_it_was(text: str) -> None:
    if not text.isspace() and not text.encode().startswith(codecs.BOM_UTF8):
        kept = "".join(c for c in text if c not in "\ufeff\ufffe\uffff")
        if len(kept) == len(text) and not text.encode().startswith((b"MZ", b"BZh", b"GIF8", b"{")):
            assert decode_text(text.encode()) == text


@given(st.binary(max_size=60))
def test_any_bytes_give_clean_text_or_an_error_of_ours(data: bytes) -> None:
    try:
        text = decode_text(data)
    except (EmptyFile, WrongContent):
        return
    assert not set(text) & {chr(c) for c in range(32) if chr(c) not in "\t\n\f"}
    text.encode()


def test_an_empty_file_and_a_blank_one_are_told_apart(tmp_path: Path) -> None:
    with pytest.raises(EmptyFile):
        read_text(_file(tmp_path, b""))
    with pytest.raises(NoText) as blank:
        read_text(_file(tmp_path, b" \n\t\f"))
    assert "white space" in blank.value.message
    assert blank.value.fix == "Send a file with text in it."  # no "text layer", as for a scan
    with pytest.raises(NoText):
        read_markdown(_file(tmp_path, codecs.BOM_UTF8))


def test_a_text_file_is_one_page_and_one_section(tmp_path: Path) -> None:
    extraction = read_text(_file(tmp_path, "# no heading\n\nbody <b>x</b>\n"))
    assert extraction.pages == (Page(1, "# no heading\n\nbody <b>x</b>\n"),)
    assert extraction.sections == (Section("0", "", 0, (), 1, 0, 1, 28),)
    assert extraction.title is None


def test_form_feeds_part_the_pages_of_a_text_file(tmp_path: Path) -> None:
    extraction = read_text(_file(tmp_path, "one\f\ftwo\n\f"))
    assert extraction.pages == (Page(1, "one"), Page(2, ""), Page(3, "two\n"))


def test_markdown_is_kept_exactly_and_its_headings_are_sections(tmp_path: Path) -> None:
    text = (
        "before\n\n# The *big* [one](https://x.example) `code`\n\ntext\n\n"
        "```\n# not a heading\n```\n\n"
        "Set\next\n---\n\nmore\n\n> # quoted\n\n### ![deep](a.png) down ###\n"
    )
    extraction = read_markdown(_file(tmp_path, text))
    assert extraction.pages == (Page(1, text),)
    assert [(s.section_id, s.title, s.path) for s in extraction.sections] == [
        ("0", "", ()),
        ("1", "The big one code", ("The big one code",)),
        ("1.1", "Set ext", ("The big one code", "Set ext")),
        ("1.1.1", "deep down", ("The big one code", "Set ext", "deep down")),
    ]
    starts = [text[s.start :][:7] for s in extraction.sections]
    assert starts == ["before\n", "# The *", "Set\next", "### ![d"]
    assert extraction.title == "The big one code"


def test_front_matter_gives_the_title_and_belongs_to_no_section(tmp_path: Path) -> None:
    text = "---\ntitle: 'A plan'\ndate: 2020\n---\n# One\n\nbody\n"
    extraction = read_markdown(_file(tmp_path, text))
    assert extraction.title == "A plan"
    assert extraction.pages[0].text == text
    assert [(s.title, s.start) for s in extraction.sections] == [("One", text.index("# One"))]


def test_front_matter_does_not_change_how_the_rest_is_read(tmp_path: Path) -> None:
    text = "---\n# a comment\n```\n---\n# One\n\nbody\n"
    extraction = read_markdown(_file(tmp_path, text))
    assert [s.title for s in extraction.sections] == ["One"]
    assert extraction.title == "One"


def test_a_rule_at_the_top_is_no_front_matter(tmp_path: Path) -> None:
    extraction = read_markdown(_file(tmp_path, "---\n\n# One\n\nbody\n"))
    assert [(s.section_id, s.title) for s in extraction.sections] == [("0", ""), ("1", "One")]


def test_windows_newlines_do_not_shift_headings(tmp_path: Path) -> None:
    extraction = read_markdown(_file(tmp_path, "a\r\n\r\n# B\r\n\r\nc"))
    section = extraction.sections[1]
    assert extraction.pages[0].text[section.start : section.end] == "# B\n\nc"


def test_html_in_markdown_stays_text(tmp_path: Path) -> None:
    text = "# <img src=x onerror=alert(1)>Safe\n\n<script>alert(1)</script>\n"
    extraction = read_markdown(_file(tmp_path, text))
    assert extraction.pages[0].text == text
    assert extraction.sections[0].title == "Safe"


def test_a_paragraph_that_a_rule_makes_a_heading_gives_a_title_of_bounded_length(
    tmp_path: Path,
) -> None:
    paragraph = "word " * 100_000
    extraction = read_markdown(_file(tmp_path, f"{paragraph}\n---\nBody.\n"))
    (section,) = extraction.sections
    assert section.title == ("word " * 200).strip()
