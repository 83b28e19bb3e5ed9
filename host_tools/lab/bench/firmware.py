"""The real firmware on the virtual table: its pace, and what its heap holds.

Two games are played once, by people with tags and buttons, the firmware in ROM; and in the lobby one person answers
every question about Durak. A probe (shims/probe.py) tells what the heap holds; what the shims take, which an ESP32 has
in its ROM, is measured alone and taken off.
"""

import itertools
import re
import shutil
import tempfile
import time
from collections.abc import Generator, Iterator
from pathlib import Path
from typing import Any

from boards import virtual
from host_tools.lab.bench import built, engine
from host_tools.lab.bench.results import Module, Results, sum_of
from host_tools.lab.bench.timing import Room
from host_tools.virtual.compare import compare
from host_tools.virtual.device import APPLICATION, ROM_KB, Device
from host_tools.virtual.fingers import deck_lines
from host_tools.virtual.hands import Hands, Script
from host_tools.virtual.pull import pull_records
from host_tools.virtual.table import END_US, REST_US, header_text, load_script
from host_tools.virtual.world import World

ROOM = "firmware, virtual table"
QUICK_EVENTS = 12
ALONE_US = 1_500_000  # how long the shims are watched alone
LIVE_AIM = ROM_KB * 1024
# The most seats that the largest game has; and most tags, 108.
GAMES = (("Durak", engine.SIX_SEATS), ("Malice", engine.RECORDS.parent / "malice" / "game-0000.rec"))
_NAMES = re.compile(r"qstr pool: n_pool=\d+, n_qstr=(\d+), n_str_data_bytes=(\d+),")
PRESS_US = 60_000
LOOK_US = 300_000  # between two presses in the lobby: the probe looks once meanwhile
# To the second of `What do you play?`, the first game; its first variant; `change the rules`.
TO_THE_RULES = ("MENU", "MENU", "OK", "OK", "MENU", "OK")
QUESTIONS = 28  # as many as Durak has, and more: at each one the answer is changed and taken, at last the game begins


class Probed(Device):
    """A device that tells what its heap holds."""

    def __init__(self, *what: Any, **how: Any) -> None:
        super().__init__(*what, **how)
        self._command[-1] = "probe"


class Played:
    """One game on the table: `samples` are (live, used) bytes of the heap, the first one after boot."""

    def __init__(self) -> None:
        self.samples: list[tuple[int, int]] = []
        self.modules: list[str] = []
        self.names = 0  # in MicroPython's table of interned ones, those in its own ROM left out
        self.text = 0  # bytes of what they say
        self.frames = 0
        self.real_s = 0.0
        self.virtual_s = 0.0
        self.is_closed = False
        self.has_begun = False
        self._has_booted = False

    def hear(self, line: str) -> None:
        """One line that the device has printed."""
        if line.startswith("probe-modules "):
            self.modules = line.split()[1:]
        elif found := _NAMES.match(line):
            self.names, self.text = int(found[1]), int(found[2])
        elif line.startswith("probe "):
            if self._has_booted:
                live, used = line.split()[1:]
                self.samples.append((int(live), int(used)))
        elif line.startswith("game: "):
            self.has_begun = True
        elif line.startswith("result:"):
            self.is_closed = True
        elif line.startswith("bug: "):
            raise ValueError("the firmware has a bug: " + line)
        elif line.startswith("cardtable on "):
            self._has_booted = True

    @property
    def boot(self) -> int:
        """Live bytes when nothing has been played."""
        return self.samples[0][0]

    @property
    def peak(self) -> int:
        """The most live bytes."""
        return max(live for live, _ in self.samples)

    @property
    def most_used(self) -> int:
        """The most bytes in use between two tidyings, at the moments that were looked at."""
        return max(used for _, used in self.samples)


def _copy_shims(flash: Path) -> Path:
    """The shims and the probe, on the flash: the names of modules' files are in the heap, and with the longer names of
    another clone chance kept as much as 9 KB there that was no longer used."""
    return shutil.copytree(built.build_probed_shims(), flash / "shims")


def play(program: Path, script: Script, game: object, firmware: Path | None = None) -> Played:
    """Play the script on the virtual board; `firmware`: the folder of an image whose code lies in files, or the
    file of a ROM; none: the usual ROM. ValueError if the device's journal tells of another game."""
    played = Played()
    world = World(virtual)
    hands = Hands(world, game, script)
    world.people.add(hands.play())
    done_us = 0

    def note_end() -> bool:
        """Whether the game is over, or nothing has come for too long after its last line."""
        nonlocal done_us
        done_us = done_us or hands.is_done and world.now_us
        patience_us = END_US if script.result else REST_US
        return done_us > 0 and (played.is_closed or world.now_us - done_us > patience_us)

    with tempfile.TemporaryDirectory(prefix="cardtable-") as folder:
        flash = Path(folder)
        (flash / "deck.txt").write_text("".join(deck_lines()), encoding="utf-8")
        (flash / "setup.txt").write_text(header_text(script.header), encoding="utf-8")
        shims = _copy_shims(flash)
        image = firmware or built.build_rom()
        if image.is_dir():
            image = shutil.copytree(image, flash / APPLICATION)
        with Probed(world, flash, image, shims, micropython=program, on_line=played.hear) as device:
            begun = time.perf_counter()
            device.run(until=note_end)
            played.real_s = time.perf_counter() - begun
        found = compare(game, script, pull_records(flash)[-1])
        if not found.agrees:
            raise ValueError("the table played another game: " + "; ".join(found.difference))
    played.frames = sum(reader.frames for reader in world.readers)
    played.virtual_s = world.now_us / 1e6
    return played


