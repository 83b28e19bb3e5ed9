"""T11, D47, C17, M17: a browser learns nothing that its seats may not know: by bytes, lengths, moments, ever."""

import json
import re
import tempfile
from pathlib import Path
from types import SimpleNamespace

import pytest

from cardtable.drivers import font6x8
from cardtable.engine.deck import card_number
from cardtable.engine.event import DRAW, NO_CARD, OWN_VERB, SHOWS_ALL, Event
from cardtable.engine.state import HAND, STOCK, place_name
from host_tools.play.acts import Actor, NotAllowed
from host_tools.play.known import Known
from host_tools.play.table import LiveTable
from host_tools.sight.course import Course
from host_tools.sight.feed import Feed
from host_tools.sight.follower import Follower
from host_tools.sight.scene import Scene
from host_tools.sight.viewer import Viewer
from host_tools.virtual.glass import read_text
from tests.games.random_games import catalogue, count_games
from tests.games.twins import telling_twins
from tests.host_tools.web.served import pass_time, read

CARD = re.compile(r'"((?:[2-9TJQKA][SHDC]|X[BR])2?)"')
PIPS = re.compile(r"(10|[2-9JQKA])([♠♥♦♣])")
# Kinds of places whose cards lie face up for all, by the rulebook; everything else is somebody's secret, or nobody's.
FACE_UP = {
    "durak": ("turned", "attack", "cover"),
    "bailiff": ("covered", "front", "raise"),
    "cals-bs": (),
    "malice": ("turned", "centre", "side1.", "side2."),
}
OWN = {"cals-bs": ("staged",)}
SOON_US = 2_000_000


# --- by bytes and lengths: two games that differ only in what is hidden ---


class Stub:
    """A game that is followed without a table around it; its chips always show the same."""

    def __init__(self, header, game):
        self.follower = Follower(Path("nowhere"))
        self.course = self.follower.course = Course(header, game)
        self.known = SimpleNamespace(feed=Feed(self.follower))
        self.now_ms = 0

    def play(self, event):
        """As the follower does with a line of the record."""
        verdict, self.now_ms = self.course.session.judge(event), event.at_ms
        self.follower.happen(self.course, event, verdict)
        return verdict

    def scene(self):
        """What there is to see of it."""
        return Scene("play", self.course, now_ms=self.now_ms, waits=self.course.waits, heard=self.follower.told,
                     glasses=[{}], lights=dict.fromkeys(range(1, 8), (0, 0, 0)))


def all_bytes(table, seat):
    """Everything that a viewer of that seat (0: a spectator) is told now."""
    viewer = Viewer(table.scene(), "seat" if seat else "public", [seat] if seat else [])
    return {**viewer.messages(), "feed": json.dumps(table.known.feed.lines).encode()}


def check_twins(play, seat, history, parts):
    """One game and its twin, event by event, as one seat's browser and as a spectator's get them."""
    real, other = Stub(play.header, play.game), Stub(play.header, play.game)
    same = bytearray(range(play.game.CARDS))
    event = Event()
    for index in range(len(history.packed)):
        assert not real.play(history.event_of(index, same, event))
        assert not other.play(history.event_of(index, parts, event))
        for viewer in (seat, 0):
            mine, twin = all_bytes(real, viewer), all_bytes(other, viewer)
            for name in mine:
                assert mine[name] == twin[name], (play.title, viewer, name, mine[name], twin[name])


@pytest.mark.parametrize(("wanted", "begin"), [(5, 0), pytest.param(19, 100, marks=pytest.mark.everything)])
def test_t11_two_games_that_differ_in_what_is_hidden_give_each_browser_the_same_bytes(wanted, begin):
    """Random games of random mixes of all four games, with seeds from `begin` on; the hidden cards dealt again."""
    for game in catalogue():
        for twins in telling_twins(game, count_games(wanted, 0), begin):
            check_twins(*twins)


@pytest.mark.parametrize("game", list(catalogue()), ids=lambda game: game.NAME)
def test_t11_a_viewer_that_leaks_would_be_found(game, monkeypatch):
    """The test of the test: a card of the stock is told to everybody."""
    tell = Viewer.tell_view

    def leak(self):
        message = tell(self)
        where = list(self.scene.course.session.state.where)
        message["leak"] = where.index(1) if 1 in where else 0
        return message

    monkeypatch.setattr(Viewer, "tell_view", leak)
    with pytest.raises(AssertionError, match="leak"):
        for twins in telling_twins(game, 5):
            check_twins(*twins)


# --- by moments: two whole tables ---


