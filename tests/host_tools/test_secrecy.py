"""What is secret shows nowhere (T11): pairs of games that differ only in hidden cards, or in a press of cheat (D43).

One game is played by hands that look at lights; what they did is noted to the microsecond. The other game is the same
acts at the same times, with two cards exchanged, or without the press. Every byte that reaches lights and screen, every
line of the feed and all their times must be the same until the rules themselves make the difference public.
"""

import os
import random
from pathlib import Path
from types import SimpleNamespace

import pytest

from boards import esp32s3_7seat, virtual
from cardtable.between import keys
from cardtable.engine.deck import STRANGER, XB, card_name, card_number
from cardtable.engine.event import DRAW, NO_CARD, OWN_VERB, PAIR, SHOWS_ALL, Event, verb_arguments
from cardtable.engine.session import Session
from cardtable.engine.state import HAND
from cardtable.play import clock, display, feed
from host_tools.judge.records.public_record import uncommitted
from host_tools.virtual.shims.flash import ERASE_US
from host_tools.virtual.computing import Computing
from host_tools.virtual.fingers import uid_of
from host_tools.virtual.hands import Hands
from host_tools.virtual.table import header_text, load_script
from host_tools.virtual.world import World
from tests.host_tools.at_table import SECOND, AtTable

RECORDS = Path(__file__).resolve().parents[1] / "records"
REST_US = 3 * SECOND


class Watched(World):
    """Notes what people do at the table, and everything that comes out of it, with times."""

    def __init__(self, board):
        super().__init__(board)
        self.acts = []  # (time in us, what, place, tag's UID or key)
        self.outputs = []  # (time in us, wire, bytes)

    def put(self, seat, tag):
        self.acts.append((self.now_us, "put", seat, tag.uid))
        super().put(seat, tag)

    def take(self, seat, tag):
        self.acts.append((self.now_us, "take", seat, tag.uid))
        super().take(seat, tag)

    def press(self, seat, key):
        self.acts.append((self.now_us, "press", seat, key))
        super().press(seat, key)

    def release(self, seat, key):
        self.acts.append((self.now_us, "release", seat, key))
        super().release(seat, key)

    def strip_write(self, pin, data, now_us):
        self.outputs.append((now_us, "lights", data))
        super().strip_write(pin, data, now_us)

    def i2c_write(self, scl, address, data, now_us):
        self.outputs.append((now_us, "screen", data))
        return super().i2c_write(scl, address, data, now_us)

    def pwm(self, pin, freq, duty_u16, now_us):
        self.outputs.append((now_us, "buzzer", (freq, duty_u16)))
        super().pwm(pin, freq, duty_u16, now_us)


class Played:
    """One game on the firmware: `acts`, `outputs`, and `begun_us[n]`: when people began event n."""

    def __init__(self, script, make_actor, runtime, board, factor=0.0):
        """factor: how slowly the device computes, 1.0 as a chip does; 0: in no time."""
        computing = Computing(factor) if factor else None
        table = AtTable(header_text(script.header), runtime=runtime, board=board, computing=computing)
        table.world = Watched(board)
        self.begun_us = []
        table.play(make_actor(self, table), limit_us=3600 * SECOND)
        self.acts = table.world.acts
        self.lines = table.says()
        # With equal times the order on one wire counts, that between wires does not.
        self.outputs = sorted(
            # Commitments differ with every game's nonce; with the same one they are compared below.
            table.world.outputs + [(time_us, "feed", uncommitted(line)) for time_us, line in table.lines],
            key=lambda output: output[:2],
        )

    def until(self, end_us):
        """The outputs up to a time."""
        return [output for output in self.outputs if output[0] < end_us]


def play_record(game, script, runtime="cpython", board=virtual, factor=0.0):
    """As host_tools/virtual/hands.py plays it."""

    def actor(played, table):
        hands = Hands(table.world, game, script)
        acting = hands.play()

        def watch():
            while not hands.is_done:
                while len(played.begun_us) < hands.played + (hands.line is not None):
                    played.begun_us.append(table.world.now_us)
                yield 1000

        table.world.people.add(watch())
        yield from acting
        yield REST_US

    return Played(script, actor, runtime, board, factor)


