"""A first game on a small window, by clicks on what shines, from the lobby to its end and into a game with hints."""

import pytest

from host_tools.play.lessons.lesson import list_lessons
from tests.host_tools.web.browser import FRAMES
from tests.host_tools.web.served import Served
from tests.patience import wait_for

pytestmark = [pytest.mark.browser, pytest.mark.micropython]

PHONE = (390, 844)
ACTS = 60  # no lesson has more clicks
# The lesson as it is seen: its words, how it can be gone on with, and whether the page rests.
LOOK = """() => {
    const box = document.querySelector(".bubble[data-kind=lesson]:not([hidden])");
    return {
        words: box ? box.querySelector(".words").textContent : "",
        done: !!document.querySelector("[data-act=lesson-game]"),
        points: document.querySelectorAll("#own .pointed, #middle .pointed").length,
        rests: document.body.dataset.busy === "no",
        moves: document.querySelectorAll("#own .moves .move").length,
    };
}"""


@pytest.mark.sampled(4)
@pytest.mark.parametrize("name", list_lessons())
def test_a_first_game_is_played_by_clicks_on_what_shines(tmp_path, window, name):
    with Served(tmp_path, seed=7, speed=8.0) as served:
        page = window.open(served.link(), PHONE, reduced_motion="reduce")
        page.click(f"[data-act=learn][data-game={name}]")
        said = set()
        for _ in range(ACTS):
            seen = wait_for(lambda: ready(page), "the test", lambda: f"a step of {name}; {page.evaluate(LOOK)}")
            if seen["done"]:
                break
            said.add(seen["words"])
            go_on(page, seen)
            wait_for(lambda was=seen: page.evaluate(LOOK)["words"] != was["words"] or ready(page), "the test", "news")
        assert seen["done"] and len(said) > 4, said
        page.click("[data-act=lesson-game]")
        page.wait_for_selector("#tools [data-act=hint]:not([hidden])")
        served.wait(lambda: served.table.lesson is None and served.table.is_playing, "a game with hints")
        assert served.read(lambda: served.table.header.game[-1]) == "hints=alone"
        window.close()


def ready(page):
    """What is seen, once the page rests and asks for something."""
    page.evaluate(FRAMES)
    seen = page.evaluate(LOOK)
    asks = seen["points"] or seen["moves"] and ("alone" in seen["words"] or "all yours" in seen["words"])
    return seen if seen["done"] or seen["rests"] and asks else None


def go_on(page, seen):
    """Click what shines; where nothing does, the first of the moves."""
    if seen["points"]:
        page.evaluate("document.querySelector('#own .pointed, #middle .pointed').click()")
    else:
        page.evaluate("document.querySelector('#own .moves .move').click()")
