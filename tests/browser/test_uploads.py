"""Files on their way in, as a person sees them."""

from __future__ import annotations

import re

import pymupdf
import pytest
from playwright.sync_api import Page, expect
from steps import (
    FACT,
    PLAIN,
    QUESTION,
    add,
    arriving,
    ask,
    choose,
    harbour_pdf,
    long_pdf,
    payload,
    source_pane,
    tick_of,
)

pytestmark = pytest.mark.browser

WORKING = re.compile(r"(Reading page|Preparing passage) \d+ of \d+")
RECORD = """() => {
  window.stages = [];
  const list = document.querySelector('.uploads');
  new MutationObserver(() => {
    const row = list.firstElementChild;
    if (!row) return;
    const stage = row.querySelector('.upload__stage').textContent;
    const last = window.stages.at(-1);
    if (last?.[0] !== stage) window.stages.push([stage, row.offsetHeight]);
  }).observe(list, { childList: true, subtree: true, characterData: true, attributes: true });
}"""


def jobs(page: Page) -> list[dict]:
    return page.request.get("/api/jobs").json()["jobs"]


def locked_pdf(password: str) -> bytes:
    with pymupdf.open(stream=harbour_pdf(), filetype="pdf") as document:
        return bytes(
            document.tobytes(
                encryption=pymupdf.PDF_ENCRYPT_AES_256, user_pw=password, owner_pw="owner"
            )
        )


def send_from_elsewhere(page: Page, name: str, content: bytes) -> None:
    reply = page.request.post(
        "/api/documents",
        headers={"Prefer": "respond-async"},
        multipart={"file": payload(name, content)},
    )
    assert reply.status == 202


def test_an_upload_says_its_stages_in_order_without_moving_the_list(page: Page):
    page.evaluate(RECORD)
    add(page, payload("long.pdf", long_pdf(150)))
    expect(arriving(page)).to_have_count(0)
    stages = page.evaluate("window.stages")
    firsts = list(dict.fromkeys(stage.split()[0].rstrip("…") for stage, _ in stages))
    order = ["Sending", "Waiting", "Reading", "Preparing", "Storing"]
    assert firsts == [first for first in order if first in firsts]
    assert {"Sending", "Reading", "Preparing"} <= set(firsts)
    assert any(WORKING.fullmatch(stage) for stage, _ in stages)
    assert len({height for _, height in stages}) == 1


def test_an_upload_can_be_cancelled_while_it_is_worked_on(page: Page):
    choose(page, payload("long.pdf", long_pdf(600)))
    row = arriving(page)
    expect(row.get_by_text(WORKING)).to_be_visible()
    row.get_by_role("button", name="Cancel long.pdf").click()
    expect(row).to_have_count(0)
    expect(page.get_by_role("status")).to_have_text("long.pdf cancelled")
    expect(page.get_by_role("heading", name="Documents", exact=True)).to_be_focused()
    assert page.request.get("/api/documents").json()["documents"] == []
    page.reload()
    expect(page.get_by_text("Nothing leaves this machine")).to_be_visible()
    assert jobs(page) == []


def test_a_job_that_is_there_when_the_page_is_opened_is_followed(page: Page):
    choose(page, payload("long.pdf", long_pdf(300)))
    expect(arriving(page).get_by_text(WORKING)).to_be_visible()
    page.reload()
    expect(arriving(page).get_by_text(WORKING)).to_be_visible()
    expect(tick_of(page, "long.pdf")).to_be_visible(timeout=90_000)
    expect(arriving(page)).to_have_count(0)


def test_what_another_program_sends_appears_and_can_be_dismissed(page: Page):
    send_from_elsewhere(page, "light.txt", PLAIN.encode())
    expect(tick_of(page, "light.txt")).to_be_visible()
    send_from_elsewhere(page, "broken.pdf", b"%PDF-1.7\nnot really")
    row = arriving(page)
    expect(row).to_contain_text("broken.pdf")
    dismiss = row.get_by_role("button", name="Dismiss broken.pdf")
    expect(dismiss).to_be_visible()
    expect(row.get_by_role("button", name="Try broken.pdf again")).to_have_count(0)
    dismiss.press("Enter")
    expect(row).to_have_count(0)
    page.reload()
    expect(tick_of(page, "light.txt")).to_be_visible()
    expect(row).to_have_count(0)


def test_a_file_with_a_password_asks_for_it_until_it_is_right(page: Page, watch):
    choose(page, payload("locked.pdf", locked_pdf("open sesame")))
    row = arriving(page)
    field = row.get_by_label("Password of the file")
    expect(field).to_have_attribute("type", "password")
    expect(field).to_have_attribute("autocomplete", "off")
    field.fill("guessed")
    field.press("Enter")
    expect(row).to_contain_text("The password does not open the PDF.")
    expect(field).to_be_focused()
    expect(field).to_have_value("")
    page.keyboard.type("open sesame")
    page.keyboard.press("Enter")
    expect(tick_of(page, "locked.pdf")).to_be_visible()
    expect(row).to_have_count(0)
    turn = ask(page, QUESTION)
    turn.get_by_role("button", name="Source 1:").click()
    expect(source_pane(page).get_by_role("img", name="quoted lines marked")).to_be_visible()

    # After a new start the program has the file, but not its password.
    watch.expected_statuses = {422}
    error = {"code": "password-required", "message": "Needs the password.", "fix": "Send it again."}
    page.route(
        "**/api/documents/*/pages/*", lambda route: route.fulfill(status=422, json={"error": error})
    )
    page.reload()
    expect(tick_of(page, "locked.pdf")).to_be_visible()
    turn = ask(page, QUESTION)
    turn.get_by_role("button", name="Source 1:").click()
    pane = source_pane(page)
    expect(pane).to_contain_text("The page could not be drawn. Its text:")
    expect(pane).to_contain_text("Needs the password. Send it again.")
    expect(pane.get_by_role("region", name="The whole text")).to_contain_text(FACT)


def test_without_the_stream_uploads_are_followed_all_the_same(page: Page, watch):
    watch.expected_statuses = {503}
    page.route("**/api/jobs/events", lambda route: route.fulfill(status=503))
    page.reload()
    expect(page.get_by_text("Nothing leaves this machine")).to_be_visible()
    add(page, payload("light.txt", PLAIN))
    expect(arriving(page)).to_have_count(0)


def test_a_narrow_page_shows_the_password_field_without_scrolling_sideways(page: Page):
    page.set_viewport_size({"width": 360, "height": 740})
    page.get_by_role("navigation", name="Places").get_by_role("button", name="Documents").click()
    choose(page, payload(f"{'long-' * 20}.pdf", locked_pdf("x")))
    expect(arriving(page).get_by_role("button", name="with the password")).to_be_visible()
    width = page.evaluate("""() => Math.max(document.documentElement.scrollWidth,
      ...Array.from(document.querySelectorAll('.library__scroll'), (list) => list.scrollWidth))""")
    assert width <= 360