def play_acts(script, acts, runtime="cpython", board=virtual, factor=0.0):
    """The same acts at the same times, whatever the table does."""
    end_us = acts[-1][0] + REST_US

    def actor(played, table):
        names = {uid_of(card): card_name(card) for card in [*range(108), STRANGER]}
        for at_us, what, place, thing in acts:
            if at_us > table.world.now_us:
                yield at_us - table.world.now_us
            if what in ("press", "release"):
                getattr(table.world, what)(place, thing)
            else:
                getattr(table, what)(place, names[thing])
        yield end_us - table.world.now_us

    return Played(script, actor, runtime, board, factor)


def exchanged(card, pair):
    """The card that lies in the other game where this one lies here."""
    return pair[1] if card == pair[0] else pair[0] if card == pair[1] else card


def count_alike(game, script, pair):
    """How many events pass before the rules make it public that the two cards are exchanged, and how many of these
    were draws, cards laid face down or refused plays of one of them: what an output could have told too early.
    """
    here, there = Session(game, script.header), Session(game, script.header)
    hidden = 0
    for number, line in enumerate(script.lines):
        event = line.event
        other = Event(event.seat, event.verb, event.card, event.target, event.at_ms)
        if event.card != NO_CARD:
            other.card = exchanged(event.card, pair)
        if verb_arguments(game, event.verb) == PAIR:
            other.target = exchanged(event.target, pair)
        verdict = here.judge(event)
        if there.judge(other) != verdict:
            return number, hidden
        opened = turned_up(game, here, event, verdict), turned_up(game, there, other, verdict)
        shows_all = game.shows(here.state, event.verb) == SHOWS_ALL
        is_shown = shows_all and (other.card, other.target) != (event.card, event.target)
        here.play(event)
        there.play(other)
        if opened[0] != opened[1] or not verdict and is_shown or game.view(here.state, 0) != game.view(there.state, 0):
            return number, hidden
        hidden += event.card in pair
    return len(script.lines), hidden


def turned_up(game, session, event, verdict):
    """The cards that the event turns face up."""
    opened = []
    if not verdict and event.verb >= OWN_VERB:
        game.opens(session.state, event, opened)
    return opened


def find_pairs(game, script, count, seed, fewest=2):
    """Some pairs of cards whose exchange stays hidden for long, while at least `fewest` events touch one of them."""
    rng = random.Random(seed)
    where = Session(game, script.header).state.where
    cards = [card for card in range(len(where)) if where[card]]
    found = []
    while len(found) < count:
        pair = tuple(rng.sample(cards, 2))
        alike, hidden = count_alike(game, script, pair)
        if alike >= len(script.lines) // 3 and hidden >= fewest:
            found.append((pair, alike))
    return found


def swap_cards(acts, pair):
    """The acts with two tags exchanged."""
    uids = {uid_of(pair[0]): uid_of(pair[1]), uid_of(pair[1]): uid_of(pair[0])}
    return [(at_us, what, place, uids.get(thing, thing)) for at_us, what, place, thing in acts]


def load(name, events):
    """A record's game and its first events, without those that no hand can make."""
    game, script = load_script(RECORDS / f"{name}.rec")
    del script.lines[events:]
    script.result = ""
    return game, script


def differ(here, there, slack_us=0):
    """The first two outputs that are not the same at the same time, but for the slack; None if all are."""
    for one, two in zip(here, there, strict=False):
        if one[1:] != two[1:] or abs(one[0] - two[0]) > slack_us:
            return one, two
    return None if len(here) == len(there) else (len(here), len(there))


def first_difference(script, pair, alike, played, runtime="cpython", board=virtual):
    """The first output that differs before the rules have shown the difference; None if there is none."""
    other = play_acts(script, swap_cards(played.acts, pair), runtime, board)
    end_us = played.begun_us[alike] if alike < len(played.begun_us) else played.acts[-1][0] + REST_US
    return differ(played.until(end_us), other.until(end_us))


def difference_without_presses(script, played, runtime="cpython", factor=0.0):
    """The first output that is not the same, within 100 us, if nobody presses CALL; None if there is none."""
    acts = without_presses(played.acts)
    end_us = acts[-1][0] + REST_US  # the other one ends there
    return differ(played.until(end_us), play_acts(script, acts, runtime, factor=factor).until(end_us), 100)


LINE_US = 6000  # the host hears a line with the next operation, a row of the screen perhaps; a seal takes 10 ms


