"""Whole games in a real browser: a laptop, a phone, two spectators, and what goes wrong.

One person moves the laptop's mouse and keys, another one the phone. What they did has to be what the record holds.

The table's time stands still while these two look and aim, so nothing that they aim at moves and nothing that they have
seen is outdated when they touch it. It passes while the hands carry out what was done. So a seed's game is the same on
every machine, however busy, to the microsecond.
"""

import contextlib
import random

import pytest

from cardtable.engine.deck import card_name
from cardtable.engine.event import AGREE, NO_CARD, UNDO, Event, find_verb, unpack, verb_arguments, verb_name
from cardtable.engine.record import write_event
from host_tools.minds.players import find_player
from host_tools.sight.seen import look
from host_tools.virtual.fingers import AMBER
from tests.host_tools.web.served import Page, Served, pass_time

pytestmark = [pytest.mark.browser, pytest.mark.micropython]

LAPTOP, PHONE = (1280, 720), (390, 844)
LOOKS = 400  # at the table, one for each act or moment; no game here is longer, for each is the same in every run
OUTDATED = 3  # so many acts of a game may lose a race against a virtual player
VERDICT_US = 1_500_000  # how long a card lies on the reader at most
STEP_US = 400_000  # of the table's time, if nobody here has anything to do
KEYS = {"OK": "o", "NO": "n", "CALL": "c", "MENU": "m"}
BUTTONS = ("OK", "NO", "CALL")
NAMES = ("Anna", "Boris", "Vera", "Gleb", "Daria", "Egor", "Zoya")
CHANCE = ("draw", "turn", "flip")
SPEED = 1000.0  # as fast as the device can
FREE_POINT = """(card) => {
    const box = card.getBoundingClientRect();
    for (let y = 4; y < box.height; y += 6)
        for (let x = 4; x < box.width; x += 4) {
            const hit = document.elementFromPoint(box.left + x, box.top + y);
            if (hit && (hit === card || card.contains(hit)))
                return {x, y};
        }
    return null;
}"""


