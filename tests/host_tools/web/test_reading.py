"""Everybody can read it: large text, zoom, a phone on its side, each browser's own language, focus, faces, names."""

import json
import re

import pytest

from tests.host_tools.web import canned
from tests.host_tools.web.browser import REFUSE_STORAGE, check_axe, let_cards_rest, resize
from tests.host_tools.web.fake_table import PAGE
from tests.host_tools.web.served import Page, Served
from tests.host_tools.web.alone import at_table, find_covered, hang_up, until, wait_for_acts

# What is read and pressed: nothing of it may lie outside the window, or be cut within its own box.
BROKEN = """() => Array.from(document.querySelectorAll(
    ".key, #own .plate, #own .who, #own .reader, #own .ask, #own .refusal, .opener, .strip, .label, .card.own"))
  .filter((one) => one.checkVisibility() && one.getClientRects().length).filter((one) => {
    const box = one.getBoundingClientRect();
    const isIn = box.left >= -1 && box.top >= -1 && box.right <= innerWidth + 1 && box.bottom <= innerHeight + 1;
    return !isIn || one.matches(".refusal, .who") && one.scrollWidth > one.clientWidth + 2;
  }).map((one) => one.className + " " + one.textContent)"""
SIZE = "parseFloat(getComputedStyle(document.querySelector('%s')).fontSize) * (Number(document.body.style.zoom) || 1)"


@pytest.mark.browser
def test_a4_text_at_200_percent_doubles_everywhere_and_nothing_is_cut(window, fake):
    page = at_table(window, fake, "durak", role="host")
    before = [page.evaluate(SIZE % one) for one in ("#own .refusal", "#own .key b", "#news")]
    page.evaluate("document.documentElement.style.fontSize = '200%'; dispatchEvent(new Event('resize'))")
    until(page, "document.body.style.zoom === '2'")
    let_cards_rest(page)
    after = [page.evaluate(SIZE % one) for one in ("#own .refusal", "#own .key b", "#news")]
    # A table with half of the room shows its small stage, whose own sizes are a little smaller.
    assert all(large >= 1.7 * small for large, small in zip(after, before, strict=True)), (before, after)
    assert page.evaluate(BROKEN) == [] and find_covered(page) == []


@pytest.mark.browser
def test_a4_large_text_on_a_phone_grows_as_far_as_it_can_be_played(window, fake):
    page = at_table(window, fake, "durak", "ru", size="phone", role="seat")
    for width, height, most in ((390, 844, 1.3), (844, 390, 390 / 360)):
        resize(page, width, height)
        page.evaluate("document.documentElement.style.fontSize = '200%'; dispatchEvent(new Event('resize'))")
        until(page, f"Math.abs(Number(document.body.style.zoom) - {most}) < 0.01")
        let_cards_rest(page)
        assert page.evaluate(BROKEN) == [] and find_covered(page) == [], (width, height)


@pytest.mark.browser
@pytest.mark.sampled(1)
@pytest.mark.parametrize("role", ["host", "seat"])
def test_a5_zoom_of_200_percent_and_a_phone_on_its_side_can_be_played(window, fake, role):
    page = at_table(window, fake, "durak6", "ru", role=role)
    for width, height in ((640, 400), (844, 390), (667, 375), (390, 844)):  # and turned upright again
        resize(page, width, height)
        assert height > width or "compact" in page.evaluate("document.body.dataset.shape")
        let_cards_rest(page)
        assert page.evaluate(BROKEN) == [] and find_covered(page) == [], (width, height)
        card = page.locator("[data-pile=attack4] .card").bounding_box()
        assert card["width"] >= 24, (width, height)


@pytest.mark.browser
def test_a5_the_lobby_at_200_percent_begins_a_game(window, fake):
    page = at_table(window, fake, "lobby")
    resize(page, 640, 400)
    page.click("[data-act=quick-start]")
    wait_for_acts(fake, "start")
    page.locator("form.choose [data-act=start]").scroll_into_view_if_needed()
    page.click("form.choose [data-act=start]")
    wait_for_acts(fake, "start", 2)


@pytest.mark.browser
def test_who_types_in_the_lobby_goes_on_typing_when_a_friend_sits_down(window, fake):
    """Else the next space would press the biggest button, and begin a game."""
    page = at_table(window, fake, "lobby")
    page.fill("[name=own-name]", "AnMaria")
    page.evaluate("document.querySelector('[name=own-name]').setSelectionRange(2, 2)")
    page.evaluate("document.querySelector('details.options').open = true")
    table = next(message for message in canned.lobby("en") if message["type"] == "table")
    fake.push({**table, "guests": {"2": "Vera"}})
    until(page, "document.querySelector('[name=name2]').value === 'Vera'")
    page.keyboard.type("na ")
    until(page, "document.querySelector('[name=own-name]').value === 'Anna Maria'")
    assert page.evaluate("document.querySelector('details.options').open")
    hang_up(page, fake)
    assert not fake.done("start")


