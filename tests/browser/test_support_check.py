"""The support check as a person meets it: a real server asks a real decision server."""

from __future__ import annotations

import re
from contextlib import contextmanager

import httpx
import pytest
from conftest import STEP_TIMEOUT_MS, serving
from decision_server import CONTRADICTED, INSUFFICIENT, SUPPORTED, UNSURE, DecisionServer
from playwright.sync_api import Page, expect
from steps import ask, question_box, source_pane

pytestmark = pytest.mark.browser

HOSTILE = "<img src=x onerror=window.pwned=1>"
LIGHT = f"The lighthouse was built in 1873. {HOSTILE}\n"
FERRY = "The ferry to the island leaves at eight. A lighthouse keeper built a boat in 1902.\n"
BUILT = "When was the lighthouse built?"
BOTH = "When was the lighthouse built, and when does the ferry to the island leave?"


@pytest.fixture(scope="module")
def running():
    with DecisionServer() as made:
        yield made


@pytest.fixture
def decisions(running: DecisionServer):
    running.reset()
    yield running
    running.stopped.set()


@contextmanager
def checking(folder, decisions: DecisionServer, mode: str, **settings: str):
    told = {"RAG_JEV_BASE_URL": decisions.url, "RAG_JEV_MODEL": "jev-1.13.0"} | settings
    told |= {"RAG_CHAT_PROVIDER": "extractive", "RAG_JEV_MODE": mode}
    with serving(folder, **told) as url:
        for name, text in (("light.txt", LIGHT), ("ferry.txt", FERRY)):
            files = {"file": (name, text.encode())}
            httpx.post(f"{url}/api/documents", files=files, timeout=60).raise_for_status()
        yield url


@pytest.fixture(scope="module")
def observing(tmp_path_factory: pytest.TempPathFactory, running: DecisionServer):
    folder = tmp_path_factory.mktemp("observe")
    with checking(folder, running, "observe", RAG_JEV_TIMEOUT="20") as url:
        yield url


@pytest.fixture(scope="module")
def repairing(tmp_path_factory: pytest.TempPathFactory, running: DecisionServer):
    folder = tmp_path_factory.mktemp("repair")
    with checking(folder, running, "repair", RAG_JEV_TIMEOUT="20") as url:
        yield url


@contextmanager
def opened(browser, url: str, watch, **options):
    there = browser.new_context(base_url=url, viewport={"width": 1280, "height": 900}, **options)
    there.set_default_timeout(STEP_TIMEOUT_MS)
    expect.set_options(timeout=STEP_TIMEOUT_MS)
    there.on("console", watch.on_console)
    there.on("weberror", lambda error: watch.faults.append(f"uncaught: {error.error}"))
    there.on("request", watch.on_request)
    page = there.new_page()
    page.goto("/")
    yield page
    there.close()


@pytest.fixture
def observed(browser, observing: str, decisions: DecisionServer, watch):
    with opened(browser, observing, watch) as page:
        expect(page.get_by_text("Searching all 2 documents")).to_be_visible()
        yield page


@pytest.fixture
def repaired(browser, repairing: str, decisions: DecisionServer, watch):
    with opened(browser, repairing, watch) as page:
        expect(page.get_by_text("Searching all 2 documents")).to_be_visible()
        yield page


def support(turn):
    return turn.get_by_role("region", name="Answer support check")


def statements(turn):
    return support(turn).locator(".support__statement")


def plain(text: str) -> str:
    return re.sub("[\u2066-\u2069]", "", text)


def only_the_ferry(claim, excerpts):
    return SUPPORTED if "ferry" in str(excerpts) else INSUFFICIENT


# --- before a question ---


def test_the_mode_is_said_before_a_question(page: Page, observed: Page, repaired: Page):
    for shown, said in (
        (page, "Support check: off"),
        (observed, "Support check: observe (jev-1.13.0)"),
        (repaired, "Support check: repair (jev-1.13.0)"),
    ):
        status = shown.get_by_role("list", name="Status")
        assert said in plain(status.text_content() or "")
        expect(status).to_contain_text("Nothing leaves this machine")
        expect(status.get_by_text("Support check")).to_be_visible()