class Evening:
    """A game with seat 1 at a laptop, seat 2 at a phone, and virtual players at the others."""

    def __init__(self, served, window, game, seats, seed):
        self.served, self.window = served, window
        self.table = served.table
        self.chance = random.Random(seed)
        self.game_line, self.seats = game, seats
        self.done = []  # what seats 1 and 2 did, as the record should have it
        self.refused = []  # what they did in vain, on purpose or too late
        self.ways = {}
        self.mistaken = set()
        self.players = {}

    # --- pages ---

    def sit_down(self):
        """The host starts the game by the page's own form's message, and the phone opens its link."""
        self.pages = {1: self.open(self.served.link(), LAPTOP)}
        whos = ("here", "phone", *["bot:beginner"] * 5)
        people = [{"name": NAMES[seat], "who": whos[seat]} for seat in range(self.seats)]
        self.served.run(self.start(people))
        self.pass_time(lambda: self.table.phase == "play", "the game")
        self.pages[2] = self.open(self.served.link(2), PHONE, touch=True)
        self.watchers = [self.open(self.served.address + "/", LAPTOP), self.open(self.served.address + "/", PHONE)]
        self.wait(lambda: self.table.seating.present == {1, 2}, "the people")

    async def start(self, people):
        host = await Page(self.served.address, self.table.seating.host, "starter123").open()
        await host.until(lambda: "table" in host.told)
        answer = await host.done("start", game=self.game_line, seats=people, dealer=self.seats)
        assert answer["ok"], answer
        await host.close()

    def open(self, url, size, touch=False):
        page = self.window.open(url, size, touch=touch, reduced_motion="reduce")
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

    # --- time ---

    def pass_time(self, is_so, what):
        """Let time pass until that is so, and no longer."""
        pass_time(self.table, is_so, what)

    def pass_a_moment(self):
        """Let time pass until something has happened, or for a moment."""
        version = self.served.read(lambda: self.table.follower.version)
        late_us = self.served.read(lambda: self.table.now_us) + STEP_US

        def has_come():
            is_news = self.table.follower.version != version
            return is_news and self.is_quiet() or self.table.now_us > late_us

        self.pass_time(has_come, "a moment")

    def is_quiet(self):
        """Whether no card lies on a reader, and nobody but the two people here is about to do anything."""
        hands = self.table.hands.values()
        return not any(self.table.tags.lying.values()) and not any(one.is_busy or one.has_plans for one in hands)

    def see(self, seat):
        """Wait until the page of that seat shows all that its seat has heard; the page."""
        page = self.pages[seat]
        heard = self.served.read(lambda: self.table.follower.told[seat])
        page.wait_for_selector(f"body[data-open=yes][data-busy=no][data-heard='{heard}']")
        return page

    def carry_out(self, seat, gesture):
        """Make a gesture at a page, and let the table's time pass until the hands have done what it says."""
        page = self.see(seat)
        done = int(page.locator("body").get_attribute("data-done"))
        gesture(page)
        page.wait_for_selector(f"body[data-done='{done + 1}']")
        hands = self.table.hands[self.served.read(lambda: self.table.place_of(seat))]
        self.pass_time(lambda: not hands.has_work, "the hands")

    # --- what is to be done ---

    def choose(self):
        """(seat, event packed, whether a tap says it) that a beginner would do now at seat 1 or 2; None: nothing."""
        table = self.table
        if table.session is None or not table.is_playing:
            return "over"
        if not self.is_quiet():
            return None
        for seat in (1, 2):
            seen = look(table.session, seat, table.now_ms, table.cards.hand(seat), tuple(table.follower.logs[seat]))
            player = self.players.setdefault(seat, find_player("beginner")(table.game, seat, self.seats, 5))
            choice = player.choose(seen)
            if choice:
                event = unpack(choice.packed, seat, table.now_ms, Event())
                legal = [packed for packed in self.meanings(seat, event.card) if self.would_stand(seat, packed)]
                return seat, choice.packed, legal == [choice.packed]
        return None

    def meanings(self, seat, card):
        """What a tap of the card can mean."""
        meant = []
        if card != NO_CARD and card < self.table.game.CARDS:
            self.table.game.meanings(self.table.session.state, seat, card, meant)
        return meant

    def would_stand(self, seat, packed):
        return not self.table.session.judge(unpack(packed, seat, self.table.now_ms, Event()))

    def do(self, seat, packed, is_plain):
        """Do it with mouse, finger or keys; the record then has it, unless somebody else was quicker."""
        event = unpack(packed, seat, 0, Event())
        text = write_event(self.table.game, event).partition(" ")[2]
        before = self.served.read(lambda: self.table.answers(seat))
        if verb_arguments(self.table.game, event.verb)[:1] == "C" and is_plain:
            way = self.play_card(seat, card_name(event.card))
        else:
            way = self.say(seat, event)
        for line in self.lines_of(seat)[before:]:
            if line.partition(" ! ")[0] == text and " ! " in line:
                self.refused.append(line)
                self.count("outdated")
            elif line.split()[1] not in CHANCE:
                assert line == text, f"{way} said {line}, not {text}"
                self.done.append(line)
                self.count(way)
        if not self.served.read(lambda: self.table.answers(seat)) > before:
            self.count("outdated")  # the table had changed under their hands
            self.drop_offer(seat)
        assert self.ways.get("outdated", 0) <= OUTDATED, (text, way, self.ways)

    def drop_offer(self, seat):
        """NO, if the table offers a choice."""
        if self.served.read(lambda: self.table.light(self.table.place_of(seat))) == AMBER:
            self.press(seat, "NO")

    def lines_of(self, seat):
        """What the record holds of the seat."""
        return [line for line in self.served.record() if line[0] == str(seat)]

    def count(self, way):
        self.ways[way] = self.ways.get(way, 0) + 1

    def play_card(self, seat, card):
        """One of four ways to tap a card."""
        selector = f"button[data-card='{card}']"
        way = self.chance.choice(["click", "drag", "keyboard"] if seat == 1 else ["touch", "drag"])
        if way == "click":
            self.carry_out(seat, lambda page: page.locator(selector).click(position=find_free_point(page, card)))
        elif way == "touch":
            self.carry_out(seat, lambda page: page.locator(selector).tap(position=find_free_point(page, card)))
        elif way == "keyboard":
            self.carry_out(seat, lambda page: page.locator(selector).press("Enter"))
        else:
            self.drag(seat, card)
        return way

    def drag(self, seat, name):
        """Lay the card on the own reader, and take it away after the verdict."""
        place = self.served.read(lambda: self.table.place_of(seat))
        before = self.served.read(lambda: self.table.answers(seat))
        reader = f"[data-reader='{place}']"

        def lay(page):
            box = page.locator(reader).bounding_box()
            page.locator(f"button[data-card='{name}']").hover(position=find_free_point(page, name))
            page.mouse.down()
            page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2, steps=4)
            page.mouse.up()

        self.carry_out(seat, lay)
        late_us = self.served.read(lambda: self.table.now_us) + VERDICT_US
        self.pass_time(lambda: self.table.answers(seat) > before or self.table.now_us > late_us, "the verdict")
        self.pass_time(lambda: not self.table.hands[place].is_busy, "the draw")
        if self.served.read(lambda: name in self.table.tags.lying[place]):  # whoever draws takes it off first
            self.carry_out(seat, lambda page: page.locator(reader).press("Enter"))
        assert not self.served.read(lambda: name in self.table.tags.lying[place])

    def say(self, seat, event):
        """A button where one means it, else the list of moves."""
        game = self.table.game
        keys = self.served.read(lambda: [game.button(self.table.session.state, seat, key) for key in range(3)])
        if event.verb == AGREE:
            keys = [AGREE, 0, 0]
        if event.verb in keys and not verb_arguments(game, event.verb):
            return self.press(seat, BUTTONS[keys.index(event.verb)])
        kinds = verb_arguments(game, event.verb)
        words = [verb_name(game, event.verb), *([card_name(event.card)] if event.card != NO_CARD else [])]
        if kinds[-1:] == "C" and len(kinds) > 1:
            words.append(card_name(event.target))
        elif kinds and kinds != "C":
            words.append(str(event.target))
        move = f"[data-move='{' '.join(words)}'][data-seat='{seat}']"

        def choose(page):
            if seat == 1:
                page.keyboard.press("l")
                page.locator(move).press("Enter")
            else:
                page.locator(".opener").tap()
                page.locator(move).tap()

        self.carry_out(seat, choose)
        return "move"

    def press(self, seat, key):
        """A button, by its letter or by the mouse or finger."""
        if seat == 1 and self.chance.random() < 0.5:
            self.carry_out(seat, lambda page: page.keyboard.press(KEYS[key]))
            return "key"
        self.carry_out(seat, lambda page: page.locator(f"#own [data-button={key}]").click())
        return "button"

    # --- what goes wrong on an evening ---

    def mistake(self):
        """Something that the table refuses: a red light, and the reason beside the seat. False: there is none."""
        found = self.served.read(self.find_mistake)
        if not found:
            return False
        seat, card, key = found
        before = self.served.read(lambda: self.table.answers(seat))
        if card:
            self.play_card(seat, card)
        else:
            self.press(seat, key)
        new = self.lines_of(seat)[before:]
        assert len(new) == 1 and " ! " in new[0], new
        self.refused += new
        line = self.see(seat).locator("#own [data-refusal]")
        assert line.get_attribute("data-refusal") in new[0].split() and line.inner_text().strip()
        return True

    def find_mistake(self):
        """(seat, card, key): a card that cannot be played now, or a button that means nothing that would stand."""
        table = self.table
        for seat in (1, 2):
            if table.hands[table.place_of(seat)].is_drawing or self.would_stand(seat, AGREE << 16 | NO_CARD << 8):
                continue  # the card that comes at once takes the reason away, and so does an undo that is asked
            for card in table.cards.hand(seat):
                meant = self.meanings(seat, card)
                # The same refusal again is none of its own (T6).
                if (seat, card) not in self.mistaken and not any(self.would_stand(seat, one) for one in meant):
                    self.mistaken.add((seat, card))
                    return seat, card_name(card), ""
            for index, key in enumerate(BUTTONS):
                verb = table.game.button(table.session.state, seat, index)
                if verb and not verb_arguments(table.game, verb) and (seat, key) not in self.mistaken:
                    if not self.would_stand(seat, verb << 16 | NO_CARD << 8):
                        self.mistaken.add((seat, key))
                        return seat, "", key
        return None

    def undo(self):
        """By the table's menu and its four buttons; the others agree. False: nothing can be taken back now."""
        def who():
            return next((seat for seat in (1, 2) if self.would_stand(seat, UNDO << 16 | NO_CARD << 8)), 0)

        seat = self.served.read(who)
        if not seat:
            return False
        before = self.served.read(lambda: self.table.answers(seat))
        for key in ("MENU", "OK"):  # undo comes first
            self.carry_out(seat, lambda page, key=key: page.locator(f"#own [data-button={key}]").click())
        new = self.lines_of(seat)[before:]
        if new != [f"{seat} undo"]:
            assert " ! " in new[0], new  # a virtual player was quicker
            self.refused += new
            return False
        self.done += new
        return True

    def reload(self):
        """The page is loaded again: the same hand."""
        before = self.hand(self.see(1))
        self.pages[1].reload()
        assert self.hand(self.see(1)) == before
        return True

    def hand(self, page):
        return sorted(page.locator("button[data-card]").evaluate_all("(all) => all.map((one) => one.dataset.card)"))

    def lose_phone(self):
        """The phone is gone for a while, and comes back by its link."""
        before = self.hand(self.see(2))
        self.pages[2].context.close()
        self.window.contexts.remove(self.pages[2].context)
        self.wait(lambda: 2 not in self.table.seating.present, "the empty seat")
        self.pages[2] = self.open(self.served.link(2), PHONE, touch=True)
        self.wait(lambda: 2 in self.table.seating.present, "the phone")
        assert self.hand(self.see(2)) == before
        return True

    def cut_power(self):
        """In the middle of everything."""
        page = self.see(1)
        before = self.served.record()
        page.click("[data-act=settings]")
        page.click("dialog [data-act=power]")
        self.wait(lambda: not self.table.machine.has_power, "the dark")
        page.wait_for_selector("[data-phase=off]")
        page.locator("#panel [data-act=power]").click()
        self.pass_time(lambda: self.table.phase == "play", "the game again")
        assert self.served.record()[: len(before)] == before
        self.players.clear()
        return True

    def watchers_see_the_same(self):
        """Both spectators, and neither a hand."""
        heard = self.served.read(lambda: self.table.follower.told[0])
        seen = []
        for page in self.watchers:
            page.wait_for_selector(f"body[data-busy=no][data-heard='{heard}']")
            assert page.locator("button[data-card]").count() == 0
            cards = page.locator("[data-card]").evaluate_all("(all) => all.map((one) => one.dataset.card)")
            seen.append(sorted(card for card in cards if card != "back"))
        return seen[0] == seen[1]


