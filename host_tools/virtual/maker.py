"""A maker at a virtual table: does what the doctor asks on the feed, and says what the eyes see.

The questions are those of firmware/cardtable/words/doctor.en.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Generator
from typing import Any

from host_tools.virtual.chips.iso14443a import Tag
from host_tools.virtual.chips.piezo import HEARD_DB

THINK_US = 150_000
PRESS_US = 60_000
LOOK_US = 400_000  # until a screen has been drawn
PATIENCE_US = 3_000_000  # how long to hold a card that no reader sees
STILL_US = 30_000_000  # and one that the doctor measures with

_PRESS = re.compile(r"\? Press (\w+) of seat (\d)\.")
_LIGHT = re.compile(r"\? Is the light of seat (\d) white")
_SCREEN = re.compile(r"\? Screen (\d)")
_SOUND = re.compile(r"\? Do you hear a tone")
_CARD = re.compile(r"\? Hold any card on the reader of seat (\d)(, still)?")


class Maker:
    """`hear` gets the lines of the feed; `play` is the actor for world.people. A broken button is pressed in vain."""

    def __init__(self, world: Any) -> None:
        self.world = world
        self.broken: set[tuple[int, str]] = set()  # (seat, key) of buttons without a wire
        self.has_dark_screen = False
        self._asked: deque[str] = deque(maxlen=1)  # a question that was asked since stands in place of an older one
        self._tag = Tag(bytes.fromhex("04a1b2c3d4e580"))

    def hear(self, line: str) -> None:
        """A line of the feed."""
        if line.startswith("? "):
            self._asked.append(line)

    def play(self) -> Generator[Any, None, None]:
        """Answer whatever is asked."""
        while True:
            yield lambda: self._asked
            line = self._asked.popleft()
            yield THINK_US
            if match := _PRESS.match(line):
                yield from self.press(int(match[2]), match[1])
            elif match := _LIGHT.match(line):
                yield from self.press(1, "OK" if self.is_white(int(match[1])) else "NO")
            elif match := _SCREEN.match(line):
                yield LOOK_US
                yield from self.press(1, "NO" if self.has_dark_screen else "OK")
            elif _SOUND.match(line):
                yield from self.press(1, "OK" if self.hears() else "NO")
            elif match := _CARD.match(line):
                yield from self.hold_card(int(match[1]), STILL_US if match[2] else PATIENCE_US)

    def is_white(self, seat: int) -> bool:
        """Whether the light of that seat shines white."""
        red, green, blue = self.world.lights.colour(seat - 1)
        return 0 < red == green == blue

    def hears(self) -> bool:
        """Whether the buzzer sounds, and loud enough."""
        hertz, duty = self.world.buzzer
        return self.world.piezo.level_db(hertz, duty) >= HEARD_DB

    def press(self, seat: int, key: str) -> Generator[Any, None, None]:
        """One press of one button."""
        if (seat, key) not in self.broken:
            self.world.press(seat, key)
            yield PRESS_US
            self.world.release(seat, key)
        yield PRESS_US

    def hold_card(self, seat: int, patience_us: int) -> Generator[Any, None, None]:
        """Hold a card there until the doctor asks something else."""
        late_us = self.world.now_us + patience_us
        self.world.put(seat, self._tag)
        yield lambda: self._asked or self.world.now_us >= late_us
        self.world.take(seat, self._tag)
        if not self._asked:
            yield from self.press(1, "NO")
