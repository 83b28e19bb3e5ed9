"""The virtual table with people who play a record at it: builds the device, runs it, and tells what came of it."""

from __future__ import annotations

import importlib
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from cardtable.app.catalogue import find_game
from cardtable.engine.record import Header, RecordError, read_header
from cardtable.engine.setup import SetupError, set_up
from host_tools.errors import UnusableInput
from host_tools.virtual import image
from host_tools.virtual.compare import Comparison, compare
from host_tools.virtual.device import Device
from host_tools.virtual.hands import Hands, Script, deck_lines, read_script
from host_tools.virtual.world import World

BUILD = image.ROOT / "build" / "virtual"
REST_US = 3_000_000  # how long a record without a result is left lying before the power goes
END_US = 30_000_000  # how long people wait for the table to close a finished game


def load_script(path: Path) -> tuple[Any, Script]:
    """The game and the script of a record. UnusableInput names file, line and cause."""
    number = 0
    try:
        with path.open(encoding="utf-8") as lines:
            header, number = read_header(lines)
            game = find_game(header.game[0])
            set_up(game, header)
            return game, read_script(game, header, enumerate(lines, number + 1))
    except RecordError as wrong:
        raise UnusableInput(f"{path}:{wrong.line}: {wrong.cause}") from wrong
    except SetupError as wrong:
        raise UnusableInput(f"{path}:{number}: {wrong}") from wrong
    except UnicodeDecodeError as wrong:
        raise UnusableInput(f"{path}: {wrong.reason}, so it is no text") from wrong
    except OSError as wrong:
        raise UnusableInput(f"{path}: {wrong.strerror}") from wrong


def header_text(header: Header) -> str:
    """The header as it lies in a file."""
    return "\n".join(header.lines()) + "\n"


class Table:
    """A virtual table at which `script` is played. `on_line` gets each line of the public feed as it comes."""

    def __init__(self, game: Any, script: Script, *, board: str = "virtual", language: str = "en", seed: int = 0,
                 on_line: Callable[[str], None] | None = None) -> None:
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
        self.hands = Hands(self.world, game, script)
        self.world.people.add(self.hands.play())
        self.on_line = on_line
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
        built = image.build(self.board.NAME, BUILD / self.board.NAME)
        shims = image.build_shims(BUILD / "shims")
        with Device(self.world, flash, built, shims, on_line=self._hear) as device:
            device.run(until=self._is_over, real_time_speed=speed)
        journals = sorted((flash / "games").glob("*.rec"))
        if not journals:
            raise RecordError(0, "the firmware wrote no journal: " + " / ".join(device.lines))
        return compare(self.game, self.script, journals[-1])

    def _hear(self, line: str) -> None:
        if line.startswith("result:"):
            self.is_closed = True
        if self.on_line is not None:
            self.on_line(line)

    def _is_over(self) -> bool:
        """Everything was done and, where the record has a result, the table has written one; or nobody waits longer."""
        if not self.hands.is_done:
            return False
        self._done_us = self._done_us or self.world.now_us
        patience = END_US if self.script.result else REST_US
        return self.is_closed or self.world.now_us - self._done_us > patience