def spread(played):
    """How much longer one public line took than another, from the time that it says to the wire; in us.

    Without those few that met the erase of a spare page: docs/security.md has that limit.
    """
    late = [at - round(float(text.split()[0]) * 1e6) for at, wire, text in played.outputs
            if wire == "feed" and text[:1].isdigit()]
    erased = [us for us in late if us - min(late) > ERASE_US // 2]
    assert len(erased) <= len(late) // 20, sorted(late)
    return max(us for us in late if us not in erased) - min(late)


# --- hidden cards -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", [
    "durak/throw-in-0003", "durak/variant-transfer-shown",
    pytest.param("durak/game-0001", marks=pytest.mark.everything),
])
def test_t11_d47_two_games_that_differ_in_hidden_cards_show_the_same(name):
    """T11, D47, T6: lights, glass and feed to the byte and to the microsecond."""
    game, script = load(name, 70)
    played = play_record(game, script)
    for pair, alike in find_pairs(game, script, 2, name):
        assert first_difference(script, pair, alike, played) is None, (pair, alike)


@pytest.mark.parametrize(
    ("name", "events", "fewest"),
    [
        ("cals-bs/game-0002", 130, 3),  # deck of 54, an ask that runs out, a handicap
        pytest.param("cals-bs/game-0001", 120, 3, marks=pytest.mark.everything),  # handicaps, all fours, plus
        ("bailiff/game-0002", 60, 2),
        ("malice/game-0002", 60, 2),
    ],
)
def test_t11_c17_m17_the_same_for_the_other_games(name, events, fewest):
    """C17, M17, T11: the pile and what is staged, hands, stock and payoff cards, until a doubt or a turn shows them."""
    game, script = load(name, events)
    played = play_record(game, script)
    for pair, alike in find_pairs(game, script, 1, name, fewest):
        assert first_difference(script, pair, alike, played) is None, (pair, alike)


WHOLE = 999  # more events than these have
SECRET_FOR_SO_LONG = {  # whole games, the shortest of their kind in which much is hidden
    "durak/throw-in-0003": 5, "cals-bs/game-0002": 5, "bailiff/variant-move-limit": 5, "malice/variant-dry-draw": 5}


@pytest.mark.micropython
@pytest.mark.sampled(4)  # the rules of each game are above; the flash and its times are the same for all
@pytest.mark.parametrize("name", SECRET_FOR_SO_LONG)
def test_t11_whole_games_on_a_flash_that_takes_its_time_show_the_same(name):
    """Compiled, on littlefs, with the times of erases and programs: all bytes at the same microsecond, and each
    public line at the same distance from the time that it says, so nobody learns what the flash did."""
    game, script = load(name, WHOLE)
    played = play_record(game, script, "flash")
    ((pair, alike),) = find_pairs(game, script, 1, SECRET_FOR_SO_LONG[name])
    assert first_difference(script, pair, alike, played, "flash") is None
    assert spread(played) <= LINE_US


def test_t11_the_same_on_every_seats_own_screen():
    """A look at another's screen tells no more than from the one for all."""
    game, script = load("durak/throw-in-0003", 50)
    played = play_record(game, script, board=esp32s3_7seat)
    ((pair, alike),) = find_pairs(game, script, 1, 5)
    assert first_difference(script, pair, alike, played, board=esp32s3_7seat) is None


def test_what_the_rules_show_does_differ():
    """Beyond that event the outputs are not the same: the acts were exchanged indeed."""
    game, script = load("durak/throw-in-0003", 70)
    played = play_record(game, script)
    ((pair, alike),) = find_pairs(game, script, 1, 1)
    assert alike < len(script.lines)
    assert first_difference(script, pair, len(script.lines), played) is not None


# --- a press of cheat -------------------------------------------------------------------------------------------------

CHEATING = """cardtable 1
game: durak throw-in cheating=2
seats: Anna; Boris; Vera
dealer: 3
first: 1

"""
HANDS = ("6S 6H 6D 8S 8H 8D".split(), "7S 7H 7D 9S 9H 9C".split(), "TS TH TD JS JH JD".split())


def cheating_game(folder, events):
    """A deal to three seats with clubs as trumps, and these events, as a record."""
    lines = [f"{seat} draw {card}" for cards in zip(*HANDS, strict=True) for seat, card in enumerate(cards, 1)]
    lines += ["3 turn AC", *events.split(" / ")]
    path = folder / "cheating.rec"
    path.write_text(CHEATING + "".join(f"{time}.0 {line}\n" for time, line in enumerate(lines)))
    return load_script(path)