class Watched(LiveTable):
    """A live table at full speed; `told` is all that its viewers get, with the microsecond of the table's time."""

    def __init__(self, setup, seats, order=None, **more):
        self.flash_folder = tempfile.TemporaryDirectory(prefix="cardtable-")
        super().__init__(Path(self.flash_folder.name), speed=float("inf"), on_change=self.tell, **more)
        self.viewers = {"public": ("public", []), **{seat: ("seat", [seat]) for seat in seats}}
        self.told = []
        self.last = {}
        self.order = order
        self.wrong = []
        self.machine.stands_still = True  # until `run_until`
        self.known.take_in = self.take_in
        (self.flash / "next.txt").write_text(setup, encoding="utf-8")

    def take_in(self):
        is_first = self.cards is None
        Known.take_in(self.known)
        if is_first and self.cards is not None and self.order is not None:
            self.cards.order = list(self.order)

    def tell(self):
        scene = self.scene()
        for who, (role, seats) in self.viewers.items():
            for name, message in self.messages(who, Viewer(scene, role, seats)).items():
                if self.last.get((who, name)) != message:
                    self.last[who, name] = message
                    self.told.append((self.world.now_us, who, name, message))

    def messages(self, who, viewer):
        return viewer.messages()

    def __enter__(self):
        self.start()
        return self

    def __exit__(self, *_):
        self.close()
        self.flash_folder.cleanup()

    def run_until(self, is_so, what):
        """Let the table's time pass until that is so, and no longer."""
        pass_time(self, is_so, what)


def header(game, seats):
    names = "; ".join(f"P{seat}" for seat in range(1, seats + 1))
    return f"cardtable 1\ngame: {game}\nseats: {names}\ndealer: {seats}\nfirst: 1\n\n"


BEGUN_US = 5_000_000


def play_prefix(order, acts):
    """The told messages of a table at which seat 1 and 2 do these (time in ms, seat, card or key)."""
    with Watched(header("durak throw-in cheating=2", 2), [1], order) as table:
        for seat in (1, 2):
            table.seating.sit(seat, "here", f"P{seat}")
        table.run_until(lambda: table.phase == "play", "the game")
        done = []

        def people():
            assert table.now_us < BEGUN_US
            for at_ms, seat, what in acts:
                yield max(0, BEGUN_US + 1000 * at_ms - table.now_us)
                hands = table.hands[seat]
                hands.ask(
                    (lambda h, w: lambda: h.press(w) if len(w) > 2 or w in ("OK", "NO") else h.tap(w))(hands, what)
                )
            yield 3_000_000
            done.append(True)

        table.post(lambda: table.world.people.add(people()))
        table.run_until(lambda: done, "the end of what the people do")
        assert not table.follower.trouble
        return [entry for entry in table.told if entry[0] > 0], table.follower.told[0], table.order


