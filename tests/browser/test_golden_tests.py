"""Tests in the page: saved from an answer, reviewed, run, given away and taken in."""

from __future__ import annotations

import json
import re

import httpx
import pytest
from playwright.sync_api import Page, expect
from steps import FACT, PLAIN, QUESTION, add, ask, harbour_pdf, payload
from test_accessibility import violations

pytestmark = pytest.mark.browser

HOSTILE = 'When was the <img src=x onerror="alert(1)"> harbour wall of Brockhaven finished?'
NOWHERE = "Which colour does the bicycle of the vicar have?"


@pytest.fixture
def answered(page: Page):
    add(page, payload("harbour.pdf", harbour_pdf()), payload("light.txt", PLAIN))
    return ask(page, QUESTION)


def dialog(page: Page):
    return page.get_by_role("dialog")


def begin_saving(turn):
    turn.get_by_role("button", name="Save as a test").click()
    shown = dialog(turn.page)
    expect(shown.get_by_role("button", name="Save", exact=True)).to_be_enabled()
    return shown


def save(turn):
    shown = begin_saving(turn)
    shown.get_by_role("button", name="Save", exact=True).click()
    expect(shown.get_by_role("status")).to_have_text(
        "Saved. It counts once somebody has reviewed it."
    )
    return shown


def open_tests(page: Page):
    page.get_by_role("button", name="Tests", exact=True).click()
    return dialog(page)


def review(page: Page, name: str | re.Pattern[str]):
    shown = open_tests(page)
    shown.get_by_role("button", name=name).click()
    expect(shown.get_by_role("heading", name="Read the source first")).to_be_visible()
    return shown


def reveal(shown):
    shown.get_by_role("button", name="Show the proposed answer").click()
    expect(shown.get_by_role("heading", name="The proposed answer")).to_be_focused()


def exported(server: str) -> list[dict]:
    return [json.loads(line) for line in httpx.get(f"{server}/api/tests/export").text.splitlines()]


def test_an_answer_is_saved_reviewed_approved_and_run(page: Page, watch, server, answered):
    shown = save(answered)
    shown.get_by_role("button", name="Open the tests").click()
    shown.get_by_role("button", name=f"Review: {QUESTION}").click()
    image = shown.get_by_role("img", name="Image of")
    expect(image).to_have_js_property("complete", value=True)
    expect(shown.get_by_text(FACT)).to_be_visible()
    marks = shown.locator(".sheet__line")
    expect(marks).to_have_count(0)
    shown.get_by_role("textbox", name="Your own answer").fill("In 1931.")
    reveal(shown)
    expect(marks).to_have_count(1)
    shown.get_by_role("button", name="Approve").click()
    expect(shown.get_by_role("alert")).to_have_text("Give your name first.")
    shown.get_by_role("textbox", name="Your name").fill("Edith Marlowe")
    shown.get_by_role("button", name="Approve").click()
    expect(shown.get_by_role("combobox", name="Show")).to_have_value("needs_review")
    shown.get_by_role("combobox", name="Show").select_option("approved_gold")
    expect(shown.get_by_role("listitem")).to_contain_text("Approved by")
    shown.get_by_role("button", name="Run my tests").click()
    expect(shown.get_by_text("1 test, 1 approved. All goals are met.")).to_be_visible()
    expect(shown.get_by_text("Proof was found").locator("..")).to_contain_text("100% (1 of 1 tests")
    page.remove_listener("popup", watch.on_popup)
    with page.expect_popup() as opened:
        shown.get_by_role("link", name="Open the report").click()
    expect(opened.value.get_by_role("heading", name="Evaluation report")).to_be_visible()
    assert exported(server)[0]["reviewer"] == "Edith Marlowe"


