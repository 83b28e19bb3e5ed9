"""The machine of a live table: the real firmware on virtual hardware, its power, the thread that it lives in, and how
fast its time passes. It stands still whenever nothing can happen, and costs nothing then.
"""

from __future__ import annotations

import queue
import threading
import time
from collections.abc import Callable, Mapping, Sized
from pathlib import Path
from typing import Any, Protocol

from cardtable.engine.state import CLOCK, CLOCKS, OWN
from host_tools.base.bugs import BugLog
from host_tools.base.interpreters import find_machine_code, find_micropython
from host_tools.virtual.device import Device, DeviceError
from host_tools.virtual.world import World

BURST_S = 0.03  # so far the device may be ahead of its time before it is held back
LATE_S = 0.25  # further behind it does not try to catch up
REST_US = 14_000_000  # after so long without anything new the table stands still until somebody touches it
RESTARTS = 3  # a device that falls so often in a row stays off
SETTLED_S = 30.0  # a device that has run so long does not fall in a row any more
FALLEN = "the firmware stopped, and was started again"
STAYS_OFF = "the firmware stopped three times in a row, so the table is off now"


class Hears(Protocol):
    """Known, as the machine needs it: it hears the firmware's lines, and forgets when the power goes."""

    is_up: bool
    is_closed: bool
    notice: str  # a sentence of why.* or notice.*
    on_line: Callable[[str], None]

    def forget(self) -> None: ...
    def hear(self, line: str) -> None: ...


class Acts(Protocol):
    """A seat's hands, as the machine needs them: it does not rest before their acts are done."""

    @property
    def acts(self) -> Sized: ...
    @property
    def is_still(self) -> bool: ...


class Looks(Protocol):
    """The orders: each hold of the device is a moment to look for one."""

    def look(self) -> None: ...


class Writes(Protocol):
    """The tags: their keys are written while the device has no power."""

    def write_keys(self) -> None: ...


class Tells(Protocol):
    """The watch: without power nothing else calls it. It knows whether a light that blinks is dark, and whether
    any does."""

    @property
    def is_lit(self) -> bool: ...
    @property
    def is_steady(self) -> bool: ...
    def tell(self) -> None: ...


class MachineTable(Protocol):
    """A live table, as its machine needs it; the machine stands below all other parts."""

    bugs: BugLog

    @property
    def flash(self) -> Path: ...
    @property
    def game(self) -> Any: ...
    @property
    def session(self) -> Any: ...
    @property
    def known(self) -> Hears: ...
    @property
    def hands(self) -> Mapping[int, Acts]: ...
    @property
    def orders(self) -> Looks: ...
    @property
    def tags(self) -> Writes: ...
    @property
    def watch(self) -> Tells: ...


