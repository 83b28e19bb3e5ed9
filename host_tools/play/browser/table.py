"""A live table without a thread of its own: it lives for a moment whenever it is called, and says when it wants to be
called again. Everything else of it is LiveTable's.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from host_tools.play.machine import BURST_S, REST_US, Machine, MachineTable
from host_tools.play.table import LiveTable
from host_tools.play.watch import BLINK_US, STEADY_US
from host_tools.virtual.device import DeviceError
from host_tools.virtual.stepped import SteppedDevice

SLICE_S = 0.012  # how long it lives at once: a message of the page waits no longer than that
LOOK_S = 1.0  # how long it stands still at most
CALM_US = 1_000_000  # after so long without anything new it is called less often:
DOZE_S = 0.15  # so much later; an act that comes meanwhile calls it at once, and it makes up for the time
FOREVER = float("inf")


class SteppedMachine(Machine):
    """`post(work)`, `live()`. `on_post` is called when there is work: somebody has to call `live` soon.

    clock: monotonic(), this computer's."""

    clock: Any = time

    def __init__(self, table: MachineTable, board: Any, **named: Any) -> None:
        super().__init__(table, board, **{**named, "runtime": "cpython"})
        self.on_post: Callable[[], None] = lambda: None

    def start(self) -> None:
        """Power up with the next `live`."""
        self._device = SteppedDevice(self.world, self.table.flash, self.table.known.hear)

    def post(self, work: Callable[[], None]) -> None:
        """Have that done soon, at one moment of the table's time."""
        self._posts.put(work)
        self.on_post()

    def close(self) -> None:
        """Cut the power."""
        if self._device is not None:
            self._device.power_off()

    @property
    def is_alive(self) -> bool:
        """It is as long as it is called."""
        return True

    def live(self) -> float:
        """Live for SLICE_S at most; the seconds until it wants to live on, FOREVER if it waits for somebody."""
        late_s = self.clock.monotonic() + SLICE_S
        self._drain()
        self._leaves = False
        if not self.has_power or self._wishes:
            self._cut_power()
            if not self.has_power:
                self.table.watch.tell()
                return FOREVER
        if not self._device.is_on:
            self._begin()
        self.table.orders.look()
        ahead_s = self.ahead_s()
        if ahead_s > BURST_S:
            return ahead_s if ahead_s == FOREVER else min(ahead_s + self._doze_s(), LOOK_S)

        def is_enough() -> bool:
            return (self._leaves or not self._posts.empty() or self.ahead_s() > BURST_S
                    or self.clock.monotonic() > late_s)

        try:
            self._device.live(is_enough)
        except DeviceError as fall:
            self._note_fall(fall)
        return 0.0

    def ahead_s(self) -> float:
        """As Machine has it. A table that wakes is late: who touched it sees sooner what came of it."""
        has_rested = not self._anchor[2]
        ahead_s = super().ahead_s()
        if has_rested and ahead_s != FOREVER:
            self._anchor = (self._anchor[0] - DOZE_S, *self._anchor[1:])
        return ahead_s

    def _doze_s(self) -> float:
        """How much longer nobody misses it: nothing is new, and no hands are about to act."""
        is_calm = self.world.now_us - self._stirred_us > CALM_US
        return 0.0 if not is_calm or any(hands.acts for hands in self.table.hands.values()) else DOZE_S


class PageMachine(SteppedMachine):
    """That of a page with one person: it stands still soon. Where several play it must not: a light that blinks again
    would tell the others that somebody has pressed what is hidden (D43)."""

    def _is_calm(self, still_us: int) -> bool:
        """Sooner than REST_US if no hands move, no undo is open (T7) and no finished game waits to be closed; where a
        light blinks, once it has shown all that it shows."""
        if still_us < STEADY_US or still_us >= REST_US:
            return still_us >= REST_US
        table, session = self.table, self.table.session
        if session is not None and (session.undo_seat or session.is_over() and not table.known.is_closed):
            return False
        has_shown = table.watch.is_steady or still_us >= BLINK_US
        return has_shown and all(hands.is_still for hands in table.hands.values())


class SteppedTable(LiveTable):
    """A LiveTable that lives while somebody calls `machine.live()`."""

    make_machine: type[SteppedMachine] = PageMachine
    machine: SteppedMachine