PRESSED = "1 attack 6S / 2 cheat / 2 beat 7S 6S / 1 attack 7H ! T1 T2 / 1 done / 3 done / 1 done"


def without_presses(acts):
    """What the same people do at the same times if nobody presses CALL."""
    return [act for act in acts if act[3] != "CALL"]


@pytest.mark.parametrize(
    "events",
    [
        PRESSED,
        "1 attack 6S / 2 cheat / 2 cheat ! D43 / 2 cheat ! D43 / 2 beat 7S 6S / 1 done",
        "2 cheat ! D43 / 1 attack 6S / 2 take / 1 done / 3 done",
        "1 attack 6S / 2 beat 7S 6S / 2 cheat ! D43 / 1 done",
        "1 attack 6S / 2 cheat / 1 undo / 2 agree / 3 agree / 1 attack 6H / 2 beat 7H 6H",
    ],
)
def test_d43_a_press_of_cheat_shows_nowhere(events, tmp_path):
    """D43, T11: accepted or refused, once or again: without the press everything looks the same at the same time.

    A press is judged, which takes a few microseconds of looks at the clock: less than any light or line is apart.
    """
    game, script = cheating_game(tmp_path, events)
    played = play_record(game, script)
    acts = without_presses(played.acts)
    assert 2 <= len(played.acts) - len(acts) <= 6
    assert difference_without_presses(script, played) is None


REFUSED = "1 attack 6S" + "".join(f" / 1 attack {card} ! T2" for card in "9H 9S 7D 9H TS 9C 8C".split())


@pytest.mark.parametrize(("runtime", "seeds", "factor"), [
    ("cpython", range(2), 0.0),
    pytest.param("cpython", range(2, 8), 0.0, marks=pytest.mark.everything),
    ("cpython", (16, 31), 1.2),  # presses behind which two scans of the buttons fell due at once
    ("cpython", (54,), 1.0),  # and one scan lay across the end of a step
    pytest.param("cpython", range(12), 1.2, marks=pytest.mark.everything),
    pytest.param("cpython", range(6), 0.8, marks=pytest.mark.everything),
    pytest.param("flash", range(1), 0.0, marks=pytest.mark.micropython),
    pytest.param("flash", range(1, 4), 0.0, marks=[pytest.mark.micropython, pytest.mark.everything]),
])
def test_d43_presses_at_any_moment_show_nowhere(runtime, seeds, factor, tmp_path):
    """D43, T11: waits end with the buttons' timer, every 5 ms, so a press may come anywhere between two looks and
    writes: not a microsecond is moved. With a factor the table is as slow as a chip, or so many times as slow: what a
    step takes that judges a press, one that judges none takes, too."""
    game, script = cheating_game(tmp_path, REFUSED + " / 2 beat 7S 6S")
    played = play_record(game, script, runtime, factor=factor)
    attack, end_us = 2 * (len(script.lines) - 9), played.acts[-1][0]  # a tap is two acts, and so is a press
    for seed in seeds:
        rng = random.Random(seed)
        acts = list(played.acts)
        for _ in range(rng.randint(1, 3)):
            at_us = rng.randint(played.acts[attack][0] + 400_000, end_us - 300_000)
            acts += [(at_us, "press", 2, "CALL"), (at_us + rng.randint(40_000, 200_000), "release", 2, "CALL")]
        acts.sort(key=lambda act: act[0])
        other = play_acts(script, acts, runtime, factor=factor)
        assert differ(played.until(end_us), other.until(end_us)) is None, seed


def test_d43_a_hidden_press_redraws_nothing(tmp_path, monkeypatch):
    """It would be work that no wait hides, and no virtual clock charges."""
    redrawn = []
    show_bottom = display.Display.show_bottom

    def count(self, now_ms):
        redrawn[-1] += self.is_stale
        show_bottom(self, now_ms)

    monkeypatch.setattr(display.Display, "show_bottom", count)
    game, script = cheating_game(tmp_path, "1 attack 6S / 2 cheat / 2 cheat ! D43 / 2 beat 7S 6S")
    redrawn.append(0)
    played = play_record(game, script)
    redrawn.append(0)
    play_acts(script, without_presses(played.acts))
    assert redrawn[0] == redrawn[1] > 0


