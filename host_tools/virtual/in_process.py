"""The device inside this Python: the same firmware on the same shims, with no process and no pipe; for
fuzzing and coverage.

While one is installed, `machine`, `neopixel`, `micropython` and `board` can be imported, `time` has its
ticks and sleeps, and `asyncio` runs on virtual time; after `uninstall` all is as it was. One device at a
time, in one thread: for other threads time and sleeps stay real, or one that naps would let virtual time run away.
"""

from __future__ import annotations

import asyncio
import contextlib
import gc
import importlib
import importlib.util
import io
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

from host_tools.base.project import FIRMWARE, SHIMS
from host_tools.virtual import virtual_loop

if TYPE_CHECKING:
    from host_tools.virtual.computing import Computing
    from host_tools.virtual.world import World

POWER_ON = 1
_TICK_US = 10_000
_STEP_US = 50_000  # as in host_tools/virtual/shims/port.py
_TIME_NAMES = (
    "ticks_ms", "ticks_us", "ticks_cpu", "ticks_add", "ticks_diff", "sleep", "sleep_ms", "sleep_us", "time",
    "time_ns",
)
_ABSENT = object()


class PowerCut(SystemExit):
    """The device has no power any more: what it did ends where it was. Firmware must not catch it."""


class Reset(PowerCut):
    """The device has asked for a restart; `cause` is what machine.reset_cause() will say."""

    def __init__(self, cause: int) -> None:
        super().__init__()
        self.cause = cause


class Stopped(SystemExit):
    """Somebody at the table has stopped, with an error of their own. Firmware must not catch it."""


class InProcessPort:
    """The functions of host_tools/virtual/shims/port.py, answered by a World at once.

    A pin that goes low, and what is written behind it, waits for what comes next: if that is the pin's way up, the
    World gets the whole frame in one call.
    """

    def __init__(self, clock: Any) -> None:
        self._clock = clock
        self._low_pin = -1  # the pin that waits, and since when
        self._low_us = 0
        self._written = b""  # what was written behind it, and where and when
        self._sck = 0
        self._written_us = 0
        self.attach(None)

    def attach(self, world: World | None, until: Callable[[], object] | None = None, cause: int = POWER_ON,
               on_answer: Callable[[], object] | None = None) -> None:
        self._world, self._until, self._cause, self._on_answer = world, until, cause, on_answer
        self._low_pin = -1
        self._written = b""
        self._answered_us = self._clock.now_us

    def _powered(self) -> World:
        """The World, once everything that waited has taken place."""
        world = self._world
        if world is None:
            raise PowerCut
        if self._low_pin >= 0:
            pin, written = self._low_pin, self._written
            self._low_pin, self._written = -1, b""
            world.pin_write(pin, 0, self._low_us)
            if written:
                world.spi(self._sck, written, self._written_us)
        return world

    def _answer(self, value: Any) -> Any:
        """An answer is on its way: the moment at which a run can be ended."""
        self._answered_us = self._clock.now_us
        if self._on_answer is not None:
            self._on_answer()
        if self._until is not None and self._until():
            self._world = None
            raise PowerCut
        return value

    def pin_write(self, pin: int, level: int) -> None:
        written = self._written
        if level and written and pin == self._low_pin:  # most of what a device does is this
            self._low_pin, self._written = -1, b""
            if self._world is None:
                raise PowerCut
            self._world.frame(pin, self._sck, written, self._low_us, self._written_us, self._clock.now_us)
            return
        world = self._powered()
        if level:
            world.pin_write(pin, level, self._clock.now_us)
        else:
            self._low_pin, self._low_us = pin, self._clock.now_us

    def pin_mode(self, pin: int, mode: int, pull: int) -> None:
        self._powered().pin_mode(pin, mode, pull, self._clock.now_us)

    def pin_read(self, pin: int) -> int:
        return self._answer(self._powered().pin_read(pin, self._clock.now_us))

    def spi_open(self, sck: int, mosi: int, miso: int, mode: int, baudrate: int) -> None:
        self._powered().spi_open(sck, mosi, miso, mode, self._clock.now_us, baudrate)

    def spi_write(self, sck: int, data: Any) -> None:
        if self._low_pin >= 0 and not self._written and data:
            self._sck, self._written, self._written_us = sck, bytes(data), self._clock.now_us
        else:
            self._powered().spi(sck, bytes(data), self._clock.now_us)

    def spi_read(self, sck: int, fill: int, into: Any) -> None:
        into[:] = self._answer(self._powered().spi(sck, bytes([fill]) * len(into), self._clock.now_us))

    def spi_exchange(self, sck: int, data: Any, into: Any) -> None:
        into[:] = self._answer(self._powered().spi(sck, bytes(data), self._clock.now_us))

    def i2c_open(self, scl: int, sda: int, freq: int) -> None:
        self._powered().i2c_open(scl, sda, self._clock.now_us, freq)

    def i2c_write(self, scl: int, address: int, data: Any) -> bool:
        return self._answer(self._powered().i2c_write(scl, address, bytes(data), self._clock.now_us))

    def i2c_writev(self, scl: int, address: int, vector: Any, size: int) -> bool:
        return self.i2c_write(scl, address, b"".join(vector))

    def i2c_read(self, scl: int, address: int, into: Any) -> bool:
        read = self._answer(self._powered().i2c_read(scl, address, len(into), self._clock.now_us))
        if read is None:
            return False
        into[:] = read
        return True

    def strip_write(self, pin: int, data: Any) -> None:
        self._powered().strip_write(pin, bytes(data), self._clock.now_us)

    def pwm(self, pin: int, freq: int, duty_u16: int) -> None:
        self._powered().pwm(pin, freq, duty_u16, self._clock.now_us)

    def step(self) -> None:
        self._powered().step(self._clock.now_us)
        self._answer(None)

    def on_wait(self) -> None:
        if self._clock.now_us - self._answered_us >= _STEP_US:
            self.step()

    def reset(self, cause: int) -> None:
        """The chip's pins let go here: what its tasks would still do on their way out reaches nothing."""
        self._powered().step(self._clock.now_us)
        self._world = None
        raise Reset(cause)

    def reset_cause(self) -> int:
        return self._cause

    def rtc_read(self) -> bytes:
        return self._powered().rtc

    def rtc_write(self, data: Any) -> None:
        self._powered().rtc = bytes(data)

    def unique_id(self) -> bytes:
        return b"card\x00\x01"