def answer_questions(world: World) -> Iterator[int]:
    """One person at place 1, for world.people: each question about the first game gets another answer."""
    yield 4 * LOOK_US
    for key in TO_THE_RULES + ("MENU", "OK") * QUESTIONS:
        world.press(1, key)
        yield PRESS_US
        world.release(1, key)
        yield LOOK_US


def walk_lobby(program: Path, is_quick: bool) -> Played:
    """What the heap holds while the rules of a game are chosen in Russian, whose words are the longest."""
    walked = Played()
    world = World(virtual)
    actor = answer_questions(world)
    ended: list[bool] = []

    def whole() -> Generator[Any, None, None]:
        yield from itertools.islice(actor, 40) if is_quick else actor
        ended.append(True)

    world.people.add(whole())
    with tempfile.TemporaryDirectory(prefix="cardtable-") as folder:
        flash = Path(folder)
        (flash / "deck.txt").write_text("".join(deck_lines()), encoding="utf-8")
        (flash / "language.txt").write_text("ru\n", encoding="utf-8")
        shims = _copy_shims(flash)
        with Probed(world, flash, built.build_rom(), shims, micropython=program, on_line=walked.hear) as device:
            device.run(until=lambda: walked.has_begun or bool(ended))
    return walked


def watch_shims(program: Path) -> int:
    """Live bytes of the heap with the shims and the probe alone."""
    return min(live for live, _ in look_at_shims(program).samples)


def look_at_shims(program: Path) -> Played:
    """What the heap holds with them alone."""
    played = Played()
    played.hear("cardtable on nothing")
    world = World(virtual)
    with tempfile.TemporaryDirectory(prefix="cardtable-") as folder:
        flash = Path(folder)
        shims, empty = _copy_shims(flash), built.build_empty()
        with Probed(world, flash, empty, shims, micropython=program, on_line=played.hear) as device:
            device.run(until=lambda: world.now_us > ALONE_US)
    return played


def measure(results: Results, program: Path, asyncio_heap: int, is_quick: bool) -> None:
    """Add the rows. `asyncio_heap`: what asyncio keeps, which the device has to hold as well as the shims do."""
    room = Room(ROOM)
    alone = watch_shims(program) - asyncio_heap
    room.count("heap: what the shims take, not counted below", alone, "64-bit bytes")
    for title, record in GAMES:
        game, script = load_script(record)
        if is_quick:
            del script.lines[QUICK_EVENTS:]
            script.result = ""
        played = play(program, script, game)
        room.count(f"{title}, events of {len(script.header.seats)} seats", len(script.lines), "events")
        room.count(f"{title}, pace: reader frames", played.frames / played.real_s, "frames/real s")
        room.count(f"{title}, pace: events", len(script.lines) / played.real_s, "events/real s")
        room.count(f"{title}, pace: virtual time to real time", played.virtual_s / played.real_s, "x")
        count_heap(room, title, played, alone + built.build_rom().stat().st_size, results.modules)
    walked = walk_lobby(program, is_quick)
    count_heap(room, "Lobby", walked, alone + built.build_rom().stat().st_size, results.modules)
    results.rows += room.rows


def find_besides(program: Path, unix: Any) -> int:
    """Bytes of 64 bits that are not the firmware's while it runs from ROM; `unix` is a micropython.Unix."""
    asyncio_heap: int = unix.kept("", ["__import__('asyncio')"])[0]
    return watch_shims(program) - asyncio_heap + built.build_rom().stat().st_size


def count_heap(room: Room, title: str, played: Played, besides: int, modules: list[Module]) -> None:
    """The use of the heap in one game; `besides`: the part that is not the firmware's."""
    for name, held in (("after boot", played.boot), ("live at its peak", played.peak)):
        live = held - besides
        room.count(f"{title}, heap: {name}", live, "64-bit bytes")
        room.count(f"{title}, heap: {name}, halved", live / 2, "bytes")
        estimate = estimate_32(live, modules, played.modules)
        if estimate:
            room.count(f"{title}, heap: {name}, on 32 bits", estimate[0], "32-bit bytes", LIVE_AIM)
            room.count(f"{title}, heap: {name}, from files, on 32 bits", estimate[1], "32-bit bytes")
    room.count(f"{title}, heap: in use at most, garbage included", played.most_used - besides, "64-bit bytes")


def estimate_32(live: int, modules: list[Module], loaded: list[str]) -> tuple[float, float] | None:
    """Bytes on 32 bits, with the code in ROM and in files: the modules' imports as the 32-bit build has them, half of
    everything else. None without it."""
    names = {name.removeprefix("cardtable.") for name in loaded} | {"main"}
    there = [module for module in modules if module.name in names]
    sums = [sum_of(there, name) for name in ("rom", "rom_32", "heap_32")]
    if None in sums:
        return None
    rom, rom_32, files_32 = (one or 0 for one in sums)
    others = (live - rom) / 2
    return rom_32 + others, files_32 + others
