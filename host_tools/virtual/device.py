"""A virtual device: MicroPython, or CPython, in a process of its own, joined to a World by a pipe.

One thread does everything: it reads what the device asks, lets the World answer, and hands on what the
device prints. While the device waits for an answer its last prints lie in the pipe, and only then are they
handed on: so what a run does never depends on how the host schedules the two processes.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections import deque
from collections.abc import Callable
from pathlib import Path
from typing import Any, NoReturn

from host_tools.base.interpreters import WITHOUT_MICROPYTHON, MicroPythonMissing, find_micropython
from host_tools.base.project import ROOT
from host_tools.base.ready import need_pipes, wait_ready
from host_tools.virtual.computing import Computing
from host_tools.virtual.pipe import PipeServer, ProtocolError
from host_tools.virtual.world import WiringError, World

RUNTIMES = ("micropython", "cpython")
POWER_ON, WATCHDOG = 1, 3  # machine.PWRON_RESET, machine.WDT_RESET
_TICK_US = 10_000
_BLOCK = 65_536
_PAUSE_S = 0.02  # how often somebody who watches at a human pace is shown the table
_LOOK_S = 1.0  # how often a silent device is looked at
_STUCK_TIMES = 15  # so many times its patience a device may be kept waiting by a busy machine, and still be alive

# Room for the firmware, in KB of a heap of 32 bits. From ROM its code takes none: that is how a chip without PSRAM runs
# it, and all it may take there (docs/benchmarks.md). From files the code lies in the heap; it is no pointer, of which
# this heap holds as many as one of half its bytes does on 32 bits, so a chip needs more there (device/memory.py). A
# game starts in 96.
ROM_KB = 80
FILES_KB = 104
APPLICATION = "a"  # the folder on flash in which a chip has it (firmware/loader.py)
# What the shims and asyncio take besides, which on a chip lie in its flash.
SHIMS_KB = 18
# How many times the bytes that the firmware asks for are taken before it tidies up: what is taken is twice as large
# on 64 bits. Of a spacious device, and what room that has besides.
TIDY_TIMES = 2
SPARE_KB = 64
SPARE_TIMES = 8


class DeviceError(Exception):
    """The device's program fell, stopped answering, or cannot be started: its process has ended. The text holds its
    traceback or its last lines."""


class Device:
    """One device with its flash.

    `flash_dir` is the device's root folder; `image`, a folder or the file of a ROM, and the folder `shims` are made by
    host_tools/virtual/image.py. `room_kb` is what the heap has for the firmware, in KB of 32 bits; 0: ROM_KB or
    FILES_KB; `is_spacious`: much more, and it tidies up seldom, which took a third of its time. `ticks_start_ms` is
    where `ticks_ms()` begins (it wraps around at 2^30). `on_line(text)` gets each line printed, when the device has
    next asked for something. Use as a context manager, or call `power_off()`.
    `micropython` is found as host_tools/base/interpreters.py says; MicroPythonMissing if there is none. UnusableInput
    on Windows.

    `computing` charges what the firmware's work takes; without it computing takes no time. It needs an image whose
    modules have their own names.

    With `runtime` "cpython" this Python's program runs the firmware from its source, without image, shims and limit of
    the heap; `image` may be a folder with another main.py. Its flash takes no time, and its computing none; all else is
    the same.
    """

    silence_s = 20.0  # that it may compute without asking anything
    clock: Any = time  # by which `run` holds virtual time back: monotonic() and sleep(seconds)
    beside_kb = SHIMS_KB  # what the heap has besides, in KB of 32 bits
    area_kb = 0  # and how much of it lies in its first area: an object must fit into one; 0: there is one area

    def __init__(self, world: World, flash_dir: Path | str, image: Path | str | None = None,
                 shims: Path | str | None = None, *, runtime: str = "micropython", room_kb: int = 0,
                 is_spacious: bool = False, micropython: Path | str | None = None, ticks_start_ms: int = 0,
                 on_line: Callable[[str], None] | None = None, computing: Computing | None = None) -> None:
        need_pipes("a virtual table")
        self.world = world
        self.pipe = PipeServer(world)
        self.lines: deque[str] = deque(maxlen=200)
        self.exit_code: int | None = None
        self.boots = 0
        self.on_line = on_line
        self.speed: float | None = None
        self._flash = Path(flash_dir)
        self._told: dict[str, str] = {}  # what this runtime is told besides
        if runtime == "cpython":
            self._prepare_cpython(image)
        else:
            assert runtime == "micropython" and image is not None and shims is not None
            spare_kb = SPARE_KB if is_spacious else 0
            self._prepare_micropython(Path(image).resolve(), Path(shims).resolve(), room_kb, spare_kb, micropython)
            self._told["CARDTABLE_CHARGES"] = computing.tell() if computing is not None else ""
        self._ticks_start_ms = ticks_start_ms
        self._process: subprocess.Popen | None = None
        self._cause = POWER_ON  # of its next start
        self._ends: tuple[int, int, int] = (-1, -1, -1)  # from the device, to it, its prints
        self._answer: bytes | None = None
        self._printed = b""

    def _prepare_micropython(self, image: Path, shims: Path, room_kb: int, spare_kb: int,
                             micropython: Path | str | None) -> None:
        found = micropython or find_micropython()
        if found is None:
            raise MicroPythonMissing(WITHOUT_MICROPYTHON)
        # Its bytes lie in the heap here, and there alone.
        rom_bytes = image.stat().st_size if image.is_file() else 0
        heap = 2048 * (self.beside_kb + (room_kb or (ROM_KB if rom_bytes else FILES_KB)) + spare_kb) + rom_bytes
        self._command = [str(found), "-X", f"heapsize={heap}", "-m", "start"]
        # A module keeps the name of its file in the heap: of what lies on the flash it is the same on every machine.
        image, shims = (Path(path.name) if path.parent == self._flash.resolve() else path for path in (image, shims))
        path = [str(shims), *([] if rom_bytes else [str(image)]), ".frozen"]
        self._told = {"MICROPYPATH": ":".join(path), "CARDTABLE_ROM_IMAGE": str(image) if rom_bytes else "",
                      "CARDTABLE_TIDY_TIMES": str(SPARE_TIMES if spare_kb else TIDY_TIMES)}

    def _prepare_cpython(self, program: Path | str | None) -> None:
        # -P: the device's files are data, and none of them a module.
        self._command = [sys.executable, "-P", "-X", "utf8", "-m", "host_tools.virtual.cpython_start"]
        self._told = {
            "PYTHONPATH": os.pathsep.join((str(ROOT), str(ROOT / "firmware"))), "PYTHONHASHSEED": "0",
            "PYTHONUNBUFFERED": "",  # prints go out before each answer is waited for, in one piece
            "CARDTABLE_PROGRAM": str(Path(program).resolve()) if program else "",
            "CARDTABLE_BOARD": self.world.board.NAME,
        }

    def __enter__(self) -> Device:
        return self

    def __exit__(self, *_: object) -> None:
        self.power_off()

    @property
    def is_on(self) -> bool:
        return self._process is not None

    def power_on(self, reset_cause: int = POWER_ON) -> None:
        """Starts the program; its time goes on from the World's, on the next tick. DeviceError if it cannot be started.
        """
        if self.is_on:
            return
        try:
            self._power_on(reset_cause)
        except OSError as wrong:
            self._cause = reset_cause
            raise DeviceError(f"The device's program cannot be started: {wrong}") from wrong

    def _power_on(self, reset_cause: int) -> None:
        start_us = -(-self.world.now_us // _TICK_US) * _TICK_US
        from_device, their_to = os.pipe()
        their_from, to_device = os.pipe()
        prints, their_prints, keys = self._open_console()
        environment = dict(
            os.environ, CARDTABLE_TO_HOST=str(their_to),
            CARDTABLE_FROM_HOST=str(their_from), CARDTABLE_START_US=str(start_us),
            CARDTABLE_TICKS_MS=str(self._ticks_start_ms), CARDTABLE_RESET_CAUSE=str(reset_cause),
            CARDTABLE_RTC=self.world.rtc.hex(), CARDTABLE_CONSOLE="stalls" if self.world.console_stalls else "",
            CARDTABLE_AREA=str(2048 * self.area_kb), **self._told, **self._environment())
        try:
            self._process = subprocess.Popen(
                self._command, cwd=self._flash, env=environment, pass_fds=(their_to, their_from),
                stdin=keys, stdout=their_prints, stderr=their_prints, start_new_session=True)
        finally:
            for end in (their_to, their_from, their_prints):
                os.close(end)
            self._ends = (from_device, to_device, prints)
            if self._process is None:
                self._close()
        os.set_blocking(prints, False)
        self.exit_code = None
        self._answer = None
        self._printed = b""
        self.pipe.begin()
        self.world.power(True)
        self.boots += 1

    def _open_console(self) -> tuple[int, int, int]:
        """Our end of what the device prints, the device's end of it, and where the device reads."""
        return *os.pipe(), subprocess.DEVNULL

    def _environment(self) -> dict[str, str]:
        """What else the shims are told."""
        return {}

    def power_off(self) -> None:
        """Cuts the table's power, at whatever moment; what the device wrote to its flash stays as it is."""
        self._cause = POWER_ON
        if self._process is not None:
            self._kill()
            self.world.power(False)

    def _kill(self) -> None:
        assert self._process is not None
        self._process.kill()
        self._process.wait()
        self._close()

    def _close(self) -> None:
        self._process = None
        for end in self._ends:
            os.close(end)
        self._ends = (-1, -1, -1)

    def run(self, until: Callable[[], object] | None = None, real_time_speed: float | None = None,
            silence_s: float | None = None) -> bool:
        """Runs until `until()` is true (True) or the program has come to its end (False); powers on if it
        must.

        `until` is asked each time the device waits for an answer, and holds it there: the next `run` goes
        on from that point. It is asked after each reset, too. With `real_time_speed` the virtual time passes that many
        times as fast as the real one; the attribute `speed` changes it while running. DeviceError if the program falls,
        or if it asks and prints nothing while it computes for `silence_s` seconds of a processor (else for the
        attribute's). On a chip the watchdog ends such a hang: the next `run` starts as after that.
        """
        silence_s = self.silence_s if silence_s is None else silence_s
        self.speed = real_time_speed
        cause, self._cause = self._cause, POWER_ON
        self.power_on(cause)
        pace = Pace(self)
        silence: Silence | None = None
        while True:
            if self._answer is not None:
                if until is not None and until():
                    return True
                if pace.hold_back():
                    continue
                self._give_answer()
            ready, _ = wait_ready(self._ends[::2], (), min(_LOOK_S, silence_s))
            if ready:
                silence = None
            elif silence is None:
                silence = Silence(self)
            elif silence.is_longer(silence_s):
                self._cause = WATCHDOG
                self._fall(f"The device has asked nothing for {silence_s:g} seconds.")
            boots = self.boots
            if not self._take_in(ready):
                return False
            if self.boots > boots and until is not None and until():
                return True

    def count_s(self) -> float:
        """Seconds of a processor that the device's process has computed; where Linux does not tell, of the clock."""
        assert self._process is not None
        if not sys.platform.startswith("linux"):
            return time.monotonic()
        return time.clock_gettime(~self._process.pid << 3 | 2)  # clock_getcpuclockid(3), as Linux numbers it

    def _give_answer(self) -> None:
        assert self._answer is not None
        try:
            os.write(self._ends[1], self._answer)
        except BrokenPipeError:
            pass  # somebody has ended the process: its end of the other pipe says so next
        self._answer = None

    def _take_in(self, ready: list[int]) -> bool:
        """Reads what has come; False if the program is over."""
        requests, _, prints = self._ends
        if requests in ready:
            block = os.read(requests, _BLOCK)
            if not block:
                self._end()
                return False
            try:
                self._answer = self.pipe.feed(block)
            except (ProtocolError, WiringError) as wrong:
                self._fall(str(wrong))
            if self._answer is not None:
                self._read_prints()
                self._hand_on_lines()
            elif self.pipe.reset_cause is not None:
                self._reset(self.pipe.reset_cause)
        elif prints in ready:
            # Kept back until the device waits; read now, lest it waits for room.
            self._read_prints()
        return True

    def _read_prints(self) -> None:
        try:
            while block := os.read(self._ends[2], _BLOCK):
                self._printed += block
        except BlockingIOError:
            pass

    def _hand_on_lines(self) -> None:
        while b"\n" in self._printed:
            line, _, self._printed = self._printed.partition(b"\n")
            text = line.decode("utf-8", "replace").rstrip("\r")
            self.lines.append(text)
            if self.on_line is not None:
                self.on_line(text)

    def _reset(self, cause: int) -> None:
        """The device has asked for a restart: it cleans nothing up, as on the chip."""
        self._stop()
        self.power_on(cause)

    def _stop(self) -> None:
        """Its program ends here, and the table has its power."""
        self._read_prints()
        self._hand_on_lines()
        self._kill()
        self.world.device_down()

    def _fall(self, why: str) -> NoReturn:
        """The program cannot go on."""
        self._stop()
        raise DeviceError(f"{why}\n{self._last_lines()}")

    def _end(self) -> None:
        """The program is over: DeviceError if it did not end by itself."""
        assert self._process is not None
        self.exit_code = self._process.wait()
        self._read_prints()
        if self._printed and not self._printed.endswith(b"\n"):
            self._printed += b"\n"
        self._hand_on_lines()
        self._close()
        self.world.device_down()
        if self.exit_code:
            raise DeviceError(f"The device's program ended with code {self.exit_code}.\n{self._last_lines()}")

    def _last_lines(self) -> str:
        """Its last traceback, or its last lines."""
        lines = list(self.lines)
        for index in range(len(lines) - 1, -1, -1):
            if lines[index].startswith("Traceback"):
                return "\n".join(lines[index:])
        return "\n".join(lines[-20:])


