"""The page on a phone of 320 pixels: names can be read, and no note lies on what can be pressed."""

import pytest

from tests.host_tools.web.alone import at_table, hang_up, until
from tests.host_tools.web.browser import let_cards_rest
from tests.host_tools.web.fake_table import IS_GREETED

SMALLEST = (320, 568)
PRESSED = "a, button, select, input, summary"
STAYING = "#bar button, .keys button"  # whatever happens at the table
CUT = """() => [...document.querySelectorAll("#own .who, #seats .who")].filter((one) => one.checkVisibility())
    .map((one) => [one.textContent, one.scrollWidth - one.clientWidth])"""


@pytest.mark.browser
@pytest.mark.parametrize("role", ["host", "seat"])
@pytest.mark.parametrize("language", ["en", "ru"])
def test_each_name_can_be_read(window, fake, language, role):
    """The own one was "Y...", and of a player with a handicap nothing; of the others the first letter stood there."""
    page = window.open("about:blank", SMALLEST, touch=True)
    for scene in ("durak", "durak6", "cals_bs", "bailiff", "malice"):
        page.goto("about:blank")
        page.goto(fake.url(scene, language, role))
        page.wait_for_selector(IS_GREETED)
        page.wait_for_selector("#own .who:not(:empty)")
        let_cards_rest(page)
        names = page.evaluate(CUT)
        assert names[-1][0] in ("You", "Вы") or names[0][0] in ("You", "Вы"), names
        assert len(names) > 1 and not [name for name, over in names if over > 1], (scene, names)


COVERED = """(which) => {
  const note = document.getElementById("state").getBoundingClientRect();
  const beside = (one) => one.left >= note.right || note.left >= one.right;
  const lies = (one) => !beside(one) && one.top < note.bottom && note.top < one.bottom;
  return [...document.querySelectorAll(which)]
    .filter((one) => one.checkVisibility() && lies(one.getBoundingClientRect()))
    .map((one) => one.dataset.act || one.textContent);
}"""


@pytest.mark.browser
@pytest.mark.parametrize("size", [SMALLEST, (390, 844), (568, 320), (1280, 800)], ids=str)
@pytest.mark.parametrize("language", ["en", "ru"])
def test_a_note_lies_on_nothing_that_can_be_pressed(window, fake, language, size):
    """It lay on the lobby's first button for five seconds. Over a game a press goes through it."""
    for scene in ("lobby", "durak", "over"):
        page = window.open(fake.url(scene, language, "host"), size)
        page.wait_for_selector(IS_GREETED)
        page.wait_for_selector("[data-act=quick-start]" if scene == "lobby" else "[data-light]")
        page.click("#tools [data-act=free]")  # the longest note
        page.wait_for_selector("#state[data-kind=note]:not(:empty)")
        assert page.evaluate(COVERED, PRESSED if scene == "lobby" else STAYING) == [], scene
        assert page.evaluate("getComputedStyle(document.getElementById('state')).pointerEvents") == "none"
        box = page.locator("#state").bounding_box()
        assert box["width"] > 250 and 0 <= box["x"] and box["x"] + box["width"] <= size[0], "it can be read"


@pytest.mark.browser
@pytest.mark.parametrize("size", ["phone", "laptop"])
def test_what_is_told_of_a_lost_line_lies_on_no_button_of_the_bar(window, fake, size):
    page = at_table(window, fake, size=size)
    fake.away = True
    fake.cut()
    page.wait_for_selector("[data-open=no]")
    until(page, "document.getElementById('state').textContent === 'Connection lost. Trying again'")
    assert page.evaluate(COVERED, STAYING) == []
    fake.away = False
    page.wait_for_selector("[data-open=yes]")
    hang_up(page, fake)
