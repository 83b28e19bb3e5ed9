"""Finished games: each is copied off the table's flash once, sealed as it is, and never overwritten."""

from __future__ import annotations

import datetime
import os
import re
import shutil
from pathlib import Path

from cardtable.between import archive
from host_tools.base import foreign
from host_tools.base.files import settle, written
from host_tools.sight.follower import FOLDER

ORDER_FILE = "order.txt"  # in a table's folder, beside its flash: what a director wants played next; put there whole
RECORD = re.compile(r"[\w-]{1,80}\.rec")  # the name of a finished game
_NAME = re.compile(r"\d{4}\.rec")


def keep(flash: Path, library: Path) -> list[str]:
    """Copy what is new; the names of the copies. What is copied counts as pulled (between/archive.py)."""
    kept = []
    for path in sorted((flash / FOLDER).glob("*" + archive.RECORD)):
        if not _NAME.fullmatch(path.name):
            continue
        name = copy(path, library)
        archive.mark_pulled(str(path))
        kept.append(name)
    return kept


def give_up(flash: Path) -> None:
    """Put a game that is not over away as it stands, before another one begins, perhaps with the same set-up."""
    folder = str(flash / FOLDER)
    for name in archive.list_names(folder):
        path = f"{folder}/{name}"
        if len(name) == 4 and not archive.exists(path + archive.RECORD) and not archive.exists(path + archive.PULLED):
            try:
                for _ in archive.put_away(path):
                    pass
            except archive.pieces.Damage:
                os.rename(path, path + archive.DAMAGED)


def copy(path: Path, library: Path) -> str:
    """One copy under a name of its own: date, game, number. It is on the disk when this returns: the table may delete
    its own."""
    library.mkdir(parents=True, exist_ok=True)
    when = datetime.datetime.fromtimestamp(path.stat().st_mtime).strftime("%Y-%m-%d-%H%M")
    stem = f"{when}-{game_of(path)}-{path.stem}"
    for number in range(1, 1000):
        target = library / f"{stem}{f'-{number}' if number > 1 else ''}.rec"
        if not target.exists():
            with written(target) as half:
                shutil.copyfile(path, half)
        elif foreign.read_bytes(path) != foreign.read_bytes(target):
            continue
        settle(target)  # also where this process was killed before the game was marked as pulled
        return target.name
    raise OSError(f"{library} has a thousand games of the name {stem}")


def game_of(path: Path) -> str:
    """The name of its game, as far as a file's name can say it."""
    with path.open(encoding="utf-8", errors="replace") as lines:
        for line in lines:
            if line.startswith("game: "):
                return re.sub(r"[^\w-]", "", (line[6:].split() or ["game"])[0])[:20] or "game"
            if not line.strip():
                break
    return "game"


def list_names(library: Path, most: int = 50) -> list[str]:
    """The newest copies, newest first."""
    return sorted((path.name for path in library.glob("*.rec")), reverse=True)[:most]