def load(name: str, path: Path, **given: Any) -> ModuleType:
    """A module from its file, which finds `given` before the builtins."""
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    module.__dict__.update(given)
    spec.loader.exec_module(module)
    return module


class _Patches:
    """Attributes and entries that are set for a while."""

    def __init__(self) -> None:
        self._undo: list[Callable[[], object]] = []

    def attribute(self, owner: Any, name: str, value: Any) -> None:
        old = getattr(owner, name, _ABSENT)
        setattr(owner, name, value)
        self._undo.append(lambda: delattr(owner, name) if old is _ABSENT else setattr(owner, name, old))

    def call(self, owner: Any, name: str, ours: Any) -> None:
        """A function that is `ours` in this thread alone."""
        theirs, thread = getattr(owner, name, None), threading.get_ident()
        if theirs is None or isinstance(theirs, type):
            self.attribute(owner, name, ours)
            return

        def either(*args: Any, **named: Any) -> Any:
            return (ours if threading.get_ident() == thread else theirs)(*args, **named)

        self.attribute(owner, name, either)

    def module(self, name: str, value: Any) -> None:
        old: Any = sys.modules.get(name, _ABSENT)
        sys.modules[name] = value
        if old is _ABSENT:
            self._undo.append(lambda: sys.modules.pop(name, None))
        else:
            self._undo.append(lambda: sys.modules.update({name: old}))

    def undo(self) -> None:
        while self._undo:
            self._undo.pop()()


class _Shims:
    """The shims, loaded once: firmware keeps the modules it has imported, so every device has to have the
    same ones. `make_port` makes the port from the clock.
    """

    def __init__(self, make_port: Callable[[Any], Any]) -> None:
        patches = _Patches()
        try:
            self.micropython = load("micropython", SHIMS / "micropython.py")
            patches.module("micropython", self.micropython)
            self.clock = load("virtual_clock", SHIMS / "virtual_clock.py")
            patches.module("virtual_clock", self.clock)
            self.port = make_port(self.clock)
            patches.module("port", self.port)
            self.machine = load("machine", SHIMS / "machine.py")
            self.console = load("console", SHIMS / "console.py")
            self.neopixel = load("neopixel", SHIMS / "neopixel.py")
            self.time = load("virtual_time", SHIMS / "time.py")
        finally:
            patches.undo()
        self.asyncio = virtual_loop.additions(self.clock)


_shims: _Shims | None = None
_installed: _Patches | None = None


def load_shims(make_port: Callable[[Any], Any] | None = None) -> Any:
    """The shims of this Python, made when first asked for; their port is the one without a pipe, or the one made."""
    global _shims
    if _shims is None:
        _shims = _Shims(make_port or InProcessPort)
    return _shims


