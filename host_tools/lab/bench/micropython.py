"""The engine and every module under MicroPython, with the heap of the smallest board, and in the 32-bit build of npm
if that is at hand."""

import json
import os
import shutil
import subprocess
from pathlib import Path
from typing import Any

from host_tools.lab.bench import built, engine
from host_tools.lab.bench.calibration import TURNS
from host_tools.lab.bench.results import Module, Results, Row
from host_tools.lab.bench.timing import QUICK_REPEATS, REPEATS, Found, Room, rate
from host_tools.base.errors import UnusableInput
from host_tools.base.project import BUILD
from host_tools.judge.replay.process import HEAP

ROOM = "engine, MicroPython"
ROOM_32 = "engine, MicroPython of 32 bits"
NPM = BUILD / "npm"
PACKAGE = "@micropython/micropython-webassembly-pyscript"
VERSION = "1.29.0-6"
INSTALL_S = 60
JOB_S = 120
ROOMY = "2000wK"  # all modules together, which no table ever has in its memory at once


# Modules in the ROM of an ESP32, so that their importers can be imported; asyncio and os are no part of the firmware.
ROM = """
import sys
class Absent:
    def __getattr__(self, name):
        return None
for name in ("machine", "neopixel", "board"):
    sys.modules[name] = Absent()
import asyncio, os
"""
# Before its first import: a ROM file system, found on the path, whose bytes are no part of what is counted.
FROM_ROM = ROM + """
import vfs
for folder in sys.path:
    try:
        with open(folder + "/firmware.romfs", "rb") as file:
            in_rom = file.read()
    except OSError:
        pass
vfs.mount(vfs.VfsRom(memoryview(in_rom)), "/rom")
sys.path.insert(0, "/rom")
"""
# Games in which much is to be asked, and how many turns of the calibration loop a verdict may take: half as many
# again as were measured.
WORST = (
    ("Durak", "durak/throw-in-0001", 90), ("Durak, most options", "durak/game-0003", 90),
    ("Cal's BS", "cals-bs/variant-seven-seats", 30), ("Bailiff", "bailiff/variant-six-seats", 22),
    ("Malice", "malice/game-0002", 165),
)
ESP32_IS_SLOWER = 64  # than this port: between 46 and 87 times in nine benchmarks of others
SESSION = f"""
from cardtable.catalogue import find_game
from cardtable.engine.session import Session
from host_tools.base.random_play import make_header
header = make_header({engine.PLAIN!r}, 6)
game = find_game(header.game[0])
Session(game, header)
session = None
"""
# A game that goes on: what had to be there to set it up is dropped, as between/power_up.py does.
IN_A_GAME = f"""
from cardtable.catalogue import find_game, forget_setup
from cardtable.engine.reading import close_header, read_key
from cardtable.engine.record import Header
from cardtable.engine.session import Session
from cardtable.rooms import forget
header = Header()
for line in ("game: {engine.PLAIN}", "seats: A; B; C; D; E; F", "dealer: 1"):
    read_key(header, line, 0)
close_header(header, 0)
game = find_game(header.game[0])
session = Session(game, header)
forget_setup(game)
del read_key, close_header
forget("engine.setup", "engine.reading")
"""


class JobError(UnusableInput):
    """A job inside MicroPython failed; the text says which, and what it printed at last."""


def list_folders() -> list[Path]:
    """Those of the usual code."""
    return [built.build_firmware(), built.build_main(), built.build_inside(), built.build_rom().parent]


class Unix:
    """MicroPython's unix port: objects of 64 bits."""

    def __init__(self, program: Path, folders: list[Path] | None = None) -> None:
        """`program` is what host_tools/base/interpreters.py has found; `folders` are searched for modules."""
        self.program = program
        self.folders = folders or list_folders()
        self.whole = built.build_whole()

    def run(self, *job: Any) -> Any:
        """The answer of on_device.py to one job. JobError."""
        folders = [self.whole, *self.folders] if job[0] == "random" else self.folders
        path = ":".join(map(str, folders)) + ":.frozen"
        heap = ROOMY if job[0] == "kept" else HEAP
        command = [str(self.program), "-X", f"heapsize={heap}", "-m", "host_tools.lab.bench.on_device"]
        return run_job(command, job, {**os.environ, "MICROPYPATH": path})

    def version(self) -> str:
        """Its number, commit and date."""
        script = "import sys; print('%d.%d.%d' % sys.implementation.version[:3], sys.version.split('MicroPython ')[1])"
        command = [str(self.program), "-c", script]
        return subprocess.run(command, capture_output=True, text=True, check=False).stdout.strip()

    def kept(self, prepare: str, steps: list[str]) -> list[int]:
        """Bytes of the heap that each step keeps. JobError."""
        return self.run("kept", prepare, steps)