def test_a_question_that_looks_like_markup_is_text_everywhere(page: Page, answered):
    turn = ask(page, HOSTILE)
    save(turn).get_by_role("button", name="Open the tests").click()
    shown = dialog(page)
    shown.get_by_role("button", name=f"Review: {HOSTILE}").click()
    expect(shown.get_by_role("heading", name=HOSTILE)).to_be_visible()
    reveal(shown)
    shown.get_by_role("button", name="Edit", exact=True).click()
    expect(shown.get_by_role("textbox", name="Question")).to_have_value(HOSTILE)
    shown.get_by_role("button", name="Cancel").click()
    shown.get_by_role("button", name="All tests").click()
    shown.get_by_role("button", name="Run my tests").click()
    expect(shown.get_by_role("link", name="Open the report")).to_be_visible()
    page.goto("/api/tests/runs/last.html")
    expect(page.get_by_role("heading", name="Evaluation report")).to_be_visible()
    assert page.locator("img[src=x]").count() == 0


def test_a_wrong_answer_needs_the_right_one(page: Page, server, watch, answered):
    watch.expected_statuses.add(422)
    shown = begin_saving(answered)
    shown.get_by_role("radio", name="It is wrong").check()
    expect(shown.get_by_role("checkbox", name=re.compile("Approve it now"))).to_be_hidden()
    shown.get_by_role("button", name="Save", exact=True).click()
    expect(shown.get_by_role("alert")).to_contain_text("reference_answer")
    shown.get_by_role("textbox", name="The right answer").fill("It was finished in 1931.")
    shown.get_by_role("combobox", name=re.compile("Another place")).select_option(label="⁨light.txt⁩")
    shown.get_by_role("textbox", name=re.compile("Words that stand there")).fill("Edith Marlowe")
    shown.get_by_role("button", name="Save", exact=True).click()
    expect(shown.get_by_role("status")).to_contain_text("Saved")
    [case] = exported(server)
    assert (case["reference_answer"], case["required_facts"]) == (
        "It was finished in 1931.",
        ["1931"],
    )
    assert [one["source"] for one in case["expected_evidence"]] == ["harbour.pdf", "light.txt"]


def test_a_refusal_is_saved_and_approved_at_once(page: Page, server, answered):
    shown = begin_saving(ask(page, NOWHERE))
    expect(shown.get_by_role("textbox", name="What an answer must say")).to_be_hidden()
    shown.get_by_role("checkbox", name=re.compile("Approve it now")).check()
    shown.get_by_role("textbox", name="Your name").fill("Edith")
    shown.get_by_role("button", name="Save", exact=True).click()
    expect(shown.get_by_role("status")).to_have_text("Saved and approved.")
    [case] = exported(server)
    assert (case["answerable"], case["review_status"]) == (False, "approved_gold")


def test_the_same_question_is_said_to_be_a_test_already(page: Page, answered):
    save(answered).get_by_role("button", name="Close").click()
    expect(answered.get_by_role("button", name="Save as a test")).to_be_focused()
    answered.get_by_role("button", name="Save as a test").click()
    expect(dialog(page).get_by_role("status")).to_have_text(
        "This question is a test already. Nothing was saved."
    )


def test_a_test_is_edited_rejected_and_deleted(page: Page, server, answered):
    save(answered).get_by_role("button", name="Close").click()
    shown = review(page, f"Review: {QUESTION}")
    reveal(shown)
    shown.get_by_role("button", name="Edit", exact=True).click()
    shown.get_by_role("textbox", name="The right answer").fill("In 1931, by forty masons.")
    shown.get_by_role("combobox", name="Used for").select_option("holdout")
    shown.get_by_role("button", name="Save", exact=True).click()
    expect(shown.get_by_role("button", name=f"Review: {QUESTION}")).to_be_focused()
    [case] = exported(server)
    assert (case["reference_answer"], case["split"]) == ("In 1931, by forty masons.", "holdout")
    shown.get_by_role("button", name=f"Review: {QUESTION}").click()
    reveal(shown)
    shown.get_by_role("textbox", name="Your name").fill("Bob")
    shown.get_by_role("button", name="Reject").click()
    expect(shown.get_by_role("combobox", name="Show")).to_be_focused()
    assert exported(server)[0]["review_status"] == "rejected"
    shown.get_by_role("combobox", name="Show").select_option("rejected")
    shown.get_by_role("button", name=f"Open: {QUESTION}").click()
    reveal(shown)
    shown.get_by_role("button", name="Delete", exact=True).click()
    sure = page.get_by_role("dialog", name="Delete this test?")
    sure.get_by_role("button", name="Delete").click()
    expect(shown.get_by_text("No test yet.")).to_be_visible()
    assert exported(server) == []


