"""Parts of a table that do as a test says: readers, buttons, flash, strip, glass, clock; no chip and no driver."""

import sys

from cardtable.engine.deck import card_number
from cardtable.play import clock, controller
from cardtable.table.lights import Lights
from cardtable.table.screen import Screen
from cardtable.table.tags import Tags
from cardtable.table.words import Words

PANEL = "cardtable.between.panel"


class Time:
    """The ticks for both modules that look at them; CPython's own `time` has none."""

    def __init__(self):
        self.now_ms = 0
        self.passes = False  # while something waits; else these ticks stand still

    def pass_until(self, clock, until_ms: int) -> None:
        """In the place of Clock.wait."""
        if self.passes:
            self.now_ms += max(0, until_ms - clock.now())

    def during(self, call, *arguments):
        """Call it with these ticks."""
        # A panel where a test has one: it takes room that a game's tests need.
        modules = [clock, controller] + [sys.modules[name] for name in (PANEL,) if name in sys.modules]
        kept = clock.time
        waited = clock.Clock.wait
        for module in modules:
            module.time = self
        clock.Clock.wait = lambda clock, until_ms: self.pass_until(clock, until_ms)
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
        self.sweeps = 0
        self.posts = []
        self.uids = {}
        self.what = self.place = self.card = 0

    def uid(self, place: int) -> bytes:
        return self.uids[place]

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
        index, self.press_ms = press if isinstance(press, tuple) else (press, controller.time.ticks_ms())
        return index

    def held(self, index: int, now_ms: int) -> int:
        return self.held_ms.get(index, 0)


class Journal:
    """Lines that are on flash, and those that are kept while it is full."""

    def __init__(self):
        self.is_full = False
        self.lines = []
        self.kept = []
        self.prepared = 0
        self.is_put_away = False
        self.digest = "ACDE FHJK MNPR"

    def open(self, header) -> bool:
        return self.write("header")

    def write(self, line: str) -> bool:
        self.keep(line)
        return self.flush()

    def keep(self, line: str) -> None:
        self.kept.append(line)

    def flush(self) -> bool:
        if self.is_full:
            return False
        self.lines += self.kept
        self.kept = []
        return True

    def is_durable(self) -> bool:
        return not self.kept

    def go_on(self, name: str, page: int, spares: int) -> None:
        self.lines.append("%s behind page %d, %d spare" % (name, page, spares))

    def witness(self, is_over: bool = False) -> bool:
        return True

    def prepare(self) -> bool:
        self.prepared += 1
        return True

    def counts(self) -> str:
        return "0 pages late, 0 faults"

    def put_away(self):
        yield
        self.is_put_away = True


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
