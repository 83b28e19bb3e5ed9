"""Keeps a club's things in one file, and brings them back: games, a tournament, keys. Others may go on meanwhile.

The file is a zip with a list of its members, their sizes and SHA-256 in `backup.json`. It comes into being whole or not
at all, and only its owner may read it: it holds keys. A tournament is copied from one moment of its database, whatever
that is (tournament/backup.py). A folder is read until two readings in a row agree: a table that plays writes now and
then, and its journal is right between any two writes.
"""

from __future__ import annotations

import datetime
import hashlib
import json
import os
import shutil
import stat
import tempfile
import zipfile
import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any

from cardtable import version
from host_tools.base import foreign
from host_tools.base.errors import UnusableInput
from host_tools.base.files import OWNERS, path_as_text, refuse, walk, written
from host_tools.base.locks import LOCK

FORMAT = "cardtable backup 1"
LIST = "backup.json"
TOURNAMENT = "tournament.sqlite"
KINDS = ("games", "keys")  # folders
SHAPE = {"format": str, "version": str, "at": str, "files": {str: [(int, str)]}, "kinds?": [str]}
SKIPPED = (LOCK, "__pycache__")
READINGS = 20  # of a folder that changes all the while
BLOCK = 1 << 20
LARGEST = 1 << 30  # bytes of one file


@dataclass(frozen=True)
class Things:
    """Where they lie: the folder of games, the database of a tournament, the folder of keys (of a broker or a bridge);
    nothing for what is not there."""

    games: Path | None = None
    database: str = ""
    keys: Path | None = None

    def folders(self) -> dict[str, Path]:
        """Those that were named."""
        return {kind: folder for kind, folder in zip(KINDS, (self.games, self.keys), strict=True) if folder is not None}


def read_folder(folder: Path) -> dict[str, bytes]:
    """The files of a folder at one moment, by their paths within it. UnusableInput."""
    if not folder.is_dir():
        raise UnusableInput(f"{folder}: no such folder")
    before: dict[str, bytes] | None = None
    for _ in range(READINGS):
        found = read_once(folder)
        if found is not None and found == before:
            return found
        before = found
    raise UnusableInput(f"{folder} changes all the while: try again between two games")


def read_once(folder: Path) -> dict[str, bytes] | None:
    """Its files as they are read one after the other, of a link what it leads to; None if one went away meanwhile.
    Half-written ones (.tmp), locks, and what is no file are left out."""
    found = {}
    try:
        for path in map(Path, walk(folder, refuse)):
            name = path.relative_to(folder).as_posix()
            if path.suffix == ".tmp" or set(PurePosixPath(name).parts) & set(SKIPPED):
                continue
            if path_as_text(name) != name:
                raise UnusableInput(f"{path}: its name is no UTF-8 text: give it another one")
            if stat.S_ISREG(path.stat().st_mode):
                found[name] = foreign.read_bytes(path, LARGEST)
        return found
    except foreign.Unreadable as wrong:
        if isinstance(wrong.__cause__, FileNotFoundError) and not path.is_symlink():
            return None
        raise
    except FileNotFoundError as wrong:
        if path.is_symlink():
            raise UnusableInput(f"{path}: a link that leads to no file") from wrong
        return None
    except OSError as wrong:
        raise UnusableInput(f"{wrong.filename}: {wrong.strerror}") from wrong


def backup(things: Things, target: Path) -> dict[str, int]:
    """Write the file; how many files of each kind it holds, and events and records of the tournament. UnusableInput."""
    if target.exists():
        raise UnusableInput(f"{target}: it is there already, and a backup replaces nothing")
    if not things.database and not things.folders():
        raise UnusableInput("name what to keep: --games, --database, --keys")
    counts, files = {}, {}
    with tempfile.TemporaryDirectory(prefix="cardtable-") as passing, written(target, OWNERS) as half:
        with open(half, "wb") as file, zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
            for kind, folder in things.folders().items():
                found = read_folder(folder)
                counts[kind] = len(found)
                for name, content in found.items():
                    files[f"{kind}/{name}"] = [len(content), hashlib.sha256(content).hexdigest()]
                    archive.writestr(f"{kind}/{name}", content)
            if things.database:
                copy = Path(passing) / TOURNAMENT
                counts["events"], counts["records"] = copy_tournament(things.database, copy)
                files[TOURNAMENT] = [copy.stat().st_size, hash_of(copy)]
                archive.write(copy, TOURNAMENT)
            told = {"format": FORMAT, "version": version.FIRMWARE, "at": now(), "files": files,
                    "kinds": [*things.folders(), *([TOURNAMENT] if things.database else [])]}
            archive.writestr(LIST, json.dumps(told, ensure_ascii=False, indent=1))
            archive.close()
            file.flush()
            os.fsync(file.fileno())
    return counts


def copy_tournament(database: str, target: Path) -> tuple[int, int]:
    """Events and records of its copy."""
    from host_tools.club.tournament.backup import backup as copy
    from host_tools.club.tournament.director import open_director

    director = open_director(database)
    try:
        return copy(director.store, target)
    finally:
        director.close()


