"""The site opens in the language of the browser, or in the one that was chosen there; no cookie says so."""

import pytest

from host_tools.look.published import build
from host_tools.look.published.flash import make_flash_pages
from host_tools.look.published.pages import make_pages
from tests.host_tools.published.served_site import Server
from tests.host_tools.web.browser import REFUSE_STORAGE
from tests.patience import wait_for

FRONTS = {"": "ru.html", "index.html": "ru.html", "rules/": "rules/ru/", "flash/": "flash/ru.html",
          "bring.html": "bring.ru.html"}


@pytest.fixture(scope="module")
def given(tmp_path_factory):
    """The pages alone, given out: no table comes."""
    folder = tmp_path_factory.mktemp("pages") / "site"
    brought = {"flash/boards.json": b"{}", "flash/esptool.js": b"export class ESPLoader {} export class Transport {}"}
    build.write(folder, {**build.own_files(), **make_pages(), **make_flash_pages(), **brought})
    made = Server(folder)
    yield made.address
    made.stop()


def come(window, address, *languages, script=""):
    """The page at that address, in a browser of somebody who reads these languages. script: runs in it first."""
    page = window.open("about:blank", service_workers="block")
    page.add_init_script(f"Object.defineProperty(navigator, 'languages', {{get: () => {list(languages)}}});{script}")
    page.goto(address)
    return page


@pytest.mark.browser
def test_an_address_without_a_language_leads_to_the_readers(window, given):
    page = come(window, given, "uk-UA", "ru-RU", "en")
    for address, russian in FRONTS.items():
        page.goto(given + address)
        page.wait_for_url(given + russian)
    page.goto(f"{given}rules/#top")
    page.wait_for_url(f"{given}rules/ru/#top")
    page.goto(f"{given}rules/en/durak.html#D16")  # it names one
    page.wait_for_url(f"{given}rules/en/durak.html#D16")
    for languages in (["de"], ["en-GB", "ru"]):
        page = come(window, given, *languages)
        page.wait_for_url(given)
        page.goto(f"{given}rules/")
        page.wait_for_url(f"{given}rules/en/")


@pytest.mark.browser
@pytest.mark.parametrize("script", ["", REFUSE_STORAGE], ids=["kept", "refused"])
def test_a_language_that_is_chosen_stays(window, given, script):
    """Where nothing is kept, on the page that was chosen."""
    page = come(window, given, "ru", script=script)
    page.wait_for_url(f"{given}ru.html")
    page.click("nav a[hreflang=en]")
    page.wait_for_url(f"{given}index.html?language=en")
    page.reload()
    page.wait_for_url(f"{given}index.html?language=en")
    page.click("header > a")
    page.wait_for_url(given + ("ru.html" if script else "index.html"))


@pytest.mark.browser
def test_the_table_speaks_the_language_of_the_page_that_led_to_it(window, given):
    """Unless somebody has chosen another one before: what is kept is what the table's page asks for."""
    kept = "localStorage.getItem('cardtable.language')"
    page = come(window, f"{given}rules/ru/", "en")
    for address in ("rules/ru/", "rules/en/"):
        page.goto(given + address)
        page.evaluate("addEventListener('click', (event) => event.preventDefault())")  # no table comes here
        page.click("nav a[href$='play/']")
        wait_for(lambda: page.evaluate(kept) == "ru", "the test", "the language of the first of both pages")


@pytest.mark.browser
def test_without_scripts_every_language_is_one_press_away(chromium, given):
    context = chromium.new_context(java_script_enabled=False, locale="ru-RU")
    page = context.new_page()
    for address, russian in FRONTS.items():
        page.goto(given + address)
        page.click("nav a[hreflang=ru]")
        assert page.url == given + russian
    context.close()