def test_it_is_said_when_statements_and_passages_leave_this_machine(
    browser, tmp_path, decisions: DecisionServer, watch
):
    settings = {"RAG_JEV_MODE": "observe", "RAG_JEV_MODEL": "kev:4b-cloud"}
    settings |= {"RAG_JEV_BASE_URL": decisions.url, "RAG_CHAT_PROVIDER": "extractive"}
    with serving(tmp_path, **settings) as url, opened(browser, url, watch) as page:
        status = page.get_by_role("list", name="Status")
        expect(status).to_contain_text(
            "Statements and cited passages are sent to an online checker"
        )
        expect(status).not_to_contain_text("online model")
        expect(status).not_to_contain_text("Nothing leaves")
        assert "observe (kev:4b-cloud, online)" in plain(status.text_content() or "")
        expect(page.locator("rag-intro")).to_contain_text("are sent to the online checker")
    assert decisions.bodies == []


# --- after an answer ---


def test_an_answer_that_nobody_checks_says_nothing_of_checks(page: Page):
    files = {"file": ("light.txt", LIGHT.encode())}
    httpx.post(f"{page.url}api/documents", files=files, timeout=60).raise_for_status()
    page.reload()
    expect(page.get_by_text("Searching your one document")).to_be_visible()
    turn = ask(page, BUILT)
    expect(turn.locator(".answer__text")).to_contain_text("1873")
    expect(support(turn)).to_have_count(0)
    expect(turn.get_by_role("region", name="Worth a look")).to_have_count(0)


def test_each_statement_has_its_status_its_odds_and_its_passages(
    observed: Page, decisions: DecisionServer
):
    decisions.does.judge = lambda claim, _: CONTRADICTED if "ferry" in claim else SUPPORTED
    turn = ask(observed, BOTH)
    expect(support(turn)).to_contain_text("1 supported · 1 contradicted")
    first, second = statements(turn).all()
    expect(first).to_contain_text("Supported The cited passages say so.")
    expect(first).to_contain_text("The lighthouse was built in 1873.")
    expect(first.locator(".odds")).to_have_text("supported 97%contradicted 1%not enough 2%")
    expect(second).to_contain_text("Contradicted The cited passages say otherwise.")
    expect(second.locator("svg.icon")).to_be_visible()
    widths = second.locator(".odds__bar > *").evaluate_all(
        "(all) => all.map((one) => Math.round(one.getBoundingClientRect().width))"
    )
    assert widths == [2, 92, 2]
    second.get_by_role("button", name=re.compile("Source 2: ferry.txt")).click()
    expect(source_pane(observed).locator("blockquote")).to_contain_text("leaves at eight")


def test_what_is_unsure_or_not_enough_is_said_apart(observed: Page, decisions: DecisionServer):
    decisions.does.judge = lambda claim, _: UNSURE if "ferry" in claim else INSUFFICIENT
    turn = ask(observed, BOTH)
    first, second = statements(turn).all()
    expect(first).to_contain_text("Not enough The cited passages do not say so.")
    expect(second).to_contain_text("To be reviewed No judgement is sure enough.")
    expect(turn.locator(".answer__text")).to_contain_text("1873")


def test_the_record_is_folded_and_holds_what_the_program_keeps(
    observed: Page, decisions: DecisionServer
):
    turn = ask(observed, BUILT)
    expect(support(turn).get_by_text("request_id")).to_have_count(0)
    support(turn).get_by_text("Technical record").click()
    body = support(turn).locator(".support__record")
    expect(body).to_contain_text(re.compile(r"1 request, \d+ tokens in, 1 out"))
    for said in ("request_id", "req-1", "policy_version", "sha256", "0.9"):
        expect(body).to_contain_text(said)
    expect(body).to_contain_text("returned_modeljev-1.13.0")