@pytest.mark.micropython
@pytest.mark.parametrize("events", [PRESSED])
def test_d43_the_same_on_a_flash_that_takes_its_time(events, tmp_path):
    """Compiled, on littlefs: the press is written, and not even a microsecond tells of it."""
    game, script = cheating_game(tmp_path, events)
    played = play_record(game, script, "flash")
    assert difference_without_presses(script, played, "flash") is None


@pytest.mark.micropython
def test_d43_presses_cannot_be_counted_by_the_line_that_waits_for_a_seal(tmp_path):
    """Behind every 32 lines of the record, hidden ones too, stands a seal, which is a longer write. The same game
    with one press less, and with none."""
    acts = "1 attack 6S / 2 cheat / 2 cheat ! D43 / 2 beat 7S 6S"
    acts += "".join(f" / 1 attack {card} ! T2" for card in "9H 9S 7D".split())
    game, script = cheating_game(tmp_path, acts)
    played = play_record(game, script, "flash")
    presses = [act for act in played.acts if act[3] == "CALL"]
    fewer = [act for act in played.acts if act not in presses[2:]]
    assert len(presses) == 4 and len(script.lines) + len(CHEATING.splitlines()) in (32, 33)
    other = play_acts(script, fewer, "flash")
    assert differ(played.until(fewer[-1][0] + REST_US), other.outputs, 100) is None
    assert difference_without_presses(script, played, "flash") is None


@pytest.mark.parametrize("card", ["7H", "9C"])
def test_d43_an_offer_does_not_depend_on_the_token_or_the_fit(card, tmp_path):
    """D43: two targets; the card that fits neither is offered as the one that fits both, pressed or not."""
    game, script = cheating_game(tmp_path, f"1 attack 6S / 1 attack 6D / 2 cheat / 2 beat {card} 6D")
    played = play_record(game, script)
    end_us = played.acts[-3][0]  # the last OK: until then nothing is laid
    assert played.acts[-3][1:] == ("press", 2, "OK")
    other = play_acts(script, without_presses(played.acts))
    assert differ(played.until(end_us), other.until(end_us), 100) is None
    pair = (card_number(card), card_number("7D"))
    assert first_difference(script, pair, len(script.lines) - 1, played) is None


# --- commitments ------------------------------------------------------------------------------------------------------


class SameChance:
    """An `os` that draws the same for every game: two games have one nonce, as no two at a real table have."""

    def urandom(self, count):
        return bytes(range(count))

    def __getattr__(self, name):
        return getattr(os, name)


@pytest.fixture
def same_nonce(monkeypatch):
    """From now on every table has the same key and draws the same nonces."""
    monkeypatch.setattr(keys, "os", SameChance())


@pytest.mark.parametrize(
    "events",
    [
        PRESSED,
        "1 attack 6S / 2 cheat / 2 cheat ! D43 / 2 cheat ! D43 / 2 beat 7S 6S / 1 attack 9H ! T2 / 1 done",
        "2 cheat ! D43 / 1 attack 6S / 2 take / 1 done / 3 done",
    ],
)
def test_t11_d43_a_press_of_cheat_changes_no_commitment(events, same_nonce, tmp_path):
    """Not even for somebody who knew the nonce: the press has no line, and the lines behind it are what they were."""
    game, script = cheating_game(tmp_path, events)
    played = play_record(game, script)
    other = play_acts(script, without_presses(played.acts))
    assert sum(" ~ " in line for line in played.lines) >= len(HANDS[0]) * 3
    assert played.lines == other.lines


def test_t11_commitments_tell_nothing_but_that_there_is_one(same_nonce):
    """Two games that differ in hidden cards: the same lines, as long, and other commitments for these cards alone."""
    game, script = load("durak/throw-in-0003", 40)
    played = play_record(game, script)
    ((pair, alike),) = find_pairs(game, script, 1, 1)
    other = play_acts(script, swap_cards(played.acts, pair))
    differing = 0
    for here, there in zip(played.lines[:alike], other.lines[:alike], strict=True):
        assert len(here) == len(there) and uncommitted(here) == uncommitted(there)
        differing += here != there
    assert 2 <= differing <= 4


