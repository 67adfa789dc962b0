"""How soon the page is painted, takes questions and lists the library, in Debian's Chromium.

    python evaluation/bench_page.py [--visits 9] [--documents 200]

A visit is a page of its own; cold: with an empty cache, warm: with what an earlier visit left in
it. First paint and first contentful paint are the browser's own (PerformancePaintTiming). Taken
over is when the composer is the script's, listed when the first document stands in the library.
Then the first visit after a start of the program, while models are being loaded. Wall times need
an idle machine. Exits with 1 over the target, which is for a program that has loaded its models.
"""

from __future__ import annotations

import argparse
import os
import shutil
import statistics
import sys
import time
from typing import TYPE_CHECKING, Any

import httpx
from playwright.sync_api import sync_playwright
from serving import serving

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext

TARGET_MS = 200.0
SETTLE_S = 0.5
LOADED_S = 8.0
STARTS = 3
WIDTHS_PX = (1280, 360)
ARGS = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"]
WATCH = """
  window.seen = { shift: 0, longest: 0, blocked: 0, taken: null, listed: null };
  const watch = (type, each) =>
    new PerformanceObserver((list) => list.getEntries().forEach(each)).observe({ type });
  watch('layout-shift', ({ value, hadRecentInput }) => {
    if (!hadRecentInput) seen.shift += value;
  });
  watch('longtask', ({ duration }) => {
    seen.longest = Math.max(seen.longest, duration);
    seen.blocked += duration - 50;
  });
  customElements.whenDefined('rag-composer').then(() => (seen.taken = performance.now()));
  const rows = new MutationObserver(() => {
    if (!document.querySelector('.document')) return;
    seen.listed = performance.now();
    rows.disconnect();
  });
  rows.observe(document, { childList: true, subtree: true });
"""
READ = """() => {
  const paints = performance.getEntriesByType('paint');
  const loads = performance.getEntriesByType('resource');
  return {
    ...seen,
    first: paints.find(({ name }) => name === 'first-paint')?.startTime,
    contentful: paints.find(({ name }) => name === 'first-contentful-paint')?.startTime,
    requests: loads.filter(({ transferSize }) => transferSize > 0).length + 1,
    bytes: loads.reduce((sum, { transferSize }) => sum + transferSize, 0),
  };
}"""


def visit(context: BrowserContext, url: str) -> dict[str, Any]:
    """What one visit of the page was like; times in ms from its start."""
    page = context.new_page()
    page.add_init_script(WATCH)
    page.goto(url)
    page.locator(".document").first.wait_for(state="attached")
    time.sleep(SETTLE_S)
    seen: dict[str, Any] = page.evaluate(READ)
    page.close()
    return seen


def visits(browser: Browser, url: str, count: int, width_px: int, *, warm: bool) -> float:
    """Prints the medians of the visits; returns that of the first paint in ms."""
    viewport = {"width": width_px, "height": 800}
    seen = []
    kept = browser.new_context(viewport=viewport)
    if warm:
        for _ in range(2):  # the browser keeps compiled code from the second visit on
            visit(kept, url)
    for _ in range(count):
        context = kept if warm else browser.new_context(viewport=viewport)
        seen.append(visit(context, url))
        if not warm:
            context.close()
    kept.close()
    show(f"{width_px} px, {'warm' if warm else 'cold'} cache", seen)
    return statistics.median(each["first"] for each in seen)


def show(name: str, seen: list[dict[str, Any]]) -> None:
    """Prints a line of medians, and of the worst where that says more."""
    middle = {key: statistics.median(each[key] for each in seen) for key in seen[0]}
    firsts = [each["first"] for each in seen]
    print(
        f"{name}: first paint {middle['first']:.0f} ms ({min(firsts):.0f} to {max(firsts):.0f}), "
        f"contentful {middle['contentful']:.0f}, taken over {middle['taken']:.0f}, listed "
        f"{middle['listed']:.0f}; longest task {middle['longest']:.0f} ms, over 50 ms in all "
        f"{middle['blocked']:.0f}; layout shift {max(each['shift'] for each in seen):.4f} at most; "
        f"{middle['requests']:.0f} requests, {middle['bytes'] / 1000:.0f} kB",
        flush=True,
    )


def first_visits(browser: Browser) -> None:
    """Prints what the first visit is like right after the program's start."""
    seen = []
    for _ in range(STARTS):
        with serving() as (url, _):
            add(url, 1)  # reads a file and embeds it, but leaves the painter and the rest to load
            context = browser.new_context(viewport={"width": WIDTHS_PX[0], "height": 800})
            seen.append(visit(context, url))
            context.close()
    show("right after the start, cold cache", seen)


def fill(url: str, documents: int) -> None:
    """Puts small documents into the library, and waits until the models are loaded."""
    add(url, documents)
    httpx.get(url).raise_for_status()
    time.sleep(LOADED_S)


def add(url: str, documents: int) -> None:
    """Puts small documents into the library."""
    with httpx.Client(base_url=url, timeout=60) as client:
        for number in range(documents):
            text = f"Keeper {number} of the lighthouse counted {number * 7} ships in a year."
            sent = {"file": (f"keeper {number}.txt", text)}
            client.post("/api/documents", files=sent).raise_for_status()


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--visits", type=int, default=9)
    parser.add_argument("--documents", type=int, default=200)
    arguments = parser.parse_args()
    chromium = os.environ.get("CHROMIUM") or shutil.which("chromium")
    worst = 0.0
    with sync_playwright() as running:
        browser = running.chromium.launch(executable_path=chromium, args=ARGS)
        with serving() as (url, _):
            fill(url, arguments.documents)
            for width_px in WIDTHS_PX:
                for warm in (False, True):
                    worst = max(worst, visits(browser, url, arguments.visits, width_px, warm=warm))
        first_visits(browser)
        browser.close()
    if worst > TARGET_MS:
        print(f"MISSED: first paint at most {TARGET_MS:.0f} ms")
    return int(worst > TARGET_MS)


if __name__ == "__main__":
    sys.exit(main())
