"""Reads what a table is and holds, and brings its records to this computer."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator
from pathlib import Path

from host_tools.base import foreign
from host_tools.maker.device import memory
from host_tools.maker.device.deploy import Installed, look
from host_tools.maker.device.table import Table, TableError
from host_tools.base.errors import UnusableInput
from host_tools.base.files import settle, write_file

FOLDER = "/games"
WAITS, PULLED, DAMAGED = ".rec", ".old", ".bad"  # as in firmware/cardtable/between/archive.py
_GAME = re.compile("[0-9]{4}")
_RECORD = re.compile(r"[0-9]{4}(\.rec|\.old)")
_CRASH = "/crash.txt"  # of firmware/loader.py
_BUG = "/bug.txt"  # of firmware/cardtable/between/bugs.py; it may hold secrets of a game


def running_games(table: Table) -> list[str]:
    """The games that are not over: their records lie in pieces."""
    return [name for name, _ in table.call("list_games") if _GAME.fullmatch(name)]


def use_application(table: Table) -> Installed:
    """Make the table's own modules importable at its prompt. UnusableInput if it has none."""
    installed = look(table)
    if not installed.kept:
        raise UnusableInput(f"{table.port}: there is no application on this table; bring it there with `make deploy`.")
    table.call("use_application", installed.kept)
    return installed


def describe(table: Table) -> Iterator[tuple[str, str]]:
    """(what, how) of a stopped table."""
    installed = look(table)
    if installed.kept:
        table.call("use_application", installed.kept)
        firmware, rulebook, record = table.call("versions")
        yield "firmware", f"{firmware}, rulebook {rulebook}, record {record}"
        yield "board", installed.whole[installed.kept][0].split()[-1]
    else:
        yield "firmware", "none"
    yield "application", f"/{installed.folder} ({installed.word})" if installed.folder else "none"
    for folder, (first, hashes) in sorted(installed.whole.items()):
        yield f"/{folder}", f"{first}, {len(hashes)} files"
    python, chip, flash, flash_free = table.call("describe")
    yield "MicroPython", f"{python}, {chip}"
    yield from memory.describe(memory.ask(table))
    yield "flash", f"{flash // 1024} KB, {flash_free // 1024} KB free"
    for line in table.health:
        what, _, how = line.partition(": ")
        yield what, how
    games = table.call("list_games")
    counts = [sum(name.endswith(end) for name, _ in games) for end in (WAITS, PULLED, DAMAGED)]
    is_running = [name for name, _ in games if _GAME.fullmatch(name)]
    yield "games", "{} to be pulled, {} pulled, {} damaged".format(*counts)
    if is_running:
        yield "under way", ", ".join(is_running)
    for what, name in (("last bug", _BUG), ("last crash", _CRASH)):
        if errors := table.call("name_errors", name):
            yield what, f"{errors}; the whole of it is in {name}"


def examine(table: Table, asks: bool, say: Callable[[str], object], learns: str = "") -> int:
    """Let the table's doctor look at it; how many findings it names. learns: the date, if the table is to measure its
    own hardware and keep what it finds (firmware/cardtable/between/learn.py)."""
    use_application(table)
    findings = 0

    def hear(line: str) -> None:
        nonlocal findings
        findings += line.startswith("! ")
        say(line)

    table.follow(f"import main\nmain.doctor({asks}, {learns!r})", hear, silence_s=60)
    return findings


def pull(table: Table, folder: Path, wants_all: bool, say: Callable[[str], object],
         on_record: Callable[[Path], object] = lambda path: None) -> int:
    """Bring the records not pulled yet into `folder`, and tell the table; how many came. on_record: gets each
    copy before the table is told.

    With `wants_all` those that were pulled before come again. A file that is there with other bytes stays, and the
    record gets another name.
    """
    use_application(table)
    folder.mkdir(parents=True, exist_ok=True)
    count = 0
    for name, _ in table.call("list_games"):
        if not _RECORD.fullmatch(name):
            # A name becomes a path of this computer: no other one does.
            if _GAME.fullmatch(name):
                say(f"{name} is under way, and stays")
            elif not name.endswith(DAMAGED):
                say(f"{name} is no record's name, and stays")
            continue
        if name.endswith(PULLED) and not wants_all:
            continue
        data = table.read(f"{FOLDER}/{name}")
        target = free_name(folder, name[:4], data)
        if not os.path.lexists(target):
            write_file(target, data)
        if not holds(target, data):
            raise TableError(f"{target} is not what was pulled.")
        settle(target)
        on_record(target)
        if name.endswith(WAITS):
            table.call("mark_pulled", f"{FOLDER}/{name}")
        say(str(target))
        count += 1
    return count


def free_name(folder: Path, number: str, data: bytes) -> Path:
    """Where a record goes: under its number, unless another table's record is there."""
    target = folder / f"{number}{WAITS}"
    copy = 1
    while os.path.lexists(target) and not holds(target, data):
        copy += 1
        target = folder / f"{number}-{copy}{WAITS}"
    return target


def holds(target: Path, data: bytes) -> bool:
    """Whether that file has exactly these bytes."""
    return target.is_file() and target.stat().st_size == len(data) and foreign.read_bytes(target) == data
