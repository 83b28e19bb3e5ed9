"""A line that swallows requests instead of refusing them, in Chromium: the server takes them, and nothing comes.

Time is the test's: the page has Playwright's clock; in the worker a timer of three seconds or more runs when the test
says so, and a call that cannot wait for a promise, whose time the browser itself counts, waits for less.
"""

import threading

import pytest

from tests.host_tools.published.served_site import Plain, Server
from tests.host_tools.published.test_site import LOBBY, READY, open_table, window  # noqa: F401 - a fixture
from tests.patience import hear, wait_for

pytestmark = [pytest.mark.everything, pytest.mark.browser, pytest.mark.npm]

TIME = """
const held = new Map();
const [later, never] = [globalThis.setTimeout, globalThis.clearTimeout];
globalThis.setTimeout = (act, ms) => {
  if (ms < 3000) return later(act, ms);
  const number = -1 - held.size - performance.now();
  held.set(number, [ms, act]);
  return number;
};
globalThis.clearTimeout = (number) => held.delete(number) || never(number);
new BroadcastChannel("time").onmessage = ({data}) => {
  for (const [number, [ms, act]] of held) if (ms === data && held.delete(number)) act();
};
"""
PASS = "(ms) => { const time = new BroadcastChannel('time'); time.postMessage(ms); time.close(); }"
HALF = "pyodide.later.bin"


class Swallow(Plain):
    """Of what `swallows` names comes `share` of its bytes, and no more until `comes` is set. `asked`: every name."""

    swallows = frozenset()
    share = 0.0
    comes = threading.Event()
    asked = []

    @classmethod
    def begin(cls, *names, share=0.0):
        """Swallow these from now on."""
        cls.swallows, cls.share, cls.comes, cls.asked = frozenset(names), share, threading.Event(), []

    @property
    def name(self):
        return self.path.rpartition("/")[2].partition("?")[0]

    def do_GET(self):
        self.asked.append(self.name)
        if self.name in self.swallows and not self.share:
            return hear(self.comes, "the test", "its end")
        return super().do_GET()

    def copyfile(self, source, outputfile):
        content = source.read()
        if self.name in self.swallows:
            cut = int(len(content) * self.share)
            outputfile.write(content[:cut])
            content = content[cut:]
            hear(self.comes, "the test", "its end")
        outputfile.write(content)


@pytest.fixture
def line(site, tmp_path):
    """A server whose worker has the test's time."""
    play = tmp_path / "play"
    play.mkdir()
    for path in site.iterdir():
        if path.name != "play":
            (tmp_path / path.name).symlink_to(path)
    for path in (site / "play").iterdir():
        (play / path.name).symlink_to(path)
    change(play / "packed.js", lambda text: TIME + text)
    change(play / "worker.js", lambda text: text.replace("ASK_MS = 30_000", "ASK_MS = 300").replace(
        "STAND_MS = 2000", "STAND_MS = 20"))
    server = Server(tmp_path, Swallow)
    yield server
    Swallow.comes.set()
    server.stop()


def change(path, how):
    """Another file in its place."""
    text = path.read_text(encoding="utf-8")
    changed = how(text)
    assert changed != text
    path.unlink()
    path.write_text(changed, encoding="utf-8")


def test_a_table_of_which_no_more_comes_says_so_and_goes_on_once_it_does(window, line):  # noqa: F811
    Swallow.begin("library.bin", share=0.5)
    page = window.open(line.address + "play/?seed=7", is_timed=True, locale="en-US", service_workers="block")
    page.wait_for_selector(LOBBY)
    page.wait_for_selector("body[data-site=siteLoading]")
    wait_for(lambda: "library.bin" in Swallow.asked, "the test", "the library")
    page.clock.pause_at(page.evaluate("Date.now() + 1000"))

    def is_told():  # what had come before is told first
        page.clock.fast_forward(40_000)
        return "Nothing has loaded for half a minute." in page.inner_text("#site")

    wait_for(is_told, "the page", "its sentence")
    page.clock.resume()
    Swallow.comes.set()
    page.wait_for_selector(READY)


def test_what_follows_and_is_swallowed_is_given_up_and_asked_for_again(window, line):  # noqa: F811
    Swallow.begin(HALF)
    page = open_table(window, line, service_workers="block")
    wait_for(lambda: HALF in Swallow.asked, "the test", "what follows the first game")
    page.click("[data-act=quick-start]")
    page.wait_for_selector("body[data-phase=play]")
    assert Swallow.asked.count(HALF) == 1, "the table plays on, and nothing is asked for again before its time"
    Swallow.swallows = frozenset()

    def is_asked_again():
        for ms in (30_000, 3000, 10_000):  # nothing comes; nothing had come meanwhile; again
            page.evaluate(PASS, ms)
        return Swallow.asked.count(HALF) > 1

    wait_for(is_asked_again, "the test", "what was swallowed")
    wait_for(lambda: "later.bin" in Swallow.asked, "the test", "what comes behind it")


def test_a_call_into_what_is_swallowed_waits_says_so_and_goes_on(window, line):  # noqa: F811
    """As with a line that is gone; but a request in vain has no end of its own."""
    Swallow.begin(HALF, "later.bin")
    page = open_table(window, line, service_workers="block", locale="en-US")
    page.fill("[name=own-name]", "Ann 🂡")
    page.click("[data-act=quick-start]")
    page.wait_for_selector("body[data-site=siteGone]")
    assert "No network, and a part of the table is missing." in page.inner_text("#site")
    wait_for(lambda: Swallow.asked.count(HALF) > 2, "the test", "a further try")
    Swallow.swallows = frozenset()
    page.wait_for_selector(f"{READY}[data-phase=play]:has-text('Ann 🂡')")
