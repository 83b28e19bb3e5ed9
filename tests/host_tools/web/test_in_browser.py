"""Whole games in a real browser: a laptop, a phone, two spectators, and what goes wrong.

One person moves the laptop's mouse and keys, another one the phone. What they did has to be what the record holds.
"""

import random

import pytest

from cardtable.play.seats import menu_verbs
from cardtable.engine.deck import card_name
from cardtable.engine.event import AGREE, NO_CARD, Event, unpack, verb_arguments, verb_name
from cardtable.engine.record import write_event
from host_tools.players import find_player
from host_tools.players.seen import look
from tests.host_tools.web.served import Served

pytestmark = [pytest.mark.browser, pytest.mark.micropython]

LAPTOP, PHONE = (1280, 720), (390, 844)
ACTS = 400  # no game here is longer
KEYS = {"OK": "o", "NO": "n", "CALL": "c", "MENU": "m"}
NAMES = {1: "Anna", 2: "Boris", 3: "Vera"}


class Evening:
    """A game with seat 1 at a laptop, seat 2 at a phone, and virtual players at the others."""

    def __init__(self, served, window, game, seats, seed):
        self.served, self.window = served, window
        self.table = served.table
        self.chance = random.Random(seed)
        self.game_line, self.seats = game, seats
        self.done = []  # what was done by seats 1 and 2, as the record should have it
        self.ways = {}
        self.slips = 0  # something else was hit than what was aimed at: the page had moved
        self.mistaken = set()
        self.players = {}

    # --- pages ---

    def sit_down(self):
        """The host starts the game by the page's own form's message, and the phone opens its link."""
        self.pages = {1: self.open(self.served.link(), LAPTOP)}
        people = [
            {"name": NAMES[seat], "who": ("here", "phone", "bot:beginner")[seat - 1]}
            for seat in range(1, self.seats + 1)
        ]
        self.served.run(self.start(people))
        self.wait(lambda: self.table.phase == "play", "the game")
        self.pages[2] = self.open(self.served.link(2), PHONE, touch=True)
        self.watchers = [self.open(self.served.address + "/", LAPTOP), self.open(self.served.address + "/", PHONE)]
        self.wait(lambda: self.table.present == {1, 2}, "the people")

    async def start(self, people):
        from tests.host_tools.web.served import Page

        host = await Page(self.served.address, self.table.seating.host, "starter123").open()
        await host.until(lambda: "table" in host.told)
        answer = await host.done("start", game=self.game_line, seats=people, dealer=self.seats)
        assert answer["ok"], answer
        await host.close()

    def open(self, url, size, touch=False):
        page = self.window.open(url, size, touch=touch, reduced_motion="reduce")  # what is aimed at stands still
        page.wait_for_selector("[data-open=yes]")
        return page

    def wait(self, is_so, what):
        self.served.wait(is_so, what)

    def leave(self):
        """Everybody closes the page while the server still runs; no policy was broken."""
        for context in self.window.contexts:
            broken = [line for page in context.pages for line in page.evaluate("window.broken")]
            context.close()
            assert not broken
        self.window.contexts.clear()

    # --- what is to be done ---

    def choose(self):
        """(seat, event packed) that a beginner would do now at seat 1 or 2, or None."""

        def ask():
            table = self.table
            if table.session is None or not table.is_playing:
                return "over"
            for seat in (1, 2):
                seen = look(table.session, seat, table.now_ms, table.cards.hand(seat), tuple(table.follower.logs[seat]))
                player = self.players.setdefault(seat, find_player("beginner")(table.game, seat, self.seats, 5))
                choice = player.choose(seen)
                if choice and not table.hands[table.place_of(seat)].is_busy:
                    meant = []
                    card = choice.packed >> 8 & 255
                    if card != NO_CARD and card < table.game.CARDS:
                        table.game.meanings(table.session.state, seat, card, meant)
                    legal = [
                        packed
                        for packed in meant
                        if not table.session.judge(unpack(packed, seat, table.now_ms, Event()))
                    ]
                    return seat, choice.packed, legal == [choice.packed]
            return None

        return self.served.read(ask)

    def do(self, seat, packed, is_plain):
        """Do it with mouse, finger or keys, and wait until the record has it."""
        game = self.table.game
        event = unpack(packed, seat, 0, Event())
        before = self.served.read(lambda: self.table.answers(seat))
        text = write_event(game, event).partition(" ")[2]
        kinds = verb_arguments(game, event.verb)
        page = self.pages[seat]
        if kinds[:1] == "C" and is_plain:
            way = self.play_card(page, seat, card_name(event.card))
        else:
            way = self.say(page, seat, event)
        try:
            self.served.wait(lambda: self.table.answers(seat) > before or not self.table.is_playing, text, 20)
        except AssertionError:
            self.ways["again"] = self.ways.get("again", 0) + 1
            hands = self.table.hands[self.table.place_of(seat)]
            assert self.ways["again"] < 5, f"{text} by {way} did not happen: {hands.gave_up}"
            return
        self.take_in(seat, before, text)
        self.ways[way] = self.ways.get(way, 0) + 1
        self.wait(
            lambda: not self.table.hands[self.table.place_of(seat)].is_busy and not any(self.table.lying.values()),
            "empty readers",
        )

    def take_in(self, seat, before, text):
        """What the record holds of the seat since: what was meant, a refusal by others' doing, or a slip."""
        for line in [line for line in self.served.record() if line[0] == str(seat)][before:]:
            if " ! " in line:
                self.ways["refused"] = self.ways.get("refused", 0) + 1
            elif line.split()[1] not in CHANCE:
                self.done.append(line)
                self.slips += line != text

    def play_card(self, page, seat, card):
        """One of four ways to tap a card."""
        selector = f"button[data-card='{card}']"
        page.wait_for_selector(selector)
        page.wait_for_timeout(120)
        way = self.chance.choice(["click", "drag", "keyboard"] if seat == 1 else ["touch", "drag"])
        box = page.locator(selector).first.bounding_box()
        x, y = box["x"] + min(10, box["width"] / 2), box["y"] + box["height"] / 2
        if way == "click":
            page.mouse.click(x, y)
        elif way == "touch":
            page.touchscreen.tap(x, y)
        elif way == "keyboard":
            page.locator(selector).first.focus()
            page.keyboard.press("Enter")
        else:
            self.drag(page, x, y, seat)
        return way

    def drag(self, page, x, y, seat):
        """Lay the card on the own reader, and take it away after the verdict."""
        before = self.served.read(lambda: self.table.answers(seat))
        place = self.served.read(lambda: self.table.place_of(seat))
        box = page.locator(f"[data-reader='{place}']").first.bounding_box()
        page.mouse.move(x, y)
        page.mouse.down()
        page.mouse.move(x + 15, y - 15)
        page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2, steps=4)
        page.mouse.up()
        self.served.wait(lambda: self.table.answers(seat) > before, "the verdict")
        page.wait_for_selector(
            f"[data-reader='{place}'] [data-card], [data-card][data-on='{place}'], button[data-card]"
        )
        box = page.locator(f"[data-reader='{place}']").first.bounding_box()
        for _ in range(20):
            if not self.served.read(lambda: self.table.lying[place]):
                return
            page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
            page.wait_for_timeout(150)
        raise AssertionError("the card cannot be taken off the reader")

    def say(self, page, seat, event):
        """A button where one means it, else the list of moves."""
        keys = self.served.read(
            lambda: [self.table.game.button(self.table.session.state, seat, key) for key in range(3)]
        )
        if event.verb == AGREE:
            keys = [AGREE, 0, 0]
        if event.verb in keys and not verb_arguments(self.table.game, event.verb):
            key = ("OK", "NO", "CALL")[keys.index(event.verb)]
            if seat == 1 and self.chance.random() < 0.5:
                page.keyboard.press(KEYS[key])
                return "key"
            page.locator(f"#own [data-button={key}]").click()
            return "button"
        name = verb_name(self.table.game, event.verb)
        for _ in range(100):  # the page may be told a moment later
            for button in page.locator("[data-move]").all():
                words = (button.get_attribute("data-move") or "").split(" ")
                wanted = [name] + ([card_name(event.card)] if event.card != NO_CARD else [])
                if words[: len(wanted)] == wanted and self.same_target(words[len(wanted) :], event):
                    button.evaluate("(button) => button.click()")
                    return "move"
            page.wait_for_timeout(50)
        raise AssertionError(f"{name} is not in the list of moves")

    def same_target(self, words, event):
        kinds = verb_arguments(self.table.game, event.verb)
        if not words:
            return True
        return words[0] == (card_name(event.target) if kinds == "CC" else str(event.target))

    # --- what goes wrong on an evening ---

    def mistake(self):
        """Tap a card that cannot be played now: a red light, and the reason beside the seat."""

        def find():
            table = self.table
            for seat in (1, 2):
                for card in table.cards.hand(seat):
                    if (seat, card) in self.mistaken:  # the same refusal again is none of its own (T6)
                        continue
                    meant = []
                    table.game.meanings(table.session.state, seat, card, meant)
                    if all(table.session.judge(unpack(packed, seat, table.now_ms, Event())) for packed in meant):
                        self.mistaken.add((seat, card))
                        return seat, card_name(card)
            return None

        found = self.served.read(find)
        if not found:
            return
        seat, card = found
        before = self.served.read(lambda: self.table.answers(seat))
        self.play_card(self.pages[seat], seat, card)
        self.served.wait(lambda: self.table.answers(seat) > before, "the refusal")
        self.pages[seat].wait_for_selector("[data-refusal]")
        assert self.pages[seat].locator("[data-refusal]").first.inner_text().strip()
        self.wait(lambda: not any(self.table.lying.values()), "empty readers")
        self.ways["mistake"] = self.ways.get("mistake", 0) + 1

    def undo(self, seat):
        """By the menu of the table, with its four buttons; the other seat agrees with OK."""
        can = self.served.read(lambda: not self.table.session.judge(Event(seat, 2, NO_CARD, 0, self.table.now_ms)))
        if not can or not self.done:
            return False
        steps = len(menu_verbs(self.table.game))
        page = self.pages[seat]
        before = self.served.read(lambda: self.table.answers(seat))
        for _ in range(steps):
            page.locator("#own [data-button=MENU]").click()
            page.wait_for_timeout(120)
        page.locator("#own [data-button=OK]").click()
        self.served.wait(lambda: self.table.answers(seat) > before, "undo")
        self.done.append(f"{seat} undo")
        self.ways["undo"] = self.ways.get("undo", 0) + 1
        return True

    def reload(self):
        """The page is loaded again: the same hand."""
        page = self.pages[1]
        page.wait_for_timeout(500)
        before = self.hand(page)
        page.reload()
        page.wait_for_selector("[data-open=yes]")
        self.has_hand(page, before)

    def has_hand(self, page, wanted):
        """The page shows these cards, sooner or later."""
        for _ in range(100):
            if self.hand(page) == wanted:
                return
            page.wait_for_timeout(50)
        assert self.hand(page) == wanted

    def hand(self, page):
        return sorted(page.locator("button[data-card]").evaluate_all("(all) => all.map((one) => one.dataset.card)"))

    def lose_phone(self):
        """The phone is gone for a while, and comes back by its link."""
        self.pages[2].wait_for_timeout(500)
        before = self.hand(self.pages[2])
        self.pages[2].context.close()
        self.window.contexts.remove(self.pages[2].context)
        self.wait(lambda: 2 not in self.table.present, "the empty seat")
        self.pages[2] = self.open(self.served.link(2), PHONE, touch=True)
        self.wait(lambda: 2 in self.table.present, "the phone")
        self.has_hand(self.pages[2], before)

    def cut_power(self):
        """In the middle of everything."""
        page = self.pages[1]
        before = self.served.record()
        page.click("[data-act=settings]")
        page.click("dialog [data-act=power]")
        self.wait(lambda: not self.table.has_power, "the dark")
        page.wait_for_selector("[data-phase=off]")
        if page.locator("dialog[open]").count():
            page.keyboard.press("Escape")
        (page.locator("[data-act=power]").first).click()
        self.wait(lambda: self.table.phase == "play", "the game again")
        assert self.served.record()[: len(before)] == before

    def watchers_see_the_same(self):
        """Both spectators, and neither a hand."""
        seen = []
        for page in self.watchers:
            assert page.locator("button[data-card]").count() == 0
            cards = page.locator("[data-card]").evaluate_all("(all) => all.map((one) => one.dataset.card)")
            seen.append(sorted(card for card in cards if card != "back"))
        return seen[0] == seen[1]


