"""Exports: what a document says stays text, and each marker leads to its source."""

from __future__ import annotations

import json
import re
from base64 import b64encode
from dataclasses import replace

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from selectolax.lexbor import LexborHTMLParser
from test_laws_conversations import a_turn, at

from local_rag.api.conversation_export import FORMAT, disposition, record_as_json
from local_rag.cli.answers import answer_lines
from local_rag.errors import InvalidRequest, PasswordRequired, UnknownDocument
from local_rag.export.html import POLICY, html
from local_rag.export.markdown import markdown, plain
from local_rag.export.sheets import cited_sheets
from local_rag.export.wording import Record, page_words, place_words
from local_rag.model.answer import NO_DOCUMENTS, Answer, Span
from local_rag.model.audit import Assessment, Audit, AuditCheck, ClaimFlag, Repair
from local_rag.model.conversation import Conversation
from local_rag.text.names import one_visible_line
from local_rag.usecases.exports import MOST_PAGES, exported

PARSER = MarkdownIt("commonmark").enable(["table", "strikethrough"])
HOSTILE = [
    "![a](https://x.example/?q=SECRET)",
    "[a](javascript:alert(1))",
    "<img src=x onerror=alert(1)>",
    "</script><script>alert(1)</script>",
    "<https://x.example> https://x.example www.x.example a@x.example",
    "&lt;b&gt; &#60;",
    "`code` ``` ~~~ ~~struck~~ *a* __b__ ***",
    "| a | b |\n| --- | --- |\n| c | d |",
    "# heading",
    "- item",
    "+ item",
    "1. one",
    "23) two",
    "a) three",
    "> quote",
    "---",
    "===",
    "    code",
    "[^1]: note",
    "[^1]",
    "[x]: https://x.example 'T'",
    "\\",
    "a\\",
    "$x$ {#id} :smile: %%c%% ==m==",
    "\u202eevil\u2066\x07\x1b[31m",
    "שלום עולם",
    '" onmouseover="x',
    "--> ]]> <!--",
    "Wow!",
]
TEXT = st.text(max_size=40) | st.text("\\`*_{}[]()<>#+-.!|~&:=1a \n\t", max_size=40)


def record(*turns, title="The lighthouse", gone=(), is_whole=True):
    kept = Conversation("c" * 32, title, at(1), at(2), len(turns))
    return Record(kept, turns, frozenset(gone), is_whole=is_whole)


def said(text: str, name: str | None = None, quote: str | None = None):
    """A turn whose every text is the given one."""
    turn = a_turn(question=text, understood_as=text)
    (citation,) = turn.answer.citations
    chunk = replace(citation.chunk, text=text, heading_path=(text, text), lead=text)
    citation = replace(
        citation,
        quote=text if quote is None else quote,
        chunk=chunk,
        spans=(Span(0, len(text)),),
        document=replace(citation.document, name=name or text),
        page_label=text,
    )
    answer = replace(
        turn.answer,
        text=f"Word {text} [1]",
        citations=(citation,),
        unsupported_parts=(text,),
        notes=(text,),
        writer=text,
        audit_mode="observe",
        audits=(audited(None, claim=text, error=text),),
        flags=(ClaimFlag(text, (1,), "number", text),),
    )
    return replace(turn, answer=answer)


def audited(action, *odds, claim="It stands.", repaired=False, error=""):
    """A claim whose check came to the given three probabilities, or to none."""
    relations = ("supported", "contradicted", "insufficient")
    found = Assessment(relations[odds.index(max(odds))], *odds) if odds else None
    status = "completed" if odds else "unavailable"
    check = AuditCheck((), status, action, found, "jev-1.13.0", error=error)
    repair = Repair(check, (check,), True, "1") if repaired else None
    return Audit(claim, 0, check, 0.9, "1", "1", repair)


def text_of(token) -> str:
    return "".join(child.content for child in token.children)


@given(TEXT)
@example("\\\n")
def test_any_text_is_one_paragraph_that_says_just_that(text):
    shown = one_visible_line(text)
    tokens = PARSER.parse(plain(text))
    if not shown:
        assert tokens == []
        return
    assert [token.type for token in tokens] == ["paragraph_open", "inline", "paragraph_close"]
    assert {child.type for child in tokens[1].children} <= {"text", "text_special"}
    assert text_of(tokens[1]) == shown


