"""A real browser against a real server, both on this machine only."""

from __future__ import annotations

import os
import queue
import re
import shutil
import subprocess
import sys
import threading
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

import httpx
import pytest

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Browser, BrowserContext, Page

CHROMIUM = os.environ.get("CHROMIUM") or shutil.which("chromium")
CHROMIUM_ARGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
SERVE = [sys.executable, "-m", "local_rag.cli.main", "serve", "--port", "0", "--no-browser"]
START_TIMEOUT_S = 60
STEP_TIMEOUT_MS = 20_000
_LISTENING = re.compile(r"local-rag is listening on (http://127\.0\.0\.1:\d+)")


@contextmanager
def serving(folder: Path, **settings: str) -> Iterator[str]:
    """A server over ``folder`` with these ``RAG_*`` settings, and the address that it printed."""
    environment = {k: v for k, v in os.environ.items() if not k.startswith("RAG_")}
    environment |= {"RAG_DATA_DIR": str(folder / "data"), "PYTHONUNBUFFERED": "1"} | settings
    log_path = folder / "server.log"
    with (
        log_path.open("w") as log,
        subprocess.Popen(
            SERVE, cwd=folder, env=environment, stdout=subprocess.PIPE, stderr=log, text=True
        ) as process,
    ):
        lines: queue.Queue[str] = queue.Queue()

        def read() -> None:
            for line in process.stdout or ():
                lines.put(line)
            lines.put("")

        reader = threading.Thread(target=read, daemon=True)
        reader.start()
        try:
            while True:
                line = lines.get(timeout=START_TIMEOUT_S)
                if found := _LISTENING.search(line):
                    break
                assert line, f"the server ended: {log_path.read_text()}"
            yield found[1]
        finally:
            process.terminate()
            try:
                process.wait(timeout=20)
            except subprocess.TimeoutExpired:
                process.kill()
            reader.join(timeout=20)


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with serving(tmp_path_factory.mktemp("server")) as url:
        yield url


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    playwright = pytest.importorskip("playwright.sync_api")
    if CHROMIUM is None or not Path(CHROMIUM).exists():
        missing = pytest.fail if os.environ.get("CI") else pytest.skip
        missing("no Chromium: install one, or name it in CHROMIUM")
    with playwright.sync_playwright() as running:
        browser = running.chromium.launch(executable_path=CHROMIUM, args=CHROMIUM_ARGS)
        yield browser
        browser.close()


@dataclass
class Watch:
    """What went wrong in the page, but for the statuses that a test provokes on purpose."""

    expected_statuses: set[int] = field(default_factory=set)
    faults: list[str] = field(default_factory=list)

    def on_console(self, message) -> None:
        if message.type not in ("error", "warning"):
            return
        status = re.search(r"responded with a status of (\d+)", message.text)
        if not status or int(status[1]) not in self.expected_statuses:
            self.faults.append(f"{message.type}: {message.text}")

    def on_request(self, request) -> None:
        if not re.match(r"(http://127\.0\.0\.1:\d+/|blob:|data:)", request.url):
            self.faults.append(f"left this machine: {request.url}")

    def on_popup(self, page) -> None:
        self.faults.append(f"opened a window: {page.url}")


@pytest.fixture
def watch() -> Watch:
    return Watch()


@pytest.fixture
def context(browser: Browser, server: str, watch: Watch) -> Iterator[BrowserContext]:
    for kept in ("documents", "conversations", "tests"):
        httpx.delete(f"{server}/api/{kept}", timeout=30).raise_for_status()
    for job in httpx.get(f"{server}/api/jobs", timeout=30).json()["jobs"]:
        httpx.delete(f"{server}/api/jobs/{job['job_id']}", timeout=30)
    context = browser.new_context(base_url=server, viewport={"width": 1440, "height": 900})
    context.set_default_timeout(STEP_TIMEOUT_MS)
    context.on("console", watch.on_console)
    context.on("weberror", lambda error: watch.faults.append(f"uncaught: {error.error}"))
    context.on("request", watch.on_request)
    yield context
    context.close()


@pytest.fixture
def page(context: BrowserContext, watch: Watch) -> Page:
    from playwright.sync_api import expect

    expect.set_options(timeout=STEP_TIMEOUT_MS)
    page = context.new_page()
    page.on("popup", watch.on_popup)
    page.goto("/")
    expect(page.get_by_text("Nothing leaves this machine")).to_be_visible()
    return page


@pytest.fixture(autouse=True)
def _nothing_went_wrong(watch: Watch) -> Iterator[None]:
    yield
    assert watch.faults == []
