"""Lets computing take time on the virtual clock of a device: inside this Python, or under MicroPython in a process
(shims/charges.py).

The table is what an emulated microcontroller of 32 bits (Cortex-M3, MicroPython, our .mpy files) took, in instructions;
an ESP32's Xtensa differs by some tens of percent. At 160 MHz and two cycles each an instruction takes 12.5 ns. A board
file may say `COMPUTING = 1.5`: so many times as long.
"""

from __future__ import annotations

import gc
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

NS = 12.5
# Idle poll 50,000 for 9 frames, poll of a known tag 136,000 for 24, first read of 7 bytes 250,000 for 38: by the frame
# 5,556, 5,667 and 6,579.
FRAME = 5_700
# What a tap means and whether that may happen, worst of 60 to 90 events (Durak of six; Malice 47,000; on average 17,000
# to 28,000); an event as played takes four times that.
VERDICT = 102_000
PLAYED = 4 * VERDICT
COLLECT = 1_200_000  # in a game; 3,000,000 with 240 KB in use
# Not computing, but no time of its own on a device without a modelled flash: the line of an event, 20 ms at worst at
# 90 us a read (docs/benchmarks.md, the record on flash).
WRITE_US = 20_000


@dataclass
class Computing:
    """What is charged. `collects`: each event finds the heap so full that it is collected on the way, the worst
    case. `spent_us` has what was charged so far, by name: interpreter, gc, journal."""

    factor: float = 1.0
    collects: bool = False
    spent_us: dict[str, int] = field(default_factory=lambda: {"interpreter": 0, "gc": 0, "journal": 0})
    clock: Any = None

    @classmethod
    def of(cls, board: Any, collects: bool = False) -> Computing:
        """As long as that board file says."""
        return cls(getattr(board, "COMPUTING", 1.0), collects)

    def cost_us(self, instructions: int) -> int:
        """How long so many instructions take."""
        return round(instructions * NS * self.factor / 1000)

    def tell(self) -> str:
        """What a device in a process is told: microseconds of a transaction on SPI, a verdict, an event as played, a
        collection, the write of a line."""
        frame, verdict, played, collect = map(self.cost_us, (FRAME, VERDICT, PLAYED, COLLECT))
        return f"{frame} {verdict} {played} {collect} {WRITE_US + self.collects * collect}"

    def charge(self, what: str, us: int) -> None:
        """So much time passes; timers that fall due in it are called."""
        self.spent_us[what] += us
        self.clock.now_us += us
        if self.clock.now_us >= self.clock.due_us:
            self.clock.catch_up()

    def collect(self) -> None:
        """In the place of the device's gc.collect."""
        self.charge("gc", self.cost_us(COLLECT))

    def begin(self, clock: Any, patches: Any) -> None:
        """A device has come up: charge its work from now on, until `patches` are undone."""
        from cardtable.play import controller
        from cardtable.play.judge_and_write import Judging  # the people at the table have sessions, too

        self.clock = clock
        patches.attribute(clock, "frame_us", self.cost_us(FRAME))
        patches.call(gc, "collect", self.collect)
        patches.attribute(controller, "tidy", self.collect)
        self._before(patches, Judging, "ask", lambda: self.charge("interpreter", self.cost_us(VERDICT)))
        self._before(patches, Judging, "say", lambda: self.charge("interpreter", self.cost_us(PLAYED)))
        self._before(patches, Judging, "write_late", self._write)

    def _write(self) -> None:
        if self.collects:
            self.collect()
        self.charge("journal", WRITE_US)

    @staticmethod
    def _before(patches: Any, owner: Any, name: str, charge: Callable[[], None]) -> None:
        theirs = getattr(owner, name)

        def ours(self: Any, *what: Any) -> Any:
            charge()
            return theirs(self, *what)

        patches.attribute(owner, name, ours)
