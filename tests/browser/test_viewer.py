"""Reading in a document: pages, zoom, search, headings, Markdown."""

from __future__ import annotations

import re

import pymupdf
import pytest
from playwright.sync_api import Page, expect
from steps import (
    FACT,
    FILLER,
    NOTES,
    PLAIN,
    QUESTION,
    add,
    ask,
    harbour_pdf,
    open_document,
    payload,
    source_pane,
)

pytestmark = pytest.mark.browser

# Both at one moment: the page may still be sliding to the place.
WITHIN_SHEET = """(hit) => {
  const box = hit.getBoundingClientRect();
  const sheet = hit.closest('.sheet').getBoundingClientRect();
  return [box.x - sheet.x, box.y - sheet.y, box.height, sheet.width];
}"""


def book() -> bytes:
    """Four pages with headings of two levels; the last one turned."""
    with pymupdf.open() as document:
        for number in range(1, 5):
            page = document.new_page(width=595, height=842)
            page.insert_text((72, 90), f"Chapter {number}", fontsize=20, fontname="hebo")
            page.insert_text((72, 130), f"Part {number}.1", fontsize=14, fontname="hebo")
            for row, line in enumerate(FILLER):
                page.insert_text((72, 170 + 20 * row), f"{line} Sheet {number}.", fontsize=11)
        document.set_toc(
            [row for n in range(1, 5) for row in ([1, f"Chapter {n}", n], [2, f"Part {n}.1", n])]
        )
        document[3].set_rotation(90)
        return bytes(document.tobytes())


def page_number(page: Page):
    return source_pane(page).get_by_role("textbox", name="Page number")


def test_any_document_of_the_library_can_be_read_page_by_page(page: Page):
    add(page, payload("book.pdf", book()))
    pane = open_document(page, "book.pdf")
    expect(pane.get_by_role("heading", name="Document", level=2)).to_be_focused()
    image = pane.get_by_role("img", name="Image of book.pdf, page 1. Its text: Chapter 1")
    expect(image).to_be_visible()
    expect(pane.get_by_role("blockquote")).to_have_count(0)
    pane.get_by_role("button", name="Next page").click()
    expect(page_number(page)).to_have_value("2")
    expect(pane.get_by_role("img", name="Chapter 2")).to_be_visible()
    expect(page.get_by_role("status").first).to_have_text("Page 2 of 4")
    page.keyboard.press("j")
    page.keyboard.press("j")
    page.keyboard.press("j")
    expect(page_number(page)).to_have_value("4")
    expect(pane.get_by_role("button", name="Next page")).to_have_attribute("aria-disabled", "true")
    page.keyboard.press("k")
    expect(page_number(page)).to_have_value("3")
    page_number(page).fill("1")
    page_number(page).press("Enter")
    expect(pane.get_by_role("img", name="Chapter 1")).to_be_visible()
    page_number(page).fill("99")
    page_number(page).press("Enter")
    expect(page_number(page)).to_have_value("4")
    page.keyboard.press("Escape")
    expect(page.get_by_role("button", name="Open book.pdf")).to_be_focused()


def test_a_page_is_enlarged_and_fitted(page: Page):
    add(page, payload("book.pdf", book()))
    pane = open_document(page, "book.pdf")
    image = pane.get_by_role("img", name="Image of book.pdf")
    image.evaluate("image => image.decode()")
    view = pane.get_by_role("region", name="The page")

    def width() -> float:
        return image.bounding_box()["width"]

    fitted = width()
    pane.get_by_role("button", name="Larger").click()
    assert width() == pytest.approx(1.25 * fitted, rel=0.02)
    page.keyboard.press("+")
    assert width() == pytest.approx(1.5 * fitted, rel=0.02)
    page.keyboard.press("-")
    page.keyboard.press("-")
    assert width() == pytest.approx(fitted, rel=0.02)
    pane.get_by_role("button", name="Fit page").click()
    assert view.evaluate("view => view.scrollHeight <= view.clientHeight + 1")
    assert width() < fitted
    pane.get_by_role("button", name="Fit width").click()
    assert width() == pytest.approx(fitted, rel=0.02)