class Webassembly:
    """The build of npm: objects of 32 bits, as on an ESP32. Its heap has no limit, and its small integers come back
    from arithmetic as large ones, so neither times nor what an event allocates would mean anything."""

    def __init__(self, node: str, folders: list[Path] | None = None) -> None:
        """`node` is the program that runs it; `folders` are searched for modules."""
        self.node = node
        self.folders = folders or list_folders()

    def kept(self, prepare: str, steps: list[str]) -> list[int]:
        """Bytes of the heap that each step keeps. JobError."""
        script = Path(__file__).with_name("webassembly.mjs")
        program = NPM / "node_modules" / PACKAGE / "micropython.mjs"
        command = [self.node, str(script), str(program), *map(str, self.folders)]
        return run_job(command, {"prepare": prepare, "steps": steps})


def run_job(command: list[str], job: Any, environment: dict[str, str] | None = None) -> Any:
    """The answer that a process prints as `bench JSON` to a job on its standard input. JobError."""
    name = f"{Path(command[0]).name}, {job[0] if isinstance(job, tuple) else 'kept'}"
    try:
        done = subprocess.run(
            command, cwd=built.ROOT, env=environment, input=json.dumps(job) + "\n",
            capture_output=True, text=True, timeout=JOB_S, check=False,
        )
    except subprocess.TimeoutExpired:
        raise JobError(f"{name}: no answer within {JOB_S} s") from None
    for line in done.stdout.splitlines():
        if line.startswith("bench "):
            return json.loads(line[6:])
    last = (done.stdout + done.stderr).strip().splitlines()[-1:]
    raise JobError(f"{name}: " + (" ".join(last) or f"ended with exit code {done.returncode}"))


def find_installed() -> str:
    """The version of the 32-bit build in build/npm; nothing where there is none, or a part of one."""
    try:
        return str(json.loads((NPM / "node_modules" / PACKAGE / "package.json").read_text(encoding="utf-8"))["version"])
    except (OSError, ValueError, KeyError, TypeError):
        return ""


def find_webassembly(may_install: bool) -> Webassembly | str:
    """The 32-bit build, fetched into build/npm if it is not there; else why not, as the end of a sentence."""
    node, npm = shutil.which("node"), shutil.which("npm")
    if node is None:
        return "node is not installed"
    if find_installed() != VERSION:
        if npm is None:
            return "npm is not installed"
        if not may_install:
            return "a quick bench fetches nothing"
        NPM.mkdir(parents=True, exist_ok=True)
        command = [npm, "install", "--prefix", str(NPM), "--no-audit", "--no-fund", f"{PACKAGE}@{VERSION}"]
        try:
            done = subprocess.run(command, cwd=NPM, capture_output=True, timeout=INSTALL_S, check=False)
        except subprocess.TimeoutExpired:
            return "npm fetched nothing within a minute"
        if done.returncode:
            return f"npm could not fetch {PACKAGE}@{VERSION}"
    return Webassembly(node)


def measure(results: Results, unix: Unix, small: Webassembly | None, is_quick: bool) -> None:
    """Add the rows of the rooms and the modules."""
    room = Room(ROOM)
    repeats = QUICK_REPEATS if is_quick else REPEATS
    room.calibration([rate(TURNS, us) for us in unix.run("calibration", repeats * 3)])
    measure_replay(room, unix, repeats)
    measure_random_play(room, unix, repeats)
    measure_worst(room, unix)
    measure_allocation(room, unix)
    room.count("heap: session of 6 seats", unix.kept(SESSION, ["session = Session(game, header)"])[0], "64-bit bytes")
    results.rows += room.rows
    results.modules += measure_modules(unix, small)
    if small:
        results.rows += measure_small(small, results.modules)