@pytest.mark.browser
def test_the_biggest_button_comes_first_and_the_focus_never_falls_to_nothing(window, fake):
    page = at_table(window, fake, "lobby")
    page.keyboard.press("Tab")
    until(page, "document.activeElement.dataset.act === 'quick-start'")
    page.keyboard.press("Enter")
    wait_for_acts(fake, "start")
    for message in canned.durak("en"):
        fake.push(message)
    page.wait_for_selector("[data-phase=play] .card.own")
    until(page, "document.activeElement !== document.body")
    fake.push(canned.over("en")[0])
    fake.push(canned.over("en")[1])
    page.wait_for_selector("#panel.over")
    until(page, "document.activeElement !== document.body")


@pytest.mark.browser
def test_four_colours_and_large_faces_are_switches_that_stay(window, fake):
    page = at_table(window, fake, role="seat", size="phone")
    page.click("[data-act=reading]")
    page.check("dialog [data-act=suits]")
    page.check("dialog [data-act=faces]")
    page.reload()
    page.wait_for_selector("[data-open=yes] [data-card=TC]")
    colour = "getComputedStyle(document.querySelector('.card[data-card=\"%s\"] .corner')).color"
    assert len({page.evaluate(colour % card) for card in ("TC", "9D", "8H", "6S")}) == 4
    assert page.locator("[data-card=TC] img").evaluate("(one) => getComputedStyle(one).visibility") == "hidden"


@pytest.mark.browser
def test_a_browser_that_blocks_cookies_has_the_same_table(window, fake):
    """It keeps nothing for a page, so what is chosen there holds until the page goes."""
    page = window.open("about:blank", size=(390, 844))
    page.add_init_script(REFUSE_STORAGE)
    page.goto(fake.url("durak", "en", "seat"))
    page.click("[data-act=reading]")
    page.check("dialog [data-act=suits]")
    until(page, "document.body.dataset.suits === 'four'")
    page.keyboard.press("Escape")
    page.click("[data-act=reading]")
    page.wait_for_selector("dialog [data-act=suits]:checked")


@pytest.mark.browser
@pytest.mark.sampled(1)
@pytest.mark.parametrize("scene", ["durak6", "over"])
def test_a3_axe_finds_nothing_at_390_and_in_the_small_stage(window, fake, scene):
    page = at_table(window, fake, scene, size="phone", role="seat" if scene == "over" else "host")
    for width, height in ((390, 844), (640, 400)):
        resize(page, width, height)
        until(page, "document.body.dataset.busy === 'no'")
        check_axe(page)


def test_u6_each_browser_reads_its_own_language(tmp_path):
    """At an English table view, news and answers of a Russian browser are Russian; the others' stay English."""
    people = [("Anna", "here"), ("Vera", "here")]
    with Served(tmp_path, seed=1, speed=1000.0, game="durak simple", seats=people) as served:

        async def read():
            host = await Page(served.address, served.table.seating.host, "englishpg").open()
            watcher = await Page(served.address, "", "russianpg").open()
            await watcher.socket.send_str(json.dumps({"type": "speak", "language": "ru"}))
            await watcher.until(lambda: watcher.told.get("table", {}).get("language") == "ru", "Russian")
            await watcher.until(lambda: watcher.told["table"]["phase"] == "play", "the game")
            await host.until(lambda: host.told["table"]["phase"] == "play", "the game")
            await watcher.until(lambda: any("козырь" in line for line in watcher.lines.values()), "news")
            refusal = await watcher.done("press", seat=1, key="OK")
            told = (host.told["table"]["title"], host.told["can"]["seats"], refusal["why"],
                    watcher.told["view"]["waits"])
            lines = list(host.lines.values())
            await host.close()
            await watcher.close()
            return told, lines

        (title, can, why, waits), lines = served.run(read())
    assert title == "Durak, simple" and any("attack" in one["prompt"] for one in can)
    assert why == "зрители не играют" and waits[0]["words"].startswith("Ходит ")
    assert not any(re.search("[а-я]", line) for line in lines)


def test_the_page_can_be_put_on_a_home_screen():
    manifest = json.loads((PAGE / "manifest.webmanifest").read_text(encoding="utf-8"))
    assert manifest["display"] == "standalone" and all((PAGE / one["src"]).is_file() for one in manifest["icons"])
