"""What a person does with the page, and the files they have."""

from __future__ import annotations

import pymupdf
from playwright.sync_api import Page, expect

FACT = "The harbour wall of Brockhaven was finished in 1931 by forty masons."
QUESTION = "When was the harbour wall of Brockhaven finished?"
PLAIN = "The lighthouse keeper of Norbury was called Edith Marlowe."
NOTES = "# Orchard\n\n## Pears\n\nThe pear trees of Tillingdale were planted in 1874 by monks.\n"
FILLER = (
    "Rain fell on most days of the month, and the boats stayed where they were.",
    "The market opened late because the road over the hill was closed.",
    "Nobody in the village could remember a quieter winter than this one.",
    "Letters were carried on foot as far as the mill and collected there.",
)


def pdf(*pages: list[str], labels: str | None = None) -> bytes:
    with pymupdf.open() as document:
        for lines in pages:
            sheet = document.new_page(width=595, height=842)
            for row, line in enumerate(lines):
                if not line:
                    continue
                sheet.insert_text((72, 100 + row * 40), line, fontsize=11)
        if labels:
            document.set_page_labels(
                [{"startpage": 0, "prefix": "", "style": labels, "firstpagenum": 1}]
            )
        return bytes(document.tobytes())


def harbour_pdf() -> bytes:
    # The fact stands low on its sheet, where it is out of sight unless the page scrolls to it.
    return pdf(list(FILLER[:2]), [FILLER[2], *[""] * 13, FACT, FILLER[3]], labels="r")


def payload(name: str, content: bytes | str) -> dict:
    data = content.encode() if isinstance(content, str) else content
    return {"name": name, "mimeType": "application/octet-stream", "buffer": data}


def choose(page: Page, *files: dict) -> None:
    with page.expect_file_chooser() as chooser:
        page.get_by_role("button", name="Add files").click()
    chooser.value.set_files(list(files))


def tick_of(page: Page, name: str):
    return page.get_by_role("checkbox", name=f"Search in {name}")


def add(page: Page, *files: dict) -> None:
    choose(page, *files)
    for file in files:
        expect(tick_of(page, file["name"])).to_be_visible(timeout=90_000)


def question_box(page: Page):
    return page.get_by_role("textbox", name="Your question")


def ask(page: Page, question: str):
    turns = page.get_by_role("article", name=question)
    turn = turns.nth(turns.count())  # it may have been asked before
    question_box(page).fill(question)
    send = page.locator("rag-composer").get_by_role("button", name="Ask", exact=True)
    expect(send).to_be_enabled()  # all is loaded
    question_box(page).press("Enter")
    expect(turn).to_have_attribute("aria-busy", "false", timeout=60_000)
    return turn


def source_pane(page: Page):
    return page.get_by_role("region", name="Source", exact=True)


def arriving(page: Page):
    """The rows of the files on their way in."""
    return page.get_by_role("list", name="Being added").get_by_role("listitem")


def long_pdf(pages: int) -> bytes:
    """Pages of text enough to be seen being read."""
    return pdf(*([f"{line} This is said on sheet {n}." for line in FILLER] for n in range(pages)))


def document_names(page: Page) -> list[str]:
    """The documents that the library shows, in its order."""
    rows = page.get_by_role("list", name="Your documents").locator("li:not([hidden])")
    # Rows out of sight are not laid out, so they have no inner text.
    return rows.locator(".document__name").all_text_contents()


def open_document(page: Page, name: str):
    """Opens a document from the library; returns the place where it is shown."""
    page.get_by_role("button", name=f"Open {name}", exact=True).click()
    return source_pane(page)