class Machine:
    """`start()`, `post(work)`, `close()`. One thread owns the device, its world and all that the table knows.

    board: its module. runtime: micropython or cpython;
    empty: micropython where there is one. speed: the table's seconds in one of this computer's.
    """

    def __init__(self, table: MachineTable, board: Any, *, seed: int, speed: float, runtime: str) -> None:
        self.table = table
        self.board = board
        self.world = World(board, seed)
        self.runtime = runtime or ("micropython" if find_micropython() else "cpython")
        self.speed = speed
        self.has_power = True
        self.stands_still = False  # its time does not pass while a program that plays here looks at it
        # How long people have waited here, in seconds: its time at its speed, and this computer's while it rests. On a
        # busy machine the table is slow, and nobody has waited longer for it.
        self.waited_s = 0.0
        self._waited_us = 0
        self._device: Any = None
        self._posts: queue.SimpleQueue[Callable[[], None]] = queue.SimpleQueue()
        self._wake = threading.Event()
        self._thread = threading.Thread(target=self._run, name="table", daemon=True)
        self._is_closing = self._leaves = False
        self._anchor: tuple[float, int, float] = (0.0, 0, 0.0)  # real seconds, microseconds here, speed
        self._stirred_us = 0
        self._started_s = 0.0
        self._falls = 0
        self._wishes: list[Callable[[], object]] = []  # what is to be written while it has no power
        self._trouble = ""  # why one of them was not

    # --- for other threads ---

    def start(self) -> None:
        """Build the firmware, power up. UnusableInput."""
        from host_tools.virtual import image  # here, not above: a page's table builds nothing
        from host_tools.virtual.table import BUILD

        machine_code = None if self.runtime == "cpython" else find_machine_code()
        name = self.board.NAME
        built = image.build_rom(name, BUILD / f"play-{name}", machine_code=machine_code)
        shims = image.build_shims(BUILD / "busy-shims", machine_code)
        self._device = make_device(self.runtime, self.world, self.table.flash, built, shims, self.table.known.hear)
        self._thread.start()

    def post(self, work: Callable[[], None]) -> None:
        """Have the table's thread do that soon, at one moment of the table's time."""
        self._posts.put(work)
        self._wake.set()

    def close(self) -> None:
        """Cut the power and end the thread; comes back when it has ended."""
        self.post(self._close)
        if self._thread.is_alive():
            self._thread.join()

    @property
    def is_alive(self) -> bool:
        """Whether its thread runs."""
        return self._thread.is_alive()

    # --- in the table's thread ---

    @property
    def process(self) -> int:
        """The number of the device's process; 0 if it has none now."""
        process = getattr(self._device, "_process", None)
        return process.pid if process else 0

    def stir(self) -> None:
        """Something happens: the table does not rest yet."""
        self._stirred_us = self.world.now_us

    def note_time(self) -> None:
        """Count how long people have waited since the last time."""
        self.waited_s += (self.world.now_us - self._waited_us) / 1e6 / self.speed
        self._waited_us = self.world.now_us

    def power(self, on: bool) -> None:
        """Take the power away, at any moment, or give it back."""
        self.has_power = on
        self._leaves = True
        self._falls = 0

    def restart(self, write: Callable[[], object]) -> None:
        """Take the power away, do that, and give it back."""
        self.power(False)
        self._wishes.append(write)

    def _run(self) -> None:
        while not self._is_closing:
            self._leaves = False
            if self.has_power:
                self._run_device()
            else:
                self.table.watch.tell()
                self._wait(1.0)
                self._drain()
                self._grant_wishes()
        self._device.power_off()

    def _run_device(self) -> None:
        """Let the device run until it is told to stop; restart one that crashes."""
        self._begin()
        try:
            self._device.run(until=self._hold)
        except DeviceError as fall:
            self._note_fall(fall)
        except Exception as bug:  # noqa: BLE001 - a bug of ours must not end the table
            self._device.power_off()
            self._note_fall(bug)
            self.table.known.notice = self.table.bugs.note(bug)
        if not self.has_power or self._wishes or self._is_closing:
            self._cut_power()

    def _begin(self) -> None:
        """The device runs from now on."""
        if not self._device.is_on:
            self.table.known.forget()
        self._started_s = time.monotonic()
        self._anchor = (time.monotonic(), self.world.now_us, self.speed)

    def _note_fall(self, fall: Exception) -> None:
        """The device has crashed, or hung: it is started again, unless it does so again and again."""
        self.table.known.on_line(str(fall))
        self._falls = 1 if time.monotonic() - self._started_s > SETTLED_S else self._falls + 1
        self.has_power = self._falls < RESTARTS
        self.table.known.notice = FALLEN if self.has_power else STAYS_OFF

    def _cut_power(self) -> None:
        """Take the power away, and give it back where that was only for something to be written."""
        self._device.power_off()
        self.table.known.forget()
        self._grant_wishes()

    def _grant_wishes(self) -> None:
        """Without power: write what waits for that, and give the power back. A full disk costs the wish, and not the
        table."""
        wishes, self._wishes = self._wishes, []
        if not wishes:
            return
        known, was = self.table.known, self._trouble
        self._trouble = ""
        for wish in (self.table.tags.write_keys, *wishes):
            try:
                wish()
            except OSError as wrong:
                self._trouble = f"it cannot be written down: {wrong.strerror or wrong}"
            except Exception as bug:  # noqa: BLE001 - as of one that is posted
                self._trouble = self.table.bugs.note(bug)
        if self._trouble or known.notice == was:
            known.notice = self._trouble
        self.has_power = True

    def _hold(self) -> bool:
        """Asked whenever the device waits: True leaves it there; comes back when its time has come."""
        while True:
            self._drain()
            if self._leaves or self._is_closing:
                return True
            self.table.orders.look()
            ahead_s = self.ahead_s()
            if ahead_s <= BURST_S:
                return False
            if ahead_s == float("inf"):
                self._wait(1.0)
            else:
                self._wake.wait(min(ahead_s, 1.0))
                self._wake.clear()

    def _wait(self, longest_s: float) -> None:
        """Until something is posted, while the table's time does not pass."""
        begun_s = time.monotonic()
        self._wake.wait(longest_s)
        self._wake.clear()
        self.waited_s += time.monotonic() - begun_s

    def ahead_s(self) -> float:
        """How far the device is ahead of its time; endless while it rests."""
        if self.stands_still or self._rests():
            self._anchor = (0.0, 0, 0.0)
            return float("inf")
        speed = self.speed
        real_s, here_us, was = self._anchor
        ahead_s = (self.world.now_us - here_us) / 1e6 / speed - (time.monotonic() - real_s)
        if was != speed or ahead_s < -LATE_S:
            self._anchor = (time.monotonic(), self.world.now_us, speed)
            return 0.0
        return ahead_s

    def _rests(self) -> bool:
        """Whether the table waits for a person: no clock runs, and no virtual player is about to act."""
        if not self._is_calm(self.world.now_us - self._stirred_us):
            return False
        if any(one.acts for one in self.table.hands.values()):
            return False
        if not self.table.watch.is_lit:
            return False
        session, is_up = self.table.session, self.table.known.is_up
        if session is None or not is_up:
            return bool(is_up)
        register = session.state.register
        clocks = bytes(register[CLOCK:CLOCKS]) + bytes(register[CLOCKS + 2:OWN])
        return self.table.game.due_ms(session.state) < 0 and not any(clocks)

    def _is_calm(self, still_us: int) -> bool:
        """Whether enough time has passed without anything new."""
        return still_us >= REST_US

    def _drain(self) -> None:
        for _ in range(self._posts.qsize()):  # and not what comes meanwhile: the device runs however much is posted
            work = self._posts.get_nowait()
            self.stir()
            try:
                work()
            except Exception as bug:  # noqa: BLE001 - one visitor's bug must not stop the table for the others
                self.table.bugs.note(bug)

    def _close(self) -> None:
        self._is_closing = True


def make_device(runtime: str, world: World, flash: Path, built: Path, shims: Path,
                hear: Callable[[str], None]) -> Device:
    """The device, under MicroPython where there is one, else inside a CPython of its own."""
    if runtime == "cpython":
        return Device(world, flash, on_line=hear, runtime=runtime)
    return Device(world, flash, built, shims, is_spacious=True, on_line=hear)
