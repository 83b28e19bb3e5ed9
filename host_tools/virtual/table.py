"""The virtual table with people who play a record at it: builds the device, runs it, and tells what came of it."""

from __future__ import annotations

import importlib
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from cardtable.between.bugs import BUG_FILE
from cardtable.catalogue import find_game
from cardtable.engine.reading import read_header
from cardtable.engine.record import Header, RecordError
from cardtable.engine.setup import SetupError, set_up
from cardtable.between.keys import KEY_BYTES, KEY_FILE
from host_tools.base import foreign, project
from host_tools.base.errors import UnusableInput
from host_tools.base.interpreters import MicroPythonMissing, find_machine_code
from host_tools.virtual import image
from host_tools.virtual.compare import Comparison, compare
from host_tools.virtual.computing import Computing
from host_tools.virtual.device import Device, DeviceError
from host_tools.virtual.fingers import deck_lines
from host_tools.virtual.hands import Hands, Script, read_script
from host_tools.virtual.in_process import InProcessDevice
from host_tools.virtual.pull import pull_records
from host_tools.virtual.world import World

BUILD = project.BUILD / "virtual"
REST_US = 3_000_000  # how long a record without a result is left lying before the power goes
END_US = 30_000_000  # how long people wait for the table to close a finished game
RUNTIMES = ("micropython", "cpython", "cpython-process")


def build_busy(board: str) -> tuple[Path, Path]:
    """The firmware's ROM for that board, and the shims: what runs after each look at a reader is machine code, where
    this MicroPython loads it. No heap is measured with them. image.BuildError, MicroPythonMissing."""
    machine_code = find_machine_code()
    built = image.build_rom(board, BUILD / f"play-{board}", machine_code=machine_code)
    return built, image.build_shims(BUILD / "busy-shims", machine_code)


def load_script(path: Path) -> tuple[Any, Script]:
    """The game and the script of a record. UnusableInput names file, line and cause."""
    number = 0
    lines = iter(foreign.read_lines(path))
    try:
        header, number = read_header(lines)
        game = find_game(header.game[0])
        set_up(game, header)
        return game, read_script(game, header, enumerate(lines, number + 1))
    except RecordError as wrong:
        where = f"{path}:{wrong.line}" if wrong.line else path
        raise UnusableInput(f"{where}: {wrong.cause}") from wrong
    except SetupError as wrong:
        raise UnusableInput(f"{path}:{number}: {wrong}") from wrong


def header_text(header: Header) -> str:
    """The header as it lies in a file."""
    return "\n".join(header.lines()) + "\n"


def check_folder(flash: Path, script: Script) -> None:
    """A folder is no flash of somebody's table: UnusableInput if it holds another deck or set-up, or half a key."""
    own = {"deck.txt": "".join(deck_lines()), "setup.txt": header_text(script.header)}
    for name, text in own.items():
        if (flash / name).exists() and foreign.read_bytes(flash / name) != text.encode():
            raise UnusableInput(f"{flash}: {name} is there with another content: name a new folder")
    if (flash / KEY_FILE).exists() and len(foreign.read_bytes(flash / KEY_FILE)) != KEY_BYTES:
        raise UnusableInput(f"{flash}: {KEY_FILE} has not {KEY_BYTES} bytes: name a new folder")


