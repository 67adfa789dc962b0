"""The page in another language, and how much of it a browser loads."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, Page, expect
from steps import NOTES, PLAIN, add, payload, question_box

pytestmark = pytest.mark.browser

MOST_BYTES = 150_000


def test_the_language_is_chosen_in_the_page_and_kept(page: Page):
    add(page, payload("light.txt", PLAIN), payload("orchard.md", NOTES))
    question_box(page).fill("A question that is being typed")
    page.get_by_role("combobox", name="Language").select_option("de")
    expect(page.get_by_text("Nichts verlässt diesen Rechner")).to_be_visible()
    expect(page.locator("html")).to_have_attribute("lang", "de")
    expect(page.get_by_role("combobox", name="Sprache")).to_be_focused()
    box = page.get_by_role("textbox", name="Ihre Frage")
    expect(box).to_have_value("A question that is being typed")
    rows = page.get_by_role("list", name="Ihre Dokumente").get_by_role("listitem")
    expect(rows.first).to_contain_text("1 Textstelle")
    page.reload()
    expect(page.get_by_text("Nichts verlässt diesen Rechner")).to_be_visible()
    expect(rows).to_have_count(2)
    box.fill("Who kept the light of Norbury?")
    box.press("Enter")
    expect(page.get_by_role("article")).to_have_attribute("aria-busy", "false")
    page.get_by_role("button", name="light.txt entfernen").click()
    page.get_by_role("button", name="Rückgängig").click()
    expect(rows).to_have_count(2)
    page.get_by_role("combobox", name="Sprache").select_option("en")
    expect(page.get_by_role("article")).to_have_count(1)
    expect(page.get_by_text("Nothing leaves this machine")).to_be_visible()


def test_the_language_is_the_browsers_at_first(browser: Browser, server: str):
    for locale, promise in (
        ("de-AT", "Nichts verlässt diesen Rechner"),
        ("fr-FR", "Nothing leaves this machine"),
    ):
        context = browser.new_context(base_url=server, locale=locale)
        page = context.new_page()
        page.goto("/")
        expect(page.get_by_text(promise)).to_be_visible()
        context.close()


def test_a_problem_of_the_program_is_said_in_the_language_of_the_page(page: Page):
    page.get_by_role("combobox", name="Language").select_option("de")
    expect(page.get_by_role("combobox", name="Sprache")).to_be_focused()
    expect(page.get_by_text("Nichts verlässt diesen Rechner")).to_be_visible()
    page.locator("input[type=file][multiple]").set_input_files([payload("leer.txt", b"")])
    card = page.get_by_role("list", name="Wird hinzugefügt").get_by_role("listitem")
    expect(card).to_contain_text("Die Datei ist leer.")


def test_the_first_page_is_small(browser: Browser, server: str):
    context = browser.new_context(base_url=server)
    page = context.new_page()
    page.goto("/")
    expect(page.get_by_text("Nothing leaves this machine")).to_be_visible()
    sizes = page.evaluate("""() => [...performance.getEntriesByType('resource'),
      ...performance.getEntriesByType('navigation')].map((entry) => entry.transferSize)""")
    context.close()
    assert len(sizes) > 20
    assert sum(sizes) < MOST_BYTES
