"""The page on a phone of 320 pixels: names can be read, and no note lies on what can be pressed."""

import pytest

from tests.host_tools.web.browser import let_cards_rest
from tests.host_tools.web.fake_table import IS_GREETED

SMALLEST = (320, 568)
CUT = """() => [...document.querySelectorAll("#own .who, #seats .who")].filter((one) => one.checkVisibility())
    .map((one) => [one.textContent, one.scrollWidth - one.clientWidth])"""


@pytest.mark.browser
@pytest.mark.parametrize("role", ["host", "seat"])
@pytest.mark.parametrize("language", ["en", "ru"])
def test_each_name_can_be_read(window, fake, language, role):
    """The own one was "Y...", and of a player with a handicap nothing; of the others the first letter stood there."""
    page = window.open("about:blank", SMALLEST, touch=True, is_kept=True)
    for scene in ("durak", "durak6", "cals_bs", "bailiff", "malice"):
        page.goto("about:blank")
        page.goto(fake.url(scene, language, role))
        page.wait_for_selector(IS_GREETED)
        page.wait_for_selector("#own .who:not(:empty)")
        let_cards_rest(page)
        names = page.evaluate(CUT)
        assert names[-1][0] in ("You", "Вы") or names[0][0] in ("You", "Вы"), names
        assert len(names) > 1 and not [name for name, over in names if over > 1], (scene, names)