def patch(shims: Any, board: Any) -> _Patches:
    """Puts the device's modules, its time and its asyncio into this Python; `board` None: it has no such module."""
    patches = _Patches()
    for name in ("machine", "neopixel", "micropython"):
        patches.module(name, getattr(shims, name))
    if board is not None:
        patches.module("board", board)
    for name in _TIME_NAMES:
        patches.call(time, name, getattr(shims.time, name))
    for name, addition in shims.asyncio.items():
        patches.call(asyncio, name, addition)
    # CPython's collector has other thresholds, and nothing here is tight.
    patches.attribute(gc, "threshold", lambda size=-1: None)
    return patches


def enter(shims: Any, board: str) -> None:
    """Make this Python a device with a board of boards/, or with none of that name, until the process ends."""
    found = importlib.util.find_spec("boards." + board)
    patch(shims, importlib.import_module("boards." + board) if found else None)


def install(world: World, until: Callable[[], object] | None = None, ticks_start_ms: int = 0,
            reset_cause: int = POWER_ON, on_answer: Callable[[], object] | None = None) -> None:
    """Puts a device into this Python whose pins are `world`'s; its time goes on from there, on the next
    tick.

    `until` is asked whenever the device waits for an answer; once it is true PowerCut comes out of whatever
    runs. RuntimeError if one is installed already.
    """
    global _installed
    if _installed is not None:
        raise RuntimeError("there is a device in this Python already")
    shims = load_shims()
    shims.clock.power_up(-(-world.now_us // _TICK_US) * _TICK_US, ticks_start_ms)
    shims.clock.on_wait = shims.port.on_wait
    shims.console.begin(world.console_stalls)
    shims.port.attach(world, until, reset_cause, on_answer)
    patches = patch(shims, world.board)
    world.power(True)
    _installed = patches


def uninstall() -> None:
    """Takes the device out again; does nothing if there is none. What still runs of it gets PowerCut from
    its pins.
    """
    global _installed
    if _installed is not None:
        assert _shims is not None
        _shims.port.attach(None)
        _installed.undo()
        _installed = None


@contextlib.contextmanager
def installed(world: World, until: Callable[[], object] | None = None,
              ticks_start_ms: int = 0) -> Iterator[None]:
    """`install` and `uninstall` around a block, which ends early and quietly if `until` comes true."""
    install(world, until, ticks_start_ms)
    try:
        with contextlib.suppress(PowerCut):
            yield
    finally:
        uninstall()


class Lines(io.TextIOBase):
    """Takes prints, and hands whole lines on when it is told to."""

    def __init__(self, on_line: Callable[[str], None]) -> None:
        self._on_line = on_line
        self._outside = sys.stdout
        self._text = ""

    def write(self, text: str) -> int:
        load_shims().console.take(text)
        self._text += text
        return len(text)

    def hand_on(self) -> None:
        if not self._text:
            return
        *lines, self._text = self._text.split("\n")
        with contextlib.redirect_stdout(self._outside):
            for line in lines:
                self._on_line(line)


class InProcessDevice:
    """As host_tools/virtual/device.py's Device, without a process: firmware from its source, in this Python.

    `main` is the program, the project's main.py by default. An error in it comes out as it is. `computing` charges what
    its work takes; without it computing takes no time.
    """

    def __init__(self, world: World, flash_dir: Path | str, *, main: Path = FIRMWARE / "main.py",
                 ticks_start_ms: int = 0, on_line: Callable[[str], None] | None = None,
                 computing: Computing | None = None) -> None:
        self.world = world
        self.computing = computing
        self.boots = 0
        self._flash = Path(flash_dir)
        self._code = compile(main.read_text(), str(main), "exec")
        self._ticks_start_ms = ticks_start_ms
        self._on_line = on_line or (lambda line: None)

    def run(self, until: Callable[[], object] | None = None) -> bool:
        """Runs from power-up until `until()` is true (True: its power is cut there) or its program ends
        (False).
        """
        cause = POWER_ON
        self.world.people.error_as = Stopped
        while True:
            try:
                self._boot(until, cause)
                self.world.device_down()
                return False
            except Reset as reset:
                self.world.device_down()
                cause = reset.cause
            except PowerCut:
                self.world.power(False)
                return True
            except Stopped as stopped:
                self.world.power(False)
                assert stopped.__cause__ is not None
                raise stopped.__cause__ from None

    def _boot(self, until: Callable[[], object] | None, cause: int) -> None:
        self.boots += 1
        # As from a process, prints come out when the device next waits for an answer.
        prints = Lines(self._on_line)
        install(self.world, until, self._ticks_start_ms, cause, prints.hand_on)
        if self.computing is not None:
            assert _shims is not None and _installed is not None
            self.computing.begin(_shims.clock, _installed)
        try:
            with contextlib.chdir(self._flash), contextlib.redirect_stdout(prints):
                exec(self._code, {"__name__": "__main__"})
                _shims.port.step()  # type: ignore[union-attr]
        finally:
            uninstall()
            prints.hand_on()