def find_acts(order):
    """(acts, a card of seat 2 that stays hidden, one of the stock): seat 1 leads, seat 2 beats, seat 1 is done."""
    with Watched(header("durak throw-in cheating=2", 2), [1], order) as table:
        for seat in (1, 2):
            table.seating.sit(seat, "here", f"P{seat}")
        table.run_until(lambda: table.phase == "play", "the game")
        mine, theirs = table.cards.hand(1), table.cards.hand(2)
        beats = [(lead, card) for lead in mine for card in theirs if lead // 13 == card // 13 and card % 13 > lead % 13]
        lead, card = beats[0]
        hidden = [other for other in theirs if other != card]
        stock = [other for other in table.cards.order if table.session.state.where[other] == 1]
        acts = [(0, 1, table.name_of(lead)), (2000, 2, table.name_of(card)), (4000, 1, "OK")]
        return acts, hidden[-1], stock[0]


def swapped(order, one, two):
    """The order with two cards exchanged."""
    return [two if card == one else one if card == two else card for card in order]


@pytest.mark.micropython
def test_t11_moments_do_not_depend_on_what_is_hidden():
    """Whole tables whose stock and whose other hand have exchanged cards, or whose other seat presses cheat or not: the
    same bytes at the same microseconds for a seat's browser and for a spectator's."""
    order = [card_number(rank + suit) for rank in "6789TJQKA" for suit in "SHDC"]
    order = order[::5] + order[1::5] + order[2::5] + order[3::5] + order[4::5]
    order.sort(key=lambda card: card // 13 == card_number("6S") // 13)  # drawn first: so both have spades
    acts, theirs, stock = find_acts(order)
    first, count, _ = play_prefix(order, acts)
    assert count > 14
    cheats = [acts[0], (1000, 2, "CALL"), *acts[1:]]
    for orders, doing in ((swapped(order, theirs, stock), acts), (order, cheats)):
        second = play_prefix(orders, doing)[0]
        assert [entry[1:] for entry in first] == [entry[1:] for entry in second]
        assert first == second
    other = play_prefix(order, [acts[0], (1000, 2, "NO"), *acts[1:]])[0]
    assert other != first  # and what may be seen is seen


# --- by a hand that lays it down: from which pile a card went onto a reader everybody sees ---


def test_t11_no_act_lays_a_card_that_its_browser_does_not_see():
    """A beat names two cards, and the fingers lay the second one on the reader, too. With another player's card as that
    one, the count of the hand that held it went down by one: so a browser could ask where any card was."""
    with Watched(header("durak throw-in", 3), [1], seed=3) as table:
        for seat in (1, 2, 3):
            table.seating.sit(seat, "here", f"P{seat}")
        table.run_until(lambda: table.phase == "play" and not any(table.tags.lying.values()), "the game")
        actor, hands = Actor(table, "seat", [1]), table.hands[1]
        beat = {"do": "play", "seat": 1, "verb": "beat", "card": table.name_of(table.cards.hand(1)[0])}
        stock = next(card for card in table.cards.order if table.session.state.where[card] == STOCK)
        hidden = [table.name_of(card) for card in (table.cards.hand(2)[0], table.cards.hand(3)[0], stock)]
        for target in (*hidden, "QQ", "", None, 5, ["6S"]):
            with pytest.raises(NotAllowed, match="that is no target"):
                read(table, lambda target=target: actor.do({**beat, "target": target}))
        for verb in ("attack", "beat", "draw"):  # whether hands go through the menu depends on the card
            with pytest.raises(NotAllowed, match="you do not have that card"):
                read(table, lambda verb=verb: actor.do({"do": "play", "seat": 1, "verb": verb, "pile": "stock"}))
        assert hands.is_still and not any(table.tags.lying.values())
        (trump,) = next(pile.cards for pile in read(table, table.scene).piles([1]) if pile.kind == "turned")
        assert read(table, lambda: (actor.do({**beat, "target": trump}), len(hands.acts))) == ("", 1)


def test_t11_what_lies_face_down_on_a_reader_goes_by_no_name():
    """A seat could lay the top card of the stock on its reader, and take it away by one name after the other: the card
    went with its own. And with the host's free hand every seat reached every reader."""
    with Watched(header("durak throw-in", 3), [1], seed=3) as table:
        for seat in (1, 2, 3):
            table.seating.sit(seat, "here", f"P{seat}")
        table.run_until(lambda: table.phase == "play" and not any(table.tags.lying.values()), "the game")
        seat, host = Actor(table, "seat", [1]), Actor(table, "host", [2])
        mine, lying = table.name_of(table.cards.hand(1)[0]), table.tags.lying
        read(table, lambda: seat.do({"do": "lay", "seat": 1, "pile": "stock"}))
        table.run_until(lambda: lying[1], "a card of the stock on the reader")
        [hidden] = lying[1]
        for name in (hidden, table.name_of(table.cards.hand(2)[0])):
            with pytest.raises(NotAllowed, match="you do not have that card"):
                read(table, lambda name=name: seat.do({"do": "lift", "reader": 1, "card": name}))
        assert lying[1] == [hidden]
        read(table, lambda: seat.do({"do": "lift", "reader": 1}))
        assert not lying[1]
        read(table, lambda: seat.do({"do": "lay", "seat": 1, "card": mine}))
        table.run_until(lambda: lying[1], "an own card there")
        read(table, lambda: seat.do({"do": "lift", "reader": 1, "card": mine}))
        assert not lying[1]
        read(table, lambda: host.do({"do": "free", "on": True}))
        read(table, lambda: host.do({"do": "tag", "tag": "arbiter", "reader": 2}))
        table.run_until(lambda: lying[2], "the arbiter's key")
        with pytest.raises(NotAllowed, match="that is not your reader"):
            read(table, lambda: seat.do({"do": "lift", "reader": 2}))
        read(table, lambda: host.do({"do": "lift", "reader": 2, "card": "arbiter"}))
        assert not lying[2]


# --- ever: every byte of whole games ---


def allowed(table, seat):
    """The cards that this viewer may see now, by the rulebook and not by the game's code."""
    game, state = table.game, table.session.state
    shown = set()
    for card in range(game.CARDS):
        place = state.where[card]
        kind = place_name(game, place).rstrip("0123456789") if place else ""
        whole = place_name(game, place)
        own = place == HAND + seat if seat else False
        own = own or seat and kind in OWN.get(game.NAME, ()) and whole.endswith(str(seat))
        if own or kind in FACE_UP[game.NAME]:
            shown.add(table.name_of(card))
    if seat:
        shown |= {table.name_of(card) for card in table.cards.hand(seat)}
    return shown


class Searched(Watched):
    """A table whose viewers' bytes are searched as they are made."""

    seen: frozenset = frozenset()  # what all have seen at some time
    tapped: frozenset = frozenset()  # what somebody has laid on a reader out of a hand, face up
    glasses = 0  # of them named a card

    def __init__(self, *args, **more):
        super().__init__(*args, **more)
        self.shown = []  # (microsecond by which all have seen them, cards on the glass, its text)

    def tell(self):
        if self.session is not None and self.cards is not None and self.phase in ("deal", "play", "over"):
            self.seen |= allowed(self, 0)
            self.note_taps()
        super().tell()
        self.check_glasses()

    def note_taps(self):
        """A card that a hand lays on a reader is seen by all; not in Cal's BS, where it lies face down."""
        if self.game.NAME not in OWN:
            where = self.session.state.where
            lying = [name for names in self.tags.lying.values() for name in names]
            laid = {card_number(name) for name in lying if CARD.match(f'"{name}"')}
            self.tapped |= {self.name_of(card) for card in laid if where[card] > HAND}

    def read_glass(self):
        """What the glass names, to be checked once the record that is followed has caught up with it."""
        text = "\n".join(read_text(self.world.screens[0], font6x8))
        cards = set(map(by_pip, PIPS.findall(text)))
        if cards:
            self.glasses += 1
            self.shown.append((self.world.now_us + SOON_US, cards, text))

    def check_glasses(self):
        """All have seen the cards that the glass has named."""
        while self.shown and self.shown[0][0] <= self.world.now_us:
            _, cards, text = self.shown.pop(0)
            seen = self.seen | self.tapped
            named = [card for card in cards if card not in seen and card + "2" not in seen]
            if named:
                self.wrong.append(("glass", "text", named, text))

    def messages(self, who, viewer):
        """All of a viewer's messages; by name they hold cards that it sees now, in words also those that all saw."""
        found = super().messages(who, viewer)
        if self.session is None or self.cards is None or self.phase not in ("deal", "play", "over"):
            return found
        may = allowed(self, who if who != "public" else 0)
        seen = may | self.seen
        for name, message in found.items():
            if self.last.get((who, name)) == message:
                continue
            if name == "screen":  # its dots, the same for all; in base64 they spell cards by chance
                if who == "public":
                    self.read_glass()
                continue
            text = message.decode()
            named = [card for card in CARD.findall(text) if card not in may]
            said = [card for card in map(by_pip, PIPS.findall(text)) if card not in seen and card + "2" not in seen]
            if named or said:
                self.wrong.append((who, name, named + said, text[:300]))
        return found


def by_pip(found):
    """The name of a card that is written with its suit's sign."""
    return found[0].replace("10", "T") + "SHDC"["♠♥♦♣".index(found[1])]


def heard(table, wrong):
    """Follow the feed: a card is named only if all have seen it, or the event turns it up."""
    hear = table.known.feed.hear

    def listen(said, refusal):
        before = table.known.feed.count
        shown = {table.name_of(said.card)} if said.card != NO_CARD else set()
        event_shows = (
            said.verb == 0
            or said.verb == DRAW
            or said.verb < OWN_VERB
            or table.game.shows(table.session.state, said.verb) == SHOWS_ALL
        )
        hear(said, refusal)
        opened = {table.name_of(card) for card in said.opened}
        table.seen |= opened
        feed = table.known.feed
        for line in feed.lines[-(feed.count - before) :] if feed.count > before else ():
            for name in map(by_pip, PIPS.findall(line["text"])):
                if (
                    name not in table.seen | opened | (shown if event_shows and said.verb != DRAW else set())
                    and name + "2" not in table.seen | opened | shown
                ):
                    wrong.append((line["text"], name))

    table.follower.on_said = listen


@pytest.mark.micropython
@pytest.mark.parametrize(
    ("game", "seats"),
    [
        pytest.param("durak transfer", 3, marks=pytest.mark.everything),
        ("durak throw-in deal=counted", 2), ("cals-bs", 3), ("bailiff", 3), ("malice", 2),
    ],
)
def test_t11_no_byte_of_a_whole_game_names_a_card_that_its_reader_may_not_see(game, seats):
    """A game of virtual players, each of its seats watched by a browser of its own, and by a spectator."""
    with Searched(header(game, seats).replace("first: 1\n", ""), range(1, seats + 1), seed=21) as table:
        heard(table, table.wrong)
        for seat in range(1, seats + 1):
            table.seating.sit(seat, "bot:beginner", f"P{seat}")
        table.run_until(lambda: table.wrong or table.phase == "over" or table.follower.told[0] > 70, "a game's events")
        assert not table.wrong, table.wrong[:3]
        assert not table.follower.trouble
        assert table.follower.told[0] > 30
        assert table.glasses or game == "cals-bs"
