"""What people see and hear: lights, screen, words, feed; the clock beside them."""

import time

from cardtable.app import clock as clock_module
from cardtable.app import lights as lights_module
from cardtable.app.clock import Clock
from cardtable.app.feed import Feed
from cardtable.app.lights import ACCEPTED, BLINK_MS, CHOOSING, FAULT, OFF, REFUSED, WAITED_FOR, Lights
from cardtable.app.screen import COLUMNS, Screen
from cardtable.app.words import LANGUAGES, Words
from cardtable.engine.deck import card_number
from cardtable.engine.event import DRAW, Event, find_verb
from cardtable.games import durak


class Strip:
    """Remembers colours."""

    def __init__(self):
        self.colours = {}

    def set(self, index: int, red: int, green: int, blue: int) -> None:
        self.colours[index] = (red, green, blue)

    def show(self) -> None:
        pass


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


def test_words_are_found_in_every_language():
    """The game's own words, and those of the table."""
    for language in LANGUAGES:
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
    feed = Feed(durak, lines.append)
    event = Event(2, DRAW, card_number("6S"), 0, 1500)
    feed.accepted(event, 1)
    feed.accepted(Event(2, find_verb(durak, "cheat"), at_ms=1600), 0)
    feed.accepted(Event(1, find_verb(durak, "beat"), card_number("7S"), card_number("6S"), 1700), 2)
    assert lines == ["1.5 2 draw ??", "1.7 1 beat 7S 6S"]


def test_t6_a_refusal_in_the_feed_names_seat_rule_and_words():
    """T6: never the card."""
    lines = []
    Feed(durak, lines.append).refused(Event(3, 17, card_number("AS"), 0, 2000), "D14", "Rank is not on the table")
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
