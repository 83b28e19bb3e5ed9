"""Somebody who clicks at random on what can be seen comes through every game, and is never stuck."""

import contextlib
import random

import pytest

from host_tools.play.seating import HERE
from tests.host_tools.web.served import Served
from tests.host_tools.web.test_friends import CHANGE
from tests.patience import wait_for

pytestmark = [pytest.mark.browser, pytest.mark.micropython]

IS_ASKED = """() => document.body.dataset.busy === "no"
  && !!document.querySelector("#own :is([data-light=turn], [data-light=choosing])")"""
# [x, y] of each card of the hand and each button with a meaning, at a point where a finger would touch it.
SEEN = """() => Array.from(document.querySelectorAll("#own .key, button[data-card].own")).flatMap((one) => {
  const isKey = one.matches(".key");
  if (isKey && (one.disabled || !one.querySelector("small")?.textContent)) return [];
  const box = one.getBoundingClientRect();
  const [x, y] = isKey ? [box.x + box.width / 2, box.y + box.height / 2] : [box.x + 8, box.y + 24];
  const hit = document.elementFromPoint(x, y);
  return hit && one.contains(hit) ? [[x, y]] : [];
})"""
ENOUGH = 25  # accepted acts of one's own, of a game that goes on
MOST_CLICKS = 500  # between two of them: where one card alone may be played, and then OK, chance takes a hundred


def own_acts(served):
    """How many plays of seat 1 stood."""
    return sum(line.startswith("1 ") and " ! " not in line for line in served.record())


@pytest.mark.parametrize("game", [
    "durak simple deck=24",
    *(pytest.param(game, marks=pytest.mark.everything) for game in ("durak transfer", "bailiff", "cals-bs", "malice")),
])
def test_p_c6_random_clicks_come_through_a_game(tmp_path, window, game):
    chance, clicks, last = random.Random(1), 0, 0
    seats = [("Anna", HERE), ("Boris", "bot:novice"), ("Vera", "bot:novice")][:2 if game == "malice" else 3]
    with Served(tmp_path, seed=4, speed=1000.0, game=game, seats=seats) as served, contextlib.closing(window):
        page = window.open(served.link(), (1280, 800), reduced_motion="reduce")
        page.wait_for_selector("body[data-phase=play]")

        def is_done():
            return page.locator("#panel.over").is_visible() or own_acts(served) >= ENOUGH

        def click():
            seen = page.evaluate(IS_ASKED) and page.evaluate(SEEN)
            if not seen:
                page.evaluate(CHANGE)
                return False
            page.mouse.click(*chance.choice(seen))
            return True

        while not is_done():
            before = own_acts(served)
            wait_for(lambda: is_done() or click(), "somebody who clicks at random", "anything to click")
            clicks = 0 if own_acts(served) > before else clicks + 1
            last = max(last, clicks)
            assert clicks < MOST_CLICKS, "stuck: " + page.locator("#own .prompt").inner_text()
        print(game, own_acts(served), "acts, at most", last, "clicks for one")
