"""Tests in a real browser: the mark `browser`, how one is found, and the fixtures that open a page."""

import asyncio
import contextlib
import importlib.util
import os
import re
import shutil
from pathlib import Path

import pytest

from tests.left_out import need
from tests.patience import PATIENCE_MS, wait_for

PAGE = Path(__file__).resolve().parents[3] / "host_tools" / "play" / "web" / "page"
# The first is Chromium without its windows: the same pages for three quarters of the processor's time.
_NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
_WATCH_POLICY = """
    window.broken = [];
    addEventListener("securitypolicyviolation", (event) => window.broken.push(event.violatedDirective));
"""
# Of a browser in which cookies are blocked: it gives a page no storage at all.
REFUSE_STORAGE = """for (const name of ["localStorage", "sessionStorage"]) Object.defineProperty(window, name, {
    configurable: true, get() { throw new DOMException("Access is denied for this document.", "SecurityError"); }});"""
# On a busy machine a click may last as long as a button that is held: no button is, unless `window.mayHold` is true.
HOLD_MS = int(re.search(r"HOLD_MS = (\d+);", (PAGE / "seats.js").read_text(encoding="utf-8")).group(1))
_CALM_HANDS = """{
    const later = window.setTimeout;
    window.setTimeout = (act, ms, ...more) => ms === HOLD_MS && !window.mayHold ? 0 : later(act, ms, ...more);
}""".replace("HOLD_MS", str(HOLD_MS))


def find_browser() -> str | None:
    """The path of a Chromium, or None; CARDTABLE_BROWSER names one."""
    named = os.environ.get("CARDTABLE_BROWSER")
    if named:
        return named if Path(named).exists() else None
    return next(filter(None, map(shutil.which, _NAMES)), None)


def has_browser() -> bool:
    """Whether Chromium and Playwright are there."""
    return bool(find_browser() and importlib.util.find_spec("playwright"))


need("browser", "opens a page in Chromium", has_browser, "tests that open a browser",
     "Install Debian's chromium-headless-shell, or name a Chromium with CARDTABLE_BROWSER.")


@pytest.fixture(scope="session")
def playwright_beside():
    """Playwright, once for all tests of this process, hidden between those that use it: while it is there its event
    loop runs in this thread, and the device inside this Python, which other tests start, needs one of its own.
    """
    from playwright.sync_api import sync_playwright

    begun = sync_playwright()
    playwright = begun.start()
    loop = asyncio.get_running_loop()

    @contextlib.contextmanager
    def shown():
        asyncio._set_running_loop(loop)
        try:
            yield playwright
        finally:
            asyncio._set_running_loop(None)

    asyncio._set_running_loop(None)
    yield shown
    asyncio._set_running_loop(loop)
    playwright.stop()


@pytest.fixture(scope="session")
def browsers(playwright_beside):
    """[the browser of this process], or an empty list before the first test that asks for it."""
    found: list = []
    yield found
    with playwright_beside():
        for browser in found:
            browser.close()


@pytest.fixture(scope="module")
def chromium(playwright_beside, browsers):
    """The browser of this process, which takes half a second and a second of a processor to start; a new one where a
    file has left it dead.
    """
    with playwright_beside() as playwright:
        if not (browsers and browsers[-1].is_connected()):
            browsers[:] = [playwright.chromium.launch(
                executable_path=find_browser(), args=["--no-sandbox", "--disable-gpu"], timeout=PATIENCE_MS)]
        yield browsers[-1]
        for context in browsers[-1].contexts:
            context.close()


def let_cards_rest(page):
    """Wait until nothing on the page moves any more."""
    wait_for(lambda: page.evaluate("document.getAnimations().length === 0"), "the test", "cards at rest")


FRAMES = "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"  # drawn anew by then


def resize(page, width: int, height: int):
    """Give the page another size in pixels, and wait until its script has laid everything out for it: styles follow the
    new size at once, what the script decides (narrow, compact) a frame later.
    """
    page.set_viewport_size({"width": width, "height": height})
    wait_for(lambda: page.evaluate("[innerWidth, innerHeight]") == [width, height], "the test", "the page's new size")
    page.evaluate(FRAMES)