def find_free_point(page, card):
    """Where to touch a card: cards of a hand lie over each other, and a part of each can be seen."""
    page.mouse.move(1, 1)  # a card under the pointer rises above its neighbours
    point = page.locator(f"button[data-card='{card}']").evaluate(FREE_POINT)
    assert point is not None, f"{card} is covered"
    return point


def ends_early(evening, count):
    """M16: after so many acts both say that they end their turns, and do so until the game is over."""
    table, choose = evening.table, evening.choose

    def end():
        chosen = choose()
        if len(evening.done) < count or chosen is None or chosen == "over" or chosen[1] >> 16 == AGREE:
            return chosen
        packed = find_verb(table.game, "end") << 16 | NO_CARD << 8
        return (chosen[0], packed, False) if evening.would_stand(chosen[0], packed) else chosen

    evening.choose = end


# Game, seats, seed; the seeds are of games that end soon.
GAMES = [("durak transfer", 4, 3), ("cals-bs", 4, 3), ("bailiff", 4, 4), ("malice", 2, 1)]
GO_ON = ("cals-bs", "bailiff")  # for hundreds of acts, some of them; others are over after eleven
ENOUGH = 60  # acts of such a game
TROUBLE = ((2, "reload"), (3, "mistake"), (4, "lose_phone"), (6, "cut_power"), (7, "undo"), (8, "mistake"))