def test_words_are_searched_in_the_document_and_shown_where_they_stand(page: Page):
    add(page, payload("book.pdf", book()))
    pane = open_document(page, "book.pdf")
    pane.get_by_role("img", name="Chapter 1").wait_for()
    page.keyboard.press("f")
    box = pane.get_by_role("searchbox", name="Search in the document")
    expect(box).to_be_focused()
    page.keyboard.type("LATE because")
    count = pane.get_by_role("status")
    expect(count).to_have_text("1 of 4")
    for expected in ("2 of 4", "3 of 4", "4 of 4"):
        page.keyboard.press("Enter")
        expect(count).to_have_text(expected)
    expect(page_number(page)).to_have_value("4")
    expect(pane.get_by_role("img", name="Chapter 4")).to_be_visible()
    hit = pane.locator(".sheet__hit--at")
    expect(hit).to_have_count(1)
    # The page is turned: what runs to the right in the file runs down on the screen.
    x, y, height, sheet_width = hit.evaluate(WITHIN_SHEET)
    with pymupdf.open(stream=book(), filetype="pdf") as document:
        [found] = document[3].search_for("late because")
        wanted = found * document[3].rotation_matrix
    scale = sheet_width / 842
    assert x / scale == pytest.approx(wanted.x0, abs=3)
    assert y / scale == pytest.approx(wanted.y0, abs=3)
    assert height / scale == pytest.approx(wanted.height, abs=4)
    page.keyboard.press("Shift+Enter")
    expect(count).to_have_text("3 of 4")
    box.fill("nowhere at all")
    expect(count).to_have_text("Not in this document.")
    page.keyboard.press("Escape")
    expect(pane.get_by_role("button", name="Search in the document")).to_be_focused()
    expect(pane.locator(".sheet__hit")).to_have_count(0)


def test_the_headings_are_a_tree_that_the_keyboard_walks(page: Page):
    add(page, payload("book.pdf", book()))
    pane = open_document(page, "book.pdf")
    page.keyboard.press("c")
    tree = pane.get_by_role("tree", name="Contents of the document")
    first = tree.get_by_role("treeitem", name="Chapter 1, Page 1")
    expect(tree.get_by_role("treeitem")).to_have_count(8)
    expect(pane.locator("[role=treeitem][tabindex='0']")).to_be_focused()
    page.keyboard.press("Home")
    expect(first).to_be_focused()
    expect(first).to_have_attribute("aria-expanded", "true")
    page.keyboard.press("ArrowLeft")
    expect(first).to_have_attribute("aria-expanded", "false")
    expect(tree.get_by_role("treeitem")).to_have_count(7)
    page.keyboard.press("ArrowDown")
    expect(tree.get_by_role("treeitem", name="Chapter 2, Page 2")).to_be_focused()
    page.keyboard.press("ArrowRight")
    part = tree.get_by_role("treeitem", name="Part 2.1, Page 2")
    expect(part).to_be_focused()
    expect(part).to_have_attribute("aria-level", "2")
    page.keyboard.press("Enter")
    expect(page_number(page)).to_have_value("2")
    page.keyboard.press("End")
    expect(tree.get_by_role("treeitem", name="Part 4.1, Page 4")).to_be_focused()
    page.keyboard.press("c")
    expect(tree.get_by_role("treeitem", name="Chapter 1, Page 1")).to_be_focused()
    tree.get_by_role("treeitem", name="Chapter 3, Page 3").click()
    expect(pane.get_by_role("img", name="Chapter 3")).to_be_visible()
    current = tree.locator("[aria-current]")
    expect(current).to_have_count(1)
    expect(current).to_have_attribute("aria-label", "Part 3.1, Page 3")
    page.keyboard.press("Escape")
    expect(tree).to_be_hidden()
    expect(pane.get_by_role("button", name="Contents")).to_be_focused()
    page.keyboard.press("Escape")
    expect(page.get_by_role("button", name="Open book.pdf")).to_be_focused()


def test_a_cited_page_can_be_left_and_come_back_to(page: Page):
    add(page, payload("harbour.pdf", harbour_pdf()))
    turn = ask(page, QUESTION)
    turn.get_by_role("button", name="Source 1:").click()
    pane = source_pane(page)
    expect(pane.locator(".sheet__line")).to_have_count(1)
    image = pane.get_by_role("img", name="quoted lines marked")
    expect(image).to_have_attribute("alt", re.compile(re.escape(FACT)))
    pane.get_by_role("button", name="Previous page").click()
    expect(pane.get_by_role("img", name="Image of harbour.pdf, p. i (sheet 1)")).to_be_visible()
    expect(pane.locator(".sheet__line")).to_have_count(0)
    pane.get_by_role("button", name="Next page").click()
    expect(pane.locator(".sheet__line")).to_have_count(1)
    page.keyboard.press("k")
    expect(pane.locator(".sheet__line")).to_have_count(0)
    back = pane.get_by_role("button", name="Back to the lines")
    back.press("Enter")
    expect(pane.locator(".sheet__line")).to_have_count(1)
    expect(back).to_be_focused()