def check_axe(page, *sizes):
    """axe finds nothing on the page, at each of these sizes (width, height), or as it stands."""
    source = Path(importlib.util.find_spec("axe_playwright_python").origin).parent / "axe.min.js"
    if not page.evaluate("'axe' in window"):  # half a megabyte, once for each page
        page.evaluate(source.read_text(encoding="utf-8"))
    for size in sizes or [None]:
        if size:
            resize(page, *size)
        found = page.evaluate("axe.run()")["violations"]
        said = [(one["id"], [node["html"][:120] for node in one["nodes"]][:3]) for one in found]
        assert said == [], (page.url, size)


class Window:
    """Opens pages of one test, and remembers what went wrong in them: `errors`, and `requests` of all addresses."""

    def __init__(self, chromium, kept):
        self.chromium, self.kept = chromium, kept
        self.contexts = []
        self.errors: list[str] = []
        self.requests: list[str] = []
        self.broken: list[str] = []  # policies, once it is closed

    def open(self, url: str, size=(1280, 720), touch: bool = False, is_timed: bool = False, is_kept: bool = False,
             **more):
        """A page of a browser of its own, with nothing kept from others. is_timed: `page.clock` moves its timers on.

        is_kept: the page may be one that an earlier test of the file has left, which costs half as much; only for tests
        that change nothing of the browser itself: routes, listeners, media, clocks.
        """
        if is_kept and not is_timed and not more and self.kept.may_lend(touch):
            page = self.kept.lend(touch, self, lambda: self._make(size, touch))
            resize(page, *size)
        else:
            page = self._make(size, touch, is_timed, **more)
            listen(page, lambda: self)
            self.contexts.append(page.context)
        page.goto(url)
        return page

    def _make(self, size, touch, is_timed=False, **more):
        context = self.chromium.new_context(viewport={"width": size[0], "height": size[1]}, has_touch=touch, **more)
        context.add_init_script(_WATCH_POLICY)
        context.add_init_script(_CALM_HANDS)
        if is_timed:
            context.clock.install()
        context.set_default_timeout(PATIENCE_MS)  # also of the pages that a test opens in it besides
        return context.new_page()

    def close(self):
        """Close every page, before the server goes that it still loads pictures from; a second time does nothing."""
        for context in self.contexts:
            for page in context.pages:
                self.broken += page.evaluate("window.broken")
            context.close()
        self.contexts.clear()
        self.broken += self.kept.take_back(self)


def listen(page, find_window):
    """Tell the window that has the page now what goes wrong in it."""
    def tell(list_name, text):
        window = find_window()
        if window is not None:
            getattr(window, list_name).append(text)

    page.on("pageerror", lambda error: tell("errors", str(error)))
    page.on("console", lambda message: message.type == "error" and tell("errors", message.text))
    page.on("request", lambda request: tell("requests", request.url))


class Kept:
    """The two pages, with touch and without, that the tests of a file use one after the other."""

    def __init__(self):
        self.pages = {}
        self.windows = {}  # who has it now

    def may_lend(self, touch):
        return self.windows.get(touch) is None

    def lend(self, touch, window, make):
        """The page, empty; a new one where there is none yet, or a test has closed it."""
        page = self.pages.get(touch)
        if page is None or page.is_closed():
            if page is not None:
                page.context.close()
            page = self.pages[touch] = make()
            listen(page, lambda: self.windows.get(touch))
        self.windows[touch] = window
        return page

    def take_back(self, window):
        """Forget all that a test has left in its pages; the policies that were broken."""
        broken = []
        for touch in [touch for touch, holder in self.windows.items() if holder is window]:
            page = self.pages[touch]
            if not page.is_closed():
                broken += page.evaluate("window.broken")
                page.evaluate("localStorage.clear(), sessionStorage.clear()")
                page.mouse.move(0, 0)
                page.goto("about:blank")
                page.context.clear_cookies()
            del self.windows[touch]
        return broken


@pytest.fixture(scope="module")
def kept_pages(chromium):
    return Kept()


@pytest.fixture
def window(chromium, kept_pages):
    """A window in which no script fails and no policy is broken."""
    made = Window(chromium, kept_pages)
    yield made
    made.close()
    errors = [error for error in made.errors if "WebSocket" not in error]
    assert not made.broken and not errors, (made.broken, made.errors)


@pytest.fixture
def fake(window):
    """A table that plays nothing, and ends behind the last page that still loads pictures from it."""
    from tests.host_tools.web.fake_table import FakeTable  # it imports the firmware, which few files need

    with FakeTable() as table:
        yield table
        window.close()