def test_tests_are_given_away_and_taken_in(page: Page, watch, server, answered):
    save(answered).get_by_role("button", name="Close").click()
    shown = open_tests(page)
    with page.expect_download() as download:
        shown.get_by_role("link", name="Export").click()
    assert download.value.suggested_filename == "tests.jsonl"
    content = download.value.path().read_bytes()
    httpx.delete(f"{server}/api/tests").raise_for_status()
    choose = shown.get_by_label("Import", exact=True).and_(shown.locator("input"))
    choose.set_input_files(payload("tests.jsonl", content))
    expect(shown.get_by_role("status")).to_have_text("1 test added, 0 were here already.")
    watch.expected_statuses.add(422)
    choose.set_input_files(payload("tests.jsonl", content + b"{}\n"))
    expect(shown.get_by_role("alert")).to_contain_text("line 2: question")
    assert len(exported(server)) == 1


def test_a_run_can_be_stopped(page: Page, answered):
    save(answered).get_by_role("button", name="Close").click()
    page.route("**/api/tests/run", lambda _: None)  # it never answers
    shown = open_tests(page)
    shown.get_by_role("button", name="Run my tests").click()
    expect(shown.get_by_role("progressbar", name="Run my tests")).to_be_visible()
    shown.get_by_role("button", name="Stop").click()
    expect(shown.get_by_role("alert")).to_have_text("Stopped. The last report stays.")
    expect(shown.get_by_role("button", name="Run my tests")).to_be_focused()


def test_everything_can_be_done_with_the_keyboard(page: Page, server, answered):
    answered.get_by_role("button", name="Save as a test").focus()
    page.keyboard.press("Enter")
    shown = dialog(page)
    expect(shown.get_by_role("radio", name="It is right")).to_be_focused()
    page.keyboard.press("ArrowDown")
    expect(shown.get_by_role("radio", name="It is wrong")).to_be_checked()
    page.keyboard.press("Escape")
    expect(shown).to_have_count(0)
    expect(answered.get_by_role("button", name="Save as a test")).to_be_focused()
    assert exported(server) == []


@pytest.mark.parametrize("look", ["light", "dark", "narrow"])
def test_no_rule_of_accessibility_is_broken(page: Page, answered, look: str):
    scheme = "dark" if look == "dark" else "light"
    page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
    if look == "narrow":
        page.set_viewport_size({"width": 360, "height": 740})
    shown = begin_saving(answered)
    assert violations(page) == []
    shown.get_by_role("radio", name="It is wrong").check()
    shown.get_by_role("combobox", name=re.compile("Another place")).select_option(index=1)
    assert violations(page) == []
    shown.get_by_role("combobox", name=re.compile("Another place")).select_option(index=0)
    shown.get_by_role("radio", name="It is right").check()
    shown.get_by_role("button", name="Save", exact=True).click()
    shown.get_by_role("button", name="Open the tests").click()
    shown.get_by_role("button", name="Run my tests").click()
    expect(shown.get_by_role("link", name="Open the report")).to_be_visible()
    assert violations(page) == []
    shown.get_by_role("button", name=f"Review: {QUESTION}").click()
    expect(shown.get_by_role("img", name="Image of")).to_be_visible()
    assert violations(page) == []
    reveal(shown)
    assert violations(page) == []
    shown.get_by_role("button", name="Edit", exact=True).click()
    expect(shown.get_by_role("combobox", name="Used for")).to_be_visible()
    assert violations(page) == []
    width = page.evaluate("document.documentElement.scrollWidth - innerWidth")
    assert width <= 0
    inner = shown.locator(".tests")
    assert inner.evaluate("one => one.scrollWidth <= one.clientWidth")
