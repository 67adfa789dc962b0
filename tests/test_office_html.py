"""HTML files: what a reader of the page sees, all of it, and nothing else."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import numpy as np
import pytest
import tinycss2
from hypothesis import given
from hypothesis import strategies as st
from selectolax.lexbor import LexborHTMLParser

from local_rag.adapters.office import css_cascade, css_match, css_rules
from local_rag.adapters.office.html import read_html
from local_rag.errors import EmptyFile, NoText, TooLarge, WrongContent
from local_rag.model.document import Extraction, PageReading, Table
from local_rag.text.tokens import count_words

if TYPE_CHECKING:
    from pathlib import Path


def _read(folder: Path, page: str | bytes) -> Extraction:
    path = folder / "page.html"
    path.write_bytes(page.encode() if isinstance(page, str) else page)
    return read_html(path)


def _text(folder: Path, page: str | bytes) -> str:
    return _read(folder, page).pages[0].text


def test_a_page_is_read_as_paragraphs_headings_lists_code_and_tables(tmp_path: Path) -> None:
    page = """<!DOCTYPE html><html><head><title>Tea &amp; cake</title>
    <style>p{}</style></head><body>
    <nav><ul><li>Home<li><a href="/x">About</a></ul></nav>
    <h1>Main <em>title</em></h1><p>One two<br>three&nbsp;four, un&shy;broken <img src=x alt="A cat">
    <ol start=3><li>first<ul><li>inner<p>more</ul><li>second</ol>
    <h3>Deep</h3><pre>  def f():
      return  1