def measure_replay(room: Room, unix: Unix, repeats: int) -> None:
    """The records that CPython replays, each in a process of its own with an empty heap."""
    found = [unix.run("replay", path, repeats) for path in engine.find_records()]
    turns = [rate(TURNS, us) for one in found for us in one["loops"]]
    titles = ("replay: all events", "replay: accepted events", "replay: refused events")
    for kind, title in enumerate(titles):
        count = sum(one["counts"][kind] for one in found)
        rates = [rate(count, sum(one["us"][kind][turn] for one in found)) for turn in range(repeats)]
        room.rate(title, Found(rates, turns), "events/s")


def measure_random_play(room: Room, unix: Unix, repeats: int) -> None:
    """Games of two and of six seats."""
    for seats in (2, 6):
        found = unix.run("random", engine.PLAIN, seats, repeats)
        turns = [rate(TURNS, row[4]) for row in found]
        for what, unit, column in (("games", "games/s", 0), ("decisions", "decisions/s", 1)):
            rates = [rate(row[column], row[3]) for row in found]
            room.rate(f"random play, {seats} seats: {what}", Found(rates, turns), unit)


def measure_worst(room: Room, unix: Unix) -> None:
    """The slowest verdict of each game's recorded ones: in turns of the calibration loop, and in ms of an ESP32."""
    for name, record, at_most in WORST:
        turns, us = time_worst(unix, record)
        room.count(f"slowest verdict on a tap, {name}", turns, "turns", at_most)
        room.count(f"slowest verdict on a tap, {name}, on an ESP32", us * ESP32_IS_SLOWER / 1000, "modelled ms")


def time_worst(unix: Unix, record: str) -> tuple[float, float]:
    """The slowest verdict of a record: turns of the calibration loop, microseconds."""
    turns, us, _ = unix.run("worst", str(built.ROOT / "tests" / "records" / f"{record}.rec"))
    return turns, us


def measure_allocation(room: Room, unix: Unix) -> None:
    """The heap that one event takes: on average, and at most."""
    found = [unix.run("allocation", path) for path in engine.find_records()]
    for kind, name in enumerate(("accepted events", "refused events")):
        count = sum(one["counts"][kind] for one in found)
        room.count(f"allocation: {name}, on average", sum(one["sums"][kind] for one in found) / count, "64-bit bytes")
        room.count(f"allocation: {name}, at most", max(one["most"][kind] for one in found), "64-bit bytes")


def measure_modules(unix: Unix, small: Webassembly | None) -> list[Module]:
    """The size of each module, and what its import keeps of the heap; main.py comes last."""
    names = built.module_names()
    firmware, main = unix.folders[:2]
    files = [firmware / Path(*name.split(".")).with_suffix(".mpy") for name in names] + [main / "main.mpy"]
    names.append("main")
    steps = [f"__import__({name!r})" for name in names]
    unknown = [None] * len(names)
    columns = []
    for prepare in (ROM, FROM_ROM):
        columns += [unix.kept(prepare, steps), small.kept(prepare, steps) if small else unknown]
    return [
        Module(name.removeprefix("cardtable."), file.stat().st_size, *heaps)
        for name, file, *heaps in zip(names, files, *columns, strict=True)
    ]


def measure_small(small: Webassembly, modules: list[Module]) -> list[Row]:
    """The heap that the engine with Durak keeps, as on a chip of 32 bits."""
    room = Room(ROOM_32)
    of_engine = [one for one in modules if one.name.startswith("engine.") or one.name == "games.durak"]
    room.count("heap: engine and Durak imported", sum(one.heap_32 or 0 for one in of_engine), "32-bit bytes")
    room.count("heap: session of 6 seats", small.kept(SESSION, ["session = Session(game, header)"])[0], "32-bit bytes")
    room.count("heap: engine, Durak and session in a game", small.kept(ROM, [IN_A_GAME])[0], "32-bit bytes")
    return room.rows


def measure_flash(modules: list[Module]) -> list[Row]:
    """How large the firmware is on flash."""
    room = Room("firmware on flash")
    firmware = built.build_firmware()
    room.count("compiled modules, main.py among them", sum(one.size for one in modules), "bytes")
    words = built.size_of_files(firmware / "cardtable" / "words", "*.*")
    room.count("words, all languages", words, "bytes")
    room.count("the whole image, with main.py as source", built.size_of_files(firmware, "*.*"), "bytes")
    return room.rows