@pytest.mark.parametrize("text", HOSTILE)
def test_no_text_of_a_document_becomes_markdown(text):
    made = PARSER.parse(markdown(record(said(text), title=text)))
    structure = [token.type for token in made if token.level == 0]
    plain_one = PARSER.parse(markdown(record(said("word"), title="word")))
    assert structure == [token.type for token in plain_one if token.level == 0]
    kinds = {child.type for token in made for child in token.children or ()}
    kinds |= {token.type for token in made}
    assert not kinds & {"link_open", "image", "html_inline", "html_block", "code_inline", "fence"}
    assert not kinds & {"code_block", "table_open", "s_open", "ordered_list_open", "hr"}
    assert sum(token.type == "heading_open" for token in made) == 2


def test_markdown_gives_place_and_quote_of_each_source():
    turn = a_turn(understood_as="What is 0? What is 1?", still_reading=2, document_ids=("d" * 32,))
    assert markdown(record(turn, a_turn(2), gone=["d" * 32])) == (
        "# The lighthouse\n\n"
        "## 1\\. What is 1?\n\n"
        "*Asked 2026-01-01 00:00 UTC, answered by w from 1 selected document*\n\n"
        "*Searched for: What is 0? What is 1?*\n\n"
        "Word 1. [^1-1]\n\n"
        "> Not found in the documents: the rest\n\n"
        "> Note: Note.\n\n"
        "> 2 files were still to be read.\n\n"
        "[^1-1]: **a.pdf**, p. iv (sheet 6), Top › Below, *no longer in the library*: “word”\n\n"
        "## 2\\. What is 2?\n\n"
        "*Asked 2026-01-01 00:00 UTC, answered by w*\n\n"
        "Word 2. [^2-1]\n\n"
        "> Not found in the documents: the rest\n\n"
        "> Note: Note.\n\n"
        "[^2-1]: **a.pdf**, p. iv (sheet 6), Top › Below, *no longer in the library*: “word”\n"
    )
    one = markdown(record(a_turn(2), is_whole=False))
    assert one.startswith("# What is 2?\n\n*Asked")
    assert "Word 2. [^1]\n" in one
    assert "[^1]: **a.pdf**" in one


def test_checks_and_flags_have_a_line_each_in_every_form():
    turn = a_turn()
    audits = (
        audited("keep", 0.97, 0.01, 0.02, claim="One."),
        audited("keep", 0.995, 0.0, 0.005, claim="Two.", repaired=True),
        audited("withhold", 0.03, 0.02, 0.95, claim="Three."),
        audited("review", 0.6, 0.1, 0.3, claim="Four."),
        audited(None, claim="Five.", error="The check failed."),
    )
    flags = (ClaimFlag("Six 12.", (1,), "number", "12"),)
    turn = replace(turn, answer=replace(turn.answer, audits=audits, flags=flags))
    wanted = [
        "Answer support check: supported (97%): One.",
        "Answer support check: supported (99.5%, citation repaired): Two.",
        "Answer support check: not enough (95%): Three.",
        "Answer support check: to be reviewed (supported 60%): Four.",
        "Answer support check: check unavailable (The check failed.): Five.",
        "Worth a look: check the number 12: not in the cited text: Six 12.",
    ]
    quoted = re.findall(r"^> ((?:Answer support|Worth).*)$", markdown(record(turn)), re.MULTILINE)
    assert [line.replace("\\", "") for line in quoted] == wanted
    notes = LexborHTMLParser(html(record(turn))).css("p.note")
    assert [note.text() for note in notes][-6:] == wanted
    assert [line for line in answer_lines(turn.answer).splitlines() if line in wanted] == wanted


def test_lists_stay_lists_and_their_items_text():
    (citation,) = a_turn().answer.citations
    text = "- # first [1]\n- 2. second [1][2]\n\n1. - a\n2. b [1]\n\nplain [7]\n- no item"
    turn = replace(a_turn(), answer=Answer(text, (citation,), False))
    shown = markdown(record(turn, is_whole=False))
    assert (
        "- \\# first [^1]\n- 2\\. second [^1]\\[2\\]\n\n"
        "1. \\- a\n2. b [^1]\n\nplain \\[7\\]\\\n\\- no item\n"
    ) in shown


def test_a_marker_never_makes_an_image_of_what_precedes_it():
    (citation,) = a_turn().answer.citations
    turn = replace(a_turn(), answer=Answer("Wow![1] Ha! [1]", (citation,), False))
    assert "Wow\\![^1] Ha\\! [^1]" in markdown(record(turn, is_whole=False))


