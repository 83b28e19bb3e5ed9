"""What the largest games take of a heap of 32 bits, beside what `device info` promises.

    .venv/bin/cardtable bench --heap

Engine, game and session play a recorded game in the 32-bit build of npm, event by event. What the firmware has in
memory besides is told by the virtual table: its modules are imported in that build, all else is half of what it is on
64 bits.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from host_tools.base import foreign
from host_tools.base.errors import UnusableInput
from host_tools.base.interpreters import find_micropython
from host_tools.lab.bench import built, firmware, micropython
from host_tools.maker.device import memory
from host_tools.virtual.hands import Script
from host_tools.virtual.table import load_script

PARTS = 8  # of a game, after each of which the heap is looked at
# A set-up, the game, and its session, as in a game that goes on; the record lies in the interpreter's own file system.
BEGIN = micropython.ROM + """
from host_tools.lab.bench.workload import read_recorded
with open("/game.rec", "w") as file:
    file.write({text!r})
recorded = read_recorded("/game.rec")
del read_recorded, file
"""
START = "from cardtable.engine.session import Session; session = Session(recorded.game, recorded.header)"
PLAY = "for event in recorded.events[{first}:{last}]: session.play(event)"
IMPORT = "for name in {names!r}: __import__(name)"
PROMISED_ROM, PROMISED_FILES, PROMISED_LEAN = memory.ROM_HEAP, memory.FILES_HEAP, memory.LEAN_HEAP


@dataclass(frozen=True)
class Held:
    """Bytes of 32 bits: the session alone and what it grows by in a whole game; the firmware at its peak, with its code
    in ROM, in files, and lean in files."""

    title: str
    session: int
    grows: int
    rom: int
    files: int
    lean: int


def play_there(small: micropython.Webassembly, record: Path) -> tuple[int, int]:
    """What a session takes, and by how much more it ever grows while the record is played. JobError."""
    text = foreign.read_text(record)
    count = sum(line[:1].isdigit() for line in text.partition("\n\n")[2].split("\n"))
    ends = [count * part // PARTS for part in range(PARTS + 1)]
    plays = [PLAY.format(first=first, last=last) for first, last in zip(ends, ends[1:], strict=False)]
    session, *grown = small.kept(BEGIN.format(text=text), [START, *plays])
    return session, max(sum(grown[: number + 1]) for number in range(len(grown)))


def load_beginning(record: Path, events: int | None) -> tuple[object, Script]:
    """The game and its script, no longer than so many events."""
    game, script = load_script(record)
    if events is not None:
        del script.lines[events:]
        script.result = ""
    return game, script


def weigh_lean(program: Path, node: str, besides: int, record: Path) -> int:
    """What the lean code takes from files as a game has begun (later it takes no more): the imports of its modules as
    the 32-bit build has them, half of all else. `besides`: bytes of 64 bits that are neither firmware nor its ROM."""
    rom, files = built.build_rom(is_lean=True), built.build_lean()
    game, script = load_beginning(record, firmware.QUICK_EVENTS)
    played = firmware.play(program, script, game, rom)
    names = [name for name in played.modules if (files / f"{name}.mpy").exists()]
    step = IMPORT.format(names=names)
    (of_rom,) = micropython.Unix(program, [built.build_inside(), rom.parent]).kept(micropython.FROM_ROM, [step])
    (of_files,) = micropython.Webassembly(node, [files]).kept(micropython.ROM, [step])
    return of_files + (played.peak - besides - rom.stat().st_size - of_rom) // 2


def measure(say: Callable[[str], None], games: Sequence[tuple[str, Path]] = firmware.GAMES,
            events: int | None = None) -> list[Held]:
    """The largest games, a line each; `events`: no more of each on the virtual table. UnusableInput if an
    interpreter is missing."""
    program = find_micropython()
    small = micropython.find_webassembly(may_install=True)
    if program is None or isinstance(small, str):
        raise UnusableInput(f"the 32-bit build cannot play: {small if program else 'there is no MicroPython'}")
    unix = micropython.Unix(program)
    modules = micropython.measure_modules(unix, small)
    besides = firmware.find_besides(program, unix)
    found = []
    for title, record in games:
        game, script = load_beginning(record, events)
        played = firmware.play(program, script, game)
        estimate = firmware.estimate_32(played.peak - besides, modules, played.modules)
        assert estimate is not None  # the build is there
        lean = weigh_lean(program, small.node, besides - built.build_rom().stat().st_size, record)
        from_rom, from_files = map(round, estimate)
        held = Held(title, *play_there(small, record), from_rom, from_files, lean)
        say(f"{title}: {held.rom / 1024:.1f} KB from ROM ({PROMISED_ROM // 1024} promised), {held.files / 1024:.1f} KB"
            f" from files ({PROMISED_FILES // 1024} promised), {held.lean / 1024:.1f} KB of lean code from files"
            f" ({PROMISED_LEAN // 1024} promised); a session {held.session:,} bytes, and {held.grows:,} more at most"
            " while it is played")
        found.append(held)
    return found
