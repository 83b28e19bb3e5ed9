"""What people see and hear: lights, screen, words, feed; the clock beside them."""

import time

from cardtable.engine.deck import card_number
from cardtable.engine.event import DRAW, Event, find_verb
from cardtable.engine.reading import read_key
from cardtable.engine.record import Header
from cardtable.games import durak
from cardtable.play import clock as clock_module
from cardtable.play.clock import Clock
from cardtable.play.feed import Feed
from cardtable.record.seal import Signer
from cardtable.table import lights as lights_module
from cardtable.table.lights import ACCEPTED, BLINK_MS, CHOOSING, FAULT, OFF, REFUSED, WAITED_FOR, Lights
from cardtable.table.screen import COLUMNS, REMIND_TURNS, Screen
from cardtable.table.words import Words, list_languages

from tests.app.strip import Strip


class Glass:
    """Remembers lines."""

    def __init__(self):
        self.lines = {}

    def line(self, row: int, text: str) -> None:
        assert 0 <= row < 8
        self.lines[row] = text


def test_each_meaning_has_a_light_of_its_own():
    """Told apart by colour, and the two that need a hand by blinking too."""
    seen = []
    for meaning in (OFF, WAITED_FOR, ACCEPTED, CHOOSING, REFUSED, FAULT):
        strip = Strip()
        lights = Lights(strip, 1)
        lights.means[0] = meaning
        lights.show(0)
        bright = strip.colours[0]
        lights.show(BLINK_MS)
        seen.append((bright, strip.colours[0]))
        assert bright == lights_module.colour_of(meaning)
    assert len(tuple(set(seen))) == 6
    blinking = [bright != dark for bright, dark in seen]
    assert blinking == [False, False, False, True, False, True]


def test_all_lights_are_sent_again_once_a_second():
    """A strip that lost its power for a moment is dark, and the table may wait for that seat."""
    strip = Strip()
    sent = []
    strip.show = lambda anyway=False: sent.append(anyway)
    lights = Lights(strip, 1)
    lights.means[0] = WAITED_FOR
    for now_ms in range(0, 10_000, 25):
        lights.show(now_ms)
    assert sent.count(True) == 10 and len(sent) == 80


def test_lines_are_broken_between_words_and_never_too_long():
    """21 columns."""
    glass = Glass()
    screen = Screen([glass])
    screen.verdict("4 D17 The defender holds no more cards than lie unbeaten on the table")
    shown = [glass.lines[row] for row in (4, 5, 6)]
    assert shown == ["4 D17 The defender", "holds no more cards", "than lie unbeaten on "]
    screen.waits("x" * 100)
    assert [len(glass.lines[row]) for row in (1, 2)] == [COLUMNS, COLUMNS]
    screen.verdict("")
    assert [glass.lines[row] for row in (4, 5, 6)] == ["", "", ""]


class DarkGlass:
    """A screen that answers nobody, and counts how often it is asked."""

    def __init__(self):
        self.answers = False
        self.asked = 0

    def refresh(self) -> bool:
        self.asked += 1
        return self.answers

    def remind(self, row) -> None:
        pass


class RemindedGlass(DarkGlass):
    """A screen that says which row it was told to send again, and notes when."""

    def __init__(self, number, reminded):
        super().__init__()
        self.answers = True
        self.number, self.reminded = number, reminded

    def refresh(self) -> bool:
        return False

    def remind(self, row) -> None:
        self.reminded.append((self.number, row))


def test_every_row_is_sent_again_now_and_then_and_of_seven_screens_never_two_in_a_sweep():
    """One screen is quick, its rows follow each other; seven have 56, each 12 ms of a bus at 100 kHz: one at each look
    once made a tap wait for 80 ms."""
    for count, apart in ((1, 1), (7, 9)):
        reminded: list = []
        screen = Screen([RemindedGlass(number, reminded) for number in range(count)])
        turns = []
        for turn in range(1, REMIND_TURNS + 1):
            before = len(reminded)
            screen.refresh()
            assert len(reminded) - before <= 1
            if len(reminded) > before:
                turns.append(turn)
        assert sorted(reminded) == [(number, row) for number in range(count) for row in range(8)]
        assert min(turns[at] - turns[at - 1] for at in range(1, len(turns))) >= apart


def test_a_screen_that_is_silent_is_asked_less_often_and_found_again():
    """Each try costs time on the bus, and ESP-IDF's log a line; the others are refreshed as before."""
    dark = DarkGlass()
    screen = Screen([dark])
    for _ in range(1280):
        screen.refresh()
    assert screen.silent() == 1 and 10 <= dark.asked <= 15
    dark.answers = True
    for _ in range(128):
        screen.refresh()
    assert screen.silent() == 0