def test_a_refusal_has_no_sources():
    turn = replace(a_turn(), answer=Answer(NO_DOCUMENTS, (), True))
    assert NO_DOCUMENTS in markdown(record(turn))
    assert "Sources" not in html(record(turn))
    assert "Sources" in html(record(a_turn()))


ALLOWED = {
    "html", "head", "meta", "title", "style", "body", "main", "h1", "h2", "h3", "p", "br", "bdi",
    "article", "div", "a", "ol", "ul", "li", "blockquote", "mark", "em", "section", "figure",
    "figcaption", "img", "svg", "rect", "-text",
}  # fmt: skip
ATTRIBUTES = {
    "charset", "http-equiv", "content", "name", "dir", "id", "class", "href", "title", "alt", "src",
    "viewbox", "preserveaspectratio", "aria-hidden", "x", "y", "width", "height",
}  # fmt: skip


@pytest.mark.parametrize("text", HOSTILE)
def test_no_text_of_a_document_becomes_html(text):
    whole = record(said(text), title=text, gone=["d" * 32])
    sheets = [replace(sheet, png=b"png") for sheet in cited_sheets(whole.turns)]
    page = LexborHTMLParser(html(whole, sheets))
    nodes = list(page.root.traverse(include_text=True))
    assert {node.tag for node in nodes} <= ALLOWED
    assert {name.lower() for node in nodes for name in node.attributes} <= ATTRIBUTES
    for node in nodes:
        assert node.attributes.get("href", "#").startswith("#")
        assert node.attributes.get("src", "data:image/png;base64,").startswith("data:image/png;")
    assert page.css_first("h1").text() == one_visible_line(text)
    assert page.css_first("title").text() == one_visible_line(text)
    shown = re.sub("[\x07\x1b\u202e\u2066]", "\ufffd", text)
    assert page.css_first("mark").text() == shown


def test_every_link_of_the_html_leads_somewhere_and_no_place_has_two():
    turns = a_turn(1), replace(a_turn(2), answer=replace(a_turn(2).answer, text="A [1]. B [1]."))
    sheets = [replace(sheet, png=b"png") for sheet in cited_sheets(turns)]
    page = LexborHTMLParser(html(record(*turns), sheets))
    ids = [node.attributes["id"] for node in page.css("[id]")]
    assert len(ids) == len(set(ids))
    targets = {node.attributes["href"] for node in page.css("a")}
    assert targets <= {f"#{known}" for known in ids}
    assert {"#t1-c1", "#t2-c1", "#t1-r1", "#t2-r1", "#page-1"} == targets


def test_the_html_runs_and_fetches_nothing_and_says_so_to_the_browser():
    shown = html(record(a_turn()))
    first = LexborHTMLParser(shown).css_first("meta[http-equiv]")
    assert first.attributes == {"http-equiv": "Content-Security-Policy", "content": POLICY}
    assert POLICY == "default-src 'none'; style-src 'unsafe-inline'; img-src data:"
    assert "<script" not in shown
    assert "url(" not in shown
    assert "http" not in shown.replace("http-equiv", "")
    assert "<mark>word</mark>" in shown


def test_a_page_is_shown_once_with_all_that_is_marked_on_it():
    first, second = a_turn(1), a_turn(2)
    (citation,) = second.answer.citations
    box = replace(citation.rectangles[0], y0=100.0, y1=110.0)
    moved = replace(citation, rectangles=(box,))
    second = replace(second, answer=replace(second.answer, citations=(moved,)))
    calls = []

    def page_image(*asked):
        calls.append(asked)
        return b"picture"

    made = exported(
        record(first, second), "html", as_json=record_as_json, page_image=page_image
    ).content.decode()
    assert calls == [("d" * 32, 6, 100)]
    assert made.count(f'src="data:image/png;base64,{b64encode(b"picture").decode()}"') == 1
    assert 'viewBox="0 0 595.00 842.00"' in made
    assert '<rect x="1.00" y="2.00" width="2.25" height="2.00"/>' in made
    assert '<rect x="1.00" y="100.00" width="2.25" height="10.00"/>' in made
    assert (
        'cited as <a href="#t1-c1">[1]</a> of question 1, <a href="#t2-c1">[1]</a> of question 2'
        in made
    )


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (UnknownDocument("No document has the id d."), "The document is no longer in the library."),
        (PasswordRequired("It opens with a password only."), "It opens with a password only."),
    ],
)
def test_a_page_that_cannot_be_drawn_is_named_in_words(error, words):
    def page_image(*asked):
        raise error

    made = exported(record(a_turn()), "html", as_json=record_as_json, page_image=page_image)
    assert f"This page is not shown. {words}" in made.content.decode()
    assert b"<img" not in made.content


