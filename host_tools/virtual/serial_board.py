"""A virtual board behind a serial port: MicroPython with its REPL on a pseudo terminal, littlefs in a file, chips in
a World.

The device is that of device.py, with a console instead of prints. A thread serves the port, the console and the pipe:
other threads reach the running World through `call`. docs/port.md lists what differs from a chip.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import pty
import queue
import re
import signal
import struct
import sys
import termios
import threading
import time
import tty
from collections.abc import Callable
from pathlib import Path
from typing import Any

from host_tools.base import foreign
from host_tools.base.errors import UnusableInput
from host_tools.base.ready import wait_ready
from host_tools.virtual.device import POWER_ON, SHIMS_KB, Device, DeviceError, Pace
from host_tools.virtual.pipe import PipeServer
from host_tools.virtual.world import World

NOBODY = 2  # what its operation says where neither a program runs nor a prompt is there yet
KEYBOARD = 8  # operation of the pipe, as in host_tools/virtual/shims/serial_start.py
POWER_CUT = 255  # a cause of reset: the flash operation that is to be cut has come
PATIENCE_S = 240.0  # how long somebody beside the board waits for a line: only a board that hangs takes as long
BLOCKS = 512  # of 4 KB: what the image for an ESP32 with 4 MB leaves for files
# Besides what the shims take (device.py): the flash chip, its file system, the start and the prompt, in 32-bit bytes.
BELOW_KB = 10
_BLOCK = 4096
_NAME, _NAME_AT = b"littlefs", 8  # of littlefs's superblock, which is in block 0 and in block 1 (its SPEC.md)
_INTERRUPT = 0x03
# A REPL takes a byte before any time passes on the board; a program that runs does not take it at all. Of the board's
# own time: while a busy computer, or a held-back answer, keeps it waiting, nobody could have taken anything.
_TAKEN_US = 30_000
# A program that has computed so long without touching a pin is interrupted by a signal, and one that touches them so
# often that no time passes by its next answer: a signal could come while it asks, and spoil what lies in the pipe.
# Seconds of its processor, not of the clock: a REPL that other programs keep waiting is no such program.
_COMPUTES_S = 0.08
# A busy computer's kernel brings what is written to a console late: where nothing lies there and no prompt stands, a
# program has taken it only if it still is not there after so long. Seconds of the clock.
_ARRIVES_S = 2.0
_NOT_ASKED = -1
# How long typing is held back for the prompt after an interrupt: a prompt that comes throws away what was typed before.
# Of the device's processor and of its own time, not of the clock: a busy computer brings the prompt late.
_PROMPT_S, _PROMPT_US = 1.0, 1_000_000
_LONGEST_S = 10.0  # of the clock, where none comes and the device rests
_DEAF_S = 3.0  # with no byte taken from the port for that long, no program listens, and bytes are lost
_LONE_END = re.compile(rb"(?<!\r)\n")
_BANNER = b'Type "help()" for more information.'
_RAW = b"raw REPL; CTRL-B to exit\r\n>"
# What a REPL says last before it takes what is typed: the friendly one, the raw one, the latter behind a command. A
# traceback's `<module>` is none, and may be all that has come of it.
_PROMPTS = (b">>> ", b"... ", b"=== ", _RAW, b"\x04>")
_BOOT_ROM = b"ets Jul 29 2019 12:21:46\r\n\r\nrst:0xc (SW_CPU_RESET),boot:0x13 (SPI_FAST_FLASH_BOOT)\r\n"
_SOFT_REBOOT = b"MPY: soft reboot\r\n"
_MOST_PRINTED = 8 * 1024 * 1024  # bytes of it that are kept; then the older half goes


class BoardPipe(PipeServer):
    """The pipe of a device with a console: it also tells whether Ctrl-C interrupts, and whether anything runs."""

    interrupts = True
    is_ready = False  # a program runs, or there is a prompt
    has_begun = False  # MicroPython has come as far as its flash

    def begin(self) -> None:
        super().begin()
        self.is_ready = self.has_begun = False

    def _do_rare(self, what: int, line: int, other: int, size: int, now_us: int, data: bytes) -> bytes | None:
        if what != KEYBOARD:
            return super()._do_rare(what, line, other, size, now_us, data)
        self.is_ready = other != NOBODY
        self.has_begun = True
        self.interrupts = bool(other)
        return b"\x01"


def is_raw_after(was_raw: bool, printed: bytes, text: bytes) -> bool:
    """Whether the device is in its raw REPL once it has said `text` after `printed`: what it says last tells, whole or
    in two parts."""
    behind = []  # how many bytes came behind it
    for words in (_RAW, _BANNER):
        said = printed[max(0, len(printed) - len(words) + 1) :] + text  # what is whole in `printed` is old
        behind.append(len(said.rpartition(words)[2]) if words in said else sys.maxsize)
    return was_raw if behind[0] == behind[1] else behind[0] < behind[1]


def count_waiting(handle: int) -> int:
    """How many bytes can be read there."""
    left, = struct.unpack("i", fcntl.ioctl(handle, termios.FIONREAD, b"\0\0\0\0"))
    return int(left)


def check_flash(flash: Path, blocks: int) -> None:
    """UnusableInput if there is a file which is no flash of that size: neither erased nor with littlefs on it."""
    if not os.path.lexists(flash):
        return
    if not flash.is_file() or flash.stat().st_size != blocks * _BLOCK:
        raise UnusableInput(f"{flash} is there, and is no flash of {blocks * _BLOCK} bytes: name another file")
    content = foreign.read_bytes(flash, blocks * _BLOCK)
    names = [content[start + _NAME_AT:start + _NAME_AT + len(_NAME)] for start in (0, _BLOCK)]
    # A flash that lost its power while it was formatted has something in these two blocks alone.
    if _NAME not in names and content[2 * _BLOCK:].strip(b"\xff"):
        raise UnusableInput(f"{flash} is there, and holds something else than a flash: name another file")


class SerialBoard(Device):
    """A board whose flash is the file `flash`, made if it is not there; `port` is its serial port, `link` another name.

    Use as a context manager: it is powered on inside. `speed` is how many times as fast as real time its time passes,
    None: as fast as it can; at the prompt it stands still. `printed` is what came out of the console, the last
    megabytes of it, and `on_line` gets each line.
    """

    beside_kb = SHIMS_KB + BELOW_KB

    def __init__(self, world: World, flash: Path, shims: Path | str, *, link: Path | None = None,
                 room_kb: int = 0, blocks: int = BLOCKS, micropython: Path | str | None = None,
                 speed: float | None = None, rom_bytes: int = 0) -> None:
        try:
            check_flash(flash, blocks)
            flash = flash.resolve()
        except RuntimeError as wrong:  # a link that leads to itself
            raise UnusableInput(f"{flash}: {wrong}") from wrong
        super().__init__(world, flash.resolve().parent, shims, shims, room_kb=room_kb, micropython=micropython)
        self._command[-2:] = ["-i", "-m", "serial_start"]
        self.pipe: BoardPipe = BoardPipe(world)
        self.flash = flash.resolve()
        self.blocks = blocks
        self.speed = speed
        self.cut_at = 0  # the flash operation after the next start in which the power goes; 0: none
        self.printed = bytearray()
        self.rom_bytes = rom_bytes  # of a ROM partition, in a file beside the flash; 0: this MicroPython has none
        self.chip_heap = ""  # bytes of heap and of a further area that its MicroPython tells of; empty: as it is
        self._link = link
        self._calls: queue.SimpleQueue[Callable[[], None]] = queue.SimpleQueue()
        if link is not None and os.path.abspath(link) == str(self.flash):
            raise UnusableInput(f"{link} cannot be both the port and the flash")
        self._open_port()
        self._wake, self._wakes = os.pipe()
        world.on_miswired = self._tell_miswired
        self._console = -1  # the device's side of its console, by which we see what it has not read yet
        self._thread = threading.Thread(target=self._serve, name="serial board", daemon=True)
        self._is_stopped = False
        self._is_raw = self._is_hidden = self._runs_main = False
        self._typed = bytearray()  # for the device, not passed on yet
        self._said = bytearray()  # for the port, not taken yet
        self._heard_s = self._asked_cpu_s = self._answered_cpu_s = 0.0
        self._held: tuple[float, ...] | None = None  # till when, by `_clocks`, typing waits for a prompt
        self._asked_us = _NOT_ASKED  # when a Ctrl-C was passed on that has done nothing yet
        self._asked_s, self._has_arrived = 0.0, False  # by the clock; and whether it lies there yet
        self._line = self._last = b""  # of what it has printed: since its last line's end, and the last bytes
        self._interrupts = False
        self.trouble: BaseException | None = None  # what ended the thread, if that was an error

    def _open_port(self) -> None:
        if self._link is not None:
            self._link.parent.mkdir(parents=True, exist_ok=True)
            self._drop_link()
        self._master, self._slave = pty.openpty()
        tty.setraw(self._slave)
        os.set_blocking(self._master, False)
        self.port = os.ttyname(self._slave)
        if self._link is not None:
            try:
                self._link.symlink_to(self.port)
            except OSError:
                self._close_port()
                raise

    def _close_port(self) -> None:
        if self._master >= 0:
            os.close(self._master)
            os.close(self._slave)
            self._master = self._slave = -1

    def _drop_link(self) -> None:
        """Take the port's name away. UnusableInput if something else has it: only a link to a device is ours."""
        assert self._link is not None
        if self._link.is_symlink() and os.readlink(self._link).startswith("/dev/"):
            self._link.unlink()
        elif os.path.lexists(self._link):
            raise UnusableInput(f"{self._link} is there, and is no link to a port: name another one")

    def __enter__(self) -> SerialBoard:
        self._thread.start()
        try:
            self.call(self.power_on)
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        """Also where its thread has ended by itself: `trouble` says why."""
        self._is_stopped = True
        os.write(self._wakes, b"!")
        self._thread.join()
        try:
            self.power_off()
            if self._link is not None:
                self._drop_link()
        finally:
            self._close_port()
            os.close(self._wake)
            os.close(self._wakes)

    # --- what somebody beside the board does ---

    def call(self, act: Callable[[], Any]) -> Any:
        """Do something to the board or its World between two of its steps; gives what `act` gives."""
        answer: queue.SimpleQueue[tuple[Any, BaseException | None]] = queue.SimpleQueue()

        def do() -> None:
            try:
                answer.put((act(), None))
            except BaseException as trouble:
                answer.put((None, trouble))

        self._calls.put(do)
        os.write(self._wakes, b"!")
        while True:
            try:
                value, trouble = answer.get(timeout=0.2)
            except queue.Empty:
                if not self._thread.is_alive():
                    raise RuntimeError("the virtual board has stopped") from self.trouble
                continue
            if trouble is not None:
                raise trouble
            return value

    def wait_for(self, text: str, after: int = 0, patience_s: float = PATIENCE_S) -> int:
        """Wait until the console has printed `text` behind its byte `after`; where it ends. TimeoutError."""
        late_s = time.monotonic() + patience_s
        while time.monotonic() < late_s:
            found = self.printed.find(text.encode(), after)
            if found >= 0:
                return found + len(text.encode())
            if self.trouble is not None:
                raise RuntimeError("the virtual board has stopped") from self.trouble
            time.sleep(0.005)
        raise TimeoutError(f"the board did not print {text!r}, but {bytes(self.printed[after:][-600:])!r}")

    def pull_plug(self) -> None:
        """Take its power, at whatever moment. What was typed is lost, and the port is gone; there will be another."""
        self.call(self._lose_power)

    def plug_in(self, cut_at: int = 0) -> None:
        """Power it again; it loses its power within the flash operation `cut_at`, from 1."""
        self.cut_at = cut_at
        self.call(self.power_on)

    def _lose_power(self) -> None:
        if self.is_on:
            self.power_off()
            self._typed.clear()
            self._said.clear()
            self._close_port()
            self._open_port()

    # --- the device ---

    def _open_console(self) -> tuple[int, int, int]:
        ours, theirs = pty.openpty()
        tty.setraw(theirs)
        self._console = os.dup(theirs)
        return ours, theirs, theirs

    def _environment(self) -> dict[str, str]:
        rom = str(self.flash.with_suffix(".rom")) if self.rom_bytes else ""
        return {"CARDTABLE_FLASH": str(self.flash), "CARDTABLE_BLOCKS": str(self.blocks),
                "CARDTABLE_CUT_AT": str(self.cut_at), "CARDTABLE_RUN_MAIN": "1" if self._runs_main else "0",
                "CARDTABLE_CHIP_HEAP": self.chip_heap, "CARDTABLE_ROM": rom, "CARDTABLE_ROM_SIZE": str(self.rom_bytes)}

    def power_on(self, reset_cause: int = POWER_ON) -> None:
        self._is_raw = False
        self._typed.clear()
        self._start(reset_cause)

    def _start(self, cause: int) -> None:
        self._runs_main = not self._is_raw
        self._is_hidden = self._is_raw
        self._asked_us, self._held, self._interrupts = _NOT_ASKED, None, False
        super().power_on(cause)

    def _close(self) -> None:
        super()._close()
        self._answer = None  # its reader has gone
        os.close(self._console)
        self._console = -1

    def _serve(self) -> None:
        try:
            pace = Pace(self)
            while not self._is_stopped:
                self._step(pace)
        except BaseException as trouble:
            self.trouble = trouble
            foreign.say(f"The virtual board has stopped: {trouble}", err=True)  # else who waits hears nothing

    def _step(self, pace: Pace) -> None:
        """One look at everything."""
        is_held = self._answer is not None and not self._interrupts and pace.hold_back()
        if self._answer is not None and not self.is_on:
            self._answer = None
        elif self._answer is not None and not is_held:
            self._give_answer()
        requests, _, prints = self._ends
        heard = [self._wake, self._master] + ([requests] if self.is_on and self._answer is None else [])
        if self.is_on and len(self._said) < _BLOCK:
            heard.append(prints)
        ready, _ = wait_ready(heard, [self._master] if self._said else [],
                              0 if is_held else 0.005 if self._asked_us >= 0 or self._typed else 0.05)
        if self._wake in ready:
            os.read(self._wake, _BLOCK)
            while not self._calls.empty():
                self._calls.get()()
            return  # a call may have changed everything
        if self._master in ready:
            with contextlib.suppress(OSError):
                self._typed += os.read(self._master, _BLOCK)
        if prints in ready:
            self._hear()
        self._say()
        if self.is_on:
            self._ask_to_interrupt()
            self._pass_on()
        if requests in ready and self.is_on:
            self._take_request(requests)

    def _take_request(self, requests: int) -> None:
        block = os.read(requests, 65_536)
        if not block:
            self._restart_softly()
            return
        self._hear()  # what it printed before it asked: people at the table have seen that
        self._answer = self.pipe.feed(block)
        cause = self.pipe.reset_cause
        if self._answer is None and cause == POWER_CUT:
            self._lose_power()
        elif self._answer is None and cause is not None:
            self._hear()
            self._kill()
            self.world.device_down()
            self._print(_BOOT_ROM)
            self.power_on(cause)

    def _give_answer(self) -> None:
        assert self._answer is not None
        self._answer = bytes([self._interrupts]) + self._answer
        if self._interrupts:
            self._end_interrupt()
        elif self._asked_us >= 0:
            self._answered_cpu_s = self.count_s()
        super()._give_answer()

    def _restart_softly(self) -> None:
        """The program has ended, or somebody typed Ctrl-D at the prompt."""
        assert self._process is not None
        code = self._process.wait()
        self._hear()
        self._typed[:0] = self._untaken()
        self._close()
        # A SystemExit of whatever number is a soft reset. A signal is none, but our own interrupt that came too late.
        if code < 0 and code != -signal.SIGINT or code and not self.pipe.has_begun:
            raise DeviceError(f"MicroPython ended with code {code}: {bytes(self.printed[-600:])!r}")
        self._print(_SOFT_REBOOT)
        self._start(POWER_ON)

    def _count_untaken(self) -> int:
        """How many bytes have been typed to the device that nothing on it has taken."""
        return count_waiting(self._console)

    def _untaken(self) -> bytes:
        """These bytes: a soft reset leaves them in the chip's UART."""
        left = self._count_untaken()
        return os.read(self._console, left) if left else b""

    # --- the console ---

    def _hear(self) -> None:
        """What the device has printed."""
        text = b""
        with contextlib.suppress(OSError):
            while block := os.read(self._ends[2], _BLOCK):
                text += block
        text = self._cook(text)
        if text and self._last.endswith(_PROMPTS):
            self._held = None
            self.pipe.is_ready = True
        if self._is_hidden:
            self._hide(text)
            return
        self._is_raw = is_raw_after(self._is_raw, bytes(self.printed[-_BLOCK:]), text)
        self._print(text)

    def _cook(self, text: bytes) -> bytes:
        """A chip's console ends a line with two bytes (shared/runtime/stdout_helpers.c)."""
        is_split = self._last.endswith(b"\r") and text.startswith(b"\n")
        cooked = _LONE_END.sub(b"\r\n", text)[is_split:]
        self._last = (self._last + cooked)[-len(_RAW):]
        return cooked

    def _tell_miswired(self, text: str) -> None:
        """On a chip that is no error: nobody is there."""
        self._hear()
        self._print(f"({text})\r\n".encode())

    def _hide(self, text: bytes) -> None:
        """After a soft reset in the raw REPL the next one is raw, too, and nobody sees that it began otherwise."""
        self._printed += text
        if self._printed.endswith(b">>> "):
            before, _, _ = self._printed.rpartition(b"MicroPython ")
            self._print(before)
            self._printed = b""
            os.write(self._ends[2], b"\x01")
        elif self._printed.endswith(_RAW):
            self._is_hidden = False
            self._printed = b""
            self._print(_RAW)

    def _print(self, text: bytes) -> None:
        self.printed += text
        if len(self.printed) > _MOST_PRINTED:
            del self.printed[:_MOST_PRINTED // 2]
        self._said += text
        self._line += text
        *lines, self._line = self._line.split(b"\n")
        if self.on_line is not None:
            for line in lines:
                self.on_line(line.decode("utf-8", "replace").rstrip("\r"))

    def _say(self) -> None:
        """Bring to the port what it takes; if no program listens, the output is lost."""
        now_s = time.monotonic()
        if not self._said:
            self._heard_s = now_s
            return
        try:
            count = os.write(self._master, self._said)
        except BlockingIOError:
            count = 0
        del self._said[:count]
        if count:
            self._heard_s = now_s
        elif now_s - self._heard_s > _DEAF_S:
            del self._said[:]

    def _pass_on(self) -> None:
        """Bring to the device what was typed, up to a Ctrl-C: what that means the device's next steps tell."""
        if self._asked_us >= 0 or self._is_hidden or not self._typed or not self.pipe.is_ready:
            return
        if self._held and all(now < late for now, late in zip(self._clocks(), self._held, strict=True)):
            return
        end = self._typed.find(_INTERRUPT) + 1 or len(self._typed)
        try:
            count = os.write(self._ends[2], self._typed[:end])
        except BlockingIOError:
            return
        if self._typed[count - 1] == _INTERRUPT:
            self._asked_us = self.world.now_us
            self._asked_cpu_s = self._answered_cpu_s = self.count_s()
            self._asked_s, self._has_arrived = time.monotonic(), False
        del self._typed[:count]

    def _clocks(self) -> tuple[float, ...]:
        """Seconds of the device's processor, microseconds of its time, seconds of the clock."""
        return self.count_s(), self.world.now_us, time.monotonic()

    def _ask_to_interrupt(self) -> None:
        """A Ctrl-C that a REPL has taken was a key; one left untaken interrupts the program, if allowed."""
        if self._asked_us < 0:
            return
        if not self._count_untaken():
            if self._has_arrived or self._last.endswith(_PROMPTS) or time.monotonic() - self._asked_s > _ARRIVES_S:
                self._asked_us = _NOT_ASKED
                self._interrupts = False
                self.pipe.interrupts = True  # a REPL sets it again for each command
            return
        if not self._has_arrived:
            self._asked_us, self._has_arrived = self.world.now_us, True
        if not self.pipe.interrupts:
            self._asked_us = _NOT_ASKED
        elif self._answer is None and self.count_s() - self._answered_cpu_s > _COMPUTES_S:
            self._signal()
        elif self.world.now_us - self._asked_us > _TAKEN_US or self.count_s() - self._asked_cpu_s > _COMPUTES_S:
            self._interrupts = True

    def _signal(self) -> None:
        """Interrupt a program that computes. If it has asked for something meanwhile, its answer will say so: a signal
        would end its wait alone, and its next question would come before the answer to this one."""
        assert self._process is not None
        self._process.send_signal(signal.SIGSTOP)
        if sys.platform.startswith("linux"):  # elsewhere it may take a moment
            with contextlib.suppress(ChildProcessError):  # it has ended
                os.waitid(os.P_PID, self._process.pid, os.WSTOPPED | os.WEXITED | os.WNOWAIT)
        if count_waiting(self._ends[0]):
            self._interrupts = True
        else:
            self._end_interrupt()
            self._process.send_signal(signal.SIGINT)
        self._process.send_signal(signal.SIGCONT)

    def _end_interrupt(self) -> None:
        self._interrupts = False
        self._asked_us = _NOT_ASKED
        longest = (_PROMPT_S, _PROMPT_US, _LONGEST_S)
        self._held = tuple(now + more for now, more in zip(self._clocks(), longest, strict=True))
        termios.tcflush(self._console, termios.TCIFLUSH)
