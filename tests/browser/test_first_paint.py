"""What is painted before any script runs, and how the script takes it over."""

from __future__ import annotations

import re
from collections import Counter
from contextlib import contextmanager
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect
from steps import NOTES, PLAIN, add, payload, question_box

from local_rag.api.guard import CONTENT_SECURITY_POLICY
from local_rag.api.page_files import PageFiles, web_folder

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Browser, BrowserContext, Page, Route

pytestmark = pytest.mark.browser

START = re.compile(r"/js/start\.js$")
PLACES = (
    ".masthead",
    ".brand",
    ".help",
    "rag-library",
    "rag-conversation",
    "rag-source",
    ".place__head",
    ".place__title",
    ".button--add",
    ".composer",
    ".composer__box",
    ".composer button[type=submit]",
    ".source__empty-title",
    ".place-bar__button",
)
WHERE = """(selectors) => selectors.flatMap((selector) =>
  [...document.querySelectorAll(selector)].filter((e) => e.checkVisibility()).map((element) => {
    const { x, y, height } = element.getBoundingClientRect();
    return [selector, x, y, height].join(' ');
  }))"""
PAINTED = """() => new Promise((resolve) => new PerformanceObserver(resolve)
  .observe({ type: 'paint', buffered: true }))"""
SHIFTS = """window.shift = 0;
new PerformanceObserver((list) => {
  for (const { value, hadRecentInput } of list.getEntries()) if (!hadRecentInput) shift += value;
}).observe({ type: 'layout-shift', buffered: true });"""


@contextmanager
def held_back(page: Page) -> Iterator[None]:
    """The page before its script, which comes when this ends."""
    held: list[Route] = []
    page.route(START, lambda route: held.append(route))
    page.goto("/", wait_until="commit")
    expect(page.locator(".place-bar")).to_be_attached()
    yield
    for route in held:
        route.continue_()


def test_the_page_is_drawn_before_its_script_runs(context: BrowserContext):
    page = context.new_page()
    with held_back(page):
        expect(page.get_by_role("heading", level=1)).to_have_text("local-rag")
        for place in ("Documents", "Questions and answers", "Source"):
            expect(page.get_by_role("region", name=place)).to_be_visible()
        expect(page.get_by_role("list", name="Status")).to_have_text("Connecting…")
        expect(question_box(page)).to_be_editable()
        for button in ("Add files", "Ask", "Conversations", "Keyboard help"):
            expect(page.get_by_role("button", name=button, exact=True)).to_be_disabled()
        # Whether there are documents, and what leaves the machine, is not known yet.
        expect(page.locator("body")).not_to_contain_text("Nothing")
        expect(page.locator("body")).not_to_contain_text("No documents")
        page.evaluate(PAINTED)
    expect(page.get_by_text("Nothing leaves this machine")).to_be_visible()


@pytest.mark.parametrize(("locale", "hint"), [("de-AT", "Fragen Sie"), ("fr", "Ask your")])
def test_it_is_drawn_in_the_language_of_the_browser(
    browser: Browser, server: str, locale: str, hint: str
):
    context = browser.new_context(base_url=server, locale=locale)
    page = context.new_page()
    with held_back(page):
        expect(page.get_by_placeholder(hint)).to_be_visible()
    context.close()


def test_it_is_drawn_in_the_language_that_was_chosen(page: Page):
    page.get_by_role("combobox", name="Language").select_option("de")
    expect(page.get_by_text("Nichts verlässt diesen Rechner")).to_be_visible()
    with held_back(page):
        expect(page.locator("html")).to_have_attribute("lang", "de")
        expect(page.get_by_role("textbox", name="Ihre Frage")).to_be_visible()
    expect(page.get_by_text("Nichts verlässt diesen Rechner")).to_be_visible()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_it_is_drawn_in_the_readers_colours(browser: Browser, server: str, scheme):
    context = browser.new_context(base_url=server, color_scheme=scheme)
    page = context.new_page()
    with held_back(page):
        colour = page.locator("body").evaluate("body => getComputedStyle(body).backgroundColor")
        assert colour == {"light": "rgb(243, 244, 241)", "dark": "rgb(15, 19, 18)"}[scheme]
    context.close()


