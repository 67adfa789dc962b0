"""The page, used as a person uses it."""

from __future__ import annotations

import io
import json
import re

import pymupdf
import pytest
from PIL import Image
from playwright.sync_api import Page, Route, expect
from steps import (
    FACT,
    NOTES,
    PLAIN,
    QUESTION,
    add,
    ask,
    choose,
    harbour_pdf,
    payload,
    question_box,
    source_pane,
    tick_of,
)

pytestmark = pytest.mark.browser


def marked(page: Page) -> str:
    return " ".join(source_pane(page).get_by_label("Passage").locator("mark").all_inner_texts())


def sent_questions(page: Page) -> list[dict]:
    sent: list[dict] = []
    page.on(
        "request",
        lambda request: (
            sent.append(json.loads(request.post_data or "{}"))
            if request.url.endswith("/api/query")
            else None
        ),
    )
    return sent


def test_the_first_visit_says_what_to_do_and_that_files_stay_here(page: Page):
    conversation = page.get_by_role("region", name="Questions and answers")
    expect(conversation.get_by_role("heading", name="Ask your documents.")).to_be_visible()
    expect(conversation.get_by_role("button", name="Choose files")).to_be_visible()
    expect(conversation).to_contain_text("Nothing is sent anywhere.")
    expect(conversation).to_contain_text("PDF, Markdown, plain text, Word, Excel, PowerPoint, EPUB")
    expect(conversation).to_contain_text("up to 50 MB each.")
    status = page.get_by_role("list", name="Status")
    expect(status).to_contain_text("Nothing leaves this machine")
    expect(status).to_contain_text("Answers: exact quotes, no model")
    question_box(page).fill("Anything?")
    expect(page.get_by_role("button", name="Ask", exact=True)).to_be_disabled()
    expect(conversation).to_contain_text("Add a document first, then ask.")


def test_a_pdf_a_markdown_and_a_text_file_become_documents(page: Page):
    add(
        page,
        payload("harbour.pdf", harbour_pdf()),
        payload("orchard.md", NOTES),
        payload("light.txt", PLAIN),
    )
    rows = page.get_by_role("list", name="Your documents").get_by_role("listitem")
    expect(rows).to_have_count(3)
    expect(rows.filter(has_text="harbour.pdf")).to_contain_text("2 pages")
    expect(rows.filter(has_text="light.txt")).to_contain_text(f"Text · {len(PLAIN)} bytes")
    expect(page.get_by_text("Searching all 3 documents")).to_be_visible()
    expect(page.get_by_role("list", name="Being added")).to_be_hidden()


def test_files_dropped_or_pasted_anywhere_become_documents(page: Page):
    script = """([name, text, kind]) => {
      const transfer = new DataTransfer();
      transfer.items.add(new File([text], name));
      const options = { bubbles: true, cancelable: true };
      const event = kind === 'drop'
        ? new DragEvent('drop', { ...options, dataTransfer: transfer })
        : new ClipboardEvent('paste', { ...options, clipboardData: transfer });
      document.querySelector('main').dispatchEvent(event);
    }"""
    page.evaluate(script, ["dropped.txt", PLAIN, "drop"])
    expect(tick_of(page, "dropped.txt")).to_be_visible()
    page.evaluate(script, ["pasted.md", NOTES, "paste"])
    expect(tick_of(page, "pasted.md")).to_be_visible()


def test_a_broken_file_stays_with_its_reason_and_without_a_pointless_second_try(page: Page):
    choose(page, payload("broken.pdf", b"%PDF-1.7\nnot really"), payload("light.txt", PLAIN))
    row = page.get_by_role("list", name="Being added").get_by_role("listitem")
    expect(tick_of(page, "light.txt")).to_be_visible()
    expect(row.get_by_role("button", name="Dismiss broken.pdf")).to_be_visible()
    expect(row.get_by_role("button", name="Try broken.pdf again")).to_have_count(0)
    [job] = [job for job in page.request.get("/api/jobs").json()["jobs"] if job["error"]]
    expect(row).to_contain_text(job["error"]["message"])
    expect(row).to_contain_text(job["error"]["fix"])
    row.get_by_role("button", name="Dismiss broken.pdf").click()
    expect(row).to_have_count(0)
    page.reload()
    expect(tick_of(page, "light.txt")).to_be_visible()
    expect(row).to_have_count(0)


