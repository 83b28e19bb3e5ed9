"""A short game on a phone, by clicks to its end: what is said then, the moment, the replay, the way back, and again."""

import contextlib
from concurrent.futures import ThreadPoolExecutor

import pytest

from cardtable.engine.deck import card_name
from cardtable.engine.event import NO_CARD, Event, unpack
from host_tools.base.workers import aside
from host_tools.sight.seen import look
from tests.host_tools.web.browser import let_cards_rest
from tests.host_tools.web.served import Served, pass_time
from tests.patience import wait_for

pytestmark = [pytest.mark.browser, pytest.mark.micropython]

PHONE = (390, 844)
SPEED = 1000.0  # as fast as the device can
ACTS = 60  # no game with 24 cards takes more of one seat
SEAT = 1
IS_ON_TOP = """() => [...document.querySelectorAll("#panel button, #panel a")].filter((one) => one.checkVisibility())
    .every((one) => {
        const box = one.getBoundingClientRect();
        return one.contains(document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2));
    })"""


class Phone:
    """Seat 1 on a phone, against a virtual player; the table's time stands still while a finger aims."""

    def __init__(self, served, window):
        self.served, self.table = served, served.table
        self.page = window.open(served.link(SEAT), PHONE, touch=True, reduced_motion="reduce")
        self.page.wait_for_selector("[data-open=yes]")

    def play(self):
        """To the end of the game: the first card that fits, else the button that says something."""
        self.pass_until(lambda: self.table.phase == "play")
        for _ in range(ACTS):
            self.pass_until(lambda: not self.table.is_playing or self.table.phase == "play" and self.is_asked())
            if not self.served.read(lambda: self.table.is_playing):
                return
            self.act(*self.served.read(self.choose))
        raise AssertionError(f"the game was not over after {ACTS} acts")

    def pass_until(self, is_so):
        pass_time(self.table, is_so, "the game")

    def is_asked(self):
        """Whether the seat has something to do, and nobody else is about to."""
        hands = self.table.hands.values()
        calm = not any(self.table.tags.lying.values()) and not any(one.is_busy or one.has_plans for one in hands)
        return calm and bool(self.moves())

    def moves(self):
        """What would stand now."""
        table = self.table
        return look(table.session, SEAT, table.now_ms, table.cards.hand(SEAT)).moves

    def choose(self):
        """(card, key)."""
        moves = [unpack(packed, SEAT, 0, Event()) for packed in self.moves()]
        cards = [card_name(one.card) for one in moves if one.card != NO_CARD]
        keys = [self.table.game.button(self.table.session.state, SEAT, key) for key in range(3)]
        key = next((name for name, verb in zip(("OK", "NO", "CALL"), keys, strict=True)
                    if any(verb == one.verb for one in moves)), "")
        return (cards[0], "") if cards else ("", key)

    def act(self, card, key):
        """A tap on what is seen."""
        heard = self.served.read(lambda: self.table.follower.told[SEAT])
        self.page.wait_for_selector(f"body[data-busy=no][data-heard='{heard}']")
        done = int(self.page.locator("body").get_attribute("data-done"))
        self.page.locator(f"button[data-card='{card}']" if card else f"#own [data-button={key}]").tap()
        self.page.wait_for_selector(f"body[data-done='{done + 1}']")
        self.pass_until(lambda: not self.table.hands[SEAT].has_work)


def test_a_game_on_a_phone_ends_with_a_lesson_and_a_way_back(tmp_path, window, monkeypatch):
    monkeypatch.setattr(aside, "make_process", lambda: ThreadPoolExecutor(1))
    # `simple` is short; that its chances are rough is no matter here.
    monkeypatch.setattr("host_tools.look.lesson.is_checked", lambda *_: True)
    monkeypatch.setattr("host_tools.minds.analysis.judge.is_checked_for", lambda _: True)
    people = [("Anna", "phone"), ("Boris", "bot:beginner")]
    wishes = {"game": "durak simple deck=24", "seats": people, "seed": 5, "speed": SPEED, "stands_still": True}
    with Served(tmp_path, **wishes) as served, contextlib.closing(window):
        phone = Phone(served, window)
        phone.play()
        phone.pass_until(lambda: bool(served.table.known.kept))
        page, panel = phone.page, phone.page.locator("#panel.over")
        ending = served.read(lambda: served.table.session.result())
        own = {"fool 1": "You are the fool this time.", "fool 2": "You got out first! Boris is the fool.",
               "draw": "A draw: nobody loses."}[ending]
        panel.get_by_text(own).wait_for()
        # What decided it has come, and says it: a play, or that no play did.
        lesson = panel.locator(".lesson > p:not(.waits)").first
        lesson.wait_for()
        assert lesson.inner_text().startswith(("It turned here.", "No play"))
        panel.locator(".luck [data-bar=ownPlay]").wait_for()
        points = {bar.get_attribute("data-bar"): int(bar.get_attribute("data-points"))
                  for bar in panel.locator(".luck [data-bar]").all()}
        told = panel.locator(".luck [role=img]").get_attribute("aria-label").replace("−", "-")
        assert f"cards {points['luck']:+d}, your play {points['ownPlay']:+d}," in told
        let_cards_rest(page)
        assert page.evaluate(IS_ON_TOP), "something lies over a button of the end"
        # The whole game, and back: this phone is still Anna's.
        panel.locator("[data-act=watch]").tap()
        page.wait_for_selector("[data-page=view][data-line='0'][data-reader='1']")
        page.locator("[data-act=on]").tap()
        page.wait_for_selector("[data-page=view]:not([data-line='0'])")
        page.locator("[data-act=table]").tap()
        page.wait_for_selector("[data-open=yes][data-role=seat]")
        # The moment itself, where there is one.
        panel.locator(".lesson > p:not(.waits)").first.wait_for()
        moment = panel.locator("[data-act=moment]")
        if moment.is_visible():
            line = moment.get_attribute("href").partition("#line=")[2].partition("&")[0]
            moment.tap()
            page.wait_for_selector(f"[data-page=view][data-line='{line}']")
            page.locator("[data-act=table]").tap()
            page.wait_for_selector("[data-open=yes][data-role=seat]")
        games = served.read(lambda: len(list((served.table.flash / "games").iterdir())))
        panel.locator("[data-act=next]").tap()
        wait_for(lambda: int(page.locator("body").get_attribute("data-done")) > 0, "the test", "an act that is taken")
        phone.pass_until(lambda: served.table.phase == "play" and served.table.is_playing)
        assert served.read(lambda: len(list((served.table.flash / "games").iterdir()))) > games
        window.close()
