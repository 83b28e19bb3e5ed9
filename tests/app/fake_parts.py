"""Parts of a table that do as a test says: readers, buttons, flash, strip, glass, clock; no chip and no driver."""

import sys

from cardtable.engine.deck import card_number
from cardtable.play import clock
from cardtable.table.lights import Lights
from cardtable.table.screen import Screen
from cardtable.table.tags import Tags
from cardtable.table.words import Words

from tests.app.fake_journal import Journal

# What looks at the ticks besides, where a test has it: each takes room that other tests need.
LOOKING = ("cardtable.between.panel", "cardtable.play.controller")


class Time:
    """The ticks for both modules that look at them; CPython's own `time` has none."""

    def __init__(self):
        self.now_ms = 0
        self.wait = lambda clock, until_ms: None  # these ticks stand still

    def during(self, call, *arguments):
        """Call it with these ticks."""
        modules = [clock] + [sys.modules[name] for name in LOOKING if name in sys.modules]
        kept = clock.time
        waited = clock.Clock.wait
        for module in modules:
            module.time = self
        clock.Clock.wait = self.wait
        try:
            return call(*arguments)
        finally:
            for module in modules:
                module.time = kept
            clock.Clock.wait = waited

    def ticks_ms(self) -> int:
        return self.now_ms

    def ticks_add(self, ticks: int, delta: int) -> int:
        return ticks + delta

    def ticks_diff(self, end: int, start: int) -> int:
        return end - start


class Readers:
    """Posts as they were put in."""

    def __init__(self):
        self.faulty = 0
        self.jammer = 0
        self.halvings = 0
        self.chips = []
        self.lost = 0
        self.hurry = 0
        self.unused = 0
        self.resting = 0
        self.sweeps = 0
        self.posts = []
        self.uids = {}
        self.what = self.place = self.card = 0

    def uid(self, place: int) -> bytes:
        return self.uids[place]

    def has_posts(self) -> bool:
        return len(self.posts) > 0

    def next(self) -> bool:
        if not self.posts:
            return False
        self.what, self.place, self.card = self.posts.pop(0)
        return True


class Buttons:
    """Presses as they were put in: index of the button, or (index, ticks) of one that was found earlier."""

    def __init__(self):
        self.chain_ok = True
        self.stuck = 0
        self.lost = 0
        self.presses = []
        self.held_ms = {}
        self.press_ms = 0

    def next_press(self) -> int:
        if not self.presses:
            return -1
        press = self.presses.pop(0)
        index, self.press_ms = press if isinstance(press, tuple) else (press, clock.time.ticks_ms())
        return index

    def held(self, index: int, now_ms: int) -> int:
        return self.held_ms.get(index, 0)


class Strip:
    """Remembers nothing: the meanings are in Lights."""

    def set(self, index: int, red: int, green: int, blue: int) -> None:
        pass

    def show(self, anyway: bool = False) -> bool:
        return True


class Glass:
    """The rows as they were last written."""

    def __init__(self):
        self.rows = [""] * 8
        self.answers = True

    def line(self, row: int, text: str) -> None:
        assert len(text) <= 21, text
        self.rows[row] = text


class Parts:
    """What main.py would have made."""

    def __init__(self, game: str, language: str = "en"):
        self.time = Time()
        self.readers = Readers()
        self.buttons = Buttons()
        self.journal = Journal()
        self.lights = Lights(Strip(), 7)
        self.glass = Glass()
        self.screen = Screen([self.glass])
        self.language = language
        self.words = Words(game, language)
        self.sounds = None
        self.tags = Tags()
        self.said = []
        self.say = self.said.append
        self.on_tags = []  # what panels want written or read

    def post(self, what: int, place: int, card: str) -> None:
        """Something that the readers found."""
        self.readers.posts.append((what, place, card_number(card)))