def test_a_file_over_the_limit_is_refused_before_it_is_sent(page: Page):
    page.evaluate("""() => {
      const transfer = new DataTransfer();
      transfer.items.add(new File([new Uint8Array(51_000_000)], 'huge.pdf'));
      document.body.dispatchEvent(
        new DragEvent('drop', { bubbles: true, cancelable: true, dataTransfer: transfer }));
    }""")
    row = page.get_by_role("list", name="Being added").get_by_role("listitem")
    expect(row).to_contain_text("This file has 51 MB; the limit is 50 MB.")


def test_replacements_and_duplicates_are_said_in_words(page: Page):
    add(page, payload("light.txt", PLAIN))
    row = page.get_by_role("list", name="Being added").get_by_role("listitem")
    choose(page, payload("light.txt", PLAIN))
    expect(row).to_contain_text("Already here")
    choose(page, payload("copy.txt", PLAIN))
    expect(row).to_contain_text(re.compile("Already here as .?light.txt"))
    choose(page, payload("light.txt", PLAIN + " She kept bees."))
    expect(row).to_contain_text("Replaced the earlier version")
    # For who sent copy.txt nothing has changed: it is a document of its own now.
    documents = page.get_by_role("list", name="Your documents").get_by_role("listitem")
    expect(documents).to_have_count(2)


def test_a_row_of_a_long_table_is_shown_with_the_header_of_the_table(page: Page):
    rows = "\n".join(f"| Station {n} | {n * 7} metres |" for n in range(60))
    add(page, payload("stations.md", f"| Name | Height |\n| --- | --- |\n{rows}\n"))
    turn = ask(page, "What is the height of Station 52?")
    turn.get_by_role("button", name=re.compile("Source 1")).first.click()
    passage = source_pane(page).locator("blockquote.passage")
    expect(passage).to_contain_text("| Name | Height |")
    expect(passage).to_contain_text("Station 52")


def test_ticked_documents_are_the_scope_of_the_question(page: Page):
    sent = sent_questions(page)
    add(page, payload("light.txt", PLAIN), payload("orchard.md", NOTES))
    tick_of(page, "orchard.md").check()
    expect(page.get_by_text("Searching 1 of 2")).to_be_visible()
    ask(page, "When were the pear trees of Tillingdale planted?")
    page.get_by_role("button", name="Search all").click()
    expect(tick_of(page, "orchard.md")).not_to_be_checked()
    ask(page, "What was the lighthouse keeper of Norbury called?")
    documents = page.request.get("/api/documents").json()["documents"]
    orchard = next(item for item in documents if item["name"] == "orchard.md")
    assert [request["document_ids"] for request in sent] == [[orchard["document_id"]], None]


def removals(page: Page) -> list[str]:
    sent: list[str] = []
    page.on(
        "request", lambda request: sent.append(request.url) if request.method == "DELETE" else None
    )
    return sent


def names(page: Page) -> set[str]:
    return {item["name"] for item in page.request.get("/api/documents").json()["documents"]}


def test_removing_a_document_can_be_undone_and_is_sent_afterwards(page: Page):
    add(page, payload("light.txt", PLAIN), payload("orchard.md", NOTES))
    tick_of(page, "light.txt").check()
    sent = removals(page)
    page.get_by_role("button", name="Remove light.txt").click()
    expect(tick_of(page, "light.txt")).to_have_count(0)
    expect(page.get_by_text("Searching your one document")).to_be_visible()
    expect(page.get_by_role("button", name="Remove orchard.md")).to_be_focused()
    expect(page.get_by_role("status").first).to_contain_text("light.txt removed")
    page.get_by_role("button", name="Undo").click()
    expect(tick_of(page, "light.txt")).to_be_checked()
    expect(page.get_by_role("button", name="Undo")).to_be_hidden()
    assert sent == []
    assert names(page) == {"light.txt", "orchard.md"}

    page.get_by_role("button", name="Remove light.txt").click()
    page.keyboard.press("u")
    expect(tick_of(page, "light.txt")).to_be_visible()
    page.set_viewport_size({"width": 1280, "height": 420})
    page.get_by_role("button", name="Remove light.txt").press("Enter")
    following = page.get_by_role("button", name="Remove orchard.md")
    expect(following).to_be_focused()
    button, notice = following.bounding_box(), page.locator(".toast").bounding_box()
    assert button
    assert notice
    assert button["y"] + button["height"] <= notice["y"]
    page.keyboard.press("u")
    expect(tick_of(page, "light.txt")).to_be_visible()
    page.get_by_role("button", name="Remove light.txt").click()
    with page.expect_response(lambda reply: reply.request.method == "DELETE"):
        page.get_by_role("button", name="Dismiss", exact=True).click()
    assert names(page) == {"orchard.md"}


