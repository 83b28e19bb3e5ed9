"""Reads packs in bounded blocks: a member, all members together and the time that one takes have limits, so that a
small file that unpacks to a huge one ends in a sentence. Nothing is written.
"""

from __future__ import annotations

import bz2
import gzip
import lzma
import os
import sqlite3
import stat
import tarfile
import time
import zipfile
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import IO, Any

from host_tools.base import foreign
from host_tools.base.errors import UnusableInput
from host_tools.base.extras import need

MEMBER_LIMIT = foreign.LIMIT  # bytes of one member, unpacked
PACK_LIMIT = 64 * 1024 * 1024  # bytes of all members together, unpacked, beside RATIO times what the pack has
RATIO = 1000  # records shrink to a tenth, many alike to a hundredth
MEMBER_S = 10.0  # seconds until the next member has been read
_BLOCK = 64 * 1024
_HEADERS = 64 * 1024  # bytes of a member beside its content: headers and padding
_STEPS = 100_000  # of SQLite between two looks at the clock
_MAGIC = ((b"\x1f\x8b", gzip.open), (b"BZh", bz2.open), (b"\xfd7zXZ\0", lzma.open), (b"]\0\0\x80", lzma.open))
_METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)


class TooMuch(UnusableInput):
    """A pack that holds more than a limit. The text is what follows the path in a sentence."""


class Budget:
    """What one pack may still unpack to. `size`: bytes of the pack as it lies there."""

    def __init__(self, size: int) -> None:
        self.left = PACK_LIMIT + RATIO * size
        self.member = ""
        self._member_left = 0
        self._late_s = 0.0
        self.begin("its first member")

    def begin(self, member: str) -> None:
        """From now on it is that member, as a sentence names it."""
        self.member, self._member_left = member, MEMBER_LIMIT + _HEADERS
        self._late_s = time.monotonic() + MEMBER_S

    def spend(self, count: int) -> None:
        """So many bytes more came. TooMuch."""
        self.left -= count
        self._member_left -= count
        if self._member_left < 0:
            raise TooMuch(f"{self.member} has more than {MEMBER_LIMIT} bytes; what comes after it is not read")
        if self.left < 0:
            raise TooMuch(f"unpacks to more than {RATIO} times its size; {self.member} and what comes after it are not"
                          " read")
        if self.is_late():
            raise TooMuch(f"{self.member} takes more than {MEMBER_S:g} s; what comes after it is not read")

    def is_late(self) -> bool:
        """Whether this member takes too long."""
        return time.monotonic() > self._late_s


class _Stream:
    """A file object for tarfile: what comes out of an unpacker, in blocks, counted."""

    def __init__(self, source: IO[bytes], budget: Budget) -> None:
        self._source, self._budget = source, budget

    def read(self, count: int) -> bytes:
        """At most so many bytes. TooMuch."""
        found = self._source.read(min(count, _BLOCK))
        self._budget.spend(len(found))
        return found


def read_tar(path: str, is_zst: bool) -> Iterator[tuple[str, bytes]]:
    """(name, bytes) of each file in the archive, which is read once, from its beginning to its end. TooMuch."""
    if not is_zst:
        with closing(_open_packed(path)) as source:
            yield from _read_members(path, source)
        return
    zstandard = zstd()
    try:
        with zstandard.open(path, "rb") as source:
            yield from _read_members(path, source)
    except zstandard.ZstdError as wrong:
        raise tarfile.ReadError(str(wrong)) from wrong


def _open_packed(path: str) -> Any:
    """The unpacker that the first bytes ask for; the bytes themselves if none does."""
    with open(path, "rb") as file:
        begin = file.read(8)
    opener = next((opener for magic, opener in _MAGIC if begin.startswith(magic)), open)
    return opener(path, "rb")


def _read_members(path: str, source: Any) -> Iterator[tuple[str, bytes]]:
    budget = Budget(size_of(path))
    with tarfile.open(fileobj=_Stream(source, budget), mode="r|") as archive:  # type: ignore[call-overload]
        while (member := archive.next()) is not None:
            name = foreign.shorten(member.name)
            if member.size > MEMBER_LIMIT:
                raise TooMuch(f"{name} has {member.size} bytes, no record is as long; what comes after it is not read")
            budget.begin(name)
            file = archive.extractfile(member) if member.isreg() else None
            if file is not None:
                yield member.name, file.read(MEMBER_LIMIT + 1)
            archive.members.clear()  # or it would remember every one
            budget.begin(f"what follows {name}")


def zstd() -> Any:
    """The package that reads zst. UnusableInput without it."""
    return need("zstandard", "a .zst")


def read_zip(path: str) -> Iterator[tuple[str, bytes]]:
    """The same of a zip, whose list of names is read first."""
    budget = Budget(size_of(path))
    with zipfile.ZipFile(path) as archive:
        for member in archive.infolist():
            if member.is_dir():
                continue
            name = foreign.shorten(member.filename)
            if member.compress_type not in _METHODS:  # their unpackers know no limit
                raise TooMuch(f"{name} is packed by another method than deflate; it and what comes after are not read")
            budget.begin(name)
            with archive.open(member) as file:
                yield member.filename, b"".join(_read_blocks(file, budget))


def _read_blocks(file: IO[bytes], budget: Budget) -> Iterator[bytes]:
    """The member's bytes, at most one more than its limit."""
    left = MEMBER_LIMIT + 1
    while left > 0 and (block := file.read(min(left, _BLOCK))):
        left -= len(block)
        budget.spend(len(block))
        yield block


def read_sqlite(path: str) -> Iterator[tuple[str, bytes]]:
    """The same of a table `records` with columns `name` and `record`, in the order in which they came."""
    budget = Budget(size_of(path))
    uri = f"{Path(path).absolute().as_uri()}?mode=ro"
    with closing(sqlite3.connect(uri, uri=True)) as base:
        base.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, 2 * MEMBER_LIMIT)
        base.set_progress_handler(lambda: int(budget.is_late()), _STEPS)
        kind = base.execute("select type, sql from sqlite_master where name = 'records'").fetchone()
        if kind is None or kind[0] != "table" or str(kind[1]).lower().startswith("create virtual"):
            raise sqlite3.DatabaseError("it has no table records")  # a view could go on for ever
        for name, record in base.execute("select name, record from records order by rowid"):
            content = record.encode() if isinstance(record, str) else record if isinstance(record, bytes) else b""
            budget.begin(foreign.shorten(str(name)))
            budget.spend(min(len(content), MEMBER_LIMIT))
            yield str(name), content
            budget.begin(f"what follows {foreign.shorten(str(name))}")


def size_of(path: str) -> int:
    """Bytes of the file as it lies there. OSError for what is no regular file: a pipe would be waited for."""
    facts = os.stat(path)
    if not stat.S_ISREG(facts.st_mode):
        raise OSError(f"{path} is not a file that can be read")
    return facts.st_size