class Table:
    """A virtual table at which `script` is played. `on_line` gets each line of the public feed as it comes; `on_end` is
    called when all is over and the device is about to lose its power.

    `runtime` is one of RUNTIMES: MicroPython in a process of its own with the heap of a small board, or the same
    firmware inside this Python, or in another one. `ticks_start_ms` is where the chip's tick counter begins.
    `is_quick`: the people read the public feed besides, do not wait for the last verdict's light to go out, are quick
    with their hands, and feel how often a reader has looked since they took a card off it.
    `computing` charges what the device's work takes, of the runtimes "micropython" and "cpython".
    `clock` is this computer's, by which a speed holds the table back: monotonic() and sleep(seconds).
    """

    clock: Any = time

    def __init__(self, game: Any, script: Script, *, board: str = "virtual", language: str = "en", seed: int = 0,
                 on_line: Callable[[str], None] | None = None, runtime: str = "micropython",
                 ticks_start_ms: int = 0, is_quick: bool = False, computing: Computing | None = None) -> None:
        self.game = game
        self.script = script
        try:
            self.board = importlib.import_module(f"boards.{board}")
        except ImportError:
            raise UnusableInput(f"there is no board {board} in boards/") from None
        if max(script.header.places) > self.board.SEATS:
            raise UnusableInput(f"the board {board} has {self.board.SEATS} places, the record needs more")
        self.language = language
        self.world = World(self.board, seed)
        self.hands = Hands(self.world, game, script, (lambda: self.told) if is_quick else None)
        self.world.people.add(self.hands.play())
        self.on_line = on_line
        self.on_end: Callable[[], None] = lambda: None
        self.runtime = runtime
        self.ticks_start_ms = ticks_start_ms
        self.computing = computing
        self.lines: list[str] = []  # the public feed so far
        self.told = 0  # events in it
        self.is_closed = False
        self._done_us = 0

    def run(self, folder: Path | str | None = None, speed: float | None = None) -> Comparison:
        """Play the script; the device's flash is `folder`, or one that is gone afterwards."""
        if folder is None:
            with tempfile.TemporaryDirectory(prefix="cardtable-") as flash:
                return self._run(Path(flash), speed)
        return self._run(Path(folder), speed)

    def _run(self, flash: Path, speed: float | None) -> Comparison:
        (flash / "deck.txt").write_text("".join(deck_lines()), encoding="utf-8")
        (flash / "setup.txt").write_text(header_text(self.script.header), encoding="utf-8")
        (flash / "language.txt").write_text(self.language + "\n", encoding="utf-8")
        if self.runtime == "cpython":
            self._run_here(flash, speed)
        else:
            self._run_device(flash, speed)
        if any(line.startswith("bug: ") for line in self.lines):
            raise DeviceError("a bug in the firmware.\n" + foreign.read_text(flash / BUG_FILE))
        journals = pull_records(flash)
        if not journals:
            raise UnusableInput("the firmware wrote no journal: " + " / ".join(self.lines))
        try:
            return compare(self.game, self.script, journals[-1])
        except RecordError as wrong:  # the caller's folder held it, and its number is the highest
            raise UnusableInput(f"{journals[-1]}:{wrong.line}: {wrong.cause}") from wrong

    def _run_device(self, flash: Path, speed: float | None) -> None:
        how: dict[str, Any] = {"on_line": self.hear, "ticks_start_ms": self.ticks_start_ms}
        try:
            if self.runtime == "cpython-process":
                device = Device(self.world, flash, runtime="cpython", **how)
            else:
                device = Device(self.world, flash, *build_busy(self.board.NAME), computing=self.computing, **how)
        except (MicroPythonMissing, image.BuildError) as missing:
            raise UnusableInput(f"{missing} (--runtime cpython does without.)") from missing
        device.clock = self.clock
        with device:
            device.run(until=self._is_over, real_time_speed=speed)

    def _run_here(self, flash: Path, speed: float | None) -> None:
        device = InProcessDevice(self.world, flash, on_line=self.hear, ticks_start_ms=self.ticks_start_ms,
                                 computing=self.computing)
        sleep, begun = self.clock.sleep, self.clock.monotonic()  # the device has a `time` of its own

        def is_over() -> bool:
            ahead_s = self.world.now_us / 1e6 / speed - (self.clock.monotonic() - begun) if speed else 0.0
            if ahead_s > 0:
                sleep(ahead_s)
            return self._is_over()

        device.run(is_over)

    def hear(self, line: str) -> None:
        """Take a line that the device has printed."""
        self.lines.append(line)
        self.told += line[:1].isdigit()
        if line.startswith("nonce: "):  # the last line of a game
            self.is_closed = True
        if self.on_line is not None:
            self.on_line(line)

    def _is_over(self) -> bool:
        """Everything was done and, where the record has a result, the table has written one; or no actor waits."""
        if not self.hands.is_done:
            return False
        self._done_us = self._done_us or self.world.now_us
        patience = END_US if self.script.result else REST_US
        if not self.is_closed and self.world.now_us - self._done_us <= patience:
            return False
        self.on_end()
        return True