def hash_of(path: Path) -> str:
    """SHA-256 of a file."""
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def now() -> str:
    """UTC."""
    return datetime.datetime.now(datetime.UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def restore(source: Path, things: Things) -> dict[str, int]:
    """Bring everything back into folders and a database that hold nothing yet; how many files of each kind, and events
    and records. Each file is compared with the list before anything of it is there. UnusableInput."""
    for folder in things.folders().values():
        if os.path.lexists(folder) and (not folder.is_dir() or any(folder.iterdir())):
            raise UnusableInput(f"{folder}: it holds something already, and a restore replaces nothing")
    if not source.is_file():  # of a device, zipfile would look for the end
        raise UnusableInput(f"{source}: it is no file")
    try:
        with zipfile.ZipFile(source) as archive:
            listed, kinds = read_list(source, archive)
            for kind in (*things.folders(), *([TOURNAMENT] if things.database else ())):
                if kind not in kinds:
                    raise UnusableInput(f"{source}: it holds no {kind.removesuffix('.sqlite')}")
            with tempfile.TemporaryDirectory(prefix=".restored-", dir=place_of(things)) as passing:
                unpack(archive, listed, Path(passing))
                return bring(Path(passing), listed, things, str(source))
    except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError) as wrong:
        raise UnusableInput(f"{source}: it is no backup, or it is damaged") from wrong
    except OSError as wrong:
        raise UnusableInput(f"{wrong.filename or source}: {wrong.strerror or wrong}") from wrong


def place_of(things: Things) -> Path | None:
    """The folder to unpack into: on the disk where things go, so that they are moved there at once; None for a server's
    database."""
    places = [*things.folders().values()]
    if things.database:
        from host_tools.club.tournament.store import is_url

        places += [] if is_url(things.database) else [Path(things.database)]
    for place in places:
        place.parent.mkdir(parents=True, exist_ok=True)
    return next((place if place.is_dir() else place.parent for place in places), None)


def read_list(source: Path, archive: zipfile.ZipFile) -> tuple[dict[str, tuple[int, str]], set[str]]:
    """Size and SHA-256 of each member, by the backup's own list, and what was kept, be it an empty folder.
    UnusableInput."""
    try:
        with archive.open(LIST) as file:
            told: dict[str, Any] = foreign.parse_json(file.read(foreign.LIMIT), SHAPE)
    except (KeyError, ValueError) as wrong:
        raise UnusableInput(f"{source}: it is no backup: `cardtable backup` writes them") from wrong
    if told["format"] != FORMAT:
        raise UnusableInput(f"{source}: a newer cardtable has written it")
    found = {}
    for name, row in told["files"].items():
        parts = PurePosixPath(name).parts
        is_right = (name == TOURNAMENT or len(parts) > 1 and parts[0] in KINDS) and ".." not in parts
        if not is_right or "\0" in name or [type(one) for one in row] != [int, str] or row[0] < 0:
            raise UnusableInput(f"{source}: its list names {foreign.shorten(name)!r}, which no backup has")
        found[name] = row[0], row[1]
    return found, {*told.get("kinds", ()), *(PurePosixPath(name).parts[0] for name in found)}


def unpack(archive: zipfile.ZipFile, listed: Mapping[str, tuple[int, str]], folder: Path) -> None:
    """Write each listed member into the folder, in blocks, no more of it than the list says. UnusableInput."""
    needed = sum(size for size, _ in listed.values())
    if needed > shutil.disk_usage(folder).free:
        raise UnusableInput(f"the backup needs {needed} bytes, and there are fewer on this disk")
    for name, (size, digest) in listed.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        left, sha = size, hashlib.sha256()
        try:
            with archive.open(name) as file, open(os.open(path, os.O_WRONLY | os.O_CREAT, 0o600), "wb") as out:
                while block := file.read(min(BLOCK, left + 1)):
                    left -= len(block)
                    if left < 0:
                        break
                    sha.update(block)
                    out.write(block)
        except KeyError:
            left = -1
        if left or sha.hexdigest() != digest:
            raise UnusableInput(f"{foreign.shorten(name)} in the backup is not as it was written: take another backup")


def bring(passing: Path, listed: Mapping[str, tuple[int, str]], things: Things, told: str) -> dict[str, int]:
    """What lies unpacked goes to its place; where something fails, no place keeps anything."""
    counts, placed = {}, []
    try:
        for kind, folder in things.folders().items():
            counts[kind] = sum(name.startswith(f"{kind}/") for name in listed)
            if not folder.exists():
                folder.mkdir(parents=True)
                placed.append(folder)
            for name in os.listdir(passing / kind) if counts[kind] else ():
                placed.append(folder / name)
                shutil.move(passing / kind / name, folder / name)
        if things.database:
            from host_tools.club.tournament.backup import bring as bring_tournament

            counts["events"], counts["records"] = bring_tournament(passing / TOURNAMENT, things.database, told)
    except BaseException:
        for path in reversed(placed):
            if path.is_dir():
                shutil.rmtree(path)
            else:
                path.unlink(missing_ok=True)
        raise
    return counts


def tell(counts: Mapping[str, int]) -> str:
    """`12 files of games, 40 events, 31 records`."""
    return ", ".join(f"{count} files of {kind}" if kind in KINDS else f"{count} {kind}"
                     for kind, count in counts.items())