</pre>
    <table><caption>Prices</caption><thead><tr><th colspan=2>Name<th>A|B</thead>
    <tr><td rowspan=2>1<td>2<td>3<tr><td>4<td>5<br>6</table>tail<script>alert(1)</script>"""
    extraction = _read(tmp_path, page)
    text = (
        "- Home\n- About\n\nMain title\n\nOne two\nthree four, unbroken A cat\n\n"
        "3. first\n  - inner\n    more\n4. second\n\nDeep\n\n  def f():\n      return  1\n\n"
        "Prices\n\n| Name |  | A\\|B |\n| --- | --- | --- |\n| 1 | 2 | 3 |\n|  | 4 | 5 6 |\n\ntail"
    )
    assert extraction.pages[0].text == text
    assert extraction.title == "Tea & cake"
    assert [(s.section_id, s.title, s.start) for s in extraction.sections] == [
        ("0", "", 0),
        ("1", "Main title", text.index("Main")),
        ("1.1", "Deep", text.index("Deep")),
    ]
    header = "| Name |  | A\\|B |\n| --- | --- | --- |"
    start, end = text.index(header), text.index("\n\ntail")
    assert extraction.tables == (Table(1, start, end, header),)
    assert extraction.readings == (PageReading(1, "text", ("table",), words=count_words(text)),)


@pytest.mark.parametrize(
    "hidden",
    [
        "<p style='display:none'>secret</p>",
        "<p style='color:red; visibility : hidden'>secret</p>",
        "<p style='font-size:0px'>secret</p>",
        "<p style='opacity: 0.0'>secret</p>",
        "<div hidden><p>secret</div>",
        "<p style='position:absolute; left:-9999px'>secret</p>",
        "<p style='color:#fff'>secret</p>",
        "<p style='background:navy; color:rgb(0 0 128)'>secret</p>",
        "<p bgcolor=black><font color='#000'>secret</font></p>",
        "<style>.a{display:none}</style><p class=a>secret</p>",
        "<style>#a > b:first-child{visibility:hidden}</style><p id=a><b>secret</b></p>",
        "<style>aside{opacity:0}</style><aside><p>secret</p></aside>",
        "<style>.a{font-size:1px}</style><p class=a>secret</p>",
        "<style>.a{font:0/0 serif}</style><p class=a>secret</p>",
        "<style>.a{color:white}</style><p class=a>secret</p>",
        "<style>.a{position:absolute;left:-9999px}</style><p class=a>secret</p>",
        "<style>.a{position:absolute;clip:rect(0,0,0,0);width:1px}</style><p class=a>secret</p>",
        "<style>@media screen and (min-width:9px){.a{display:none}}</style><p class=a>secret</p>",
        "<style>p.a{display:none}.a{display:block}</style><p class=a>secret</p>",
        "<style>.a{display:none!important}</style><p class=a style='display:block'>secret</p>",
        "<style>.o{& .a{display:none}}</style><div class=o><p class=a>secret</p></div>",
        "<style>/* } */ .a\\:b{display:/**/none}</style><p class=a:b>secret</p>",
        "<dialog>secret</dialog>",
    ],
)
def test_hidden_text_is_left_out_and_said(tmp_path: Path, hidden: str) -> None:
    extraction = _read(tmp_path, f"<p>seen</p>{hidden}<p style='font-size:0.9em'>also</p>")
    assert extraction.pages[0].text == "seen\n\nalso"
    assert extraction.readings[0].flags == ("hidden-text",)


@pytest.mark.parametrize(
    "shown",
    [
        "<span aria-hidden=true>also</span>",
        "<style>@media print{p{display:none}}</style><p>also</p>",
        "<style media=print>p{display:none}</style><p>also</p>",
        "<noscript><style>p{display:none}</style></noscript><p>also</p>",
        "<style>.a{display:none}p.a{display:block}</style><p class=a>also</p>",
        "<style>.a{display:none}</style><p class=a style='display:block'>also</p>",
        "<style>[hidden]{display:block}</style><p hidden>also</p>",
        "<style>.a{visibility:hidden}p{visibility:visible}</style><div class=a><p>also</p></div>",
        "<style>ul{font-size:0}li{font-size:14px}</style><ul class=q><p><li>also</ul>",
        "<style>.a{display:none}p:hover .a{display:block}</style><p><b class=a>also</b>",
        "<style>p:hover{display:none}</style><p>also</p>",
        "<style>.a{opacity:0;animation:in 1s forwards}</style><p class=a>also</p>",
        "<style>body{opacity:0}</style><p>also</p>",
        "<style>.a{background:#000;color:#fff}</style><p class=a>also</p>",
        "<style>.a{background:url(x.png);color:#fff}</style><p class=a>also</p>",
        "<style>.a::before{background:#000;position:absolute}.a{color:#fff}</style><p class=a>also",
        "<style>.a{position:absolute;color:#fff}</style><img src=x><p class=a>also</p>",
        "<link rel=stylesheet href=x.css><p style='color:#fff'>also</p>",
        "<style>p::before,p:unknown,.x,p::marker{display:none}</style><p>also",
        "<style>p{display:none</style><style>p{display:block}</style><p>also</p>",
        "<style>.a{color:#fff;text-shadow:0 0 2px #000}</style><p class=a>also</p>",
        "<style>.a{text-indent:-2em;margin-left:-10px}</style><p class=a>also</p>",
    ],
)
def test_what_a_reader_can_see_stays(tmp_path: Path, shown: str) -> None:
    extraction = _read(tmp_path, f"<p>seen</p>{shown}")
    assert extraction.pages[0].text.replace("- ", "") == "seen\n\nalso"
    assert extraction.readings[0].flags == ()


def test_style_sheets_without_end_are_read_in_time(tmp_path: Path) -> None:
    deep = "<div>" * 3_000 + "<p>deep</p>"
    began = time.monotonic()
    for sheet in (
        ".q div div div div div p{display:none}",
        ":not(" * 3_000 + "p" + ")" * 3_000 + "{display:none}",
        "{" * 100_000,
        "p{width:" + "(" * 100_000,
        "@media screen{" * 2_000 + "p{display:none}",
        "div:has(div:has(div)) div div{display:none}" * 100,
        "".join(f":not(.a{i}) ~ [x{i}] :not(.b){{opacity:0}}" for i in range(20_000)),
    ):
        page = f"<style>{sheet}</style>{deep}"
        assert _text(tmp_path, page) == "deep"
    wide = "<style>p:nth-child(3n){color:red}p ~ p{color:red}</style>" + "<p>x</p>" * 50_000
    assert _text(tmp_path, wide).count("x") == 50_000
    assert time.monotonic() - began < 90


def test_a_page_of_which_not_all_rules_are_looked_at_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rules = "".join(f"p:not(.x{n}){{color:red}}" for n in range(50)) + ".a{display:none}"
    page = f"<style>{rules}</style><p>seen<p class=a>secret"
    assert _read(tmp_path, page).readings[0].flags == ("hidden-text",)
    with monkeypatch.context() as patch:
        patch.setattr(css_match, "_MOST_STEPS", 100_000)
        cut = _read(tmp_path, page)
        assert (cut.pages[0].text, cut.readings[0].flags) == ("seen\n\nsecret", ("slow",))
    for bound, value in ((css_rules, "_MAX_RULES"), (css_rules, "_MAX_CHARS")):
        with monkeypatch.context() as patch:
            patch.setattr(bound, value, 40)
            assert _read(tmp_path, page).readings[0].flags == ("slow",)
    with monkeypatch.context() as patch:
        patch.setattr(css_cascade, "_MOST_BYTES", 10)
        assert _read(tmp_path, page).readings[0].flags == ("slow",)


_TAGS = ("div", "main", "nav")
_SIMPLE_LISTED = (
    "* div main nav .p .q div.p.q #n1 main#n2 [x] nav[x=y] :first-child :last-child "
    "main:only-child :not(.p) :is(div,.q) :first-of-type :last-of-type :only-of-type "
    ":nth-child(odd) :nth-child(-n+2) :nth-last-child(2n+1) div:nth-of-type(2) "
    ":nth-last-of-type(3n-1) :nth-child(4)"
)
_SIMPLE = st.sampled_from(_SIMPLE_LISTED.split())
_LAST = _SIMPLE | st.sampled_from([":not(.p)", ":is(div,.q)", ":not(div>main)", ":is(.p~.q)"])


@given(
    before=st.lists(st.tuples(_SIMPLE, st.sampled_from(" >+~")), max_size=3),
    last=_LAST,  # the parser does not look past the nearest ancestor for one that is negated
    shape=st.lists(st.integers(0, 11), max_size=40),
)
def test_selectors_find_what_the_parser_finds(
    before: list[tuple[str, str]], last: str, shape: list[int]
) -> None:
    page = "".join(
        f"</{_TAGS[n % 3]}>"
        if n > 7
        else f"<{_TAGS[n % 3]} class='{('p', 'q', 'p q', '')[n % 4]}' id=n{n}{' x=y' * (n % 2)}>"
        for n in shape
    )
    tree = LexborHTMLParser(page)
    matcher = css_match.Matcher(tree)
    selector = "".join(part + sign for part, sign in before) + last
    (found,) = matcher.matched(tinycss2.parse_component_value_list(selector))
    wanted = {matcher.place[node.mem_id] for node in tree.css(selector)}
    assert set(np.flatnonzero(found.elements).tolist()) == wanted


def test_any_ancestor_or_sibling_may_be_the_one_that_is_negated(tmp_path: Path) -> None:
    page = "<style>%s{display:none}</style><div class=p><b>one</b><i>two</i><u>three</u></div>"
    for selector, left in (
        (":not(.p) i", ["one", "three"]),
        (":not(i)~u", ["one", "two"]),
        ("div :not(b)~u", ["one", "two"]),
        (":not(.p)>i", ["one", "two", "three"]),
        (":is(.p, b) u", ["one", "two"]),
    ):
        assert _text(tmp_path, page % selector).split() == ["".join(left)], selector


def test_readings_of_words_stand_behind_them(tmp_path: Path) -> None:
    page = "<p><ruby>東<rp>(<rt>とう<rp>)</rp>京<rt>きょう</ruby>に行く"
    assert _text(tmp_path, page) == "東京(とうきょう)に行く"


def test_the_parts_of_a_formula_are_parted(tmp_path: Path) -> None:
    page = (
        "<math><mfrac><mi>a</mi> <mrow><mi>b</mi></mrow></mfrac>"
        "<msup><mi>x</mi><mn>2</mn></msup></math>"
    )
    assert _text(tmp_path, page).replace(" ", "") == "a/bx^2"


def test_a_formula_drawn_beside_its_mathml_is_read_once(tmp_path: Path) -> None:
    page = (
        "<p>So <span><math><mi>x</mi><mo>=</mo><mn>2</mn></math>"
        "<span aria-hidden=true>x=2</span></span> holds.</p>"
    )
    assert _text(tmp_path, page) == "So x=2 holds."


def test_what_is_never_shown_is_left_out(tmp_path: Path) -> None:
    page = "<p>a<script>s</script><style>s</style><template>t</template><noscript>n</noscript></p>"
    extraction = _read(tmp_path, page)
    assert extraction.pages[0].text == "a"
    assert extraction.readings[0].flags == ()


def test_markup_comes_out_as_text_only_where_it_was_escaped(tmp_path: Path) -> None:
    page = "<p>&lt;script&gt;x&lt;/script&gt;<img src=https://x.example/?q onerror=alert(1)>"
    assert _text(tmp_path, page) == "<script>x</script>"


def test_tables_that_arrange_a_page_are_read_as_its_blocks(tmp_path: Path) -> None:
    page = (
        "<table><tr><td><h2>Left</h2><p>one<td><table><tr><th>A<th>B<tr><td>1<td>2</table></table>"
        "<table><tr><td>alone</table>"
    )
    extraction = _read(tmp_path, page)
    assert extraction.pages[0].text == (
        "Left\n\none\n\n| A | B |\n| --- | --- |\n| 1 | 2 |\n\nalone"
    )
    assert [table.header for table in extraction.tables] == ["| A | B |\n| --- | --- |"]


def test_a_table_in_a_cell_of_a_table_is_flattened(tmp_path: Path) -> None:
    page = "<table><tr><th>A<th>B<tr><td><table><tr><td>1<td>2</table>x<td>3</table>"
    assert _text(tmp_path, page) == "| A | B |\n| --- | --- |\n| 1 2 x | 3 |"


@pytest.mark.parametrize(
    ("page", "text"),
    [
        ("<p>Größe</p>".encode(), "Größe"),
        ("<p>Größe</p>".encode("utf-16"), "Größe"),
        ("<p>Café à Orléans</p>".encode("cp1252"), "Café à Orléans"),
        (b'<meta charset="windows-1251"><p>' + "Цена".encode("cp1251"), "Цена"),
        (
            b'<meta http-equiv="Content-Type" content="text/html; charset=Shift_JIS"><p>'
            + "契約の".encode("cp932"),
            "契約の",
        ),
        (b"<meta charset=iso-8859-1><p>\x93x\x94", "“x”"),
        (b'<?xml version="1.0" encoding="koi8-r"?><html><p>' + "Цена".encode("koi8-r"), "Цена"),
        (b"<meta charset=nonsense><p>" + "Größe".encode(), "Größe"),
        (b"<meta charset=utf-8><p>" + "Café à Orléans".encode("cp1252"), "Café à Orléans"),
        (b"<meta charset=utf-8><p>" + "Цена ".encode() * 900 + b"\xff", "Цена " * 900 + "\ufffd"),
    ],
)
def test_the_encoding_is_the_declared_one_or_told_by_the_bytes(
    tmp_path: Path, page: bytes, text: str
) -> None:
    assert _text(tmp_path, page) == text


def test_xhtml_is_read_with_its_own_rules(tmp_path: Path) -> None:
    page = (
        '<?xml version="1.0"?><!DOCTYPE html [<!ENTITY a "aaaa">]>'
        '<html xmlns="http://www.w3.org/1999/xhtml"><head><title/></head>'
        "<body><p><a id='x'/>one <b/>two</p><![CDATA[<raw>]]></body></html>"
    )
    assert _text(tmp_path, page) == "one two\n\n<raw>"


def test_controls_and_nuls_are_removed(tmp_path: Path) -> None:
    assert _text(tmp_path, "<p>a&#0;b&#1;c&#xFEFF;d</p>") == "a\ufffdbcd"


def test_files_without_text_or_of_another_kind_are_refused(tmp_path: Path) -> None:
    with pytest.raises(EmptyFile):
        _read(tmp_path, b"")
    with pytest.raises(NoText):
        _read(tmp_path, "<html><head><title>t</title></head><body><p> </p></body></html>")
    for data in (b"%PDF-1.7 <meta charset=utf-8>", b"\x89PNG\r\n\x1a\n", b"PK\x03\x04"):
        with pytest.raises(WrongContent):
            _read(tmp_path, data)


def test_deep_nesting_is_read_or_refused_in_time(tmp_path: Path) -> None:
    began = time.monotonic()
    assert _text(tmp_path, "<div>" * 5_000 + "deep") == "deep"
    table = "<table><tr><td>" * 2_000
    assert _text(tmp_path, table + "deep") == "deep"
    with pytest.raises(TooLarge):
        _read(tmp_path, "<div><b>" * 300_000 + "deep")
    assert time.monotonic() - began < 20
    assert _text(tmp_path, "<p>x<br>" * 20_000).count("x") == 20_000


def test_a_raised_figure_is_an_exponent_where_it_can_be_one(tmp_path: Path) -> None:
    page = (
        "<p>10<sup>8</sup> m<sup>2</sup> at 10<sup>-6</sup>; a note<sup>3</sup>, the 2<sup>nd</sup>"
    )
    assert _text(tmp_path, page) == "10⁸ m² at 10⁻⁶; a note3, the 2nd"


def test_marks_without_width_part_no_word(tmp_path: Path) -> None:
    assert _text(tmp_path, "<p>ge&#8203;baut un&#8288;broken") == "gebaut unbroken"
