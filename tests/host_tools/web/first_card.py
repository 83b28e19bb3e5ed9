"""Measures a stranger's wait: from `git clone` and `make run` in an empty folder to the first card in a browser; and
what the page has asked for until then, first in a new browser, then once more in the same one.

    .venv/bin/python -m tests.host_tools.web.first_card [--here]

The page is opened in Chromium, the quickest first button is clicked, and the clock stops when a card lies in the bout.
With --here the table is one of this clone, and nothing is timed.
"""

import contextlib
import os
import pty
import re
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from urllib.parse import urlsplit

from playwright.sync_api import sync_playwright

from tests.conftest import ROOT
from tests.host_tools.web.browser import find_browser
from tests.host_tools.web.served import Served
from tests.patience import PATIENCE_MS, PATIENCE_S

LINK = re.compile(r"http://[\w.:]+/#[\w-]+")


def read_link(end: int) -> str:
    """The host's link, as `make run` prints it on its terminal."""
    said = ""
    while not (found := LINK.search(said)):
        block = os.read(end, 4096)
        if not block:
            raise SystemExit(f"make run ended: {said}")
        said += block.decode("utf-8", "replace")
    return found[0]


def count_requests(page):
    """[(path, bytes on the wire)] of all that the page asks for from now on, but for its WebSocket; 0: it had it."""
    asked = []
    tools = page.context.new_cdp_session(page)
    tools.send("Network.enable")
    paths = {}

    def sent(event):
        if event["request"]["url"].startswith("http"):
            paths[event["requestId"]] = urlsplit(event["request"]["url"]).path

    tools.on("Network.requestWillBeSent", sent)
    tools.on("Network.loadingFinished", lambda event: event["requestId"] in paths and asked.append(
        (paths[event["requestId"]], round(event["encodedDataLength"]))))
    return asked


def tell_requests(asked, when):
    """One line."""
    wire = [(path, size) for path, size in asked if size]
    cards = [size for path, size in wire if "/cards/" in path]
    rest = [size for path, size in wire if "/cards/" not in path]
    return (f"{when}: {len(wire)} requests, {sum(cards + rest) / 1024:.0f} KB; {len(rest)} of them for the page "
            f"({sum(rest) / 1024:.0f} KB), {len(cards)} for cards ({sum(cards) / 1024:.0f} KB)")


def lay_first_card(page, link: str) -> None:
    """Start the game with the first button and lay a card, if no virtual player is quicker."""
    page.goto(link)
    page.click("[data-act=quick-start]")
    page.wait_for_selector("body[data-phase=play]")
    laid = "[data-pile^=attack] [data-card]"
    page.wait_for_selector(f"{laid}, #own [data-light=turn]")
    if not page.locator(laid).count():
        page.locator("[data-card].own").first.click()
    page.wait_for_selector(laid)


@contextlib.contextmanager
def opened_page():
    """A page of a new browser."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find_browser(), args=["--no-sandbox"])
        page = browser.new_page()
        page.set_default_timeout(PATIENCE_MS)
        yield page
        browser.close()


def count(page, link: str, laid=lambda: None) -> list[str]:
    """What the page asks for until its first card lies, and when it is opened again. laid: called between the two."""
    asked = count_requests(page)
    lay_first_card(page, link)
    laid()
    first = tell_requests(asked, "to the first card")
    asked.clear()
    page.reload()
    page.wait_for_selector("body[data-phase=play] [data-card].own")
    page.wait_for_load_state("networkidle")
    return [first, tell_requests(asked, "opened again")]


def here() -> None:
    """Print what a page of a table of this clone asks for."""
    with tempfile.TemporaryDirectory() as folder, Served(Path(folder), seed=5) as served, opened_page() as page:
        print("\n".join(count(page, served.link())))


def main() -> None:
    """Print the seconds, and what was asked for."""
    with tempfile.TemporaryDirectory() as folder:
        begun_s = time.monotonic()
        subprocess.run(["git", "clone", "-q", str(ROOT), f"{folder}/cardtable"], check=True)
        ours, theirs = pty.openpty()
        made = subprocess.Popen(["make", "run"], cwd=f"{folder}/cardtable", stdin=theirs, stdout=theirs, stderr=theirs,
                                env={**os.environ, "BROWSER": "true"}, start_new_session=True)
        try:
            link = read_link(ours)
            served_s = time.monotonic() - begun_s
            with opened_page() as page:
                print("\n".join(count(page, link, lambda: print(
                    f"the address after {served_s:.1f} s, the first card after {time.monotonic() - begun_s:.1f} s"))))
        finally:
            os.killpg(made.pid, signal.SIGINT)
            made.wait(PATIENCE_S)


if __name__ == "__main__":
    here() if "--here" in sys.argv else main()
