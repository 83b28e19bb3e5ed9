"""An evening of Durak: a host and three phones in browsers, by clicks on what they see and nothing else.

One phone is Russian, one has a wrong link first and is lost in the middle of the game; the others let a virtual player
go on for it, and at the end a phone watches the game again.
"""

import contextlib
import random

import pytest

from host_tools.play.web import coming
from tests.host_tools.web.served import Served
from tests.patience import wait_for

pytestmark = [pytest.mark.browser, pytest.mark.micropython]

NEAR = "127.0.0.2"  # stands for this computer's address in its network
PHONE = (390, 844)
IS_ASKED = """() => document.body.dataset.busy === "no" && !!document.querySelector("#own [data-light=turn]")"""
# [what it says, x, y] of each such element that a finger would touch: its middle.
MIDDLES = """(selector) => Array.from(document.querySelectorAll(selector)).flatMap((one) => {
  const box = one.getBoundingClientRect(), x = box.x + box.width / 2, y = box.y + box.height / 2;
  const hit = document.elementFromPoint(x, y);
  return hit && one.contains(hit) ? [[one.dataset.move || "", x, y]] : [];
})"""
# Until anything changes on the page, or for a second of its frames.
CHANGE = """() => new Promise((done) => {
  let frames = 60;
  const watcher = new MutationObserver(() => { frames = 0; });
  watcher.observe(document.body, {attributes: true, childList: true, subtree: true});
  const look = () => (frames-- > 0 ? requestAnimationFrame(look) : (watcher.disconnect(), done()));
  look();
})"""
ACTS_BEFORE_LOSS = 3  # of the three phones together, before one is lost
GIVES_UP = ("take",)  # if each always takes, the same cards go round for ever
MOST_ACTS = 400  # of a game: ten times what these take


class Friends:
    """The pages of those who play, by name."""

    def __init__(self, window):
        self.window, self.pages, self.acts = window, {}, 0
        self.chance = random.Random(1)

    def open(self, url, size=PHONE, **more):
        """A browser of its own, once it knows the table."""
        page = self.window.open(url, size, touch=size == PHONE, reduced_motion="reduce", **more)
        page.wait_for_selector("[data-open=yes]")
        return page

    def sit(self, name, url, **more):
        """Scan the code, say a name, sit down."""
        page = self.pages[name] = self.open(url, **more)
        page.fill("#coming [name=name]", name)
        page.click("#coming [data-act=sit]")
        page.wait_for_selector("body[data-role=seat]")
        return page

    def is_over(self):
        return all(page.locator("#panel.over").is_visible() for page in self.pages.values())

    def act(self):
        """Everybody whose light says so makes a move of the list; else wait for a change. Whether one did."""
        before = self.acts
        for page in [page for page in self.pages.values() if page.evaluate(IS_ASKED)]:
            for _, *opener in page.evaluate(MIDDLES, "#own .opener")[:1]:
                page.mouse.click(*opener)
            moves = page.evaluate(MIDDLES, ".moves.open .move:not([data-move=undo])")  # none, if others were quicker
            if moves:
                _, *at = self.chance.choice([move for move in moves if move[0] not in GIVES_UP] or moves)
                page.mouse.click(*at)
                self.acts += 1
        assert self.acts <= MOST_ACTS, "the friends play on and on"
        if self.acts == before:
            self.pages["Guest"].evaluate(CHANGE)
        return self.acts > before

    def again(self, page):
        """One of them presses *Play again*, and everybody's page follows."""
        page.click("#panel [data-act=next]")
        for one in self.pages.values():
            one.wait_for_selector("body:not([data-phase=over])")

    def play(self, is_so):
        """Until that is so; from each move to the next one no longer than anything may take."""
        while not is_so():
            wait_for(lambda: is_so() or self.act(), "the friends", "a move, or what they play for")


def choose_the_game(host):
    """The shortest Durak there is, for the four who are here."""
    host.select_option("[name=preset]", "simple")
    host.click(".options summary")
    host.select_option("[name=option-deck]", "24")
    host.click("form.choose [data-act=start]")


# For every change until a lost phone is played for; how a game ends on a phone, test_ending.py tries each time.
@pytest.mark.parametrize("games", [0, *(pytest.param(games, marks=pytest.mark.everything) for games in (1, 2))])
def test_an_evening_of_durak_with_three_phones(tmp_path, window, monkeypatch, games):
    monkeypatch.setattr(coming, "own_address", lambda: NEAR)
    with Served(tmp_path, seed=4, speed=1000.0, waits_for_phones=True) as served, contextlib.closing(window):
        friends = Friends(window)
        host = friends.pages["Guest"] = friends.open(served.link(), (1280, 800))
        host.click("[data-act=open]")
        code = wait_for(host.locator(".joining input").input_value, "the host", "the code to join")
        assert code.startswith(f"http://{NEAR}:")
        wrong = friends.open(code[:-5])
        wrong.wait_for_selector("#coming.wrong")
        assert "no seat" in wrong.locator("#coming h2").inner_text()
        window.contexts.remove(wrong.context)
        wrong.context.close()
        friends.sit("Vera", code)
        gleb = friends.sit("Глеб", code, locale="ru-RU")
        dina = friends.sit("Dina", code)
        wait_for(lambda: sorted(host.locator("form.choose [name^=name]").evaluate_all(
            "(all) => all.map((one) => one.value)")) == ["Dina", "Guest", "Vera", "Глеб"], "the host", "its guests")
        choose_the_game(host)
        friends.play(lambda: friends.acts >= ACTS_BEFORE_LOSS)
        gleb.wait_for_selector("html[lang=ru] #title:text-matches('^Дурак')")
        del friends.pages["Dina"]
        window.contexts.remove(dina.context)
        dina.context.close()
        assert_vote(friends, served)
        if not games:
            return
        friends.play(friends.is_over)
        for _ in range(games - 1):
            friends.again(host)
            friends.play(friends.is_over)
        assert gleb.locator("#panel .headline").inner_text()
        vera = friends.pages["Vera"]
        wait_for(lambda: vera.locator("#panel [data-act=watch]").is_visible(), "Vera", "the way to the game")
        vera.click("#panel [data-act=watch]")
        vera.wait_for_selector("body[data-page=view][data-line]")
        host.click("#panel [data-act=next]")
        wait_for(lambda: gleb.locator("body[data-phase=play], body[data-phase=deal]").count(), "Глеб", "the next game")


def assert_vote(friends, served):
    """A phone proposes, another one and the host agree; nobody else is asked."""
    vera, gleb, host = (friends.pages[name] for name in ("Vera", "Глеб", "Guest"))
    vera.wait_for_selector("#vote [data-act=propose]")
    assert "Dina" in vera.locator("#vote").inner_text()
    vera.click("#vote [data-act=propose]")
    gleb.click("#vote [data-act=agree]")
    host.click("#seats [data-act=agree]")
    wait_for(lambda: served.read(lambda: any(chair.stands_in for chair in served.table.seating.chairs.values())),
             "the others", "a virtual player")
    vera.wait_for_selector("#vote", state="hidden")