def test_h4_screens_that_lose_lines_get_a_slower_bus_once():
    """H4: one that is not there asks too seldom for that; lines lost now and then over hours are none."""
    slowed = []
    dark = DarkGlass()
    screen = Screen([dark], False, 400_000, lambda *told: slowed.append(told))
    for _ in range(5 * 1280):
        screen.refresh()
    assert slowed == []
    screen = Screen([dark], False, 400_000, lambda *told: slowed.append(told))
    for turn in range(600):
        dark.answers = turn % 3 != 0
        screen.refresh()
    assert slowed == [(100_000, True)]
    slowed.clear()
    screen = Screen([dark], False, 100_000, lambda *told: slowed.append(told))
    for turn in range(600):
        dark.answers = turn % 3 != 0
        screen.refresh()
    assert slowed == []


def test_words_are_found_in_every_language():
    """The game's own words, and those of the table."""
    for language in list_languages():
        words = Words("durak", language)
        assert words.find("D14") != "D14"
        assert words.find("T2") != "T2"
        assert words.find("V.beat") != "V.beat"


def test_a_key_without_words_says_itself():
    """A refusal always says something."""
    assert Words("durak", "en").find("D99") == "D99"
    assert Words("no-such-game", "en").find("T2") != "T2"


def test_d47_the_feed_hides_what_the_game_hides():
    """D47: of a draw only that it was one; D43: of a cheat nothing."""
    lines = []
    feed = Feed(durak, Header(), lines.append)
    event = Event(2, DRAW, card_number("6S"), 0, 1500)
    feed.accepted(event, 1)
    feed.accepted(Event(2, find_verb(durak, "cheat"), at_ms=1600), 0)
    feed.accepted(Event(1, find_verb(durak, "beat"), card_number("7S"), card_number("6S"), 1700), 2)
    assert lines == ["1.5 2 draw ??", "1.7 1 beat 7S 6S"]


def committed(line, nonce="00ff"):
    """What the feed of a game with that nonce commits to for that line of its record."""
    return " ~ " + Signer(nonce.encode()).sign(line.encode())[:8].hex()


def test_t12_what_the_feed_hides_it_commits_to():
    """T12, T11: to the hidden line under the nonce, always as long; to nothing open, and to nothing secret."""
    lines = []
    header = Header()
    read_key(header, "nonce: 00ff", 0)
    feed = Feed(durak, header, lines.append)
    for card in ("6S", "7S2", "XB"):
        feed.accepted(Event(2, DRAW, card_number(card), 0, 1500), 1)
    feed.accepted(Event(2, find_verb(durak, "cheat"), at_ms=1600), 0)
    feed.accepted(Event(1, find_verb(durak, "beat"), card_number("7S"), card_number("6S"), 1700), 2)
    feed.refused(Event(3, DRAW, card_number("AS"), 0, 2000), "T3", "Not now")
    assert lines == [
        "1.5 2 draw ??" + committed("1.5 2 draw 6S"),
        "1.5 2 draw ??" + committed("1.5 2 draw 7S2"),
        "1.5 2 draw ??" + committed("1.5 2 draw XB"),
        "1.7 1 beat 7S 6S",
        "2.0 3 ! T3 Not now" + committed("2.0 3 draw AS ! T3"),
    ]
    assert len(tuple(set([len(line) for line in lines[:3]]))) == 1
    assert committed("1.5 2 draw 6S", "00fe") not in lines[0]


def test_t11_the_nonce_comes_with_the_result_and_not_before():
    """The header goes out without it: a public record begins like any other."""
    lines = []
    header = Header()
    for line in ("game: durak", "nonce: 00ff", "seats: Anna; Борис", "dealer: 2"):
        read_key(header, line, 0)
    feed = Feed(durak, header, lines.append)
    feed.begin()
    assert lines == ["cardtable 1", "game: durak", "seats: Anna; Борис", "dealer: 2", ""]
    feed.end("fool 2", "ACDE FHJK MNPR")
    assert lines[5:] == ["result: fool 2", "digest: ACDE FHJK MNPR", "nonce: 00ff"]


def test_t6_a_refusal_in_the_feed_names_seat_rule_and_words():
    """T6: never the card."""
    lines = []
    feed = Feed(durak, Header(), lines.append)
    feed.refused(Event(3, 17, card_number("AS"), 0, 2000), "D14", "Rank is not on the table")
    assert lines == ["2.0 3 ! D14 Rank is not on the table"]


class Ticks:
    """A tick counter that wraps around, as an ESP32's does at 2^30."""

    def __init__(self, value: int):
        self.value = value

    def ticks_ms(self) -> int:
        return self.value % (1 << 30)

    def ticks_diff(self, end: int, start: int) -> int:
        return (end - start + (1 << 29)) % (1 << 30) - (1 << 29)


def test_the_clock_goes_on_where_the_ticks_wrap_around():
    """The game's time is unbroken."""
    ticks = Ticks((1 << 30) - 500)
    clock_module.time = ticks
    try:
        clock = Clock(250)
        ticks.value += 400
        assert clock.now() == 650
        ticks.value += 400
        assert clock.now() == 1050
    finally:
        clock_module.time = time