def test_the_page_tells_that_it_checks(observed: Page, decisions: DecisionServer):
    decisions.does.delay_s = 1.5
    question_box(observed).fill(BOTH)
    question_box(observed).press("Enter")
    turn = observed.get_by_role("article", name=BOTH)
    expect(turn).to_contain_text("Checking 2 statements against what they cite…")
    expect(turn).to_contain_text("1 of 2 statements checked")
    expect(turn.locator(".answer__text")).to_contain_text("1873")
    expect(turn).to_have_attribute("aria-busy", "false", timeout=60_000)
    expect(statements(turn)).to_have_count(2)


@pytest.mark.parametrize(
    ("fault", "reason"),
    [
        ("422", "The server that checks answered with an error (HTTP 422)."),
        ("401", "The server that checks does not accept the key (HTTP 401)."),
        ("NaN", "The server’s reply could not be trusted."),
    ],
)
def test_a_check_that_was_not_possible_says_why_and_keeps_the_answer(
    observed: Page, decisions: DecisionServer, fault: str, reason: str
):
    decisions.does.fault = fault
    turn = ask(observed, BUILT)
    expect(turn.locator(".answer__text")).to_contain_text("1873")
    expect(support(turn)).to_contain_text("1 check unavailable")
    expect(support(turn)).to_contain_text(f"{reason} The answer is not affected.")
    expect(statements(turn)).to_contain_text("Check unavailable")
    expect(support(turn).locator(".odds")).to_have_count(0)
    expect(support(turn)).not_to_contain_text("held each statement")
    expect(turn.get_by_role("alert")).to_have_count(0)


def test_a_repair_shows_what_was_cited_before_and_what_is_now(
    repaired: Page, decisions: DecisionServer
):
    decisions.does.judge = only_the_ferry
    turn = ask(repaired, BUILT)
    expect(turn.locator(".sources")).to_contain_text("ferry.txt")
    statement = statements(turn)
    expect(statement).to_contain_text("Supported")
    expect(statement).to_contain_text("Citation repaired")
    sides = statement.locator(".repair__side")
    expect(sides.nth(0)).to_have_text(re.compile(r"^Before.*light\.txt.*not enough 95%$"))
    expect(sides.nth(1)).to_have_text(re.compile(r"^Now\[1\] .*ferry\.txt.*supported 97%$"))
    before = sides.nth(0).get_by_role("button")
    before.click()
    pane = source_pane(repaired)
    expect(pane.locator("blockquote")).to_contain_text("built in 1873")
    expect(pane.locator("blockquote")).to_contain_text(HOSTILE)
    repaired.keyboard.press("Escape")
    expect(before).to_be_focused()
    assert repaired.evaluate("window.pwned") is None
    assert repaired.locator("img[src=x]").count() == 0


def test_a_repair_that_finds_nothing_says_so(repaired: Page, decisions: DecisionServer):
    decisions.does.judge = lambda claim, excerpts: INSUFFICIENT
    turn = ask(repaired, BUILT)
    expect(statements(turn)).to_contain_text("1 other passage was tried")
    expect(turn.locator(".sources")).to_contain_text("light.txt")


def test_flags_are_notes_apart_from_the_check(repaired: Page, decisions: DecisionServer):
    decisions.does.judge = only_the_ferry
    turn = ask(repaired, BUILT)
    notes = turn.get_by_role("region", name="Worth a look")
    assert "Look at the number 1873: not in the cited text" in plain(notes.inner_text())
    expect(notes).to_contain_text("This is no judgement.")
    expect(support(turn)).not_to_contain_text("Look at the number")
    notes.get_by_role("button", name=re.compile("Source 1: ferry.txt")).click()
    expect(source_pane(repaired).locator("blockquote")).to_contain_text("1902")


