"""axe-core's rules for WCAG 2.2 A and AA on what the page shows, light, dark and narrow."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from steps import add, ask, payload

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.browser

PLAIN = b"The lighthouse keeper of Norbury was called Edith Marlowe. The lamp was lit in 1873."
QUESTION = "What was the lighthouse keeper of Norbury called?"
RULES = {"runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]}


def violations(page: Page) -> list[str]:
    from axe_playwright_python.sync_playwright import Axe

    found = Axe().run(page, options=RULES).response["violations"]
    return [
        f"{rule['id']}: {node['html'][:200]} {node['failureSummary']}"
        for rule in found
        for node in rule["nodes"]
    ]


@pytest.fixture(params=["light", "dark", "narrow"])
def look(request, page: Page) -> str:
    scheme = "dark" if request.param == "dark" else "light"
    page.emulate_media(color_scheme=scheme, reduced_motion="reduce")  # nothing half faded in
    if request.param == "narrow":
        page.set_viewport_size({"width": 360, "height": 740})
    return request.param


def test_a_planted_fault_is_found(page: Page):
    page.evaluate("document.querySelector('main').append(document.createElement('img'))")
    assert [found.split(":")[0] for found in violations(page)] == ["image-alt"]


def test_an_empty_library_breaks_no_rule(page: Page, look: str):
    assert violations(page) == []


def test_an_answer_its_evidence_and_its_source_break_no_rule(page: Page, look: str):
    if look == "narrow":
        page.get_by_role("button", name="Documents").click()
    add(page, payload("light.txt", PLAIN))
    if look == "narrow":
        page.get_by_role("button", name="Ask").first.click()
    turn = ask(page, QUESTION)
    assert violations(page) == []
    turn.get_by_text("Everything that was found").click()
    assert violations(page) == []
    turn.get_by_role("button", name="1", exact=False).first.click()
    assert violations(page) == []


@pytest.mark.parametrize("opens", ["?", "h"])
def test_dialogs_break_no_rule(page: Page, look: str, opens: str):
    page.locator("body").press(opens)
    assert violations(page) == []
