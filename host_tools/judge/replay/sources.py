"""Finds records: files, folders, and files that hold many: tar, zip and SQLite. One after the other, never all at once.

`find_records` lists them, `pack` writes many into one file.
"""

import io
import lzma
import os
import sqlite3
import stat
import struct
import tarfile
import zipfile
import zlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from host_tools.base import foreign
from host_tools.base.errors import UnusableInput
from host_tools.base.files import path_as_text, walk, written
from host_tools.judge.replay.bounded import TooMuch, read_sqlite, read_tar, read_zip, size_of, zstd

TARS = (".tar", ".tar.gz", ".tgz", ".tar.xz", ".tar.bz2")
ZSTD = (".tar.zst", ".tzst")
SQLITE = (".sqlite", ".db")
TABLE = "create table records (name text not null unique, record blob not null)"
BROKEN = (
    tarfile.TarError, zipfile.BadZipFile, zlib.error, lzma.LZMAError, sqlite3.Error, EOFError, OSError, RuntimeError,
    ValueError, OverflowError, struct.error, MemoryError,
)
PACKS = (*TARS, *ZSTD, ".zip", *SQLITE)


@dataclass
class Found:
    """One record to replay: a file, or `record` itself if it lay in a file with others. If it cannot be read `trouble`
    is what follows the path in a sentence."""

    path: str
    trouble: str = ""
    record: bytes | None = None


def find_records(paths: Sequence[str]) -> Iterator[Found]:
    """Every record that the paths name, each once: files as they are, of folders all *.rec, sorted by name, and what
    the files of PACKS hold, in their order."""
    given: set[str] = set()
    for path in paths:
        if os.path.abspath(path) in given:
            continue
        for found in _find_in(path):
            if not given or found.record is not None or not _is_given(os.path.abspath(found.path), given):
                yield found
        given.add(os.path.abspath(path))


def _is_given(path: str, given: set[str]) -> bool:
    """Whether an earlier path was that file, or a folder in which it lies."""
    while path not in given:
        above = os.path.dirname(path)
        if above == path:
            return False
        path = above
    return True


def _find_in(path: str) -> Iterator[Found]:
    try:
        is_folder = stat.S_ISDIR(os.stat(path).st_mode)
    except (OSError, ValueError) as error:
        yield Found(path, why(error))
        return
    if is_folder:
        yield from _find_in_folder(path)
    elif path.endswith(PACKS):
        yield from _find_in_pack(path)
    else:
        yield Found(path)


def _find_in_folder(path: str) -> Iterator[Found]:
    troubles: list[Found] = []
    count = 0
    for file in walk(path, lambda folder, cause: troubles.append(Found(folder, lowered(cause)))):
        if file.endswith(".rec"):
            count += 1
            yield Found(file) if os.path.isfile(file) else Found(file, "is not a file that can be read")
    yield from troubles
    if not count and not troubles:
        yield Found(path, "the folder holds no *.rec file")


def read_pack(path: str) -> Iterator[tuple[str, bytes]]:
    """(name, bytes) of each file in a pack, by its ending. One of BROKEN, or TooMuch."""
    size_of(path)
    if path.endswith(SQLITE):
        return read_sqlite(path)
    return read_zip(path) if path.endswith(".zip") else read_tar(path, path.endswith(ZSTD))


def _find_in_pack(path: str) -> Iterator[Found]:
    """What is broken in the middle is told after what could be read."""
    count = 0
    try:
        for name, record in read_pack(path):
            if path.endswith(SQLITE) or name.endswith(".rec"):
                count += 1
                place = f"{path}:{name}"
                yield Found(place, "", record) if len(record) <= foreign.LIMIT else Found(place, TOO_LONG)
    except BROKEN as error:
        yield Found(path, f"cannot be read: {why(error)}")
        return
    except TooMuch as error:
        yield Found(path, str(error))
        return
    if not count:
        yield Found(path, "holds no record")


TOO_LONG = f"more than {foreign.LIMIT} bytes, no record is as long"


def pack(target: Path, found: Iterator[Found]) -> int:
    """Write the records into one new file of PACKS, by its ending; how many. UnusableInput."""
    name = str(target)
    if target.exists():
        raise UnusableInput(f"{target}: is there already")
    if not name.endswith(PACKS):
        raise UnusableInput(f"{target}: it ends with none of {' '.join(PACKS)}")
    names: set[str] = set()
    try:
        with written(target) as fresh, closing(_Packer(fresh, name)) as packer:
            for one in found:
                if one.trouble:
                    raise UnusableInput(f"{one.path}: {one.trouble}")
                record = one.record if one.record is not None else foreign.read_bytes(one.path)
                inner = _name_in_pack(one.path)  # of an archive only *.rec are records
                inner = inner if name.endswith(SQLITE) or inner.endswith(".rec") else f"{inner}.rec"
                if inner in names:
                    raise UnusableInput(f"{target}: two records have one name: {path_as_text(inner)}")
                names.add(inner)
                packer.add(inner, record)
    except sqlite3.Error as wrong:
        raise UnusableInput(f"{target}: {wrong}") from wrong
    return len(names)


def _name_in_pack(path: str) -> str:
    """The path without what leads out of a folder."""
    return "/".join(part for part in Path(path).parts if part not in ("/", "..", "."))


class _Packer:
    """Adds records to one file of PACKS."""

    def __init__(self, path: Path, name: str) -> None:
        self._close: list[Callable[[], Any]] = []
        self._tar: tarfile.TarFile | None = None
        self._zip: zipfile.ZipFile | None = None
        self._base: sqlite3.Connection | None = None
        if name.endswith(SQLITE):
            self._base = sqlite3.connect(path)
            self._base.execute(TABLE)
            self._close = [self._base.commit, self._base.close]
        elif name.endswith(".zip"):
            self._zip = zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED)
            self._close = [self._zip.close]
        else:
            stream: IO[bytes] | None = zstd().open(path, "wb") if name.endswith(ZSTD) else None
            kind = name.rpartition(".tar.")[2] if ".tar." in name else "gz" if name.endswith(".tgz") else ""
            mode = "w|" if stream else f"w:{kind}"
            self._tar = tarfile.open(path, mode, fileobj=stream)  # type: ignore[call-overload]
            self._close = [self._tar.close, *([stream.close] if stream else [])]

    def add(self, name: str, record: bytes) -> None:
        """One more record."""
        if self._base is not None:
            self._base.execute("insert into records values (?, ?)", (path_as_text(name), record))
        elif self._zip is not None:
            self._zip.writestr(path_as_text(name), record)
        elif self._tar is not None:
            member = tarfile.TarInfo(name)
            member.size = len(record)
            self._tar.addfile(member, io.BytesIO(record))
            self._tar.members.clear()  # type: ignore[attr-defined]  # it would keep every record

    def close(self) -> None:
        """Write what is left."""
        for close in self._close:
            close()


def count_records(paths: Sequence[str]) -> int:
    """How many there are, as far as that is quickly found: 0 if a pack lies among them."""
    if any(path.endswith(PACKS) for path in paths):
        return 0
    return sum(1 for _ in find_records(paths))


def why(error: Exception) -> str:
    """The cause that the operating system gives, as part of a sentence."""
    return lowered(getattr(error, "strerror", None) or str(error))


def lowered(text: str) -> str:
    """A sentence as part of one."""
    return text[:1].lower() + text[1:]
