"""A table of people who do as a test says: the real firmware on virtual chips, what it shows, and what it wrote."""

import sys
import tempfile
from pathlib import Path

from boards import virtual
from cardtable.between.bugs import BUG_FILE
from cardtable.drivers import font6x8
from cardtable.engine.deck import card_number
from cardtable.play.controller import Controller
from cardtable.table import lights
from host_tools.virtual.chips.iso14443a import Tag
from host_tools.virtual.fingers import GONE_US, deck_lines, uid_of
from tests.host_tools.flash_device import FlashDevice
from host_tools.virtual.glass import read_text
from host_tools.virtual.in_process import InProcessDevice
from host_tools.virtual.pull import pull_records
from host_tools.virtual.table import build_busy
from host_tools.virtual.world import World

SECOND = 1_000_000
SETTLE_US = 600_000  # after a card was taken off
GREEN, RED, AMBER, PURPLE, BLUE = (
    lights.colour_of(meaning)
    for meaning in (lights.ACCEPTED, lights.REFUSED, lights.CHOOSING, lights.FAULT, lights.WAITED_FOR)
)
SETUP = "cardtable 1\ngame: durak throw-in\nseats: Anna; Boris\ndealer: 2\nfirst: 1\n\n"


class AtTable:
    """Give `play` a generator that acts as an actor of world.people does; the device runs until it has ended."""

    def __init__(self, setup=SETUP, deck=None, runtime="cpython", language="en", ticks_start_ms=0, seed=0,
                 board=virtual, computing=None):
        self.board = board
        self.computing = computing  # of the device inside this Python: what its work takes
        self.world = World(board, seed)
        self.lines = []  # (time in us, line of the public feed)
        self.seen = []  # (time in us, what the eight rows of the glass show from then on)
        self.journal = []  # the lines of the record behind its header
        self._runtime = runtime
        self._ticks_start_ms = ticks_start_ms
        self._files = {"setup.txt": setup, "language.txt": language + "\n"}
        self._files["deck.txt"] = "".join(deck_lines()) if deck is None else deck
        self._tags = {}
        self._left_us = {}
        self.expects_bugs = False
        self.flash = Path()

    # --- what people do ---

    def tag(self, card):
        """The tag of a card by its name."""
        if card not in self._tags:
            self._tags[card] = Tag(uid_of(card_number(card)))
        return self._tags[card]

    def put(self, place, card):
        """Lay a card on a reader."""
        self.world.put(place, self.tag(card))

    def take(self, place, card):
        """Take it away."""
        self.world.take(place, self.tag(card))

    def tap(self, place, card, until=(GREEN, RED)):
        """Lay a card on a reader, wait for the light, take it away and wait until that is noticed."""
        yield from self.until(lambda: self.light(place) not in until)
        ready_us = self._left_us.get((place, card), -GONE_US) + GONE_US
        if ready_us > self.world.now_us:
            yield ready_us - self.world.now_us
        self.put(place, card)
        yield from self.until(lambda: self.light(place) in until)
        self.take(place, card)
        self._left_us[place, card] = self.world.now_us
        yield SETTLE_US

    def press(self, place, key, us=60_000):
        """One press of a button."""
        self.world.press(place, key)
        yield us
        self.world.release(place, key)
        yield 60_000

    def abort(self, key):
        """T10: the arbiter's key, `abort` in seat 1's menu, OK, the key once more."""
        yield from self.use_key(key)
        for _ in range(10):
            if self.screen()[7] == "1 abort?":
                break
            yield from self.press(1, "MENU")
            yield SECOND // 2
        yield from self.press(1, "OK")
        yield from self.use_key(key)

    def use_key(self, key):
        """The arbiter's key is laid on reader 1, and taken away."""
        self.world.put(1, key)
        yield SECOND
        self.world.take(1, key)
        yield SECOND

    def until(self, wish, us=5 * SECOND):
        """Wait for something, but not for ever; looked at a hundred times a second."""
        late_us = self.world.now_us + us
        while not wish():
            lights_now = [self.light(place) for place in range(1, self.board.SEATS + 1)]
            assert self.world.now_us < late_us, f"{self.world.now_us} us: {self.screen()} {lights_now}"
            yield 10_000

    # --- what they see ---

    def light(self, place):
        """The colour of a place's light."""
        return tuple(self.world.lights.colour(place - 1))

    def screen(self):
        """The eight rows of the glass."""
        return read_text(self.world.screen, font6x8)

    def says(self):
        """What the device has printed since it said hello, without times."""
        return [line for _, line in self.lines]

    def events(self):
        """The journal's lines without their times."""
        return [line.partition(" ")[2] for line in self.journal]

    def _watch(self):
        """Somebody who never takes the eyes off the screen."""
        while True:
            rows = self.screen()
            if not self.seen or self.seen[-1][1] != rows:
                self.seen.append((self.world.now_us, rows))
            yield 20_000

    # --- the device ---

    def play(self, actor, limit_us=120 * SECOND, watched=False):
        """Run the firmware until the actor has ended."""
        ended = []

        def whole():
            # The device has said hello, and the first line is on the glass.
            yield from self.until(lambda: self.lines and any(self.screen()))
            yield from actor
            ended.append(True)

        self.world.people.add(whole())
        if watched:
            self.world.people.add(self._watch())
        with tempfile.TemporaryDirectory(prefix="cardtable-") as folder:
            self.flash = Path(folder)
            for name, content in self._files.items():
                if content is not None:
                    (self.flash / name).write_bytes(content if isinstance(content, bytes) else content.encode())
            self._run(lambda: ended or self.world.now_us > limit_us)
            is_right = self.expects_bugs or not any(line.startswith("bug: ") for line in self.says())
            assert is_right, (self.flash / BUG_FILE).read_text()
            records = pull_records(self.flash)
            if records:
                self.journal = records[-1].read_text().split("\n\n", 1)[1].splitlines()
        assert ended, f"still at it: {self.screen()}"

    def _run(self, until):
        if self._runtime == "cpython":
            InProcessDevice(
                self.world, self.flash, on_line=self._hear, ticks_start_ms=self._ticks_start_ms,
                computing=self.computing,
            ).run(until)
            return
        from host_tools.virtual.device import Device

        built, shims = build_busy(self.board.NAME)
        if self._runtime == "flash":  # one that takes its time
            with tempfile.TemporaryDirectory(prefix="cardtable-") as folder:
                with FlashDevice(self.world, self.flash, Path(folder) / "flash.bin", built, shims, on_line=self._hear,
                                 ticks_start_ms=self._ticks_start_ms) as device:
                    device.run(until=until)
                    device.power_off()
                    device.copy_files(self.flash)
            return
        with Device(
            self.world, self.flash, built, shims, on_line=self._hear, ticks_start_ms=self._ticks_start_ms
        ) as device:
            device.run(until=until)

    def _hear(self, line):
        self.lines.append((self.world.now_us, line))

    # --- the flash ---

    def fill_flash(self):
        """From now on every write to the record fails, as on a full disk."""
        self._record = sorted(self.flash.glob("games/[0-9]*"))[-1]
        self._record.rename(self._record.with_suffix(".aside"))
        self._record.touch()  # in a file no piece and no page can be made

    def empty_flash(self):
        """There is room again."""
        self._record.unlink()
        self._record.with_suffix(".aside").rename(self._record)


def fail_when_told(monkeypatch):
    """A list: once something is in it the power fails, and comes back."""
    told = []
    step = Controller.step

    def step_or_fail(this):
        if told:
            told.clear()
            machine = sys.modules["machine"]
            machine.port.reset(machine.PWRON_RESET)
        step(this)

    monkeypatch.setattr(Controller, "step", step_or_fail)
    return told


def record_name(text: str) -> str:
    """The card that the glass calls so, as the record has it: `10♠` is TS, `★r` is XR."""
    if text[0] == "★":
        return "X" + text[1].upper()
    return text[:-1].replace("10", "T") + "SHDC"["♠♥♦♣".index(text[-1])]