def test_a_removed_document_answers_nothing_though_it_could_still_be_undone(page: Page):
    add(page, payload("light.txt", PLAIN), payload("orchard.md", NOTES))
    page.get_by_role("button", name="Remove light.txt").click()
    turn = ask(page, "What was the lighthouse keeper of Norbury called?")
    expect(turn.get_by_role("heading", name="No answer found")).to_be_visible()
    expect(page.get_by_role("button", name="Undo")).to_be_hidden()
    assert names(page) == {"orchard.md"}


def test_leaving_the_page_sends_what_was_removed(page: Page):
    add(page, payload("light.txt", PLAIN), payload("orchard.md", NOTES))
    page.get_by_role("button", name="Remove light.txt").click()
    expect(tick_of(page, "light.txt")).to_have_count(0)
    page.reload()
    expect(tick_of(page, "orchard.md")).to_be_visible()
    expect(tick_of(page, "light.txt")).to_have_count(0)


def test_removing_all_asks_first_and_leads_back_to_the_first_visit(page: Page):
    add(page, payload("light.txt", PLAIN), payload("orchard.md", NOTES))
    page.get_by_role("button", name="Remove all").click()
    dialog = page.get_by_role("dialog", name="Remove all 2 documents?")
    dialog.get_by_role("button", name="Remove all").click()
    expect(page.get_by_role("button", name="Choose files")).to_be_visible()


def test_a_number_opens_the_page_with_the_quoted_lines_marked(page: Page):
    data = harbour_pdf()
    add(page, payload("harbour.pdf", data))
    turn = ask(page, QUESTION)
    number = turn.get_by_role("button", name="Source 1: harbour.pdf, p. ii (sheet 2)")
    expect(number).to_have_text("1")
    with page.expect_response("**/api/documents/*/pages/2") as image_response:
        number.click()
    assert image_response.value.ok
    pane = source_pane(page)
    expect(pane.get_by_role("heading", name="Source 1 of")).to_be_focused()
    expect(pane).to_contain_text("harbour.pdf")
    expect(pane).to_contain_text("p. ii (sheet 2)")
    assert marked(page) == FACT

    image = pane.get_by_role("img", name="quoted lines marked")
    expect(image).to_be_visible()
    image.evaluate("image => image.decode()")
    sheet = image.bounding_box()
    assert sheet is not None
    lines = [line.bounding_box() for line in pane.locator(".sheet__line").all()]
    with pymupdf.open(stream=data, filetype="pdf") as document:
        [wanted] = document[1].search_for(FACT)
    scale = sheet["width"] / 595
    assert sheet["height"] == pytest.approx(842 * scale, abs=1.5)
    [line] = lines
    assert line is not None
    left, top = line["x"] - sheet["x"], line["y"] - sheet["y"]
    drawn = pymupdf.Rect(left, top, left + line["width"], top + line["height"]) / scale
    assert abs(drawn & wanted) > 0.8 * abs(wanted)
    assert abs(drawn & wanted) > 0.6 * abs(drawn)
    # What is marked can be seen without scrolling.
    view = pane.get_by_role("region", name="The page").bounding_box()
    assert view is not None
    assert view["y"] <= line["y"]
    assert line["y"] + line["height"] <= view["y"] + view["height"]

    pane.get_by_role("button", name="Larger").click()
    assert marked_share(pane) == pytest.approx(drawn.y0 / 842, abs=0.002)


