"""Measures how long a visitor of the site waits: from the address to a table, a game, and the first card of it.

    .venv/bin/python -m tests.host_tools.published.first_card [MBIT [SLOWER]]

The site is made, given out at MBIT megabits a second (20), and opened in Chromium with an empty cache; then once more
with what was kept, the server gone and the game put away. Each line: what, seconds, processor seconds of all the
browser's processes, those of the page's own thread, and what the worker says of its own start in ms. SLOWER (1): so
many times slower is the page's own thread, by Chromium's DevTools protocol; the worker's is not, so of a slower
processor the processor seconds say more. Chromium slows a thread by letting it count in vain, also while it has nothing
to do: with 4 some two thirds of a core are gone, which the worker lacks on two cores. Afterwards the table is left
alone for a while: the share of a core that it takes. At last cards are tapped: how long until the seat's light says
what is judged of it.
"""

import contextlib
import os
import sys
import tempfile
import threading
import time
from pathlib import Path

from playwright.sync_api import sync_playwright

import tests.conftest  # noqa: F401 - makes the firmware's modules known

from host_tools.look.published.build import build
from tests.host_tools.published.served_site import Plain, Server
from tests.host_tools.web.browser import find_browser
from tests.patience import PATIENCE_MS

BLOCK = 16384
IDLE_S = 20
TAPS = 2
PUT_AWAY = "localStorage.removeItem('cardtable.phase'); indexedDB.deleteDatabase('cardtable')"
LAID = "[data-pile^=attack] [data-card]"
# Told by the page, which looks when something changes: a driver that asks at each frame has it draw sixty a second.
FIRST_CARD = """() => new Promise((done) => {
  const look = () => {
    const isDealt = ["deal", "play"].includes(document.body.dataset.phase) && document.querySelector("[data-card]");
    if (isDealt) done(performance.now());
  };
  new MutationObserver(look).observe(document, {subtree: true, childList: true, attributes: true});
  look();
})"""
TAPPED = """() => {
  const own = document.getElementById("own");
  let begun = 0;
  addEventListener("pointerup", () => { begun = performance.now(); }, {capture: true, once: true});
  window.verdict = new Promise((done) => {
    new MutationObserver(() => {
      const {light} = (own.querySelector("[data-light]") || own).dataset;
      const told = `${light} after ${Math.round(performance.now() - begun)} ms`;
      if (begun && ["accepted", "refused"].includes(light)) done(told);
    }).observe(own, {subtree: true, attributes: true, attributeFilter: ["data-light"]});
  });
}"""


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


def ticks_s(stat: Path) -> tuple[int, float]:
    """(the process above, processor seconds) of a process or thread. OSError where it has ended."""
    facts = stat.read_text(encoding="utf-8").rpartition(")")[2].split()
    return int(facts[1]), (int(facts[11]) + int(facts[12])) / TICKS


def spent_s() -> tuple[float, float]:
    """Processor seconds of the processes below this one, which are the browser's, and of their pages' own threads."""
    parents, spent, own = {}, {}, {}
    for home in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):  # it has ended meanwhile
            number = int(home.name)
            parents[number], spent[number] = ticks_s(home / "stat")
            if b"--type=renderer" in (home / "cmdline").read_bytes():
                own[number] = ticks_s(home / "task" / home.name / "stat")[1]
    found, rest = set(), {os.getpid()}
    while rest:
        rest = {number for number, parent in parents.items() if parent in rest} - found
        found |= rest
    return sum(spent[number] for number in found), sum(own.get(number, 0.0) for number in found)


TICKS = os.sysconf("SC_CLK_TCK")


def visit(page, address: str, what: str) -> None:
    """Open the table, start the quick game, wait for its first card."""
    begun_s, (spent_before_s, own_before_s) = time.monotonic(), spent_s()

    def tell(name: str) -> None:
        marks = page.evaluate("document.body.dataset.marks")
        spent, own = spent_s()
        print(f"{what}, {name}: {time.monotonic() - begun_s:.1f} s, {spent - spent_before_s:.1f} s of processor time, "
              f"{own - own_before_s:.2f} s of the page's own thread  {marks}", flush=True)

    page.goto(address)
    page.wait_for_selector("[data-act=quick-start]:not([disabled])")
    tell("table")
    page.click("[data-act=quick-start]")
    print(f"{what}, first card by the page's own clock: {page.evaluate(FIRST_CARD) / 1000:.2f} s")
    tell("first card")
    page.wait_for_selector(f"body[data-phase=play] {LAID}, body[data-phase=play] #own [data-light=turn]")
    if not page.locator(LAID).count():
        tap_s = time.monotonic()
        page.locator("[data-card].own").first.click()
        page.wait_for_selector(LAID)
        print(f"{what}, tap to card on the table: {1000 * (time.monotonic() - tap_s):.0f} ms")
    tell("first card of the bout")
    print(f"{what}, heap of the page: {page.evaluate('performance.memory.usedJSHeapSize') / 1e6:.0f} MB")


def tap(page) -> None:
    """Tap cards of the own hand whose turn it is: what the light says, and when."""
    for number in range(TAPS):
        page.wait_for_selector("body[data-phase=play] #own [data-light=turn]")
        page.evaluate(TAPPED)
        page.locator("[data-card].own").nth(number).click()
        print(f"a tap: {page.evaluate('verdict')}", flush=True)


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
        slower = float(sys.argv[2]) if len(sys.argv) > 2 else 1
        context.new_cdp_session(page).send("Emulation.setCPUThrottlingRate", {"rate": slower})
        visit(page, f"{server.address}play/?seed=7", "cold")
        page.wait_for_selector("body[data-offline=yes]")
        server.stop()
        page.evaluate(PUT_AWAY)  # a visitor who comes back in mid-game has no lobby, and no first card to wait for
        visit(page, f"{server.address}play/?seed=7", "warm, without a network")
        page.wait_for_selector("body[data-phase=play] #own [data-light=turn]")  # now the table waits for somebody
        begun_s, (spent_before_s, _) = time.monotonic(), spent_s()
        threading.Event().wait(IDLE_S)
        share = (spent_s()[0] - spent_before_s) / (time.monotonic() - begun_s)
        print(f"a table that waits for somebody: {100 * share:.0f} % of a core", flush=True)
        tap(page)
        browser.close()


if __name__ == "__main__":
    main()
