"""Measures how long a visitor of the site waits: from the address to a table, a game, and the first card of it.

    .venv/bin/python -m tests.host_tools.published.first_card [MBIT]

The site is made, given out at MBIT megabits a second (20), and opened in Chromium with an empty cache; then once more
with what was kept, the server gone. Each line: what, seconds, and what the worker says of its own start in ms.
"""

import sys
import tempfile
import threading
import time
from pathlib import Path

from playwright.sync_api import sync_playwright

from host_tools.look.published.build import build
from tests.host_tools.published.served_site import Plain, Server
from tests.host_tools.web.browser import find_browser
from tests.patience import PATIENCE_MS

BLOCK = 16384
LAID = "[data-pile^=attack] [data-card]"


class Slow(Plain):
    """All answers share one line."""

    line = threading.Lock()
    mbit = 20.0

    def copyfile(self, source, outputfile):
        """Block by block, none sooner than the line would have brought it."""
        while block := source.read(BLOCK):
            with self.line:
                due_s = time.monotonic() + len(block) * 8 / self.mbit / 1e6
                outputfile.write(block)
                threading.Event().wait(max(0.0, due_s - time.monotonic()))


def visit(page, address: str, what: str) -> None:
    """Open the table, start the quick game, wait for its first card."""
    begun_s = time.monotonic()

    def tell(name: str) -> None:
        marks = page.evaluate("document.body.dataset.marks")
        print(f"{what}, {name}: {time.monotonic() - begun_s:.1f} s  {marks}", flush=True)

    page.goto(address)
    page.wait_for_selector("[data-act=quick-start]:not([disabled])")
    tell("table")
    page.click("[data-act=quick-start]")
    page.wait_for_selector("body[data-phase=deal], body[data-phase=play]")
    page.wait_for_selector("[data-card]")
    tell("first card")
    page.wait_for_selector(f"body[data-phase=play] {LAID}, body[data-phase=play] #own [data-light=turn]")
    if not page.locator(LAID).count():
        tap_s = time.monotonic()
        page.locator("[data-card].own").first.click()
        page.wait_for_selector(LAID)
        print(f"{what}, tap to card on the table: {1000 * (time.monotonic() - tap_s):.0f} ms")
    tell("first card of the bout")
    print(f"{what}, heap of the page: {page.evaluate('performance.memory.usedJSHeapSize') / 1e6:.0f} MB")


def main() -> None:
    """Print the figures."""
    Slow.mbit = float(sys.argv[1]) if len(sys.argv) > 1 else Slow.mbit
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        begun_s = time.monotonic()
        site = Path(folder) / "site"
        sizes = build(site)
        print(f"made in {time.monotonic() - begun_s:.0f} s: {len(sizes)} files, {sum(sizes.values()) / 1e6:.1f} MB")
        server = Server(site, Slow)
        browser = playwright.chromium.launch(executable_path=find_browser(), args=["--no-sandbox", "--disable-gpu"])
        context = browser.new_context(viewport={"width": 1280, "height": 800})
        page = context.new_page()
        page.set_default_timeout(PATIENCE_MS)
        visit(page, f"{server.address}play/?seed=7", "cold")
        page.wait_for_selector("body[data-offline=yes]")
        server.stop()
        page.evaluate("indexedDB.deleteDatabase('cardtable')")
        visit(page, f"{server.address}play/?seed=7", "warm, without a network")
        browser.close()


if __name__ == "__main__":
    main()