def test_markdown_is_rendered_as_text_of_our_own_tags_with_the_quote_marked(page: Page):
    hostile = "<script>window.pwned=1</script> ![x](https://evil.example/a.png)"
    table = "| Tree | Year |\n| --- | --- |\n| Pear | 1874 |"
    add(page, payload("orchard.md", f"{NOTES}\n- one **bold** word\n\n{table}\n\n{hostile}\n"))
    turn = ask(page, "When were the pear trees of Tillingdale planted?")
    turn.get_by_role("button", name="Source 1:").click()
    whole = source_pane(page).get_by_role("region", name="The whole text")
    expect(whole.locator("mark")).to_have_text(
        "The pear trees of Tillingdale were planted in 1874 by monks."
    )
    expect(whole.locator(".md--h1")).to_have_text("Orchard")
    expect(whole.locator("strong")).to_have_text("bold")
    expect(whole.get_by_role("columnheader")).to_have_text(["Tree", "Year"])
    expect(whole).to_contain_text("<script>window.pwned=1</script> x")
    tags = whole.evaluate(
        "view => [...new Set([...view.querySelectorAll('*')].map((e) => e.localName))]"
    )
    allowed = {"p", "div", "span", "mark", "strong", "table", "thead", "tbody", "tr", "th", "td"}
    assert set(tags) <= allowed
    assert page.evaluate("window.pwned") is None
    page.keyboard.press("f")
    page.keyboard.type("tillingdale")
    expect(whole.locator(".hit--at")).to_have_text("Tillingdale")
    expect(whole.locator("mark")).to_contain_text("planted in 1874")


def test_the_original_can_be_opened_where_the_browser_shows_it(page: Page):
    add(page, payload("harbour.pdf", harbour_pdf()), payload("light.txt", PLAIN))
    pane = open_document(page, "harbour.pdf")
    link = pane.get_by_role("link", name="Open original")
    pane.get_by_role("button", name="Next page").click()
    expect(link).to_have_attribute("href", re.compile("#page=2$"))
    reply = page.request.get(link.get_attribute("href").partition("#")[0])
    assert reply.headers["content-disposition"].startswith("inline")
    assert reply.headers["content-type"] == "application/pdf"
    pane = open_document(page, "light.txt")
    expect(pane.get_by_role("link", name="Open original")).to_be_hidden()
    with page.expect_download() as download:
        pane.get_by_role("link", name="Download original").click()
    assert download.value.path().read_text(encoding="utf-8") == PLAIN


@pytest.mark.parametrize("size", [(360, 740), (720, 450)])
def test_the_viewer_works_in_a_small_window(page: Page, size):
    add(page, payload("book.pdf", book()))
    page.set_viewport_size({"width": size[0], "height": size[1]})
    places = page.get_by_role("navigation", name="Places")
    places.get_by_role("button", name="Documents").click()
    pane = open_document(page, "book.pdf")
    expect(pane.get_by_role("img", name="Chapter 1")).to_be_visible()
    pane.get_by_role("button", name="Contents").click()
    pane.get_by_role("button", name="Search in the document").click()
    page.keyboard.type("sheet 3")
    expect(pane.get_by_role("status")).to_have_text("1 of 4")
    expect(page_number(page)).to_have_value("3")
    width = page.evaluate("""() => Math.max(document.documentElement.scrollWidth,
      ...Array.from(document.querySelectorAll('.place'), (place) => place.scrollWidth))""")
    assert width <= size[0]
    for button in ("Next page", "Larger", "Close source"):
        expect(pane.get_by_role("button", name=button)).to_be_visible()
    assert pane.locator(".source__full").evaluate("(pane) => pane.scrollTop") > 0
    pane.get_by_role("button", name="Close source").click()
    places.get_by_role("button", name="Documents").click()
    open_document(page, "book.pdf")
    expect(pane.get_by_role("heading", name="Document", exact=True)).to_be_in_viewport(ratio=1)


def test_a_passage_that_was_found_but_not_quoted_is_marked_on_its_page(page: Page):
    add(page, payload("book.pdf", book()), payload("harbour.pdf", harbour_pdf()))
    turn = ask(page, QUESTION)
    evidence = turn.locator("rag-evidence")
    evidence.get_by_text("Everything that was found").click()
    evidence.get_by_role("button", name=re.compile("book.pdf")).first.click()
    pane = source_pane(page)
    expect(pane.get_by_role("heading", name=re.compile("Passage"))).to_be_focused()
    marks = pane.locator(".sheet__passage")
    expect(marks.first).to_be_visible()
    expect(pane.locator(".sheet__line")).to_have_count(0)
    boxes = marks.all()
    assert len(boxes) >= len(FILLER)
    for box in boxes:
        left, top, height, width = box.evaluate(WITHIN_SHEET)
        assert left > 0
        assert top > 0
        assert 0 < height < width / 8
    turn.get_by_role("button", name=re.compile("[Ss]ource 1")).first.click()
    expect(pane.locator(".sheet__line")).not_to_have_count(0)
    expect(marks).to_have_count(0)
