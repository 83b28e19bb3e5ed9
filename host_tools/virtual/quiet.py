"""Shows a virtual board behind a port as people see a table: its screen, its lights, the public feed and the doctor.

What a computer and MicroPython's prompt say to each other is left out.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from cardtable.drivers import font6x8
from cardtable.table import lights
from host_tools.virtual.glass import read_text

# How a line of the feed or of the doctor begins; everything else at the port is protocol.
_PUBLIC = re.compile(
    r"\d+\.\d+ \d |(boot|game|seats|fault|result|digest|opened|resumed after|damaged|lost|set-up|time|bug|feed): "
    r"|cardtable on |[!?] |The doctor |Reader \d|the application in "
)
_NAMES = {lights.colour_of(meaning): name for meaning, name in (
    (lights.ACCEPTED, "green"), (lights.REFUSED, "red"), (lights.CHOOSING, "amber"), (lights.FAULT, "purple"),
    (lights.WAITED_FOR, "blue"))}


class Quiet:
    """`hear` gets each line of the console, `look` is called now and then; both between two steps of the board."""

    def __init__(self, world: Any, say: Callable[[str], object]) -> None:
        self.world = world
        self.say = say
        self.on_public: Callable[[str], object] = lambda line: None  # gets each line that everybody may read
        self._shown: list[str] = []
        self._seen: list[str] = []

    def hear(self, line: str) -> None:
        """Show a line that everybody may read."""
        if _PUBLIC.match(line):
            self.on_public(line)
            self.say(line)

    def look(self) -> None:
        """Show glass and lights if they have changed, once they stand still."""
        now = self.picture()
        if now == self._seen and now != self._shown and any(row.strip(" |-+") for row in now):
            self._shown = now
            for row in now:
                self.say(row)
        self._seen = now

    def picture(self) -> list[str]:
        """The glass in a frame, and the lights that shine, by their seats."""
        rows = read_text(self.world.screen, font6x8)
        colours = [self.world.lights.colour(index) for index in range(len(self.world.lights))]
        shining = [f"{seat} {_NAMES.get(colour, 'lit')}" for seat, colour in enumerate(colours, 1) if any(colour)]
        frame = "+" + "-" * 23 + "+"
        lit = ["  lights: " + ", ".join(shining)] if shining else []
        return [frame, *(f"| {row:21} |" for row in rows if row), frame, *lit]
