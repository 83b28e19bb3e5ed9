"""The pictures of README and docs/play.md: each brings a served table and its page to one state.

With `CARDTABLE_PICTURES=1` they write docs/pictures/; without it they only check that each state is reached.
"""

import contextlib
import io
import os
import re

import pytest

from host_tools.play.seating import HERE, PHONE
from tests.conftest import ROOT
from tests.host_tools.web.browser import let_cards_rest
from tests.host_tools.web.served import Served
from tests.patience import wait_for

PICTURES = ROOT / "docs" / "pictures"
PAGE = ROOT / "docs" / "play.md"
WRITES = os.environ.get("CARDTABLE_PICTURES") == "1"
LAPTOP, PHONE_SIZE = (1280, 720), (390, 844)
MOST_BYTES, MOST_PICTURES = 150_000, 6
BOTS = {"en": ("Boris", "Vera", "Gleb"), "ru": ("Борис", "Вера", "Глеб")}
ME = {"en": "Anna", "ru": "Анна"}


@pytest.fixture
def serve(tmp_path):
    """`serve(**wishes)` gives a served table; all of them end with the test."""
    with contextlib.ExitStack() as tables:

        def start(**wishes):
            return tables.enter_context(Served(tmp_path, seed=5, **wishes))

        yield start


def game_with(who, language):
    """Wishes for Durak against three virtual players, the first seat being played by `who`."""
    bots = [(name, "bot:beginner") for name in BOTS[language]]
    return {"game": "durak transfer", "seats": [(ME[language], who), *bots], "language": language}


def take(page, name):
    """Write the picture with a small palette, if pictures are to be written; its size is checked either way."""
    let_cards_rest(page)
    data = page.screenshot(animations="disabled")
    assert data[:4] == b"\x89PNG"
    if WRITES:
        from PIL import Image

        (PICTURES / name).parent.mkdir(exist_ok=True)
        picture = Image.open(io.BytesIO(data)).convert("RGB").quantize(128, dither=Image.Dither.NONE)
        picture.save(PICTURES / name, optimize=True)


def own_turn(page):
    """Wait until seat 1 has its hand and its light says that the table waits for it."""
    page.wait_for_selector("body[data-phase=play]")
    page.wait_for_selector("[data-card].own")
    page.wait_for_selector("[data-seat='1'] [data-light=turn], [data-seat='1'][data-light=turn]")


@pytest.mark.browser
@pytest.mark.everything  # for every change test_in_browser.py plays at such a page
@pytest.mark.parametrize("language", ["en", "ru"])
def test_desktop(serve, window, language):
    served = serve(**game_with(HERE, language))
    page = window.open(served.link(), LAPTOP, locale=language)
    own_turn(page)
    if not page.locator("[data-pile^=attack] [data-card]").count():
        page.locator("[data-card].own").first.click()  # seat 1 opens the bout
    page.wait_for_selector("[data-pile^=attack] [data-card]")
    own_turn(page)
    take(page, "play-desktop.png" if language == "en" else "play-desktop-ru.png")


@pytest.mark.browser
def test_lobby(serve, window):
    served = serve()
    page = window.open(served.link(), LAPTOP)
    page.wait_for_selector("[data-act=quick-start]")
    page.wait_for_selector("select[name=game]")
    take(page, "lobby.png")


@pytest.mark.browser
@pytest.mark.everything  # and test_friends.py
@pytest.mark.parametrize("language", ["en", "ru"])
def test_phone(serve, window, language):
    served = serve(**game_with(PHONE, language))
    page = window.open(served.link(1), PHONE_SIZE, touch=True, locale=language)
    own_turn(page)
    take(page, "phone.png" if language == "en" else "phone-ru.png")


@pytest.mark.browser
def test_refusal_with_its_rule(serve, window):
    """A card that cannot be played now is refused beside the seat; the rule is one click away."""
    served = serve(**game_with(HERE, "en"))
    page = window.open(served.link(), LAPTOP)
    own_turn(page)
    refusals, hand = page.locator("[data-refusal]"), page.locator("[data-card].own")
    for card in hand.all()[:3]:
        count = hand.count()
        card.click()
        wait_for(lambda before=count: refusals.count() or hand.count() != before, "the test", "a refusal, or a play")
        page.wait_for_selector("body[data-busy=no]")  # one tap at a time: bubble and rule tell of the same card
        if refusals.count():
            break
    page.locator("[data-refusal] [data-act=rule]").first.click()
    page.wait_for_selector("dialog[open]")
    take(page, "refusal.png")


def test_the_pages_show_each_picture_and_each_is_small():
    pages = PAGE.read_text(encoding="utf-8") + (ROOT / "README.md").read_text(encoding="utf-8")
    shown = re.findall(r"\]\((?:docs/)?pictures/([\w-]+\.png)\)", pages)
    there = sorted(path.name for path in PICTURES.glob("*.png"))
    assert sorted(set(shown)) == there
    assert 1 <= len(there) <= MOST_PICTURES
    assert all(path.stat().st_size < MOST_BYTES for path in PICTURES.glob("*.png"))
