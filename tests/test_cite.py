from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from local_rag.cite.locate import rectangles
from local_rag.cite.number import number_citations, without_reference_marks
from local_rag.cite.render import answer_html, passage_html
from local_rag.model.answer import Claim, Draft, Rectangle, Span, Support
from local_rag.model.document import Chunk, Document, Page, Word
from local_rag.model.evidence import Evidence, Fused

DOCUMENT = Document("d" * 32, "a.pdf", "application/pdf", "e" * 64, 9, 1, 2, None, "2026", "en")
WORDS = (Word(0, 3, 10, 10, 30, 20), Word(4, 7, 33, 10, 60, 20), Word(8, 13, 10, 24, 50, 34))
PAGE = Page(1, "The red house stands here.", "iv", 595, 842, WORDS)


def evidence(chunk_id: str, text: str, start: int = 0) -> Evidence:
    chunk = Chunk(chunk_id, DOCUMENT.document_id, 0, 1, start, start + len(text), text, "1", ("A",))
    return Evidence(chunk, DOCUMENT, Fused(chunk_id, 0.03, 1, 2, 0.8, 5.0))


def page_of(document_id: str, page_number: int) -> Page:
    assert (document_id, page_number) == (DOCUMENT.document_id, 1)
    return PAGE


def test_passages_are_numbered_by_first_use_and_once():
    found = [evidence("a", "The red house stands here."), evidence("b", "red house", 4)]
    draft = Draft(
        (
            Claim("Red.", (Support("b", 0, 3),)),
            Claim("House.", (Support("a", 8, 13), Support("b", 4, 9))),
            Claim("Again.", (Support("b", 0, 3),)),
        )
    )
    text, citations = number_citations(draft, found, page_of)
    assert text == "Red. [1] House. [2][1] Again. [1]"
    assert [(c.number, c.chunk.chunk_id, c.quote) for c in citations] == [
        (1, "b", "red … house"),
        (2, "a", "house"),
    ]
    assert citations[0].spans == (Span(0, 3), Span(4, 9))
    assert citations[0].page_label == "iv"


def test_a_claim_that_rests_on_nothing_shown_is_left_out():
    draft = Draft(
        (
            Claim("Unknown passage.", (Support("zz", 0, 3),)),
            Claim("Beyond its end.", (Support("a", 0, 99),)),
            Claim("Nothing.", ()),
            Claim("Empty.", (Support("a", 2, 2),)),
        )
    )
    assert number_citations(draft, [evidence("a", "The red")], page_of) == ("", ())


def test_steps_and_bullets_are_laid_out_as_lists():
    claims = (Claim("Open it.", (Support("a", 0, 3),)), Claim("Close it.", (Support("a", 4, 7),)))
    found = [evidence("a", "The red house")]
    assert (
        number_citations(Draft(claims, "steps"), found, page_of)[0]
        == "1. Open it. [1]\n2. Close it. [1]"
    )
    assert (
        number_citations(Draft(claims, "bullets"), found, page_of)[0]
        == "- Open it. [1]\n- Close it. [1]"
    )


def test_marks_of_the_source_are_not_taken_for_ours():
    assert (
        without_reference_marks("Shown before [13], see [1, 2] and [4-6].")
        == "Shown before, see and."
    )
    assert without_reference_marks("take row[1] of it") == "take row[ 1 ] of it"
    draft = Draft((Claim("As in [2] it stands [1].", (Support("a", 0, 3),)),))
    text, citations = number_citations(draft, [evidence("a", "The red")], page_of)
    assert text == "As in it stands. [1]"
    assert len(citations) == 1


def test_a_quote_over_two_lines_has_a_box_for_each():
    boxes = rectangles(WORDS, 0, [Span(4, 13)])
    assert boxes == (Rectangle(33, 10, 60, 20), Rectangle(10, 24, 50, 34))
    assert rectangles(WORDS, 0, [Span(0, 7)]) == (Rectangle(10, 10, 60, 20),)


def test_spans_count_from_where_the_passage_begins_on_the_page():
    found = [evidence("b", "red house", 4)]
    draft = Draft((Claim("Red.", (Support("b", 0, 3),)),))
    _, citations = number_citations(draft, found, page_of)
    assert citations[0].rectangles == (Rectangle(33, 10, 60, 20),)


def test_words_of_another_column_start_a_new_box():
    words = (Word(0, 3, 10, 10, 30, 20), Word(4, 7, 300, 10, 330, 20))
    assert len(rectangles(words, 0, [Span(0, 7)])) == 2


def test_the_answers_html_links_only_numbers_that_exist():
    assert answer_html("Yes. [1] See [3].", 1) == (
        '<p>Yes. <a class="citation" href="#citation-1">[1]</a> See [3].</p>'
    )
    assert answer_html("- a [1]\n- b", 1) == (
        '<ul><li>a <a class="citation" href="#citation-1">[1]</a></li><li>b</li></ul>'
    )
    assert answer_html("1. a\n2. b", 0) == "<ol><li>a</li><li>b</li></ol>"


@given(st.text(alphabet="<>&\"'ab![]()/:=\n \\`*_-1.", max_size=60))
def test_no_text_becomes_markup(text):
    for html in (answer_html(text, 3), passage_html(text, [Span(0, min(3, len(text)))])):
        bare = html
        for tag in ("p", "ul", "ol", "li", "mark"):
            bare = bare.replace(f"<{tag}>", "").replace(f"</{tag}>", "")
        bare = bare.replace("<br>", "").replace('<div class="passage">', "").replace("</div>", "")
        for number in (1, 2, 3):
            bare = bare.replace(f'<a class="citation" href="#citation-{number}">', "")
        assert "<" not in bare.replace("</a>", "")


def test_a_passage_shows_its_quote_marked():
    assert passage_html("a <b> c", [Span(2, 5)]) == (
        '<div class="passage">a <mark>&lt;b&gt;</mark> c</div>'
    )