def test_a_reopened_conversation_and_a_copy_keep_the_checks(
    repaired: Page, decisions: DecisionServer
):
    repaired.context.grant_permissions(["clipboard-read", "clipboard-write"])
    decisions.does.judge = only_the_ferry
    turn = ask(repaired, BUILT)
    turn.get_by_role("button", name="Copy").click()
    expect(turn.get_by_role("button", name="Copied")).to_be_visible()
    copied = plain(repaired.evaluate("navigator.clipboard.readText()"))
    assert "Answer support check: Supported (Citation repaired): The lighthouse was" in copied
    assert "Look at the number 1873: not in the cited text" in copied
    said = support(turn).inner_text(), turn.locator(".flags").inner_text()
    decisions.does.judge = lambda claim, excerpts: CONTRADICTED
    asked = len(decisions.bodies)
    repaired.reload()
    expect(statements(turn)).to_have_count(1)
    assert (support(turn).inner_text(), turn.locator(".flags").inner_text()) == said
    assert len(decisions.bodies) == asked


# --- every place and every reader ---


def test_german_says_it_too(browser, repairing: str, decisions: DecisionServer, watch):
    decisions.does.judge = only_the_ferry
    with opened(browser, repairing, watch, locale="de-DE") as page:
        expect(page.locator(".fact--check")).to_contain_text("Belegprüfung: bessert aus")
        page.locator("textarea").fill(BUILT)
        expect(page.locator("rag-composer [type=submit]")).to_be_enabled()
        page.locator("textarea").press("Enter")
        turn = page.get_by_role("article", name=BUILT)
        expect(turn.get_by_role("region", name="Prüfung der Belege")).to_contain_text("Belegt")
        expect(turn).to_contain_text("Zitat ausgebessert")
        expect(turn.get_by_role("region", name="Einen Blick wert")).to_be_visible()


def test_a_phone_holds_the_check_without_scrolling_sideways(
    repaired: Page, decisions: DecisionServer
):
    repaired.set_viewport_size({"width": 360, "height": 740})
    expect(repaired.get_by_text("Support check")).to_be_visible()
    decisions.does.judge = only_the_ferry
    turn = ask(repaired, BUILT)
    support(turn).get_by_text("Technical record").click()
    expect(support(turn).get_by_text("request_id").first).to_be_visible()
    width = repaired.evaluate("""() => Math.max(document.documentElement.scrollWidth,
      ...Array.from(document.querySelectorAll('.place, .support'), (one) => one.scrollWidth))""")
    assert width <= 360


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_check_can_be_read_in_light_and_dark(
    repaired: Page, decisions: DecisionServer, scheme: str
):
    repaired.emulate_media(color_scheme=scheme, reduced_motion="reduce")
    decisions.does.judge = lambda claim, excerpts: (
        CONTRADICTED if "ferry" in claim else only_the_ferry(claim, excerpts)
    )
    turn = ask(repaired, BOTH)
    support(turn).get_by_text("Technical record").click()
    expect(support(turn).get_by_text("request_id").first).to_be_visible()
    contrasts = turn.evaluate("""(turn) => {
      const light = (colour) => {
        const [r, g, b] = colour.match(/[\\d.]+/g).map((v) => v / 255).map(
          (v) => (v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4));
        return 0.2126 * r + 0.7152 * g + 0.0722 * b;
      };
      const ground = (one) => {
        const colour = getComputedStyle(one).backgroundColor;
        return colour === 'rgba(0, 0, 0, 0)' ? ground(one.parentElement) : light(colour);
      };
      const texts = turn.querySelectorAll(
        '.support :is(p, strong, li, dt, dd, h4, h5, summary, span), .flags :is(span, p)');
      return Array.from(texts).filter((one) => one.textContent).map((one) => {
        const [ink, under] = [light(getComputedStyle(one).color), ground(one)];
        return (Math.max(ink, under) + 0.05) / (Math.min(ink, under) + 0.05);
      });
    }""")
    assert len(contrasts) > 20
    assert min(contrasts) >= 4.5