@pytest.mark.parametrize("width", [1440, 360])
def test_the_script_takes_it_over_without_a_jump(context: BrowserContext, page: Page, width: int):
    add(page, *(payload(f"note {n}.txt", f"{PLAIN} {n}") for n in range(5)))
    page.close()
    fresh = context.new_page()
    fresh.set_viewport_size({"width": width, "height": 800})
    fresh.add_init_script(SHIFTS)
    with held_back(fresh):
        before = fresh.evaluate(WHERE, PLACES)
        assert len(before) > len(PLACES) / 2
    expect(fresh.get_by_text("Searching all 5 documents")).to_be_visible()
    expect(fresh.get_by_text("Nothing leaves this machine")).to_be_visible()
    assert fresh.evaluate(WHERE, PLACES) == before
    assert fresh.evaluate("shift") == 0


def test_what_is_typed_before_the_script_runs_stays_with_the_focus(
    context: BrowserContext, page: Page
):
    add(page, payload("light.txt", PLAIN), payload("orchard.md", NOTES))
    fresh = context.new_page()
    with held_back(fresh):
        question_box(fresh).click()
        fresh.keyboard.type("When were the pear trees planted?")
        for _ in range(len("planted?")):
            fresh.keyboard.press("ArrowLeft")
    expect(fresh.get_by_role("button", name="Ask", exact=True)).to_be_enabled()
    expect(question_box(fresh)).to_be_focused()
    fresh.keyboard.type("of Tillingdale ")
    expect(question_box(fresh)).to_have_value("When were the pear trees of Tillingdale planted?")
    fresh.keyboard.press("Enter")
    expect(fresh.get_by_role("article")).to_contain_text("1874")


def test_every_module_is_asked_for_at_once_and_only_once(context: BrowserContext, server: str):
    page = context.new_page()
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url.removeprefix(server)))
    edition = PageFiles(web_folder()).edition()
    wanted = {edition.link(path) for path in (*edition.modules, "js/languages/en.js")}
    preloads = page.locator("link[rel=modulepreload]")
    with held_back(page):
        expect(preloads).to_have_count(0)  # to compile them would hold the first paint up
    expect(page.get_by_text("Nothing leaves this machine")).to_be_visible()
    preloaded = preloads.evaluate_all("links => links.map((link) => link.getAttribute('href'))")
    assert sorted(preloaded) == sorted(wanted)
    files = [url for url in asked if url.startswith("/static/")]
    assert [url for url, count in Counter(files).items() if count > 1] == []
    scripts = {url for url in files if url.endswith(".js")}
    assert scripts == {*wanted, edition.link("js/start.js")}


def test_a_second_visit_asks_for_no_file_again(context: BrowserContext, page: Page):
    second = context.new_page()
    second.goto("/")
    expect(second.get_by_text("Nothing leaves this machine")).to_be_visible()
    sent = second.evaluate("""() => performance.getEntriesByType('resource')
      .filter(({ name, transferSize }) => name.includes('/static/') && transferSize > 0)
      .map(({ name }) => name)""")
    assert sent == []


def test_the_policy_lets_only_the_pages_own_scripts_run(context: BrowserContext):
    page = context.new_page()
    reply = page.goto("/")
    assert reply is not None
    assert reply.headers["content-security-policy"] == CONTENT_SECURITY_POLICY
    assert "script-src 'self';" in CONTENT_SECURITY_POLICY
    assert "style-src 'self';" in CONTENT_SECURITY_POLICY
    assert "require-trusted-types-for 'script'" in CONTENT_SECURITY_POLICY
    assert "unsafe" not in CONTENT_SECURITY_POLICY