@pytest.mark.sampled(4)  # what each game shows is tried page by page in other files
@pytest.mark.parametrize(("game", "seats", "seed"), GAMES, ids=[game for game, _, _ in GAMES])
def test_a_whole_game_is_played_in_browsers(tmp_path, window, game, seats, seed):
    """By clicks, drags, touch and keys, with mistakes, undo, reload, a lost phone, a power cut: journal = deeds."""
    with Served(tmp_path, seed=seed, speed=SPEED, stands_still=True) as served, contextlib.closing(window):
        evening = Evening(served, window, game, seats, seed)
        if game == "malice":
            ends_early(evening, 26)
        evening.sit_down()
        trouble = list(TROUBLE)
        for looks in range(LOOKS + 1):
            assert looks < LOOKS, f"the game was not over after {LOOKS} looks: {evening.ways}"
            choice = served.read(lambda: evening.choose())
            if choice == "over" or game in GO_ON and len(evening.done) >= ENOUGH and not trouble:
                break
            if choice is None:
                evening.pass_a_moment()
                continue
            if trouble and len(evening.done) >= trouble[0][0] and getattr(evening, trouble[0][1])():
                evening.count(trouble.pop(0)[1])  # else it is tried again before the next act
            else:
                evening.do(*choice)
        assert not trouble, trouble
        if choice == "over":
            evening.pass_time(lambda: evening.table.known.is_closed, "the end of the record")
        kept = [line for line in served.record() if line[0] in "12" and line.split()[1] not in CHANCE]
        assert [line for line in kept if " ! " not in line] == evening.done
        assert [line for line in kept if " ! " in line] == evening.refused
        if choice == "over":
            evening.pages[1].wait_for_selector("[data-phase=over]")
        assert evening.watchers_see_the_same()
        evening.leave()
        print(game, evening.ways, evening.table.now_us // 1_000_000, "s,", len(evening.done), "acts,", looks, "looks")