GAMES = [("durak transfer", 2, 3), ("bailiff", 2, 5)]


@pytest.mark.parametrize(("game", "seats", "seed"), GAMES, ids=[game for game, _, _ in GAMES])
def test_a_whole_game_is_played_in_browsers(tmp_path, window, game, seats, seed):
    """By clicks, drags, touch and keys, with mistakes, undo, reload, a lost phone, a power cut: journal = deeds."""
    with Served(tmp_path, seed=seed, speed=8.0) as served:
        evening = Evening(served, window, game, seats, seed)
        evening.sit_down()
        wanted = {8: "reload", 12: "mistake", 16: "lose_phone", 20: "cut_power", 24: "mistake", 30: "undo"}
        undone = False
        for _ in range(ACTS):
            choice = evening.choose()
            if choice == "over":
                break
            if choice is None:
                evening.pages[1].wait_for_timeout(60)
                continue
            evening.do(*choice)
            due = [name for count, name in wanted.items() if len(evening.done) >= count]
            if due and evening.served.read(lambda: evening.table.phase) == "play":
                name = due[0]
                del wanted[next(count for count in wanted if wanted[count] == name)]
                if name == "undo":
                    undone = evening.undo(choice[0]) or undone
                else:
                    getattr(evening, name)()
        served.wait(lambda: evening.table.phase == "over", "the result", 30)
        kept = [
            line for line in served.record() if line[0] in "12" and " ! " not in line and line.split()[1] not in CHANCE
        ]
        mine = [line for line in evening.done]
        assert kept == mine
        evening.pages[1].wait_for_selector("[data-phase=over]")
        served.wait(lambda: evening.table.is_closed, "the end of the record", 60)
        assert evening.watchers_see_the_same()
        evening.leave()
        print(game, evening.ways, len(mine), "acts")
        assert evening.slips <= 2
        assert evening.ways.get("mistake") and sum(evening.ways.values()) > 10


CHANCE = ("draw", "turn", "flip")