def many_pages(count):
    (citation,) = a_turn().answer.citations
    made = [
        replace(citation, number=n, chunk=replace(citation.chunk, page_number=n))
        for n in range(1, count + 1)
    ]
    return replace(a_turn(), answer=replace(a_turn().answer, citations=tuple(made)))


def test_the_number_and_size_of_pictures_is_bounded_and_what_is_left_out_said():
    turn = many_pages(MOST_PAGES + 3)
    first, *others = turn.answer.citations
    huge = replace(first, page_width_pt=7200.0)
    turn = replace(turn, answer=replace(turn.answer, citations=(huge, *others)))
    dpis = []

    def page_image(document_id, page_number, dpi):
        dpis.append(dpi)
        return b"p"

    made = exported(record(turn), "html", as_json=record_as_json, page_image=page_image)
    assert dpis == [16] + [100] * (MOST_PAGES - 1)
    assert f"{MOST_PAGES} of {MOST_PAGES + 3} cited pages are shown." in made.content.decode()
    assert made.content.decode().count("see the page") == MOST_PAGES


def test_a_file_without_pages_has_none_to_show():
    (citation,) = a_turn().answer.citations
    bare = replace(citation, page_width_pt=0, page_height_pt=0, rectangles=())
    turn = replace(a_turn(), answer=replace(a_turn().answer, citations=(bare,)))
    made = exported(record(turn), "html", as_json=record_as_json, page_image=lambda *_: b"p")
    assert b"Pages" not in made.content


@pytest.mark.parametrize("form", ["markdown", "json"])
def test_pages_are_refused_where_there_are_no_pictures(form):
    with pytest.raises(InvalidRequest, match=form):
        exported(record(a_turn()), form, as_json=record_as_json, page_image=lambda *_: b"p")


def test_json_names_its_form_and_holds_what_is_stored():
    made = exported(record(a_turn(), gone=["d" * 32]), "json", as_json=record_as_json)
    told = json.loads(made.content)
    assert told["format"] == FORMAT == "local-rag-conversation/1"
    assert (told["title"], told["turn_count"]) == ("The lighthouse", 1)
    (turn,) = told["turns"]
    assert (turn["question"], turn["answer"]) == ("What is 1?", "Word 1. [1]")
    assert turn["citations"][0]["quote"] == "word"
    assert turn["gone_documents"] == ["d" * 32]


@pytest.mark.parametrize(
    ("title", "name"),
    [
        ("When was it built?", "When was it built.md"),
        ("../../etc/passwd", "etc passwd.md"),
        ("C:\\x\\..\\y", "C x .. y.md"),
        ("a\0b\u202egnp.exe", "abgnp.exe.md"),
        ("..", "Conversation.md"),
        ("???", "Conversation.md"),
        ("con", "Conversation con.md"),
        ("LPT1.x", "Conversation LPT1.x.md"),
        ("水" * 300, "水" * 79 + "….md"),
        ("%2e%2e%2fx", "2e 2e 2fx.md"),
    ],
)
def test_the_name_of_the_file_is_fit_for_every_system(title, name):
    assert exported(record(title=title), "markdown", as_json=record_as_json).name == name


def test_one_answer_is_named_by_its_question_and_number():
    made = exported(record(a_turn(3), is_whole=False), "html", as_json=record_as_json)
    assert made.name == "What is 3 (answer 3).html"


def test_the_name_of_a_download_is_safe_in_a_header():
    assert disposition('Wo "ist"\r\n das Übel?.md') == (
        'attachment; filename="Wo _ist___ das _bel?.md"; '
        "filename*=UTF-8''Wo%20%22ist%22%0D%0A%20das%20%C3%9Cbel%3F.md"
    )


def test_a_page_is_called_by_the_number_printed_on_it_too():
    (citation,) = a_turn().answer.citations
    assert place_words(citation) == "a.pdf, p. iv (sheet 6), Top › Below"
    assert page_words(replace(citation, page_label="6")) == "page 6"
    assert page_words(replace(citation, page_label=None)) == "page 6"


@given(TEXT, TEXT)
def test_any_conversation_can_be_exported(text, title):
    whole = record(said(text, name="n"), title=title)
    for form in ("markdown", "html", "json"):
        exported(whole, form, as_json=record_as_json).content.decode("utf-8")
    page = LexborHTMLParser(html(whole))
    assert {node.tag for node in page.root.traverse(include_text=True)} <= ALLOWED
