"""The site in Chromium, given out by a plain server of files: a second tab, refused storage, the rulebook."""


import pytest

from tests.host_tools.web.browser import Window

pytestmark = [pytest.mark.everything, pytest.mark.browser, pytest.mark.npm]

LOBBY = "[data-act=quick-start]:not([disabled])"


@pytest.fixture
def window(chromium, kept_pages):
    """Pages that may meet a network that is gone."""
    made = Window(chromium, kept_pages)
    yield made
    made.close()
    errors = [error for error in made.errors if "Failed to load resource" not in error and "ERR_" not in error]
    assert not made.broken and not errors, (made.broken, errors)


def open_table(window, server, path="play/?seed=7", **more):
    page = window.open(server.address + path, size=(1280, 800), **more)
    page.wait_for_selector(LOBBY)
    return page


def test_a_second_tab_waits_for_the_first(window, server):
    first = open_table(window, server)
    second = first.context.new_page()
    second.goto(server.address + "play/")
    second.wait_for_selector("body[data-site=siteOther]")
    assert "another tab" in second.inner_text("#site")
    first.close()
    second.wait_for_selector(LOBBY)


def test_a_browser_that_refuses_storage_plays_and_says_so(window, server):
    context = window.chromium.new_context(service_workers="block")
    window.contexts.append(context)
    context.add_init_script("window.broken = [];")
    context.route("**/play/kept.js", lambda route: route.fulfill(
        content_type="text/javascript", body="self.indexedDB.open = () => { throw new DOMException('refused'); };\n"
        + (server.folder / "play" / "kept.js").read_text(encoding="utf-8")))
    page = context.new_page()
    page.goto(server.address + "play/")
    page.wait_for_selector(LOBBY)
    assert "keeps nothing" in page.inner_text("#site")


def test_the_rulebook_is_searched(window, server):
    page = window.open(server.address + "rules/en/")
    page.fill("#find", "D16")
    page.click('#all li:visible a[href$="#D16"]')
    page.wait_for_selector("li#D16:target")


def test_the_site_is_small_and_its_folder_is_nobody_elses(site):
    assert sum(path.stat().st_size for path in site.rglob("*") if path.is_file()) < 15e6