def marked_share(pane) -> float:
    """How far down the page the first marked line stands, as a share."""
    sheet = pane.get_by_role("img", name="quoted lines marked").bounding_box()
    line = pane.locator(".sheet__line").first.bounding_box()
    return (line["y"] - sheet["y"]) / sheet["height"]


def test_the_source_of_a_text_file_shows_the_whole_text_with_the_passage_marked(page: Page):
    add(page, payload("orchard.md", NOTES.replace("The pear", "🍐🍐 Ripe! The pear")))
    turn = ask(page, "When were the pear trees of Tillingdale planted?")
    turn.get_by_role("button", name="Source 1: orchard.md").click()
    pane = source_pane(page)
    assert marked(page) == "The pear trees of Tillingdale were planted in 1874 by monks."
    whole = pane.get_by_role("region", name="The whole text")
    expect(whole).to_contain_text("🍐🍐 Ripe! The pear trees")
    expect(whole.locator("mark")).to_have_text(marked(page))
    expect(pane.get_by_role("img")).to_have_count(0)
    with page.expect_download() as download:
        pane.get_by_role("link", name="Download original").click()
    assert download.value.path().read_text(encoding="utf-8").startswith("# Orchard")


def test_the_sources_of_an_answer_can_be_walked(page: Page):
    add(page, payload("harbour.pdf", harbour_pdf()), payload("light.txt", PLAIN))
    turn = ask(
        page,
        "When was the harbour wall of Brockhaven finished, "
        "and what was the lighthouse keeper of Norbury called?",
    )
    turn.get_by_role("list").get_by_role("button", name="1").first.click()
    pane = source_pane(page)
    title = pane.get_by_role("heading", level=2)
    expect(title).to_have_text("Source 1 of 2")
    pane.get_by_role("button", name="Next source").click()
    expect(title).to_have_text("Source 2 of 2")
    page.keyboard.press("p")
    expect(title).to_have_text("Source 1 of 2")
    page.keyboard.press("n")
    page.keyboard.press("Escape")
    expect(pane.get_by_text("The proof appears here")).to_be_visible()
    expect(page.locator(":focus")).to_have_attribute("data-number", "2")


def test_a_question_without_an_answer_is_refused_in_words(page: Page):
    add(page, payload("light.txt", PLAIN))
    turn = ask(page, "Which enzyme digests cellulose in termites?")
    expect(turn.get_by_role("heading", name="No answer found")).to_be_visible()
    expect(turn).to_contain_text("I could not find an answer to this in your documents.")
    expect(turn.get_by_role("button", name=re.compile("^Source"))).to_have_count(0)


def test_stopping_keeps_the_earlier_answer(page: Page):
    add(page, payload("light.txt", PLAIN))
    question = "What was the lighthouse keeper of Norbury called?"
    first = ask(page, question)
    held: list[Route] = []
    page.route("**/api/query", lambda route: held.append(route))
    question_box(page).fill("And what else?")
    question_box(page).press("Enter")
    second = page.get_by_role("article", name="And what else?")
    expect(second).to_contain_text("Searching your documents…")
    expect(page.get_by_role("button", name="Ask", exact=True)).to_be_hidden()
    with page.expect_event("requestfailed"):
        page.get_by_role("button", name="Stop").click()
    expect(second).to_contain_text("Stopped. No answer was made.")
    expect(first).to_contain_text("Edith Marlowe")
    page.unroute("**/api/query")
    second.get_by_role("button", name="Ask again").click()
    expect(second.get_by_role("button", name="Edit question")).to_be_visible()
    expect(page.get_by_role("article")).to_have_count(2)


def test_a_failure_of_the_program_is_said_with_its_way_out(page: Page, watch):
    watch.expected_statuses = {503}
    add(page, payload("light.txt", PLAIN))
    error = {
        "code": "store-locked",
        "message": "The folder is in use.",
        "fix": "Stop the other one.",
    }
    page.route("**/api/query", lambda route: route.fulfill(status=503, json={"error": error}))
    turn = ask(page, "Who?")
    expect(turn.get_by_role("alert")).to_contain_text("The folder is in use.")
    expect(turn.get_by_role("alert")).to_contain_text("Stop the other one.")
    expect(turn.get_by_role("button", name="Ask again")).to_be_visible()


