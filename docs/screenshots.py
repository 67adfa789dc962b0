"""Makes the README's pictures: a real server, a real browser, documents written here.

uv run nox -s screenshots
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import pymupdf
from playwright.sync_api import Page, sync_playwright

IMAGES = Path(__file__).parent / "images"
ARGUMENTS = ("--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync")  # fmt: skip
PAGES = [
    (
        "Skerry Light: Keeper's Handbook",
        "This handbook is for the keepers and the boatmen of the Skerry Light. It says how the light "
        "is kept, what is done in fog, and who is told when something fails.",
        "1 The station",
        "Skerry Light stands on the northern cape, 31 metres above the highest tide. The tower was "
        "built in 1873 of grey granite and has been automatic since 1988. The light shows two white "
        "flashes every fifteen seconds and reaches 21 nautical miles.",
    ),
    (
        "2 The lamp",
        "The main lamp is a 250-watt metal halide bulb. It is changed every 4,000 hours, or at once "
        "when its colour turns blue. The reserve lamp lights by itself within eight seconds.",
        "2.1 Changing the bulb",
        "Switch the rotation off before the lens is opened. Let the bulb cool for twenty minutes. "
        "Hold the new bulb with a clean cloth only, because the fat of a finger makes the glass crack.",
        "3 Fog",
        "The fog signal is started when the island of Holm, two miles to the west, can no longer be "
        "seen. It gives one blast of three seconds every minute. The keeper on duty writes the hour "
        "of the first and of the last blast into the log.",
    ),
]


def handbook() -> bytes:
    document = pymupdf.open()
    for texts in PAGES:
        page = document.new_page()
        y = 80.0
        for text in texts:
            heading = len(text) < 40
            size, font = (17 if y < 90 else 14, "hebo") if heading else (11, "helv")
            box = pymupdf.Rect(72, y, 523, y + 160)
            left = page.insert_textbox(box, text, fontsize=size, fontname=font, lineheight=1.35)
            y += 160 - left + (8 if heading else 20)
    return document.tobytes()


def main() -> None:
    IMAGES.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "keepers-handbook.pdf").write_bytes(handbook())
        (folder / "supply-boat.md").write_text(
            "# Supply boat\n\nThe boat comes on the first Tuesday of the month, weather permitting.\n"
        )
        command = [
            sys.executable,
            "-m",
            "local_rag.cli.main",
            "serve",
            "--port",
            "0",
            "--no-browser",
        ]
        environment = os.environ | {"RAG_DATA_DIR": str(folder / "data"), "RAG_LOG_LEVEL": "ERROR"}
        with subprocess.Popen(
            command, stdout=subprocess.PIPE, text=True, env=environment
        ) as server:
            assert server.stdout is not None
            url = server.stdout.readline().split()[-1]
            try:
                shoot(url, folder)
            finally:
                server.terminate()


def shoot(url: str, folder: Path) -> None:
    browser_path = os.environ.get("CHROMIUM") or shutil.which("chromium")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=browser_path, args=list(ARGUMENTS))
        page = browser.new_page(viewport={"width": 1440, "height": 860})
        page.goto(url)
        page.get_by_role("button", name="Try it with a sample").wait_for()
        keep(page, "start")
        with page.expect_file_chooser() as chooser:
            page.get_by_role("button", name="Add files").click()
        chooser.value.set_files([folder / "keepers-handbook.pdf", folder / "supply-boat.md"])
        for document in ("keepers-handbook.pdf", "supply-boat.md"):
            page.get_by_role("checkbox", name=f"Search in {document}").wait_for()
        ask(page, "When is the fog signal started?")
        page.get_by_role("button", name="Source 1").first.click()
        page.get_by_role("img", name="quoted lines marked").wait_for()
        keep(page, "answer")
        page.get_by_role("button", name="Close", exact=False).first.click()
        ask(page, "How far does the light reach, and when was the tower built?")
        page.get_by_text("Everything that was found").last.click()
        keep(page, "evidence")
        page.emulate_media(color_scheme="dark")
        page.get_by_role("button", name="Source 1").last.click()
        page.get_by_role("img", name="quoted lines marked").wait_for()
        keep(page, "dark")
        page.emulate_media(color_scheme="light")
        page.set_viewport_size({"width": 360, "height": 740})
        page.get_by_role("navigation", name="Places").get_by_role("button", name="Ask").click()
        keep(page, "phone")
        browser.close()


def ask(page: Page, question: str) -> None:
    page.get_by_role("textbox", name="Your question").fill(question)
    page.keyboard.press("Enter")
    turn = page.get_by_role("article", name=question)
    turn.get_by_text("Everything that was found").wait_for()


def keep(page: Page, name: str) -> None:
    page.wait_for_timeout(1000)  # what slides in has come to rest
    page.screenshot(path=IMAGES / f"{name}.png")


if __name__ == "__main__":
    main()
