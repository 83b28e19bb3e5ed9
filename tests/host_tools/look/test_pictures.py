"""The pictures of docs/look.md: each page at one state. With `CARDTABLE_PICTURES=1` they are written; without it each
state is only reached.
"""

import io
import os
import re

import pytest

from host_tools import cli
from tests.conftest import ROOT
from tests.host_tools.look.made import KEY, SPADES, feed_of, sealed
from tests.host_tools.look.test_games import Site, club  # noqa: F401 - a fixture
from tests.host_tools.look.test_watch import Watched, wait_text
from tests.host_tools.web.browser import let_cards_rest

PICTURES = ROOT / "docs" / "pictures" / "look"
PAGE = ROOT / "docs" / "look.md"
WRITES = os.environ.get("CARDTABLE_PICTURES") == "1"
LAPTOP, PHONE = (1280, 720), (390, 844)
MOST_BYTES = 150_000
PICTURE = pytest.mark.everything  # what the pages do is tried in the files beside this one, for every change


def take(page, name):
    """Write the picture with a small palette, if pictures are to be written."""
    let_cards_rest(page)
    data = page.screenshot(animations="disabled")
    assert data[:4] == b"\x89PNG"
    if WRITES:
        from PIL import Image

        PICTURES.mkdir(exist_ok=True, parents=True)
        picture = Image.open(io.BytesIO(data)).convert("RGB").quantize(96, dither=Image.Dither.NONE)
        picture.save(PICTURES / name, optimize=True)


@pytest.fixture
def evening(tmp_path):
    """A sealed record, and the key of its table."""
    record, _ = sealed(SPADES)
    (tmp_path / "evening.rec").write_bytes(record)
    (tmp_path / "key.bin").write_bytes(KEY)
    return tmp_path


@pytest.mark.browser
@PICTURE
def test_sheet(evening, window):
    sheet = evening / "sheet.html"
    words = ["--find", "joker", "--seat", "Anna", "--refused", "--key", str(evening / "key.bin"), "--html", str(sheet)]
    assert cli.run(["show", str(evening / "evening.rec"), *words]) == 0
    take(window.open(sheet.as_uri(), (900, 1000)), "sheet.png")


@pytest.mark.browser
@PICTURE
def test_replay(evening, window):
    page = evening / "game.html"
    lines = (evening / "evening.rec").read_text().splitlines()
    line = next(number for number, text in enumerate(lines, 1) if text.endswith("! D8"))
    assert cli.run(["view", str(evening / "evening.rec"), "--html", str(page)]) == 0
    for size, name in ((LAPTOP, "replay.png"), (PHONE, "replay-phone.png")):
        shown = window.open(page.as_uri() + f"#line={line}&as=all", size)
        shown.wait_for_selector(f"body[data-line='{line}']")
        take(shown, name)


@pytest.mark.browser
@PICTURE
def test_spectators_overlay_and_clock(window):
    with Watched() as served:
        pages = {name: window.open(f"{served.address}/{name}", LAPTOP) for name in ("", "overlay", "clock")}
        lines = feed_of(SPADES.read_bytes())
        served.take(lines[:75])
        for name, page in pages.items():
            wait_text(page, "#seats" if name else "#feed", "Boris" if name else "★b")
        for name, page in pages.items():
            take(page, f"{name or 'spectator'}.png")
        window.close()


@pytest.mark.browser
@PICTURE
def test_games(club, window):  # noqa: F811
    with Site(club) as served:
        for size, name in ((LAPTOP, "games.png"), (PHONE, "games-phone.png")):
            page = window.open(served.address, size)
            page.wait_for_selector("[data-game='evening.rec']")
            take(page, name)
        window.close()


def test_the_page_shows_each_picture_and_each_is_small():
    shown = re.findall(r"\]\(pictures/look/([\w-]+\.png)\)", PAGE.read_text(encoding="utf-8"))
    assert sorted(set(shown)) == sorted(path.name for path in PICTURES.glob("*.png"))
    assert all(path.stat().st_size < MOST_BYTES for path in PICTURES.glob("*.png"))
