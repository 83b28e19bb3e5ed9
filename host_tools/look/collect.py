"""Brings the records of all connected tables into one folder: each under a name made of table, date and number. Nothing
there is ever overwritten.
"""

from __future__ import annotations

import os
import re
import tempfile
from collections.abc import Callable
from pathlib import Path

from cardtable.engine.reading import read_header
from cardtable.engine.record import RecordError
from host_tools.base import foreign
from host_tools.maker.device.about import holds, pull
from host_tools.maker.device.table import Table, TableError
from host_tools.base.errors import UnusableInput
from host_tools.base.files import settle, written

COPIES = 1000


def collect(ports: list[str], folder: Path, wants_all: bool, say: Callable[[str], object]) -> int:
    """Pull from every port; how many of them failed. Each new record is told."""
    failed = 0
    for port in ports:
        try:
            with tempfile.TemporaryDirectory(prefix="cardtable-") as passing, Table(port) as table:
                table.stop()
                # The table is told that somebody has a record only after it lies in the folder.
                pull(table, Path(passing), wants_all, lambda text: None, lambda path: put(path, folder, say))
        except (UnusableInput, TableError, OSError) as wrong:
            failed += 1
            say(f"{port}: {foreign.shorten(str(wrong).splitlines()[0] if str(wrong) else 'no answer', 200)}")
    return failed


def put(path: Path, folder: Path, say: Callable[[str], object]) -> Path:
    """Copy one record into the folder, unless it lies there already; its path there."""
    data = foreign.read_bytes(path)
    target = free_name(folder, name_of(data, path.stem), data)
    if not os.path.lexists(target):
        folder.mkdir(parents=True, exist_ok=True)
        with written(target) as half:
            half.write_bytes(data)
            claim(half, target)
        say(str(target))
    settle(target)
    return target


def claim(whole: Path, target: Path) -> None:
    """Give that file the other name as well; FileExistsError where another file has come to it meanwhile.

    Who looks into the folder finds no record, or a whole one. Where the file system has no hard links (FAT, exFAT) an
    empty file holds the name until the whole one is moved there.
    """
    try:
        os.link(whole, target)
    except FileExistsError:
        raise
    except OSError:
        target.touch(exist_ok=False)


def name_of(data: bytes, number: str) -> str:
    """Table, date and number: `club-north-2-2026-11-21-0007`; what the header does not say is left out."""
    try:
        header, _ = read_header(line + "\n" for line in data.decode("utf-8", "replace").split("\n"))
        keys = dict(header.keys)
    except RecordError:
        keys = {}
    date = re.match(r"\d{4}-\d\d-\d\d", keys.get("started", ""))
    table = re.sub(r"[^\w-]+", "-", keys.get("table", "")).strip("-")[:40] or "table"
    return "-".join(filter(None, [table, date[0] if date else "", number[:4]]))


def free_name(folder: Path, stem: str, data: bytes) -> Path:
    """Where a record goes: under its name, unless another record has it."""
    for copy in range(1, COPIES):
        target = folder / f"{stem}{f'-{copy}' if copy > 1 else ''}.rec"
        if not os.path.lexists(target) or holds(target, data):
            return target
    raise UnusableInput(f"{folder} has a thousand records of the name {stem}")