def test_t11_without_the_nonce_no_card_fits_its_commitment():
    """Two games of the same acts: nothing in the feed is the same twice, so nobody can try the cards one by one."""
    game, script = load("durak/throw-in-0003", 40)
    played = play_record(game, script)
    other = play_acts(script, played.acts)
    here, there = ([line for line in feed if " ~ " in line] for feed in (played.lines, other.lines))
    assert [uncommitted(line) for line in here] == [uncommitted(line) for line in there] and len(here) > 20
    assert not {line.rpartition(" ")[2] for line in here} & {line.rpartition(" ")[2] for line in there}


# --- the test of the test ---------------------------------------------------------------------------------------------


def leak_in_feed(monkeypatch):
    """A feed that names the card that was drawn."""
    monkeypatch.setattr(feed.Feed, "accepted", lambda self, event, shows: self.write(f"{event.seat} {event.card}"))


def leak_in_refusal(monkeypatch):
    """A refusal whose words name the card: the screen shows them."""
    told = display.Display.refusal
    monkeypatch.setattr(
        display.Display, "refusal", lambda self, event, verdict: f"{told(self, event, verdict)} {event.card}"
    )


def leak_in_time(monkeypatch):
    """A light that stays a hundredth of a second longer for a red card."""
    shown = display.Display.show_verdict

    def show(self, event, verdict, shows=2, why=""):
        shown(self, event, verdict, shows, why)
        if self.until_ms[event.seat]:
            self.until_ms[event.seat] += 20 * (event.card % 26 > 12)

    monkeypatch.setattr(display.Display, "show_verdict", show)


@pytest.mark.sampled(3)
@pytest.mark.parametrize("leak", [leak_in_feed, leak_in_refusal, leak_in_time])
def test_a_table_that_leaks_is_caught(leak, monkeypatch):
    """Whatever the wire: if one of these passed, the tests above would prove nothing."""
    game, script = load("durak/game-0001", 70)
    leak(monkeypatch)
    played = play_record(game, script)
    pairs = find_pairs(game, script, 12, leak.__name__)
    refused = {line.event.card for line in script.lines if line.rules}
    pairs.sort(key=lambda found: not refused.intersection(found[0]))  # such a card shows in every leak, and soonest
    assert any(first_difference(script, pair, alike, played) for pair, alike in pairs)


def test_a_table_that_shows_a_press_is_caught(monkeypatch, tmp_path):
    """A green light for it is enough."""
    game, script = cheating_game(tmp_path, PRESSED)
    monkeypatch.setattr(game, "shows", lambda state, verb: 1 if verb == DRAW else 2)
    played = play_record(game, script)
    assert difference_without_presses(script, played) is not None


def test_a_table_that_shows_whether_a_set_is_true_is_caught(monkeypatch):
    """C17: one dot in the status line, while the set lies face down."""
    game, script = load("cals-bs/game-0002", 130)
    told = game.status
    monkeypatch.setattr(game, "status", lambda state: told(state) + ("." if state.where[XB] < HAND else ""))
    played = play_record(game, script)
    jokers = [(XB, card) for card in range(54) if count_alike(game, script, (XB, card))[0] > 60]
    assert any(first_difference(script, pair, count_alike(game, script, pair)[0], played) for pair in jokers[:6])


def test_d43_a_wait_ends_at_one_moment_whenever_it_began(monkeypatch):
    """Although a scan of the buttons lies across its end: it looks at the clock by then, and does not sleep."""
    ends = {end_of_a_wait(begun_us, monkeypatch) for begun_us in range(0, 4000, 7)}
    assert ends == {8010}


def end_of_a_wait(begun_us, monkeypatch):
    """The microsecond at which a wait for the 8th ms ends, whose clock costs 1 us a look; a scan is due at 7,876 us and
    takes 134."""
    now_us, due_us = begun_us, [7876]

    def look():
        nonlocal now_us
        now_us += 1
        if due_us and now_us >= due_us[0]:
            now_us = due_us.pop() + 134
        return now_us // 1000

    def sleep_ms(rest_ms):
        nonlocal now_us
        end_us = now_us + 1000 * rest_ms
        if due_us and end_us >= due_us[0]:
            now_us = due_us.pop() + 134
        now_us = max(now_us, end_us)

    monkeypatch.setattr(clock, "time", SimpleNamespace(
        ticks_ms=look, ticks_diff=lambda end, start: end - start, sleep_ms=sleep_ms))
    until_ms = 8
    clock.Clock(begun_us // 1000).wait(until_ms)
    return now_us
