"""The pages of a document: how each was read."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, Route, expect
from steps import FACT, FILLER, NOTES, PLAIN, add, harbour_pdf, payload

pytestmark = pytest.mark.browser

FLAGS = {2: ["table"], 4: ["ocr", "low-coverage"], 7: ["failed", "no-text"]}


def reading(number: int, flags: list[str]) -> dict:
    path = next((path for path in ("ocr", "failed") if path in flags), "plain")
    return {
        "page_number": number,
        "path": path,
        "flags": sorted(flags),
        "native_words": 10,
        "words": 12,
        "coverage": 0.975,
        "ocr_confidence": 0.93 if path == "ocr" else None,
    }


def report_of(page: Page, pages: int) -> None:
    """Lets the program report so many pages, some of them marked."""

    def report(route: Route) -> None:
        body = route.fetch().json()
        readings = [reading(n, FLAGS.get(n, [])) for n in range(1, pages + 1)]
        body["document"]["page_count"] = pages
        route.fulfill(json=body | {"pages": readings, "words": 12 * pages})

    page.route("**/api/documents/*/report", report)


def open_pages(page: Page, name: str):
    page.get_by_role("button", name=f"Pages of {name}").click()
    return page.get_by_role("dialog", name=name)


def test_a_chosen_page_shows_its_text_beside_its_picture(page: Page):
    add(page, payload("harbour.pdf", harbour_pdf()))
    dialog = open_pages(page, "harbour.pdf")
    first = dialog.get_by_role("option", name="Page 1", exact=True)
    expect(first).to_be_focused()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    second = dialog.get_by_role("option", name="Page 2", exact=True)
    expect(second).to_have_attribute("aria-selected", "true")
    expect(dialog.get_by_role("heading", name="P. ii (sheet 2)")).to_be_visible()
    expect(dialog.get_by_role("region", name="Text as it was read")).to_contain_text(FACT)
    picture = dialog.get_by_role("img", name=f"Image of p. ii (sheet 2). Its text: {FILLER[2]}")
    picture.evaluate("image => image.decode()")
    assert picture.evaluate("image => image.naturalWidth") > 500
    first.click()
    expect(dialog.get_by_role("region", name="Text as it was read")).to_contain_text(FILLER[0])
    page.keyboard.press("Escape")
    expect(dialog).to_have_count(0)
    expect(page.get_by_role("button", name="Pages of harbour.pdf")).to_be_focused()


def test_marked_pages_are_said_in_words_counted_and_found(page: Page):
    report_of(page, 8)
    add(page, payload("harbour.pdf", harbour_pdf()))
    dialog = open_pages(page, "harbour.pdf")
    expect(dialog).to_contain_text(
        "8 pages: 6 read from their text, 1 by OCR (mean confidence 93%), "
        "1 could not be read, 1 without text. 96 words."
    )
    legend = dialog.get_by_role("list", name="Marked pages").get_by_role("listitem")
    assert [" ".join(text.split()) for text in legend.all_inner_texts()] == [
        "F could not be read 1",
        "∅ no text 1",
        "L words are missing 1",
        "O read by OCR 1",
        "T table 1",
    ]
    legend.get_by_role("button", name="read by OCR").click()
    scanned = dialog.get_by_role("option", name="Page 4, words are missing, read by OCR")
    expect(scanned).to_be_focused()
    expect(scanned).to_contain_text("LO")
    tabbable = dialog.get_by_role("option").and_(dialog.locator("[tabindex='0']"))
    expect(tabbable).to_have_count(1)


def test_the_reading_of_a_page_is_said_in_words(page: Page):
    report_of(page, 2)
    add(page, payload("harbour.pdf", harbour_pdf()))
    dialog = open_pages(page, "harbour.pdf")
    dialog.get_by_role("option", name="Page 2, table").click()
    expect(dialog).to_contain_text(
        "Read from its text layer · 12 words · 98% of its text layer kept · table"
    )


def test_a_text_file_has_its_text_and_no_picture(page: Page):
    add(page, payload("light.txt", PLAIN))
    dialog = open_pages(page, "light.txt")
    expect(dialog.get_by_role("heading", name="The whole text")).to_be_visible()
    expect(dialog.get_by_role("region", name="Text as it was read")).to_have_text(PLAIN)
    expect(dialog.get_by_role("img")).to_have_count(0)


def test_thousands_of_pages_stay_usable_by_keyboard(page: Page):
    report_of(page, 3000)
    add(page, payload("orchard.pdf", harbour_pdf()))
    dialog = open_pages(page, "orchard.pdf")
    expect(dialog.get_by_role("group")).to_have_count(30)
    expect(dialog.get_by_role("option", name="Page 1", exact=True)).to_be_focused()
    page.keyboard.press("PageDown")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowUp")
    expect(dialog.get_by_role("option", name="Page 101", exact=True)).to_be_focused()
    page.keyboard.press("End")
    last = dialog.get_by_role("option", name="Page 3,000", exact=True)
    expect(last).to_be_focused()
    expect(last).to_be_in_viewport()


def test_a_report_that_does_not_come_is_said(page: Page, watch):
    watch.expected_statuses = {404}
    add(page, payload("orchard.md", NOTES))
    error = {"code": "unknown-document", "message": "It is gone.", "fix": "Reload."}
    page.route(
        "**/api/documents/*/report", lambda route: route.fulfill(status=404, json={"error": error})
    )
    expect(open_pages(page, "orchard.md").get_by_role("alert")).to_have_text("It is gone. Reload.")


@pytest.mark.parametrize("size", [(360, 740), (720, 450)])
def test_a_small_window_shows_the_pages_without_scrolling_sideways(page: Page, size):
    report_of(page, 60)
    add(page, payload(f"{'long-' * 20}.pdf", harbour_pdf()))
    page.set_viewport_size({"width": size[0], "height": size[1]})
    if size[0] < 760:
        places = page.get_by_role("navigation", name="Places")
        places.get_by_role("button", name="Documents").click()
    dialog = open_pages(page, "long-")
    dialog.get_by_role("option", name="Page 1", exact=True).click()
    expect(dialog.get_by_role("img")).to_be_visible()
    assert dialog.evaluate("dialog => dialog.scrollWidth <= dialog.clientWidth")
    expect(dialog.get_by_role("button", name="Close")).to_be_in_viewport()
