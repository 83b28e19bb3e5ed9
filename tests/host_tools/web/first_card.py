"""Measures a stranger's wait: from `git clone` and `make run` in an empty folder to the first card in a browser.

    .venv/bin/python -m tests.host_tools.web.first_card

The page is opened in Chromium, the quickest first button is clicked, and the clock stops when a card lies in the bout.
"""

import os
import pty
import re
import signal
import subprocess
import tempfile
import time

from playwright.sync_api import sync_playwright

from tests.conftest import ROOT
from tests.host_tools.web.browser import find_browser
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


def lay_first_card(link: str) -> None:
    """Start the game with the first button and lay a card, if no virtual player is quicker."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find_browser(), args=["--no-sandbox"])
        page = browser.new_page()
        page.set_default_timeout(PATIENCE_MS)
        page.goto(link)
        page.click("[data-act=quick-start]")
        page.wait_for_selector("body[data-phase=play]")
        laid = "[data-pile^=attack] [data-card]"
        page.wait_for_selector(f"{laid}, #own [data-light=turn]")
        if not page.locator(laid).count():
            page.locator("[data-card].own").first.click()
        page.wait_for_selector(laid)
        browser.close()


def main() -> None:
    """Print the seconds."""
    with tempfile.TemporaryDirectory() as folder:
        begun_s = time.monotonic()
        subprocess.run(["git", "clone", "-q", str(ROOT), f"{folder}/cardtable"], check=True)
        ours, theirs = pty.openpty()
        made = subprocess.Popen(["make", "run"], cwd=f"{folder}/cardtable", stdin=theirs, stdout=theirs, stderr=theirs,
                                env={**os.environ, "BROWSER": "true"}, start_new_session=True)
        try:
            link = read_link(ours)
            served_s = time.monotonic() - begun_s
            lay_first_card(link)
            print(f"the address after {served_s:.1f} s, the first card after {time.monotonic() - begun_s:.1f} s")
        finally:
            os.killpg(made.pid, signal.SIGINT)
            made.wait(PATIENCE_S)


if __name__ == "__main__":
    main()
