"""Evenings of the other games: a host and two phones, by clicks on what they see, to "Watch the game" on a phone.

Each person plays as a beginner is advised to: the program thinks, the finger chooses that move in the list.
"""

import contextlib

import pytest

from host_tools.play.web import coming
from host_tools.sight.viewer import tell_move
from cardtable.engine.event import Event, unpack
from tests.host_tools.web.served import Served
from tests.host_tools.web.test_friends import IS_ASKED, MIDDLES, NEAR, Friends
from tests.patience import wait_for

pytestmark = [pytest.mark.browser, pytest.mark.micropython, pytest.mark.everything]

SEATS = {"Guest": 1, "Vera": 2, "Gleb": 3}


class Thinkers(Friends):
    """Friends who choose well among what is offered, so that a game comes to its end."""

    def __init__(self, window, served):
        super().__init__(window)
        self.served = served

    def wish(self, seat):
        """The move that a beginner makes in that seat now, as the list names it; None for none."""
        table = self.served.table
        if table.session is None or not table.is_playing:
            return None
        choice = table.hands[table.place_of(seat)]._choose()
        if choice is None:
            return None
        event = unpack(choice[0], seat, 0, Event())
        move = tell_move(table.scene().speaker, table.game, table.session.state, event)
        return " ".join(str(move[part]) for part in ("verb", "card", "target") if move[part] not in (None, ""))

    def is_over(self):
        return not self.served.read(lambda: self.served.table.is_playing) and super().is_over()

    def act(self):
        """Who has a move, as the table knows, makes it where the page offers it; whether one did.

        The pages of the others are left alone, for each question to a browser takes its time.
        """
        before = self.acts
        for name, page in self.pages.items():
            wish = self.served.read(lambda seat=SEATS[name]: self.wish(seat))
            if not wish or not page.evaluate(IS_ASKED):
                continue
            for _, *opener in page.evaluate(MIDDLES, "#own .opener")[:1]:
                page.mouse.click(*opener)
            row = f".moves.open .move[data-move='{wish}'][data-seat='{SEATS[name]}']"
            page.evaluate("(row) => document.querySelector(row)?.scrollIntoView({block: 'nearest'})", row)
            for _, *at in page.evaluate(MIDDLES, row)[:1]:  # none, if somebody else was quicker
                page.mouse.click(*at)
                self.acts += 1
            page.keyboard.press("Escape")
        return self.acts > before


@pytest.mark.parametrize(("game", "chosen"), [
    ("bailiff", {}),
    ("cals-bs", {"preset": "ne-veryu"}),
    ("malice", {"option-payoff": "5"}),
])
def test_an_evening_of_another_game_with_two_phones(tmp_path, window, monkeypatch, game, chosen):
    monkeypatch.setattr(coming, "own_address", lambda: NEAR)
    with Served(tmp_path, seed=4, speed=1000.0, waits_for_phones=True) as served, contextlib.closing(window):
        friends = Thinkers(window, served)
        host = friends.pages["Guest"] = friends.open(served.link(), (1280, 800))
        host.click("[data-act=open]")
        code = wait_for(host.locator(".joining input").input_value, "the host", "the code to join")
        for name in ("Vera", "Gleb"):
            friends.sit(name, code)
        wait_for(lambda: host.locator("form.choose [name^=name]").evaluate_all(
            "(all) => all.map((one) => one.value)")[1:3] == ["Vera", "Gleb"], "the host", "its guests")
        host.select_option("[name=game]", game)
        host.select_option("[name=count]", "3")
        host.click(".options summary")
        for name, value in chosen.items():
            host.select_option(f"[name={name}]", value)
        host.click("form.choose [data-act=start]")
        friends.play(friends.is_over)
        vera = friends.pages["Vera"]
        assert vera.locator("#panel .headline").inner_text()
        wait_for(lambda: vera.locator("#panel [data-act=watch]").is_visible(), "Vera", "the way to the game")
        vera.click("#panel [data-act=watch]")
        vera.wait_for_selector("body[data-page=view][data-line]")
        friends.pages.pop("Vera")
        friends.again(host)