def test_enter_asks_and_shift_enter_makes_a_line(page: Page):
    sent = sent_questions(page)
    add(page, payload("light.txt", PLAIN))
    button = page.get_by_role("button", name="Ask", exact=True)
    expect(button).to_be_disabled()
    box = question_box(page)
    box.press("Enter")
    box.press_sequentially("   ")
    expect(button).to_be_disabled()
    box.fill("")
    box.press_sequentially("Who kept")
    box.press("Shift+Enter")
    box.press_sequentially("the light?")
    expect(box).to_have_value("Who kept\nthe light?")
    expect(button).to_be_enabled()
    with page.expect_request("**/api/query"):
        box.press("Enter")
    expect(page.get_by_role("article")).to_have_count(1)
    expect(box).to_have_value("")
    assert [request["question"] for request in sent] == ["Who kept\nthe light?"]


def test_the_length_of_a_question_is_counted_near_its_limit(page: Page):
    add(page, payload("light.txt", PLAIN))
    box = question_box(page)
    box.fill("🌊" * 1990)
    expect(page.get_by_text("10 characters left")).to_be_visible()
    box.fill("x" * 2003)
    expect(page.get_by_text("3 characters too many")).to_be_visible()
    expect(page.get_by_role("button", name="Ask", exact=True)).to_be_disabled()


def test_the_keyboard_is_enough(page: Page):
    add(page, payload("harbour.pdf", harbour_pdf()))
    page.keyboard.press("?")
    keys = page.get_by_role("dialog", name="Keyboard")
    expect(keys).to_be_visible()
    page.keyboard.press("Escape")
    expect(keys).to_have_count(0)
    page.keyboard.press("/")
    expect(question_box(page)).to_be_focused()
    page.keyboard.type(QUESTION)
    page.keyboard.press("Enter")
    turn = page.get_by_role("article", name=QUESTION)
    number = turn.get_by_role("button", name="Source 1:")
    expect(number).to_be_visible()
    for _ in range(30):
        if number.evaluate("button => button === document.activeElement"):
            break
        page.keyboard.press("Shift+Tab")
    expect(number).to_be_focused()
    outline = number.evaluate("button => getComputedStyle(button).outlineStyle")
    assert outline == "solid"
    page.keyboard.press("Enter")
    pane = source_pane(page)
    expect(pane.get_by_role("heading", level=2)).to_be_focused()
    page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    expect(pane.get_by_role("button", name="Close source")).to_be_focused()
    page.keyboard.press("Enter")
    expect(number).to_be_focused()


def test_a_program_that_does_not_answer_is_said_and_can_be_tried_again(page: Page, watch):
    page.route("**/health", lambda route: route.abort())
    page.reload()
    alert = page.get_by_role("alert")
    expect(alert).to_have_text(
        "The program does not answer. Check that local-rag is still running, then try again."
    )
    page.unroute("**/health")
    page.get_by_role("button", name="Try again").click()
    expect(page.get_by_text("Nothing leaves this machine")).to_be_visible()
    assert watch.faults == ["error: Failed to load resource: net::ERR_FAILED"]
    watch.faults.clear()


HOSTILE = "<img src=x onerror=window.pwned=1>"


def test_hostile_names_and_texts_are_text(page: Page):
    text = (
        f"The beacon of Quarrendon burned {HOSTILE} until 1802. "
        "![a](https://evil.example/?q=1) [b](javascript:window.pwned=2)"
    )
    add(page, payload(f"{HOSTILE}.md", text))
    documents = page.get_by_role("list", name="Your documents")
    expect(documents.get_by_text(f"{HOSTILE}.md")).to_be_visible()
    question = f"Until when did the beacon of Quarrendon burn? {HOSTILE}"
    turn = ask(page, question)
    turn.get_by_role("button", name=re.compile("^Source 1:")).click()
    expect(source_pane(page).get_by_role("region", name="The whole text")).to_contain_text(HOSTILE)
    page.get_by_role("button", name=f"Tags of {HOSTILE}.md").click()
    dialog = page.get_by_role("dialog")
    expect(dialog).to_contain_text(HOSTILE)
    dialog.get_by_role("textbox", name="Tags").fill(HOSTILE)
    dialog.get_by_role("button", name="Save").click()
    expect(documents.get_by_role("button", name=HOSTILE, exact=True)).to_be_visible()
    page.get_by_role("button", name=f"Remove {HOSTILE}.md").click()
    expect(page.get_by_role("group").filter(has_text="Undo")).to_contain_text(HOSTILE)
    assert page.evaluate("window.pwned") is None
    assert page.locator("img[src=x], a[href^='javascript'], a[href^='https']").count() == 0