class Silence:
    """How long a device has asked nothing: in what it has computed meanwhile, for on a busy machine a second of the
    clock may be none of it. One that computes nothing either waits for what never comes."""

    def __init__(self, device: Device) -> None:
        self._device = device
        self._begun = device.count_s(), time.monotonic()

    def is_longer(self, patience_s: float) -> bool:
        """Whether it has computed for longer, or stood for much longer."""
        computed_s, stood_s = self._device.count_s() - self._begun[0], time.monotonic() - self._begun[1]
        return computed_s > patience_s or stood_s > _STUCK_TIMES * patience_s


class Pace:
    """Holds virtual time back to a multiple of the real one, from when it was made or the speed was last changed."""

    def __init__(self, device: Device) -> None:
        self._device = device
        self._speed: float | None = None
        self._begun = (0.0, 0)

    def hold_back(self) -> bool:
        """Sleep a while if the device is ahead, and say so; a speed of 0 holds it where it is."""
        speed, now_us, clock = self._device.speed, self._device.world.now_us, self._device.clock
        if speed is None:
            return False
        if speed != self._speed:
            self._speed, self._begun = speed, (clock.monotonic(), now_us)
        ahead_s = _PAUSE_S
        if speed:
            ahead_s = (now_us - self._begun[1]) / 1e6 / speed - (clock.monotonic() - self._begun[0])
            if ahead_s < 0.002:  # finer than that the host's own scheduler is not
                return False
        clock.sleep(min(ahead_s, _PAUSE_S))
        return True