def test_a_name_that_turns_the_text_around_it_is_shown_with_a_sign_in_place_of_that(page: Page):
    add(page, payload("light.txt", PLAIN))

    def disguise(route: Route) -> None:
        # The program cleans names; the page must not depend on it.
        body = route.fetch().json()
        body["documents"][0] |= {"name": "inv\u202efdp.exe", "title": f"\u202e{HOSTILE}"}
        route.fulfill(json=body)

    page.route("**/api/documents", disguise)
    page.reload()
    documents = page.get_by_role("list", name="Your documents")
    expect(documents.get_by_text("inv\ufffdfdp.exe")).to_be_visible()
    expect(documents.get_by_text(f"\ufffd{HOSTILE}")).to_be_visible()
    assert "\u202e" not in page.content()


def test_the_policy_forbids_inline_scripts_and_html(page: Page, watch):
    refused = page.evaluate("""() => {
      try { document.body.innerHTML = '<p>x</p>'; return false; } catch { return true; }
    }""")
    assert refused
    assert any("TrustedHTML" in fault for fault in watch.faults)
    watch.faults.clear()


def test_a_phone_shows_one_place_at_a_time_without_scrolling_sideways(page: Page):
    page.set_viewport_size({"width": 360, "height": 740})
    places = page.get_by_role("navigation", name="Places")
    library = page.get_by_role("region", name="Documents")
    conversation = page.get_by_role("region", name="Questions and answers")

    def no_sideways_scroll() -> None:
        width = page.evaluate("""() => Math.max(document.documentElement.scrollWidth,
          ...Array.from(document.querySelectorAll('.place'), (place) => place.scrollWidth))""")
        assert width <= 360

    expect(conversation).to_be_visible()
    expect(library).to_be_hidden()
    no_sideways_scroll()
    places.get_by_role("button", name="Documents").click()
    add(page, payload("harbour.pdf", harbour_pdf()), payload(f"{'long-' * 30}.txt", PLAIN))
    expect(conversation).to_be_hidden()
    no_sideways_scroll()
    places.get_by_role("button", name="Ask").click()
    turn = ask(page, QUESTION)
    turn.get_by_text("Everything that was found").click()
    no_sideways_scroll()
    number = turn.get_by_role("button", name="Source 1: harbour.pdf")
    number.click()
    expect(source_pane(page).get_by_role("img")).to_be_visible()
    expect(conversation).to_be_hidden()
    expect(page.get_by_text("Nothing leaves this machine")).to_be_visible()
    no_sideways_scroll()
    page.keyboard.press("Escape")
    expect(number).to_be_focused()


@pytest.mark.parametrize(("scheme", "dark"), [("light", False), ("dark", True)])
def test_light_and_dark_are_drawn(page: Page, scheme: str, dark: bool):
    page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
    expect(page.get_by_role("button", name="Choose files")).to_be_visible()
    picture = Image.open(io.BytesIO(page.screenshot())).convert("L")
    low, high = picture.getextrema()
    assert high - low > 150
    corner = picture.getpixel((10, 890))
    assert (corner < 80) == dark


def test_a_document_that_is_gone_is_said_to_be_gone(page: Page):
    add(page, payload("harbour.pdf", harbour_pdf()))
    turn = ask(page, QUESTION)
    page.get_by_role("button", name="Remove harbour.pdf").click()
    expect(tick_of(page, "harbour.pdf")).to_have_count(0)
    turn.get_by_role("button", name="Source 1:").click()
    expect(source_pane(page)).to_contain_text("This document has been removed or replaced since.")
    assert marked(page) == FACT
